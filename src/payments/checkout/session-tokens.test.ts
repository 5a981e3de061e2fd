import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { selfMade } from '../../../test/certificate.ts'
import { isRefused } from '../../../test/refused.ts'
import { type Body, http, openShop, type Shop } from '../../../test/shop.ts'

/** The session tokens with which a checkout opens the wallets of its customer. */

const google_pay = {
  merchant_info: { merchant_name: 'Chairs & Co', merchant_id: 'BCR2DN4T' },
  allowed_payment_methods: [
    {
      type: 'CARD',
      parameters: { allowed_auth_methods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'], allowed_card_networks: ['VISA', 'MASTERCARD'] },
      tokenization_specification: { type: 'PAYMENT_GATEWAY', parameters: { gateway: 'stripe', 'stripe:version': '2018-10-31' } },
    },
  ],
}
const apple_pay = {
  payment_request_data: { label: 'Chairs & Co', supported_networks: ['visa', 'masterCard'], merchant_capabilities: ['supports3DS'] },
  session_token_data: {
    merchant_identifier: 'merchant.example.chairs',
    initiative: 'ios',
    merchant_business_country: 'NO',
    certificate: 'CERTIFICATE OF CHAIRS',
    certificate_keys: 'KEYS OF CHAIRS',
  },
}
/** Apple Pay settings for the pages of a shop. */
const known = selfMade('merchant.example.chairs')
const onPages = (more: Body = {}) => ({
  ...apple_pay,
  session_token_data: {
    merchant_identifier: 'merchant.example.chairs',
    display_name: 'Chairs',
    initiative: 'web',
    initiative_context: 'chairs.example',
    merchant_business_country: 'NO',
    certificate: known.certificate,
    certificate_keys: known.key,
    payment_processing_details_at: 'Connector',
    ...more,
  },
})
const samsung_pay = {
  merchant_credentials: {
    service_id: '49400558c67f4a97b3925f',
    merchant_display_name: 'Chairs & Co',
    merchant_business_country: 'NO',
    allowed_brands: ['visa', 'mastercard'],
  },
}
const paze = { data: { client_id: 'paze_1', client_name: 'Chairs', client_profile_id: 'profile_1' } }
const paypal_sdk = { data: { client_id: 'paypal_client' } }
const all = { google_pay, apple_pay, samsung_pay, paze, paypal_sdk }

/** Sets the wallet settings of the shop's account. */
const say = (shop: Shop, more: Body) =>
  shop.post(`/account/${shop.merchant_id}/connectors/${shop.merchant_connector_id}`, { connector_type: 'payment_processor', ...more })

/** Gives the tokens that a checkout receives, by wallet. */
async function tokens(shop: Shop, payment: Body, wallets: string[] = []): Promise<Record<string, Body>> {
  const body = { payment_id: payment.payment_id, client_secret: payment.client_secret, wallets, delayed_session_token: false }
  const answer = await http('POST', `${shop.url}/payments/session_tokens`, body, { 'api-key': shop.publishable_key })
  equal(answer.status, 200, answer.text)
  deepEqual([answer.body.payment_id, answer.body.client_secret], [payment.payment_id, payment.client_secret])
  ok(!/CERTIFICATE|KEYS OF|PRIVATE KEY/.test(answer.text))
  return Object.fromEntries(answer.body.session_token.map((one: Body) => [one.wallet_name, one]))
}

test('only wallets whose tokens the connector can charge get a session token: at Stripe, only Google Pay', async () => {
  const shop = await openShop({ connector: 'stripe' })
  equal((await say(shop, { metadata: all })).status, 200)
  deepEqual(Object.keys(await tokens(shop, await unpaid(shop))), ['google_pay'])
})

test('the Google Pay tokenization_specification of the connector account is passed to the checkout unchanged', async () => {
  const shop = await openShop()
  const [method] = google_pay.allowed_payment_methods
  for (const tokenization_specification of [{ type: 'PAYMENT_GATEWAY' }, { type: 'DIRECT', version: 2 }]) {
    const settings = { ...google_pay, allowed_payment_methods: [{ ...method, tokenization_specification }] }
    equal((await say(shop, { metadata: { google_pay: settings } })).status, 200)
    const { google_pay: token } = await tokens(shop, await unpaid(shop))
    deepEqual(token!.allowed_payment_methods[0].tokenization_specification, tokenization_specification)
  }
})

const unpaid = (shop: Shop, more: Body = {}): Promise<Body> =>
  shop.create({ payment_method: undefined, payment_method_data: undefined, amount: 1250, shipping_cost: 100, ...more })

test('each wallet that is configured at the connector account gets a session token with the amount of the payment', async () => {
  const shop = await openShop()
  deepEqual(await tokens(shop, await unpaid(shop)), {})
  const answer = await say(shop, { connector_wallets_details: all })
  equal(answer.status, 200, answer.text)
  ok(!answer.text.includes('KEYS OF CHAIRS'), 'secrets of wallets are shown masked')
  const payment = await unpaid(shop, { business_country: 'SE', email: 'grace@example.com' })
  const { google_pay: google, apple_pay: apple, samsung_pay: samsung, paze: zelle, paypal } = await tokens(shop, payment)
  deepEqual(google!.transaction_info, { country_code: 'SE', currency_code: 'USD', total_price_status: 'FINAL', total_price: '13.50' })
  deepEqual([google!.merchant_info, google!.allowed_payment_methods], [google_pay.merchant_info, google_pay.allowed_payment_methods])
  deepEqual([google!.connector, google!.sdk_next_action.next_action, google!.email_required], ['phonypay', 'confirm', false])
  const { country_code, total, supported_networks, merchant_identifier } = apple!.payment_request_data
  deepEqual(
    [country_code, total, supported_networks, merchant_identifier],
    ['NO', { label: 'Chairs & Co', type: 'final', amount: '13.50' }, ['visa', 'masterCard'], 'merchant.example.chairs'],
  )
  deepEqual(samsung!.amount, { option: 'FORMAT_TOTAL_PRICE_ONLY', currency_code: 'USD', total: '13.50' })
  deepEqual([samsung!.order_number, samsung!.allowed_brands], [payment.payment_id, ['visa', 'mastercard']])
  deepEqual([zelle!.client_id, zelle!.transaction_amount, zelle!.email_address], ['paze_1', '13.50', 'grace@example.com'])
  deepEqual([paypal!.session_token, paypal!.intent], ['paypal_client', 'capture'])
})

test('session tokens are limited to the wallets in the request and to those that the payment and the account allow', async () => {
  const shop = await openShop()
  await say(shop, { connector_wallets_details: all })
  deepEqual(Object.keys(await tokens(shop, await unpaid(shop), ['google_pay'])), ['google_pay'])
  const only = await unpaid(shop, { allowed_payment_method_types: ['credit', 'samsung_pay'] })
  deepEqual(Object.keys(await tokens(shop, only)), ['samsung_pay'])
  const redirected = { payment_method_type: 'google_pay', payment_experience: 'redirect_to_url' }
  await say(shop, { payment_methods_enabled: [{ payment_method: 'wallet', payment_method_types: [redirected] }] })
  deepEqual(await tokens(shop, await unpaid(shop)), {}, 'what is only redirected to is not opened here')
})

test('wallet settings without a secret may be in the metadata, and the profile decides which addresses a wallet collects', async () => {
  const shop = await openShop()
  await say(shop, { metadata: { google_pay } })
  await shop.profile({ collect_shipping_details_from_wallet_connector: true, always_collect_billing_details_from_wallet_connector: true })
  const { google_pay: token } = await tokens(shop, await unpaid(shop))
  deepEqual([token!.shipping_address_required, token!.shipping_address_parameters], [true, { phone_number_required: true }])
  equal(token!.allowed_payment_methods[0].parameters.billing_address_required, true)
  const known = await unpaid(shop, { shipping: { address: { city: 'Oslo' } } })
  equal((await tokens(shop, known)).google_pay!.shipping_address_required, false)
})

test('invalid wallet settings and invalid session token requests are refused with the name of the field', async () => {
  const shop = await openShop()
  isRefused(await say(shop, { connector_wallets_details: { cowrie_shells: {} } }), 400, 'IR_06', /connector_wallets_details\.cowrie_shells/)
  isRefused(await say(shop, { metadata: { google_pay: { merchant_info: {} } } }), 400, 'IR_06', /metadata\.google_pay/)
  const payment = await unpaid(shop)
  const ask = (more: Body) => shop.post('/payments/session_tokens', { payment_id: payment.payment_id, wallets: [], ...more })
  equal((await ask({})).status, 200)
  isRefused(await ask({ delayed_session_token: true }), 400, 'IR_19', /delayed_session_token/)
  isRefused(await ask({ merchant_connector_details: {} }), 400, 'IR_06', /creds_identifier/)
  isRefused(await ask({ wallets: ['cowrie_shells'] }), 400, 'IR_06', /wallets/)
  isRefused(await ask({ payment_id: `pay_${'0'.repeat(26)}` }), 404, 'HE_02')
  isRefused(await ask({ payment_id: (await shop.pay()).payment_id }), 400, 'IR_16', /succeeded/)
})

test('Apple Pay on web pages gets a merchant session from Apple, which the checkout receives with the field names of the API', async () => {
  const shop = await openShop()
  for (const connector_wallets_details of [{ apple_pay: onPages() }, { apple_pay_combined: { manual: onPages() } }]) {
    const answer = await say(shop, { connector_wallets_details })
    equal(answer.status, 200, answer.text)
    ok(!answer.text.includes(known.key.split('\n')[1]!), 'the key is shown masked')
    const { apple_pay: token } = await tokens(shop, await unpaid(shop))
    const { domain_name, display_name, merchant_session_identifier, signature, expires_at, epoch_timestamp } = token!.session_token_data
    deepEqual([domain_name, display_name, expires_at - epoch_timestamp], ['chairs.example', 'Chairs', 300_000])
    ok(merchant_session_identifier.length > 20 && signature.length > 20)
    equal(token!.payment_request_data.merchant_identifier, 'merchant.example.chairs')
  }
})

test('the other wallets still get session tokens if Apple does not respond or does not know the domain', async () => {
  const shop = await openShop()
  for (const [initiative_context, why] of [
    ['unanswered.chairs.example', /incomplete response/],
    ['unverified.chairs.example', /417 .* not registered for domain/],
  ] as const) {
    await say(shop, { connector_wallets_details: { google_pay, apple_pay: onPages({ initiative_context }) } })
    deepEqual(Object.keys(await tokens(shop, await unpaid(shop))), ['google_pay'])
    deepEqual(await tokens(shop, await unpaid(shop), ['apple_pay']), {})
    const line = shop.logs.findLast(one => one.includes('Apple returned no merchant session'))
    match(JSON.parse(line!).why, why)
  }
  ok(!shop.logs.some(line => line.includes('PRIVATE KEY')))
})

test('no merchant session is requested from Apple if the checkout does not ask for Apple Pay', async () => {
  const shop = await openShop()
  await say(shop, { connector_wallets_details: { google_pay, apple_pay: onPages({ initiative_context: 'unverified.chairs.example' }) } })
  const before = shop.logs.length
  deepEqual(Object.keys(await tokens(shop, await unpaid(shop), ['google_pay'])), ['google_pay'])
  ok(!shop.logs.slice(before).some(line => line.includes('Apple')))
})

test('invalid Apple Pay settings of a connector account are refused with the name of the field', async () => {
  const shop = await openShop()
  const tryIt = (more: Body) => say(shop, { connector_wallets_details: { apple_pay: onPages(more) } })
  const at = (name: string) => new RegExp(`connector_wallets_details\\.apple_pay\\.session_token_data\\.${name}`)
  isRefused(await tryIt({ certificate: undefined }), 400, 'IR_04', at('certificate'))
  isRefused(await tryIt({ certificate_keys: '' }), 400, 'IR_04', at('certificate_keys'))
  isRefused(await tryIt({ initiative_context: undefined }), 400, 'IR_04', at('initiative_context'))
  for (const initiative_context of ['https://chairs.example', 'chairs.example/pay', 'chairs'])
    isRefused(await tryIt({ initiative_context }), 422, 'IR_05', at('initiative_context'))
  const [head, ...rest] = known.certificate.split('\n')
  for (const certificate of ['CERTIFICATE OF CHAIRS', known.key, [head, 'AAAA', ...rest].join('\n')])
    isRefused(await tryIt({ certificate }), 422, 'IR_05', at('certificate'))
  for (const certificate_keys of ['KEYS OF CHAIRS', known.certificate])
    isRefused(await tryIt({ certificate_keys }), 422, 'IR_05', at('certificate_keys'))
  isRefused(await tryIt({ certificate_keys: selfMade('others').key }), 422, 'IR_06', /does not match the certificate/)
  const past = selfMade('merchant.example.chairs', '20210101000000Z')
  isRefused(await tryIt({ certificate: past.certificate, certificate_keys: past.key }), 422, 'IR_06', /valid until Jan +1/)
  isRefused(await tryIt({ display_name: 'C'.repeat(65) }), 422, 'IR_06', at('display_name'))
  isRefused(await tryIt({ payment_processing_details_at: 'Hyperswitch' }), 400, 'IR_06', at('payment_processing_details_at'))
  const manual = onPages({ certificate_keys: 'none' })
  isRefused(await say(shop, { connector_wallets_details: { apple_pay_combined: { manual } } }), 422, 'IR_05', /apple_pay_combined\.manual/)
  const base64 = (pem: string) => Buffer.from(pem).toString('base64')
  equal((await tryIt({ certificate: base64(known.certificate), certificate_keys: base64(known.key) })).status, 200)
  const { apple_pay: token } = await tokens(shop, await unpaid(shop))
  equal(token!.session_token_data.domain_name, 'chairs.example')
})
