import type { Outcome } from '../connectors/connector.ts'
import { verbs } from '../connectors/verbs.ts'
import type { Time } from '../context.ts'
import { failure } from './failure.ts'
import { acceptsUpdates, type Operation, type OperationState, type ProcessorResponse } from './operation.ts'
import { pollAfter } from './poll-schedule.ts'
import type { AggregateRow, Transition } from './verb.ts'

/** The effect of an outcome on the operation itself: the same for every verb and every resource. Pure. */

export type Done = Extract<Outcome, { is: 'done' }>
export type Declined = Extract<Outcome, { is: 'declined' }>

const finishedBy = {
  done: 'done',
  declined: 'declined',
  not_sent: 'not_sent',
  later: 'not_sent',
  lapsed: 'lapsed',
  not_found: 'not_received',
} as const satisfies Partial<Record<Outcome['is'], OperationState>>

/** The part of an answer to store; of an approval's request id, amount and currency, only what differs. */
export function responseOf(outcome: Outcome, operation: Operation): ProcessorResponse {
  switch (outcome.is) {
    case 'done': {
      const { facts, amount, request_id } = outcome
      const response: ProcessorResponse = { facts }
      if (amount.amount !== operation.amount) response.amount = amount.amount
      if (amount.currency !== operation.currency) response.currency = amount.currency
      if (request_id !== null && request_id !== operation.request_id) response.request_id = request_id
      return response
    }
    case 'declined':
      return {
        words: outcome.message,
        code: outcome.processor_code,
        facts: outcome.facts,
        ...(outcome.network_code !== undefined && { network_code: outcome.network_code }),
        ...(outcome.network_advice !== undefined && { network_advice: outcome.network_advice }),
        ...(outcome.after_yes && { after_yes: true }),
        ...(outcome.by_hand && { by_hand: true }),
      }
    case 'unknown':
    case 'not_sent':
      return { why: outcome.why }
    default:
      return {}
  }
}

/** Whether an approval is of another request, currency or amount. (An authorization's verb checks more.) */
export function contradicts(operation: Operation, { request_id, amount }: Done): boolean {
  if ((request_id !== null && request_id !== operation.request_id) || amount.currency !== operation.currency) return true
  return verbs[operation.verb].amount === 'exact' && amount.amount !== operation.amount
}

/**
 * Returns the change that an outcome makes to its operation. Null: nothing new.
 * - An operation that has ended takes no more news, except a no after a yes, which its verb interprets.
 * - Silence is not a no: `unknown` and `waiting` keep the poll, due at the end of the customer's session at the
 *   latest.
 * - A reference is kept even after polling has ended: a person, or `force_sync`, may ask by it.
 */
export function operationPatch(
  operation: Operation,
  outcome: Outcome,
  now: Time,
  session_ends: Time,
  isContradiction: (operation: Operation, outcome: Done) => boolean = contradicts,
): Partial<Operation> | null {
  if (!acceptsUpdates(operation)) return null
  const reference = ('reference' in outcome ? outcome.reference : null) ?? operation.reference
  const response = responseOf(outcome, operation)
  // A reversal does not end with a request that was not sent: its poll sends it again, under the same request id.
  const unsent = operation.purpose === 'reversal' && (outcome.is === 'not_sent' || outcome.is === 'not_found')
  if (outcome.is === 'unknown' || outcome.is === 'waiting' || unsent) {
    const state = outcome.is === 'waiting' ? 'waiting' : 'unknown'
    const isKnown = reference === operation.reference
    if (operation.state === 'unresolved') return isKnown ? null : { state: 'unresolved', reference }
    if (operation.state === state && isKnown) return null
    return { state, reference, response, modified_at: now, poll_at: pollAfter({ ...operation, state }, now, session_ends) }
  }
  if (outcome.is === 'done' && isContradiction(operation, outcome))
    return { state: 'conflicted', reference, response, modified_at: now, poll_at: null }
  const state = finishedBy[outcome.is as keyof typeof finishedBy]
  return {
    state,
    reference,
    response,
    modified_at: now,
    poll_at: pollAfter({ ...operation, state, response, modified_at: now }, now, session_ends),
  }
}

/** Whether the operation continues after the outcome. */
export const staysOpen = (patch: Partial<Operation>): boolean => acceptsUpdates(patch as Operation)

/** An approval that cannot be booked after the operation ended with a no: kept, announced, to be reviewed. */
export const lateApproval = <H extends AggregateRow & { last_error: unknown }>(
  operation: Operation,
  outcome: Done,
  now: Time,
): Transition<H> => ({
  move: null,
  head: { last_error: failure.late(operation) } as Partial<H>,
  operation: endsAs('conflicted', operation, outcome, now),
  announces: 'action_required',
})

/** The change of an operation that ends with news after its own end. */
export const endsAs = <S extends OperationState>(state: S, operation: Operation, outcome: Outcome, now: Time) => ({
  state,
  reference: ('reference' in outcome ? outcome.reference : null) ?? operation.reference,
  response: responseOf(outcome, operation),
  modified_at: now,
  poll_at: null,
})

export const givenUp = (now: Time): Partial<Operation> => ({ state: 'unresolved', poll_at: null, modified_at: now })
