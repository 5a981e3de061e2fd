import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type Stripe from 'stripe'
import { accountAt } from '../../../test/card-ask.ts'
import { exactly } from '../../../test/exactly.ts'
import { rehearse, replied } from '../../../test/rehearse.ts'
import { paidBy, ways } from '../../../test/ways.ts'
import { families } from '../../instruments/families.ts'
import type { OtherFamily } from '../instrument.ts'
import { typeOfRow } from '../offer.ts'
import { stripe } from './connector.ts'
import { methodIntent, type OfferAsk, payable } from './method-requests.ts'
import { type StripeRow, type StripeType, stripeOffers } from './offers.ts'

/** Stripe's requests for payment methods other than cards, and the outcomes of its answers. */

const account = accountAt('https://api.stripe.com', { api_key: 'sk_test_1' }, {}, 'whsec_1')
const ask: Omit<OfferAsk, 'instrument'> = {
  request_id: 'REQ1',
  money: { amount: 1250, currency: 'EUR' },
  capture: 'automatic',
  three_ds: 'skip',
  return_url: 'https://pay.example/return?a=1',
  merchant_name: 'Chairs & Co',
  partial_approval: 'refuse',
  stored_credential: null,
  statement_descriptor: 'CHAIRS',
  acceptance: { acceptance_type: 'online', online: { ip_address: '203.0.113.7', user_agent: 'Mozilla/5.0' } },
  purchase: {
    billing: { first_name: 'Ada', last_name: 'Byron', email: 'ada@shop.example', line1: '1 St', city: 'Ghent', zip: '9000', country: 'BE' },
  },
}

const instrumentOf = (family: OtherFamily, way: string, more: object = {}) => {
  const { payment_method_type, payment_method_data } = paidBy(family, way, more)
  return families[family].read(payment_method_data[family], '2026-03-01T10:00:00.000Z', payment_method_type) as OfferAsk['instrument']
}
const asked = (family: OtherFamily, way: string, more: Partial<OfferAsk> = {}): OfferAsk => ({
  ...ask,
  instrument: instrumentOf(family, way),
  ...more,
})
const bodyOf = (one: OfferAsk): Stripe.PaymentIntentCreateParams => {
  const how = payable(one)
  ok(typeof how !== 'string', String(how))
  return exactly<Stripe.PaymentIntentCreateParams>()(methodIntent(one, how, one.money.amount, one.purchase))
}

const mandateOf = ({ mandate_data }: Stripe.PaymentIntentCreateParams) => (mandate_data ? mandate_data.customer_acceptance : undefined)

const intent = {
  id: 'pi_1',
  object: 'payment_intent',
  status: 'requires_action',
  amount: 1250,
  amount_capturable: 0,
  amount_received: 0,
  currency: 'eur',
  created: 1_772_359_200,
  metadata: { request_id: 'REQ1' },
  next_action: null,
  last_payment_error: null,
  latest_charge: null,
}

/** The members of each payment method beside its type; a type that is missing here has none. */
const details: { [Type in StripeType]?: object } = {
  au_becs_debit: { account_number: '000123456789', bsb_number: '000000' },
  bacs_debit: { account_number: '000123456789', sort_code: '108800' },
  boleto: { tax_id: '56176521102' },
  eps: { bank: 'bank_austria' },
  fpx: { bank: 'maybank2u' },
  ideal: { bank: 'ing' },
  p24: { bank: 'alior_bank' },
  sepa_debit: { iban: 'DE89370400440532013000' },
  us_bank_account: {
    account_number: '000123456789',
    routing_number: '110000000',
    account_holder_type: 'individual',
    account_type: 'checking',
  },
}

