// Checkout.com's webhooks, signed over their raw body.

import { createHmac } from 'node:crypto'
import type { Account, Event } from '../books.ts'
import { iso } from '../context.ts'
import { needDispute } from '../disputes.ts'
import type { Dispute, Operation } from '../records.ts'
import { actionIdOf, amountOf, named, paymentIdOf, responseOf, type Seen, showDispute } from './checkout-show.ts'

const events: Partial<Record<Operation['type'], Partial<Record<Operation['status'], string>>>> = {
  authorization: {
    approved: 'payment_approved',
    declined: 'payment_declined',
    pending: 'payment_pending',
    challenge: 'payment_pending',
    expired: 'payment_expired',
  },
  increment: { approved: 'payment_authorization_incremented', declined: 'payment_authorization_increment_declined' },
  capture: { approved: 'payment_captured', declined: 'payment_capture_declined', pending: 'payment_capture_pending' },
  void: { approved: 'payment_voided', declined: 'payment_void_declined' },
  refund: { approved: 'payment_refunded', declined: 'payment_refund_declined', pending: 'payment_refund_pending' },
  payout: {
    approved: 'payment_paid',
    declined: 'payment_declined',
    pending: 'payment_pending',
    returned: 'payment_returned',
    expired: 'payment_returned',
  },
}

/** The balances after an operation, as its webhook shows them however late it comes. */
function balancesThen({ type, status, payment_state: { status: phase, authorized, captured, refunded } }: Operation): object {
  if (!['capture', 'void', 'refund', 'increment'].includes(type) || status === 'pending') return {}
  const isOpen = phase === 'authorized' || phase === 'partially_captured'
  const left = authorized - captured
  const isVoided = type === 'void' && status === 'approved'
  return {
    balances: {
      total_authorized: authorized,
      total_voided: isVoided ? left : 0,
      available_to_void: isOpen ? left : 0,
      total_captured: captured,
      available_to_capture: isOpen ? left : 0,
      total_refunded: refunded,
      available_to_refund: captured - refunded,
    },
  }
}

function disputeBody({ account, url }: Seen, { id, created_at, type, operation }: Event, dispute: Dispute): object {
  const payment = account.payments.get(operation.payment)!
  const { category, amount, currency, reason_code, evidence_required_by } = showDispute({ account, url }, dispute)
  return {
    id,
    type,
    version: '1.0.6',
    timestamp: created_at,
    data: {
      ...{ id: dispute.id, date: iso(dispute.updated), category, amount, currency, reason_code },
      payment_id: paymentIdOf(payment.id),
      payment_action_id: actionIdOf(payment.id),
      payment_reference: payment.reference,
      ...(evidence_required_by !== undefined && { evidence_required_by }),
    },
  }
}

export const webhookFormat = {
  body(account: Account, event: Event, url: string): object {
    const { id, created_at, document, operation, type } = event
    if (document !== undefined && type !== 'payment_returned') return disputeBody({ account, url }, event, needDispute(account, document))
    const payment = account.payments.get(operation.payment)!
    const ofPayment = { id: paymentIdOf(payment.id), ...named(operation), amount: amountOf(account, operation), currency: payment.currency }
    if (document !== undefined) {
      const action_id = actionIdOf(document)
      return { id, type, version: '1.0.0', created_on: created_at, data: { ...ofPayment, action_id, response_code: '20051' } }
    }
    return {
      id,
      type: events[operation.type]?.[operation.status] ?? 'payment_pending',
      version: '1.0.0',
      created_on: created_at,
      data: {
        ...ofPayment,
        action_id: actionIdOf(operation.id),
        processed_on: operation.updated_at,
        ...responseOf(operation.decline),
        ...balancesThen(operation),
      },
      _links: { payment: { href: `${url}/checkout/payments/${ofPayment.id}` } },
    }
  },
  signed: (body: string, secret: string) => ({ 'cko-signature': createHmac('sha256', secret).update(body).digest('hex') }),
}
