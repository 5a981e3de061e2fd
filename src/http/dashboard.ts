import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cookieName } from '../users/sessions.ts'
import { documentAnswer, serveAssets } from './built-pages.ts'

const built = new URL('../../packages/dashboard/dist/', import.meta.url)

/** The placeholder of the build for whether the browser has sent a session cookie, which scripts cannot read. */
const SESSION = 'SESSION-OF-THE-REQUEST'

async function sendDocument(folder: URL, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const document = await readFile(new URL('index.html', folder), 'utf8').catch(() => null)
  // On a navigation from another site (single sign-on, e-mail), browsers hold a strict cookie back.
  const isFromElsewhere = request.headers['sec-fetch-site'] === 'cross-site'
  const session = isFromElsewhere || String(request.headers.cookie).includes(`${cookieName}=`) ? 'perhaps' : 'none'
  const { code, headers, page } = documentAnswer('dashboard', document?.replace(SESSION, session) ?? null)
  return reply.code(code).headers(headers).send(page)
}

/** `/dashboard`: one document for every address, never cached. `folder`: the build's output, perhaps filled later. */
export async function serveDashboard(app: FastifyInstance, folder: URL = built): Promise<void> {
  await serveAssets(app, folder, '/dashboard/assets/')
  app.get('/dashboard', async (request, reply) => sendDocument(folder, request, reply))
  app.get('/dashboard/*', async (request, reply) => sendDocument(folder, request, reply))
}
