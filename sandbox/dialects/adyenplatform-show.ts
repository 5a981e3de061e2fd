// A payout in the words of Adyen's Transfers API, and the webhooks that tell of it.

import { createHmac } from 'node:crypto'
import type { Account, Event } from '../books.ts'
import type { Document, Operation, Payment } from '../records.ts'
import { echoed } from '../show-operation.ts'

/** Out of which balance account, which the ledger does not know. */
export type TransferNote = Document & { balanceAccount: string }

/** As Adyen calls a transfer: the end of the ledger's name. */
export const transferIdOf = (payout: string): string => payout.replace('pout_', '').slice(-16)

/** Why the ledger's refusals were made, in Adyen's words; of all others the recipient's bank refuses. */
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

/** What led there. A bank that sends money back has had it. */
function eventsOf(status: string): string[] {
  const before = { booked: ['authorised'], returned: ['authorised', 'booked'], failed: ['authorised'], cancelled: ['authorised'] }
  const led: readonly string[] = before[status as 'booked'] ?? []
  return status === 'received' ? [status] : ['received', ...led, status]
}

/** `at first`: a request is only received; what comes of it is told later. */
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
  /** Only the transfer itself is told, as it was then. */
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
