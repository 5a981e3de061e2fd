import type { Posting } from '../context.ts'
import { NOT_GIVEN_BACK } from '../operations/failure.ts'
import { isReturnOfOthers, type Operation } from '../operations/operation.ts'
import { statuses } from './lifecycle.ts'
import type { Payment } from './payment.ts'

type Moved<T> = { was: T; is: T }

/**
 * Returns the ledger posting of a payment's change. Its own money follows its totals; other money that moved at the
 * processor stays in `suspense` until it is returned, or until manual review.
 */
export function postingsOf({ was, is }: Moved<Payment>, operation: Moved<Operation>, opened: Operation | null): Posting | undefined {
  const captured = soldAmount(is) - soldAmount(was)
  const refunded = is.amount_refunded - was.amount_refunded
  const beside = movedBeside({ was, is }, operation, opened)
  // The answer to our response to a dispute: `disputes/change.ts` posts all other moves of disputes.
  const disputed = is.amount_disputed - was.amount_disputed
  if (captured === 0 && refunded === 0 && disputed === 0 && beside === 0) return undefined
  const { profile_id, currency } = is
  const { merchant_connector_id, request_id, reference } = operation.is
  const entries = {
    processor: captured - refunded - disputed + beside,
    ...(captured !== 0 && { sales: -captured }),
    ...(refunded !== 0 && { refunds: refunded }),
    ...(disputed !== 0 && { disputes: disputed }),
    ...(beside !== 0 && { suspense: -beside }),
  }
  return { request_id: disputed === 0 ? request_id : reference, profile_id, merchant_connector_id, currency, entries }
}

/** Returns the captured amount that is a sale. A cancel after the capture leaves `amount_received` as it was. */
export const soldAmount = ({ status, amount_received }: Pick<Payment, 'status' | 'amount_received'>): number =>
  statuses[status].traits.includes('undone') ? 0 : amount_received

/** Returns the money that the processor received (or, below zero, returned) without a sale. */
function movedBeside({ was, is }: Moved<Payment>, operation: Moved<Operation>, opened: Operation | null): number {
  let moved = 0
  // A charge that no payment expects.
  if (opened && givesBack(opened)) moved += opened.amount
  const { verb, amount } = operation.is
  const done = Number(operation.is.state === 'done') - Number(operation.was.state === 'done')
  if (givesBack(operation.is)) moved -= done * amount
  // Others had the processor return what it had refused to return.
  if (isReturnOfOthers(operation.is)) moved -= done * amount
  // A hold that we could neither void nor refund has expired: nothing was captured.
  if (is.status === 'expired' && was.status !== 'expired' && was.last_error?.error_code === NOT_GIVEN_BACK)
    moved -= operation.is.response?.amount ?? amount
  // A confirmed cancel after the capture that the processor takes back …
  if (verb === 'post_capture_void' && done < 0) moved += amount
  // … and a confirmed capture that the processor takes back.
  if (is.status === 'review' && was.status !== 'review') moved -= amount
  return moved
}

const givesBack = ({ purpose, verb }: Operation): boolean => purpose === 'reversal' && verb === 'refund'
