import { deepEqual, equal, match } from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import Fastify from 'fastify'
import { serveDocsSite } from './docs-site.ts'

// The tests of the real site in a browser are in `test/browser/site.test.ts`.

const folder = mkdtempSync(join(tmpdir(), 'switchyard-site-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const app = Fastify()
await serveDocsSite(app, pathToFileURL(`${folder}/`))
after(() => app.close())
const get = (url: string) => app.inject({ method: 'GET', url })

test('/docs redirects to the reference until the guides are built, and then serves them without a restart', async () => {
  deepEqual([(await get('/docs')).statusCode, (await get('/docs')).headers.location], [302, '/docs/reference'])
  equal((await get('/docs/guides')).statusCode, 503)
  writeFileSync(join(folder, 'index.html'), '<script nonce="NONCE-OF-THE-ANSWER"></script>')
  writeFileSync(join(folder, '404.html'), 'no such page')
  writeFileSync(join(folder, 'index.md'), '# Switchyard\n')
  const home = await get('/docs')
  const [, nonce] = /nonce="([\w-]+)"/.exec(home.body)!
  match(String(home.headers['content-security-policy']), new RegExp(`script-src 'self' 'nonce-${nonce}'`))
  deepEqual([(await get('/docs/index.md')).body, (await get('/docs/nothing')).statusCode], ['# Switchyard\n', 404])
})

test('no file outside the documentation is served', async () => {
  for (const path of ['..%2findex.html', '..%2f..%2f..%2fetc%2fpasswd', '%2e%2e/index', 'nothing.md'])
    equal((await get(`/docs/${path}`)).statusCode === 200, false, path)
})
