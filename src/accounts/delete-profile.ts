import type { Context } from '../context.ts'
import { type HasUnfinished, refuseUnfinished } from './delete-merchant.ts'
import { findConnectorAccounts, move } from './rows.ts'
import { needProfileRow } from './update-profile.ts'

/** Deletes its connector accounts too. Earlier payments go on: captures, refunds, and returns of customers. */
export async function deleteProfile(
  context: Context,
  merchant_id: string,
  profile_id: string,
  hasUnfinished: HasUnfinished,
): Promise<true> {
  return move<true>(context, 'profiles', 'deleted', async () => {
    const before = await needProfileRow(context, merchant_id, profile_id)
    const accounts = (await findConnectorAccounts(context, merchant_id)).filter(account => account.profile_id === profile_id)
    const ids = accounts.map(account => account.merchant_connector_id)
    if (ids.length > 0 && (await hasUnfinished(context, merchant_id, ids))) refuseUnfinished('business profile')
    return { before, after: { ...before, deleted_at: context.now() }, answer: true }
  })
}
