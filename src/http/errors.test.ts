import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN_KEY, type Answer, type Body, card, cards, http, openShop, type Shop } from '../../test/shop.ts'
import { currencies } from '../base/currencies.ts'

/** Sentences that Hyperswitch's clients compare letter by letter, each with its status and code. */

const unknownPayment = `pay_${'0'.repeat(26)}`
const accepted = { acceptance_type: 'offline', accepted_at: '2026-01-01T00:00:00.000Z' }
const agreed = { customer_id: 'cus_ida', setup_future_usage: 'off_session', customer_acceptance: accepted }
const mandate = { single_use: { amount: 1300, currency: 'USD' } }
const withCard = (more: Body): Body => ({ payment_method_data: { card: { ...card().card, ...more } } })
/** A payment that no account of the shop accepts. */
const nowhere: Body = {
  capture_method: 'manual',
  payment_method: 'bank_transfer',
  payment_method_type: 'pix',
  payment_method_data: { bank_transfer: { pix: {} } },
}
const list = (names: readonly string[]): string => names.map(word => `\`${word}\``).join(', ')
const state = (flow: string, value: string, expected: string) =>
  `This Payment could not be ${flow} because it has a ${value}. The expected state is ${expected}`

type Ask = (shop: Shop) => Promise<Answer>
const pay =
  (more: Body): Ask =>
  shop =>
    shop.tryToPay(more)
const get =
  (path: string | ((shop: Shop) => string)): Ask =>
  shop =>
    shop.call('GET', typeof path === 'string' ? path : path(shop))
const asAdmin = (shop: Shop, path: string) => http('GET', `${shop.url}${path}`, undefined, { 'api-key': ADMIN_KEY })

async function charged(shop: Shop, more: Body, again: Body): Promise<Answer> {
  const { mandate_id } = await shop.pay({ ...agreed, mandate_data: { customer_acceptance: accepted, mandate_type: mandate }, ...more })
  const without = { payment_method: undefined, payment_method_data: undefined, customer_id: 'cus_ida', off_session: true }
  if (again.revoke) await shop.post(`/mandates/revoke/${mandate_id}`, {})
  if (again.twice) return shop.post(`/mandates/revoke/${mandate_id}`, {})
  const { revoke: _revoke, twice: _twice, ...asked } = again
  return shop.tryToPay({ ...without, mandate_id, ...asked })
}

