import type { Secret } from '../../base/secret.ts'
import type { Account, Conversation, Verb } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { failedLookup, failedOutcome, firstHand, parseReply, type Refused, readerOf, unknown } from '../kit/parse-reply.ts'
import { bearerOf, getRequest, jsonRequest } from '../kit/request.ts'
import { outcomeOf } from './outcomes.ts'
import { type BridgeRequest, readBridgeError, readOperation } from './protocol.ts'

/** Requests to an adapter: everything is an operation with our request id as its id. */

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

/** Sends the request of a conversation that moves money, and returns its outcome. */
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
