import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openReceiver } from '../../test/receiver.ts'
import { areTheSame, isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, cards, http, openShop, type Shop } from '../../test/shop.ts'
import { type PastChange, rowAt } from '../database/past-row.ts'
import type { RowOf, Table } from '../database/table.ts'
import { findOperations, type Operation, operations } from '../operations/operation.ts'
import { type Payment, payments } from '../payments/payment.ts'
import { findPayment } from '../payments/rows.ts'
import { findRefunds, type Refund, refunds } from '../refunds/refund.ts'

/** Gives the columns of a payment's row, amounts as numbers, without times (whose form depends on the driver). */
async function rowOf(shop: Shop, payment_id: string): Promise<Record<string, unknown>> {
  const [row] = await shop.query('select * from payments where merchant_id = $1 and payment_id = $2', [shop.merchant_id, payment_id])
  return Object.fromEntries(
    Object.entries(row)
      .filter(([, value]) => !(value instanceof Date))
      .map(([name, value]) => [name, /amount$|^amount/.test(name) ? Number(value) : value]),
  )
}

/** Takes a payment through a long life; gives its row after each step. */
async function longLife(shop: Shop) {
  const { payment_id } = await shop.create({ amount: 1000, capture_method: 'manual_multiple', card: cards.refundsLater })
  const rows = [await rowOf(shop, payment_id)]
  const steps = [
    () => shop.confirm(payment_id),
    () => shop.capture(payment_id, 600),
    () => shop.processor.fault('capture', 'decline').then(() => shop.capture(payment_id, 300)),
    () => shop.capture(payment_id, 400),
    () => shop.refund(payment_id, 500),
    () => shop.wait('2 minutes'),
  ]
  for (const step of steps) {
    await step()
    rows.push(await rowOf(shop, payment_id))
  }
  return { payment_id: payment_id as string, rows }
}

test('every change of a payment is an event, in order and without a gap', async () => {
  const shop = await openShop()
  const { payment_id } = await longLife(shop)
  const events = await shop.events(payment_id)
  deepEqual(
    events.map((event: Body) => event.version),
    events.map((_, i) => i + 1),
  )
  const announced = events.filter((event: Body) => event.event_type !== null)
  deepEqual(
    announced.map((event: Body) => event.sequence),
    announced.map((_, i) => i + 1),
  )
  ok(events.every((event: Body) => (event.event_type === null) === (event.sequence === null)))
  equal(new Set(events.map((event: Body) => event.event_id)).size, events.length)
  ok(events.every((event: Body) => event.merchant_id === shop.merchant_id && event.object_id === payment_id))
  deepEqual(
    events.map((event: Body) => [event.type, event.event_type]),
    [
      ['created', null],
      ['sent', null],
      ['authorized', 'payment_authorized'],
      ['capture_sent', null],
      ['captured_with_rest', 'payment_captured'],
      ['capture_sent', null],
      ['capture_declined', 'payment_captured'],
      ['capture_sent', null],
      ['captured', 'payment_succeeded'],
      ['refund_sent', null],
      ['refund_waiting', null],
      ['refund_done', 'refund_succeeded'],
    ],
  )
})

test('every earlier version of a payment can be rebuilt from its current version and its events', async () => {
  const shop = await openShop()
  const { payment_id, rows } = await longLife(shop)
  const events = await shop.events(payment_id)
  let row = rows.at(-1)!
  const rebuilt = new Map([[row.version, row]])
  for (const event of events.slice(1).reverse()) {
    for (const [column, value] of Object.entries(event.set)) if (column in row) deepEqual(row[column], value, `${event.type}.${column}`)
    row = { ...row, ...event.was, version: event.version - 1, sequence: (row.sequence as number) - (event.event_type === null ? 0 : 1) }
    rebuilt.set(row.version, Object.fromEntries(Object.entries(row).filter(([column]) => column in rows[0]!)))
  }
  for (const earlier of rows) deepEqual(rebuilt.get(earlier.version), earlier, `version ${earlier.version}`)
})

test('the payment, its refunds and its operations can be rebuilt as of any version', async () => {
  const shop = await openShop()
  const { context } = shop.service
  const { payment_id } = await shop.hold({ amount: 1000, capture_method: 'manual_multiple', card: cards.refundsLater })
  type Rows = { payment: Payment; refunds: Refund[]; operations: Operation[] }
  const now = async (): Promise<Rows> => ({
    payment: (await findPayment(context, shop.merchant_id, payment_id))!,
    refunds: await findRefunds(context, shop.merchant_id, payment_id),
    operations: (await findOperations(context, { merchant_id: shop.merchant_id, kind: 'payment', object_id: payment_id })).map(withoutPoll),
  })
  // A job changes without a change record, and so has no history.
  const withoutPoll = (operation: Operation): Operation => ({ ...operation, poll_at: null })
  const seen: Rows[] = []
  const steps = [
    () => shop.capture(payment_id, 600),
    () => shop.refund(payment_id, 250),
    () => shop.processor.fault('refund', 'decline').then(() => shop.refund(payment_id, 100)),
    () => shop.capture(payment_id, 400),
    () => shop.wait('2 minutes'),
    () => shop.refund(payment_id, 150),
  ]
  for (const step of steps) {
    await step()
    seen.push(await now())
  }
  const last = seen.at(-1)!
  deepEqual(new Set(last.refunds.map(refund => refund.status)), new Set(['succeeded', 'failed', 'pending']))
  const history = await shop.query('select version, sequence, was from changes where merchant_id = $1 and object_id = $2', [
    shop.merchant_id,
    payment_id,
  ])
  for (const { payment, refunds: refundsThen, operations: its } of seen) {
    const at = <T extends Table>(table: T, row: RowOf<T>) => rowAt(table, row, payments, history as PastChange[], payment.version)
    deepEqual(at(payments, last.payment), payment, `version ${payment.version}`)
    deepEqual(
      last.refunds.map(refund => at(refunds, refund)).filter(refund => refund !== null),
      refundsThen,
    )
    deepEqual(
      last.operations.map(operation => at(operations, operation)).filter(operation => operation !== null),
      its,
    )
  }
})

