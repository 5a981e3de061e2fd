import type { Endpoint } from '../src/http/endpoint.ts'
import { endpoints } from '../src/http/endpoints.ts'
import type { Body } from './shop.ts'

/** The example bodies of the documentation, by operation. */
export const examples: Readonly<Record<string, { summary: string; value: Body }>> = Object.fromEntries(
  endpoints.flatMap(({ name, example }) => (example ? [[name, example]] : [])),
)

const year = { fetch_from: '2026-01-01T00:00:00Z', fetch_till: '2027-01-01T00:00:00Z' }

/** Gives the query string with the parameters that an endpoint requires. */
export function queryOf(endpoint: Endpoint, ids: Record<string, string>): string {
  const values: Record<string, string | undefined> = { object_id: ids.payment_id, enable: 'none', split: '50', ...year }
  const needed = (endpoint.query as { required?: string[] } | undefined)?.required ?? []
  return needed.length === 0 ? '' : `?${needed.map(name => `${name}=${values[name]}`).join('&')}`
}
