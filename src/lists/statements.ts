import type { Statement } from '../context.ts'
import { type ListedId, listedIds } from '../database/listing-kinds.ts'
import { statement } from '../database/statement.ts'
import type { Table } from '../database/table.ts'

/**
 * The SQL of lists. All of it reads `listings`: by the kinds that match, or by one of the ids that few objects have in
 * common. These few texts serve any filters, so that each connection plans them once. Their parameters have names
 * here, and are numbered in the order in which they appear (`asked`).
 */
/**
 * The index by which a list is read. `time`: the index by time of the resource's own table; `listed`: by that index
 * too, without objects that are not listed yet; `priced`: the same, restricted to a range of amounts. `window`: by
 * kind, all objects in a window of time: for many kinds, if the window is not long.
 */
export type By = 'kind' | 'window' | ListedId | 'amount' | InTime
export type Indexed = Exclude<By, InTime | 'window'>
type InTime = 'time' | 'listed' | 'priced'
const isInTime = (by: By): by is InTime => by === 'time' || by === 'listed' || by === 'priced'
type On = 'created' | 'amount' | 'column'
export type Towards = 'asc' | 'desc'

const times = 'created >= :from::timestamptz and created <= :to::timestamptz'
const bounds = `${times} and amount >= :least::bigint and amount <= :most::bigint`
/** The index by amount contains only objects with an amount. */
const ofAmount = 'merchant_id = :merchant and amount > 0 and amount >= :least::bigint and amount <= :most::bigint'
/** `+ 0` and no join: the kinds are checked in a hash, neither searched by nor looked up one by one. */
const ofKind = '(kind + 0 in (select unnest(:kinds::bigint[]))) is true'
const idParameter = (id: ListedId) => `:${id}::text[]`
const ofIds = (by: Indexed) =>
  listedIds.map(id => (id === by ? '' : ` and (${idParameter(id)} is null or ${id} = any(${idParameter(id)}))`)).join('')

/** Selects the matching listings: `inner` may order and limit them for each value that they are searched by. */
function matching(by: Indexed, columns: string, more = '', inner = ''): string {
  if (by === 'amount') return `select ${columns} from listings where ${ofAmount} and ${times} and ${ofKind}${more} ${inner}`
  const rest = by === 'kind' ? bounds : `${bounds} and ${ofKind}${ofIds(by)}`
  const values = by === 'kind' ? `unnest(:kinds::bigint[])` : `unnest(${idParameter(by)})`
  return `select l.* from ${values} as wanted (value) cross join lateral (
    select ${columns} from listings where merchant_id = :merchant and ${by} = wanted.value and ${rest}${more} ${inner}) l`
}

function inTime(of: Table, by: InTime, towards: Towards): string {
  const [id, { created, amount, unlisted }] = [of.key.at(-1)!, of.listed!]
  const listed = by !== 'time' && unlisted ? `and not (${unlisted.sql})` : ''
  const priced = by === 'priced' ? `and ${amount} >= :least::bigint and ${amount} <= :most::bigint` : ''
  const beyond = towards === 'desc' ? '<' : '>'
  return `select ${created} as created, ${id} as object_id from ${of.name} where merchant_id = :merchant and ${created} >= :from::timestamptz and ${created} <= :to::timestamptz
    ${listed} ${priced} and (${created}, ${id}) ${beyond} (:after::timestamptz, :after_id::text) order by ${created} ${towards}, ${id} ${towards} limit :limit::int offset :offset::int`
}

/** One scan goes from kind to kind, at half the cost of a scan for each. */
const inTimeWindow = (cursor: string): string =>
  `select created, object_id from listings where merchant_id = :merchant and kind = any(:kinds::bigint[]) and ${bounds}${cursor}`

/** Selects when the object nearest to a moment was created, of any kind, and when the n-th nearest. */
const nearest = (of: Table, towards: Towards): string => {
  const { created } = of.listed!
  const one = (offset: string) =>
    `(select ${created} from ${of.name} where merchant_id = :merchant and ${created} ${towards === 'desc' ? '<=' : '>='} :after::timestamptz order by ${created} ${towards} limit 1 ${offset})`
  return `select ${one('')} as first, ${one('offset :offset::int')} as nth`
}

