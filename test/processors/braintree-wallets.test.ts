import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../refused.ts'
import { type Body, http, openShop, type PayAsk, type Shop } from '../shop.ts'

/**
 * PayPal, Venmo, Apple Pay and Google Pay through Braintree: Braintree's script gives the shop's page a single-use
 * nonce, which is charged like a card, and vaulted if the customer agrees. The nonces are the test values of
 * Braintree's reference.
 */

const open = (more: Parameters<typeof openShop>[0] = {}) => openShop({ connector: 'braintree', webhooks: 'on', ...more })
const wallet = (payment_method_type: string, way: string, token?: string): PayAsk => ({
  payment_method: 'wallet',
  payment_method_type,
  payment_method_data: { wallet: { [way]: token === undefined ? {} : { token } } },
})
const paypal = wallet('paypal', 'paypal_sdk', 'fake-paypal-billing-agreement-nonce')
const paypalOnce = wallet('paypal', 'paypal_sdk', 'fake-paypal-one-time-nonce')
const venmo = wallet('venmo', 'venmo_sdk', 'fake-venmo-account-nonce')
const apple = wallet('apple_pay', 'apple_pay_third_party_sdk', 'fake-apple-pay-visa-nonce')
const google = wallet('google_pay', 'google_pay_third_party_sdk', 'fake-android-pay-nonce')
const all = { paypal, paypalOnce, venmo, apple, google }

const agreed = {
  customer_id: 'ada',
  setup_future_usage: 'off_session',
  customer_acceptance: { acceptance_type: 'online', online: { ip_address: '203.0.113.7', user_agent: 'x' } },
}
const again = (first: Body): Body => ({
  ...{ amount: 700, currency: 'USD', confirm: true, customer_id: 'ada', off_session: true },
  recurring_details: { type: 'payment_method_id', data: first.payment_method_id },
})
const charged = async (shop: Shop) => (await shop.processor.charges()).map(({ captured, refunded, status }) => [captured, refunded, status])

test('each wallet token is charged once, and saved only with consent of the customer', async () => {
  const shop = await open()
  for (const [name, ask] of Object.entries(all)) {
    const paid = await shop.pay(ask)
    deepEqual([paid.status, paid.amount_received, paid.connector, paid.error_code], ['succeeded', 1250, 'braintree', null], name)
    match(paid.connector_transaction_id, /^[A-Za-z0-9+/]{20,}$/)
    equal(paid.payment_method_id, null, 'nobody agreed that it is kept')
  }
  deepEqual(
    await charged(shop),
    Object.keys(all).map(() => [1250, 0, 'captured']),
  )
})

test('an authorization by PayPal or Venmo is captured in part or voided', async () => {
  for (const ask of [paypal, venmo]) {
    const shop = await open()
    const hold = await shop.hold(ask)
    deepEqual([hold.status, hold.amount_capturable], ['requires_capture', 1250])
    const { body } = await shop.capture(hold.payment_id, 500)
    deepEqual([body.status, body.amount_received], ['partially_captured', 500])
    const other = await shop.hold(ask)
    equal((await shop.cancel(other.payment_id)).body.status, 'cancelled')
    deepEqual(await charged(shop), [
      [500, 0, 'captured'],
      [0, 0, 'voided'],
    ])
  }
})

test('a refused increment and a refused capture are reported with their error code, and nothing is captured', async () => {
  const shop = await open()
  const hold = await shop.hold({ ...paypal, request_incremental_authorization: true })
  const raised = (await shop.post(`/payments/${hold.payment_id}/incremental_authorization`, { amount: 2000 })).body
  deepEqual([raised.amount_capturable, raised.error_code], [1250, '915222'])
  await shop.processor.fault('capture', 'decline')
  const refused = (await shop.capture(hold.payment_id)).body
  deepEqual([refused.amount_received, refused.error_code], [null, '4001'])
  deepEqual((await charged(shop))[0]!.slice(0, 2), [0, 0])
})

