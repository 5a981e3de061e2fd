/**
 * The operations of the ecosystem's interface (the open-source Hyperswitch v1), by area. Facts only: methods and
 * paths. The operations that this service has, and those that are missing, are computed from this list and the table
 * of endpoints.
 */
export const ecosystem: Readonly<Record<string, readonly string[]>> = {
  Payments: [
    'POST /payments',
    'POST /payments/{payment_id}',
    'GET /payments/{payment_id}',
    'POST /payments/{payment_id}/confirm',
    'POST /payments/{payment_id}/capture',
    'POST /payments/session_tokens',
    'POST /payments/{payment_id}/cancel',
    'POST /payments/{payment_id}/cancel_post_capture',
    'GET /payments/{payment_id}/cancel_post_capture',
    'POST /payments/{payment_id}/extend_authorization',
    'GET /payments/list',
    'POST /payments/{payment_id}/incremental_authorization',
    'GET /payment_link/{payment_link_id}',
    'POST /payments/{payment_id}/3ds/authentication',
    'POST /payments/{payment_id}/complete_authorize',
    'POST /payments/{payment_id}/post_session_tokens',
    'POST /payments/{payment_id}/update_metadata',
    'POST /payments/{payment_id}/eligibility_check',
    'POST /payments/{payment_id}/eligibility',
  ],
  Refunds: ['POST /refunds', 'GET /refunds/{refund_id}', 'POST /refunds/{refund_id}', 'POST /refunds/list'],
  'Payment methods': [
    'POST /payment_methods',
    'GET /account/payment_methods',
    'GET /customers/{customer_id}/payment_methods',
    'GET /customers/payment_methods',
    'POST /{customer_id}/payment_methods/{payment_method_id}/default',
    'GET /payment_methods/{method_id}',
    'DELETE /payment_methods/{method_id}',
    'POST /payment_methods/{method_id}/update',
    'POST /payment_methods/collect',
    'GET /payment_methods/collect/{merchant_id}/{pm_collect_link_id}',
  ],
  Customers: [
    'POST /customers',
    'GET /customers/{customer_id}',
    'POST /customers/{customer_id}',
    'DELETE /customers/{customer_id}',
    'GET /customers/list',
  ],
  Mandates: ['GET /mandates/{mandate_id}', 'POST /mandates/revoke/{mandate_id}', 'GET /customers/{customer_id}/mandates'],
  Disputes: [
    'GET /disputes/{dispute_id}',
    'GET /disputes/list',
    'GET /disputes/profile/list',
    'GET /disputes/filter',
    'GET /disputes/profile/filter',
    'POST /disputes/accept/{dispute_id}',
    'POST /disputes/evidence',
    'PUT /disputes/evidence',
    'DELETE /disputes/evidence',
    'GET /disputes/evidence/{dispute_id}',
    'GET /disputes/aggregate',
    'GET /disputes/profile/aggregate',
  ],
  Payouts: [
    'POST /payouts/create',
    'GET /payouts/{payout_id}',
    'POST /payouts/{payout_id}',
    'POST /payouts/{payout_id}/cancel',
    'POST /payouts/{payout_id}/fulfill',
    'GET /payouts/list',
    'POST /payouts/list',
    'POST /payouts/{payout_id}/confirm',
    'POST /payouts/filter',
  ],
  Events: [
    'POST /events/{merchant_id}',
    'POST /events/profile/list',
    'GET /events/{merchant_id}/{event_id}/attempts',
    'POST /events/{merchant_id}/{event_id}/retry',
  ],
  Routing: [
    'POST /routing',
    'GET /routing',
    'POST /routing/{routing_algorithm_id}/activate',
    'GET /routing/{routing_algorithm_id}',
    'POST /routing/deactivate',
    'POST /routing/default',
    'GET /routing/default',
    'GET /routing/active',
    'GET /routing/default/profile',
    'POST /routing/default/profile/{profile_id}',
    'PATCH /account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/success_based/config/{algorithm_id}',
    'POST /account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/success_based/toggle',
    'POST /account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/elimination/toggle',
    'POST /account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/success_based/create',
    'POST /account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/elimination/create',
    'POST /account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/contracts/toggle',
    'PATCH /account/{merchant_id}/business_profile/{profile_id}/dynamic_routing/contracts/config/{algorithm_id}',
    'POST /routing/evaluate',
    'POST /routing/feedback',
    'POST /routing/rule/evaluate',
  ],
  'Merchant accounts': [
    'POST /accounts',
    'GET /accounts/{merchant_id}',
    'POST /accounts/{merchant_id}',
    'DELETE /accounts/{merchant_id}',
    'GET /accounts/list',
    'POST /accounts/{merchant_id}/kv',
    'GET /accounts/{merchant_id}/kv',
  ],
  'Business profiles': [
    'POST /account/{merchant_id}/business_profile',
    'GET /account/{merchant_id}/business_profile',
    'GET /account/{merchant_id}/business_profile/{profile_id}',
    'POST /account/{merchant_id}/business_profile/{profile_id}',
    'DELETE /account/{merchant_id}/business_profile/{profile_id}',
    'POST /account/{merchant_id}/business_profile/{profile_id}/toggle_extended_card_info',
    'POST /account/{merchant_id}/business_profile/{profile_id}/toggle_connector_agnostic_mit',
    'GET /account/{merchant_id}/profile',
  ],
  'Connector accounts': [
    'POST /account/{merchant_id}/connectors',
    'GET /account/{merchant_id}/connectors',
    'GET /account/{merchant_id}/connectors/{merchant_connector_id}',
    'POST /account/{merchant_id}/connectors/{merchant_connector_id}',
    'DELETE /account/{merchant_id}/connectors/{merchant_connector_id}',
    'POST /account/{merchant_id}/webhooks/{merchant_connector_id}',
    'POST /account/{merchant_id}/connectors/webhooks/{merchant_connector_id}',
    'GET /account/{merchant_id}/profile/connectors',
    'POST /account/connectors/verify',
  ],
  'API keys': [
    'POST /api_keys/{merchant_id}',
    'GET /api_keys/{merchant_id}/{key_id}',
    'POST /api_keys/{merchant_id}/{key_id}',
    'DELETE /api_keys/{merchant_id}/{key_id}',
    'GET /api_keys/{merchant_id}/list',
    'POST /ephemeral_keys',
    'DELETE /ephemeral_keys/{id}',
  ],
  Organizations: ['POST /organization', 'GET /organization/{id}', 'PUT /organization/{id}'],
  Blocklist: [
    'DELETE /blocklist',
    'GET /blocklist',
    'POST /blocklist',
    'POST /blocklist/toggle',
    'POST /blocklist/batch',
    'GET /blocklist/batch',
    'GET /blocklist/batch/{job_id}',
  ],
  'Error rules (gsm)': ['POST /gsm', 'POST /gsm/get', 'POST /gsm/update', 'POST /gsm/delete'],
  Polling: ['GET /poll/status/{poll_id}'],
}

type Coverage = { area: string; here: string[]; missing: string[] }

/**
 * Returns an operation without the names of its path parameters: two addresses that differ only in those names are the
 * same.
 */
const shapeOf = (operation: string): string => operation.replace(/\{\w+\}/g, '{}')

/**
 * Returns, for each area of the ecosystem's interface, the operations that this table of endpoints has and those that
 * are missing.
 */
export function coverage(endpoints: readonly { method: string; path: string }[]): Coverage[] {
  const ours = new Set(endpoints.map(({ method, path }) => shapeOf(`${method} ${path}`)))
  return Object.entries(ecosystem).map(([area, operations]) => ({
    area,
    here: operations.filter(operation => ours.has(shapeOf(operation))),
    missing: operations.filter(operation => !ours.has(shapeOf(operation))),
  }))
}
