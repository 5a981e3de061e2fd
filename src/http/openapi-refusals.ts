import { type RefusalName, refusalCatalogue } from '../base/refusal.ts'
import { admits } from './credentials.ts'
import { type Endpoint, takesKey } from './endpoint.ts'

/** Returns every refusal that an operation may answer with, in the catalogue's order. */
export function refusalsOf(endpoint: Endpoint): RefusalName[] {
  const { takes, platforms, body, query, path, refuses = [] } = endpoint
  const found = new Set<RefusalName>(['internal', 'unavailable', 'headers_too_large', 'too_slow', ...refuses])
  const add = (condition: boolean, ...names: RefusalName[]) => {
    if (condition) for (const one of names) found.add(one)
  }
  add(takes !== 'nothing', 'key_missing_or_unknown')
  add(admits(takes, 'user') || admits(takes, 'secret') || admits(takes, 'admin'), 'session_over')
  add(takes !== 'nothing', 'forbidden')
  add(takes !== 'nothing' && takes !== 'user', 'no_platform')
  add(admits(takes, 'secret'), 'connected_account')
  add(admits(takes, 'secret') && platforms === 'for others', 'platform_alone')
  // X-Profile-Id may name a profile that is not the merchant's.
  add(takes !== 'nothing' && takes !== 'admin' && takes !== 'user', 'precondition')
  add(admits(takes, 'client'), 'missing', 'unacceptable', 'client_secret_expired', 'client_secret_mismatch')
  add(query !== undefined, 'missing', 'several_missing', 'malformed', 'unreadable', 'too_long', 'precondition')
  add(body !== undefined, 'compressed', 'missing', 'several_missing', 'malformed', 'unreadable', 'too_long', 'unacceptable', 'precondition')
  add(takesKey(endpoint), 'malformed', 'key_reused', 'still_running')
  add(path.includes('{') && !refuses.includes('webhook_unknown'), 'not_found')
  return (Object.keys(refusalCatalogue) as RefusalName[]).filter(one => found.has(one))
}
