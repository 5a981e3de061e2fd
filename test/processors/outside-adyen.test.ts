import { deepEqual, equal } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { type Body, http, openShop, type Shop } from '../shop.ts'
import { chargeOf, equalsBooks } from './outside.ts'
import { definesOutside } from './outside-tests.ts'
import { outsideTraits } from './outside-traits.ts'

/**
 * What others did at Adyen: another attempt under the same merchant reference, and money that was moved in the Customer
 * Area. Adyen cannot be asked: it tells by webhook only.
 */

const openAdyenShop = () => openShop({ connector: 'adyen', webhooks: 'on' })
const delivered = (shop: Shop) => shop.processor.advance(0)

/** Sends a webhook of one item, signed as Adyen signs it. */
async function tell(shop: Shop, item: Body): Promise<void> {
  const fields = {
    originalReference: '',
    merchantAccountCode: 'ShopECOM',
    eventDate: '2030-01-01T00:00:00Z',
    paymentMethod: 'ideal',
    ...item,
  }
  const { pspReference, originalReference, merchantAccountCode, merchantReference, amount, eventCode, success } = fields as Body
  const text = [pspReference, originalReference, merchantAccountCode, merchantReference, amount.value, amount.currency, eventCode, success]
  const hmacSignature = createHmac('sha256', Buffer.from(shop.webhook_secret, 'hex')).update(text.join(':')).digest('base64')
  const signed = { ...fields, additionalData: { hmacSignature } }
  const url = `${shop.url}/webhooks/${shop.merchant_id}/${shop.merchant_connector_id}`
  const letter = { live: 'false', notificationItems: [{ NotificationRequestItem: signed }] }
  equal((await http('POST', url, JSON.stringify(letter))).status, 200)
}

/** The result of another attempt, with another pspReference under the payment's merchant reference. */
const otherAttempt = async (shop: Shop, payment: Body, success: 'true' | 'false', more: Body = {}) =>
  tell(shop, {
    eventCode: 'AUTHORISATION',
    success,
    pspReference: 'OTHERATTEMPT0001',
    merchantReference: (await shop.processor.charges()).find(one => one.payment === payment.connector_transaction_id)!.reference,
    amount: { value: 1250, currency: 'USD' },
    reason: success === 'true' ? '1234:1111:03/2030' : 'Refused',
    ...more,
  })

test('a late refusal of an earlier attempt changes nothing of a paid payment, which can still be refunded', async () => {
  const shop = await openAdyenShop()
  const paid = await shop.pay()
  for (let time = 0; time < 2; time++) await otherAttempt(shop, paid, 'false')
  await otherAttempt(shop, paid, 'true', { eventCode: 'EXPIRE' })
  const after = await shop.get(paid.payment_id)
  deepEqual(
    [after.status, after.amount_received, after.connector_transaction_id, after.error_code],
    ['succeeded', 1250, paid.connector_transaction_id, null],
  )
  equal((await shop.refund(paid.payment_id)).status, 200)
  await delivered(shop)
  equal((await shop.get(paid.payment_id)).state_metadata.total_refunded_amount, 1250)
})

test('a late refusal of an earlier attempt leaves a hold capturable', async () => {
  const shop = await openAdyenShop()
  const hold = await shop.hold()
  await otherAttempt(shop, hold, 'false')
  await otherAttempt(shop, hold, 'true', { eventCode: 'EXPIRE' })
  deepEqual([(await shop.get(hold.payment_id)).status, (await shop.get(hold.payment_id)).amount_capturable], ['requires_capture', 1250])
  await shop.capture(hold.payment_id)
  await delivered(shop)
  equal((await shop.get(hold.payment_id)).status, 'succeeded')
})

test('a second approval of a paid payment is shown with its reference, announced once, and takes nothing back', async () => {
  const shop = await openAdyenShop()
  const paid = await shop.pay()
  for (let time = 0; time < 3; time++) await otherAttempt(shop, paid, 'true')
  await delivered(shop)
  const after = await shop.get(paid.payment_id)
  deepEqual([after.status, after.amount_received, after.error_code], ['succeeded', 1250, 'second_approval'])
  equal(after.error_message.includes('OTHERATTEMPT0001'), true, after.error_message)
  const types = (await shop.events(paid.payment_id)).map(event => event.event_type)
  deepEqual(types.filter(type => type === 'action_required').length, 1)
  deepEqual(
    (await shop.processor.charges()).map(charge => charge.refunded),
    [0],
  )
})

test('a refund there that is told to be taken back before it is told itself does not stay a refund', async () => {
  const shop = await openAdyenShop()
  const paid = await shop.pay()
  const { payment } = await chargeOf(shop, paid)
  await shop.processor.move(payment, 'refund', { amount: 500, webhooks: 'hold' })
  await shop.processor.move(payment, 'refund_failed')
  await delivered(shop)
  await shop.processor.flushWebhooks()
  await shop.wait('2 minutes')
  await equalsBooks(shop, paid)
})

definesOutside('adyen', outsideTraits.adyen!)
definesOutside('adyen with partial captures', outsideTraits['adyen with partial captures']!)
