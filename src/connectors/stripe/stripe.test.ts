import { deepEqual, equal, ok } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import Stripe from 'stripe'
import { accountAt } from '../../../test/card-ask.ts'
import { exactly } from '../../../test/exactly.ts'
import { notSent, rehearse, replied, silence } from '../../../test/rehearse.ts'
import { type Currency, currencies } from '../../base/currencies.ts'
import { Secret } from '../../base/secret.ts'
import type { Reply } from '../../context.ts'
import type { AuthorizeRequest, CredentialsVerdict, RequestOf, SyncRequest } from '../connector.ts'
import { inProcessorUnits, uncounted } from '../counting.ts'
import { formEncoded, VERSION } from './api.ts'
import { counting } from './common.ts'
import { stripe } from './connector.ts'
import * as methods from './method-requests.ts'
import { stripeOffers } from './offers.ts'
import * as params from './requests.ts'

const account = accountAt('https://api.stripe.com', { api_key: 'sk_test_1' }, {}, 'whsec_1')
const ask: AuthorizeRequest<'card'> = {
  request_id: 'REQ1',
  money: { amount: 1250, currency: 'USD' },
  capture: 'automatic',
  instrument: {
    is: 'card',
    number: new Secret('4242424242424242'),
    exp_month: 12,
    exp_year: 2030,
    cvc: new Secret('737'),
    holder: 'Ada Byron',
  },
  three_ds: 'skip',
  return_url: 'https://pay.example/return?a=1',
  merchant_name: 'Chairs & Co',
  partial_approval: 'refuse',
  stored_credential: null,
  statement_descriptor: 'CHAIRS*"42"',
}
const authorization = { reference: 'pi_1', request_id: 'REQ1' }
const captureAsk: RequestOf<'capture'> = { request_id: 'REQ2', authorization, money: { amount: 500, currency: 'USD' }, rest: 'release' }
const voidAsk: RequestOf<'void'> = { request_id: 'REQ3', authorization, money: { amount: 1250, currency: 'USD' } }
const refundAsk: RequestOf<'refund'> = { request_id: 'REQ4', authorization, money: { amount: 300, currency: 'USD' }, reason: 'duplicate' }
const syncAsk: SyncRequest = { verb: 'authorize', request_id: 'REQ1', reference: 'pi_1', money: ask.money, authorization: null }

const method = { id: 'pm_1', object: 'payment_method' }
const intent = {
  id: 'pi_1',
  object: 'payment_intent',
  status: 'succeeded',
  amount: 1250,
  amount_capturable: 0,
  amount_received: 1250,
  currency: 'usd',
  metadata: { request_id: 'REQ1' },
  next_action: null,
  last_payment_error: null,
  latest_charge: 'ch_1',
}
const refund = { id: 're_1', object: 'refund', status: 'succeeded', amount: 300, currency: 'usd', metadata: { request_id: 'REQ4' } }

test('the requested API version is the one of the Stripe library', () => {
  equal(VERSION, Stripe.API_VERSION)
})

const owned = { payment_method: 'pm_1', customer: 'cus_1' }
const keeping = { ...ask, stored_credential: { is: 'made', usage: 'off_session', customer: 'shop_ada' } } as const
const used = { ...ask, stored_credential: { is: 'used', mit_category: 'recurring', customer: 'shop_ada' } } as const
const demanding = { ...ask, capture: 'manual_multiple', three_ds: 'request', later: ['increment', 'extend', 'overcapture'] } as const
const contestAsk = {
  request_id: 'REQ5',
  reference: 'dp_1',
  authorization,
  money: ask.money,
  evidence: {
    texts: { product_description: 'Two chairs' },
    uploaded: { receipt: 'file_1', invoice_showing_distinct_transactions: 'file_2' },
    files: [],
  },
} as const
const methodAsk: methods.OfferAsk = {
  ...ask,
  money: { amount: 1250, currency: 'EUR' },
  instrument: {
    is: 'bank_debit',
    type: 'sepa',
    way: 'sepa_bank_debit',
    open: {},
    secrets: { iban: new Secret('DE89370400440532013000'), bank_account_holder_name: new Secret('Ada Byron') },
  },
  acceptance: { acceptance_type: 'offline' },
}
const payableMethod = methods.payable(methodAsk) as methods.Payable
const sepaKept = { is: 'stored_card', reference: 'pm_9', customer: 'cus_1', cvc: null, of: methodAsk.instrument } as const
const storedAsk = { ...used, money: methodAsk.money, instrument: sepaKept }
const payoutAsk: RequestOf<'payout'> = {
  ...{ request_id: 'REQ7', money: { amount: 500, currency: 'USD' }, entity_type: 'Company', priority: null },
  recipient: { is: 'passthrough', type: 'ach', account: new Secret('acct_1Nnlp9GPxmnHQRkJ'), customer: null, holder: null },
  ...{ merchant_name: 'Chairs & Co', description: 'March' },
}
const intentOf = exactly<Stripe.PaymentIntentCreateParams>()

