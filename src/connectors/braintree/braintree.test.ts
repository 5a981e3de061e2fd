import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { test } from 'node:test'
import braintreeSdk from 'braintree'
import { getVariableValues, type OperationDefinitionNode, parse, validate } from 'graphql'
import { schema } from '../../../sandbox/dialects/braintree-schema.ts'
import { accountAt, cardAsk, holds, type Row } from '../../../test/card-ask.ts'
import { notSent, rehearse, replied, silence } from '../../../test/rehearse.ts'
import { Secret } from '../../base/secret.ts'
import type { Reply, Request } from '../../context.ts'
import type { AuthorizeRequest, ContestRequest, SyncRequest } from '../connector.ts'
import { braintree } from './connector.ts'
import { keyErrors, validationCodes } from './declines.ts'
import { documents, textsDocument } from './documents.ts'
import type { BraintreeTakes } from './requests.ts'

const account = accountAt(
  'https://payments.braintree-api.com',
  { api_key: 'public_1', key1: 'shop', api_secret: 'private_1' },
  { merchant_accounts: 'USD=shop_usd,JPY=shop_jpy' },
)
const money = { amount: 1250, currency: 'USD' } as const
const of = (value = '12.50') => ({ value, currencyCode: 'USD' })
const step = (status: string, more: object = {}) => ({
  status,
  source: 'API',
  timestamp: '2026-03-01T10:00:00.000Z',
  amount: of(),
  ...more,
})
const approved = { processorResponse: { legacyCode: '1000', cvvResponse: 'MATCHES', authorizationId: '643381' } }
const made = (status: string, more: object = {}, ...steps: object[]) => ({
  ...{ __typename: 'Transaction', id: 'dHJhbnNhY3Rpb25fMQ', orderId: 'REQ1', status, amount: of() },
  statusHistory: [...steps, step('AUTHORIZED', approved)],
  paymentMethodSnapshot: { networkTransactionId: '638284745624527' },
  paymentMethod: null,
  ...more,
})
const submitted = made('SUBMITTED_FOR_SETTLEMENT', {}, step('SUBMITTED_FOR_SETTLEMENT'))
const success = (name: string, answer: object): Reply => replied(200, { data: { [name]: answer }, extensions: { requestId: 'a-uuid' } })
const failed = (errorClass: string, legacyCode?: string): Reply =>
  replied(200, { data: null, errors: [{ message: 'No.', extensions: { errorClass, ...(legacyCode && { legacyCode }) } }] })
const token = success('tokenizeCreditCard', { paymentMethod: { id: 'tokencc_1' } })
const charged = success('chargeCreditCard', { transaction: submitted })
const back = (status: string, more: object = {}) => ({
  ...{ __typename: 'Refund', id: 'cmVmdW5kXzE', orderId: 'REQ2', status, amount: of('5.00'), statusHistory: [step(status)], ...more },
})

/** Gives the variables of a request, after its document and its variables were validated against the schema. */
function variablesOf({ body }: Request) {
  const { query, variables } = JSON.parse(body!)
  const document = parse(query)
  deepEqual(validate(schema, document), [])
  const { variableDefinitions = [] } = document.definitions[0] as OperationDefinitionNode
  const { errors } = getVariableValues(schema, variableDefinitions, variables)
  deepEqual(errors ?? [], [])
  return variables
}
const ask = (more: Partial<AuthorizeRequest<BraintreeTakes>> = {}): AuthorizeRequest<BraintreeTakes> => ({ ...cardAsk(), ...more })
const inputOf = (more: Partial<AuthorizeRequest<BraintreeTakes>> = {}) =>
  variablesOf(rehearse(braintree.authorize(ask(more), account), [token, charged]).requests.at(-1)!).input

test('every GraphQL document matches the schema, and every error code is in the vendor’s own list', () => {
  for (const [name, document] of Object.entries({ ...documents, texts: textsDocument(3) }))
    deepEqual(validate(schema, parse(document)), [], name)
  const vendorCodes = JSON.stringify({ ...(braintreeSdk as unknown as { ValidationErrorCodes: object }).ValidationErrorCodes })
  for (const code of [...Object.keys(validationCodes), ...keyErrors]) ok(vendorCodes.includes(`"${code}"`), code)
})

