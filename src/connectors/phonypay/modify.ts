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

/** Operations on an authorization. */

const paths = { capture: 'capture', refund: 'refund', increment: 'increment', extend: 'extend', post_capture_void: 'reverse' } as const

/**
 * Builds a conversation that changes an authorized payment. `more`: the members of the request besides our reference.
 */
const change = <Ask extends Pick<VoidRequest, 'request_id' | 'authorization'>>(
  verb: keyof typeof paths,
  more: (ask: Ask) => object = () => ({}),
) =>
  function* (ask: Ask, account: Account): Conversation {
    const { request_id, authorization } = ask
    const payment = authorization.reference ?? (yield* findPayment(authorization.request_id, account))
    if (payment === null) return { is: 'not_sent', why: 'the authorization could not be found at the processor' }
    const path = `/payments/${encodeURIComponent(payment)}/${paths[verb]}`
    return yield* operate(verb, post(account, path, { reference: request_id, ...more(ask) }, request_id), { request_id, account })
  }

export const capture = change('capture', ({ money, rest, statement_descriptor }: CaptureRequest) => ({
  amount: money.amount,
  final: rest === 'release',
  statement_descriptor,
}))
export const refund = change('refund', ({ money, reason }: RefundRequest) => ({ amount: money.amount, reason: reason ?? undefined }))
export const increment = change('increment', ({ money }: IncrementRequest) => ({ amount: money.amount }))
export const extend = change<ExtendRequest>('extend')
export const reverse = change<PostCaptureVoidRequest>('post_capture_void')

export function* voidAuthorization({ request_id, authorization }: VoidRequest, account: Account): Conversation {
  const request = post(account, `/payments/${operationName(authorization)}/void`, { reference: request_id }, request_id)
  return yield* operate('void', request, { request_id, account })
}

/** Returns the id of an authorization whose response was lost; null if the processor does not know it. */
function* findPayment(request_id: string, account: Account): Conversation<string | null> {
  const request = get(account, `/operations/${operationName({ reference: null, request_id })}`)
  const reply = parseReply(yield request, [credentialOf(account)], operationReply)
  if (reply.is !== 'answer') return null
  const { type, reference, payment } = reply.answer
  return type === 'authorization' && reference === request_id ? payment : null
}
