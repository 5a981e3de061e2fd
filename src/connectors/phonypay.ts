import type { Money } from '../base/money.ts'
import type { Secret } from '../base/secret.ts'
import type { Reply, Request, Time } from '../context.ts'
import type {
  Account,
  AuthorizeRequest,
  CancelPayoutRequest,
  CaptureRequest,
  Connector,
  Conversation,
  CredentialsVerdict,
  ExtendRequest,
  IncrementRequest,
  News,
  Ordered,
  OrderRequest,
  Outcome,
  PayoutRequest,
  PostCaptureVoidRequest,
  RefundRequest,
  Registered,
  ReturnRequest,
  SyncRequest,
  Verb,
  VoidRequest,
} from './connector.ts'
import { type FamilyName, isOther, type OtherFamily, otherFamilies, type PaymentInstrument, type Recipient } from './instrument.ts'
import { unknown } from './parse-reply.ts'
import { askIssuer, authenticate, syncAuthentication } from './phonypay-authentication.ts'
import { acceptDispute, contestDispute, readDispute, readDisputeNews, syncDispute, uploadEvidence } from './phonypay-disputes.ts'
import { baseOf, declinedByPhonypay, withoutKey } from './phonypay-talk.ts'
import {
  declines,
  isEndpoint,
  type PhonypayError,
  type PhonypayOperation,
  phonypayTypes,
  phonypayVerbs,
  readAnnouncement,
  readOperation,
  readOrder,
  readRefused,
} from './phonypay-wire.ts'
import { channels } from './purchase.ts'
import { isSigned } from './signed.ts'
import { plainText, redact } from './text.ts'
import { isDisputeVerb } from './verbs.ts'
import { readJson } from './wire.ts'

/** Besides cards these can be held. */
const holding: readonly OtherFamily[] = ['wallet', 'pay_later', 'card_redirect']

/**
 * The connector of the sandbox processor; `sandbox/README.md` is its contract. Our request id is both the
 * `idempotency-key` and the `reference`, so a creation may be resent, and an operation whose answer was lost can be
 * looked up.
 */
export const phonypay = {
  name: 'phonypay',
  founded: { documented: 'our own sandbox: sandbox/README.md' },
  baseUrl: { test: null, live: null },
  testing: true,
  credentials: { auth_type: 'HeaderKey', members: ['api_key'] },
  accepts: {
    methods: ['card', 'stored_card', 'network_transaction_id', ...otherFamilies],
    capture: ['automatic', 'manual', 'manual_multiple'],
    // Money that the customer sends themselves, or that is drawn on an account, comes at once or not at all.
    only: Object.fromEntries(
      otherFamilies.filter(family => !holding.includes(family)).map(family => [family, { capture: ['automatic'] as const }]),
    ),
    channels,
    installments: true,
    orders: ['paypal'],
    authentication: ['proof', 'challenge', 'low_value', 'transaction_risk_analysis'],
    recipients: ['card', 'bank', 'wallet', 'bank_redirect'],
    idempotent_ms: Number.POSITIVE_INFINITY,
    lookup: 'by request id',
    // The longest exchange (20 s) and a minute for what is still under way at the processor.
    in_flight_ms: 80_000,
  },
  authenticate,
  ask_issuer: askIssuer,
  authorize,
  order,
  setUp: authorize,
  capture,
  void: voidAuthorization,
  refund,
  increment,
  extend,
  post_capture_void: reverse,
  payout,
  cancel_payout: cancelPayout,
  accept_dispute: acceptDispute,
  contest_dispute: contestDispute,
  upload_evidence: uploadEvidence,
  read_dispute: readDispute,
  sync,
  returned: { brings: ['otp', 'threeds_method_comp_ind'], ask: complete },
  verify,
  webhook: { byReference: [], verify: verifyWebhook, read: readWebhook, register },
} satisfies Connector<Takes>

type Takes = FamilyName

