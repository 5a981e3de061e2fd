import { majorOf } from '../../../src/connectors/kit/decimal.ts'
import { uuidOf } from '../../../src/connectors/kit/request.ts'
import { mollieOffers } from '../../../src/connectors/mollie/offers.ts'
import type { Specimen } from '../specimen.ts'

const amount = { value: '12.50', currency: 'USD' }
const links = { self: { href: 'https://api.mollie.com/v2/payments/tr_1', type: 'application/hal+json' } }
const metadata = { request_id: 'REQ1' }
const payment = {
  ...{ resource: 'payment', id: 'tr_5B8cwPMGnU6qLbRvo7qEZo', mode: 'live', createdAt: '2026-03-01T10:00:00+00:00' },
  ...{ amount, description: 'Chairs & Co', method: 'creditcard', metadata, status: 'authorized', sequenceType: 'oneoff' },
  ...{ authorizedAt: '2026-03-01T10:01:00+00:00', captureBefore: '2026-03-29T10:01:00+00:00', isCancelable: true },
  amountCaptured: { value: '0.00', currency: 'USD' },
  details: { cardNumber: '4242', cardLabel: 'Visa', card3dsEci: '05' },
  _links: links,
}
const capture = {
  ...{ resource: 'capture', id: 'cpt_mNepDkEtco6ah3QNPUGYH', mode: 'live', amount, status: 'succeeded' },
  ...{ metadata, paymentId: payment.id, createdAt: '2026-03-01T10:02:00+00:00', _links: links },
}
const refund = {
  ...{ resource: 'refund', id: 're_4qqhO89gsT', mode: 'live', description: 'damaged', amount, status: 'refunded' },
  ...{ metadata, paymentId: payment.id, createdAt: '2026-03-01T10:02:00+00:00', _links: links },
}
const customer = { resource: 'customer', id: 'cst_vsKJpSsabw', mode: 'live', name: 'Ada Byron', email: 'ada@example.com' }
const mandate = { resource: 'mandate', id: 'mdt_pWUnw6pkBN', mode: 'live', status: 'valid', method: 'directdebit' }
const mollieError = (status: number, title: string, field?: string): [number, object] => [
  status,
  { status, title, detail: 'It is not so.', ...(field && { field }), _links: { documentation: { href: 'https://docs.mollie.com' } } },
]

/** The encrypted payment data of Apple's script, in base64 as in our API. */
const sealed = Buffer.from(JSON.stringify({ version: 'EC_v1', data: 'unspeakable_apple' })).toString('base64')

export const specimen: Specimen = {
  ways: Object.values(mollieOffers).flatMap(({ family, ways }) =>
    Object.keys(ways).map(way => ({
      family,
      way,
      ...(way === 'apple_pay' && { said: { payment_data: sealed } }),
      ...(way === 'sepa_bank_debit' && { first: true as const, owned: true as const }),
    })),
  ),
  before: { authorize: [customer, mandate], void: [payment] },
  owner: [customer],
  harmless: /\/(?:customers|mandates|release-authorization)$/,
  key: uuidOf('REQ1'),
  made: ['authorize', 'capture', 'refund'],
  answers: {
    authorize: payment,
    capture,
    void: { ...payment, status: 'canceled', isCancelable: false, canceledAt: '2026-03-01T10:02:00+00:00' },
    refund,
  },
  errors: [
    mollieError(400, 'Bad Request'),
    mollieError(401, 'Unauthorized Request'),
    mollieError(403, 'Forbidden'),
    mollieError(404, 'Not Found'),
    mollieError(410, 'Gone'),
    mollieError(422, 'Unprocessable Entity', 'amount'),
    mollieError(429, 'Too Many Requests'),
  ],
  listed: { count: 1, _embedded: { payments: [payment] }, _links: { next: null } },
  unsigned: true,
  authorized: (amount, currency) => ({ ...payment, amount: { value: majorOf({ amount, currency }), currency }, amountCaptured: null }),
}
