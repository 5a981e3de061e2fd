// `npm run merchant:move -- MERCHANT`: moves a merchant to another deployment
// (docs/design/moving-merchants.md). DATABASE_URL and the keys are those of the deployment that the merchant
// leaves, TARGET_DATABASE_URL and TARGET_KEY_FILE those of the new one. Running the command again continues an
// interrupted move. `--undo` takes back a move that has not closed the source; `--remove` removes the rows that the
// merchant has left behind.
import './help.mjs'
import '../src/service.ts'
import { existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Misconfigured } from '../src/base/misconfigured.ts'
import { loadKeys } from '../src/vault/keys.ts'
import { moveMerchant, removeLeft, undo } from './moving.ts'
import { openSide } from './moving-database.ts'
import { openOwnDatabase, ownKeys } from './own.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)
const DRAIN_S = 35
const wrong = (message: string): never => {
  throw new Misconfigured(message)
}

const options = {
  address: { type: 'string' },
  files: { type: 'string' },
  drain: { type: 'string' },
  undo: { type: 'boolean' },
  remove: { type: 'boolean' },
} as const

function readArguments() {
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const [merchant_id = wrong('the id of a merchant is required'), more] = positionals
  if (more !== undefined) wrong(`${more}: one merchant is moved at a time`)
  const { address = null, files = null, drain = `${DRAIN_S}` } = values
  if (address !== null && !URL.canParse(address)) wrong('--address must be a URL')
  if (!/^\d{1,4}$/.test(drain)) wrong('--drain must be a number of seconds')
  return { ...values, merchant_id, files, address: address?.replace(/(?<!\/)\/+$/, '') ?? null, drain_ms: Number(drain) * 1000 }
}

/** Copies the merchant's folder of files; `to`: the folder of the target, or `shared`. */
async function copyFiles(merchant_id: string, to: string | null): Promise<string> {
  const { FILES_FOLDER: folder = './files', FILES_BUCKET } = process.env
  if (to === 'shared') return ''
  if (FILES_BUCKET)
    return wrong('files are in FILES_BUCKET: if the target has the same bucket, say --files shared; if not, copy them first')
  const from = join(folder, merchant_id)
  if (!existsSync(from)) return ''
  if (to === null)
    return wrong(`${from} has files of the merchant: say where FILES_FOLDER of the target is (--files FOLDER), or --files shared`)
  await cp(from, join(to, merchant_id), { recursive: true })
  return `The files of ${from} were copied to ${to}.`
}

async function run(): Promise<void> {
  const asked = readArguments()
  const { TARGET_DATABASE_URL, TARGET_KEY_FILE } = process.env
  if (!TARGET_DATABASE_URL) return wrong('TARGET_DATABASE_URL must be set: the database of the deployment that the merchant moves to')
  const keys = loadKeys(ownKeys)
  const both = {
    source: keys,
    target: TARGET_KEY_FILE ? loadKeys({ mode: 'live', keys: null, command: null, file: TARGET_KEY_FILE }) : keys,
  }
  const own = await openOwnDatabase()
  const closing: (() => Promise<void>)[] = [own.close]
  try {
    const source = await openSide('the source (DATABASE_URL)', own.url)
    closing.unshift(source.close)
    const target = await openSide('the target (TARGET_DATABASE_URL)', TARGET_DATABASE_URL)
    closing.unshift(target.close)
    const { merchant_id } = asked
    const moving = { ...asked, source, target, keys: both, say, files: () => copyFiles(merchant_id, asked.files) }
    await (asked.undo ? undo(moving) : asked.remove ? removeLeft(moving) : moveMerchant(moving))
  } finally {
    for (const close of closing) await close()
  }
}

try {
  await run()
} catch (error) {
  process.stderr.write(`the merchant cannot be moved: ${(error as Error).message}\n`)
  process.exitCode = 2
}
