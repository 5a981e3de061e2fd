import { newId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import type { Context, Time } from '../context.ts'
import { hide, responseHashKey } from './hidden-members.ts'
import type { Details, ProfileRow } from './merchant.ts'
import type { BusinessDetails } from './merchant-fields.ts'
import { inheritedSettings } from './profile-shape.ts'

/**
 * What the profile of one business is called: payments that say `business_country` and `business_label` belong to it.
 */
export const businessName = ({ country, business }: BusinessDetails): string => `${country}_${business}`

/**
 * `primary_business_details` as a list: a single business is one too. Refuses (IR_06) a business that is named twice.
 */
export function businessesOf(said: BusinessDetails | readonly BusinessDetails[] | undefined): readonly BusinessDetails[] | undefined {
  if (said === undefined) return undefined
  const all = 'country' in said ? [said] : said
  const names = all.map(businessName)
  for (const [i, name] of names.entries())
    if (names.indexOf(name) !== i) refuse('unacceptable', { field: `primary_business_details[${i}]`, words: `lists ${name} twice` })
  return all
}

/**
 * A profile as it begins: with what its merchant says of returning customers and webhooks, and what is said of itself
 * (`own`, in clear).
 */
export function newProfile(
  context: Pick<Context, 'random' | 'vault'>,
  merchant: { merchant_id: string; details: Details },
  profile_name: string,
  now: Time,
  own: Details = {},
): ProfileRow {
  const { merchant_id } = merchant
  const profile_id = newId(context, 'pro_')
  const { payment_response_hash_key: _sealed, ...said } = merchant.details
  const from = Object.fromEntries(Object.entries(said).filter(([name]) => inheritedSettings.includes(name)))
  // Sealed, it is bound to the merchant.
  const key = responseHashKey(context.vault, merchant)
  const details = hide(
    context.vault,
    { merchant_id, profile_id },
    { ...from, ...(key !== null && { payment_response_hash_key: key }), ...own },
  )
  return { merchant_id, profile_id, version: 1, profile_name, details, created: now, modified_at: now, deleted_at: null }
}
