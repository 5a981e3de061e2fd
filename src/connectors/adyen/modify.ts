import type { Request } from '../../context.ts'
import type {
  Account,
  CaptureRequest,
  Conversation,
  ExtendRequest,
  IncrementRequest,
  Outcome,
  PostCaptureVoidRequest,
  RefundRequest,
  VoidRequest,
} from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { failedOutcome, parseReply, unknown } from '../kit/parse-reply.ts'
import { modificationReply, requestTo } from './api.ts'
import { type Amount, adjustBody, amountOf, cancelBody, captureBody, refundBody, reverseBody } from './requests.ts'

/**
 * Captures, cancels, refunds and other modifications of a payment: they are only received at first, and their results
 * come later.
 */

const ofAmount = <Ask extends CaptureRequest | RefundRequest | IncrementRequest>(
  what: 'captures' | 'refunds' | 'amountUpdates',
  bodyOf: (ask: Ask, amount: Amount, account: Account) => object,
) =>
  function* (ask: Ask, account: Account): Conversation {
    const { reference } = ask.authorization
    if (reference === null) return nameless
    const amount = amountOf(ask.money)
    const path = `/payments/${encodeURIComponent(reference)}/${what}`
    return yield* modify(ask, requestTo(account, path, ask.request_id, amount && bodyOf(ask, amount, account)), account, 'amount')
  }

export const capture = ofAmount<CaptureRequest>('captures', captureBody)
export const refund = ofAmount<RefundRequest>('refunds', refundBody)
export const adjust = ofAmount<IncrementRequest | ExtendRequest>('amountUpdates', adjustBody)

export function* cancel(ask: VoidRequest, account: Account): Conversation {
  return yield* modify(ask, requestTo(account, '/cancels', ask.request_id, cancelBody(ask, account)), account, 'no amount')
}

/** Cancels or refunds a payment, depending on its state. */
export function* reverse(ask: PostCaptureVoidRequest, account: Account): Conversation {
  const { reference } = ask.authorization
  if (reference === null) return nameless
  const path = `/payments/${encodeURIComponent(reference)}/reversals`
  return yield* modify(ask, requestTo(account, path, ask.request_id, reverseBody(ask, account)), account, 'no amount')
}

const nameless: Outcome = { is: 'not_sent', why: 'the payment has no processor reference' }

/** Sends a modification. Adyen receives or refuses it; the answer never says more than that. */
function* modify(
  { request_id, money }: Pick<CaptureRequest, 'request_id' | 'money'>,
  request: Request | Outcome,
  account: Account,
  echoes: 'amount' | 'no amount',
): Conversation {
  if ('is' in request) return request
  const reply = parseReply(yield request, [credentialOf(account)], modificationReply)
  if (reply.is !== 'answer') return failedOutcome(reply)
  const { reference, amount } = reply.answer
  const isOther = echoes === 'amount' && amount !== null && (amount.amount !== money.amount || amount.currency !== money.currency)
  if ((reply.answer.request_id !== null && reply.answer.request_id !== request_id) || isOther)
    return { ...unknown('the response is for another request'), reference }
  return { is: 'waiting', reference }
}
