import type { Context } from '../context.ts'
import type { Facets } from '../database/listing-kinds.ts'
import { statement } from '../database/statement.ts'

type Kind = { kind: number; facets: Facets }

const listed = statement('kinds_listed', 'select kind, facets from listing_kinds where merchant_id = $1 and resource = $2')

/** The most kinds that a process remembers, of all merchants together; a kind takes some 400 bytes. */
const MOST_KINDS = 20_000

const nameOf = (merchant_id: string, resource: string): string => `${resource} ${merchant_id}`

/** As once read: kinds are only ever added, and each page's statement returns how many there are now (`list.ts`). */
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

export const forgetKinds = ({ listKinds }: Pick<Context, 'listKinds'>, merchant_id: string, resource: string): void =>
  void listKinds.delete(nameOf(merchant_id, resource))
