// Stripe's refunds: those of the ledger, and what is let go of a hold, which Stripe writes as a refund too.

import type { Account } from '../books.ts'
import type { Operation, Payment } from '../records.ts'
import { REFUND_FEE } from '../settlement.ts'
import { refundSucceedsFirst } from './stripe-cards.ts'
import { chargeId, documentOf, type RefundNote, refundId, seconds } from './stripe-documents.ts'

export const refundsOf = (account: Account, payment: string): Operation[] =>
  [...account.operations.values()].filter(operation => operation.type === 'refund' && operation.payment === payment)

/** Returns the status of a refund. Some refunds are reported as successful before they are, and fail later. */
export function refundStatus({ status }: Operation, { card, method }: Payment): string {
  // The shopper must name the account for the refund.
  if (status === 'pending' && method?.refunds_ms !== undefined) return 'requires_action'
  if (status === 'pending') return refundSucceedsFirst(card) ? 'succeeded' : 'pending'
  return status === 'approved' ? 'succeeded' : 'failed'
}

export function showRefund(refund: Operation, payment: Payment, note: RefundNote | undefined, expand: readonly string[] = []): object {
  const status = refundStatus(refund, payment)
  return {
    id: refundId(refund.id),
    object: 'refund',
    amount: refund.amount,
    balance_transaction: status === 'succeeded' ? transaction(refund, expand) : null,
    charge: chargeId(payment.id),
    created: seconds(refund.created_at),
    currency: refund.currency.toLowerCase(),
    ...(payment.method === undefined && {
      destination_details: {
        card: {
          reference_status: refund.arn === null ? 'pending' : 'available',
          ...(refund.arn !== null && { reference: refund.arn, reference_type: 'acquirer_reference_number' }),
          type: 'refund',
        },
        type: 'card',
      },
    }),
    ...(status === 'failed' && { failure_reason: refund.decline?.code === 'refund_failed' ? 'lost_or_stolen_card' : 'declined' }),
    metadata: note?.metadata ?? {},
    payment_intent: payment.document ?? null,
    source_transfer_reversal: note?.reverted?.includes('reverse_transfer') ? refund.id.replace(/^ref_/, 'trr_') : null,
    reason: note?.reason ?? null,
    status,
  }
}

function transaction({ id, amount, currency }: Operation, expand: readonly string[]): string | object {
  const name = id.replace(/^ref_/, 'txn_')
  if (!expand.some(one => /^(?:data\.)?balance_transaction$/.test(one))) return name
  return {
    id: name,
    object: 'balance_transaction',
    amount: -amount,
    currency: currency.toLowerCase(),
    fee: REFUND_FEE,
    net: -amount - REFUND_FEE,
  }
}

/** The phases in which nothing is held any more. */
const isOver = ({ phase }: Pick<Payment, 'phase'>): boolean => ['captured', 'voided', 'expired'].includes(phase)

/** Returns how much of the hold was let go. */
export const releasedOf = (payment: Pick<Payment, 'phase' | 'authorized' | 'captured'>): number =>
  isOver(payment) ? Math.max(0, payment.authorized - payment.captured) : 0

type Shown = { id: string; created: number; [more: string]: unknown }

/**
 * Shows what was let go of a hold, by a cancellation, after a capture of a part or in time: a refund that changes no
 * balance. Null if nothing was.
 */
function showRelease(account: Account, payment: Payment): Shown | null {
  const amount = releasedOf(payment)
  if (amount === 0) return null
  const ended = [...account.operations.values()].findLast(
    ({ payment: of, type, status }) => of === payment.id && (type === 'void' || type === 'capture') && status === 'approved',
  )
  const by = payment.phase === 'expired' || !ended ? account.operations.get(payment.id)! : ended
  return {
    id: releaseId(payment.id),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: chargeId(payment.id),
    created: seconds(by.updated_at),
    currency: payment.currency.toLowerCase(),
    ...(payment.method === undefined && { destination_details: { card: { type: 'reversal' }, type: 'card' } }),
    metadata: {},
    payment_intent: payment.document ?? null,
    source_transfer_reversal: null,
    reason: payment.phase === 'expired' ? 'expired_uncaptured_charge' : null,
    status: 'succeeded',
  }
}

const releaseId = (authorization: string): string => authorization.replace(/^auth_/, 're_')

/** Returns the refunds of a charge as Stripe lists them, the latest first. */
export function refundsShown(account: Account, payment: Payment, expand: readonly string[] = []): { id: string }[] {
  const given = refundsOf(account, payment.id).map(one =>
    showRefund(one, payment, documentOf<RefundNote>(account, refundId(one.id), 'refund_note'), expand),
  )
  const release = showRelease(account, payment)
  const all = [...given, ...(release ? [release] : [])] as { id: string; created: number }[]
  return all.reverse().sort((one, other) => other.created - one.created)
}
