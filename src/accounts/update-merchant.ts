import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import { businessesOf, businessName, newProfile } from './business-details.ts'
import { checkMerchantDetails } from './create-merchant.ts'
import { hide } from './hidden-members.ts'
import type { Details } from './merchant.ts'
import { defaultProfileOf, type MerchantRow } from './merchant-row.ts'
import type { MerchantUpdate } from './merchant-shape.ts'
import { findProfiles, move, needMerchant } from './rows.ts'
import type { WebhookDetails } from './webhook-details.ts'

export const mergeWebhookDetails = (before: Details, ask: { webhook_details?: WebhookDetails }): Details =>
  ask.webhook_details ? { webhook_details: { ...(before.webhook_details as WebhookDetails | undefined), ...ask.webhook_details } } : {}

/**
 * webhook_details are merged. A new business gets its own profile; then no profile is the default, unless the request
 * names one.
 */
export async function updateMerchant<T>(
  context: Context,
  merchant_id: string,
  ask: MerchantUpdate & { kv_enabled?: boolean },
  show: (merchant: MerchantRow) => T,
): Promise<T> {
  if (ask.merchant_id !== undefined && ask.merchant_id !== merchant_id)
    refuse('precondition', { problem: 'merchant_id in the body differs from the one in the path' })
  await checkMerchantDetails(context, ask)
  const { merchant_id: _path, publishable_key: _ours, default_profile, ...changes } = ask
  const businesses = businessesOf(ask.primary_business_details)
  return move(context, 'merchants', 'updated', async () => {
    const before = await needMerchant(context, merchant_id)
    const now = context.now()
    const profiles = (await findProfiles(context, merchant_id)).filter(profile => profile.deleted_at === null)
    if (default_profile !== undefined && !profiles.some(profile => profile.profile_id === default_profile))
      refuse('not_found', { what: 'business profile', id: default_profile })
    const details: Details = {
      ...before.details,
      ...hide(context.vault, { merchant_id }, changes),
      ...mergeWebhookDetails(before.details, ask),
      ...(businesses && { primary_business_details: businesses }),
    }
    const added = (businesses ?? [])
      .map(businessName)
      .filter(name => !profiles.some(profile => profile.profile_name === name))
      .map(name => newProfile(context, { merchant_id, details }, name, now))
    const unset = default_profile ?? (added.length > 0 ? null : defaultProfileOf(before, profiles))
    const after = { ...before, details, default_profile: unset, modified_at: now }
    return {
      before,
      after,
      answer: show(after),
      rows: added.map(profile => ({ table: 'profiles', before: null, after: profile })),
    }
  })
}
