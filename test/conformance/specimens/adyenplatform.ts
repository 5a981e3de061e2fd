import { amountOf } from '../../../src/connectors/adyen/requests.ts'
import type { Specimen } from '../specimen.ts'

const transfer = {
  id: '1W1UG35U8A9J5ZLG',
  amount: { value: 1250, currency: 'USD' },
  balanceAccount: { id: 'BA1' },
  category: 'bank',
  counterparty: { bankAccount: { accountHolder: { fullName: 'Ada Byron' } } },
  reference: 'REQ1',
  direction: 'outgoing',
  reason: 'pending',
  status: 'received',
}
const error = (status: number, errorCode: string) => ({ status, errorCode, title: 'No', detail: 'It is not so.', type: 'validation' })

export const specimen: Specimen = {
  answers: { payout: transfer, cancel_payout: { ...transfer, id: 'auth_1', reference: 'REQ0', status: 'cancelled' } },
  received: { status: 202, verbs: ['payout'] },
  errors: [
    [401, { status: 401, errorCode: '000', message: 'No.', errorType: 'security' }],
    [403, error(403, '00_403')],
    [422, error(422, '30_081')],
    [429, error(429, '29_001')],
  ],
  authorized: (amount, currency) => ({ ...transfer, amount: amountOf({ amount, currency }), status: 'booked' }),
}