test("each payment method type is one request with Stripe's parameters, and belongs to a payment method type of the API", () => {
  for (const [type, row] of Object.entries(stripeOffers) as [string, StripeRow][]) {
    for (const way of row.ways) equal(ways[row.family][way]?.[0], typeOfRow(type), `${type} ${way}`)
    if (row.as === 'card') continue
    for (const way of row.ways) {
      const { payment_method_data, allowed_payment_method_types, mandate_data, metadata } = bodyOf(asked(row.family, way))
      const { type: stripeType, billing_details, ...rest } = payment_method_data!
      deepEqual([stripeType, allowed_payment_method_types], [row.as, [row.as]])
      deepEqual(rest, row.as in details ? { [stripeType]: details[row.as as StripeType] } : {}, type)
      ok(billing_details?.name && billing_details.email, type)
      equal(mandate_data !== undefined, row.family === 'bank_debit', type)
      equal((metadata as Record<string, string>).konbini_store, row.store)
    }
  }
})

test("the payer's data comes from the payment method, else from the purchase", () => {
  const { payment_method_data } = bodyOf(asked('bank_debit', 'sepa_bank_debit'))
  const { name, email, address } = payment_method_data!.billing_details!
  deepEqual(
    [name, email, (address as Stripe.AddressParam).line1, (address as Stripe.AddressParam).country],
    ['Ada Byron', 'ada@shop.example', 'HIDDEN', 'BE'],
  )
  const pix = bodyOf(asked('bank_transfer', 'pix')).payment_method_data!.billing_details
  equal(pix?.tax_id, '12345678909')
  const klarna = bodyOf(asked('pay_later', 'klarna_redirect')).payment_method_data!.billing_details!
  deepEqual([klarna.email, (klarna.address as Stripe.AddressParam).country], ['HIDDEN@example.com', 'SE'])
})

test("a debit's mandate has the merchant's acceptance or the browser's, and without either nothing is sent", () => {
  const debit = (more: Partial<OfferAsk>) => mandateOf(bodyOf(asked('bank_debit', 'sepa_bank_debit', more)))
  const online = { ip_address: '203.0.113.7', user_agent: 'Mozilla/5.0' }
  deepEqual(debit({}), { type: 'online', online })
  deepEqual(debit({ acceptance: { acceptance_type: 'offline', accepted_at: '2026-03-01T10:00:00.000Z' } }), {
    type: 'offline',
    accepted_at: 1_772_359_200,
  })
  const { acceptance: _none, ...silent } = asked('bank_debit', 'sepa_bank_debit')
  deepEqual(mandateOf(bodyOf({ ...silent, purchase: { browser: online } })), { type: 'online', online })
  const { requests, outcome } = rehearse(stripe.authorize(silent, account), [])
  deepEqual([requests, outcome.is === 'declined' && outcome.code], [[], 'not_supported'])
  ok(outcome.is === 'declined' && /customer_acceptance/.test(outcome.message))
})

test('Klarna gets all line items or none', () => {
  const chair = {
    product_name: 'Chair',
    quantity: 2,
    amount: 600,
    total_tax_amount: 100,
    product_id: 'CH-1',
    product_img_link: 'https://a.b/c',
  }
  const lines = (...lines: object[]) =>
    bodyOf(asked('pay_later', 'klarna_redirect', { purchase: { lines: lines as never } })).amount_details
  deepEqual(lines(chair, { product_name: 'Post', quantity: 1, amount: 50 }), {
    enforce_arithmetic_validation: false,
    line_items: [
      {
        product_name: 'Chair',
        quantity: 2,
        unit_cost: 600,
        product_code: 'CH-1',
        tax: { total_tax_amount: 100 },
        payment_method_options: { klarna: { reference: 'CH-1', image_url: 'https://a.b/c' } },
      },
      { product_name: 'Post', quantity: 1, unit_cost: 50 },
    ],
  })
  equal(lines(chair, { product_name: 'Nothing', quantity: 0, amount: 1 }), undefined)
  equal(bodyOf(asked('bank_redirect', 'ideal', { purchase: { lines: [chair] } })).amount_details, undefined)
})

