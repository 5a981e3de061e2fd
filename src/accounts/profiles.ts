import { refuse } from '../base/refusal.ts'
import type { Context, Reads } from '../context.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { newProfile } from './business-details.ts'
import { hide } from './hidden-members.ts'
import { type Details, type ProfileRow, profiles } from './merchant.ts'
import { type HasUnfinished, mergeWebhookDetails, refuseUnfinished } from './merchants.ts'
import { checkProfileSettings, type ProfileAsk, type ProfileUpdate } from './profile-fields.ts'
import { findConnectorAccounts, findProfiles, move, needMerchant } from './rows.ts'

/** `but`: the id of the profile that may have the name. */
function checkName(profiles: readonly ProfileRow[], profile_name: string, but?: string): void {
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

const byId = statement('profile_by_id', select(profiles, 'where merchant_id = $1 and profile_id = $2 and deleted_at is null'))

export const needProfileRow = async (context: Reads, merchant_id: string, profile_id: string): Promise<ProfileRow> =>
  (await context.query<ProfileRow>(byId, [merchant_id, profile_id]))[0] ?? refuse('not_found', { what: 'business profile', id: profile_id })

/** Changed only by an operation of their own (`POST …/toggle_…`). */
export type Toggles = { is_extended_card_info_enabled?: boolean }

export async function updateProfile<T>(
  context: Context,
  merchant_id: string,
  profile_id: string,
  ask: ProfileUpdate & Toggles,
  show: (profile: ProfileRow) => T,
): Promise<T> {
  await checkProfileSettings(context, ask)
  const { profile_name, ...changes } = ask
  return move(context, 'profiles', 'updated', async () => {
    const before = await needProfileRow(context, merchant_id, profile_id)
    if (profile_name !== undefined) checkName(await findProfiles(context, merchant_id), profile_name, profile_id)
    const details: Details = {
      ...before.details,
      ...hide(context.vault, { merchant_id, profile_id }, changes),
      ...mergeWebhookDetails(before.details, ask),
    }
    const after = { ...before, profile_name: profile_name ?? before.profile_name, details, modified_at: context.now() }
    return { before, after, answer: show(after) }
  })
}

/** Deletes its connector accounts too. Earlier payments go on: captures, refunds, and returns of customers. */
export async function deleteProfile(
  context: Context,
  merchant_id: string,
  profile_id: string,
  hasUnfinished: HasUnfinished,
): Promise<true> {
  return move<true>(context, 'profiles', 'deleted', async () => {
    const before = await needProfileRow(context, merchant_id, profile_id)
    const accounts = (await findConnectorAccounts(context, merchant_id)).filter(account => account.profile_id === profile_id)
    const ids = accounts.map(account => account.merchant_connector_id)
    if (ids.length > 0 && (await hasUnfinished(context, merchant_id, ids))) refuseUnfinished('business profile')
    return { before, after: { ...before, deleted_at: context.now() }, answer: true }
  })
}
