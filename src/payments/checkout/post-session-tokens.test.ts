import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { addAccount } from '../../../test/merchant.ts'
import { isRefused } from '../../../test/refused.ts'
import { type Body, cards, http, openShop, type Shop } from '../../../test/shop.ts'

/** An order that a wallet opens, created before the payment is confirmed. */

const paypal = { payment_method: 'wallet', payment_method_type: 'paypal' }
const order = (shop: Shop, id: string, more: Body = {}) => shop.post(`/payments/${id}/post_session_tokens`, { ...paypal, ...more })
const paidBy = (token: string) => ({ ...paypal, payment_method_data: { wallet: { paypal_sdk: { token } } } })
const unpaid = { payment_method: undefined, payment_method_data: undefined }

test('a browser creates an order for the wallet, and the payment is made at the account of that order', async () => {
  const shop = await openShop()
  const { merchant_connector_id } = await addAccount(shop, 'fauxpay')
  const { payment_id, client_secret } = await shop.create(unpaid)
  const browser = { 'api-key': shop.publishable_key }
  const { status, body } = await http(
    'POST',
    `${shop.url}/payments/${payment_id}/post_session_tokens`,
    { ...paypal, client_secret },
    browser,
  )
  equal(status, 200)
  const { order_id } = body.next_action.next_action_data
  match(order_id, /^order_/)
  deepEqual(body, {
    payment_id,
    status: 'requires_payment_method',
    next_action: { type: 'invoke_sdk_client', next_action_data: { next_action: 'confirm', order_id } },
  })
  deepEqual(await shop.processor.operations(), [])
  // Routing would choose another account first.
  const routing = { type: 'single', data: { connector: 'fauxpay', merchant_connector_id } }
  const paid = (await shop.confirm(payment_id, { ...paidBy(order_id), routing })).body
  deepEqual([paid.status, paid.merchant_connector_id], ['succeeded', shop.merchant_connector_id])
})

test('a payment whose amount differs from its order is refused by the processor, and nothing is charged', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.create(unpaid)
  const { order_id } = (await order(shop, payment_id)).body.next_action.next_action_data
  await shop.post(`/payments/${payment_id}`, { amount: 9000 })
  const refused = (await shop.confirm(payment_id, paidBy(order_id))).body
  deepEqual([refused.status, refused.error_code], ['failed', 'not_allowed'])
  deepEqual(await shop.processor.charges(), [])
})

test('no order is created for a failed payment that nobody may confirm again', async () => {
  const shop = await openShop()
  await addAccount(shop, 'fauxpay')
  const failed = await shop.pay({ card: cards.declines })
  equal((await order(shop, failed.payment_id)).status, 200)
  equal((await shop.post(`/payments/${failed.payment_id}/expire_session`, {})).status, 200)
  isRefused(await order(shop, failed.payment_id), 400, 'IR_16', /time/)
  await shop.profile({ is_manual_retry_enabled: false })
  isRefused(await order(shop, (await shop.pay({ card: cards.declines })).payment_id), 400, 'IR_16', /failed/)
})

test('the same Idempotency-Key creates one order', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.create(unpaid)
  const ask = () => shop.post(`/payments/${payment_id}/post_session_tokens`, paypal, { 'idempotency-key': 'one-order' })
  const [first, again] = [await ask(), await ask()]
  equal(again.text, first.text)
  match(first.body.next_action.next_action_data.order_id, /^order_/)
})

test('creating an order is refused at connectors without orders and for a paid payment, and fails without a response', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.create(unpaid)
  isRefused(await order(shop, payment_id, { payment_method_type: 'skrill' }), 400, 'IR_20', /creating an order before payment/)
  isRefused(await order(shop, payment_id, { payment_method: 'card', payment_method_type: 'credit' }), 400, 'IR_20')
  isRefused(await order(shop, payment_id, { payment_method_type: 'ideal' }), 422, 'IR_06', /payment_method_type/)
  for (const fault of ['500_before', 'reset_after', 'truncate_after'] as const) {
    await shop.processor.fault('order', fault)
    isRefused(await order(shop, payment_id), 503, 'HE_00', /did not create an order/)
  }
  equal((await order(shop, payment_id)).status, 200)
  const stripe = await openShop({ connector: 'stripe' })
  isRefused(await order(stripe, (await stripe.create(unpaid)).payment_id), 400, 'IR_20', /creating an order before payment/)
  const { payment_id: paid } = await shop.pay()
  isRefused(await order(shop, paid), 400, 'IR_16', /status is succeeded/)
})
