import type { BoundedSet } from '../base/bounded-set.ts'
import { refuse } from '../base/refusal.ts'
import type { Context, Reads, RowChange, Unless } from '../context.ts'
import { customers, findCustomer, newCustomer, type Personal } from './customer.ts'
import { apart } from './fields.ts'

/** The customer of a payment: created from its data, and never a deleted one. Neither costs a query of its own. */

type PayerData = Pick<Personal, 'name' | 'email' | 'phone' | 'phone_country_code' | 'tax_registration_id'>
type Ask = PayerData & { customer?: PayerData }

type Payer = { merchant_id: string; customer_id: string | null }

/** Customers that are remembered as existing: a few MB. */
export const PAYERS_REMEMBERED = 20_000

const nameOf = ({ merchant_id, customer_id }: Payer): string => `${merchant_id} ${customer_id}`

/** For a customer known to exist nothing is encrypted or written; a customer's row is never removed. */
export function payerRows(context: Pick<Context, 'now' | 'random' | 'vault'>, known: BoundedSet, payer: Payer, ask: Ask): RowChange[] {
  const { merchant_id, customer_id } = payer
  if (customer_id === null || apart.includes(customer_id) || known.has(nameOf(payer))) return []
  const { name, email, phone, phone_country_code, customer } = ask
  if (!(customer || name || email || phone)) return []
  const contact = Object.fromEntries(Object.entries({ name, email, phone, phone_country_code }).filter(([, value]) => value !== undefined))
  return [{ table: customers.name, before: null, after: newCustomer(context, merchant_id, { ...contact, ...customer, customer_id }) }]
}

/** Called once the rows of the payment are written. */
export function noteThere(known: BoundedSet, payer: Payer, rows: readonly RowChange[]): void {
  if (rows.some(row => row.table === customers.name)) known.add(nameOf(payer))
}

/** Prevents the write of a payment whose customer was deleted. */
export const unlessRedacted = ({ merchant_id, customer_id }: Payer): { unless: Unless } | null =>
  customer_id === null ? null : { unless: { table: customers.name, key: { merchant_id, customer_id }, column: 'redacted_at' } }

export async function refuseDeletedCustomer(context: Reads, { merchant_id, customer_id }: Payer): Promise<void> {
  if (customer_id !== null && (await findCustomer(context, merchant_id, customer_id))?.redacted_at) refuse('customer_redacted')
}
