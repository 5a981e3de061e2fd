import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { prove } from '../../src/ledger/prove.ts'
import type { SettlementLine } from '../../src/settlement/line.ts'
import { balances, line, takeLines } from '../settlement.ts'
import { openShop, type Shop } from '../shop.ts'

/** A report of very many lines: in time, and in memory that does not grow with it. */

const LINES = Number(process.env.SETTLEMENT_LINES ?? 100_000)
/** Of a processor's time, for each line: a million lines take a minute of two cores, half of it PostgreSQL's. */
const MOST_MS_A_LINE = 0.12
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

async function* report(): AsyncGenerator<SettlementLine> {
  for (let i = 1; i <= LINES; i++) {
    const request_id = `req_${String(i).padStart(22, '0')}`
    yield line({
      at: i,
      request_id,
      reference: `txn_${i}`,
      batch: `po_${i % 30}`,
      gross: 1000,
      fee: 30,
      booked_at: '2026-11-01T00:00:00.000Z',
    })
  }
}

test('a report of very many lines is matched, stored and posted in time and in bounded memory, and again as fast', async t => {
  const shop = await openShop()
  await captured(shop)
  global.gc?.()
  const before = process.memoryUsage().rss
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 100)
  t.after(() => clearInterval(watch))
  for (const name of ['matched', 'known'] as const) {
    const began = performance.now()
    const cpu = process.cpuUsage()
    const { counts } = await takeLines(shop, report())
    const took = performance.now() - began
    const used = process.cpuUsage(cpu)
    console.log(
      `${name}: ${LINES} lines in ${Math.round(took)} ms, ${Math.round((used.user + used.system) / 1000)} ms of this process; ${Math.round((most - before) / 1_048_576)} MB more, ${Math.round(most / 1_048_576)} MB in all`,
    )
    deepEqual([counts![name], counts!.open], [LINES, 0])
    ok((used.user + used.system) / 1000 < LINES * MOST_MS_A_LINE + 2000, `${used.user + used.system} µs of this process`)
  }
  ok(most - before < MOST_BYTES, `${most - before} bytes more`)
  deepEqual(await balances(shop), { sales: -LINES * 1000, fees: LINES * 30, settled: LINES * 970 })
  deepEqual(await prove(shop.service.context, shop.merchant_id), [])
})
