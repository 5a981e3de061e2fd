import type { Outcome } from '../../connectors/connector.ts'
import type { Time } from '../../context.ts'
import { APPROVED_MEANWHILE, failure } from '../../operations/failure.ts'
import { endedWithANo, type Operation, takesNews } from '../../operations/operation.ts'
import { goesOn, late, sideOf } from '../../operations/side.ts'
import type { More, Task, Transition, VerbDefinition } from '../../operations/verb.ts'
import type { Payment } from '../payment.ts'
import { freed, isCurrent, placed, unresolved } from './moves.ts'
import { isRelease, release } from './release.ts'

/** What is asked of a processor that voids, for a merchant's cancel, and what its answers mean. */
export const voidVerb: VerbDefinition<Payment> = {
  ask: askToVoid,
  after: (...[payment, operation, ...more]) => (isRelease(payment, operation) ? release.after : afterVoid)(payment, operation, ...more),
  gaveUp: (...[payment, operation, ...more]) => (isRelease(payment, operation) ? release.gaveUp : unresolved)(payment, operation, ...more),
}

export function askToVoid({ connector, account, head: payment, operation, authorization }: Task<Payment>) {
  const { request_id, amount, currency } = operation
  const of = isRelease(payment, operation) ? 'rest' : 'whole'
  const reason = operation.purpose === 'merchant' ? payment.cancellation_reason : null
  const asked = { request_id, authorization, money: { amount, currency }, of, ...(reason !== null && { reason }) } as const
  return connector.void?.(asked, account) ?? null
}

/**
 * A void was answered. A refused one gives the payment back as it was: the hold, or the unanswered challenge, still
 * lives.
 */
export function afterVoid(
  payment: Payment,
  operation: Operation,
  said: Outcome,
  now: Time,
  _along?: unknown,
  { rule }: More = {},
): Transition<Payment> | null {
  const nothing = said.is === 'done' && said.held_nothing === true
  if (!takesNews(operation)) return said.is === 'done' && !nothing && endedWithANo(operation) ? late(operation, said, now) : null
  // It was approved since the processor was asked: nothing of it was voided.
  const outcome: Outcome =
    nothing && (payment.amount_authorized > 0 || payment.status === 'succeeded') ? { is: 'not_sent', why: APPROVED_MEANWHILE } : said
  const side = sideOf(operation, outcome, now, payment.expires_on)
  if (!side) return null
  // A payment that was captured meanwhile is not announced once more.
  if (goesOn(side)) return { move: null, head: {}, operation: side, ...(payment.status !== 'processing' && { announces: null }) }
  // Another authorization stands in its place meanwhile: what became of this one is no news of the payment.
  if (!isCurrent(payment, operation.acts_on)) return { move: null, head: freed(payment, operation), operation: side }
  if (side.state === 'conflicted')
    return { move: placed(payment, 'contradicted'), head: { alone: null, last_error: failure.contradicted(operation) }, operation: side }
  const alone = payment.alone === operation.n
  if (outcome.is === 'done') {
    if (payment.status === 'succeeded')
      return { move: placed(payment, 'voided_at_processor'), head: freed(payment, operation), operation: side }
    return {
      move: alone ? placed(payment, 'voided') : null,
      head: alone ? { alone: null, amount_capturable: 0, next_action: null } : {},
      operation: side,
    }
  }
  if (!alone) return { move: null, head: {}, operation: side }
  // There was nothing left to undo.
  if (payment.facts?.lapsed_at !== undefined) return { move: placed(payment, 'lapsed'), head: { alone: null }, operation: side }
  // Nothing was authorized yet: the challenge is still open, and its own alarm brings the news.
  if (payment.amount_authorized === 0)
    return { move: null, head: { alone: operation.acts_on, last_error: failure.of(outcome, rule) }, operation: side }
  const back = placed(payment, payment.amount_authorized < payment.net_amount ? 'partial_void_declined' : 'void_declined')
  // Captured meanwhile: the refused cancel is no failure of what succeeded.
  return { move: back, head: { alone: null, ...(back && { last_error: failure.of(outcome, rule) }) }, operation: side }
}
