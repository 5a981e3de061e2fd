import { createHash, timingSafeEqual } from 'node:crypto'
import type { Secret } from '../base/secret.ts'
import type { Reply, Request } from '../context.ts'
import type { Account, AuthorizeRequest, Connector, Conversation, News, Outcome, PayoutRequest, SyncRequest } from './connector.ts'
import { type Grant, withToken } from './conversation.ts'
import { type HoneycoinTransaction, readGrant, readNamed, readRefused, readTransaction } from './honeycoin-wire.ts'
import { declinedWith, outcomeOfNo, outcomeOfNoAnswer, type ParsedReply, parseReply, unknown, whatLacks } from './parse-reply.ts'
import { amount_unit, LACKS_UNIT, numberIn, type Unit, unitOf } from './unit.ts'
import { readJson } from './wire.ts'

/**
 * HoneyCoin: mobile money and bank transfers in Africa. A token is fetched for each account; a transaction is named
 * by our request id, and found by it. Its webhooks bring the shared secret itself, so they only say where to look.
 * There are no holds and no refunds.
 */
export const honeycoin = {
  name: 'honeycoin',
  founded: {
    documented: 'hosts, the token, the members of a charge, the header of webhooks: docs.honeycoin.app',
    second_hand: 'the address and members of a payout: client code',
    guessed:
      'the addresses of charges and look-ups (the metadata of the account may say others), the words for states (one that is not known leaves the payment unknown). The unit of amounts is not guessed: the account says it',
  },
  baseUrl: { test: 'https://api-v2.honeycoin.app/api/sandbox/b2b', live: 'https://api-v2.honeycoin.app/api/b2b' },
  credentials: { auth_type: 'BodyKey', members: ['api_key', 'key1'] },
  settings: {
    amount_unit,
    country: { pattern: /^[A-Z]{2}$/, says: 'the payout country if the recipient has none, for example KE' },
    operator: { pattern: /^\w{1,32}$/, says: 'the code of the mobile operator that charges go to' },
    momo_path: { pattern: /^(\/[\w-]+){1,6}$/, says: 'the path for mobile money charges, for example /fiat/charge/momo' },
    bank_path: { pattern: /^(\/[\w-]+){1,6}$/, says: 'the path for bank transfers, for example /fiat/charge/bank' },
    lookup_path: { pattern: /^(\/[\w-]+){1,6}$/, says: 'the path to look up transactions by externalReference, for example /transactions' },
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
  webhook: { byReference: [], verify: verifyWebhook, read: readNews },
} satisfies Connector<Takes>

type Takes = 'mobile_payment' | 'bank_transfer'

const pathOf = ({ metadata }: Account, name: 'momo_path' | 'bank_path' | 'lookup_path', usual: string): string =>
  typeof metadata[name] === 'string' ? metadata[name] : usual

function* authorize(ask: AuthorizeRequest<Takes>, account: Account): Conversation {
  const lacks = whatLacks(account, honeycoin.credentials.members)
  if (lacks) return lacks
  const unit = unitOf(account)
  if (unit === null) return declinedWith('configuration', '', LACKS_UNIT)
  const { means, money, request_id } = ask
  const phone = means.is === 'mobile_payment' ? means.secrets.msisdn : undefined
  const path =
    means.is === 'mobile_payment' ? pathOf(account, 'momo_path', '/fiat/charge/momo') : pathOf(account, 'bank_path', '/fiat/charge/bank')
  const body = JSON.stringify({
    amount: numberIn(unit, money),
    currency: money.currency,
    externalReference: request_id,
    ...(phone && { phone: phone.reveal() }),
    ...(means.is === 'mobile_payment' && typeof account.metadata.operator === 'string' && { operatorCode: account.metadata.operator }),
    successRedirectUrl: ask.return_url,
    failureRedirectUrl: ask.return_url,
  })
  const heard = yield* call(account, unit, { method: 'POST', url: `${account.base_url}${path}`, body }, phone ? [phone] : [])
  return heard.is === 'answer' ? outcomeOf(heard.answer, 'authorize') : outcomeOfNo(heard)
}

function* payout({ request_id, money, recipient }: PayoutRequest, account: Account): Conversation {
  const lacks = whatLacks(account, honeycoin.credentials.members)
  if (lacks) return lacks
  const unit = unitOf(account)
  if (unit === null) return declinedWith('configuration', '', LACKS_UNIT)
  const isMobile = recipient.is === 'wallet'
  if ((!isMobile && recipient.is !== 'bank') || (isMobile && recipient.by !== 'telephone_number'))
    return declinedWith('not_supported', '', 'This connector supports payouts to bank accounts and phone numbers only.')
  const country = (isMobile ? null : recipient.country) ?? account.metadata.country
  const code = isMobile ? account.metadata.operator : recipient.bank_code
  const body = JSON.stringify({
    amount: numberIn(unit, money),
    currency: money.currency,
    ...(typeof country === 'string' && { country }),
    destination: isMobile ? 'MoMo' : 'Bank Account',
    payoutMethod: {
      ...(recipient.holder !== null && { accountName: recipient.holder }),
      accountNumber: recipient.account.reveal(),
      ...(typeof code === 'string' && { code }),
    },
    externalReference: request_id,
  })
  const heard = yield* call(account, unit, { method: 'POST', url: `${account.base_url}/fiat/payout`, body }, [recipient.account])
  return heard.is === 'answer' ? outcomeOf(heard.answer, 'payout') : outcomeOfNo(heard)
}

function* sync({ verb, request_id }: SyncRequest, account: Account): Conversation {
  const unit = unitOf(account)
  if (unit === null || whatLacks(account, honeycoin.credentials.members))
    return unknown('the connector account is missing credentials or settings')
  const url = `${account.base_url}${pathOf(account, 'lookup_path', '/transactions')}/${encodeURIComponent(request_id)}`
  const heard = yield* call(account, unit, { method: 'GET', url }, [])
  // That an address which is only guessed finds nothing says nothing.
  if (heard.is === 'refused') return unknown(`the status request was refused (${heard.code})`)
  if (heard.is !== 'answer') return outcomeOfNoAnswer(heard)
  if (heard.answer.externalReference !== request_id) return unknown('the response is for another transaction')
  return verb === 'authorize' || verb === 'payout' ? outcomeOf(heard.answer, verb) : unknown('only payments and payouts can be synced')
}

/** A request with the account's token. Without one nothing is sent. */
function* call(
  account: Account,
  unit: Unit,
  request: Omit<Request, 'headers'>,
  secrets: readonly Secret[],
): Conversation<ParsedReply<HoneycoinTransaction>> {
  const reply: Reply | Exclude<Grant, { is: 'granted' }> = yield* withToken(
    () => fetchToken(account),
    token => ({ ...request, headers: { authorization: `Bearer ${token.reveal()}`, 'content-type': 'application/json' } }),
  )
  if (reply.is === 'refused') return { is: 'refused', as: 'configuration', code: 'unauthorized', said: reply.said }
  if (reply.is === 'unheard') return { is: 'not_sent', why: reply.why }
  return parseReply(reply, [...Object.values(account.credentials), ...secrets], (status, body) => {
    const answer = status === 200 ? readTransaction(body, unit) : null
    return answer ? { is: 'answer', answer } : status === 200 ? null : readRefused(status, body)
  })
}

function* fetchToken({ base_url, credentials }: Account): Generator<Request, Grant, Reply> {
  const reply = yield {
    method: 'POST',
    url: `${base_url}/auth/generate-bearer-token`,
    headers: { 'api-key': credentials.api_key!.reveal(), 'content-type': 'application/json' },
    body: JSON.stringify({ publicKey: credentials.key1!.reveal() }),
  }
  return readGrant(reply)
}

function outcomeOf(
  { transactionId, externalReference, state, status, money, url, said }: HoneycoinTransaction,
  verb: 'authorize' | 'payout',
): Outcome {
  switch (state) {
    case 'done':
      return {
        is: 'done',
        reference: transactionId,
        request_id: externalReference,
        amount: money,
        captured: verb === 'authorize' ? money : null,
        facts: {},
      }
    case 'waiting':
      return { is: 'waiting', reference: transactionId, ...(url !== null && { next_action: { type: 'redirect_to_url', url } }) }
    case 'failed':
      return declinedWith(verb === 'authorize' ? 'card_declined' : 'operation_declined', status, said, transactionId)
  }
}

/** The header holds the shared secret itself: compared without telling how much of it is right. */
function verifyWebhook(_raw: Buffer, headers: Record<string, string | undefined>, { webhook_secret }: Account): boolean {
  const given = headers['x-webhook-signature']
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return webhook_secret !== null && given !== undefined && timingSafeEqual(digest(given), digest(webhook_secret.reveal()))
}

/** Whoever has seen one webhook has the secret: whatever it says, the processor is asked. */
function readNews(raw: Buffer): News[] {
  const named = readNamed(readJson(raw.toString()))
  return named === null ? [] : [{ of: [{ request_id: named }], outcome: 'ask' }]
}
