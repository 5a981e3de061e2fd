import type { Money } from '../../base/money.ts'
import type { Secret } from '../../base/secret.ts'
import type { Request } from '../../context.ts'
import type { Account, Conversation, Outcome, Verb } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { declinedWith, failedLookup, failedOutcome, firstHand, parseReply, readerOf, unknown } from '../kit/parse-reply.ts'
import { baseOf, bearerOf, getRequest, jsonRequest } from '../kit/request.ts'
import { declines, type PhonypayOperation, phonypayTypes, readOperation, readRefused } from './replies.ts'

export const get = (account: Account, path: string): Request => getRequest(`${baseOf(account)}/v1${path}`, bearerOf(credentialOf(account)))

/** `key`: our request id, for requests that move money. */
export const post = (account: Account, path: string, body: object, key?: string): Request =>
  jsonRequest('POST', `${baseOf(account)}/v1${path}`, bearerOf(credentialOf(account)), body, key)

/** By our request id if its id is unknown. */
export const operationName = ({ reference, request_id }: { reference: string | null; request_id: string }): string =>
  reference === null ? `by-reference/${encodeURIComponent(request_id)}` : encodeURIComponent(reference)

export const operationReply = readerOf(readOperation, readRefused)

type Operating = { request_id: string; account: Account; secrets?: readonly Secret[] }

export function* operate(verb: Verb, request: Request, { request_id, account, secrets = [] }: Operating): Conversation {
  const reply = parseReply(yield request, [credentialOf(account), ...secrets], operationReply)
  if (reply.is === 'answer') return firstHand(outcomeOf(reply.answer, verb))
  // An operation with our request id exists already. This request did nothing; the earlier one decides.
  if (reply.is === 'refused' && reply.as === 'exists') return firstHand(yield* lookUp(verb, { reference: null, request_id }, account))
  return failedOutcome(reply)
}

/** Only a documented 404 is `not_found`; no answer is `unknown`. */
export function* lookUp(verb: Verb, operation: { reference: string | null; request_id: string }, account: Account): Conversation<Outcome> {
  const reply = parseReply(yield get(account, `/operations/${operationName(operation)}`), [credentialOf(account)], operationReply)
  if (reply.is !== 'answer') return failedLookup(reply)
  const isOther = operation.reference !== null && reply.answer.id !== operation.reference
  return isOther ? unknown('the response is for another operation') : outcomeOf(reply.answer, verb)
}

/** Amount, currency and reference are as phonypay echoes them: the caller compares them with the request. */
export function outcomeOf(operation: PhonypayOperation, verb: Verb): Outcome {
  if (operation.type !== phonypayTypes[verb]) return unknown('the response is for another kind of operation')
  switch (operation.status) {
    case 'approved':
      if (verb === 'post_capture_void' && operation.payment_state.refunded !== operation.payment_state.captured)
        return unknown('reversed only in part')
      return verb === 'authorize' ? authorizedOf(operation) : doneOf(operation, null)
    case 'returned':
      return returnedOf(operation)
    case 'expired':
      return operation.type === 'payout' ? { is: 'lapsed', reference: operation.id } : unknown('expired, but not a payout')
    case 'declined':
      return declinedOf(operation)
    case 'pending':
      return { is: 'waiting', reference: operation.id }
    case 'challenge':
      if (verb !== 'authorize' || operation.redirect_url === null) return unknown('the challenge has no URL')
      return {
        is: 'waiting',
        reference: operation.id,
        next_action: operation.next_action ?? { type: 'redirect_to_url', url: operation.redirect_url },
      }
  }
}

const holds = {
  authorized: 'held',
  partially_captured: 'held',
  captured: 'held',
  voided: 'let go',
  expired: 'let go',
  declined: 'nonsense',
  challenge: 'nonsense',
  pending: 'nonsense',
} as const satisfies Record<PhonypayOperation['payment_state']['status'], string>

function authorizedOf(operation: PhonypayOperation): Outcome {
  const { status, authorized, captured } = operation.payment_state
  switch (holds[status]) {
    case 'held': {
      const left = status === 'captured' ? 0 : Math.max(authorized - captured, 0)
      const { currency } = operation.money
      const done = doneOf(operation, captured > 0 ? { amount: captured, currency } : null)
      return done.is === 'done' ? { ...done, capturable: { amount: left, currency } } : done
    }
    case 'let go':
      return { is: 'lapsed', reference: operation.id }
    case 'nonsense':
      return unknown(`approved, but the payment is ${status}`)
  }
}

function doneOf(operation: PhonypayOperation, captured: Money | null): Outcome {
  const { id, reference, money, decline, facts } = operation
  if (decline !== null) return unknown('approved and declined at once')
  return { is: 'done', reference: id, request_id: reference, amount: money, captured, facts }
}

function declinedOf({ id, decline, facts }: PhonypayOperation): Outcome {
  if (decline === null) return unknown('declined without a reason')
  const { code, message, network_code, network_advice } = decline
  return {
    ...declinedWith(declines[code] ?? 'card_declined', code, message, id),
    ...(network_code !== null && { network_code }),
    ...(network_advice !== null && { network_advice }),
    facts,
  }
}

function returnedOf(operation: PhonypayOperation): Outcome {
  const mayReturn = operation.type === 'payout' || operation.type === 'refund'
  const no = mayReturn ? declinedOf(operation) : unknown('returned, but not a payout or refund')
  return no.is === 'declined' ? { ...no, after_yes: true } : no
}
