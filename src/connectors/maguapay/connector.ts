import type { Money } from '../../base/money.ts'
import type { Account, AuthorizeRequest, Connector, Conversation, RequestOf, SyncRequest, WebhookUpdate } from '../connector.ts'
import { declinedWith, doneWith, failedOutcome, failedQuestion, unknown, without } from '../kit/parse-reply.ts'
import { isId } from '../kit/read.ts'
import { codesOf } from '../kit/secrets.ts'
import { isHexHmac } from '../kit/signature.ts'
import { cardHost } from '../settings.ts'
import * as api from './api.ts'

function* authorize(ask: AuthorizeRequest<'card' | 'card_redirect'>, account: Account): Conversation {
  const { request_id, money, return_url, instrument } = ask
  const card = instrument.is === 'card' ? instrument : null
  const request = api.post(card ? `${api.cardUrlOf(account)}/initPaymentHost2Host` : `${account.base_url}/initPayment`, account, {
    ...api.accountMember(account),
    order_id: request_id,
    amount: money.amount,
    currency: money.currency,
    recurrent: false,
    purpose: ask.statement_descriptor ?? ask.merchant_name,
    ...(card && api.cardMembers(card)),
    success_url: return_url,
    fail_url: return_url,
    ...api.callbackMember(account),
  })
  const reply = api.parseOrder(yield request, money.currency, account, card ? [card.number] : [])
  if (reply.is !== 'answer') return without(failedOutcome(reply), codesOf(ask.instrument))
  const result = reply.answer.order_id !== request_id ? unknown('the response is for another order') : api.outcomeOf(reply.answer)
  // The payment was decided, but the response has no amount: the order is retrieved.
  const outcome = result === null ? yield* check({ request_id, money }, account) : result
  return without(outcome, codesOf(ask.instrument))
}

/** A refund has no id, and cannot be looked up. */
function* sync({ verb, request_id, money, authorization }: SyncRequest, account: Account): Conversation {
  if (verb === 'authorize') return yield* check({ request_id, money }, account)
  if (verb === 'payout') return api.asPaidOut(yield* check({ request_id, money }, account))
  yield* check({ request_id: authorization?.request_id ?? request_id, money }, account)
  return unknown('the processor does not report the status of refunds')
}

function* check({ request_id, money }: { request_id: string; money: Money }, account: Account): Conversation {
  const reply = api.parseOrder(yield api.post(`${account.base_url}/check`, account, { order_id: request_id }), money.currency, account)
  if (reply.is !== 'answer') return failedQuestion(reply)
  if (reply.answer.order_id !== request_id) return unknown('the response is for another order')
  return api.outcomeOf(reply.answer) ?? unknown('paid, but the amount is missing')
}

function* refund({ authorization, money, reason }: RequestOf<'refund'>, account: Account): Conversation {
  const { request_id: order_id } = authorization
  const request = api.post(`${account.base_url}/refund`, account, {
    order_id,
    amount: money.amount,
    ...(reason !== null && { reason }),
    ...api.callbackMember(account),
  })
  const reply = api.parseOrder(yield request, money.currency, account)
  if (reply.is !== 'answer') return failedOutcome(reply)
  const { answer } = reply
  if (answer.order_id !== order_id) return unknown('the response is for another order')
  if (answer.state === 'paid' && answer.money) return doneWith(order_id, answer.money)
  if (answer.state === 'refused') return declinedWith('operation_declined', 'refused', answer.message)
  return unknown('the response does not confirm the refund')
}

function* payout(ask: RequestOf<'payout'>, account: Account): Conversation {
  const { request_id, money, recipient } = ask
  if (recipient.is !== 'card') return declinedWith('not_supported', '', 'This connector supports payouts to cards only.')
  const request = api.post(`${api.cardUrlOf(account)}/withdrawal/init`, account, {
    ...api.accountMember(account),
    order_id: request_id,
    amount: money.amount,
    currency: money.currency,
    purpose: ask.description ?? ask.merchant_name,
    ...api.cardMembers({ ...recipient, cvc: null }),
    ...api.callbackMember(account),
  })
  const reply = api.parseOrder(yield request, money.currency, account, [recipient.number])
  if (reply.is !== 'answer') return failedOutcome(reply)
  if (reply.answer.order_id !== request_id) return unknown('the response is for another order')
  return api.asPaidOut(api.outcomeOf(reply.answer) ?? (yield* check({ request_id, money }, account)))
}

/** Signed with `key1`: the values of all parameters except `sign`, in the order of their names, joined by `|`. */
function verifyWebhook(raw: Buffer, _headers: object, { credentials }: Account): boolean {
  const { sign, ...parameters } = api.readCallback(raw) ?? {}
  const signed = Object.keys(parameters)
    .sort()
    .map(name => parameters[name])
    .join('|')
  return credentials.key1 !== undefined && isHexHmac(credentials.key1.reveal(), signed, sign)
}

/** It contains no time, so it may be outdated: it only triggers a lookup. */
function readWebhook(raw: Buffer): WebhookUpdate[] {
  const order = api.readCallback(raw)?.orderId
  return isId(order) ? [{ is: 'outcome', of: [{ request_id: order }], outcome: 'ask' }] : []
}

/**
 * Magua Pay, on SmartCore. An order has our request id and is found by it (`/check`), so nothing is sent twice.
 * Answers without an amount are not trusted: the order is retrieved first. Card numbers go to a host of their own;
 * without one, the customer enters it on Magua Pay's form (`card_redirect`).
 */
export const maguapay = {
  name: 'maguapay',
  sources: {
    documented: 'calls, members and states: docs.magua-pay.com',
    second_hand:
      'payouts to cards with /withdrawal/init (a public client); the signature of callbacks (a public script of the vendor’s sandbox): if it differs, callbacks are refused and orders are polled',
    guessed:
      'the members of a withdrawal, and that /check reports it like an order (otherwise it is unknown); the members posted to the bank’s page (ACSUrl; MD, TermUrl, PaReq, creq); that an order without a currency is in the account’s currency; that an error without an order means nothing happened (otherwise it is unknown). An order that never arrived cannot be confirmed, so it needs manual review. So does a refund whose response is lost, because refunds have no id',
  },
  baseUrl: { test: api.GATEWAY, live: api.GATEWAY },
  credentials: {
    auth_type: 'BodyKey',
    members: ['api_key', 'key1'],
    called: { api_key: { label: 'API key (user name)', secret: true }, key1: { label: 'API secret (password)', secret: true } },
  },
  settings: {
    account: {
      pattern: /^[\w-]{1,64}$/,
      description: 'the maguapay account that receives payments, for example EUR-sandbox',
      test: /-sandbox$/i,
    },
    card_url: cardHost,
  },
  accepts: {
    methods: ['card', 'card_redirect'],
    capture: ['automatic'],
    offers: { card_redirect: { family: 'card_redirect', ways: ['card_redirect'], decided: 'by the customer' } },
    idempotent_ms: 0,
    lookup: 'by request id',
    in_flight_ms: 80_000,
    recipients: ['card'],
  },
  authorize,
  refund,
  payout,
  sync,
  webhook: { largest: 65_536, byReference: [], verify: verifyWebhook, read: readWebhook },
} satisfies Connector<'card' | 'card_redirect'>
