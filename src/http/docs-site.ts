import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { documentAnswer, serveAssets } from './built-pages.ts'

const built = new URL('../../site/dist/', import.meta.url)

/** Names of pages, of their Markdown, and of the one sheet that has no digest; nothing else is read. */
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

/** A page; where there is none, the site's own page that says so; where nothing is built yet, one that waits. */
async function sendPage(folder: URL, path: string, reply: FastifyReply): Promise<FastifyReply> {
  const found = isPage(path) ? await textAt(folder, `${path}.html`) : null
  const document = found ?? (await textAt(folder, '404.html'))
  const { code, headers, page } = documentAnswer('Documentation', document, { code: found === null ? 404 : 200, inline: true })
  return reply.code(code).headers(headers).send(page)
}

/**
 * The guides under `/docs`, each also as Markdown, and their list for programs. Until they are built, or without
 * them, `/docs` leads to the reference. `folder`: what they are built into; it may come later.
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
    return path.endsWith('.html') ? reply.redirect(`/docs/${path.slice(0, -5)}`, 301) : sendPage(folder, path, reply)
  })
}
