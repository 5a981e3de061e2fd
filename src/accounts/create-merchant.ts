import Type from 'typebox'
import { newId, randomAlphanumeric } from '../base/id.ts'
import { checkMetadata } from '../base/metadata.ts'
import { refuse } from '../base/refusal.ts'
import { checkAddress, metadata, shortText } from '../base/shapes.ts'
import type { World } from '../world.ts'
import { prefixes } from './api-keys.ts'
import type { Details, MerchantRow, ProfileRow } from './merchant.ts'

const kept = Type.Record(Type.String(), Type.Unknown())
const flag = Type.Boolean()

export const merchantShape = Type.Object(
  {
    merchant_id: Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' }),
    merchant_name: Type.Optional(shortText),
    merchant_details: Type.Optional(kept),
    return_url: Type.Optional(Type.String({ maxLength: 255, format: 'uri' })),
    webhook_details: Type.Optional(kept),
    payout_routing_algorithm: Type.Optional(kept),
    sub_merchants_enabled: Type.Optional(flag),
    parent_merchant_id: Type.Optional(shortText),
    enable_payment_response_hash: Type.Optional(flag),
    payment_response_hash_key: Type.Optional(Type.String({ minLength: 16, maxLength: 255 })),
    redirect_to_merchant_with_http_post: Type.Optional(flag),
    metadata: Type.Optional(metadata),
    publishable_key: Type.Optional(shortText),
    locker_id: Type.Optional(shortText),
    primary_business_details: Type.Optional(Type.Unknown()),
    frm_routing_algorithm: Type.Optional(kept),
    organization_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    pm_collect_link_config: Type.Optional(kept),
    product_type: Type.Optional(shortText),
    merchant_account_type: Type.Optional(shortText),
    network_tokenization_credentials: Type.Optional(kept),
  },
  { additionalProperties: false },
)
export type MerchantAsk = Type.Static<typeof merchantShape>

/** Members whose behaviour this version does not have: refused by name rather than stored and ignored. */
const notYet = ['sub_merchants_enabled', 'redirect_to_merchant_with_http_post'] as const

/** Creates a merchant with its default business profile. Refuses (HE_01) an id that exists. `show`: what the caller is shown of it. */
export async function createMerchant<T>(
  world: World,
  mode: 'test' | 'live',
  ask: MerchantAsk,
  show: (merchant: MerchantRow) => T,
): Promise<T> {
  for (const field of notYet) if (ask[field] === true) refuse('not_supported', { words: `${field} is not supported by this version` })
  for (const field of ['primary_business_details', 'network_tokenization_credentials'] as const)
    if (ask[field] !== undefined) refuse('not_supported', { words: `${field} is not supported by this version` })
  if (ask.merchant_account_type !== undefined && ask.merchant_account_type !== 'standard')
    refuse('not_supported', { words: 'merchant_account_type may only be standard in this version' })
  checkAddress('return_url', ask.return_url)
  checkMetadata('metadata', ask.metadata)
  const { merchant_id, organization_id: organization, publishable_key: _ours, ...rest } = ask
  const now = world.now()
  const details: Details = {
    ...rest,
    enable_payment_response_hash: ask.enable_payment_response_hash ?? true,
    payment_response_hash_key: ask.payment_response_hash_key ?? randomAlphanumeric(world, 64),
  }
  // A profile starts with what its merchant says of returning customers and webhooks.
  const inherited: Details = Object.fromEntries(
    ['return_url', 'webhook_details', 'enable_payment_response_hash', 'payment_response_hash_key']
      .filter(name => details[name] !== undefined)
      .map(name => [name, details[name]]),
  )
  const merchant: MerchantRow = {
    merchant_id,
    version: 1,
    organization_id: organization ?? newId(world, 'org_'),
    publishable_key: prefixes[mode].publishable + world.random(16).toString('hex'),
    default_profile: newId(world, 'pro_'),
    details,
    created: now,
    modified_at: now,
  }
  const profile: ProfileRow = {
    merchant_id,
    profile_id: merchant.default_profile!,
    version: 1,
    profile_name: 'default',
    details: inherited,
    created: now,
    modified_at: now,
  }
  const answer = show(merchant)
  const written = await world.commit({
    head: 'merchants',
    before: null,
    after: merchant,
    rows: [{ table: 'profiles', before: null, after: profile }],
    event: { type: 'created', announces: null },
    by: world.by,
    answer,
  })
  return written.is === 'written' ? answer : refuse('duplicate', { what: 'merchant account', id: merchant_id })
}
