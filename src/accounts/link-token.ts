import { createHash } from 'node:crypto'
import { isMadeHere } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import type { Time } from '../context.ts'

/**
 * The page of a link holds its object's client_secret. An address with an id that was made here cannot be guessed; an
 * id that a merchant chose can be, so the address carries a token beside it.
 * The token is made of the client_secret and does not tell it.
 */

type Linked = { id: string; created: Time; client_secret: string }

const tokenOf = ({ id, created, client_secret }: Linked): string | null =>
  isMadeHere(id, created) ? null : createHash('sha256').update(`link ${client_secret}`).digest('base64url').slice(0, 32)

/** The query of a link's address, with its `?`; empty where it needs none. */
export function linkQuery(linked: Linked, more: { locale?: string | undefined } = {}): string {
  const token = tokenOf(linked)
  const query = new URLSearchParams({ ...(token !== null && { token }), ...(more.locale !== undefined && { locale: more.locale }) })
  return query.size === 0 ? '' : `?${query}`
}

/**
 * Refuses a visitor who has no more than a chosen id, as if there were no link. Without its token nothing tells one.
 */
export function checkLinkToken(linked: Linked, token: string | undefined, what: string): void {
  if (!opensLink(linked, token)) refuse('not_found', { what })
}

/** Has the visitor the whole address of the link? */
export function opensLink(linked: Linked, token: string | undefined): boolean {
  const wanted = tokenOf(linked)
  // A digest is compared with a digest of 192 bits: how long that takes tells nothing that could be used.
  return wanted === null || token === wanted
}
