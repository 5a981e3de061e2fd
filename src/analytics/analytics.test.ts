import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { decide, dispute } from '../../test/disputes.ts'
import fc from '../../test/fast-check.ts'
import { analyticsProve } from '../../test/operator-commands.ts'
import { isRefused } from '../../test/refused.ts'
import { secondAccount } from '../../test/retried.ts'
import { type Body, cards, http, openShop, type Shop } from '../../test/shop.ts'
import type { Statement } from '../context.ts'
import { statement } from '../database/statement.ts'
import { openDispatch } from '../events/dispatch-outbox.ts'
import { findOperation } from '../operations/operation.ts'
import { learnFrom } from '../payments/authorization/attempts.ts'
import { PAYMENT } from '../payments/payment.ts'
import { findPayment } from '../payments/rows.ts'
import { countChanges } from './keep.ts'
import { proveCounts, recount } from './prove.ts'
import { openRecent } from './recent.ts'
import { bucketOf, endOf, percentile } from './scale.ts'

/**
 * Counters of payments: exact, in any order of changes, with repeated changes, and when the processes that count die.
 */

const always = { start_time: '2020-01-01T00:00:00Z', end_time: '2040-01-01T00:00:00Z' }
const counted = async (shop: Shop) => {
  while ((await shop.service.tick()) > 0);
}
const proven = async (shop: Pick<Shop, 'service' | 'merchant_id'>) =>
  deepEqual(await proveCounts(shop.service.context, shop.merchant_id), [])
const breakdown = async (shop: Shop, ask: Body = {}): Promise<Body[]> => {
  const { status, body, text } = await shop.post('/analytics/breakdown', { time_range: always, ...ask })
  equal(status, 200, text)
  return body.data
}

test('captures, refunds, authorizations and declines are counted in their groups, with amounts by currency', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 5000 })
  await shop.refund(payment_id, 1200)
  await shop.pay({ amount: 900, currency: 'JPY' })
  await shop.hold({ amount: 3000 })
  await shop.tryToPay({ amount: 700, card: cards.hasNoMoney })
  await counted(shop)
  const [all, ...others] = await breakdown(shop)
  deepEqual(others, [])
  const { latency, ...figures } = all!
  equal(latency.answers, 4)
  ok(latency.p50_ms <= latency.p95_ms)
  deepEqual(figures, {
    key: {},
    payments: 4,
    volume: [
      { currency: 'USD', amount: 8700 },
      { currency: 'JPY', amount: 900 },
    ],
    ...{ decided: 4, authorized: 3, declined: 1, rate: null },
    attempts: { decided: 4, authorized: 3, declined: 1, rate: null },
    captured: {
      payments: 2,
      amounts: [
        { currency: 'USD', amount: 5000 },
        { currency: 'JPY', amount: 900 },
      ],
    },
    refunded: { payments: 1, amounts: [{ currency: 'USD', amount: 1200 }] },
    disputed: { payments: 0, amounts: [] },
    saved_by_retry: { payments: 0, amounts: [] },
    held: { payments: 1, amounts: [{ currency: 'USD', amount: 3000 }] },
    processing: { payments: 0, amounts: [] },
    outside: { payments: 0, amounts: [] },
  })
  const why = await breakdown(shop, { group_by: ['error_code', 'unified_code'], metrics: ['payments'] })
  deepEqual(why, [
    { key: { error_code: null, unified_code: null }, payments: 3 },
    { key: { error_code: 'insufficient_funds', unified_code: 'UE_1000' }, payments: 1 },
  ])
  const inYen = await breakdown(shop, { filters: { currency: ['JPY'] }, group_by: ['payment_method', 'card_network'], metrics: ['volume'] })
  deepEqual(inYen, [{ key: { payment_method: 'card', card_network: 'Visa' }, volume: [{ currency: 'JPY', amount: 900 }] }])
  await proven(shop)
})

