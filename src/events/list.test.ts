import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { areTheSame, isRefused } from '../../test/refused.ts'
import { type Body, cards, openShop, type Shop } from '../../test/shop.ts'

/** The columns of a payment's row, amounts as numbers, times left out (a driver's own affair). */
async function rowOf(shop: Shop, payment_id: string): Promise<Record<string, unknown>> {
  const [row] = await shop.query('select * from payments where merchant_id = $1 and payment_id = $2', [shop.merchant_id, payment_id])
  return Object.fromEntries(
    Object.entries(row)
      .filter(([, value]) => !(value instanceof Date))
      .map(([name, value]) => [name, /amount$|^amount/.test(name) ? Number(value) : value]),
  )
}

/** A payment with a long life, and its row after each step. */
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

test('from the payment as it is, the events give every earlier one back', async () => {
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

test('events come in pages, and by the id of a refund too', async () => {
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
  isRefused(await list(''), 400, 'IR_04', /object_id/)
  isRefused(await list(`object_id=${payment_id}&limit=0`), 400, 'IR_06', /limit/)
  isRefused(await list(`object_id=${payment_id}&limit=101`), 400, 'IR_16', /limit/)
  isRefused(await list(`object_id=${payment_id}&limit=many`), 400, 'IR_06', /limit/)
})

test("another merchant's payment has no events, as one that never was", async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const { payment_id } = await other.pay()
  const missing = await shop.call('GET', `/events?object_id=pay_${'0'.repeat(26)}`)
  isRefused(missing, 404, 'HE_02')
  areTheSame(await shop.call('GET', `/events?object_id=${payment_id}`), missing)
})

test('what was refused before it began leaves no event', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  const before = await shop.events(payment_id)
  await shop.capture(payment_id)
  await shop.cancel(payment_id)
  await shop.confirm(payment_id)
  await shop.refund(payment_id, 99)
  deepEqual(await shop.events(payment_id), before)
})
