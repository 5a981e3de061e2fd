import { between, DAY_MS, later } from '../base/time.ts'
import type { Context, Time } from '../context.ts'
import type { RowOf, Table } from '../database/table.ts'
import { listPage } from './list.ts'
import type { ListedResource, ListScope } from './queries.ts'
import { type ListParams, readConditions } from './read-conditions.ts'

/** How many objects are read at once: little work for the database, and all that is in memory. */
const AT_ONCE = 1000
const SHORTEST_MS = 1
const LONGEST_MS = 100 * 365 * DAY_MS

/**
 * Reads all objects that match the filters, the latest first, a part at a time; the next part is read on demand. The
 * objects are read in windows of time, each long enough for some hundred of them: so each kind gives the objects of
 * the window, and no object is read twice, however many kinds exist. Objects that are created meanwhile are not
 * included, and an object that changes keeps its place, because only its creation defines the order.
 */
export async function* exportRows<T extends Table>(
  context: Pick<Context, 'query' | 'now' | 'listKinds'>,
  of: ListedResource<T>,
  { merchant_id, profiles }: ListScope,
  ask: ListParams,
): AsyncGenerator<RowOf<T>[]> {
  const conditions = readConditions(of, ask, profiles)
  const { from, to } = conditions.created
  const id = of.table.key.at(-1)!
  const { created } = of.table.listed!
  // A minute more, for clocks that were ahead.
  const end = later(context.now(), 60_000)
  let after = { created: to < end ? later(to, 1) : end, id: '' }
  let window = DAY_MS
  for (;;) {
    const since = start(after.created, window, from)
    const part = { on: 'created', towards: 'desc', limit: AT_ONCE, offset: 0, after } as const
    const rows = await listPage({ context, merchant_id, of, conditions: { ...conditions, created: { from: since, to } } }, part)
    const matching = rows.filter(row => conditions.onRows.every(({ holds }) => holds(row)))
    if (matching.length > 0) yield matching
    const last = rows.at(-1) as Record<string, unknown> | undefined
    if (last && rows.length === AT_ONCE) {
      after = { created: last[created] as Time, id: last[id] as string }
      window = Math.max(SHORTEST_MS, window / 2)
    } else if (since === from) return
    else {
      after = { created: since, id: '' }
      window = Math.min(LONGEST_MS, window * Math.min(8, Math.max(0.5, AT_ONCE / 2 / Math.max(1, rows.length))))
    }
  }
}

const start = (end: Time, window: number, first: Time): Time => (between(first, end) <= window ? first : later(end, -Math.ceil(window)))
