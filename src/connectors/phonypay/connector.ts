import type {
  Account,
  AuthorizeRequest,
  Connector,
  Conversation,
  CredentialsVerdict,
  Ordered,
  OrderRequest,
  RequestOf,
  ReturnRequest,
  SyncRequest,
} from '../connector.ts'
import { isOther, type OtherFamily, otherFamilies, type PaymentInstrument, type Recipient } from '../instrument.ts'
import { credentialOf } from '../kit/credentials.ts'
import { failedVerdict, failedWish, parseReply, readerOf, unknown, without } from '../kit/parse-reply.ts'
import { codesOf, codesOfRecipient, dataOf, secretsOf, secretsOfRecipient } from '../kit/secrets.ts'
import { channels } from '../purchase.ts'
import { isDisputeVerb } from '../verbs.ts'
import { get, lookUp, operate, operationName, operationReply, outcomeOf, post } from './api.ts'
import { askIssuer, authenticate, syncAuthentication } from './authentication.ts'
import * as disputes from './disputes.ts'
import * as news from './news.ts'
import { readOrder, readRefused } from './replies.ts'
import { fetchPhonypayReport, listPhonypayReports } from './reports.ts'

/** The families besides cards whose payments can be held. */
const holding: readonly OtherFamily[] = ['wallet', 'pay_later', 'card_redirect', 'network_token']

function* authorize(ask: AuthorizeRequest, account: Account): Conversation {
  const { instrument, request_id } = ask
  const body = {
    reference: request_id,
    amount: ask.money.amount,
    currency: ask.money.currency,
    capture: ask.capture === 'automatic' ? 'automatic' : 'manual',
    three_ds: ask.three_ds,
    exemption: ask.exemption,
    return_url: ask.return_url,
    merchant: ask.merchant_name,
    allow_partial: ask.partial_approval === 'accept',
    statement_descriptor: ask.statement_descriptor ?? undefined,
    overcapture: ask.later?.includes('overcapture') || undefined,
    purchase: ask.purchase,
    channel: ask.channel,
    installments: ask.installments,
    ...paidWith(instrument),
    ...(ask.stored_credential?.is === 'made' && ask.stored_credential.store !== false && { store: ask.stored_credential.usage }),
    ...(ask.stored_credential?.is === 'used' && { initiator: 'merchant', category: ask.stored_credential.mit_category }),
    ...(ask.three_ds_result && { authentication: { ...ask.three_ds_result, cavv: ask.three_ds_result.cavv.reveal() } }),
  }
  const secrets = ask.three_ds_result ? [...secretsOf(instrument), ask.three_ds_result.cavv] : secretsOf(instrument)
  const outcome = yield* operate('authorize', post(account, '/payments', body, request_id), { request_id, account, secrets })
  return without(outcome, codesOf(instrument))
}

function paidWith(instrument: PaymentInstrument): object {
  if (isOther(instrument)) {
    const { is: family, way, network_transaction_id } = instrument
    return { method: { family, way, details: dataOf(instrument) }, network_transaction_id }
  }
  if (instrument.is === 'stored_card') return { mandate: instrument.reference, cvc: instrument.cvc?.reveal() }
  const { number, exp_month, exp_year, holder } = instrument
  const card = { number: number.reveal(), exp_month, exp_year, holder: holder ?? undefined }
  if (instrument.is === 'network_transaction_id') return { card, network_transaction_id: instrument.network_transaction_id }
  return { card: { ...card, cvc: instrument.cvc?.reveal(), network: instrument.network } }
}

function* order({ request_id, money }: OrderRequest, account: Account): Conversation<Ordered> {
  const request = post(account, '/orders', { reference: request_id, amount: money.amount, currency: money.currency })
  const read = readerOf(body => readOrder(body, request_id), readRefused)
  const reply = parseReply(yield request, [credentialOf(account)], read)
  return reply.is === 'answer' ? { is: 'done', id: reply.answer } : failedWish(reply)
}

/** After a refused result (a wrong code), the operation stays as it is. */
function* complete(ask: ReturnRequest, account: Account): Conversation {
  const { otp, threeds_method_comp_ind: device_data } = ask.parameters
  if (ask.reference === null) return yield* asItStands(ask, account)
  const request = post(account, `/operations/${encodeURIComponent(ask.reference)}/complete`, { otp, device_data })
  const reply = parseReply(yield request, [credentialOf(account)], operationReply)
  if (reply.is === 'refused') return yield* asItStands(ask, account)
  if (reply.is !== 'answer') return unknown(reply.why)
  return reply.answer.id === ask.reference ? outcomeOf(reply.answer, ask.verb) : unknown('the response is for another operation')
}

/** "Not found" becomes unknown, so that a forged return never declines the payment. */
function* asItStands(ask: ReturnRequest, account: Account): Conversation {
  const stands = yield* sync(ask, account)
  return stands.is === 'not_found' ? unknown('the challenge result was refused, and the operation was not found') : stands
}

function sync(ask: SyncRequest, account: Account): Conversation {
  if (isDisputeVerb(ask.verb)) return disputes.syncDispute(ask.verb, ask, account)
  return ask.verb === 'authenticate' ? syncAuthentication(ask, account) : lookUp(ask.verb, ask, account)
}

const paths = { capture: 'capture', refund: 'refund', increment: 'increment', extend: 'extend', post_capture_void: 'reverse' } as const