/**
 * From one snapshot: the number of kinds (who knew fewer queries again), and which of `:besides` are still unlisted.
 */
function there(of: Table): string {
  const { resource, unlisted } = of.listed!
  const id = of.key.at(-1)!
  const besides = unlisted
    ? `(select array_agg(${id}) from ${of.name} where merchant_id = :merchant and ${id} = any(:besides::text[]) and ${unlisted.sql})`
    : 'null::text[]'
  return `(select count(*)::int as kinds_there, ${besides} as still_unlisted from listing_kinds where merchant_id = :merchant and resource = '${resource}') there`
}

/** The columns of that relation. `close_there`: only for windows, how many objects of the window match. */
export type There = { kinds_there: number; still_unlisted: string[] | null; close_there?: number }

const notListed = (of: Table): string =>
  `select ${of.names.join(', ')} from ${of.name} where merchant_id = :merchant and ${of.listed!.created} >= :from::timestamptz and ${of.listed!.created} <= :to::timestamptz and ${of.listed!.unlisted!.sql}`

/** `on` is the order; by `column` of the object's own row, all matching rows are read. */
function page(of: Table, by: By, on: On, towards: Towards, column?: string): string {
  const id = of.key.at(-1)!
  const row = `cross join lateral (select ${of.names.map(name => `t.${name}`).join(', ')} from ${of.name} t where t.merchant_id = :merchant and t.${id} = m.object_id limit 1) o`
  const beyond = towards === 'desc' ? '<' : '>'
  const cursor = ` and (created, object_id) ${beyond} (:after::timestamptz, :after_id::text)`
  const order = (of: string, by: string) => `order by ${of}${by} ${towards}, m.created ${towards}, m.object_id ${towards}`
  const part = 'limit :limit::int offset :offset::int'
  let [begin, more, objects] = ['', '', '']
  if (by === 'window') {
    begin = `with close as materialized (${inTimeWindow(cursor)}) `
    more = '(select count(*)::int from close) as close_there, '
    objects = `select m.created as at_, o.* from (select * from close m ${order('m.', 'created')} ${part}) m ${row}`
  } else if (isInTime(by)) objects = `select m.created as at_, o.* from (${inTime(of, by, towards)}) m ${row}`
  else if (on === 'column')
    objects = `select m.created as at_, o.* from (${matching(by, 'created, object_id', cursor)}) m ${row} ${order('o.', column!)} ${part}`
  else {
    const ordered = `order by ${on === 'amount' ? `amount ${towards}, ` : ''}created ${towards}, object_id ${towards} limit :limit::int::bigint + :offset::int`
    const m = `select * from (${matching(by, 'created, object_id, amount', cursor, ordered)}) m ${order('m.', on)} ${part}`
    objects = `select m.created as at_, m.amount as listed_amount, o.* from (${m}) m ${row}`
  }
  const last = on === 'column' ? `found.${column} ${towards}, ` : on === 'amount' ? `listed_amount ${towards}, ` : ''
  return `${begin}select there.*, ${more}${of.names.map(name => `found.${name}`).join(', ')} from ${there(of)} left join lateral (${objects}) found on true
    order by ${last}found.at_ ${towards}, found.${id} ${towards}`
}

const count = (of: Table, by: Indexed): string =>
  `select there.*, (select coalesce(sum(n), 0)::bigint from (${matching(by, 'count(*) as n')}) counted) as total from ${there(of)}`

const countOfAmount = (most: number): string =>
  `select count(*)::int as n from (select from listings where ${ofAmount} limit ${most}) counted`

/** Counts the objects of a time range that are of the kinds, or that have one of the ids, at most `most`. */
const countUpTo = (by: 'kind' | ListedId, most: number): string =>
  `select count(*)::int as n from (select from listings where merchant_id = :merchant and ${by === 'kind' ? 'kind = any(:kinds::bigint[])' : `${by} = any(${idParameter(by)})`} and ${times} limit ${most}) counted`