/**
 * Every request of the connector, checked against Stripe's own types: a request that is missing here does not compile.
 */
const bodies = {
  method: exactly<Stripe.PaymentMethodCreateParams>()(params.method(ask.instrument)),
  customer: exactly<Stripe.CustomerCreateParams>()(params.customer('shop_ada')),
  payingCustomer: exactly<Stripe.CustomerCreateParams>()(params.payingCustomer(undefined)),
  intent: intentOf(params.intent(demanding, 1250, { payment_method: 'pm_1', customer: null })),
  // Not in Stripe's library: its public contract does not have the parameter.
  exempted: params.exempted(params.intent(used, 1250, { payment_method: 'pm_1', customer: null }), '901151114810210'),
  tokenMethod: exactly<Stripe.PaymentMethodCreateParams>()(methods.tokenMethod(new Secret('tok_1'))),
  methodIntent: intentOf(methods.methodIntent(methodAsk, payableMethod, 1250, undefined, 0, 'cus_1')),
  storedIntent: intentOf(methods.storedIntent(storedAsk, stripeOffers.sepa, 1250)),
  methodSetup: exactly<Stripe.SetupIntentCreateParams>()(methods.methodSetup(methodAsk, payableMethod, undefined, 'cus_1')),
  confirmMethodSetup: exactly<Stripe.SetupIntentConfirmParams>()(methods.confirmMethodSetup(methodAsk, payableMethod)),
  setup: exactly<Stripe.SetupIntentCreateParams>()(params.setup(keeping, owned)),
  confirmSetup: exactly<Stripe.SetupIntentConfirmParams>()(params.confirmSetup(keeping)),
  capture: exactly<Stripe.PaymentIntentCaptureParams>()(params.capture({ ...captureAsk, rest: 'keep' }, 500)),
  cancellation: exactly<Stripe.PaymentIntentCancelParams>()(params.cancellation({ ...voidAsk, reason: 'duplicate' })),
  setupCancellation: exactly<Stripe.SetupIntentCancelParams>()(params.setupCancellation({ ...voidAsk, reason: 'abandoned' })),
  releaseRest: exactly<Stripe.PaymentIntentCaptureParams>()(params.releaseRest(voidAsk)),
  increment: exactly<Stripe.PaymentIntentIncrementAuthorizationParams>()(params.increment(voidAsk, 1500)),
  refund: exactly<Stripe.RefundCreateParams>()(params.refund({ ...refundAsk, reason: null }, 300, 'pi_1')),
  transferTo: exactly<Stripe.TransferCreateParams>()(params.transferTo(payoutAsk, 500, 'acct_1')),
  contest: exactly<Stripe.DisputeUpdateParams>()(params.contest(contestAsk)),
} satisfies Record<Bodies, object>
type Bodies = BodiesOf<typeof params> | Exclude<BodiesOf<typeof methods>, 'payable' | 'cardToken'>
type BodiesOf<Module> = {
  [Name in keyof Module]: Module[Name] extends (...asked: never) => infer Body
    ? Body extends readonly unknown[] | Scalar
      ? never
      : Name
    : never
}[keyof Module]
type Scalar = string | boolean

test("requests have Stripe's published parameters, encoded as its library encodes them", () => {
  const { setup, refund, intent } = bodies
  deepEqual([setup.customer, setup.usage], ['cus_1', 'off_session'])
  const kept = intentOf(params.intent(keeping, 1250, owned))
  deepEqual([kept.customer, kept.setup_future_usage, 'return_url' in kept], ['cus_1', 'off_session', true])
  const charged = intentOf(params.intent(used, 1250, owned))
  deepEqual(
    [charged.customer, charged.setup_future_usage, 'off_session' in charged, 'return_url' in charged],
    ['cus_1', undefined, true, false],
  )
  equal(intent.statement_descriptor_suffix, 'CHAIRS42')
  deepEqual([refund.metadata, 'reason' in refund], [{ request_id: 'REQ4' }, false])
  deepEqual(bodies.contest.evidence, {
    product_description: 'Two chairs',
    receipt: 'file_1',
    duplicate_charge_documentation: 'file_2',
  })
  for (const asked of Object.values(bodies)) {
    const read = Object.fromEntries(new URLSearchParams(formEncoded(asked)))
    deepEqual(read, flat(asked))
  }
})

/** Gives the pairs of a form: `a[b][0]`. */
function flat(value: object, above = ''): Record<string, string> {
  return Object.assign(
    {},
    ...Object.entries(value).map(([name, inner]) => {
      const path = above === '' ? name : `${above}[${name}]`
      return typeof inner === 'object' ? flat(inner, path) : { [path]: String(inner) }
    }),
  )
}

