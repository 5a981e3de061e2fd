// A payment in Checkout.com's words, its actions, and its webhooks.

import { createHmac } from 'node:crypto'
import type { Account, Event } from '../books.ts'
import { mostOf } from '../processor.ts'
import type { Decline, Operation, Payment } from '../records.ts'
import { echoed } from '../show-operation.ts'

export const paymentIdOf = (id: string): string => id.replace('auth_', 'pay_')
export const actionIdOf = (id: string): string => `act_${id.replace('_', '')}`

/** response_code and response_summary of what the ledger has declined. */
const responses: Record<string, [code: string, summary: string]> = {
  card_declined: ['20005', 'Declined - Do Not Honour'],
  insufficient_funds: ['20051', 'Insufficient Funds'],
  lost_card: ['30041', 'Lost Card - Pick Up'],
  stolen_card: ['30043', 'Stolen Card - Pick Up'],
  expired_card: ['30033', 'Expired Card - Pick Up'],
  incorrect_cvc: ['20087', 'Bad Track Data'],
  processing_error: ['20096', 'System Malfunction'],
  avs_declined: ['20063', 'Security Violation'],
  authentication_required: ['20154', '3DS authentication required'],
  authentication_failed: ['20151', 'Cardholder failed 3DS authentication'],
}
function responseOf(decline: Decline | null): { response_code: string; response_summary: string } {
  const [response_code, response_summary] = decline === null ? ['10000', 'Approved'] : (responses[decline.code] ?? responses.card_declined!)
  return { response_code, response_summary }
}

function statusOf(payment: Payment, authorization: Operation): string {
  const { phase, authorized, captured, refunded } = payment
  if (authorization.decline?.code === 'authentication_expired') return 'Expired'
  if (authorization.decline?.code === 'voided') return 'Canceled'
  if (refunded > 0) return refunded >= captured ? 'Refunded' : 'Partially Refunded'
  if (captured > 0) return captured >= authorized ? 'Captured' : 'Partially Captured'
  if (authorization.status === 'approved' && payment.asked === 0) return 'Card Verified'
  const words = { pending: 'Pending', challenge: 'Pending', declined: 'Declined', open: 'Authorized', voided: 'Voided', expired: 'Expired' }
  return words[phase as keyof typeof words] ?? 'Authorized'
}

type Seen = { account: Account; url: string }

/** `at first`: as its request is answered, before anything was captured. */
export function show({ account, url }: Seen, payment: Payment, when: 'at first' | 'now'): object {
  const truly = account.operations.get(payment.id)!
  const authorization = echoed(truly, payment)
  const { id, status, amount, currency, reference, challenge, decline } = authorization
  const now = statusOf(payment, truly)
  const name = paymentIdOf(id)
  const self = { self: { href: `${url}/checkout/payments/${name}` } }
  const word = when === 'at first' && (now === 'Captured' || now === 'Partially Captured') ? 'Authorized' : now
  if (word === 'Pending') {
    const redirect = status === 'challenge' && { redirect: { href: `${url}/challenge/${id}/${challenge!.token}` } }
    return { id: name, status: word, reference, '3ds': { enrolled: 'Y', downgraded: false }, _links: { ...self, ...redirect } }
  }
  const captured = when === 'at first' ? 0 : payment.captured
  const open = payment.phase === 'open' || when === 'at first'
  const approved = status === 'approved'
  return {
    id: name,
    action_id: actionIdOf(id),
    amount: approved ? amount : payment.asked,
    currency,
    approved,
    status: word,
    reference,
    ...(when === 'at first' ? responseOf(decline) : { actions: [{ id: actionIdOf(id), type: 'Authorization', ...responseOf(decline) }] }),
    source: {
      ...(approved && payment.store && { id: id.replace('auth_', 'src_') }),
      ...(payment.method ? { type: payment.masked } : { type: 'card', bin: payment.masked.slice(0, 6), last4: payment.masked.slice(-4) }),
      ...(authorization.avs_result !== null && { avs_check: authorization.avs_result }),
      ...(authorization.cvc_result !== null && { cvv_check: authorization.cvc_result }),
    },
    ...(authorization.authorization_code !== null && { auth_code: authorization.authorization_code }),
    ...(authorization.network_transaction_id !== null && { scheme_id: authorization.network_transaction_id }),
    ...(authorization.eci !== null && { eci: authorization.eci }),
    ...(approved && {
      balances: {
        total_authorized: payment.authorized,
        total_voided: payment.phase === 'voided' ? payment.authorized - captured : 0,
        total_captured: captured,
        available_to_capture: open ? Math.max(0, mostOf(payment) - captured - payment.capturing) : 0,
        total_refunded: payment.refunded,
        available_to_refund: captured - payment.refunded - payment.refunding,
      },
    }),
    _links: self,
  }
}

const actions = { authorization: 'Authorization', capture: 'Capture', void: 'Void', refund: 'Refund' } as const

/** What has come of everything that was asked of a payment, the latest first. */
export function actionsOf(account: Account, payment: Payment): object[] {
  return [...account.operations.values()]
    .filter(one => one.payment === payment.id && one.type in actions && (one.status === 'approved' || one.status === 'declined'))
    .map(one => ({
      id: actionIdOf(one.id),
      type: actions[one.type as keyof typeof actions],
      processed_on: one.updated_at,
      amount: one.amount,
      approved: one.status === 'approved',
      ...responseOf(one.decline),
      reference: one.reference,
      ...(one.arn !== null && { processing: { acquirer_reference_number: one.arn } }),
    }))
    .reverse()
}

const events: Partial<Record<Operation['type'], Partial<Record<Operation['status'], string>>>> = {
  authorization: {
    approved: 'payment_approved',
    declined: 'payment_declined',
    pending: 'payment_pending',
    challenge: 'payment_pending',
    expired: 'payment_expired',
  },
  capture: { approved: 'payment_captured', declined: 'payment_capture_declined', pending: 'payment_capture_pending' },
  void: { approved: 'payment_voided', declined: 'payment_void_declined' },
  refund: { approved: 'payment_refunded', declined: 'payment_refund_declined', pending: 'payment_refund_pending' },
}

export const webhookFormat = {
  body(account: Account, { id, created_at, type, document, operation }: Event, url: string): object {
    const payment = account.payments.get(operation.payment)!
    const ofPayment = { id: paymentIdOf(payment.id), reference: operation.reference, amount: operation.amount, currency: payment.currency }
    return {
      id,
      type: type === undefined ? (events[operation.type]?.[operation.status] ?? 'payment_pending') : 'dispute_received',
      version: '1.0.0',
      created_on: created_at,
      data:
        type === undefined
          ? { ...ofPayment, action_id: actionIdOf(operation.id), ...responseOf(operation.decline) }
          : { id: document, payment_id: ofPayment.id },
      _links: { payment: { href: `${url}/checkout/payments/${ofPayment.id}` } },
    }
  },
  signed: (body: string, secret: string) => ({ 'cko-signature': createHmac('sha256', secret).update(body).digest('hex') }),
}
