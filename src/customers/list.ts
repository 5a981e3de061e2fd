import Type from 'typebox'
import { refuse } from '../base/refusal.ts'
import { shortText, text } from '../base/shapes.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import type { World } from '../world.ts'
import { type CustomerRow, customers, digestsOf } from './customer.ts'
import { spellingOf } from './phone.ts'

const LIMIT = 10

export const customersQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000, description: 'Default 10' })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  customer_id: Type.Optional(text(64)),
  email: Type.Optional(shortText),
  phone: Type.Optional(Type.String({ maxLength: 255, description: 'With its calling code, or beside phone_country_code' })),
  phone_country_code: Type.Optional(shortText),
})
export type CustomersQuery = Type.Static<typeof customersQuery>

/** What is looked for, each by an index of its own. */
const columns = ['customer_id', 'email_digest', 'phone_digest'] as const

/** The statements of one choice of those columns: a filter that may be absent (`$2 is null or …`) would make the planner pass the index over. */
const statements = [0, 1, 2, 3, 4, 5, 6, 7].map(choice => {
  const chosen = columns.filter((_, i) => choice & (1 << i))
  const wanted = `where merchant_id = $1 and redacted_at is null${chosen.map((column, i) => ` and ${column} = $${i + 2}`).join('')}`
  const [limit, offset] = [`$${chosen.length + 2}`, `$${chosen.length + 3}`]
  return {
    page: statement(
      `customers_${choice}`,
      select(customers, `${wanted} order by created_at desc, customer_id desc limit ${limit} offset ${offset}`),
    ),
    total: statement(`customers_counted_${choice}`, `select count(*)::int as total from customers ${wanted}`),
  }
})

function filterOf({ vault }: Pick<World, 'vault'>, merchant_id: string, query: CustomersQuery) {
  // In a query an unescaped plus is a blank.
  const plus = (written: string | undefined) => written?.replace(/^ (?=\d)/, '+')
  const telephone = { phone: plus(query.phone), phone_country_code: plus(query.phone_country_code) }
  if (telephone.phone !== undefined && spellingOf(telephone) === null)
    refuse('malformed', { field: 'phone', expected: 'a telephone number' })
  const wanted = { customer_id: query.customer_id ?? null, ...digestsOf(vault, merchant_id, { email: query.email, ...telephone }) }
  const choice = columns.reduce((sum, column, i) => sum + (wanted[column] === null ? 0 : 1 << i), 0)
  return { ...statements[choice]!, values: [merchant_id, ...columns.map(column => wanted[column]).filter(value => value !== null)] }
}

type Reads = Pick<World, 'query' | 'vault'>

/** The merchant's customers, newest first, but for those who were deleted. */
export async function listCustomers(world: Reads, merchant_id: string, query: CustomersQuery): Promise<CustomerRow[]> {
  const { page, values } = filterOf(world, merchant_id, query)
  return world.query<CustomerRow>(page, [...values, query.limit ?? LIMIT, query.offset ?? 0])
}

/** And how many there are of those that were asked for. */
export async function countCustomers(world: Reads, merchant_id: string, query: CustomersQuery): Promise<number> {
  const { total, values } = filterOf(world, merchant_id, query)
  return (await world.query<{ total: number }>(total, values))[0]!.total
}