// biome-ignore format: a table reads better in columns
const rows: [what: string, status: number, code: string, message: string, ask: Ask, members?: Body][] = [
  ['a missing member of an inner object', 400, 'IR_06', 'Json deserialize error: missing field `product_name`', pay({ order_details: [{ quantity: 1, amount: 5 }] })],
  ['a refund of nothing', 400, 'IR_06', 'Json deserialize error: missing field `payment_id`', shop => shop.post('/refunds', {})],
  ['no amount', 400, 'IR_04', 'Missing required param: amount', pay({ amount: undefined })],
  ['neither amount nor currency', 400, 'IR_21', 'Missing required params', shop => shop.post('/payments', {}), { data: ['amount', 'currency'] }],
  ['a number that is too short', 400, 'IR_06', 'Json deserialize error: invalid card number length', pay(withCard({ card_number: '4242424' }))],
  ['a number that is too long', 400, 'IR_06', 'Json deserialize error: invalid card number length', pay(withCard({ card_number: '4'.repeat(20) }))],
  ['a number with a wrong digit', 400, 'IR_06', 'Json deserialize error: card number invalid', pay(withCard({ card_number: '4242424242424241' }))],
  ['a 13th month', 400, 'IR_16', 'Invalid Expiry Month', pay(withCard({ card_exp_month: '13' }))],
  ['a year of three digits', 400, 'IR_16', 'Invalid Expiry Year', pay(withCard({ card_exp_year: '203' }))],
  ['a year that is over', 400, 'IR_16', 'Invalid Expiry Year', pay(withCard({ card_exp_year: '2023' }))],
  ['a security code of five digits', 400, 'IR_16', 'Invalid card_cvc length', pay(withCard({ card_cvc: '12345' }))],
  ['a month in letters', 400, 'IR_07', 'Invalid value provided: card_exp_month', pay(withCard({ card_exp_month: 'May' }))],
  ['no currency', 400, 'IR_06', `Json deserialize error: unknown variant \`United\`, expected one of ${list(Object.keys(currencies))}`, pay({ currency: 'United' })],
  ['no way to pay', 400, 'IR_06', `Json deserialize error: unknown variant \`barter\`, expected one of ${list('card card_redirect pay_later wallet bank_redirect bank_transfer crypto bank_debit reward real_time_payment upi voucher gift_card open_banking mobile_payment network_token'.split(' '))}`, pay({ payment_method: 'barter' })],
  ['data without a method', 400, 'IR_04', 'Missing required param: payment_method', pay({ payment_method: undefined })],
  ['a return_url that is too long', 422, 'IR_06', 'return_url must be at most 2048 characters long. Received 2050 characters', pay({ return_url: `https://a.example/${'x'.repeat(2032)}` })],
  ['a mandate_id that is too long', 422, 'IR_06', 'mandate_id must be at most 64 characters long. Received 65 characters', pay({ mandate_id: 'm'.repeat(65) })],
  ['more to capture than there is', 422, 'IR_05', 'amount_to_capture contains invalid data. Expected format is amount_to_capture lesser than amount', pay({ capture_method: 'manual', amount_to_capture: 2000 })],
  ['a part, captured at once', 400, 'IR_16', 'amount_to_capture must be equal to total_capturable_amount when capture_method = automatic', pay({ amount_to_capture: 1 })],
  ['a capture of more than is held', 422, 'IR_06', 'amount_to_capture is greater than amount', async shop => shop.capture((await shop.hold()).payment_id, 2000)],
  ['a capture of what was captured', 400, 'IR_14', state('captured', 'payment.status of succeeded', 'requires_capture, partially_captured_and_capturable, processing'), async shop => shop.capture((await shop.pay()).payment_id)],
  ['a refund of what was not paid', 400, 'IR_14', state('refund', 'status of requires_confirmation', 'succeeded, partially_captured'), async shop => shop.refund((await shop.create({ ...withCard({}), payment_method: 'card' })).payment_id)],
  ['a refund of more than was paid', 400, 'IR_13', 'The refund amount exceeds the amount captured', async shop => shop.refund((await shop.pay()).payment_id, 2000)],
  ['a confirm of what is paid', 400, 'IR_16', 'You cannot confirm this payment because it has status succeeded', async shop => shop.confirm((await shop.pay()).payment_id)],
  ['a cancel of what is paid', 400, 'IR_16', 'You cannot cancel this payment because it has status succeeded', async shop => shop.cancel((await shop.pay()).payment_id)],
  ['a confirm of what failed', 400, 'IR_16', 'You cannot confirm this payment because it has status failed, you can enable `manual_retry` in profile to try this payment again', async shop => shop.confirm((await shop.pay({ card: cards.declines })).payment_id)],
  ['more than a mandate allows', 400, 'HE_03', 'Mandate Validation Failed', shop => charged(shop, { mandate_data: { customer_acceptance: accepted, mandate_type: { multi_use: { amount: 1300, currency: 'USD' } } } }, { amount: 9000 }), { reason: 'request amount is greater than mandate amount' }],
  ['another currency than a mandate’s', 400, 'HE_03', 'Mandate Validation Failed', shop => charged(shop, { mandate_data: { customer_acceptance: accepted, mandate_type: { multi_use: { amount: 1300, currency: 'USD' } } } }, { currency: 'EUR' }), { reason: 'cross currency mandates not supported' }],
  ['a mandate that is revoked twice', 400, 'HE_03', 'Mandate Validation Failed', shop => charged(shop, {}, { revoke: true, twice: true }), { reason: 'Mandate has already been revoked' }],
  ['a mandate that is revoked', 400, 'IR_16', 'mandate is not active', shop => charged(shop, {}, { revoke: true })],
  ['a mandate for a customer who is there', 400, 'IR_16', '`setup_future_usage` must be `off_session` for mandates', pay({ ...agreed, setup_future_usage: 'on_session', mandate_data: { customer_acceptance: accepted, mandate_type: mandate } })],
  ['no such payment', 404, 'HE_02', 'Payment does not exist in our records', get(`/payments/${unknownPayment}`)],
  ['no such refund', 404, 'HE_02', 'Refund does not exist in our records.', get(`/refunds/ref_${'0'.repeat(26)}`)],
  ['no such customer', 404, 'HE_02', 'Customer does not exist in our records', get('/customers/cus_none')],
  ['no such payment method', 404, 'HE_02', 'Payment method does not exist in our records', get('/payment_methods/pm_none')],
  ['no such mandate', 404, 'HE_02', 'Mandate does not exist in our records', get('/mandates/man_none')],
  ['no such merchant', 404, 'HE_02', 'Merchant account does not exist in our records', shop => asAdmin(shop, '/accounts/merchant_of_nobody')],
  ['no such payout', 404, 'HE_02', 'Payout does not exist in our records', get(`/payouts/pyt_${'0'.repeat(26)}`)],
  ['no such key', 404, 'HE_02', 'API Key does not exist in our records', shop => asAdmin(shop, `/api_keys/${shop.merchant_id}/key_none`)],
  ['no such profile', 404, 'HE_02', 'Business profile with the given id pro_none does not exist', get(shop => `/account/${shop.merchant_id}/business_profile/pro_none`)],
  ['no such connector account', 404, 'HE_02', 'Merchant connector account does not exist in our records', get(shop => `/account/${shop.merchant_id}/connectors/mca_none`), { reason: 'mca_none does not exist' }],
  ['no such dispute', 404, 'HE_04', 'Dispute does not exist in our records', get('/disputes/dp_none')],
  ['no such file', 404, 'HE_04', 'File does not exist in our records', get('/files/file_none')],
  ['no key', 401, 'IR_01', 'API key not provided or invalid API key used', shop => http('GET', `${shop.url}/payments/${unknownPayment}`)],
  ['a session that is over', 400, 'IR_08', 'The provided client_secret has expired', async shop => {
    const { payment_id, client_secret } = await shop.create({ session_expiry: 60 })
    await shop.wait('2 minutes')
    return http('GET', `${shop.url}/payments/${payment_id}?client_secret=${client_secret}`, undefined, { 'api-key': shop.publishable_key })
  }],
  ['no account that takes it', 400, 'IR_39', 'No eligible connector was found for the current payment method configuration', pay(nowhere)],
  ['an id that is taken', 400, 'HE_01', 'The payment with the specified payment_id already exists in our records', async shop => shop.tryToPay({ payment_id: (await shop.pay()).payment_id, amount: 77 })],
  ['a refund’s id that is taken', 400, 'HE_01', 'Duplicate refund request. Refund already attempted with the refund ID', async shop => {
    const { payment_id } = await shop.pay()
    const { refund_id } = (await shop.refund(payment_id, 100)).body
    return shop.post('/refunds', { payment_id, refund_id, amount: 200 })
  }],
  ['an address of no operation', 404, 'IR_02', 'Unrecognized request URL', get('/nowhere')],
  ['a method that is not for it', 405, 'IR_03', 'The HTTP method is not applicable for this API', shop => shop.call('DELETE', '/payments/list')],
  ['a foreign wallet token', 422, 'IR_29', 'Token is invalid or expired', pay({ customer_id: 'cus_ida', payment_method_data: undefined, payment_token: 'token_of_nobody' })],
  ['a wrong kind of key', 403, 'IR_22', 'Access forbidden. Not authorized to access this resource', shop => http('POST', `${shop.url}/refunds`, { payment_id: unknownPayment }, { 'api-key': shop.publishable_key })],
  ['news that nobody signed', 401, 'WE_01', 'Webhook authentication failed', shop => http('POST', `${shop.url}/webhooks/${shop.merchant_id}/${shop.merchant_connector_id}`, {})],
  ['news for no account', 404, 'WE_04', 'Webhook resource was not found', shop => http('POST', `${shop.url}/webhooks/${shop.merchant_id}/mca_none`, {})],
]