test('a wallet token is charged as a card; encrypted wallet data is declined as not supported, without a request', () => {
  const google = (token: string) => ({ tokenization_data: { type: 'PAYMENT_GATEWAY', token } })
  const taken: [way: string, more: object, token: string][] = [
    ['google_pay', google('{"id":"tok_7","object":"token"}'), 'tok_7'],
    ['google_pay', google('tok_8'), 'tok_8'],
    ['apple_pay_third_party_sdk', { token: 'tok_9' }, 'tok_9'],
  ]
  const held = { ...intent, status: 'succeeded', amount_received: 1250 }
  for (const [way, more, token] of taken) {
    const one = asked('wallet', way, { instrument: instrumentOf('wallet', way, more) })
    const { requests, outcome } = rehearse(stripe.authorize(one, account), [
      replied(200, { id: 'pm_1', object: 'payment_method' }),
      replied(200, held),
    ])
    const [method, paid] = requests.map(({ body }) => new URLSearchParams(body))
    deepEqual([method!.get('type'), method!.get('card[token]')], ['card', token])
    deepEqual([paid!.get('payment_method'), paid!.get('allowed_payment_method_types[0]'), outcome.is], ['pm_1', 'card', 'done'])
  }
  for (const [way, more] of [
    ['google_pay', google('{"signature":"MEUC","protocolVersion":"ECv2"}')],
    ['apple_pay', {}],
    ['apple_pay_redirect', {}],
  ] as const) {
    const one = asked('wallet', way, { instrument: instrumentOf('wallet', way, more) })
    const { requests, outcome } = rehearse(stripe.authorize(one, account), [])
    deepEqual([requests, outcome.is === 'declined' && outcome.code], [[], 'not_supported'], way)
  }
})

test('a payment method type that Stripe does not support is declined by name, and nothing is sent', () => {
  for (const [family, way] of [
    ['wallet', 'ali_pay_qr'],
    ['wallet', 'amazon_pay'],
    ['pay_later', 'klarna_sdk'],
    ['voucher', 'seven_eleven'],
    ['bank_transfer', 'pse'],
  ] as const) {
    const { requests, outcome } = rehearse(stripe.authorize(asked(family, way), account), [])
    deepEqual([requests, outcome.is === 'declined' && outcome.code], [[], 'not_supported'], way)
    ok(outcome.is === 'declined' && outcome.message.includes(way))
  }
})

const png = 'https://qr.stripe.com/q.png'
const code = { data: 'PAY', image_url_png: png, image_url_svg: 'https://qr.stripe.com/q.svg' }
const bank = { account_holder_name: 'Chairs', bic: 'SANDDEFF', country: 'DE', iban: 'DE89370400440532013000' }
const page = 'https://payments.stripe.com/page'
const until = '2026-03-04T10:00:00.000Z'
const seconds = Date.parse(until) / 1000
const qr = (data: string, end: string | null = null) => ({ type: 'qr_code_information', data, image: png, until: end, text: null })
const made = '2026-03-01T10:00:00.000Z'
const stores = { familymart: { payment_code: '1' }, lawson: { payment_code: '22', confirmation_number: '09012345678' } }

