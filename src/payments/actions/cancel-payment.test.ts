import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/refused.ts'
import { cards, openShop } from '../../../test/shop.ts'

test('an unconfirmed payment is cancelled without contacting the processor, and its security code is deleted', async () => {
  const shop = await openShop()
  const { body: bare } = await shop.post('/payments', { amount: 1250, currency: 'USD' })
  const withCard = await shop.create()
  for (const { payment_id } of [bare, withCard]) {
    const { status, body } = await shop.cancel(payment_id, 'requested_by_customer')
    deepEqual([status, body.status, body.cancellation_reason, body.payment_id], [200, 'cancelled', 'requested_by_customer', payment_id])
  }
  deepEqual(await shop.processor.operations(), [])
  deepEqual(await shop.query('select * from waiting_cvcs where merchant_id = $1', [shop.merchant_id]), [])
})

test('cancelling an authorized payment voids it at the processor', async () => {
  const shop = await openShop()
  const hold = await shop.hold({ amount: 5000 })
  const { body } = await shop.cancel(hold.payment_id)
  deepEqual([body.status, body.amount_capturable, body.amount_received, body.cancellation_reason], ['cancelled', 0, null, null])
  const [charge] = await shop.processor.charges()
  deepEqual([charge!.status, charge!.captured], ['voided', 0])
  isRefused(await shop.capture(hold.payment_id), 400, 'IR_14')
  isRefused(await shop.cancel(hold.payment_id), 400, 'IR_16', /cancelled/)
})

test('a refused void leaves the authorization capturable, with the reason', async () => {
  const shop = await openShop()
  const hold = await shop.hold({ card: cards.refusesVoids, amount: 5000 })
  const { body } = await shop.cancel(hold.payment_id)
  deepEqual([body.status, body.amount_capturable, body.error_code], ['requires_capture', 5000, 'void_declined'])
  equal((await shop.capture(hold.payment_id)).body.status, 'succeeded')
})

test('exactly one of a concurrent cancel and capture succeeds', async () => {
  const shop = await openShop()
  const holds = await Promise.all([1, 2, 3, 4].map(() => shop.hold({ amount: 1000 })))
  for (const { payment_id } of holds) {
    const [cancel, capture] = await Promise.all([shop.cancel(payment_id), shop.capture(payment_id)])
    deepEqual([cancel.status, capture.status].sort(), [200, 400])
    const payment = await shop.get(payment_id)
    const charge = (await shop.processor.charges()).find(one => one.payment === payment.connector_transaction_id)!
    deepEqual([charge.status, charge.captured], payment.status === 'cancelled' ? ['voided', 0] : ['captured', 1000])
  }
})

test('a paid, failed or processing payment cannot be cancelled, and the error lists the allowed statuses', async () => {
  const shop = await openShop()
  const paid = await shop.pay()
  const failed = await shop.pay({ card: cards.declines })
  const silent = await shop.pay({ card: cards.chargesAndResets })
  const part = await shop.hold({ amount: 1000 })
  await shop.capture(part.payment_id, 400)
  const rest = await shop.hold({ amount: 1000, capture_method: 'manual_multiple' })
  await shop.capture(rest.payment_id, 400)
  for (const { payment_id } of [paid, failed, silent, part, rest])
    isRefused(
      await shop.cancel(payment_id),
      400,
      'IR_16',
      new RegExp(`status is ${(await shop.get(payment_id)).status}; .*requires_confirmation.*requires_capture`),
    )
  isRefused(await shop.cancel(`pay_${'0'.repeat(26)}`), 404, 'HE_02')
  equal((await shop.processor.operations()).filter(operation => operation.type === 'void').length, 0)
})