test('a card is exchanged for a single-use token, and the charge has only the token and our idempotency key', () => {
  const { requests, outcome } = rehearse(braintree.authorize(ask(), account), [token, charged])
  deepEqual(
    requests.map(({ method, url }) => [method, url]),
    Array(2).fill(['POST', 'https://payments.braintree-api.com/graphql']),
  )
  deepEqual(requests[1]!.headers, {
    authorization: `Basic ${Buffer.from('public_1:private_1').toString('base64')}`,
    'braintree-version': '2019-01-01',
    'content-type': 'application/json',
  })
  deepEqual(variablesOf(requests[0]!).input, {
    creditCard: { number: '4242424242424242', expirationMonth: '03', expirationYear: '2040', cvv: '737' },
  })
  deepEqual(variablesOf(requests[1]!).input, {
    apiRequestKey: 'REQ1',
    paymentMethodId: 'tokencc_1',
    transaction: { amount: '12.50', merchantAccountId: 'shop_usd', orderId: 'REQ1' },
  })
  deepEqual(outcome, {
    is: 'done',
    reference: 'dHJhbnNhY3Rpb25fMQ',
    request_id: 'REQ1',
    amount: money,
    captured: money,
    facts: { network_transaction_id: '638284745624527', authorization_code: '643381', cvc_result: 'M' },
  })
})

test('a payment in a currency without a merchant account sends nothing, not even the card', () => {
  const { requests, outcome } = rehearse(braintree.authorize(ask({ money: { amount: 1250, currency: 'EUR' } }), account), [])
  deepEqual([requests, outcome.is], [[], 'not_sent'])
})

test('a card that is not tokenized is not charged; a lost response to the charge gives an unknown outcome', () => {
  const after = (...replies: Reply[]) => rehearse(braintree.authorize(ask(), account), replies).outcome
  for (const reply of [silence, notSent, replied(502, '<html>'), failed('INTERNAL')]) equal(after(reply).is, 'not_sent')
  deepEqual(after(failed('VALIDATION', '81715')), {
    ...{ is: 'declined', reference: null, code: 'incorrect_number', processor_code: '81715', message: 'No.', facts: {} },
  })
  for (const reply of [silence, failed('INTERNAL'), failed('SERVICE_AVAILABILITY'), failed('VALIDATION'), failed('VALIDATION', '915233')])
    equal(after(token, reply).is, 'unknown', JSON.stringify(reply))
  equal(after(token, failed('RESOURCE_LIMIT')).is, 'later')
  equal(after(token, failed('AUTHENTICATION')).is, 'declined')
  const { body } = failed('AUTHENTICATION') as Extract<Reply, { is: 'reply' }>
  deepEqual(
    [401, 500].map(status => after(token, replied(status, JSON.parse(body))).is),
    ['declined', 'unknown'],
  )
})

test('a response with errors is still used if its transaction is complete', () => {
  const errors = [{ message: 'A part could not be read.', extensions: { errorClass: 'INTERNAL' } }]
  const both = (transaction: object | null) => replied(200, { data: { chargeCreditCard: { transaction } }, errors })
  equal(rehearse(braintree.authorize(ask(), account), [token, both(submitted)]).outcome.is, 'done')
  equal(rehearse(braintree.authorize(ask(), account), [token, both({ ...submitted, amount: null })]).outcome.is, 'unknown')
})

const cavv = 'AgAAAAAAAIR8CQrXcIhbQAAAAAA='
const proof = { status: 'Y', eci: '05', cavv: new Secret(cavv), ds_transaction_id: 'ds-1', version: '2.2.0' } as const

