import { HOUR_MS } from '../../base/time.ts'
import type { Request } from '../../context.ts'
import type {
  Account,
  Connector,
  Conversation,
  CredentialsVerdict,
  DisputeRead,
  OperationIdentifier,
  Outcome,
  RequestOf,
  SyncRequest,
  Verb,
  WebhookUpdate,
} from '../connector.ts'
import { noting } from '../conversation.ts'
import { whyNotCounted } from '../counting.ts'
import { credentialsOf } from '../kit/credentials.ts'
import {
  beforeMoney,
  declinedWith,
  type FailedReply,
  failedLookup,
  failedOutcome,
  failedQuestion,
  failedVerdict,
  firstHand,
  parseReply,
  unknown,
} from '../kit/parse-reply.ts'
import { isRecord, readId, readJson } from '../kit/read.ts'
import { inPath } from '../kit/request.ts'
import { isHexHmac } from '../kit/signature.ts'
import { authorize, sendToMollie } from './authorize.ts'
import { mollieFamilies, mollieOffers } from './offers.ts'
import * as wire from './replies.ts'
import { changeNews, listChanges, paymentNews, readPayment } from './report.ts'
import * as ask from './requests.ts'
import { fetchSettlement, listSettlements } from './settlements.ts'

/** Mollie's webhooks name only the payment: until a change has an id, its reference is the payment's id. */
const changing = <Ask extends RequestOf<'capture'> | RequestOf<'refund'>>(
  kind: 'captures' | 'refunds',
  bodyOf: (asked: Ask) => object,
  then?: (asked: Ask, id: string, account: Account) => Generator<Request, void, Parameters<typeof parseReply>[0]>,
) =>
  function* (asked: Ask, account: Account): Conversation {
    const why = whyNotCounted(ask.counting, asked.money)
    if (why !== null) return { is: 'not_sent', why }
    const id = asked.authorization.reference
    if (id === null) return withoutName
    yield* noting(id)
    const request = ask.post(account, `/payments/${inPath(id)}/${kind}`, bodyOf(asked), asked.request_id)
    const reply = yield* sendToMollie(account, request, readers[kind])
    if (reply.is !== 'answer') return calledBy(id, failedOutcome(reply))
    if (reply.answer.request_id !== asked.request_id) return calledBy(id, unknown('the response is for another request'))
    const outcome = wire.changeOutcome(reply.answer)
    if (outcome.is === 'done' && then) yield* then(asked, id, account)
    return outcome
  }

const readers = { captures: wire.readMollieCapture, refunds: wire.readMollieRefund } as const
const withoutName: Outcome = { is: 'not_sent', why: 'the payment has no processor reference' }
const calledBy = (id: string, outcome: Outcome): Outcome =>
  outcome.is === 'waiting' || ('reference' in outcome && typeof outcome.reference === 'string') ? outcome : { ...outcome, reference: id }

/** A capture at Mollie leaves the rest held. If the release fails, the hold expires later. */
function* letGo({ rest, part_of, request_id }: RequestOf<'capture'>, id: string, account: Account) {
  if (rest === 'release' && part_of !== undefined) yield release(account, id, `${request_id}-rest`)
}

const release = (account: Account, id: string, request_id: string): Request =>
  ask.post(account, `/payments/${inPath(id)}/release-authorization`, {}, request_id)

/** A cancelable payment is cancelled at once; otherwise Mollie releases the hold later. */
function* voidPayment({ request_id, authorization, of }: RequestOf<'void'>, account: Account): Conversation {
  const id = authorization.reference
  if (id === null) return withoutName
  const found = yield* sendToMollie(account, ask.get(account, `/payments/${inPath(id)}`), wire.readPayment)
  if (found.is !== 'answer') return beforeMoney(found)
  const { status, cancelable } = found.answer
  if (status !== 'authorized' && status !== 'open' && status !== 'pending') return firstHand(wire.releasedOutcome(found.answer))
  yield* noting(id)
  if (cancelable && of !== 'rest') {
    const reply = yield* sendToMollie(account, ask.deleteRequest(account, `/payments/${inPath(id)}`, request_id), wire.readPayment)
    return calledBy(id, reply.is === 'answer' ? firstHand(wire.releasedOutcome(reply.answer)) : failedOutcome(reply))
  }
  if (status !== 'authorized')
    return declinedWith('not_allowed', status, `Mollie cannot cancel a payment that is ${status}; it expires by itself.`, id)
  const reply = yield release(account, id, request_id)
  const failure =
    reply.is === 'reply' && reply.status === 202 ? null : parseReply(reply, credentialsOf(account), (s, b) => wire.readRefused(s, b))
  return failure === null ? { is: 'waiting', reference: id } : calledBy(id, failedOutcome(failure as FailedReply))
}

