import type Type from 'typebox'
import { move } from '../accounts/rows.ts'
import { newId } from '../base/id.ts'
import { checkAll, refuse } from '../base/refusal.ts'
import type { Context, Reads, Vault } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { statement } from '../database/statement.ts'
import { bytes, count, type RowOf, select, table, text, time } from '../database/table.ts'
import { checksOfFields, initialRowOf, shapeOf, storedMembers, tableColumns } from '../resources/read.ts'
import { customerFields } from './fields.ts'
import { spellingOf, type Telephone } from './phone.ts'

const recordName = (customer_id: string): string => `customer ${customer_id}`

/** No history and no dump contains personal data in clear; email and phone are found by keyed digests. */
export const customers = table('customers', {
  kind: 'customer',
  maybeThere: true,
  key: ['merchant_id', 'customer_id'],
  listed: {
    resource: 'customer',
    created: 'created_at',
    amount: null,
    ids: {
      reference: ({ email_digest }: { email_digest: string | null }) => email_digest,
      payment_id: ({ phone_digest }: { phone_digest: string | null }) => phone_digest,
    },
    facets: { state: ({ redacted_at }: { redacted_at: string | null }) => (redacted_at === null ? null : 'redacted') },
  },
  columns: {
    ...tableColumns(customerFields),
    merchant_id: text(),
    version: count(1),
    /** `Personal`, sealed. */
    personal: bytes(row => recordName(String(row.customer_id))),
    email_digest: text().orNull().unrecorded(),
    phone_digest: text().orNull().unrecorded(),
    redacted_at: time().orNull(),
    /** When payments with a deleted customer's data are processed next (`payments/forget.ts`); null: none left. */
    forget_at: time().orNull().unrecorded(),
    modified_at: time(),
  },
})
export type CustomerRow = RowOf<typeof customers>

/** Unknown members are ignored, as in the ecosystem (contract 1.2). */
export const customerUpdateShape = shapeOf(customerFields, 'update', {})
export type Personal = Type.Static<typeof customerUpdateShape>

export const customerShape = shapeOf(customerFields, 'create', {})
export type CustomerAsk = Type.Static<typeof customerShape>

const personalIn = (ask: CustomerAsk): Personal => storedMembers(customerFields, 'sealed', ask)

const checkPersonal = (ask: CustomerAsk): void => checkAll(checksOfFields(customerFields, ask, null))

/** Of the email address in lower case, and of the phone number in one spelling. */
export const digestsOf = (vault: Pick<Vault, 'digest'>, merchant_id: string, contact: Telephone & { email?: string | undefined }) => {
  const spelling = spellingOf(contact)
  return {
    email_digest: contact.email === undefined ? null : vault.digest('customer email', `${merchant_id}\n${contact.email.toLowerCase()}`),
    phone_digest: spelling === null ? null : vault.digest('customer phone', `${merchant_id}\n${spelling}`),
  }
}

export const personalColumns = (context: Pick<Context, 'vault'>, merchant_id: string, customer_id: string, personal: Personal) => ({
  personal: context.vault.seal(merchant_id, recordName(customer_id), JSON.stringify(personal)),
  ...digestsOf(context.vault, merchant_id, personal),
})

export const personalOf = ({ vault }: Pick<Context, 'vault'>, { merchant_id, customer_id, personal }: CustomerRow): Personal =>
  JSON.parse(vault.open(merchant_id, recordName(customer_id), personal))

const initialRow = initialRowOf(customerFields)

export function newCustomer(context: Pick<Context, 'now' | 'random' | 'vault'>, merchant_id: string, ask: CustomerAsk): CustomerRow {
  const customer_id = ask.customer_id ?? newId(context, 'cus_')
  const now = context.now()
  return {
    ...initialRow(ask),
    merchant_id,
    customer_id,
    version: 1,
    ...personalColumns(context, merchant_id, customer_id, personalIn(ask)),
    redacted_at: null,
    forget_at: null,
    created_at: now,
    modified_at: now,
  }
}

const byId = statement('customer_by_id', select(customers, 'where merchant_id = $1 and customer_id = $2'))

export const findCustomer = async (context: Reads, merchant_id: string, customer_id: string): Promise<CustomerRow | undefined> =>
  (await context.query<CustomerRow>(byId, [merchant_id, customer_id]))[0]

/** Refuses a customer whose personal data was deleted (IR_11). */
export async function needCustomer(context: Reads, merchant_id: string, customer_id: string): Promise<CustomerRow> {
  const row = (await findCustomer(context, merchant_id, customer_id)) ?? refuse('not_found', { what: 'customer' })
  return row.redacted_at === null ? row : refuse('customer_redacted')
}

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
