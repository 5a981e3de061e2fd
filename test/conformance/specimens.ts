import { connectors } from '../../src/connectors/all.ts'
import { inProcessorUnits } from '../../src/connectors/counting.ts'
import type { Specimen } from './specimen.ts'
import { processorSpecimens } from './specimens-of-specification.ts'

/** One good answer of each kind of every connector. One without them does not pass. */

const operation = {
  id: 'auth_1',
  object: 'operation',
  type: 'authorization',
  payment: 'auth_1',
  reference: 'REQ1',
  status: 'approved',
  amount: 1250,
  currency: 'USD',
  decline: null,
  redirect_url: null,
  payment_state: { status: 'authorized', authorized: 1250, captured: 0, refunded: 0 },
  network_transaction_id: '123456789012345',
  authorization_code: 'A1B2C3',
  eci: '07',
  avs_result: 'Y',
  cvc_result: 'M',
  arn: null,
  hold_expires_at: '2026-03-08T10:00:00.000Z',
}
const error = (code: string) => ({ error: { code, message: 'No.', param: null } })

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

const adyenError = (status: number, errorCode: string, errorType = 'validation'): [number, object] => [
  status,
  { status, errorCode, message: 'No.', errorType, pspReference: '8516091485743033' },
]
const adyenReceived = { merchantAccount: 'Shop', pspReference: 'QFQTPCQ8HXSKGK82', status: 'received', reference: 'REQ1' }

export const specimens: Record<string, Specimen> = {
  ...processorSpecimens,
  stripe: {
    before: { authorize: [{ id: 'pm_1', object: 'payment_method' }] },
    harmless: /\/v1\/payment_methods$/,
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
      const theirs = inProcessorUnits(connectors.stripe!.accepts.counting!, { amount, currency }) as number
      const card = { ...intent.latest_charge.payment_method_details.card, amount_authorized: theirs }
      const latest_charge = { ...intent.latest_charge, payment_method_details: { card } }
      return { ...intent, amount: theirs, amount_capturable: theirs, currency: currency.toLowerCase(), latest_charge }
    },
  },
  adyen: {
    answers: {
      authorize: {
        pspReference: '993617895204576J',
        resultCode: 'Authorised',
        merchantReference: 'REQ1',
        amount: { value: 1250, currency: 'USD' },
        additionalData: { authCode: '044925', cvcResult: '1 Matches', refusalReasonRaw: 'AUTHORISED', eci: '07' },
      },
      capture: { ...adyenReceived, paymentPspReference: 'auth_1' },
      void: { ...adyenReceived, paymentReference: 'REQ0' },
      refund: { ...adyenReceived, paymentPspReference: 'auth_1' },
      increment: { ...adyenReceived, paymentPspReference: 'auth_1' },
      extend: { ...adyenReceived, paymentPspReference: 'auth_1' },
      post_capture_void: { ...adyenReceived, paymentPspReference: 'auth_1' },
    },
    received: { status: 201, verbs: ['capture', 'void', 'refund', 'increment', 'extend', 'post_capture_void'] },
    names: ['key1'],
    errors: [
      adyenError(400, '702'),
      adyenError(401, '000', 'security'),
      adyenError(403, '901', 'security'),
      adyenError(422, '101'),
      adyenError(429, '429'),
    ],
    authorized: (amount, currency) => ({
      pspReference: '993617895204576J',
      resultCode: 'Authorised',
      merchantReference: 'REQ1',
      amount: { value: amount, currency },
    }),
  },
  phonypay: {
    answers: {
      authorize: operation,
      capture: { ...operation, id: 'cap_1', type: 'capture' },
      void: { ...operation, id: 'void_1', type: 'void' },
      refund: { ...operation, id: 'ref_1', type: 'refund' },
      increment: { ...operation, id: 'inc_1', type: 'increment' },
      extend: { ...operation, id: 'ext_1', type: 'extension' },
      post_capture_void: {
        ...operation,
        id: 'rev_1',
        type: 'reversal',
        payment_state: { status: 'captured', authorized: 1250, captured: 1250, refunded: 1250 },
      },
      payout: { ...operation, type: 'payout' },
      cancel_payout: { ...operation, id: 'pcan_1', type: 'payout_cancel' },
    },
    errors: [
      [400, error('invalid_request')],
      [401, error('unauthorized')],
      [404, error('not_found')],
      [409, error('duplicate_reference')],
      [422, error('not_allowed')],
      [429, error('slow_down')],
    ],
  },
}
