import type { Currency } from '../../base/currencies.ts'
import type { Account, ChangesRead, Conversation, DisputeRead, Registered, WebhookUpdate } from '../connector.ts'
import type { DisputeReport, DisputeStatus } from '../dispute.ts'
import { credentialOf } from '../kit/credentials.ts'
import { listedNewsOf, newsOf } from '../kit/news.ts'
import { failedLookup, failedQuestion, failedWish, parseReply, readerOf, unknown } from '../kit/parse-reply.ts'
import { isRecord, parseTime, readJson } from '../kit/read.ts'
import { bearerOf, getRequest, jsonRequest } from '../kit/request.ts'
import { signedIn } from '../kit/signature.ts'
import { plainText } from '../kit/text.ts'
import type { ChangesQuestion, Movement, PaymentQuestion, PaymentRead, PaymentReport, Tells } from '../payment-report.ts'
import { totals } from '../payment-report.ts'
import { outcomeOf, readRefused } from './api.ts'
import { bridgeVerbs, isRegistration, readAdapter, readChanges, readOperation } from './protocol.ts'
import { type BridgeDispute, type BridgePayment, readDispute, readPayment } from './report-shapes.ts'

/** An adapter's reports of payments and disputes. It may support none of it: it then answers 404. */

/** Of an adapter that can be read; changes are not among them, because many adapters do not list any. */
export const tells = { lookup: totals, webhooks: totals } satisfies Tells

const states = { approved: 'done', pending: 'waiting', declined: 'declined', returned: 'declined' } as const

const movementOf = ({
  type,
  status,
  reference,
  request_id,
  amount,
  currency,
  reason,
  made_at,
}: BridgePayment['movements'][number]): Movement => ({
  verb: type,
  reference,
  // Without a request id it is certainly not ours.
  request_id: request_id ?? reference,
  amount: { amount, currency: currency as Currency },
  state: states[status],
  reason: typeof reason === 'string' ? plainText(reason) : null,
  at: parseTime(made_at),
})

const reportOf = ({
  reference,
  currency,
  authorized,
  captured,
  refunded,
  held,
  released,
  movements,
  disputes,
}: BridgePayment): PaymentReport => ({
  reference,
  currency: currency as Currency,
  authorized: authorized ?? null,
  captured: captured ?? null,
  refunded: refunded ?? null,
  held: held ?? null,
  released: released ?? null,
  movements: movements.map(movementOf),
  disputes: disputes ?? [],
})

const at = (path: string, account: Account) => getRequest(`${account.base_url}/v1${path}`, bearerOf(credentialOf(account)))

const paymentReply = readerOf(readPayment, readRefused)

export function* readWholePayment({ request_id }: PaymentQuestion, account: Account): Conversation<PaymentRead> {
  const reply = parseReply(yield at(`/payments/${encodeURIComponent(request_id)}`, account), [credentialOf(account)], paymentReply)
  if (reply.is === 'refused' && isUnsupported(reply.code)) return yield* whyNoPayment(account)
  if (reply.is !== 'answer') return failedQuestion(reply)
  return reply.answer.request_id === request_id
    ? { is: 'payment', report: reportOf(reply.answer) }
    : unknown('the response is for another payment')
}

/** Adapters that tell nothing but operations do not know the address. */
const isUnsupported = (code: string): boolean => code === 'not_found' || code === 'not_supported'

const adapterReply = readerOf(readAdapter, readRefused)

/** A 404 says that the payment is unknown only if the adapter reads payments. */
function* whyNoPayment(account: Account): Conversation<PaymentRead> {
  const reply = parseReply(yield at('', account), [credentialOf(account)], adapterReply)
  if (reply.is !== 'answer') return failedQuestion(reply)
  return { is: reply.answer.reads?.includes('payments') ? 'not_found' : 'unsupported' }
}

const changesReply = readerOf(readChanges, readRefused)

export function* listChanges({ since, until, page }: ChangesQuestion, account: Account): Conversation<ChangesRead> {
  const query = new URLSearchParams({ since, until, ...(page !== null && { cursor: page }) })
  const reply = parseReply(yield at(`/changes?${query}`, account), [credentialOf(account)], changesReply)
  if (reply.is === 'refused' && isUnsupported(reply.code)) return { is: 'unsupported' }
  if (reply.is !== 'answer') return failedQuestion(reply)
  return { is: 'changes', updates: reply.answer.changes.flatMap(one => updatesOf(one, listedNewsOf)), next: reply.answer.next ?? null }
}

const statuses = {
  opened: 'dispute_opened',
  challenged: 'dispute_challenged',
  accepted: 'dispute_accepted',
  expired: 'dispute_expired',
  cancelled: 'dispute_cancelled',
  won: 'dispute_won',
  lost: 'dispute_lost',
} as const satisfies Record<BridgeDispute['status'], DisputeStatus>

const disputeReportOf = ({ reference, stage, status, amount, currency, ...rest }: BridgeDispute): DisputeReport => ({
  reference,
  stage,
  status: statuses[status],
  said: status,
  amount: { amount, currency: currency as Currency },
  reason: rest.reason ?? null,
  reason_code: rest.reason_code ?? null,
  respond_by: parseTime(rest.respond_by),
  created: parseTime(rest.opened_at),
  updated: parseTime(rest.updated_at),
})

const ofAuthorization = ({ request_id }: { request_id: string }) => [{ request_id, verb: 'authorize' }] as const

const disputeReply = readerOf(readDispute, readRefused)

export function* readOneDispute(reference: string, account: Account): Conversation<DisputeRead> {
  const reply = parseReply(yield at(`/disputes/${encodeURIComponent(reference)}`, account), [credentialOf(account)], disputeReply)
  if (reply.is !== 'answer') return failedLookup(reply)
  if (reply.answer.reference !== reference) return unknown('the response is for another dispute')
  return { is: 'dispute', of: ofAuthorization(reply.answer), dispute: disputeReportOf(reply.answer) }
}

/** A notification, or an entry in the list of changes: it has one of three kinds. */
type Told = { operation?: unknown; payment?: unknown; dispute?: unknown }

function updatesOf(body: Told, ofOurs: typeof newsOf): WebhookUpdate[] {
  const operation = readOperation(body.operation)
  if (operation) return ofOurs({ request_id: operation.request_id }, outcomeOf(operation, bridgeVerbs[operation.type]))
  const payment = readPayment(body.payment)
  if (payment) return [{ is: 'payment', of: ofAuthorization(payment), report: reportOf(payment) }]
  const dispute = readDispute(body.dispute)
  return dispute ? [{ is: 'dispute', of: ofAuthorization(dispute), dispute: disputeReportOf(dispute) }] : []
}

export const verifyWebhook = signedIn('bridge-signature')

export function readWebhook(raw: Buffer): WebhookUpdate[] {
  const body = readJson(raw.toString())
  return isRecord(body) && body.version === 1 ? updatesOf(body, newsOf) : []
}

export function* register(url: string, account: Account): Conversation<Registered> {
  const key = credentialOf(account)
  const secret = account.webhook_secret!
  const request = jsonRequest('PUT', `${account.base_url}/v1/news`, bearerOf(key), { url, secret: secret.reveal() })
  const read = readerOf(body => (isRegistration(body, url) ? true : null), readRefused)
  const reply = parseReply(yield request, [key, secret], read)
  return reply.is === 'answer' ? { is: 'done', id: null } : failedWish(reply)
}
