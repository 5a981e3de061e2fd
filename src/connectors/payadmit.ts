import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secret } from '../base/secret.ts'
import { later } from '../base/time.ts'
import type { Reply, Request, Time } from '../context.ts'
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
  Verb,
} from './connector.ts'
import type { Card } from './instrument.ts'
import { declinedWith, outcomeOfNo, outcomeOfNoAnswer, type ParsedReply, parseReply, unknown, whatLacks, without } from './parse-reply.ts'
import {
  amountOf,
  isOf,
  type PayadmitPayment,
  type PayadmitPaymentType,
  type PaymentAsk,
  readAnswer,
  readList,
  readPayment,
  readRefused,
} from './payadmit-wire.ts'
import { isRecord, readJson } from './wire.ts'

/**
 * PayAdmit: everything is a payment, deposits, refunds and withdrawals alike. Without a card a deposit has a page of
 * theirs, where the customer enters one (`card_redirect`). Nothing is said twice (no idempotency key is known); what
 * was lost is found by its id, or by our request id in the list of what was made about then. Callbacks are signed,
 * and asked about all the same.
 */
export const payadmit = {
  name: 'payadmit',
  founded: {
    documented: 'calls, members, states and the signature of callbacks: api.payadmit.com, payadmit.readme.io',
    second_hand: 'the states CANCELLED and ERROR; members of a card',
    guessed:
      'that nothing happened where an error repeats its own status (otherwise it is unknown); that a list has the members of a payment. Of the customer nothing is sent: an account that needs it must be told so',
  },
  baseUrl: { test: 'https://app-demo.payadmit.com/api/v1', live: 'https://app.payadmit.com/api/v1' },
  credentials: { auth_type: 'HeaderKey', members: ['api_key'] },
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
  webhook: { byReference: [], verify: verifyCallback, read: readCallback },
} satisfies Connector<Takes>

type Takes = 'card' | 'card_redirect'

function* authorize(ask: AuthorizeRequest<Takes>, account: Account): Conversation {
  const { means } = ask
  const card = means.is === 'card' ? means : null
  const outcome = yield* make(
    {
      referenceId: ask.request_id,
      paymentType: 'DEPOSIT',
      paymentMethod: 'BASIC_CARD',
      ...amountOf(ask.money),
      description: ask.statement_descriptor ?? ask.merchant_name,
      ...(card && { card: cardOf(card) }),
      returnUrl: ask.return_url,
      ...(account.webhook_url !== undefined && { webhookUrl: account.webhook_url }),
    },
    account,
    card ? [card.number] : [],
  )
  return without(outcome, card?.cvc ?? null)
}

const cardOf = ({ number, exp_month, exp_year, cvc, holder }: Omit<Card, 'is'>) => ({
  cardNumber: number.reveal(),
  ...(holder !== null && { cardholderName: holder }),
  ...(cvc && { cardSecurityCode: cvc.reveal() }),
  expiryMonth: String(exp_month).padStart(2, '0'),
  expiryYear: String(exp_year),
})

function* payout({ request_id, money, recipient, merchant_name, description }: PayoutRequest, account: Account): Conversation {
  if (recipient.is !== 'card') return declinedWith('not_supported', '', 'This connector supports payouts to cards only.')
  return yield* make(
    {
      referenceId: request_id,
      paymentType: 'WITHDRAWAL',
      paymentMethod: 'BASIC_CARD',
      ...amountOf(money),
      description: description ?? merchant_name,
      card: cardOf({ ...recipient, cvc: null }),
      ...(account.webhook_url !== undefined && { webhookUrl: account.webhook_url }),
    },
    account,
    [recipient.number],
  )
}

function* refund({ request_id, authorization, money, reason }: RefundRequest, account: Account): Conversation {
  const lacks = whatLacks(account, payadmit.credentials.members)
  if (lacks) return lacks
  if (authorization.reference === null) return { is: 'not_sent', why: 'the payment has no processor reference' }
  return yield* make(
    {
      referenceId: request_id,
      paymentType: 'REFUND',
      parentPaymentId: authorization.reference,
      ...amountOf(money),
      ...(reason !== null && { description: reason }),
      ...(account.webhook_url !== undefined && { webhookUrl: account.webhook_url }),
    },
    account,
  )
}

/** The one request of a conversation that moves money. */
function* make(ask: PaymentAsk, account: Account, secrets: readonly Secret[] = []): Conversation {
  const lacks = whatLacks(account, payadmit.credentials.members)
  if (lacks) return lacks
  const key = account.credentials.api_key!
  const request: Request = {
    method: 'POST',
    url: `${account.base_url}/payments`,
    headers: { authorization: `Bearer ${key.reveal()}`, 'content-type': 'application/json' },
    body: JSON.stringify(ask),
  }
  const heard = heardPayment(yield request, [key, ...secrets])
  if (heard.is === 'answer') return outcomeOf(heard.answer, ask.paymentType)
  // A creation finds nothing, so it cannot find nothing.
  return heard.is === 'refused' && heard.as === 'not_found' ? unknown('the creation returned 404') : outcomeOfNo(heard)
}

const heardPayment = (reply: Reply, secrets: readonly Secret[]): ParsedReply<PayadmitPayment> =>
  parseReply(reply, secrets, (status, body) => {
    const answer = status === 200 ? readAnswer(body) : null
    return answer ? { is: 'answer', answer } : status === 200 ? null : readRefused(status, body)
  })

