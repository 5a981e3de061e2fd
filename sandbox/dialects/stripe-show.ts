// Shows Stripe's objects. The amounts of an intent and its charge are read from the ledger.

import type { Account } from '../books.ts'
import { mostOf } from '../processor.ts'
import type { Dispute, Operation, Payment, PaymentState } from '../records.ts'
import { takesSeveralCaptures } from './stripe-cards.ts'
import {
  chargeId,
  documentOf,
  type Intent,
  type PaymentMethod,
  type SetupIntent,
  type StripeDocument,
  seconds,
} from './stripe-documents.ts'
import type { Form } from './stripe-form.ts'
import { actionOf, type MethodName, methodError, rowOf } from './stripe-methods.ts'
import { refundStatus, refundsOf, refundsShown, releasedOf } from './stripe-refunds.ts'
import { cardError } from './stripe-refusals.ts'

export type Attempt = { payment: Payment; authorization: Operation }

export function attemptOf(account: Account, { attempts }: Intent): Attempt | null {
  const id = attempts.at(-1)
  return id === undefined ? null : { payment: account.payments.get(id)!, authorization: account.operations.get(id)! }
}

const phases = {
  pending: 'processing',
  challenge: 'requires_action',
  declined: 'requires_payment_method',
  open: 'requires_capture',
  captured: 'succeeded',
  voided: 'canceled',
  expired: 'canceled',
} as const satisfies Record<Payment['phase'], string>

export function statusOf(intent: Intent, attempt: Attempt | null): string {
  if (attempt && attempt.payment.captured > 0 && attempt.payment.phase !== 'open') return 'succeeded'
  if (intent.canceled) return 'canceled'
  if (!attempt) return intent.payment_method === null ? 'requires_payment_method' : 'requires_confirmation'
  if (attempt.authorization.status === 'declined') return 'requires_payment_method'
  return attempt.payment.closing ? 'processing' : phases[attempt.payment.phase]
}

export const leftToCapture = ({ phase, authorized, captured, capturing }: Payment): number =>
  phase === 'open' ? authorized - captured - capturing : 0

/** `expand`: the paths of what is shown whole. `was`: the totals of an event, which shows its object as it was. */
export type Sight = { account: Account; url: string; expand?: readonly string[]; was?: PaymentState }

/** Returns the paths within a member; null if the member is not to be shown whole. */
export function within(member: string, paths: readonly string[] = []): string[] | null {
  const found = paths.filter(path => path === member || path.startsWith(`${member}.`))
  return found.length === 0 ? null : found.filter(path => path !== member).map(path => path.slice(member.length + 1))
}

export function showIntent(intent: Intent, attempt: Attempt | null, sight: Sight): object {
  const {
    attempts: _attempts,
    allowed: _allowed,
    mandate_data: _mandate,
    generated: _generated,
    return_url: _address,
    network: _network,
    levels: _levels,
    moto: _moto,
    installments: _installments,
    threeDsResult: _result,
    canceled,
    charged: _charged,
    multicapture: _multi,
    incremental: _more,
    extended: _longer,
    overcapture: _over,
    three_ds,
    ...plain
  } = intent
  const status = statusOf(intent, attempt)
  const declined = status === 'requires_payment_method' ? (attempt?.authorization.decline ?? null) : null
  const charged = attempt && hasCharge(attempt)
  const lapsed = attempt?.payment.phase === 'expired' && status === 'canceled'
  const method = documentOf<PaymentMethod>(sight.account, intent.payment_method, 'payment_method')
  const type = method?.type ?? 'card'
  const inner = within('latest_charge', sight.expand)
  return {
    ...plain,
    amount_capturable: attempt ? leftToCapture(attempt.payment) : 0,
    amount_received: attempt?.payment.captured ?? 0,
    canceled_at: canceled?.at ?? (lapsed ? seconds(attempt.authorization.updated_at) : null),
    cancellation_reason: canceled?.reason ?? (lapsed ? 'automatic' : null),
    automatic_payment_methods: null,
    confirmation_method: 'automatic',
    customer: intent.customer ?? null,
    last_payment_error: declined && {
      ...methodError(declined, method?.fails_as),
      ...(charged && { charge: chargeId(attempt.payment.id) }),
    },
    latest_charge: charged
      ? inner === null
        ? chargeId(attempt.payment.id)
        : showCharge(intent, attempt, { ...sight, expand: inner })
      : null,
    livemode: false,
    next_action: status === 'requires_action' ? nextAction(intent, attempt!.authorization, sight, method?.type) : null,
    on_behalf_of: intent.on_behalf_of ?? null,
    // After a decline, the intent has no payment method any more.
    payment_method: declined ? null : plain.payment_method,
    payment_method_options: method?.type
      ? { [type]: {} }
      : { card: { request_three_d_secure: three_ds, installments: showInstallments(intent), network: intent.network ?? null } },
    payment_method_types: [type],
    processing: null,
    receipt_email: null,
    setup_future_usage: intent.setup_future_usage ?? null,
    shipping: null,
    status,
  }
}

