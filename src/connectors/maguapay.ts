import type { Currency } from '../base/currencies.ts'
import type { Money } from '../base/money.ts'
import type { Secret } from '../base/secret.ts'
import type { Reply, Request } from '../context.ts'
import type {
  Account,
  AuthorizeRequest,
  Connector,
  Conversation,
  News,
  Outcome,
  PayoutRequest,
  RefundRequest,
  SyncRequest,
} from './connector.ts'
import type { Card } from './instrument.ts'
import { isSignedWith, type Order, readCallback, readOrder, readRefused } from './maguapay-wire.ts'
import { declinedWith, outcomeOfNo, type ParsedReply, parseReply, unknown, whatLacks, without } from './parse-reply.ts'
import { isId } from './wire.ts'

const GATEWAY = 'https://api-gateway.smartcore.pro'
const CARDS = 'https://chd-api.smartcore.pro'

/**
 * Magua Pay, on SmartCore. An order is named by our request id and found by it (`/check`), so nothing need be said
 * twice. What is said of an order in passing has no amount: before it is believed it is asked about. Card numbers
 * have a host of their own; without one the customer enters it at a form of theirs (`card_redirect`).
 */
export const maguapay = {
  name: 'maguapay',
  founded: {
    documented: 'calls, members and states: docs.magua-pay.com',
    second_hand:
      'that money is paid out to a card by /withdrawal/init (a public client); the signature of callbacks (a public script of the vendor’s sandbox): where it is another, callbacks are refused, and orders are asked about by the clock',
    guessed:
      'the members of a withdrawal, and that /check tells of it as of an order: otherwise it is unknown; which members the page of a bank is posted (ACSUrl; MD, TermUrl, PaReq, creq); that an order is in its account’s currency where it does not say so; that nothing happened where an error names no order (otherwise it is unknown). An order that never came is not known for certain, so it ends with a person. A refund has no name of its own: one whose answer is lost does too',
  },
  baseUrl: { test: GATEWAY, live: GATEWAY },
  credentials: { auth_type: 'BodyKey', members: ['api_key', 'key1'] },
  settings: {
    account: { pattern: /^[\w-]{1,64}$/, says: 'the maguapay account that receives payments, for example EUR-sandbox', test: /-sandbox$/i },
    card_url: {
      pattern: /^https:\/\/[^/?#\\\s@]+$/,
      says: 'the URL to send card numbers to, if it differs from the vendor’s standard host',
      host: 'address',
    },
  },
  accepts: {
    methods: ['card', 'card_redirect'],
    capture: ['automatic'],
    only: { card_redirect: { types: ['card_redirect'] } },
    idempotent_ms: 0,
    lookup: 'by request id',
    in_flight_ms: 80_000,
    recipients: ['card'],
  },
  authorize,
  refund,
  payout,
  sync,
  webhook: { byReference: [], verify: verifyCallback, read: readNews },
} satisfies Connector<Takes>

type Takes = 'card' | 'card_redirect'

/** Numbers go to the host for cards; an account elsewhere has one host for all. */
const cardUrlOf = ({ base_url, metadata }: Account): string =>
  typeof metadata.card_url === 'string' ? metadata.card_url : base_url === GATEWAY ? CARDS : base_url

function* authorize(ask: AuthorizeRequest<Takes>, account: Account): Conversation {
  const lacks = whatLacks(account, maguapay.credentials.members)
  if (lacks) return lacks
  const { request_id, money, return_url, means } = ask
  const card = means.is === 'card' ? means : null
  const request = post(card ? `${cardUrlOf(account)}/initPaymentHost2Host` : `${account.base_url}/initPayment`, account, {
    ...(typeof account.metadata.account === 'string' && { account: account.metadata.account }),
    order_id: request_id,
    amount: money.amount,
    currency: money.currency,
    recurrent: false,
    purpose: ask.statement_descriptor ?? ask.merchant_name,
    ...(card && cardOf(card)),
    success_url: return_url,
    fail_url: return_url,
    ...(account.webhook_url !== undefined && { callback_url: account.webhook_url }),
  })
  const heard = heardOrder(yield request, money.currency, [...keysOf(account), ...(card ? [card.number] : [])])
  const cvc = card?.cvc ?? null
  if (heard.is !== 'answer') return without(outcomeOfNo(heard), cvc)
  const told = heard.answer.order_id !== request_id ? unknown('the response is for another order') : outcomeOf(heard.answer)
  // It was decided, and how much that was is not said: that is asked.
  const outcome = told === null ? yield* check({ request_id, money }, account) : told
  return without(outcome, cvc)
}

const cardOf = ({ number, exp_month, exp_year, cvc, holder }: Omit<Card, 'is'>) => ({
  card_number: number.reveal(),
  card_exp_month: String(exp_month).padStart(2, '0'),
  card_exp_year: String(exp_year),
  ...(cvc && { card_cvv: cvc.reveal() }),
  ...(holder !== null && { card_holder: holder }),
})

function* refund({ authorization, money, reason }: RefundRequest, account: Account): Conversation {
  const lacks = whatLacks(account, maguapay.credentials.members)
  if (lacks) return lacks
  const { request_id: order_id } = authorization
  const request = post(`${account.base_url}/refund`, account, {
    order_id,
    amount: money.amount,
    ...(reason !== null && { reason }),
    ...(account.webhook_url !== undefined && { callback_url: account.webhook_url }),
  })
  const heard = heardOrder(yield request, money.currency, keysOf(account))
  if (heard.is !== 'answer') return outcomeOfNo(heard)
  const { answer } = heard
  if (answer.order_id !== order_id) return unknown('the response is for another order')
  if (answer.state === 'paid' && answer.money)
    return { is: 'done', reference: order_id, request_id: null, amount: answer.money, captured: null, facts: {} }
  if (answer.state === 'refused') return declinedWith('operation_declined', 'refused', answer.said)
  return unknown('the response does not confirm the refund')
}

/** An order of its own, found by its name as others are. */
function* payout(ask: PayoutRequest, account: Account): Conversation {
  const lacks = whatLacks(account, maguapay.credentials.members)
  if (lacks) return lacks
  const { request_id, money, recipient } = ask
  if (recipient.is !== 'card') return declinedWith('not_supported', '', 'This connector supports payouts to cards only.')
  const request = post(`${cardUrlOf(account)}/withdrawal/init`, account, {
    ...(typeof account.metadata.account === 'string' && { account: account.metadata.account }),
    order_id: request_id,
    amount: money.amount,
    currency: money.currency,
    purpose: ask.description ?? ask.merchant_name,
    ...cardOf({ ...recipient, cvc: null }),
    ...(account.webhook_url !== undefined && { callback_url: account.webhook_url }),
  })
  const heard = heardOrder(yield request, money.currency, [...keysOf(account), recipient.number])
  if (heard.is !== 'answer') return outcomeOfNo(heard)
  if (heard.answer.order_id !== request_id) return unknown('the response is for another order')
  return asPaidOut(outcomeOf(heard.answer) ?? (yield* check({ request_id, money }, account)))
}

/** Nobody is sent anywhere to be paid, and nothing is captured. */
function asPaidOut(outcome: Outcome): Outcome {
  if (outcome.is === 'done') return { ...outcome, captured: null }
  if (outcome.is === 'declined') return { ...outcome, code: 'operation_declined' }
  return outcome.is === 'waiting' ? { is: 'waiting', reference: outcome.reference } : outcome
}

/** Only orders can be asked about; a refund has no name there. */
function* sync({ verb, request_id, money, authorization }: SyncRequest, account: Account): Conversation {
  if (whatLacks(account, maguapay.credentials.members)) return unknown('the connector account is missing credentials or settings')
  if (verb === 'authorize') return yield* check({ request_id, money }, account)
  if (verb === 'payout') return asPaidOut(yield* check({ request_id, money }, account))
  yield* check({ request_id: authorization?.request_id ?? request_id, money }, account)
  return unknown('the processor does not report the status of refunds')
}

function* check({ request_id, money }: { request_id: string; money: Money }, account: Account): Conversation {
  const heard = heardOrder(yield post(`${account.base_url}/check`, account, { order_id: request_id }), money.currency, keysOf(account))
  if (heard.is === 'refused') return unknown(`the status request was refused (${heard.code})`)
  if (heard.is !== 'answer') return unknown(heard.why)
  if (heard.answer.order_id !== request_id) return unknown('the response is for another order')
  return outcomeOf(heard.answer) ?? unknown('paid, but the amount is missing')
}

/** Null: it is paid, and the answer does not say how much. */
function outcomeOf({ order_id, state, money, form_url, challenge, said }: Order): Outcome | null {
  switch (state) {
    case 'paid':
      return money && { is: 'done', reference: order_id, request_id: order_id, amount: money, captured: money, facts: {} }
    case 'refused':
      return declinedWith('card_declined', 'refused', said, order_id)
    case 'waiting':
      if (challenge) return { is: 'waiting', reference: order_id, next_action: { type: 'redirect_to_url', ...challenge } }
      return form_url === null
        ? unknown('the customer must act, but the URL is missing')
        : { is: 'waiting', reference: order_id, next_action: { type: 'redirect_to_url', url: form_url } }
    case 'processing':
      return { is: 'waiting', reference: order_id }
  }
}

const keysOf = ({ credentials }: Account): Secret[] => Object.values(credentials)

const post = (url: string, { credentials }: Account, body: object): Request => ({
  method: 'POST',
  url,
  headers: {
    authorization: `Basic ${Buffer.from(`${credentials.api_key!.reveal()}:${credentials.key1!.reveal()}`).toString('base64')}`,
    'content-type': 'application/json',
  },
  body: JSON.stringify(body),
})

const heardOrder = (reply: Reply, currency: Currency, secrets: readonly Secret[]): ParsedReply<Order> =>
  parseReply(reply, secrets, (status, body) => {
    const answer = status === 200 ? readOrder(body, currency) : null
    return answer ? { is: 'answer', answer } : status === 200 ? null : readRefused(status, body)
  })

function verifyCallback(raw: Buffer, _headers: object, { credentials }: Account): boolean {
  const parameters = readCallback(raw)
  return parameters !== null && credentials.key1 !== undefined && isSignedWith(credentials.key1, parameters)
}

/** It has no time, so it may be old: whatever it says, the processor is asked. */
function readNews(raw: Buffer): News[] {
  const order = readCallback(raw)?.orderId
  return isId(order) ? [{ of: [{ request_id: order }], outcome: 'ask' }] : []
}
