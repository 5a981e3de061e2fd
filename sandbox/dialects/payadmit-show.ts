// Payments in PayAdmit's format, and callbacks.

import { createHmac } from 'node:crypto'
import type { Account, Event } from '../books.ts'
import type { Operation, Payment } from '../records.ts'
import { echoed } from '../show-operation.ts'
import { majorOf } from '../units.ts'

export const paymentTypes = { authorization: 'DEPOSIT', refund: 'REFUND', payout: 'WITHDRAWAL' } as const

export const result = (account: Account, operation: Operation, url: string): object =>
  show(operation, account.payments.get(operation.payment)!, url)

const states = {
  approved: 'COMPLETED',
  declined: 'DECLINED',
  pending: 'PENDING',
  challenge: 'PENDING',
  returned: 'DECLINED',
  expired: 'CANCELLED',
} as const
const codes: Record<string, string> = { insufficient_funds: '3.02', authentication_failed: '4.01' }

export function show(truly: Operation, payment: Payment, url: string): object {
  const operation = echoed(truly, payment)
  const { id, type, reference, status, amount, currency, decline, challenge } = operation
  return {
    id,
    referenceId: reference,
    paymentType: paymentTypes[type as keyof typeof paymentTypes],
    state: decline?.code === 'authentication_expired' ? 'CANCELLED' : states[status],
    paymentMethod: 'BASIC_CARD',
    amount: majorOf(amount, currency),
    currency,
    ...(status === 'challenge' && { redirectUrl: `${url}/challenge/${id}/${challenge!.token}` }),
    ...(decline && { errorCode: codes[decline.code] ?? '1.01', externalResultCode: decline.network_code ?? undefined }),
  }
}

export const webhookFormat = {
  body: (account: Account, { operation }: Event, url: string): object => result(account, operation, url),
  signed: (body: string, secret: string) => ({ signature: createHmac('sha256', secret).update(body).digest('hex') }),
}