function* authorize(ask: AuthorizeRequest<Takes>, account: Account): Conversation {
  const key = account.credentials.api_key
  if (!key) return withoutKey
  const request: Request = {
    method: 'POST',
    url: `${baseOf(account)}/v1/payments`,
    headers: { authorization: `Bearer ${key.reveal()}`, 'content-type': 'application/json', 'idempotency-key': ask.request_id },
    body: JSON.stringify({
      reference: ask.request_id,
      amount: ask.money.amount,
      currency: ask.money.currency,
      capture: ask.capture === 'automatic' ? 'automatic' : 'manual',
      ...paidWith(ask.means),
      ...(ask.agreement?.is === 'made' && ask.agreement.store !== false && { store: ask.agreement.usage }),
      ...(ask.agreement?.is === 'used' && { initiator: 'merchant', category: ask.agreement.mit_category }),
      three_ds: ask.three_ds,
      ...(ask.proof && { authentication: { ...ask.proof, cavv: ask.proof.cavv.reveal() } }),
      exemption: ask.exemption,
      return_url: ask.return_url,
      merchant: ask.merchant_name,
      allow_partial: ask.partial_approval === 'accept',
      statement_descriptor: ask.statement_descriptor ?? undefined,
      overcapture: ask.later?.includes('overcapture') || undefined,
      purchase: ask.purchase,
      channel: ask.channel,
      installments: ask.installments,
    }),
  }
  const { means } = ask
  const secrets = [key, ...secretsOf(means), ...(ask.proof ? [ask.proof.cavv] : [])]
  const outcome = yield* move('authorize', request, { request_id: ask.request_id, account, secrets })
  const cvc = means.is === 'card' || means.is === 'stored_card' ? means.cvc : null
  return outcome.is === 'declined' && cvc ? { ...outcome, said: plainText(redact(outcome.said, [cvc])) } : outcome
}

