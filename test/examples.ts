import type { Endpoint } from '../src/http/endpoint.ts'
import { endpoints } from '../src/http/endpoints.ts'
import type { Body } from './shop.ts'

/** The bodies that the documentation shows, by operation. */
export const examples: Readonly<Record<string, { summary: string; value: Body }>> = Object.fromEntries(
  endpoints.flatMap(({ name, example }) => (example ? [[name, example]] : [])),
)

const year = { fetch_from: '2026-01-01T00:00:00Z', fetch_till: '2027-01-01T00:00:00Z' }

/** What a door must be asked in the query. */
export function queryOf(endpoint: Endpoint, ids: Record<string, string>): string {
  const said: Record<string, string | undefined> = { object_id: ids.payment_id, enable: 'none', split: '50', ...year }
  const needed = (endpoint.query as { required?: string[] } | undefined)?.required ?? []
  return needed.length === 0 ? '' : `?${needed.map(name => `${name}=${said[name]}`).join('&')}`
}
