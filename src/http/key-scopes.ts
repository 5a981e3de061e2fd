import { refuse } from '../base/refusal.ts'
import type { Doer } from '../users/person.ts'
import { type Permission, permissions } from '../users/roles.ts'

/**
 * The permission that an operation needs of a person: one table, which the server reads like `takes`. Each tag has a
 * permission to read and one to write; operations that differ are named. Operations of the deployment's operator, and
 * every tag that is not in the table, need `deployment`.
 */

/** The part of an operation that determines its permission. */
export type CalledOperation = { method: string; name: string; tag: string }

type Needs = { read: Permission; write: Permission }

const byTag: Readonly<Record<string, Needs>> = {
  Payments: { read: 'payments:read', write: 'payments:write' },
  'Payment links': { read: 'payments:read', write: 'payments:write' },
  Refunds: { read: 'payments:read', write: 'payments:write' },
  Payouts: { read: 'payments:read', write: 'payouts:write' },
  'Payout links': { read: 'payments:read', write: 'payouts:write' },
  Disputes: { read: 'payments:read', write: 'disputes:write' },
  Customers: { read: 'payments:read', write: 'payments:write' },
  'Payment methods': { read: 'payments:read', write: 'payments:write' },
  'Payment method collect links': { read: 'payments:read', write: 'payments:write' },
  Mandates: { read: 'payments:read', write: 'payments:write' },
  Events: { read: 'logs:read', write: 'webhooks:replay' },
  'Event listeners': { read: 'webhooks:read', write: 'webhooks:replay' },
  'Webhook endpoints': { read: 'webhooks:read', write: 'webhooks:write' },
  Accounts: { read: 'deployment', write: 'deployment' },
  'Business profiles': { read: 'profiles:read', write: 'profiles:write' },
  'Connector accounts': { read: 'connectors:read', write: 'connectors:write' },
  'API keys': { read: 'api_keys:read', write: 'api_keys:write' },
  Routing: { read: 'routing:read', write: 'routing:write' },
  Blocklist: { read: 'blocklist:read', write: 'blocklist:write' },
  Configurations: { read: 'deployment', write: 'deployment' },
  'Error rules': { read: 'routing:read', write: 'deployment' },
  Analytics: { read: 'analytics:read', write: 'analytics:read' },
  'Sample data': { read: 'payments:read', write: 'payments:write' },
  Ledger: { read: 'ledger:read', write: 'deployment' },
  Search: { read: 'payments:read', write: 'deployment' },
  Logs: { read: 'logs:read', write: 'deployment' },
  Audit: { read: 'audit:own', write: 'deployment' },
  Jobs: { read: 'deployment', write: 'deployment' },
  Users: { read: 'users:read', write: 'users:write' },
  Approvals: { read: 'payments:read', write: 'payments:write' },
}

/** Operations that need another permission than their tag does. */
const byName: Readonly<Record<string, Permission>> = {
  updatePaymentManually: 'deployment',
  updateRefundManually: 'deployment',
  retrieveExtendedCardInfo: 'payments:write',
  listPaymentExchanges: 'logs:read',
  listPayoutExchanges: 'logs:read',
  retrieveFile: 'customers:personal',
  fetchDisputes: 'disputes:write',
  retrieveEvidenceDraft: 'disputes:write',
  exportCustomers: 'customers:personal',
  exportPayments: 'customers:personal',
  exportPaymentsOfProfile: 'customers:personal',
  exportPayouts: 'customers:personal',
  exportPayoutsOfProfile: 'customers:personal',
  replayEvents: 'webhooks:replay',
  testWebhookEndpoint: 'webhooks:replay',
  retrieveMerchantAccount: 'merchant:read',
  deleteMerchantAccount: 'merchant:delete',
  listConnectors: 'connectors:health',
  retrieveConnectorHealth: 'connectors:health',
  verifyCredentials: 'connectors:write',
  evaluateRouting: 'routing:simulate',
  evaluateRule: 'routing:simulate',
  simulateRouting: 'routing:simulate',
  activateRouting: 'routing:activate',
  deactivateRouting: 'routing:activate',
  setFallback: 'routing:activate',
  setFallbackOfProfile: 'routing:activate',
  activatePayoutRouting: 'routing:activate',
  deactivatePayoutRouting: 'routing:activate',
  setPayoutFallback: 'routing:activate',
  setPayoutFallbackOfProfile: 'routing:activate',
  toggleSuccessBasedRouting: 'routing:activate',
  toggleEliminationRouting: 'routing:activate',
  toggleContractBasedRouting: 'routing:activate',
  setDynamicShare: 'routing:activate',
  updateSecondPerson: 'users:write',
  createUserLink: 'deployment',
  createEphemeralKey: 'payments:write',
  deleteEphemeralKey: 'payments:write',
  approveDevice: 'api_keys:write',
}

