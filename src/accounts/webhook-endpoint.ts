import type { EventType } from '../base/event-types.ts'
import type { Context, Time, Vault } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { statement } from '../database/statement.ts'
import { bytes, count, flag, jsonb, type RowOf, select, table, text, time } from '../database/table.ts'
import { responseHashKey, reveal } from './hidden-members.ts'
import { findProfile, type Merchant, type ProfileRow } from './merchant.ts'
import type { WebhookDetails } from './webhook-details.ts'

/** `sealed`: the encrypted secrets. `event_types`: null means all. */
export const webhookEndpoints = table('webhook_endpoints', {
  kind: 'webhook_endpoint',
  cached: true,
  key: ['merchant_id', 'endpoint_id'],
  columns: {
    merchant_id: text(),
    endpoint_id: text(),
    version: count(1),
    profile_id: text().fixed(),
    url: text(),
    description: text().orNull(),
    event_types: jsonb<string[]>([]).orNull(),
    enabled: flag(),
    /** The endpoint is older than the requirement of `customers:personal`, and was not confirmed since. */
    needs_review: flag(),
    sealed: bytes(row => sealedSecretsOf(String(row.endpoint_id))),
    created: time().fixed(),
    modified_at: time(),
    deleted_at: time().orNull(),
  },
})
export type WebhookEndpointRow = RowOf<typeof webhookEndpoints>

/** Since when deliveries fail, and whether the endpoint was disabled for that. A new URL starts with a new state. */
export const webhookEndpointStates = table('webhook_endpoint_states', {
  kind: 'webhook_endpoint_state',
  cached: true,
  key: ['merchant_id', 'endpoint_id'],
  columns: {
    merchant_id: text(),
    endpoint_id: text(),
    version: count(1),
    sequence: count(0),
    profile_id: text().fixed(),
    url: text(),
    failing_since: time().orNull(),
    warned_at: time().orNull(),
    disabled_at: time().orNull(),
    disabled_reason: text().orNull(),
    modified_at: time(),
  },
})
export type WebhookEndpointState = RowOf<typeof webhookEndpointStates>

/** Standard Webhooks: `whsec_` and base64. `until`: when a rotated secret stops to sign; null: the current one. */
export type SigningSecret = { secret: string; until: Time | null }

/** `statuses`: filters of a profile's own endpoint. `response_hash_key`: for the signature of existing clients. */
export type WebhookEndpoint = Omit<WebhookEndpointRow, 'version' | 'sealed' | 'deleted_at'> & {
  of_profile: boolean
  statuses: WebhookDetails
  secrets: readonly SigningSecret[]
  response_hash_key: string | null
  headers: Record<string, string>
  state: WebhookEndpointState | null
}

export const sealedSecretsOf = (endpoint_id: string): string => `webhook secrets of ${endpoint_id}`
/** The endpoint that a profile's `webhook_details` define. */
const ownEndpointId = (profile_id: string): string => `we_${profile_id}`

const ofMerchant = statement(
  'webhook_endpoints_of_merchant',
  select(webhookEndpoints, 'where merchant_id = $1 and deleted_at is null order by created, endpoint_id'),
)
const statesOf = statement('webhook_endpoint_states_of_merchant', select(webhookEndpointStates, 'where merchant_id = $1'))

/** All endpoints of a profile share these. */
const common = (vault: Pick<Vault, 'open'>, profile: ProfileRow) => ({
  response_hash_key: responseHashKey(vault, profile),
  headers: (reveal(vault, profile, 'outgoing_webhook_custom_http_headers') ?? {}) as Record<string, string>,
})

/** Signed with the profile's payment_response_hash_key, which the merchant knows. */
function ownEndpoint(vault: Pick<Vault, 'open'>, profile: ProfileRow): Omit<WebhookEndpoint, 'state'> | null {
  const details = profile.details.webhook_details as WebhookDetails | undefined
  if (!details?.webhook_url) return null
  const { merchant_id, profile_id, created, modified_at } = profile
  const same = common(vault, profile)
  const key = same.response_hash_key
  const secrets = key === null ? [] : [{ secret: `whsec_${Buffer.from(key).toString('base64')}`, until: null }]
  const settings = {
    url: details.webhook_url,
    description: null,
    event_types: null,
    enabled: true,
    needs_review: false,
    of_profile: true,
    statuses: details,
  }
  return { merchant_id, endpoint_id: ownEndpointId(profile_id), profile_id, created, modified_at, ...settings, ...same, secrets }
}