const countEach = (of: Table): string =>
  `select there.*, facets, n from ${there(of)} left join lateral (select facets, n::int as n from listing_kinds k cross join lateral (
    select count(*) as n from listings l where l.merchant_id = :merchant and l.kind = k.kind and l.created >= :from::timestamptz and l.created <= :to::timestamptz) c
    where k.merchant_id = :merchant and k.resource = '${of.listed!.resource}' and n > 0) each_kind on true`

const present = (of: Table): string =>
  `select there.*, facets from ${there(of)} left join lateral (select facets from listing_kinds k where k.merchant_id = :merchant and k.resource = '${of.listed!.resource}' and exists (
    select from listings l where l.merchant_id = :merchant and l.kind = k.kind and l.created >= :from::timestamptz and l.created <= :to::timestamptz)) each_kind on true`

export type ListStatement = Statement & { names: readonly ListParameter[] }
export type ListParameter =
  | 'merchant'
  | 'kinds'
  | 'from'
  | 'to'
  | 'least'
  | 'most'
  | 'after'
  | 'after_id'
  | 'limit'
  | 'offset'
  | 'besides'
  | ListedId

function asked(name: string, named: string): ListStatement {
  const names: ListParameter[] = ['merchant']
  const text = named.replaceAll(/(?<!:):([a-z_]+)/g, (_, written: ListParameter) => {
    if (!names.includes(written)) names.push(written)
    return `$${names.indexOf(written) + 1}`
  })
  return { ...statement(name, text), names }
}

const bys: readonly Indexed[] = ['kind', 'amount', ...listedIds]

export type Statements = {
  page(by: By, on: string, towards: Towards): ListStatement
  count(by: Indexed): ListStatement
  countEach: ListStatement
  present: ListStatement
  /** null: the table has no index by time. */
  nearest(towards: Towards): ListStatement | null
  /** null: all objects are listed at once. */
  unlisted: ListStatement | null
}

/** A range of amounts with more objects is read by kind: each kind has enough of them close by. */
export const MOST_OF_AMOUNT = 10_000
export const fewOfAmount = asked('few of amount', countOfAmount(MOST_OF_AMOUNT + 1))

/** The most objects in a short list; longer lists limit the offset (`list.ts`). */
export const SHORT_LIST = 10_000
export const countShort = Object.fromEntries(
  (['kind', ...listedIds] as const).map(by => [by, asked(`few by ${by}`, countUpTo(by, SHORT_LIST + 1))]),
) as Readonly<Record<'kind' | ListedId, ListStatement>>

/** `columns`: those of its own rows that it can also be ordered by. */
export function statementsOf(of: Table, columns: readonly string[]): Statements {
  const { resource } = of.listed!
  const all = new Map<string, ListStatement>()
  const make = (name: string, text: string) => all.set(name, asked(`${resource} list ${name}`, text))
  for (const towards of ['asc', 'desc'] as const) make(`by window on created ${towards}`, page(of, 'window', 'created', towards))
  for (const by of bys) {
    make(`count by ${by}`, count(of, by))
    for (const towards of ['asc', 'desc'] as const) {
      make(`by ${by} on created ${towards}`, page(of, by, 'created', towards))
      make(`by ${by} on amount ${towards}`, page(of, by, 'amount', towards))
      for (const column of columns) make(`by ${by} on ${column} ${towards}`, page(of, by, 'column', towards, column))
    }
  }
  if (of.listed!.byTime)
    for (const towards of ['asc', 'desc'] as const) {
      make(`nearest ${towards}`, nearest(of, towards))
      for (const by of ['time', 'listed', ...(of.listed!.amount === null ? [] : (['priced'] as const))] as const)
        make(`by ${by} on created ${towards}`, page(of, by, 'created', towards))
    }
  return {
    page: (by, on, towards) => all.get(`by ${by} on ${on} ${towards}`)!,
    count: by => all.get(`count by ${by}`)!,
    countEach: asked(`${resource} list count each`, countEach(of)),
    present: asked(`${resource} list present`, present(of)),
    nearest: towards => all.get(`nearest ${towards}`) ?? null,
    unlisted: of.listed!.unlisted ? asked(`${resource} list unlisted`, notListed(of)) : null,
  }
}
