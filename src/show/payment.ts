import type { Merchant } from '../accounts/merchant.ts'
import { findConnectorAccount } from '../accounts/merchant.ts'
import { showNextAction } from '../connectors/next-action.ts'
import type { Operation } from '../operations/operation.ts'
import { findOperations } from '../operations/operation.ts'
import { retryAllowed } from '../payments/attempt.ts'
import { wasBlocked } from '../payments/blocked.ts'
import { ownerOf } from '../payments/kind.ts'
import { familyOf } from '../payments/means.ts'
import { attemptId, cardOf, type Payment } from '../payments/payment.ts'
import { findRefunds } from '../refunds/refund.ts'
import type { Time, World } from '../world.ts'
import { showRefund } from './refund.ts'

/** Who looks: the merchant's server sees everything, a browser with a client_secret not what was meant for the server. */
export type Eyes = 'server' | 'client'

export type ShowOptions = { publicUrl: string; eyes: Eyes; now: Time; expand_attempts?: boolean; expand_captures?: boolean }

/** A payment as the interface shows it, with its refunds and, where asked for, its attempts and captures. Every member is always present, null where unknown. */
export async function showPayment(
  world: Pick<World, 'query'>,
  merchant: Merchant,
  payment: Payment,
  options: ShowOptions,
): Promise<Record<string, unknown>> {
  const { merchant_id, payment_id } = payment
  const body = paymentBody(merchant, payment, options)
  const withRefunds = payment.refund_count > 0 && options.eyes === 'server'
  const withOperations = options.expand_attempts || options.expand_captures
  if (!withRefunds && !withOperations) return body
  const [refunds, operations] = await Promise.all([
    withRefunds ? findRefunds(world, merchant_id, payment_id) : null,
    withOperations ? findOperations(world, ownerOf(payment)) : null,
  ])
  return {
    ...body,
    ...(refunds && refunds.length > 0 && { refunds: refunds.map(showRefund) }),
    ...(operations &&
      options.expand_attempts && { attempts: operations.filter(o => o.verb === 'authorize').map(o => showAttempt(payment, o)) }),
    ...(operations &&
      options.expand_captures && { captures: operations.filter(o => o.verb === 'capture').map((o, i) => showCapture(payment, o, i + 1)) }),
  }
}

