import Type from 'typebox'
import { refuse } from '../base/refusal.ts'
import { boundedText, shortText } from '../base/shapes.ts'
import type { Context } from '../context.ts'
import { getShape, type ListFilters } from '../lists/filters.ts'
import { listPage, resource } from '../lists/list.ts'
import type { ListedResource } from '../lists/queries.ts'
import { type ListParams, readConditions } from '../lists/read-conditions.ts'
import { customers, digestsOf } from './customer.ts'
import { spellingOf } from './phone.ts'

const MOST = 1000

const filters = {
  customer_id: { shape: boundedText(64), by: 'own id' },
  email: { shape: shortText, by: { id: 'reference' } },
  phone: {
    shape: boundedText(255),
    by: { id: 'payment_id' },
    description: 'With its country calling code, or together with phone_country_code',
  },
} as const satisfies ListFilters

/** Deleted customers are not listed. */
export const listedCustomers: ListedResource<typeof customers> = {
  ...resource(customers),
  what: 'customer',
  filters,
  created: 'created_at',
  orders: { created: 'created' },
  most: MOST,
  inGet: { least: 0, most: MOST },
  amountless: true,
  hides: 'state',
}

/** As other lists, with the ecosystem's limits; unknown members are ignored (contract 1.2). */
export const customersQuery = Type.Object({
  ...getShape(listedCustomers).properties,
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST, description: 'Default 10' })),
  phone_country_code: Type.Optional(shortText),
})

type ContactQuery = { email?: string; phone?: string; phone_country_code?: string }

/** Email addresses and phone numbers are replaced by their digests. */
export function customerListParams({ vault }: Pick<Context, 'vault'>, merchant_id: string, query: ListParams): ListParams {
  const { phone_country_code, email, phone, ...ask } = query as ContactQuery
  // In a query an unescaped plus is a blank.
  const plus = (written: string | undefined) => written?.replace(/^ (?=\d)/, '+')
  const telephone = { phone: plus(phone), phone_country_code: plus(phone_country_code) }
  if (phone_country_code !== undefined && phone === undefined) refuse('missing', { field: 'phone' })
  if (phone !== undefined && spellingOf(telephone) === null) refuse('malformed', { field: 'phone', expected: 'a telephone number' })
  const { email_digest, phone_digest } = digestsOf(vault, merchant_id, { email, ...telephone })
  return { ...ask, email: email_digest ?? undefined, phone: phone_digest ?? undefined }
}

/** By the current email address. Refuses an address of more customers than the limit. */
export async function idsByEmail(
  context: Pick<Context, 'query' | 'now' | 'vault' | 'listKinds'>,
  merchant_id: string,
  field: string,
  email: string,
): Promise<string[]> {
  const conditions = readConditions(listedCustomers, customerListParams(context, merchant_id, { email }))
  const part = { on: 'created', towards: 'desc', limit: MOST + 1, offset: 0, after: null } as const
  const found = await listPage({ context, merchant_id, of: listedCustomers, conditions }, part)
  if (found.length > MOST) refuse('unacceptable', { field, problem: `matches more than ${MOST} customers: use customer_id instead` })
  return found.map(({ customer_id }) => customer_id)
}