function* sync(asked: SyncRequest, account: Account): Conversation {
  const { verb, reference, request_id } = asked
  if (verb === 'capture' || verb === 'refund') return yield* syncChange(verb, asked, account)
  const id = verb === 'void' ? (asked.authorization?.reference ?? null) : reference
  if (id === null) return verb === 'authorize' ? yield* look(asked, account) : unknown('the payment was not found')
  const reply = yield* sendToMollie(account, ask.get(account, `/payments/${inPath(id)}`), wire.readPayment)
  if (reply.is !== 'answer') return verb === 'authorize' ? failedLookup(reply) : failedQuestion(reply)
  if (verb === 'authorize' && reply.answer.request_id !== request_id) return unknown('the response is for another payment')
  if (verb === 'authorize') return wire.outcomeOf(reply.answer)
  // A hold that expired by itself was not released by a void.
  return reply.answer.status === 'expired'
    ? declinedWith('not_allowed', 'expired', 'The authorization has expired.', id)
    : wire.releasedOutcome(reply.answer)
}

/** Payments in one list, and lists that are read. */
const LISTED = 250
const LISTS = 4
const SKEW_MS = 5 * 60_000
/** Mollie says that lists show all objects, but not how soon. */
const LISTS_LAG_MS = HOUR_MS

/** Lists are latest first: read down to payments that are older than the request. */
function* look({ request_id, began }: SyncRequest, account: Account): Conversation {
  const since = began === undefined ? 0 : Date.parse(began) - SKEW_MS
  let from = ''
  for (let lists = 0; lists < LISTS; lists++) {
    const reply = yield* sendToMollie(account, ask.get(account, `/payments?limit=${LISTED}&sort=desc${from}`), wire.readList('payments'))
    if (reply.is !== 'answer') return failedQuestion(reply)
    const { items, isLast } = reply.answer
    const own = items.find(item => wire.isMadeBy(item, request_id))
    if (own) {
      const payment = wire.readPayment(own)
      return payment ? wire.outcomeOf(payment) : unknown('the listed payment is not valid')
    }
    const last = items.at(-1)
    if (isLast || last === undefined) return notListed
    const [id, made] = [isRecord(last) ? readId(last.id) : null, wire.madeAt(last)]
    if (id === null || made === null) return unknown('the list of payments is not valid')
    if (Date.parse(made) < since) return notListed
    from = `&from=${inPath(id)}`
  }
  return unknown('too many payments were made since')
}

const notListed = { is: 'not_found', lags_ms: LISTS_LAG_MS } as const

const kinds = { capture: 'captures', refund: 'refunds' } as const

function* syncChange(verb: 'capture' | 'refund', { request_id, reference, authorization }: SyncRequest, account: Account): Conversation {
  const id = authorization?.reference ?? null
  if (id === null) return unknown('the payment was not found')
  const kind = kinds[verb]
  const reply = yield* sendToMollie(account, ask.get(account, `/payments/${inPath(id)}/${kind}?limit=${LISTED}`), wire.readList(kind))
  if (reply.is !== 'answer') return failedQuestion(reply)
  const { items, isLast } = reply.answer
  const own = items.find(item => wire.isMadeBy(item, request_id) || (isRecord(item) && item.id === reference))
  const change = own && readers[kind](own)
  if (change) return wire.changeOutcome(change)
  if (own || !isLast) return unknown(`the list of ${kind} is not valid`)
  return { ...notListed, ...(reference !== null && { reference }) }
}

/** Moves no money. */
function* verifyAccount(account: Account): Conversation<CredentialsVerdict> {
  const reply = yield* sendToMollie(account, ask.get(account, '/payments?limit=1'), wire.readList('payments'))
  return reply.is === 'answer' ? { is: 'good' } : failedVerdict(reply)
}

/** `reference`: a payment id, for its latest chargeback; or `tr_…/chb_…`. */
function* readDispute(reference: string, account: Account): Conversation<DisputeRead> {
  const [payment = '', id] = reference.split('/')
  const reply = yield* sendToMollie(
    account,
    ask.get(account, `/payments/${inPath(payment)}/chargebacks?limit=${LISTED}`),
    wire.readList('chargebacks'),
  )
  if (reply.is !== 'answer') return failedLookup(reply)
  const all = reply.answer.items.map(wire.readChargeback)
  const [found] = all.filter(one => one === null || id === undefined || one.dispute.reference === reference)
  if (found === undefined) return { is: 'not_found' }
  if (found === null || found.payment !== payment) return unknown('the chargeback is not valid')
  return { is: 'dispute', of: [{ reference: payment, verb: 'authorize' }], dispute: found.dispute }
}

/** Payment webhooks are unsigned and only trigger a lookup. Events: `sha256=…`, HMAC-SHA256 of the raw body in hex. */
function verifyWebhook(raw: Buffer, headers: Record<string, string | undefined>, { webhook_secret }: Account): boolean {
  const event = readJson(raw.toString())
  if (!isRecord(event) || event.resource !== 'event') return true
  const given = headers['x-mollie-signature']?.slice(0, 1024).split(',') ?? []
  const secret = webhook_secret?.reveal()
  return secret !== undefined && given.some(one => isHexHmac(secret, raw, one.trim().replace(/^sha256=/, '')))
}

