import type { Outcome } from '../../connectors/connector.ts'
import type { Time } from '../../context.ts'
import { APPROVED_MEANWHILE, failure } from '../../operations/failure.ts'
import { acceptsUpdates, endedWithANo, type Operation } from '../../operations/operation.ts'
import { lateApproval, operationPatch, staysOpen } from '../../operations/operation-patch.ts'
import type { OutcomeContext, RequestInput, Transition, VerbDefinition } from '../../operations/verb.ts'
import type { Payment } from '../payment.ts'
import { freed, ifAllowed, isCurrent, unresolved } from './moves.ts'
import { isRelease, release } from './release.ts'

/** The verb that voids for a merchant's cancel: its request to the processor, and the effect of the answers. */
export const voidVerb: VerbDefinition<Payment> = {
  buildRequest: voidRequest,
  after: (...[payment, operation, ...more]) => (isRelease(payment, operation) ? release.after : afterVoid)(payment, operation, ...more),
  onPollingEnded: (...[payment, operation, ...more]) =>
    (isRelease(payment, operation) ? release.onPollingEnded : unresolved)(payment, operation, ...more),
}

export function voidRequest({ connector, account, head: payment, operation, authorization }: RequestInput<Payment>) {
  const { request_id, amount, currency } = operation
  const of = isRelease(payment, operation) ? 'rest' : 'whole'
  const reason = operation.purpose === 'merchant' ? payment.cancellation_reason : null
  const asked = { request_id, authorization, money: { amount, currency }, of, ...(reason !== null && { reason }) } as const
  return connector.void?.(asked, account) ?? null
}

/** The reason of a cancel that did not happen: none. It was stored before the processor was asked, for its request. */
const notCancelled: Pick<Payment, 'cancellation_reason'> = { cancellation_reason: null }

const voidedNothing = ({ facts }: Payment): Pick<Payment, 'facts'> => ({ facts: { ...facts, voided_nothing: true } })

/** Applies an answer to a void. After a decline the hold, or the unanswered challenge, still exists. */
function afterVoid(
  payment: Payment,
  operation: Operation,
  reply: Outcome,
  now: Time,
  _companionRow?: unknown,
  { rule }: OutcomeContext = {},
): Transition<Payment> | null {
  const nothing = reply.is === 'done' && reply.held_nothing === true
  if (!acceptsUpdates(operation))
    return reply.is === 'done' && !nothing && endedWithANo(operation) ? lateApproval(operation, reply, now) : null
  // The authorization was approved after the void was requested: nothing of it was voided.
  const outcome: Outcome =
    nothing && (payment.amount_authorized > 0 || payment.status === 'succeeded') ? { is: 'not_sent', why: APPROVED_MEANWHILE } : reply
  const side = operationPatch(operation, outcome, now, payment.expires_on)
  if (!side) return null
  // A payment that was captured meanwhile is not announced again.
  if (staysOpen(side)) return { move: null, head: {}, operation: side, ...(payment.status !== 'processing' && { announces: null }) }
  // Another authorization has replaced this one meanwhile: the result of this void is no news of the payment.
  if (!isCurrent(payment, operation.acts_on))
    return { move: null, head: { ...freed(payment, operation), ...(outcome.is !== 'done' && notCancelled) }, operation: side }
  if (side.state === 'conflicted')
    return { move: ifAllowed(payment, 'contradicted'), head: { alone: null, last_error: failure.contradicted(operation) }, operation: side }
  const alone = payment.alone === operation.n
  if (outcome.is === 'done') {
    if (payment.status === 'succeeded')
      return { move: ifAllowed(payment, 'voided_at_processor'), head: freed(payment, operation), operation: side }
    return {
      move: alone ? ifAllowed(payment, 'voided') : null,
      head: alone ? { alone: null, amount_capturable: 0, next_action: null, ...(nothing && voidedNothing(payment)) } : {},
      operation: side,
    }
  }
  if (!alone) return { move: null, head: payment.status === 'cancelled' ? {} : notCancelled, operation: side }
  // The hold had already lapsed: nothing was left to void.
  if (payment.facts?.lapsed_at !== undefined)
    return { move: ifAllowed(payment, 'lapsed'), head: { alone: null, ...notCancelled }, operation: side }
  // Nothing was authorized yet: the challenge is still open, and the authorization's own job polls for its result.
  if (payment.amount_authorized === 0)
    return { move: null, head: { alone: operation.acts_on, ...notCancelled, last_error: failure.of(outcome, rule) }, operation: side }
  const back = ifAllowed(payment, payment.amount_authorized < payment.net_amount ? 'partial_void_declined' : 'void_declined')
  // If the payment was captured meanwhile, the declined cancel is not shown as an error of the successful payment.
  return { move: back, head: { alone: null, ...notCancelled, ...(back && { last_error: failure.of(outcome, rule) }) }, operation: side }
}
