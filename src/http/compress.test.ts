import { deepEqual, equal, ok } from 'node:assert/strict'
import { get } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openShop, type Shop } from '../../test/shop.ts'

type Raw = { status: number; headers: Record<string, unknown>; bytes: Buffer }

/** Asks without a client that decompresses by itself; gives the bytes as they were sent. */
const ask = (shop: Shop, path: string, headers: Record<string, string> = {}): Promise<Raw> =>
  new Promise((resolve, reject) => {
    get(shop.url + path, { agent: false, headers: { 'api-key': shop.api_key, ...headers } }, answer => {
      const parts: Buffer[] = []
      answer.on('data', part => parts.push(part))
      answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, bytes: Buffer.concat(parts) }))
    }).on('error', reject)
  })

test('a long list is sent compressed to a client that accepts it, in the encoding that the client prefers, with the same content', async () => {
  const shop = await openShop()
  for (let i = 0; i < 5; i++) await shop.pay()
  const plain = await ask(shop, '/payments/list?limit=5')
  deepEqual([plain.status, plain.headers['content-encoding']], [200, undefined])
  ok(plain.bytes.length > 15_000)
  for (const [accepts, encoding] of [
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['br;q=0.1, gzip', 'gzip'],
    ['*', 'br'],
    ['GZIP', 'gzip'],
  ] as const) {
    const { headers, bytes } = await ask(shop, '/payments/list?limit=5', { 'accept-encoding': accepts })
    deepEqual([headers['content-encoding'], headers.vary], [encoding, 'accept-encoding'], accepts)
    ok(bytes.length < plain.bytes.length / 4, `${accepts}: ${bytes.length} of ${plain.bytes.length}`)
    deepEqual((encoding === 'br' ? brotliDecompressSync : gunzipSync)(bytes), plain.bytes, accepts)
  }
  for (const accepts of ['identity', 'deflate', 'br;q=0, gzip;q=0', 'nonsense']) {
    const { headers, bytes } = await ask(shop, '/payments/list?limit=5', { 'accept-encoding': accepts })
    deepEqual([headers['content-encoding'], bytes.length], [undefined, plain.bytes.length], accepts)
  }
})

test('a file that is kept compressed is sent as it is to a client that does not accept gzip', async () => {
  const shop = await openShop()
  for (const path of ['/openapi.json', '/sdk/v1.js']) {
    const plain = await ask(shop, path)
    for (const accepts of ['gzip', 'GZIP', 'br;q=0.5, gzip;q=0.1'])
      equal((await ask(shop, path, { 'accept-encoding': accepts })).headers['content-encoding'], 'gzip', `${path} ${accepts}`)
    for (const accepts of ['gzip;q=0', 'identity, gzip;q=0', 'x-not-gzip', 'identity']) {
      const { headers, bytes } = await ask(shop, path, { 'accept-encoding': accepts })
      deepEqual([headers['content-encoding'], bytes.length], [undefined, plain.bytes.length], `${path} ${accepts}`)
    }
  }
})

test('a short answer, an event stream and an answer to a browser with a cookie are not compressed', async () => {
  const shop = await openShop()
  const accepts = { 'accept-encoding': 'gzip, br' }
  const health = await ask(shop, '/health', accepts)
  deepEqual([health.headers['content-encoding'], health.headers.vary], [undefined, undefined])
  for (let i = 0; i < 3; i++) await shop.pay()
  const withCookie = await ask(shop, '/payments/list?limit=3', { ...accepts, cookie: 'theme=dark' })
  deepEqual([withCookie.status, withCookie.headers['content-encoding']], [200, undefined])
  const status = await new Promise(resolve =>
    get(`${shop.url}/events/stream`, { agent: false, headers: { 'api-key': shop.api_key, ...accepts } }, answer => {
      resolve(answer.headers['content-encoding'])
      answer.destroy()
    }),
  )
  equal(status, undefined)
})
