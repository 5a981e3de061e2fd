import { DAY_MS, HOUR_MS } from '../../base/time.ts'
import type { Account, AuthorizeRequest, Connector, Conversation, CredentialsVerdict, RequestOf, SyncRequest } from '../connector.ts'
import { inProcessorUnits } from '../counting.ts'
import { isOther } from '../instrument.ts'
import { boughtBy } from '../kit/buyer.ts'
import { syncDisputeBy } from '../kit/disputes.ts'
import { declinedWith, failedLookup, failedOutcome, failedVerdict, firstHand, readerOf, without } from '../kit/parse-reply.ts'
import { isRecord } from '../kit/read.ts'
import { inPath } from '../kit/request.ts'
import { codesOf, dataOf, secretsOf } from '../kit/secrets.ts'
import { nameIn } from '../kit/text.ts'
import { totals } from '../payment-report.ts'
import { channels, type Purchase } from '../purchase.ts'
import { isDisputeVerb } from '../verbs.ts'
import { acceptDispute, contestDispute, readDispute, uploadEvidence } from './disputes.ts'
import { changing, checkoutListReply, increment, paymentBy, syncChange } from './modify.ts'
import { type CheckoutFamily, checkoutOffers, checkoutRow, isWallet, offeredByCheckout } from './offers.ts'
import { listCheckoutChanges, readCheckoutPayment } from './payment.ts'
import { payout, syncCheckoutPayout } from './payout.ts'
import { outcomeOf, parse, readPayment, readRefused, readToken } from './replies.ts'
import { checkoutReports, fetchCheckoutReport, listCheckoutReports } from './reports.ts'
import * as requests from './requests.ts'
import { readWebhook, verifyWebhook } from './webhook.ts'

const KEYS_MS = 72 * HOUR_MS
const LARGEST_FILE = 4_000_000

// Status 202 means that a payment was accepted and is not decided; no other status means this.
const whole = readerOf(readPayment, readRefused, [200, 201])
const pending = readerOf(
  body => {
    const payment = readPayment(body)
    // Only payouts have instructions.
    return payment?.status === 'Pending' && isRecord(body) && body.instruction === undefined ? payment : null
  },
  readRefused,
  [202],
)
const paymentReply: typeof whole = (status, body) => (status === 202 ? pending : whole)(status, body)
const tokenReply = readerOf(readToken, readRefused, [201])
const askedReply = readerOf(readPayment, readRefused)

function* authorize(ask: AuthorizeRequest<requests.CheckoutTakes>, account: Account): Conversation {
  const amount = inProcessorUnits(requests.counting, ask.money)
  if (typeof amount === 'string') return { is: 'not_sent', why: amount }
  const { purchase } = yield* boughtBy(ask.purchase, 'buyer')
  if (isOtherAsk(ask)) return yield* authorizeOther(ask, amount, purchase, account)
  const request = requests.post(
    account,
    '/payments',
    requests.checkoutPaymentBody(ask as AuthorizeRequest<requests.CheckoutCards>, amount, purchase, account),
    ask.request_id,
  )
  const reply = parse(yield request, [...requests.checkoutKeysOf(account), ...secretsOf(ask.instrument)], paymentReply)
  const outcome = reply.is === 'answer' ? firstHand(outcomeOf(reply.answer)) : failedOutcome(reply)
  return without(outcome, codesOf(ask.instrument))
}

const isOtherAsk = (ask: AuthorizeRequest<requests.CheckoutTakes>): ask is AuthorizeRequest<CheckoutFamily> => isOther(ask.instrument)

/** A wallet's data is first exchanged for a token, which moves no money. */
function* authorizeOther(
  ask: AuthorizeRequest<CheckoutFamily>,
  amount: number,
  purchase: Purchase | undefined,
  account: Account,
): Conversation {
  const { instrument } = ask
  const secrets = [...requests.checkoutKeysOf(account), ...secretsOf(instrument)]
  const payer = {
    name: (purchase?.billing && nameIn(purchase.billing)) ?? purchase?.buyer?.name ?? '',
    email: purchase?.billing?.email ?? '',
    place: purchase?.billing,
  }
  const mandate = { id: ask.request_id, accepted_at: ask.acceptance?.accepted_at }
  const method = checkoutRow(instrument.type)?.ways[instrument.way]?.({ parts: dataOf(instrument), payer, mandate }) ?? null
  if (method === null) return declinedWith('not_supported', 'payment_method', `${instrument.way} is not supported with this data`)
  let source = isWallet(method) ? null : method
  if (isWallet(method)) {
    const reply = parse(yield requests.walletToken(account, method.wallet), secrets, tokenReply)
    if (reply.is !== 'answer') return reply.is === 'refused' ? failedOutcome(reply) : { is: 'not_sent', why: reply.why }
    source = { type: 'token', token: reply.answer }
  }
  const request = requests.post(account, '/payments', requests.otherPaymentBody(ask, source!, amount, purchase, account), ask.request_id)
  const reply = parse(yield request, secrets, paymentReply)
  // A response need not repeat the payment method.
  const outcome =
    reply.is === 'answer' ? firstHand(outcomeOf({ ...reply.answer, by: reply.answer.by ?? source!.type })) : failedOutcome(reply)
  return without(outcome, codesOf(instrument))
}

