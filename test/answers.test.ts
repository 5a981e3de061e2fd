import { deepEqual, equal, ok } from 'node:assert/strict'
import { before, test } from 'node:test'
import Type, { type TSchema } from 'typebox'
import Value from 'typebox/value'
import { errorAnswer } from '../src/http/error-answer.ts'
import { deletedMerchantAnswer, kvAnswer, merchantAnswer, organizationAnswer } from '../src/http/routes/accounts.ts'
import { apiKeyAnswer, deletedEphemeralKeyAnswer, ephemeralKeyAnswer, newApiKeyAnswer, revokedAnswer } from '../src/http/routes/api-keys.ts'
import {
  connectorAccountAnswer,
  connectorAccountListed,
  deletedConnectorAccountAnswer,
  verifiedAnswer,
} from '../src/http/routes/connector-accounts.ts'
import { eventsAnswer } from '../src/http/routes/events.ts'
import { paymentAnswer } from '../src/http/routes/payments-answers.ts'
import { profileAnswer } from '../src/http/routes/profiles.ts'
import { refundAnswer } from '../src/http/routes/refunds.ts'
import {
  algorithmAnswer,
  choiceAnswer,
  evaluatedAnswer,
  fallbackAnswer,
  recordAnswer,
  shareAnswer,
  simulatedAnswer,
} from '../src/http/routes/routing-answers.ts'
import { examples } from './examples.ts'
import { ADMIN_KEY, type Body, cards, http, openShop, type Shop } from './shop.ts'

/**
 * Compares real answers with the schemas that document them: the schema names each member of the answer, each member
 * of the schema is in the answer, and each has its type.
 */

let shop: Shop
before(async () => {
  shop = await openShop()
})

type Shape = {
  properties?: Record<string, Shape>
  required?: string[]
  additionalProperties?: boolean
  anyOf?: Shape[]
  items?: Shape
  type?: string
}

/** Gives the paths at which the members of a value differ from those of its schema. */
function mismatches(schema: Shape, value: unknown, path = ''): string[] {
  if (value === null) return []
  const inside = schema.anyOf?.find(one => one.type !== 'null') ?? schema
  if (Array.isArray(value)) return value.flatMap((one, i) => mismatches(inside.items ?? {}, one, `${path}[${i}]`))
  if (typeof value !== 'object' || !inside.properties || inside.additionalProperties === true) return []
  const { properties, required = [] } = inside
  const members = Object.keys(value)
  return [
    ...members.filter(name => !Object.hasOwn(properties, name)).map(name => `${path}.${name} is not documented`),
    ...required.filter(name => !members.includes(name)).map(name => `${path}.${name} is documented and absent`),
    ...members.flatMap(name => mismatches(properties[name] ?? {}, (value as Record<string, unknown>)[name], `${path}.${name}`)),
  ]
}

function holds(schema: TSchema, body: unknown): void {
  deepEqual(mismatches(schema as Shape, body), [])
  const faults = Value.Errors(schema, body).map(({ instancePath, message }) => `${instancePath} ${message}`)
  deepEqual(faults, [])
}

const admin = { 'api-key': ADMIN_KEY }

test('a succeeded payment has the documented fields', async () => {
  const payment = await shop.pay()
  equal(payment.status, 'succeeded')
  holds(paymentAnswer, payment)
})

test('a payment with all optional fields has the documented fields', async () => {
  const address = {
    address: { city: 'Oslo', country: 'NO', line1: 'Storgata 1', zip: '0155', first_name: 'Kari' },
    email: 'kari@shop.example',
  }
  const payment = await shop.pay({
    billing: address,
    shipping: { ...address, phone: { number: '5550100', country_code: '+47' } },
    customer: { id: 'kari', name: 'Kari', email: 'kari@shop.example', phone: '5550100', phone_country_code: '+47' },
    description: 'Two chairs',
    metadata: { order: 7, note: 'gift' },
    frm_metadata: { score: 'low' },
    connector_metadata: { any: { thing: true } },
    feature_metadata: { search_tags: ['a'] },
    order_details: [{ product_name: 'Chair', quantity: 2, amount: 500 }],
    shipping_cost: 100,
    order_tax_amount: 50,
    surcharge_details: { surcharge_amount: 10, tax_amount: 5 },
    statement_descriptor_name: 'CHAIRS',
    statement_descriptor_suffix: 'OSLO',
    return_url: 'https://shop.example/thanks',
    browser_info: { language: 'nb', ip_address: '192.0.2.1' },
    merchant_order_reference_id: 'order-7',
    setup_future_usage: 'on_session',
    capture_method: 'automatic',
    payment_method_type: 'credit',
    payment_experience: 'redirect_to_url',
    allowed_payment_method_types: ['credit', 'debit'],
    business_country: 'NO',
    business_label: 'chairs',
    off_session: false,
    payment_method_data: {
      card: {
        card_number: cards.approves,
        card_exp_month: '12',
        card_exp_year: '2040',
        card_cvc: '737',
        card_holder_name: 'Kari',
        nick_name: 'blue',
      },
      billing: address,
    },
  })
  equal(payment.status, 'succeeded')
  equal(payment.net_amount, 1250 + 100 + 50 + 10 + 5)
  holds(paymentAnswer, payment)
})

