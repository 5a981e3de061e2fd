import type { Currency } from '../../base/currencies.ts'
import type { Secret } from '../../base/secret.ts'
import { type Account, type Conversation, type DeclineCode, declineCodes, type Facts, type Outcome, type Verb } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { declinedWith, failedLookup, failedOutcome, firstHand, parseReply, type Refused, readerOf, unknown } from '../kit/parse-reply.ts'
import { isOneOf } from '../kit/read.ts'
import { bearerOf, getRequest, jsonRequest } from '../kit/request.ts'
import { type BridgeOperation, type BridgeRequest, bridgeVerbs, readBridgeError, readOperation } from './protocol.ts'

const operationAt = (request_id: string, { base_url }: Account): string => `${base_url}/v1/operations/${encodeURIComponent(request_id)}`

const meanings = {
  invalid_request: 'invalid_request',
  unauthorized: 'configuration',
  not_found: 'not_found',
  conflict: 'exists',
  not_allowed: 'not_allowed',
  not_supported: 'not_supported',
  slow_down: 'later',
} as const

export function readRefused(status: number, body: unknown): Refused | null {
  const error = readBridgeError(status, body)
  return error && { is: 'refused', as: meanings[error.code], code: error.code, message: error.message }
}

const operationReply = readerOf(readOperation, readRefused)

export function* put(verb: Verb, request_id: string, body: BridgeRequest, account: Account, secrets: readonly Secret[] = []): Conversation {
  const key = credentialOf(account)
  const request = jsonRequest('PUT', operationAt(request_id, account), bearerOf(key), body, request_id)
  const reply = parseReply(yield request, [key, ...secrets], operationReply)
  if (reply.is === 'answer') return firstHand(outcomeOf(reply.answer, verb))
  // This request had no effect; the result of the earlier request with the same id counts.
  if (reply.is === 'refused' && reply.as === 'exists') return firstHand(yield* lookUp(verb, request_id, account))
  return failedOutcome(reply)
}

export function* lookUp(verb: Verb, request_id: string, account: Account): Conversation {
  const key = credentialOf(account)
  const reply = parseReply(yield getRequest(operationAt(request_id, account), bearerOf(key)), [key], operationReply)
  if (reply.is !== 'answer') return failedLookup(reply)
  return reply.answer.request_id === request_id ? outcomeOf(reply.answer, verb) : unknown('the response is for another operation')
}

/** Amount, currency and request id are as the adapter echoed them; the caller compares them. */
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
