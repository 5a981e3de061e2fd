import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { documentAnswer, serveAssets } from './built-pages.ts'

const built = new URL('../../packages/site/dist/', import.meta.url)

/** The paths of pages, of their Markdown, and of the one style sheet without a digest; no other file is read. */
const isPage = (path: string): boolean => /^[\w-]+(\/[\w-]+)*$/.test(path)
const isText = (path: string): boolean => /^([\w-]+\/)*[\w-]+\.(md|txt|css)$/.test(path)

const textAt = (folder: URL, path: string): Promise<string | null> => readFile(new URL(path, folder), 'utf8').catch(() => null)

async function sendText(folder: URL, path: string, reply: FastifyReply): Promise<FastifyReply> {
  const text = await textAt(folder, path)
  const type = { md: 'text/markdown', css: 'text/css', txt: 'text/plain' }[path.split('.').at(-1)!]
  return reply
    .code(text === null ? 404 : 200)
    .type(`${type}; charset=utf-8`)
    .header('cache-control', 'no-cache')
    .send(text ?? 'There is no such page: /docs/llms.txt lists them all.\n')
}

/** Sends the page, the site's own 404 page, or a waiting page if the site is not built yet. */
async function sendPage(folder: URL, path: string, reply: FastifyReply): Promise<FastifyReply> {
  const found = isPage(path) ? await textAt(folder, `${path}.html`) : null
  const document = found ?? (await textAt(folder, '404.html'))
  const { code, headers, page } = documentAnswer('site', document, { code: found === null ? 404 : 200, inline: true })
  return reply.code(code).headers(headers).send(page)
}

/**
 * The guides under `/docs`, also as Markdown and listed for programs (`llms.txt`); not built, a redirect to the
 * reference. `folder`: the build's output, perhaps filled after the start.
 */
export async function serveDocsSite(app: FastifyInstance, folder: URL = built): Promise<void> {
  await serveAssets(app, folder, '/docs/assets/')
  const home = async (reply: FastifyReply) =>
    (await textAt(folder, 'index.html')) === null ? reply.redirect('/docs/reference', 302) : sendPage(folder, 'index', reply)
  app.get('/docs', async (_request, reply) => home(reply))
  app.get('/docs/', async (_request, reply) => home(reply))
  app.get('/llms.txt', async (_request, reply) => reply.redirect('/docs/llms.txt', 302))
  app.get<{ Params: { '*': string } }>('/docs/*', async ({ params: { '*': path } }, reply) => {
    if (isText(path)) return sendText(folder, path, reply)
    const page = path.endsWith('.html') ? path.slice(0, -5) : null
    return page !== null && isPage(page) ? reply.redirect(`/docs/${page}`, 301) : sendPage(folder, path, reply)
  })
}
