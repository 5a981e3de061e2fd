import type { TSchema } from 'typebox'
import type { Endpoint } from './endpoint.ts'

/** What a person is answered whose request waits for a second one. */
export const heldAnswer = <H, S>({ waits }: Endpoint, headers: H, read: (schema: TSchema) => S) =>
  waits && {
    202: {
      description: 'Approval: a person asked for it, and a second one has to approve. Never the answer to an API key',
      headers,
      content: { 'application/json': { schema: read(waits) } },
    },
  }
