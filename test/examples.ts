import { endpoints } from '../src/http/endpoints.ts'
import type { Body } from './shop.ts'

/** The bodies that the documentation shows, by operation. */
export const examples: Readonly<Record<string, { summary: string; value: Body }>> = Object.fromEntries(
  endpoints.flatMap(({ name, example }) => (example ? [[name, example]] : [])),
)
