import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { buildingPage } from '../pages/waiting.ts'

/** The dashboard and the documentation: built by `launch/pages.ts` and the image, perhaps after the start. */

const ONE_YEAR_MS = 365 * 86_400_000

/** The placeholder that the builds write for the nonce (`vite.config.ts`, `.vitepress/config.ts`). */
const NONCE = 'NONCE-OF-THE-ANSWER'

/** Returns the security headers of a page. `scripts`: the script sources allowed besides files of this service. */
const guarded = (nonce: string, scripts: string) => ({
  'content-security-policy': [
    "default-src 'none'",
    `script-src 'self'${scripts}`,
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

type Answer = { code: 200 | 404 | 503; headers: Record<string, string>; page: string }

/** `null` (not built yet): a page that reloads itself. `inline`: inline scripts carry the nonce, too. */
export function documentAnswer(
  name: 'dashboard' | 'site',
  document: string | null,
  { code = 200, inline = false }: { code?: 200 | 404; inline?: boolean } = {},
): Answer {
  const nonce = randomBytes(16).toString('base64url')
  const headers = { ...guarded(nonce, inline ? ` 'nonce-${nonce}'` : ''), 'content-type': 'text/html; charset=utf-8' }
  if (document === null) return { code: 503, headers: { ...headers, 'retry-after': '2' }, page: buildingPage(nonce, name) }
  return { code, headers, page: document.replaceAll(NONCE, nonce) }
}

/** Serves `assets` of this folder, cached for ever (names contain a digest). May be built after the start. */
export async function serveAssets(app: FastifyInstance, folder: URL, prefix: string): Promise<void> {
  const { default: files } = await import('@fastify/static')
  await app.register(async assets => {
    // A path that names no file, leaves the folder or cannot be a path at all is not found.
    assets.setErrorHandler<{ statusCode?: number }>((error, _request, reply) => {
      if ((error.statusCode ?? 500) >= 500) throw error
      reply.callNotFound()
    })
    await assets.register(files, {
      root: fileURLToPath(new URL('assets/', folder)),
      prefix,
      decorateReply: false,
      index: false,
      preCompressed: true,
      immutable: true,
      maxAge: ONE_YEAR_MS,
      setHeaders: reply => void reply.header('cross-origin-resource-policy', 'same-origin'),
    })
  })
}
