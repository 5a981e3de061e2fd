import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/refused.ts'
import { type Body, cards, http, openShop, type PayAsk, type Shop } from '../../../test/shop.ts'

/** Gives the amounts of the payment's row: authorized/capturable/capturing/received. */
const books = async (shop: Shop, id: string): Promise<string> => {
  const [row] = await shop.query(
    'select amount_authorized, amount_capturable, amount_capturing, amount_received from payments where merchant_id = $1 and payment_id = $2',
    [shop.merchant_id, id],
  )
  return Object.values(row).join('/')
}
const captured = async (shop: Shop): Promise<number> => (await shop.processor.charges()).reduce((sum, charge) => sum + charge.captured, 0)
const seen = ({ body }: { body: Body }) => [body.status, body.amount_capturable, body.amount_received]

test('an authorization takes no money, and its capture takes the full amount', async () => {
  const shop = await openShop()
  const hold = await shop.hold({ amount: 5000 })
  deepEqual([hold.status, hold.amount_capturable, hold.amount_received], ['requires_capture', 5000, null])
  equal(await captured(shop), 0)
  deepEqual(seen(await shop.capture(hold.payment_id)), ['succeeded', 0, 5000])
  equal(await captured(shop), 5000)
})

test('a smaller capture of a manual payment takes that part and releases the rest', async () => {
  const shop = await openShop()
  const hold = await shop.hold({ amount: 5000 })
  deepEqual(seen(await shop.capture(hold.payment_id, 1999)), ['partially_captured', 0, 1999])
  isRefused(await shop.capture(hold.payment_id, 1), 400, 'IR_14', /partially_captured/)
  const [charge] = await shop.processor.charges()
  deepEqual([charge!.captured, charge!.status], [1999, 'captured'])
})

test('a capture without an amount uses the amount_to_capture of the payment', async () => {
  const shop = await openShop()
  const hold = await shop.hold({ amount: 5000, amount_to_capture: 3000 })
  deepEqual(seen(await shop.capture(hold.payment_id)), ['partially_captured', 0, 3000])
})

test('an authorization for several captures is captured in parts, and never above the authorized amount', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.hold({ amount: 1000, capture_method: 'manual_multiple' })
  isRefused(await shop.capture(payment_id), 400, 'IR_04', /amount_to_capture/)
  deepEqual(seen(await shop.capture(payment_id, 300)), ['partially_captured_and_capturable', 700, 300])
  deepEqual(seen(await shop.capture(payment_id, 200)), ['partially_captured_and_capturable', 500, 500])
  isRefused(await shop.capture(payment_id, 501), 422, 'IR_06', /amount_to_capture/)
  deepEqual(seen(await shop.capture(payment_id, 500)), ['succeeded', 0, 1000])
  isRefused(await shop.capture(payment_id, 1), 400, 'IR_14')
  equal(await captured(shop), 1000)
  const { captures } = await shop.get(payment_id, '?expand_captures=true')
  deepEqual(
    captures.map((capture: Body) => [capture.capture_sequence, capture.amount, capture.status]),
    [
      [1, 300, 'charged'],
      [2, 200, 'charged'],
      [3, 500, 'charged'],
    ],
  )
})

test('concurrent captures never exceed the authorized amount', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.hold({ amount: 1000, capture_method: 'manual_multiple' })
  const answers = await Promise.all([400, 400, 400].map(amount => shop.capture(payment_id, amount)))
  const taken = answers.filter(answer => answer.status === 200).length
  equal(await captured(shop), taken * 400)
  equal(taken <= 2, true)
  const once = await shop.hold({ amount: 700 })
  const both = await Promise.all([shop.capture(once.payment_id), shop.capture(once.payment_id)])
  deepEqual(both.map(answer => answer.status).sort(), [200, 400])
  equal(await captured(shop), taken * 400 + 700)
})

test('an invalid capture amount is refused before anything is sent to the processor', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.hold({ amount: 1000 })
  isRefused(await shop.capture(payment_id, 0), 422, 'IR_05', /amount_to_capture/)
  isRefused(await shop.capture(payment_id, -5), 422, 'IR_05', /amount_to_capture/)
  isRefused(await shop.capture(payment_id, 1001), 422, 'IR_06', /1000/)
  isRefused(await shop.post(`/payments/${payment_id}/capture`, { amount_to_capture: 'all' }), 400, 'IR_06', /amount_to_capture/)
  isRefused(await shop.post(`/payments/${payment_id}/capture`, { amount_to_capture: 1.5 }), 400, 'IR_06', /amount_to_capture/)
  equal((await shop.processor.operations()).length, 1)
  equal(await books(shop, payment_id), '1000/1000/0/0')
})

