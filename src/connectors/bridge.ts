import type { Currency } from '../base/currencies.ts'
import { Secret } from '../base/secret.ts'
import type { Request, Time } from '../context.ts'
import {
  type BridgeOperation,
  type BridgeRequest,
  bridgeVerbs,
  isAdapter,
  isNewsAddress,
  readBridgeError,
  readNews,
  readOperation,
} from './bridge-wire.ts'
import {
  type Account,
  type AuthorizeRequest,
  type CaptureRequest,
  type Connector,
  type Conversation,
  type CredentialsVerdict,
  type DeclineCode,
  declineCodes,
  type Facts,
  type News,
  type Outcome,
  type PayoutRequest,
  type RefundRequest,
  type Registered,
  type SyncRequest,
  type Verb,
  type VoidRequest,
} from './connector.ts'
import type { Recipient } from './instrument.ts'
import {
  declinedWith,
  firstHand,
  outcomeOfNo,
  outcomeOfNoAnswer,
  type ParsedReply,
  parseReply,
  type Refused,
  unknown,
  whatLacks,
  without,
} from './parse-reply.ts'
import { channels } from './purchase.ts'
import { isSigned } from './signed.ts'
import { plainText } from './text.ts'
import { isOneOf, readJson } from './wire.ts'

/**
 * The bridge: an open protocol (`docs/bridge/README.md`) for processors that have no connector here. A merchant, or
 * the processor, runs an adapter that speaks it; the connector account names its address (`metadata.base_url`) and
 * its secret. Everything is one resource, an operation, that our request id names: put twice it is done once, and it
 * is looked up by the same name.
 */
export const bridge = {
  name: 'bridge',
  founded: { documented: 'our own protocol: docs/bridge/README.md' },
  baseUrl: { test: null, live: null },
  credentials: { auth_type: 'HeaderKey', members: ['api_key'] },
  accepts: {
    channels,
    methods: ['card'],
    capture: ['automatic', 'manual', 'manual_multiple'],
    // An adapter keeps request ids for as long as it keeps operations.
    idempotent_ms: Number.POSITIVE_INFINITY,
    lookup: 'by request id',
    in_flight_ms: 80_000,
    recipients: ['card', 'bank', 'wallet', 'bank_redirect'],
  },
  authorize,
  capture: ({ request_id, authorization, money, rest }: CaptureRequest, account: Account) =>
    put('capture', request_id, { type: 'capture', authorization: authorization.request_id, ...money, final: rest === 'release' }, account),
  void: ({ request_id, authorization, money }: VoidRequest, account: Account) =>
    put('void', request_id, { type: 'void', authorization: authorization.request_id, ...money }, account),
  refund: ({ request_id, authorization, money, reason }: RefundRequest, account: Account) =>
    put(
      'refund',
      request_id,
      { type: 'refund', authorization: authorization.request_id, ...money, ...(reason !== null && { reason }) },
      account,
    ),
  payout,
  sync,
  verify,
  webhook: { byReference: [], verify: verifyNews, read: readNewsBody, register },
} satisfies Connector<'card'>

function* authorize(ask: AuthorizeRequest<'card'>, account: Account): Conversation {
  const { number, exp_month, exp_year, cvc, holder } = ask.means
  const outcome = yield* put(
    'authorize',
    ask.request_id,
    {
      type: 'authorize',
      ...ask.money,
      capture: ask.capture === 'automatic' ? 'automatic' : 'manual',
      method: {
        type: 'card',
        number: number.reveal(),
        exp_month,
        exp_year,
        ...(cvc && { cvc: cvc.reveal() }),
        ...(holder !== null && { holder }),
      },
      // It has no word for more than that.
      three_ds: ask.three_ds === 'skip' ? 'skip' : 'request',
      return_url: ask.return_url,
      merchant_name: ask.merchant_name,
      ...(ask.statement_descriptor !== null && { statement_descriptor: ask.statement_descriptor }),
      allow_partial: ask.partial_approval === 'accept',
      ...(ask.purchase && { purchase: ask.purchase }),
      ...(ask.channel && { channel: ask.channel }),
    },
    account,
    [number],
  )
  return without(outcome, cvc)
}

