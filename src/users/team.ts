import Type, { type Static } from 'typebox'
import { revokeKeysOfPerson } from '../accounts/api-keys.ts'
import { DEPLOYMENT } from '../accounts/gsm.ts'
import { newId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { shortText, strictObject } from '../base/shapes.ts'
import type { Context, Reads } from '../context.ts'
import { statement } from '../database/statement.ts'
import { endLinks, type Link, makeLink } from './links.ts'
import { permissionsOf, type Role, roles } from './roles.ts'
import { findRole, findUserByEmail, insertUser, newRole, newUser, type User, type UserRole, userRoles, writeRole } from './user.ts'

/** Members of the organization are members of all its merchants. */

export const email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: '^[^@\\s<>"(),:;]+@[^@\\s<>"(),:;]+$',
  description: 'E-mail address',
})
const role = Type.Enum([...roles], { description: 'What a person may do: see `GET /roles`' })

const profile_ids = Type.Array(shortText, {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description:
    'Business profiles for which the role holds: objects of other profiles do not exist for the person, and what concerns the whole merchant is refused',
})
const all_profiles = Type.Boolean({ description: 'true: the role holds for the whole merchant again' })
const organization = Type.Boolean({ description: 'For all merchants of the organization, by its own people; default false' })
export const inviteShape = strictObject({ email, role, organization: Type.Optional(organization), profile_ids: Type.Optional(profile_ids) })
export const memberShape = strictObject({
  role: Type.Optional(role),
  disabled: Type.Optional(Type.Boolean()),
  profile_ids: Type.Optional(profile_ids),
  all_profiles: Type.Optional(all_profiles),
})

type Row = UserRole & Pick<User, 'email' | 'name' | 'last_signed_in_at' | 'totp_confirmed_at'>

const columns = userRoles.names.map(name => `r.${name}`).join(', ')
const member = `select ${columns}, u.email, u.name, u.last_signed_in_at, u.totp_confirmed_at
  from user_roles r join users u on u.merchant_id = '${DEPLOYMENT}' and u.user_id = r.user_id where r.merchant_id = any($1) and r.removed_at is null`
const list = statement('people_of_merchant', `${member} order by r.created, r.user_id limit 1000`)
const byId = statement('person_of_merchant', `${member} and r.user_id = $2`)

/** `state`: invited until the invitation is accepted; disabled in any case. */
const shown = (row: Row) => ({
  user_id: row.user_id,
  email: row.email,
  name: row.accepted_at === null ? null : row.name,
  role: row.role,
  profile_ids: row.profile_ids === null ? null : [...row.profile_ids],
  of: row.merchant_id.startsWith('@') ? ('organization' as const) : ('merchant' as const),
  state: row.disabled_at !== null ? ('disabled' as const) : row.accepted_at === null ? ('invited' as const) : ('active' as const),
  totp: row.accepted_at !== null && row.totp_confirmed_at !== null,
  last_signed_in: row.accepted_at === null ? null : row.last_signed_in_at,
  invited_by: row.invited_by,
  created: row.created,
})
export type TeamMember = ReturnType<typeof shown>

export type Team = { merchant_id: string; organization: string; profiles: readonly string[] }

export const listMembers = async (
  context: Reads,
  { merchant_id, organization }: Pick<Team, 'merchant_id' | 'organization'>,
): Promise<TeamMember[]> => (await context.query<Row>(list, [[merchant_id, organization]])).map(shown)

const needMember = async (context: Reads, { merchant_id, organization }: Team, user_id: string): Promise<Row> => {
  const rows = await context.query<Row>(byId, [[merchant_id, organization], user_id])
  return rows.find(row => row.merchant_id === merchant_id) ?? rows[0] ?? refuse('not_found', { what: 'user' })
}

/** The user's own roles at the merchant and at its organization limit the changes. */
export type Changer = { user_id: string; role: Role | null; ofOrganization: Role | null }

/** Refuses (IR_22): only owners may add, change and remove owners, and only members of an organization its members. */
function checkMay(by: Changer, place: string, ...concerned: readonly (Role | undefined)[]): void {
  const role = place.startsWith('@') ? by.ofOrganization : by.role
  if (role !== 'owner' && role !== 'admin')
    refuse('forbidden', { problem: 'This requires the role owner or admin of the organization', help: 'Ask an owner of the organization' })
  if (role !== 'owner' && concerned.includes('owner'))
    refuse('forbidden', { problem: 'Only an owner can add, change or remove an owner', help: 'Ask an owner of the merchant' })
}

/** Refuses (HE_02) an unknown profile, (IR_16) a limit for owners and members of the organization, who have all. */
function checkProfiles({ profiles }: Team, place: string, role: Role, profile_ids: readonly string[] | null): void {
  if (profile_ids === null) return
  if (role === 'owner') refuse('precondition', { problem: 'The role of an owner holds for the whole merchant' })
  if (place.startsWith('@'))
    refuse('precondition', {
      problem: 'The role of a person of the organization holds for all of its merchants: profile_ids cannot be sent',
    })
  const unknown = profile_ids.find(id => !profiles.includes(id))
  if (unknown !== undefined) refuse('not_found', { what: 'business profile', id: unknown })
}

