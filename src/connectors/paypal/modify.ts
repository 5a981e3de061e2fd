import type { Account, Authorization, Conversation, Outcome, RequestOf } from '../connector.ts'
import { whyNotCounted } from '../counting.ts'
import { declinedWith, doneWith, failedOutcome, readerOf, unknown } from '../kit/parse-reply.ts'
import { inPath } from '../kit/request.ts'
import { lookAt } from './authorize.ts'
import * as replies from './replies.ts'
import { amountOf, counting, paypalCaptureBody, paypalRefundBody, sayToPaypal } from './requests.ts'

/** Each first retrieves the order, to find the authorization or capture to act on. */

const holdReply = readerOf(replies.readHold, replies.readRefused, [200, 201])
const voidedReply = readerOf(replies.readHold, replies.readRefused)
const takenReply = readerOf(replies.readTaken, replies.readRefused, [200, 201])
const refundReply = readerOf(replies.readPaypalRefund, replies.readRefused, [200, 201])

/** Or why it cannot be acted on. */
function* orderOf(
  { reference }: Authorization,
  account: Account,
): Conversation<replies.PaypalOrder | Extract<Outcome, { is: 'not_sent' }>> {
  const reply = reference === null ? null : yield* lookAt(reference, account)
  return reply?.is === 'answer' ? reply.answer : { is: 'not_sent', why: 'the order could not be read at the processor' }
}

const pathOf = ({ id }: replies.Hold): string => `/v2/payments/authorizations/${inPath(id)}`

/** Others have captured or voided it: nothing is sent. */
function noHold({ holds }: replies.PaypalOrder): Outcome {
  const last = holds.at(-1)
  if (last?.status === 'CAPTURED')
    return declinedWith('not_allowed', 'AUTHORIZATION_ALREADY_CAPTURED', 'Authorization has previously been captured.')
  if (last?.status === 'VOIDED') {
    const [code, how] = replies.hasRunOut(last) ? ['AUTHORIZATION_EXPIRED', 'An expired'] : ['AUTHORIZATION_VOIDED', 'A voided']
    return declinedWith('not_allowed', code, `${how} authorization cannot be captured.`)
  }
  return { is: 'not_sent', why: 'the order holds nothing' }
}

export function* capture(ask: RequestOf<'capture'>, account: Account): Conversation {
  const why = whyNotCounted(counting, ask.money)
  if (why !== null) return { is: 'not_sent', why }
  const found = yield* orderOf(ask.authorization, account)
  if ('is' in found) return found
  const before = found.taken.find(({ invoice_id }) => invoice_id === ask.request_id)
  if (before) return replies.takenOutcome(before)
  const hold = replies.holdOf(found)
  if (!hold) return noHold(found)
  const reply = yield* sayToPaypal(account, `${pathOf(hold)}/capture`, takenReply, { body: paypalCaptureBody(ask), key: ask.request_id })
  return reply.is === 'answer' ? replies.takenOutcome(reply.answer) : failedOutcome(reply)
}

export function* voidHold(ask: RequestOf<'void'>, account: Account): Conversation {
  const found = yield* orderOf(ask.authorization, account)
  if ('is' in found) return found
  const hold = replies.holdOf(found)
  if (!hold) return voidedAs(found, ask) ?? declinedWith('not_allowed', found.status, 'There is nothing that could be voided.')
  const reply = yield* sayToPaypal(account, `${pathOf(hold)}/void`, voidedReply, { key: ask.request_id })
  if (reply.is !== 'answer') return failedOutcome(reply)
  return reply.answer.id === hold.id && reply.answer.status === 'VOIDED' ? doneWith(hold.id, hold.money) : unknown('not voided')
}

/** Null if not voided. An order without captures and authorizations holds nothing, and only we could pay it. */
export function voidedAs(
  { id, status, money, holds }: replies.PaypalOrder,
  { money: asked }: Pick<RequestOf<'void'>, 'money'>,
): Outcome | null {
  const last = holds.at(-1)
  if (last?.status === 'VOIDED' && !replies.hasRunOut(last)) return doneWith(last.id, last.money)
  return status === 'COMPLETED' ? null : doneWith(id, money ?? asked, { held_nothing: true })
}

/** The first capture with enough left. If none has enough, PayPal declines. */
export function* refund(ask: RequestOf<'refund'>, account: Account): Conversation {
  const why = whyNotCounted(counting, ask.money)
  if (why !== null) return { is: 'not_sent', why }
  const found = yield* orderOf(ask.authorization, account)
  if ('is' in found) return found
  const { taken, refunds } = found
  const before = refunds.find(({ custom_id }) => custom_id === ask.request_id)
  if (before) return replies.refundOutcome(before)
  const leftOf = ({ id, money }: replies.Taken) =>
    refunds
      .filter(({ of, status }) => of === id && (status === 'COMPLETED' || status === 'PENDING'))
      .reduce((left, one) => left - one.money.amount, money.amount)
  const some = taken.filter(({ status }) => status === 'COMPLETED' || status === 'PARTIALLY_REFUNDED')
  const from = some.find(one => leftOf(one) >= ask.money.amount) ?? some[0]
  if (!from)
    return taken.some(({ status }) => status === 'REFUNDED')
      ? declinedWith('not_allowed', 'CAPTURE_FULLY_REFUNDED', 'The capture has already been fully refunded.')
      : declinedWith('not_allowed', 'REFUND_NOT_ALLOWED', 'Nothing was captured that could be refunded.')
  const request = { body: paypalRefundBody(ask), key: ask.request_id }
  const reply = yield* sayToPaypal(account, `/v2/payments/captures/${inPath(from.id)}/refund`, refundReply, request)
  return reply.is === 'answer' ? replies.refundOutcome(reply.answer) : failedOutcome(reply)
}

/** Possible once. */
export function* reauthorize(ask: RequestOf<'extend'>, account: Account): Conversation {
  const found = yield* orderOf(ask.authorization, account)
  if ('is' in found) return found
  const hold = replies.holdOf(found)
  if (!hold) return noHold(found)
  const body = { amount: amountOf(hold.money) }
  const reply = yield* sayToPaypal(account, `${pathOf(hold)}/reauthorize`, holdReply, { body, key: ask.request_id })
  return reply.is === 'answer' ? renewed(reply.answer) : failedOutcome(reply)
}

export function renewed({ id, status, money, until }: replies.Hold): Outcome {
  if (status === 'DENIED') return declinedWith('operation_declined', status, 'The authorization was not renewed.', id)
  if (status === 'PENDING') return { is: 'waiting', reference: id }
  return doneWith(id, money, until === null ? {} : { facts: { capture_before: until } })
}
