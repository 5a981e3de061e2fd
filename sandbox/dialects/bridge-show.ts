// Operations in the format of the bridge protocol, and their webhooks.

import type { Account, Event } from '../books.ts'
import { behaviourOf } from '../cards.ts'
import { iso } from '../context.ts'
import { disputesOf, needDispute } from '../disputes.ts'
import { mostOf } from '../processor.ts'
import type { Dispute, Operation, Payment } from '../records.ts'
import { Refusal } from '../refusals.ts'
import { callersReference, cameBack, echoed } from '../show-operation.ts'
import { signature } from '../signature.ts'

const types = { authorization: 'authorize', capture: 'capture', void: 'void', refund: 'refund', payout: 'payout' } as const
export const offers = Object.values(types)
const isOffered = (type: Operation['type']): type is keyof typeof types => Object.hasOwn(types, type)

export function show(truly: Operation, payment: Payment, url: string): object {
  const operation = echoed(truly, payment)
  const { id, type, reference, amount, currency, decline, challenge } = operation
  if (!isOffered(type)) throw new Refusal('not_found', 'No such operation')
  const status = statusOf(operation, payment)
  const isHeld = type === 'authorization' && status === 'approved'
  const held = heldOf(payment)
  const { authorization_code, network_transaction_id, eci, avs_result, cvc_result, arn } = operation
  return {
    request_id: reference,
    type: types[type],
    status,
    reference: id,
    amount,
    currency,
    ...(isHeld && {
      captured: payment.captured,
      held,
      hold_until: payment.hold_until === null ? null : new Date(payment.hold_until).toISOString(),
    }),
    ...((status === 'declined' || status === 'returned') && { decline }),
    ...(status === 'action_required' && { action: { type: 'redirect', url: `${url}/challenge/${id}/${challenge!.token}` } }),
    ...{ authorization_code, network_transaction_id, eci, avs_result, cvc_result, arn },
  }
}

const heldOf = (payment: Payment): number =>
  payment.phase === 'open' ? Math.max(mostOf(payment) - payment.captured - payment.capturing, 0) : 0

/** Returns the status of an operation. A refund that fails later is first shown as approved, then as returned. */
function statusOf(operation: Operation, payment: Payment): string {
  const { type, status, decline } = operation
  if (type === 'refund' && behaviourOf(payment.card).later?.refund === 'refund_failed') {
    if (status === 'pending') return 'approved'
    if (decline?.code === 'refund_failed') return 'returned'
  }
  if (cameBack(operation)) return 'returned'
  if (status === 'challenge') return 'action_required'
  if (status === 'expired') return 'released'
  const letGo = payment.phase === 'voided' || payment.phase === 'expired'
  return type === 'authorization' && status === 'approved' && letGo && payment.captured === 0 ? 'released' : status
}

const movements = ['capture', 'void', 'refund', 'increment']

/** Shows a payment as a whole, with movements that the caller did not request. */
export function showWhole(account: Account, payment: Payment): object {
  const { id, reference, currency, phase, authorized, captured, refunded } = payment
  const operations = [...account.operations.values()].filter(one => one.payment === id && movements.includes(one.type))
  return {
    request_id: reference,
    reference: id,
    ...{ currency, authorized, captured, refunded, held: heldOf(payment) },
    released: phase === 'voided' || phase === 'expired' ? phase : null,
    movements: operations.map(operation => ({
      type: operation.type,
      status: statusOf(operation, payment),
      reference: operation.id,
      request_id: callersReference(operation),
      amount: operation.amount,
      currency,
      reason: operation.decline?.message ?? operation.reason ?? null,
      made_at: operation.created_at,
    })),
    disputes: disputesOf(account, id).map(dispute => dispute.id),
  }
}

const stages = { inquiry: 'pre_dispute', chargeback: 'dispute', second_chargeback: 'pre_arbitration' } as const
const statuses: Partial<Record<Dispute['status'], string>> = { needs_response: 'opened', under_review: 'challenged' }

export function showDispute(account: Account, { id, payment, amount, stage, status, ...rest }: Dispute): object {
  const { reference, currency } = account.payments.get(payment)!
  return {
    reference: id,
    request_id: reference,
    ...{ amount, currency, stage: stages[stage], status: statuses[status] ?? status },
    reason: rest.reason,
    reason_code: rest.network_code,
    respond_by: iso(rest.due_at),
    opened_at: iso(rest.created),
    updated_at: iso(rest.updated),
  }
}

/**
 * Shows an operation as notifications and lists contain it. One that the caller did not request is a change of its
 * payment.
 */
export const told = (account: Account, operation: Operation, payment: Payment, url: string): object =>
  operation.origin === 'dashboard' || !isOffered(operation.type)
    ? { payment: showWhole(account, payment) }
    : { operation: show(operation, payment, url) }

export const webhookFormat = {
  body(account: Account, { operation, document }: Event, url: string): object {
    if (document !== undefined) return { version: 1, dispute: showDispute(account, needDispute(account, document)) }
    return { version: 1, ...told(account, operation, account.payments.get(operation.payment)!, url) }
  },
  signed: (body: string, secret: string, t: number) => ({ 'bridge-signature': signature(body, secret, t) }),
}