/** An order that a wallet opens: its id is what the wallet brings. */
function* order({ request_id, money }: OrderRequest, account: Account): Conversation<Ordered> {
  const key = account.credentials.api_key
  if (!key) return { is: 'refused', code: 'unauthorized', said: 'the connector account has no api_key' }
  const reply = yield {
    method: 'POST',
    url: `${baseOf(account)}/v1/orders`,
    headers: { authorization: `Bearer ${key.reveal()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ reference: request_id, amount: money.amount, currency: money.currency }),
  }
  if (reply.is !== 'reply') return { is: 'unknown', why: reply.why }
  const body = readJson(redact(reply.body, [key]))
  const id = reply.status === 200 ? readOrder(body, request_id) : null
  if (id !== null) return { is: 'done', id }
  const no = readRefused(reply.status, body)
  return no
    ? { is: 'refused', code: no.code, said: plainText(no.message) }
    : { is: 'unknown', why: `invalid response (HTTP ${reply.status})` }
}

/** Texts that are too short to be found again stand in many words by chance. */
const SHORTEST_SECRET = 6

const secretsOf = (means: PaymentInstrument): Secret[] =>
  isOther(means)
    ? Object.values(means.secrets).filter(secret => secret.reveal().length >= SHORTEST_SECRET)
    : means.is === 'stored_card'
      ? []
      : [means.number]

/**
 * A card by its number, by the mandate under which the processor keeps it, or by its number and the network's id of
 * an earlier payment.
 */
function paidWith(means: PaymentInstrument): object {
  if (isOther(means)) {
    const { is: family, way, open, secrets } = means
    const hidden = Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, secret.reveal()]))
    return { method: { family, way, details: { ...open, ...hidden } } }
  }
  if (means.is === 'stored_card') return { mandate: means.reference, cvc: means.cvc?.reveal() }
  const { number, exp_month, exp_year, holder } = means
  const card = { number: number.reveal(), exp_month, exp_year, holder: holder ?? undefined }
  if (means.is === 'network_transaction_id') return { card, network_transaction_id: means.network_transaction_id }
  return { card: { ...card, cvc: means.cvc?.reveal(), network: means.network } }
}

function capture(ask: CaptureRequest, account: Account): Conversation {
  const { money, rest, statement_descriptor } = ask
  return change('capture', ask, { amount: money.amount, final: rest === 'release', statement_descriptor }, account)
}

function voidAuthorization(ask: VoidRequest, account: Account): Conversation {
  return undo('void', ask, account)
}

function cancelPayout(ask: CancelPayoutRequest, account: Account): Conversation {
  return undo('cancel_payout', ask, account)
}

const undone = { void: ['payments', 'void'], cancel_payout: ['payouts', 'cancel'] } as const

/** Something that is not done yet is called off, by its id or, where that was never heard, by ours. */
function* undo(verb: keyof typeof undone, ask: VoidRequest, account: Account): Conversation {
  const key = account.credentials.api_key
  if (!key) return withoutKey
  const { reference, request_id } = ask.authorization
  const [what, how] = undone[verb]
  const it = reference === null ? `by-reference/${encodeURIComponent(request_id)}` : encodeURIComponent(reference)
  const request: Request = {
    method: 'POST',
    url: `${baseOf(account)}/v1/${what}/${it}/${how}`,
    headers: { authorization: `Bearer ${key.reveal()}`, 'content-type': 'application/json', 'idempotency-key': ask.request_id },
    body: JSON.stringify({ reference: ask.request_id }),
  }
  return yield* move(verb, request, { request_id: ask.request_id, account, secrets: [key] })
}

function refund(ask: RefundRequest, account: Account): Conversation {
  return change('refund', ask, { amount: ask.money.amount, reason: ask.reason ?? undefined }, account)
}

function increment(ask: IncrementRequest, account: Account): Conversation {
  return change('increment', ask, { amount: ask.money.amount }, account)
}

function extend(ask: ExtendRequest, account: Account): Conversation {
  return change('extend', ask, {}, account)
}

function reverse(ask: PostCaptureVoidRequest, account: Account): Conversation {
  return change('post_capture_void', ask, {}, account)
}

function* payout(ask: PayoutRequest, account: Account): Conversation {
  const key = account.credentials.api_key
  if (!key) return withoutKey
  const { request_id, money, recipient } = ask
  const request: Request = {
    method: 'POST',
    url: `${baseOf(account)}/v1/payouts`,
    headers: { authorization: `Bearer ${key.reveal()}`, 'content-type': 'application/json', 'idempotency-key': request_id },
    body: JSON.stringify({
      reference: request_id,
      amount: money.amount,
      currency: money.currency,
      to: paidTo(recipient),
      priority: ask.priority ?? undefined,
      entity_type: ask.entity_type,
      merchant: ask.merchant_name,
      description: ask.description ?? undefined,
    }),
  }
  const secrets = [key, recipient.is === 'card' ? recipient.number : recipient.account]
  return yield* move('payout', request, { request_id, account, secrets })
}

function paidTo(recipient: Recipient): object {
  if (recipient.is === 'card') {
    const { number, exp_month, exp_year, holder } = recipient
    return { type: 'card', number: number.reveal(), exp_month, exp_year, holder: holder ?? undefined }
  }
  const { is, type: method, account, holder, ...more } = recipient
  const told = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== null))
  return { type: is, method, account: account.reveal(), holder: holder ?? undefined, ...told }
}

const paths = { capture: 'capture', refund: 'refund', increment: 'increment', extend: 'extend', post_capture_void: 'reverse' } as const

/** Something is done to an authorization. */
function* change(
  verb: keyof typeof paths,
  { request_id, authorization }: Pick<VoidRequest, 'request_id' | 'authorization'>,
  more: object,
  account: Account,
): Conversation {
  const key = account.credentials.api_key
  if (!key) return withoutKey
  const payment = authorization.reference ?? (yield* findPayment(authorization.request_id, account, key))
  if (payment === null) return withoutPayment
  const request: Request = {
    method: 'POST',
    url: `${baseOf(account)}/v1/payments/${encodeURIComponent(payment)}/${paths[verb]}`,
    headers: { authorization: `Bearer ${key.reveal()}`, 'content-type': 'application/json', 'idempotency-key': request_id },
    body: JSON.stringify({ reference: request_id, ...more }),
  }
  return yield* move(verb, request, { request_id, account, secrets: [key] })
}

/**
 * A question that could not be asked, or was not answered, leaves things `unknown`: only a 404 of the contract is
 * `not_found`.
 */
function* sync(ask: SyncRequest, account: Account): Conversation {
  if (isDisputeVerb(ask.verb)) return yield* syncDispute(ask.verb, ask, account)
  if (ask.verb === 'authenticate') return yield* syncAuthentication(ask, account)
  return yield* lookUp(ask.verb, ask.reference === null ? { request_id: ask.request_id } : { id: ask.reference }, account)
}

/**
 * The customer has brought a code, or word that their browser was looked at. What is refused (a code that is wrong)
 * leaves things as they stand.
 */
function* complete(ask: ReturnRequest, account: Account): Conversation {
  const key = account.credentials.api_key
  const { otp, threeds_method_comp_ind: device_data } = ask.brought
  if (!key || ask.reference === null) return yield* asItStands(ask, account)
  const request: Request = {
    method: 'POST',
    url: `${baseOf(account)}/v1/operations/${encodeURIComponent(ask.reference)}/complete`,
    headers: { authorization: `Bearer ${key.reveal()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ otp, device_data }),
  }
  const heard = hear(yield request, [key])
  if (heard.is === 'refused') return yield* asItStands(ask, account)
  if (heard.is !== 'operation') return unknown(heard.why)
  return heard.operation.id === ask.reference ? outcomeOf(heard.operation, ask.verb) : unknown('the response is for another operation')
}

