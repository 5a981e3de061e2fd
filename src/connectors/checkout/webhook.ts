import type { Account, OperationIdentifier, Outcome, Verb, WebhookUpdate } from '../connector.ts'
import { declinedWith } from '../kit/parse-reply.ts'
import { isId, isRecord, readJson } from '../kit/read.ts'
import { isHexHmac } from '../kit/signature.ts'

/** HMAC-SHA256 of the raw body, in hex, without a time: a webhook may be outdated. */
export const verifyWebhook = (raw: Buffer, headers: Record<string, string | undefined>, { webhook_secret }: Account): boolean =>
  webhook_secret !== null && isHexHmac(webhook_secret.reveal(), raw, headers['cko-signature'])

const changes: Readonly<Record<string, Verb>> = {
  payment_captured: 'capture',
  payment_capture_declined: 'capture',
  payment_voided: 'void',
  payment_void_declined: 'void',
  payment_authorization_incremented: 'increment',
  payment_authorization_increment_declined: 'increment',
  payment_refunded: 'refund',
  payment_refund_declined: 'refund',
}

/** Webhooks may be outdated and only trigger a lookup, but a failed automatic capture is reported nowhere else. */
export function readWebhook(raw: Buffer): WebhookUpdate[] {
  const body = readJson(raw.toString())
  if (!isRecord(body) || typeof body.type !== 'string' || !isRecord(body.data)) return []
  const { type, data } = body
  if (type.startsWith('dispute_')) return isId(data.id) ? [{ is: 'dispute', dispute: 'ask', reference: data.id }] : []
  if (!type.startsWith('payment_')) return []
  const ours = isId(data.reference) ? data.reference : null
  const verb = Object.hasOwn(changes, type) ? changes[type] : undefined
  const names: OperationIdentifier[] = []
  if (verb && isId(data.action_id)) names.push({ reference: data.action_id, verb })
  if (verb && ours !== null) names.push({ request_id: ours, verb })
  if (ours !== null) names.push({ request_id: ours, verb: 'authorize' })
  if (!verb && ours !== null) names.push({ request_id: ours, verb: 'payout' })
  const [first, ...others] = names
  if (!first) return []
  const failed: Outcome = { ...declinedWith('operation_declined', type, 'The capture was declined.'), after_yes: true }
  const update: WebhookUpdate = { is: 'outcome', of: [first, ...others], outcome: type === 'payment_capture_declined' ? failed : 'ask' }
  // A debit that the payer's bank returned. Returned payouts have this event too; their request id is of no payment.
  const isReturn = type === 'payment_returned' && ours !== null && isId(data.id) && isId(data.action_id)
  if (!isReturn) return [update]
  return [
    update,
    { is: 'dispute', dispute: 'ask', reference: `${data.id}/${data.action_id}`, of: [{ request_id: ours, verb: 'authorize' }] },
  ]
}