const kindOf: Partial<Record<Verb, PayadmitPaymentType>> = { authorize: 'DEPOSIT', refund: 'REFUND', payout: 'WITHDRAWAL' }

function* sync(ask: SyncRequest, account: Account): Conversation {
  const key = account.credentials.api_key
  if (!key) return unknown('the connector account has no api_key')
  const kind = kindOf[ask.verb]
  if (ask.reference === null) return yield* search(ask, kind, account, key)
  const heard = heardPayment(
    yield {
      method: 'GET',
      url: `${account.base_url}/payments/${encodeURIComponent(ask.reference)}`,
      headers: { authorization: `Bearer ${key.reveal()}` },
    },
    [key],
  )
  if (heard.is !== 'answer') return outcomeOfNoAnswer(heard)
  return heard.answer.id === ask.reference ? outcomeOf(heard.answer, kind) : unknown('the response is for another payment')
}

/** So many are listed at once, and so often. More of them about one moment are not looked through. */
const PAGE = 1000
const PAGES = 3
const MINUTE_MS = 60_000
/**
 * About when it must have been made, by their clock: a request may be long on its way. And when at all: their clock
 * may be wrong, or go by another zone.
 */
const NEAR = [-5 * MINUTE_MS, 10 * MINUTE_MS] as const
const FAR = [-26 * 60 * MINUTE_MS, 26 * 60 * MINUTE_MS] as const

/**
 * Looks for our request id among all that was made about then. That it is not there is a no only where a day around
 * it was seen whole; without a time to look about, never.
 */
function* search({ request_id, began }: SyncRequest, kind: PayadmitPaymentType | undefined, account: Account, key: Secret): Conversation {
  if (began === undefined) return (yield* among('', request_id, kind, account, key)) ?? unknown('the payment is not among the latest')
  for (const [from, until] of [NEAR, FAR]) {
    const about = `&created.gte=${later(began, from)}&created.lt=${later(began, until)}`
    const outcome = yield* among(about, request_id, kind, account, key)
    if (outcome !== null) return outcome
  }
  return { is: 'not_found' }
}

/** Looks through a list; null if all of it was seen, and nothing found. */
function* among(
  about: string,
  request_id: string,
  kind: PayadmitPaymentType | undefined,
  account: Account,
  key: Secret,
): Conversation<Outcome | null> {
  for (let page = 0; page < PAGES; page++) {
    const heard = parseReply(
      yield {
        method: 'GET',
        url: `${account.base_url}/payments?limit=${PAGE}&offset=${page * PAGE}${about}`,
        headers: { authorization: `Bearer ${key.reveal()}` },
      },
      [key],
      (status, body) => {
        const answer = status === 200 ? readList(body) : null
        return answer ? { is: 'answer', answer } : status === 200 ? null : readRefused(status, body)
      },
    )
    if (heard.is !== 'answer')
      return heard.is === 'refused' ? unknown(`the status request was refused (${heard.code})`) : unknown(heard.why)
    const found = heard.answer.find(item => isOf(item, request_id))
    if (found !== undefined) {
      const payment = readPayment(found)
      return payment ? outcomeOf(payment, kind) : unknown('the listed payment is not valid')
    }
    if (heard.answer.length < PAGE) return null
  }
  return unknown('too many payments were created around that time')
}

function outcomeOf(
  { id, referenceId, paymentType, state, money, redirectUrl, errorCode, externalResultCode }: PayadmitPayment,
  kind: PayadmitPaymentType | undefined,
): Outcome {
  if (paymentType !== kind) return unknown('the response is for another kind of payment')
  switch (state) {
    case 'COMPLETED':
      return { is: 'done', reference: id, request_id: referenceId, amount: money, captured: kind === 'DEPOSIT' ? money : null, facts: {} }
    case 'PENDING':
      return { is: 'waiting', reference: id, ...(redirectUrl !== null && { next_action: { type: 'redirect_to_url', url: redirectUrl } }) }
    case 'CANCELLED':
    case 'DECLINED':
    case 'ERROR':
      return {
        ...declinedWith(codeOf(state, kind), errorCode || state, `${state}${errorCode && ` (${errorCode})`}`, id),
        ...(externalResultCode !== null && { network_code: externalResultCode }),
      }
  }
}

const codeOf = (state: 'CANCELLED' | 'DECLINED' | 'ERROR', kind: PayadmitPaymentType) =>
  kind !== 'DEPOSIT'
    ? 'operation_declined'
    : state === 'CANCELLED'
      ? 'authentication_failed'
      : state === 'ERROR'
        ? 'processing_error'
        : 'card_declined'

/** `Signature`: HMAC-SHA256 of the raw body with the signing key, in hex. */
function verifyCallback(raw: Buffer, headers: Record<string, string | undefined>, { webhook_secret }: Account, _now: Time): boolean {
  const given = headers.signature ?? ''
  if (webhook_secret === null || !/^[0-9a-f]{64}$/.test(given)) return false
  return timingSafeEqual(Buffer.from(given, 'hex'), createHmac('sha256', webhook_secret.reveal()).update(raw).digest())
}

/** It has no time, so it may be old: whatever it says, the processor is asked. */
function readCallback(raw: Buffer): News[] {
  const body = readJson(raw.toString())
  const payment = readPayment(isRecord(body) && isRecord(body.result) ? body.result : body)
  return payment ? [{ of: [{ request_id: payment.referenceId }], outcome: 'ask' }] : []
}
