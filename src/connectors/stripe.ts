import type { Money } from '../base/money.ts'
import type { Secret } from '../base/secret.ts'
import type { Time } from '../context.ts'
import type {
  Account,
  Authorization,
  AuthorizeRequest,
  CaptureRequest,
  Connector,
  Conversation,
  CredentialsVerdict,
  IncrementRequest,
  News,
  Outcome,
  RefundRequest,
  SyncRequest,
  VoidRequest,
} from './connector.ts'
import { noting } from './conversation.ts'
import { inProcessorUnits } from './counting.ts'
import { unknown } from './parse-reply.ts'
import { channels } from './purchase.ts'
import { isSigned } from './signed.ts'
import { acceptDispute, contestDispute, readDispute, readDisputeEvent, syncDispute, uploadEvidence } from './stripe-disputes.ts'
import {
  authorizedOutcome,
  capturedOutcome,
  firstHandOfIntent,
  incrementedOutcome,
  NOT_THERE,
  notCounted,
  refundedOutcome,
  refusedOutcome,
  setUpOutcome,
  voidedOutcome,
  withoutIntent,
  withoutKey,
} from './stripe-outcome.ts'
import * as params from './stripe-params.ts'
import { name, openTalk, type StripeReply, type Talk } from './stripe-talk.ts'
import * as wire from './stripe-wire.ts'
import { plainText, redact } from './text.ts'
import { isDisputeVerb } from './verbs.ts'

/**
 * Stripe. A card becomes a payment method first, by a request that moves no money; then one request authorizes it.
 * Our request id is the Idempotency-Key of whatever moves money, and stands in the metadata of the intent, of each
 * capture and of each refund, where it is found again: intents by a search, which is behind by up to an hour;
 * captures and refunds by their intent, at once.
 */
export const stripe = {
  name: 'stripe',
  founded: { documented: 'Stripe’s API reference; its own client library works with what we expect of it' },
  baseUrl: { test: 'https://api.stripe.com', live: 'https://api.stripe.com' },
  credentials: { auth_type: 'HeaderKey', members: ['api_key'], test: { api_key: /^[a-z]{2}_test_/ } },
  settings: { stripe_account: { pattern: /^acct_\w{1,64}$/, says: 'the id of the connected account to act on behalf of (acct_…)' } },
  accepts: {
    // It asks for exemptions by itself, and takes no word about them.
    authentication: ['proof', 'challenge'],
    methods: ['card', 'stored_card'],
    capture: ['automatic', 'manual', 'manual_multiple'],
    channels,
    // The vendor keeps a key for a day at least, and promises no more.
    idempotent_ms: 24 * 3_600_000,
    lookup: 'by request id',
    // The longest exchange (20 s) and a minute for what is still under way at the processor.
    in_flight_ms: 80_000,
    counting: wire.counting,
    evidence: {
      files: { 'application/pdf': 5_000_000, 'image/jpeg': 5_000_000, 'image/png': 5_000_000 },
      texts: true,
      without: ['recurring_transaction_agreement'],
    },
    refund_reasons: params.reasons,
    splits: 'stripe',
    installments: true,
  },
  authorize,
  setUp,
  capture,
  void: voidAuthorization,
  refund,
  increment,
  accept_dispute: acceptDispute,
  contest_dispute: contestDispute,
  upload_evidence: uploadEvidence,
  read_dispute: readDispute,
  sync,
  verify,
  webhook: { byReference: [], verify: verifyWebhook, read: readWebhook },
} satisfies Connector<params.StripeTakes>

/**
 * How far a search may be behind what it searches (docs.stripe.com/search: under a minute as a rule, more during
 * outages). Until then "not found" is not a no.
 */
const SEARCH_LAGS_MS = 3_600_000

function* authorize(ask: AuthorizeRequest<params.StripeTakes>, account: Account): Conversation {
  const key = account.credentials.api_key
  const amount = inProcessorUnits(wire.counting, ask.money)
  const fee = inProcessorUnits(wire.counting, { ...ask.money, amount: ask.split?.is === 'stripe' ? ask.split.application_fee : 0 })
  if (!key) return withoutKey
  if (typeof amount === 'string') return notCounted(amount)
  if (typeof fee === 'string') return notCounted(fee)
  const talk = talkOf(ask, account, key)
  const hushed = (outcome: Outcome): Outcome => withoutCode(ask, outcome)
  const paying = yield* payingWith(talk, ask)
  if ('is' in paying) return hushed(paying)
  const heard = yield* talk.say(talk.post('/v1/payment_intents', params.intent(ask, amount, paying, fee), ask.request_id), wire.readIntent)
  if (heard.is === 'heard') return hushed(firstHandOfIntent(authorizedOutcome(heard.body)))
  if (heard.is === 'refused' && heard.error.type === 'idempotency_error')
    return hushed(firstHandOfIntent(yield* syncAuthorization(talk, ask.request_id, null)))
  return hushed(heard.is === 'refused' ? refusedOutcome(heard) : heard)
}

