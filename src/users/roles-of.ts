import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { findRole, type UserRole, userRoles } from './user.ts'

const LAST_OWNER = 'SY001'

/** Refuses (IR_16) a change that leaves no owner, and (HE_00) a conflict. */
export async function writeRole(context: Context, before: UserRole | null, after: UserRole, type: string): Promise<UserRole> {
  try {
    const result = await context.commit(changeTo(context, userRoles.name, { before, after }, type))
    return result.is === 'written' ? (result.row as UserRole) : refuse('busy')
  } catch (error) {
    if ((error as { code?: unknown }).code === LAST_OWNER)
      refuse('precondition', { problem: 'The last owner of a merchant can be neither removed, disabled nor given another role' })
    throw error
  }
}

/** The user has not accepted it yet. */
export const newRole = (
  merchant_id: string,
  user_id: string,
  now: string,
  given: Pick<UserRole, 'role' | 'invited_by'> & Partial<Pick<UserRole, 'profile_ids'>>,
): UserRole => ({
  merchant_id,
  user_id,
  version: 1,
  profile_ids: null,
  accepted_at: null,
  disabled_at: null,
  removed_at: null,
  created: now,
  ...given,
})

/** `given`: the new role; null: that of the user's invitation. Refuses (UR_04) an invitation that was withdrawn. */
export async function joinMerchant(
  context: Context,
  merchant_id: string,
  user_id: string,
  given: Pick<UserRole, 'role' | 'invited_by'> | null,
): Promise<UserRole> {
  const before = await findRole(context, merchant_id, user_id)
  const accepted_at = context.now()
  if (given !== null) {
    const fresh = { ...newRole(merchant_id, user_id, before?.created ?? accepted_at, given), accepted_at }
    return writeRole(context, before ?? null, before ? { ...before, ...fresh, version: before.version } : fresh, 'joined')
  }
  if (!before || before.removed_at !== null) return refuse('link_invalid')
  return writeRole(context, before, { ...before, accepted_at }, 'joined')
}
