import type { Statement } from '../context.ts'
import type { BoundStatement } from './pipeline.ts'
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

/** Holds if the change's Idempotency-Key was claimed. */
export const CLAIMED = 'exists (select from k)'

/**
 * What claims an Idempotency-Key: the places of its owner, of itself and of the time before which another's claim is
 * stale; and the insert that takes it.
 */
export type IdempotencyClaim = { owner: string; key: string; stale: string; take(from: string, staleBefore: string): string }

/**
 * The statement of a shape for many. `claims`: what takes their Idempotency-Keys, if they have any. `move` is what
 * moves the heads, given from where they come and what they give back; `rest` are the parts that follow, all `from
 * h`. In all of them a parameter is `$1::text`, of the `types`; those of the head's key come first.
 *
 *   i  the parameters, a line for each change: `at`, its number, and p1, p2 …
 *   k  the Idempotency-Keys that were claimed; twice the same is an error, after which each is said by itself
 *   h  the heads that moved, with their line
 *
 * What comes back is the number of each change that was written.
 */
export function manyOf(
  name: string,
  types: readonly SqlType[],
  head: { name: string; key: readonly string[]; kind: string; counts: readonly string[]; inserts: boolean },
  claims: IdempotencyClaim | null,
  move: (from: string, returning: string) => string,
  rest: readonly string[],
): (n: number) => Statement {
  const made = new Map<number, Statement>()
  const claimed = (part: string) =>
    claims ? part.replace(CLAIMED, `exists (select from k where k.merchant_id = ${claims.owner} and k.key = ${claims.key})`) : part
  const write = (n: number): string => {
    const lines: string[] = []
    for (let at = 0; at < n; at++) {
      const places = types.map((type, p) => `$${at * types.length + p + 1}${at === 0 ? `::${type}` : ''}`)
      lines.push(`(${[at, ...places].join(', ')})`)
    }
    const counts = head.counts.map(column => `${head.name}.${column}`)
    // The kind stands in the line too: a constant would be condition enough for an index that begins with it, and all
    // that a merchant ever had would be read.
    const moved = (returning: string[]) => inLines(claimed(move('from i', returning.join(', '))), 'i')
    const heads = head.inserts
      ? [
          `b as (${moved([...head.key.map(column => `${head.name}.${column}`), ...counts])})`,
          `h as materialized (select i.*, ${head.counts.map(column => `b.${column}`).join(', ')}, '${head.kind}'::text as kind
  from b join i on ${head.key.map((column, k) => `i.p${k + 1} = b.${column}`).join(' and ')})`,
        ]
      : [`h as (${moved(['i.*', ...counts, `'${head.kind}'::text as kind`])})`]
    if (claims) {
      const stale = `(select ${claims.stale} from i where ${claims.owner} = c.merchant_id and ${claims.key} = c.key)`
      heads.unshift(`k as (${inLines(claims.take('from i', stale), 'i')})`)
    }
    const parts = rest.map(part => inLines(part, 'h').replaceAll(`.kind = '${head.kind}'`, '.kind = h.kind'))
    return `with i (at, ${types.map((_, p) => `p${p + 1}`).join(', ')}) as (values ${lines.join(',\n  ')}),\n${[...heads, ...parts].join(',\n')}\nselect at from h`
  }
  return n => {
    let statement = made.get(n)
    if (!statement) {
      // Its text is long, and needed once for each connection.
      statement = {
        name: `${name}_of_${n}`,
        get text() {
          return write(n)
        },
      }
      made.set(n, statement)
    }
    return statement
  }
}

const inLines = (part: string, line: string): string => part.replace(/\$(\d+)::\w+/g, `${line}.p$1`)

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
