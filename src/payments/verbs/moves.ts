import { may } from '../../base/lifecycle.ts'
import { later } from '../../base/time.ts'
import { connectors } from '../../connectors/all.ts'
import { offerOf } from '../../connectors/offer.ts'
import type { Time } from '../../context.ts'
import { failure } from '../../operations/failure.ts'
import { isUnfinished, type Operation } from '../../operations/operation.ts'
import { givenUp } from '../../operations/operation-patch.ts'
import { POLL_FOR_DAYS_MS } from '../../operations/poll-schedule.ts'
import type { Transition } from '../../operations/verb.ts'
import { lifecycle, type PaymentMove } from '../lifecycle.ts'
import type { Payment } from '../payment.ts'
import { isMerchantInitiated } from '../stored-credentials/stored-credential.ts'

/** The functions that all verbs of a payment share to apply answers. Pure. */

/** Returns the move, if the lifecycle allows it in this status; null otherwise: the status stays. */
export const ifAllowed = (payment: Payment, move: PaymentMove): PaymentMove | null => (may(lifecycle, payment.status, move) ? move : null)

/** Returns the payment's `alone` after this operation: null if the payment was reserved for the operation. */
export const freed = (payment: Payment, { n }: Operation): Pick<Payment, 'alone'> => ({ alone: payment.alone === n ? null : payment.alone })

/** Whether `authorization_n` is the payment's current authorization. */
export const isCurrent = (payment: Payment, authorization_n: number | null): boolean => payment.authorization_n === authorization_n

/** Whether another operation has the payment alone: a void of this authorization. */
export const isBeingUndone = (payment: Payment, operation: Operation): boolean => payment.alone !== null && payment.alone !== operation.n

/** Banks may take weeks to decide a debit, customers to pay a voucher or to name the account for its refund. */
export function askedUntil({ request }: Payment, { connector, began }: Operation): Time | null {
  const { payment_method = null, payment_method_type = null } = request
  const offer = offerOf(connectors[connector]?.accepts, payment_method, payment_method_type)
  const takesDays = offer?.decided === 'after days' || (isMerchantInitiated(request) && offer?.recurring === 'after days')
  return takesDays ? later(began, POLL_FOR_DAYS_MS) : null
}

/** Gives up polling: manual review is required. Totals stay reserved, because money may have moved. */
export function unresolved(payment: Payment, operation: Operation, now: Time): Transition<Payment> | null {
  if (!isUnfinished(operation)) return null
  return {
    move: ifAllowed(payment, 'unresolved'),
    head: { next_action: null, last_error: failure.unresolved(operation) },
    operation: givenUp(now),
    announces: 'action_required',
  }
}
