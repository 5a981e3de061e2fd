import type {
  Account,
  CaptureRequest,
  Conversation,
  ExtendRequest,
  IncrementRequest,
  PostCaptureVoidRequest,
  RefundRequest,
  VoidRequest,
} from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { parseReply } from '../kit/parse-reply.ts'
import { get, operate, operationName, operationReply, post } from './api.ts'

/** What is done to an authorization. */

export function capture(ask: CaptureRequest, account: Account): Conversation {
  const { money, rest, statement_descriptor } = ask
  return change('capture', ask, { amount: money.amount, final: rest === 'release', statement_descriptor }, account)
}

export function* voidAuthorization({ request_id, authorization }: VoidRequest, account: Account): Conversation {
  const request = post(account, `/payments/${operationName(authorization)}/void`, { reference: request_id }, request_id)
  return yield* operate('void', request, { request_id, account })
}

export function refund(ask: RefundRequest, account: Account): Conversation {
  return change('refund', ask, { amount: ask.money.amount, reason: ask.reason ?? undefined }, account)
}

export function increment(ask: IncrementRequest, account: Account): Conversation {
  return change('increment', ask, { amount: ask.money.amount }, account)
}

export function extend(ask: ExtendRequest, account: Account): Conversation {
  return change('extend', ask, {}, account)
}

export function reverse(ask: PostCaptureVoidRequest, account: Account): Conversation {
  return change('post_capture_void', ask, {}, account)
}

const paths = { capture: 'capture', refund: 'refund', increment: 'increment', extend: 'extend', post_capture_void: 'reverse' } as const

function* change(
  verb: keyof typeof paths,
  { request_id, authorization }: Pick<VoidRequest, 'request_id' | 'authorization'>,
  more: object,
  account: Account,
): Conversation {
  const payment = authorization.reference ?? (yield* findPayment(authorization.request_id, account))
  if (payment === null) return { is: 'not_sent', why: 'the authorization could not be found at the processor' }
  const path = `/payments/${encodeURIComponent(payment)}/${paths[verb]}`
  return yield* operate(verb, post(account, path, { reference: request_id, ...more }, request_id), { request_id, account })
}

/** The id of an authorization whose answer we never heard; null if the processor does not name it. */
function* findPayment(request_id: string, account: Account): Conversation<string | null> {
  const request = get(account, `/operations/${operationName({ reference: null, request_id })}`)
  const reply = parseReply(yield request, [credentialOf(account)], operationReply)
  if (reply.is !== 'answer') return null
  const { type, reference, payment } = reply.answer
  return type === 'authorization' && reference === request_id ? payment : null
}
