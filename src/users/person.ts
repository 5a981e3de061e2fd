import { DEPLOYMENT } from '../accounts/gsm.ts'
import type { Merchant } from '../accounts/merchant.ts'
import type { MerchantRow } from '../accounts/merchant-row.ts'
import { findMerchantsOf } from '../accounts/rows.ts'
import type { Settings } from '../accounts/settings.ts'
import type { Reads } from '../context.ts'
import { statement } from '../database/statement.ts'
import { type Permission, permissionsOf, type Role } from './roles.ts'
import { type LiveSession, rolesOf } from './sessions.ts'
import { ofOrganization } from './user.ts'

export type Person = {
  user_id: string
  session: LiveSession
  /** If the user's role is limited to some profiles, only with these (`narrowed`). */
  merchant: Merchant | null
  role: Role | null
  /** The role's limit; null: the whole merchant. */
  profile_ids: readonly string[] | null
  permissions: ReadonlySet<Permission>
}

type Of = Pick<LiveSession, 'roles' | 'operator'>
type At = Pick<Merchant, 'merchant_id' | 'organization_id'>

/** The role at the merchant, else at its organization. The deployment's operator is an admin where it has none. */
export const roleAt = (of: Of, at: At): Role | null => placeAt(of, at)?.role ?? null

function placeAt({ roles, operator }: Of, { merchant_id, organization_id }: At): { role: Role; profile_ids: Person['profile_ids'] } | null {
  const at = (id: string) => roles.find(one => one.merchant_id === id)
  return at(merchant_id) ?? at(ofOrganization(organization_id)) ?? (operator ? { role: 'admin', profile_ids: null } : null)
}

/** Only these profiles and their accounts, so that others cannot be found. */
export function narrowed(merchant: Merchant, profile_ids: Person['profile_ids']): Merchant {
  if (profile_ids === null) return merchant
  const ofProfiles = <T extends { profile_id: string }>(all: readonly T[]): T[] => all.filter(one => profile_ids.includes(one.profile_id))
  const holdings = ({ profiles, connectorAccounts }: Merchant['former']) => ({
    profiles: ofProfiles(profiles),
    connectorAccounts: ofProfiles(connectorAccounts),
  })
  const { profiles, connectorAccounts } = holdings(merchant)
  const usual = profiles.length === 1 ? profiles[0]! : profiles.find(one => one.profile_id === merchant.default_profile)
  return {
    ...merchant,
    ...{ profiles, connectorAccounts },
    default_profile: usual?.profile_id ?? null,
    routing: new Map([...merchant.routing].filter(([profile_id]) => profile_ids.includes(profile_id))),
    former: holdings(merchant.former),
    inlineAccounts: ofProfiles(merchant.inlineAccounts),
  }
}

const nothing: ReadonlySet<Permission> = new Set()

export type Doer = Omit<Person, 'session'>

function standing(of: Of, merchant: Merchant | undefined, mode: 'test' | 'live'): Omit<Doer, 'user_id'> {
  const found = merchant && placeAt(of, merchant)
  const { role, profile_ids } = found ?? { role: null, profile_ids: null }
  const own = role === null ? nothing : permissionsOf(role, mode, profile_ids === null ? 'merchant' : 'profiles')
  return {
    merchant: found ? narrowed(merchant!, profile_ids) : null,
    ...{ role, profile_ids },
    permissions: of.operator ? new Set([...own, 'deployment' as const]) : own,
  }
}

const now = statement(
  'person_now',
  `select u.operator, ${rolesOf('u.user_id')} as roles from users u where u.merchant_id = '${DEPLOYMENT}' and u.user_id = $1`,
)

/** Also if the user is not signed in. */
export async function personNow(context: Reads, merchant: Merchant, user_id: string, mode: 'test' | 'live'): Promise<Doer> {
  const [found] = await context.query<Of>(now, [user_id])
  return { user_id, ...standing(found ?? { roles: [], operator: false }, merchant, mode) }
}

export async function personOf(settings: Pick<Settings, 'merchant'>, session: LiveSession, mode: 'test' | 'live'): Promise<Person> {
  const { user_id, merchant_id } = session
  const found = merchant_id === null ? undefined : await settings.merchant(merchant_id)
  return { user_id, session, ...standing(session, found?.deleted ? undefined : found, mode) }
}

const MOST_MERCHANTS = 200
const all = statement(
  'merchants_of_deployment',
  `select merchant_id, organization_id, details, deleted_at from merchants where deleted_at is null order by created, merchant_id limit ${MOST_MERCHANTS}`,
)

export type MerchantOfPerson = { merchant_id: string; merchant_name: string | null; role: Role }
type Named = Pick<MerchantRow, 'merchant_id' | 'organization_id' | 'details' | 'deleted_at'>

export async function merchantsOf(context: Reads, session: Pick<LiveSession, 'roles' | 'operator'>): Promise<MerchantOfPerson[]> {
  const found: Named[] = []
  for (const { merchant_id } of session.roles)
    found.push(...(merchant_id.startsWith('@') ? await findMerchantsOf(context, merchant_id.slice(1)) : await named(context, merchant_id)))
  if (session.operator) found.push(...(await context.query<Named>(all, [])))
  const once = new Map(found.filter(one => one.deleted_at === null).map(one => [one.merchant_id, one]))
  return [...once.values()].slice(0, MOST_MERCHANTS).flatMap(one => {
    const role = roleAt(session, one)
    return role === null
      ? []
      : [{ merchant_id: one.merchant_id, merchant_name: (one.details.merchant_name ?? null) as string | null, role }]
  })
}

const byId = statement('name_of_merchant', 'select merchant_id, organization_id, details, deleted_at from merchants where merchant_id = $1')
const named = (context: Reads, merchant_id: string): Promise<Named[]> => context.query<Named>(byId, [merchant_id])