test('the first example request of the documentation succeeds', async () => {
  const { status, body, text } = await shop.post('/payments', examples.createPayment?.value)
  equal(status, 200, text)
  equal(body.status, 'succeeded')
  equal(body.amount_received, 1250)
})

test('a declined payment has the documented fields', async () => {
  const payment = await shop.pay({ card: cards.hasNoMoney })
  equal(payment.status, 'failed')
  ok(payment.error_details.connector_details.code)
  holds(paymentAnswer, payment)
})

test('a challenged payment has the documented fields, for the server and for the browser', async () => {
  const payment = await shop.pay({ card: cards.challenges, authentication_type: 'three_ds' })
  equal(payment.status, 'requires_customer_action')
  ok(payment.next_action.redirect_to_url)
  holds(paymentAnswer, payment)
  const query = `client_secret=${payment.client_secret}`
  const seen = await http('GET', `${shop.url}/payments/${payment.payment_id}?${query}`, undefined, { 'api-key': shop.publishable_key })
  equal(seen.status, 200, seen.text)
  holds(paymentAnswer, seen.body)
})

test('an unconfirmed payment has the documented fields', async () => {
  holds(paymentAnswer, await shop.create())
  const { status, body, text } = await shop.post('/payments', { amount: 100, currency: 'JPY' })
  equal(status, 200, text)
  holds(paymentAnswer, body)
})

test('an authorization, its capture and its cancellation have the documented fields', async () => {
  const hold = await shop.hold()
  equal(hold.status, 'requires_capture')
  holds(paymentAnswer, hold)
  const captured = (await shop.capture(hold.payment_id, 500)).body
  equal(captured.status, 'partially_captured')
  holds(paymentAnswer, captured)
  holds(paymentAnswer, (await shop.cancel((await shop.hold()).payment_id, 'changed my mind')).body)
})

test('attempts and captures have the documented fields', async () => {
  const hold = await shop.hold({ capture_method: 'manual_multiple' })
  await shop.capture(hold.payment_id, 500)
  const payment = await shop.get(hold.payment_id, '?expand_attempts=true&expand_captures=true')
  equal(payment.attempts.length, 1)
  equal(payment.captures.length, 1)
  holds(paymentAnswer, payment)
  const declined = await shop.pay({ card: cards.declines })
  holds(paymentAnswer, await shop.get(declined.payment_id, '?expand_attempts=true'))
})

test('refunds have the documented fields, alone and within their payment', async () => {
  const paid = await shop.pay()
  const refund = await shop.refund(paid.payment_id, 250, { reason: 'duplicate', metadata: { by: 'Kari' } })
  equal(refund.body.status, 'succeeded', refund.text)
  holds(refundAnswer, refund.body)
  holds(refundAnswer, await shop.getRefund(refund.body.refund_id))
  const payment = await shop.get(paid.payment_id)
  equal(payment.refunds.length, 1)
  equal(payment.state_metadata.total_refunded_amount, 250)
  holds(paymentAnswer, payment)
  const refused = await shop.refund((await shop.pay({ card: cards.refusesRefunds })).payment_id)
  equal(refused.body.status, 'failed', refused.text)
  holds(refundAnswer, refused.body)
})

test('events have the documented fields', async () => {
  const { payment_id } = await shop.pay()
  await shop.refund(payment_id, 250)
  const { body } = await shop.call('GET', `/events?object_id=${payment_id}`)
  ok(body.size > 2)
  holds(eventsAnswer, body)
})

