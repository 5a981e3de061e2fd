// Stripe's webhook events: each contains the object as it stands when the event is sent, and is signed over its raw
// bytes.

import type { Account, Event } from '../books.ts'
import type { Dispute, Operation, Payment } from '../records.ts'
import { callersReference } from '../show-operation.ts'
import { signature as timed } from '../signature.ts'
import {
  documentOf,
  type Intent,
  type PaymentMethod,
  type RefundNote,
  refundId,
  type SetupIntent,
  type StripeTransferNote,
  seconds,
} from './stripe-documents.ts'
import { refundStatus, showRefund } from './stripe-refunds.ts'
import { attemptOf, setupAttempt, showCharge, showDispute, showIntent, showSetup, statusOf } from './stripe-show.ts'
import { showStripeTransfer } from './stripe-transfers.ts'

/** The API version of events, independent of the version that the merchant requests in calls. */
const eventVersion = '2026-10-28.endive'

const intentEvents: Record<string, string> = {
  succeeded: 'payment_intent.succeeded',
  requires_capture: 'payment_intent.amount_capturable_updated',
  requires_payment_method: 'payment_intent.payment_failed',
  requires_action: 'payment_intent.requires_action',
  processing: 'payment_intent.processing',
  canceled: 'payment_intent.canceled',
}

const setupEvents: Record<string, string> = {
  succeeded: 'setup_intent.succeeded',
  requires_action: 'setup_intent.requires_action',
  requires_payment_method: 'setup_intent.setup_failed',
  canceled: 'setup_intent.canceled',
}

/**
 * The events besides the one of an operation. A charge's are of its refunds and captures, ours or not; what is
 * let go of a hold is a refund.
 */
export function alsoTold({ type, status }: Operation, { phase, authorized }: Payment): string[] {
  if (status !== 'approved' || authorized === 0) return []
  if (type === 'refund' || type === 'void') return ['charge.refunded']
  if (type === 'capture') return phase === 'captured' ? ['charge.captured'] : []
  return type === 'authorization' && phase === 'expired' ? ['charge.expired'] : []
}

export const typeOf = (account: Account, event: Event): string => contentOf(account, event, '').type

function contentOf(account: Account, { operation, type, document }: Event, url: string): { type: string; object: object } {
  const payment = account.payments.get(operation.payment)!
  if (document !== undefined) return { type: type!, object: showDispute(account, documentOf<Dispute>(account, document, 'dispute')!) }
  if (type !== undefined) {
    const intent = documentOf<Intent>(account, payment.document!, 'payment_intent')!
    const attempt = { payment, authorization: account.operations.get(payment.id)! }
    return { type, object: showCharge(intent, attempt, { account, url, was: operation.payment_state }) }
  }
  if (operation.type === 'refund') {
    const refund = account.operations.get(operation.id) ?? operation
    const status = refundStatus(operation, payment)
    const note = documentOf<RefundNote>(account, refundId(refund.id), 'refund_note')
    const news = status === 'failed' ? 'refund.failed' : operation.created_at === operation.updated_at ? 'refund.created' : 'refund.updated'
    return { type: news, object: showRefund(refund, payment, note) }
  }
  const transfer = documentOf<StripeTransferNote>(account, payment.document!, 'transfer')
  if (transfer) {
    const object = showStripeTransfer(transfer, payment, operation)
    return { type: operation.status === 'returned' ? 'transfer.reversed' : 'transfer.created', object }
  }
  const setup = documentOf<SetupIntent>(account, payment.document!, 'setup_intent')
  if (setup) {
    const object = showSetup(setup, setupAttempt(account, setup), {
      url,
      type: documentOf<PaymentMethod>(account, setup.payment_method, 'payment_method')?.type,
    }) as { status: string }
    return { type: setupEvents[object.status] ?? 'setup_intent.created', object }
  }
  const intent = documentOf<Intent>(account, payment.document!, 'payment_intent')!
  const attempt = attemptOf(account, intent)
  const status = statusOf(intent, attempt)
  const failed = operation.status === 'declined' && operation.type !== 'authorization'
  return { type: failed ? 'payment_intent.updated' : intentEvents[status]!, object: showIntent(intent, attempt, { account, url }) }
}

export function showEvent(account: Account, event: Event, url: string): object {
  const { type, object } = contentOf(account, event, url)
  const connected = /@(acct_\w+)$/.exec(account.name)?.[1]
  return {
    id: event.id,
    object: 'event',
    ...(connected !== undefined && { account: connected }),
    api_version: eventVersion,
    created: seconds(event.created_at),
    data: { object },
    livemode: false,
    pending_webhooks: event.delivered ? 0 : 1,
    request: { id: null, idempotency_key: callersReference(event.operation) },
    type,
  }
}

/**
 * Returns the signature header. `t` is the time of sending. Stripe signs twice while a secret is being changed; the
 * sandbox signs once.
 */
export function signature(body: string, secret: string, t: number): Record<string, string> {
  return { 'stripe-signature': timed(body, secret, t) }
}
