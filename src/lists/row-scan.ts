import { refuse } from '../base/refusal.ts'
import type { Row, Time } from '../context.ts'
import type { RowOf, Table } from '../database/table.ts'
import { matchesConditions, type PageRequest } from './conditions.ts'
import { type Inquiry, listPage, MOST_SORTED, wordsOf } from './list.ts'

/** How many rows are read at once, at least and at most: first twice as many as the page needs, then more and more. */
const AT_ONCE = [40, 1000] as const
/** A condition that these rows have not filled a page for is too rare to be searched in this way. */
const MOST_SCANNED = 5000

/**
 * Reads a page whose conditions must also be checked on the rows themselves: rows are read in the order of the list,
 * by an index if one exists, until the page is full. Refuses (IR_06) a condition for which 5,000 rows do not fill the
 * page.
 */
export async function scanRows<T extends Table>(inquiry: Inquiry<T>, part: PageRequest): Promise<RowOf<T>[]> {
  const { onRows } = inquiry.conditions
  if (onRows.length === 0) return listPage(inquiry, part)
  const { created } = inquiry.of.table.listed!
  const id = inquiry.of.table.key.at(-1)!
  const [least, most] = AT_ONCE
  let atOnce = part.on === 'created' ? Math.min(most, Math.max(least, 2 * (part.offset + part.limit))) : MOST_SORTED
  const found: RowOf<T>[] = []
  let { after } = part
  for (let seen = 0; ; ) {
    const rows = await nextOf(inquiry, { ...part, limit: atOnce, offset: 0, after })
    found.push(...rows.filter(row => onRows.every(({ holds }) => holds(row as Row)) && isOne(inquiry, row)))
    if (found.length >= part.offset + part.limit || rows.length < atOnce) return found.slice(part.offset, part.offset + part.limit)
    seen += rows.length
    atOnce = Math.min(most, atOnce * 4)
    if (seen >= MOST_SCANNED)
      refuse('unacceptable', {
        field: onRows[0]!.name,
        problem: `holds for too few of the last ${MOST_SCANNED} objects: narrow the list with a time range or another filter`,
      })
    const last = rows.at(-1) as Row
    after = { created: last[created] as Time, id: last[id] as string }
  }
}

export const MOST_READ_TO_COUNT = 20_000

/** Refuses (IR_06) a range in which more rows would have to be read. */
export async function countScanned<T extends Table>(inquiry: Inquiry<T>, facet: string): Promise<Map<string, number>> {
  const { of, conditions } = inquiry
  const [{ created }, id, [, atOnce]] = [of.table.listed!, of.table.key.at(-1)!, AT_ONCE]
  const part = { on: 'created', towards: 'desc', limit: atOnce, offset: 0 } as const
  const found: RowOf<T>[] = []
  let after: PageRequest['after'] = null
  for (let seen = 0; ; ) {
    const rows = await nextOf(inquiry, { ...part, after })
    found.push(...rows.filter(row => conditions.onRows.every(({ holds }) => holds(row as Row)) && isOne(inquiry, row)))
    if (rows.length < atOnce) return wordsOf(of.table, found, facet)
    seen += rows.length
    if (seen >= MOST_READ_TO_COUNT)
      refuse('unacceptable', {
        field: conditions.onRows[0]!.name,
        problem: `can be counted among ${MOST_READ_TO_COUNT} objects, and the range has more: narrow it with a time range or another filter`,
      })
    const last = rows.at(-1) as Row
    after = { created: last[created] as Time, id: last[id] as string }
  }
}

async function nextOf<T extends Table>(inquiry: Inquiry<T>, part: PageRequest): Promise<RowOf<T>[]> {
  const { context, merchant_id, conditions } = inquiry
  const indexed = conditions.onRows.find(({ found }) => found !== null)
  if (!indexed || part.on !== 'created') return listPage(inquiry, part)
  const { towards, after, limit } = part
  const [first, first_id] = after ? [after.created, after.id] : towards === 'desc' ? ['infinity', ''] : ['-infinity', '']
  const values = [merchant_id, indexed.value, conditions.created.from, conditions.created.to, first, first_id, limit]
  return context.query<RowOf<T> & Row>(indexed.found![towards], values)
}

/** Whether a row matches the other conditions, which the statement of its own index has not checked. */
const isOne = <T extends Table>({ of, conditions }: Inquiry<T>, row: RowOf<T>): boolean =>
  matchesConditions(of.table.listed!, row, conditions) &&
  (conditions.objects?.includes((row as Row)[of.table.key.at(-1)!] as string) ?? true)
