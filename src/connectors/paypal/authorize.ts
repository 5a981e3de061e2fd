import type { Secret } from '../../base/secret.ts'
import type { Account, Conversation, Ordered, OrderRequest, Outcome, ReturnRequest } from '../connector.ts'
import { noting } from '../conversation.ts'
import { whyNotCounted } from '../counting.ts'
import { isOther } from '../instrument.ts'
import { boughtBy } from '../kit/buyer.ts'
import {
  beforeMoney,
  declinedWith,
  failedOutcome,
  failedQuestion,
  failedWish,
  firstHand,
  type ParsedReply,
  readerOf,
  unknown,
  without,
} from '../kit/parse-reply.ts'
import { inPath } from '../kit/request.ts'
import { codesOf, secretsOf } from '../kit/secrets.ts'
import { outcomeOf, type PaypalOrder, readOrder, readRefused } from './replies.ts'
import { type Ask, buttonOrderBody, counting, orderBody, sayToPaypal, sourceBody } from './requests.ts'

const ORDERS = '/v2/checkout/orders'
const orderReply = readerOf(readOrder, readRefused, [200, 201])
const askedReply = readerOf(readOrder, readRefused)

/** Creates and notes an order, sends the source, and only then captures or authorizes: only this moves money. */
export function* authorize(given: Ask, account: Account): Conversation {
  const why = whyNotCounted(counting, given.money)
  if (why !== null) return { is: 'not_sent', why }
  const { instrument } = given
  if (isOther(instrument) && instrument.way === 'paypal_sdk') return yield* payOrder(given, instrument.secrets.token!, account)
  const { purchase } = yield* boughtBy(given.purchase, 'buyer')
  const ask: Ask = purchase ? { ...given, purchase } : given
  const [secrets, codes] = [secretsOf(instrument), codesOf(instrument)]
  const made = yield* sayToPaypal(account, ORDERS, orderReply, { body: orderBody(ask), key: `${ask.request_id}-order` })
  if (made.is !== 'answer') return beforeMoney(made)
  const { id } = made.answer
  yield* noting(id)
  // A wallet customer approves at PayPal; a present cardholder may be authenticated by the issuer.
  const acts = instrument.is === 'wallet' || ask.three_ds !== 'skip'
  if (acts) {
    const confirmed = yield* sayToPaypal(
      account,
      `${ORDERS}/${inPath(id)}/confirm-payment-source`,
      askedReply,
      { body: sourceBody(ask, true) },
      secrets,
    )
    if (confirmed.is !== 'answer') return without(beforeMoney(confirmed), codes)
    if (confirmed.answer.id !== id) return { is: 'not_sent', why: 'the response is for another order' }
    if (confirmed.answer.status !== 'APPROVED') return firstHand(outcomeOf(confirmed.answer))
  }
  const body = acts ? {} : sourceBody(ask, false)
  return without(yield* move(id, ask.capture === 'automatic' ? 'capture' : 'authorize', ask.request_id, account, body, secrets), codes)
}

function* move(
  id: string,
  how: 'capture' | 'authorize',
  request_id: string,
  account: Account,
  body: object = {},
  secrets: readonly Secret[] = [],
): Conversation {
  const reply = yield* sayToPaypal(account, `${ORDERS}/${inPath(id)}/${how}`, orderReply, { body, key: request_id }, secrets)
  if (reply.is !== 'answer') return failedOutcome(reply)
  return reply.answer.id === id ? firstHand(outcomeOf(reply.answer)) : unknown('the response is for another order')
}

const hows = { CAPTURE: 'capture', AUTHORIZE: 'authorize' } as const

/** Only the order made for this payment (`makeButtonOrder`): that of another payment would pay both. */
function* payOrder({ money, capture, request_id, order_id }: Ask, token: Secret, account: Account): Conversation {
  const id = token.reveal()
  if (!/^[A-Z0-9]{8,32}$/.test(id)) return declinedWith('invalid_request', 'token', 'The token is not the id of an order.')
  if (id !== order_id) return declinedWith('not_allowed', 'ORDER_MISMATCH', 'The order was not created for this payment.')
  const reply = yield* sayToPaypal(account, `${ORDERS}/${inPath(id)}`, askedReply)
  if (reply.is !== 'answer') return beforeMoney(reply)
  const { answer } = reply
  const how = capture === 'automatic' ? 'capture' : 'authorize'
  if (answer.id !== id || answer.intent === null || answer.money === null) return { is: 'not_sent', why: 'the order could not be read' }
  if (answer.money.amount !== money.amount || answer.money.currency !== money.currency)
    return declinedWith('not_allowed', 'AMOUNT_MISMATCH', 'The order is for another amount.', id)
  if (hows[answer.intent] !== how)
    return declinedWith('not_allowed', 'ACTION_DOES_NOT_MATCH_INTENT', 'The order is for another capture method.', id)
  if (answer.status !== 'APPROVED')
    return declinedWith('authentication_required', answer.status, 'The customer has not approved the order.', id)
  yield* noting(id)
  return yield* move(id, how, request_id, account)
}

export function* makeButtonOrder(ask: OrderRequest, account: Account): Conversation<Ordered> {
  const why = whyNotCounted(counting, ask.money)
  if (why !== null) return { is: 'refused', code: 'currency', message: why }
  const reply = yield* sayToPaypal(account, ORDERS, orderReply, { body: buttonOrderBody(ask), key: ask.request_id })
  return reply.is === 'answer' ? { is: 'done', id: reply.answer.id } : failedWish(reply)
}

/** The order's status shows the approval. An order can be paid only once: the request is repeated until the end. */
export function* completeOrder(ask: ReturnRequest, account: Account): Conversation {
  if (ask.reference === null) return unknown('the order has no id yet')
  const reply = yield* lookAt(ask.reference, account)
  if (reply.is !== 'answer') return gone(reply) ?? failedQuestion(reply)
  const { status, intent, passed, id } = reply.answer
  if (passed === false && status !== 'COMPLETED')
    return declinedWith('authentication_failed', '3DS', 'The cardholder was not authenticated.', id)
  const ready = status === 'APPROVED' || (status === 'CREATED' && passed === true)
  if (ready && intent !== null) return yield* move(id, hows[intent], ask.request_id, account)
  if (ask.parameters.cancelled !== undefined && (status === 'PAYER_ACTION_REQUIRED' || status === 'CREATED'))
    return declinedWith('cancelled', 'CANCELLED', 'The customer did not approve the payment.', id)
  return outcomeOf(reply.answer)
}

export function* lookAt(id: string, account: Account): Conversation<ParsedReply<PaypalOrder>> {
  const reply = yield* sayToPaypal(account, `${ORDERS}/${inPath(id)}`, askedReply)
  return reply.is === 'answer' && reply.answer.id !== id ? unknown('the response is for another order') : reply
}

/** Unpaid orders are deleted after some hours. */
export const gone = (reply: ParsedReply<PaypalOrder>): Outcome | null =>
  reply.is === 'refused' && reply.as === 'not_found' ? { is: 'not_found', gone: true } : null
