import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Money } from '../base/money.ts'
import type { Secret } from '../base/secret.ts'
import type { Reply, Request } from '../context.ts'
import { acceptDispute, contestDispute, disputeNewsOf } from './adyen-disputes.ts'
import { adyenSecrets, refusedOf, requestTo } from './adyen-talk.ts'
import {
  type AdyenNotificationItem,
  type AdyenPayment,
  type AdyenRefusal,
  type AdyenTakes,
  adjustBody,
  adyenPaymentBody,
  amountOf,
  cancelBody,
  captureBody,
  counting,
  detailsBody,
  isMethods,
  itemsOf,
  methodsBody,
  readItem,
  readPayment,
  readReceived,
  readRefused,
  refundBody,
  reverseBody,
  signedText,
} from './adyen-wire.ts'
import type {
  Account,
  AuthorizeRequest,
  CaptureRequest,
  Connector,
  Conversation,
  CredentialsVerdict,
  ExtendRequest,
  IncrementRequest,
  News,
  OperationIdentifier,
  Outcome,
  PostCaptureVoidRequest,
  RefundRequest,
  ReturnRequest,
  Verb,
  VoidRequest,
} from './connector.ts'
import { unknown } from './parse-reply.ts'
import { channels } from './purchase.ts'
import { plainText, redact } from './text.ts'
import { readJson } from './wire.ts'

const DAY_MS = 24 * 3_600_000

/**
 * Adyen's Checkout API, v71. Nothing can be looked up: what became of a request is heard by notification, or by
 * sending it again under its Idempotency-Key (our request id). A capture, a cancel and a refund are only received;
 * their end is always told later, and may be taken back days after.
 *
 * One account is a merchant account (`key1`). Its live address has a prefix of its own: `metadata.endpoint_prefix`.
 */
export const adyen = {
  name: 'adyen',
  founded: { documented: 'Adyen’s API reference; its own client library works with what we expect of it' },
  baseUrl: { test: 'https://checkout-test.adyen.com/v71', live: null },
  credentials: { auth_type: 'BodyKey', members: ['api_key', 'key1'] },
  settings: {
    endpoint_prefix: {
      pattern: /^[A-Za-z0-9]{1,64}(?:-[A-Za-z0-9]{1,64})*$/,
      says: 'the prefix of your live URLs, as in https://PREFIX-checkout-live.adyenpayments.com',
      host: 'part',
    },
  },
  accepts: {
    authentication: ['proof', 'challenge', 'low_value', 'transaction_risk_analysis'],
    methods: ['card', 'stored_card', 'network_transaction_id'],
    capture: ['automatic', 'manual', 'manual_multiple'],
    // Of several captures none closes the hold: the rest is cancelled (docs.adyen.com, multiple partial captures).
    finalCaptures: false,
    channels,
    // Keys are kept for 31 days at least.
    idempotent_ms: 31 * DAY_MS,
    lookup: 'none',
    in_flight_ms: 80_000,
    counting,
    splits: 'adyen',
    installments: true,
    evidence: { files: { 'application/pdf': 2_000_000, 'image/jpeg': 5_000_000 }, texts: false },
  },
  authorize,
  setUp: authorize,
  capture,
  void: cancel,
  refund,
  increment: adjust,
  extend: adjust,
  post_capture_void: reverse,
  accept_dispute: acceptDispute,
  contest_dispute: contestDispute,
  verify,
  returned: { brings: ['redirectResult', 'payload'], ask: redeem },
  // Notifications of modifications name Adyen's reference; those of a payment name ours.
  webhook: {
    byReference: ['capture', 'void', 'refund', 'increment', 'extend', 'post_capture_void'],
    verify: verifyWebhook,
    read: readWebhook,
  },
} satisfies Connector<AdyenTakes>

function* authorize(ask: AuthorizeRequest<AdyenTakes>, account: Account): Conversation {
  const amount = amountOf(ask.money)
  const { means } = ask
  const cvc = means.is === 'network_transaction_id' ? null : means.cvc
  const request = requestTo(account, '/payments', ask.request_id, amount && adyenPaymentBody(ask, amount, account))
  if ('is' in request) return request
  const secrets = [...adyenSecrets(account), ...(means.is === 'stored_card' ? [] : [means.number])]
  const first = heardPayment(yield request, ask.money, secrets)
  // Nobody else has the card, and nothing can be asked: so the same is said again, which the processor answers as it
  // did the first time.
  const outcome = first.is === 'unknown' ? certain(heardPayment(yield request, ask.money, secrets)) : first
  if (outcome === null) return first
  return outcome.is === 'declined' && cvc ? { ...outcome, said: plainText(redact(outcome.said, [cvc])) } : outcome
}

/** What a second sending says of both: that it was not let in says nothing of the first. */
const certain = (outcome: Outcome): Outcome | null =>
  outcome.is === 'unknown' || outcome.is === 'not_sent' || (outcome.is === 'declined' && outcome.code === 'configuration') ? null : outcome

