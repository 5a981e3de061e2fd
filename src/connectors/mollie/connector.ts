import type { Request } from '../../context.ts'
import type {
  Account,
  Authorization,
  CaptureRequest,
  Connector,
  Conversation,
  CredentialsVerdict,
  DisputeRead,
  News,
  OperationIdentifier,
  Outcome,
  RefundRequest,
  SyncRequest,
  Verb,
  VoidRequest,
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
import { authorize } from './authorize.ts'
import { hearMollie } from './hear.ts'
import { mollieFamilies, mollieOffers } from './offers.ts'
import * as wire from './replies.ts'
import * as ask from './requests.ts'

const HOUR_MS = 3_600_000

/**
 * What is done to a payment. It is called by its payment until Mollie has a name for it: news of it names nothing else
 * (`byReference`).
 */
const changing = <Ask extends CaptureRequest | RefundRequest>(
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
    const reply = yield* hearMollie(account, request, readers[kind])
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

/** A capture leaves the rest of a hold held. What of it is not to be kept is let go; if that fails, it lapses later. */
function* letGo({ rest, part_of, request_id }: CaptureRequest, id: string, account: Account) {
  if (rest === 'release' && part_of !== undefined) yield release(account, id, `${request_id}-rest`)
}

const release = (account: Account, id: string, request_id: string): Request =>
  ask.post(account, `/payments/${inPath(id)}/release-authorization`, {}, request_id)

/** What can be cancelled is, at once; a hold is let go of when Mollie comes to it. */
function* voidPayment({ request_id, authorization, of }: VoidRequest, account: Account): Conversation {
  const id = authorization.reference
  if (id === null) return withoutName
  const found = yield* hearMollie(account, ask.get(account, `/payments/${inPath(id)}`), wire.readPayment)
  if (found.is !== 'answer') return beforeMoney(found)
  const { status, cancelable } = found.answer
  if (status !== 'authorized' && status !== 'open' && status !== 'pending') return firstHand(wire.releasedOutcome(found.answer))
  yield* noting(id)
  if (cancelable && of !== 'rest') {
    const reply = yield* hearMollie(account, ask.deleteRequest(account, `/payments/${inPath(id)}`, request_id), wire.readPayment)
    return calledBy(id, reply.is === 'answer' ? firstHand(wire.releasedOutcome(reply.answer)) : failedOutcome(reply))
  }
  if (status !== 'authorized')
    return declinedWith('not_allowed', status, `Mollie cannot cancel a payment that is ${status}; it expires by itself.`, id)
  const reply = yield release(account, id, request_id)
  const heard =
    reply.is === 'reply' && reply.status === 202 ? null : parseReply(reply, credentialsOf(account), (s, b) => wire.readRefused(s, b))
  return heard === null ? { is: 'waiting', reference: id } : calledBy(id, failedOutcome(heard as FailedReply))
}

function* sync(asked: SyncRequest, account: Account): Conversation {
  const { verb, reference, request_id } = asked
  if (verb === 'capture' || verb === 'refund') return yield* syncChange(verb, asked, account)
  const id = verb === 'void' ? nameOf(asked.authorization) : reference
  if (id === null) return verb === 'authorize' ? yield* look(asked, account) : unknown('the payment was not found')
  const reply = yield* hearMollie(account, ask.get(account, `/payments/${inPath(id)}`), wire.readPayment)
  if (reply.is !== 'answer') return verb === 'authorize' ? failedLookup(reply) : failedQuestion(reply)
  if (verb === 'authorize' && reply.answer.request_id !== request_id) return unknown('the response is for another payment')
  if (verb === 'authorize') return wire.outcomeOf(reply.answer)
  // What ran out by itself was not let go of by a void.
  return reply.answer.status === 'expired'
    ? declinedWith('not_allowed', 'expired', 'The authorization has expired.', id)
    : wire.releasedOutcome(reply.answer)
}

const nameOf = (authorization: Authorization | null): string | null => authorization?.reference ?? null

/** So many are listed at once, and so many lists are read. */
const LISTED = 250
const LISTS = 4
/** How far clocks may differ. */
const SKEW_MS = 5 * 60_000
/** How far lists may be behind: Mollie says that they show what was done, and not how soon. */
const LISTS_LAG_MS = HOUR_MS

/** A payment by our own name of it: Mollie lists the latest first, down to those that were made before it was asked. */
function* look({ request_id, began }: SyncRequest, account: Account): Conversation {
  const since = began === undefined ? 0 : Date.parse(began) - SKEW_MS
  let from = ''
  for (let lists = 0; lists < LISTS; lists++) {
    const reply = yield* hearMollie(account, ask.get(account, `/payments?limit=${LISTED}&sort=desc${from}`), wire.readList('payments'))
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

/** Captures and refunds are listed by their payment. */
function* syncChange(verb: 'capture' | 'refund', { request_id, reference, authorization }: SyncRequest, account: Account): Conversation {
  const id = nameOf(authorization)
  if (id === null) return unknown('the payment was not found')
  const kind = kinds[verb]
  const reply = yield* hearMollie(account, ask.get(account, `/payments/${inPath(id)}/${kind}?limit=${LISTED}`), wire.readList(kind))
  if (reply.is !== 'answer') return failedQuestion(reply)
  const { items, isLast } = reply.answer
  const own = items.find(item => wire.isMadeBy(item, request_id) || (isRecord(item) && item.id === reference))
  const change = own && readers[kind](own)
  if (change) return wire.changeOutcome(change)
  if (own || !isLast) return unknown(`the list of ${kind} is not valid`)
  return { ...notListed, ...(reference !== null && { reference }) }
}

/** A question that moves nothing. */
function* verifyAccount(account: Account): Conversation<CredentialsVerdict> {
  const reply = yield* hearMollie(account, ask.get(account, '/payments?limit=1'), wire.readList('payments'))
  return reply.is === 'answer' ? { is: 'good' } : failedVerdict(reply)
}

/** `reference`: of a payment, whose latest chargeback is asked about; or `tr_…/chb_…`. */
function* readDispute(reference: string, account: Account): Conversation<DisputeRead> {
  const [payment = '', id] = reference.split('/')
  const reply = yield* hearMollie(
    account,
    ask.get(account, `/payments/${inPath(payment)}/chargebacks?limit=${LISTED}`),
    wire.readList('chargebacks'),
  )
  if (reply.is !== 'answer') return failedLookup(reply)
  const all = reply.answer.items.map(wire.readChargeback)
  const [found] = all.filter(one => one === null || id === undefined || one.said.reference === reference)
  if (found === undefined) return { is: 'not_found' }
  if (found === null || found.payment !== payment) return unknown('the chargeback is not valid')
  return { is: 'dispute', of: [{ reference: payment, verb: 'authorize' }], dispute: found.said }
}

/**
 * Mollie tells of a payment by its name alone, unsigned: that says where to look. Its events, which are set up at
 * Mollie, are signed (`X-Mollie-Signature: sha256=…`, HMAC-SHA256 of the raw body in hex), and have no time.
 */
function verifyWebhook(raw: Buffer, headers: Record<string, string | undefined>, { webhook_secret }: Account): boolean {
  const event = readJson(raw.toString())
  if (!isRecord(event) || event.resource !== 'event') return true
  const given = headers['x-mollie-signature']?.slice(0, 1024).split(',') ?? []
  const secret = webhook_secret?.reveal()
  return secret !== undefined && given.some(one => isHexHmac(secret, raw, one.trim().replace(/^sha256=/, '')))
}

function readWebhook(raw: Buffer): News[] {
  const text = raw.toString()
  const event = readJson(text)
  if (isRecord(event)) return eventNews(event)
  const [, id] = /^(?:.*&)?id=(tr_\w{1,60})(?:&.*)?$/.exec(text) ?? []
  if (id === undefined) return []
  // It is told of chargebacks, too, and only that something has changed.
  return [
    { of: [{ reference: id }], outcome: 'ask' },
    { of: [{ reference: id }], dispute: 'ask', reference: id },
  ]
}

const verbOf: Readonly<Record<string, Verb>> = { payment: 'authorize', capture: 'capture', refund: 'refund' }

/** Events may be old, so they say where to look; but a refund that has failed has failed for good. */
function eventNews({ resource, _embedded }: Record<string, unknown>): News[] {
  const entity = isRecord(_embedded) && isRecord(_embedded.entity) ? _embedded.entity : null
  if (resource !== 'event' || entity === null) return []
  const chargeback = wire.readChargeback(entity)
  if (chargeback) return [{ of: [{ reference: chargeback.payment, verb: 'authorize' }], dispute: chargeback.said }]
  const verb = typeof entity.resource === 'string' && Object.hasOwn(verbOf, entity.resource) ? verbOf[entity.resource] : undefined
  const refund = wire.readMollieRefund(entity)
  const change = refund ?? wire.readMollieCapture(entity) ?? wire.readPayment(entity)
  if (!change || verb === undefined) return []
  const names: OperationIdentifier[] = change.request_id === null ? [] : [{ request_id: change.request_id, verb }]
  const said = refund ? wire.changeOutcome(refund) : null
  const outcome: Outcome | 'ask' = said?.is === 'declined' ? { ...said, after_yes: true } : 'ask'
  const [first, ...others] = [...names, { reference: change.id, verb }]
  return first ? [{ of: [first, ...others], outcome }] : []
}

/**
 * Mollie's Payments API (v2). It has no card numbers: customers pay at Mollie's page, their bank or their wallet. Our
 * request id stands in the metadata of each payment, capture and refund, where it is found again in Mollie's lists.
 */
export const mollie = {
  name: 'mollie',
  founded: {
    documented: 'Mollie’s API reference (v2) and its OpenAPI document; its client library works against the same sandbox dialect',
    guessed:
      'Which currencies and payers Mollie takes of each way to pay changes: what is newer than our table is refused too early, or declined by Mollie. How late lists are is not documented: what is not in one is taken for a no after an hour only. That a chargeback with a reason of a bank (of debits) is final is not documented: others stay open until they are reversed',
  },
  baseUrl: { test: 'https://api.mollie.com/v2', live: 'https://api.mollie.com/v2' },
  credentials: {
    auth_type: 'HeaderKey',
    members: ['api_key'],
    test: { api_key: /^test_/ },
    called: { api_key: { label: 'API key', secret: true } },
  },
  accepts: {
    methods: ['stored_card', ...mollieFamilies],
    offers: mollieOffers,
    capture: ['automatic', 'manual', 'manual_multiple'],
    // A capture closes no hold: what is left is released.
    finalCaptures: false,
    // Mollie keeps a key for an hour.
    idempotent_ms: HOUR_MS,
    lookup: 'by request id',
    in_flight_ms: 80_000,
    counting: ask.counting,
  },
  authorize,
  setUp: authorize,
  capture: changing<CaptureRequest>('captures', ask.mollieCaptureBody, letGo),
  void: voidPayment,
  refund: changing<RefundRequest>('refunds', ask.mollieRefundBody),
  sync,
  read_dispute: readDispute,
  verify: verifyAccount,
  webhook: { byReference: ['authorize', 'capture', 'void', 'refund'], verify: verifyWebhook, read: readWebhook },
} satisfies Connector<ask.MollieTakes>
