import { refuse } from '../base/refusal.ts'
import { between, later } from '../base/time.ts'
import { amountOf, type Facets, facetsOf, type ListedId, listedIds, wordOf } from '../database/listed.ts'
import { statement } from '../database/statement.ts'
import { type RowOf, select, type Table } from '../database/table.ts'
import type { Row, Statement, Time, World } from '../world.ts'
import { forgetKinds, kindsOf } from './kinds.ts'
import { type Asked, type By, type Name, type Statements, statementsOf, type Towards } from './statements.ts'

/** What is wanted of a list: all of it must hold. */
export type Wanted = {
  /** Which words of a facet are wanted; `null` is an object that has none. */
  facets: readonly { name: string; allows(word: string | null): boolean }[]
  ids: Readonly<Partial<Record<ListedId, readonly string[]>>>
  /** These objects and no others. */
  objects: readonly string[] | null
  /** Both ends included. */
  created: { from: Time; to: Time }
  amount: { from: number; to: number }
}

/** How much of it, and in which order. `after`: the object behind which the page begins, in that order. */
export type Part = { on: string; towards: Towards; limit: number; offset: number; after: { created: Time; id: string } | null }

export type Resource<T extends Table = Table> = { table: T; statements: Statements; byIds: Statement; columns: readonly string[] }

/** A table whose rows are listed. `columns`: what they can be ordered by besides created and amount; where more than a few thousand match, a list ordered by these is refused. */
export const resource = <T extends Table>(table: T, columns: readonly string[] = []): Resource<T> => ({
  table,
  statements: statementsOf(table, columns),
  byIds: statement(`${table.listed!.resource} list of these`, select(table, `where merchant_id = $1 and ${table.key.at(-1)!} = any($2)`)),
  columns,
})

type Reads = Pick<World, 'query' | 'now'>

/** A list that is ordered by a column without an index sorts no more than this. */
export const MOST_SORTED = 10_000
/** More than so many objects of all kinds together are not looked through at once for a page: first those of a stretch of time, then of a longer one. */
const MANY = 20_000
const DAY_MS = 86_400_000
/** Each stretch is so many times longer than the one before. */
const LONGER = 8

type Values = Partial<Record<Name, unknown>>
type Sought = { by: By; values: Values; kinds: number }

/** By what the objects are found, with the parameters that page and count have in common. */
async function seek(world: Reads, merchant_id: string, { table }: Resource, wanted: Wanted, on: string): Promise<Sought> {
  const { resource, byTime } = table.listed!
  const there = await kindsOf(world, merchant_id, resource)
  const kinds = wanted.facets.length === 0 ? there : there.filter(({ facets }) => fits(wanted, facets))
  const { amount } = wanted
  const isAll = kinds.length === there.length && isAny(amount)
  const by = listedIds.find(id => wanted.ids[id]) ?? (isAll && byTime && on === 'created' ? 'time' : 'kind')
  const values = { merchant: merchant_id, kinds: kinds.map(({ kind }) => kind), ...timesOf(wanted), least: amount.from, most: amount.to }
  return { by, values: { ...values, ...Object.fromEntries(listedIds.map(id => [id, wanted.ids[id] ?? null])) }, kinds: there.length }
}

const timesOf = ({ created }: Pick<Wanted, 'created'>): Values => ({ from: created.from, to: created.to })

const put = <R extends Row>(world: Reads, asked: Asked, values: Values): Promise<R[]> =>
  world.query<R>(
    asked,
    asked.names.map(name => values[name]),
  )

const isAny = ({ from, to }: Wanted['amount']): boolean => from <= 0 && to === Number.MAX_SAFE_INTEGER

/** Asks, and asks again if kinds have come up since: an object that has just become of a kind that nobody knew is not left out. */
async function ask<R extends Row>(
  world: Reads,
  merchant_id: string,
  of: Resource,
  wanted: Wanted,
  on: string,
  query: (sought: Sought) => Promise<(R & { kinds_there: number })[]>,
): Promise<R[]> {
  for (;;) {
    const sought = await seek(world, merchant_id, of, wanted, on)
    const rows = await query(sought)
    if (rows.every(({ kinds_there }) => kinds_there === sought.kinds)) return rows
    forgetKinds(merchant_id, of.table.listed!.resource)
  }
}

/** A page of the merchant's objects. Refuses an order that would have to sort too many. */
export async function listPage<T extends Table>(
  world: Reads,
  merchant_id: string,
  of: Resource<T>,
  wanted: Wanted,
  part: Part,
): Promise<RowOf<T>[]> {
  if (wanted.objects) return paged(of, await those(world, merchant_id, of, wanted), part)
  const { on, towards, limit, offset, after } = part
  if (of.columns.includes(on) && (await countAll(world, merchant_id, of, wanted)) > MOST_SORTED)
    refuse('unacceptable', {
      field: 'order.on',
      words: `${on} orders ${MOST_SORTED} objects at most, and these are more: name a time range`,
    })
  const id = of.table.key.at(-1)!
  const [first, first_id] = after ? [after.created, after.id] : towards === 'desc' ? ['infinity', ''] : ['-infinity', '']
  const rows = await ask<Row>(world, merchant_id, of, wanted, on, ({ by, values }) =>
    inStretches(
      { by, values, part, end: after?.created ?? (towards === 'desc' ? later(world.now(), DAY_MS) : null), amount: wanted.amount, id },
      stretch =>
        put(world, of.statements.page(by, on, towards), { ...values, ...stretch, after: first, after_id: first_id, limit, offset }),
    ),
  )
  // Where nothing was found one row says so.
  return rows.filter(row => row[id] !== null) as RowOf<T>[]
}

