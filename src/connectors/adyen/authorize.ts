import { createHash } from 'node:crypto'
import type { Money } from '../../base/money.ts'
import type { Secret } from '../../base/secret.ts'
import type { Reply, Request } from '../../context.ts'
import type { Account, AuthorizeRequest, Conversation, Outcome, ReturnRequest } from '../connector.ts'
import { isOther, type Other } from '../instrument.ts'
import { boughtBy } from '../kit/buyer.ts'
import { credentialOf } from '../kit/credentials.ts'
import { declinedWith, failedOutcome, parseReply, unknown, without } from '../kit/parse-reply.ts'
import { codesOf, secretsOf } from '../kit/secrets.ts'
import { NOT_TAKEN } from '../outcome.ts'
import { outcomeOf, paymentReply, requestTo } from './api.ts'
import type { AdyenCards } from './card.ts'
import { keptAt, offered } from './find-offer.ts'
import { type AdyenTakes, adyenPaymentBody, amountOf, detailsBody, keptBody, offerBody } from './requests.ts'

export function* authorize(asked: AuthorizeRequest<AdyenTakes>, account: Account): Conversation {
  const { purchase } = yield* boughtBy(asked.purchase, 'buyer')
  const ask = { ...asked, ...(purchase && { purchase }) }
  const { instrument } = ask
  const request = isOther(instrument)
    ? offeredRequest(ask, instrument, account)
    : instrument.is === 'stored_card' && instrument.of
      ? keptRequest({ ...ask, instrument }, instrument.of, account)
      : cardRequest({ ...ask, instrument }, account)
  if ('is' in request) return request
  const secrets = [credentialOf(account), ...secretsOf(instrument)]
  const read = (reply: Reply): Outcome => paymentOutcome(reply, ask, secrets)
  const first = read(yield request)
  // Adyen cannot be queried: the same request is sent again, and Adyen answers as it did the first time.
  const outcome = first.is === 'unknown' ? certain(read(yield request)) : first
  if (outcome === null) return first
  return without(outcome, codesOf(instrument))
}

function cardRequest(ask: AuthorizeRequest<AdyenCards>, account: Account): Request | Outcome {
  const amount = amountOf(ask.money)
  return requestTo(account, '/payments', ask.request_id, amount && adyenPaymentBody(ask, amount, account))
}

function keptRequest(ask: AuthorizeRequest<'stored_card'>, of: Other, account: Account): Request | Outcome {
  const kept = keptAt(of, ask.purchase)
  if (kept === null) return declinedWith('not_supported', '', `Adyen cannot charge ${of.type} again.`)
  const amount = amountOf(ask.money)
  return requestTo(account, '/payments', ask.request_id, amount && keptBody(ask, kept, amount, account))
}

function offeredRequest(ask: AuthorizeRequest<AdyenTakes>, instrument: Other, account: Account): Request | Outcome {
  const paid = offered(instrument, ask.purchase)
  if (paid === null) return declinedWith('not_supported', '', `Adyen does not support ${instrument.way} for ${instrument.type}.`)
  if (ask.channel) return declinedWith('not_supported', '', `Adyen does not support ${ask.channel} for ${instrument.type}.`)
  if (ask.three_ds_result && paid.row.beside?.(paid.details).mpiData)
    return declinedWith('not_supported', '', `Adyen takes one proof of authentication: ${instrument.type} already brings its cryptogram.`)
  const amount = amountOf(ask.money)
  return requestTo(account, '/payments', ask.request_id, amount && offerBody(ask, paid, amount, account))
}

/** A reply that Adyen's contract does not define is `unknown`, with any status. */
function paymentOutcome(reply: Reply, { money, request_id }: Asked, secrets: readonly Secret[]): Outcome {
  const payment = parseReply(reply, secrets, paymentReply)
  if (payment.is !== 'answer') return failedOutcome(payment)
  // An approval is compared by the caller. A visitor may bring the result of another payment, which declines nothing.
  const isOfAnother = payment.answer.request_id !== null && payment.answer.request_id !== request_id
  if (payment.answer.result === 'no' && isOfAnother) return unknown('the response is for another payment')
  return outcomeOf(payment.answer, money)
}

type Asked = { money: Money; request_id: string }

/** Null if a second sending proves nothing about the first one, for example because it was not admitted. */
const certain = (outcome: Outcome): Outcome | null =>
  outcome.is === 'unknown' ||
  outcome.is === 'later' ||
  outcome.is === 'not_sent' ||
  (outcome.is === 'declined' && outcome.code === 'configuration')
    ? null
    : outcome

/**
 * Completes a payment after the customer's return. The returned data comes from Adyen and is sealed by it, so Adyen is
 * asked for the result; an error says nothing about the payment, only that the data was not valid. Each returned
 * result has its own idempotency key, so that a forged result cannot block the real one.
 */
export function* redeem(ask: ReturnRequest, account: Account): Conversation {
  const digest = createHash('sha256').update(JSON.stringify(ask.parameters)).digest('base64url').slice(0, 20)
  const request = requestTo(account, '/payments/details', `${ask.request_id}-${digest}`, detailsBody(ask))
  if ('is' in request) return unknown('the connector account is missing credentials or settings')
  const outcome = paymentOutcome(yield request, ask, [credentialOf(account)])
  if (outcome.is === 'not_sent') return unknown(outcome.why)
  if (outcome.is === 'later') return unknown(NOT_TAKEN)
  return outcome.is === 'declined' && outcome.reference === null
    ? unknown(`the challenge result was refused (${outcome.processor_code})`)
    : outcome
}