test('merchant accounts and API keys have the documented fields', async () => {
  const merchant_id = `${shop.merchant_id}_twin`
  const merchant = await http('POST', `${shop.url}/accounts`, { merchant_id, merchant_name: 'Twin', metadata: { a: 1 } }, admin)
  equal(merchant.status, 200, merchant.text)
  holds(merchantAnswer, merchant.body)
  holds(merchantAnswer, (await http('GET', `${shop.url}/accounts/${merchant_id}`, undefined, admin)).body)
  const { organization_id } = merchant.body
  holds(organizationAnswer, (await http('GET', `${shop.url}/organization/${organization_id}`, undefined, admin)).body)
  const listed = await http('GET', `${shop.url}/accounts/list?organization_id=${organization_id}`, undefined, admin)
  holds(Type.Array(merchantAnswer), listed.body)
  equal(listed.body.length, 1)
  holds(kvAnswer, (await http('POST', `${shop.url}/accounts/${merchant_id}/kv`, { kv_enabled: true }, admin)).body)
  const key = await http('POST', `${shop.url}/api_keys/${merchant_id}`, { name: 'one', expiration: '2040-01-01T00:00:00Z' }, admin)
  equal(key.status, 200, key.text)
  holds(newApiKeyAnswer, key.body)
  holds(Type.Array(apiKeyAnswer), (await http('GET', `${shop.url}/api_keys/${merchant_id}/list`, undefined, admin)).body)
  const ephemeral = await http('POST', `${shop.url}/ephemeral_keys`, { customer_id: 'kari' }, { 'api-key': key.body.api_key })
  holds(ephemeralKeyAnswer, ephemeral.body)
  const gone = await http('DELETE', `${shop.url}/ephemeral_keys/${ephemeral.body.id}`, undefined, { 'api-key': key.body.api_key })
  holds(deletedEphemeralKeyAnswer, gone.body)
  const revoked = await http('DELETE', `${shop.url}/api_keys/${merchant_id}/${key.body.key_id}`, undefined, admin)
  equal(revoked.status, 200, revoked.text)
  holds(revokedAnswer, revoked.body)
  holds(deletedMerchantAnswer, (await http('DELETE', `${shop.url}/accounts/${merchant_id}`, undefined, admin)).body)
})

test('business profiles have the documented fields, with no settings and with all settings', async () => {
  const shop = await openShop()
  const path = `/account/${shop.merchant_id}/business_profile`
  holds(profileAnswer, (await shop.post(path, { profile_name: 'silent' })).body)
  const { status, body, text } = await shop.post(path, {
    profile_name: 'eloquent',
    webhook_details: { webhook_url: 'https://shop.example/hooks', payment_statuses_enabled: ['succeeded'] },
    outgoing_webhook_custom_http_headers: { authorization: 'Bearer of_my_own' },
    card_testing_guard_config: { card_ip_blocking_status: 'enabled' },
    metadata: { city: 'Oslo' },
    merchant_business_country: 'NO',
    is_manual_retry_enabled: true,
  })
  equal(status, 200, text)
  holds(profileAnswer, body)
  holds(Type.Array(profileAnswer), (await shop.call('GET', path)).body)
})

test('connector accounts and their list have the documented fields', async () => {
  const path = `/account/${shop.merchant_id}/connectors`
  const { status, body, text } = await shop.post(path, {
    connector_type: 'payment_processor',
    connector_name: 'phonypay',
    connector_label: 'second',
    connector_account_details: { auth_type: 'HeaderKey', api_key: 'sandbox_second' },
    connector_webhook_details: { merchant_secret: 'a secret of some length' },
    payment_methods_enabled: [{ payment_method: 'card', payment_method_types: [{ payment_method_type: 'credit' }] }],
    metadata: { city: 'Oslo' },
    disabled: true,
  })
  equal(status, 200, text)
  holds(connectorAccountAnswer, body)
  holds(Type.Array(connectorAccountListed), (await shop.call('GET', path)).body)
  const one = `${path}/${body.merchant_connector_id}`
  holds(connectorAccountAnswer, (await shop.call('GET', one)).body)
  const verified = await shop.post('/account/connectors/verify', { merchant_connector_id: body.merchant_connector_id })
  holds(verifiedAnswer, verified.body)
  holds(deletedConnectorAccountAnswer, (await http('DELETE', shop.url + one, undefined, admin)).body)
})

