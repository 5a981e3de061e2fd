import type { Outcome } from '../../connectors/connector.ts'
import type { Time } from '../../context.ts'
import { failure } from '../../operations/failure.ts'
import { endedWithANo, type Operation, takesNews } from '../../operations/operation.ts'
import { goesOn, saidOf, sideOf } from '../../operations/side.ts'
import type { More, Task, Transition, VerbDefinition } from '../../operations/verb.ts'
import type { Payout } from '../payout.ts'
import { LOOK, placed, unresolved } from './payout.ts'

/** What is asked of a processor that calls a payout off, and what its answers mean. */
export const cancelVerb: VerbDefinition<Payout> = { ask, after: afterCancel, gaveUp: unresolved }

function ask({ connector, account, operation, authorization }: Task<Payout>) {
  const { request_id, amount, currency } = operation
  return connector.cancel_payout?.({ request_id, authorization, money: { amount, currency } }, account) ?? null
}

/** A cancel was answered. A refused one leaves the payout on its way; what it comes to, its own operation tells. */
export function afterCancel(
  payout: Payout,
  operation: Operation,
  outcome: Outcome,
  now: Time,
  _along?: unknown,
  { rule }: More = {},
): Transition<Payout> | null {
  if (!takesNews(operation)) {
    if (outcome.is !== 'done' || !endedWithANo(operation)) return null
    const side = { state: 'done', reference: outcome.reference, said: saidOf(outcome), modified_at: now, ask_at: null } as const
    return calledOff(payout, operation, side)
  }
  const side = sideOf(operation, outcome, now, payout.expires_on)
  if (!side) return null
  // Of the payout that says nothing new.
  if (goesOn(side)) return { move: null, head: {}, operation: side, announces: null }
  if (outcome.is === 'done' && side.state !== 'conflicted') return calledOff(payout, operation, side)
  const contradicted = side.state === 'conflicted'
  const last_error = contradicted ? failure.contradicted(operation) : failure.of(outcome, rule)
  // Its end is heard already: the refused cancel is no failure of it.
  const head = payout.status === 'initiated' ? { ...freed(payout, operation), last_error } : freed(payout, operation)
  return { move: null, head, operation: side, ...(contradicted && { announces: LOOK }) }
}

/** The payout is no longer this cancel's alone. */
const freed = (payout: Payout, { n }: Operation): Pick<Payout, 'alone'> => ({ alone: payout.alone === n ? null : payout.alone })

/** A processor that called off what it had paid contradicts itself: a person must look. */
function calledOff(payout: Payout, operation: Operation, side: Partial<Operation>): Transition<Payout> {
  const head = freed(payout, operation)
  const move = placed(payout, 'called_off')
  if (move) return { move, head: { ...head, alone: null }, operation: side }
  if (payout.status !== 'success') return { move: null, head, operation: side }
  return {
    move: null,
    head: { ...head, last_error: failure.late(operation) },
    operation: { ...side, state: 'conflicted' },
    announces: LOOK,
  }
}
