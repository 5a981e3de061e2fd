import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ADDRESS, docsPage } from './docs-page.ts'
import { openapi } from './openapi.ts'

/** The page runs no script and asks nobody else for anything; the browser is told so. */
const guarded = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

/** The address that the reader used, if it looks like one. */
function addressOf(request: FastifyRequest): string {
  const { protocol, host } = request
  return /^[a-z0-9.:[\]-]{1,255}$/i.test(host) && /^https?$/.test(protocol) ? `${protocol}://${host}` : 'http://127.0.0.1:8080'
}

/** The interface described by itself: for programs at /openapi.json, for people at /docs. */
export function documentPages(app: FastifyInstance): void {
  const document = openapi()
  const text = JSON.stringify(document)
  const page = docsPage(document)
  const style = readFileSync(new URL('./docs.css', import.meta.url), 'utf8')
  const guardedly = (reply: FastifyReply, type: string, content: string) =>
    reply.headers(guarded).type(`${type}; charset=utf-8`).send(content)

  app.get('/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(text))
  app.get('/docs', async (request, reply) => guardedly(reply, 'text/html', page.replace(ADDRESS, addressOf(request))))
  app.get('/docs/style.css', async (_request, reply) => guardedly(reply, 'text/css', style))
  // Whoever opens the bare address in a browser wants to read.
  app.get('/', async (_request, reply) => reply.redirect('/docs', 302))
}
