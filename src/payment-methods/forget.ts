import type { Context, RowChange } from '../context.ts'
import type { CustomerRow } from '../customers/customer.ts'
import { forgetCollectLinks } from './collect-link.ts'
import { forgetAcceptances, needNoMandate } from './mandate.ts'
import { forgetMethods } from './method.ts'

/** Refuses (IR_10) a customer with an active mandate. Personal data in mandates is erased. */
export async function rowsOfDeleted(context: Context, customer: CustomerRow): Promise<RowChange[]> {
  const { merchant_id, customer_id } = customer
  await needNoMandate(context, merchant_id, customer_id)
  return [
    ...(await forgetMethods(context, customer)),
    ...(await forgetCollectLinks(context, customer)),
    ...(await forgetAcceptances(context, merchant_id, customer_id)),
  ]
}
