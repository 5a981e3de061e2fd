import type { Static } from 'typebox'
import { newId } from '../base/id.ts'
import { checkMetadata } from '../base/metadata.ts'
import { refuse } from '../base/refusal.ts'
import type { Context, Reads, Time } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { statement } from '../database/statement.ts'
import { count, jsonb, type RowOf, select, table } from '../database/table.ts'
import { shapeOf, tableColumns } from '../resources/read.ts'
import type { Details } from './merchant.ts'
import { organizationFields } from './organization-fields.ts'
import { move } from './rows.ts'

/** An organization belongs to the deployment and not to a merchant, and has a history of its own. */
const organizations = table('organizations', {
  kind: 'organization',
  key: ['organization_id'],
  columns: { ...tableColumns(organizationFields), version: count(1), details: jsonb<Details>() },
})
export type OrganizationRow = RowOf<typeof organizations>

export const organizationShape = shapeOf(organizationFields, 'create')
export type OrganizationAsk = Static<typeof organizationShape>

export const organizationUpdateShape = shapeOf(organizationFields, 'update')
export type OrganizationUpdate = Static<typeof organizationUpdateShape>

const byId = statement('organization_by_id', select(organizations, 'where organization_id = $1'))

const findOrganization = async (context: Reads, organization_id: string): Promise<OrganizationRow | undefined> =>
  (await context.query<OrganizationRow>(byId, [organization_id]))[0]

export const needOrganization = async (context: Reads, organization_id: string): Promise<OrganizationRow> =>
  (await findOrganization(context, organization_id)) ?? refuse('unknown', { what: 'organization (organization_id)' })

/** An organization that is created with its first merchant has no details yet. */
export const newOrganization = (context: Pick<Context, 'random'>, now: Time, ask: Partial<OrganizationAsk> = {}): OrganizationRow => {
  const { organization_name, ...details } = ask
  return {
    organization_id: newId(context, 'org_'),
    version: 1,
    organization_name: organization_name ?? null,
    details,
    created_at: now,
    modified_at: now,
  }
}

// A deleted platform account stays the platform, because its connected accounts belong to no other.
const platformOfOrganization = statement(
  'platform_of_organization',
  "select merchant_id from merchants where organization_id = $1 and details ->> 'merchant_account_type' = 'platform'",
)
export const findPlatform = async (context: Reads, organization_id: string): Promise<string | null> =>
  (await context.query<{ merchant_id: string }>(platformOfOrganization, [organization_id]))[0]?.merchant_id ?? null

type Show<T> = (organization: OrganizationRow) => T

export async function createOrganization<T>(context: Context, ask: OrganizationAsk, show: Show<T>): Promise<T> {
  checkMetadata('metadata', ask.metadata)
  const after = newOrganization(context, context.now(), ask)
  const answer = show(after)
  await context.commit(changeTo(context, 'organizations', { before: null, after }, 'created', { answer, ownId: true }))
  return answer
}

export async function updateOrganization<T>(context: Context, organization_id: string, ask: OrganizationUpdate, show: Show<T>): Promise<T> {
  checkMetadata('metadata', ask.metadata)
  const { organization_name, platform_merchant_id, ...details } = ask
  const isItsPlatform = platform_merchant_id === undefined || (await findPlatform(context, organization_id)) === platform_merchant_id
  return move(context, 'organizations', 'updated', async () => {
    const before = await needOrganization(context, organization_id)
    if (!isItsPlatform)
      refuse('invalid_value', {
        field: 'platform_merchant_id',
        problem: 'an account can only become the platform of its organization when it is created',
      })
    const after = {
      ...before,
      organization_name: organization_name ?? before.organization_name,
      details: { ...before.details, ...details },
      modified_at: context.now(),
    }
    return { before, after, answer: show(after) }
  })
}