function readWebhook(raw: Buffer): WebhookUpdate[] {
  const text = raw.toString()
  const event = readJson(text)
  if (isRecord(event)) return eventUpdates(event)
  const id = new URLSearchParams(text).getAll('id').find(one => /^tr_\w{1,60}$/.test(one))
  if (id === undefined) return []
  // It also comes for refunds and chargebacks, and says only that something has changed.
  return [{ is: 'payment', of: [{ reference: id }], report: 'ask' }]
}

const verbOf: Readonly<Record<string, Verb>> = { payment: 'authorize', capture: 'capture', refund: 'refund' }

/** Events may be outdated and only trigger a lookup, except for a failed refund, which is final. */
function eventUpdates({ resource, _embedded }: Record<string, unknown>): WebhookUpdate[] {
  const entity = isRecord(_embedded) && isRecord(_embedded.entity) ? _embedded.entity : null
  if (resource !== 'event' || entity === null) return []
  const chargeback = wire.readChargeback(entity)
  if (chargeback) return [{ is: 'dispute', of: [{ reference: chargeback.payment, verb: 'authorize' }], dispute: chargeback.dispute }]
  const verb = typeof entity.resource === 'string' && Object.hasOwn(verbOf, entity.resource) ? verbOf[entity.resource] : undefined
  const refund = wire.readMollieRefund(entity)
  const capture = refund ? null : wire.readMollieCapture(entity)
  const payment = refund || capture ? null : wire.readPayment(entity)
  const change = refund ?? capture ?? payment
  if (!change || verb === undefined) return []
  const otherwise = payment ? undefined : changeNews(refund ? 'refund' : 'capture', (refund ?? capture)!)
  const held = payment && paymentNews(payment)
  if (held) return [held]
  const names: OperationIdentifier[] = change.request_id === null ? [] : [{ request_id: change.request_id, verb }]
  const result = refund ? wire.changeOutcome(refund) : null
  const outcome: Outcome | 'ask' = result?.is === 'declined' ? { ...result, after_yes: true } : 'ask'
  const [first, ...others] = [...names, { reference: change.id, verb }]
  return first ? [{ is: 'outcome', of: [first, ...others], outcome, ...(otherwise && { otherwise }) }] : []
}

/**
 * Mollie's Payments API (v2). It receives no card numbers: customers pay on Mollie's page, at their bank or with their
 * wallet. Our request id is in the metadata of payments, captures and refunds: Mollie's lists show it.
 */
export const mollie = {
  name: 'mollie',
  sources: {
    documented: 'Mollie’s API reference (v2) and its OpenAPI document; its client library works against the same sandbox dialect',
    guessed:
      'Which currencies and payers Mollie takes of each payment method changes: what is newer than our table is refused too early, or declined by Mollie. How late lists are is not documented: what is not in one is treated as a decline only after an hour. That a chargeback with a reason of a bank (of debits) is final is not documented: others stay open until they are reversed',
  },
  baseUrl: { test: 'https://api.mollie.com/v2', live: 'https://api.mollie.com/v2' },
  credentials: {
    auth_type: 'HeaderKey',
    members: ['api_key'],
    test: { api_key: /^test_/ },
    called: { api_key: { label: 'API key', secret: true } },
    optional: { organization_token: 'an organization access token with settlements.read, for settlement reports' },
  },
  accepts: {
    methods: ['stored_card', ...mollieFamilies],
    offers: mollieOffers,
    capture: ['automatic', 'manual', 'manual_multiple'],
    // A capture never closes a hold: the rest is released by a separate request.
    finalCaptures: false,
    // Mollie stores an idempotency key for an hour.
    idempotent_ms: HOUR_MS,
    lookup: 'by request id',
    in_flight_ms: 80_000,
    counting: ask.counting,
    tells: {
      lookup: ['authorized', 'captured', 'refunded', 'voided', 'disputed'],
      webhooks: ['captured', 'refunded', 'voided', 'disputed'],
      changes: ['refunded', 'disputed'],
    },
    reports:
      'Settlements that were paid out, with their payments, captures, refunds and chargebacks, by the Settlements API; it needs `organization_token`',
  },
  authorize,
  setUp: authorize,
  capture: changing<RequestOf<'capture'>>('captures', ask.mollieCaptureBody, letGo),
  void: voidPayment,
  refund: changing<RequestOf<'refund'>>('refunds', ask.mollieRefundBody),
  sync,
  read_payment: readPayment,
  list_changes: listChanges,
  list_reports: listSettlements,
  fetch_report: fetchSettlement,
  read_dispute: readDispute,
  verify: verifyAccount,
  webhook: { largest: 65_536, byReference: ['authorize', 'capture', 'void', 'refund'], verify: verifyWebhook, read: readWebhook },
} satisfies Connector<ask.MollieTakes>