test('a capture or a void of an authorization moves its figures, and counts nothing twice', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.hold({ amount: 3000, capture_method: 'manual_multiple' })
  await counted(shop)
  await shop.capture(payment_id, 1000)
  await shop.capture(payment_id, 500)
  await counted(shop)
  const [{ captured, held, authorized, payments }] = (await breakdown(shop)) as [Body]
  deepEqual([captured.amounts[0].amount, held.amounts[0].amount, authorized, payments], [1500, 1500, 1, 1])
  const other = await shop.hold({ amount: 800 })
  await shop.cancel(other.payment_id)
  await counted(shop)
  deepEqual((await breakdown(shop))[0]!.held.payments, 1)
  await proven(shop)
})

test('a payment declined by one account and approved by another is counted at the second, as saved by retry', async () => {
  const shop = await openShop()
  const second = await secondAccount(shop)
  await shop.profile({ is_auto_retries_enabled: true })
  await shop.processor.fault('authorize', 'decline')
  await shop.pay({ amount: 2000 })
  await counted(shop)
  const by = { group_by: ['merchant_connector_id'] }
  const [{ key, saved_by_retry }, ...others] = (await breakdown(shop, { ...by, metrics: ['payments', 'saved_by_retry'] })) as [Body]
  deepEqual(
    [key, saved_by_retry],
    [{ merchant_connector_id: second.merchant_connector_id }, { payments: 1, amounts: [{ currency: 'USD', amount: 2000 }] }],
  )
  deepEqual(others, [])
  await proven(shop)
  // Each of the two accounts has answered once.
  const rows = await shop.query(
    'select kind, sum(answers)::int as answers from analytics_latencies where merchant_id = $1 and hours = 1 group by 1',
    [shop.merchant_id],
  )
  deepEqual(
    rows.map(row => row.answers),
    [1, 1],
  )
})

test('the account that declined is charged with its decline, though another account saved the payment', async () => {
  const shop = await openShop()
  const second = await secondAccount(shop)
  await shop.profile({ is_auto_retries_enabled: true })
  for (let i = 0; i < 3; i++) {
    await shop.processor.fault('authorize', 'decline')
    await shop.pay({ amount: 2000 })
  }
  await shop.pay({ amount: 2000 })
  await counted(shop)
  const by = async (...group_by: string[]) => breakdown(shop, { group_by, metrics: ['attempts'] })
  const [most, least] = [
    { decided: 4, authorized: 1, declined: 3, rate: null },
    { decided: 3, authorized: 3, declined: 0, rate: null },
  ]
  deepEqual(await by('merchant_connector_id'), [
    { key: { merchant_connector_id: shop.merchant_connector_id }, attempts: most },
    { key: { merchant_connector_id: second.merchant_connector_id }, attempts: least },
  ])
  deepEqual(await by('error_code', 'unified_code'), [
    { key: { error_code: null, unified_code: null }, attempts: { decided: 4, authorized: 4, declined: 0, rate: null } },
    { key: { error_code: 'card_declined', unified_code: 'UE_1000' }, attempts: { decided: 3, authorized: 0, declined: 3, rate: null } },
  ])
  const [ofShop] = await breakdown(shop, { metrics: ['rate', 'attempts', 'saved_by_retry'] })
  deepEqual([ofShop!.authorized, ofShop!.declined, ofShop!.saved_by_retry.payments, ofShop!.attempts.decided], [4, 0, 3, 7])
  await proven(shop)
})

test('a payment whose only address is that of its payment method is counted in that country, also when read from its rows', async () => {
  const shop = await openShop()
  const { card } = shop.payBody({}).payment_method_data
  const { payment_id } = await shop.pay({ payment_method_data: { card, billing: { address: { country: 'FR' } } } })
  await shop.refund(payment_id, 100)
  await counted(shop)
  const countries = await breakdown(shop, { group_by: ['country'] })
  deepEqual(
    countries.map(({ key, payments }) => [key.country, payments]),
    [['FR', 1]],
  )
  await proven(shop)
  equal(await recount(shop.service.context, shop.merchant_id), 0)
})