test('only an authorized payment can be captured; the error names the status', async () => {
  const shop = await openShop()
  const created = await shop.create({ capture_method: 'manual' })
  const failed = await shop.pay({ card: cards.declines, capture_method: 'manual' })
  const silent = await shop.pay({ card: cards.chargesAndResets, capture_method: 'manual' })
  const cancelled = await shop.hold()
  await shop.cancel(cancelled.payment_id)
  const challenged = await shop.hold({ card: cards.challenges, authentication_type: 'three_ds' })
  for (const { payment_id } of [created, failed, silent, cancelled, challenged])
    isRefused(
      await shop.capture(payment_id),
      400,
      'IR_14',
      new RegExp(`payment.status of ${(await shop.get(payment_id)).status}.*requires_capture`),
    )
  const paid = await shop.pay()
  isRefused(
    await shop.capture(paid.payment_id),
    400,
    'IR_14',
    /payment.status of succeeded.*requires_capture, partially_captured_and_capturable, processing$/m,
  )
  isRefused(await shop.capture(`pay_${'0'.repeat(26)}`), 404, 'HE_02')
  equal(await captured(shop), 1250)
})

test('a declined capture leaves the authorization with the reason, and can be retried or cancelled', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.hold({ card: cards.refusesCaptures, amount: 1000 })
  const { body } = await shop.capture(payment_id)
  deepEqual(
    [body.status, body.amount_capturable, body.amount_received, body.error_code],
    ['requires_capture', 1000, null, 'capture_declined'],
  )
  equal(await books(shop, payment_id), '1000/1000/0/0')
  equal((await shop.cancel(payment_id)).body.status, 'cancelled')
  const other = await shop.hold({ amount: 1000 })
  await shop.processor.fault('capture', 'decline')
  equal((await shop.capture(other.payment_id)).body.status, 'requires_capture')
  const again = await shop.capture(other.payment_id)
  deepEqual([again.body.status, again.body.error_code], ['succeeded', null])
  equal(await captured(shop), 1000)
})

test('a declined partial capture leaves the other captures and the remaining amount unchanged', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.hold({ amount: 1000, capture_method: 'manual_multiple' })
  await shop.capture(payment_id, 300)
  await shop.processor.fault('capture', 'decline')
  deepEqual(seen(await shop.capture(payment_id, 200)), ['partially_captured_and_capturable', 700, 300])
  deepEqual(seen(await shop.capture(payment_id, 700)), ['succeeded', 0, 1000])
  equal(await captured(shop), 1000)
})

test('a pending capture keeps its amount reserved until the processor decides', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.hold({ card: cards.capturesLater, amount: 1000, capture_method: 'manual_multiple' })
  deepEqual(seen(await shop.capture(payment_id, 600)), ['processing', 400, null])
  equal(await books(shop, payment_id), '1000/400/600/0')
  isRefused(await shop.capture(payment_id, 401), 422, 'IR_06')
  isRefused(await shop.cancel(payment_id), 400, 'IR_16')
  deepEqual(seen(await shop.capture(payment_id, 100)), ['processing', 300, null])
  await shop.wait('2 minutes')
  const found = await shop.get(payment_id)
  deepEqual([found.status, found.amount_capturable, found.amount_received], ['partially_captured_and_capturable', 300, 700])
  deepEqual(seen(await shop.capture(payment_id, 300)), ['partially_captured_and_processing', 0, 700])
  await shop.wait('2 minutes')
  equal((await shop.get(payment_id)).status, 'succeeded')
  equal(await captured(shop), 1000)
})

test('an authorization that expired at the processor is marked expired and cannot be captured', async () => {
  const shop = await openShop()
  const hold = await shop.hold({ amount: 1000 })
  equal(Date.parse(hold.capture_before) > Date.parse(hold.created), true)
  await shop.wait('8 days')
  const expired = await shop.sync(hold.payment_id)
  deepEqual([expired.status, expired.amount_capturable, expired.amount_received], ['expired', 0, null])
  isRefused(await shop.capture(hold.payment_id), 400, 'IR_14', /expired/)
  equal(await captured(shop), 0)
})