const showInstallments = ({ installments: count }: Intent) =>
  count === undefined ? null : { enabled: true, plan: { count, interval: 'month', type: 'fixed_count' } }

/** Whether an attempt has a charge. A payment that never reached the issuer has none. */
const hasCharge = ({ authorization }: Attempt): boolean =>
  authorization.status === 'approved' ||
  (authorization.status === 'declined' &&
    !['authentication_failed', 'authentication_expired', 'voided'].includes(authorization.decline!.code))

function nextAction(
  { return_url }: Pick<Intent, 'return_url'>,
  operation: Operation,
  { url }: Pick<Sight, 'url'>,
  type?: MethodName,
): object {
  const { id, challenge } = operation
  const page = `${url}/challenge/${id}/${challenge!.token}`
  if (type !== undefined) return actionOf(type, operation, page, return_url)
  if (return_url === null) return { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: page } }
  return { type: 'redirect_to_url', redirect_to_url: { url: page, return_url } }
}

const checks = { Y: 'pass', N: 'fail', M: 'pass', P: 'unchecked', U: 'unavailable' } as const
const check = (result: string | null): string | null => (result === null ? null : (checks[result as 'Y'] ?? 'unavailable'))

/** The totals of a charge. `amount_refunded` contains what was let go of the hold. */
function totalsOf({ account, was }: Sight, payment: Payment) {
  const given = refundsOf(account, payment.id).filter(refund => refundStatus(refund, payment) === 'succeeded')
  const isOpen = was?.status === 'authorized' || was?.status === 'partially_captured'
  const now = { refunded: given.reduce((sum, { amount }) => sum + amount, 0), captured: payment.captured, authorized: payment.authorized }
  const { refunded, captured, authorized } = was ?? now
  const phase = was === undefined ? payment.phase : isOpen ? 'open' : 'captured'
  return { amount_captured: captured, amount_refunded: refunded + releasedOf({ phase, authorized, captured }) }
}

export function showCharge(intent: Intent, { payment, authorization }: Attempt, sight: Sight): object {
  const { account } = sight
  const method = documentOf<PaymentMethod>(account, intent.payment_method, 'payment_method')
  const error = authorization.decline && methodError(authorization.decline, method?.fails_as)
  const disputed = [...account.documents.values()].some(
    one => (one as StripeDocument).object === 'dispute' && (one as Dispute).payment === payment.id,
  )
  const totals = totalsOf(sight, payment)
  const refunds = within('refunds', sight.expand)
  const amount = authorization.decline ? payment.asked : payment.authorized
  return {
    id: chargeId(payment.id),
    object: 'charge',
    amount,
    ...totals,
    balance_transaction: payment.captured > 0 ? `txn_${payment.id.slice(5)}` : null,
    billing_details: billedTo(method?.name ?? null, method?.billing ?? {}),
    captured: totals.amount_captured > 0,
    created: seconds(authorization.created_at),
    currency: intent.currency,
    description: intent.description,
    disputed,
    failure_code: error?.code ?? null,
    failure_message: error?.message ?? null,
    livemode: false,
    metadata: intent.charged ?? intent.metadata,
    outcome: {
      advice_code: error?.advice_code ?? null,
      network_advice_code: error?.network_advice_code ?? null,
      network_decline_code: error?.network_decline_code ?? null,
      network_status: error ? 'declined_by_network' : 'approved_by_network',
      reason: error ? (error.decline_code ?? error.code ?? null) : null,
      risk_level: 'normal',
      seller_message: error ? 'The bank did not return any further details with this decline.' : 'Payment complete.',
      type: error ? 'issuer_declined' : 'authorized',
    },
    paid: !error,
    payment_intent: intent.id,
    payment_method: intent.payment_method,
    payment_method_details: method?.type
      ? {
          type: method.type,
          [method.type]: { ...(method.last4 !== '' && { last4: method.last4 }), ...generatedIn(intent, authorization, method.type) },
        }
      : { type: 'card', card: cardDetails(intent, { payment, authorization }, method) },
    refunded: totals.amount_refunded > 0 && totals.amount_refunded >= amount,
    ...(refunds && { refunds: latest(refundsShown(account, payment, refunds), `/v1/charges/${chargeId(payment.id)}/refunds`) }),
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: error ? 'failed' : 'succeeded',
  }
}

