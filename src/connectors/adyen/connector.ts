import { DAY_MS } from '../../base/time.ts'
import type { Request } from '../../context.ts'
import type {
  Account,
  BalanceRequest,
  Connector,
  Conversation,
  CredentialsVerdict,
  GiftCardBalance,
  Outcome,
  RequestOf,
} from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { failedOutcome, failedVerdict, failedWish, parseReply, readerOf, unknown } from '../kit/parse-reply.ts'
import { isRecord } from '../kit/read.ts'
import { secretsOf } from '../kit/secrets.ts'
import { totals } from '../payment-report.ts'
import { channels } from '../purchase.ts'
import { methodsReply, modificationReply, requestTo } from './api.ts'
import { authorize, redeem } from './authorize.ts'
import { acceptDispute, contestDispute } from './disputes.ts'
import { type Offered, offered } from './find-offer.ts'
import { adyenOffers, offeredFamilies } from './offers.ts'
import { payout } from './payout.ts'
import { isText, readAdyenAmount, readRefused } from './replies.ts'
import { fetchAdyenReport, firstBatch, listAdyenReports } from './reports.ts'
import * as requests from './requests.ts'
import { readWebhook, verifyWebhook } from './webhook.ts'

/** Modifications of a payment are only received at first, and their results come later. */

const ofAmount = <Ask extends RequestOf<'capture'> | RequestOf<'refund'> | RequestOf<'increment'>>(
  what: 'captures' | 'refunds' | 'amountUpdates',
  bodyOf: (ask: Ask, amount: requests.Amount, account: Account) => object,
) =>
  function* (ask: Ask, account: Account): Conversation {
    const { reference } = ask.authorization
    if (reference === null) return nameless
    const amount = requests.amountOf(ask.money)
    const path = `/payments/${encodeURIComponent(reference)}/${what}`
    return yield* modify(ask, requestTo(account, path, ask.request_id, amount && bodyOf(ask, amount, account)), account, 'amount')
  }

const capture = ofAmount<RequestOf<'capture'>>('captures', requests.captureBody)
const refund = ofAmount<RequestOf<'refund'>>('refunds', requests.refundBody)
const adjust = ofAmount<RequestOf<'increment'> | RequestOf<'extend'>>('amountUpdates', requests.adjustBody)

function* cancel(ask: RequestOf<'void'>, account: Account): Conversation {
  return yield* modify(ask, requestTo(account, '/cancels', ask.request_id, requests.cancelBody(ask, account)), account, 'no amount')
}

/** Cancels or refunds a payment, depending on its state. */
function* reverse(ask: RequestOf<'post_capture_void'>, account: Account): Conversation {
  const { reference } = ask.authorization
  if (reference === null) return nameless
  const path = `/payments/${encodeURIComponent(reference)}/reversals`
  return yield* modify(ask, requestTo(account, path, ask.request_id, requests.reverseBody(ask, account)), account, 'no amount')
}

const nameless: Outcome = { is: 'not_sent', why: 'the payment has no processor reference' }

/** Adyen receives or refuses a modification; the answer never says more than that. */
function* modify(
  { request_id, money }: Pick<RequestOf<'capture'>, 'request_id' | 'money'>,
  request: Request | Outcome,
  account: Account,
  echoes: 'amount' | 'no amount',
): Conversation {
  if ('is' in request) return request
  const reply = parseReply(yield request, [credentialOf(account)], modificationReply)
  if (reply.is !== 'answer') return failedOutcome(reply)
  const { reference, amount } = reply.answer
  const isOther = echoes === 'amount' && amount !== null && (amount.amount !== money.amount || amount.currency !== money.currency)
  if ((reply.answer.request_id !== null && reply.answer.request_id !== request_id) || isOther)
    return { ...unknown('the response is for another request'), reference }
  return { is: 'waiting', reference }
}

/** docs.adyen.com, gift cards, check the balance. Nothing is reserved. */
export function* readBalance(ask: BalanceRequest, account: Account): Conversation<GiftCardBalance> {
  const paid = offered(ask.instrument, undefined)
  const amount = requests.amountOf(ask.money)
  if (paid === null) return unknown(`Adyen does not support ${ask.instrument.type}`)
  const request = requestTo(account, '/paymentMethods/balance', ask.request_id, amount && balanceBody(paid, amount, account))
  if ('is' in request) return unknown('the connector account cannot ask for this balance')
  const reply = parseReply(yield request, [credentialOf(account), ...secretsOf(ask.instrument)], readerOf(read, readRefused))
  return reply.is === 'answer' ? reply.answer : failedWish(reply)
}

export const balanceBody = ({ way, details }: Offered, amount: requests.Amount, account: Account) => ({
  merchantAccount: requests.merchantAccountOf(account),
  amount,
  paymentMethod: way(details),
})

