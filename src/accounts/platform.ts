import { refuse } from '../base/refusal.ts'
import type { Reads } from '../context.ts'
import type { Details, Merchant } from './merchant.ts'
import type { accountTypes } from './merchant-fields.ts'
import { findPlatform, type OrganizationRow } from './organization.ts'

/** The platform's key acts for a connected account with `x-connected-merchant-id` (`docs/design/access.md`). */

export type AccountType = (typeof accountTypes)[number]

export const accountTypeOf = (details: Details): AccountType => (details.merchant_account_type as AccountType | undefined) ?? 'standard'

/** Null for an account that is not connected. */
export const platformOf = ({ details }: Pick<Merchant, 'details'>): string | null =>
  (details.platform_merchant_id as string | undefined) ?? null

const isPlatform = ({ details }: Pick<OrganizationRow, 'details'>): boolean => details.organization_type === 'platform'

/** The name in histories of a change made with a platform's key. */
export const platformKeyName = (key_id: string, platform_merchant_id: string): string => `platform_key ${key_id} of ${platform_merchant_id}`

/** From the name in the history; null for any other caller. */
export const platformNamed = (by: string | null): string | null => by?.match(/^platform_key \S+ of (\S+)$/)?.[1] ?? null

/**
 * The new account's type, as members of its details. `organization`: null if it is created with the account. In a
 * platform organization the first account must be the platform; all others are connected.
 */
export async function accountTypeIn(
  context: Reads,
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
