import { major } from '../carry.ts'
import type { Specimen } from '../specimen.ts'

const transaction = {
  transactionId: 'their_1',
  externalReference: 'REQ1',
  status: 'SUCCESSFUL',
  amount: 12.5,
  currency: 'USD',
  redirectUrl: null,
}
const honeycoinReply = (data: object) => ({ success: true, data })

export const specimen: Specimen = {
  answers: { authorize: honeycoinReply(transaction), payout: honeycoinReply(transaction) },
  errors: [400, 403, 404, 422].map((status): [number, object] => [status, { success: false, message: 'No.' }]),
  names: ['key1'],
  authorized: (amount, currency) => honeycoinReply({ ...transaction, amount: major(amount, currency), currency }),
}