test('an attempt is counted under the card that it was made with, not under that of the next attempt', async () => {
  const shop = await openShop()
  await shop.profile({ is_manual_retry_enabled: true })
  const { body } = await shop.tryToPay({ card: cards.declines })
  await counted(shop)
  const card = { card_number: '5555555555554444', card_exp_month: '12', card_exp_year: '2040', card_cvc: '123' }
  const retried = await shop.confirm(body.payment_id, { payment_method: 'card', payment_method_data: { card } })
  equal(retried.body.status, 'succeeded', retried.text)
  await counted(shop)
  const networks = await breakdown(shop, { group_by: ['card_network'], metrics: ['attempts'] })
  deepEqual(Object.fromEntries(networks.map(({ key, attempts }) => [key.card_network, [attempts.authorized, attempts.declined]])), {
    Visa: [0, 1],
    Mastercard: [1, 0],
  })
  await proven(shop)
  const start_time = '2020-01-01T00:00:00Z'
  const simulated = await shop.post('/routing/simulate', { profile_id: body.profile_id, start_time })
  deepEqual(
    Object.fromEntries(
      simulated.body.cells.map((cell: Body) => [cell.card_network, cell.connectors.map((one: Body) => [one.payments, one.succeeded])]),
    ),
    { Visa: [[1, 0]], Mastercard: [[1, 1]] },
    'the simulation compares accounts by the same attempts',
  )
  const learnt = await learnFrom(shop.service.context)(shop.merchant_id, body.profile_id, start_time, 10)
  deepEqual(
    learnt.map(({ routingContext, report }) => [routingContext.card_network, report.succeeded]),
    [
      ['Visa', false],
      ['Mastercard', true],
    ],
    'and so does the learning',
  )
})

test('an upgrade counts the attempts of earlier payments by itself, also those that the previous release counts meanwhile', async () => {
  const shop = await openShop()
  await shop.pay({ amount: 5000 })
  await shop.tryToPay({ amount: 700, card: cards.declines })
  await counted(shop)
  const attempts = async () => (await breakdown(shop, { metrics: ['payments', 'attempts'] }))[0]!.attempts
  const truth = await attempts()
  // As after the upgrade: the previous release has counted no attempts, and the migration has written the row.
  const forgetAttempts = () =>
    shop.query('update analytics_counts set attempts_authorized = 0, attempts_declined = 0 where merchant_id = $1', [shop.merchant_id])
  await forgetAttempts()
  const migration = readFileSync(new URL('../database/migrations/278.do.sql', import.meta.url), 'utf8')
  const [written] = migration.match(/insert into analytics_recounts[^;]+/)!
  await shop.query(`${written} where merchant_id = $1`, [shop.merchant_id])
  equal((await attempts()).decided, 0)
  await counted(shop)
  deepEqual(await attempts(), truth)
  await proven(shop)
  await forgetAttempts()
  await shop.wait('25 hours')
  await counted(shop)
  deepEqual(await attempts(), truth)
  await proven(shop)
  await forgetAttempts()
  await shop.wait('7 days')
  await counted(shop)
  equal((await attempts()).decided, 0, 'two rounds, and no more')
  ok((await recount(shop.service.context, shop.merchant_id)) >= 1)
})

test('a disputed amount is counted until the dispute is won', async () => {
  const shop = await openShop({ webhooks: 'on' })
  const { payment_id } = await shop.pay({ amount: 4000 })
  const { remote: processorDispute } = await dispute(shop, payment_id, { amount: 1500 })
  await counted(shop)
  deepEqual((await breakdown(shop))[0]!.disputed, { payments: 1, amounts: [{ currency: 'USD', amount: 1500 }] })
  await decide(shop, processorDispute, { status: 'won' })
  await counted(shop)
  deepEqual((await breakdown(shop))[0]!.disputed, { payments: 1, amounts: [] })
  await proven(shop)
})