type Search = { by: By; values: Values; part: Part; end: Time | null; amount: Wanted['amount']; id: string }

/**
 * Asks for a page of many kinds within a stretch of time that ends where the page begins, and within a longer one if that has not enough: each kind gives what is in the stretch, instead of as many
 * objects as the page and all before it may need.
 */
async function inStretches<R extends Row>(
  { by, values, part, end, amount, id }: Search,
  ask: (stretch: Values) => Promise<R[]>,
): Promise<R[]> {
  const { on, towards, limit, offset } = part
  const { from, to, kinds } = values as { from: Time; to: Time; kinds: readonly number[] }
  const isCheap = kinds.length * (offset + limit) <= MANY && isAny(amount)
  if (by !== 'kind' || on !== 'created' || isCheap || end === null) return ask({})
  const isDown = towards === 'desc'
  const begin = isDown ? earlier(end, to) : end > from ? end : from
  for (let stretch = DAY_MS; ; stretch *= LONGER) {
    const isLast = isDown ? between(from, begin) <= stretch : between(begin, to) <= stretch
    if (isLast) return ask({})
    const rows = await ask(isDown ? { from: later(begin, -stretch) } : { to: later(begin, stretch) })
    // Full, it is the page: nothing outside the stretch comes before what is in it.
    if (rows.filter(row => row[id] !== null).length === limit) return rows
  }
}

const earlier = (a: Time, b: Time): Time => (a < b ? a : b)

/** How many there are in all. */
export async function countAll<T extends Table>(world: Reads, merchant_id: string, of: Resource<T>, wanted: Wanted): Promise<number> {
  if (wanted.objects) return (await those(world, merchant_id, of, wanted)).length
  const [counted] = await ask<{ total: number }>(world, merchant_id, of, wanted, 'created', ({ by, values }) =>
    put(world, of.statements.count(by), values),
  )
  return counted!.total
}

/** Of each word of a facet how many objects there are in a time. */
export async function countByWord(
  world: Reads,
  merchant_id: string,
  of: Resource,
  wanted: Wanted,
  facet: string,
): Promise<Map<string, number>> {
  const counted = new Map<string, number>()
  const rows = await put<{ facets: Facets; n: number }>(world, of.statements.countEach, { merchant: merchant_id, ...timesOf(wanted) })
  for (const { facets, n } of rows.filter(({ facets }) => fits(wanted, facets))) {
    const word = facets[facet]
    if (word !== undefined) counted.set(word, (counted.get(word) ?? 0) + n)
  }
  return counted
}

/** The kinds of which there is anything in a time. */
export async function kindsPresent(world: Reads, merchant_id: string, of: Resource, wanted: Wanted): Promise<Facets[]> {
  const rows = await put<{ facets: Facets }>(world, of.statements.present, { merchant: merchant_id, ...timesOf(wanted) })
  return rows.map(({ facets }) => facets).filter(facets => fits(wanted, facets))
}

const fits = (wanted: Pick<Wanted, 'facets'>, facets: Facets): boolean =>
  wanted.facets.every(({ name, allows }) => allows(facets[name] ?? null))

/** Named objects, those of them that match. They are few, and looked at here. */
async function those<T extends Table>(
  world: Reads,
  merchant_id: string,
  { table, byIds }: Resource<T>,
  wanted: Wanted,
): Promise<RowOf<T>[]> {
  const rows = await world.query<RowOf<T> & Row>(byIds, [merchant_id, wanted.objects])
  const listing = table.listed!
  return rows.filter(row => {
    const [created, amount] = [row[listing.created] as Time, amountOf(listing, row)]
    return (
      fits(wanted, facetsOf(listing, row)) &&
      created >= wanted.created.from &&
      created <= wanted.created.to &&
      amount >= wanted.amount.from &&
      amount <= wanted.amount.to &&
      listedIds.every(id => wanted.ids[id]?.includes(wordOf(listing.ids[id]!, id, row) ?? '') ?? true)
    )
  })
}

/** A part of objects that are in hand. */
function paged<T extends Table>({ table }: Resource<T>, rows: RowOf<T>[], { on, towards, limit, offset, after }: Part): RowOf<T>[] {
  const id = table.key.at(-1)!
  const { created, amount } = table.listed!
  const column = on === 'amount' && amount ? amount : on === 'created' ? created : on
  const sign = towards === 'desc' ? -1 : 1
  const compare = (a: Row, b: Row) => sign * (order(a[column], b[column]) || order(a[created], b[created]) || order(a[id], b[id]))
  const beyond = rows.filter(row => !after || sign * (order((row as Row)[created], after.created) || order((row as Row)[id], after.id)) > 0)
  return beyond.sort(compare).slice(offset, offset + limit)
}

const order = (a: unknown, b: unknown): number => ((a as string) < (b as string) ? -1 : (a as string) > (b as string) ? 1 : 0)