// biome-ignore format: a table reads better in columns
const actions: [type: string, said: object, ours: object | null][] = [
  ['redirect_to_url',          { url: page, return_url: 'https://a.b' },             { type: 'redirect_to_url', url: page }],
  ['alipay_handle_redirect',   { url: page, native_url: null, native_data: null },   { type: 'redirect_to_url', url: page }],
  ['verify_with_microdeposits', { hosted_verification_url: page, arrival_date: seconds, microdeposit_type: 'amounts' }, { type: 'redirect_to_url', url: page }],
  ['blik_authorize',           {},                                                   { type: 'wait_screen_information', from: made, until: '2026-03-01T10:01:00.000Z' }],
  ['card_await_notification',  { charge_attempt_at: seconds },                       { type: 'wait_screen_information', from: made, until }],
  ['cashapp_handle_redirect_or_display_qr_code', { mobile_auth_url: page, hosted_instructions_url: page, qr_code: { ...code, expires_at: seconds } }, qr(page, until)],
  ['swish_handle_redirect_or_display_qr_code', { hosted_instructions_url: page, qr_code: code }, qr('PAY')],
  ['wechat_pay_display_qr_code', { ...code, image_data_url: 'data:image/png;base64,AA==', hosted_instructions_url: page }, qr('PAY')],
  ['promptpay_display_qr_code', { ...code, hosted_instructions_url: page },          qr('PAY')],
  ['pix_display_qr_code',      { ...code, expires_at: seconds },                     qr('PAY', until)],
  ['boleto_display_details',   { number: '0019', pdf: page, hosted_voucher_url: page, expires_at: seconds }, { type: 'display_voucher_information', parts: { reference: '0019', digitable_line: '0019', download_url: page, instructions_url: page }, made, until }],
  ['oxxo_display_details',     { number: '1234', hosted_voucher_url: page, expires_after: seconds }, { type: 'display_voucher_information', parts: { reference: '1234', instructions_url: page }, made, until }],
  ['konbini_display_details',  { hosted_voucher_url: page, expires_at: seconds, stores }, { type: 'display_voucher_information', parts: { reference: '22', instructions_url: page }, made, until }],
  ['multibanco_display_details', { entity: '12345', reference: '999', expires_at: seconds }, { type: 'display_bank_transfer_information', to: { multibanco: { entity: '12345', reference: '999' } }, remaining: null }],
  ['display_bank_transfer_instructions', { type: 'eu_bank_transfer', amount_remaining: 1250, currency: 'eur', reference: 'R1', financial_addresses: [{ type: 'iban', iban: bank }] }, { type: 'display_bank_transfer_information', to: { sepa_bank_instructions: { ...bank, reference: 'R1' } }, remaining: 1250 }],
  ['use_stripe_sdk',           { type: 'three_d_secure_redirect' },                  null],
  ['pray_for_it',              { url: page },                                        null],
]

test('each next action of Stripe is mapped to one of the API, and an unsupported one leaves the payment open', () => {
  for (const [type, body, ours] of actions) {
    const shown = { ...intent, metadata: { request_id: 'REQ1', konbini_store: 'lawson' }, next_action: { type, [type]: body } }
    const { outcome } = rehearse(stripe.authorize(asked('bank_redirect', 'ideal'), account), [replied(200, shown)])
    if (ours) deepEqual(outcome, { is: 'waiting', reference: 'pi_1', next_action: ours }, type)
    else deepEqual([outcome.is, 'reference' in outcome && outcome.reference], ['unknown', 'pi_1'], type)
  }
})

test('an action without its data yields no QR code, voucher or account', () => {
  for (const [type, body] of actions)
    if (Object.keys(body).length > 0) {
      const shown = { ...intent, next_action: { type, [type]: {} } }
      const { outcome } = rehearse(stripe.authorize(asked('bank_redirect', 'ideal'), account), [replied(200, shown)])
      ok(outcome.is === 'unknown' || type === 'card_await_notification', type)
    }
})

// biome-ignore format: a table reads better in columns
const noes: [code: string, ours: string][] = [
  ['payment_intent_payment_attempt_failed',   'payment_declined'],
  ['payment_intent_authentication_failure',   'authentication_failed'],
  ['payment_intent_payment_attempt_expired',  'authentication_failed'],
  ['payment_method_provider_decline',         'payment_declined'],
  ['insufficient_funds',                      'insufficient_funds'],
  ['account_closed',                          'payment_declined'],
  ['debit_not_authorized',                    'payment_declined'],
  ['payment_method_unactivated',              'configuration'],
]

test('a failure is reported with our error code, days later too', () => {
  for (const [error, ours] of noes) {
    const last_payment_error = { type: 'invalid_request_error', code: error, message: 'No.' }
    const failed = { ...intent, status: 'requires_payment_method', last_payment_error }
    const sync = { verb: 'authorize', request_id: 'REQ1', reference: 'pi_1', money: ask.money, authorization: null } as const
    const { outcome } = rehearse(stripe.sync(sync, account), [replied(200, failed)])
    deepEqual(outcome.is === 'declined' && [outcome.code, outcome.processor_code], [ours, error])
  }
})
