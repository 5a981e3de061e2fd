import { refuse } from '../base/refusal.ts'
import { businessName } from './business-details.ts'
import { findProfile, type Merchant, type ProfileRow } from './merchant.ts'

type Named = { profile_id?: string; business_country?: string; business_label?: string }

/** The named profile, else the merchant's default, else that of the named business (contract 3.18). */
export function chooseProfile(merchant: Merchant, { profile_id, business_country: country, business_label: business }: Named): ProfileRow {
  const named = profile_id ?? merchant.default_profile
  if (named !== null) return findProfile(merchant, named) ?? refuse('not_found', { what: 'business profile', id: named })
  if (country === undefined || business === undefined) return refuse('missing', { field: 'profile_id' })
  const name = businessName({ country, business })
  return (
    merchant.profiles.find(profile => profile.profile_name === name) ??
    refuse('precondition', { problem: `business_country and business_label name no business profile: there is none called ${name}` })
  )
}
