import { createReadStream, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * The page speaks to nobody but this service. What its reader could fetch from elsewhere (fonts, a proxy, an assistant) is switched off in `docs-start.js`, and the browser is told
 * to refuse it besides. Scripts are files of this service; styles may stand inline, because the reader writes its own.
 */
const guarded = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

const library = import.meta.resolve('@scalar/fastify-api-reference')
const { version } = JSON.parse(readFileSync(new URL('../package.json', library), 'utf8')) as { version: string }

/** The script that draws the reference, as a file of the library: its plugin would hold it in memory from the start. */
const reader = { file: new URL('./js/standalone.js', library), path: `/docs/reader-${version}.js` }

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Switchyard</title>
<link rel="icon" href="data:,">
<!-- The "copy link" beside a long heading would stand beyond the edge of a telephone. -->
<style>#app { overflow-x: clip }</style>
</head>
<body>
<noscript>This page needs JavaScript. The same for programs: <a href="/openapi.json">openapi.json</a></noscript>
<div id="app"></div>
<script src="${reader.path}"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const zip = promisify(gzip)

/** Sends a large file, compressed if that is understood: once somebody has asked for it (1 MB of the reader's 3.6); until then nothing of it is in memory. */
function large(file: URL): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  let zipped: Promise<Buffer> | undefined
  return async (request, reply) => {
    reply.header('vary', 'accept-encoding')
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.send(createReadStream(file))
    zipped ??= readFile(file).then(bytes => zip(bytes, { level: 9 }))
    return reply.header('content-encoding', 'gzip').send(await zipped)
  }
}

/** Written by `npm run docs`, and tested for freshness: making it takes 20 MB that the service needs for nothing else. */
const description = new URL('../../docs/generated/openapi.json', import.meta.url)

/** The interface described by itself: for programs at /openapi.json, for people at /docs. */
export function documentPages(app: FastifyInstance): void {
  const start = readFileSync(new URL('./docs-start.js', import.meta.url))
  const sendDescription = large(description)
  const sendReader = large(reader.file)
  const guardedly = (reply: FastifyReply, type: string) => reply.headers(guarded).type(`${type}; charset=utf-8`)

  app.get('/openapi.json', async (request, reply) => sendDescription(request, reply.type('application/json; charset=utf-8')))
  app.get('/docs', async (_request, reply) => guardedly(reply, 'text/html').send(page))
  app.get('/docs/start.js', async (_request, reply) => guardedly(reply, 'text/javascript').send(start))
  app.get(reader.path, async (request, reply) => {
    // Its address changes with its version.
    guardedly(reply, 'text/javascript').header('cache-control', 'public, max-age=31536000, immutable')
    return sendReader(request, reply)
  })
  // Whoever opens the bare address in a browser wants to read.
  app.get('/', async (_request, reply) => reply.redirect('/docs', 302))
}
