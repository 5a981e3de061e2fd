import { DAY_MS, HOUR_MS, later } from '../../base/time.ts'
import { amountOf, counting } from '../adyen/requests.ts'
import type { Account, Connector, Conversation, CredentialsVerdict, Outcome, RequestOf, SyncRequest, WebhookUpdate } from '../connector.ts'
import { credentialsOf } from '../kit/credentials.ts'
import {
  declinedWith,
  doneWith,
  failedLookup,
  failedOutcome,
  failedQuestion,
  failedVerdict,
  parseReply,
  unknown,
  without,
} from '../kit/parse-reply.ts'
import { isId, isRecord, readJson } from '../kit/read.ts'
import { inPath } from '../kit/request.ts'
import { codesOfRecipient, secretsOfRecipient } from '../kit/secrets.ts'
import { isHmac } from '../kit/signature.ts'
import { foundReply, listedReply, madeReply, onTheWay, readTransfer, receivedReply, type Transfer, transferOutcome } from './replies.ts'
import { askTransfers, balanceAccountOf, cancelTransferBody, postTransfers, transferBody } from './requests.ts'

function* verifyAccount(account: Account): Conversation<CredentialsVerdict> {
  const reply = parseReply(yield accountQuestion(account), credentialsOf(account), listedReply)
  return reply.is === 'answer' ? { is: 'good' } : failedVerdict(reply)
}

/** A transfer is only received at first (202), then booked, refused, rejected by the bank or returned later. */

function* payout(ask: RequestOf<'payout'>, account: Account): Conversation {
  const { recipient, money, request_id } = ask
  const amount = amountOf(money)
  if (amount === null) return { is: 'not_sent', why: 'the processor does not support this amount' }
  const body = transferBody(ask, amount, account)
  if (typeof body === 'string') return declinedWith('invalid_request', '', body)
  const secrets = [...credentialsOf(account), ...secretsOfRecipient(recipient)]
  const reply = parseReply(yield postTransfers(account, '', body, request_id), secrets, madeReply)
  if (reply.is !== 'answer') return without(failedOutcome(reply), codesOfRecipient(recipient))
  const { id, request_id: echoed } = reply.answer
  if (echoed !== null && echoed !== request_id) return { ...unknown('the response is for another payout'), reference: id }
  return transferOutcome(reply.answer)
}

/** Only a transfer that is not booked can be cancelled; its state shows the result. */
function* callOffTransfer({ authorization: { reference }, request_id }: RequestOf<'cancel_payout'>, account: Account): Conversation {
  if (reference === null) return { is: 'not_sent', why: 'the payout has no processor reference' }
  const request = postTransfers(account, '/cancel', cancelTransferBody(reference), request_id)
  const reply = parseReply(yield request, credentialsOf(account), receivedReply)
  if (reply.is !== 'answer') return failedOutcome(reply)
  const found = yield* transferNamed(reference, account)
  if ('is' in found) return { ...unknown('the transfer was to be called off, and could not be read'), reference }
  return calledOff(found) ?? { is: 'waiting', reference }
}

/** Null while it is not decided. */
function calledOff(transfer: Transfer): Outcome | null {
  const { id, status, money } = transfer
  if (status === 'cancelled') return doneWith(id, money)
  // A status that Adyen does not explain decides nothing.
  if (onTheWay.includes(status) || transferOutcome(transfer).is === 'unknown') return null
  return declinedWith('operation_declined', status, `The transfer can no longer be cancelled: it is ${status}.`, id)
}

function* syncTransfer(ask: SyncRequest, account: Account): Conversation {
  const { verb, reference, authorization } = ask
  if (verb === 'cancel_payout') return yield* syncCallOff(reference, authorization?.reference ?? null, account)
  if (reference === null) return yield* look(ask, account)
  const found = yield* transferNamed(reference, account)
  return 'is' in found ? found : transferOutcome(found)
}

/** `cancelReference`: null if the cancel got no answer: if the transfer goes on, the cancel was not received. */
function* syncCallOff(cancelReference: string | null, id: string | null, account: Account): Conversation {
  if (id === null) return unknown('the payout has no processor reference')
  const found = yield* transferNamed(id, account)
  if ('is' in found) return unknown('the transfer could not be read')
  return calledOff(found) ?? (cancelReference === null ? { is: 'not_found' } : { is: 'waiting', reference: id })
}

type NotFound = ReturnType<typeof failedLookup>

function* transferNamed(id: string, account: Account): Conversation<Transfer | NotFound> {
  const reply = parseReply(yield askTransfers(account, `/${inPath(id)}`), credentialsOf(account), foundReply)
  if (reply.is !== 'answer') return failedLookup(reply)
  return reply.answer.id === id ? reply.answer : unknown('the response is for another transfer')
}