test('a PayPal payment allows partial refunds at once; a Venmo payment only a full refund at first, and a partial one after a day', async () => {
  const shop = await open()
  const [byPaypal, byVenmo, later] = [await shop.pay(paypal), await shop.pay(venmo), await shop.pay(venmo)]
  const part = (await shop.refund(byPaypal.payment_id, 500)).body
  equal(part.status, 'pending', JSON.stringify(part))
  equal((await shop.refund(byVenmo.payment_id)).body.status, 'succeeded')
  const early = (await shop.refund(later.payment_id, 500)).body
  deepEqual([early.status, early.error_code], ['failed', '91506'])
  await shop.wait('1 day')
  equal((await shop.refund(later.payment_id, 500)).body.status, 'pending')
  const rest = (await shop.refund(byPaypal.payment_id, 750)).body
  await shop.wait('2 days')
  for (const { refund_id } of [part, rest]) equal((await shop.getRefund(refund_id)).status, 'succeeded')
  deepEqual(
    (await charged(shop)).map(([captured, refunded]) => [captured, refunded]),
    [
      [1250, 1250],
      [1250, 1250],
      [1250, 500],
    ],
  )
  const undone = await shop.pay(paypal)
  await shop.post(`/payments/${undone.payment_id}/cancel_post_capture`, {})
  await shop.wait('2 days')
  equal((await shop.get(undone.payment_id)).status, 'cancelled_post_capture')
})

test('a wallet is saved with consent, and charged again without the customer', async () => {
  for (const [name, ask] of Object.entries({ paypal, venmo, apple })) {
    const shop = await open()
    const first = await shop.pay({ ...ask, ...agreed })
    equal(first.status, 'succeeded', first.error_message)
    match(first.connector_mandate_id, /^paymentmethod_\w+$/, name)
    const later = (await shop.post('/payments', again(first))).body
    deepEqual([later.status, later.amount_received], ['succeeded', 700], JSON.stringify(later.error))
    equal((await shop.refund(later.payment_id)).status, 200)
    deepEqual(
      (await shop.processor.charges()).map(({ by, captured }) => [by, captured]),
      [
        [undefined, 1250],
        ['mandate', 700],
      ],
    )
  }
})

test('a one-time PayPal nonce is charged but not saved, even with consent', async () => {
  const shop = await open()
  const paid = await shop.pay({ ...paypalOnce, ...agreed })
  deepEqual([paid.status, paid.amount_received, paid.connector_mandate_id], ['succeeded', 1250, null])
})

test('a wallet is saved without a charge, and charged later; a one-time PayPal nonce cannot be saved', async () => {
  for (const ask of [paypal, venmo, google]) {
    const shop = await open()
    const saved = await shop.pay({ ...ask, ...agreed, amount: 0 })
    equal(saved.status, 'succeeded', saved.error_message)
    match(saved.connector_mandate_id, /^paymentmethod_\w+$/)
    equal((await shop.sync(saved.payment_id)).status, 'succeeded')
    const later = (await shop.post('/payments', again(saved))).body
    deepEqual([later.status, later.amount_received], ['succeeded', 700], JSON.stringify(later.error))
    deepEqual(
      (await shop.processor.charges()).filter(({ captured }) => captured > 0).map(({ by, captured }) => [by, captured]),
      [['mandate', 700]],
    )
  }
  const shop = await open()
  const refused = await shop.pay({ ...paypalOnce, ...agreed, amount: 0 })
  deepEqual([refused.status, refused.error_code], ['failed', '82902'])
  await shop.processor.fault('authorize', 'reset_after')
  const silent = await shop.pay({ ...venmo, ...agreed, amount: 0 })
  equal(silent.status, 'processing')
  await shop.wait('2 hours')
  equal((await shop.get(silent.payment_id)).status, 'failed', 'nothing is charged, and nothing is kept here')
})

