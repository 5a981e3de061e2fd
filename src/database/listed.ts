import { createHash } from 'node:crypto'
import type { Row } from '../context.ts'

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
 * How the rows of a table are listed: the trait `listed` of its description. `facets`: words of which a merchant's
 * objects have few combinations, in an order that never changes; one that is added comes last, so that the kinds of
 * objects that have none stay what they are. Who adds one adds it to the SQL of a migration, for the objects that are
 * there.
 */
export type Listing = {
  resource: string
  created: string
  /** null: its rows have none. */
  amount: string | null
  /** Its table has an index by merchant, time and id. */
  byTime?: true
  /** Rows that are not listed yet; only where `byTime`. */
  unlisted?: Unlisted
  ids: Partial<Record<ListedId, Word>>
  facets: Readonly<Record<string, Word>>
}

/**
 * Objects that begin with a conversation are listed when its end is known, so that they are listed once: while `is`
 * holds nothing is written, and lists look for them by their time (`sql`: the same of a row, in SQL). Any later
 * change makes it untrue, for good: the first change lists them, that of their alarm at the latest. While that is not
 * answered for longer than `UNLISTED_MS` (no worker was running), only lists by time have them.
 */
export type Unlisted = { is(row: Row): boolean; sql: string }

/** So far back lists look for what is not listed yet. */
export const UNLISTED_MS = 120_000

/** Is it not listed yet? */
export const isUnlisted = (listing: Listing | null | undefined, row: Row): boolean => listing?.unlisted?.is(row) ?? false

/** What is listed as the amount of a row. */
export const listedAmount = ({ amount }: Listing, row: Row): number => (amount === null ? 0 : (row[amount] as number))

const BETWEEN = '\u001f'

/** Resource and words in one text. */
export function listedText({ resource, facets }: Listing, row: Row): string {
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

/** The number of a kind: 52 bits of a digest. */
export const kindOf = (said: string): number => Number.parseInt(createHash('sha256').update(said).digest('hex').slice(0, 13), 16)

/** What follows the words so far: further words, and after the last of them the number of the kind. */
export type KindWords = { number: number | null; next: Map<string | null, KindWords> }

/** What is known after one more word (null: it is absent), from now on at least that it was looked for. */
export function afterWord<Word>(next: Map<Word, KindWords>, word: Word): KindWords {
  const found = next.get(word)
  if (found) return found
  const made: KindWords = { number: null, next: new Map() }
  next.set(word, made)
  return made
}

/**
 * The numbers of kinds, remembered word by word: a text of all words, made to look a kind up, is dearer than all the
 * looks. `Of`: what has kinds.
 */
export function openKindNumbers<Of>() {
  const known = new Map<Of, KindWords>()
  let remembered = 0
  return {
    begin: (of: Of): KindWords => afterWord(known, of),
    /** A number that is not known yet, made of its text (`kindOf`). */
    made(after: KindWords, text: string): number {
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

/** The number of the kind of a row: that of its text. */
export function rowKind(listing: Listing, row: Row): number {
  let after = listed.begin(listing)
  for (const name in listing.facets) after = afterWord(after.next, wordOf(listing.facets[name]!, name, row))
  return after.number ?? listed.made(after, listedText(listing, row))
}
