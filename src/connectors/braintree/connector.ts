import type { Secret } from '../../base/secret.ts'
import type {
  Account,
  Authorization,
  AuthorizeRequest,
  CaptureRequest,
  Connector,
  Conversation,
  CredentialsVerdict,
  IncrementRequest,
  Outcome,
  PostCaptureVoidRequest,
  RefundRequest,
  SyncRequest,
  VoidRequest,
} from '../connector.ts'
import { boughtBy } from '../kit/buyer.ts'
import {
  type FailedReply,
  failedLookup,
  failedOutcome,
  failedQuestion,
  failedVerdict,
  firstHand,
  parseReply,
  unknown,
  without,
} from '../kit/parse-reply.ts'
import { isRecord } from '../kit/read.ts'
import { secretsOf } from '../kit/secrets.ts'
import { channels } from '../purchase.ts'
import { isDisputeVerb } from '../verbs.ts'
import { acceptDispute, contestDispute, readDisputeAt, syncDispute } from './disputes.ts'
import { documents } from './documents.ts'
import * as wire from './replies.ts'
import * as asks from './requests.ts'
import { readWebhook, verifyWebhook } from './webhook.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** How far the search may be behind: the vendor does not say. */
const SEARCH_LAGS_MS = HOUR_MS

type Ask = AuthorizeRequest<asks.BraintreeTakes>

/** Only what moves the money can have moved it. */
const beforeMoney = (failure: FailedReply): Outcome => {
  const outcome = failedOutcome(failure)
  return outcome.is === 'unknown' ? { is: 'not_sent', why: outcome.why } : outcome
}

/** What the card is called at Braintree, and its security code, where that came alone; or why there is no name. */
function* namesOf(
  { instrument }: Ask,
  account: Account,
  secrets: readonly Secret[],
): Conversation<{ card: string; code: string | null } | Outcome> {
  if (instrument.is === 'stored_card') {
    if (!instrument.cvc) return { card: instrument.reference, code: null }
    const told = asks.mutate(account, 'tokenizeCvv', asks.tokenizeCvv(instrument.cvc))
    const code = parseReply(yield told, secrets, wire.readerAt('tokenizeCvv.tokenizedCvv', wire.readNamed))
    return code.is === 'answer' ? { card: instrument.reference, code: code.answer } : beforeMoney(code)
  }
  const told = asks.mutate(account, 'tokenizeCreditCard', asks.tokenizeCreditCard(instrument))
  const card = parseReply(yield told, secrets, wire.readerAt('tokenizeCreditCard.paymentMethod', wire.readNamed))
  return card.is === 'answer' ? { card: card.answer, code: null } : beforeMoney(card)
}

/** A verb that is asked with a card, for the merchant's account of its currency. */
const withCard = (
  say: (
    ask: Ask,
    names: { card: string; code: string | null; merchantAccount: string },
    account: Account,
    secrets: Secret[],
  ) => Conversation,
) =>
  function* (asked: Ask, account: Account): Conversation {
    const { instrument, money } = asked
    const merchantAccount = asks.merchantAccountFor(account, money.currency)
    if (merchantAccount === undefined)
      return { is: 'not_sent', why: `metadata.merchant_accounts has no merchant account for ${money.currency}` }
    const { purchase } = yield* boughtBy(asked.purchase, 'buyer')
    const ask = purchase ? { ...asked, purchase } : asked
    const secrets = [...asks.keysOf(account), ...secretsOf(instrument)]
    const names = yield* namesOf(ask, account, secrets)
    const outcome = 'is' in names ? names : yield* say(ask, { ...names, merchantAccount }, account, secrets)
    return without(outcome, 'cvc' in instrument ? instrument.cvc : null)
  }

const authorize = withCard(function* (ask, names, account, secrets) {
  const name = ask.capture === 'automatic' ? 'chargeCreditCard' : 'authorizeCreditCard'
  const request = asks.mutate(account, name, asks.payment(ask, names))
  const reply = parseReply(yield request, secrets, wire.readerAt(`${name}.transaction`, wire.readPayment))
  return reply.is === 'answer' ? firstHand(wire.transactionAuthorized(reply.answer)) : failedOutcome(reply)
})