/** The part of a payment that its own row tells. */
export function paymentBody(
  merchant: Merchant,
  payment: Payment,
  { publicUrl, eyes, now }: Pick<ShowOptions, 'publicUrl' | 'eyes' | 'now'>,
): Record<string, unknown> {
  const { asked, facts, last_error: error } = payment
  const card = cardOf(payment)
  const family = familyOf(payment)
  const server = eyes === 'server'
  const account = payment.merchant_connector_id === null ? undefined : findConnectorAccount(merchant, payment.merchant_connector_id)
  return {
    payment_id: payment.payment_id,
    merchant_id: payment.merchant_id,
    status: payment.status,
    amount: payment.amount,
    net_amount: payment.net_amount,
    shipping_cost: asked.shipping_cost ?? null,
    amount_capturable: payment.amount_capturable,
    amount_received: payment.amount_received > 0 ? payment.amount_received : null,
    processor_merchant_id: payment.merchant_id,
    initiator: null,
    sdk_authorization: sdkAuthorization(merchant, payment),
    connector: payment.connector,
    state_metadata:
      payment.amount_refunded > 0 || payment.amount_disputed > 0
        ? { total_refunded_amount: payment.amount_refunded, total_disputed_amount: payment.amount_disputed, post_capture_void: null }
        : null,
    client_secret: payment.client_secret,
    created: payment.created,
    modified_at: payment.modified_at,
    connector_customer_id: null,
    currency: payment.currency,
    customer_id: payment.customer_id,
    customer: customer(payment),
    description: asked.description ?? null,
    refunds: null,
    disputes: null,
    attempts: null,
    captures: null,
    mandate_id: null,
    mandate_data: null,
    setup_future_usage: asked.setup_future_usage ?? null,
    off_session: asked.off_session ?? null,
    capture_on: null,
    capture_method: payment.capture_method,
    payment_method: asked.payment_method ?? null,
    payment_method_data: family
      ? { [family.method]: family.show(payment.card, facts), billing: asked.payment_method_billing ?? null }
      : null,
    payment_token: asked.payment_token ?? null,
    shipping: asked.shipping ?? null,
    billing: asked.billing ?? null,
    order_details: asked.order_details ?? null,
    email: asked.email ?? asked.customer?.email ?? null,
    name: asked.name ?? asked.customer?.name ?? null,
    phone: asked.phone ?? asked.customer?.phone ?? null,
    return_url: asked.return_url ?? null,
    authentication_type: payment.authentication_type,
    statement_descriptor_name: asked.statement_descriptor_name ?? null,
    statement_descriptor_suffix: asked.statement_descriptor_suffix ?? null,
    next_action:
      payment.next_action &&
      showNextAction(
        payment.next_action,
        `${publicUrl}/payments/redirect/${payment.payment_id}/${payment.merchant_id}/${attemptId(payment)}`,
      ),
    cancellation_reason: payment.cancellation_reason,
    error_code: error?.error_code ?? null,
    error_message: error?.error_message ?? null,
    unified_code: error?.unified_code ?? null,
    unified_message: error?.unified_message ?? null,
    error_details: error ? errorDetails(payment) : null,
    issuer_error_code: error?.issuer_error_code ?? null,
    issuer_error_message: error?.issuer_error_message ?? null,
    payment_experience: asked.payment_experience ?? null,
    payment_method_type: asked.payment_method_type ?? null,
    connector_label: server ? (account?.connector_label ?? null) : null,
    business_country: asked.business_country ?? null,
    business_label: asked.business_label ?? null,
    business_sub_label: asked.business_sub_label ?? null,
    allowed_payment_method_types: asked.allowed_payment_method_types ?? null,
    manual_retry_allowed: retryAllowed(merchant, payment, now),
    connector_transaction_id: payment.connector_transaction_id,
    frm_message: null,
    metadata: server ? (asked.metadata ?? null) : null,
    connector_metadata: server ? (asked.connector_metadata ?? null) : null,
    connector_response_metadata: null,
    feature_metadata: asked.feature_metadata ?? null,
    reference_id: payment.authorization_request_id,
    payment_link: null,
    profile_id: payment.profile_id,
    surcharge_details: asked.surcharge_details ?? null,
    attempt_count: payment.attempt_count,
    merchant_decision: wasBlocked(payment) ? 'Rejected' : null,
    merchant_connector_id: payment.merchant_connector_id,
    incremental_authorization_allowed: asked.request_incremental_authorization === undefined ? null : false,
    authorization_count: null,
    incremental_authorizations: null,
    external_authentication_details:
      facts?.eci === undefined
        ? null
        : {
            authentication_flow: null,
            electronic_commerce_indicator: facts.eci,
            status: null,
            ds_transaction_id: null,
            version: null,
            error_code: null,
            error_message: null,
          },
    external_3ds_authentication_attempted: false,
    expires_on: payment.expires_on,
    fingerprint: card?.fingerprint ?? null,
    browser_info: asked.browser_info ?? null,
    payment_channel: asked.payment_channel ?? null,
    payment_method_id: asked.payment_method_id ?? null,
    network_transaction_id: facts?.network_transaction_id ?? null,
    network_transaction_link_id: null,
    payment_method_status: null,
    updated: payment.modified_at,
    split_payments: null,
    frm_metadata: server ? (asked.frm_metadata ?? null) : null,
    extended_authorization_applied: asked.request_extended_authorization === undefined ? null : false,
    extended_authorization_last_applied_at: null,
    request_extended_authorization: asked.request_extended_authorization ?? null,
    capture_before: facts?.capture_before ?? null,
    merchant_order_reference_id: asked.merchant_order_reference_id ?? null,
    order_tax_amount: asked.order_tax_amount ?? null,
    connector_mandate_id: null,
    card_discovery: card ? (asked.payment_method_id === undefined ? 'manual' : 'saved_card') : null,
    force_3ds_challenge: asked.force_3ds_challenge ?? null,
    force_3ds_challenge_trigger: null,
    is_iframe_redirection_enabled: asked.is_iframe_redirection_enabled ?? null,
    whole_connector_response: null,
    enable_partial_authorization: asked.enable_partial_authorization ?? null,
    enable_overcapture: asked.enable_overcapture ?? null,
    is_overcapture_enabled: null,
    network_details: error?.network_advice_code ? { network_advice_code: error.network_advice_code } : null,
    is_stored_credential: asked.is_stored_credential ?? null,
    mit_category: asked.mit_category ?? null,
    billing_descriptor: asked.billing_descriptor ?? null,
    tokenization: asked.tokenization ?? null,
    partner_merchant_identifier_details: asked.partner_merchant_identifier_details ?? null,
    payment_method_tokenization_details: null,
    installment_options: asked.installment_options ?? null,
    installment_data: asked.installment_data ?? null,
    sender_payment_instrument_id: null,
  }
}

/** The token that stands for publishable key and client_secret together: base64 of comma-joined `name=value`. */
function sdkAuthorization(merchant: Merchant, payment: Payment): string {
  const customer_id = payment.customer_id === null ? '' : `,customer_id=${payment.customer_id}`
  const text = `profile_id=${payment.profile_id},publishable_key=${merchant.publishable_key},client_secret=${payment.client_secret}${customer_id},payment_id=${payment.payment_id}`
  return Buffer.from(text).toString('base64')
}

