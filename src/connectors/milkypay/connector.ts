import { Secret } from '../../base/secret.ts'
import type { Request } from '../../context.ts'
import type { Account, AuthorizeRequest, Connector, Conversation, Outcome, RequestOf, SyncRequest, WebhookUpdate } from '../connector.ts'
import { noting } from '../conversation.ts'
import { credentialsOf } from '../kit/credentials.ts'
import { majorNumberOf } from '../kit/decimal.ts'
import { beforeMoney, declinedWith, failedLookup, failedOutcome, failedQuestion, parseReply, unknown, without } from '../kit/parse-reply.ts'
import { readJson } from '../kit/read.ts'
import { bearerOf, jsonRequest } from '../kit/request.ts'
import { codesOf } from '../kit/secrets.ts'
import { cardHost, settingOf } from '../settings.ts'
import * as api from './api.ts'

function* authorize(ask: AuthorizeRequest<'card'>, account: Account): Conversation {
  const { number, exp_month, exp_year, cvc, holder } = ask.instrument
  const known = [...credentialsOf(account), number]
  const created = parseReply(yield createInvoice(ask, account), known, api.createdReply)
  if (created.is !== 'answer') return without(beforeMoney(created), codesOf(ask.instrument))
  const { id, token, reference_id } = created.answer
  if (reference_id !== ask.request_id || token === null) return { is: 'not_sent', why: 'the invoice cannot be paid', reference: id }
  yield* noting(id)
  const opened = new Secret(token)
  const sale = yield jsonRequest('POST', `${api.checkoutOf(account)}/payment/sale`, bearerOf(opened), {
    card_number: number.reveal(),
    ...(cvc && { cvv: cvc.reveal() }),
    exp_month: String(exp_month).padStart(2, '0'),
    exp_year: String(exp_year).slice(-2),
    ...(holder !== null && { cardholder: holder }),
  })
  const reply = parseReply(sale, [...known, opened], api.invoiceReply)
  // The format of the checkout's response is uncertain: if it cannot be read, the invoice is retrieved.
  const outcome =
    reply.is === 'answer'
      ? api.outcomeOf(reply.answer)
      : reply.is === 'unknown' && sale.is === 'reply'
        ? yield* look(id, account)
        : failedOutcome(reply)
  return without(named(certain(outcome), id), codesOf(ask.instrument))
}

/** An invoice that is not paid yet says nothing about a sale that is on its way. */
const certain = (outcome: Outcome): Outcome => (outcome.is === 'not_found' ? unknown('the sale is not visible yet') : outcome)

const named = (outcome: Outcome, reference: string): Outcome => (outcome.is === 'unknown' ? { ...outcome, reference } : outcome)

const createInvoice = (ask: AuthorizeRequest<'card'>, account: Account): Request =>
  api.invoiceRequest('payment-invoices', account, {
    reference_id: ask.request_id,
    amount: majorNumberOf(ask.money),
    currency: ask.money.currency,
    service: settingOf(account, 'service') ?? `payment_card_${ask.money.currency.toLowerCase()}_hpp`,
    description: ask.statement_descriptor ?? ask.merchant_name,
    return_url: ask.return_url,
  })

function* sync({ verb, reference }: SyncRequest, account: Account): Conversation {
  // The invoice id is noted before the card is sent: a payment without one has moved nothing.
  if (reference === null)
    return verb === 'payout' ? unknown('the payout has no processor reference and cannot be synced') : { is: 'not_found' }
  if (verb === 'payout') return yield* lookAtPayout(reference, account)
  const outcome = yield* look(reference, account)
  return verb === 'authorize' ? outcome : unknown('only payments and payouts can be synced')
}

function* look(id: string, account: Account): Conversation {
  const reply = parseReply(yield api.lookRequest('payment-invoices', id, account), credentialsOf(account), api.invoiceReply)
  if (reply.is !== 'answer') return failedLookup(reply)
  return reply.answer.id === id ? api.outcomeOf(reply.answer) : unknown('the response is for another invoice')
}

