// Adyen's notifications: the results of payments and modifications. Each item is signed with the account's key over
// its own fields.

import { createHmac } from 'node:crypto'
import type { Account, Event } from '../books.ts'
import type { DeclineCode } from '../cards.ts'
import type { Dispute, Operation } from '../records.ts'
import { adjustmentNote, modificationNote, paymentNote, pspOf, storedIdOf } from './adyen-documents.ts'
import { methodNamed, nameOfMethod } from './adyen-methods.ts'
import { reasons, refusals } from './adyen-refusals.ts'
import { additionalData, refusalCodeOf } from './adyen-show.ts'

type Item = {
  eventCode: string
  success: boolean
  pspReference: string
  originalReference?: string
  merchantReference: string
  reason: string
  value: number
  additionalData: Record<string, string>
}

/** The event codes of captures and refunds that fail after they succeeded. */
const late: Record<string, string> = { capture_failed: 'CAPTURE_FAILED', refund_failed: 'REFUND_FAILED' }

export function showNotification(account: Account, event: Event): object {
  const { operation } = event
  const payment = account.payments.get(operation.payment)!
  const item = event.type === undefined ? itemOf(account, operation) : documentItemOf(account, event)
  const contract = contractItem(account, item, operation)
  // The notification of a stored payment method (RECURRING_CONTRACT) may arrive before that of its payment.
  const items = contract === null ? [item] : payment.method?.way === 'twint' ? [contract, item] : [item, contract]
  return { live: 'false', notificationItems: items.map(one => ({ NotificationRequestItem: itemShown(account, event, one) })) }
}

/**
 * Returns the item that announces a stored payment method, for methods that Adyen announces apart from the payment.
 */
function contractItem(
  account: Account,
  { eventCode, success, pspReference, merchantReference }: Item,
  { payment: of }: Operation,
): Item | null {
  const payment = account.payments.get(of)!
  const { shopper } = paymentNote(account, of)
  if (eventCode !== 'AUTHORISATION' || !success || !payment.store || shopper === null) return null
  if (methodNamed(payment.method?.way)?.again !== 'told apart') return null
  const id = storedIdOf(of)
  return {
    eventCode: 'RECURRING_CONTRACT',
    success: true,
    pspReference: id,
    originalReference: pspReference,
    merchantReference,
    reason: '',
    value: 0,
    additionalData: { 'recurring.recurringDetailReference': id, 'recurring.shopperReference': shopper, shopperReference: shopper },
  }
}

function itemShown(account: Account, { operation, created_at }: Event, item: Item): object {
  const payment = account.payments.get(operation.payment)!
  const { value, success, ...rest } = item
  const { merchantAccount } = paymentNote(account, operation.payment)
  const fields = { ...rest, merchantAccountCode: merchantAccount, amount: { currency: payment.currency, value }, success: String(success) }
  const secret = account.settings.webhook_secret
  const hmacSignature = secret === null ? {} : { hmacSignature: signatureOf(fields, secret) }
  return {
    ...fields,
    additionalData: { ...rest.additionalData, ...hmacSignature },
    eventDate: created_at,
    paymentMethod: payment.method ? nameOfMethod(payment.method) : 'visa',
    ...(rest.eventCode === 'AUTHORISATION' && success && { operations: ['CANCEL', 'CAPTURE', 'REFUND'] }),
  }
}

type Signed = Pick<Item, 'pspReference' | 'originalReference' | 'merchantReference' | 'eventCode'> & {
  merchantAccountCode: string
  amount: { currency: string; value: number }
  success: string
}

function signatureOf(item: Signed, key: string): string {
  const { pspReference, originalReference = '', merchantAccountCode, merchantReference, amount, eventCode, success } = item
  const text = [pspReference, originalReference, merchantAccountCode, merchantReference, amount.value, amount.currency, eventCode, success]
  return createHmac('sha256', Buffer.from(key, 'hex')).update(text.join(':')).digest('base64')
}

function itemOf(account: Account, operation: Operation): Item {
  if (operation.type === 'payout') return payoutItem(operation)
  if (operation.type === 'authorization') return authorizationItem(account, operation)
  const payment = account.payments.get(operation.payment)!
  const { reference, eventCode, action } = modificationNote(account, operation.id)
  const code = operation.decline?.code
  const isLate = code !== undefined && Object.hasOwn(late, code)
  return {
    eventCode: isLate ? late[code]! : eventCode,
    success: isLate || operation.status === 'approved',
    pspReference: pspOf(operation.id),
    originalReference: pspOf(payment.id),
    merchantReference: reference ?? payment.reference,
    reason: code === undefined ? '' : (reasons[code as DeclineCode] ?? ''),
    value: operation.amount,
    additionalData: {
      ...(action && { 'modification.action': action }),
      ...(operation.arn !== null && { arn: operation.arn }),
    },
  }
}

