import { deepEqual, ok } from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { prove } from '../../src/ledger/prove.ts'
import { balances } from '../settlement.ts'
import { openShop, type Shop } from '../shop.ts'

/** A report of very many lines: in time, and in memory that does not grow with it. */

const LINES = Number(process.env.SETTLEMENT_LINES ?? 100_000)
/** Transactions are of chunks, not of lines. */
const MOST_LINES_A_COMMIT = 100
/** Of Linux. */
const MS_A_TICK = 10
const MOST_BYTES = 256 * 1024 * 1024

/**
 * Makes payments that were captured, as the service leaves them, by SQL: as many by the interface would take hours.
 */
async function captured({ query, merchant_id, merchant_connector_id }: Shop): Promise<void> {
  const [{ profile_id }] = (await query('select profile_id from connector_accounts where merchant_id = $1', [merchant_id])) as [
    { profile_id: string },
  ]
  const ids = `'pay_' || lpad(i::text, 26, '0')`
  await query(
    `insert into processor_operations (amount, began, n, verb, purpose, attempt, merchant_id, kind, object_id, currency, connector, merchant_connector_id, request_id, modified_at, state, reference)
      select 1000, now(), 1, 'authorize', 'merchant', 1, $1, 'payment', ${ids}, 'USD', 'phonypay', $2, 'req_' || lpad(i::text, 22, '0'), now(), 'done', 'ref_' || i from generate_series(1, $3::int) i`,
    [merchant_id, merchant_connector_id, LINES],
  )
  await query(
    `insert into changes (created, version, sequence, merchant_id, object_id, kind, event_id, type, announces, by, was, posted)
      select now(), v, v, $1, ${ids}, 'payment', 'evt_' || lpad(to_hex(i * 4 + v), 32, '0'), 'captured', null, 'service', '{}',
        case when v = 2 then json_build_object('request_id', 'req_' || lpad(i::text, 22, '0'), 'profile_id', $4::text, 'merchant_connector_id', $2::text, 'currency', 'USD', 'entries', json_build_object('processor', 1000, 'sales', -1000)) end
      from generate_series(1, $3::int) i cross join generate_series(1, 2) v`,
    [merchant_id, merchant_connector_id, LINES, profile_id],
  )
  await query(
    `insert into ledger_balances (merchant_id, profile_id, merchant_connector_id, currency, account, debit, credit)
      select $1, $4, $2, 'USD', account, debit, credit from (values ('processor', $3::bigint * 1000, 0::bigint), ('sales', 0, $3::bigint * 1000)) b (account, debit, credit)`,
    [merchant_id, merchant_connector_id, LINES, profile_id],
  )
  await query('analyze')
}

const TITLES =
  'automatic_payout_id,automatic_payout_effective_at_utc,balance_transaction_id,created_utc,currency,gross,fee,net,reporting_category,source_id,description,payment_intent_id,payment_metadata[request_id]'
const AT_ONCE = 500

/** Gives Stripe's report of these payments as bytes, as it comes from a disk. */
async function* report(): AsyncGenerator<Buffer> {
  yield Buffer.from(`${TITLES}\n`)
  for (let from = 1; from <= LINES; from += AT_ONCE) {
    let rows = ''
    for (let i = from; i < from + AT_ONCE && i <= LINES; i++)
      rows += `po_${i % 30},2026-11-03 00:00:00,txn_${i},2026-11-01 10:00:00,usd,10.00,0.30,9.70,charge,ch_${i},Order ${i},pi_${i},req_${String(i).padStart(22, '0')}\n`
    yield Buffer.from(rows)
  }
}

/** Processor time of a process in milliseconds; 0 where there is no /proc. */
function msOf(pid: number): number {
  const [, stat] = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ') : []
  const [user, system] = stat?.split(' ').slice(11, 13).map(Number) ?? [0, 0]
  return (user! + system!) * MS_A_TICK
}

/** The most memory that a process has had at once, in bytes. */
const mostResident = (pid: number): number =>
  existsSync(`/proc/${pid}/status`) ? Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024 : 0

/**
 * Counts the processor time of all processes of PostgreSQL from now on, those included that begin and end
 * meanwhile.
 */
async function watchDatabase({ query }: Shop) {
  const times = new Map<number, { first: number; last: number }>()
  const look = async (isFirst = false) => {
    for (const { pid } of await query('select pid from pg_stat_activity')) {
      const ms = msOf(pid)
      const { first } = times.get(pid) ?? { first: isFirst ? ms : 0 }
      times.set(pid, { first, last: ms })
    }
  }
  await look(true)
  return { look, sum: () => [...times.values()].reduce((sum, { first, last }) => sum + last - first, 0) }
}

/** The transactions of the database so far. */
const commitsOf = async ({ query }: Shop): Promise<number> =>
  Number((await query('select xact_commit from pg_stat_database where datname = current_database()'))[0]!.xact_commit)

const root = join(import.meta.dirname, '../..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
/** The limits of the heap, as the command is run. */
const nodeFlags = scripts['ledger:reconcile']!.split(' ').filter(word => word.startsWith('--'))

/** Runs the command, and gives its output, processor time in milliseconds and most resident memory. */
async function reconcile(shop: Shop, file: string) {
  const { databaseUrl: DATABASE_URL, keyFile: KEY_FILE, merchant_id, merchant_connector_id } = shop
  const args = ['--merchant', merchant_id, '--account', merchant_connector_id, '--file', file, '--post']
  const child = spawn(process.execPath, [...nodeFlags, join(root, 'launch/ledger-reconcile.ts'), ...args], {
    env: { ...process.env, DATABASE_URL, KEY_FILE },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const database = await watchDatabase(shop)
  let [output, own_ms, bytes] = ['', 0, 0]
  child.stdout.on('data', text => (output += text))
  const watch = setInterval(() => {
    own_ms = Math.max(own_ms, msOf(child.pid!))
    bytes = Math.max(bytes, mostResident(child.pid!))
    void database.look()
  }, 100)
  const code = await new Promise(resolve => child.on('close', resolve))
  clearInterval(watch)
  await database.look()
  return { code, output, own_ms, its_ms: database.sum(), bytes }
}

test('ledger:reconcile reads a report of very many lines in time and in bounded memory, and again as fast', async t => {
  const shop = await openShop()
  await captured(shop)
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-lines-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'report.csv')
  await writeFile(file, report())
  const empty = join(folder, 'empty.csv')
  await writeFile(empty, `${TITLES}\n`)
  const start = await reconcile(shop, empty)
  for (const did of [`${LINES} posted, 0 read before`, `0 posted, ${LINES} read before`]) {
    const commits = await commitsOf(shop)
    const began = performance.now()
    const { code, output, own_ms, its_ms, bytes } = await reconcile(shop, file)
    const took = Math.round(performance.now() - began)
    const figures = `${did}: ${took} ms; processor time: ${own_ms} ms here, ${its_ms} ms of PostgreSQL; ${Math.round(bytes / 1_048_576)} MB, ${Math.round(start.bytes / 1_048_576)} MB at its start`
    console.log(figures)
    deepEqual([code, output.split('\n')[0]], [0, `stripe_balance: ${LINES} lines: ${did}, 0 differ, 0 cannot be read.`])
    ok((await commitsOf(shop)) - commits < LINES / MOST_LINES_A_COMMIT, figures)
    ok(bytes < MOST_BYTES, figures)
  }
  deepEqual(await balances(shop), { sales: -LINES * 1000, fees: LINES * 30, in_transit: LINES * 970 })
  deepEqual(await prove(shop.service.context, shop.merchant_id), [])
})