const customersOf = (shop: Shop) => shop.query('select reference from processor_customers where merchant_id = $1', [shop.merchant_id])
/** Queries Braintree as the merchant, without the service. */
async function queryBraintree(shop: Shop, query: string, variables: Body): Promise<Body> {
  const key = `sandbox_${shop.merchant_id}`
  const authorization = `Basic ${Buffer.from(`${key}:${key}`).toString('base64')}`
  const headers = { authorization, 'braintree-version': '2019-01-01' }
  return (await http('POST', `${shop.processor.url}/braintree/graphql`, { query, variables }, headers)).body.data
}

test('saved payment methods of a customer share one customer at Braintree, who is created again if deleted there', async () => {
  const shop = await open()
  const stored = { name: 'Ada King Byron', email: 'ada@shop.example' }
  equal((await shop.post('/customers', { customer_id: 'ada', ...stored })).status, 200)
  for (const ask of [{}, paypal, venmo, { amount: 0 }] as PayAsk[])
    equal((await shop.pay({ ...ask, ...agreed })).status, 'succeeded', JSON.stringify(ask))
  const [first, ...others] = await customersOf(shop)
  deepEqual(others, [])
  const read = 'query ($id: ID!) { node(id: $id) { ... on Customer { firstName lastName email } } }'
  const { node } = await queryBraintree(shop, read, { id: first!.reference })
  deepEqual(node, { firstName: 'Ada', lastName: 'King Byron', email: 'ada@shop.example' })
  const gone = 'mutation ($input: DeleteCustomerInput!) { deleteCustomer(input: $input) { clientMutationId } }'
  await queryBraintree(shop, gone, { input: { customerId: first!.reference } })
  equal((await shop.pay({ ...venmo, ...agreed })).status, 'succeeded')
  const [second, ...more] = await customersOf(shop)
  deepEqual([more, second!.reference === first!.reference], [[], false])
})

test('a declined payment shows its error code, and nothing is charged', async () => {
  const shop = await open()
  for (const [ask, error_code] of [
    [{ ...paypal, amount: 207_700 }, '2077'],
    [{ ...venmo, amount: 207_400 }, '2074'],
    [{ ...paypal, amount: 500_101 }, '2038'],
    [wallet('paypal', 'paypal_sdk', 'fake-consumed-nonce'), '91564'],
    [wallet('venmo', 'venmo_sdk', 'fake-unheard-of-nonce'), '91565'],
    [wallet('venmo', 'venmo_sdk', 'fake-paypal-one-time-nonce'), '915101'],
    [wallet('apple_pay', 'apple_pay_third_party_sdk', 'fake-processor-declined-visa-nonce'), '2000'],
  ] as const) {
    const payment = await shop.pay(ask)
    deepEqual([payment.status, payment.error_code], ['failed', error_code], JSON.stringify(ask))
  }
  await shop.processor.fault('authorize', 'decline')
  equal((await shop.pay(paypal)).status, 'failed')
  deepEqual(await charged(shop), [])
})

test('a currency, flow or capture method that Braintree does not support, or a missing token, is refused, and nothing is charged', async () => {
  const shop = await open({ metadata: { merchant_accounts: 'USD=shop_usd,EUR=shop_eur' } })
  isRefused(await shop.tryToPay({ ...venmo, currency: 'EUR' }), 400, 'IR_39', /EUR/)
  isRefused(await shop.tryToPay({ ...wallet('paypal', 'paypal_redirect'), capture_method: 'automatic' }), 400, 'IR_39', /paypal_redirect/)
  isRefused(await shop.tryToPay({ ...paypal, capture_method: 'manual_multiple' }), 400, 'IR_39', /manual_multiple/)
  isRefused(await shop.tryToPay({ ...venmo, payment_method_data: { wallet: { venmo_sdk: {} } } }), 400, 'IR_06', /venmo_sdk\.token/)
  const nameless = await shop.pay(wallet('google_pay', 'google_pay_third_party_sdk'))
  deepEqual([nameless.status, /has no token/.test(nameless.error_message)], ['failed', true])
  deepEqual(await charged(shop), [])
  equal((await shop.pay({ ...paypal, currency: 'EUR' })).status, 'succeeded')
})

