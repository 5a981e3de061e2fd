import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { request } from 'undici'
import { isRefused } from '../../test/refused.ts'
import { type Body, cards, http, openPlace, openShop } from '../../test/shop.ts'
import { paidBy } from '../../test/ways.ts'
import { refusalCatalogue } from '../base/refusal.ts'
import { languages } from '../pages/languages.ts'
import { scriptTexts } from '../pages/page-texts.ts'
import { endpoints } from './endpoints.ts'

// The tests of the pages in a browser are in `test/browser/element.test.ts`.

const get = async (path: string, headers: Record<string, string> = {}) =>
  http('GET', (await openPlace()).service.url + path, undefined, headers)

test('the browser script has a URL for the current version, and a versioned URL with a documented integrity hash', async () => {
  const guide = (await get('/openapi.json')).body.info.description as string
  const [, pinned, integrity] = /<script src="https:\/\/pay\.example(\/sdk\/v[\d.]+\.js)" integrity="(sha384-[^"]+)"/.exec(guide) ?? []
  const [current, fixed] = [await get('/sdk/v1.js'), await get(pinned!)]
  equal(current.text, fixed.text)
  equal(`sha384-${createHash('sha384').update(fixed.text).digest('base64')}`, integrity)
  equal(current.headers['cache-control'], 'public, max-age=300')
  equal(fixed.headers['cache-control'], 'public, max-age=31536000, immutable')
  for (const { headers } of [current, fixed]) {
    equal(headers['content-type'], 'text/javascript; charset=utf-8')
    equal(headers['cross-origin-resource-policy'], 'cross-origin')
    equal(headers['access-control-allow-origin'], '*')
  }
  const { service } = await openPlace()
  const { headers, body } = await request(service.url + pinned, { headers: { 'accept-encoding': 'gzip' } })
  equal(headers['content-encoding'], 'gzip')
  equal(gunzipSync(Buffer.from(await body.arrayBuffer())).toString(), fixed.text)
  equal((await get('/sdk/v0.0.1.js')).status, 404)
})

test('a frame can be embedded in any page, connects only to this service, and runs only its own script', async () => {
  for (const [path, script] of [
    ['/sdk/frame', 'sdk-frame.js'],
    ['/sdk/action', 'sdk-action.js'],
  ] as const) {
    const { status, headers, text } = await get(`${path}?locale=de-AT&theme=dark`)
    equal(status, 200)
    const policy = String(headers['content-security-policy']).split('; ')
    const [, nonce] = /'nonce-([^']+)'/.exec(policy.join()) ?? []
    for (const part of ["default-src 'none'", `script-src 'nonce-${nonce}'`, "connect-src 'self'", 'frame-ancestors *', "base-uri 'none'"])
      ok(policy.includes(part), `${part} in ${policy}`)
    ok(policy.includes("trusted-types 'none'"))
    equal(headers['x-frame-options'], undefined)
    equal(headers['referrer-policy'], 'no-referrer')
    match(text, /<html lang="de-AT" data-scheme="dark">/)
    match(text, new RegExp(`<script type="module" src="\\.\\./pages/[0-9a-f]{16}/${script}"`))
    ok((await get(`${path}?locale=de-AT`)).text !== text, 'the nonce is another one each time')
  }
  // A text from the address is never markup, and a value that is no language is ignored.
  const odd = await get(`/sdk/frame?locale=${encodeURIComponent('"><script>')}&theme=${encodeURIComponent('"><b>')}&locale=x`)
  deepEqual([odd.status, odd.text.includes('<b>'), odd.text.includes('<html lang="en"')], [200, false, true])
})

