import type { Account, Conversation, OperationIdentifier, WebhookUpdate } from '../connector.ts'
import { readerOf } from '../kit/parse-reply.ts'
import { isId, isRecord, readId, readJson } from '../kit/read.ts'
import { readRefused, record } from './replies.ts'
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

const asking = (...names: (OperationIdentifier | null)[]): WebhookUpdate[] => {
  const [first, ...others] = names.filter(name => name !== null)
  return first ? [{ is: 'outcome', of: [first, ...others], outcome: 'ask' }] : []
}
const ours = (id: unknown, verb: 'authorize' | 'capture' | 'refund' | 'payout') => (isId(id) ? { request_id: id, verb } : null)
const byReference = (id: unknown, verb: 'authorize' | 'capture' | 'refund' | 'payout') => (isId(id) ? { reference: id, verb } : null)

export function readWebhook(raw: Buffer): WebhookUpdate[] {
  const event = readJson(raw.toString())
  if (!isRecord(event) || typeof event.event_type !== 'string' || !isRecord(event.resource)) return []
  const { event_type: type, resource } = event
  const order = record(record(resource.supplementary_data).related_ids).order_id
  if (type === 'CHECKOUT.ORDER.APPROVED') {
    const of = byReference(resource.id, 'authorize')
    return of ? [{ is: 'return', of: [of], parameters: { token: of.reference } }] : []
  }
  if (type.startsWith('CHECKOUT.ORDER.')) return asking(byReference(resource.id, 'authorize'))
  if (type.startsWith('PAYMENT.AUTHORIZATION.')) return asking(ours(resource.custom_id, 'authorize'), byReference(order, 'authorize'))
  if (type === 'PAYMENT.CAPTURE.REFUNDED' || type.startsWith('PAYMENT.REFUND.'))
    return asking(ours(resource.custom_id, 'refund'), byReference(resource.id, 'refund'))
  if (type.startsWith('PAYMENT.CAPTURE.'))
    return asking(
      ours(resource.invoice_id, 'capture'),
      byReference(resource.id, 'capture'),
      ours(resource.custom_id, 'authorize'),
      byReference(order, 'authorize'),
    )
  if (type.startsWith('PAYMENT.PAYOUTS-ITEM.')) return payoutUpdates(resource)
  if (type.startsWith('PAYMENT.PAYOUTSBATCH.')) return asking(byReference(record(resource.batch_header).payout_batch_id, 'payout'))
  if (type === 'VAULT.PAYMENT-TOKEN.CREATED') return vaultUpdates(resource)
  if (type.startsWith('CUSTOMER.DISPUTE.') && isId(resource.dispute_id))
    return [{ is: 'dispute', dispute: 'ask', reference: resource.dispute_id }]
  return []
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