function customer({ customer_id, asked }: Payment): Record<string, unknown> | null {
  const { customer: given, email, name, phone, phone_country_code } = asked
  if (customer_id === null && !given && [email, name, phone, phone_country_code].every(member => member === undefined)) return null
  return {
    id: customer_id,
    name: given?.name ?? name ?? null,
    email: given?.email ?? email ?? null,
    phone: given?.phone ?? phone ?? null,
    phone_country_code: given?.phone_country_code ?? phone_country_code ?? null,
    customer_document_details: given?.document_details ?? null,
  }
}

/** What a network's advice (Mastercard's merchant advice codes) asks of the merchant, in the ecosystem's words. */
const recommendations: Readonly<Record<string, string>> = {
  '01': 'retry_after_instrument_update',
  '02': 'retry_later',
  '03': 'do_not_retry',
  '21': 'stop_recurring',
  '24': 'retry_after_1_hour',
  '25': 'retry_after_24_hours',
  '26': 'retry_after_2_days',
  '27': 'retry_after_4_days',
  '28': 'retry_after_6_days',
  '29': 'retry_after_8_days',
  '30': 'retry_after_10_days',
}

function errorDetails(payment: Payment): Record<string, unknown> {
  const { last_error: error } = payment
  return {
    unified_details: {
      category: error?.unified_code,
      message: error?.unified_message,
      standardised_code: error?.standardised_code ?? null,
      description: error?.description ?? null,
      user_guidance_message: error?.user_guidance_message ?? null,
      recommended_action: recommendations[error?.network_advice_code ?? ''] ?? null,
    },
    issuer_details:
      error?.issuer_error_code == null
        ? null
        : {
            code: error.issuer_error_code,
            message: error.issuer_error_message,
            network_details: { name: cardOf(payment)?.card_network ?? null, advice_code: error.network_advice_code, advice_message: null },
          },
    connector_details: { code: error?.error_code, message: error?.error_message, reason: null },
  }
}

/** An operation's state in the ecosystem's words for attempts. */
function attemptStatus(payment: Payment, operation: Operation): string {
  switch (operation.state) {
    case 'open':
    case 'unknown':
      return 'pending'
    case 'waiting':
      return payment.next_action ? 'authentication_pending' : 'pending'
    case 'unresolved':
      return 'unresolved'
    case 'conflicted':
      return 'integrity_failure'
    case 'lapsed':
      return 'expired'
    case 'done':
      if (payment.status === 'cancelled') return 'voided'
      if (payment.amount_received === 0) return payment.status === 'failed' ? 'voided' : 'authorized'
      if (payment.amount_received >= payment.net_amount) return 'charged'
      return payment.amount_capturable > 0 ? 'partial_charged_and_chargeable' : 'partial_charged'
    default:
      return 'failure'
  }
}

function showAttempt(payment: Payment, operation: Operation): Record<string, unknown> {
  const no = ['declined', 'not_sent', 'not_received'].includes(operation.state)
  return {
    attempt_id: `${payment.payment_id}_${operation.attempt}`,
    status: attemptStatus(payment, operation),
    amount: operation.amount,
    order_tax_amount: payment.asked.order_tax_amount ?? null,
    currency: operation.currency,
    connector: operation.connector,
    error_message: no ? (operation.said?.words ?? operation.said?.why ?? null) : null,
    payment_method: payment.asked.payment_method ?? null,
    connector_transaction_id: operation.reference,
    capture_method: payment.capture_method,
    authentication_type: payment.authentication_type,
    created_at: operation.began,
    modified_at: operation.modified_at,
    cancellation_reason: payment.cancellation_reason,
    mandate_id: null,
    error_code: no ? (operation.said?.code ?? operation.state) : null,
    payment_token: null,
    connector_metadata: null,
    payment_experience: payment.asked.payment_experience ?? null,
    payment_method_type: payment.asked.payment_method_type ?? null,
    reference_id: operation.request_id,
    unified_code: null,
    unified_message: null,
    client_source: null,
    client_version: null,
    error_details: null,
  }
}

const captureStatuses: Partial<Record<Operation['state'], string>> = {
  open: 'started',
  done: 'charged',
  waiting: 'pending',
  unknown: 'pending',
  unresolved: 'pending',
  conflicted: 'pending',
}

function showCapture(payment: Payment, operation: Operation, capture_sequence: number): Record<string, unknown> {
  return {
    capture_id: `${attemptId(payment)}_${capture_sequence}`,
    status: captureStatuses[operation.state] ?? 'failed',
    amount: operation.amount,
    currency: operation.currency,
    connector: operation.connector,
    authorized_attempt_id: attemptId(payment),
    connector_capture_id: operation.reference,
    capture_sequence,
    error_message: operation.said?.words ?? null,
    error_code: operation.said?.code ?? null,
    error_reason: null,
    reference_id: operation.request_id,
  }
}
