import Type, { type Static } from 'typebox'
import { DEPLOYMENT } from '../accounts/gsm.ts'
import { needOrganization } from '../accounts/organization.ts'
import { needMerchant } from '../accounts/rows.ts'
import { refuse } from '../base/refusal.ts'
import { strictObject } from '../base/shapes.ts'
import type { Context } from '../context.ts'
import { statement } from '../database/statement.ts'
import { FIRST, type Link, makeLink } from './links.ts'
import { email } from './team.ts'
import { findUserByEmail, ofOrganization } from './user.ts'

/** Links that the operator of the deployment passes on: for deployments without mail, and for first owners. */

export const operatorLinkShape = strictObject({
  email: Type.Optional({ ...email, description: 'The person who gets a link that sets a new password' }),
  merchant_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'The merchant without an owner that gets a link for its first one' }),
  ),
  organization_id: Type.Optional(
    Type.String({ maxLength: 64, description: 'The organization without an owner that gets one, of all of its merchants' }),
  ),
})

const owner = statement(
  'owner_of_merchant',
  "select user_id from user_roles where merchant_id = $1 and role = 'owner' and accepted_at is not null and disabled_at is null and removed_at is null limit 1",
)
const operator = statement('operator_of_deployment', 'select user_id from users where merchant_id = $1 and operator limit 1')

/** The first owner of all becomes the operator. Refuses (HE_02) unknown ones, (IR_16) a merchant that has an owner. */
export async function makeOperatorLink(
  context: Pick<Context, 'query' | 'vault' | 'random' | 'now'>,
  publicUrl: string,
  ask: Static<typeof operatorLinkShape>,
) {
  const { email: address, merchant_id, organization_id } = ask
  if ([address, merchant_id, organization_id].filter(one => one !== undefined).length !== 1)
    return refuse('precondition', { problem: 'Exactly one of email, merchant_id and organization_id is required' })
  if (address !== undefined) {
    const { user_id } = (await findUserByEmail(context, address)) ?? refuse('not_found', { what: 'user' })
    return shown('reset', await makeLink(context, publicUrl, 'reset', { user_id, merchant_id: DEPLOYMENT }))
  }
  if (merchant_id !== undefined) await needMerchant(context, merchant_id)
  else await needOrganization(context, organization_id!)
  const place = merchant_id ?? ofOrganization(organization_id!)
  if ((await context.query(owner, [place])).length > 0)
    return refuse('precondition', {
      problem: `The ${merchant_id === undefined ? 'organization' : 'merchant'} has an owner already, who invites others`,
    })
  const isFirst = (await context.query(operator, [DEPLOYMENT])).length === 0
  return shown('first', await makeLink(context, publicUrl, 'first', { user_id: FIRST, merchant_id: place, operator: isFirst }))
}

const shown = (kind: 'first' | 'reset', link: Link) => ({ kind, ...link })
