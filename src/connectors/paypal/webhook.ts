import type { Account, ChangesRead, Conversation, OperationIdentifier, Outcome, WebhookUpdate } from '../connector.ts'
import { failedQuestion, readerOf } from '../kit/parse-reply.ts'
import { isId, isRecord, readId, readJson } from '../kit/read.ts'
import type { ChangesQuestion } from '../payment-report.ts'
import { orderOfCapture } from './disputes.ts'
import { linkIn, list, readHold, readPaypalRefund, readRefused, readTaken, record, refundOutcome } from './replies.ts'
import { captureNews, paypalRefundNews, reversalNews, voidNews } from './report.ts'
import { sayToPaypal } from './requests.ts'

/** Signed with PayPal's certificate, and perhaps outdated: verified by a request, and the object is retrieved. */

const signing = {
  auth_algo: 'paypal-auth-algo',
  cert_url: 'paypal-cert-url',
  transmission_id: 'paypal-transmission-id',
  transmission_sig: 'paypal-transmission-sig',
  transmission_time: 'paypal-transmission-time',
}

const verdictReply = readerOf(
  body => (isRecord(body) && typeof body.verification_status === 'string' ? body.verification_status : null),
  readRefused,
)

/** The account's webhook secret is the webhook's ID at PayPal. */
export function verifyWebhook(raw: Buffer, headers: Record<string, string | undefined>, account: Account): boolean | Conversation<boolean> {
  const values = Object.entries(signing).map(([member, header]) => [member, headers[header]])
  const text = raw.toString()
  if (account.webhook_secret === null || values.some(([, value]) => !value) || !isRecord(readJson(text))) return false
  const members = { ...Object.fromEntries(values), webhook_id: account.webhook_secret.reveal() }
  return askPaypal(`${JSON.stringify(members).slice(0, -1)},"webhook_event":${text}}`, account)
}

/** `text`: the event's original bytes, because the signature covers their checksum. */
function* askPaypal(text: string, account: Account): Conversation<boolean> {
  const secrets = account.webhook_secret ? [account.webhook_secret] : []
  const reply = yield* sayToPaypal(account, '/v1/notifications/verify-webhook-signature', verdictReply, { text }, secrets)
  return reply.is === 'answer' && reply.answer === 'SUCCESS'
}

/** `otherwise`: what it is if none of the names is known. */
const saying = (
  outcome: Outcome | 'ask',
  otherwise: WebhookUpdate | undefined,
  ...names: (OperationIdentifier | null)[]
): WebhookUpdate[] => {
  const [first, ...others] = names.filter(name => name !== null)
  return first ? [{ is: 'outcome', of: [first, ...others], outcome, ...(otherwise && { otherwise }) }] : listed(otherwise)
}
const asking = (...names: (OperationIdentifier | null)[]): WebhookUpdate[] => saying('ask', undefined, ...names)
const listed = (update: WebhookUpdate | undefined): WebhookUpdate[] => (update ? [update] : [])
const newsWhere = <Piece>(piece: Piece | null, news: (piece: Piece) => WebhookUpdate | undefined): WebhookUpdate | undefined =>
  piece === null ? undefined : news(piece)
const ours = (id: unknown, verb: 'authorize' | 'capture' | 'refund' | 'payout') => (isId(id) ? { request_id: id, verb } : null)
const byReference = (id: unknown, verb: 'authorize' | 'capture' | 'refund' | 'payout') => (isId(id) ? { reference: id, verb } : null)

export function readWebhook(raw: Buffer): WebhookUpdate[] {
  const event = readJson(raw.toString())
  return isRecord(event) && isRecord(event.resource) ? eventUpdates(String(event.event_type), event.resource) : []
}

