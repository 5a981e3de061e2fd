import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import type { Details, Merchant } from './merchant.ts'
import type { accountTypes } from './merchant-fields.ts'
import { findPlatform, type OrganizationRow } from './organization.ts'

/**
 * Platforms: an organization of type `platform` has one platform account, and accounts that are connected to it. With
 * the header `x-connected-merchant-id` the platform's secret key acts for one of them
 * (`docs/decisions/0082-platforms.md`). What an account is, is said at its creation and never changes.
 */

export type AccountType = (typeof accountTypes)[number]

/** What an account is: a standard one, unless its creation said otherwise. */
export const accountTypeOf = (details: Details): AccountType => (details.merchant_account_type as AccountType | undefined) ?? 'standard'

/** The platform that a connected account belongs to; null for any other. */
export const platformOf = ({ details }: Pick<Merchant, 'details'>): string | null =>
  (details.platform_merchant_id as string | undefined) ?? null

export const isPlatform = ({ details }: Pick<OrganizationRow, 'details'>): boolean => details.organization_type === 'platform'

/** A platform's key, as histories call who acted with it. */
export const platformKeyName = (key_id: string, platform_merchant_id: string): string => `platform_key ${key_id} of ${platform_merchant_id}`

/** The platform that acted, by how histories call it; null for any other caller. */
export const platformNamed = (by: string | null): string | null => by?.match(/^platform_key \S+ of (\S+)$/)?.[1] ?? null

/**
 * What an account becomes that is created in this organization (null: one that comes with it), as its details say it.
 * In a platform's organization an account is connected unless it says that it is the
 * platform, of which there is one, and the first. Refuses (IR_06) what does not fit.
 */
export async function accountTypeIn(
  context: Pick<Context, 'query'>,
  organization: OrganizationRow | null,
  asked: AccountType | undefined,
): Promise<{ merchant_account_type: AccountType; platform_merchant_id?: string }> {
  const no = (words: string): never => refuse('unacceptable', { field: 'merchant_account_type', words })
  if (organization === null) {
    if (asked === 'connected') return no('needs organization_id: the organization whose platform the account is connected to')
    return { merchant_account_type: asked ?? 'standard' }
  }
  if (!isPlatform(organization)) {
    return asked === undefined || asked === 'standard'
      ? { merchant_account_type: 'standard' }
      : no('must be standard: the organization is a standard one')
  }
  if (asked === 'standard') return no('must be platform or connected: the organization is a platform')
  const platform = await findPlatform(context, organization.organization_id)
  if (asked === 'platform') return platform === null ? { merchant_account_type: 'platform' } : no(`is taken: ${platform} is the platform`)
  if (platform === null) return no('must be platform: the organization has no platform account yet to be connected to')
  return { merchant_account_type: 'connected', platform_merchant_id: platform }
}
