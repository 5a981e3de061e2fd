import Type from 'typebox'
import { boundedText, dateTime, shortText, strictObject } from '../base/shapes.ts'
import { readTime } from '../base/time.ts'
import type { Context, Time } from '../context.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { type Mandate, mandateStatuses, mandates } from './mandate.ts'

const option = Type.Optional

const comparisons = {
  'created_time.lt': '<',
  'created_time.gt': '>',
  'created_time.lte': '<=',
  'created_time.gte': '>=',
  created_time: '=',
}
type Compared = keyof typeof comparisons
const times = Object.keys(comparisons) as Compared[]

/** Unknown members are refused (contract 1.2). */
export const mandatesQuery = strictObject({
  limit: option(Type.Integer({ minimum: 0, maximum: 1000, description: 'Default 10' })),
  offset: option(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  mandate_status: option(Type.Enum(mandateStatuses)),
  connector: option(shortText),
  customer_id: option(boundedText(64)),
  ...(Object.fromEntries(times.map(name => [name, option(dateTime)])) as Record<Compared, ReturnType<typeof option<typeof dateTime>>>),
})
export type MandatesQuery = Type.Static<typeof mandatesQuery>

const pageOf = (condition: string) =>
  select(
    mandates,
    `where merchant_id = $1 and ($2::text is null or status::text = $2) and ($3::text is null or connector = $3)
      ${times.map((name, i) => `and ($${i + 4}::timestamptz is null or created_at ${comparisons[name]} $${i + 4})`).join(' ')} ${condition}
      order by created_at desc, mandate_id desc limit $9 offset $10`,
  )
const ofMerchant = statement('mandates_page', pageOf(''))
const ofCustomer = statement('mandates_page_of_customer', pageOf('and customer_id = $11'))

export async function listMandates(context: Pick<Context, 'query'>, merchant_id: string, query: MandatesQuery): Promise<Mandate[]> {
  const { mandate_status = null, connector = null, customer_id, limit = 10, offset = 0 } = query
  const values = [merchant_id, mandate_status, connector, ...times.map(name => timeIn(query, name)), limit, offset]
  return customer_id === undefined
    ? context.query<Mandate>(ofMerchant, values)
    : context.query<Mandate>(ofCustomer, [...values, customer_id])
}

function timeIn(query: MandatesQuery, name: Compared): Time | null {
  const value = query[name]
  return value === undefined ? null : readTime(name, value)
}
