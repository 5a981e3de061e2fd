import type { Currency } from '../../../src/base/currencies.ts'
import { majorOf } from '../../../src/connectors/kit/decimal.ts'
import type { Specimen } from '../specimen.ts'

const money = (amount: number, currency: Currency) => ({ value: majorOf({ amount, currency }), currencyCode: currency })
const answered = {
  processorResponse: {
    legacyCode: '1000',
    message: 'Approved',
    cvvResponse: 'MATCHES',
    avsPostalCodeResponse: 'MATCHES',
    avsStreetAddressResponse: 'MATCHES',
    authorizationId: 'A1B2C3',
  },
  networkResponse: { code: '00', message: 'Successful approval' },
}
const made = (status: string, amount = 1250, currency: Currency = 'USD', ...later: string[]) => {
  const of = money(amount, currency)
  const steps = [...later, status === 'AUTHORIZED' ? [] : [status]].flat().map(word => ({ status: word, source: 'API', amount: of }))
  return {
    __typename: 'Transaction',
    id: 'auth_1',
    orderId: 'REQ1',
    status,
    amount: of,
    statusHistory: [...steps.toReversed(), { status: 'AUTHORIZED', source: 'API', amount: of, ...answered }],
    paymentMethodSnapshot: { networkTransactionId: '123456789012345' },
    paymentMethod: null,
  }
}
const reply = (name: string, answer: object) => ({ data: { [name]: answer }, extensions: { requestId: 'a-uuid' } })
const back = { __typename: 'Refund', id: 'refund_1', orderId: 'REQ1', status: 'SETTLED', amount: money(1250, 'USD') }
const refund = { ...back, statusHistory: [{ status: 'SETTLED', source: 'API', amount: back.amount }] }
/** The mutations that authorize and charge: Braintree has one for each kind of instrument. */
const kinds = ['CreditCard', 'PayPalAccount', 'VenmoAccount'].flatMap(kind => [`authorize${kind}`, `charge${kind}`])
const authorized = (amount = 1250, currency: Currency = 'USD') => ({
  data: Object.fromEntries(kinds.map(name => [name, { transaction: made('AUTHORIZED', amount, currency) }])),
  extensions: { requestId: 'a-uuid' },
})
const settled = { ...made('SETTLED', 1250, 'USD', 'SUBMITTED_FOR_SETTLEMENT'), refunds: [] }

/** Returns an error answer. Braintree's errors have status 200. */
const error = (errorClass: string, legacyCode?: string): [number, object] => [
  200,
  {
    data: null,
    errors: [{ message: 'No.', extensions: { errorClass, errorType: 'developer_error', ...(legacyCode && { legacyCode }) } }],
    extensions: { requestId: 'a-uuid' },
  },
]

export const specimen: Specimen = {
  names: ['key1'],
  keyIn: /"(?:apiRequestKey|clientMutationId)":"(\w+)"/,
  harmlessBody: /"query":"(?:query|mutation [^{]*\{ (?:tokenize|createCustomer|updateCustomer))/,
  ways: [
    { family: 'wallet', way: 'paypal_sdk' },
    { family: 'wallet', way: 'venmo_sdk' },
    { family: 'wallet', way: 'apple_pay_third_party_sdk' },
    { family: 'wallet', way: 'google_pay_third_party_sdk' },
  ],
  owner: [reply('createCustomer', { customer: { id: 'customer_1' } })],
  before: { authorize: [reply('tokenizeCreditCard', { paymentMethod: { id: 'token_1' } })], refund: [reply('node', settled)] },
  codeMadeKnown: [reply('tokenizeCvv', { tokenizedCvv: { id: 'code_1' } })],
  answers: {
    authorize: authorized(),
    capture: reply('captureTransaction', { transaction: made('SUBMITTED_FOR_SETTLEMENT') }),
    increment: reply('updateTransactionAmount', { transaction: made('AUTHORIZED') }),
    void: reply('reverseTransaction', { reversal: made('VOIDED') }),
    post_capture_void: reply('reverseTransaction', { reversal: made('VOIDED', 1250, 'USD', 'SUBMITTED_FOR_SETTLEMENT') }),
    refund: reply('refundTransaction', { refund }),
  },
  errors: [
    error('VALIDATION', '81715'),
    error('VALIDATION', '915233'),
    error('AUTHENTICATION'),
    error('AUTHORIZATION'),
    error('NOT_FOUND'),
    error('RESOURCE_LIMIT'),
  ],
  authorized,
}
