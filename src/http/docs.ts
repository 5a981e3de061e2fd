import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzipSync, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { takesGzip } from './compress.ts'
import { docsIntroduction } from './docs-texts.ts'

/**
 * The page calls only this service: `docs-start.js` switches off what the library could fetch (fonts, a proxy, an
 * assistant), and the policy refuses it besides. The library writes inline styles.
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

/** Draws the reference, as the library's file: its plugin would hold the script in memory from the start. */
const reader = { file: new URL('./js/standalone.js', library), path: `/docs/reader-${version}.js` }

const digestOf = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('base64url').slice(0, 22)

const start = readFileSync(new URL('./docs-start.js', import.meta.url))
/** Contains a digest of the script, so that browsers may cache it for ever. */
const startPath = `/docs/start-${digestOf(start)}.js`
const FOR_EVER = 'public, max-age=31536000, immutable'

function page(): string {
  const { style, body } = docsIntroduction()
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Switchyard</title>
<link rel="icon" href="data:,">
<!-- The "copy link" beside a long heading would stand beyond the edge of a telephone. -->
<style>#app { overflow-x: clip }${style}</style>
<script defer src="${reader.path}"></script>
<script defer src="${startPath}"></script>
</head>
<body>
${body}
<noscript>The operations in full, for programs: <a href="/openapi.json">openapi.json</a></noscript>
<div id="app"></div>
</body>
</html>
`
}

const zip = promisify(gzip)

/** Sends a large file of the library, as gzip if accepted (1 MB instead of 3.6); in memory once requested. */
function large(file: URL): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  let zipped: Promise<Buffer> | undefined
  return async (request, reply) => {
    reply.header('vary', 'accept-encoding')
    if (!takesGzip(request)) return reply.send(createReadStream(file))
    zipped ??= readFile(file).then(bytes => zip(bytes, { level: 9 }))
    return reply.header('content-encoding', 'gzip').send(await zipped)
  }
}

/** Sends a text, made at the first request, with its digest as ETag: 304 for a client that has it. */
function named(make: () => string): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  let made: Promise<{ tag: string; zipped: Buffer }> | undefined
  return async (request, reply) => {
    made ??= Promise.resolve(make()).then(async text => ({ tag: `W/"${digestOf(text)}"`, zipped: await zip(text, { level: 6 }) }))
    const { tag, zipped } = await made
    reply.headers({ vary: 'accept-encoding', etag: tag, 'cache-control': 'no-cache' })
    const known = String(request.headers['if-none-match'] ?? '')
      .split(',')
      .map(tag => tag.trim())
    if (known.includes(tag)) return reply.code(304).send()
    return takesGzip(request) ? reply.header('content-encoding', 'gzip').send(zipped) : reply.send(gunzipSync(zipped))
  }
}

/** Written by `npm run docs`, as making it takes 20 MB. Without line breaks, which only serve comparison. */
const description = (): string =>
  JSON.stringify(JSON.parse(readFileSync(new URL('../../docs/generated/openapi.json', import.meta.url), 'utf8')))

/** Serves the description of the interface: for programs at /openapi.json, for people at /docs/reference. */
export function documentPages(app: FastifyInstance): void {
  const sendDescription = named(description)
  const sendPage = named(page)
  const sendReader = large(reader.file)
  const guardedly = (reply: FastifyReply, type: string) => reply.headers(guarded).type(`${type}; charset=utf-8`)

  app.get('/openapi.json', async (request, reply) => sendDescription(request, reply.type('application/json; charset=utf-8')))
  app.get('/docs/reference', async (request, reply) => sendPage(request, guardedly(reply, 'text/html')))
  app.get(startPath, async (_request, reply) => guardedly(reply, 'text/javascript').header('cache-control', FOR_EVER).send(start))
  app.get(reader.path, async (request, reply) => sendReader(request, guardedly(reply, 'text/javascript').header('cache-control', FOR_EVER)))
  // A person who opens the bare address in a browser wants to read the documentation.
  app.get('/', async (_request, reply) => reply.redirect('/docs', 302))
}