function* sync(ask: SyncRequest, account: Account): Conversation {
  if (isDisputeVerb(ask.verb)) return yield* syncDisputeBy(readDispute, ask.verb, ask, account)
  if (ask.verb === 'payout') return yield* syncCheckoutPayout(ask, account)
  if (ask.verb !== 'authorize') return yield* syncChange(ask, account)
  if (ask.reference === null) {
    const found = yield* paymentBy(ask.request_id, account)
    return 'id' in found ? outcomeOf(found) : found
  }
  const reply = parse(yield requests.get(account, `/payments/${inPath(ask.reference)}`), requests.checkoutKeysOf(account), askedReply)
  return reply.is === 'answer' ? outcomeOf(reply.answer) : failedLookup(reply)
}

/** Looks up a payment that does not exist; no money moves. */
function* verifyAccount(account: Account, request_id: string): Conversation<CredentialsVerdict> {
  const reply = parse(
    yield requests.get(account, `/payments?limit=1&reference=${inPath(request_id)}`),
    requests.checkoutKeysOf(account),
    checkoutListReply,
  )
  return reply.is === 'answer' ? { is: 'good' } : failedVerdict(reply)
}

/**
 * Checkout.com's unified payments API. A payment is found by our request id (`reference`). Captures, voids and refunds
 * are only accepted at first (202) and decided later; they are found among their payment's actions.
 */
export const checkout = {
  name: 'checkout',
  sources: {
    documented: 'Checkout.com’s API reference; its client library works against the same sandbox dialect',
    second_hand:
      'The sources of payments that are no cards, the exchange of a wallet’s data for a token, the states of disputes and the recipients of payouts are those of its client libraries',
    guessed:
      'That the name of a mandate may be the merchant’s, that a SEPA debit which is authorized is not paid yet, and that its return is an action of its payment: the client libraries and the documentation only suggest it. How late a payment comes into its lists is not documented: what is not found is treated as a decline only after an hour. Whether its lists have payouts is not either: one that is not found is unknown, never a no. Which three-decimal amounts it takes was not confirmed: they end in 0, others are refused before anything is sent',
  },
  baseUrl: { test: 'https://api.sandbox.checkout.com', live: 'https://api.checkout.com' },
  credentials: {
    auth_type: 'SignatureKey',
    members: ['api_key', 'key1', 'api_secret'],
    test: { api_secret: /^sk_(?:test|sbox)_/ },
    called: {
      api_key: { label: 'Public key', secret: true },
      key1: { label: 'Processing channel ID', secret: false },
      api_secret: { label: 'Secret key', secret: true },
    },
  },
  settings: {
    settlement_reports: checkoutReports,
    endpoint_prefix: {
      pattern: /^(?:pl-)?[a-z0-9]{1,62}$/,
      description: 'the prefix of your base URLs, as in https://PREFIX.api.checkout.com',
      host: 'part',
    },
    descriptor_city: {
      pattern: /^[\x20-\x7e]{1,13}$/,
      description: 'the city on card statements (up to 13 characters), which is sent with a statement_descriptor; without it none is sent',
      of: 'payment_processor',
    },
    currency_account: {
      pattern: /^ca_[a-z0-9_]{1,60}$/,
      description: 'the ID of the sub-account that payouts are made from (ca_…)',
      of: 'payout_processor',
      required: true,
    },
    funds_transfer_type: {
      pattern: /^(?:[A-Z]{2}|C\d{2})$/,
      description: 'the code of what payouts to cards are for, as agreed with Checkout.com (FD, C07 …); without it none is sent',
      of: 'payout_processor',
    },
  },
  accepts: {
    authentication: ['three_ds_result', 'challenge', 'low_value', 'transaction_risk_analysis'],
    methods: ['card', 'stored_card', 'network_transaction_id', ...offeredByCheckout],
    offers: checkoutOffers,
    capture: ['automatic', 'manual', 'manual_multiple'],
    recipients: ['card', 'bank'],
    channels,
    // Checkout.com stores the keys of accepted requests for 72 hours.
    idempotent_ms: { authorize: KEYS_MS, capture: KEYS_MS, void: KEYS_MS, refund: KEYS_MS, increment: KEYS_MS, payout: KEYS_MS },
    lookup: 'by request id',
    in_flight_ms: 80_000,
    counting: requests.counting,
    partialApproval: true,
    evidence: { files: { 'application/pdf': LARGEST_FILE, 'image/jpeg': LARGEST_FILE, 'image/png': LARGEST_FILE }, texts: true },
    // Only disputes are listed for many payments; how long Checkout.com lists them is not documented.
    tells: { lookup: totals, webhooks: totals, changes: ['disputed'], changes_kept_ms: 180 * DAY_MS },
    reports:
      'Financial actions by payout, or by date by the setting `settlement_reports`, by the Reports API: they are made once you have scheduled them in the dashboard. The secret key needs the scope for reports',
  },
  authorize,
  setUp: authorize,
  capture: changing<RequestOf<'capture'>>('captures', requests.checkoutCaptureBody),
  void: changing<RequestOf<'void'>>('voids', requests.voidBody),
  refund: changing<RequestOf<'refund'>>('refunds', requests.checkoutRefundBody),
  increment,
  payout,
  accept_dispute: acceptDispute,
  contest_dispute: contestDispute,
  read_dispute: readDispute,
  upload_evidence: uploadEvidence,
  sync,
  read_payment: readCheckoutPayment,
  list_changes: listCheckoutChanges,
  list_reports: listCheckoutReports,
  fetch_report: fetchCheckoutReport,
  verify: verifyAccount,
  webhook: { largest: 262_144, byReference: ['capture', 'void', 'refund', 'increment'], verify: verifyWebhook, read: readWebhook },
} satisfies Connector<requests.CheckoutTakes>