test('later charges name their initiator; 3-D Secure data, exemptions and purchase details are sent', () => {
  const used = { stored_credential: { is: 'used', mit_category: 'recurring', customer: null } } as const
  const stored = { is: 'stored_card', reference: 'paymentmethod_1', customer: null, cvc: null } as const
  const { requests } = rehearse(braintree.authorize(ask({ ...used, instrument: stored }), account), [charged])
  const kept = variablesOf(requests[0]!).input
  deepEqual([kept.paymentMethodId, kept.transaction.paymentInitiator], ['paymentmethod_1', 'RECURRING'])
  const agreed = {
    is: 'network_transaction_id',
    number: new Secret('4242424242424242'),
    exp_month: 3,
    exp_year: 2040,
    holder: null,
  } as const
  const elsewhere = inputOf({ ...used, instrument: { ...agreed, network_transaction_id: '638284745624527' } })
  deepEqual(elsewhere.options.externalVault, { status: 'VAULTED', verifyingNetworkTransactionId: '638284745624527' })
  deepEqual(inputOf({ stored_credential: { ...agrees, store: false } }).options, { externalVault: { status: 'WILL_VAULT' } })
  equal(inputOf({ channel: 'mail_order' }).transaction.paymentInitiator, 'MOTO')
  deepEqual(inputOf({ three_ds_result: proof }).options.threeDSecureAuthentication.passThrough, {
    ...{ eciFlag: '05', cavv, version: '2.2.0', authenticationResponse: 'Y', directoryServerResponse: 'Y' },
    directoryServerTransactionId: 'ds-1',
  })
  deepEqual(inputOf({ exemption: 'low_value' }).options, { scaExemption: 'LOW_VALUE' })
  const purchase = {
    buyer: { email: 'ada@example.com' },
    billing: { line1: '1 High St', city: 'London', zip: 'N1 9GU', country: 'GB' as const },
    shipping: { line1: '2 Low St', country: 'GB' as const },
    browser: { ip_address: '203.0.113.7', user_agent: 'Mozilla/5.0' },
    order_reference: 'order-1',
  }
  const { transaction, options } = inputOf({ purchase, installments: 3 })
  deepEqual(
    [transaction.purchaseOrderNumber, transaction.customerDetails, transaction.riskData, transaction.shipping.shippingAddress],
    [
      'order-1',
      { email: 'ada@example.com' },
      { customerBrowser: 'Mozilla/5.0', customerIp: '203.0.113.7' },
      { addressLine1: '2 Low St', countryCode: 'GB' },
    ],
  )
  deepEqual([options.installmentCount, options.billingAddress.postalCode], [3, 'N1 9GU'])
  equal(inputOf({ statement_descriptor: 'CHAIRS' }).transaction.descriptor, undefined, 'Braintree takes none of that form')
  deepEqual(inputOf({ statement_descriptor: 'CHR*TWO CHAIRS' }).transaction.descriptor, { name: 'CHR*TWO CHAIRS' })
})

const agrees = { is: 'made', usage: 'off_session', customer: 'ada' } as const
const buyer = { name: 'Ada King Byron', email: 'ada@example.com', phone: '+4712345678' }
const called = ({ lines }: Pick<ReturnType<typeof rehearse>, 'lines'>) =>
  lines.flatMap(line => (typeof line === 'object' && 'reference' in line ? [line.reference] : []))
const customer = success('createCustomer', { customer: { id: 'Y3VzdG9tZXJfMQ' } })

test('a saved payment method belongs to one customer, created before the charge, updated later, and created again if deleted', () => {
  const kept = ask({ stored_credential: agrees, purchase: { buyer } })
  const first = rehearse(braintree.authorize(kept, account), [token, customer, charged])
  deepEqual(variablesOf(first.requests[1]!).input, {
    customer: { firstName: 'Ada', lastName: 'King Byron', email: 'ada@example.com', phoneNumber: '+4712345678' },
  })
  const { transaction } = variablesOf(first.requests[2]!).input
  deepEqual(transaction.vaultPaymentMethodAfterTransacting, { when: 'ON_SUCCESSFUL_TRANSACTION' })
  deepEqual([transaction.customerId, transaction.customerDetails], ['Y3VzdG9tZXJfMQ', undefined])
  deepEqual(called(first), ['Y3VzdG9tZXJfMQ'])

  const known = { reference: 'Y3VzdG9tZXJfMA' }
  const again = rehearse(
    braintree.authorize(kept, account),
    [token, success('updateCustomer', { customer: { id: 'Y3VzdG9tZXJfMA' } }), charged],
    [],
    known,
  )
  deepEqual(variablesOf(again.requests[1]!).input.customerId, 'Y3VzdG9tZXJfMA')
  equal(variablesOf(again.requests[2]!).input.transaction.customerId, 'Y3VzdG9tZXJfMA')
  const gone = rehearse(braintree.authorize(kept, account), [token, failed('NOT_FOUND'), customer, charged], [], known)
  deepEqual([gone.outcome.is, called(gone)], ['done', ['Y3VzdG9tZXJfMQ']])
  for (const no of [silence, failed('INTERNAL')])
    equal(rehearse(braintree.authorize(kept, account), [token, no]).outcome.is, 'not_sent', 'nothing has moved')
})

const wallet = (type: string, way: string, nonce: string | null = 'nonce_1') =>
  ({ is: 'wallet', type, way, open: {}, secrets: nonce === null ? {} : { token: new Secret(nonce) } }) as const

