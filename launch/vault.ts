// `npm run vault`: runs the vault as a process of its own, beside a service that is configured for it (VAULT_URL,
// VAULT_IDENTITY). Without DATABASE_URL, the command starts a PostgreSQL of its own; in test mode it makes missing
// keys and identities. `npm run vault -- --identities FOLDER` makes the files with which both sides authenticate each
// other.
import './help.mjs'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openLog } from '../src/base/log.ts'
import { Misconfigured, notListening } from '../src/base/misconfigured.ts'
import { refuseUnknown } from '../src/base/setting.ts'
import { readIdentity, settings } from '../src/config.ts'
import { startVault } from '../src/vault/process.ts'
import { newIdentities } from '../src/vault/sealed-messages.ts'
import { projectDir } from './binaries.ts'
import { startPostgres } from './postgres.ts'

const { SWITCHYARD_DATA, DATABASE_URL, KEYS, KEY_COMMAND, KEY_FILE, VAULT_IDENTITY, MODE, HOST, PORT } = process.env
const folder = join(SWITCHYARD_DATA || join(projectDir, 'data'), 'vault')
const isTest = (MODE || 'test') === 'test'
const say = (line: string) => process.stdout.write(`${line}\n`)

/** Writes the two identity files, readable only for their owner. */
async function makeIdentities(into: string): Promise<void> {
  mkdirSync(into, { recursive: true, mode: 0o700 })
  for (const [side, identity] of Object.entries(await newIdentities()))
    writeFileSync(join(into, `${side}.json`), `${JSON.stringify(identity, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
}

async function run(): Promise<void> {
  refuseUnknown(process.env, settings)
  const [argument, given] = process.argv.slice(2)
  if (argument === '--identities' && given) {
    await makeIdentities(given)
    say(`${join(given, 'service.json')} is the service's VAULT_IDENTITY, ${join(given, 'vault.json')} the vault's.`)
    return
  }
  if (argument !== undefined) throw new Misconfigured(`${argument} is not a known argument: use --identities FOLDER or none`)
  const port = Number(PORT || 8090)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Misconfigured(`PORT must be a whole number from 0 to 65535, not ${PORT}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (isTest && !VAULT_IDENTITY && !existsSync(join(folder, 'vault.json'))) await makeIdentities(folder)
  const identity = readIdentity(VAULT_IDENTITY || (isTest ? join(folder, 'vault.json') : null), isTest ? 'test' : 'live')
  const own = DATABASE_URL ? null : await startPostgres({ dataDir: join(folder, 'postgres'), log: say })
  const keys = {
    mode: isTest ? ('test' as const) : ('live' as const),
    keys: KEYS || null,
    command: KEY_COMMAND || null,
    file: KEY_FILE || (isTest ? join(folder, 'keys.json') : null),
  }
  const host = HOST || '127.0.0.1'
  try {
    const config = { databaseUrl: DATABASE_URL || own!.url, databaseConnections: 10, keys, identity, host, port }
    const vault = await startVault(config, openLog('info')).catch(error => {
      throw notListening(error, config)
    })
    say(
      `The vault is running. Settings for the service: VAULT_URL=${vault.url} VAULT_IDENTITY=${VAULT_IDENTITY ? "its side's file" : join(folder, 'service.json')}`,
    )
    await new Promise<void>(resolve => process.once('SIGTERM', resolve).once('SIGINT', resolve))
    await vault.close()
  } finally {
    await own?.stop()
  }
}

run().catch((error: unknown) => {
  process.stderr.write(`the vault cannot start: ${error instanceof Misconfigured ? error.message : ((error as Error).stack ?? error)}\n`)
  process.exitCode = 1
})
