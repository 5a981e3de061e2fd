// Transactions in HoneyCoin's format, and webhooks, which contain the shared secret itself.

import type { Account, Event } from '../books.ts'
import type { Operation } from '../records.ts'
import { echoed } from '../show-operation.ts'
import { majorOf } from '../units.ts'

const statuses = {
  approved: 'SUCCESSFUL',
  declined: 'FAILED',
  pending: 'PENDING',
  challenge: 'PENDING',
  returned: 'FAILED',
  expired: 'FAILED',
} as const

export function show(account: Account, truly: Operation, url: string): object {
  const payment = account.payments.get(truly.payment)
  const { id, reference, status, amount, currency, challenge, decline } = payment ? echoed(truly, payment) : truly
  const redirected = status === 'challenge' && challenge!.action === 'redirect'
  return {
    transactionId: id,
    externalReference: reference,
    status: statuses[status],
    amount: majorOf(amount, currency),
    currency,
    ...(redirected && { redirectUrl: `${url}/challenge/${id}/${challenge!.token}` }),
    ...(decline && { message: decline.message }),
  }
}

export const webhookFormat = {
  body: (account: Account, { operation }: Event, url: string): object => ({ event: 'transaction', data: show(account, operation, url) }),
  signed: (_body: string, secret: string) => ({ 'x-webhook-signature': secret }),
}