const talkOf = ({ means }: AuthorizeRequest<params.StripeTakes>, account: Account, key: Secret): Talk =>
  openTalk(account, key, means.is === 'card' ? [key, means.number] : [key])

const withoutCode = ({ means: { cvc } }: AuthorizeRequest<params.StripeTakes>, outcome: Outcome): Outcome =>
  outcome.is === 'declined' && cvc ? { ...outcome, said: plainText(redact(outcome.said, [cvc])) } : outcome

/**
 * What Stripe calls the card: one that it keeps, or one that it is given now; and a customer whose it will be, if it
 * is to be kept. None of that is money: whatever goes wrong, another processor may be asked.
 */
function* payingWith(talk: Talk, ask: AuthorizeRequest<params.StripeTakes>): Conversation<params.Paying | Outcome> {
  const { means, agreement } = ask
  if (means.is === 'stored_card') return { payment_method: means.reference, customer: means.customer }
  const card = yield* talk.say(talk.post('/v1/payment_methods', params.method(means, ask.purchase)), wire.readMethod)
  if (card.is === 'refused') return refusedOutcome(card)
  if (card.is !== 'heard') return { is: 'not_sent', why: card.why }
  if (agreement?.is !== 'made' || agreement.store === false) return { payment_method: card.body, customer: null }
  const request = talk.post('/v1/customers', params.customer(agreement.customer), `${ask.request_id}-customer`)
  const made = yield* talk.say(request, wire.readCustomer)
  if (made.is === 'refused') return refusedOutcome(made)
  return made.is === 'heard' ? { payment_method: card.body, customer: made.body } : { is: 'not_sent', why: made.why }
}

/**
 * A card is verified and kept, without an amount: what it is called is written down before it is confirmed, because
 * it could not be searched for.
 */
function* setUp(ask: AuthorizeRequest<params.StripeTakes>, account: Account): Conversation {
  const key = account.credentials.api_key
  if (!key) return withoutKey
  const talk = talkOf(ask, account, key)
  const paying = yield* payingWith(talk, ask)
  if ('is' in paying) return withoutCode(ask, paying)
  const made = yield* talk.say(talk.post('/v1/setup_intents', params.setup(ask, paying), `${ask.request_id}-setup`), wire.readSetup)
  if (made.is === 'refused') return withoutCode(ask, refusedOutcome(made))
  if (made.is !== 'heard') return { is: 'not_sent', why: made.why }
  const { id } = made.body
  yield* noting(id)
  const confirm = talk.post(`/v1/setup_intents/${name(id)}/confirm`, { return_url: ask.return_url }, ask.request_id)
  const heard = yield* talk.say(confirm, wire.readSetup)
  if (heard.is === 'heard') return withoutCode(ask, firstHandOfIntent(setUpOutcome(heard.body, ask.money)))
  return withoutCode(ask, yield* otherwise(heard, () => syncSetUp(talk, id, ask.money)))
}

function* syncSetUp(talk: Talk, id: string | null, nothing: Money): Conversation {
  // What has no name was never confirmed.
  if (id === null) return { is: 'not_found' }
  const heard = yield* talk.ask(`/v1/setup_intents/${name(id)}`, wire.readSetup)
  return heard.is === 'heard' ? setUpOutcome(heard.body, nothing) : heard.is === 'missing' ? { is: 'not_found' } : unknown(heard.why)
}

function* capture(ask: CaptureRequest, account: Account): Conversation {
  const key = account.credentials.api_key
  const amount = inProcessorUnits(wire.counting, ask.money)
  if (!key) return withoutKey
  if (typeof amount === 'string') return notCounted(amount)
  const talk = openTalk(account, key)
  const id = yield* nameOf(talk, ask.authorization)
  if (id === null) return withoutIntent
  const request = talk.post(`/v1/payment_intents/${name(id)}/capture`, params.capture(ask, amount), ask.request_id)
  const heard = yield* talk.say(request, wire.readIntent)
  if (heard.is === 'heard') return firstHandOfIntent(capturedOutcome(heard.body, ask.request_id))
  return yield* otherwise(heard, () => syncIntent(talk, ask.authorization, intent => capturedOutcome(intent, ask.request_id)))
}

