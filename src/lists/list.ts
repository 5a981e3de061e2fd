import { refuse } from '../base/refusal.ts'
import { later } from '../base/time.ts'
import type { Context, Row, Statement } from '../context.ts'
import { type Facets, facetsOf, listedIds, UNLISTED_MS } from '../database/listing-kinds.ts'
import { statement } from '../database/statement.ts'
import { type RowOf, select, type Table } from '../database/table.ts'
import { type Conditions, kindMatches, matchesConditions, type PageRequest, paged } from './conditions.ts'
import { forgetKinds, kindsOf } from './kinds.ts'
import {
  type By,
  countShort,
  fewOfAmount,
  type Indexed,
  type ListStatement,
  MOST_OF_AMOUNT,
  SHORT_LIST,
  type Statements,
  statementsOf,
  type There,
} from './statements.ts'
import { inTimeWindows, isAny, type ListValues, type Near } from './time-windows.ts'

export type Resource<T extends Table = Table> = { table: T; statements: Statements; byIds: Statement; columns: readonly string[] }

/** `columns`: orders besides created and amount, unless more than `MOST_SORTED` rows match. */
export const resource = <T extends Table>(table: T, columns: readonly string[] = []): Resource<T> => ({
  table,
  statements: statementsOf(table, columns),
  byIds: statement(`${table.listed!.resource} list of these`, select(table, `where merchant_id = $1 and ${table.key.at(-1)!} = any($2)`)),
  columns,
})

type Reads = Pick<Context, 'query' | 'now' | 'listKinds'>

export type Inquiry<T extends Table = Table> = { context: Reads; merchant_id: string; of: Resource<T>; conditions: Conditions }

/** The most rows that are sorted by a column without an index. */
export const MOST_SORTED = 10_000
/** The largest offset in a long list, and with a range of amounts, whose objects lie far apart. */
export const DEEPEST = { usual: 2000, ofAmount: 1000 } as const
type ChosenIndex<B> = { by: B; values: ListValues; kinds: number; isOfAll: boolean }

/** Chooses the index and the parameters of page and count. `all`: the index if only time narrows the objects. */
async function chooseIndex<B extends By>(inquiry: Inquiry, all: B): Promise<ChosenIndex<B | Indexed>> {
  const { context, merchant_id, of, conditions } = inquiry
  const there = await kindsOf(context, merchant_id, of.table.listed!.resource)
  const kinds = conditions.facets.length === 0 ? there : there.filter(({ facets }) => kindMatches(conditions, facets))
  const { amount } = conditions
  const id = listedIds.find(id => conditions.ids[id]) ?? ((await isOfFew(inquiry)) ? 'amount' : undefined)
  const values = {
    merchant: merchant_id,
    kinds: kinds.map(({ kind }) => kind),
    ...timesOf(conditions),
    least: amount.from,
    most: amount.to,
  }
  return {
    by: id ?? (kinds.length === there.length && isAny(amount) ? all : 'kind'),
    values: { ...values, ...Object.fromEntries(listedIds.map(id => [id, conditions.ids[id] ?? null])) },
    kinds: there.length,
    isOfAll: kinds.length === there.length,
  }
}

async function isOfFew({ context, merchant_id, conditions: { amount } }: Inquiry): Promise<boolean> {
  if (isAny(amount) || amount.from <= 0) return false
  const [{ n }] = (await put<{ n: number }>(context, fewOfAmount, { merchant: merchant_id, least: amount.from, most: amount.to })) as [
    { n: number },
  ]
  return n <= MOST_OF_AMOUNT
}

const timesOf = ({ created }: Pick<Conditions, 'created'>): ListValues => ({ from: created.from, to: created.to })

const put = <R extends Row>(context: Reads, asked: ListStatement, values: ListValues): Promise<R[]> =>
  context.query<R>(
    asked,
    asked.names.map(name => values[name]),
  )

/** `most`: the most objects that are not listed yet that the statement had to consider. */
type Found<R, T extends Table> = { rows: (R & There)[]; unlisted: RowOf<T>[]; most: number }

