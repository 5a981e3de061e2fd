import { between, DAY_MS, later } from '../base/time.ts'
import type { Row, Time } from '../context.ts'
import type { Conditions, PageRequest } from './conditions.ts'
import type { By, ListParameter, There } from './statements.ts'

/** How a page of many kinds is read: within a window of time, and within a longer one if that has too few objects. */

/** The most listings that a page reads at once; a page that needs more is read within a window of time. */
const MANY = 5000
/** A page that ends within so many objects of a range of amounts is searched among the objects, in their order. */
const SHALLOW = 200
/** The first window, in windows with enough objects, at least `LEAST`: a thousand cost as much as their kinds. */
const FIRST = 4
/** The same factor with a range of amounts, which fewer objects match. */
const FIRST_OF_AMOUNT = 8
const LEAST = 1000
/** How many times longer each window is than the one before, depending on how many objects were missing. */
const LONGER = [2, 64] as const

export type ListValues = Partial<Record<ListParameter, unknown>>

export const isAny = ({ from, to }: Conditions['amount']): boolean => from <= 0 && to === Number.MAX_SAFE_INTEGER

/** When the first object from a moment on was created, and when the n-th; null: fewer objects exist. */
export type Near = { first: Time | null; nth: Time | null }
type Search = { by: By; values: ListValues; part: PageRequest; end: Time | null; amount: Conditions['amount'] }

/**
 * Reads a page of many kinds within a window of time that ends where the page begins, and within a longer one if the
 * first has too few objects: so only the window is read, instead of as many objects of each kind as the page and all
 * before it may need. The length depends on how close the objects follow each other there (`near`; null: not known).
 */
export async function inTimeWindows<R extends Row & There>({
  search: { by, values, part, end, amount },
  byItself,
  near,
  ask,
}: {
  search: Search
  /** Whether the only filter is a range of amounts, in a table with an index by time. */
  byItself: boolean
  near(end: Time, many: number): Promise<Near | null>
  ask(by: By, window: ListValues): Promise<R[]>
}): Promise<R[]> {
  const { on, towards, limit, offset } = part
  const { from, to, kinds } = values as { from: Time; to: Time; kinds: readonly number[] }
  const isCheap = kinds.length * (offset + limit) <= MANY && isAny(amount)
  if (by !== 'kind' || on !== 'created' || isCheap || end === null) return ask(by, {})
  const isDown = towards === 'desc'
  const begin = isDown ? earlier(end, to) : end > from ? end : from
  const there = await near(begin, Math.max(offset + limit, LEAST))
  if (there && there.nth === null) return ask('window', {})
  const gap = there ? Math.abs(between(begin, there.first!)) : 0
  const span = there ? Math.max(Math.abs(between(there.first!, there.nth!)), 1000) * (isAny(amount) ? FIRST : FIRST_OF_AMOUNT) : DAY_MS
  const reaches = (window: number) => (isDown ? between(from, begin) <= window : between(begin, to) <= window)
  const within = (window: number): ListValues =>
    reaches(window) ? {} : isDown ? { from: later(begin, -window) } : { to: later(begin, window) }
  if (byItself && offset + limit <= SHALLOW) {
    const rows = await ask('priced', within(gap + span))
    // A single row may also be the row with null columns, which means that nothing was found.
    if (rows.length === limit && (rows[0] as Row).merchant_id !== null) return rows
  }
  for (let window = gap + span; ; ) {
    const isLast = reaches(window)
    // The rest may be all objects that ever existed: no more of each kind is read than needed.
    if (isLast) return ask('kind', {})
    const rows = await ask('window', within(window))
    // A full page is final: no object outside the window comes before those in it.
    const few = rows[0]!.close_there!
    if (few >= offset + limit) return rows
    const [least, most] = LONGER
    window = gap + (window - gap) * Math.min(most, Math.max(least, ((offset + limit) / (few + 1)) * 1.25))
  }
}

const earlier = (a: Time, b: Time): Time => (a < b ? a : b)
