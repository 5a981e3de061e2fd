import type { Account, News, OperationIdentifier, Outcome, Verb } from '../connector.ts'
import { readJson } from '../kit/read.ts'
import { isHmac } from '../kit/signature.ts'
import { disputeNewsOf } from './disputes.ts'
import { declinedOf } from './outcomes.ts'
import { type AdyenNotificationItem, itemsOf, readItem, signedText } from './replies.ts'

/**
 * Verifies a notification. Each item is signed over its own fields (base64 HMAC-SHA256, the key in hex). If the
 * signature of one item is wrong, none is accepted.
 */
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

export function readWebhook(raw: Buffer): News[] {
  return itemsOf(readJson(raw.toString())).flatMap(fields => {
    const item = readItem(fields)
    if (!item) return []
    const dispute = disputeNewsOf(item, fields)
    return dispute ? [dispute] : newsOf(item)
  })
}

/** Returns the news in an item. An event code that is not listed says nothing about money. */
function newsOf(item: AdyenNotificationItem): News[] {
  const { eventCode, success, reference, request_id, amount, facts } = item
  const payment: OperationIdentifier[] = request_id === null ? [] : [{ request_id, verb: 'authorize' }]
  const payout: OperationIdentifier[] = request_id === null ? [] : [{ request_id, verb: 'payout' }]
  const modification = (verb: Verb): OperationIdentifier[] => [{ reference, verb }, ...(request_id === null ? [] : [{ request_id, verb }])]
  const yes: Outcome = { is: 'done', reference, request_id: null, amount, captured: null, facts }
  const no: Outcome = { ...declinedOf(item.refusal), code: 'operation_declined', reference, facts }
  switch (eventCode) {
    case 'AUTHORISATION':
      return news(payment, success ? { ...yes, request_id, captured: 'as asked' } : { ...declinedOf(item.refusal), reference, facts })
    case 'CAPTURE':
      return news(modification('capture'), success ? yes : no)
    // A payment that was captured at once has no capture operation of ours.
    case 'CAPTURE_FAILED':
      return news([...modification('capture'), ...payment], success ? { ...no, code_said: eventCode, after_yes: true } : null)
    case 'CANCELLATION':
    case 'TECHNICAL_CANCEL':
      return news(modification('void'), success ? yes : no)
    case 'AUTHORISATION_ADJUSTMENT':
      return news([...modification('increment'), ...modification('extend')], success ? yes : no)
    case 'CANCEL_OR_REFUND':
      return news(modification('post_capture_void'), success ? yes : no)
    case 'REFUND':
      return news(modification('refund'), success ? yes : no)
    case 'REFUND_FAILED':
    case 'REFUNDED_REVERSED':
      return news(
        [...modification('refund'), ...modification('post_capture_void')],
        success ? { ...no, code_said: eventCode, after_yes: true } : null,
      )
    case 'EXPIRE':
      return news(payment, success ? { is: 'lapsed', reference: item.acts_on ?? reference } : null)
    case 'PAYOUT_THIRDPARTY':
      return news(payout, success ? { ...yes, request_id } : no)
    case 'PAYOUT_DECLINE':
    case 'PAYOUT_EXPIRE':
      return news(payout, success ? { ...no, code_said: eventCode } : null)
    case 'PAIDOUT_REVERSED':
      return news(payout, success ? { ...no, code_said: eventCode, after_yes: true } : null)
    case 'RECURRING_CONTRACT':
      return learnt(payment, success ? item : null)
    case 'OFFER_CLOSED':
      return news(payment, success ? { is: 'declined', ...neverBack, reference, facts: {} } : null)
    default:
      return []
  }
}

/**
 * Returns Adyen's id of the saved payment method, or else the notification's own reference, which is the id of the
 * recurring contract.
 */
function learnt([first, ...others]: OperationIdentifier[], item: AdyenNotificationItem | null): News[] {
  if (first === undefined || item === null) return []
  const { connector_mandate_id = item.reference, connector_customer_id: customer } = item.facts
  const said = { connector_mandate_id, ...(customer !== undefined && { connector_customer_id: customer }) }
  return [{ of: [first, ...others], learnt: said }]
}

const neverBack = {
  code: 'authentication_failed',
  code_said: 'OFFER_CLOSED',
  said: 'The customer did not complete the payment in time.',
} as const

const news = ([first, ...others]: OperationIdentifier[], outcome: Outcome | null): News[] =>
  first === undefined || outcome === null ? [] : [{ of: [first, ...others], outcome }]
