import { type Currency, currencies } from '../../src/base/currencies.ts'
import type { Specimen } from './specimen.ts'

const bridged = {
  request_id: 'REQ1',
  type: 'authorize',
  status: 'approved',
  reference: 'their_1',
  amount: 1250,
  currency: 'USD',
  captured: 0,
  held: 1250,
  hold_until: '2026-03-08T10:00:00Z',
  decline: null,
  action: null,
  network_transaction_id: '123456789012345',
  authorization_code: 'A1B2C3',
  eci: '07',
  avs_result: 'Y',
  cvc_result: 'M',
  arn: null,
}
const bridgeError = (code: string) => ({ error: { code, message: 'No.' } })

const major = (amount: number, currency: Currency): number => Number(`${amount}e-${currencies[currency]}`)

const deposit = {
  id: 'their_1',
  referenceId: 'REQ1',
  paymentType: 'DEPOSIT',
  state: 'COMPLETED',
  amount: 12.5,
  currency: 'USD',
  redirectUrl: null,
  errorCode: null,
  externalResultCode: null,
}
const payadmitSays = (result: object) => ({ timestamp: '2026-03-01T10:00:00Z', status: 200, result })
const payadmitError = (status: number): [number, object] => [status, { timestamp: '2026-03-01T10:00:00Z', status, message: 'No.' }]

const order = { order_id: 'REQ1', status: 2, amount: 1250, currency: 'USD', form_url: null, description: 'Paid' }

const invoice = (more: object = {}) => ({
  data: {
    id: 'their_1',
    type: 'payment-invoices',
    attributes: { reference_id: 'REQ1', status: 'processed', amount: 12.5, currency: 'USD', flow_data: {}, ...more },
  },
})
const corefyError = (status: number): [number, object] => [status, { errors: [{ status: String(status), title: 'No.' }] }]

const transaction = {
  transactionId: 'their_1',
  externalReference: 'REQ1',
  status: 'SUCCESSFUL',
  amount: 12.5,
  currency: 'USD',
  redirectUrl: null,
}
const honeycoinSays = (data: object) => ({ success: true, data })

const collection = {
  responseDetails: { responseCode: '00', responseMessage: 'SUCCESSFUL' },
  transactionReference: 'REQ1',
  transactionId: 'their_1',
  transactionAmount: '12.50',
  transactionCurrency: 'USD',
  redirectionRequired: false,
  redirectionUrl: null,
}

/** Those of the specification's processors. */
export const processorSpecimens: Record<string, Specimen> = {
  bridge: {
    answers: {
      authorize: bridged,
      capture: { ...bridged, type: 'capture' },
      void: { ...bridged, type: 'void' },
      refund: { ...bridged, type: 'refund' },
      payout: { ...bridged, type: 'payout' },
    },
    errors: [
      [400, bridgeError('invalid_request')],
      [401, bridgeError('unauthorized')],
      [404, bridgeError('not_found')],
      [409, bridgeError('conflict')],
      [422, bridgeError('not_allowed')],
      [422, bridgeError('not_supported')],
      [429, bridgeError('slow_down')],
    ],
  },
  payadmit: {
    answers: {
      authorize: payadmitSays(deposit),
      refund: payadmitSays({ ...deposit, paymentType: 'REFUND' }),
      payout: payadmitSays({ ...deposit, paymentType: 'WITHDRAWAL' }),
    },
    errors: [400, 401, 403, 404, 422].map(payadmitError),
    listed: payadmitSays([deposit]),
    authorized: (amount, currency) => payadmitSays({ ...deposit, amount: major(amount, currency), currency }),
  },
  maguapay: {
    answers: { authorize: order, refund: { ...order, order_id: 'REQ0' }, payout: order },
    errors: [400, 401, 403, 422].map((status): [number, object] => [status, { error: 'No.' }]),
    harmless: /\/check$/,
    askedByPayment: true,
  },
  honeycoin: {
    answers: { authorize: honeycoinSays(transaction), payout: honeycoinSays(transaction) },
    errors: [400, 403, 404, 422].map((status): [number, object] => [status, { success: false, message: 'No.' }]),
    names: ['key1'],
    authorized: (amount, currency) => honeycoinSays({ ...transaction, amount: major(amount, currency), currency }),
  },
  fiftyfourpay: {
    answers: { authorize: collection, payout: { ...bridged, type: 'payout' } },
    keyed: ['payout'],
    errors: [],
    names: ['key1'],
    unsigned: true,
    authorized: (amount, currency) => ({
      ...collection,
      transactionAmount: String(major(amount, currency)),
      transactionCurrency: currency,
    }),
  },
  milkypay: {
    before: { authorize: [invoice({ status: 'created', flow_data: { metadata: { token: 'opens_it' } } })] },
    harmless: /\/payment-invoices$/,
    amountIn: /\/pay(ment|out)-invoices$/,
    made: ['payout'],
    answers: { authorize: invoice(), payout: { data: { ...invoice().data, type: 'payout-invoices' } } },
    errors: [400, 401, 403, 404, 422].map(corefyError),
    unsigned: true,
    authorized: (amount, currency) => invoice({ amount: major(amount, currency), currency }),
  },
}