test('a capture of an authorization that expired unnoticed is refused by the processor, takes nothing and shows the expiry', async () => {
  const shop = await openShop()
  const hold = await shop.hold({ amount: 1000 })
  await shop.processor.expire(hold.connector_transaction_id)
  const { body } = await shop.capture(hold.payment_id)
  deepEqual([body.status, body.error_code], ['expired', 'not_allowed'])
  equal(await captured(shop), 0)
})

test('a capture or cancel with another merchant or other credentials is refused, and moves no money', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const { payment_id } = await shop.hold({ amount: 1000 })
  isRefused(await shop.post(`/payments/${payment_id}/capture`, { merchant_id: other.merchant_id }), 404, 'HE_02', /merchant account/)
  for (const verb of ['capture', 'cancel']) {
    const named = await shop.post(`/payments/${payment_id}/${verb}`, { merchant_connector_details: { creds_identifier: 'mine' } })
    isRefused(named, 422, 'IR_06', /merchant_connector_details\.creds_identifier/)
  }
  equal((await shop.get(payment_id)).status, 'requires_capture')
  equal((await shop.post(`/payments/${payment_id}/capture`, { merchant_id: shop.merchant_id })).body.status, 'succeeded')
})

test('a capture or cancel with a misspelled amount parameter is refused, and moves no money', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.hold({ amount: 5000 })
  for (const ask of [{ amount: 1000 }, { amount_to_captre: 1000 }, { captureAmount: 1000 }, { amount: 1000, amount_to_capture: 1000 }])
    isRefused(await shop.post(`/payments/${payment_id}/capture`, ask), 400, 'IR_06', /amount_to_capture/)
  isRefused(await shop.post(`/payments/${payment_id}/cancel`, { amount: 1000 }), 400, 'IR_06', /amount is not a known parameter/)
  deepEqual([await captured(shop), (await shop.processor.operations()).length], [0, 1])
  const other = { amount_to_capture: 1000, statement_descriptor_name: 'CHAIRS' }
  equal(
    (await shop.post(`/payments/${payment_id}/capture`, other)).body.amount_received,
    1000,
    'other strangers are ignored, as they always were',
  )
})

// --- the rest of a hold for several captures

/** Makes a hold for several captures, of which a part is captured. Gives its id. */
async function heldInPart(shop: Shop, ask: PayAsk = {}) {
  const { payment_id } = await shop.hold({ amount: 5000, capture_method: 'manual_multiple', ...ask })
  equal((await shop.capture(payment_id, 2000)).status, 200)
  return payment_id
}
const release = (shop: Shop, payment_id: string) => shop.post(`/payments/${payment_id}/release`, {})
const last = (shop: Shop, payment_id: string, amount_to_capture: number) =>
  shop.post(`/payments/${payment_id}/capture`, { amount_to_capture, final_capture: true, refund_uncaptured_amount: true })
const charges = async (shop: Shop) => (await shop.processor.charges()).map(({ status, captured }) => [status, captured])

test('final_capture releases the rest of an authorization, and the captured amount can be refunded', async () => {
  const shop = await openShop()
  const payment_id = await heldInPart(shop)
  deepEqual(seen(await last(shop, payment_id, 500)), ['partially_captured', 0, 2500])
  deepEqual(await charges(shop), [['captured', 2500]])
  isRefused(await shop.capture(payment_id, 1), 400, 'IR_14')
  isRefused(await release(shop, payment_id), 400, 'IR_16', /partially_captured/)
  equal((await shop.refund(payment_id, 2500)).body.status, 'succeeded')
  const single = await shop.hold({ amount: 5000 })
  const kept = await shop.post(`/payments/${single.payment_id}/capture`, { amount_to_capture: 500, final_capture: false })
  isRefused(kept, 400, 'IR_19', /final_capture/)
  deepEqual(seen(await last(shop, single.payment_id, 500)), ['partially_captured', 0, 500])
})