export function payout({ request_id, money, recipient, merchant_name, description }: PayoutRequest, account: Account): Conversation {
  const ask: BridgeRequest = {
    type: 'payout',
    ...money,
    to: paidTo(recipient),
    merchant_name,
    ...(description !== null && { description }),
  }
  return put('payout', request_id, ask, account, [recipient.is === 'card' ? recipient.number : recipient.account])
}

function paidTo(recipient: Recipient): Extract<BridgeRequest, { type: 'payout' }>['to'] {
  const { is: type, type: scheme, ...rest } = recipient
  const clear = Object.entries(rest).map(([name, value]) => [name, value instanceof Secret ? value.reveal() : value])
  const told = Object.fromEntries(clear.filter(([, value]) => value !== null))
  return { type, ...(scheme !== null && { scheme }), ...told }
}

const at = (path: string, account: Account): string => `${account.base_url}/v1${path}`
const operationAt = (request_id: string, account: Account): string => at(`/operations/${encodeURIComponent(request_id)}`, account)

/** The one request of a conversation that moves money, and what its answer means. */
function* put(verb: Verb, request_id: string, ask: BridgeRequest, account: Account, secrets: readonly Secret[] = []): Conversation {
  const lacks = whatLacks(account, bridge.credentials.members)
  if (lacks) return lacks
  const key = account.credentials.api_key!
  const request: Request = {
    method: 'PUT',
    url: operationAt(request_id, account),
    headers: { authorization: `Bearer ${key.reveal()}`, 'content-type': 'application/json', 'idempotency-key': request_id },
    body: JSON.stringify(ask),
  }
  const heard = parseReply(yield request, [key, ...secrets], readAnswer)
  if (heard.is === 'answer') return firstHand(outcomeOf(heard.answer, verb))
  // This request did nothing; the one that was there before decides.
  if (heard.is === 'refused' && heard.as === 'exists') return firstHand(yield* lookUp(verb, request_id, account, key))
  return outcomeOfNo(heard)
}

export function* sync({ verb, request_id }: SyncRequest, account: Account): Conversation {
  const key = account.credentials.api_key
  return key ? yield* lookUp(verb, request_id, account, key) : unknown('the connector account has no api_key')
}

function* lookUp(verb: Verb, request_id: string, account: Account, key: Secret): Conversation {
  const heard = yield* ask(operationAt(request_id, account), key)
  if (heard.is !== 'answer') return outcomeOfNoAnswer(heard)
  return heard.answer.request_id === request_id ? outcomeOf(heard.answer, verb) : unknown('the response is for another operation')
}

function* ask(url: string, key: Secret): Conversation<ParsedReply<BridgeOperation>> {
  return parseReply(yield { method: 'GET', url, headers: { authorization: `Bearer ${key.reveal()}` } }, [key], readAnswer)
}

const meanings = {
  invalid_request: 'invalid_request',
  unauthorized: 'configuration',
  not_found: 'not_found',
  conflict: 'exists',
  not_allowed: 'not_allowed',
  not_supported: 'not_supported',
  slow_down: 'later',
} as const

function readAnswer(status: number, body: unknown): { is: 'answer'; answer: BridgeOperation } | Refused | null {
  if (status === 200) {
    const answer = readOperation(body)
    return answer && { is: 'answer', answer }
  }
  return readNo(status, body)
}

function readNo(status: number, body: unknown): Refused | null {
  const error = readBridgeError(status, body)
  return error && { is: 'refused', as: meanings[error.code], code: error.code, said: error.message }
}

/** What an operation says of our request. Amount, currency and request id are given as echoed: the caller compares. */
function outcomeOf(operation: BridgeOperation, verb: Verb): Outcome {
  const { type, status, reference, action } = operation
  if (bridgeVerbs[type] !== verb) return unknown('the response is for another kind of operation')
  switch (status) {
    case 'approved':
      return doneOf(operation)
    case 'declined':
      return declinedOf(operation)
    case 'returned':
      return verb === 'authorize' || verb === 'void' ? unknown(`${type}, and returned`) : { ...declinedOf(operation), after_yes: true }
    case 'released':
      return { is: 'lapsed', reference }
    case 'pending':
      return { is: 'waiting', reference }
    case 'action_required':
      return { is: 'waiting', reference, next_action: { type: 'redirect_to_url', url: new URL(action!.url).href } }
  }
}

