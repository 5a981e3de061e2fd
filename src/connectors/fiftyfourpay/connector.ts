import type { Request, Time } from '../../context.ts'
import { bridge } from '../bridge/connector.ts'
import { readNotification as readBridgeNews } from '../bridge/protocol.ts'
import type { Account, AuthorizeRequest, Connector, Conversation, Registered, RequestOf, SyncRequest, WebhookUpdate } from '../connector.ts'
import { credentialOf, credentialsOf } from '../kit/credentials.ts'
import { declinedWith, failedOutcome, failedQuestion, parseReply, unknown } from '../kit/parse-reply.ts'
import { readJson } from '../kit/read.ts'
import { amount_unit, LACKS_UNIT, textIn, unitOf, withoutUnit } from '../kit/unit.ts'
import { base_url, pathSetting, settingOf } from '../settings.ts'
import { adapterOf, collectionReply, headersOf, LACKS_ADAPTER, outcomeOf, readNamed } from './api.ts'

function* authorize(ask: AuthorizeRequest<'mobile_payment' | 'bank_transfer'>, account: Account): Conversation {
  const unit = unitOf(account)
  if (unit === null) return withoutUnit
  const { instrument, money, request_id, return_url } = ask
  const number = instrument.is === 'mobile_payment' ? instrument.secrets.msisdn : undefined
  const amount = textIn(unit, money)
  const request: Request = {
    method: 'POST',
    url: `${account.base_url}/collection/v1/payin`,
    headers: headersOf(account, `${amount}${request_id}${number?.reveal() ?? ''}`),
    body: JSON.stringify({
      requestHeader: { clientId: credentialOf(account, 'key1').reveal(), requestType: 'Collections' },
      ...(number && { customerNumber: number.reveal() }),
      transactionReference: request_id,
      transactionDescription: ask.statement_descriptor ?? ask.merchant_name,
      transactionAmount: amount,
      transactionCurrency: money.currency,
      transactionCountry: settingOf(account, 'country'),
      operatorCode: settingOf(account, 'operator'),
      successUrl: return_url,
      errorUrl: return_url,
      cancelUrl: return_url,
      webhookUrl: account.webhook_url,
    }),
  }
  const reply = parseReply(yield request, [...credentialsOf(account), ...(number ? [number] : [])], collectionReply(unit))
  return reply.is === 'answer' ? outcomeOf(reply.answer, request_id) : failedOutcome(reply)
}

function* sync(ask: SyncRequest, account: Account): Conversation {
  const { verb, request_id } = ask
  if (verb === 'payout') {
    const adapter = adapterOf(account)
    return adapter ? yield* bridge.sync(ask, adapter) : unknown(LACKS_ADAPTER)
  }
  const unit = unitOf(account)
  if (unit === null) return unknown(LACKS_UNIT)
  const url = `${account.base_url}${settingOf(account, 'status_path') ?? '/collection/v1/status'}/${encodeURIComponent(request_id)}`
  const request = { method: 'GET', url, headers: headersOf(account, request_id) } as const
  const reply = parseReply(yield request, credentialsOf(account), collectionReply(unit))
  if (reply.is !== 'answer') return failedQuestion(reply)
  return verb === 'authorize' ? outcomeOf(reply.answer, request_id) : unknown('only payments can be synced')
}

function* payout(ask: RequestOf<'payout'>, account: Account): Conversation {
  const adapter = adapterOf(account)
  return adapter ? yield* bridge.payout(ask, adapter) : declinedWith('configuration', '', LACKS_ADAPTER)
}

/** An adapter signs its webhooks. 54Pay does not: its webhooks only trigger a lookup. */
function verifyWebhook(raw: Buffer, headers: Record<string, string | undefined>, account: Account, now: Time): boolean {
  return readBridgeNews(readJson(raw.toString())) === null || bridge.webhook.verify(raw, headers, account, now)
}

function readWebhook(raw: Buffer): WebhookUpdate[] {
  const operation = readBridgeNews(readJson(raw.toString()))
  // An adapter only pays out: its other news is ignored.
  if (operation !== null) return operation.type === 'payout' ? bridge.webhook.read(raw) : []
  const named = readNamed(readJson(raw.toString()))
  return named === null ? [] : [{ is: 'outcome', of: [{ request_id: named }], outcome: 'ask' }]
}

function* register(url: string, account: Account): Conversation<Registered> {
  const adapter = adapterOf(account)
  const message = '54Pay receives the callback URL with each payment.'
  return adapter ? yield* bridge.webhook.register(url, adapter) : { is: 'refused', code: 'not_supported', message }
}

/**
 * 54Pay: mobile money and bank transfers in Africa. Its documentation contradicts itself about headers, has no errors
 * and one response code: every unknown answer leaves a payment unknown. Callbacks are not signed: they only trigger a
 * lookup. No payout API is public: an adapter of the bridge protocol pays out.
 */
export const fiftyfourpay = {
  name: 'fiftyfourpay',
  sources: {
    documented:
      'the call that creates a collection, its members, code 09 for PENDING; two contradictory variants of its headers: api.54pay.co',
    guessed:
      'the path of the lookup (metadata.status_path sets another; without a lookup, payments need manual review); response codes as in ISO 8583, which includes 09. Not guessed: the unit of amounts, which the account sets. No error is known, so none counts as a decline. Payouts use a bridge adapter, set in the account (metadata.payout_url)',
  },
  baseUrl: { test: 'https://subsidiary.dev.mypaygate.co', live: null },
  credentials: { auth_type: 'BodyKey', members: ['api_key', 'key1'], called: { key1: { label: 'Client ID', secret: false } } },
  settings: {
    amount_unit: { ...amount_unit, of: 'payment_processor' },
    payout_url: {
      ...base_url,
      description:
        'where an adapter pays out that speaks the bridge (docs/bridge/README.md): 54Pay publishes no payouts. `api_key` is the secret of the adapter, and payouts alone are asked for there',
      of: 'payout_processor',
      required: true,
    },
    headers: {
      pattern: /^(x-api-key|x-module)$/,
      description: 'x-api-key (as on the page about authentication; the default) or x-module (as on the pages of countries)',
    },
    country: { pattern: /^[A-Z]{2}$/, description: 'the country to collect payments in, for example KE' },
    operator: { pattern: /^\w{1,32}$/, description: 'the code of the mobile operator or bank' },
    status_path: pathSetting('the path to look up collections by transactionReference, for example /collection/v1/status'),
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
  webhook: { largest: 65_536, byReference: [], verify: verifyWebhook, read: readWebhook, register },
} satisfies Connector<'mobile_payment' | 'bank_transfer'>
