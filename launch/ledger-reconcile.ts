// `npm run ledger:reconcile -- --merchant ID --account ID --file FILE`: reads a processor's settlement report as it
// comes from the disk, of any size, and says what differs; with `--post`, takes it. See `--help`. Settings are those of
// the service.
import './help.mjs'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { Misconfigured, whyNoFile } from '../src/base/misconfigured.ts'
import { needAccount } from '../src/settlement/account.ts'
import { takeBankStatement } from '../src/settlement/bank.ts'
import { causes } from '../src/settlement/causes.ts'
import { openFile } from '../src/settlement/files.ts'
import type { GeneralForm } from '../src/settlement/readers/general.ts'
import { openReport } from '../src/settlement/readers/read-report.ts'
import { listDifferences } from '../src/settlement/resolve.ts'
import type { Mode, SettlementDifference, SettlementFile } from '../src/settlement/tables.ts'
import { takeReport } from '../src/settlement/take-report.ts'
import { type Bookkeeping, withBooks } from './bookkeeping.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)
const wrong = (message: string): never => {
  throw new Misconfigured(message)
}

/** Of each run; the rest is in the interface. */
const MOST_SHOWN = 50

const string = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const options = { merchant: string, account: string, file: string, columns: string, post: flag, whole: flag, bank: flag } as const

function readArguments() {
  const { values } = parseArgs({ options })
  const need = (name: 'merchant' | 'account' | 'file'): string => values[name] ?? wrong(`--${name} is missing`)
  const bank = values.bank === true
  // Of a file that is only compared nothing is posted, also if this process dies.
  const mode: Mode = values.whole === true || values.post !== true ? 'all or nothing' : 'what matches'
  return {
    merchant_id: need('merchant'),
    account: bank ? null : need('account'),
    file: need('file'),
    form: readColumns(values.columns),
    mode,
    post: values.post === true,
  }
}

/** `column=Title,…`, and `amounts=minor`; or JSON, as the interface takes it. */
function readColumns(written: string | undefined): GeneralForm | null {
  if (written === undefined) return null
  if (written.startsWith('{')) {
    try {
      return JSON.parse(written) as GeneralForm
    } catch {
      return wrong('--columns is not JSON')
    }
  }
  const pairs = written
    .split(',')
    .filter(Boolean)
    .map(pair => pair.split('=') as [string, string?])
  const { amounts, ...columns } = Object.fromEntries(pairs.map(([name, ...title]) => [name, title.join('=')]))
  if (amounts !== undefined && amounts !== 'major' && amounts !== 'minor') wrong('--columns: amounts must be major or minor')
  return { columns, ...(amounts !== undefined && { amounts }) } as GeneralForm
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(file, { highWaterMark: 1 << 18 })
  } catch (error) {
    wrong(`${file} cannot be read: ${whyNoFile(error)}`)
  }
}

type Said = Pick<SettlementDifference, 'cause' | 'at' | 'reference' | 'type' | 'currency' | 'ours' | 'theirs' | 'text'>

function sayDifference({ cause, at, reference, type, currency, ours, theirs, text }: Said): void {
  const what = [type, reference, text].filter(Boolean).join(' ')
  const amounts = ours === null && theirs === null ? '' : `, ours ${ours ?? 'nothing'}, theirs ${theirs ?? 'nothing'} ${currency ?? ''}`
  say(`line ${at ?? '-'}: ${causes[cause]}: ${what}${amounts}`.trimEnd())
}

/** Says what the report has changed. Exit code 1: a line differs, or cannot be read. */
async function report(context: Bookkeeping, { merchant_id, file_id, state, reader, counts, examples, problem }: SettlementFile) {
  if (state === 'failed') return wrong(problem!)
  const { lines, matched, known, open, unread, causes: by } = counts!
  const stored = open > 0 && state === 'done' ? await listDifferences(context, merchant_id, { file_id }, null, MOST_SHOWN) : []
  for (const one of examples ?? stored.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))) sayDifference(one)
  const done = state === 'done' ? `${matched} posted` : `${matched} match, nothing was posted`
  say(`${reader}: ${lines} lines: ${done}, ${known} read before, ${open - (by.unreadable ?? 0)} differ, ${unread} cannot be read.`)
  if (lines > 0 && known === lines && open + unread === 0) say('Nothing is new: nothing was changed.')
  if (open + unread > 0) process.exitCode = 1
}

try {
  const { merchant_id, account: account_id, file, form, mode, post } = readArguments()
  await withBooks(async context => {
    const of = { name: basename(file), mode, reader: null, columns: form, by: context.by }
    const account =
      account_id === null
        ? null
        : await needAccount(context, merchant_id, account_id).catch(() =>
            wrong(`merchant ${merchant_id} has no connector account ${account_id}`),
          )
    if (account === null)
      return report(context, await takeBankStatement(context, await openFile(context, merchant_id, null, of, 'waiting'), bytesOf(file)))
    const { reader, lines } = await openReport(bytesOf(file), { connector: account.connector_name, ...(form && { form }) })
    const opened = await openFile(context, merchant_id, account, of, 'waiting')
    await report(context, await takeReport(context, account, opened, reader?.name ?? 'none', lines, post ? 'take' : 'compare'))
  })
} catch (error) {
  process.stderr.write(`the report cannot be read: ${(error as Error).message}\n`)
  process.exitCode = 2
}