test('routing algorithms, evaluations and simulations have the documented fields', async () => {
  const accounts = await shop.call('GET', '/routing/default/profile')
  holds(Type.Array(fallbackAnswer), accounts.body)
  const [{ profile_id }] = accounts.body
  const body = { name: 'one', description: 'd', profile_id, algorithm: { type: 'single', data: 'phonypay' } }
  const made = await shop.post('/routing', body)
  equal(made.status, 200, made.text)
  holds(recordAnswer, made.body)
  holds(algorithmAnswer, (await shop.call('GET', `/routing/${made.body.id}`)).body)
  holds(Type.Array(choiceAnswer), (await shop.call('GET', '/routing/default')).body)
  const dynamic = `/account/${shop.merchant_id}/business_profile/${profile_id}/dynamic_routing`
  holds(recordAnswer, (await shop.post(`${dynamic}/success_based/create?enable=metrics`, { params: ['Currency'] })).body)
  holds(recordAnswer, (await shop.post(`${dynamic}/elimination/toggle?enable=metrics`, {})).body)
  holds(shareAnswer, (await shop.post(`${dynamic}/set_volume_split?split=100`, {})).body)
  const { payment_id } = await shop.pay()
  holds(evaluatedAnswer, (await shop.post('/routing/evaluate', { payment_id })).body)
  const wallet = { amount: 5, currency: 'EUR', payment_method: 'wallet', payment_method_type: 'paypal' }
  holds(evaluatedAnswer, (await shop.post('/routing/evaluate', wallet)).body)
  const simulated = await shop.post('/routing/simulate', { start_time: '2020-01-01T00:00:00Z' })
  ok(simulated.body.cells.length > 0, simulated.text)
  holds(simulatedAnswer, simulated.body)
})

test('errors have the documented fields', async () => {
  const refusals: [number, Promise<{ status: number; body: Body; text: string }>][] = [
    [400, shop.post('/payments', {})],
    [400, shop.post('/payments', 'not json')],
    [400, shop.post('/payments', { amount: 1, currency: 'USD', payment_type: 'setup_mandate' })],
    [401, http('GET', `${shop.url}/payments/pay_1`)],
    [403, shop.post('/accounts', { merchant_id: 'x' })],
    [404, shop.call('GET', '/payments/nothing')],
    [404, shop.call('GET', '/nowhere')],
    [405, shop.call('DELETE', '/payments')],
    [422, shop.post('/payments', { amount: 1, currency: 'USD', payment_id: 'short' })],
  ]
  for (const [status, answer] of refusals) {
    const { body, ...is } = await answer
    equal(is.status, status, is.text)
    holds(errorAnswer, body)
  }
})

/** The response fields in the specification of the interface. */
const specified = {
  payment: `payment_id merchant_id status amount net_amount amount_capturable processor_merchant_id currency payment_method attempt_count
    shipping_cost amount_received order_tax_amount initiator sdk_authorization connector connector_label connector_transaction_id reference_id
    connector_mandate_id client_secret created modified_at expires_on capture_before extended_authorization_last_applied_at capture_on description
    cancellation_reason return_url business_label business_sub_label merchant_decision profile_id merchant_connector_id network_transaction_id
    payment_method_id payment_token mandate_id setup_future_usage off_session capture_method authentication_type statement_descriptor_name
    statement_descriptor_suffix error_code error_message unified_code unified_message issuer_error_code issuer_error_message payment_experience
    payment_method_type business_country allowed_payment_method_types manual_retry_allowed metadata frm_metadata incremental_authorization_allowed
    authorization_count external_3ds_authentication_attempted fingerprint payment_method_status extended_authorization_applied
    request_extended_authorization merchant_order_reference_id card_discovery force_3ds_challenge force_3ds_challenge_trigger
    is_iframe_redirection_enabled enable_partial_authorization enable_overcapture is_overcapture_enabled is_stored_credential mit_category
    tokenization whole_connector_response refunds disputes attempts captures incremental_authorizations`,
  refund: `refund_id payment_id amount currency status connector reason metadata error_message error_code unified_code unified_message
    issuer_error_code issuer_error_message created_at updated_at profile_id merchant_connector_id connector_refund_id raw_connector_response`,
}
const words = (text: string): string[] => text.trim().split(/\s+/)

test('payments and refunds have every field of the specification', async () => {
  const payment = await shop.pay()
  const refund = (await shop.refund(payment.payment_id)).body
  deepEqual(
    words(specified.payment).filter(name => !Object.hasOwn(payment, name)),
    [],
  )
  deepEqual(
    words(specified.refund).filter(name => !Object.hasOwn(refund, name)),
    [],
  )
})
