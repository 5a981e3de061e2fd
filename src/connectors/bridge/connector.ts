import { Secret } from '../../base/secret.ts'
import type { Account, AuthorizeRequest, Connector, Conversation, CredentialsVerdict, RequestOf, SyncRequest } from '../connector.ts'
import type { Recipient } from '../instrument.ts'
import { credentialOf } from '../kit/credentials.ts'
import { failedWish, parseReply, readerOf, without } from '../kit/parse-reply.ts'
import { bearerOf, getRequest } from '../kit/request.ts'
import { codesOf, codesOfRecipient, secretsOfRecipient } from '../kit/secrets.ts'
import { channels } from '../purchase.ts'
import { lookUp, put, readRefused } from './api.ts'
import * as news from './news.ts'
import { type BridgeRequest, readAdapter } from './protocol.ts'

function* authorize(ask: AuthorizeRequest<'card'>, account: Account): Conversation {
  const { number, exp_month, exp_year, cvc, holder } = ask.instrument
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
      // The protocol has no value for a mandatory challenge.
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
  return without(outcome, codesOf(ask.instrument))
}

function sync({ verb, request_id }: SyncRequest, account: Account): Conversation {
  return lookUp(verb, request_id, account)
}

function capture({ request_id, authorization, money, rest }: RequestOf<'capture'>, account: Account): Conversation {
  const body = { type: 'capture', authorization: authorization.request_id, ...money, final: rest === 'release' } as const
  return put('capture', request_id, body, account)
}

function voidAuthorization({ request_id, authorization, money }: RequestOf<'void'>, account: Account): Conversation {
  return put('void', request_id, { type: 'void', authorization: authorization.request_id, ...money }, account)
}

function refund({ request_id, authorization, money, reason }: RequestOf<'refund'>, account: Account): Conversation {
  const body = { type: 'refund', authorization: authorization.request_id, ...money, ...(reason !== null && { reason }) } as const
  return put('refund', request_id, body, account)
}

function* payout({ request_id, money, recipient, merchant_name, description }: RequestOf<'payout'>, account: Account): Conversation {
  const ask: BridgeRequest = {
    type: 'payout',
    ...money,
    to: paidTo(recipient),
    merchant_name,
    ...(description !== null && { description }),
  }
  return without(yield* put('payout', request_id, ask, account, secretsOfRecipient(recipient)), codesOfRecipient(recipient))
}

function paidTo(recipient: Recipient): Extract<BridgeRequest, { type: 'payout' }>['to'] {
  const { is: type, type: scheme, ...rest } = recipient
  const clear = Object.entries(rest).map(([name, value]) => [name, value instanceof Secret ? value.reveal() : value])
  const fields = Object.fromEntries(clear.filter(([, value]) => value !== null))
  return { type, ...(scheme !== null && { scheme }), ...fields }
}

const adapterReply = readerOf(readAdapter, readRefused)

/** The adapter describes itself only to a caller that has the secret. */
function* verifyAccount(account: Account): Conversation<CredentialsVerdict> {
  const key = credentialOf(account)
  const reply = parseReply(yield getRequest(`${account.base_url}/v1`, bearerOf(key)), [key], adapterReply)
  return reply.is === 'answer' ? { is: 'good' } : failedWish(reply)
}

/**
 * The bridge: an open protocol (`docs/bridge/README.md`) for processors without a connector here. A merchant, or the
 * processor, runs an adapter that implements it; the connector account contains the adapter's URL
 * (`metadata.base_url`) and its secret. Everything is one resource, an operation, whose id is our request id: put
 * twice, it is carried out once, and it is looked up by the same id.
 */
export const bridge = {
  name: 'bridge',
  sources: { documented: 'our own protocol: docs/bridge/README.md', own: true },
  baseUrl: { test: null, live: null },
  credentials: { auth_type: 'HeaderKey', members: ['api_key'] },
  accepts: {
    channels,
    methods: ['card'],
    capture: ['automatic', 'manual', 'manual_multiple'],
    partialApproval: true,
    // An adapter keeps request ids for as long as it keeps operations.
    idempotent_ms: Number.POSITIVE_INFINITY,
    lookup: 'by request id',
    in_flight_ms: 80_000,
    recipients: ['card', 'bank', 'wallet', 'bank_redirect'],
    tells: news.tells,
  },
  authorize,
  capture,
  void: voidAuthorization,
  refund,
  payout,
  sync,
  read_payment: news.readWholePayment,
  list_changes: news.listChanges,
  read_dispute: news.readOneDispute,
  verify: verifyAccount,
  webhook: { largest: 65_536, byReference: [], verify: news.verifyWebhook, read: news.readWebhook, register: news.register },
} satisfies Connector<'card'>
