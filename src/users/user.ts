import { DEPLOYMENT } from '../accounts/gsm.ts'
import { refuse } from '../base/refusal.ts'
import type { Context, Reads, Time } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { statement } from '../database/statement.ts'
import { bigint, bytes, count, flag, jsonb, type RowOf, select, table, text, time } from '../database/table.ts'
import type { Role } from './roles.ts'

export const totpRecord = (user_id: string): string => `totp ${user_id}`

export const users = table('users', {
  kind: 'user',
  key: ['merchant_id', 'user_id'],
  columns: {
    merchant_id: text(),
    user_id: text(),
    version: count(1),
    email: text(),
    name: text().orNull(),
    password: text().orNull().unrecorded(),
    totp: bytes(row => totpRecord(String(row.user_id))).orNull(),
    totp_confirmed_at: time().orNull(),
    totp_step: bigint().orNull().unrecorded(),
    recovery_codes: jsonb<string[]>([]).unrecorded(),
    operator: flag(),
    created: time().fixed(),
    last_signed_in_at: time().orNull(),
    sso_subject: text().orNull(),
  },
})
export type User = RowOf<typeof users>

/** For a role at an organization, `merchant_id` is `ofOrganization` of its id. */
export const userRoles = table('user_roles', {
  kind: 'user_role',
  key: ['merchant_id', 'user_id'],
  columns: {
    merchant_id: text(),
    user_id: text(),
    version: count(1),
    role: text<Role>('viewer'),
    /** The role's limit; null: the whole merchant. */
    profile_ids: jsonb<readonly string[]>(['pro_some']).orNull(),
    invited_by: text().orNull(),
    accepted_at: time().orNull(),
    disabled_at: time().orNull(),
    removed_at: time().orNull(),
    created: time().fixed(),
  },
})
export type UserRole = RowOf<typeof userRoles>

/** No merchant can have this id. */
export const ofOrganization = (organization_id: string): string => `@${organization_id}`

/** ASCII alone is folded: Unicode folds the Kelvin sign to k, and so one person's address to that of another. */
export const plainEmail = (email: string): string => email.trim().replace(/[A-Z]/g, letter => letter.toLowerCase())

export const isPlainEmail = (email: string): boolean => /^[\x21-\x7e]+$/.test(email)

const byId = statement('user_by_id', select(users, 'where merchant_id = $1 and user_id = $2'))
const byEmail = statement('user_by_email', select(users, 'where merchant_id = $1 and email = $2'))
const roleOf = statement('user_role', select(userRoles, 'where merchant_id = $1 and user_id = $2'))

export const findUser = async (context: Reads, user_id: string): Promise<User | undefined> =>
  (await context.query<User>(byId, [DEPLOYMENT, user_id]))[0]

export const needUser = async (context: Reads, user_id: string): Promise<User> =>
  (await findUser(context, user_id)) ?? refuse('not_found', { what: 'user' })

export const findUserByEmail = async (context: Reads, email: string): Promise<User | undefined> =>
  (await context.query<User>(byEmail, [DEPLOYMENT, plainEmail(email)]))[0]

export const findRole = async (context: Reads, merchant_id: string, user_id: string): Promise<UserRole | undefined> =>
  (await context.query<UserRole>(roleOf, [merchant_id, user_id]))[0]

export const noTotp = { totp: null, totp_confirmed_at: null, totp_step: null, recovery_codes: [] }

export const newUser = (user_id: string, email: string, now: Time): User => ({
  merchant_id: DEPLOYMENT,
  user_id,
  version: 1,
  email: plainEmail(email),
  name: null,
  password: null,
  ...noTotp,
  operator: false,
  created: now,
  last_signed_in_at: null,
  sso_subject: null,
})

type Changes = Parameters<typeof changeTo>[0] & Pick<Context, 'commit'>

/** Null if a concurrent change was first. */
export async function tryChangeUser(context: Changes, before: User, more: Partial<User>, type: string): Promise<User | null> {
  const result = await context.commit(changeTo(context, users.name, { before, after: { ...before, ...more } }, type))
  return result.is === 'written' ? (result.row as User) : null
}

/** Refuses (HE_00) if a concurrent change was first; the request may be sent again. */
export const changeUser = async (context: Changes, before: User, more: Partial<User>, type: string): Promise<User> =>
  (await tryChangeUser(context, before, more, type)) ?? refuse('busy')

/** Refuses (HE_00) a concurrent second account with the same address; its retry finds the first. */
export async function insertUser(context: Context, user: User, type: string): Promise<User> {
  const result = await context.commit(changeTo(context, users.name, { before: null, after: user }, type, { ownId: true }))
  return result.is === 'written' ? (result.row as User) : refuse('busy')
}

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
