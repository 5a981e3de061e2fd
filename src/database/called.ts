import type { Context, Row } from '../context.ts'
import { statement } from './statement.ts'
import { select, type Table } from './table.ts'

/**
 * Finds rows by the processor's id. A block index (BRIN with bloom filters), which costs a payment almost nothing,
 * narrows the search. The first step is materialized, because the planner would otherwise scan all rows of the merchant
 * instead.
 */
export function called<R extends Row>(of: Table, column: string) {
  const text = `with called as materialized (${select(of, `where ${column} = $2`)}) select * from called where merchant_id = $1 limit $3`
  const read = statement(`${of.name} called`, text)
  return (context: Pick<Context, 'query'>, merchant_id: string, reference: string, limit: number): Promise<R[]> =>
    context.query<R>(read, [merchant_id, reference, limit])
}
