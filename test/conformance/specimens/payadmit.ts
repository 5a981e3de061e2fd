import { major } from '../carry.ts'
import type { Specimen } from '../specimen.ts'

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
const payadmitReply = (result: object) => ({ timestamp: '2026-03-01T10:00:00Z', status: 200, result })
const payadmitError = (status: number): [number, object] => [status, { timestamp: '2026-03-01T10:00:00Z', status, message: 'No.' }]

export const specimen: Specimen = {
  answers: {
    authorize: payadmitReply(deposit),
    refund: payadmitReply({ ...deposit, paymentType: 'REFUND' }),
    payout: payadmitReply({ ...deposit, paymentType: 'WITHDRAWAL' }),
  },
  errors: [400, 401, 403, 404, 422].map(payadmitError),
  listed: payadmitReply([deposit]),
  authorized: (amount, currency) => payadmitReply({ ...deposit, amount: major(amount, currency), currency }),
}
