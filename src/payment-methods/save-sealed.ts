import { move } from '../accounts/rows.ts'
import { after } from '../base/lifecycle.ts'
import type { Context, RowChange } from '../context.ts'
import { type CustomerRow, needCustomer } from '../customers/customer.ts'
import { newIdFor, sameSaved } from './keep.ts'
import { lifecycle } from './lifecycle.ts'
import { findMethods, keepNumber, type Method, paymentMethods } from './method.ts'

/** `made`: the new customer to create with the method, if any. `beside`: the rows to write with it. */
export type Saving<T> = { show: (method: Method) => T; made: CustomerRow | null; beside: (method: Method) => Promise<RowChange[]> }

/** `fingerprint`: of the same one. `lasting`: for the vault. `columns`: the new ones, given the saved method. */
type Sealed = { fingerprint: string; lasting: string; columns: (same: Method | undefined) => Partial<Method> }

/** The same account or token again is the same payment method, updated with the new data. */
export async function saveSealed<T>(
  context: Context,
  method: Method,
  { fingerprint, lasting, columns }: Sealed,
  { show, made, beside }: Saving<T>,
): Promise<T> {
  const { merchant_id, customer_id } = method
  return move(context, 'customers', made ? 'created' : 'payment_method_saved', async () => {
    const customer = made ?? (await needCustomer(context, merchant_id, customer_id))
    const all = await findMethods(context, merchant_id, customer_id)
    const same = sameSaved(all, fingerprint)
    const stored: Method = {
      ...method,
      ...same,
      ...columns(same),
      payment_method_id: same?.payment_method_id ?? newIdFor(context, customer, fingerprint, all),
      status: same ? same.status : after(lifecycle, 'new', 'stored'),
      fingerprint,
      modified_at: context.now(),
    }
    const rows = [
      { table: paymentMethods.name, before: same ?? null, after: stored },
      await keepNumber(context, stored, lasting, same ? 'there' : 'new'),
      ...(await beside(stored)),
    ]
    return { before: made ? null : customer, after: { ...customer }, rows, answer: show(stored) }
  })
}