/** Names what a request also requires: it chooses an address to which customers' personal data is sent. */
const choosesAddress: Readonly<Record<string, (body: Record<string, unknown>) => boolean>> = {
  createWebhookEndpoint: () => true,
  updateWebhookEndpoint: ({ url }) => url !== undefined,
  createProfile: ofDetails,
  updateProfile: ofDetails,
  updateMerchantAccount: ofDetails,
}

function ofDetails({ webhook_details }: Record<string, unknown>): boolean {
  return (webhook_details as { webhook_url?: unknown } | undefined)?.webhook_url !== undefined
}

/**
 * Refuses (IR_22) a caller who may not see customers' personal data and chooses an address for webhooks, which would
 * receive all of it. `mayPersonal`: whether the caller has `customers:personal`.
 */
export function checkWebhookAddress({ name }: Pick<CalledOperation, 'name'>, body: Record<string, unknown>, mayPersonal: boolean): void {
  if (mayPersonal || !Object.hasOwn(choosesAddress, name) || !choosesAddress[name]!(body)) return
  refuse('forbidden', {
    problem: 'An address for webhooks receives customers’ personal data: to choose it also requires customers:personal',
    help: 'Ask an owner or admin of the merchant to enter the address',
  })
}

/** Operations on a person's own account, which every signed-in person may call. */
const ofOneself: ReadonlySet<string> = new Set([
  'retrieveUser',
  'updateOwnUser',
  'signOut',
  'changePassword',
  'setUpTotp',
  'removeTotp',
  'passkeyOptions',
  'addPasskey',
  'listPasskeys',
  'removePasskey',
  'listSessions',
  'revokeSession',
  'chooseMerchant',
  'listRoles',
  'retrieveDevice',
  'denyDevice',
  'signOutDevice',
])

/** Whether an operation only reads, by any method. */
const reads = ({ method, name }: Pick<CalledOperation, 'method' | 'name'>): boolean =>
  method === 'GET' || /^(list|search|filters?|aggregate|export|retrieve)[A-Z]/.test(name)

/** Returns the permission that an operation needs; null if being signed in is enough. */
export function permissionFor(endpoint: CalledOperation): Permission | null {
  const { name, tag } = endpoint
  if (ofOneself.has(name)) return null
  const needs = byTag[tag]
  return byName[name] ?? (needs === undefined ? 'deployment' : reads(endpoint) ? needs.read : needs.write)
}

/** Refuses (IR_22) a key that has scopes, but not the scope that the operation needs. */
export function checkScopes(endpoint: CalledOperation, scopes: ReadonlySet<string>): void {
  const needed = permissionFor(endpoint)
  if (needed === null || scopes.has(needed)) return
  refuse('forbidden', {
    problem: needed === 'deployment' ? 'This operation requires a key without scopes' : `This operation requires the scope ${needed}`,
    help: 'Use another key, or create one that has it: see `scopes` of `POST /api_keys/{merchant_id}`',
  })
}

/**
 * Returns the scopes of a key that a person creates: a key must not do more than its creator may do. Takes the
 * requested scopes, if any; returns them, or else all permissions of the person (undefined if the person has every
 * permission). Refuses (IR_22) a scope that the person does not have.
 */
export function scopesFor(person: Doer, asked: readonly string[] | undefined): readonly string[] | undefined {
  const own: ReadonlySet<string> = person.permissions
  if (asked === undefined) return permissions.every(one => own.has(one)) ? undefined : permissions.filter(one => own.has(one))
  const more = asked.find(one => !own.has(one))
  if (more === undefined) return asked
  const message = `You cannot create a key with the scope ${more}: your role, ${person.role}, does not have it`
  return refuse('forbidden', { problem: message, help: 'Ask an owner of the merchant' })
}

/**
 * Refuses (IR_22) a person who extends the expiration of a key that may do more than the person. Takes the key's
 * scopes; null is every scope.
 */
export function checkProlongs(person: Doer, scopes: readonly string[] | null): void {
  const own: ReadonlySet<string> = person.permissions
  const more = (scopes ?? permissions).find(one => !own.has(one))
  if (more === undefined) return
  const message = `You cannot change the expiration of a key with the scope ${more}: your role, ${person.role}, does not have it`
  refuse('forbidden', { problem: message, help: 'Ask an owner of the merchant' })
}

/** The tags and operations in the tables: a test compares them with the endpoints. */
export const permissionTable = { tags: Object.keys(byTag), names: [...Object.keys(byName), ...ofOneself] }
