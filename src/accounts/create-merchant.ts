import { randomAlphanumeric } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import type { Context, RowChange } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { prefixes } from './api-keys.ts'
import { businessesOf, businessName, newProfile } from './business-details.ts'
import { hide } from './hidden-members.ts'
import type { MerchantRow } from './merchant-row.ts'
import type { MerchantAsk, MerchantUpdate } from './merchant-shape.ts'
import { needOrganization, newOrganization } from './organization.ts'
import { accountTypeIn } from './platform.ts'
import { checkProfileSettings } from './profile-shape.ts'
import { findMerchantRow } from './rows.ts'
import { checkSecondPersonSetting } from './second-person.ts'

export async function checkMerchantDetails(context: Context, ask: MerchantAsk | MerchantUpdate): Promise<void> {
  await checkProfileSettings(context, ask)
  checkSecondPersonSetting(ask.second_person)
  if (ask.sub_merchants_enabled !== true) return
  const { parent_merchant_id } = ask
  if (parent_merchant_id === undefined) refuse('precondition', { problem: 'sub_merchants_enabled requires parent_merchant_id' })
  if (!(await findMerchantRow(context, parent_merchant_id)))
    refuse('invalid_value', { field: 'parent_merchant_id', problem: 'must be the id of an existing merchant account' })
}

const LIST = 'list'

/**
 * One profile for each of `primary_business_details`, else a single one, which is the default. Without an
 * organization, a new one is created. The id of a deleted merchant stays taken.
 */
export async function createMerchant<T>(
  context: Context,
  mode: 'test' | 'live',
  ask: MerchantAsk,
  show: (merchant: MerchantRow) => T,
): Promise<T> {
  await checkMerchantDetails(context, ask)
  if (ask.merchant_id === LIST)
    refuse('invalid_value', { field: 'merchant_id', problem: `must not be ${LIST}, which is reserved for the list operation` })
  const { merchant_id, organization_id, publishable_key: _ours, ...rest } = ask
  const organization = organization_id === undefined ? null : await needOrganization(context, organization_id)
  const type = await accountTypeIn(context, organization, ask.merchant_account_type)
  const now = context.now()
  const businesses = businessesOf(ask.primary_business_details) ?? []
  const details = hide(
    context.vault,
    { merchant_id },
    {
      ...rest,
      ...type,
      primary_business_details: businesses,
      enable_payment_response_hash: ask.enable_payment_response_hash ?? true,
      payment_response_hash_key: ask.payment_response_hash_key ?? randomAlphanumeric(context, 64),
    },
  )
  const names = businesses.length > 0 ? businesses.map(businessName) : ['default']
  const profiles = names.map(name => newProfile(context, { merchant_id, details }, name, now))
  const founded = organization
    ? null
    : newOrganization(context, now, type.merchant_account_type === 'platform' ? { organization_type: 'platform' } : {})
  const merchant: MerchantRow = {
    merchant_id,
    version: 1,
    organization_id: (organization ?? founded!).organization_id,
    publishable_key: prefixes[mode].publishable + context.random(16).toString('hex'),
    default_profile: profiles.length === 1 ? profiles[0]!.profile_id : null,
    details,
    blocklist_guard: false,
    created: now,
    modified_at: now,
    deleted_at: null,
  }
  const answer = show(merchant)
  const rows: RowChange[] = profiles.map(profile => ({ table: 'profiles', before: null, after: profile }))
  if (founded) rows.push({ table: 'organizations', before: null, after: founded })
  const written = await context.commit(changeTo(context, 'merchants', { before: null, after: merchant }, 'created', { rows, answer }))
  if (written.is === 'written') return answer
  // Another platform account may have been created at the same time.
  await accountTypeIn(context, organization, ask.merchant_account_type)
  return refuse('duplicate', { what: 'merchant account', id: merchant_id })
}
