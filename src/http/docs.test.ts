import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { http, openPlace } from '../../test/shop.ts'
import { openapi } from '../../tools/openapi/openapi.ts'
import { endpoints } from './endpoints.ts'

// The tests of the reference in a browser are in `test/browser/docs.test.ts`.

const get = async (path: string, headers: Record<string, string> = {}) =>
  http('GET', (await openPlace()).service.url + path, undefined, headers)

test('the root URL redirects to the documentation', async () => {
  const { status, headers } = await get('/')
  equal(status, 302)
  equal(headers.location, '/docs')
})

test('the reference page runs only scripts of this service, and may connect only to this service', async () => {
  const { status, headers, text } = await get('/docs/reference')
  equal(status, 200)
  equal(headers['content-type'], 'text/html; charset=utf-8')
  const policy = String(headers['content-security-policy'])
  for (const part of ["default-src 'none'", "script-src 'self'", "connect-src 'self'"]) ok(policy.split('; ').includes(part), policy)
  ok(!/https?:|unsafe-eval|\*/.test(policy), policy)
  equal(headers['x-content-type-options'], 'nosniff')
  const scripts = [...text.matchAll(/<script defer src="([^"]+)">/g)].map(([, address]) => address!)
  equal(scripts.length, 2)
  for (const script of scripts) {
    const answer = await get(script)
    equal(answer.status, 200)
    equal(answer.headers['content-type'], 'text/javascript; charset=utf-8')
    equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
  }
})

test('the script of the reference is compressed for clients that accept it, and cached by the browser', async () => {
  const { service } = await openPlace()
  const [path] = (await get('/docs/reference')).text.match(/\/docs\/reader-[^"]+/) ?? []
  const plain = await get(path!)
  const { body, headers } = await request(service.url + path, { headers: { 'accept-encoding': 'gzip, br' } })
  const bytes = Buffer.from(await body.arrayBuffer())
  equal(headers['content-encoding'], 'gzip')
  equal(headers.vary, 'accept-encoding')
  equal(headers['cache-control'], 'public, max-age=31536000, immutable')
  ok(bytes.length < 1_300_000, String(bytes.length))
  equal(gunzipSync(bytes).toString(), plain.text)
})

test('the reference page shows the introduction and every operation without a script', async () => {
  const { text, headers } = await get('/docs/reference')
  match(text, /<p>Payment orchestration: integrate once/)
  match(text, /<h2>Start<\/h2>[\s\S]*<pre>export SWITCHYARD=/)
  match(text, /<a href="#tag\/refunds\/createRefund">Create a refund<\/a> <code>POST \/refunds<\/code>/)
  for (const { title, path } of endpoints) ok(text.includes(`>${title}</a> <code>`) && text.includes(path), title)
  const again = await get('/docs/reference', { 'if-none-match': String(headers.etag) })
  deepEqual([again.status, again.text], [304, ''])
})

test('the OpenAPI document has no white space, and is not sent again for a known ETag', async () => {
  const { text, headers, body } = await get('/openapi.json')
  equal(text, JSON.stringify(body))
  equal(headers['cache-control'], 'no-cache')
  const tag = String(headers.etag)
  for (const known of [tag, `"other", ${tag}`]) {
    const again = await get('/openapi.json', { 'if-none-match': known })
    deepEqual([again.status, again.text, again.headers.etag], [304, '', tag])
  }
  equal((await get('/openapi.json', { 'if-none-match': '"other"' })).status, 200)
})

test('the OpenAPI document is served as JSON', async () => {
  const { status, headers, body } = await get('/openapi.json')
  equal(status, 200)
  equal(headers['content-type'], 'application/json; charset=utf-8')
  deepEqual(body, JSON.parse(JSON.stringify(openapi())), 'npm run docs writes the document')
})
