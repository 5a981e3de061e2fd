import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { formOf } from './form.ts'
import { hostileTests } from './hostile-readers.ts'
import { isRefused } from './refused.ts'
import { http, openShop } from './shop.ts'

/** No text of a stranger or of a merchant keeps others waiting: readers take linear time. */

// Short enough for the fast suite, and long enough for a quadratic reader to fail; the whole lengths are those of
// `test/long/hostile-texts.test.ts`.
hostileTests({ webhook: 32_768, file: 16_384, body: 16_384 })

test('a webhook that is larger than those of its connector is refused before it is read', async () => {
  const shop = await openShop({ connector: 'mollie' })
  const to = `${shop.service.url}/webhooks/${shop.merchant_id}/${shop.merchant_connector_id}`
  const post = (body: string) => fetch(to, { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } })
  equal((await post('id=tr_a&'.repeat(1000))).status, 200)
  const large = await post('id=tr_a&'.repeat(30_000))
  equal(large.status, 400)
  equal(((await large.json()) as { error: { code: string } }).error.code, 'IR_06')
})

test('a blocklist file with ten thousand blanks is refused, and others are answered meanwhile', async () => {
  const shop = await openShop()
  const form = formOf({ file: `type,data,metadata\ncard_bin,400000,${' '.repeat(10_000)}=x` })
  const [upload, health] = await Promise.all([
    shop.post('/blocklist/batch', form.body, form.headers),
    http('GET', `${shop.service.url}/health`),
  ])
  isRefused(upload, 400, 'IR_06', /metadata/)
  equal(health.status, 200)
})
