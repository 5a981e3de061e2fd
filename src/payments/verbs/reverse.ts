import type { Outcome } from '../../connectors/connector.ts'
import type { Time } from '../../context.ts'
import { failure } from '../../operations/failure.ts'
import { endedWithANo, type Operation, takesNews } from '../../operations/operation.ts'
import { goesOn, late, responseOf, sideOf } from '../../operations/side.ts'
import type { Task, Transition, VerbDefinition } from '../../operations/verb.ts'
import { wholeBack } from '../authorization/split.ts'
import type { Payment } from '../payment.ts'
import { askedUntil, freed, placed, unresolved } from './moves.ts'
import { askToVoid } from './void.ts'

/**
 * Our own undoing of money that should not have moved, which no merchant asked for: a hold is voided, a charge given
 * back. It is about the authorization it acts on and about nothing else of the payment, unless the payment waits for
 * it.
 */
export const reversals: Record<'void' | 'refund', VerbDefinition<Payment>> = {
  void: { ask: askToVoid, after: afterUndoing, gaveUp },
  refund: { ask: askBack, after: afterGivingBack, until: askedUntil, gaveUp },
}

/** A person must look; the payment itself waits only for what has it alone. */
function gaveUp(payment: Payment, operation: Operation, now: Time): Transition<Payment> | null {
  const step = unresolved(payment, operation, now)
  if (!step || payment.alone === operation.n) return step
  return { ...step, move: null, head: { last_error: failure.unresolved(operation) } }
}

function askBack({ connector, account, operation, authorization, head }: Task<Payment>) {
  const { request_id, amount, currency } = operation
  // Shares that were said in amounts are those of the whole amount.
  const split = wholeBack(head.request)
  const back = split && (split.is === 'stripe' || amount === head.net_amount) ? { split } : {}
  return connector.refund?.({ request_id, authorization, money: { amount, currency }, reason: null, ...back }, account) ?? null
}

/**
 * Money that the payment does not stand on is back where it was. Merchants hear of it, because their customers see it
 * on their statements: by a name that causes no second delivery or cancellation. The event shows the attempts
 * (`events/announce.ts`).
 */
const givenBack = (side: Partial<Operation>): Transition<Payment> => ({
  move: null,
  head: {},
  operation: side,
  announces: 'action_required',
})

/**
 * It goes on. Of a payment that does not wait for it that says nothing: to announce its status again would make a
 * merchant deliver once more.
 */
const underWay = (payment: Payment, { n }: Operation, side: Partial<Operation>): Transition<Payment> => ({
  move: null,
  head: {},
  operation: side,
  ...(payment.alone !== n && { announces: null }),
})

/** The void of a hold that no payment waits for was answered. */
export function afterUndoing(payment: Payment, operation: Operation, outcome: Outcome, now: Time): Transition<Payment> | null {
  if (!takesNews(operation)) return outcome.is === 'done' && endedWithANo(operation) ? late(operation, outcome, now) : null
  const side = sideOf(operation, outcome, now, payment.expires_on)
  if (!side) return null
  if (goesOn(side)) return underWay(payment, operation, side)
  const alone = payment.alone === operation.n
  if (side.state === 'conflicted') {
    const last_error = failure.contradicted(operation)
    return { move: alone ? placed(payment, 'contradicted') : null, head: { ...freed(payment, operation), last_error }, operation: side }
  }
  // Nothing is held any more: given back by us, or let go of by the processor.
  if (outcome.is === 'done' || outcome.is === 'lapsed') {
    if (!alone) return givenBack(side)
    return { move: placed(payment, 'reversed'), head: { alone: null, amount_capturable: 0, next_action: null }, operation: side }
  }
  // The hold could not be undone: it may have been captured meanwhile, so the money is asked back instead. A person
  // hears of it if that fails too.
  return { move: null, head: {}, operation: side, ...(outcome.is === 'declined' && { open: { is: 'reversal', verb: 'refund', alone } }) }
}

/** The giving back of a captured amount was answered. */
export function afterGivingBack(payment: Payment, operation: Operation, outcome: Outcome, now: Time): Transition<Payment> | null {
  // The processor takes its yes back: it has the money again.
  if (operation.state === 'done' && outcome.is === 'declined') {
    const operation_ = { state: 'declined', response: responseOf(outcome, operation), modified_at: now } as const
    return { move: null, head: { last_error: failure.notGivenBack(operation) }, operation: operation_, announces: 'action_required' }
  }
  const side = sideOf(operation, outcome, now, payment.expires_on)
  if (!side) return null
  if (goesOn(side)) return underWay(payment, operation, side)
  const given = side.state === 'done'
  if (given && payment.alone !== operation.n) return givenBack(side)
  const move = payment.alone === operation.n ? placed(payment, given ? 'reversed' : 'unresolved') : null
  if (given) return { move, head: freed(payment, operation), operation: side }
  const held = { ...freed(payment, operation), last_error: failure.notGivenBack(operation) }
  return { move, head: held, operation: side, announces: 'action_required' }
}
