import { move } from '../accounts/rows.ts'
import type { Context } from '../context.ts'
import { type CustomerRow, checkPersonal, needCustomer, type Personal, personalColumns, personalIn, personalOf } from './customer.ts'

/** Members that the request does not name stay; an address is replaced as a whole (contract 5.4). */
export async function updateCustomer<T>(
  context: Context,
  merchant_id: string,
  customer_id: string,
  ask: Personal,
  show: (customer: CustomerRow) => T,
): Promise<T> {
  checkPersonal(ask)
  return move(context, 'customers', 'updated', async () => {
    const before = await needCustomer(context, merchant_id, customer_id)
    const all = { ...personalOf(context, before), ...personalIn(ask) }
    const after = { ...before, ...personalColumns(context, merchant_id, customer_id, all), modified_at: context.now() }
    return { before, after, answer: show(after) }
  })
}