function doneOf(operation: BridgeOperation): Outcome {
  const { type, request_id, reference, captured, held } = operation
  const currency = operation.currency as Currency
  const money = (amount: number) => ({ amount, currency })
  return {
    is: 'done',
    reference,
    request_id,
    amount: money(operation.amount),
    captured: type === 'authorize' && captured! > 0 ? money(captured!) : null,
    ...(type === 'authorize' && { capturable: money(held!) }),
    facts: factsOf(operation),
  }
}

const facts = ['network_transaction_id', 'authorization_code', 'eci', 'avs_result', 'cvc_result', 'arn'] as const

function factsOf(operation: BridgeOperation): Facts {
  const told = Object.fromEntries(facts.flatMap(name => (typeof operation[name] === 'string' ? [[name, operation[name]]] : [])))
  const until = operation.hold_until ?? null
  return { ...told, ...(until !== null && { capture_before: new Date(until).toISOString() }) }
}

function declinedOf(operation: BridgeOperation): Extract<Outcome, { is: 'declined' }> {
  const { code, message, network_code, network_advice } = operation.decline!
  const plain: DeclineCode = operation.type === 'authorize' ? 'card_declined' : 'operation_declined'
  return {
    ...declinedWith(isOneOf(declineCodes, code) ? code : plain, code, message, operation.reference),
    ...(typeof network_code === 'string' && { network_code }),
    ...(typeof network_advice === 'string' && { network_advice }),
    facts: factsOf(operation),
  }
}

/** An adapter says of itself what it is, to whoever has the secret. */
function* verify(account: Account): Conversation<CredentialsVerdict> {
  const key = account.credentials.api_key
  if (!key) return { is: 'refused', code: 'unauthorized', said: 'the connector account has no api_key' }
  const request: Request = { method: 'GET', url: at('', account), headers: { authorization: `Bearer ${key.reveal()}` } }
  return verdictOf(parseReply(yield request, [key], answersAs(isAdapter)), { is: 'good' })
}

export function* register(url: string, account: Account): Conversation<Registered> {
  const key = account.credentials.api_key
  const secret = account.webhook_secret
  if (!key || !secret) return { is: 'refused', code: 'unauthorized', said: 'the connector account has no api_key or no webhook secret' }
  const request: Request = {
    method: 'PUT',
    url: at('/news', account),
    headers: { authorization: `Bearer ${key.reveal()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, secret: secret.reveal() }),
  }
  return verdictOf(
    parseReply(
      yield request,
      [key, secret],
      answersAs(body => isNewsAddress(body, url)),
    ),
    { is: 'done', id: null },
  )
}

const answersAs = (is: (body: unknown) => boolean) => (status: number, body: unknown) =>
  status === 200 ? (is(body) ? { is: 'answer' as const, answer: null } : null) : readNo(status, body)

function verdictOf<Good>(heard: ParsedReply<null>, good: Good): Good | Exclude<CredentialsVerdict, { is: 'good' }> {
  if (heard.is === 'answer') return good
  if (heard.is !== 'refused') return unknown(heard.why)
  return heard.as === 'later' ? unknown(heard.said) : { is: 'refused', code: heard.code, said: plainText(heard.said) }
}

export function verifyNews(raw: Buffer, headers: Record<string, string | undefined>, account: Account, now: Time): boolean {
  return isSigned(raw, headers['bridge-signature'], account.webhook_secret, now)
}

export function readNewsBody(raw: Buffer): News[] {
  const operation = readNews(readJson(raw.toString()))
  if (operation === null) return []
  const outcome = outcomeOf(operation, bridgeVerbs[operation.type])
  return outcome.is === 'unknown' ? [] : [{ of: [{ request_id: operation.request_id }], outcome }]
}
