import type { Secret } from '../base/secret.ts'
import type { Reply, Request, Time } from '../context.ts'
import * as bridge from './bridge.ts'
import { readNews as readBridgeNews } from './bridge-wire.ts'
import type {
  Account,
  AuthorizeRequest,
  Connector,
  Conversation,
  News,
  Outcome,
  PayoutRequest,
  Registered,
  SyncRequest,
} from './connector.ts'
import { type Collection, readCollection, readNamed } from './fiftyfourpay-wire.ts'
import { declinedWith, outcomeOfNo, type ParsedReply, parseReply, unknown, whatLacks } from './parse-reply.ts'
import { base_url } from './settings.ts'
import { amount_unit, LACKS_UNIT, textIn, type Unit, unitOf } from './unit.ts'
import { readJson } from './wire.ts'

const COLLECTION = 'https://subsidiary.dev.mypaygate.co'

/**
 * 54Pay: mobile money and bank transfers in Africa. Its pages contradict each other about headers, say nothing of
 * errors, and know one response code: whatever else it answers leaves a payment unknown. Callbacks are not signed:
 * they only say where to look. Of its payouts nothing is public, so an adapter pays out, which speaks the bridge.
 */
export const fiftyfourpay = {
  name: 'fiftyfourpay',
  founded: {
    documented:
      'the call that begins a collection, its members, the code 09 for PENDING; two variants of its headers, which contradict each other: api.54pay.co',
    guessed:
      'the look-up (metadata.status_path says another; where there is none, payments end with a person); that response codes are those of ISO 8583, of which 09 is one. The unit of amounts is not guessed: the account says it. No error is known, so none is taken for a no. Payouts are not guessed: an adapter that speaks the bridge makes them, where the account says (metadata.payout_url)',
  },
  baseUrl: { test: COLLECTION, live: null },
  credentials: { auth_type: 'BodyKey', members: ['api_key', 'key1'] },
  settings: {
    amount_unit: { ...amount_unit, of: 'payment_processor' },
    payout_url: {
      ...base_url,
      says: 'where an adapter pays out that speaks the bridge (docs/bridge/README.md): 54Pay publishes no payouts. `api_key` is the secret of the adapter, and payouts alone are asked for there',
      of: 'payout_processor',
      required: true,
    },
    headers: {
      pattern: /^(x-api-key|x-module)$/,
      says: 'x-api-key (as on the page about authentication; the default) or x-module (as on the pages of countries)',
    },
    country: { pattern: /^[A-Z]{2}$/, says: 'the country to collect payments in, for example KE' },
    operator: { pattern: /^\w{1,32}$/, says: 'the code of the mobile operator or bank' },
    status_path: {
      pattern: /^(\/[\w-]+){1,6}$/,
      says: 'the path to look up collections by transactionReference, for example /collection/v1/status',
    },
  },
  accepts: {
    methods: ['mobile_payment', 'bank_transfer'],
    capture: ['automatic'],
    idempotent_ms: 0,
    lookup: 'by request id',
    in_flight_ms: 80_000,
    recipients: ['card', 'bank', 'wallet', 'bank_redirect'],
  },
  authorize,
  payout,
  sync,
  webhook: { byReference: [], verify: verifyNews, read: readNews, register },
} satisfies Connector<Takes>

type Takes = 'mobile_payment' | 'bank_transfer'

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const text = (account: Account, name: string): string | undefined =>
  typeof account.metadata[name] === 'string' ? account.metadata[name] : undefined

/**
 * `api_key` is a public key: whoever calls proves nothing by it. `signs`: what the other variant wants to see again.
 */
function headersOf(account: Account, signs: string): Record<string, string> {
  const key = base64(account.credentials.api_key!.reveal())
  const more = text(account, 'headers') === 'x-module' ? { 'x-module': base64(signs) } : { 'x-api-key': key }
  return { 'x-app': 'api', 'x-business': key, ...more, 'content-type': 'application/json' }
}

