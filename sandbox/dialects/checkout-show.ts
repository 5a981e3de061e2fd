// Payments in Checkout.com's format, with their actions and disputes.

import type { Account } from '../books.ts'
import { iso } from '../context.ts'
import { disputesOf } from '../disputes.ts'
import { type Effect, mostOf } from '../processor.ts'
import type { Decline, Dispute, Operation, Payment } from '../records.ts'
import { callersReference, echoed } from '../show-operation.ts'

export const paymentIdOf = (id: string): string => id.replace(/^(?:auth|pout)_/, 'pay_')
export const actionIdOf = (id: string): string => `act_${id.replace('_', '')}`

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
export function responseOf(decline: Decline | null): { response_code: string; response_summary: string } {
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
  const statuses = {
    pending: 'Pending',
    challenge: 'Pending',
    declined: 'Declined',
    open: 'Authorized',
    voided: 'Voided',
    expired: 'Expired',
  }
  return statuses[phase as keyof typeof statuses] ?? 'Authorized'
}

export type Seen = { account: Account; url: string }

const payoutStatuses: Partial<Record<Operation['status'], string>> = {
  approved: 'Paid',
  declined: 'Declined',
  returned: 'Returned',
  expired: 'Returned',
}

/** Shows the receipt of a payout, whose result follows later. */
export const showReceipt = (url: string, { id, reference, created_at }: Operation): object => ({
  id: paymentIdOf(id),
  status: 'Pending',
  reference,
  instruction: { value_date: created_at },
  _links: { self: { href: `${url}/checkout/payments/${paymentIdOf(id)}` } },
})

function showPayout({ account, url }: Seen, payment: Payment): object {
  const truly = account.operations.get(payment.id)!
  const { id, status, amount, currency, reference, decline, created_at } = echoed(truly, payment)
  return {
    ...showReceipt(url, truly),
    id: paymentIdOf(id),
    requested_on: created_at,
    source: { type: 'currency_account' },
    destination: { type: payment.to === 'card' ? 'card' : 'bank_account' },
    ...{ amount, currency, reference },
    status: payoutStatuses[status as Operation['status']] ?? 'Pending',
    approved: status === 'approved',
    ...(status === 'declined' && responseOf(decline)),
  }
}

/** Shows a payment. `at first`: as in the answer to its request, before any capture. */
export function show(seen: Seen, payment: Payment, when: 'at first' | 'now'): object {
  if (payment.to !== undefined) return showPayout(seen, payment)
  const { account, url } = seen
  const truly = account.operations.get(payment.id)!
  const authorization = echoed(truly, payment)
  const { id, status, amount, currency, reference, challenge, decline } = authorization
  const now = statusOf(payment, truly)
  const name = paymentIdOf(id)
  const self = { self: { href: `${url}/checkout/payments/${name}` } }
  const word = when === 'at first' && (now === 'Captured' || now === 'Partially Captured') ? 'Authorized' : now
  if (word === 'Pending') {
    const redirect = status === 'challenge' && { redirect: { href: `${url}/challenge/${id}/${challenge!.token}` } }
    const by = payment.method ? { source: { type: payment.masked } } : { '3ds': { enrolled: 'Y', downgraded: false } }
    return { id: name, status: word, reference, ...by, _links: { ...self, ...redirect } }
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
    ...(approved && { balances: balancesOf(payment, captured, open) }),
    _links: self,
  }
}

/** The merchant's reference of an operation; an action of the dashboard has none. */
export const named = (operation: Operation): { reference?: string } => {
  const reference = callersReference(operation)
  return reference === null ? {} : { reference }
}

function balancesOf(payment: Payment, captured: number, open: boolean): object {
  return {
    total_authorized: payment.authorized,
    total_voided: payment.phase === 'voided' ? payment.authorized - captured : 0,
    total_captured: captured,
    available_to_capture: open ? Math.max(0, mostOf(payment) - captured - payment.capturing) : 0,
    total_refunded: payment.refunded,
    available_to_refund: captured - payment.refunded - payment.refunding,
  }
}

const actions = { authorization: 'Authorization', increment: 'Authorization', capture: 'Capture', void: 'Void', refund: 'Refund' } as const

/** Shows a debit that the customer's bank took back, as an action of its payment. */
const showReturn = ({ id, amount, created }: Dispute): object => ({
  id: actionIdOf(id),
  type: 'Return',
  processed_on: iso(created),
  amount,
  approved: true,
  ...{ response_code: '20051', response_summary: 'Insufficient Funds' },
})
export const isDebit = (payment: Payment): boolean => payment.method?.family === 'bank_debit'

