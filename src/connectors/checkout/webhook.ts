import type { Account, OperationIdentifier, Outcome, OutcomeUpdate, Verb, WebhookUpdate } from '../connector.ts'
import { declinedWith } from '../kit/parse-reply.ts'
import { isId, isRecord, readJson } from '../kit/read.ts'
import { isHexHmac } from '../kit/signature.ts'
import { whyRefused } from './replies.ts'
import { reportTold } from './report.ts'

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
  const verb = Object.hasOwn(changes, type) ? changes[type] : undefined
  if (verb) return changed(type, verb, data)
  if (!isId(data.reference)) return []
  const request_id = data.reference
  const payment: OperationIdentifier = { request_id, verb: 'authorize' }
  const update: WebhookUpdate = { is: 'outcome', of: [payment, { request_id, verb: 'payout' }], outcome: 'ask' }
  // A debit that the payer's bank returned. Returned payouts have this event too; their request id is of no payment.
  const isReturn = type === 'payment_returned' && isId(data.id) && isId(data.action_id)
  return isReturn ? [update, { is: 'dispute', dispute: 'ask', reference: `${data.id}/${data.action_id}`, of: [payment] }] : [update]
}

/** An action that is none of ours is one of the dashboard, or the automatic capture of the payment. */
function changed(type: string, verb: Verb, data: Record<string, unknown>): WebhookUpdate[] {
  const ours = isId(data.reference) ? data.reference : null
  const action: OperationIdentifier[] = isId(data.action_id) ? [{ reference: data.action_id, verb }] : []
  const [first, ...others] = [...action, ...(ours === null ? [] : [{ request_id: ours, verb }])]
  const authorization: OperationIdentifier[] = ours === null ? [] : [{ request_id: ours, verb: 'authorize' }]
  const byId: OperationIdentifier[] = isId(data.id) ? [{ reference: data.id, verb: 'authorize' }] : []
  const [payment, ...names] = [...authorization, ...byId]
  if (!first || !payment) return []
  const of: OutcomeUpdate['of'] = [first, ...others]
  const whole: WebhookUpdate = { is: 'payment', of: [payment, ...names], report: reportTold(type, data) }
  switch (type) {
    case 'payment_capture_declined': {
      const failed = (reference: string | null) => declinedLate(type, 'The capture was declined.', reference)
      const ofPayment = failed(isId(data.id) ? data.id : null)
      return [{ is: 'outcome', of, outcome: failed(null), otherwise: { is: 'outcome', of: [payment, ...names], outcome: ofPayment } }]
    }
    // No later news of a refund says otherwise, though it may have been approved before.
    case 'payment_refund_declined': {
      const { code, message } = whyRefused(data, 'The refund was declined.')
      const outcome = declinedLate(code, message, isId(data.action_id) ? data.action_id : null)
      return [{ is: 'outcome', of, outcome, otherwise: whole }]
    }
    default:
      return [{ is: 'outcome', of, outcome: 'ask', otherwise: whole }]
  }
}

const declinedLate = (code: string, message: string, reference: string | null): Outcome => ({
  ...declinedWith('operation_declined', code, message, reference),
  after_yes: true,
})
