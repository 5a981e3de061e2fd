import type { Statement } from '../context.ts'
import type { HeadTable } from './change.ts'
import type { BoundStatement } from './pipeline.ts'
import { forMany, type Sql } from './sql.ts'
import type { Part } from './statement-parts.ts'
import type { SqlType } from './table.ts'

/** What one statement says, and how the same is said for `n` changes of one shape, if it may be. */
export type OfOne = Statement & { ofMany?: (n: number) => Statement }

/**
 * How many are said by one statement. To start a statement with its parts costs PostgreSQL as much as to write a
 * payment's rows: two together save little, four a quarter of both, eight a third and more, and more than sixteen no
 * more (`docs/decisions/0068-said-together.md`). Each number of a shape is a statement to be planned and kept, so
 * there are few.
 */
export const SIZES = [16, 8, 5, 4, 3] as const

/** What the statement of a shape is made of, where many are said by one. */
export type Pieces = {
  head: HeadTable
  /** The counters that come back of the head. */
  counts: readonly string[]
  /** Does it insert its head? */
  inserts: boolean
  /** What comes before the head. */
  before: readonly Part[]
  /** What moves the head, and gives back what `returnedOfMany` says. */
  body: Sql
  /** What is written from the heads that moved. */
  rest: readonly Part[]
}

/**
 * What the part that moves many heads gives back. An update has the lines at hand; an insert gives the key, by which
 * its line is found again.
 */
export const returnedOfMany = (head: HeadTable, counts: readonly string[], inserts: boolean): string => {
  const own = (columns: readonly string[]) => columns.map(column => `${head.name}.${column}`)
  return (inserts ? own([...head.key, ...counts]) : ['i.*', ...own(counts), kindOf(head)]).join(', ')
}

/** The kind stands in the line too, for conditions (see `columnValues`). */
const kindOf = ({ kind }: HeadTable): string => `'${kind}'::text as kind`

/**
 * The statement of a shape for many. `types`: of the values of one change; those of the head's key come first.
 *
 *   i  the values, a line for each change: `at`, its number, and p1, p2 …
 *   k  the Idempotency-Keys that were claimed
 *   h  the heads that moved, with their line (b: the heads that were inserted, without it)
 *
 * and the parts of a single one, from the lines of h. What comes back is the number of each change that was written.
 */
export function manyOf(name: string, types: readonly SqlType[], pieces: Pieces): (n: number) => Statement {
  const made = new Map<number, Statement>()
  return n => {
    let statement = made.get(n)
    if (!statement) {
      // Its text is long, and needed once for each connection.
      statement = {
        name: `${name}_of_${n}`,
        get text() {
          return textOfMany(n, types, pieces)
        },
      }
      made.set(n, statement)
    }
    return statement
  }
}

function textOfMany(n: number, types: readonly SqlType[], pieces: Pieces): string {
  const parts = [
    linesOf(n, types),
    ...pieces.before.map(part => `${part.name} as (${forMany(part.body, 'i')})`),
    ...headsOfMany(pieces),
    ...pieces.rest.map(part => `${part.name} as (${forMany(part.body, 'h')})`),
  ]
  return `with ${parts.join(',\n')}\nselect at from h`
}

/** The values of `n` changes; the types of the first line are those of all. */
function linesOf(n: number, types: readonly SqlType[]): string {
  const lines = Array.from({ length: n }, (_, at) => {
    const places = types.map((type, p) => `$${at * types.length + p + 1}${at === 0 ? `::${type}` : ''}`)
    return `(${[at, ...places].join(', ')})`
  })
  return `i (at, ${types.map((_, p) => `p${p + 1}`).join(', ')}) as (values ${lines.join(',\n  ')})`
}

function headsOfMany({ head, counts, inserts, body }: Pieces): string[] {
  const moved = forMany(body, 'i')
  if (!inserts) return [`h as (${moved})`]
  const columns = ['i.*', ...counts.map(column => `b.${column}`), kindOf(head)].join(', ')
  const its = head.key.map((column, k) => `i.p${k + 1} = b.${column}`).join(' and ')
  return [`b as (${moved})`, `h as materialized (select ${columns}\n  from b join i on ${its})`]
}

/** What one change says. */
export type BatchedStatement = { statement: OfOne; values: readonly unknown[] }

/** Says together what can be: `items` in a new order, and the calls that say them in that order. */
export function batchStatements<T extends BatchedStatement>(items: T[]): { items: T[]; calls: BoundStatement[] } {
  if (items.length < SIZES.at(-1)!) return { items, calls: items }
  const alike = new Map<OfOne, T[]>()
  for (const item of items) {
    const same = alike.get(item.statement)
    if (same) same.push(item)
    else alike.set(item.statement, [item])
  }
  const ordered: T[] = []
  const calls: BoundStatement[] = []
  for (const [{ ofMany }, same] of alike) {
    for (let from = 0; from < same.length; ) {
      const left = same.length - from
      const size = (ofMany && SIZES.find(size => size <= left)) || 1
      const first = same[from]!
      calls.push(!ofMany || size === 1 ? first : { statement: ofMany(size), values: first.values, and: same.slice(from + 1, from + size) })
      for (const end = from + size; from < end; from++) ordered.push(same[from]!)
    }
  }
  return { items: ordered, calls }
}