test('a declined final capture releases nothing, and a pending one blocks captures and releases', async () => {
  const shop = await openShop()
  const payment_id = await heldInPart(shop)
  await shop.processor.fault('capture', 'decline')
  deepEqual(seen(await last(shop, payment_id, 500)), ['partially_captured_and_capturable', 3000, 2000])
  const slow = await shop.hold({ amount: 5000, capture_method: 'manual_multiple', card: cards.capturesLater })
  await shop.capture(slow.payment_id, 1000)
  isRefused(await last(shop, slow.payment_id, 500), 422, 'HE_00')
  await shop.wait('2 minutes')
  deepEqual(seen(await last(shop, slow.payment_id, 500)), ['partially_captured_and_processing', 0, 1000])
  isRefused(await release(shop, slow.payment_id), 422, 'HE_00')
  isRefused(await shop.capture(slow.payment_id, 100), 422, 'IR_06')
  await shop.wait('2 minutes')
  deepEqual(seen({ body: await shop.get(slow.payment_id) }), ['partially_captured', 0, 1500])
  deepEqual(await charges(shop), [
    ['partially_captured', 2000],
    ['captured', 1500],
  ])
})

test('a release of the remaining authorization keeps the captured amount, which can be refunded', async () => {
  const shop = await openShop()
  const payment_id = await heldInPart(shop)
  isRefused(await shop.cancel(payment_id), 400, 'IR_16', /\/release/)
  isRefused(await shop.post(`/payments/${payment_id}/release`, { amount: 100 }), 400, 'IR_06', /amount/)
  const released = await release(shop, payment_id)
  deepEqual(seen(released), ['partially_captured', 0, 2000])
  const { status, amount } = released.body.state_metadata.release
  deepEqual([status, amount], ['succeeded', 3000])
  deepEqual(await charges(shop), [['captured', 2000]])
  isRefused(await shop.capture(payment_id, 1), 400, 'IR_14')
  equal((await shop.refund(payment_id, 2000)).body.status, 'succeeded')
  deepEqual((await shop.events(payment_id)).map(({ type, event_type }) => [type, event_type]).slice(2, 6), [
    ['capture_sent', null],
    ['captured_with_rest', 'payment_captured'],
    ['release_sent', null],
    ['released', 'payment_captured'],
  ])
  for (const other of [await shop.hold(), await shop.pay(), await shop.create()])
    isRefused(await release(shop, other.payment_id), 400, 'IR_16', /release the rest of this payment/)
  isRefused(await release(shop, `pay_${'0'.repeat(26)}`), 404, 'HE_02')
  isRefused(await http('POST', `${shop.url}/payments/${payment_id}/release`, {}, { 'api-key': shop.publishable_key }), 403, 'IR_22')
})

test('a refused release leaves the rest authorized; after a lost response it is polled, and captures are blocked', async () => {
  const shop = await openShop()
  const refused = await heldInPart(shop, { card: cards.refusesVoids })
  const no = await release(shop, refused)
  deepEqual(
    [...seen(no), no.body.error_code, no.body.state_metadata.release.status],
    ['partially_captured_and_capturable', 3000, 2000, 'void_declined', 'failed'],
  )
  deepEqual(seen(await shop.capture(refused, 3000)), ['succeeded', 0, 5000])
  for (const fault of ['reset_after', 'reset_before'] as const) {
    const payment_id = await heldInPart(shop)
    await shop.processor.fault('void', fault)
    const silent = await release(shop, payment_id)
    deepEqual([...seen(silent), silent.body.state_metadata.release.status], ['partially_captured_and_capturable', 3000, 2000, 'pending'])
    isRefused(await shop.capture(payment_id, 3000), 422, 'HE_00')
    isRefused(await release(shop, payment_id), 422, 'HE_00')
    await shop.wait('5 minutes')
    const after = await shop.get(payment_id)
    const done = fault === 'reset_after'
    deepEqual(
      [...seen({ body: after }), after.state_metadata.release.status],
      [done ? 'partially_captured' : 'partially_captured_and_capturable', done ? 0 : 3000, 2000, done ? 'succeeded' : 'failed'],
    )
    if (!done) deepEqual(seen(await release(shop, payment_id)), ['partially_captured', 0, 2000])
  }
})

test('an authorization that expires while its release is pending keeps only the captured amount', async () => {
  const shop = await openShop()
  const payment_id = await heldInPart(shop)
  await shop.processor.fault('void', 'reset_before')
  await release(shop, payment_id)
  await shop.wait('8 days')
  const { status, amount_capturable, amount_received } = await shop.sync(payment_id)
  deepEqual([status, amount_capturable, amount_received], ['partially_captured', 0, 2000])
  deepEqual(await charges(shop), [['captured', 2000]])
})
