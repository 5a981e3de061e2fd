import Type from 'typebox'
import type { GsmRule } from '../accounts/gsm.ts'
import { refuse } from '../base/refusal.ts'
import { boundedText, shortText } from '../base/shapes.ts'
import { connectors } from '../connectors/all.ts'
import type { Outcome } from '../connectors/connector.ts'
import { Unscreened } from '../connectors/redaction/card-numbers.ts'
import { acceptsUpdates, type Operation } from './operation.ts'
import { inFlightWindowIsOver } from './poll-schedule.ts'
import { receiveOutcome } from './sync.ts'
import type { Call } from './verb.ts'

export const declineMembers = {
  error_code: Type.Optional(shortText),
  error_message: Type.Optional(boundedText(1024)),
  unified_code: Type.Optional(shortText),
  unified_message: Type.Optional(boundedText(1024)),
}
export type ManualDecline = { error_code?: string; error_message?: string; unified_code?: string; unified_message?: string }

/**
 * Applies the result that an operator has looked up at the processor for an operation which it left open. Like any
 * other news (`receiveOutcome`) it stays within the guarded amounts, and the processor's later word counts. Refuses
 * (IR_16) an operation that has ended, and one whose answer may still be on its way.
 */
export async function resolveManually(call: Call, operation: Operation, outcome: Outcome, no: ManualDecline): Promise<void> {
  if (!acceptsUpdates(operation))
    refuse('precondition', { problem: `The ${operation.verb} is complete: its processor has already reported the result` })
  const { in_flight_ms } = connectors[operation.connector]!.accepts
  if (!inFlightWindowIsOver(call.context, operation.began, in_flight_ms))
    refuse('precondition', {
      problem: `The processor may still respond to the ${operation.verb}: set its result manually in a few minutes`,
    })
  await receiveOutcome({ ...call, services: { ...call.services, rules: by(no) } }, operation, new Unscreened(outcome))
}

/** Returns the operator's own texts in place of the deployment's rules. */
const by =
  ({ unified_code, unified_message }: ManualDecline) =>
  (): GsmRule | undefined => {
    if (!unified_code && !unified_message) return undefined
    const silent = { standardised_code: null, description: null, user_guidance_message: null }
    return { ...silent, unified_code: unified_code ?? null, unified_message: unified_message ?? null } as GsmRule
  }

/** Of the whole amount. `reference`: the processor's id; captures and refunds need that of an authorization. */
export function approvedManually(
  { verb, request_id, reference: known, amount, currency }: Operation,
  reference: string | undefined,
  captured: boolean,
): Outcome {
  const money = { amount, currency }
  const named = reference ?? known ?? (verb === 'authorize' ? refuse('missing', { field: 'connector_transaction_id' }) : request_id)
  return { is: 'done', reference: named, request_id: null, amount: money, captured: captured ? money : null, facts: {} }
}

export const declinedManually = ({ reference }: Operation, { error_code, error_message }: ManualDecline): Outcome => ({
  is: 'declined',
  reference,
  code: 'payment_declined',
  processor_code: error_code ?? 'ruled_by_operator',
  message: error_message ?? 'The operator confirmed with the processor that the operation did not happen.',
  by_hand: true,
  facts: {},
})
