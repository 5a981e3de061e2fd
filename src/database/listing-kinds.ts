import { createHash } from 'node:crypto'
import type { Row } from '../context.ts'

/** The words by which objects of a kind are filtered; facets without a word are absent. */
export type Facets = Readonly<Record<string, string>>

/** Ids that few objects share, each with an index of its own. */
export const listedIds = ['customer_id', 'reference', 'payment_id'] as const
export type ListedId = (typeof listedIds)[number]

/** The column of the same name, or a function that computes the word from the row. */
type Word = 'column' | ((row: never) => string | null)

export const wordIn = (word: Word, name: string, row: Row): string | null =>
  word === 'column' ? (row[name] as string | null) : word(row as never)

/**
 * How the rows of a table are listed: the trait `listed` of its description. `facets`: words of which a merchant's
 * objects have few combinations, in an order that never changes; a new facet is added last, so that the kinds of
 * objects without it stay as they are. A new facet also needs SQL in a migration, for the existing objects.
 */
export type Listing = {
  resource: string
  created: string
  /** The column of the amount; null: the rows have none. */
  amount: string | null
  /** Whether the table has an index by merchant, time and id. */
  byTime?: true
  /** Rows that are not listed yet; only with `byTime`. */
  unlisted?: Unlisted
  ids: Partial<Record<ListedId, Word>>
  facets: Readonly<Record<string, Word>>
}

/**
 * Objects that begin with a conversation are listed when its result is known, so that they are listed once: while `is`
 * holds no listing is written, and lists look for the objects by their time (`sql`: the same condition in SQL). Any
 * later change makes the condition false, for good: the first change lists the object, at the latest the one that its
 * poll makes. If no change is made for longer than `UNLISTED_MS` (no worker was running), only lists by time contain
 * the object.
 */
type Unlisted = { is(row: Row): boolean; sql: string }

/** How far back lists look for objects that are not listed yet. */
export const UNLISTED_MS = 120_000

export const isUnlisted = (listing: Listing | null | undefined, row: Row): boolean => listing?.unlisted?.is(row) ?? false

/** Returns the amount under which a row is listed. */
export const listedAmount = ({ amount }: Listing, row: Row): number => (amount === null ? 0 : (row[amount] as number))

const BETWEEN = '\u001f'

export function listedText({ resource, facets }: Listing, row: Row): string {
  let text = resource
  for (const name in facets) {
    const word = wordIn(facets[name]!, name, row)
    if (word !== null) text += `${BETWEEN}${name}=${word}`
  }
  return text
}

export function facetsOf({ facets }: Listing, row: Row): Facets {
  const entries = Object.entries(facets).map(([name, of]) => [name, wordIn(of, name, row)] as const)
  return Object.fromEntries(entries.filter((pair): pair is readonly [string, string] => pair[1] !== null))
}

export const MOST_REMEMBERED = 100_000

/** 52 bits of a digest. */
export const kindOf = (text: string): number => Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 13), 16)

/** A node in the tree of known words: the words that follow, and after the last word the number of the kind. */
export type KindNode = { number: number | null; next: Map<string | null, KindNode> }

/** Returns the node after one more word (null: the word is absent); adds the node if it does not exist yet. */
export function afterWord<Word>(next: Map<Word, KindNode>, word: Word): KindNode {
  const found = next.get(word)
  if (found) return found
  const made: KindNode = { number: null, next: new Map() }
  next.set(word, made)
  return made
}

/** Remembers the numbers of kinds word by word, which is cheaper than to join all words to look a kind up. */
export function openKindNumbers<Of>() {
  const known = new Map<Of, KindNode>()
  let remembered = 0
  return {
    begin: (of: Of): KindNode => afterWord(known, of),
    /** Computes a number that is not known yet from its text (`kindOf`), and remembers it. */
    made(after: KindNode, text: string): number {
      if (++remembered > MOST_REMEMBERED) {
        known.clear()
        remembered = 0
      }
      const number = kindOf(text)
      after.number = number
      return number
    },
  }
}

const listed = openKindNumbers<Listing>()

/** Returns the number of a row's kind, computed from its text. */
export function rowKind(listing: Listing, row: Row): number {
  let after = listed.begin(listing)
  for (const name in listing.facets) after = afterWord(after.next, wordIn(listing.facets[name]!, name, row))
  return after.number ?? listed.made(after, listedText(listing, row))
}