function* authorize(ask: AuthorizeRequest<Takes>, account: Account): Conversation {
  const lacks = whatLacks(account, fiftyfourpay.credentials.members)
  if (lacks) return lacks
  const unit = unitOf(account)
  if (unit === null) return declinedWith('configuration', '', LACKS_UNIT)
  const { means, money, request_id, return_url } = ask
  const number = means.is === 'mobile_payment' ? means.secrets.msisdn : undefined
  const amount = textIn(unit, money)
  const request: Request = {
    method: 'POST',
    url: `${account.base_url}/collection/v1/payin`,
    headers: headersOf(account, `${amount}${request_id}${number?.reveal() ?? ''}`),
    body: JSON.stringify({
      requestHeader: { clientId: account.credentials.key1!.reveal(), requestType: 'Collections' },
      ...(number && { customerNumber: number.reveal() }),
      transactionReference: request_id,
      transactionDescription: ask.statement_descriptor ?? ask.merchant_name,
      transactionAmount: amount,
      transactionCurrency: money.currency,
      transactionCountry: text(account, 'country'),
      operatorCode: text(account, 'operator'),
      successUrl: return_url,
      errorUrl: return_url,
      cancelUrl: return_url,
      webhookUrl: account.webhook_url,
    }),
  }
  const heard = heardCollection(unit, yield request, [...Object.values(account.credentials), ...(number ? [number] : [])])
  return heard.is === 'answer' ? outcomeOf(heard.answer, request_id) : outcomeOfNo(heard)
}

/** The adapter that pays out for this account; null where the account names none. */
function adapterOf(account: Account): Account | null {
  const place = text(account, 'payout_url')
  return place === undefined ? null : { ...account, base_url: place.replace(/\/+$/, '') }
}

const LACKS_ADAPTER = 'The connector account has no metadata.payout_url, the URL of the payout adapter.'

function* payout(ask: PayoutRequest, account: Account): Conversation {
  const adapter = adapterOf(account)
  return adapter ? yield* bridge.payout(ask, adapter) : declinedWith('configuration', '', LACKS_ADAPTER)
}

function* register(url: string, account: Account): Conversation<Registered> {
  const adapter = adapterOf(account)
  const said = '54Pay receives the callback URL with each payment.'
  return adapter ? yield* bridge.register(url, adapter) : { is: 'refused', code: 'not_supported', said }
}

function* sync(ask: SyncRequest, account: Account): Conversation {
  const { verb, request_id } = ask
  if (verb === 'payout') {
    const adapter = adapterOf(account)
    return adapter ? yield* bridge.sync(ask, adapter) : unknown(LACKS_ADAPTER)
  }
  const unit = unitOf(account)
  if (unit === null || whatLacks(account, fiftyfourpay.credentials.members))
    return unknown('the connector account is missing credentials or settings')
  const url = `${account.base_url}${text(account, 'status_path') ?? '/collection/v1/status'}/${encodeURIComponent(request_id)}`
  const heard = heardCollection(
    unit,
    yield { method: 'GET', url, headers: headersOf(account, request_id) },
    Object.values(account.credentials),
  )
  if (heard.is !== 'answer') return unknown('why' in heard ? heard.why : heard.code)
  return verb === 'authorize' ? outcomeOf(heard.answer, request_id) : unknown('only payments can be synced')
}

const heardCollection = (unit: Unit, reply: Reply, secrets: readonly Secret[]): ParsedReply<Collection> =>
  parseReply(reply, secrets, (status, body) => {
    const answer = status === 200 ? readCollection(body, unit) : null
    return answer && { is: 'answer', answer }
  })

function outcomeOf({ transactionReference, reference, means, code, said, money, url }: Collection, request_id: string): Outcome {
  if (transactionReference !== request_id) return unknown('the response is for another collection')
  if (means === 'waiting')
    return { is: 'waiting', reference: reference ?? request_id, ...(url !== null && { next_action: { type: 'redirect_to_url', url } }) }
  if (means !== 'done') return declinedWith(means, code, said, reference ?? request_id)
  if (money === null) return unknown('collected, but the amount is missing')
  return { is: 'done', reference: reference ?? request_id, request_id, amount: money, captured: money, facts: {} }
}

/** An adapter signs what it tells. 54Pay does not: whatever it says, the processor is asked. */
function verifyNews(raw: Buffer, headers: Record<string, string | undefined>, account: Account, now: Time): boolean {
  return readBridgeNews(readJson(raw.toString())) === null || bridge.verifyNews(raw, headers, account, now)
}

function readNews(raw: Buffer): News[] {
  const told = readBridgeNews(readJson(raw.toString()))
  // An adapter pays out, and has a say in nothing else.
  if (told !== null) return told.type === 'payout' ? bridge.readNewsBody(raw) : []
  const named = readNamed(readJson(raw.toString()))
  return named === null ? [] : [{ of: [{ request_id: named }], outcome: 'ask' }]
}
