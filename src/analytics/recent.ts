import type { Operation } from '../operations/operation.ts'
import type { Payment } from '../payments/payment.ts'
import type { History } from './contribution.ts'
import { isShort } from './histories.ts'

/** Several times the number of changes that are read from the outbox at once. */
const MOST = 1_000

export type RecentPayments = ReturnType<typeof openRecent>

/**
 * Remembers payments whose first announced change this process has just written, so that they need not be read again
 * when the change leaves the outbox: a payment's row at a version never changes. Others are read as usual.
 */
export function openRecent() {
  const histories = new Map<string, History>()
  const nameOf = (merchant_id: string, payment_id: string) => `${merchant_id} ${payment_id}`
  return {
    note(payment: Payment, operation: Operation): void {
      if (!isShort(payment) || payment.operation_count !== 1 || operation.verb !== 'authorize') return
      if (histories.size >= MOST) histories.delete(histories.keys().next().value!)
      histories.set(nameOf(payment.merchant_id, payment.payment_id), shortHistory(payment, operation))
    },
    /** Undefined: the payment must be read. */
    of(merchant_id: string, payment_id: string, version: number): History | undefined {
      const history = histories.get(nameOf(merchant_id, payment_id))
      return history?.payment.version === version ? history : undefined
    },
  }
}

/** For a payment whose latest change is its only announced one; without members that would only use memory. */
function shortHistory(payment: Payment, operation: Operation): History {
  const { payment_method, billing, payment_method_billing } = payment.request
  return {
    // biome-ignore format: a list reads better in rows
    payment: {
      merchant_id: payment.merchant_id, payment_id: payment.payment_id, version: payment.version,
      sequence: payment.sequence, status: payment.status, profile_id: payment.profile_id,
      connector: payment.connector, merchant_connector_id: payment.merchant_connector_id, currency: payment.currency,
      net_amount: payment.net_amount, amount_authorized: payment.amount_authorized,
      amount_capturable: payment.amount_capturable, amount_received: payment.amount_received,
      amount_refunded: payment.amount_refunded, amount_disputed: payment.amount_disputed,
      attempt_count: payment.attempt_count, card: payment.card,
      request: { payment_method, billing, payment_method_billing } as Payment['request'],
      last_error: payment.last_error, adjustments: payment.adjustments, created: payment.created,
    },
    changes: [{ version: payment.version, sequence: payment.sequence, queued: true, was: {} }],
    operations: [
      // biome-ignore format: a list reads better in rows
      {
        merchant_id: operation.merchant_id, kind: operation.kind, object_id: operation.object_id, n: operation.n,
        attempt: operation.attempt, purpose: operation.purpose, state: operation.state,
        connector: operation.connector, merchant_connector_id: operation.merchant_connector_id,
        response: operation.state === 'done' ? null : operation.response, began: operation.began,
        modified_at: operation.modified_at,
      },
    ],
  }
}
