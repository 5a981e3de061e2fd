import Type, { type Static } from 'typebox'
import { newId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { boundedText, strictObject } from '../base/shapes.ts'
import { later } from '../base/time.ts'
import type { Context, Vault } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { findProfile, type Merchant } from './merchant.ts'
import { move } from './rows.ts'
import { checkWebhookUrl } from './webhook-details.ts'
import {
  findWebhookEndpoints,
  forgiven,
  noteState,
  type SigningSecret,
  sealedSecretsOf,
  signingSecrets,
  type WebhookEndpoint,
  type WebhookEndpointRow,
  webhookEndpoints,
} from './webhook-endpoint.ts'

const members = {
  url: Type.String({ maxLength: 2048, description: 'https URL on the public internet, port 443 or 8443' }),
  description: Type.Optional(boundedText(255)),
  event_types: Type.Optional(
    Type.Array(boundedText(64), { maxItems: 100, description: 'Event types to send, by either name; if absent or empty, all' }),
  ),
  enabled: Type.Optional(Type.Boolean()),
}
export const webhookEndpointShape = strictObject({ ...members, profile_id: Type.Optional(boundedText(64)) })
export const webhookEndpointUpdateShape = strictObject({ ...members, url: Type.Optional(members.url) })
export const rotationShape = strictObject({
  old_expires_in: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 604_800, description: 'Seconds during which the previous secret also signs; default one day' }),
  ),
})
export type WebhookEndpointAsk = Static<typeof webhookEndpointShape>
export type WebhookEndpointUpdate = Static<typeof webhookEndpointUpdateShape>

/** Each event is sent to all of them. */
const MOST_ENDPOINTS = 50
const MOST_SECRETS = 2
const DAY_S = 86_400

const newSecret = (context: Pick<Context, 'random'>): SigningSecret => ({
  secret: `whsec_${context.random(32).toString('base64')}`,
  until: null,
})
const seal = (
  vault: Pick<Vault, 'seal'>,
  { merchant_id, endpoint_id }: { merchant_id: string; endpoint_id: string },
  secrets: SigningSecret[],
) => vault.seal(merchant_id, sealedSecretsOf(endpoint_id), JSON.stringify(secrets))

/** `secret`: given only directly after it was made. */
export function showEndpoint(endpoint: Omit<WebhookEndpoint, 'secrets' | 'headers' | 'statuses' | 'response_hash_key'>, secret?: string) {
  const {
    endpoint_id,
    merchant_id,
    profile_id,
    url,
    description,
    event_types,
    enabled,
    needs_review,
    of_profile,
    state,
    created,
    modified_at,
  } = endpoint
  const { failing_since = null, disabled_at = null, disabled_reason = null } = state ?? {}
  return {
    ...{ endpoint_id, merchant_id, profile_id, url, description, event_types, enabled, needs_review, of_profile },
    ...{ failing_since, disabled_at, disabled_reason, created, modified_at },
    ...(secret !== undefined && { secret }),
  }
}

export async function needEndpoint(
  context: Pick<Context, 'query' | 'vault'>,
  merchant: Merchant,
  endpoint_id: string,
): Promise<WebhookEndpoint> {
  const all = await findWebhookEndpoints(context, merchant)
  return all.find(endpoint => endpoint.endpoint_id === endpoint_id) ?? refuse('not_found', { what: 'webhook endpoint' })
}

/** `known`: whether an event type exists. */
async function check(context: Context, ask: WebhookEndpointUpdate, known: (type: string) => boolean): Promise<void> {
  if (ask.url === '') refuse('malformed', { field: 'url', expected: 'an absolute https address' })
  await checkWebhookUrl(context, 'url', ask.url)
  for (const [i, type] of (ask.event_types ?? []).entries())
    if (!known(type)) refuse('unacceptable', { field: `event_types[${i}]`, problem: `contains an unknown event type: ${type}` })
}

const wanted = (event_types: string[] | undefined) => (event_types && event_types.length > 0 ? event_types : null)