test('every change records who made it', async () => {
  const shop = await openShop({ webhooks: 'on' })
  const [{ key_id }] = (await shop.query('select key_id from api_keys where merchant_id = $1', [shop.merchant_id])) as [{ key_id: string }]
  const whoOf = async (payment_id: string) => (await shop.events(payment_id)).map((event: Body) => [event.type, event.by])
  const created = await shop.create()
  await http(
    'POST',
    `${shop.url}/payments/${created.payment_id}/confirm`,
    { client_secret: created.client_secret },
    { 'api-key': shop.publishable_key },
  )
  deepEqual(await whoOf(created.payment_id), [
    ['created', `secret_key ${key_id}`],
    ['sent', 'client'],
    ['captured', 'client'],
  ])
  const silent = await shop.pay({ card: cards.chargesAndResets })
  await shop.processor.soundAgain()
  await shop.wait('2 minutes')
  const [, , [, last] = []] = await whoOf(silent.payment_id)
  ok(last === 'alarm' || last === `webhook ${shop.merchant_connector_id}`, last)
  const administrative = await shop.query(
    "select kind, type, by, version from changes where merchant_id = $1 and kind <> 'payment' order by created, kind",
    [shop.merchant_id],
  )
  deepEqual(administrative.map(({ kind, type, by, version }) => [kind, type, by, version]).sort(), [
    ['api_key', 'created', 'admin', 1],
    ['connector_account', 'created', 'admin', 1],
    ['merchant', 'created', 'admin', 1],
  ])
  await http('DELETE', `${shop.url}/api_keys/${shop.merchant_id}/${key_id}`, undefined, { 'api-key': ADMIN_KEY })
  const [revoked] = await shop.query("select type, by, was from changes where merchant_id = $1 and kind = 'api_key' and version = 2", [
    shop.merchant_id,
  ])
  deepEqual({ ...revoked }, { type: 'revoked', by: 'admin', was: { revoked_at: null } })
})

test('each announced change is in the outbox once and in order, and a sent event is stored for 90 days', async () => {
  const [shop, receiver] = [await openShop(), await openReceiver()]
  await shop.post('/webhook_endpoints', { url: receiver.url })
  const { payment_id } = await shop.pay()
  await shop.refund(payment_id, 500)
  const waiting = () =>
    shop.query(
      'select o.object_id, o.kind, o.version, c.announces from outbox o join changes c using (merchant_id, kind, object_id, version) where merchant_id = $1 order by n',
      [shop.merchant_id],
    )
  const announced = (await shop.events(payment_id)).filter((event: Body) => event.event_type !== null)
  deepEqual(
    (await waiting()).map(one => [one.kind, one.object_id, one.version, one.announces]),
    announced.map((event: Body) => ['payment', payment_id, event.version, event.event_type]),
  )
  equal(announced.length, 2)
  const kept = async () => (await shop.query('select event_id from announcements where merchant_id = $1', [shop.merchant_id])).length
  await shop.wait('1 second')
  deepEqual([await waiting(), await kept()], [[], 2])
  await shop.wait('89 days')
  equal(await kept(), 2)
  await shop.wait('2 days')
  equal(await kept(), 0)
  equal((await shop.events(payment_id)).length, 4, 'that it happened is kept for ever')
})

test('the history contains no encrypted card number, security code or credential', async () => {
  const shop = await openShop()
  const waiting = await shop.create()
  await shop.confirm(waiting.payment_id)
  const rows = await shop.query('select was::text as was from changes where merchant_id = $1', [shop.merchant_id])
  ok(rows.every(({ was }) => !/sealed|digest|vault_records|waiting_cvcs/.test(was)))
})

test('events of a payment are paginated, and also found by the id of its refund', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  const { body: refund } = await shop.refund(payment_id)
  const all = await shop.events(payment_id)
  const list = (query: string) => shop.call('GET', `/events?${query}`)
  const first = (await list(`object_id=${payment_id}&limit=3`)).body
  equal(first.size, 3)
  const second = (await list(`object_id=${payment_id}&limit=3&after_version=${first.data[2].version}`)).body
  deepEqual([...first.data, ...second.data], all)
  deepEqual((await list(`object_id=${refund.refund_id}`)).body.data, all)
  isRefused(await list('after_version=3'), 400, 'IR_04', /object_id/)
  isRefused(await list(`object_id=${payment_id}&is_delivered=true`), 400, 'IR_16', /is_delivered/)
  isRefused(await list(`object_id=${payment_id}&limit=0`), 400, 'IR_06', /limit/)
  isRefused(await list(`object_id=${payment_id}&limit=101`), 400, 'IR_16', /limit/)
  isRefused(await list(`object_id=${payment_id}&limit=many`), 400, 'IR_06', /limit/)
})

test('the events of a payment of another merchant are not found, like those of a missing payment', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const { payment_id } = await other.pay()
  const missing = await shop.call('GET', `/events?object_id=pay_${'0'.repeat(26)}`)
  isRefused(missing, 404, 'HE_02')
  areTheSame(await shop.call('GET', `/events?object_id=${payment_id}`), missing)
})

test('a refused request leaves no event', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  const before = await shop.events(payment_id)
  await shop.capture(payment_id)
  await shop.cancel(payment_id)
  await shop.confirm(payment_id)
  await shop.refund(payment_id, 99)
  deepEqual(await shop.events(payment_id), before)
})
