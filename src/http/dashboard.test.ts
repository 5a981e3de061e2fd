import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import Fastify from 'fastify'
import { serveDashboard } from './dashboard.ts'

// The tests of the real dashboard in a browser are in `test/browser/dashboard.test.ts`.

const folder = mkdtempSync(join(tmpdir(), 'switchyard-dashboard-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const app = Fastify()
await serveDashboard(app, pathToFileURL(`${folder}/`))
after(() => app.close())
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers })

test('the dashboard URL shows a waiting page until the dashboard is built, and then serves it without a restart', async () => {
  const waiting = await get('/dashboard/payments')
  equal(waiting.statusCode, 503)
  equal(waiting.headers['retry-after'], '2')
  match(waiting.body, /<meta http-equiv="refresh" content="2">[\s\S]*The dashboard is being built/)
  ok(!waiting.body.includes('<script'), 'it needs no script')
  match(String(waiting.headers['content-security-policy']), /script-src 'self'.*frame-ancestors 'none'/)
  equal((await get('/dashboard/assets/app-1.js')).statusCode, 404)

  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'assets/app-1.js'), 'export {}')
  writeFileSync(
    join(folder, 'index.html'),
    '<meta name="session" content="SESSION-OF-THE-REQUEST"><script nonce="NONCE-OF-THE-ANSWER" src="/app.js"></script>',
  )
  const [first, second] = [await get('/dashboard'), await get('/dashboard/payments', { cookie: 'other=1; switchyard_session=x' })]
  deepEqual([first.statusCode, first.headers['cache-control']], [200, 'no-store'])
  match(first.body, /content="none"/)
  match(second.body, /content="perhaps"/)
  const fromElsewhere = await get('/dashboard', { 'sec-fetch-site': 'cross-site' })
  match(fromElsewhere.body, /content="perhaps"/, 'from another site no strict cookie comes along')
  const nonceOf = (body: string) => /nonce="([^"]+)"/.exec(body)![1]!
  notEqual(nonceOf(first.body), nonceOf(second.body))
  ok(String(first.headers['content-security-policy']).includes(`'nonce-${nonceOf(first.body)}'`))
  const file = await get('/dashboard/assets/app-1.js')
  deepEqual([file.statusCode, file.headers['cache-control']], [200, 'public, max-age=31536000, immutable'])
})

test('nothing but the files of the dashboard is served', async () => {
  for (const path of ['..%2findex.html', '..%2f..%2f..%2fetc%2fpasswd', 'nothing.js', ''])
    ok([403, 404].includes((await get(`/dashboard/assets/${path}`)).statusCode), path)
})
