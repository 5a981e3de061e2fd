import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { cards, openShop } from '../../test/shop.ts'

test('a card that is approved pays in one call, and the processor has one charge', async () => {
  const shop = await openShop()
  const payment = await shop.pay({ amount: 1250, currency: 'USD' })
  equal(payment.status, 'succeeded')
  equal(payment.amount_received, 1250)
  const charges = await shop.processor.charges()
  equal(charges.length, 1)
  equal(charges[0]!.captured, 1250)
})

test('a timeout leaves the payment processing, and the next sync finds the money', async () => {
  const shop = await openShop()
  const payment = await shop.pay({ card: cards.chargesAndHangs })
  equal(payment.status, 'processing')
  await shop.wait('2 minutes')
  equal((await shop.get(payment.payment_id)).status, 'succeeded')
  equal((await shop.processor.charges()).length, 1)
})

test('a request that the processor never received fails only when it can no longer be on its way', async () => {
  const shop = await openShop()
  const payment = await shop.pay({ card: cards.hangs })
  equal(payment.status, 'processing')
  await shop.wait('30 seconds')
  equal((await shop.get(payment.payment_id)).status, 'processing')
  await shop.wait('2 minutes')
  const failed = await shop.get(payment.payment_id)
  equal(failed.status, 'failed')
  equal(failed.error_code, 'not_received')
  equal((await shop.processor.charges()).length, 0)
})
