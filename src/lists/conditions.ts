import type { Row, Statement, Time } from '../context.ts'
import { type Facets, facetsOf, type ListedId, type Listing, listedAmount, listedIds, wordIn } from '../database/listing-kinds.ts'
import type { RowOf, Table } from '../database/table.ts'
import type { Towards } from './statements.ts'

/** All of them must hold. */
export type Conditions = {
  /** The words that a facet may have; `null` is an object without a word. */
  facets: readonly { name: string; allows(word: string | null): boolean }[]
  ids: Readonly<Partial<Record<ListedId, readonly string[]>>>
  /** Only these objects; null: no such condition. */
  objects: readonly string[] | null
  /** Inclusive. */
  created: { from: Time; to: Time }
  amount: { from: number; to: number }
  /** Further conditions on the rows, with the statement and value of an index that finds the rows, if one exists. */
  onRows: readonly RowCondition[]
}

export type RowCondition = { name: string; holds(row: Row): boolean; found: Readonly<Record<Towards, Statement>> | null; value: string }

/** `after`: the object behind which the page begins, in that order. */
export type PageRequest = { on: string; towards: Towards; limit: number; offset: number; after: { created: Time; id: string } | null }

export const kindMatches = (conditions: Pick<Conditions, 'facets'>, facets: Facets): boolean =>
  conditions.facets.every(({ name, allows }) => allows(facets[name] ?? null))

export function matchesConditions(listing: Listing, row: Row, conditions: Conditions): boolean {
  const [created, amount] = [row[listing.created] as Time, listedAmount(listing, row)]
  return (
    kindMatches(conditions, facetsOf(listing, row)) &&
    created >= conditions.created.from &&
    created <= conditions.created.to &&
    amount >= conditions.amount.from &&
    amount <= conditions.amount.to &&
    listedIds.every(id => conditions.ids[id]?.includes(wordIn(listing.ids[id]!, id, row) ?? '') ?? true)
  )
}

export function paged<T extends Table>(table: T, rows: RowOf<T>[], { on, towards, limit, offset, after }: PageRequest): RowOf<T>[] {
  const id = table.key.at(-1)!
  const { created, amount } = table.listed!
  const column = on === 'amount' && amount ? amount : on === 'created' ? created : on
  const sign = towards === 'desc' ? -1 : 1
  const compare = (a: Row, b: Row) => sign * (order(a[column], b[column]) || order(a[created], b[created]) || order(a[id], b[id]))
  const beyond = rows.filter(row => !after || sign * (order((row as Row)[created], after.created) || order((row as Row)[id], after.id)) > 0)
  return beyond.sort(compare).slice(offset, offset + limit)
}

const order = (a: unknown, b: unknown): number => ((a as string) < (b as string) ? -1 : (a as string) > (b as string) ? 1 : 0)