test('a wallet is charged by its single-use nonce, with the Braintree mutation of its type', () => {
  for (const [type, way, kind] of [
    ['paypal', 'paypal_sdk', 'PayPalAccount'],
    ['venmo', 'venmo_sdk', 'VenmoAccount'],
    ['apple_pay', 'apple_pay_third_party_sdk', 'CreditCard'],
    ['google_pay', 'google_pay_third_party_sdk', 'CreditCard'],
  ] as const)
    for (const capture of ['automatic', 'manual'] as const) {
      const name = `${capture === 'automatic' ? 'charge' : 'authorize'}${kind}`
      const transaction = capture === 'automatic' ? submitted : made('AUTHORIZED')
      const asked = ask({ instrument: wallet(type, way), capture, purchase: { description: 'Two chairs' } })
      const { requests, outcome } = rehearse(braintree.authorize(asked, account), [success(name, { transaction })])
      equal(outcome.is, 'done', name)
      deepEqual(variablesOf(requests[0]!).input, {
        apiRequestKey: 'REQ1',
        paymentMethodId: 'nonce_1',
        transaction: { amount: '12.50', merchantAccountId: 'shop_usd', orderId: 'REQ1' },
        ...(kind === 'PayPalAccount' && { options: { description: 'Two chairs' } }),
      })
    }
  const tried = (more: Partial<AuthorizeRequest<BraintreeTakes>>) => rehearse(braintree.authorize(ask(more), account), [])
  const nameless = tried({ instrument: wallet('google_pay', 'google_pay_third_party_sdk', null) })
  deepEqual([nameless.requests, nameless.outcome.is], [[], 'declined'])
  const exempt = tried({ instrument: wallet('paypal', 'paypal_sdk'), exemption: 'low_value' }).outcome
  ok(exempt.is === 'declined' && /^psd2_sca_exemption_type /.test(exempt.message))
  const proven = tried({ instrument: wallet('venmo', 'venmo_sdk'), three_ds_result: proof }).outcome
  ok(proven.is === 'declined' && /^three_ds_data /.test(proven.message))

  const data = { stored_credential: agrees, purchase: { extra: { device_data: '{"correlation_id":"1"}' } } }
  const kept = rehearse(braintree.authorize(ask({ instrument: wallet('venmo', 'venmo_sdk'), ...data }), account), [
    customer,
    success('chargeVenmoAccount', {
      transaction: { ...submitted, paymentMethod: { id: 'paymentmethod_v', customer: { id: 'Y3VzdG9tZXJfMQ' } } },
    }),
  ]).outcome
  ok(kept.is === 'done')
  deepEqual([kept.facts.connector_mandate_id, kept.facts.connector_customer_id], ['paymentmethod_v', 'Y3VzdG9tZXJfMQ'])
  const stored = { is: 'stored_card', reference: 'paymentmethod_v', customer: null, cvc: null, of: wallet('venmo', 'venmo_sdk') } as const
  const used = { is: 'used', mit_category: 'unscheduled', customer: 'ada' } as const
  const later = rehearse(braintree.authorize(ask({ instrument: stored, stored_credential: used, purchase: { buyer } }), account), [
    success('chargeVenmoAccount', { transaction: submitted }),
  ])
  const { input } = variablesOf(later.requests[0]!)
  deepEqual([input.paymentMethodId, input.transaction.paymentInitiator], ['paymentmethod_v', 'UNSCHEDULED'])
  equal(input.transaction.customerDetails, undefined, 'it has a customer there')
})

test('a PayPal decline has the code payment_declined, not card_declined', () => {
  const no = {
    ...made('PROCESSOR_DECLINED', { paymentMethodSnapshot: { __typename: 'PayPalTransactionDetails' } }),
    statusHistory: [step('PROCESSOR_DECLINED', { processorResponse: { legacyCode: '2999', message: 'No' } })],
  }
  const { outcome } = rehearse(braintree.sync(asked, account), [success('node', no)])
  ok(outcome.is === 'declined' && outcome.code === 'payment_declined')
})

test('a client token is created for the currency of the payment, and is refused without a merchant account for it', () => {
  const token = Buffer.from('{"version":2}').toString('base64')
  const { requests, outcome } = rehearse(braintree.client_token({ money }, account), [
    replied(200, { data: { createClientToken: { clientToken: token } } }),
  ])
  deepEqual(variablesOf(requests[0]!).input, { clientToken: { merchantAccountId: 'shop_usd' } })
  deepEqual(outcome as unknown, { is: 'done', token })
  const { outcome: none } = rehearse(braintree.client_token({ money: { ...money, currency: 'EUR' } }, account), [])
  equal(none.is, 'refused')
  equal(rehearse(braintree.client_token({ money }, account), [silence]).outcome.is, 'unknown')
})

