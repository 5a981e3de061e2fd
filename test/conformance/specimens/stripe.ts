import { inProcessorUnits } from '../../../src/connectors/counting.ts'
import { counting } from '../../../src/connectors/stripe/common.ts'
import { stripeOffers } from '../../../src/connectors/stripe/offers.ts'
import type { Specimen } from '../specimen.ts'

const intent = {
  id: 'auth_1',
  object: 'payment_intent',
  status: 'requires_capture',
  amount: 1250,
  amount_capturable: 1250,
  amount_received: 0,
  currency: 'usd',
  metadata: { request_id: 'REQ1' },
  next_action: null,
  last_payment_error: null,
  latest_charge: {
    id: 'ch_1',
    object: 'charge',
    outcome: { network_decline_code: null, network_advice_code: null, advice_code: null },
    payment_method_details: {
      card: {
        amount_authorized: 1250,
        authorization_code: 'A1B2C3',
        capture_before: 1772000000,
        checks: { address_line1_check: 'pass', address_postal_code_check: 'pass', cvc_check: 'pass' },
        network_transaction_id: '123456789012345',
        three_d_secure: { electronic_commerce_indicator: '05' },
      },
    },
  },
}
const stripeError = (type: string, code: string) => ({ error: { type, code, message: 'No.', param: null } })
const captured = { ...intent, status: 'succeeded', amount_capturable: 0, amount_received: 1250 }

/** The token of Stripe that a wallet's own library has made from a card. */
const gateway = { tokenization_data: { type: 'PAYMENT_GATEWAY', token: '{"id":"tok_unspeakable_google","object":"token"}' } }
const tokens: Readonly<Record<string, { said?: object; first: true | 'owner' }>> = {
  apple_pay_third_party_sdk: { said: { token: 'tok_unspeakable_apple' }, first: true },
  google_pay: { said: gateway, first: true },
  google_pay_third_party_sdk: { said: { token: 'tok_unspeakable_google' }, first: true },
  ...Object.fromEntries(['sepa', 'ach', 'bacs'].map(scheme => [`${scheme}_bank_transfer`, { first: 'owner' }])),
}

export const specimen: Specimen = {
  ways: Object.values(stripeOffers).flatMap(({ family, ways }) => ways.map(way => ({ family, way, ...tokens[way] }))),
  before: { authorize: [{ id: 'pm_1', object: 'payment_method' }] },
  owner: [{ id: 'cus_1', object: 'customer' }],
  harmless: /\/v1\/(?:payment_methods|customers)$/,
  answers: {
    authorize: intent,
    capture: { ...captured, metadata: { request_id: 'REQ0', capture_REQ1: '1250' } },
    increment: { ...intent, metadata: { request_id: 'REQ0', increment_REQ1: '1250' } },
    void: { ...intent, status: 'canceled', amount_capturable: 0 },
    refund: {
      id: 're_1',
      object: 'refund',
      status: 'succeeded',
      amount: 1250,
      currency: 'usd',
      metadata: { request_id: 'REQ1' },
      failure_reason: null,
      destination_details: { card: { reference: '12345678901234567890123', reference_type: 'acquirer_reference_number' } },
    },
    payout: { id: 'tr_1', object: 'transfer', amount: 1250, currency: 'usd', metadata: { request_id: 'REQ1' }, reversed: false },
  },
  errors: [
    [400, stripeError('invalid_request_error', 'parameter_unknown')],
    [401, stripeError('invalid_request_error', 'api_key_expired')],
    [402, { error: { ...stripeError('card_error', 'card_declined').error, decline_code: 'generic_decline', payment_intent: intent } }],
    [403, stripeError('invalid_request_error', 'secret_key_required')],
    [404, stripeError('invalid_request_error', 'resource_missing')],
    [409, stripeError('idempotency_error', 'idempotency_key_in_use')],
    [429, stripeError('rate_limit_error', 'rate_limit')],
  ],
  authorized(amount, currency) {
    const units = inProcessorUnits(counting, { amount, currency }) as number
    const card = { ...intent.latest_charge.payment_method_details.card, amount_authorized: units }
    const latest_charge = { ...intent.latest_charge, payment_method_details: { card } }
    return { ...intent, amount: units, amount_capturable: units, currency: currency.toLowerCase(), latest_charge }
  },
}
