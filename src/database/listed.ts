import { createHash } from 'node:crypto'
import type { Row } from '../world.ts'

/** The words by which objects of a kind are filtered; those that it has not are absent. */
export type Facets = Readonly<Record<string, string>>

/** Ids that few objects have in common, each with an index of its own. */
export const listedIds = ['customer_id', 'reference', 'payment_id'] as const
export type ListedId = (typeof listedIds)[number]

/** The column of its name, or what is made of the row. */
type Word = 'column' | ((row: never) => string | null)

/** A word of a row. */
export const wordOf = (word: Word, name: string, row: Row): string | null =>
  word === 'column' ? (row[name] as string | null) : word(row as never)

/**
 * How the rows of a table are listed: the trait `listed` of its description. `facets`: words of which a merchant's objects have few combinations, in an order that never changes; one that is added
 * comes last, so that the kinds of objects that have none stay what they are. Who adds one adds it to the SQL of a migration, for the objects that are there.
 */
export type Listing = {
  resource: string
  created: string
  /** null: its rows have none. */
  amount: string | null
  /** Its table has an index by merchant, time and id. */
  byTime?: true
  ids: Partial<Record<ListedId, Word>>
  facets: Readonly<Record<string, Word>>
}

/** What is listed as the amount of a row. */
export const amountOf = ({ amount }: Listing, row: Row): number => (amount === null ? 0 : (row[amount] as number))

const BETWEEN = '\u001f'

/** Resource and words in one text. */
export function saidOf({ resource, facets }: Listing, row: Row): string {
  let said = resource
  for (const name in facets) {
    const word = wordOf(facets[name]!, name, row)
    if (word !== null) said += `${BETWEEN}${name}=${word}`
  }
  return said
}

/** Its words, as they are kept. */
export function facetsOf({ facets }: Listing, row: Row): Facets {
  const words = Object.entries(facets).map(([name, of]) => [name, wordOf(of, name, row)] as const)
  return Object.fromEntries(words.filter((pair): pair is readonly [string, string] => pair[1] !== null))
}

export const MOST_REMEMBERED = 100_000
const numbers = new Map<string, number>()

/** The number of a kind: 52 bits of a digest. */
export function kindOf(said: string): number {
  let kind = numbers.get(said)
  if (kind === undefined) {
    kind = Number.parseInt(createHash('sha256').update(said).digest('hex').slice(0, 13), 16)
    if (numbers.size >= MOST_REMEMBERED) numbers.clear()
    numbers.set(said, kind)
  }
  return kind
}
