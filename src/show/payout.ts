import type { Merchant } from '../accounts/merchant.ts'
import { isUnfinished, type Operation } from '../operations/operation.ts'
import { hasLink, linkOf } from '../payouts/link.ts'
import type { Payout } from '../payouts/payout.ts'
import { showRouted } from './routing.ts'

/**
 * `publicUrl`: where recipients find this service. A recipient's browser sees neither what the merchant notes for
 * themselves nor how it is routed. `operations`: what was asked of processors for it.
 */
type Eyes = { publicUrl: string; eyes: 'server' | 'client'; operations: readonly Operation[] }

/** A payout as the interface shows it. Every member is always present, null where unknown. */
export function showPayout(merchant: Merchant, payout: Payout, { publicUrl, eyes, operations }: Eyes): Record<string, unknown> {
  const { asked, recipient, last_error: error } = payout
  return {
    payout_id: payout.payout_id,
    merchant_id: payout.asked.platform_merchant_id ?? payout.merchant_id,
    merchant_order_reference_id: payout.merchant_order_reference_id,
    amount: payout.amount,
    currency: payout.currency,
    connector: payout.connector,
    payout_type: payout.payout_type,
    payout_method_data: recipient && { [recipient.is]: recipient.shown },
    source_bank_data: null,
    billing: asked.billing ?? null,
    auto_fulfill: payout.auto_fulfill,
    customer_id: payout.customer_id,
    customer: showCustomer(payout),
    client_secret: payout.client_secret,
    return_url: asked.return_url ?? null,
    business_country: asked.business_country ?? null,
    business_label: asked.business_label ?? null,
    description: asked.description ?? null,
    entity_type: payout.entity_type,
    recurring: payout.recurring,
    metadata: eyes === 'server' ? (asked.metadata ?? null) : null,
    merchant_connector_id: payout.merchant_connector_id,
    status: payout.status,
    error_message: error?.error_message ?? null,
    error_code: error?.error_code ?? null,
    profile_id: payout.profile_id,
    created: payout.created,
    connector_transaction_id: payout.connector_transaction_id,
    priority: asked.priority ?? null,
    payout_link: hasLink(payout) ? linkOf(merchant, payout, publicUrl) : null,
    email: asked.email ?? asked.customer?.email ?? null,
    name: asked.name ?? asked.customer?.name ?? null,
    phone: asked.phone ?? asked.customer?.phone ?? null,
    phone_country_code: asked.phone_country_code ?? asked.customer?.phone_country_code ?? null,
    unified_code: error?.unified_code ?? null,
    unified_message: error?.unified_message ?? null,
    payout_method_id: payout.payout_method_id,
    attempts: eyes === 'server' ? showPayoutAttempts(merchant, payout, operations) : null,
  }
}

function showCustomer({ customer_id, asked }: Payout): Record<string, unknown> | null {
  const { customer, email, name, phone, phone_country_code } = asked
  if (customer_id === null && !customer) return null
  return {
    id: customer_id,
    name: name ?? customer?.name ?? null,
    email: email ?? customer?.email ?? null,
    phone: phone ?? customer?.phone ?? null,
    phone_country_code: phone_country_code ?? customer?.phone_country_code ?? null,
    customer_document_details: null,
  }
}

/** The attempts of a payout, oldest first: one for each time that a processor was asked to pay it out. */
const showPayoutAttempts = (merchant: Merchant, payout: Payout, operations: readonly Operation[]): Record<string, unknown>[] =>
  operations.filter(({ verb }) => verb === 'payout').map(operation => showAttempt(merchant, payout, operation))

/** An attempt that the payout stands on is as that is; an earlier one has ended with a no. */
const attemptStatus = (payout: Payout, { n, state }: Operation): string =>
  n === payout.payout_n ? payout.status : isUnfinished({ state }) ? 'pending' : state === 'conflicted' ? 'initiated' : 'failed'

function showAttempt(merchant: Merchant, payout: Payout, operation: Operation): Record<string, unknown> {
  const { said, state, routing } = operation
  const no = ['declined', 'not_sent', 'not_received'].includes(state)
  const current = operation.n === payout.payout_n ? payout.last_error : null
  return {
    attempt_id: `${payout.payout_id}_${operation.attempt}`,
    status: attemptStatus(payout, operation),
    amount: operation.amount,
    currency: operation.currency,
    connector: operation.connector,
    merchant_connector_id: operation.merchant_connector_id,
    error_code: no ? (said?.code ?? state) : null,
    error_message: no ? (said?.words ?? said?.why ?? null) : null,
    payment_method: payout.payout_type,
    payout_method_type: payout.recipient?.type ?? null,
    connector_transaction_id: operation.reference,
    cancellation_reason: null,
    unified_code: current?.unified_code ?? null,
    unified_message: current?.unified_message ?? null,
    routing: routing && showRouted(merchant, routing),
  }
}