const BEFORE_MS = HOUR_MS
const AFTER_MS = 24 * HOUR_MS
/** Adyen does not document it. */
const LISTS_LAG_MS = 24 * HOUR_MS
/** From before the first transfer of v4 to the year 2100. */
const EVER = ['2023-01-01T00:00:00.000Z', '2100-01-01T00:00:00.000Z'] as const

/** For a payout whose answer was lost. */
function* look({ request_id, began }: SyncRequest, account: Account): Conversation {
  const [since, until] = began === undefined ? EVER : [later(began, -BEFORE_MS), later(began, AFTER_MS)]
  const query = { reference: request_id, category: 'bank', createdSince: since, createdUntil: until, limit: '10' }
  const from = new URLSearchParams({ ...query, balanceAccountId: balanceAccountOf(account) ?? '' })
  const reply = parseReply(yield askTransfers(account, `?${from}`), credentialsOf(account), listedReply)
  if (reply.is !== 'answer') return failedQuestion(reply)
  const [own, ...others] = reply.answer.filter(one => isRecord(one) && one.reference === request_id)
  if (others.length > 0) return unknown('several transfers have this reference')
  if (own === undefined) return { is: 'not_found', lags_ms: LISTS_LAG_MS }
  const transfer = readTransfer(own)
  return transfer ? transferOutcome(transfer) : unknown('the listed transfer is not valid')
}

/** Moves no money, and requires the same permissions as payouts. */
const accountQuestion = (account: Account) => {
  const day = { createdSince: '2023-01-01T00:00:00.000Z', createdUntil: '2023-01-02T00:00:00.000Z', limit: '1' }
  return askTransfers(account, `?${new URLSearchParams({ ...day, balanceAccountId: balanceAccountOf(account) ?? '' })}`)
}

/** HMAC-SHA256 of the raw body in base64, with a key in hex. */
function verifyWebhook(raw: Buffer, headers: Record<string, string | undefined>, { webhook_secret }: Account): boolean {
  const [key, given] = [webhook_secret?.reveal() ?? '', headers.hmacsignature ?? '']
  if (!/^(?:[0-9a-f]{2})+$/i.test(key) || !/^[A-Za-z0-9+/]{43}=$/.test(given)) return false
  return isHmac(Buffer.from(key, 'hex'), raw, Buffer.from(given, 'base64'))
}

/** Webhooks may be old, so they only cause a query, and give a payout the id of its transfer. */
function readWebhook(raw: Buffer): WebhookUpdate[] {
  const body = readJson(raw.toString())
  if (!isRecord(body) || typeof body.type !== 'string' || !isRecord(body.data)) return []
  const { id, reference } = body.data
  if (!body.type.startsWith('balancePlatform.transfer.') || !isId(id) || !isId(reference)) return []
  const of = { request_id: reference, verb: 'payout' } as const
  return [
    { is: 'outcome', of: [of], outcome: { is: 'waiting', reference: id } },
    { is: 'outcome', of: [of], outcome: 'ask' },
  ]
}

/**
 * Adyen's Transfers API, v4: payouts to bank accounts, out of a balance account of the merchant's balance platform.
 * Its API keys and webhooks differ from those of payments at Adyen, so it is a connector of its own.
 */
export const adyenplatform = {
  name: 'adyenplatform',
  sources: {
    documented: 'Adyen’s API reference; Adyen’s client library works against the same sandbox dialect',
    guessed:
      'That keys are kept for seven days, that statuses which Adyen does not explain for bank transfers say nothing (the payout stays unknown), and that its list of transfers shows within a day what was made: a payout that it does not show is then taken for one that never arrived',
  },
  baseUrl: {
    test: 'https://balanceplatform-api-test.adyen.com/btl/v4',
    live: 'https://balanceplatform-api-live.adyen.com/btl/v4',
  },
  credentials: { auth_type: 'HeaderKey', members: ['api_key'] },
  settings: {
    source_balance_account: {
      pattern: /^[A-Za-z0-9]{1,64}$/,
      description: 'the ID of the balance account that payouts are made from (BA…)',
      required: true,
    },
  },
  accepts: {
    methods: [],
    capture: [],
    recipients: ['bank'],
    idempotent_ms: { payout: 7 * DAY_MS, cancel_payout: 7 * DAY_MS },
    lookup: 'by request id',
    in_flight_ms: 80_000,
    counting,
  },
  payout,
  cancel_payout: callOffTransfer,
  sync: syncTransfer,
  verify: verifyAccount,
  webhook: { largest: 262_144, byReference: [], verify: verifyWebhook, read: readWebhook },
} satisfies Connector