/** A card is kept if it is verified; one that is kept already is verified again. */
const setUp = withCard(function* (ask, { card, code, merchantAccount }, account, secrets) {
  const { request_id, instrument, money } = ask
  const isNew = instrument.is !== 'stored_card'
  if (isNew && !asks.isVaulted(ask)) return { is: 'not_sent', why: 'Braintree verifies only cards that it keeps' }
  const name = isNew ? 'vaultCreditCard' : 'verifyCreditCard'
  const input = isNew ? asks.vaulting(card, merchantAccount, request_id) : asks.verification(card, code, merchantAccount, request_id)
  const reply = parseReply(yield asks.mutate(account, name, input), secrets, wire.readerAt(`${name}.verification`, wire.readCheck))
  return reply.is === 'answer' ? wire.checkedOutcome(reply.answer, money) : failedOutcome(reply)
})

type Changing = CaptureRequest | VoidRequest | IncrementRequest | PostCaptureVoidRequest

/** A change of a transaction, which is answered with what became of it. */
const changing = <A extends Changing>(
  name: keyof typeof documents,
  place: string,
  inputOf: (ask: A, id: string) => object,
  outcomeOf: (payment: wire.BraintreePayment, ask: A) => Outcome,
) =>
  function* (ask: A, account: Account): Conversation {
    const id = yield* nameOf(ask.authorization, account)
    if (id === null) return notFound
    const request = asks.mutate(account, name, inputOf(ask, id))
    const reply = parseReply(yield request, asks.keysOf(account), wire.readerAt(`${name}.${place}`, wire.readPayment))
    return reply.is === 'answer' ? firstHand(outcomeOf(reply.answer, ask)) : failedOutcome(reply)
  }

const notFound: Outcome = { is: 'not_sent', why: 'the authorization could not be found at the processor' }

const reversing = changing<VoidRequest | PostCaptureVoidRequest>(
  'reverseTransaction',
  'reversal',
  ({ request_id }, id) => asks.reversal(request_id, id),
  wire.reversedOutcome,
)

/**
 * What was settled is refunded. Before that Braintree refunds nothing: all of it goes back as a void, and a part is
 * declined.
 */
function* refund(ask: RefundRequest, account: Account): Conversation {
  const found = yield* find(ask.authorization, account)
  if (!('kind' in found)) return notFound
  const already = wire.refundFound(found, ask.request_id, ask.money)
  if (already.is !== 'not_found') return firstHand(already)
  const { id, status, amount, refunds } = found
  const isWhole = amount.amount === ask.money.amount && amount.currency === ask.money.currency
  const isVoid = status !== 'SETTLED' && refunds.length === 0 && isWhole
  const name = isVoid ? 'reverseTransaction' : 'refundTransaction'
  const request = asks.mutate(account, name, isVoid ? asks.reversal(ask.request_id, id) : asks.refundInput(ask, id))
  const reply = parseReply(
    yield request,
    asks.keysOf(account),
    wire.readerAt(`${name}.${isVoid ? 'reversal' : 'refund'}`, wire.readPayment),
  )
  if (reply.is !== 'answer') return failedOutcome(reply)
  if (reply.answer.kind === 'Transaction') return isVoid ? wire.voidedInstead(reply.answer, ask.money) : unknown('that is no refund')
  const outcome = wire.refundMade(reply.answer)
  return isVoid ? wire.namelessly(outcome) : outcome
}

/** What the transaction is called there, which we may never have heard; null if that cannot be told. */
function* nameOf(authorization: Authorization, account: Account): Conversation<string | null> {
  if (authorization.reference !== null) return authorization.reference
  const found = yield* find(authorization, account)
  return 'kind' in found ? found.id : null
}

type Nothing = Extract<Outcome, { is: 'unknown' | 'not_found' }>