test('3-D Secure data is sent with a card that is verified and saved; unsupported data is refused with the name of the field', () => {
  const verified = success('vaultCreditCard', {
    verification: { __typename: 'Verification', id: 'v_1', checked: 'VERIFIED', paymentMethod: { id: 'p_1', customer: { id: 'c_1' } } },
  })
  const free = { money: { ...money, amount: 0 }, stored_credential: agrees }
  const { requests, outcome } = rehearse(braintree.setUp(ask({ ...free, three_ds_result: proof }), account), [token, customer, verified])
  const { input } = variablesOf(requests[2]!)
  deepEqual([input.threeDSecurePassThrough.eciFlag, input.customerId], ['05', 'Y3VzdG9tZXJfMQ'])
  ok(outcome.is === 'done' && outcome.facts.connector_customer_id === 'c_1')
  const stored = { is: 'stored_card', reference: 'paymentmethod_1', customer: null, cvc: null } as const
  for (const [more, field] of [
    [{ instrument: stored, three_ds_result: proof }, 'three_ds_data'],
    [{ exemption: 'low_value' }, 'psd2_sca_exemption_type'],
    [{ instrument: wallet('paypal', 'paypal_sdk'), three_ds_result: proof }, 'three_ds_data'],
  ] as const) {
    const no = rehearse(braintree.setUp(ask({ ...free, ...more }), account), [])
    ok(no.requests.length === 0 && no.outcome.is === 'declined' && no.outcome.message.startsWith(field), field)
  }
})

test('a wallet is saved without a charge, and looked up by its payment method id', () => {
  const free = { money: { ...money, amount: 0 }, stored_credential: agrees, instrument: wallet('paypal', 'paypal_sdk') }
  const method = { __typename: 'PaymentMethod', id: 'paymentmethod_1', customer: { id: 'c_1' } }
  const { requests, outcome } = rehearse(braintree.setUp(ask(free), account), [
    customer,
    success('vaultPaymentMethod', { paymentMethod: method }),
  ])
  deepEqual(variablesOf(requests[1]!).input, { clientMutationId: 'REQ1', paymentMethodId: 'nonce_1', customerId: 'Y3VzdG9tZXJfMQ' })
  const facts = { connector_mandate_id: 'paymentmethod_1', connector_customer_id: 'c_1' }
  const kept = { is: 'done', reference: 'paymentmethod_1', request_id: null, amount: free.money, captured: null, facts } as const
  deepEqual(outcome, kept)
  const looked = rehearse(braintree.sync({ ...asked, money: free.money, reference: 'paymentmethod_1' }, account), [success('node', method)])
  deepEqual(looked.outcome, kept)
})

test('the security code of a saved card is exchanged for a token', () => {
  const instrument = { is: 'stored_card', reference: 'paymentmethod_1', customer: null, cvc: new Secret('737') } as const
  const { requests } = rehearse(braintree.authorize(ask({ instrument }), account), [
    success('tokenizeCvv', { tokenizedCvv: { id: 'tokencvv_1' } }),
    charged,
  ])
  deepEqual(variablesOf(requests[0]!).input, { cvv: '737' })
  equal(variablesOf(requests[1]!).input.options.tokenizedCvv, 'tokencvv_1')
})

const asked: SyncRequest = { verb: 'authorize', request_id: 'REQ1', reference: 'dHJhbnNhY3Rpb25fMQ', money, authorization: null }
const declined = (response: object, more: object = {}) => [step('PROCESSOR_DECLINED', { processorResponse: response, ...more })]