/** `more`: the members of the request besides our reference. */
const change = <Ask extends Pick<RequestOf<'void'>, 'request_id' | 'authorization'>>(
  verb: keyof typeof paths,
  more: (ask: Ask) => object = () => ({}),
) =>
  function* (ask: Ask, account: Account): Conversation {
    const { request_id, authorization } = ask
    const payment = authorization.reference ?? (yield* findPayment(authorization.request_id, account))
    if (payment === null) return { is: 'not_sent', why: 'the authorization could not be found at the processor' }
    const path = `/payments/${encodeURIComponent(payment)}/${paths[verb]}`
    return yield* operate(verb, post(account, path, { reference: request_id, ...more(ask) }, request_id), { request_id, account })
  }

const capture = change('capture', ({ money, rest, statement_descriptor }: RequestOf<'capture'>) => ({
  amount: money.amount,
  final: rest === 'release',
  statement_descriptor,
}))
const refund = change('refund', ({ money, reason }: RequestOf<'refund'>) => ({ amount: money.amount, reason: reason ?? undefined }))
const increment = change('increment', ({ money }: RequestOf<'increment'>) => ({ amount: money.amount }))
const extend = change<RequestOf<'extend'>>('extend')
const reverse = change<RequestOf<'post_capture_void'>>('post_capture_void')

function* voidAuthorization({ request_id, authorization }: RequestOf<'void'>, account: Account): Conversation {
  const request = post(account, `/payments/${operationName(authorization)}/void`, { reference: request_id }, request_id)
  return yield* operate('void', request, { request_id, account })
}

/** For an authorization whose response was lost. */
function* findPayment(request_id: string, account: Account): Conversation<string | null> {
  const request = get(account, `/operations/${operationName({ reference: null, request_id })}`)
  const reply = parseReply(yield request, [credentialOf(account)], operationReply)
  if (reply.is !== 'answer') return null
  const { type, reference, payment } = reply.answer
  return type === 'authorization' && reference === request_id ? payment : null
}

function* payout(ask: RequestOf<'payout'>, account: Account): Conversation {
  const { request_id, money, recipient } = ask
  const body = {
    reference: request_id,
    amount: money.amount,
    currency: money.currency,
    to: paidTo(recipient),
    priority: ask.priority ?? undefined,
    entity_type: ask.entity_type,
    merchant: ask.merchant_name,
    description: ask.description ?? undefined,
  }
  const secrets = secretsOfRecipient(recipient)
  const outcome = yield* operate('payout', post(account, '/payouts', body, request_id), { request_id, account, secrets })
  return without(outcome, codesOfRecipient(recipient))
}

function paidTo(recipient: Recipient): object {
  if (recipient.is === 'card') {
    const { number, exp_month, exp_year, holder } = recipient
    return { type: 'card', number: number.reveal(), exp_month, exp_year, holder: holder ?? undefined }
  }
  const { is, type: method, account, holder, ...more } = recipient
  const details = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== null))
  return { type: is, method, account: account.reveal(), holder: holder ?? undefined, ...details }
}

function* voidPayout({ request_id, authorization }: RequestOf<'cancel_payout'>, account: Account): Conversation {
  const request = post(account, `/payouts/${operationName(authorization)}/cancel`, { reference: request_id }, request_id)
  return yield* operate('cancel_payout', request, { request_id, account })
}

/** Valid if the credentials may look up an operation, even one that does not exist. */
function* verifyAccount(account: Account, request_id: string): Conversation<CredentialsVerdict> {
  const request = get(account, `/operations/${operationName({ reference: null, request_id })}`)
  const reply = parseReply(yield request, [credentialOf(account)], operationReply)
  if (reply.is === 'answer' || (reply.is === 'refused' && reply.as === 'not_found')) return { is: 'good' }
  return failedVerdict(reply)
}

/**
 * The sandbox processor (`sandbox/README.md`). Our request id is both the `idempotency-key` and the `reference`: a
 * creation may be resent, and an operation whose response was lost can be looked up.
 */
export const phonypay = {
  name: 'phonypay',
  sources: { documented: 'our own sandbox: sandbox/README.md', own: true },
  baseUrl: { test: null, live: null },
  testing: true,
  credentials: { auth_type: 'HeaderKey', members: ['api_key'] },
  accepts: {
    methods: ['card', 'stored_card', 'network_transaction_id', ...otherFamilies],
    capture: ['automatic', 'manual', 'manual_multiple'],
    // Payments that the customer sends, or that are debited from an account, are captured at once or not at all.
    captured_at_once: otherFamilies.filter(family => !holding.includes(family)),
    channels,
    installments: true,
    partialApproval: true,
    orders: ['paypal'],
    authentication: ['three_ds_result', 'challenge', 'low_value', 'transaction_risk_analysis'],
    recipients: ['card', 'bank', 'wallet', 'bank_redirect'],
    idempotent_ms: Number.POSITIVE_INFINITY,
    lookup: 'by request id',
    // The longest exchange (20 s), and a minute for requests that are still under way at the processor.
    in_flight_ms: 80_000,
    tells: news.tells,
    reports: 'A report of each day that is over',
  },
  authenticate,
  ask_issuer: askIssuer,
  authorize,
  order,
  setUp: authorize,
  capture,
  void: voidAuthorization,
  refund,
  increment,
  extend,
  post_capture_void: reverse,
  payout,
  cancel_payout: voidPayout,
  accept_dispute: disputes.acceptDispute,
  contest_dispute: disputes.contestDispute,
  upload_evidence: disputes.uploadEvidence,
  read_dispute: disputes.readDispute,
  sync,
  read_payment: news.readWholePayment,
  list_changes: news.listChanges,
  list_reports: listPhonypayReports,
  fetch_report: fetchPhonypayReport,
  returned: { parameters: ['otp', 'threeds_method_comp_ind'], ask: complete },
  verify: verifyAccount,
  webhook: { largest: 65_536, byReference: [], verify: news.verifyWebhook, read: news.readWebhook, register: news.register },
} satisfies Connector
