import type { Secret } from '../../base/secret.ts'
import type { Request } from '../../context.ts'
import type { Account, Conversation, Outcome, Verb } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { failedLookup, failedOutcome, firstHand, parseReply, readerOf, unknown } from '../kit/parse-reply.ts'
import { baseOf, bearerOf, getRequest, jsonRequest } from '../kit/request.ts'
import { outcomeOf } from './outcomes.ts'
import { readOperation, readRefused } from './replies.ts'

/** The requests to phonypay, and its responses about operations. */

export const get = (account: Account, path: string): Request => getRequest(`${baseOf(account)}/v1${path}`, bearerOf(credentialOf(account)))

/** `key`: our request id as the idempotency key, for requests that move money. */
export const post = (account: Account, path: string, body: object, key?: string): Request =>
  jsonRequest('POST', `${baseOf(account)}/v1${path}`, bearerOf(credentialOf(account)), body, key)

/** Returns the path of an operation: by its id, or by our request id if its id is unknown. */
export const operationName = ({ reference, request_id }: { reference: string | null; request_id: string }): string =>
  reference === null ? `by-reference/${encodeURIComponent(request_id)}` : encodeURIComponent(reference)

/** Parses a reply about an operation. */
export const operationReply = readerOf(readOperation, readRefused)

type Operating = { request_id: string; account: Account; secrets?: readonly Secret[] }

/** Sends the one request of a conversation that moves money, and returns the outcome. */
export function* operate(verb: Verb, request: Request, { request_id, account, secrets = [] }: Operating): Conversation {
  const reply = parseReply(yield request, [credentialOf(account), ...secrets], operationReply)
  if (reply.is === 'answer') return firstHand(outcomeOf(reply.answer, verb))
  // An operation with our request id exists already. This request did nothing; the earlier one decides.
  if (reply.is === 'refused' && reply.as === 'exists') return firstHand(yield* lookUp(verb, { reference: null, request_id }, account))
  return failedOutcome(reply)
}

/**
 * Looks up the outcome of an operation. A lookup that could not be sent, or got no answer, is `unknown`: only a
 * documented 404 is `not_found`.
 */
export function* lookUp(verb: Verb, operation: { reference: string | null; request_id: string }, account: Account): Conversation<Outcome> {
  const reply = parseReply(yield get(account, `/operations/${operationName(operation)}`), [credentialOf(account)], operationReply)
  if (reply.is !== 'answer') return failedLookup(reply)
  const isOther = operation.reference !== null && reply.answer.id !== operation.reference
  return isOther ? unknown('the response is for another operation') : outcomeOf(reply.answer, verb)
}