/** Within an object, a list shows its latest ten. */
const latest = (data: object[], url: string): object => ({ object: 'list', data: data.slice(0, 10), has_more: data.length > 10, url })

/** Returns the SEPA debit that a bank payment leaves behind; null until the payment succeeds. */
const generatedIn = ({ generated }: Pick<Intent, 'generated'>, { status }: Operation, type: MethodName) =>
  rowOf(type)?.again === 'sepa_debit' ? { generated_sepa_debit: status === 'approved' ? (generated ?? null) : null } : {}

function cardDetails(intent: Intent, { payment, authorization }: Attempt, method: PaymentMethod | undefined): object {
  const { eci, network_transaction_id, authorization_code, avs_result, cvc_result, status } = authorization
  const frictionless = intent.three_ds !== 'automatic' && eci !== '05'
  const authenticated = eci === '05' || (frictionless && status === 'approved')
  return {
    amount_authorized: payment.authorized || null,
    authorization_code,
    brand: method?.brand ?? 'unknown',
    ...(payment.hold_until !== null && { capture_before: seconds(payment.hold_until) }),
    checks: {
      address_line1_check: avs_result === 'A' ? 'pass' : check(avs_result),
      address_postal_code_check: avs_result === 'A' ? 'fail' : check(avs_result),
      cvc_check: check(cvc_result),
    },
    country: 'US',
    exp_month: method?.exp_month ?? null,
    exp_year: method?.exp_year ?? null,
    extended_authorization: { status: intent.extended === 'if_available' && intent.capture_method === 'manual' ? 'enabled' : 'disabled' },
    funding: 'credit',
    incremental_authorization: { status: isIncremental(intent) ? 'available' : 'unavailable' },
    last4: payment.masked.slice(-4),
    multicapture: { status: isMulticapture(intent, method) ? 'available' : 'unavailable' },
    network: payment.network ?? method?.brand ?? null,
    network_transaction_id,
    overcapture: { maximum_amount_capturable: mostOf(payment), status: mostOf(payment) > payment.authorized ? 'available' : 'unavailable' },
    three_d_secure: authenticated
      ? {
          authentication_flow: frictionless ? 'frictionless' : 'challenge',
          electronic_commerce_indicator: '05',
          exemption_indicator: null,
          result: 'authenticated',
          result_reason: null,
          transaction_id: null,
          version: '2.2.0',
        }
      : null,
    wallet: null,
  }
}

export const isIncremental = (intent: Intent): boolean => intent.incremental === 'if_available' && intent.capture_method === 'manual'

export const isMulticapture = (intent: Intent, method: PaymentMethod | undefined): boolean =>
  intent.multicapture === 'if_available' && method !== undefined && takesSeveralCaptures(method.brand)

const noAddress = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null }
const billedTo = (name: string | null, { address, email, phone }: Form) => ({
  address: address === undefined ? null : { ...noAddress, ...(address as Form) },
  email: email ?? null,
  name,
  phone: phone ?? null,
})

