import type { Money } from '../../base/money.ts'
import type { Account, Connector, Conversation, DisputeRequest, Outcome, SyncRequest } from '../connector.ts'
import type { DisputeReport, DisputeStatus } from '../dispute.ts'
import type { DisputeVerb } from '../verbs.ts'
import { declinedWith, doneWith, unknown } from './parse-reply.ts'

/** States in which an answer has taken effect (`done`), or may still do so (`open`). */
const ends = {
  accept_dispute: { done: ['dispute_accepted', 'dispute_lost'], open: ['dispute_opened', 'dispute_challenged'] },
  contest_dispute: { done: ['dispute_challenged', 'dispute_won', 'dispute_lost'], open: ['dispute_opened'] },
} as const satisfies Record<DisputeVerb, { done: readonly DisputeStatus[]; open: readonly DisputeStatus[] }>

export function disputeOutcome(verb: DisputeVerb, dispute: DisputeReport, money: Money): Outcome {
  const { reference, status } = dispute
  const among = (statuses: readonly DisputeStatus[]) => statuses.includes(status)
  if (among(ends[verb].done)) return doneWith(reference, money, { facts: { dispute } })
  if (among(ends[verb].open)) return { is: 'not_found', reference }
  return { ...declinedWith('not_allowed', dispute.said, `The dispute is ${dispute.said}.`, reference), facts: { dispute } }
}

/** If the dispute is still open, the outcome is `unknown`: a later query must find it out. */
export function answeredOutcome(verb: DisputeVerb, dispute: DisputeReport, { reference, money }: DisputeRequest): Outcome {
  if (dispute.reference !== reference) return unknown('the response is for another dispute')
  return answeredForSure(disputeOutcome(verb, dispute, money))
}

export const answeredForSure = (outcome: Outcome): Outcome =>
  outcome.is === 'not_found' ? unknown('the response was accepted, but the dispute is still open') : outcome

export function* syncDisputeBy(
  read: NonNullable<Connector['read_dispute']>,
  verb: DisputeVerb,
  { reference, money }: Pick<SyncRequest, 'reference' | 'money'>,
  account: Account,
): Conversation {
  if (reference === null) return unknown('the dispute has no processor reference')
  const dispute = yield* read(reference, account)
  if (dispute.is === 'dispute') return disputeOutcome(verb, dispute.dispute, money)
  return unknown(dispute.is === 'unknown' ? dispute.why : 'the dispute was not found')
}
