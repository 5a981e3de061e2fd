import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { randomAlphanumeric } from '../base/id.ts'
import type { Context } from '../context.ts'
import { type PageFile, pageFiles } from '../pages/files.ts'
import { actionFrame, elementFrame, type FrameVisit, methodsFrame, payoutFrame } from '../pages/frame.ts'
import { googlePayFrame } from '../pages/google-pay.ts'
import type { CustomerPage } from '../pages/plain.ts'
import { loader } from '../pages/sdk.ts'
import { takesGzip } from './compress.ts'

/** Files for browsers, no operations: customer pages' scripts and styles, the script for shops, its frames. */

const FOR_EVER = 'public, max-age=31536000, immutable'
const MINUTES = 'public, max-age=300'

const zip = promisify(gzip)

/** Sends a file, as gzip if the client accepts it: compressed once, at the first request. */
function sender(bytes: Buffer): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  let zipped: Promise<Buffer> | undefined
  return async (request, reply) => {
    reply.header('vary', 'accept-encoding')
    if (!takesGzip(request)) return reply.send(bytes)
    zipped ??= zip(bytes, { level: 9 })
    return reply.header('content-encoding', 'gzip').send(await zipped)
  }
}

/** The address contains the content's digest; with an old one, the previous release's pages get the new content. */
function serveFiles(app: FastifyInstance): void {
  const senders = new WeakMap<PageFile, ReturnType<typeof sender>>()
  app.get<{ Params: { name: string } }>('/pages/:content/:name', async (request, reply) => {
    const { name } = request.params
    const { byName, path } = pageFiles()
    const file = byName.get(name)
    if (file === undefined) return reply.callNotFound()
    const send = senders.get(file) ?? sender(file.bytes)
    senders.set(file, send)
    const current = request.url === `/${path}/${name}`
    return send(request, reply.type(file.type).header('cache-control', current ? FOR_EVER : 'no-cache'))
  })
}

/** Serves the script that shops load. Pages of any origin may load it, including pages that isolate themselves. */
function serveLoader(app: FastifyInstance): void {
  const send = sender(loader.script)
  for (const [path, kept] of [
    [loader.current, MINUTES],
    [loader.pinned, FOR_EVER],
  ] as const)
    app.get(path, async (request, reply) =>
      send(
        request,
        reply
          .type('text/javascript; charset=utf-8')
          .headers({ 'cache-control': kept, 'cross-origin-resource-policy': 'cross-origin', etag: `"${loader.integrity}"` }),
      ),
    )
}

/** Serves the frames of the script for shops. The frames are the same for every payment. */
function serveFrames(app: FastifyInstance, context: Pick<Context, 'random'>): void {
  const serve = (path: string, pageOf: (visit: FrameVisit) => CustomerPage) =>
    app.get(path, async (request, reply) => {
      const { locale, theme } = request.query as Record<string, unknown>
      const word = (value: unknown) => (typeof value === 'string' && value.length <= 255 ? value : undefined)
      const { page, headers } = pageOf({
        locale: word(locale),
        theme: word(theme),
        acceptLanguage: request.headers['accept-language'],
        nonce: randomAlphanumeric(context, 24),
      })
      return reply.headers({ ...headers, 'cross-origin-resource-policy': 'cross-origin' }).send(page)
    })
  serve('/sdk/frame', elementFrame)
  serve('/sdk/methods', methodsFrame)
  serve('/sdk/payout', payoutFrame)
  serve('/sdk/action', actionFrame)
  serve('/sdk/google-pay', googlePayFrame)
}

export function servePages(app: FastifyInstance, context: Pick<Context, 'random'>): void {
  serveFiles(app)
  serveLoader(app)
  serveFrames(app, context)
}
