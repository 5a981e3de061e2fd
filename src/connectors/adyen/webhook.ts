import type { Account, OperationIdentifier, Outcome, Verb, WebhookUpdate } from '../connector.ts'
import { doneWith } from '../kit/parse-reply.ts'
import { readJson } from '../kit/read.ts'
import { isHmac } from '../kit/signature.ts'
import { declinedOf } from './api.ts'
import { disputeUpdateOf } from './disputes.ts'
import { type AdyenNotificationItem, itemsOf, readItem, signedText } from './replies.ts'

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
    const item = readItem(fields)
    if (!item) return []
    const dispute = disputeUpdateOf(item, fields)
    return dispute ? [dispute] : updatesOf(item)
  })
}

/** An event code that is not listed says nothing about money. */
function updatesOf(item: AdyenNotificationItem): WebhookUpdate[] {
  const { eventCode, success, reference, request_id, amount, facts } = item
  const payment: OperationIdentifier[] = request_id === null ? [] : [{ request_id, verb: 'authorize' }]
  const payout: OperationIdentifier[] = request_id === null ? [] : [{ request_id, verb: 'payout' }]
  const modification = (verb: Verb): OperationIdentifier[] => [{ reference, verb }, ...(request_id === null ? [] : [{ request_id, verb }])]
  const yes = doneWith(reference, amount, { facts })
  const no: Outcome = { ...declinedOf(item.refusal), code: 'operation_declined', reference, facts }
  switch (eventCode) {
    case 'AUTHORISATION':
      return update(payment, success ? { ...yes, request_id, captured: 'as asked' } : { ...declinedOf(item.refusal), reference, facts })
    case 'CAPTURE':
      return update(modification('capture'), success ? yes : no)
    // A payment that was captured at once has no capture operation of ours.
    case 'CAPTURE_FAILED':
      return update([...modification('capture'), ...payment], success ? { ...no, processor_code: eventCode, after_yes: true } : null)
    case 'CANCELLATION':
    case 'TECHNICAL_CANCEL':
      return update(modification('void'), success ? yes : no)
    case 'AUTHORISATION_ADJUSTMENT':
      return update([...modification('increment'), ...modification('extend')], success ? yes : no)
    case 'CANCEL_OR_REFUND':
      return update(modification('post_capture_void'), success ? yes : no)
    case 'REFUND':
      return update(modification('refund'), success ? yes : no)
    case 'REFUND_FAILED':
    case 'REFUNDED_REVERSED':
      return update(
        [...modification('refund'), ...modification('post_capture_void')],
        success ? { ...no, processor_code: eventCode, after_yes: true } : null,
      )
    case 'EXPIRE':
      return update(payment, success ? { is: 'lapsed', reference: item.acts_on ?? reference } : null)
    case 'PAYOUT_THIRDPARTY':
      return update(payout, success ? { ...yes, request_id } : no)
    case 'PAYOUT_DECLINE':
    case 'PAYOUT_EXPIRE':
      return update(payout, success ? { ...no, processor_code: eventCode } : null)
    case 'PAIDOUT_REVERSED':
      return update(payout, success ? { ...no, processor_code: eventCode, after_yes: true } : null)
    case 'RECURRING_CONTRACT':
      return learnt(payment, success ? item : null)
    case 'OFFER_CLOSED':
      return update(payment, success ? { is: 'declined', ...neverBack, reference, facts: {} } : null)
    default:
      return []
  }
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

const update = ([first, ...others]: OperationIdentifier[], outcome: Outcome | null): WebhookUpdate[] =>
  first === undefined || outcome === null ? [] : [{ is: 'outcome', of: [first, ...others], outcome }]
