import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cookieName } from '../users/sessions.ts'
import { documentAnswer, serveAssets } from './built-pages.ts'

const built = new URL('../../dashboard/dist/', import.meta.url)

/** Where the build says whether the browser has brought a session's cookie, which no script can see. */
const SESSION = 'SESSION-OF-THE-REQUEST'

async function sendDocument(folder: URL, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const document = await readFile(new URL('index.html', folder), 'utf8').catch(() => null)
  // From another site (single sign-on, a link in a letter) a browser brings no strict cookie, also where it has one.
  const isFromElsewhere = request.headers['sec-fetch-site'] === 'cross-site'
  const session = isFromElsewhere || String(request.headers.cookie).includes(`${cookieName}=`) ? 'perhaps' : 'none'
  const { code, headers, page } = documentAnswer('Dashboard', document?.replace(SESSION, session) ?? null)
  return reply.code(code).headers(headers).send(page)
}

/**
 * The dashboard under `/dashboard`: one document for every address, never kept, and its files. `folder`: what it is
 * built into; it may come later.
 */
export async function serveDashboard(app: FastifyInstance, folder: URL = built): Promise<void> {
  await serveAssets(app, folder, '/dashboard/assets/')
  app.get('/dashboard', async (request, reply) => sendDocument(folder, request, reply))
  app.get('/dashboard/*', async (request, reply) => sendDocument(folder, request, reply))
}