test('a payment whose response is lost is looked up by its reference and charged once; one that never arrived fails', async () => {
  const shop = await open({ webhooks: 'off' })
  for (const ask of [paypal, venmo])
    for (const fault of ['reset_after', 'truncate_after', '500_after'] as const) {
      await shop.processor.fault('authorize', fault)
      const payment = await shop.pay(ask)
      equal(payment.status, 'processing', fault)
      await shop.wait('1 minute')
      equal((await shop.get(payment.payment_id)).status, 'succeeded', fault)
    }
  await shop.processor.fault('authorize', '429_before')
  equal((await shop.pay(venmo)).status, 'succeeded', 'said once more, under the same key')
  await shop.processor.fault('authorize', 'reset_before')
  const unsent = await shop.pay(paypal)
  await shop.wait('2 hours')
  equal((await shop.get(unsent.payment_id)).status, 'failed')
  equal((await shop.processor.charges()).length, 7)
})

test('a dispute of a wallet payment is added to the payment', async () => {
  const shop = await open()
  const paid = await shop.pay(paypal)
  await shop.processor.call('POST', `/control/payments/${paid.connector_transaction_id}/dispute`, {})
  await shop.wait('1 minute')
  equal((await shop.get(paid.payment_id)).disputes.length, 1)
})

test('a nonce that Braintree has authenticated is charged without a challenge', async () => {
  const shop = await open()
  const proven = wallet('google_pay', 'google_pay_third_party_sdk', 'fake-three-d-secure-visa-full-authentication-nonce')
  equal((await shop.pay(proven)).status, 'succeeded')
})

test('session tokens contain a Braintree client token for PayPal and Venmo, and are omitted if Braintree does not respond', async () => {
  const shop = await open()
  const metadata = { merchant_accounts: 'USD=shop_usd,EUR=shop_eur', paypal_sdk: { data: { client_id: 'paypal_client' } }, venmo_sdk: {} }
  const answer = await shop.post(`/account/${shop.merchant_id}/connectors/${shop.merchant_connector_id}`, {
    connector_type: 'payment_processor',
    metadata,
  })
  equal(answer.status, 200, answer.text)
  const tokens = async (currency: string): Promise<Record<string, Body>> => {
    const { payment_id, client_secret } = await shop.create({ payment_method: undefined, payment_method_data: undefined, currency })
    const body = { payment_id, client_secret, wallets: [] }
    const answer = await http('POST', `${shop.url}/payments/session_tokens`, body, { 'api-key': shop.publishable_key })
    equal(answer.status, 200, answer.text)
    return Object.fromEntries(answer.body.session_token.map((one: Body) => [one.wallet_name, one]))
  }
  const { paypal: button, venmo: other } = await tokens('USD')
  deepEqual([button!.session_token, button!.connector], ['paypal_client', 'braintree'])
  deepEqual(button!.transaction_info, { flow: 'checkout', currency_code: 'USD', total_price: '12.50' })
  for (const { client_token } of [button!, other!]) {
    const read = JSON.parse(Buffer.from(client_token, 'base64').toString())
    deepEqual([read.version, read.paypal.currencyIsoCode], [2, 'USD'])
    ok(!client_token.includes('sandbox_'))
  }
  deepEqual(Object.keys(await tokens('EUR')), ['paypal'], 'Venmo is for dollars')
  await shop.processor.fault('order', 'reset_after')
  await shop.processor.fault('order', 'reset_after')
  deepEqual(await tokens('USD'), {})
  match(shop.logs.findLast(line => line.includes('returned no client token'))!, /incomplete|reset|response/i)
})
