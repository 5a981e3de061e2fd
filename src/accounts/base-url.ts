import { refuse } from '../base/refusal.ts'
import { openReach } from '../connectors/reach.ts'

/** Where a connector account lives, if it says so itself (`metadata.base_url`). */

const field = 'metadata.base_url'
const outside = openReach(false)

/** The address may be overridden. In live mode only by a public https address: one of the inside must not be reached through a setting. */
export function checkBaseUrl(mode: 'test' | 'live', base_url: unknown): void {
  if (base_url === undefined) return
  const expected = mode === 'live' ? 'an https address of a public host, without ? and #' : 'an http or https address without ? and #'
  // Paths are appended to it as it stands: no question, no fragment, no blanks.
  const plain = typeof base_url === 'string' && /^https?:\/\/[^/?#\\\s][^?#\\\s]*$/i.test(base_url) && URL.canParse(base_url)
  if (!plain || (mode === 'live' && outside.refuses(base_url) !== null)) refuse('malformed', { field, expected })
}

/** Credentials are sent to no address but the one that they were given for: else whoever may change an account could have them sent to himself. Who names another one says them as well. */
export function checkMoved(
  before: Record<string, unknown>,
  { metadata, connector_account_details }: { metadata?: Record<string, unknown>; connector_account_details?: object },
): void {
  const base_url = metadata?.base_url
  const said = (before.metadata as Record<string, unknown> | undefined)?.base_url
  if (base_url !== undefined && base_url !== said && connector_account_details === undefined)
    refuse('unacceptable', { field, words: 'is another address: connector_account_details must be said with it' })
}
