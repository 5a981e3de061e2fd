import type { TSchema } from 'typebox'
import type { Endpoint } from './endpoint.ts'

/** Returns the 202 response to a person whose request waits for the approval of a second person. */
export const heldAnswer = <H, S>({ waits }: Endpoint, headers: H, read: (schema: TSchema) => S) =>
  waits && {
    202: {
      description: 'Approval: a person asked for it, and a second one has to approve. Never the answer to an API key',
      headers,
      content: { 'application/json': { schema: read(waits) } },
    },
  }