/** The ledger stores the new total of an increase; Checkout.com shows the difference from the amount held before. */
export function amountOf(account: Account, operation: Operation): number {
  if (operation.type !== 'increment') return operation.amount
  const all = [...account.operations.values()]
  const isHold = ({ payment, type, status }: Operation) =>
    payment === operation.payment && status === 'approved' && (type === 'authorization' || type === 'increment')
  const before = all.slice(
    0,
    all.findIndex(({ id }) => id === operation.id),
  )
  return operation.amount - (before.findLast(isHold)?.amount ?? 0)
}

/** The capture that follows an automatic payment by itself, under the payment's own reference. */
const showAutomatic = ({ id, updated_at, amount, reference }: Operation): object => ({
  id: actionIdOf(id.replace('auth_', 'cap_')),
  type: 'Capture',
  processed_on: updated_at,
  ...{ amount, approved: true, ...responseOf(null), reference },
})

/** Returns all actions of a payment, the latest first. */
export function actionsOf(account: Account, payment: Payment): object[] {
  const returns = isDebit(payment) ? disputesOf(account, payment.id).map(showReturn) : []
  const asked = [...account.operations.values()]
    .filter(one => one.payment === payment.id && one.type in actions && (one.status === 'approved' || one.status === 'declined'))
    .flatMap(one => [
      {
        id: actionIdOf(one.id),
        type: actions[one.type as keyof typeof actions],
        processed_on: one.updated_at,
        amount: amountOf(account, one),
        approved: one.status === 'approved',
        ...responseOf(one.decline),
        ...named(one),
        ...(one.arn !== null && { processing: { acquirer_reference_number: one.arn } }),
      },
      ...(one.type === 'authorization' && payment.capture === 'automatic' && payment.captured > 0 ? [showAutomatic(one)] : []),
    ])
    .reverse()
  return [...returns, ...asked]
}

/** Shows the result of an increase of the authorized amount by `amount`. */
export function showRaised(url: string, { payment, operations: [raised] }: Effect, amount: number): object {
  const self = `${url}/checkout/payments/${paymentIdOf(payment.id)}`
  const approved = raised.status === 'approved'
  return {
    action_id: actionIdOf(raised.id),
    ...{ amount, currency: payment.currency, approved, status: approved ? 'Authorized' : 'Declined' },
    ...responseOf(raised.decline),
    reference: raised.reference,
    processed_on: raised.updated_at,
    balances: { total_authorized: payment.authorized, total_captured: 0, available_to_capture: payment.authorized },
    _links: { self: { href: self }, actions: { href: `${self}/actions` } },
  }
}

const disputeStatuses: Record<Dispute['status'], string> = {
  needs_response: 'evidence_required',
  under_review: 'evidence_under_review',
  won: 'won',
  lost: 'lost',
  accepted: 'accepted',
  expired: 'expired',
  cancelled: 'canceled',
}
const atScheme: Partial<Record<Dispute['status'], string>> = {
  needs_response: 'arbitration_under_review',
  under_review: 'arbitration_under_review',
  won: 'arbitration_won',
  lost: 'arbitration_lost',
}
const categories: Record<string, string> = {
  fraudulent: 'fraudulent',
  product_not_received: 'product_service_not_received',
  product_unacceptable: 'not_as_described',
  duplicate: 'duplicate',
  subscription_canceled: 'canceled_recurring',
}

export function showDispute({ account, url }: Seen, dispute: Dispute) {
  const { id, stage, status, amount, reason, network_code, due_at, created, updated } = dispute
  const payment = account.payments.get(dispute.payment)!
  const self = `${url}/checkout/disputes/${id}`
  return {
    id,
    category: categories[reason] ?? 'general',
    amount,
    currency: payment.currency,
    reason_code: network_code,
    status: (stage === 'second_chargeback' && atScheme[status]) || disputeStatuses[status],
    ...(status === 'needs_response' && { evidence_required_by: iso(due_at) }),
    received_on: iso(created),
    last_update: iso(updated),
    payment: {
      id: paymentIdOf(payment.id),
      action_id: actionIdOf(payment.id),
      amount: payment.captured,
      currency: payment.currency,
      method: 'Visa',
      has_refund: payment.refunded > 0,
    },
    _links: { self: { href: self }, evidence: { href: `${self}/evidence` } },
  }
}

/** A dispute in the list, which says less than the dispute itself. */
export function showListedDispute(seen: Seen, dispute: Dispute) {
  const { payment, _links, ...listed } = showDispute(seen, dispute)
  const { reference } = seen.account.payments.get(dispute.payment)!
  const about = {
    payment_id: payment.id,
    payment_action_id: payment.action_id,
    payment_reference: reference,
    payment_method: payment.method,
  }
  return { ...listed, ...about, _links: { self: _links.self } }
}