test("the merchant's metadata is stored at Stripe, except names that we use ourselves", () => {
  const metadata = { order: '1047', gift: 'true', request_id: 'REQ9', capture_REQ9: '500', 'a[b]': 'x', empty: '', long: 'x'.repeat(600) }
  const paying = { payment_method: 'pm_1', customer: null }
  const kept = { order: '1047', gift: 'true', long: 'x'.repeat(500) }
  deepEqual(params.intent({ ...ask, metadata }, 1250, paying).metadata, { ...kept, request_id: 'REQ1' })
  deepEqual(params.refund({ ...refundAsk, metadata }, 300, 'pi_1').metadata, { ...kept, request_id: 'REQ4' })
})

test('the price is itemized once: in total, or by line items', () => {
  const paying = { payment_method: 'pm_1', customer: null }
  const line = { product_name: 'Chair', quantity: 2, amount: 600, unit_discount_amount: 5, total_tax_amount: 240, sku: 'CH-1' }
  const intentWith = (costs: { tax?: number; discount?: number; shipping?: number }, more: object = {}): Stripe.PaymentIntentCreateParams =>
    intentOf(
      params.intent(
        {
          ...ask,
          purchase: { costs, lines: [{ ...line, ...more }], shipping: { zip: '5003', origin_zip: '0155' }, order_reference: 'A1' },
        },
        1250,
        paying,
      ),
    )
  const plain = { product_name: 'Chair', quantity: 2, unit_cost: 600, product_code: 'CH-1' }
  const enforce_arithmetic_validation = false
  deepEqual(intentWith({ tax: 240, discount: 10, shipping: 40 }).amount_details, {
    enforce_arithmetic_validation,
    tax: { total_tax_amount: 240 },
    discount_amount: 10,
    shipping: { amount: 40, from_postal_code: '0155', to_postal_code: '5003' },
    line_items: [plain],
  })
  deepEqual(intentWith({}, { commodity_code: '5610', unit_of_measure: 'a dozen of them' }).amount_details, {
    enforce_arithmetic_validation,
    line_items: [
      {
        ...plain,
        tax: { total_tax_amount: 240 },
        discount_amount: 10,
        payment_method_options: { card: { commodity_code: '5610' } },
      },
    ],
  })
  deepEqual(intentWith({}).payment_details, { order_reference: 'A1' })
  equal('amount_details' in params.intent({ ...ask, purchase: { lines: [line] } }, 1250, paying), false, 'it was not asked for')
})

test("a cancellation reason is sent as one of Stripe's, or not at all", () => {
  const bodyOf = (reason?: string) =>
    rehearse(stripe.void({ ...voidAsk, ...(reason !== undefined && { reason }) }, account), [
      replied(200, { ...intent, status: 'canceled' }),
    ]).requests[0]!.body
  deepEqual([bodyOf('duplicate'), bodyOf('sold out'), bodyOf()], ['cancellation_reason=duplicate', '', ''])
})

test('a card is created as a payment method, and one request charges it', () => {
  const { requests, outcome } = rehearse(stripe.authorize(ask, account), [replied(200, method), replied(200, intent)])
  const headers = {
    authorization: 'Bearer sk_test_1',
    'stripe-version': VERSION,
    'content-type': 'application/x-www-form-urlencoded',
  }
  deepEqual(requests, [
    {
      method: 'POST',
      url: 'https://api.stripe.com/v1/payment_methods',
      headers,
      body: 'type=card&card%5Bnumber%5D=4242424242424242&card%5Bexp_month%5D=12&card%5Bexp_year%5D=2030&card%5Bcvc%5D=737&billing_details%5Bname%5D=Ada%20Byron',
    },
    {
      method: 'POST',
      url: 'https://api.stripe.com/v1/payment_intents',
      headers: { ...headers, 'idempotency-key': 'REQ1' },
      body: formEncoded(params.intent(ask, 1250, { payment_method: 'pm_1', customer: null })),
    },
  ])
  const money = { amount: 1250, currency: 'USD' }
  deepEqual(outcome, {
    is: 'done',
    reference: 'pi_1',
    request_id: 'REQ1',
    amount: money,
    captured: money,
    capturable: { ...money, amount: 0 },
    facts: {},
  })
})

test('a connected account is named in every request', () => {
  const connected = { ...account, metadata: { stripe_account: 'acct_1' } }
  const { requests } = rehearse(stripe.authorize(ask, connected), [replied(200, method), replied(200, intent)])
  deepEqual(
    requests.map(({ headers }) => headers['stripe-account']),
    ['acct_1', 'acct_1'],
  )
})

test('a payment method request that fails counts as not sent; a charge with a lost response has an unknown result', () => {
  for (const reply of [silence, notSent, replied(500, {}), replied(200, {})])
    equal(rehearse(stripe.authorize(ask, account), [reply]).outcome.is, 'not_sent')
  for (const reply of [
    silence,
    replied(500, {}),
    replied(200, {}),
    replied(409, { error: { type: 'idempotency_error', code: 'idempotency_key_in_use' } }),
  ])
    equal(rehearse(stripe.authorize(ask, account), [replied(200, method), reply]).outcome.is, 'unknown')
})