/** Reads what is not listed yet before the listings: an object that is listed meanwhile is found among those. */
async function besides<R extends Row, T extends Table>(
  { context, merchant_id, of: { table, statements }, conditions }: Inquiry<T>,
  query: (besides: string[]) => Promise<(R & There)[]>,
): Promise<Found<R, T>> {
  const early = later(context.now(), -UNLISTED_MS)
  const { from, to } = conditions.created
  const idOf = (row: RowOf<T>) => (row as Row)[table.key.at(-1)!] as string
  const may =
    statements.unlisted && to >= early
      ? await put<RowOf<T> & Row>(context, statements.unlisted, { merchant: merchant_id, from: from > early ? from : early, to })
      : []
  const unlisted = may.filter(row => matchesConditions(table.listed!, row, conditions))
  const rows = await query(unlisted.map(idOf))
  const still = new Set(rows[0]?.still_unlisted)
  return { rows, unlisted: unlisted.filter(row => still.has(idOf(row))), most: unlisted.length }
}

/** Queries again if kinds have been added: an object that has just become of a new kind is not left out. */
async function ask<R extends Row, T extends Table, B extends By>(
  inquiry: Inquiry<T>,
  all: B,
  query: (chosen: ChosenIndex<B | Indexed>) => Promise<(R & There)[]>,
): Promise<Found<R, T>> {
  for (;;) {
    const chosen = await chooseIndex(inquiry, all)
    const put = (besides: string[]) => query({ ...chosen, values: { ...chosen.values, besides } })
    // The index by time of the resource's own table contains unlisted objects too.
    const found = chosen.by === 'time' ? { rows: await put([]), unlisted: [], most: 0 } : await besides<R, T>(inquiry, put)
    if (found.rows.every(({ kinds_there }) => kinds_there === chosen.kinds)) return found
    forgetKinds(inquiry.context, inquiry.merchant_id, inquiry.of.table.listed!.resource)
  }
}

/** Refuses (IR_06) a page that begins deep in a long list; a short list may be read to its end. */
async function checkDepth(inquiry: Inquiry, offset: number): Promise<void> {
  if (offset <= DEEPEST.ofAmount) return
  const { by, values } = await chooseIndex(inquiry, 'kind')
  if (by === 'amount') return
  const deepest = by === 'kind' && !isAny(inquiry.conditions.amount) ? DEEPEST.ofAmount : DEEPEST.usual
  if (offset <= deepest) return
  const [counted] = await put<{ n: number }>(inquiry.context, countShort[by as 'kind'], values)
  if (counted!.n > SHORT_LIST)
    refuse('unacceptable', {
      field: 'offset',
      problem: `can be at most ${deepest} in a list of more than ${SHORT_LIST}: page on with starting_after (in the GET list), or narrow the list with a time range`,
    })
}

/** Refuses an order that would have to sort too many rows, and a page too deep. */
export async function listPage<T extends Table>(inquiry: Inquiry<T>, part: PageRequest): Promise<RowOf<T>[]> {
  const { context, merchant_id, of, conditions } = inquiry
  if (conditions.objects) return paged(of.table, await those(inquiry), part)
  const { on, towards, after } = part
  await checkDepth(inquiry, part.offset)
  if (of.columns.includes(on) && (await countAll(inquiry)) > MOST_SORTED)
    refuse('unacceptable', {
      field: 'order.on',
      problem: `${on} can sort at most ${MOST_SORTED} objects, and the list has more: narrow it with a time range`,
    })
  const id = of.table.key.at(-1)!
  const [first, first_id] = after ? [after.created, after.id] : towards === 'desc' ? ['infinity', ''] : ['-infinity', '']
  const end = after?.created ?? (towards === 'desc' ? context.now() : null)
  // A filter that all kinds pass may still exclude an object that is not listed yet.
  const inTime = conditions.facets.length === 0 ? 'time' : 'listed'
  const all: By = of.table.listed!.byTime && on === 'created' ? inTime : 'kind'
  const { rows, unlisted, most } = await ask<Row, T, By>(inquiry, all, ({ by, values, isOfAll }) => {
    const wider = widened(part, (values.besides as string[]).length)
    const { limit, offset } = wider
    const nearest = of.statements.nearest(towards)
    return inTimeWindows({
      search: { by, values, part: wider, end, amount: conditions.amount },
      byItself: isOfAll && of.table.listed!.byTime === true && !isAny(conditions.amount),
      near: async (after, many) =>
        nearest && (await put<Near>(context, nearest, { merchant: merchant_id, after, offset: Math.min(many, MOST_SORTED) }))[0]!,
      ask: (by, window) =>
        put(context, of.statements.page(by, on, towards), { ...values, after: first, after_id: first_id, limit, offset, ...window }),
    })
  })
  // If nothing was found, one row with null columns is returned.
  const listed = rows.filter(row => row[id] !== null) as Row[] as RowOf<T>[]
  return most === 0 ? listed : paged(of.table, [...listed, ...unlisted], { ...part, offset: part.offset - widened(part, most).offset })
}

