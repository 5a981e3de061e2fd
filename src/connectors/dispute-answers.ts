import type { Money } from '../base/money.ts'
import type { Outcome } from './connector.ts'
import type { DisputeSaid, DisputeStatus } from './dispute.ts'
import type { DisputeVerb } from './verbs.ts'

/** In which states of a dispute an answer to it has happened, or still may. */
const ends = {
  accept_dispute: { done: ['dispute_accepted', 'dispute_lost'], open: ['dispute_opened', 'dispute_challenged'] },
  contest_dispute: { done: ['dispute_challenged', 'dispute_won', 'dispute_lost'], open: ['dispute_opened'] },
} as const satisfies Record<DisputeVerb, { done: readonly DisputeStatus[]; open: readonly DisputeStatus[] }>

/** What a dispute, as the processor tells it, says of our answer to it. */
export function disputeOutcome(verb: DisputeVerb, dispute: DisputeSaid, money: Money): Outcome {
  const { reference, status } = dispute
  const among = (statuses: readonly DisputeStatus[]) => statuses.includes(status)
  if (among(ends[verb].done)) return { is: 'done', reference, request_id: null, amount: money, captured: null, facts: { dispute } }
  if (among(ends[verb].open)) return { is: 'not_found', reference }
  return {
    is: 'declined',
    reference,
    code: 'not_allowed',
    code_said: dispute.said,
    said: `The dispute is ${dispute.said}.`,
    facts: { dispute },
  }
}