test('each transaction status gives its outcome when it is polled', () => {
  const rows: Row[] = [
    [made('AUTHORIZED'), 'done', { captured: null }],
    [submitted, 'done', { captured: money }],
    [made('SETTLED', { amount: of('5.00') }, step('SETTLED')), 'done', { amount: money, captured: { amount: 500, currency: 'USD' } }],
    [made('VOIDED', {}, step('VOIDED')), 'lapsed', {}],
    [made('VOIDED', {}, step('VOIDED'), step('SUBMITTED_FOR_SETTLEMENT')), 'done', { captured: money }],
    [made('VOIDED', {}, step('VOIDED', { source: 'CONTROL_PANEL' }), step('SUBMITTED_FOR_SETTLEMENT')), 'lapsed', {}],
    [made('AUTHORIZATION_EXPIRED'), 'lapsed', {}],
    [made('SETTLEMENT_DECLINED', {}, step('SETTLEMENT_DECLINED')), 'declined', { after_yes: true, code: 'operation_declined' }],
    [
      { ...made('PROCESSOR_DECLINED'), statusHistory: declined({ legacyCode: '2001', message: 'Insufficient Funds' }) },
      'declined',
      { code: 'insufficient_funds', processor_code: '2001', message: 'Insufficient Funds' },
    ],
    [
      { ...made('GATEWAY_REJECTED'), statusHistory: [step('GATEWAY_REJECTED', { gatewayRejectionReason: 'CVV' })] },
      'declined',
      { code: 'incorrect_cvc', processor_code: 'CVV' },
    ],
    [made('AUTHORIZING'), 'waiting', {}],
    [made('SOMETHING_NEW'), 'unknown', {}],
    [{ ...submitted, amount: { value: '12.505', currencyCode: 'USD' } }, 'unknown', {}],
  ]
  holds(rows, node => rehearse(braintree.sync(asked, account), [success('node', node)]).outcome)
})

test('a payment is found by our reference; no match is not found until the search has caught up, and two are unknown', () => {
  const found = (...nodes: object[]) => {
    const reply = success('search', { transactions: { edges: nodes.map(node => ({ node })) } })
    return rehearse(braintree.sync({ ...asked, reference: null }, account), [reply])
  }
  const one = found(submitted)
  deepEqual([one.outcome.is, variablesOf(one.requests[0]!)], ['done', { orderId: 'REQ1' }])
  deepEqual(found({ ...submitted, orderId: 'REQ10' }).outcome, { is: 'not_found', lags_ms: 3_600_000 })
  equal(found(submitted, { ...submitted, id: 'dHJhbnNhY3Rpb25fMg' }).outcome.is, 'unknown')
})

const about = {
  request_id: 'REQ2',
  authorization: { reference: 'dHJhbnNhY3Rpb25fMQ', request_id: 'REQ1' },
  money: { ...money, amount: 500 },
}
const refundAfter = (found: object, reply: Reply, amount = 500) =>
  rehearse(braintree.refund({ ...about, money: { ...money, amount }, reason: null }, account), [success('node', found), reply])

test('a settled payment is refunded; an unsettled one is voided in full, and a partial refund of it is refused', () => {
  const settled = { ...made('SETTLED', {}, step('SETTLED'), step('SUBMITTED_FOR_SETTLEMENT')), refunds: [] }
  const refunded = refundAfter(settled, success('refundTransaction', { refund: back('SUBMITTED_FOR_SETTLEMENT') }))
  deepEqual(variablesOf(refunded.requests[1]!).input, {
    ...{ apiRequestKey: 'REQ2', transactionId: 'dHJhbnNhY3Rpb25fMQ', refund: { amount: '5.00', orderId: 'REQ2' } },
  })
  deepEqual(refunded.outcome, { is: 'waiting', reference: 'cmVmdW5kXzE' })
  equal(refundAfter(settled, success('refundTransaction', { refund: back('SETTLED') })).outcome.is, 'done')
  const voided = made('VOIDED', {}, step('VOIDED'), step('SUBMITTED_FOR_SETTLEMENT'))
  const whole = refundAfter({ ...submitted, refunds: [] }, success('reverseTransaction', { reversal: voided }), 1250)
  deepEqual(variablesOf(whole.requests[1]!).input, { apiRequestKey: 'REQ2', transactionId: 'dHJhbnNhY3Rpb25fMQ' })
  ok(whole.outcome.is === 'done' && whole.outcome.amount.amount === 1250)
  const raced = { ...back('SETTLED', { orderId: 'REQ1' }), amount: of() }
  const both = refundAfter({ ...submitted, refunds: [] }, success('reverseTransaction', { reversal: raced }), 1250).outcome
  ok(both.is === 'done' && both.request_id === null && both.reference === 'cmVmdW5kXzE', 'it was settled meanwhile')
  const part = refundAfter({ ...submitted, refunds: [] }, failed('VALIDATION', '91506'))
  ok(part.outcome.is === 'declined' && part.outcome.code === 'not_allowed')
  const already = rehearse(braintree.refund({ ...about, reason: null }, account), [
    success('node', { ...settled, refunds: [back('SETTLED')] }),
  ])
  deepEqual([already.requests.length, already.outcome.is], [1, 'done'], 'it is there, so it is not said again')
})

