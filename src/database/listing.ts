import type { Row } from '../context.ts'
import { type Facets, isUnlisted, type ListedId, type Listing, listedAmount, MOST_REMEMBERED, rowKind, wordIn } from './listing-kinds.ts'
import { bigint, json, type Table, table, text, time } from './table.ts'

/**
 * The rows that lists are read from: a narrow row beside each object that can be listed, written by the statement that
 * writes the object (`statements.ts`). It does not contain the words by which objects are filtered, but their *kind*:
 * objects of the same status, currency, connector and so on are of one kind, and each kind is described once in
 * `listing_kinds`. So one index serves every filter, alone and together with others, and a payment that moves changes
 * one number (`docs/design/lists.md`).
 */
table('listings', {
  key: ['merchant_id', 'kind', 'created', 'object_id'],
  columns: {
    merchant_id: text(),
    kind: bigint(),
    created: time(),
    object_id: text(),
    amount: bigint(),
    customer_id: text().orNull(),
    /** `merchant_order_reference_id`; for a customer the digest of their e-mail address. */
    reference: text().orNull(),
    /** The object's payment. A customer's digest of their telephone: a column for it would widen all listings. */
    payment_id: text().orNull(),
  },
})

/** A merchant's kinds, only ever added. `kind` is computed from the other columns, without a query. */
table('listing_kinds', {
  key: ['merchant_id', 'resource', 'kind'],
  columns: { merchant_id: text(), resource: text(), kind: bigint(), facets: json<Facets>() },
})

/**
 * The effect of a row's change on its listing. `i`: the row's place in the change, -1 for the head. `was`: the kind
 * before the change. `isNew`: this process has not seen the kind with this merchant, so the statement also inserts the
 * kind.
 */
export type ListingChange = {
  i: number
  table: Table
  listing: Listing
  row: Row
  verb: 'insert' | 'move' | 'rewrite'
  kind: number
  was: number
  isNew: boolean
}

/** Returns the change of a row's listing, null for none. Whether its kind is new is not known here. */
export function lineOf(i: number, of: Table, before: Row | null, after: Row | null): ListingChange | null {
  const { listed: listing } = of
  if (!listing || !after || (!before && isUnlisted(listing, after))) return null
  const kind = rowKind(listing, after)
  if (!before || isUnlisted(listing, before)) return { i, table: of, listing, row: after, verb: 'insert', kind, was: 0, isNew: false }
  const was = rowKind(listing, before)
  const rewrites = listedAmount(listing, before) !== listedAmount(listing, after) || idsDiffer(listing, before, after)
  if (!rewrites && was === kind) return null
  return { i, table: of, listing, row: after, verb: rewrites ? 'rewrite' : 'move', kind, was, isNew: false }
}

function idsDiffer({ ids }: Listing, before: Row, after: Row): boolean {
  for (const name in ids) {
    const word = ids[name as ListedId]!
    if (wordIn(word, name, before) !== wordIn(word, name, after)) return true
  }
  return false
}

/** Opens the list of each merchant's kinds that this process has written; to write one again does no harm. */
export function openKnown() {
  const known = new Map<unknown, Set<number>>()
  let remembered = 0
  return {
    has: (merchant_id: unknown, kind: number): boolean => known.get(merchant_id)?.has(kind) ?? false,
    add(merchant_id: unknown, kind: number): void {
      if (++remembered > MOST_REMEMBERED) {
        known.clear()
        remembered = 1
      }
      const its = known.get(merchant_id)
      if (its) its.add(kind)
      else known.set(merchant_id, new Set([kind]))
    },
  }
}
