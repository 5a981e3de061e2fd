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

/** What was said of webhooks, and what is said now: member by member. */
export const mergeWebhookDetails = (before: Details, ask: { webhook_details?: WebhookDetails }): Details =>
  ask.webhook_details ? { webhook_details: { ...(before.webhook_details as WebhookDetails | undefined), ...ask.webhook_details } } : {}

/**
 * Changes what is said of a merchant; what is not named stays, and webhook_details are merged. A business that is new
 * gets a profile of its own; then none is the default, unless `default_profile` says so. Refuses (HE_02) a merchant
 * or a default profile that there is not.
 */
export async function updateMerchant<T>(
  context: Context,
  merchant_id: string,
  ask: MerchantUpdate & { kv_enabled?: boolean },
  show: (merchant: MerchantRow) => T,
): Promise<T> {
  if (ask.merchant_id !== undefined && ask.merchant_id !== merchant_id)
    refuse('precondition', { words: 'merchant_id in the body differs from the one in the path' })
  await checkMerchantDetails(context, ask)
  const { merchant_id: _path, publishable_key: _ours, default_profile, ...said } = ask
  const businesses = businessesOf(ask.primary_business_details)
  return move(context, 'merchants', 'updated', async () => {
    const before = await needMerchant(context, merchant_id)
    const now = context.now()
    const profiles = (await findProfiles(context, merchant_id)).filter(profile => profile.deleted_at === null)
    if (default_profile !== undefined && !profiles.some(profile => profile.profile_id === default_profile))
      refuse('not_found', { what: 'business profile', id: default_profile })
    const details: Details = {
      ...before.details,
      ...hide(context.vault, { merchant_id }, said),
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
