import type { Context, RowChange } from '../context.ts'
import type { CustomerRow } from '../customers/customer.ts'
import { forgetCollectLinks } from './collect-link.ts'
import { forgetAcceptances, needNoMandate } from './mandate.ts'
import { forgetMethods } from './method.ts'

/**
 * What goes with a customer who is deleted, in the same change: what they have saved, the pages on which they could,
 * and how they agreed to their mandates. Refuses (IR_10) one who may still be charged by a mandate.
 */
export async function rowsOfDeleted(context: Context, customer: CustomerRow): Promise<RowChange[]> {
  const { merchant_id, customer_id } = customer
  await needNoMandate(context, merchant_id, customer_id)
  return [
    ...(await forgetMethods(context, customer)),
    ...(await forgetCollectLinks(context, customer)),
    ...(await forgetAcceptances(context, merchant_id, customer_id)),
  ]
}