export const signingSecrets = (vault: Pick<Vault, 'open'>, row: WebhookEndpointRow): SigningSecret[] =>
  JSON.parse(vault.open(row.merchant_id, sealedSecretsOf(row.endpoint_id), row.sealed))

/** The profiles' own come first. */
export async function findWebhookEndpoints(context: Pick<Context, 'query' | 'vault'>, merchant: Merchant): Promise<WebhookEndpoint[]> {
  const { merchant_id, profiles } = merchant
  const [rows, states] = await Promise.all([
    context.query<WebhookEndpointRow>(ofMerchant, [merchant_id]),
    context.query<WebhookEndpointState>(statesOf, [merchant_id]),
  ])
  const own = profiles.map(profile => ownEndpoint(context.vault, profile)).filter(endpoint => endpoint !== null)
  const others = rows.flatMap(row => {
    const profile = findProfile(merchant, row.profile_id)
    const { sealed: _sealed, deleted_at: _deleted, version: _version, ...endpoint } = row
    return profile
      ? [{ ...endpoint, of_profile: false, statuses: {}, secrets: signingSecrets(context.vault, row), ...common(context.vault, profile) }]
      : []
  })
  // The state of another URL does not apply to this one.
  const stateOf = ({ endpoint_id, url }: { endpoint_id: string; url: string }) =>
    states.find(state => state.endpoint_id === endpoint_id && state.url === url) ?? null
  return [...own, ...others].map(endpoint => ({ ...endpoint, state: stateOf(endpoint) }))
}

const stateById = statement('webhook_endpoint_state_by_id', select(webhookEndpointStates, 'where merchant_id = $1 and endpoint_id = $2'))

/** SQL: states (`s`) of existing endpoints whose deliveries fail or that were disabled for that. */
export const failingEndpoints = `webhook_endpoint_states s where s.failing_since is not null and (
  exists (select from webhook_endpoints e where e.merchant_id = s.merchant_id and e.endpoint_id = s.endpoint_id and e.url = s.url and e.deleted_at is null)
  or exists (select from profiles p where p.merchant_id = s.merchant_id and 'we_' || p.profile_id = s.endpoint_id and p.deleted_at is null
    and p.details -> 'webhook_details' ->> 'webhook_url' = s.url))`

/** `change` returns null if nothing changes. Returns whether the state changed. */
export async function noteState(
  context: Pick<Context, 'query' | 'commit' | 'now' | 'by'>,
  endpoint: WebhookEndpoint,
  change: (state: WebhookEndpointState) => { set: Partial<WebhookEndpointState>; type: string; announces: EventType | null } | null,
): Promise<boolean> {
  const { merchant_id, endpoint_id, profile_id, url } = endpoint
  const none = { url, failing_since: null, warned_at: null, disabled_at: null, disabled_reason: null }
  for (;;) {
    const before = (await context.query<WebhookEndpointState>(stateById, [merchant_id, endpoint_id]))[0] ?? null
    const fresh = { merchant_id, endpoint_id, profile_id, version: 1, sequence: 0, modified_at: context.now(), ...none }
    const now: WebhookEndpointState = before?.url === url ? before : { ...(before ?? fresh), ...none }
    const update = change(now)
    if (!update) return false
    const after = { ...now, ...update.set, modified_at: context.now() }
    const { type, announces } = update
    const written = await context.commit(changeTo(context, webhookEndpointStates.name, { before, after }, type, { announces }))
    if (written.is === 'written') return true
  }
}

export const forgiven = (state: WebhookEndpointState) =>
  state.failing_since === null && state.disabled_at === null
    ? null
    : { set: { failing_since: null, warned_at: null, disabled_at: null, disabled_reason: null }, type: 'recovered', announces: null }
