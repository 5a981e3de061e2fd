import { createHash } from 'node:crypto'
import { isMadeHere } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import type { Time } from '../context.ts'

/**
 * A link's page contains the client_secret of its object. An id that the merchant chose can be guessed, unlike ours,
 * so its URL also has a token: a hash of the client_secret.
 */

type Linked = { id: string; created: Time; client_secret: string }

const tokenOf = ({ id, created, client_secret }: Linked): string | null =>
  isMadeHere(id, created) ? null : createHash('sha256').update(`link ${client_secret}`).digest('base64url').slice(0, 32)

/** Includes `?`; empty if the URL needs none. */
export function linkQuery(linked: Linked, more: { locale?: string | undefined } = {}): string {
  const token = tokenOf(linked)
  const query = new URLSearchParams({ ...(token !== null && { token }), ...(more.locale !== undefined && { locale: more.locale }) })
  return query.size === 0 ? '' : `?${query}`
}

/** The error is the same as for a link that does not exist. */
export function checkLinkToken(linked: Linked, token: string | undefined, what: string): void {
  if (!opensLink(linked, token)) refuse('not_found', { what })
}

export function opensLink(linked: Linked, token: string | undefined): boolean {
  const wanted = tokenOf(linked)
  // The comparison need not take constant time: its duration reveals nothing useful about a hash of 192 bits.
  return wanted === null || token === wanted
}