test('an authorization rate is reported from thirty decided payments on', async () => {
  const shop = await openShop()
  const pay = (card: string) => shop.tryToPay({ card })
  await Promise.all(Array.from({ length: 29 }, (_, i) => pay(i < 20 ? cards.approves : cards.declines)))
  await counted(shop)
  deepEqual((await breakdown(shop, { metrics: ['rate'] }))[0], { key: {}, decided: 29, authorized: 20, declined: 9, rate: null })
  await pay(cards.approves)
  await counted(shop)
  deepEqual((await breakdown(shop, { metrics: ['rate'] }))[0]!.rate, 0.7)
})

test('payments are counted in the hour and day of their creation; ranges include whole hours, and compare with the week before', async () => {
  const shop = await openShop()
  const first = (await shop.pay({ amount: 100 })).created
  await shop.wait('1 hour')
  await shop.pay({ amount: 200 })
  await shop.wait('2 days')
  const last = (await shop.pay({ amount: 400 })).created
  await counted(shop)
  const hour = (time: string) => `${time.slice(0, 13)}:00:00.000Z`
  const day = (time: string) => `${time.slice(0, 10)}T00:00:00.000Z`
  const series = async (granularity: string, ask: Body = {}) => {
    const { body } = await shop.post('/analytics/series', { time_range: { start_time: first }, granularity, metrics: ['volume'], ...ask })
    return body
  }
  const byHour = await series('hour')
  deepEqual(
    byHour.data.map((one: Body) => one.volume[0].amount),
    [100, 200, 400],
  )
  deepEqual([byHour.data[0].at, byHour.data[2].at, byHour.time_range.start_time], [hour(first), hour(last), hour(first)])
  ok(byHour.complete_until >= last)
  const byDay = await series('day', { time_range: { start_time: day(first), end_time: always.end_time } })
  equal(byDay.data.at(-1).at, day(last))
  equal(
    byDay.data.reduce((sum: number, one: Body) => sum + one.volume[0].amount, 0),
    700,
  )
  // Both ends of the range lie within a day, with whole days between them: not a payment more or less.
  const sumOf = async (start_time: string, end_time: string) =>
    (await breakdown(shop, { time_range: { start_time, end_time }, metrics: ['volume'] }))[0]?.volume[0].amount ?? 0
  equal(await sumOf(first, last), last === hour(last) ? 300 : 700)
  equal(await sumOf(first, hour(last)), 300)
  const compared = await series('hour', { time_range: { start_time: hour(last) }, compare: 'week_before' })
  deepEqual([compared.data.length, compared.compared.data], [1, []])
  equal(Date.parse(compared.time_range.start_time) - Date.parse(compared.compared.time_range.start_time), 7 * 86_400_000)
})

test('an invalid query is refused with the name of the field', async () => {
  const shop = await openShop()
  const ask = (path: string, body: Body) => shop.post(`/analytics/${path}`, body)
  isRefused(await ask('breakdown', { time_range: { start_time: 'yesterday' } }), 422, 'IR_05', /start_time/)
  isRefused(
    await ask('breakdown', { time_range: { start_time: '2026-02-01T00:00:00Z', end_time: '2026-01-01T00:00:00Z' } }),
    422,
    'IR_06',
    /end_time/,
  )
  isRefused(await ask('series', { time_range: always, granularity: 'hour' }), 422, 'IR_06', /14 days/)
  isRefused(await ask('series', { time_range: always }), 400, 'IR_04', /granularity/)
  isRefused(await ask('breakdown', { time_range: always, group_by: ['colour'] }), 400, 'IR_06', /group_by/)
  isRefused(
    await ask('breakdown', { time_range: always, group_by: ['country'], metrics: ['latency'] }),
    422,
    'IR_06',
    /latency beside country/,
  )
  for (const path of ['series', 'breakdown'])
    isRefused(await http('POST', `${shop.url}/analytics/${path}`, { time_range: always, granularity: 'day' }), 401, 'IR_01')
  const other = await openShop()
  await other.pay()
  await counted(other)
  deepEqual(await breakdown(shop), [])
})