test('errors have the statuses, codes and messages that existing clients compare, and a help text', async () => {
  const shop = await openShop()
  const actual = []
  const expected = []
  for (const [what, status, code, message, ask, members = {}] of rows) {
    const { status: was, body, text } = await ask(shop)
    const { help, type, error_type, errors: _errors, ...error } = body.error ?? { message: text }
    actual.push([what, was, error.code, error.message, typeof help === 'string' && help.length > 0 && type === error_type])
    expected.push([what, status, code, message, true])
    for (const [name, value] of Object.entries(members)) deepEqual(error[name], value, what)
  }
  deepEqual(actual, expected)
})

test('a URL without a scheme is refused with its line and column', async () => {
  const shop = await openShop()
  const answer = await http('POST', `${shop.url}/payments`, '{"amount": 1,\n "currency": "USD", "return_url": "not_a_valid_url"}', {
    'api-key': shop.api_key,
    'content-type': 'application/json',
  })
  deepEqual(
    [answer.status, answer.body.error.code, answer.body.error.message],
    [400, 'IR_06', 'Json deserialize error: relative URL without a base: "not_a_valid_url" at line 2 column 51'],
  )
})

test('an error explains why no connector account accepts a payment, and how much of a payment is left to refund', async () => {
  const shop = await openShop()
  const { reason, help } = (await shop.tryToPay(nowhere)).body.error
  ok(reason.length > 20 && help.includes(reason), help)
  const { payment_id } = await shop.pay()
  await shop.refund(payment_id, 1000)
  match(
    (await shop.refund(payment_id, 500)).body.error.help,
    /500 exceeds the amount left to refund: 250 of 1250 captured, 1000 are refunded already/,
  )
})

