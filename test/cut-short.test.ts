import { equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Change, Context } from '../src/context.ts'
import { DatabaseAway } from '../src/database/connection.ts'
import { eventually } from './eventually.ts'
import { isRefused } from './refused.ts'
import { type Answer, newDatabase, openPlace, openShop, type Shop } from './shop.ts'

/**
 * A caller does not wait forever (here: until the test says so). A caller that repeats its request after "try again"
 * must not pay twice, so a payment that was begun is always answered with its id, and a payment that was not begun is
 * never sent. Here the database delays single changes, or fails, as each test says.
 */

type Held = { merchant_id: string; type: RegExp; until: Promise<void>; arrived(): void }
const held: Held[] = []
type Gate = { go(): void; here: Promise<void> }
const failing: { merchant_id: string; what: RegExp; error: Error; times: number }[] = []

/** Delays the change of this type until `go` is called. `here`: resolves when the change has been reached. */
function hold(shop: Shop, type: RegExp): Gate {
  let go = () => {}
  let arrived = () => {}
  const here = new Promise<void>(resolve => {
    arrived = resolve
  })
  const until = new Promise<void>(resolve => {
    go = resolve
  })
  held.push({ merchant_id: shop.merchant_id, type, until, arrived })
  return { go, here }
}

const fail = (shop: Shop, what: RegExp, error: Error, times: number) => failing.push({ merchant_id: shop.merchant_id, what, error, times })

function perhapsFail(merchant_id: unknown, what: string): void {
  const found = failing.find(one => one.merchant_id === merchant_id && one.what.test(what) && one.times > 0)
  if (!found) return
  found.times--
  throw found.error
}

/** The callers that wait for an answer. */
const waiting = new Set<() => void>()

/** Gives the answer to a caller whose request is delayed, and whose patience ends. */
async function heldUp<T>(answer: Promise<T>, ...gates: Gate[]): Promise<T> {
  await Promise.all(gates.map(gate => gate.here))
  for (const expire of waiting) if (waiting.delete(expire)) expire()
  return answer
}

const holdingUp = (context: Context): Context => ({
  ...context,
  async commit<T extends Change['after']>(change: Change & { after: T }) {
    const { merchant_id } = change.after
    perhapsFail(merchant_id, change.event.type)
    const gate = held.find(one => one.merchant_id === merchant_id && one.type.test(change.event.type))
    if (gate) {
      held.splice(held.indexOf(gate), 1)
      gate.arrived()
      await gate.until
    }
    return context.commit(change)
  },
  async query(statement, values) {
    perhapsFail(values[0], statement.name)
    return context.query(statement, values)
  },
})

await openPlace({}, holdingUp, newDatabase, {
  patience(expire) {
    waiting.add(expire)
    return () => waiting.delete(expire)
  },
})

/** Gives the id of the only payment of this shop. */
const onlyPayment = async (shop: Shop): Promise<string> => {
  const rows = await shop.query('select payment_id from payments where merchant_id = $1', [shop.merchant_id])
  equal(rows.length, 1)
  return rows[0].payment_id
}

/** Waits until the delayed request has completed: the payment has this status. */
const ended = (shop: Shop, id: string, status: string) =>
  eventually(async () => (await shop.get(id)).status === status, `${id} is ${status}`)

test('a payment delayed after the approval is returned as processing with its id, and is charged once', async () => {
  const shop = await openShop()
  const gate = hold(shop, /^captured$/)
  const answer = await heldUp(shop.tryToPay(), gate)
  equal(answer.status, 200, answer.text)
  equal(answer.body.status, 'processing')
  equal(answer.body.amount_received, null)
  match(String(answer.headers['retry-after']), /^\d+$/)
  equal((await shop.processor.charges()).length, 1, 'the processor has charged')
  gate.go()
  await ended(shop, answer.body.payment_id, 'succeeded')
  equal((await shop.processor.charges()).length, 1)
})

test('a payment delayed before it is recorded gets a 503, and is not charged once the database continues', async () => {
  const shop = await openShop()
  const gate = hold(shop, /^created$/)
  const answer = await heldUp(shop.tryToPay(), gate)
  isRefused(answer, 503, 'HE_00', /was cancelled: nothing was sent/)
  ok(answer.headers['retry-after'])
  gate.go()
  const rows = () => shop.query('select 1 from payments where merchant_id = $1', [shop.merchant_id])
  await eventually(async () => (await rows()).length > 0, 'the payment is written')
  const id = await onlyPayment(shop)
  await ended(shop, id, 'failed')
  equal((await shop.processor.operations()).length, 0, 'the processor has heard of nothing')
  await shop.wait('1 hour')
  equal((await shop.processor.operations()).length, 0)
})