/**
 * The customer is back. What they brought is Adyen's own and sealed by it, so it is asked what that is worth; an
 * error says nothing of the payment, only that it was not worth anything. Each thing that is brought has its own key:
 * what somebody made up must not stand in the way of the real one.
 */
function* redeem(ask: ReturnRequest, account: Account): Conversation {
  const digest = createHash('sha256').update(JSON.stringify(ask.brought)).digest('base64url').slice(0, 20)
  const request = requestTo(account, '/payments/details', `${ask.request_id}-${digest}`, detailsBody(ask))
  if ('is' in request) return unknown('the connector account is missing credentials or settings')
  const outcome = heardPayment(yield request, ask.money, adyenSecrets(account))
  if (outcome.is === 'not_sent') return unknown(outcome.why)
  return outcome.is === 'declined' && outcome.reference === null
    ? unknown(`the challenge result was refused (${outcome.code_said})`)
    : outcome
}

function* capture(ask: CaptureRequest, account: Account): Conversation {
  const { reference } = ask.authorization
  if (reference === null) return nameless
  const amount = amountOf(ask.money)
  const path = `/payments/${encodeURIComponent(reference)}/captures`
  return yield* modify(ask, requestTo(account, path, ask.request_id, amount && captureBody(ask, amount, account)), account, 'amount')
}

function* cancel(ask: VoidRequest, account: Account): Conversation {
  return yield* modify(ask, requestTo(account, '/cancels', ask.request_id, cancelBody(ask, account)), account, 'no amount')
}

function* refund(ask: RefundRequest, account: Account): Conversation {
  const { reference } = ask.authorization
  if (reference === null) return nameless
  const amount = amountOf(ask.money)
  const path = `/payments/${encodeURIComponent(reference)}/refunds`
  return yield* modify(ask, requestTo(account, path, ask.request_id, amount && refundBody(ask, amount, account)), account, 'amount')
}

function* adjust(ask: IncrementRequest | ExtendRequest, account: Account): Conversation {
  const { reference } = ask.authorization
  if (reference === null) return nameless
  const amount = amountOf(ask.money)
  const path = `/payments/${encodeURIComponent(reference)}/amountUpdates`
  return yield* modify(ask, requestTo(account, path, ask.request_id, amount && adjustBody(ask, amount, account)), account, 'amount')
}

/** Cancels or gives back, whichever it takes. */
function* reverse(ask: PostCaptureVoidRequest, account: Account): Conversation {
  const { reference } = ask.authorization
  if (reference === null) return nameless
  const path = `/payments/${encodeURIComponent(reference)}/reversals`
  return yield* modify(ask, requestTo(account, path, ask.request_id, reverseBody(ask, account)), account, 'no amount')
}

/**
 * Asks what the merchant account takes, which moves nothing: the least that a key must be good for, and the merchant
 * account's name is known by it.
 */
function* verify(account: Account, request_id: string): Conversation<CredentialsVerdict> {
  const request = requestTo(account, '/paymentMethods', request_id, methodsBody(account))
  if ('is' in request) return { is: 'refused', code: '', said: request.is === 'declined' ? request.said : '' }
  const reply = yield request
  if (reply.is !== 'reply') return unknown(reply.why)
  const body = readJson(redact(reply.body, adyenSecrets(account)))
  if (reply.status === 200) return isMethods(body) ? { is: 'good' } : unknown('invalid response (HTTP 200)')
  const refused = readRefused(reply.status, body)
  if (refused?.code === 'configuration') return { is: 'refused', code: refused.code_said, said: plainText(refused.said) }
  return unknown(refused ? `the status request was refused (${refused.code_said})` : `invalid response (HTTP ${reply.status})`)
}

/** A modification is received or refused; more than that is never said at once. */
function* modify(
  { request_id, money }: Pick<CaptureRequest, 'request_id' | 'money'>,
  request: Request | Outcome,
  account: Account,
  echoes: 'amount' | 'no amount',
): Conversation {
  if ('is' in request) return request
  const reply = yield request
  if (reply.is !== 'reply') return reply.is === 'not_sent' ? reply : unknown(reply.why)
  const body = readJson(redact(reply.body, adyenSecrets(account)))
  if (reply.status !== 201) return refusedOf(reply.status, body)
  const received = readReceived(body)
  if (!received) return unknown('invalid response (HTTP 201)')
  const { reference, amount } = received
  const isOther = echoes === 'amount' && amount !== null && (amount.amount !== money.amount || amount.currency !== money.currency)
  if ((received.request_id !== null && received.request_id !== request_id) || isOther)
    return { is: 'unknown', why: 'the response is for another request', reference }
  return { is: 'waiting', reference }
}

/** A reply to /payments or /payments/details. What the contract does not know, whatever its status, is `unknown`. */
function heardPayment(reply: Reply, asked: Money, secrets: readonly Secret[]): Outcome {
  if (reply.is !== 'reply') return reply.is === 'not_sent' ? reply : unknown(reply.why)
  const body = readJson(redact(reply.body, secrets))
  if (reply.status !== 200) return refusedOf(reply.status, body)
  const payment = readPayment(body)
  return payment ? outcomeOf(payment, asked) : unknown('invalid response (HTTP 200)')
}

