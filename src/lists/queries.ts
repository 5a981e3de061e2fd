import { refuse } from '../base/refusal.ts'
import type { Context, Row, Time } from '../context.ts'
import type { Facets } from '../database/listing-kinds.ts'
import type { RowOf, Table } from '../database/table.ts'
import type { PageRequest } from './conditions.ts'
import type { Listable } from './filters.ts'
import { countAll, countWords, type Inquiry, kindsInRange, type Resource } from './list.ts'
import { type ListParams, readConditions, readGetPart, readPostPart } from './read-conditions.ts'
import { countScanned, scanRows } from './row-scan.ts'

/** The owner of the objects: a merchant, or the profiles that the caller names or may see; `profiles` null: all. */
export type ListScope = { merchant_id: string; profiles: readonly string[] | null }

/** A resource that is listed: how its rows are found, and its filters. */
export type ListedResource<T extends Table = Table> = Resource<T> & Listable & { what: string }

type Reads = Pick<Context, 'query' | 'now' | 'listKinds'>

/** The page after one object or before another, latest first. Refuses (HE_02) a cursor that is not the caller's. */
export const listByCursor = async <T extends Table>(
  context: Reads,
  of: ListedResource<T>,
  scope: ListScope,
  ask: ListParams,
): Promise<RowOf<T>[]> => (await pageByCursor(context, of, scope, ask)).rows

export async function listAndCount<T extends Table>(context: Reads, of: ListedResource<T>, scope: ListScope, ask: ListParams) {
  const { rows, inquiry, part } = await pageByCursor(context, of, scope, ask)
  return { rows, total_count: await totalOf(inquiry, part, rows.length) }
}

const inquiryOf = <T extends Table>(context: Reads, of: ListedResource<T>, { merchant_id, profiles }: ListScope, ask: ListParams) => ({
  context,
  merchant_id,
  of,
  conditions: readConditions(of, ask, profiles),
})

async function pageByCursor<T extends Table>(context: Reads, of: ListedResource<T>, scope: ListScope, ask: ListParams) {
  const inquiry = inquiryOf(context, of, scope, ask)
  const { part: asked, cursor, until } = readGetPart(of, ask)
  const part = { ...asked, after: cursor === null ? null : await placeOf(inquiry, scope, cursor) }
  const end = until === null ? null : await placeOf(inquiry, scope, until)
  const rows = await (end ? pageUntil(inquiry, part, end) : scanRows(inquiry, part))
  return { rows: part.on === 'created' && part.towards === 'asc' ? rows.reverse() : rows, inquiry, part }
}

type Place = { created: Time; id: string }

/** Reads a page that ends before an object, wherever the page begins. */
async function pageUntil<T extends Table>(inquiry: Inquiry<T>, part: PageRequest, end: Place) {
  const { of, conditions } = inquiry
  const { from, to } = conditions.created
  const later = { ...conditions, created: { from: from > end.created ? from : end.created, to } }
  const rows = await scanRows({ ...inquiry, conditions: later }, part)
  const [created, id] = [of.table.listed!.created, of.table.key.at(-1)!]
  // Objects of the same moment are ordered by their ids.
  return rows.filter((row: Row) => (row[created] as Time) > end.created || (row[id] as string) > end.id)
}

async function placeOf<T extends Table>({ context, of }: Inquiry<T>, { merchant_id, profiles }: ListScope, id: string): Promise<Place> {
  const [found] = await context.query<Row>(of.byIds, [merchant_id, [id]])
  const isVisible = profiles === null || profiles.includes(found?.profile_id as string)
  if (!found || !isVisible) refuse('not_found', { what: (of as ListedResource<T>).what })
  return { created: found![of.table.listed!.created] as Time, id }
}

export async function listByFilters<T extends Table>(context: Reads, of: ListedResource<T>, scope: ListScope, ask: ListParams) {
  const inquiry = inquiryOf(context, of, scope, ask)
  const part = readPostPart(of, ask)
  const rows = await scanRows(inquiry, part)
  return { rows, total_count: await totalOf(inquiry, part, rows.length) }
}

/** A page that is not full needs no query: it is the last one. */
async function totalOf(inquiry: Inquiry, { limit, offset, after }: PageRequest, rows: number) {
  const ends = after === null && rows < limit && (offset === 0 || rows > 0)
  return ends ? offset + rows : countAll(inquiry)
}

/** Unused words are included, with 0. */
export async function aggregate(
  context: Reads,
  of: ListedResource,
  scope: ListScope,
  ask: ListParams,
  facet: string,
  values: readonly string[],
) {
  const inquiry = inquiryOf(context, of, scope, ask)
  const counted = await (inquiry.conditions.onRows.length > 0 ? countScanned(inquiry, facet) : countWords(inquiry, facet, values))
  return Object.fromEntries(values.map(word => [word, counted.get(word) ?? 0]))
}

/** Returns the words that objects of a time range have, by facet, each once and in order. */
export async function facetValues<F extends string>(
  context: Reads,
  of: ListedResource,
  scope: ListScope,
  ask: ListParams,
  facets: readonly F[],
) {
  const kinds = await kindsInRange(inquiryOf(context, of, scope, ask))
  return Object.fromEntries(facets.map(facet => [facet, valuesOf(kinds, facet)])) as Record<F, string[]>
}

const valuesOf = (kinds: readonly Facets[], facet: string): string[] =>
  [...new Set(kinds.map(facets => facets[facet]))].filter(word => word !== undefined).sort()
