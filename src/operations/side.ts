import type { Outcome } from '../connectors/connector.ts'
import { verbs } from '../connectors/verbs.ts'
import type { Time } from '../context.ts'
import { failure } from './failure.ts'
import { type Operation, type OperationState, type ProcessorResponse, takesNews } from './operation.ts'
import { pollAfter } from './poll-schedule.ts'
import type { AggregateRow, Transition } from './verb.ts'

/** An operation's own side of what is heard of it: the same for every verb and every resource. Pure. */

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

/**
 * What is kept of an answer on the operation. A yes names the request, the amount and the currency: those that are the
 * operation's own are not written a second time.
 */
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
        words: outcome.said,
        code: outcome.code_said,
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

/**
 * Does a yes speak of another request, currency or amount than was asked? (Of an authorization, its verb says more.)
 */
export function contradicts(operation: Operation, { request_id, amount }: Done): boolean {
  if ((request_id !== null && request_id !== operation.request_id) || amount.currency !== operation.currency) return true
  return verbs[operation.verb].amount === 'exact' && amount.amount !== operation.amount
}

/**
 * What an outcome makes of its operation. Null: nothing new.
 * - An operation that has ended takes no more news, except a no after a yes (the verb decides what that means).
 * - Silence is not a no: `unknown` and `waiting` keep the alarm, which rings at the end of the customer's session at
 *   the latest.
 * - A reference is kept in any case, even after polling has ended: a person, or `force_sync`, may ask by it.
 */
export function sideOf(
  operation: Operation,
  outcome: Outcome,
  now: Time,
  session_ends: Time,
  isContradiction: (operation: Operation, outcome: Done) => boolean = contradicts,
): Partial<Operation> | null {
  if (!takesNews(operation)) return null
  const reference = ('reference' in outcome ? outcome.reference : null) ?? operation.reference
  const response = responseOf(outcome, operation)
  // A reversal does not end with an attempt that was not sent: its alarm sends it again, under the same request id.
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
  return { state, reference, response, modified_at: now, poll_at: pollAfter({ ...operation, state, modified_at: now }, now, session_ends) }
}

/** Has the outcome not ended the operation? */
export const goesOn = (side: Partial<Operation>): boolean => takesNews(side as Operation)

/**
 * A yes for an operation that had ended with a no, and has no place any more: it is kept on the operation and
 * announced, and a person must look.
 */
export const late = <H extends AggregateRow & { last_error: unknown }>(operation: Operation, outcome: Done, now: Time): Transition<H> => ({
  move: null,
  head: { last_error: failure.late(operation) } as Partial<H>,
  operation: endsAs('conflicted', operation, outcome, now),
  announces: 'action_required',
})

/** An operation that ends with what was heard of it after its own end, under the name that the processor gave. */
export const endsAs = <S extends OperationState>(state: S, operation: Operation, outcome: Outcome, now: Time) => ({
  state,
  reference: ('reference' in outcome ? outcome.reference : null) ?? operation.reference,
  response: responseOf(outcome, operation),
  modified_at: now,
  poll_at: null,
})

/** Seven days have passed without an answer: the operation's side of it. */
export const givenUp = (now: Time): Partial<Operation> => ({ state: 'unresolved', poll_at: null, modified_at: now })
