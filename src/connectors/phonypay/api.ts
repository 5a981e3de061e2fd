import type { Secret } from '../../base/secret.ts'
import type { Request } from '../../context.ts'
import type { Account, Conversation, Outcome, Verb } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { failedLookup, failedOutcome, firstHand, parseReply, readerOf, unknown } from '../kit/parse-reply.ts'
import { baseOf, bearerOf, getRequest, jsonRequest } from '../kit/request.ts'
import { outcomeOf } from './outcomes.ts'
import { readOperation, readRefused } from './replies.ts'

/** How phonypay is asked, and what it answers of operations. */

export const get = (account: Account, path: string): Request => getRequest(`${baseOf(account)}/v1${path}`, bearerOf(credentialOf(account)))

/** `key`: our request id, of requests that move money. */
export const post = (account: Account, path: string, body: object, key?: string): Request =>
  jsonRequest('POST', `${baseOf(account)}/v1${path}`, bearerOf(credentialOf(account)), body, key)

/** By its id or, where that was never heard, by ours. */
export const operationName = ({ reference, request_id }: { reference: string | null; request_id: string }): string =>
  reference === null ? `by-reference/${encodeURIComponent(request_id)}` : encodeURIComponent(reference)

/** A reply about an operation. */
export const operationReply = readerOf(readOperation, readRefused)

type Operating = { request_id: string; account: Account; secrets?: readonly Secret[] }

/** The one request of a conversation that moves money, and what its answer means. */
export function* operate(verb: Verb, request: Request, { request_id, account, secrets = [] }: Operating): Conversation {
  const reply = parseReply(yield request, [credentialOf(account), ...secrets], operationReply)
  if (reply.is === 'answer') return firstHand(outcomeOf(reply.answer, verb))
  // An operation of ours is there already. This request did nothing, the earlier one decides.
  if (reply.is === 'refused' && reply.as === 'exists') return firstHand(yield* lookUp(verb, { reference: null, request_id }, account))
  return failedOutcome(reply)
}

/**
 * What became of an operation. A question that could not be asked, or was not answered, leaves things `unknown`: only
 * a 404 of the contract is `not_found`.
 */
export function* lookUp(verb: Verb, operation: { reference: string | null; request_id: string }, account: Account): Conversation<Outcome> {
  const reply = parseReply(yield get(account, `/operations/${operationName(operation)}`), [credentialOf(account)], operationReply)
  if (reply.is !== 'answer') return failedLookup(reply)
  const isOther = operation.reference !== null && reply.answer.id !== operation.reference
  return isOther ? unknown('the response is for another operation') : outcomeOf(reply.answer, verb)
}
