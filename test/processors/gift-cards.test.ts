import { deepEqual, equal, match } from 'node:assert/strict'
import { before, test } from 'node:test'
import { isRefused } from '../refused.ts'
import { type Body, http, openPlace, openShop, type Shop } from '../shop.ts'

/** A customer pays by a gift card at Adyen: the checkout learns first whether the balance is sufficient. */

before(async () => {
  // The service takes the addresses of callers from `x-forwarded-for`.
  await openPlace({ trustedProxies: ['127.0.0.1'] })
})

const givex = (number: string) => ({
  payment_method_type: 'gift_card',
  payment_method_subtype: 'givex',
  payment_method_data: { gift_card: { givex: { number, cvc: '1234' } } },
})
const full = givex('6036280000000000000')
/** A gift card whose balance is half of the requested amount. */
const half = givex('6036280000000009995')
const unreadable = givex('6036280000000000002')

const fromBrowser = (shop: Shop) => ({ 'api-key': shop.publishable_key, 'x-forwarded-for': '203.0.113.1' })
const begun = (shop: Shop, more: Body = {}) =>
  shop.create({ amount: 1250, currency: 'EUR', payment_method: undefined, payment_method_data: undefined, ...more })
const asked = (shop: Shop, { payment_id, client_secret }: Body, body: Body) =>
  http('POST', `${shop.url}/payments/${payment_id}/eligibility`, { client_secret, ...body }, fromBrowser(shop))
const nextActionOf = ({ body }: { body: Body }) => body.sdk_next_action.next_action
const denialOf = (answer: { body: Body }): string => nextActionOf(answer).deny.message

test('a gift card with enough balance is eligible and pays; one with too little is denied with its balance', async () => {
  const shop = await openShop({ connector: 'adyen', webhooks: 'on' })
  const payment = await begun(shop)
  equal(nextActionOf(await asked(shop, payment, full)), 'confirm')
  equal(denialOf(await asked(shop, payment, half)), 'This card holds 6.25 EUR, which is less than the payment.')
  equal(denialOf(await asked(shop, payment, unreadable)), 'This card could not be read. Check its number and PIN.')
  deepEqual(await shop.processor.operations(), [])
  const { payment_method_type: payment_method, payment_method_subtype: payment_method_type, payment_method_data } = full
  const paid = await shop.confirm(payment.payment_id, { payment_method, payment_method_type, payment_method_data })
  equal(paid.body.status, 'succeeded', paid.text)
})

test('a gift card that is charged with too little balance is declined, and nothing is charged', async () => {
  const shop = await openShop({ connector: 'adyen', webhooks: 'on' })
  const { payment_method_data } = half
  const declined = await shop.pay({ currency: 'EUR', payment_method: 'gift_card', payment_method_type: 'givex', payment_method_data })
  deepEqual([declined.status, declined.error_code, declined.amount_received], ['failed', '12', null])
  deepEqual(await shop.processor.charges(), [])
})

test('an eligibility check allows the payment if the processor fails; the next check reports the balance', async () => {
  const shop = await openShop({ connector: 'adyen' })
  const payment = await begun(shop)
  await shop.processor.fault('lookup', '500_before')
  equal(nextActionOf(await asked(shop, payment, half)), 'confirm')
  await shop.processor.soundAgain()
  match(denialOf(await asked(shop, payment, half)), /6\.25 EUR/)
})

test('eligibility denials in a browser count as declines against card testing; those for the merchant server do not', async () => {
  const shop = await openShop({ connector: 'adyen' })
  const [{ profile_id }] = (await shop.call('GET', `/account/${shop.merchant_id}/business_profile`)).body
  const card_testing_guard_config = { client_secret_blocking_status: 'enabled', client_secret_blocking_threshold: 2 }
  await shop.post(`/account/${shop.merchant_id}/business_profile/${profile_id}`, { card_testing_guard_config })
  const payment = await begun(shop)
  for (let tries = 0; tries < 3; tries++)
    match(denialOf({ body: (await shop.post(`/payments/${payment.payment_id}/eligibility`, half)).body }), /6\.25/)
  for (const card of [half, unreadable]) match(denialOf(await asked(shop, payment, card)), /holds 6\.25|could not be read/)
  isRefused(await asked(shop, payment, half), 400, 'IR_16')
  isRefused(await asked(shop, payment, full), 400, 'IR_16')
  const { payment_method_data } = full
  const confirm = { client_secret: payment.client_secret, payment_method: 'gift_card', payment_method_type: 'givex', payment_method_data }
  const tried = await http('POST', `${shop.url}/payments/${payment.payment_id}/confirm`, confirm, fromBrowser(shop))
  isRefused(tried, 400, 'IR_16')
  deepEqual(await shop.processor.operations(), [])
})