test('a delayed payment with an Idempotency-Key continues, and a retry with the same key gets its result', async () => {
  const shop = await openShop()
  const key = { 'idempotency-key': 'order-1' }
  const gate = hold(shop, /^created$/)
  isRefused(await heldUp(shop.tryToPay({}, key), gate), 503, 'HE_00', /same Idempotency-Key/)
  gate.go()
  let again!: Answer
  await eventually(async () => {
    again = await shop.tryToPay({}, key)
    return again.status !== 409
  }, 'the key is answered')
  equal(again.status, 200, again.text)
  equal(again.body.status, 'succeeded')
  equal((await shop.processor.charges()).length, 1)
})

test('a delayed confirm or capture returns the current payment; a capture that was not yet recorded is cancelled', async () => {
  const shops = await Promise.all([openShop(), openShop(), openShop()])
  const [confirming, capturing, calledOff] = shops as [Shop, Shop, Shop]
  const created = await confirming.create()
  const [holdOne, holdTwo] = [await capturing.hold(), await calledOff.hold()]
  const gates = [hold(confirming, /^captured$/), hold(capturing, /^captured$/), hold(calledOff, /^capture_sent$/)]
  const asked = [
    confirming.confirm(created.payment_id),
    capturing.capture(holdOne.payment_id),
    calledOff.capture(holdTwo.payment_id),
  ] as const
  const [confirm, capture, refused] = await heldUp(Promise.all(asked), ...gates)
  equal(confirm.status, 200, confirm.text)
  equal(confirm.body.status, 'processing')
  equal(capture.status, 200, capture.text)
  equal(capture.body.amount_received, null)
  isRefused(refused, 503, 'HE_00', /was cancelled: nothing was sent/)
  for (const gate of gates) gate.go()
  await ended(confirming, created.payment_id, 'succeeded')
  await ended(capturing, holdOne.payment_id, 'succeeded')
  await eventually(async () => (await calledOff.events(holdTwo.payment_id)).length === 4, 'the capture has come to nothing')
  const still = await calledOff.get(holdTwo.payment_id)
  equal(still.status, 'requires_capture', 'the hold still lives, and may be captured again')
  equal(still.amount_capturable, 1250)
  equal((await calledOff.capture(holdTwo.payment_id)).body.status, 'succeeded')
})

test('a delayed refund is returned as pending with its id, and the money is refunded once', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  const gate = hold(shop, /^refund_done$/)
  const answer = await heldUp(shop.refund(payment_id, 500), gate)
  equal(answer.status, 200, answer.text)
  equal(answer.body.status, 'pending')
  equal(answer.body.amount, 500)
  gate.go()
  await eventually(async () => (await shop.getRefund(answer.body.refund_id)).status === 'succeeded', 'the refund has succeeded')
  equal((await shop.processor.operations()).filter(one => one.type === 'refund').length, 1)
})

test('a refund is still returned if the database fails when the refund is read for the response', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  // The refund is read only to show it; it is read before money moves only if the merchant chose its id.
  fail(shop, /^refund_by_id$/, new DatabaseAway('the database cannot be reached'), 1)
  const answer = await shop.refund(payment_id, 500)
  equal(answer.status, 200, answer.text)
  equal(answer.body.status, 'succeeded')
  equal((await shop.getRefund(answer.body.refund_id)).status, 'succeeded')
})

test('an internal error after the processor request is no 500: the payment is processing, and a later poll finds the charge', async () => {
  const shop = await openShop()
  fail(shop, /^captured$/, new Error('a mistake of ours'), 4)
  const answer = await shop.tryToPay()
  equal(answer.status, 200, answer.text)
  equal(answer.body.status, 'processing')
  await shop.wait('6 seconds')
  equal((await shop.get(answer.body.payment_id)).status, 'succeeded')
  equal((await shop.processor.charges()).length, 1)
})

test('an internal error after the response was sent is logged', async () => {
  const shop = await openShop()
  const gate = hold(shop, /^created$/)
  fail(shop, /^keep_answer$/, new Error('a mistake that nobody hears'), 1)
  isRefused(await heldUp(shop.tryToPay({}, { 'idempotency-key': 'order-2' }), gate), 503, 'HE_00')
  const logged = () => shop.logs.some(line => line.includes('"a request failed"') && line.includes('a mistake that nobody hears'))
  equal(logged(), false)
  gate.go()
  await eventually(async () => logged(), 'it is logged')
  equal((await shop.processor.charges()).length, 1)
})
