import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { type Body, cards, openShop, type Shop } from '../../test/shop.ts'

/** A processor's answer that contradicts the request is neither believed nor discarded. */

const nothingMoreMayHappen = async (shop: Shop, payment_id: string) => {
  isRefused(await shop.confirm(payment_id), 400, 'IR_16')
  isRefused(await shop.capture(payment_id), 400, 'IR_14')
  isRefused(await shop.cancel(payment_id), 400, 'IR_16')
  isRefused(await shop.refund(payment_id), 400, 'IR_14')
}

for (const name of ['echoesAnotherAmount', 'echoesAnotherCurrency', 'echoesAnotherReference'] as const) {
  for (const capture_method of ['automatic', 'manual']) {
    test(`an approval that ${name.replace(/([A-Z])/g, ' $1').toLowerCase()} (${capture_method}) makes the payment conflicted and sends an action_required event`, async () => {
      const shop = await openShop()
      const payment = await shop.pay({ card: cards[name], capture_method })
      deepEqual([payment.status, payment.error_code, payment.amount_received, payment.amount_capturable], ['conflicted', 'IE', null, 0])
      match(payment.error_message, /authorize/)
      equal(payment.connector_transaction_id, (await shop.processor.charges())[0]!.payment, 'where to look for it')
      equal((await shop.events(payment.payment_id)).at(-1).event_type, 'action_required')
      await nothingMoreMayHappen(shop, payment.payment_id)
      await shop.wait('8 days')
      equal((await shop.sync(payment.payment_id)).status, 'conflicted')
      equal((await shop.processor.operations()).length, 1, 'nobody tidied up behind the person')
    })
  }
}

test('a partial authorization that was not requested is voided, and the payment fails', async () => {
  const shop = await openShop()
  const payment = await shop.hold({ card: cards.approvesHalf, amount: 1001 })
  deepEqual([payment.status, payment.error_code, payment.amount_capturable], ['failed', 'partial_approval', 0])
  match(payment.error_message, /500 of 1001/)
  const [charge] = await shop.processor.charges()
  deepEqual([charge!.amount, charge!.captured, charge!.status], [500, 0, 'voided'])
  await nothingMoreMayHappen(shop, payment.payment_id)
})

test('a partial approval that was not requested and is already captured is refunded to the cent, and the payment fails', async () => {
  const shop = await openShop()
  const payment = await shop.pay({ card: cards.approvesHalf, amount: 1001 })
  deepEqual([payment.status, payment.error_code, payment.amount_received, payment.refunds], ['failed', 'partial_approval', null, null])
  const [charge] = await shop.processor.charges()
  deepEqual([charge!.captured, charge!.refunded], [500, 500])
  await nothingMoreMayHappen(shop, payment.payment_id)
})

test('the reversal of a partial approval continues after a lost response, and the payment fails only when it is done', async () => {
  const shop = await openShop()
  for (const [call, capture_method] of [
    ['refund', 'automatic'],
    ['void', 'manual'],
  ] as const) {
    for (const fault of ['reset_before', 'reset_after']) {
      await shop.processor.fault(call, fault)
      const payment = await shop.pay({ card: cards.approvesHalf, amount: 1000, capture_method })
      equal(payment.status, 'processing', `${call} ${fault}`)
      await shop.wait('1 minute')
      equal((await shop.get(payment.payment_id)).status, 'failed', `${call} ${fault}`)
    }
  }
  deepEqual(
    (await shop.processor.charges()).map(charge => [charge.captured - charge.refunded, charge.status]),
    [
      [0, 'captured'],
      [0, 'captured'],
      [0, 'voided'],
      [0, 'voided'],
    ],
  )
  const operations = await shop.processor.operations()
  equal(operations.length, 8, 'each given back once')
})

test('a payment whose partial approval cannot be reversed requires merchant action', async () => {
  const shop = await openShop()
  await shop.processor.fault('refund', 'decline')
  const taken = await shop.pay({ card: cards.approvesHalf, amount: 1000 })
  deepEqual([taken.status, taken.error_code], ['requires_merchant_action', 'not_given_back'])
  await shop.processor.fault('void', 'decline')
  const held = await shop.hold({ card: cards.approvesHalf, amount: 1000 })
  equal(held.status, 'requires_merchant_action')
  for (const { payment_id } of [taken, held]) equal((await shop.events(payment_id)).at(-1).event_type, 'action_required')
})

test('a partial approval that was requested is kept, and the payment is partially captured', async () => {
  const shop = await openShop()
  const paid = await shop.pay({ card: cards.approvesHalf, amount: 1000, enable_partial_authorization: true })
  deepEqual([paid.status, paid.amount, paid.amount_received, paid.error_code], ['partially_captured', 1000, 500, null])
  equal((await shop.refund(paid.payment_id)).body.amount, 500)
  isRefused(await shop.refund(paid.payment_id, 100), 400, 'IR_13')
})

test('a partial authorization that was requested is captured up to the approved amount, and a higher capture is refused', async () => {
  const shop = await openShop()
  const hold = await shop.hold({ card: cards.approvesHalf, amount: 1000, enable_partial_authorization: true })
  deepEqual([hold.status, hold.amount_capturable], ['partially_authorized_and_requires_capture', 500])
  isRefused(await shop.capture(hold.payment_id, 501), 422, 'IR_06')
  await shop.processor.fault('capture', 'decline')
  const declined = (await shop.capture(hold.payment_id)).body
  deepEqual([declined.status, declined.amount_capturable], ['partially_authorized_and_requires_capture', 500])
  const captured = (await shop.capture(hold.payment_id)).body
  deepEqual([captured.status, captured.amount_received, captured.amount_capturable], ['partially_captured', 500, 0])
})

test('a partial authorization can be cancelled, and a declined void leaves it unchanged', async () => {
  const shop = await openShop()
  const hold = await shop.hold({ card: cards.approvesHalf, amount: 1000, enable_partial_authorization: true })
  await shop.processor.fault('void', 'decline')
  const refused = (await shop.cancel(hold.payment_id)).body
  deepEqual([refused.status, refused.amount_capturable], ['partially_authorized_and_requires_capture', 500])
  equal((await shop.cancel(hold.payment_id)).body.status, 'cancelled')
  equal((await shop.processor.charges())[0]!.status, 'voided')
})

test('a partial approval found by a poll after a lost response is treated like one in an immediate response', async () => {
  const shop = await openShop()
  await shop.processor.fault('authorize', 'reset_after', { times: 2 })
  const unasked = await shop.pay({ card: cards.approvesHalf, amount: 1000 })
  const asked = await shop.pay({ card: cards.approvesHalf, amount: 1000, enable_partial_authorization: true })
  deepEqual([unasked.status, asked.status], ['processing', 'processing'])
  await shop.wait('1 minute')
  deepEqual([(await shop.get(unasked.payment_id)).status, (await shop.get(asked.payment_id)).status], ['failed', 'partially_captured'])
  deepEqual(
    (await shop.processor.charges()).map((charge: Body) => charge.captured - charge.refunded),
    [0, 500],
  )
})
