import type { Account, ChangesRead, Conversation, Registered, WebhookUpdate } from '../connector.ts'
import { credentialOf } from '../kit/credentials.ts'
import { listedNewsOf, newsOf } from '../kit/news.ts'
import { failedLookup, failedQuestion, failedWish, parseReply, readerOf, unknown } from '../kit/parse-reply.ts'
import { readJson, tableOf } from '../kit/read.ts'
import { baseOf, bearerOf, jsonRequest } from '../kit/request.ts'
import { signedIn } from '../kit/signature.ts'
import { plainText } from '../kit/text.ts'
import {
  type ChangesQuestion,
  type Movement,
  type PaymentQuestion,
  type PaymentRead,
  type PaymentReport,
  type Tells,
  totals,
} from '../payment-report.ts'
import { get, operationName, outcomeOf } from './api.ts'
import { readDisputeUpdates } from './disputes.ts'
import {
  type PhonypayAnnouncement,
  type PhonypayOperation,
  type PhonypayPayment,
  phonypayVerbs,
  readAnnouncement,
  readChanges,
  readEndpoint,
  readPayment,
  readRefused,
} from './replies.ts'

/** Phonypay's reports of payments: as a whole, in lists and by webhook, by us or by others. */

const THIRTY_DAYS_MS = 30 * 24 * 3_600_000

export const tells = { lookup: totals, webhooks: totals, changes: totals, changes_kept_ms: THIRTY_DAYS_MS } satisfies Tells

/** A reversal refunds what was captured. */
const verbs = tableOf<Movement['verb']>({
  capture: 'capture',
  refund: 'refund',
  reversal: 'refund',
  void: 'void',
  increment: 'increment',
})

const states = {
  approved: 'done',
  pending: 'waiting',
  challenge: 'waiting',
  declined: 'declined',
  returned: 'declined',
  expired: 'declined',
} as const satisfies Record<PhonypayOperation['status'], Movement['state']>

/** Every operation has a reference: one that is none of ours is certainly of others. */
function movementsOf(operations: readonly PhonypayOperation[]): Movement[] {
  return operations.flatMap(({ id, type, reference, money, status, decline, reason, created }) => {
    const verb = verbs[type]
    if (verb === undefined) return []
    const words = decline ? plainText(decline.message) : reason
    return {
      verb,
      reference: id,
      request_id: reference,
      amount: money,
      state: states[status],
      reason: words,
      at: created,
    }
  })
}

const reportOf = ({
  id,
  currency,
  authorized,
  captured,
  refunded,
  held,
  released,
  operations,
  disputes,
}: PhonypayPayment): PaymentReport => ({
  reference: id,
  ...{ currency, authorized, captured, refunded, held, released, disputes },
  movements: movementsOf(operations),
})

const paymentReply = readerOf(readPayment, readRefused)

export function* readWholePayment(ask: PaymentQuestion, account: Account): Conversation<PaymentRead> {
  const reply = parseReply(yield get(account, `/payments/${operationName(ask)}`), [credentialOf(account)], paymentReply)
  if (reply.is !== 'answer') return failedLookup(reply)
  const isAsked = ask.reference === null ? reply.answer.reference === ask.request_id : reply.answer.id === ask.reference
  return isAsked ? { is: 'payment', report: reportOf(reply.answer) } : unknown('the response is for another payment')
}

const changesReply = readerOf(readChanges, readRefused)

export function* listChanges({ since, until, page }: ChangesQuestion, account: Account): Conversation<ChangesRead> {
  const query = new URLSearchParams({ since, until, ...(page !== null && { cursor: page }) })
  const reply = parseReply(yield get(account, `/changes?${query}`), [credentialOf(account)], changesReply)
  if (reply.is !== 'answer') return failedQuestion(reply)
  return { is: 'changes', updates: reply.answer.entries.flatMap(entry => updatesOf(entry, listedNewsOf)), next: reply.answer.next }
}

function updatesOf(body: unknown, ofOurs: typeof newsOf): WebhookUpdate[] {
  const news = readAnnouncement(body)
  if (news === null) return readDisputeUpdates(body)
  const { operation } = news
  if (operation.external) return externalUpdates(news)
  return ofOurs({ request_id: operation.reference }, outcomeOf(operation, phonypayVerbs[operation.type]))
}

/** Nothing of a payout: what happened to it is told of the payout itself. */
function externalUpdates({ operation, authorization }: PhonypayAnnouncement): WebhookUpdate[] {
  const { type, status, money, payment, payment_state } = operation
  if (verbs[type] === undefined || authorization === null) return []
  const { authorized, captured, refunded } = payment_state
  const isHeld = payment_state.status === 'authorized' || payment_state.status === 'partially_captured'
  const hasEnded = payment_state.status === 'voided' || (type === 'void' && status === 'approved')
  const report: PaymentReport = {
    reference: payment,
    currency: money.currency,
    ...{ authorized, captured, refunded, held: isHeld ? Math.max(authorized - captured, 0) : 0 },
    released: hasEnded ? 'voided' : null,
    movements: movementsOf([operation]),
    disputes: [],
  }
  const of = [{ request_id: authorization, verb: 'authorize' }] as const
  // A refund that came back lowers a total, which may also be old news.
  return [{ is: 'payment', of, report: status === 'returned' ? 'ask' : report }]
}

export const verifyWebhook = signedIn('x-sandbox-signature')

export const readWebhook = (raw: Buffer): WebhookUpdate[] => updatesOf(readJson(raw.toString()), newsOf)

const endpointReply = readerOf(readEndpoint, readRefused)

export function* register(url: string, account: Account): Conversation<Registered> {
  const key = credentialOf(account)
  const secret = account.webhook_secret!
  const request = jsonRequest('PUT', `${baseOf(account)}/v1/webhook_endpoint`, bearerOf(key), { url, secret: secret.reveal() })
  const reply = parseReply(yield request, [key, secret], endpointReply)
  if (reply.is !== 'answer') return failedWish(reply)
  return reply.answer === url ? { is: 'done', id: null } : { is: 'unknown', why: 'the response is for another endpoint' }
}