test('a browser that requests it gets a page for the next action, in an iframe if the payment enables it', async () => {
  const shop = await openShop()
  const unpaid = { payment_method: undefined, payment_method_data: undefined, currency: 'EUR', return_url: 'https://shop.example/thanks' }
  const { payment_id, client_secret } = await shop.create(unpaid)
  const browser = { 'api-key': shop.publishable_key, 'x-next-actions': 'page', origin: shop.url }
  const way = { ...(paidBy('bank_transfer', 'pix') as Body), client_secret, is_iframe_redirection_enabled: true }
  const { body } = await http('POST', `${shop.url}/payments/${payment_id}/confirm`, way, browser)
  equal(body.next_action.type, 'redirect_to_url', JSON.stringify(body))
  const page = await http('GET', body.next_action.redirect_to_url, undefined, { accept: 'text/html' })
  match(page.text, /Scan to pay/)
  match(String(page.headers['content-security-policy']), /frame-ancestors \*/)
  // Once the payment is decided, the page tells the checkout around it, and no other.
  const [operation] = await shop.processor.operations()
  await shop.processor.decide(operation!.id, 'approved')
  await shop.sync(payment_id)
  const after = await http('GET', body.next_action.redirect_to_url, undefined, { accept: 'text/html' })
  match(after.text, /openurl_if_required/)
  match(after.text.replaceAll('&quot;', '"'), new RegExp(`data-to="\\["${shop.url}","https://shop.example"\\]"`))
  // A browser without the page receives the code itself, as before.
  const plain = await http('GET', `${shop.url}/payments/${payment_id}?client_secret=${client_secret}`, undefined, {
    'api-key': shop.publishable_key,
  })
  equal(plain.body.status, 'succeeded')
})

test('every error of every operation that a browser can call has a sentence for shoppers in every language, and no other is shown', async () => {
  const { wordForError } = await import(new URL('../pages/browser/confirm.js', import.meta.url).href)
  const byBrowsers = endpoints.filter(({ auth }) => /client|publishable|ephemeral/.test(auth.credential))
  ok(byBrowsers.some(({ name }) => name === 'confirmPayment') && byBrowsers.length > 15)
  let tried = 0
  for (const { name, errors = [] } of byBrowsers)
    for (const refusal of [...errors, 'key_missing_or_unknown', 'malformed', 'busy', 'wrong_state', 'precondition'] as const) {
      const { code, type } = refusalCatalogue[refusal] as unknown as { code: string; type: string }
      const word: string = wordForError({ code, type, message: 'enable `manual_retry` in profile' })
      for (const language of languages) {
        const text = scriptTexts('frame', language)[word]
        ok(text, `${name} ${refusal}: no text in ${language}`)
        doesNotMatch(text, /[`_]|payment_method|profile|api-key/, `${name} ${refusal}`)
      }
      tried++
    }
  ok(tried > 100)
  // The service's own sentence reaches a page only as `developer_message`.
  const folder = new URL('../pages/browser/', import.meta.url)
  for (const file of readdirSync(folder).filter(file => file.endsWith('.js')))
    for (const line of readFileSync(new URL(file, folder), 'utf8').split('\n'))
      doesNotMatch(line, /(?:showError|textContent|say)\W.*error\?*\.message/, file)
})

test('in a checkout of ours a declined payment can be tried again, unless its profile says no; elsewhere as before', async () => {
  const shop = await openShop()
  const { body } = await shop.tryToPay({ card: cards.declines })
  const confirm = (headers: Record<string, string>) =>
    http(
      'POST',
      `${shop.url}/payments/${body.payment_id}/confirm`,
      {
        client_secret: body.client_secret,
        payment_method: 'card',
        payment_method_data: { card: { card_number: cards.approves, card_exp_month: '12', card_exp_year: '2040', card_cvc: '123' } },
      },
      { 'api-key': shop.publishable_key, ...headers },
    )
  const read = async (headers: Record<string, string>) =>
    (
      await http('GET', `${shop.url}/payments/${body.payment_id}?client_secret=${body.client_secret}`, undefined, {
        'api-key': shop.publishable_key,
        ...headers,
      })
    ).body.manual_retry_allowed
  const ours = { 'x-next-actions': 'page' }
  deepEqual([await read({}), await read(ours), (await shop.get(body.payment_id)).manual_retry_allowed], [null, true, null])
  isRefused(await confirm({}), 400, 'IR_16', /is_manual_retry_enabled/)
  await shop.profile({ is_manual_retry_enabled: false })
  equal(await read(ours), null)
  isRefused(await confirm(ours), 400, 'IR_16', /is_manual_retry_enabled/)
  const other = await openShop()
  const second = (await other.tryToPay({ card: cards.declines })).body
  const paid = await http(
    'POST',
    `${other.url}/payments/${second.payment_id}/confirm`,
    {
      client_secret: second.client_secret,
      payment_method: 'card',
      payment_method_data: { card: { card_number: cards.approves, card_exp_month: '12', card_exp_year: '2040', card_cvc: '123' } },
    },
    { 'api-key': other.publishable_key, ...ours },
  )
  deepEqual([paid.body.status, paid.body.attempt_count], ['succeeded', 2])
})
