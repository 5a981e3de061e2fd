import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { cookieName } from '../users/sessions.ts'

/**
 * What the dashboard is built into (`launch/dashboard.ts`, and the image). It may come while the service is already
 * running.
 */
const built = new URL('../../dashboard/dist/', import.meta.url)
const ONE_YEAR_MS = 365 * 86_400_000

/** What the build writes where a nonce belongs (`dashboard/vite.config.ts`). */
const NONCE = 'NONCE-OF-THE-ANSWER'

/** And where it stands whether the browser has brought a session's cookie, which no script can see. */
const SESSION = 'SESSION-OF-THE-REQUEST'

/** Scripts are files of this service; styles that Mantine writes at run time bear the nonce of the document. */
const guarded = (nonce: string) => ({
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
})

/** Until the build is there: a page that says so, and looks again. */
const waitingPage = (nonce: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="2">
<title>Dashboard · Switchyard</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">
  :root { color-scheme: light dark }
  body { font: 15px/1.6 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto 0; padding: 0 1.5rem }
  h1 { font-size: 1.25rem }
</style>
</head>
<body>
<main>
<h1>The dashboard is being built</h1>
<p>This happens once, and takes a few seconds; this page opens it by itself. Payments are served meanwhile.</p>
<p>If it takes longer than a minute, the terminal of <code>npm start</code> says why.</p>
</main>
</body>
</html>
`

async function sendDocument(folder: URL, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const nonce = randomBytes(16).toString('base64url')
  const document = await readFile(new URL('index.html', folder), 'utf8').catch(() => null)
  // From another site (single sign-on, a link in a letter) a browser brings no strict cookie, also where it has one.
  const isFromElsewhere = request.headers['sec-fetch-site'] === 'cross-site'
  const session = isFromElsewhere || String(request.headers.cookie).includes(`${cookieName}=`) ? 'perhaps' : 'none'
  const page = document === null ? waitingPage(nonce) : document.replaceAll(NONCE, nonce).replace(SESSION, session)
  return reply
    .code(document === null ? 503 : 200)
    .headers({ ...guarded(nonce), ...(document === null && { 'retry-after': '2' }) })
    .type('text/html; charset=utf-8')
    .send(page)
}

/**
 * The dashboard under `/dashboard`: one document for every address, never kept, and files whose names say what is in
 * them, kept for ever. `folder`: what it is built into; it may come later.
 */
export async function serveDashboard(app: FastifyInstance, folder: URL = built): Promise<void> {
  const { default: files } = await import('@fastify/static')
  await app.register(files, {
    root: fileURLToPath(new URL('assets/', folder)),
    prefix: '/dashboard/assets/',
    decorateReply: false,
    index: false,
    preCompressed: true,
    immutable: true,
    maxAge: ONE_YEAR_MS,
    setHeaders: reply => void reply.header('cross-origin-resource-policy', 'same-origin'),
  })
  app.get('/dashboard', async (request, reply) => sendDocument(folder, request, reply))
  app.get('/dashboard/*', async (request, reply) => sendDocument(folder, request, reply))
}
