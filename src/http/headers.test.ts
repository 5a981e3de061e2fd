import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { http, openShop } from '../../test/shop.ts'
import type { Document } from '../../tools/openapi/document.ts'

/** Headers of requests and answers are what the OpenAPI document says of them. */

/** Gives a path without the names of its ids: OpenAPI calls paths that differ in nothing else the same. */
const bare = (path: string) => path.replaceAll(/\{\w+\}/g, '{}')

test('a 405 and an OPTIONS name in Allow the methods that the OpenAPI document has for the path, for every path', async () => {
  const shop = await openShop()
  const { paths } = (await http('GET', `${shop.url}/openapi.json`)).body as Document
  const all = Object.keys(paths)
  const methodsOf = (path: string) => Object.keys(paths[path]!).map(method => method.toUpperCase())
  // Both paths stand in the interface's specification, and an id does not tell which of the two is meant.
  deepEqual(
    all.filter(path => all.filter(other => bare(other) === bare(path)).length > 1),
    ['/events/{event_id}', '/events/{merchant_id}'],
  )
  const different: unknown[] = []
  let refused = 0
  for (const path of all) {
    const documented = all.filter(other => bare(other) === bare(path)).flatMap(methodsOf)
    const expected = ['OPTIONS', ...(documented.includes('GET') ? ['HEAD'] : []), ...documented].toSorted()
    const url = shop.url + path.replaceAll(/\{(\w+)\}/g, 'some_$1')
    const unsupported = ['PATCH', 'PUT', 'DELETE', 'POST', 'GET'].filter(method => !documented.includes(method))
    for (const method of unsupported) {
      const { status, headers } = await http(method, url, ['GET', 'DELETE'].includes(method) ? undefined : {})
      const allow = String(headers.allow ?? '')
        .split(', ')
        .toSorted()
      if (status !== 405 || String(allow) !== String(expected)) different.push([method, path, status, allow, expected])
      refused++
    }
    const { status, headers } = await http('OPTIONS', url)
    if (status !== 204 || String(String(headers.allow).split(', ').toSorted()) !== String(expected))
      different.push(['OPTIONS', path, headers.allow])
  }
  deepEqual(different, [])
  equal(refused > 500, true, `${refused} refused`)
})

test('an empty x-connected-merchant-id counts as absent and fits its documented pattern; another text is an account, which must be connected', async () => {
  const shop = await openShop()
  const { components } = (await http('GET', `${shop.url}/openapi.json`)).body
  const { pattern } = components.parameters.ConnectedMerchant.schema
  const pay = (merchant_id: string) => shop.post('/payments', shop.payBody(), { 'x-connected-merchant-id': merchant_id })
  const paid = await pay('')
  equal(paid.body.status, 'succeeded', paid.text)
  isRefused(await pay('merchant_other'), 401, 'IR_44')
  deepEqual(
    ['', 'merchant_other', ' ', 'a b'].map(one => new RegExp(pattern).test(one)),
    [true, true, false, false],
  )
})

test('a redirect within this service has a relative Location, which the document describes as a reference', async () => {
  const shop = await openShop()
  const { paths } = (await http('GET', `${shop.url}/openapi.json`)).body as Document
  const described = Object.values(paths).flatMap(methods =>
    Object.values(methods).flatMap(({ responses }) => {
      const found = responses['302']
      return found && 'headers' in found && found.headers ? [found.headers.Location] : []
    }),
  )
  ok(described.length > 5)
  for (const location of described) match(JSON.stringify(location), /"format":"uri-reference"/)
  const { status, headers } = await http('GET', `${shop.url}/user/sso/callback?state=unknown&code=x`, undefined, { accept: 'text/html' })
  equal(status, 302)
  match(String(headers.location), /^\/dashboard/)
})
