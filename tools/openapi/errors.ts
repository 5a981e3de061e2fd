import { type RefusalName, refusalCatalogue, templatesOf } from '../../src/base/refusal.ts'
import { admits, isForPeople } from '../../src/http/auth.ts'
import { isForCustomer } from '../../src/http/customer-page.ts'
import { type Endpoint, takesKey } from '../../src/http/endpoint.ts'
import type { Media, OpenApiResponse } from './document.ts'

/** The error responses of an operation, as the OpenAPI document describes them. */

const errorBody: Record<string, Media> = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
/** The page that a customer's browser receives instead. */
const errorPage: Record<string, Media> = { 'text/html': { schema: { type: 'string' } } }
export const requestIdHeader = { 'x-request-id': { $ref: '#/components/headers/RequestId' } }

/** Returns a refusal as a line of a description. */
export const refusalLine = (name: RefusalName): string =>
  `- \`${refusalCatalogue[name].code}\` ${templatesOf(name).message}. ${templatesOf(name).help}`

/** Returns one error response for each status, naming the error codes with that status. */
export function failures(endpoint: Endpoint): Record<string, OpenApiResponse> {
  const answers: Record<string, OpenApiResponse> = {}
  for (const name of refusalsOf(endpoint)) {
    const { status } = refusalCatalogue[name]
    if (status < 400) continue
    const retry = 'retryAfter' in refusalCatalogue[name] && { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
    const before = answers[status]
    const line = refusalLine(name)
    answers[status] = {
      description: before ? `${before.description}\n${line}` : line,
      headers: { ...requestIdHeader, ...before?.headers, ...retry },
      content: isForCustomer({ url: endpoint.path, headers: { accept: 'text/html' } }) ? { ...errorBody, ...errorPage } : errorBody,
    }
  }
  return answers
}

/** Returns every refusal that an operation may answer with, in the catalogue's order. */
export function refusalsOf(endpoint: Endpoint): RefusalName[] {
  const { auth, platforms, body, query, path, errors = [] } = endpoint
  const { credential } = auth
  const found = new Set<RefusalName>(['internal', 'unavailable', 'headers_too_large', 'too_slow', ...errors])
  const add = (condition: boolean, ...names: RefusalName[]) => {
    if (condition) for (const one of names) found.add(one)
  }
  add(credential !== 'nothing', 'key_missing_or_unknown')
  add(isForPeople(auth), 'session_over')
  add(credential !== 'nothing', 'forbidden')
  add(credential !== 'nothing' && credential !== 'user', 'no_platform')
  add(admits(auth, 'secret'), 'connected_account')
  add(admits(auth, 'secret') && platforms === 'for others', 'platform_alone')
  // X-Profile-Id may name a profile that is not the merchant's.
  add(credential !== 'nothing' && credential !== 'admin' && credential !== 'user', 'precondition')
  add(admits(auth, 'client'), 'missing', 'unacceptable', 'client_secret_expired', 'client_secret_mismatch')
  add(query !== undefined, 'missing', 'several_missing', 'malformed', 'unreadable', 'too_long', 'precondition')
  add(body !== undefined, 'compressed', 'missing', 'several_missing', 'malformed', 'unreadable', 'too_long', 'unacceptable', 'precondition')
  add(takesKey(endpoint), 'malformed', 'key_reused', 'still_running')
  add(path.includes('{') && !errors.includes('webhook_unknown'), 'not_found')
  return (Object.keys(refusalCatalogue) as RefusalName[]).filter(one => found.has(one))
}
