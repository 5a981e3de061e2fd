import { DAY_MS, HOUR_MS } from '../../base/time.ts'
import type { Account, Authorization, Connector, Conversation, CredentialsVerdict, Outcome, RequestOf, SyncRequest } from '../connector.ts'
import { failedLookup, failedOutcome, failedQuestion, failedVerdict, firstHand, parseReply, unknown } from '../kit/parse-reply.ts'
import { isRecord } from '../kit/read.ts'
import { totals } from '../payment-report.ts'
import { channels } from '../purchase.ts'
import { isDisputeVerb } from '../verbs.ts'
import { authorize, clientToken, keepOrVerify } from './authorize.ts'
import { fetchDisbursements, listDisbursements } from './disbursements.ts'
import { acceptDispute, contestDispute, readDisputeAt, syncDispute } from './disputes.ts'
import { documents } from './documents.ts'
import { braintreeOffers } from './offers.ts'
import { listChanges, readPaymentWhole } from './payment.ts'
import * as wire from './replies.ts'
import * as requests from './requests.ts'
import { readWebhook, verifyWebhook } from './webhook.ts'

/** Braintree does not document it. */
const SEARCH_LAGS_MS = HOUR_MS

type Changing = RequestOf<'capture'> | RequestOf<'void'> | RequestOf<'increment'> | RequestOf<'post_capture_void'>

const changing = <A extends Changing>(
  name: keyof typeof documents,
  place: string,
  inputOf: (ask: A, id: string) => object,
  outcomeOf: (payment: wire.BraintreePayment, ask: A) => Outcome,
) =>
  function* (ask: A, account: Account): Conversation {
    const id = yield* nameOf(ask.authorization, account)
    if (id === null) return notFound
    const request = requests.mutate(account, name, inputOf(ask, id))
    const reply = parseReply(yield request, requests.keysOf(account), wire.readerAt(`${name}.${place}`, wire.readPayment))
    return reply.is === 'answer' ? firstHand(outcomeOf(reply.answer, ask)) : failedOutcome(reply)
  }

const notFound: Outcome = { is: 'not_sent', why: 'the authorization could not be found at the processor' }

const reversing = changing<RequestOf<'void'> | RequestOf<'post_capture_void'>>(
  'reverseTransaction',
  'reversal',
  ({ request_id }, id) => requests.reversal(request_id, id),
  wire.reversedOutcome,
)

/** Statuses in which Braintree refunds a transaction and cannot void it. PayPal payments settle at once. */
const refundable = ['SETTLING', 'SETTLED']

/** Before settlement Braintree refunds nothing: a full refund is sent as a void, and a partial one is declined. */
function* refund(ask: RequestOf<'refund'>, account: Account): Conversation {
  const found = yield* find(ask.authorization, account)
  if (!('kind' in found)) return notFound
  const already = wire.refundFound(found, ask.request_id, ask.money)
  if (already.is !== 'not_found') return firstHand(already)
  const { id, status, amount, refunds } = found
  const isWhole = amount.amount === ask.money.amount && amount.currency === ask.money.currency
  const isVoid = !refundable.includes(status) && refunds.length === 0 && isWhole
  const name = isVoid ? 'reverseTransaction' : 'refundTransaction'
  const request = requests.mutate(account, name, isVoid ? requests.reversal(ask.request_id, id) : requests.refundInput(ask, id))
  const reply = parseReply(
    yield request,
    requests.keysOf(account),
    wire.readerAt(`${name}.${isVoid ? 'reversal' : 'refund'}`, wire.readPayment),
  )
  if (reply.is !== 'answer') return failedOutcome(reply)
  if (reply.answer.kind === 'Transaction') return isVoid ? wire.voidedInstead(reply.answer, ask.money) : unknown('that is no refund')
  const outcome = wire.refundMade(reply.answer)
  return isVoid ? wire.namelessly(outcome) : outcome
}

