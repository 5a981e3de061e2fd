// Payouts in the format of Adyen's Transfers API, and their webhooks.

import { createHmac } from 'node:crypto'
import type { Account, Event } from '../books.ts'
import type { Document, Operation, Payment } from '../records.ts'
import { echoed } from '../show-operation.ts'

/** The balance account of a transfer, which the ledger does not know. */
export type TransferNote = Document & { balanceAccount: string }

/** Returns the id of a transfer: the end of the ledger's id. */
export const transferIdOf = (payout: string): string => payout.replace('pout_', '').slice(-16)

/** Adyen's status and reason for declines of the ledger. All other declines are refusals by the recipient's bank. */
const refusals: Record<string, [status: string, reason: string]> = {
  insufficient_funds: ['refused', 'notEnoughBalance'],
  recipient_ineligible: ['refused', 'counterpartyAccountNotFound'],
  payout_cancelled: ['cancelled', 'cancelled'],
}

function stateOf({ status, decline }: Operation): [status: string, reason: string] {
  switch (status) {
    case 'approved':
      return ['booked', 'approved']
    case 'returned':
      return ['returned', 'counterpartyAccountClosed']
    case 'expired':
      return ['refused', 'approvalExpired']
    case 'declined':
      return refusals[decline!.code] ?? ['failed', 'refusedByCounterpartyBank']
    default:
      return ['authorised', 'approved']
  }
}

/** Returns the statuses that led to a status. A bank can only return a transfer that was booked. */
function eventsOf(status: string): string[] {
  const before = { booked: ['authorised'], returned: ['authorised', 'booked'], failed: ['authorised'], cancelled: ['authorised'] }
  const led: readonly string[] = before[status as 'booked'] ?? []
  return status === 'received' ? [status] : ['received', ...led, status]
}

/** Shows a transfer. `at first`: as received, because the result of a request is announced later. */
export function showTransfer(account: Account, payment: Payment, when: 'at first' | 'now', truly = account.operations.get(payment.id)!) {
  const operation = echoed(truly, payment)
  const [status, reason] = when === 'at first' ? ['received', 'pending'] : stateOf(operation)
  const { balanceAccount } = account.documents.get(payment.document!) as TransferNote
  return {
    id: payment.document!,
    amount: { value: operation.amount, currency: operation.currency },
    balanceAccount: { id: balanceAccount },
    category: 'bank',
    createdAt: operation.created_at,
    direction: 'outgoing',
    reference: operation.reference,
    reason,
    status,
    type: 'bankTransfer',
    ...(when === 'now' && {
      events: eventsOf(status!).map(one => ({ status: one, type: 'accounting' })),
      sequenceNumber: eventsOf(status!).length,
      updatedAt: operation.updated_at,
    }),
  }
}

export const webhookFormat = {
  /** Returns the webhook of a transfer as it stood at the event; null for other operations. */
  body(account: Account, { operation, created_at }: Event): object | null {
    if (operation.type !== 'payout') return null
    const data = showTransfer(account, account.payments.get(operation.payment)!, 'now', operation)
    const type = operation.status === 'pending' ? 'balancePlatform.transfer.created' : 'balancePlatform.transfer.updated'
    return { data: { ...data, balancePlatform: 'SandboxPlatform' }, environment: 'test', timestamp: created_at, type }
  },
  signed: (body: string, secret: string) => ({
    hmacsignature: createHmac('sha256', Buffer.from(secret, 'hex')).update(body).digest('base64'),
    protocol: 'HmacSHA256',
  }),
}