/** Widens a page by `more` objects, each of which may come before the page or on it. */
const widened = (part: PageRequest, more: number): PageRequest => {
  const offset = Math.max(0, part.offset - more)
  return { ...part, offset, limit: part.offset - offset + part.limit }
}

export async function countAll<T extends Table>(inquiry: Inquiry<T>): Promise<number> {
  const { context, of, conditions } = inquiry
  if (conditions.objects) return (await those(inquiry)).length
  const { rows, unlisted } = await ask<{ total: number }, T, 'kind'>(inquiry, 'kind', ({ by, values }) =>
    put(context, of.statements.count(by), values),
  )
  return rows[0]!.total + unlisted.length
}

export async function countWords<T extends Table>(
  inquiry: Inquiry<T>,
  facet: string,
  words: readonly string[],
): Promise<Map<string, number>> {
  const { conditions, of } = inquiry
  if (conditions.objects) return wordsOf(of.table, await those(inquiry), facet)
  if (isAny(conditions.amount) && listedIds.every(id => !conditions.ids[id])) return countByWord(inquiry, facet)
  const each = words.map(async word => {
    const facets = [...conditions.facets, { name: facet, allows: (one: string | null) => one === word }]
    return [word, await countAll({ ...inquiry, conditions: { ...conditions, facets } })] as const
  })
  return new Map(await Promise.all(each))
}

export function wordsOf<T extends Table>(of: T, rows: readonly RowOf<T>[], facet: string): Map<string, number> {
  const counted = new Map<string, number>()
  for (const row of rows) {
    const word = facetsOf(of.listed!, row as Row)[facet]
    if (word !== undefined) counted.set(word, (counted.get(word) ?? 0) + 1)
  }
  return counted
}

async function countByWord(inquiry: Inquiry, facet: string): Promise<Map<string, number>> {
  const { context, merchant_id, of, conditions } = inquiry
  const counted = new Map<string, number>()
  const { rows, unlisted } = await besides<{ facets: Facets | null; n: number }, Table>(inquiry, besides =>
    put(context, of.statements.countEach, { merchant: merchant_id, ...timesOf(conditions), besides }),
  )
  const single = unlisted.map(row => ({ facets: facetsOf(of.table.listed!, row), n: 1 }))
  for (const { facets, n } of [...rows, ...single]) {
    const word = facets && kindMatches(conditions, facets) ? facets[facet] : undefined
    if (word !== undefined) counted.set(word, (counted.get(word) ?? 0) + n)
  }
  return counted
}

export async function kindsInRange(inquiry: Inquiry): Promise<Facets[]> {
  const { context, merchant_id, of, conditions } = inquiry
  const { rows, unlisted } = await besides<{ facets: Facets | null }, Table>(inquiry, besides =>
    put(context, of.statements.present, { merchant: merchant_id, ...timesOf(conditions), besides }),
  )
  const all = [...rows.map(({ facets }) => facets), ...unlisted.map(row => facetsOf(of.table.listed!, row))]
  return all.filter(facets => facets !== null).filter(facets => kindMatches(conditions, facets))
}

/** The named objects are few, so the conditions are checked here. */
async function those<T extends Table>({ context, merchant_id, of: { table, byIds }, conditions }: Inquiry<T>): Promise<RowOf<T>[]> {
  const rows = await context.query<RowOf<T> & Row>(byIds, [merchant_id, conditions.objects])
  return rows.filter(row => matchesConditions(table.listed!, row, conditions))
}