/** `Failed` says nothing about the balance. Its message may contain the data that was entered: it is not kept. */
function read(body: unknown): GiftCardBalance | null {
  if (!isRecord(body) || !isText(body.resultCode)) return null
  if (body.resultCode === 'Failed') return { is: 'refused', code: 'Failed', message: 'The balance check failed.' }
  const money = body.resultCode === 'Success' || body.resultCode === 'NotEnoughBalance' ? readAdyenAmount(body.balance) : null
  return money && { is: 'done', money }
}

/** Lists the payment methods, which moves no money: the least request that a key must allow. */
function* verifyAccount(account: Account, request_id: string): Conversation<CredentialsVerdict> {
  const request = requestTo(account, '/paymentMethods', request_id, requests.methodsBody(account))
  if ('is' in request) return { is: 'refused', code: '', message: request.is === 'declined' ? request.message : '' }
  const reply = parseReply(yield request, [credentialOf(account)], methodsReply)
  return reply.is === 'answer' ? { is: 'good' } : failedVerdict(reply)
}

/**
 * Adyen's Checkout API, v71. Nothing can be looked up: the result of a request is known from a notification, or by
 * sending the request again under its Idempotency-Key (our request id). A capture, a cancel or a refund is only
 * received at first; its result always comes later, and may be reversed days after.
 *
 * A connector account is one merchant account (`key1`). Its live URL has a prefix of its own:
 * `metadata.endpoint_prefix`.
 */
export const adyen = {
  name: 'adyen',
  sources: {
    documented: 'Adyen’s API reference; Adyen’s client library works against the same sandbox dialect',
    guessed:
      'As which type some payment methods are charged again (iDEAL as ideal, wallets as scheme): Adyen’s document allows it; where an account wants another, Adyen refuses the payment and nothing is charged',
  },
  baseUrl: { test: 'https://checkout-test.adyen.com/v71', live: null },
  credentials: {
    auth_type: 'BodyKey',
    members: ['api_key', 'key1'],
    called: { key1: { label: 'Merchant account', secret: false } },
    optional: {
      report_user: 'the report service user, for settlement reports',
      report_password: 'its password',
      report_api_key: 'or its API key',
    },
  },
  settings: {
    first_settlement_batch: firstBatch,
    endpoint_prefix: {
      pattern: /^[A-Za-z0-9]{1,64}(?:-[A-Za-z0-9]{1,64})*$/,
      description: 'the prefix of your live URLs, as in https://PREFIX-checkout-live.adyenpayments.com',
      host: 'part',
    },
    native_3ds: {
      pattern: /^(true|false)$/,
      description:
        'true or false: whether customers whose browser is known are authenticated in the checkout, instead of on a page of Adyen',
      of: 'payment_processor',
    },
  },
  accepts: {
    authentication: ['three_ds_result', 'challenge', 'low_value', 'transaction_risk_analysis'],
    methods: ['card', 'stored_card', 'network_transaction_id', ...offeredFamilies],
    offers: adyenOffers,
    capture: ['automatic', 'manual', 'manual_multiple'],
    // No capture of several releases the rest of the hold; a cancel does (docs.adyen.com, multiple partial captures).
    finalCaptures: false,
    channels,
    // Adyen keeps idempotency keys for at least 31 days.
    idempotent_ms: 31 * DAY_MS,
    lookup: 'none',
    in_flight_ms: 80_000,
    counting: requests.counting,
    splits: 'adyen',
    installments: true,
    partialApproval: true,
    recipients: ['card'],
    evidence: { files: { 'application/pdf': 2_000_000, 'image/jpeg': 5_000_000 }, texts: false },
    // No payment can be looked up or listed: what a lost webhook told is only in Adyen's reports.
    tells: { lookup: [], webhooks: totals },
    reports:
      'Settlement details reports: when the webhook REPORT_AVAILABLE names one, and each day the next batch by its number. They need the automatic report in the Customer Area, and `report_user` with `report_password`, or `report_api_key`',
  },
  authorize,
  setUp: authorize,
  capture,
  void: cancel,
  refund,
  increment: adjust,
  extend: adjust,
  post_capture_void: reverse,
  payout,
  accept_dispute: acceptDispute,
  contest_dispute: contestDispute,
  balance: readBalance,
  list_reports: listAdyenReports,
  fetch_report: fetchAdyenReport,
  verify: verifyAccount,
  returned: { parameters: ['redirectResult', 'payload'], native: true, ask: redeem },
  // Notifications of modifications contain Adyen's reference; those of payments contain ours.
  webhook: {
    largest: 262_144,
    byReference: ['capture', 'void', 'refund', 'increment', 'extend', 'post_capture_void'],
    verify: verifyWebhook,
    read: readWebhook,
  },
} satisfies Connector<requests.AdyenTakes>