/** What somebody brought makes no no of it: that it is not found says nothing here. */
function* asItStands(ask: SyncRequest, account: Account): Conversation {
  const stands = yield* sync(ask, account)
  return stands.is === 'not_found' ? unknown('the challenge result was refused, and the operation was not found') : stands
}

function* lookUp(verb: Verb, operation: { id: string } | { request_id: string }, account: Account): Conversation {
  const key = account.credentials.api_key
  if (!key) return unknown('the connector account has no api_key')
  const request: Request = {
    method: 'GET',
    url:
      'id' in operation
        ? `${baseOf(account)}/v1/operations/${encodeURIComponent(operation.id)}`
        : `${baseOf(account)}/v1/operations/by-reference/${encodeURIComponent(operation.request_id)}`,
    headers: { authorization: `Bearer ${key.reveal()}` },
  }
  const heard = hear(yield request, [key])
  if (heard.is === 'refused') return heard.means === 'not_found' ? { is: 'not_found' } : unknown(`the lookup was refused (${heard.code})`)
  if (heard.is !== 'operation') return unknown(heard.why)
  if ('id' in operation && heard.operation.id !== operation.id) return unknown('the response is for another operation')
  return outcomeOf(heard.operation, verb)
}

/** Whoever may ask about an operation, even of one that never was, has good credentials. */
function* verify(account: Account, request_id: string): Conversation<CredentialsVerdict> {
  const key = account.credentials.api_key
  if (!key) return { is: 'refused', code: 'unauthorized', said: 'the connector account has no api_key' }
  const request: Request = {
    method: 'GET',
    url: `${baseOf(account)}/v1/operations/by-reference/${encodeURIComponent(request_id)}`,
    headers: { authorization: `Bearer ${key.reveal()}` },
  }
  const heard = hear(yield request, [key])
  if (heard.is === 'operation' || (heard.is === 'refused' && heard.means === 'not_found')) return { is: 'good' }
  if (heard.is === 'refused' && heard.means === 'configuration') return { is: 'refused', code: heard.code, said: plainText(heard.message) }
  return { is: 'unknown', why: heard.is === 'refused' ? `the status request was refused (${heard.code})` : heard.why }
}

