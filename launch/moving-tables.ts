/**
 * The treatment of each table when a merchant moves to another deployment: every table of the service is in one of
 * these lists (a test checks this). The fence keeps moved rows unchanged from the moment at which they are copied.
 */

/** Tables whose rows move, and may not change at the source any more once they are copied. */
export const moved = [
  'merchants',
  'profiles',
  'api_keys',
  'connector_accounts',
  'profile_routing',
  'routing_algorithms',
  'webhook_endpoints',
  'webhook_endpoint_states',
  'ephemeral_keys',
  'customers',
  'payment_methods',
  'payment_tokens',
  'processor_customers',
  // Before the numbers: with each of them, a trigger writes the review that is not there yet.
  'vault_reviews',
  'vault_records',
  'waiting_cvcs',
  'mandates',
  'mandate_totals',
  'collect_links',
  'payments',
  'refunds',
  'payouts',
  'disputes',
  'dispute_drafts',
  'unmatched_disputes',
  'processor_operations',
  'operation_references',
  'customer_returns',
  'payment_follow_ups',
  'hold_ends',
  'account_watches',
  'payment_looks',
  'scheduled_captures',
  'scheduled_refunds',
  'external_payments',
  'blocklist_entries',
  'blocklist_batches',
  'failed_confirms',
  'disclosures',
  'settlements',
  'settlement_accounts',
  'settlement_files',
  'settlement_file_parts',
  'settlement_lines',
  'settlement_chunks',
  'settlement_batch_parts',
  'settlement_batches',
  'bank_entries',
  'settlement_differences',
  'settlement_closes',
  'settlement_looks',
  'settlement_fetches',
  'settlement_reports',
  'settlement_references',
  'ledger_balances',
  'listings',
  'listing_kinds',
  'analytics_kinds',
  'analytics_counts',
  'analytics_latencies',
  'analytics_recounts',
  'sample_data_jobs',
  'idempotency_keys',
  'changes',
  'late_events',
  'outbox',
  'announcements',
  'deliveries',
  'delivery_lines',
  'delivery_attempts',
  'archive_parts',
  'archive_keys',
] as const

/**
 * Tables whose rows move, but are written in batches with those of other merchants, which a fence would refuse as
 * well. No money depends on these rows; rows that are written after the copy are lost.
 */
export const diaries = ['api_key_uses', 'exchanges', 'request_logs'] as const

/** The conditions, in SQL, under which rows of a table do move, and the reasons. */
export const besides: Partial<Record<(typeof moved)[number], string>> = {
  // The key of a person's command line does not move, because people do not move.
  api_keys: 'user_id is null',
}

/** Tables whose rows stay at the source, with the reasons. */
export const left: Readonly<Record<string, string>> = {
  audit_log: 'one chain of hashes for each deployment, which would not hold without them',
  audit_chain: 'where that chain is sealed to',
  organizations: 'that of the merchant is made at the target if it is not there',
  users: 'people sign in to a deployment: the first owner is made at the target (npm run user:link)',
  user_roles: 'of people',
  user_sessions: 'of people',
  user_links: 'of people',
  user_passkeys: 'of people',
  sign_in_tries: 'of people',
  device_authorizations: 'of people',
  approvals: 'asked for by people: what waits for a second person is asked for again',
  gsm_rules: 'of the deployment, whose operator writes them',
  card_bins: 'of the deployment, whose operator imports them',
  settings_version: 'counts changes of the deployment',
  write_probes: 'tell whether this database can write',
  settings_changes: 'counts changes of the deployment',
  jobs: 'how often workers of this deployment tried; counted anew',
  peer_calls: 'the health of accounts as these processes see it; counted anew',
  account_webhooks: 'the health of accounts as these processes see it; counted anew',
  account_breakers: 'the health of accounts as these processes see it; counted anew',
  event_listeners: 'developers who listen for a minute',
  listener_deliveries: 'developers who listen for a minute',
  sink_queue: 'the event sink of this deployment is told by it',
  sink_leases: 'which process tells the sink',
  deployment_checks: 'of the keys and the kind of this deployment',
  orphaned_records: 'of a vault apart, with which no merchant moves',
  settlement_ageings: 'what processors owe, counted anew',
  merchant_moves: 'says that it moves',
}

/**
 * The tables that the source keeps when a merchant's rows are removed: with them the source tells clients the
 * merchant's new address.
 */
export const kept: readonly string[] = ['merchants', 'api_keys']