test('all schema errors of a body are returned at once, and a misspelt member gets a suggestion', async () => {
  const shop = await openShop()
  const body = {
    ...shop.payBody(),
    ammount: 5,
    amount: 'much',
    currency: 'usd',
    billing: { address: { cuontry: 'NO' } },
    order_details: [{ quantity: 1, amount: 1 }],
  }
  const { error } = (await shop.post('/payments', body)).body
  deepEqual([error.code, error.message], ['IR_06', 'Json deserialize error: unknown field `ammount`'])
  deepEqual(error.errors.map((one: Body) => [one.field, one.code]).sort(), [
    ['ammount', 'IR_06'],
    ['amount', 'IR_06'],
    ['billing.address.cuontry', 'IR_06'],
    ['currency', 'IR_06'],
    ['order_details[0].product_name', 'IR_06'],
  ])
  match(error.help, /Did you mean `amount`\?$/)
  match(error.errors.find((one: Body) => one.field === 'currency').help, /upper case: USD/)
  equal('errors' in (await shop.post('/payments', { ...shop.payBody(), ammount: 5 })).body.error, false, 'one mistake is the error')
})

test('all invalid values are returned at once, and the first is the error itself', async () => {
  const shop = await openShop()
  const errorsOf = async (path: string, body: Body): Promise<unknown[]> => {
    const { error } = (await shop.post(path, body)).body
    deepEqual([error.errors[0].code, error.errors[0].message], [error.code, error.message])
    return error.errors.map((one: Body) => [one.field, one.code])
  }
  const bad = { card_number: '4242424242424241', card_exp_month: '13', card_exp_year: '2020', card_cvc: '12' }
  const ofCard = [
    ['payment_method_data.card.card_number', 'IR_06'],
    ['payment_method_data.card.card_cvc', 'IR_16'],
    ['payment_method_data.card.card_exp_month', 'IR_16'],
  ]
  const pays = { ...shop.payBody(), payment_method_data: { card: bad }, return_url: 'mailto:me' }
  deepEqual(await errorsOf('/payments', pays), [['return_url', 'IR_05'], ...ofCard])
  deepEqual(await errorsOf('/payments', { ...pays, return_url: undefined, enable_overcapture: true, amount_to_capture: 1_000_000 }), [
    ...ofCard,
    [null, 'IR_16'],
    ['amount_to_capture', 'IR_05'],
  ])
  deepEqual(await errorsOf('/payments', { ...shop.payBody(), enable_overcapture: true, amount_to_capture: 1_000_000 }), [
    [null, 'IR_16'],
    ['amount_to_capture', 'IR_05'],
  ])
  const { payment_id } = await shop.create()
  const confirms = { payment_method: 'card', payment_method_data: { card: { ...bad, card_exp_month: '1' } }, return_url: 'mailto:me' }
  deepEqual(await errorsOf(`/payments/${payment_id}/confirm`, confirms), [
    ['return_url', 'IR_05'],
    ...ofCard.slice(0, 2),
    ['payment_method_data.card.card_exp_year', 'IR_16'],
  ])
  const metadata = { long: 'x'.repeat(501) }
  deepEqual(await errorsOf('/refunds', { payment_id, refund_id: 'short', metadata }), [
    ['refund_id', 'IR_05'],
    ['metadata.long', 'IR_06'],
  ])
  deepEqual(await errorsOf('/customers', { customer_id: 'list', email: 'nobody', metadata }), [
    ['customer_id', 'IR_07'],
    ['email', 'IR_06'],
    ['metadata.long', 'IR_06'],
  ])
  const to = { card: { card_number: bad.card_number, expiry_month: '13', expiry_year: '2020' } }
  const payout = { amount: 0, currency: 'EUR', return_url: 'mailto:me', payout_method_data: to, metadata }
  deepEqual(await errorsOf('/payouts/create', payout), [
    ['return_url', 'IR_05'],
    ['metadata.long', 'IR_06'],
    ['payout_method_data.card.card_number', 'IR_06'],
    ['payout_method_data.card.expiry_month', 'IR_06'],
  ])
  const unchanged = await shop.post('/payments', { ...shop.payBody(), return_url: 'mailto:me' })
  equal('errors' in unchanged.body.error, false, 'one mistake is the error')
})
