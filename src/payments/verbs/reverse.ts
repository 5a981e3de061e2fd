import { connectors } from '../../connectors/all.ts'
import type { Outcome } from '../../connectors/connector.ts'
import type { Context, Time } from '../../context.ts'
import { failure } from '../../operations/failure.ts'
import { acceptsUpdates, endedWithANo, findOperations, isReturnOfOthers, type Operation } from '../../operations/operation.ts'
import { lateApproval, operationPatch, responseOf, staysOpen } from '../../operations/operation-patch.ts'
import type { RequestInput, Transition, VerbDefinition } from '../../operations/verb.ts'
import { splitOfReversal } from '../authorization/split.ts'
import type { Payment } from '../payment.ts'
import { keptOf } from './kept.ts'
import { askedUntil, freed, ifAllowed, unresolved } from './moves.ts'
import { voidRequest } from './void.ts'

/**
 * The reversal of money that should not have moved: a hold is voided, a charge refunded. The payment may wait for it.
 */
export const reversals: Record<'void' | 'refund', VerbDefinition<Payment>> = {
  void: { buildRequest: voidRequest, after: afterVoidReversal, onPollingEnded },
  refund: {
    companionRow: keptBeside,
    buildRequest: refundRequest,
    after: (payment, operation, outcome, now, kept) => afterRefundReversal(payment, operation, outcome, now, kept as number),
    until: askedUntil,
    onPollingEnded,
  },
}

/** Returns what the processor keeps beside the refund, if others had it made. */
async function keptBeside(context: Pick<Context, 'query'>, operation: Operation): Promise<number> {
  return isReturnOfOthers(operation) ? keptOf(await findOperations(context, operation)) : 0
}

/** Gives up polling; the status changes only if the reversal has the payment alone. */
function onPollingEnded(payment: Payment, operation: Operation, now: Time): Transition<Payment> | null {
  const step = unresolved(payment, operation, now)
  if (!step || payment.alone === operation.n) return step
  return { ...step, move: null, head: { last_error: failure.unresolved(operation) } }
}

function refundRequest({ connector, account, operation, authorization, head }: RequestInput<Payment>) {
  const { request_id, amount, currency } = operation
  // Shares given as amounts apply only to the whole amount.
  const split = splitOfReversal(head.request)
  const back = split && (split.is === 'stripe' || amount === head.net_amount) ? { split } : {}
  return connector.refund?.({ request_id, authorization, money: { amount, currency }, reason: null, ...back }, account) ?? null
}

/**
 * Merchants receive an event for money returned beside the totals, because customers see it on their statements: of a
 * type that causes no second delivery or cancellation. It shows the attempts (`events/announce.ts`).
 */
const givenBack = (side: Partial<Operation>): Transition<Payment> => ({
  move: null,
  head: {},
  operation: side,
  announces: 'action_required',
})

/** Announcing the status of a payment that does not wait for the reversal would make a merchant deliver once more. */
const underWay = (payment: Payment, { n }: Operation, side: Partial<Operation>): Transition<Payment> => ({
  move: null,
  head: {},
  operation: side,
  ...(payment.alone !== n && { announces: null }),
})

/** Returns what others captured of a hold before its void. Where a hold is captured once, a void returns that too. */
const takenFromHold = ({ amount, connector }: Operation, released: number): number =>
  connectors[connector]?.accepts.capture.includes('manual_multiple') ? Math.max(0, amount - released) : 0

/** Applies an answer to the void of a hold that no payment expects. */
export function afterVoidReversal(payment: Payment, operation: Operation, outcome: Outcome, now: Time): Transition<Payment> | null {
  if (!acceptsUpdates(operation)) return outcome.is === 'done' && endedWithANo(operation) ? lateApproval(operation, outcome, now) : null
  const side = operationPatch(operation, outcome, now, payment.expires_on)
  if (!side) return null
  if (staysOpen(side)) return underWay(payment, operation, side)
  const alone = payment.alone === operation.n
  if (side.state === 'conflicted') {
    const last_error = failure.contradicted(operation)
    return { move: alone ? ifAllowed(payment, 'contradicted') : null, head: { ...freed(payment, operation), last_error }, operation: side }
  }
  const taken = outcome.is === 'done' ? takenFromHold(operation, outcome.amount.amount) : 0
  if (taken > 0) return { move: null, head: {}, operation: side, open: { is: 'reversal', verb: 'refund', alone, amount: taken } }
  // Nothing is held any more: the void returned the amount, or the processor released it.
  if (outcome.is === 'done' || outcome.is === 'lapsed') {
    if (!alone) return givenBack(side)
    return { move: ifAllowed(payment, 'reversed'), head: { alone: null, amount_capturable: 0, next_action: null }, operation: side }
  }
  // It may have been captured meanwhile, so it is refunded. If that fails too, manual review is required.
  return { move: null, head: {}, operation: side, ...(outcome.is === 'declined' && { open: { is: 'reversal', verb: 'refund', alone } }) }
}

/** Applies an answer to the refund of a captured amount. `kept`: what the processor keeps beside it. */
export function afterRefundReversal(
  payment: Payment,
  operation: Operation,
  outcome: Outcome,
  now: Time,
  kept = 0,
): Transition<Payment> | null {
  // The processor takes its confirmation back: the money is at the processor again.
  if (operation.state === 'done' && outcome.is === 'declined') {
    const operation_ = { state: 'declined', response: responseOf(outcome, operation), modified_at: now } as const
    const last_error = failure.notGivenBack({ ...operation, amount: operation.amount + kept })
    return { move: null, head: { last_error }, operation: operation_, announces: 'action_required' }
  }
  const side = operationPatch(operation, outcome, now, payment.expires_on)
  if (!side) return null
  if (staysOpen(side)) return underWay(payment, operation, side)
  const given = side.state === 'done'
  if (given && payment.alone !== operation.n) return givenBack(side)
  const move = payment.alone === operation.n ? ifAllowed(payment, given ? 'reversed' : 'unresolved') : null
  if (given) return { move, head: freed(payment, operation), operation: side }
  const held = { ...freed(payment, operation), last_error: failure.notGivenBack(operation) }
  return { move, head: held, operation: side, announces: 'action_required' }
}
