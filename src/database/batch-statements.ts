import type { Statement } from '../context.ts'
import type { HeadTable } from './change.ts'
import type { BoundStatement } from './pipeline.ts'
import { forMany, type Sql } from './sql.ts'
import type { Part } from './statement-parts.ts'
import type { SqlType } from './table.ts'

/** The statement for one change, and if its shape allows it, that for `n` changes. */
export type OfOne = Statement & { ofMany?: (n: number) => Statement }

/**
 * The numbers of changes that one statement writes together. To start a statement with its parts costs PostgreSQL as
 * much as to write a payment's rows: two changes together save little, four a quarter of both costs, eight a third and
 * more, and more than sixteen no more (`docs/design/writing.md`). Each number for a shape is a statement to be planned
 * and kept, so there are few numbers.
 */
export const SIZES = [16, 8, 5, 4, 3] as const

/** The parts from which the statement for many changes of one shape is built. */
export type Pieces = {
  head: HeadTable
  counts: readonly string[]
  inserts: boolean
  /** The parts before the head's. */
  before: readonly Part[]
  /** The part that updates or inserts the head, and returns the columns of `returnedOfMany`. */
  body: Sql
  /** The parts that are written from the heads that moved. */
  rest: readonly Part[]
}

/** Returns what the part that moves many heads returns: of an update the line of values, of an insert the key. */
export const returnedOfMany = (head: HeadTable, counts: readonly string[], inserts: boolean): string => {
  const own = (columns: readonly string[]) => columns.map(column => `${head.name}.${column}`)
  return (inserts ? own([...head.key, ...counts]) : ['i.*', ...own(counts), kindOf(head)]).join(', ')
}

/** The kind as a column of the line as well, for conditions (see `columnValues`). */
const kindOf = ({ kind }: HeadTable): string => `'${kind}'::text as kind`

/**
 * Builds the statements of a shape for many changes. `types`: the types of the values of one change; those of the
 * head's key come first.
 *
 *   i  the values, a line for each change: `at`, its number, and p1, p2 …
 *   k  the Idempotency-Keys that were claimed
 *   h  the heads that moved, with their line (b: the heads that were inserted, without it)
 *
 * and the parts of the statement for one change, from the lines of h. The statement returns the number of each change
 * that was written.
 */
export function manyOf(name: string, types: readonly SqlType[], pieces: Pieces): (n: number) => Statement {
  const made = new Map<number, Statement>()
  return n => {
    let statement = made.get(n)
    if (!statement) {
      // The text is long, and needed only once for each connection.
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

/** Returns the relation with the values of `n` changes; the types in the first line apply to all lines. */
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

/** The statement and the values of one change. */
export type BatchedStatement = { statement: OfOne; values: readonly unknown[] }

/** Groups items that share a statement. Returns the items in that order, and the calls that write them. */
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
