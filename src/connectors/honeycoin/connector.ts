import type { Account, AuthorizeRequest, Connector, Conversation, RequestOf, SyncRequest, WebhookUpdate } from '../connector.ts'
import { declinedWith, failedOutcome, failedQuestion, unknown, without } from '../kit/parse-reply.ts'
import { readJson } from '../kit/read.ts'
import { codesOfRecipient, secretsOfRecipient } from '../kit/secrets.ts'
import { isSecret } from '../kit/signature.ts'
import { amount_unit, LACKS_UNIT, numberIn, unitOf, withoutUnit } from '../kit/unit.ts'
import { pathSetting, settingOf } from '../settings.ts'
import { call, outcomeOf, readNamed } from './api.ts'

function* authorize(ask: AuthorizeRequest<'mobile_payment' | 'bank_transfer'>, account: Account): Conversation {
  const unit = unitOf(account)
  if (unit === null) return withoutUnit
  const { instrument, money, request_id } = ask
  const phone = instrument.is === 'mobile_payment' ? instrument.secrets.msisdn : undefined
  const operatorCode = instrument.is === 'mobile_payment' ? settingOf(account, 'operator') : undefined
  const path =
    instrument.is === 'mobile_payment'
      ? (settingOf(account, 'momo_path') ?? '/fiat/charge/momo')
      : (settingOf(account, 'bank_path') ?? '/fiat/charge/bank')
  const body = JSON.stringify({
    amount: numberIn(unit, money),
    currency: money.currency,
    externalReference: request_id,
    ...(phone && { phone: phone.reveal() }),
    ...(operatorCode !== undefined && { operatorCode }),
    successRedirectUrl: ask.return_url,
    failureRedirectUrl: ask.return_url,
  })
  const reply = yield* call(account, unit, { method: 'POST', url: `${account.base_url}${path}`, body }, phone ? [phone] : [])
  return reply.is === 'answer' ? outcomeOf(reply.answer, 'authorize') : failedOutcome(reply)
}

function* sync({ verb, request_id }: SyncRequest, account: Account): Conversation {
  const unit = unitOf(account)
  if (unit === null) return unknown(LACKS_UNIT)
  const url = `${account.base_url}${settingOf(account, 'lookup_path') ?? '/transactions'}/${encodeURIComponent(request_id)}`
  const reply = yield* call(account, unit, { method: 'GET', url })
  // A 404 proves nothing, because the URL is only guessed.
  if (reply.is !== 'answer') return failedQuestion(reply)
  if (reply.answer.externalReference !== request_id) return unknown('the response is for another transaction')
  return verb === 'authorize' || verb === 'payout' ? outcomeOf(reply.answer, verb) : unknown('only payments and payouts can be synced')
}

function* payout({ request_id, money, recipient }: RequestOf<'payout'>, account: Account): Conversation {
  const unit = unitOf(account)
  if (unit === null) return withoutUnit
  const isMobile = recipient.is === 'wallet'
  if ((!isMobile && recipient.is !== 'bank') || (isMobile && recipient.by !== 'telephone_number'))
    return declinedWith('not_supported', '', 'This connector supports payouts to bank accounts and phone numbers only.')
  const country = (isMobile ? null : recipient.country) ?? settingOf(account, 'country') ?? null
  const code = isMobile ? (settingOf(account, 'operator') ?? null) : recipient.bank_code
  const body = JSON.stringify({
    amount: numberIn(unit, money),
    currency: money.currency,
    ...(country !== null && { country }),
    destination: isMobile ? 'MoMo' : 'Bank Account',
    payoutMethod: {
      ...(recipient.holder !== null && { accountName: recipient.holder }),
      accountNumber: recipient.account.reveal(),
      ...(code !== null && { code }),
    },
    externalReference: request_id,
  })
  const request = { method: 'POST', url: `${account.base_url}/fiat/payout`, body } as const
  const reply = yield* call(account, unit, request, secretsOfRecipient(recipient))
  return without(reply.is === 'answer' ? outcomeOf(reply.answer, 'payout') : failedOutcome(reply), codesOfRecipient(recipient))
}

function verifyWebhook(_raw: Buffer, headers: Record<string, string | undefined>, { webhook_secret }: Account): boolean {
  return isSecret(webhook_secret, headers['x-webhook-signature'])
}

/** Any reader of one webhook knows the secret: webhooks only trigger a lookup. */
function readWebhook(raw: Buffer): WebhookUpdate[] {
  const named = readNamed(readJson(raw.toString()))
  return named === null ? [] : [{ is: 'outcome', of: [{ request_id: named }], outcome: 'ask' }]
}

/**
 * The connector for HoneyCoin: mobile money and bank transfers in Africa. An access token is fetched for each account.
 * A transaction has our request id, and is found by it. Webhooks contain the shared secret itself, so they only
 * trigger a lookup. There are no holds and no refunds.
 */
export const honeycoin = {
  name: 'honeycoin',
  sources: {
    documented: 'hosts, tokens, members of a charge, webhook header: docs.honeycoin.app',
    second_hand: 'URL and members of a payout: client code',
    guessed:
      'URLs of charges and lookups (the account’s metadata can set others), names of states (an unknown one leaves the payment unknown). Not guessed: the unit of amounts, which the account sets',
  },
  baseUrl: { test: 'https://api-v2.honeycoin.app/api/sandbox/b2b', live: 'https://api-v2.honeycoin.app/api/b2b' },
  credentials: { auth_type: 'BodyKey', members: ['api_key', 'key1'], called: { key1: { label: 'Public key', secret: false } } },
  settings: {
    amount_unit,
    country: { pattern: /^[A-Z]{2}$/, description: 'the payout country if the recipient has none, for example KE' },
    operator: { pattern: /^\w{1,32}$/, description: 'the code of the mobile operator that charges go to' },
    momo_path: pathSetting('the path for mobile money charges, for example /fiat/charge/momo'),
    bank_path: pathSetting('the path for bank transfers, for example /fiat/charge/bank'),
    lookup_path: pathSetting('the path to look up transactions by externalReference, for example /transactions'),
  },
  accepts: {
    methods: ['mobile_payment', 'bank_transfer'],
    capture: ['automatic'],
    idempotent_ms: 0,
    lookup: 'by request id',
    in_flight_ms: 80_000,
    recipients: ['bank', 'wallet'],
  },
  authorize,
  payout,
  sync,
  webhook: { largest: 65_536, byReference: [], verify: verifyWebhook, read: readWebhook },
} satisfies Connector<'mobile_payment' | 'bank_transfer'>
