import type { Currency } from '../../base/currencies.ts'
import { type DeclineCode, declineCodes, type Facts, type Outcome, type Verb } from '../connector.ts'
import { declinedWith, unknown } from '../kit/parse-reply.ts'
import { isOneOf } from '../kit/read.ts'
import { type BridgeOperation, bridgeVerbs } from './protocol.ts'

/** Converts an adapter's operations to outcomes. Pure. */

/**
 * Returns the outcome of an operation. Amount, currency and request id are as the adapter echoed them; the caller
 * compares them.
 */
export function outcomeOf(operation: BridgeOperation, verb: Verb): Outcome {
  const { type, status, reference, action } = operation
  if (bridgeVerbs[type] !== verb) return unknown('the response is for another kind of operation')
  switch (status) {
    case 'approved':
      return doneOf(operation)
    case 'declined':
      return declinedOf(operation)
    case 'returned':
      return verb === 'authorize' || verb === 'void' ? unknown(`${type}, and returned`) : { ...declinedOf(operation), after_yes: true }
    case 'released':
      return { is: 'lapsed', reference }
    case 'pending':
      return { is: 'waiting', reference }
    case 'action_required':
      return { is: 'waiting', reference, next_action: { type: 'redirect_to_url', url: new URL(action!.url).href } }
  }
}

function doneOf(operation: BridgeOperation): Outcome {
  const { type, request_id, reference, captured, held } = operation
  const currency = operation.currency as Currency
  const money = (amount: number) => ({ amount, currency })
  return {
    is: 'done',
    reference,
    request_id,
    amount: money(operation.amount),
    captured: type === 'authorize' && captured! > 0 ? money(captured!) : null,
    ...(type === 'authorize' && { capturable: money(held!) }),
    facts: factsOf(operation),
  }
}

const facts = ['network_transaction_id', 'authorization_code', 'eci', 'avs_result', 'cvc_result', 'arn'] as const

function factsOf(operation: BridgeOperation): Facts {
  const values = Object.fromEntries(facts.flatMap(name => (typeof operation[name] === 'string' ? [[name, operation[name]]] : [])))
  const until = operation.hold_until ?? null
  return { ...values, ...(until !== null && { capture_before: new Date(until).toISOString() }) }
}

function declinedOf(operation: BridgeOperation): Extract<Outcome, { is: 'declined' }> {
  const { code, message, network_code, network_advice } = operation.decline!
  const plain: DeclineCode = operation.type === 'authorize' ? 'card_declined' : 'operation_declined'
  return {
    ...declinedWith(isOneOf(declineCodes, code) ? code : plain, code, message, operation.reference),
    ...(typeof network_code === 'string' && { network_code }),
    ...(typeof network_advice === 'string' && { network_advice }),
    facts: factsOf(operation),
  }
}