const cardError = { type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds', message: 'No <b>funds</b>.' }

test('a rate-limited charge is postponed by the time of its Retry-After header', () => {
  const limited = (headers: Record<string, string>): Reply => ({
    ...{ is: 'reply', status: 429, headers },
    body: JSON.stringify({ error: { type: 'invalid_request_error', code: 'rate_limit', message: 'Too many requests' } }),
  })
  const outcomeOf = (...replies: Reply[]) => rehearse(stripe.authorize(ask, account), replies).outcome
  deepEqual(outcomeOf(replied(200, method), limited({ 'retry-after': '3' })), { is: 'later', after_ms: 3000 })
  deepEqual(outcomeOf(limited({})), { is: 'later', after_ms: null })
  deepEqual(outcomeOf(limited({ 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' })), { is: 'later', after_ms: null })
  equal(outcomeOf(replied(200, method), replied(429, '<html></html>')).is, 'unknown', 'whoever says so, it is not Stripe')
})

test('decline reasons of the issuer are distinguished as far as Stripe does', () => {
  const codeOf = (error: object) => {
    const { outcome } = rehearse(stripe.authorize(ask, account), [
      replied(200, method),
      replied(402, { error: { type: 'card_error', message: 'No.', ...error } }),
    ])
    return outcome.is === 'declined' && outcome.code
  }
  // biome-ignore format: a table reads better in columns
  for (const [decline_code, ours] of [
    ['incorrect_zip', 'incorrect_zip'],            ['incorrect_address', 'incorrect_address'], ['card_velocity_exceeded', 'velocity_exceeded'],
    ['fraudulent', 'fraudulent'],                  ['do_not_honor', 'do_not_honor'],           ['call_issuer', 'do_not_honor'],
    ['incorrect_pin', 'incorrect_pin'],            ['invalid_pin', 'incorrect_pin'],           ['pin_try_exceeded', 'pin_try_exceeded'],
    ['restricted_card', 'restricted_card'],        ['stop_payment_order', 'revoked'],          ['transaction_not_allowed', 'transaction_not_permitted'],
    ['try_again_later', 'processing_error'],       ['generic_decline', 'card_declined'],       ['new_word_of_theirs', 'card_declined'],
  ])
    equal(codeOf({ code: 'card_declined', decline_code }), ours, decline_code)
  equal(codeOf({ code: 'incorrect_zip' }), 'incorrect_zip')
})

test('a decline by the issuer has its message, its codes and the intent that remains', () => {
  const error = {
    ...cardError,
    network_decline_code: '51',
    advice_code: 'try_again_later',
    payment_intent: { ...intent, status: 'requires_payment_method' },
  }
  deepEqual(rehearse(stripe.authorize(ask, account), [replied(200, method), replied(402, { error })]).outcome, {
    is: 'declined',
    reference: 'pi_1',
    code: 'insufficient_funds',
    processor_code: 'card_declined',
    message: 'message - No funds ., decline_code - insufficient_funds',
    network_code: '51',
    network_advice: '02',
    facts: {},
  })
  const early = rehearse(stripe.authorize(ask, account), [
    replied(402, { error: { type: 'card_error', code: 'incorrect_number', message: 'No.' } }),
  ])
  deepEqual([early.outcome.is, early.outcome.is === 'declined' && early.outcome.code], ['declined', 'incorrect_number'])
})

// biome-ignore format: a table reads better in columns
const states: [what: string, is: object, outcome: string][] = [
  ['held',                       { status: 'requires_capture', amount_capturable: 1250, amount_received: 0 },      'done'],
  ['sent to a challenge',        { status: 'requires_action', next_action: { type: 'redirect_to_url', redirect_to_url: { url: 'https://bank.example' } } }, 'waiting'],
  ['an action for its own SDK',  { status: 'requires_action', next_action: { type: 'use_stripe_sdk' } },           'unknown'],
  ['an address of no kind',      { status: 'requires_action', next_action: { type: 'redirect_to_url', redirect_to_url: { url: 'javascript:1' } } }, 'unknown'],
  ['being worked on',            { status: 'processing' },                                                         'waiting'],
  ['declined',                   { status: 'requires_payment_method', last_payment_error: cardError },             'declined'],
  ['never confirmed',            { status: 'requires_confirmation', latest_charge: null },                         'not_found'],
  ['canceled before it was',     { status: 'canceled', latest_charge: null },                                      'declined'],
  ['let go of',                  { status: 'canceled' },                                                           'lapsed'],
  ['a status of next year',      { status: 'requires_prayer' },                                                    'unknown'],
  ['another currency',           { currency: 'zzz' },                                                              'unknown'],
]

test('the status of an intent is mapped to the result of its authorization', () => {
  for (const [what, is, expected] of states)
    equal(rehearse(stripe.sync(syncAsk, account), [replied(200, { ...intent, ...is })]).outcome.is, expected, what)
})

test('an authorization without a reference is searched for, and an empty result is not a decline for an hour', () => {
  const nameless = { ...syncAsk, reference: null }
  const list = (...data: object[]) => replied(200, { object: 'search_result', data })
  const found = rehearse(stripe.sync(nameless, account), [list(intent), replied(200, intent)])
  equal(found.requests[0]!.url, 'https://api.stripe.com/v1/payment_intents/search?query=metadata%5B%22request_id%22%5D%3A%22REQ1%22')
  equal(found.outcome.is, 'done')
  deepEqual(rehearse(stripe.sync(nameless, account), [list()]).outcome, { is: 'not_found', lags_ms: 3_600_000 })
  deepEqual(rehearse(stripe.sync(nameless, account), [list({ ...intent, metadata: { request_id: 'REQ9' } })]).outcome.is, 'not_found')
})

test("an increment is recognized by the intent's new amount, and reports the total held", () => {
  const sync = (more: object) => {
    const asked = { ...syncAsk, verb: 'increment', request_id: 'REQ2', reference: null, authorization } as const
    return rehearse(stripe.sync(asked, account), [replied(200, { ...intent, ...more })]).outcome
  }
  deepEqual(sync({ metadata: { request_id: 'REQ1' } }), { is: 'not_found' })
  const found = sync({
    amount: 1500,
    amount_capturable: 1500,
    metadata: { request_id: 'REQ1', increment_REQ2: '1500' },
    latest_charge: 'ch_1',
  })
  deepEqual(found.is === 'done' && [found.amount, found.request_id, found.reference], [{ amount: 1500, currency: 'USD' }, 'REQ2', 'ch_1'])
})

test('a capture is found by the amount received on its intent, less the amounts of other captures', () => {
  const sync = (is: object) => {
    const asked = { ...syncAsk, verb: 'capture', request_id: 'REQ2', reference: null, authorization } as const
    return rehearse(stripe.sync(asked, account), [replied(200, { ...intent, ...is })]).outcome
  }
  equal(sync({}).is, 'not_found')
  const taken = sync({ amount_received: 800, metadata: { request_id: 'REQ1', capture_REQ2: '500', capture_REQ9: '300' } })
  deepEqual(taken.is === 'done' && [taken.amount.amount, taken.request_id, taken.reference], [500, 'REQ2', 'ch_1'])
  const less = sync({ amount_received: 700, metadata: { request_id: 'REQ1', capture_REQ2: '500', capture_REQ9: '300' } })
  equal(less.is === 'done' && less.amount.amount, 400, 'less than was asked for: whoever compares sees it')
  equal(sync({ amount_received: 0, metadata: { capture_REQ2: '500' } }).is, 'unknown')
  const of = (amount_received: number, own: string, other: string) => {
    const outcome = sync({ amount_received, metadata: { capture_REQ2: own, capture_REQ9: other } })
    return outcome.is === 'done' ? outcome.amount.amount : outcome.is
  }
  equal(of(500, '500', '300'), 500, 'the other one is under way')
  equal(of(300, '500', '300'), 'unknown', 'this one is under way')
  equal(of(500, '500', '500'), 'unknown', 'one of two is under way, and nobody can say which')
  equal(of(1000, '500', '500'), 500)
  equal(of(1200, '500', '300'), 500, 'others have captured too')
})

test('a void that Stripe had already made counts as done, and one that comes too late is refused', () => {
  const refused = replied(400, { error: { type: 'invalid_request_error', code: 'payment_intent_unexpected_state', message: 'No.' } })
  const talk = (status: string) => rehearse(stripe.void(voidAsk, account), [refused, replied(200, { ...intent, status })]).outcome
  equal(talk('canceled').is, 'done')
  const late = talk('succeeded')
  deepEqual([late.is, late.is === 'declined' && late.code], ['declined', 'not_allowed'])
})

test('after a server error that is stored under the key, the refunds of the intent are searched for the result', () => {
  const list = (...data: object[]) => replied(200, { object: 'list', data })
  const made = rehearse(stripe.refund(refundAsk, account), [replied(500, {}), list(refund)])
  equal(made.requests[1]!.url, 'https://api.stripe.com/v1/refunds?payment_intent=pi_1&limit=100&expand[]=data.balance_transaction')
  equal(made.outcome.is, 'done')
  const cost = { ...refund, balance_transaction: { object: 'balance_transaction', fee: 25, currency: 'eur' } }
  const { outcome } = rehearse(stripe.refund(refundAsk, account), [replied(200, cost)])
  deepEqual(outcome.is === 'done' && outcome.facts.fee, { amount: 25, currency: 'EUR' })
  equal(rehearse(stripe.refund(refundAsk, account), [replied(500, {}), list({ ...refund, metadata: {} })]).outcome.is, 'unknown')
  const message = 'Refund amount ($3.00) is greater than unrefunded amount on charge ($1.00)'
  const tooMuch = replied(400, { error: { type: 'invalid_request_error', message, param: 'amount' } })
  equal(rehearse(stripe.refund(refundAsk, account), [tooMuch, list(refund)]).outcome.is, 'done', 'an earlier request had made it')
  const { outcome: no } = rehearse(stripe.refund(refundAsk, account), [tooMuch, list()])
  deepEqual(no.is === 'declined' && [no.code, no.message], ['not_allowed', message])
  equal(rehearse(stripe.refund(refundAsk, account), [replied(200, { ...refund, status: 'pending' })]).outcome.is, 'waiting')
  equal(rehearse(stripe.refund(refundAsk, account), [replied(200, { ...refund, status: 'canceled' })]).outcome.is, 'declined')
})

test('in every currency that Stripe accepts, amounts are converted exactly in both directions; other currencies are refused', () => {
  // ISO 4217 differs for these: Stripe's amount for 1000 of ours (docs.stripe.com/currencies).
  const special: Partial<Record<Currency, number | null>> = {
    ISK: 100_000,
    UGX: 100_000,
    MGA: 10,
    KWD: 1000,
    JPY: 1000,
    USD: 1000,
    CLF: null,
    IQD: null,
  }
  for (const currency of Object.keys(currencies) as Currency[]) {
    const units = inProcessorUnits(counting, { amount: 1000, currency })
    if (currency in special) equal(typeof units === 'number' ? units : null, special[currency], currency)
    if (typeof units === 'string') continue
    deepEqual(uncounted(counting, units, currency), { amount: 1000, currency })
    const asked = { ...ask, money: { amount: 1000, currency } }
    const echoed = { ...intent, amount: units, amount_received: units, currency: currency.toLowerCase() }
    const { requests, outcome } = rehearse(stripe.authorize(asked, account), [replied(200, method), replied(200, echoed)])
    equal(new URLSearchParams(requests[1]!.body).get('amount'), String(units), currency)
    deepEqual(outcome.is === 'done' && outcome.captured, { amount: 1000, currency })
  }
  for (const [amount, currency] of [
    [1005, 'KWD'],
    [1005, 'MGA'],
    [1000, 'CLF'],
  ] as const) {
    const { requests, outcome } = rehearse(stripe.authorize({ ...ask, money: { amount, currency } }, account), [])
    deepEqual([requests, outcome.is === 'declined' && outcome.code], [[], 'invalid_request'])
  }
})

test('an API key is valid if it may list payment intents', () => {
  const ask = (reply: Reply) => rehearse<CredentialsVerdict>(stripe.verify(account), [reply]).outcome
  deepEqual(ask(replied(200, { object: 'list', data: [] })), { is: 'good' })
  const refused = { error: { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_test_1' } }
  deepEqual(ask(replied(401, refused)), { is: 'refused', code: 'invalid_request_error', message: 'Invalid API Key provided: [secret]' })
  equal(ask(silence).is, 'unknown')
})

const NOW = '2026-03-01T10:00:00.000Z'
const event = (object: object, type = 'payment_intent.succeeded') =>
  Buffer.from(JSON.stringify({ id: 'evt_1', object: 'event', type, data: { object } }))

test("a webhook is accepted with a signature of Stripe's library over its bytes, within five minutes, with either of two secrets", () => {
  const raw = event(intent)
  const secret = 'whsec_1'
  const now = Date.parse(NOW) / 1000
  const header = (timestamp: number, of = secret) =>
    Stripe.webhooks.generateTestHeaderString({ payload: raw.toString(), secret: of, timestamp })
  const verify = (signature: string, body = raw) => stripe.webhook.verify(body, { 'stripe-signature': signature }, account, NOW)
  equal(verify(header(now)), true)
  equal(verify(header(now - 299)), true)
  equal(verify(header(now - 301)), false)
  equal(verify(header(now + 301)), false)
  equal(verify(header(now, 'whsec_2')), false)
  equal(verify(header(now), Buffer.concat([raw, Buffer.from(' ')])), false)
  const old = createHmac('sha256', 'whsec_old').update(`${now}.${raw}`).digest('hex')
  equal(verify(`t=${now},v1=${old},${header(now).split(',')[1]}`), true)
  equal(stripe.webhook.verify(raw, { 'stripe-signature': header(now) }, { ...account, webhook_secret: null }, NOW), false)
})

test('a webhook identifies our requests; only a failed refund and totals are read from it, everything else is polled', () => {
  const marked = { ...intent, metadata: { request_id: 'REQ1', capture_REQ2: '500', increment_REQ3: '1500' } }
  const outcomes = stripe.webhook.read(event(marked)).filter(({ is }) => is === 'outcome')
  deepEqual(outcomes, [
    { is: 'outcome', of: [{ request_id: 'REQ1' }], outcome: 'ask' },
    { is: 'outcome', of: [{ request_id: 'REQ2' }], outcome: 'ask' },
    { is: 'outcome', of: [{ request_id: 'REQ3' }], outcome: 'ask' },
  ])
  deepEqual(stripe.webhook.read(event({ ...intent, metadata: {} })), [], 'not ours')
  deepEqual(stripe.webhook.read(event(refund)), [{ is: 'outcome', of: [{ request_id: 'REQ4' }], outcome: 'ask' }])
  const [failed] = stripe.webhook.read(event({ ...refund, status: 'failed', failure_reason: 'expired_or_canceled_card' }))
  ok(failed && 'outcome' in failed && failed.outcome !== 'ask' && failed.outcome.is === 'declined')
  equal(failed.outcome.processor_code, 'expired_or_canceled_card')
  for (const raw of ['{}', 'null', '[1]', '{"object":"event","data":{"object":{"object":"customer"}}}'])
    deepEqual(stripe.webhook.read(Buffer.from(raw)), [])
})

const setup = { id: 'seti_1', object: 'setup_intent', status: 'requires_confirmation', metadata: { request_id: 'REQ1' } }
const setUpAsk = {
  ...ask,
  money: { amount: 0, currency: 'USD' },
  stored_credential: { is: 'made', usage: 'off_session', customer: 'shop_ada' },
} as const
const made = [{ id: 'pm_1', object: 'payment_method' }, { id: 'cus_1', object: 'customer' }, setup].map(body => replied(200, body))

test('a card is set up without an amount, and the id of its setup intent is stored before it is confirmed', () => {
  const { lines, requests, outcome } = rehearse(stripe.setUp(setUpAsk, account), [
    ...made,
    replied(200, { ...setup, status: 'succeeded', payment_method: 'pm_1', customer: 'cus_1' }),
  ])
  deepEqual(
    lines.map(line => (typeof line === 'string' ? line.replace('https://api.stripe.com/v1', '') : line)),
    [
      { customer: 'known' },
      'POST /payment_methods',
      'POST /customers',
      { customer: 'called', reference: 'cus_1' },
      'POST /setup_intents',
      { note: 'seti_1' },
      'POST /setup_intents/seti_1/confirm',
    ],
  )
  deepEqual(
    requests.map(({ headers }) => headers['idempotency-key']),
    [undefined, 'REQ1-customer', 'REQ1-setup', 'REQ1'],
  )
  deepEqual(outcome, {
    is: 'done',
    reference: 'seti_1',
    request_id: 'REQ1',
    amount: { amount: 0, currency: 'USD' },
    captured: null,
    facts: { connector_mandate_id: 'pm_1', connector_customer_id: 'cus_1' },
  })
})

test('a customer known to Stripe is updated and reused, and one deleted there is created again', () => {
  const known = { reference: 'cus_7', name: 'Ada Byron', email: 'ada@shop.example' }
  const requestsOf = (...replies: Reply[]) => {
    const { requests, lines } = rehearse(stripe.setUp(setUpAsk, account), replies, undefined, known)
    const posts = requests.slice(1, -1).map(({ url, body, headers }) => [url.split('/v1/')[1], headers['idempotency-key'], body])
    return { posts, called: lines.filter(line => typeof line === 'object' && 'customer' in line && line.customer === 'called') }
  }
  const [method, customer] = made
  const form = 'name=Ada%20Byron&email=ada%40shop.example&metadata%5Bcustomer%5D=shop_ada'
  const again = requestsOf(method!, replied(200, { id: 'cus_7', object: 'customer' }), silence)
  deepEqual([again.posts, again.called], [[['customers/cus_7', undefined, form]], []])
  const gone = { error: { type: 'invalid_request_error', code: 'resource_missing', message: "No such customer: 'cus_7'" } }
  const anew = requestsOf(method!, replied(404, gone), customer!, silence)
  deepEqual(
    anew.posts.map(([path, key]) => [path, key]),
    [
      ['customers/cus_7', undefined],
      ['customers', 'REQ1-customer-anew'],
    ],
  )
  deepEqual(anew.called, [{ customer: 'called', reference: 'cus_1' }])
})

test('a card set-up ends in a challenge, a decline, an unknown result, or a result that arrives later', () => {
  const outcomeOf = (reply: Reply) => rehearse(stripe.setUp(setUpAsk, account), [...made, reply]).outcome
  const url = 'https://hooks.stripe.com/3d_secure_2'
  const challenged = { ...setup, status: 'requires_action', next_action: { type: 'redirect_to_url', redirect_to_url: { url } } }
  deepEqual(outcomeOf(replied(200, challenged)), { is: 'waiting', reference: 'seti_1', next_action: { type: 'redirect_to_url', url } })
  const no = { type: 'card_error', code: 'card_declined', decline_code: 'lost_card', message: 'No.', setup_intent: setup }
  const declined = outcomeOf(replied(402, { error: no }))
  deepEqual(declined.is === 'declined' && [declined.reference, declined.code], ['seti_1', 'lost_card'])
  equal(outcomeOf(silence).is, 'unknown')
  for (const reply of [silence, notSent]) equal(rehearse(stripe.setUp(setUpAsk, account), [reply]).outcome.is, 'not_sent')
  const sync = (reference: string | null, ...replies: Reply[]) =>
    rehearse(
      stripe.sync({ verb: 'authorize', request_id: 'REQ1', reference, money: setUpAsk.money, authorization: null }, account),
      replies,
    ).outcome
  equal(sync(null).is, 'not_found', 'what has no name was never confirmed')
  equal(sync('seti_1', replied(200, setup)).is, 'not_found')
  equal(sync('seti_1', replied(200, { ...setup, status: 'succeeded' })).is, 'done')
  equal(sync('seti_1', replied(200, { ...setup, status: 'requires_payment_method', last_setup_error: no })).is, 'declined')
  equal(sync('seti_1', silence).is, 'unknown')
  const gone = { request_id: 'REQ2', authorization: { reference: 'seti_1', request_id: 'REQ1' }, money: setUpAsk.money }
  equal(rehearse(stripe.void(gone, account), [replied(200, { ...setup, status: 'canceled' })]).outcome.is, 'done')
})

const transfer = { id: 'tr_1', object: 'transfer', amount: 500, currency: 'usd', metadata: { request_id: 'REQ7' }, reversed: false }
const paysOut = (more: Partial<RequestOf<'payout'>>, ...replies: Parameters<typeof rehearse>[1]) =>
  rehearse(stripe.payout({ ...payoutAsk, ...more }, account), replies)

test('a payout to a connected account is one transfer, with our idempotency key and its own transfer group', () => {
  const { requests, outcome } = paysOut({}, replied(200, transfer))
  deepEqual([requests[0]!.url, requests[0]!.headers['idempotency-key']], ['https://api.stripe.com/v1/transfers', 'REQ7'])
  deepEqual(Object.fromEntries(new URLSearchParams(requests[0]!.body)), {
    amount: '500',
    currency: 'usd',
    destination: 'acct_1Nnlp9GPxmnHQRkJ',
    description: 'March',
    transfer_group: 'REQ7',
    'metadata[request_id]': 'REQ7',
  })
  deepEqual(outcome, { is: 'done', reference: 'tr_1', request_id: 'REQ7', amount: payoutAsk.money, captured: null, facts: {} })
})

test('a transfer that Stripe refuses has moved nothing; one without a known result is searched for, and a lost response is not a decline', () => {
  const error = (code: string, type = 'invalid_request_error') => ({ error: { type, code, message: 'No.' } })
  const rows: [Parameters<typeof rehearse>[1], string, string?][] = [
    [[replied(400, error('balance_insufficient'))], 'declined', 'insufficient_funds'],
    [[replied(400, error('insufficient_capabilities_for_transfer'))], 'declined', 'recipient_ineligible'],
    [[replied(400, error('resource_missing'))], 'declined', 'invalid_request'],
    [[silence], 'unknown'],
    [[replied(500, ''), replied(200, { object: 'list', data: [transfer] })], 'done'],
    [[replied(500, ''), replied(200, { object: 'list', data: [] })], 'unknown'],
    [[replied(409, error('idempotency_key_in_use', 'idempotency_error'))], 'unknown'],
    [[replied(400, error('key_reused', 'idempotency_error')), silence], 'unknown'],
  ]
  for (const [replies, is, code] of rows) {
    const { outcome } = paysOut({}, ...replies)
    deepEqual([outcome.is, outcome.is === 'declined' ? outcome.code : undefined], [is, code])
  }
  const named = (psp_token: string) => ({ ...payoutAsk.recipient, account: new Secret(psp_token) }) as RequestOf<'payout'>['recipient']
  for (const token of ['ba_1', 'acct_', 'acct_1/../x']) {
    const { requests, outcome } = paysOut({ recipient: named(token) })
    deepEqual([requests.length, outcome.is], [0, 'declined'])
  }
})

test('a transfer is found by its id or its transfer group, and a reversed one has come back', () => {
  const about = { verb: 'payout', request_id: 'REQ7', reference: 'tr_1', money: payoutAsk.money, authorization: null } as const
  const look = (more: object) => rehearse(stripe.sync(about, account), [replied(200, { ...transfer, ...more })]).outcome
  equal(look({}).is, 'done')
  const back = look({ reversed: true })
  equal(back.is === 'declined' && back.after_yes, true)
  const listed = (...data: object[]) =>
    rehearse(stripe.sync({ ...about, reference: null }, account), [replied(200, { object: 'list', data })])
  equal(listed(transfer).requests[0]!.url, 'https://api.stripe.com/v1/transfers?transfer_group=REQ7&limit=10')
  deepEqual(
    [listed(transfer).outcome.is, listed().outcome.is, listed(transfer, transfer).outcome.is, listed({ id: 1 }).outcome.is],
    ['done', 'not_found', 'unknown', 'unknown'],
  )
  const event = { id: 'evt_1', object: 'event', type: 'transfer.reversed', data: { object: { ...transfer, reversed: true } } }
  deepEqual(stripe.webhook.read(Buffer.from(JSON.stringify(event))), [{ is: 'outcome', of: [{ request_id: 'REQ7' }], outcome: 'ask' }])
})