function payoutItem({ id, reference, amount, status, decline }: Operation): Item {
  const about = { pspReference: pspOf(id), merchantReference: reference, value: amount, additionalData: {} }
  if (status === 'returned') return { ...about, eventCode: 'PAIDOUT_REVERSED', success: true, reason: '' }
  if (status === 'expired') return { ...about, eventCode: 'PAYOUT_EXPIRE', success: true, reason: '' }
  if (decline?.code === 'payout_cancelled') return { ...about, eventCode: 'PAYOUT_DECLINE', success: true, reason: '' }
  const reason = decline ? (reasons[decline.code as DeclineCode] ?? 'Refused') : 'Approved'
  return { ...about, eventCode: 'PAYOUT_THIRDPARTY', success: status === 'approved', reason }
}

function authorizationItem(account: Account, operation: Operation): Item {
  const payment = account.payments.get(operation.payment)!
  const about = { pspReference: pspOf(operation.id), merchantReference: operation.reference, value: operation.amount }
  if (operation.decline?.code === 'authentication_expired' || operation.decline?.code === 'not_paid')
    return { ...about, eventCode: 'OFFER_CLOSED', success: true, reason: '', additionalData: {} }
  if (hasLapsed(operation)) return { ...about, eventCode: 'EXPIRE', success: true, reason: '', additionalData: {} }
  const reason = operation.decline
    ? refusals[refusalCodeOf(account, operation)]!.reason
    : `${operation.authorization_code}:${payment.masked.slice(-4)}:03/2030`
  const success = operation.status === 'approved'
  return { ...about, eventCode: 'AUTHORISATION', success, reason, additionalData: additionalData(account, operation, payment) }
}

/**
 * Whether a hold has lapsed. After a partial capture the rest of the hold lapses, and the ledger then calls the
 * payment captured.
 */
const hasLapsed = ({ payment_state: { status, captured, authorized } }: Operation): boolean =>
  status === 'expired' || (status === 'captured' && captured < authorized)

/**
 * Returns the item of an event that is not an operation of the ledger: an early success, a changed amount, a dispute.
 */
function documentItemOf(account: Account, { type, document, operation }: Event): Item {
  if (type === 'REPORT_AVAILABLE') return reportItem(account, operation, document!)
  const payment = account.payments.get(operation.payment)!
  const adjustment = adjustmentNote(account, document!)
  const dispute = account.documents.get(document!)
  if (dispute?.object === 'dispute') return disputeItem(account, type!, dispute as Dispute)
  const about = { eventCode: type!, success: true, reason: '', additionalData: {}, originalReference: pspOf(payment.id) }
  if (adjustment) {
    const { reference, value, success } = adjustment
    return { ...about, success, pspReference: adjustment.id, merchantReference: reference ?? payment.reference, value }
  }
  const own = operation.type === 'authorization' ? null : modificationNote(account, operation.id)
  return { ...about, pspReference: document!, merchantReference: own?.reference ?? payment.reference, value: operation.amount }
}

/** The announcement of a report: its name, and the address at which Adyen's Customer Area has it. */
function reportItem(account: Account, { payment }: Operation, name: string): Item {
  const { merchantAccount } = paymentNote(account, payment)
  const reason = `https://ca-test.adyen.com/reports/download/MerchantAccount/${merchantAccount}/${name}`
  return { eventCode: 'REPORT_AVAILABLE', success: true, pspReference: name, merchantReference: '', reason, value: 0, additionalData: {} }
}

/** The dispute status in notifications of these codes. Other notifications contain the current status. */
const disputeStatuses: Record<string, string> = {
  NOTIFICATION_OF_CHARGEBACK: 'Undefended',
  CHARGEBACK: 'Undefended',
  INFORMATION_SUPPLIED: 'Pending',
  CHARGEBACK_REVERSED: 'Won',
  PREARBITRATION_WON: 'Won',
  PREARBITRATION_LOST: 'Lost',
}

function disputeItem(account: Account, eventCode: string, dispute: Dispute): Item {
  const payment = account.payments.get(dispute.payment)!
  const now = {
    needs_response: 'Undefended',
    under_review: 'Pending',
    won: 'Won',
    lost: 'Lost',
    accepted: 'Accepted',
    expired: 'Expired',
    cancelled: 'Won',
  }
  const inquiry = eventCode === 'REQUEST_FOR_INFORMATION' ? 'Unresponded' : dispute.status === 'expired' ? 'Expired' : 'Responded'
  return {
    eventCode,
    success: true,
    pspReference: dispute.id,
    originalReference: pspOf(payment.id),
    merchantReference: payment.reference,
    reason: dispute.reason,
    value: dispute.amount,
    additionalData: {
      disputeStatus: dispute.stage === 'inquiry' ? inquiry : (disputeStatuses[eventCode] ?? now[dispute.status]),
      chargebackReasonCode: dispute.network_code,
      chargebackSchemeCode: 'visa',
      defensePeriodEndsAt: new Date(dispute.due_at).toISOString(),
      defendable: 'true',
    },
  }
}