function* lookAtPayout(id: string, account: Account): Conversation {
  const reply = parseReply(yield api.lookRequest('payout-invoices', id, account), credentialsOf(account), api.payoutReply)
  // A 404 proves nothing, because the URL is only guessed.
  if (reply.is !== 'answer') return failedQuestion(reply)
  return reply.answer.id === id ? api.paidOutOf(reply.answer) : unknown('the response is for another invoice')
}

/** One request; its result can be looked up only by the id of its invoice, if the response arrived. */
function* payout({ request_id, money, recipient, merchant_name, description }: RequestOf<'payout'>, account: Account): Conversation {
  if (recipient.is !== 'card') return declinedWith('not_supported', '', 'This connector supports payouts to cards only.')
  const request = api.invoiceRequest('payout-invoices', account, {
    reference_id: request_id,
    amount: majorNumberOf(money),
    currency: money.currency,
    service: settingOf(account, 'payout_service') ?? `payment_card_${money.currency.toLowerCase()}`,
    description: description ?? merchant_name,
    fields: { card_number: recipient.number.reveal() },
    options: { auto_process: true },
  })
  const reply = parseReply(yield request, [...credentialsOf(account), recipient.number], api.createdPayoutReply)
  if (reply.is !== 'answer') return failedOutcome(reply)
  return reply.answer.reference_id === request_id ? api.paidOutOf(reply.answer) : unknown('the response is for another invoice')
}

/** Webhooks are not signed: they only trigger a lookup. */
const verifyWebhook = (): boolean => true

function readWebhook(raw: Buffer): WebhookUpdate[] {
  const body = readJson(raw.toString())
  const invoice = api.readInvoice(body) ?? api.readInvoice(body, 'payout-invoices')
  return invoice ? [{ is: 'outcome', of: [{ request_id: invoice.reference_id }], outcome: 'ask' }] : []
}

/**
 * MilkyPay, through the engine at pay-gate.io. An invoice is created, which moves no money; its id is noted; then the
 * card is sent to its checkout. The invoice shows the result. Callbacks are unsigned and only trigger a lookup.
 */
export const milkypay = {
  name: 'milkypay',
  sources: {
    documented: 'invoices, including payouts, and their states: documentation of the engine (Corefy), not of MilkyPay',
    second_hand: 'hosts, the two calls of a card payment, members, failure reasons: one public client',
    guessed:
      'that a payout sends its card in fields.card_number and is looked up like other invoices (a payout whose response is lost needs manual review); that flow_data.action contains the challenge (otherwise the payment is unknown until it is decided); that an error that repeats its own status means nothing happened (otherwise it is unknown). Refunds are not documented and not supported',
  },
  baseUrl: { test: api.PAY, live: api.PAY },
  credentials: {
    auth_type: 'BodyKey',
    members: ['api_key', 'key1'],
    called: { api_key: { label: 'API key (user name)', secret: true }, key1: { label: 'API secret (password)', secret: true } },
  },
  settings: {
    payout_service: { pattern: /^[a-z0-9_]{1,64}$/, description: 'the milkypay service for payouts, for example payment_card_eur' },
    service: { pattern: /^[a-z0-9_]{1,64}$/, description: 'the milkypay service for payments, for example payment_card_eur_hpp' },
    checkout_url: cardHost,
    test_mode: { pattern: /^(true|false)$/, description: 'true or false: whether invoices are only for testing', test: /^true$/ },
  },
  accepts: {
    methods: ['card'],
    capture: ['automatic'],
    idempotent_ms: 0,
    lookup: 'by reference',
    in_flight_ms: 80_000,
    recipients: ['card'],
  },
  authorize,
  payout,
  sync,
  webhook: { largest: 65_536, byReference: [], verify: verifyWebhook, read: readWebhook },
} satisfies Connector<'card'>