function* register(url: string, account: Account): Conversation<Registered> {
  const key = account.credentials.api_key
  const secret = account.webhook_secret
  if (!key || !secret) return { is: 'refused', code: 'unauthorized', said: 'the connector account has no api_key or no webhook secret' }
  const request: Request = {
    method: 'PUT',
    url: `${baseOf(account)}/v1/webhook_endpoint`,
    headers: { authorization: `Bearer ${key.reveal()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, secret: secret.reveal() }),
  }
  const reply = yield request
  if (reply.is !== 'reply') return { is: 'unknown', why: reply.why }
  const body = readJson(redact(reply.body, [key, secret]))
  if (reply.status === 200 && isEndpoint(body, url)) return { is: 'done', id: null }
  const no = readRefused(reply.status, body)
  return no
    ? { is: 'refused', code: no.code, said: plainText(no.message) }
    : { is: 'unknown', why: `invalid response (HTTP ${reply.status})` }
}

/** The id of an authorization whose answer we never heard; null if the processor does not name it. */
function* findPayment(request_id: string, account: Account, key: Secret): Conversation<string | null> {
  const request: Request = {
    method: 'GET',
    url: `${baseOf(account)}/v1/operations/by-reference/${encodeURIComponent(request_id)}`,
    headers: { authorization: `Bearer ${key.reveal()}` },
  }
  const heard = hear(yield request, [key])
  if (heard.is !== 'operation') return null
  const { type, reference, payment } = heard.operation
  return type === 'authorization' && reference === request_id ? payment : null
}

type Moving = { request_id: string; account: Account; secrets: readonly Secret[] }

/** The one request of a conversation that moves money, and what its answer means. */
function* move(verb: Verb, request: Request, { request_id, account, secrets }: Moving): Conversation {
  const heard = hear(yield request, secrets)
  switch (heard.is) {
    case 'operation':
      return firstHand(outcomeOf(heard.operation, verb))
    case 'refused':
      // `exists`: an operation of ours is there already. This request did nothing, the earlier one decides.
      if (heard.means === 'exists') return firstHand(yield* lookUp(verb, { request_id }, account))
      if (heard.means === 'later') return { is: 'not_sent', why: 'the processor asks for a later retry' }
      return declinedByPhonypay(heard, heard.means === 'not_found' ? 'invalid_request' : heard.means)
    case 'not_sent':
    case 'unknown':
      return heard
  }
}

/**
 * `lapsed` and `not_found` are answers to `sync` only: elsewhere they are a surprise that a later sync has to look
 * into.
 */
function firstHand(outcome: Outcome): Outcome {
  if (outcome.is === 'lapsed') return unknown('approved, but no longer authorized')
  if (outcome.is === 'not_found') return unknown('reported as existing, but not found')
  return outcome
}

type Heard =
  | { is: 'operation'; operation: PhonypayOperation }
  | ({ is: 'refused' } & PhonypayError)
  | { is: 'not_sent'; why: string }
  | { is: 'unknown'; why: string }

/** A reply as far as it is understood. What the contract does not know, whatever its status, is `unknown`. */
function hear(reply: Reply, secrets: readonly Secret[]): Heard {
  if (reply.is === 'not_sent') return reply
  if (reply.is === 'silence') return unknown(reply.why)
  const body = readJson(redact(reply.body, secrets))
  if (reply.status === 200) {
    const operation = readOperation(body)
    return operation ? { is: 'operation', operation } : unknown('invalid response (HTTP 200)')
  }
  const refused = readRefused(reply.status, body)
  return refused ? { is: 'refused', ...refused } : unknown(`invalid response (HTTP ${reply.status})`)
}

/** What an operation says of our request. Amount, currency and reference are given as echoed: the caller compares. */
function outcomeOf(operation: PhonypayOperation, verb: Verb): Outcome {
  if (operation.type !== phonypayTypes[verb]) return unknown('the response is for another kind of operation')
  switch (operation.status) {
    case 'approved':
      if (verb === 'post_capture_void' && operation.payment_state.refunded !== operation.payment_state.captured)
        return unknown('reversed only in part')
      return verb === 'authorize' ? authorizedOf(operation) : doneOf(operation, null)
    case 'returned':
      return returnedOf(operation)
    case 'expired':
      return operation.type === 'payout' ? { is: 'lapsed', reference: operation.id } : unknown('expired, but not a payout')
    case 'declined':
      return declinedOf(operation)
    case 'pending':
      return { is: 'waiting', reference: operation.id }
    case 'challenge':
      if (verb !== 'authorize' || operation.redirect_url === null) return unknown('the challenge has no URL')
      return {
        is: 'waiting',
        reference: operation.id,
        next_action: operation.next_action ?? { type: 'redirect_to_url', url: operation.redirect_url },
      }
  }
}

/** What the state of a payment means for its approved authorization. */
const holds = {
  authorized: 'held',
  partially_captured: 'held',
  captured: 'held',
  voided: 'let go',
  expired: 'let go',
  declined: 'nonsense',
  challenge: 'nonsense',
  pending: 'nonsense',
} as const satisfies Record<PhonypayOperation['payment_state']['status'], string>

function authorizedOf(operation: PhonypayOperation): Outcome {
  const { status, authorized, captured } = operation.payment_state
  switch (holds[status]) {
    case 'held': {
      const left = status === 'captured' ? 0 : Math.max(authorized - captured, 0)
      const done = doneOf(operation, captured > 0 ? { amount: captured, currency: operation.currency } : null)
      return done.is === 'done' ? { ...done, capturable: { amount: left, currency: operation.currency } } : done
    }
    case 'let go':
      return { is: 'lapsed', reference: operation.id }
    case 'nonsense':
      return unknown(`approved, but the payment is ${status}`)
  }
}

function doneOf(operation: PhonypayOperation, captured: Money | null): Outcome {
  const { id, reference, amount, currency, decline, facts } = operation
  if (decline !== null) return unknown('approved and declined at once')
  return { is: 'done', reference: id, request_id: reference, amount: { amount, currency }, captured, facts }
}

function declinedOf({ id, decline, facts }: PhonypayOperation): Outcome {
  if (decline === null) return unknown('declined without a reason')
  const { code, message, network_code, network_advice } = decline
  return {
    is: 'declined',
    reference: id,
    code: Object.hasOwn(declines, code) ? declines[code as keyof typeof declines] : 'card_declined',
    code_said: code,
    said: plainText(message),
    ...(network_code !== null && { network_code }),
    ...(network_advice !== null && { network_advice }),
    facts,
  }
}

/** Money that was paid out has come back. */
function returnedOf(operation: PhonypayOperation): Outcome {
  const no = operation.type === 'payout' ? declinedOf(operation) : unknown('returned, but not a payout')
  return no.is === 'declined' ? { ...no, after_yes: true } : no
}

const withoutPayment: Outcome = { is: 'not_sent', why: 'the authorization could not be found at the processor' }

function verifyWebhook(raw: Buffer, headers: Record<string, string | undefined>, account: Account, now: Time): boolean {
  return isSigned(raw, headers['x-sandbox-signature'], account.webhook_secret, now)
}

function readWebhook(raw: Buffer): News[] {
  const body = readJson(raw.toString())
  const operation = readAnnouncement(body)
  if (operation === null) return readDisputeNews(body)
  const outcome = outcomeOf(operation, phonypayVerbs[operation.type])
  return outcome.is === 'unknown' ? [] : [{ of: [{ request_id: operation.reference }], outcome }]
}
