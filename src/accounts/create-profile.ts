import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import { newProfile } from './business-details.ts'
import type { ProfileRow } from './merchant.ts'
import { checkProfileSettings, type ProfileAsk } from './profile-shape.ts'
import { findProfiles, move, needMerchant } from './rows.ts'

/** `but`: the id of the profile that may have the name. */
export function checkName(profiles: readonly ProfileRow[], profile_name: string, but?: string): void {
  if (profiles.some(profile => profile.deleted_at === null && profile.profile_name === profile_name && profile.profile_id !== but))
    refuse('taken', { what: 'business profile', name: profile_name })
}

/** If the merchant has other profiles, none is the default afterwards, until the merchant names one (contract 6.3). */
export async function createProfile<T>(
  context: Context,
  merchant_id: string,
  ask: ProfileAsk,
  show: (profile: ProfileRow) => T,
): Promise<T> {
  await checkProfileSettings(context, ask)
  const { profile_name = 'default', ...own } = ask
  return move(context, 'merchants', 'profile_created', async () => {
    const before = await needMerchant(context, merchant_id)
    const others = await findProfiles(context, merchant_id)
    checkName(others, profile_name)
    const now = context.now()
    const profile = newProfile(context, before, profile_name, now, own)
    const alone = others.every(other => other.deleted_at !== null)
    return {
      before,
      after: { ...before, default_profile: alone ? profile.profile_id : null, modified_at: now },
      rows: [{ table: 'profiles', before: null, after: profile }],
      answer: show(profile),
    }
  })
}
