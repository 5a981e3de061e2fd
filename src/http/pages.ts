import type { FastifyInstance } from 'fastify'
import { FILES, pageFiles } from '../pages/files.ts'

/**
 * The scripts and styles of our pages. Their address names what is in them; a page of the release before still finds
 * the files, under their new content.
 */
export function servePages(app: FastifyInstance): void {
  for (const { name, type, bytes } of pageFiles)
    app.get(`/pages/:content/${name}`, async (request, reply) => {
      const current = request.url === `/${FILES}/${name}`
      return reply
        .type(type)
        .header('cache-control', current ? 'public, max-age=31536000, immutable' : 'no-cache')
        .send(bytes)
    })
}
