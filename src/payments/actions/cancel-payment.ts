import { after, may } from '../../base/lifecycle.ts'
import { refuse } from '../../base/refusal.ts'
import type { Change, Context } from '../../context.ts'
import { operationRow } from '../../operations/open.ts'
import { findOperation, type Operation, operations } from '../../operations/operation.ts'
import type { Call } from '../../operations/verb.ts'
import { performOn } from '../authorization/moved-outside.ts'
import { needVerb, openOn } from '../authorization/open-authorization.ts'
import { checkCredentials } from '../authorization/payment-credentials.ts'
import { deleteWaitingCvc } from '../authorization/payment-instrument.ts'
import { checkAmountNames, checkNamed, refuseStatus } from '../check.ts'
import { allowedStatuses, lifecycle } from '../lifecycle.ts'
import { ownerOf, type Payment } from '../payment.ts'
import { type CancelAsk, cancelShape } from '../request-shapes.ts'
import { changePayment, moved } from '../rows.ts'
import { isBeingAuthenticatedApart } from '../three-ds/external-three-ds.ts'

/**
 * Cancels a payment that has captured nothing. Before any authorization only our row changes. A hold or an open
 * challenge is voided at the processor: if it refuses the void, the payment is `requires_capture` again, with the
 * error.
 */
export async function cancelPayment(call: Call, payment_id: string, ask: CancelAsk): Promise<Payment> {
  checkAmountNames(
    ask,
    cancelShape.properties,
    'a cancel releases the whole hold; after a partial capture, release the rest with POST /payments/{payment_id}/release',
  )
  checkNamed(call.merchant, ask)
  const { payment, plan } = await changePayment(call, payment_id, before => {
    checkCredentials(call.merchant, before, ask.merchant_connector_details)
    return isBeingAuthenticatedApart(before) ? cancelAuthentication(call.context, before, ask) : planCancel(call.context, before, ask)
  })
  return plan.operation ? performOn(call, payment, plan.operation) : payment
}

/** Cancels during an authentication, before any processor was called; the issuer's later answer is ignored. */
async function cancelAuthentication(
  context: Context,
  before: Payment,
  ask: CancelAsk,
): Promise<{ change: Change & { after: Payment }; operation: null }> {
  const authentication = before.alone === null ? undefined : await findOperation(context, ownerOf(before), before.alone)
  const modified_at = context.now()
  const ended = authentication && { ...authentication, state: 'lapsed' as const, modified_at, poll_at: null }
  const off: Payment = {
    ...before,
    status: after(lifecycle, before.status, 'called_off'),
    alone: null,
    next_action: null,
    cancellation_reason: ask.cancellation_reason ?? null,
    modified_at,
  }
  const rows = [...(ended ? [{ table: operations.name, before: authentication, after: ended }] : []), deleteWaitingCvc(before)]
  return { change: moved(context, before, off, 'called_off', { rows, announces: 'payment_cancelled' }), operation: null }
}

const isChallenged = ({ status }: Payment): boolean => status === 'requires_customer_action'

/** Refuses a payment that cannot be cancelled: by status (IR_16), while busy (HE_00), without voids (IR_20). */
export function checkCancel(payment: Payment): void {
  if (isBeingAuthenticatedApart(payment) || may(lifecycle, payment.status, 'cancelled')) return
  if (payment.alone !== null && payment.status === 'requires_capture') refuse('busy')
  if (!may(lifecycle, payment.status, 'cancel_sent') || (payment.alone !== null && !isChallenged(payment))) {
    const isInPart = payment.status === 'partially_captured_and_capturable'
    refuseStatus(
      payment,
      'cancel',
      allowedStatuses.cancel,
      isInPart ? 'Release the rest with POST /payments/{payment_id}/release' : undefined,
    )
  }
  needVerb(payment, 'void')
}

function planCancel(
  context: Context,
  before: Payment,
  ask: CancelAsk,
): { change: Change & { after: Payment }; operation: Operation | null } {
  const cancellation_reason = ask.cancellation_reason ?? null
  const now = context.now()
  if (may(lifecycle, before.status, 'cancelled')) {
    const cancelled: Payment = {
      ...before,
      status: after(lifecycle, before.status, 'cancelled'),
      cancellation_reason,
      modified_at: now,
    }
    const rows = before.card ? [deleteWaitingCvc(before)] : []
    return { change: moved(context, before, cancelled, 'cancelled', { rows, announces: 'payment_cancelled' }), operation: null }
  }
  checkCancel(before)
  const amount = isChallenged(before) ? before.net_amount : before.amount_capturable
  const operation = openOn(context, before, { verb: 'void', amount })
  const sent: Payment = {
    ...before,
    status: after(lifecycle, before.status, 'cancel_sent'),
    alone: operation.n,
    cancellation_reason,
    operation_count: operation.n,
    next_action: null,
    last_error: null,
    modified_at: now,
  }
  return { change: moved(context, before, sent, 'cancel_sent', { rows: [operationRow(operation)] }), operation }
}
