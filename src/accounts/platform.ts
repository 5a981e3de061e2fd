import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import type { Details, Merchant } from './merchant.ts'
import type { accountTypes } from './merchant-fields.ts'
import { findPlatform, type OrganizationRow } from './organization.ts'

/**
 * Platforms: an organization of type `platform` has one platform account, and accounts that are connected to it. With
 * the header `x-connected-merchant-id`, the platform's secret key acts for a connected account
 * (`docs/design/access.md`). The type of an account is set at its creation and never changes.
 */

export type AccountType = (typeof accountTypes)[number]

/** Returns the type of an account. The default is standard. */
export const accountTypeOf = (details: Details): AccountType => (details.merchant_account_type as AccountType | undefined) ?? 'standard'

/** Returns the merchant id of the platform that a connected account belongs to; null for any other account. */
export const platformOf = ({ details }: Pick<Merchant, 'details'>): string | null =>
  (details.platform_merchant_id as string | undefined) ?? null

const isPlatform = ({ details }: Pick<OrganizationRow, 'details'>): boolean => details.organization_type === 'platform'

/** Returns the name under which histories record a change made with a platform's key. */
export const platformKeyName = (key_id: string, platform_merchant_id: string): string => `platform_key ${key_id} of ${platform_merchant_id}`

/** Returns the platform that made a change, from the name in the history; null for any other caller. */
export const platformNamed = (by: string | null): string | null => by?.match(/^platform_key \S+ of (\S+)$/)?.[1] ?? null

/**
 * Returns the type of a new account in an organization, as members of the account's details. `organization` is null if
 * it is created together with the account. In a platform organization the first account must be the platform, and all
 * others are connected. Refuses (IR_06) a type that does not fit.
 */
export async function accountTypeIn(
  context: Pick<Context, 'query'>,
  organization: OrganizationRow | null,
  asked: AccountType | undefined,
): Promise<{ merchant_account_type: AccountType; platform_merchant_id?: string }> {
  const no = (message: string): never => refuse('unacceptable', { field: 'merchant_account_type', problem: message })
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
