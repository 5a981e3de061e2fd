import type { Context } from '../context.ts'
import type { Facets } from '../database/listed.ts'
import { statement } from '../database/statement.ts'

/** A kind of a merchant's objects, with its words. A process remembers as many kinds as it has room for. */
type Kind = { kind: number; facets: Facets }

const listed = statement('kinds_listed', 'select kind, facets from listing_kinds where merchant_id = $1 and resource = $2')

/** The most kinds that are remembered, of all merchants together; a kind takes some 400 bytes. */
const MOST_KINDS = 20_000
const remembered = new Map<string, readonly Kind[]>()
let kinds = 0

const nameOf = (merchant_id: string, resource: string): string => `${resource} ${merchant_id}`

/**
 * Returns the kinds of a merchant's objects as they were once read. Kinds are only ever added, and each statement for
 * a page also returns their present number (`list.ts`).
 */
export async function kindsOf(context: Pick<Context, 'query'>, merchant_id: string, resource: string): Promise<readonly Kind[]> {
  const name = nameOf(merchant_id, resource)
  const known = remembered.get(name)
  if (known) return known
  const read = await context.query<Kind>(listed, [merchant_id, resource])
  forgetKinds(merchant_id, resource)
  remembered.set(name, read)
  kinds += read.length
  for (const oldest of remembered.keys()) {
    if (kinds <= MOST_KINDS) break
    drop(oldest)
  }
  return read
}

/** Forgets the kinds of a merchant, because new ones have been added. */
export const forgetKinds = (merchant_id: string, resource: string): void => drop(nameOf(merchant_id, resource))

function drop(name: string): void {
  kinds -= remembered.get(name)?.length ?? 0
  remembered.delete(name)
}
