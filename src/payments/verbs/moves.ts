import { may } from '../../base/lifecycle.ts'
import { later } from '../../base/time.ts'
import { connectors } from '../../connectors/all.ts'
import { offerOf } from '../../connectors/offer.ts'
import type { Time } from '../../context.ts'
import { failure } from '../../operations/failure.ts'
import { isUnfinished, type Operation } from '../../operations/operation.ts'
import { POLL_FOR_DAYS_MS } from '../../operations/poll-schedule.ts'
import { givenUp } from '../../operations/side.ts'
import type { Transition } from '../../operations/verb.ts'
import { lifecycle, type PaymentMove } from '../lifecycle.ts'
import type { Payment } from '../payment.ts'
import { isMerchantInitiated } from '../stored-credentials/stored-credential.ts'

/** What the verbs of a payment have in common when they decide what an answer changes. Pure. */

/** The move, if the lifecycle has it in this status; null otherwise: the news has no place, the status stays. */
export const placed = (payment: Payment, move: PaymentMove): PaymentMove | null => (may(lifecycle, payment.status, move) ? move : null)

/** The payment is no longer this operation's alone. */
export const freed = (payment: Payment, { n }: Operation): Pick<Payment, 'alone'> => ({ alone: payment.alone === n ? null : payment.alone })

/** Is this the authorization that the payment stands on? */
export const isCurrent = (payment: Payment, authorization_n: number | null): boolean => payment.authorization_n === authorization_n

/** Is something else at the payment: a void of this very authorization? */
export const isBeingUndone = (payment: Payment, operation: Operation): boolean => payment.alone !== null && payment.alone !== operation.n

/**
 * Until when a processor is asked about it, if that is not seven days: banks may take weeks to decide a debit, and
 * customers to pay a slip, or to say whereto its refund goes. That is no silence.
 */
export function askedUntil({ request }: Payment, { connector, began }: Operation): Time | null {
  const { payment_method = null, payment_method_type = null } = request
  const offer = offerOf(connectors[connector]?.accepts, payment_method, payment_method_type)
  const takesDays = offer?.decided === 'after days' || (isMerchantInitiated(request) && offer?.recurring === 'after days')
  return takesDays ? later(began, POLL_FOR_DAYS_MS) : null
}

/**
 * As long as it is waited for there was no answer: a person must look. Totals stay reserved: money may still have
 * moved.
 */
export function unresolved(payment: Payment, operation: Operation, now: Time): Transition<Payment> | null {
  if (!isUnfinished(operation)) return null
  return {
    move: placed(payment, 'unresolved'),
    head: { next_action: null, last_error: failure.unresolved(operation) },
    operation: givenUp(now),
    announces: 'action_required',
  }
}
