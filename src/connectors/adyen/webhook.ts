import type { Account, OperationIdentifier, Outcome, Verb, WebhookUpdate } from '../connector.ts'
import { doneWith } from '../kit/parse-reply.ts'
import { readJson } from '../kit/read.ts'
import { isHmac } from '../kit/signature.ts'
import type { Movement, PaymentReport } from '../payment-report.ts'
import { declinedOf } from './api.ts'
import { disputeUpdateOf } from './disputes.ts'
import { type AdyenNotificationItem, itemsOf, readItem, signedText } from './replies.ts'
import { announcedReport } from './reports.ts'

/** Each item is signed over its own fields (base64 HMAC-SHA256, key in hex). One wrong signature refuses all. */
export function verifyWebhook(raw: Buffer, _headers: Record<string, string | undefined>, account: Account): boolean {
  const items = itemsOf(readJson(raw.toString()))
  const secret = account.webhook_secret?.reveal() ?? ''
  if (items.length === 0 || !/^(?:[0-9a-f]{2})+$/i.test(secret)) return false
  const key = Buffer.from(secret, 'hex')
  let good = true
  for (const item of items) {
    const signed = signedText(item)
    if (signed === null || !isHmac(key, signed.text, Buffer.from(signed.signature, 'base64'))) good = false
  }
  return good
}

export function readWebhook(raw: Buffer): WebhookUpdate[] {
  return itemsOf(readJson(raw.toString())).flatMap(fields => {
    if (fields.eventCode === 'REPORT_AVAILABLE') return announcedReport(fields)
    const item = readItem(fields)
    if (!item) return []
    const dispute = disputeUpdateOf(item, fields)
    return dispute ? [dispute] : updatesOf(item)
  })
}

/** An event code that is not listed says nothing about money. */
function updatesOf(item: AdyenNotificationItem): WebhookUpdate[] {
  const { eventCode, success, reference, request_id, acts_on, amount, facts } = item
  const payment: OperationIdentifier[] = request_id === null ? [] : [{ request_id, verb: 'authorize' }]
  const payout: OperationIdentifier[] = request_id === null ? [] : [{ request_id, verb: 'payout' }]
  const modification = (verb: Verb): OperationIdentifier[] => [{ reference, verb }, ...(request_id === null ? [] : [{ request_id, verb }])]
  const yes = doneWith(reference, amount, { facts })
  const no: Outcome = { ...declinedOf(item.refusal), code: 'operation_declined', reference, facts }
  const takenBack: Outcome | null = success ? { ...no, processor_code: eventCode, after_yes: true } : null
  switch (eventCode) {
    case 'AUTHORISATION':
      return update(payment, success ? { ...yes, request_id, captured: 'as asked' } : { ...declinedOf(item.refusal), reference, facts })
    case 'CAPTURE':
      return update(modification('capture'), success ? yes : no, movedBy(item, 'capture'))
    // A payment that was captured at once has no capture operation of ours.
    case 'CAPTURE_FAILED':
      return update(modification('capture'), takenBack, update(payment, takenBack && { ...takenBack, reference: acts_on }))
    case 'CANCELLATION':
    case 'TECHNICAL_CANCEL':
      return update(modification('void'), success ? yes : no, movedBy(item, 'void'))
    case 'AUTHORISATION_ADJUSTMENT':
      return update([...modification('increment'), ...modification('extend')], success ? yes : no, movedBy(item, 'increment'))
    case 'CANCEL_OR_REFUND':
      return update(modification('post_capture_void'), success ? yes : no, movedBy(item, item.action === 'cancel' ? 'void' : 'refund'))
    case 'REFUND':
      return update(modification('refund'), success ? yes : no, movedBy(item, 'refund'))
    case 'REFUND_FAILED':
    case 'REFUNDED_REVERSED':
      return update([...modification('refund'), ...modification('post_capture_void')], takenBack, movedBy(item, 'refund'))
    case 'EXPIRE':
      return update(payment, success ? { is: 'lapsed', reference: acts_on ?? reference } : null)
    case 'PAYOUT_THIRDPARTY':
      return update(payout, success ? { ...yes, request_id } : no)
    case 'PAYOUT_DECLINE':
    case 'PAYOUT_EXPIRE':
      return update(payout, success ? { ...no, processor_code: eventCode } : null)
    case 'PAIDOUT_REVERSED':
      return update(payout, takenBack)
    case 'RECURRING_CONTRACT':
      return learnt(payment, success ? item : null)
    case 'OFFER_CLOSED':
      return update(payment, success ? { is: 'declined', ...neverBack, reference, facts: {} } : null)
    default:
      return []
  }
}

const failures = ['REFUND_FAILED', 'REFUNDED_REVERSED']

/**
 * A modification that is none of ours: one made in the Customer Area. Its `originalReference` is the payment's
 * pspReference, and its `merchantReference` the payment's, unless the person entered another.
 */
function movedBy(item: AdyenNotificationItem, verb: Movement['verb']): WebhookUpdate[] {
  const { eventCode, success, reference, request_id, acts_on, amount, reason, at } = item
  if (acts_on === null || (eventCode === 'CANCEL_OR_REFUND' && item.action === null)) return []
  const state = success && !failures.includes(eventCode) ? 'done' : 'declined'
  const isOver = verb === 'void' && state === 'done'
  const report: PaymentReport = {
    reference: acts_on,
    currency: amount.currency,
    ...{ authorized: null, captured: null, refunded: null, held: isOver ? 0 : null, released: isOver ? 'voided' : null },
    // A modification of ours would have our reference.
    movements: [{ verb, reference, request_id, amount, state, reason, at }],
    disputes: [],
  }
  const byPayment: OperationIdentifier = { reference: acts_on, verb: 'authorize' }
  // The reference that a person enters may be another payment's.
  return [{ is: 'payment', of: request_id === null ? [byPayment] : [byPayment, { request_id, verb: 'authorize' }], report }]
}

/** Without an id, the notification's own reference is the id of the recurring contract. */
function learnt([first, ...others]: OperationIdentifier[], item: AdyenNotificationItem | null): WebhookUpdate[] {
  if (first === undefined || item === null) return []
  const { connector_mandate_id = item.reference, connector_customer_id: customer } = item.facts
  const ids = { connector_mandate_id, ...(customer !== undefined && { connector_customer_id: customer }) }
  return [{ is: 'references', of: [first, ...others], references: ids }]
}

const neverBack = {
  code: 'authentication_failed',
  processor_code: 'OFFER_CLOSED',
  message: 'The customer did not complete the payment in time.',
} as const

function update([first, ...others]: OperationIdentifier[], outcome: Outcome | null, [otherwise]: WebhookUpdate[] = []): WebhookUpdate[] {
  if (first === undefined || outcome === null) return []
  return [{ is: 'outcome', of: [first, ...others], outcome, ...(otherwise && { otherwise }) }]
}