function* voidAuthorization(ask: VoidRequest, account: Account): Conversation {
  const key = account.credentials.api_key
  if (!key) return withoutKey
  const talk = openTalk(account, key)
  const id = yield* nameOf(talk, ask.authorization)
  if (id === null) return withoutIntent
  if (id.startsWith('seti_')) {
    const gone = yield* talk.say(talk.post(`/v1/setup_intents/${name(id)}/cancel`, {}, ask.request_id), wire.readSetup)
    if (gone.is === 'heard' && gone.body.status === 'canceled')
      return { is: 'done', reference: id, request_id: null, amount: ask.money, captured: null, facts: {} }
    return gone.is === 'refused' ? refusedOutcome(gone) : gone.is === 'heard' ? unknown('not canceled') : gone
  }
  const [how, said] = ask.of === 'rest' ? ['capture', params.releaseRest(ask)] : ['cancel', {}]
  const voided = (intent: wire.Intent) => voidedOutcome(intent, ask.request_id)
  const heard = yield* talk.say(talk.post(`/v1/payment_intents/${name(id)}/${how}`, said, ask.request_id), wire.readIntent)
  if (heard.is === 'heard') return firstHandOfIntent(voided(heard.body))
  return yield* otherwise(heard, () => syncIntent(talk, ask.authorization, voided))
}

function* refund(ask: RefundRequest, account: Account): Conversation {
  const key = account.credentials.api_key
  const amount = inProcessorUnits(wire.counting, ask.money)
  if (!key) return withoutKey
  if (typeof amount === 'string') return notCounted(amount)
  const talk = openTalk(account, key)
  const id = yield* nameOf(talk, ask.authorization)
  if (id === null) return withoutIntent
  const heard = yield* talk.say(talk.post('/v1/refunds', params.refund(ask, amount, id), ask.request_id), wire.readRefund)
  if (heard.is === 'heard') return refundedOutcome(heard.body)
  return yield* otherwise(heard, () => syncRefund(talk, ask))
}

/** Only where it was asked for beforehand: `request_incremental_authorization`. */
function* increment(ask: IncrementRequest, account: Account): Conversation {
  const key = account.credentials.api_key
  const amount = inProcessorUnits(wire.counting, ask.money)
  if (!key) return withoutKey
  if (typeof amount === 'string') return notCounted(amount)
  const talk = openTalk(account, key)
  const id = yield* nameOf(talk, ask.authorization)
  if (id === null) return withoutIntent
  const request = talk.post(`/v1/payment_intents/${name(id)}/increment_authorization`, params.increment(ask, amount), ask.request_id)
  const heard = yield* talk.say(request, wire.readIntent)
  if (heard.is === 'heard') return firstHandOfIntent(incrementedOutcome(heard.body, ask.request_id))
  return yield* otherwise(heard, () => syncIntent(talk, ask.authorization, intent => incrementedOutcome(intent, ask.request_id)))
}

/** A question that could not be asked, or was not answered, leaves things `unknown`. */
function* sync(ask: SyncRequest, account: Account): Conversation {
  const key = account.credentials.api_key
  if (!key) return unknown('the connector account has no api_key')
  const talk = openTalk(account, key)
  const { verb, request_id, reference } = ask
  if (isDisputeVerb(verb)) return yield* syncDispute(verb, ask, account)
  if (verb === 'authorize' && ask.money.amount === 0) return yield* syncSetUp(talk, reference, ask.money)
  if (verb === 'authorize') return yield* syncAuthorization(talk, request_id, reference)
  if (verb === 'refund') return yield* syncRefund(talk, ask)
  const authorization = ask.authorization ?? { reference: null, request_id: '' }
  const outcomes: Partial<Record<SyncRequest['verb'], (intent: wire.Intent) => Outcome>> = {
    capture: intent => capturedOutcome(intent, request_id),
    increment: intent => incrementedOutcome(intent, request_id),
  }
  return yield* syncIntent(talk, authorization, outcomes[verb] ?? (intent => voidedOutcome(intent, request_id)))
}

/** The least that the key must be good for: to look at intents. */
function* verify(account: Account): Conversation<CredentialsVerdict> {
  const key = account.credentials.api_key
  if (!key) return { is: 'refused', code: '', said: 'The connector account has no api_key.' }
  const heard = yield* openTalk(account, key).get('/v1/payment_intents?limit=1', body => wire.readList(body, wire.readIntent))
  if (heard.is === 'heard') return { is: 'good' }
  if (heard.is !== 'refused') return unknown(heard.why)
  const { code, message } = heard.error
  return heard.means === 'configuration'
    ? { is: 'refused', code, said: plainText(message) }
    : unknown(`the status request was refused (${code})`)
}

function* syncAuthorization(talk: Talk, request_id: string, reference: string | null): Conversation {
  const id = reference ?? (yield* search(talk, request_id))
  if (id === null) return { is: 'not_found', lags_ms: SEARCH_LAGS_MS }
  if (typeof id !== 'string') return id
  const heard = yield* talk.ask(`/v1/payment_intents/${name(id)}?expand[]=latest_charge`, wire.readIntent)
  return heard.is === 'heard' ? authorizedOutcome(heard.body) : heard.is === 'missing' ? { is: 'not_found' } : unknown(heard.why)
}

