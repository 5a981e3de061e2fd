import type { Context } from '../context.ts'
import type { Facets } from '../database/listed.ts'
import { statement } from '../database/statement.ts'

/** What a merchant's objects are, of which a process remembers as much as it has room for. */
type Kind = { kind: number; facets: Facets }

const listed = statement('kinds_listed', 'select kind, facets from listing_kinds where merchant_id = $1 and resource = $2')

/** In all; a kind is some 400 bytes. */
const MOST_KINDS = 20_000
const remembered = new Map<string, readonly Kind[]>()
let kinds = 0

const nameOf = (merchant_id: string, resource: string): string => `${resource} ${merchant_id}`

/**
 * The kinds of a merchant's objects as they were once: they only become more, and who asks for a page is told how
 * many there are by now (`list.ts`).
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

/** There are others by now. */
export const forgetKinds = (merchant_id: string, resource: string): void => drop(nameOf(merchant_id, resource))

function drop(name: string): void {
  kinds -= remembered.get(name)?.length ?? 0
  remembered.delete(name)
}
