import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { http, openPlace } from '../../test/shop.ts'
import { openapi } from './openapi.ts'

const get = async (path: string, headers: Record<string, string> = {}) =>
  http('GET', (await openPlace()).service.url + path, undefined, headers)

test('whoever opens the bare address is led to the documentation', async () => {
  const { status, headers } = await get('/')
  equal(status, 302)
  equal(headers.location, '/docs')
})

test('the documentation is a page that runs nothing and fetches nothing from elsewhere', async () => {
  const { status, headers, text } = await get('/docs')
  equal(status, 200)
  equal(headers['content-type'], 'text/html; charset=utf-8')
  const policy = String(headers['content-security-policy'])
  ok(policy.startsWith("default-src 'none'; style-src 'self';"), policy)
  ok(!/https?:|unsafe|\*/.test(policy), policy)
  equal(headers['x-content-type-options'], 'nosniff')
  ok(text.includes('createPayment'))
  const style = await get('/docs/style.css')
  equal(style.headers['content-type'], 'text/css; charset=utf-8')
  ok(!/url\(|@import/.test(style.text))
})

test('the documentation shows the address that its reader used, unless that is no address', async () => {
  const { service } = await openPlace()
  ok((await get('/docs')).text.includes(`SWITCHYARD=${service.url}\n`))
  ok((await get('/docs', { host: 'pay.shop.example' })).text.includes('SWITCHYARD=http://pay.shop.example\n'))
  const { text } = await get('/docs', { host: 'x"><script>alert(1)</script>' })
  ok(!text.includes('<script'))
})

test('the interface describes itself to programs', async () => {
  const { status, headers, body } = await get('/openapi.json')
  equal(status, 200)
  equal(headers['content-type'], 'application/json; charset=utf-8')
  deepEqual(body, JSON.parse(JSON.stringify(openapi())))
})