/** Null if a transaction whose response was lost cannot be found. */
function* nameOf(authorization: Authorization, account: Account): Conversation<string | null> {
  if (authorization.reference !== null) return authorization.reference
  const found = yield* find(authorization, account)
  return 'kind' in found ? found.id : null
}

type Nothing = Extract<Outcome, { is: 'unknown' | 'not_found' }>

/** By Braintree's id, otherwise by our request id. */
function* find({ reference, request_id }: Authorization, account: Account): Conversation<wire.BraintreePayment | Nothing> {
  if (reference !== null) {
    const node = yield* read(reference, account)
    return 'status' in node && !('kind' in node) ? unknown('that is a verification') : node
  }
  const request = requests.gql(account, documents.byOrder, { orderId: request_id })
  const reply = parseReply(yield request, requests.keysOf(account), wire.readerAt('search.transactions.edges', wire.readFound))
  if (reply.is !== 'answer') return failedQuestion(reply)
  const own = reply.answer.filter(one => one.request_id === request_id && one.kind === 'Transaction')
  if (own.length > 1) return unknown('several transactions have this reference')
  return own[0] ?? { is: 'not_found', lags_ms: SEARCH_LAGS_MS }
}

const readNode = (value: unknown) => wire.readPayment(value) ?? wire.readCheck(value)

function* read(id: string, account: Account): Conversation<wire.BraintreePayment | wire.Checked | Nothing> {
  const reply = parseReply(yield requests.gql(account, documents.node, { id }), requests.keysOf(account), wire.readerAt('node', readNode))
  return reply.is === 'answer' ? reply.answer : failedLookup(reply)
}

function* sync(ask: SyncRequest, account: Account): Conversation {
  const { verb, request_id, reference, money, authorization } = ask
  if (isDisputeVerb(verb)) return yield* syncDispute(verb, ask, account)
  if (verb === 'authorize' && reference !== null) {
    const node = yield* read(reference, account)
    if ('is' in node) return node
    return 'kind' in node ? wire.transactionAuthorized(node) : wire.checkedOutcome(node, money)
  }
  if (verb === 'refund' && reference !== null) {
    const node = yield* read(reference, account)
    if ('is' in node) return node
    if (!('kind' in node)) return unknown('that is a verification')
    return node.kind === 'Refund' ? wire.refundMade(node) : wire.voidedInstead(node, money)
  }
  const found = yield* find(authorization ?? { reference, request_id }, account)
  if ('is' in found) return authorization === null || found.is === 'unknown' ? found : unknown('the transaction was not found')
  if (verb === 'authorize') return wire.transactionAuthorized(found)
  if (verb === 'capture') return wire.transactionCaptured(found)
  if (verb === 'increment') return wire.raisedOutcome(found, money)
  if (verb === 'refund') return wire.refundFound(found, request_id, money)
  return wire.reversedOutcome(found)
}

type MerchantAccount = { id: string; currency: string }
function readMerchantAccounts(edges: unknown): MerchantAccount[] | null {
  if (!Array.isArray(edges)) return null
  return edges.flatMap(edge => {
    const node = isRecord(edge) && isRecord(edge.node) ? edge.node : {}
    return typeof node.id === 'string' && typeof node.currencyCode === 'string' ? [{ id: node.id, currency: node.currencyCode }] : []
  })
}

/** Compares the merchant accounts and their currencies with the settings. No money moves. */
function* verifyAccount(account: Account): Conversation<CredentialsVerdict> {
  const request = requests.gql(account, documents.merchantAccounts, {})
  const place = 'viewer.merchant.merchantAccounts.edges'
  const reply = parseReply(yield request, requests.keysOf(account), wire.readerAt(place, readMerchantAccounts))
  if (reply.is !== 'answer') return failedVerdict(reply)
  for (const [currency, id] of requests.merchantAccountsOf(account)) {
    const known = reply.answer.find(one => one.id === id)
    const message = known ? `The merchant account ${id} is for ${known.currency}, not ${currency}.` : `There is no merchant account ${id}.`
    if (known?.currency !== currency) return { is: 'refused', code: 'merchant_accounts', message }
  }
  return { is: 'good' }
}

