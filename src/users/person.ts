import { DEPLOYMENT } from '../accounts/gsm.ts'
import type { Merchant } from '../accounts/merchant.ts'
import type { MerchantRow } from '../accounts/merchant-row.ts'
import { findMerchantsOf } from '../accounts/rows.ts'
import type { Settings } from '../accounts/settings.ts'
import type { Context } from '../context.ts'
import { statement } from '../database/statement.ts'
import { type Permission, permissionsOf, type Role } from './roles.ts'
import { type LiveSession, rolesOf } from './sessions.ts'
import { ofOrganization } from './user.ts'

/** A person who is signed in, and what they may do at the merchant that their session is about. */
export type Person = {
  user_id: string
  session: LiveSession
  merchant: Merchant | null
  role: Role | null
  permissions: ReadonlySet<Permission>
}

/**
 * What a person is at a merchant: their role there, else that of its organization; the operator of the deployment is an
 * admin wherever they have no role. Null: nothing.
 */
export function roleAt(
  { roles, operator }: Pick<LiveSession, 'roles' | 'operator'>,
  { merchant_id, organization_id }: Pick<Merchant, 'merchant_id' | 'organization_id'>,
): Role | null {
  const at = (id: string) => roles.find(one => one.merchant_id === id)?.role
  return at(merchant_id) ?? at(ofOrganization(organization_id)) ?? (operator ? 'admin' : null)
}

const nothing: ReadonlySet<Permission> = new Set()

/** A person at a merchant, without the session that they came with. */
export type Doer = Omit<Person, 'session'>

const rightsOf = ({ operator }: Pick<LiveSession, 'operator'>, role: Role | null, mode: 'test' | 'live'): ReadonlySet<Permission> => {
  const own = role === null ? nothing : permissionsOf(role, mode)
  return operator ? new Set([...own, 'deployment' as const]) : own
}

const now = statement(
  'person_now',
  `select u.operator, ${rolesOf('u.user_id')} as roles from users u where u.merchant_id = '${DEPLOYMENT}' and u.user_id = $1`,
)

/** What a person is at a merchant just now, whether or not they are signed in. */
export async function personNow(
  context: Pick<Context, 'query'>,
  merchant: Merchant,
  user_id: string,
  mode: 'test' | 'live',
): Promise<Doer> {
  const [found] = await context.query<Pick<LiveSession, 'roles' | 'operator'>>(now, [user_id])
  const role = found === undefined ? null : roleAt(found, merchant)
  return { user_id, merchant, role, permissions: found === undefined ? nothing : rightsOf(found, role, mode) }
}

/** The person of a session. */
export async function personOf(settings: Pick<Settings, 'merchant'>, session: LiveSession, mode: 'test' | 'live'): Promise<Person> {
  const { user_id, merchant_id } = session
  const found = merchant_id === null ? undefined : await settings.merchant(merchant_id)
  const merchant = found && !found.deleted && roleAt(session, found) !== null ? found : null
  const role = merchant && roleAt(session, merchant)
  return { user_id, session, merchant, role, permissions: rightsOf(session, role, mode) }
}

const MOST_MERCHANTS = 200
const all = statement(
  'merchants_of_deployment',
  `select merchant_id, organization_id, details, deleted_at from merchants where deleted_at is null order by created, merchant_id limit ${MOST_MERCHANTS}`,
)

export type MerchantOfPerson = { merchant_id: string; merchant_name: string | null; role: Role }
type Named = Pick<MerchantRow, 'merchant_id' | 'organization_id' | 'details' | 'deleted_at'>

/** The merchants that a person can choose, each with what they are there. */
export async function merchantsOf(
  context: Pick<Context, 'query'>,
  session: Pick<LiveSession, 'roles' | 'operator'>,
): Promise<MerchantOfPerson[]> {
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
const named = (context: Pick<Context, 'query'>, merchant_id: string): Promise<Named[]> => context.query<Named>(byId, [merchant_id])
