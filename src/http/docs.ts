import type { FastifyInstance } from 'fastify'
import { openapi } from './openapi.ts'

/** The interface described by itself. */
export function documentPages(app: FastifyInstance): void {
  const document = JSON.stringify(openapi())
  app.get('/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(document))
}
