// PayPal's webhooks: what each change of the ledger is called, what it shows, and how it is signed.

import { createHmac } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Account, Event } from '../books.ts'
import { iso } from '../context.ts'
import { needDispute } from '../disputes.ts'
import type { Operation, Payment } from '../records.ts'
import {
  isClaimed,
  noteOf,
  type OrderNote,
  type Seen,
  showCapture,
  showDispute,
  showHold,
  showItem,
  showOrder,
  showRefund,
  showSetup,
  showToken,
  vaultsOf,
} from './paypal-show.ts'

type EventType = [event_type: string, resource_type: string]
const events: Partial<Record<Operation['type'], Partial<Record<Operation['status'], EventType>>>> = {
  capture: {
    approved: ['PAYMENT.CAPTURE.COMPLETED', 'capture'],
    declined: ['PAYMENT.CAPTURE.DENIED', 'capture'],
    pending: ['PAYMENT.CAPTURE.PENDING', 'capture'],
  },
  void: { approved: ['PAYMENT.AUTHORIZATION.VOIDED', 'authorization'] },
  refund: {
    approved: ['PAYMENT.CAPTURE.REFUNDED', 'refund'],
    declined: ['PAYMENT.REFUND.FAILED', 'refund'],
    pending: ['PAYMENT.REFUND.PENDING', 'refund'],
  },
  payout: {
    approved: ['PAYMENT.PAYOUTS-ITEM.SUCCEEDED', 'payouts_item'],
    declined: ['PAYMENT.PAYOUTS-ITEM.FAILED', 'payouts_item'],
    pending: ['PAYMENT.PAYOUTS-ITEM.UNCLAIMED', 'payouts_item'],
    returned: ['PAYMENT.PAYOUTS-ITEM.REFUNDED', 'payouts_item'],
    expired: ['PAYMENT.PAYOUTS-ITEM.RETURNED', 'payouts_item'],
  },
}
function eventOf(order: OrderNote | null, { type, status }: Operation): EventType {
  const known = events[type]?.[status]
  if (known) return known
  if (order?.isSetup) return [status === 'approved' ? 'VAULT.PAYMENT-TOKEN.CREATED' : 'VAULT.PAYMENT-TOKEN.DELETED', 'payment_token']
  if (order?.intent === 'CAPTURE') return [status === 'approved' ? 'PAYMENT.CAPTURE.COMPLETED' : 'PAYMENT.CAPTURE.DENIED', 'capture']
  return [status === 'approved' && type !== 'extension' ? 'PAYMENT.AUTHORIZATION.CREATED' : 'PAYMENT.AUTHORIZATION.VOIDED', 'authorization']
}

function resourceOf(seen: Seen, order: OrderNote | null, payment: Payment, operation: Operation, kind: string): object {
  const { account } = seen
  if (kind === 'payouts_item' || !order) return showItem(account, operation, isClaimed(operation))
  if (kind === 'payment_token') {
    const [vault] = vaultsOf(account, order)
    return vault ? showToken(seen, order, vault) : showSetup(seen, order)
  }
  if (kind === 'refund') return showRefund(seen, operation)
  if (kind === 'capture') return showCapture(seen, order, payment, operation)
  return showHold(seen, order, payment, account.operations.get(payment.id)!)
}

export const webhookFormat = {
  body(account: Account, { id, created_at, type, document, operation }: Event, url: string): object {
    const seen = { account, url }
    const payment = account.payments.get(operation.payment)!
    const order = payment.document === undefined ? null : noteOf<OrderNote>(account, payment.document, 'paypal_order')
    const [event_type, resource_type] =
      type === undefined ? eventOf(order, operation) : [type, type.startsWith('CUSTOMER') ? 'dispute' : 'checkout-order']
    const resource =
      type === undefined
        ? resourceOf(seen, order, payment, operation, resource_type)
        : resource_type === 'dispute'
          ? showDispute(seen, needDispute(account, document!))
          : showOrder(seen, order!)
    return {
      id: `WH-${id.slice(-20)}`,
      event_version: '1.0',
      create_time: created_at,
      resource_type,
      event_type,
      summary: event_type,
      resource,
    }
  },
  /**
   * Returns the webhook's headers. PayPal signs with a certificate; the sandbox signs the same text with an HMAC keyed
   * by the webhook's id. Merchants ask PayPal to verify a signature.
   */
  signed(body: string, secret: string, t: number): Record<string, string> {
    const id = `sandbox-${t}`
    const time = iso(t * 1000)
    return {
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-cert-url': 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-sandbox',
      'paypal-transmission-id': id,
      'paypal-transmission-time': time,
      'paypal-transmission-sig': signatureOf(id, time, secret, body),
    }
  },
}

export const signatureOf = (id: string, time: string, webhook_id: string, body: string): string =>
  createHmac('sha256', webhook_id)
    .update(`${id}|${time}|${webhook_id}|${crc32(body)}`)
    .digest('base64')