/** An unknown type gives none. */
function eventUpdates(type: string, resource: Record<string, unknown>): WebhookUpdate[] {
  const order = record(record(resource.supplementary_data).related_ids).order_id
  if (type === 'CHECKOUT.ORDER.APPROVED') {
    const of = byReference(resource.id, 'authorize')
    return of ? [{ is: 'return', of: [of], parameters: { token: of.reference } }] : []
  }
  if (type.startsWith('CHECKOUT.ORDER.')) return asking(byReference(resource.id, 'authorize'))
  const authorization = asking(ours(resource.custom_id, 'authorize'), byReference(order, 'authorize'))
  if (type === 'PAYMENT.AUTHORIZATION.VOIDED') return listed(newsWhere(readHold(resource), voidNews) ?? authorization[0])
  if (type.startsWith('PAYMENT.AUTHORIZATION.')) return authorization
  if (type === 'PAYMENT.CAPTURE.REFUNDED' || type.startsWith('PAYMENT.REFUND.')) {
    const refund = readPaypalRefund(resource)
    const result = refund ? refundOutcome(refund) : null
    // A refund that failed is final, also one that was done before.
    const outcome = result?.is === 'declined' ? result : 'ask'
    return saying(outcome, newsWhere(refund, paypalRefundNews), ours(resource.custom_id, 'refund'), byReference(resource.id, 'refund'))
  }
  if (type === 'PAYMENT.CAPTURE.REVERSED') return listed(reversalNews(resource))
  if (type.startsWith('PAYMENT.CAPTURE.')) {
    const otherwise = newsWhere(readTaken(resource), captureNews) ?? authorization[0]
    return saying('ask', otherwise, ours(resource.invoice_id, 'capture'), byReference(resource.id, 'capture'))
  }
  if (type.startsWith('PAYMENT.PAYOUTS-ITEM.')) return payoutUpdates(resource)
  if (type.startsWith('PAYMENT.PAYOUTSBATCH.')) return asking(byReference(record(resource.batch_header).payout_batch_id, 'payout'))
  if (type === 'VAULT.PAYMENT-TOKEN.CREATED') return vaultUpdates(resource)
  if (type.startsWith('CUSTOMER.DISPUTE.') && isId(resource.dispute_id))
    return [{ is: 'dispute', dispute: 'ask', reference: resource.dispute_id }]
  return []
}

/** The list of the account's events has those that could not be delivered. PayPal keeps them for 30 days. */
const EVENTS = '/v1/notifications/webhooks-events'
const PAGE = 100

const eventsReply = readerOf(body => {
  if (!isRecord(body)) return null
  const next = linkIn(body.links, 'next')
  const events = list(body.events)?.filter(isRecord)
  if (!events || (next !== undefined && typeof next !== 'string')) return null
  return { events, next: (next !== undefined && URL.parse(next, 'https://api-m.paypal.com')?.search.slice(1)) || null }
}, readRefused)

export function* listChanges({ since, until, page }: ChangesQuestion, account: Account): Conversation<ChangesRead> {
  const query = page ?? String(new URLSearchParams({ page_size: String(PAGE), start_time: since, end_time: until }))
  const reply = yield* sayToPaypal(account, `${EVENTS}?${query}`, eventsReply)
  if (reply.is !== 'answer') return failedQuestion(reply)
  const updates: WebhookUpdate[] = []
  for (const event of reply.answer.events) {
    const type = String(event.event_type)
    const found = eventUpdates(type, yield* named(type, record(event.resource), account))
    updates.push(...found.filter(update => isNews(type, update)))
  }
  return { is: 'changes', updates, next: reply.answer.next }
}

/** Polls find out the ordinary progress of our own operations. */
const isNews = (type: string, update: WebhookUpdate): boolean =>
  update.is !== 'outcome' ||
  update.outcome !== 'ask' ||
  update.otherwise?.is === 'payment' ||
  /\.(?:DENIED|DECLINED|FAILED|RETURNED|REVERSED|BLOCKED|CANCELED)$/.test(type)

/** The refund of an order that a button created names only its capture: the capture names the order. */
function* named(type: string, resource: Record<string, unknown>, account: Account): Conversation<Record<string, unknown>> {
  const refund = type === 'PAYMENT.CAPTURE.REFUNDED' && !isId(resource.custom_id) ? readPaypalRefund(resource) : null
  if (!refund || refund.of === null || refund.order !== null) return resource
  const order_id = yield* orderOfCapture(refund.of, account)
  return order_id === null ? resource : { ...resource, supplementary_data: { related_ids: { order_id, capture_id: refund.of } } }
}

/** Gives the batch id to a payout whose response was lost, and which is then looked up. */
function payoutUpdates({ payout_batch_id, payout_item }: Record<string, unknown>): WebhookUpdate[] {
  const item = ours(record(payout_item).sender_item_id, 'payout')
  const batch = byReference(payout_batch_id, 'payout')
  const named: WebhookUpdate[] =
    item && batch ? [{ is: 'outcome', of: [item], outcome: { is: 'waiting', reference: batch.reference } }] : []
  return [...named, ...asking(batch, item)]
}

function vaultUpdates({ id, customer, metadata }: Record<string, unknown>): WebhookUpdate[] {
  const of = byReference(record(metadata).order_id, 'authorize')
  const connector_customer_id = readId(record(customer).id)
  if (!of || !isId(id)) return []
  return [
    {
      is: 'references',
      of: [of],
      references: { connector_mandate_id: id, ...(connector_customer_id !== null && { connector_customer_id }) },
    },
  ]
}
