import type { Context } from '../context.ts'
import { type HasUnfinished, refuseUnfinished } from './delete-merchant.ts'
import { move } from './rows.ts'
import { needConnectorAccount } from './update-connector-account.ts'

/** Earlier payments go on: captures, voids, refunds, webhooks and status queries find the account by its id. */
export async function deleteConnectorAccount(
  context: Context,
  merchant_id: string,
  merchant_connector_id: string,
  hasUnfinished: HasUnfinished,
) {
  return move(context, 'connector_accounts', 'deleted', async () => {
    const before = await needConnectorAccount(context, merchant_id, merchant_connector_id)
    if (await hasUnfinished(context, merchant_id, [merchant_connector_id])) refuseUnfinished('connector account')
    return { before, after: { ...before, deleted_at: context.now() }, answer: { merchant_id, merchant_connector_id, deleted: true } }
  })
}
