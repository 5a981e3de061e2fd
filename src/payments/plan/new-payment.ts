import { chooseProfile } from '../../accounts/choose-profile.ts'
import { newResourceId, randomAlphanumeric } from '../../base/id.ts'
import type { Call } from '../../operations/verb.ts'
import { netAmount } from '../net-amount.ts'
import type { Payment } from '../payment.ts'
import { sessionExpiry } from '../session.ts'
import type { CreateTerms } from '../terms.ts'

/** Returns the payment that a create request describes, before its instrument is known. */
export function newPayment({ context, merchant, platform }: Call, { columns, request }: CreateTerms, body_digest: string | null): Payment {
  const created = context.now()
  const profile_id = chooseProfile(merchant, columns.profile_id === undefined ? request : columns).profile_id
  const payment_id = columns.payment_id ?? newResourceId(context, 'pay_')
  return {
    merchant_id: merchant.merchant_id,
    payment_id,
    version: 1,
    sequence: 0,
    status: 'requires_payment_method',
    alone: null,
    profile_id,
    connector: null,
    merchant_connector_id: null,
    connector_transaction_id: null,
    authorization_n: null,
    authorization_request_id: null,
    customer_id: columns.customer_id ?? null,
    currency: columns.currency,
    amount: columns.amount,
    net_amount: netAmount(request, columns.amount),
    amount_authorized: 0,
    amount_capturable: 0,
    amount_capturing: 0,
    amount_received: 0,
    amount_refunding: 0,
    amount_refunded: 0,
    amount_disputed: 0,
    capture_method: columns.capture_method ?? 'automatic',
    authentication_type: columns.authentication_type ?? 'three_ds',
    attempt_count: 1,
    operation_count: 0,
    refund_count: 0,
    client_secret: `${payment_id}_secret_${randomAlphanumeric(context, 20)}`,
    card: null,
    request: platform === undefined ? request : { ...request, platform_merchant_id: platform },
    facts: null,
    next_action: null,
    last_error: null,
    adjustments: null,
    cancellation_reason: null,
    body_digest,
    created,
    modified_at: created,
    expires_on: sessionExpiry(merchant, profile_id, request, created),
  }
}