type Deed =
  | 'pay'
  | 'decline'
  | 'hold'
  | 'capture'
  | 'cancel'
  | 'refund'
  | 'later'
  | 'refundsLater'
  | 'retry'
  | 'count'
  | 'count twice'
  | 'the service counts'
  | 'die'
  | 'wait'
const deeds: Deed[] = [
  'pay',
  'decline',
  'hold',
  'capture',
  'cancel',
  'refund',
  'later',
  'refundsLater',
  'retry',
  'count',
  'count twice',
  'the service counts',
  'die',
  'wait',
]

test('after random histories, counted concurrently and by processes that crashed, the counters equal a scan of the payments', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...deeds), fc.nat(20), fc.integer({ min: 100, max: 3000 })), { minLength: 8, maxLength: 24 }),
      async steps => {
        const shop = await openShop()
        await shop.profile({ is_manual_retry_enabled: true })
        const placer = (query = shop.service.context.query) =>
          openDispatch({ ...shop.service.context, query }, shop.service.settings, () => shop.url, false)
        const made: string[] = []
        const add = async (ask: Body) =>
          made.push((await shop.tryToPay({ currency: ask.amount % 2 ? 'EUR' : 'USD', ...ask })).body.payment_id)
        for (const [deed, which, amount] of steps) {
          const id = made[which % Math.max(made.length, 1)]
          if (deed === 'pay') await add({ amount })
          else if (deed === 'decline') await add({ amount, card: cards.declines })
          else if (deed === 'hold') await add({ amount, capture_method: 'manual_multiple' })
          else if (deed === 'later') await add({ amount, card: cards.approvesLater })
          else if (deed === 'refundsLater') await add({ amount, card: cards.refundsLater })
          else if (deed === 'count') await placer()()
          else if (deed === 'the service counts') await counted(shop)
          else if (deed === 'count twice') await Promise.all([placer()(), placer()(), placer()()])
          else if (deed === 'die') {
            // The process has computed the counts, and dies before it writes them.
            const died: Shop['service']['context']['query'] = (statement, values) =>
              /^(drop_outbox_rows|place_deliveries)/.test(statement.name)
                ? Promise.resolve([])
                : shop.service.context.query(statement, values)
            await placer(died)()
          } else if (deed === 'wait') await shop.wait('1 minute')
          else if (id === undefined) continue
          else if (deed === 'capture') await shop.capture(id, amount)
          else if (deed === 'cancel') await shop.cancel(id)
          else if (deed === 'refund') await shop.refund(id, amount)
          else
            await shop.confirm(id, {
              payment_method: 'card',
              payment_method_data: { card: { card_number: cards.approves, card_exp_month: '12', card_exp_year: '2040', card_cvc: '123' } },
            })
          await proven(shop)
        }
        await counted(shop)
        await proven(shop)
        const all = (await breakdown(shop))[0]
        const [scan] = await shop.query(
          `select count(*)::int as payments, sum(amount_received)::int as captured, sum(amount_refunded)::int as refunded from payments where merchant_id = $1`,
          [shop.merchant_id],
        )
        const [scanned] = await shop.query(
          `select count(*) filter (where state = 'done')::int as authorized, count(*) filter (where state in ('declined', 'not_sent', 'not_received'))::int as declined
            from processor_operations where merchant_id = $1 and verb = 'authorize' and purpose = 'merchant'`,
          [shop.merchant_id],
        )
        const { authorized = 0, declined = 0 } = all?.attempts ?? {}
        deepEqual({ authorized, declined }, scanned)
        const sum = (amounts: Body[] = []) => amounts.reduce((total, { amount }) => total + amount, 0)
        deepEqual(
          [all?.payments ?? 0, sum(all?.captured.amounts), sum(all?.refunded.amounts)],
          [scan!.payments, scan!.captured ?? 0, scan!.refunded ?? 0],
        )
      },
    ),
    { numRuns: 6 },
  )
})

