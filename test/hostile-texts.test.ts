import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { cardNumbersIn, holdsCardNumber, withoutCardNumbers } from '../src/base/card-number.ts'
import { Secret } from '../src/base/secret.ts'
import { connectors } from '../src/connectors/all.ts'
import type { Account } from '../src/connectors/connector.ts'
import { readCsv } from '../src/guard/csv.ts'
import { readBody } from '../src/http/body.ts'
import { readBins } from '../src/instruments/read-bins.ts'
import { readSettlement } from '../src/ledger/read-settlement.ts'
import { localizationOf } from '../src/pages/languages.ts'
import { tokenIn } from '../src/users/sessions.ts'
import { formOf } from './form.ts'
import { takesLinearTime } from './linear.ts'
import { isRefused } from './refused.ts'
import { http, openShop } from './shop.ts'

/** No text of a stranger or of a merchant keeps others waiting: readers take linear time. */

const secret = new Secret('secret')
const account = new Proxy({ webhook_secret: secret } as Record<string, unknown>, {
  get: (known, name) => (name in known ? known[name as string] : name === 'base_url' ? 'https://processor.example' : secret),
}) as unknown as Account
const headersWith = (text: string): Record<string, string> =>
  new Proxy({}, { get: (_known, name) => (typeof name === 'string' ? text : undefined) })

/** How long the text of a webhook is here at most: a quadratic reader would already take seconds. */
const LONGEST = 65_536

// Several names share the code of one connector.
for (const [name, { webhook }] of Object.entries(connectors))
  if (webhook && Object.values(connectors).find(one => one.webhook?.read === webhook.read)?.name === name)
    test(`a webhook of ${name} with hostile text keeps nobody waiting`, async () => {
      const largest = Math.min(webhook.largest, LONGEST)
      const at = '2026-01-01T00:00:00.000Z' as never
      await takesLinearTime(`${name}: read`, largest, text => webhook.read(Buffer.from(text)))
      await takesLinearTime(
        `${name}: read JSON`,
        largest,
        text => webhook.read(Buffer.from(text)),
        text => JSON.stringify({ id: text, type: text, resource: text, data: { object: { id: text, metadata: { request_id: text } } } }),
      )
      await takesLinearTime(`${name}: verify`, largest, text => webhook.verify(Buffer.from(text), { 'content-type': 'x' }, account, at))
      // Node takes headers of 16 kB together.
      await takesLinearTime(`${name}: verify headers`, 16_384, text => webhook.verify(Buffer.from('{}'), headersWith(text), account, at))
    })

test('a webhook that is larger than those of its connector is refused before it is read', async () => {
  const shop = await openShop({ connector: 'mollie' })
  const to = `${shop.service.url}/webhooks/${shop.merchant_id}/${shop.merchant_connector_id}`
  const post = (body: string) => fetch(to, { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } })
  equal((await post('id=tr_a&'.repeat(1000))).status, 200)
  const large = await post('id=tr_a&'.repeat(30_000))
  equal(large.status, 400)
  equal(((await large.json()) as { error: { code: string } }).error.code, 'IR_06')
})

/** The file that a merchant may send, in bytes, as far as a quadratic reader would already take minutes. */
const FILE = 100_000

test('a file of a merchant with hostile text keeps nobody waiting', async () => {
  await takesLinearTime('blocklist', FILE, readCsv)
  await takesLinearTime('blocklist line', FILE, readCsv, text => `type,data,metadata\ncard_bin,400000,${text}`)
  await takesLinearTime('blocklist quoted', FILE, readCsv, text => `type,data,metadata\ncard_bin,400000,"${text.replaceAll('"', '""')}"`)
  await takesLinearTime('settlement', FILE, readSettlement, text => `reference,currency,gross\nx,USD,${text}`)
  await takesLinearTime('BINs', FILE, readBins, text => `bin,network,issuer\n424242,Visa,${text}`)
})

test('text in a body, a header or a cookie keeps nobody waiting', async () => {
  const body = (text: string) => readBody(Buffer.from(text), 'application/json')
  await takesLinearTime('body', 64_000, body)
  await takesLinearTime('body text', 64_000, body, text => JSON.stringify({ description: text }))
  await takesLinearTime('body name', 64_000, body, text => JSON.stringify({ metadata: { [text]: 1 } }))
  await takesLinearTime('body number', 64_000, body, text => `{"amount": 1.${text}}`)
  await takesLinearTime('content-type', 16_384, text => readBody(Buffer.from('{}'), `application/${text}`))
  await takesLinearTime('language', 16_384, text => localizationOf([text], text))
  await takesLinearTime('cookie', 16_384, tokenIn)
  for (const screen of [holdsCardNumber, cardNumbersIn, withoutCardNumbers]) await takesLinearTime(screen.name, 64_000, screen)
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
