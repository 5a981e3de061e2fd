// `npm run ledger:reconcile -- --merchant ID --account ID --file FILE`: compares the ledger with a processor's
// settlement file, movement by movement. `--columns request_id=Name,gross=Name,…,amounts=minor` names the file's
// columns, `--from` and `--to` the period of the file. `--post` posts the file's fees and payouts to the bank.
// Settings are those of the service.
import './help.mjs'
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Misconfigured, whyNoFile } from '../src/base/misconfigured.ts'
import { statement } from '../src/database/statement.ts'
import { type Exception, reconcile } from '../src/ledger/reconcile.ts'
import { postSettlement, readSettlement, type SettlementColumns, usualColumns } from '../src/ledger/settlement.ts'
import { withBooks } from './bookkeeping.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)
const wrong = (message: string): never => {
  throw new Misconfigured(message)
}

const accountOf = statement(
  'ledger_account',
  'select profile_id from connector_accounts where merchant_id = $1 and merchant_connector_id = $2',
)

const string = { type: 'string' } as const
const options = {
  merchant: string,
  account: string,
  file: string,
  from: string,
  to: string,
  columns: string,
  post: { type: 'boolean' },
} as const

function readArguments() {
  const { values } = parseArgs({ options })
  const need = (name: 'merchant' | 'account' | 'file'): string => values[name] ?? wrong(`--${name} is missing`)
  const time = (name: 'from' | 'to'): string | null => {
    const written = values[name]
    if (written === undefined) return null
    const time = new Date(written)
    return Number.isNaN(time.getTime()) ? wrong(`--${name} must be a time`) : time.toISOString()
  }
  const scope = { merchant_id: need('merchant'), merchant_connector_id: need('account'), from: time('from'), to: time('to') }
  return { scope, file: need('file'), columns: readColumns(values.columns), post: values.post === true }
}

function readColumns(written = ''): SettlementColumns {
  const columns: Record<string, string> = { ...usualColumns }
  for (const pair of written.split(',').filter(Boolean)) {
    const [name = '', ...rest] = pair.split('=')
    if (!Object.hasOwn(usualColumns, name)) wrong(`--columns: ${name} is not one of ${Object.keys(usualColumns).join(', ')}`)
    columns[name] = rest.join('=')
  }
  if (!['major', 'minor'].includes(columns.amounts!)) wrong('--columns: amounts must be major or minor')
  return columns as SettlementColumns
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    return wrong(`${file} cannot be read: ${whyNoFile(error)}`)
  }
}

const describe = ({ is, request_id, reference, object_id, ours, theirs }: Exception): string =>
  `${is}: ${[object_id, request_id, reference].filter(Boolean).join(' ')}, ledger ${ours ?? 'nothing'}, file ${theirs ?? 'nothing'}`

try {
  const { scope, file, columns, post } = readArguments()
  const text = readText(file)
  const lines = await readSettlement(text, columns)
  await withBooks(async context => {
    const [account] = await context.query<{ profile_id: string }>(accountOf, [scope.merchant_id, scope.merchant_connector_id])
    if (!account) return wrong(`merchant ${scope.merchant_id} has no connector account ${scope.merchant_connector_id}`)
    const { agreed, exceptions } = await reconcile(context, scope, lines)
    for (const one of exceptions) say(describe(one))
    say(`${lines.length} lines: ${agreed} movements match, ${exceptions.length} do not.`)
    if (exceptions.length > 0) process.exitCode = 1
    if (!post) return
    const { merchant_id, merchant_connector_id } = scope
    const posted = await postSettlement(context, { merchant_id, merchant_connector_id, profile_id: account.profile_id }, text, lines)
    if (posted.length === 0) say('This file has already been posted.')
    for (const { currency, gross, fee, net } of posted)
      say(`Posted, in the lowest denomination of ${currency}: ${gross} settled, ${fee} in fees, ${net} paid out.`)
  })
} catch (error) {
  process.stderr.write(`the ledger cannot be compared with the file: ${(error as Error).message}\n`)
  process.exitCode = 2
}
