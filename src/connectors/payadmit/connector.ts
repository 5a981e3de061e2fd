import { later, MINUTE_MS } from '../../base/time.ts'
import type { Time } from '../../context.ts'
import type {
  Account,
  AuthorizeRequest,
  Connector,
  Conversation,
  Outcome,
  RequestOf,
  SyncRequest,
  Verb,
  WebhookUpdate,
} from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { declinedWith, failedLookup, failedQuestion, parseReply, readerOf, unknown, without } from '../kit/parse-reply.ts'
import { isRecord, readJson } from '../kit/read.ts'
import { codesOf } from '../kit/secrets.ts'
import { isHexHmac } from '../kit/signature.ts'
import * as api from './api.ts'

function* authorize(ask: AuthorizeRequest<'card' | 'card_redirect'>, account: Account): Conversation {
  const { instrument } = ask
  const card = instrument.is === 'card' ? instrument : null
  const outcome = yield* api.make(
    {
      referenceId: ask.request_id,
      paymentType: 'DEPOSIT',
      paymentMethod: 'BASIC_CARD',
      ...api.amountOf(ask.money),
      description: ask.statement_descriptor ?? ask.merchant_name,
      ...(card && { card: api.cardMembers(card) }),
      returnUrl: ask.return_url,
    },
    account,
    card ? [card.number] : [],
  )
  return without(outcome, codesOf(instrument))
}

const kindOf: Partial<Record<Verb, api.PayadmitPaymentType>> = { authorize: 'DEPOSIT', refund: 'REFUND', payout: 'WITHDRAWAL' }

function* sync(ask: SyncRequest, account: Account): Conversation {
  const kind = kindOf[ask.verb]
  if (ask.reference === null) return yield* search(ask, kind, account)
  const request = api.get(account, `/payments/${encodeURIComponent(ask.reference)}`)
  const reply = parseReply(yield request, [credentialOf(account)], api.paymentReply)
  if (reply.is !== 'answer') return failedLookup(reply)
  return reply.answer.id === ask.reference ? api.outcomeOf(reply.answer, kind) : unknown('the response is for another payment')
}

/** Payments in one list, and lists for one time range. Payments beyond them are not searched. */
const PAGE = 1000
const PAGES = 3
/** By PayAdmit's clock: near allows for a request that was long on its way, far also for a wrong clock. */
const NEAR = [-5 * MINUTE_MS, 10 * MINUTE_MS] as const
const FAR = [-26 * 60 * MINUTE_MS, 26 * 60 * MINUTE_MS] as const

/** "Not found" only if the lists of a whole day around that time were complete; without a time, never. */
function* search({ request_id, began }: SyncRequest, kind: api.PayadmitPaymentType | undefined, account: Account): Conversation {
  if (began === undefined) return (yield* among('', request_id, kind, account)) ?? unknown('the payment is not among the latest')
  for (const [from, until] of [NEAR, FAR]) {
    const about = `&created.gte=${later(began, from)}&created.lt=${later(began, until)}`
    const outcome = yield* among(about, request_id, kind, account)
    if (outcome !== null) return outcome
  }
  return { is: 'not_found' }
}

const listReply = readerOf(api.readList, api.readRefused)

/** Null if the whole list was searched. */
function* among(
  about: string,
  request_id: string,
  kind: api.PayadmitPaymentType | undefined,
  account: Account,
): Conversation<Outcome | null> {
  for (let page = 0; page < PAGES; page++) {
    const request = api.get(account, `/payments?limit=${PAGE}&offset=${page * PAGE}${about}`)
    const reply = parseReply(yield request, [credentialOf(account)], listReply)
    if (reply.is !== 'answer') return failedQuestion(reply)
    const found = reply.answer.find(item => api.isOf(item, request_id))
    if (found !== undefined) {
      const payment = api.readPayment(found)
      return payment ? api.outcomeOf(payment, kind) : unknown('the listed payment is not valid')
    }
    if (reply.answer.length < PAGE) return null
  }
  return unknown('too many payments were created around that time')
}

function* refund({ request_id, authorization, money, reason }: RequestOf<'refund'>, account: Account): Conversation {
  if (authorization.reference === null) return { is: 'not_sent', why: 'the payment has no processor reference' }
  return yield* api.make(
    {
      referenceId: request_id,
      paymentType: 'REFUND',
      parentPaymentId: authorization.reference,
      ...api.amountOf(money),
      ...(reason !== null && { description: reason }),
    },
    account,
  )
}

function* payout({ request_id, money, recipient, merchant_name, description }: RequestOf<'payout'>, account: Account): Conversation {
  if (recipient.is !== 'card') return declinedWith('not_supported', '', 'This connector supports payouts to cards only.')
  return yield* api.make(
    {
      referenceId: request_id,
      paymentType: 'WITHDRAWAL',
      paymentMethod: 'BASIC_CARD',
      ...api.amountOf(money),
      description: description ?? merchant_name,
      card: api.cardMembers({ ...recipient, cvc: null }),
    },
    account,
    [recipient.number],
  )
}

type Headers = Record<string, string | undefined>

/** HMAC-SHA256 of the raw body with the signing key, in hex. */
function verifyWebhook(raw: Buffer, { signature }: Headers, { webhook_secret }: Account, _now: Time): boolean {
  return webhook_secret !== null && isHexHmac(webhook_secret.reveal(), raw, signature)
}

/** It contains no time, so it may be outdated: it only triggers a lookup. */
function readWebhook(raw: Buffer): WebhookUpdate[] {
  const body = readJson(raw.toString())
  const payment = api.readPayment(isRecord(body) && isRecord(body.result) ? body.result : body)
  return payment ? [{ is: 'outcome', of: [{ request_id: payment.referenceId }], outcome: 'ask' }] : []
}

/**
 * The connector for PayAdmit. Deposits, refunds and withdrawals are all payments. Without a card, a deposit has a page
 * of PayAdmit where the customer enters one (`card_redirect`). No request is sent twice, because no idempotency key is
 * documented. If a response is lost, the payment is found by its id, or by our request id in the list of payments from
 * about that time. Callbacks are signed, and still only trigger a lookup.
 */
export const payadmit = {
  name: 'payadmit',
  sources: {
    documented: 'calls, members, states, signature of callbacks: api.payadmit.com, payadmit.readme.io',
    second_hand: 'states CANCELLED and ERROR; members of a card',
    guessed:
      'that an error that repeats its own status means nothing happened (otherwise it is unknown); that list entries have the members of a payment. No customer data is sent: ask the vendor whether the account requires it',
  },
  baseUrl: { test: 'https://app-demo.payadmit.com/api/v1', live: 'https://app.payadmit.com/api/v1' },
  credentials: { auth_type: 'HeaderKey', members: ['api_key'] },
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