/** What an intent says of something that was done to it. */
function* syncIntent(talk: Talk, authorization: Authorization, outcomeOf: (intent: wire.Intent) => Outcome): Conversation {
  const id = authorization.reference ?? (yield* search(talk, authorization.request_id))
  if (id === null) return unknown('the payment was not found')
  if (typeof id !== 'string') return id
  const heard = yield* talk.ask(`/v1/payment_intents/${name(id)}?expand[]=latest_charge`, wire.readIntent)
  return heard.is === 'heard' ? outcomeOf(heard.body) : unknown(heard.is === 'missing' ? 'the payment was not found' : heard.why)
}

function* syncRefund(talk: Talk, ask: Pick<SyncRequest, 'request_id' | 'authorization'> & { reference?: string | null }): Conversation {
  if (typeof ask.reference === 'string') {
    const heard = yield* talk.ask(`/v1/refunds/${name(ask.reference)}?expand[]=balance_transaction`, wire.readRefund)
    return heard.is === 'heard' ? refundedOutcome(heard.body) : heard.is === 'missing' ? { is: 'not_found' } : unknown(heard.why)
  }
  const id = ask.authorization?.reference ?? (yield* search(talk, ask.authorization?.request_id ?? ''))
  if (id === null) return unknown('the payment to refund was not found')
  if (typeof id !== 'string') return id
  const heard = yield* talk.ask(`/v1/refunds?payment_intent=${name(id)}&limit=100&expand[]=data.balance_transaction`, body =>
    wire.readList(body, wire.readRefund),
  )
  if (heard.is !== 'heard') return unknown(heard.is === 'missing' ? 'the payment to refund was not found' : heard.why)
  const own = heard.body.find(({ metadata }) => metadata[params.REQUEST_ID] === ask.request_id)
  return own ? refundedOutcome(own) : { is: 'not_found' }
}

/** The name of an intent of which we only know our own; null if nothing is found (yet). */
function* search(talk: Talk, request_id: string): Conversation<string | null | Extract<Outcome, { is: 'unknown' }>> {
  const query = encodeURIComponent(`metadata["${params.REQUEST_ID}"]:"${request_id}"`)
  const heard = yield* talk.ask(`/v1/payment_intents/search?query=${query}`, body => wire.readList(body, wire.readIntent))
  if (heard.is !== 'heard') return unknown(heard.is === 'missing' ? 'search is not available' : heard.why)
  return heard.body.find(({ metadata }) => metadata[params.REQUEST_ID] === request_id)?.id ?? null
}

/** The name of the intent that is acted on; null if it cannot be told. */
function* nameOf(talk: Talk, { reference, request_id }: Authorization): Conversation<string | null> {
  const id = reference ?? (yield* search(talk, request_id))
  return typeof id === 'string' ? id : null
}

/**
 * What was not answered with what was asked for. Where only a look can say what there is, one is taken: a failure of
 * theirs is kept under the key, and would be said again.
 */
function* otherwise(heard: Exclude<StripeReply<unknown>, { is: 'heard' }>, look: () => Conversation): Conversation {
  const broke = heard.is === 'unknown' && heard.status !== undefined && heard.status >= 500
  if (!broke && !(heard.is === 'refused' && heard.means === 'look')) return heard.is === 'refused' ? refusedOutcome(heard) : heard
  const outcome = firstHandOfIntent(yield* look())
  return outcome.is === 'unknown' && heard.is === 'refused' && outcome.why === NOT_THERE ? refusedOutcome(heard) : outcome
}

function verifyWebhook(raw: Buffer, headers: Record<string, string | undefined>, account: Account, now: Time): boolean {
  return isSigned(raw, headers['stripe-signature'], account.webhook_secret, now)
}

/**
 * Events come in any order and show what is past by the time they are read: they say where to look. A refund that
 * failed has failed for good.
 */
function readWebhook(raw: Buffer): News[] {
  const dispute = readDisputeEvent(raw)
  if (dispute !== null) return [{ dispute: 'ask', reference: dispute }]
  const object = wire.readEvent(raw)
  const request_id = object?.metadata[params.REQUEST_ID]
  if (!object || request_id === undefined) return []
  if ('failure_reason' in object) {
    const outcome = refundedOutcome(object)
    return [{ of: [{ request_id }], outcome: outcome.is === 'declined' ? outcome : 'ask' }]
  }
  return [request_id, ...params.requestsIn(object.metadata)].map(request_id => ({ of: [{ request_id }], outcome: 'ask' }))
}