test('a payment just decided in this process is counted without reading rows, with the same result as from its rows', async t => {
  const shop = await openShop()
  const { context } = shop.service
  const { merchant_id } = shop
  const made = [
    await shop.pay({ amount: 5000, billing: { address: { country: 'DE' } } }),
    await shop.hold({ amount: 3000 }),
    (await shop.tryToPay({ amount: 700, currency: 'EUR', card: cards.hasNoMoney })).body,
  ]
  const rows = await context.query<{ n: number; kind: string; object_id: string; version: number }>(
    statement('untold_in_a_test', 'select n, kind, object_id, version from outbox where merchant_id = $1 order by n'),
    [merchant_id],
  )
  equal(rows.length, made.length)
  const read = await countChanges(context, merchant_id, rows, null)
  const recent = openRecent()
  for (const { payment_id } of made) {
    const operation = await findOperation(context, { merchant_id, kind: PAYMENT, object_id: payment_id }, 1)
    recent.note((await findPayment(context, merchant_id, payment_id))!, operation!)
  }
  const unread: Pick<typeof context, 'query'> = { query: () => Promise.reject(new Error('nothing need be read')) }
  deepEqual(await countChanges(unread, merchant_id, rows, recent), read)

  const asked: string[] = []
  const { query } = context
  t.mock.method(context, 'query', (statement: Statement, values: unknown[]) => {
    if (values[0] === merchant_id) asked.push(statement.name)
    return query(statement, values)
  })
  await counted(shop)
  ok(asked.includes('drop_outbox_rows'))
  ok(!asked.includes('histories_to_count'), 'the service remembers them too')
  await shop.capture(made[1]!.payment_id, 1000)
  await counted(shop)
  ok(asked.includes('histories_to_count'), 'what more happened to is read')
  await proven(shop)
})

test('the command reports counters that differ from the payments, and recounts them with --mend', async () => {
  const shop = await openShop()
  await shop.pay({ amount: 5000 })
  await counted(shop)
  const env = { DATABASE_URL: shop.databaseUrl, KEY_FILE: shop.keyFile }
  await shop.query('update analytics_counts set captured_amount = captured_amount + 1 where merchant_id = $1 and hours = 1', [
    shop.merchant_id,
  ])
  await shop.query('delete from analytics_latencies where merchant_id = $1', [shop.merchant_id])
  const found = await analyticsProve(env)
  equal(found.code, 1)
  match(found.output, /captured_amount 5001 instead of 5000[\s\S]*answer times differ[\s\S]*The counters differ/)
  const mended = await analyticsProve(env, '--mend')
  equal(mended.code, 0, mended.output)
  match(mended.output, /Counted 1 hours anew\.\nThe counters agree with the payments/)
  equal(await recount(shop.service.context, shop.merchant_id), 0)
  match((await analyticsProve(env, '--all')).output, /--all is not a known argument/)
})

test('response times are reported at most about a tenth too long', () => {
  for (const ms of [1, 2, 7, 99, 100, 1234, 60_000])
    ok(endOf(bucketOf(ms)) >= ms * 0.95 && endOf(bucketOf(ms)) <= Math.ceil(ms * 1.11), `${ms}`)
  const buckets = new Map([100, 200, 300, 5000].map(ms => [bucketOf(ms), 1]))
  deepEqual(
    [percentile(buckets, 0.5), percentile(buckets, 0.95), percentile(new Map(), 0.5)],
    [endOf(bucketOf(200)), endOf(bucketOf(5000)), null],
  )
})
