import { newId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import type { Context, Time } from '../context.ts'
import { hide, responseHashKey } from './hidden-members.ts'
import type { Details, ProfileRow } from './merchant.ts'
import type { BusinessDetails } from './merchant-fields.ts'
import { inheritedSettings } from './profile-fields.ts'

/** The profile's name. Payments with this `business_country` and `business_label` belong to it. */
export const businessName = ({ country, business }: BusinessDetails): string => `${country}_${business}`

/** A single business also becomes a list. A business that is listed twice is refused. */
export function businessesOf(given: BusinessDetails | readonly BusinessDetails[] | undefined): readonly BusinessDetails[] | undefined {
  if (given === undefined) return undefined
  const all = 'country' in given ? [given] : given
  const names = all.map(businessName)
  for (const [i, name] of names.entries())
    if (names.indexOf(name) !== i) refuse('unacceptable', { field: `primary_business_details[${i}]`, problem: `lists ${name} twice` })
  return all
}

/** A new profile takes over its merchant's settings. `own`: its own settings, in clear. */
export function newProfile(
  context: Pick<Context, 'random' | 'vault'>,
  merchant: { merchant_id: string; details: Details },
  profile_name: string,
  now: Time,
  own: Details = {},
): ProfileRow {
  const { merchant_id } = merchant
  const profile_id = newId(context, 'pro_')
  const { payment_response_hash_key: _sealed, ...settings } = merchant.details
  const from = Object.fromEntries(Object.entries(settings).filter(([name]) => inheritedSettings.includes(name)))
  // The encrypted key is bound to the merchant, so it is decrypted here and encrypted again for the profile.
  const key = responseHashKey(context.vault, merchant)
  const details = hide(
    context.vault,
    { merchant_id, profile_id },
    { ...from, ...(key !== null && { payment_response_hash_key: key }), ...own },
  )
  return { merchant_id, profile_id, version: 1, profile_name, details, created: now, modified_at: now, deleted_at: null }
}
