import type { Context } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { type CustomerAsk, type CustomerRow, checkPersonal, findCustomer, newCustomer } from './customer.ts'

/** An existing customer is unchanged, and is returned (specification: existing customer details are returned). */
export async function createCustomer<T>(
  context: Context,
  merchant_id: string,
  ask: CustomerAsk,
  show: (customer: CustomerRow) => T,
): Promise<T> {
  checkPersonal(ask)
  const after = newCustomer(context, merchant_id, ask)
  const answer = show(after)
  const ownId = ask.customer_id === undefined
  for (;;) {
    const existing = ownId ? undefined : await findCustomer(context, merchant_id, after.customer_id)
    if (existing) return show(existing)
    const written = await context.commit(changeTo(context, 'customers', { before: null, after }, 'created', { answer, ownId }))
    if (written.is === 'written') return answer
  }
}
