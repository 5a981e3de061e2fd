import Type, { type Static } from 'typebox'
import { randomAlphanumeric } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { boundedText, strictObject } from '../base/shapes.ts'
import type { Context, RowChange } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { forgetAnswersOfNothing } from '../database/idempotency-keys.ts'
import { statement } from '../database/statement.ts'
import { shapeOf } from '../resources/read.ts'
import { OF_MERCHANT, vaultReviews } from '../vault/reviews.ts'
import { prefixes } from './api-keys.ts'
import { businessesOf, businessName, newProfile } from './business-details.ts'
import { hide } from './hidden-members.ts'
import type { Details } from './merchant.ts'
import { merchantFields } from './merchant-fields.ts'
import { defaultProfileOf, type MerchantRow } from './merchant-row.ts'
import { needOrganization, newOrganization } from './organization.ts'
import { accountTypeIn } from './platform.ts'
import { checkProfileSettings } from './profile-fields.ts'
import { findMerchantRow, findProfiles, move, needMerchant } from './rows.ts'
import { checkSecondPersonSetting } from './second-person.ts'
import type { WebhookDetails } from './webhook-details.ts'

export const merchantShape = shapeOf(merchantFields, 'create')
export type MerchantAsk = Static<typeof merchantShape>

/** The body may repeat the id of the path. */
export const merchantUpdateShape = strictObject({
  merchant_id: Type.Optional(boundedText(64)),
  ...shapeOf(merchantFields, 'update').properties,
})
export type MerchantUpdate = Static<typeof merchantUpdateShape>

async function checkMerchantDetails(context: Context, ask: MerchantAsk | MerchantUpdate): Promise<void> {
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
 * One profile for each of `primary_business_details`, else a single one, the default. Without an organization, a new
 * one is created. The id of a deleted merchant stays taken.
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

export const mergeWebhookDetails = (before: Details, ask: { webhook_details?: WebhookDetails }): Details =>
  ask.webhook_details ? { webhook_details: { ...(before.webhook_details as WebhookDetails | undefined), ...ask.webhook_details } } : {}

/** After a new business, which gets its own profile, none is the default, unless the request names one. */
export async function updateMerchant<T>(
  context: Context,
  merchant_id: string,
  ask: MerchantUpdate & { kv_enabled?: boolean },
  show: (merchant: MerchantRow) => T,
): Promise<T> {
  if (ask.merchant_id !== undefined && ask.merchant_id !== merchant_id)
    refuse('precondition', { problem: 'merchant_id in the body differs from the one in the path' })
  await checkMerchantDetails(context, ask)
  const { merchant_id: _path, publishable_key: _ours, default_profile, ...changes } = ask
  const businesses = businessesOf(ask.primary_business_details)
  return move(context, 'merchants', 'updated', async () => {
    const before = await needMerchant(context, merchant_id)
    const now = context.now()
    const profiles = (await findProfiles(context, merchant_id)).filter(profile => profile.deleted_at === null)
    if (default_profile !== undefined && !profiles.some(profile => profile.profile_id === default_profile))
      refuse('not_found', { what: 'business profile', id: default_profile })
    const details: Details = {
      ...before.details,
      ...hide(context.vault, { merchant_id }, changes),
      ...mergeWebhookDetails(before.details, ask),
      ...(businesses && { primary_business_details: businesses }),
    }
    const added = (businesses ?? [])
      .map(businessName)
      .filter(name => !profiles.some(profile => profile.profile_name === name))
      .map(name => newProfile(context, { merchant_id, details }, name, now))
    const unset = default_profile ?? (added.length > 0 ? null : defaultProfileOf(before, profiles))
    const after = { ...before, details, default_profile: unset, modified_at: now }
    return { before, after, answer: show(after), rows: added.map(profile => ({ table: 'profiles', before: null, after: profile })) }
  })
}

/** Passed in by a module that knows operations at processors. `accounts`: only those of these connector accounts. */
export type HasUnfinished = (context: Context, merchant_id: string, accounts?: readonly string[]) => Promise<boolean>

export const refuseUnfinished = (what: string): never =>
  refuse('precondition', {
    problem: `Some processor operations are still in progress; the ${what} can be deleted once they have completed`,
  })

const forgetAnswersOfCustomers = statement(
  'forget_answers_about_customers',
  "update idempotency_keys set status = null, answer = null where merchant_id = $1 and kind = 'customer' and answer is not null",
)

/**
 * The keys become invalid everywhere within a second. The rows stay, for operations that have begun, and the id stays
 * taken; card numbers and stored answers about customers go.
 */
export async function deleteMerchant(context: Context, merchant_id: string, hasUnfinished: HasUnfinished) {
  const deleted = await move(context, 'merchants', 'deleted', async () => {
    const before = await needMerchant(context, merchant_id)
    if (await hasUnfinished(context, merchant_id)) refuseUnfinished('merchant account')
    const now = context.now()
    // The saved cards of a deleted merchant cannot be charged: all its numbers go.
    const review = { merchant_id, family: OF_MERCHANT, object_id: merchant_id, review_at: now }
    const rows = [{ table: vaultReviews.name, before: null, after: review }]
    return { before, after: { ...before, deleted_at: now }, rows, answer: { merchant_id, deleted: true } }
  })
  for (const forget of [forgetAnswersOfNothing, forgetAnswersOfCustomers]) await context.query(forget, [merchant_id])
  return deleted
}