/** The secret is shown once. */
export async function createEndpoint(context: Context, merchant: Merchant, ask: WebhookEndpointAsk, known: (type: string) => boolean) {
  await check(context, ask, known)
  const { merchant_id } = merchant
  const profile_id = ask.profile_id ?? merchant.default_profile ?? refuse('missing', { field: 'profile_id' })
  if (!findProfile(merchant, profile_id)) refuse('not_found', { what: 'business profile', id: profile_id })
  if ((await findWebhookEndpoints(context, merchant)).length >= MOST_ENDPOINTS)
    refuse('precondition', { problem: `A merchant can have at most ${MOST_ENDPOINTS} webhook endpoints` })
  const endpoint_id = newId(context, 'we_')
  const secret = newSecret(context)
  const now = context.now()
  const row: WebhookEndpointRow = {
    merchant_id,
    endpoint_id,
    version: 1,
    profile_id,
    url: ask.url,
    description: ask.description ?? null,
    event_types: wanted(ask.event_types),
    enabled: ask.enabled ?? true,
    needs_review: false,
    sealed: seal(context.vault, { merchant_id, endpoint_id }, [secret]),
    created: now,
    modified_at: now,
    deleted_at: null,
  }
  const answer = showEndpoint({ ...row, of_profile: false, state: null }, secret.secret)
  await context.commit(changeTo(context, webhookEndpoints.name, { before: null, after: row }, 'created', { answer }))
  return answer
}

const byId = statement(
  'webhook_endpoint_by_id',
  select(webhookEndpoints, 'where merchant_id = $1 and endpoint_id = $2 and deleted_at is null'),
)

/** A profile's own endpoint is refused: it is updated with the profile. */
async function needRow(context: Context, merchant: Merchant, endpoint_id: string): Promise<WebhookEndpointRow> {
  const [row] = await context.query<WebhookEndpointRow>(byId, [merchant.merchant_id, endpoint_id])
  if (row) return row
  await needEndpoint(context, merchant, endpoint_id)
  return refuse('precondition', { problem: 'This endpoint comes from the webhook_details of its business profile: update it there' })
}

/** Also enables an endpoint that was disabled for failures; a profile's own endpoint accepts nothing else. */
export async function updateEndpoint(
  context: Context,
  merchant: Merchant,
  endpoint_id: string,
  ask: WebhookEndpointUpdate,
  known: (type: string) => boolean,
) {
  await check(context, ask, known)
  const endpoint = await needEndpoint(context, merchant, endpoint_id)
  if (!endpoint.of_profile || Object.keys(ask).some(name => name !== 'enabled') || ask.enabled !== true) {
    await move(context, webhookEndpoints.name, 'updated', async () => {
      const before = await needRow(context, merchant, endpoint_id)
      const { event_types, ...changes } = ask
      const filter = event_types === undefined ? {} : { event_types: wanted(event_types) }
      // The caller may see personal data, and has named the address.
      const reviewed = ask.url === undefined ? {} : { needs_review: false }
      return { before, after: { ...before, ...changes, ...filter, ...reviewed, modified_at: context.now() }, answer: null }
    })
  }
  if (ask.enabled === true) await noteState(context, endpoint, forgiven)
  return showEndpoint(await needEndpoint(context, merchant, endpoint_id))
}

/** The new secret is shown once. The former one also signs for `old_expires_in` s. */
export function rotateSecret(context: Context, merchant: Merchant, endpoint_id: string, old_expires_in = DAY_S) {
  return move(context, webhookEndpoints.name, 'secret_rotated', async () => {
    const before = await needRow(context, merchant, endpoint_id)
    const endpoint = await needEndpoint(context, merchant, endpoint_id)
    const now = context.now()
    const [former] = signingSecrets(context.vault, before)
    const secret = newSecret(context)
    const secrets = [secret, { ...former!, until: later(now, old_expires_in * 1000) }].slice(0, MOST_SECRETS)
    const after = { ...before, sealed: seal(context.vault, before, secrets), modified_at: now }
    return { before, after, answer: showEndpoint({ ...endpoint, modified_at: now }, secret.secret) }
  })
}

export function deleteEndpoint(context: Context, merchant: Merchant, endpoint_id: string) {
  return move(context, webhookEndpoints.name, 'deleted', async () => {
    const before = await needRow(context, merchant, endpoint_id)
    const now = context.now()
    return {
      before,
      after: { ...before, deleted_at: now, modified_at: now },
      answer: { merchant_id: merchant.merchant_id, endpoint_id, deleted: true },
    }
  })
}