export function showMethod({
  card: _card,
  masked,
  last4,
  brand,
  exp_month,
  exp_year,
  cvc,
  name,
  billing = {},
  customer = null,
  type,
  fails_as: _fails_as,
  ...plain
}: PaymentMethod): object {
  if (type !== undefined)
    return {
      ...plain,
      allow_redisplay: 'unspecified',
      billing_details: billedTo(name, billing),
      [type]: { ...(last4 !== '' && { last4 }) },
      customer,
      livemode: false,
      type,
    }
  return {
    ...plain,
    allow_redisplay: 'unspecified',
    billing_details: billedTo(name, billing),
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: cvc === 'sent' ? 'unchecked' : null },
      country: 'US',
      exp_month,
      exp_year,
      funding: 'credit',
      last4,
      networks: { available: [brand], preferred: null },
      three_d_secure_usage: { supported: true },
    },
    customer,
    livemode: false,
    type: 'card',
  }
}

/** The status of a setup intent by the phase of its challenge. */
const setUpBy = {
  pending: 'processing',
  challenge: 'requires_action',
  declined: 'requires_payment_method',
  expired: 'requires_payment_method',
} as const

type SetupSight = Pick<Sight, 'url' | 'expand'> & { type?: MethodName | undefined }

export function showSetup(
  { attempt: _attempt, generated, ...setup }: SetupIntent,
  attempt: Attempt | null,
  { url, expand = [], type }: SetupSight,
): object {
  const isOver = setup.status === 'canceled' || attempt === null
  const status = isOver ? setup.status : (setUpBy[attempt.payment.phase as keyof typeof setUpBy] ?? 'succeeded')
  const decline = isOver ? null : attempt.authorization.decline
  return {
    ...setup,
    status,
    livemode: false,
    last_setup_error: decline && cardError(decline),
    next_action:
      status === 'requires_action'
        ? nextAction({ return_url: attempt!.authorization.challenge!.return_url }, attempt!.authorization, { url }, type)
        : null,
    latest_attempt: attempt && latestAttempt(attempt, generated, type, expand),
    payment_method_types: [type ?? 'card'],
    mandate: null,
    customer: setup.customer ?? null,
  }
}

function latestAttempt({ authorization }: Attempt, generated: string | undefined, type: MethodName | undefined, expand: readonly string[]) {
  const id = authorization.id.replace(/^auth_/, 'setatt_')
  if (!expand.includes('latest_attempt')) return id
  const details = type === undefined ? {} : generatedIn({ ...(generated !== undefined && { generated }) }, authorization, type)
  return { id, object: 'setup_attempt', payment_method_details: { type: type ?? 'card', [type ?? 'card']: details } }
}

export const setupAttempt = (account: Account, { attempt }: SetupIntent): Attempt | null =>
  attempt === undefined ? null : { payment: account.payments.get(attempt)!, authorization: account.operations.get(attempt)! }

/** The status of a dispute: an inquiry has statuses of its own. An accepted or unanswered chargeback is lost. */
const disputeStatuses: Record<Dispute['status'], [inquiry: string, chargeback: string]> = {
  needs_response: ['warning_needs_response', 'needs_response'],
  under_review: ['warning_under_review', 'under_review'],
  won: ['warning_closed', 'won'],
  cancelled: ['warning_closed', 'won'],
  lost: ['lost', 'lost'],
  accepted: ['warning_closed', 'lost'],
  expired: ['warning_closed', 'lost'],
}

export function showDispute(account: Account, dispute: Dispute, expand: readonly string[] = []): object {
  const { id, payment: of, amount, reason, network_code, stage, status, evidence, metadata, due_at, created } = dispute
  const payment = account.payments.get(of)!
  const intent = documentOf<Intent>(account, payment.document ?? null, 'payment_intent')!
  return {
    id,
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: chargeId(of),
    created: seconds(created),
    currency: intent.currency,
    evidence,
    evidence_details: {
      due_by: seconds(due_at),
      has_evidence: Object.keys(evidence).length > 0,
      past_due: status === 'expired',
      submission_count: status === 'needs_response' || status === 'accepted' || status === 'expired' ? 0 : 1,
    },
    is_charge_refundable: stage === 'inquiry',
    livemode: false,
    metadata,
    payment_intent: expand.includes('payment_intent') ? showIntent(intent, attemptOf(account, intent), { account, url: '' }) : intent.id,
    ...(payment.method === undefined && {
      payment_method_details: {
        card: { brand: 'visa', network_reason_code: network_code, case_type: stage === 'inquiry' ? 'inquiry' : 'chargeback' },
        type: 'card',
      },
    }),
    reason,
    status: disputeStatuses[status][stage === 'inquiry' ? 0 : 1],
  }
}
