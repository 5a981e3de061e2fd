import '../src/service.ts'
import type { Statement } from '../src/context.ts'
import { allStatements } from '../src/database/statement.ts'
import { allTables } from '../src/database/table.ts'
import { claims } from '../src/startup/jobs.ts'

/** The large tables whose rows belong to a merchant, and the statements that name these tables. */

/** Tables of settings that are not kept in memory. */
const settings = ['organizations', 'api_key_uses', 'ephemeral_keys', 'merchant_moves', 'deployment_checks']
/** Tables of users, who belong to no merchant. */
const people = ['users', 'user_roles', 'user_sessions', 'user_links', 'sign_in_tries', 'user_passkeys', 'device_authorizations']
export const moneyTables: readonly string[] = allTables()
  .filter(({ cached, name }) => !cached && !name.startsWith('settings_') && ![...settings, ...people].includes(name))
  .map(({ name }) => name)

const spoken = moneyTables.map(name => new RegExp(`\\b(from|join|into|update) ${name}\\b`))
/**
 * The statements of the service on these tables, without those of the separate vault process, which has a database of
 * its own.
 */
export const moneyStatements = (): Statement[] =>
  allStatements().filter(({ name, text }) => !name.startsWith('vault_process') && spoken.some(table => table.test(text)))

/**
 * The statements that work on a whole database, on the rows of all merchants: the scheduler claims what is due, and
 * the others are known by name.
 */
export const ofTheWholeDatabase: readonly string[] = [
  ...claims.map(({ statement }) => statement.name),
  'claim delivery_lines.due_at',
  'audit_chain',
  // Probes tell whether the database can write.
  'write_probe',
  'audit_unsealed',
  // At the start of a process: what its keys and its vault are compared with.
  'any_reference',
  'last_audit_entries',
  'some_records',
  // Facts about card numbers belong to no merchant.
  'card_bin',
  'audit_seal',
  'forget failed_confirms.failed_at',
  'forget jobs',
  'audit_of_all',
  'events_to_sink',
  'lease_sink',
  'release_sink',
  'outbox_to_dispatch',
  'forget waiting_cvcs.expires_at',
  'forget customer_returns.forget_at',
  'forget idempotency_keys.forget_at',
  'forget announcements.created',
  'event_to_archive',
  'forget deliveries.created',
  'forget delivery_attempts.created',
  'forget event_listeners.expires_at',
  'forget listener_deliveries.created',
  'forget payment_tokens.expires_at',
  'forget external_payments.created',
  'due',
  'due_beside_archive',
  'queue_depths',
  'forget request_logs.forget_at',
  'request_logs_write',
  'forget peer_calls.forget_at',
  'forget account_breakers.seen_at',
  'forget dispute_drafts.forget_at',
  'exchanges_write',
  'forget exchanges.forget_at',
  'forget settlement_file_parts.created',
  'peer_calls_write',
  'account_webhooks_write',
  'account_breakers_write',
  'jobs_begin',
  'jobs_end',
  'jobs_isolated',
  'job_by_id',
]