/**
 * The connector for Braintree's GraphQL API. A card becomes a single-use token before the request that moves money; a
 * wallet's token comes from Braintree's script in the page. A transaction is found by our request id (its orderId).
 * Its history and its refunds show what was done to it.
 */
export const braintree = {
  name: 'braintree',
  sources: {
    documented:
      'Braintree’s published GraphQL schema and reference, and the codes of its client library; each request is held to the schema of the operations used, and its client library works against the same sandbox dialect',
    second_hand:
      'That PayPal settles at once, and that a nonce of PayPal’s for one payment pays although it is to be kept: the support articles and the tests of the vendor’s libraries',
    guessed:
      'How late a transaction comes into its search is not documented: what is not found is treated as a decline only after an hour. Webhooks about transactions are expected to have the order id, as its other answers do: without it nothing is read from them, and the transaction is polled',
  },
  baseUrl: { test: 'https://payments.sandbox.braintree-api.com', live: 'https://payments.braintree-api.com' },
  credentials: {
    auth_type: 'SignatureKey',
    members: ['api_key', 'key1', 'api_secret'],
    called: {
      api_key: { label: 'Public key', secret: true },
      key1: { label: 'Merchant ID', secret: false },
      api_secret: { label: 'Private key', secret: true },
    },
  },
  settings: {
    merchant_accounts: {
      pattern: /^[A-Z]{3}=[A-Za-z0-9_-]{1,64}(?:,[A-Z]{3}=[A-Za-z0-9_-]{1,64})*$/,
      description: 'your merchant account of each currency, as in USD=shop_usd,EUR=shop_eur',
      required: true,
    },
  },
  accepts: {
    authentication: ['three_ds_result', 'low_value', 'transaction_risk_analysis'],
    methods: ['card', 'stored_card', 'network_transaction_id', 'wallet'],
    capture: ['automatic', 'manual'],
    offers: braintreeOffers,
    channels,
    installments: true,
    // Braintree stores an apiRequestKey for 30 days; repeated requests with it must be identical.
    idempotent_ms: 30 * DAY_MS,
    lookup: 'by request id',
    in_flight_ms: 80_000,
    evidence: { files: { 'application/pdf': 4_000_000, 'image/jpeg': 4_000_000, 'image/png': 4_000_000 }, texts: true },
    // Its webhooks about transactions are of failures, and of payments by bank account.
    tells: { lookup: totals, webhooks: ['disputed'], changes: ['refunded', 'voided', 'disputed'] },
    reports:
      'What was disbursed on each day: transactions, refunds and disputes, searched by the GraphQL API. It has no fees: upload the report of transaction-level fees instead if you want them. The settlement batch summary has totals only',
  },
  authorize,
  setUp: keepOrVerify,
  client_token: clientToken,
  capture: changing<RequestOf<'capture'>>('captureTransaction', 'transaction', requests.captureInput, wire.transactionCaptured),
  void: reversing,
  post_capture_void: reversing,
  refund,
  increment: changing<RequestOf<'increment'>>('updateTransactionAmount', 'transaction', requests.increase, (payment, { money }) =>
    wire.raisedOutcome(payment, money),
  ),
  accept_dispute: acceptDispute,
  contest_dispute: contestDispute,
  read_dispute: readDisputeAt,
  read_payment: readPaymentWhole,
  list_changes: listChanges,
  list_reports: listDisbursements,
  fetch_report: fetchDisbursements,
  sync,
  verify: verifyAccount,
  webhook: { largest: 131_072, byReference: [], verify: verifyWebhook, read: readWebhook },
} satisfies Connector<requests.BraintreeTakes>