test('the outcome of a capture, void, increment or refund is read from the transaction', () => {
  const became = (verb: SyncRequest['verb'], node: object, amount = 1250) => {
    const { authorization } = about
    const question: SyncRequest = { verb, request_id: 'REQ2', reference: null, money: { ...money, amount }, authorization }
    return rehearse(braintree.sync(question, account), [success('node', { refunds: [], ...node })]).outcome.is
  }
  const voided = made('VOIDED', {}, step('VOIDED'))
  deepEqual(
    [became('capture', submitted), became('capture', made('AUTHORIZED')), became('capture', voided)],
    ['done', 'not_found', 'declined'],
  )
  deepEqual([became('void', voided), became('void', made('AUTHORIZED')), became('void', submitted)], ['done', 'not_found', 'not_found'])
  const returned = { ...submitted, refunds: [{ ...back('SETTLED', { orderId: 'REQ1' }), amount: of() }] }
  equal(became('post_capture_void', returned), 'done', 'it was settled, and so refunded')
  deepEqual([became('increment', made('AUTHORIZED'), 1250), became('increment', made('AUTHORIZED'), 2000)], ['done', 'not_found'])
  deepEqual([became('refund', returned), became('refund', returned, 500)], ['done', 'not_found'], 'a reversal that became a refund')
  equal(became('refund', { ...submitted, refunds: [back('FAILED')] }, 500), 'declined')
})

const dispute = (status: string) => ({
  ...{ __typename: 'Dispute', id: 'ZGlzcHV0ZV9kcF8x', legacyId: 'dp_1', status, type: 'CHARGEBACK', amountDisputed: of() },
  ...{ createdAt: '2026-03-01T10:00:00.000Z', replyByDate: '2026-03-20', processorResponse: { reason: 'FRAUD', reasonCode: '10.4' } },
  ...{ statusHistory: [{ timestamp: '2026-03-02T10:00:00.000Z' }], transaction: { id: 'dHJhbnNhY3Rpb25fMQ', orderId: 'REQ1' } },
})
const named = success('idFromLegacyId', 'ZGlzcHV0ZV9kcF8x' as unknown as object)
const file = { type: 'receipt', name: 'receipt.pdf', content_type: 'application/pdf', bytes: Buffer.from('%PDF-1.7') } as const
const contest: ContestRequest = {
  ...{ request_id: 'REQ2', reference: 'dp_1', authorization: about.authorization, money },
  evidence: { texts: { product_description: 'Two chairs', customer_name: 'Ada' }, uploaded: {}, files: [file] },
}

test('a dispute is read by its id in webhooks, and accepted by its GraphQL id', () => {
  const read = rehearse(braintree.read_dispute('dp_1', account), [named, success('node', dispute('OPEN'))]).outcome
  deepEqual(read, {
    is: 'dispute',
    of: [
      { request_id: 'REQ1', verb: 'authorize' },
      { reference: 'dHJhbnNhY3Rpb25fMQ', verb: 'authorize' },
    ],
    dispute: {
      ...{
        reference: 'dp_1',
        stage: 'dispute',
        status: 'dispute_opened',
        said: 'OPEN',
        amount: money,
        reason: 'FRAUD',
        reason_code: '10.4',
      },
      ...{ respond_by: '2026-03-20T23:59:59.000Z', created: '2026-03-01T10:00:00.000Z', updated: '2026-03-02T10:00:00.000Z' },
    },
  })
  const accepted = rehearse(braintree.accept_dispute(contest, account), [named, success('acceptDispute', { dispute: dispute('ACCEPTED') })])
  deepEqual(variablesOf(accepted.requests[1]!).input, { clientMutationId: 'REQ2', disputeId: 'ZGlzcHV0ZV9kcF8x' })
  equal(accepted.outcome.is, 'done')
})

