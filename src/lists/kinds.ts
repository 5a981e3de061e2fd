import type { Context } from '../context.ts'
import type { Facets } from '../database/listed.ts'
import { statement } from '../database/statement.ts'

/** A kind of a merchant's objects, with its words. */
type Kind = { kind: number; facets: Facets }

const listed = statement('kinds_listed', 'select kind, facets from listing_kinds where merchant_id = $1 and resource = $2')

/** The most kinds that a process remembers, of all merchants together; a kind takes some 400 bytes. */
const MOST_KINDS = 20_000

const nameOf = (merchant_id: string, resource: string): string => `${resource} ${merchant_id}`

/**
 * Returns the kinds of a merchant's objects as they were once read. Kinds are only ever added, and each statement for
 * a page also returns their present number (`list.ts`).
 */
export async function kindsOf(
  context: Pick<Context, 'query' | 'listKinds'>,
  merchant_id: string,
  resource: string,
): Promise<readonly Kind[]> {
  const { listKinds } = context
  const name = nameOf(merchant_id, resource)
  const known = listKinds.get(name) as readonly Kind[] | undefined
  if (known) return known
  const read = await context.query<Kind>(listed, [merchant_id, resource])
  listKinds.set(name, read)
  let kinds = 0
  for (const { length } of listKinds.values()) kinds += length + 1
  for (const [oldest, { length }] of listKinds) {
    if (kinds <= MOST_KINDS) break
    listKinds.delete(oldest)
    kinds -= length + 1
  }
  return read
}

/** Forgets the kinds of a merchant, because new ones have been added. */
export const forgetKinds = ({ listKinds }: Pick<Context, 'listKinds'>, merchant_id: string, resource: string): void =>
  void listKinds.delete(nameOf(merchant_id, resource))