/**
 * Amount and reference are given as echoed: the caller compares. Who echoes no amount of a whole approval means the
 * one that was asked.
 */
function outcomeOf({ result, reference, request_id, amount, refusal, redirect, facts }: AdyenPayment, asked: Money): Outcome {
  switch (result) {
    case 'yes':
    case 'a part': {
      const approved = amount ?? (result === 'yes' ? asked : null)
      if (approved === null) return { is: 'unknown', why: 'partially approved, but the amount is missing', reference: reference! }
      return { is: 'done', reference: reference!, request_id, amount: approved, captured: 'as asked', facts }
    }
    case 'no':
      return { ...declinedOf(refusal!), reference, facts }
    case 'later':
      return { is: 'waiting', reference }
    case 'challenge':
      return { is: 'waiting', reference, next_action: { type: 'redirect_to_url', url: redirect! } }
  }
}

const declinedOf = ({ said, ...refusal }: AdyenRefusal) => ({ is: 'declined', ...refusal, said: plainText(said) }) as const

const nameless: Outcome = { is: 'not_sent', why: 'the payment has no processor reference' }

/**
 * Every item is signed over its own fields (base64 HMAC-SHA256, the key in hex). One that is not ours, and none is
 * believed.
 */
function verifyWebhook(raw: Buffer, _headers: Record<string, string | undefined>, account: Account): boolean {
  const items = itemsOf(readJson(raw.toString()))
  const secret = account.webhook_secret?.reveal() ?? ''
  if (items.length === 0 || !/^(?:[0-9a-f]{2})+$/i.test(secret)) return false
  const key = Buffer.from(secret, 'hex')
  let good = true
  for (const item of items) {
    const signed = signedText(item)
    const expected = createHmac('sha256', key)
      .update(signed?.text ?? '')
      .digest()
    const given = Buffer.from(signed?.signature ?? '', 'base64')
    if (signed === null || given.length !== expected.length || !timingSafeEqual(given, expected)) good = false
  }
  return good
}

function readWebhook(raw: Buffer): News[] {
  return itemsOf(readJson(raw.toString())).flatMap(fields => {
    const item = readItem(fields)
    if (!item) return []
    const dispute = disputeNewsOf(item, fields)
    return dispute ? [dispute] : newsOf(item)
  })
}

/** What an event says, and of what. A code that is not here says nothing of money. */
function newsOf(item: AdyenNotificationItem): News[] {
  const { eventCode, success, reference, request_id, amount, facts } = item
  const payment: OperationIdentifier[] = request_id === null ? [] : [{ request_id, verb: 'authorize' }]
  const modification = (verb: Verb): OperationIdentifier[] => [{ reference, verb }, ...(request_id === null ? [] : [{ request_id, verb }])]
  const yes: Outcome = { is: 'done', reference, request_id: null, amount, captured: null, facts }
  const no: Outcome = { ...declinedOf(item.refusal), code: 'operation_declined', reference, facts }
  switch (eventCode) {
    case 'AUTHORISATION':
      return news(payment, success ? { ...yes, request_id, captured: 'as asked' } : { ...declinedOf(item.refusal), reference, facts })
    case 'CAPTURE':
      return news(modification('capture'), success ? yes : no)
    // Of a payment that was captured at once there is no capture that we asked for.
    case 'CAPTURE_FAILED':
      return news([...modification('capture'), ...payment], success ? { ...no, code_said: eventCode, after_yes: true } : null)
    case 'CANCELLATION':
    case 'TECHNICAL_CANCEL':
      return news(modification('void'), success ? yes : no)
    case 'AUTHORISATION_ADJUSTMENT':
      return news([...modification('increment'), ...modification('extend')], success ? yes : no)
    case 'CANCEL_OR_REFUND':
      return news(modification('post_capture_void'), success ? yes : no)
    case 'REFUND':
      return news(modification('refund'), success ? yes : no)
    case 'REFUND_FAILED':
    case 'REFUNDED_REVERSED':
      return news(
        [...modification('refund'), ...modification('post_capture_void')],
        success ? { ...no, code_said: eventCode, after_yes: true } : null,
      )
    case 'EXPIRE':
      return news(payment, success ? { is: 'lapsed', reference: item.acts_on ?? reference } : null)
    case 'OFFER_CLOSED':
      return news(payment, success ? { is: 'declined', ...neverBack, reference, facts: {} } : null)
    default:
      return []
  }
}

const neverBack = {
  code: 'authentication_failed',
  code_said: 'OFFER_CLOSED',
  said: 'The customer did not complete the challenge in time.',
} as const

const news = ([first, ...others]: OperationIdentifier[], outcome: Outcome | null): News[] =>
  first === undefined || outcome === null ? [] : [{ of: [first, ...others], outcome }]
