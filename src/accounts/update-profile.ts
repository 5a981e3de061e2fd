import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { checkName } from './create-profile.ts'
import { hide } from './hidden-members.ts'
import { type Details, type ProfileRow, profiles } from './merchant.ts'
import { checkProfileSettings, type ProfileUpdate } from './profile-shape.ts'
import { findProfiles, move } from './rows.ts'
import { mergeWebhookDetails } from './update-merchant.ts'

const byId = statement('profile_by_id', select(profiles, 'where merchant_id = $1 and profile_id = $2 and deleted_at is null'))

export const needProfileRow = async (context: Pick<Context, 'query'>, merchant_id: string, profile_id: string): Promise<ProfileRow> =>
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