/** Writes a role that waits for acceptance. Again: a new link. Refuses (HE_01) a user who is a member already. */
export async function invite(
  context: Context,
  publicUrl: string,
  team: Team,
  by: Changer,
  ask: Static<typeof inviteShape>,
): Promise<{ member: TeamMember; link: Link }> {
  const merchant_id = ask.organization === true ? team.organization : team.merchant_id
  checkMay(by, merchant_id, ask.role)
  const { profile_ids = null } = ask
  checkProfiles(team, merchant_id, ask.role, profile_ids)
  const user =
    (await findUserByEmail(context, ask.email)) ??
    (await insertUser(context, newUser(newId(context, 'usr_'), ask.email, context.now()), 'invited'))
  const { user_id } = user
  const before = await findRole(context, merchant_id, user_id)
  if (before && before.removed_at === null && before.accepted_at !== null) refuse('duplicate', { what: 'user', id: ask.email })
  if (before && before.removed_at === null) checkMay(by, merchant_id, before.role)
  const given = { role: ask.role, profile_ids, invited_by: by.user_id }
  const fresh = newRole(merchant_id, user_id, before?.created ?? context.now(), given)
  await writeRole(context, before ?? null, before ? { ...fresh, version: before.version } : fresh, 'invited')
  const link = await makeLink(context, publicUrl, 'invite', { user_id, merchant_id })
  return { member: shown(await needMember(context, { ...team, merchant_id }, user_id)), link }
}

const bare = (row: Row): UserRole => Object.fromEntries(userRoles.names.map(name => [name, row[name as keyof Row]])) as UserRole

/** The database refuses to change the role of the last active owner (`writeRole`). */
async function isLastOwner(context: Context, { merchant_id, user_id, role }: UserRole): Promise<boolean> {
  if (role !== 'owner') return false
  const all = await listMembers(context, { merchant_id, organization: merchant_id })
  return !all.some(one => one.user_id !== user_id && one.role === 'owner' && one.state === 'active')
}

/**
 * The keys of the user's command lines are revoked before the change, because a crash must not leave a key with former
 * permissions, and again after it, because a sign-in may have been approved meanwhile.
 */
async function writeAndEndKeys(context: Context, before: UserRole, after: UserRole, type: string): Promise<void> {
  const { merchant_id, user_id } = before
  if (!(await isLastOwner(context, before))) await revokeKeysOfPerson(context, merchant_id, user_id)
  await writeRole(context, before, after, type)
  await revokeKeysOfPerson(context, merchant_id, user_id)
}

/** A permission, a profile or an access that the member did not have. */
function givesMore(mode: 'test' | 'live', before: UserRole, after: UserRole): boolean {
  const rights = ({ role, profile_ids }: UserRole) => permissionsOf(role, mode, profile_ids === null ? 'merchant' : 'profiles')
  return (
    (before.disabled_at !== null && after.disabled_at === null) ||
    [...rights(after)].some(permission => !rights(before).has(permission)) ||
    (before.profile_ids !== null && (after.profile_ids?.some(id => !before.profile_ids?.includes(id)) ?? true))
  )
}

/** Revokes the keys of the member's command lines. More rights need `prove`. Refuses (IR_16) to leave no owner. */
export async function updateMember(
  context: Context,
  team: Team,
  by: Changer,
  user_id: string,
  ask: Static<typeof memberShape>,
  { mode, prove }: { mode: 'test' | 'live'; prove(): Promise<void> },
): Promise<TeamMember> {
  const row = await needMember(context, team, user_id)
  checkMay(by, row.merchant_id, row.role, ask.role)
  const before = bare(row)
  const disabled_at = ask.disabled === undefined ? before.disabled_at : ask.disabled ? (before.disabled_at ?? context.now()) : null
  if (ask.all_profiles && ask.profile_ids) refuse('precondition', { problem: 'profile_ids and all_profiles are both sent' })
  const role = ask.role ?? before.role
  const profile_ids = ask.all_profiles ? null : (ask.profile_ids ?? before.profile_ids)
  if (ask.role !== undefined || ask.profile_ids !== undefined) checkProfiles(team, row.merchant_id, role, profile_ids)
  const after: UserRole = { ...before, role, profile_ids, disabled_at }
  const isSame = role === before.role && disabled_at === before.disabled_at && `${profile_ids}` === `${before.profile_ids}`
  if (givesMore(mode, before, after)) await prove()
  if (!isSame) await writeAndEndKeys(context, before, after, 'updated')
  return shown({ ...row, ...after })
}

/** The member's sessions lose access to this merchant at once. Refuses (IR_16) the last owner. */
export async function removeMember(context: Context, team: Team, by: Changer, user_id: string) {
  const row = await needMember(context, team, user_id)
  checkMay(by, row.merchant_id, row.role)
  const before = bare(row)
  await writeAndEndKeys(context, before, { ...before, removed_at: context.now() }, 'removed')
  await endLinks(context, row.merchant_id, user_id)
  return { user_id, deleted: true }
}
