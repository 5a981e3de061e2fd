import { major } from '../carry.ts'
import type { Specimen } from '../specimen.ts'

const invoice = (more: object = {}) => ({
  data: {
    id: 'their_1',
    type: 'payment-invoices',
    attributes: { reference_id: 'REQ1', status: 'processed', amount: 12.5, currency: 'USD', flow_data: {}, ...more },
  },
})
const corefyError = (status: number): [number, object] => [status, { errors: [{ status: String(status), title: 'No.' }] }]

export const specimen: Specimen = {
  before: { authorize: [invoice({ status: 'created', flow_data: { metadata: { token: 'opens_it' } } })] },
  harmless: /\/payment-invoices$/,
  amountIn: /\/pay(ment|out)-invoices$/,
  made: ['payout'],
  answers: { authorize: invoice(), payout: { data: { ...invoice().data, type: 'payout-invoices' } } },
  errors: [400, 401, 403, 404, 422].map(corefyError),
  unsigned: true,
  authorized: (amount, currency) => invoice({ amount: major(amount, currency), currency }),
}
