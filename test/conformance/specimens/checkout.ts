import type { Currency } from '../../../src/base/currencies.ts'
import { checkout } from '../../../src/connectors/checkout/connector.ts'
import { checkoutOffers } from '../../../src/connectors/checkout/offers.ts'
import { inProcessorUnits } from '../../../src/connectors/counting.ts'
import type { Specimen } from '../specimen.ts'

const payment = {
  id: 'pay_mbabizu24mvu3mela5njyhpit4',
  action_id: 'act_mbabizu24mvu3mela5njyhpit4',
  amount: 1250,
  currency: 'USD',
  approved: true,
  status: 'Authorized',
  auth_code: '770687',
  response_code: '10000',
  response_summary: 'Approved',
  source: { id: 'src_nwd3m4in3hkuddfpjsaevunhdy', type: 'card', last4: '4242', avs_check: 'S', cvv_check: 'Y' },
  reference: 'REQ1',
  scheme_id: '489341065491658',
  eci: '05',
}
const received = { action_id: 'act_y3oqhf46pyzuxjbcn2giaqnb44', reference: 'REQ1', _links: { payment: { href: 'https://api/payments' } } }
const paidOut = {
  id: 'pay_f7irueczehquxjdmy4hb37bhka',
  status: 'Pending',
  reference: 'REQ1',
  instruction: { value_date: '2026-03-02T10:00:00Z' },
}
const raised = {
  ...{ action_id: 'act_y3oqhf46pyzuxjbcn2giaqnb44', amount: 750, currency: 'USD', approved: true, status: 'Authorized' },
  ...{ response_code: '10000', response_summary: 'Approved', reference: 'REQ1', balances: { total_authorized: 1250 } },
}
const refused = (...error_codes: string[]) => ({ request_id: '0HL80RJLS76I7', error_type: 'request_invalid', error_codes })

const sealed = {
  apple_pay: Buffer.from(JSON.stringify({ version: 'EC_v1', data: 'TOKEN', signature: 'S', header: {} })).toString('base64'),
}
const token = { type: 'applepay', token: 'tok_1' }
const signed = JSON.stringify({ protocolVersion: 'ECv2', signature: 'S', signedMessage: 'TOKEN' })

export const specimen: Specimen = {
  ways: Object.values(checkoutOffers).flatMap(({ family, ways }) =>
    Object.keys(ways).map(way => ({
      family,
      way,
      ...(way === 'apple_pay' && { said: { payment_data: sealed.apple_pay }, first: token }),
      ...(way === 'google_pay' && { said: { tokenization_data: { type: 'PAYMENT_GATEWAY', token: signed } }, first: token }),
    })),
  ),
  harmless: /\/tokens$/,
  answers: { authorize: payment, capture: received, void: received, refund: received, increment: raised, payout: paidOut },
  before: { increment: [{ ...payment, id: 'auth_1', balances: { total_authorized: 500 } }] },
  received: { status: 202, verbs: ['capture', 'void', 'refund', 'payout'] },
  made: ['authorize', 'increment'],
  byDifference: ['increment'],
  names: ['key1'],
  keyHeader: 'cko-idempotency-key',
  bare: [401, 403, 404, 429],
  errors: [
    [422, refused('card_number_invalid')],
    [422, refused('amount_invalid', 'currency_invalid')],
    [429, { request_id: '0HL80RJLS76I7', error_type: 'too_many_requests', error_codes: ['too_many_requests'] }],
  ],
  authorized: (amount: number, currency: Currency) => ({
    ...payment,
    amount: inProcessorUnits(checkout.accepts.counting, { amount, currency }),
    currency,
  }),
}