/** A transaction with its refunds: by its name, else by ours. */
function* find({ reference, request_id }: Authorization, account: Account): Conversation<wire.BraintreePayment | Nothing> {
  if (reference !== null) {
    const node = yield* read(reference, account)
    return 'status' in node && !('kind' in node) ? unknown('that is a verification') : node
  }
  const request = asks.tell(account, documents.byOrder, { orderId: request_id })
  const reply = parseReply(yield request, asks.keysOf(account), wire.readerAt('search.transactions.edges', wire.readFound))
  if (reply.is !== 'answer') return failedQuestion(reply)
  const own = reply.answer.filter(one => one.request_id === request_id && one.kind === 'Transaction')
  if (own.length > 1) return unknown('several transactions have this reference')
  return own[0] ?? { is: 'not_found', lags_ms: SEARCH_LAGS_MS }
}

const readNode = (value: unknown) => wire.readPayment(value) ?? wire.readCheck(value)

function* read(id: string, account: Account): Conversation<wire.BraintreePayment | wire.Checked | Nothing> {
  const reply = parseReply(yield asks.tell(account, documents.node, { id }), asks.keysOf(account), wire.readerAt('node', readNode))
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

/** A question that moves nothing: are these the merchant's accounts, and of these currencies? */
function* verifyAccount(account: Account): Conversation<CredentialsVerdict> {
  const request = asks.tell(account, documents.merchantAccounts, {})
  const place = 'viewer.merchant.merchantAccounts.edges'
  const reply = parseReply(yield request, asks.keysOf(account), wire.readerAt(place, readMerchantAccounts))
  if (reply.is !== 'answer') return failedVerdict(reply)
  for (const [currency, id] of asks.merchantAccountsOf(account)) {
    const known = reply.answer.find(one => one.id === id)
    const said = known ? `The merchant account ${id} is for ${known.currency}, not ${currency}.` : `There is no merchant account ${id}.`
    if (known?.currency !== currency) return { is: 'refused', code: 'merchant_accounts', said }
  }
  return { is: 'good' }
}

/**
 * Braintree's GraphQL API. A card becomes a name for once before the request that moves money; a transaction is found
 * by our reference (its orderId), and what was done to it is seen in its history and its refunds.
 */
export const braintree = {
  name: 'braintree',
  founded: {
    documented:
      'Braintree’s published GraphQL schema and reference, and the codes of its client library; each request is held to the schema of the operations used, and its client library works against the same sandbox dialect',
    guessed:
      'How late a transaction comes into its search is not documented: what is not found is taken for a no after an hour only. Webhooks about transactions are expected to have the order id, as its other answers do: without it nothing is read from them, and the transaction is asked about by the clock',
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
      says: 'your merchant account of each currency, as in USD=shop_usd,EUR=shop_eur',
      required: true,
    },
  },
  accepts: {
    authentication: ['three_ds_result', 'low_value', 'transaction_risk_analysis'],
    methods: ['card', 'stored_card', 'network_transaction_id'],
    capture: ['automatic', 'manual'],
    channels,
    installments: true,
    // An apiRequestKey is kept for 30 days; what it was sent with must be the same.
    idempotent_ms: 30 * DAY_MS,
    lookup: 'by request id',
    in_flight_ms: 80_000,
    evidence: { files: { 'application/pdf': 4_000_000, 'image/jpeg': 4_000_000, 'image/png': 4_000_000 }, texts: true },
  },
  authorize,
  setUp,
  capture: changing<CaptureRequest>('captureTransaction', 'transaction', asks.captureInput, wire.transactionCaptured),
  void: reversing,
  post_capture_void: reversing,
  refund,
  increment: changing<IncrementRequest>('updateTransactionAmount', 'transaction', asks.increase, (payment, { money }) =>
    wire.raisedOutcome(payment, money),
  ),
  accept_dispute: acceptDispute,
  contest_dispute: contestDispute,
  read_dispute: readDisputeAt,
  sync,
  verify: verifyAccount,
  webhook: { byReference: [], verify: verifyWebhook, read: readWebhook },
} satisfies Connector<asks.BraintreeTakes>