test('evidence is uploaded piece by piece, and the dispute is finalized only when all of it is there', () => {
  const evidence = { evidence: { id: 'evidence_1' } }
  const uploaded = success('createDisputeFileEvidence', evidence)
  const texts = replied(200, { data: { t0: evidence, t1: evidence } })
  const finalized = success('finalizeDispute', { dispute: dispute('DISPUTED') })
  const { requests, outcome } = rehearse(braintree.contest_dispute(contest, account), [named, uploaded, texts, finalized])
  equal(outcome.is, 'done')
  match(
    requests[1]!.bytes!.toString(),
    /name="operations".*createDisputeFileEvidence.*"file":"variables\.file".*filename="receipt\.pdf".*%PDF/s,
  )
  deepEqual(
    Object.values(variablesOf(requests[2]!)).map(one => [
      (one as Record<string, string>).category,
      (one as Record<string, string>).content,
    ]),
    [
      ['GENERAL', 'product_description: Two chairs'],
      ['PURCHASER_NAME', 'Ada'],
    ],
  )
  const missing = replied(200, { data: { t0: evidence, t1: null }, errors: [{ message: 'No.', extensions: { errorClass: 'INTERNAL' } }] })
  equal(rehearse(braintree.contest_dispute(contest, account), [named, uploaded, missing]).outcome.is, 'not_sent')
  const twice = [{ message: 'Only one.', extensions: { errorClass: 'VALIDATION', legacyCode: '95714' } }]
  const again = replied(200, { data: { t0: evidence, t1: null }, errors: twice })
  equal(rehearse(braintree.contest_dispute(contest, account), [named, uploaded, again, finalized]).outcome.is, 'done')
  const late = [named, uploaded, texts, failed('VALIDATION', '95705'), named, success('node', dispute('DISPUTED'))]
  equal(rehearse(braintree.contest_dispute(contest, account), late).outcome.is, 'done', 'it was answered before')
})

const signed = (payload: string, key = 'private_1') => {
  const digest = createHmac('sha1', createHash('sha1').update(key).digest()).update(payload).digest('hex')
  return Buffer.from(new URLSearchParams({ bt_signature: `other|${'0'.repeat(40)}&public_1|${digest}`, bt_payload: payload }).toString())
}
const xml = (kind: string, subject: string) =>
  `${Buffer.from(`<notification><kind>${kind}</kind><subject>${subject}</subject></notification>`).toString('base64')}\n`

test('a webhook must be signed with the private key, and triggers a poll; a failed refund is applied directly', () => {
  const payload = xml('dispute_opened', '<dispute><id>dp_1</id></dispute>')
  ok(braintree.webhook.verify(signed(payload), {}, account))
  ok(!braintree.webhook.verify(signed(payload, 'another'), {}, account))
  ok(!braintree.webhook.verify(Buffer.from(signed(payload).toString().replace('bt_payload=', 'bt_payload=AAAA')), {}, account))
  deepEqual(braintree.webhook.read(signed(payload)), [{ is: 'dispute', dispute: 'ask', reference: 'dp_1' }])
  const settled = '<transaction><id>1</id><type>sale</type><order-id>REQ1</order-id></transaction>'
  deepEqual(braintree.webhook.read(signed(xml('transaction_settled', settled))), [
    { is: 'outcome', of: [{ request_id: 'REQ1', verb: 'authorize' }], outcome: 'ask' },
  ])
  const [update] = braintree.webhook.read(signed(xml('refund_failed', '<transaction><order-id>REQ2</order-id></transaction>')))
  ok(update && 'outcome' in update && update.outcome !== 'ask' && update.outcome.is === 'declined' && update.outcome.after_yes)
  for (const strange of [xml('check', '<check type="boolean">true</check>'), 'bm8=', xml('refund_failed', '<transaction/>')])
    deepEqual(braintree.webhook.read(signed(strange)), [])
})

test('credentials are valid if the configured merchant accounts exist and have their currencies', () => {
  const accounts = (...nodes: object[]) => success('viewer', { merchant: { merchantAccounts: { edges: nodes.map(node => ({ node })) } } })
  const dollars = { id: 'shop_usd', currencyCode: 'USD' }
  const verdict = (reply: Reply) => rehearse(braintree.verify(account), [reply]).outcome
  deepEqual(verdict(accounts(dollars, { id: 'shop_jpy', currencyCode: 'JPY' })), { is: 'good' })
  deepEqual(verdict(accounts(dollars)), { is: 'refused', code: 'merchant_accounts', message: 'There is no merchant account shop_jpy.' })
  equal(verdict(accounts(dollars, { id: 'shop_jpy', currencyCode: 'EUR' })).is, 'refused')
  equal(verdict(failed('AUTHENTICATION')).is, 'refused')
  equal(verdict(silence).is, 'unknown')
})
