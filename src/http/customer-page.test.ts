import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { type Answer, type Body, cards, http, openPlace, openShop, type PayAsk, type Shop } from '../../test/shop.ts'
import { DatabaseAway } from '../database/connection.ts'

/** Customers whom no return_url leads back to the shop: all their steps end on a page that they understand. */

let databaseIsAway = false
await openPlace({}, context => ({
  ...context,
  query: (statement, values) =>
    databaseIsAway ? Promise.reject(new DatabaseAway('the database cannot be reached')) : context.query(statement, values),
}))

/** The `accept` header of Chrome, Firefox and Safari. */
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8' }
const visit = (address: string, method = 'GET'): Promise<Answer> => http(method, address, undefined, browser)

const openNowhere = (account: Body = { merchant_name: 'Chairs & Co' }): Promise<Shop> => openShop({ account })
const challenged = (shop: Shop, ask: PayAsk = {}): Promise<Body> =>
  shop.pay({ card: cards.challenges, authentication_type: 'three_ds', ...ask })

/**
 * Follows our link to the bank's page and answers there; gives the link that brings the customer back, which is not
 * visited yet.
 */
async function answered(payment: Body, word: 'accept' | 'reject'): Promise<string> {
  const bank = await visit(payment.next_action.redirect_to_url)
  equal(bank.status, 302, bank.text)
  const back = await http('POST', `${bank.headers.location}/${word}`, '', { 'content-type': 'application/x-www-form-urlencoded' })
  return back.headers.location as string
}

/** Gives the text of a page of ours, which must neither run scripts nor fetch anything. */
function textOf(answer: Answer, status = 200): string {
  equal(answer.status, status, answer.text)
  equal(answer.headers['content-type'], 'text/html; charset=utf-8')
  match(String(answer.headers['content-security-policy']), /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'/)
  equal(answer.headers['cache-control'], 'no-store')
  ok(!/<(?:script|img|link|iframe|form)|<[^>]+ (?:src|style|on\w+)=|url\(/i.test(answer.text), answer.text)
  ok(answer.text.includes('<html lang="en">') && answer.text.includes('name="viewport"'))
  const text = answer.text.replace(/<style>.*<\/style>/s, '').replace(/<[^>]*>/g, ' ')
  ok(text.includes('ou can close this page.'), text)
  return text.replace(/[ \n]+/g, ' ')
}

test('a customer without a return_url sees a page with the outcome, the merchant and the amount after an accepted challenge', async () => {
  const shop = await openNowhere()
  const payment = await challenged(shop, { amount: 123_450 })
  const back = await answered(payment, 'accept')
  const text = textOf(await visit(back))
  match(text, /Payment complete Your payment was successful\. Merchant Chairs &amp; Co Amount USD\u00a01,234\.50 Reference /)
  ok(text.includes(payment.payment_id))
  equal((await shop.get(payment.payment_id)).status, 'succeeded')
  match(textOf(await visit(back)), /Payment complete/)
  match(textOf(await visit(back, 'POST')), /Payment complete/)
})

test('a client that does not accept HTML gets the JSON error', async () => {
  const shop = await openNowhere()
  const back = await answered(await challenged(shop), 'accept')
  for (const accept of ['application/json', '*/*', 'application/json, text/html;q=0.5'])
    isRefused(await http('GET', back, undefined, { accept }), 404, 'HE_03')
  isRefused(await http('GET', back), 404, 'HE_03')
  isRefused(await http('GET', `${shop.url}/payments/redirect/x/y/z`, undefined, { accept: 'application/json' }), 404, 'HE_02')
})

test('every outcome of a challenge has its own message on the page', async () => {
  const shop = await openNowhere()
  const held = await answered(await challenged(shop, { capture_method: 'manual' }), 'accept')
  match(textOf(await visit(held)), /approved this payment\. The merchant will collect the money later/)
  const rejected = await answered(await challenged(shop), 'reject')
  match(textOf(await visit(rejected)), /Payment not completed/)
  const declined = await answered(await challenged(shop, { card: '4000008400001629' }), 'accept')
  match(textOf(await visit(declined)), /Payment not completed/)
  const unknown = await answered(await challenged(shop), 'accept')
  await shop.processor.fault('lookup', '500_before')
  match(textOf(await visit(unknown)), /still waiting for you to confirm/, 'nobody could be asked')
  match(textOf(await visit(unknown)), /Payment complete/)
})

test('a customer who returns before completing the challenge gets a link to the bank', async () => {
  const shop = await openNowhere()
  const payment = await challenged(shop)
  const bank = (await visit(payment.next_action.redirect_to_url)).headers.location as string
  const back = `${shop.url}/payments/${payment.payment_id}/${shop.merchant_id}/redirect/response/phonypay/${payment.reference_id}`
  const answer = await visit(back)
  match(textOf(answer), /Confirmation needed/)
  ok(answer.text.includes(`<a href="${bank}">`), answer.text)
})

test('a challenge link that is opened after the payment shows the outcome without the amount', async () => {
  const shop = await openNowhere()
  const payment = await challenged(shop)
  const start = payment.next_action.redirect_to_url
  const bank = (await visit(start)).headers.location as string
  await visit(await answered(payment, 'accept'))
  const text = textOf(await visit(start))
  match(text, /Payment complete .* Merchant Chairs &amp; Co Reference /)
  ok(!text.includes('12.50'), text)
  match((await visit(bank)).text, /This payment was accepted/)
})

test('a customer who returns after the challenge expired or the payment was cancelled sees that outcome', async () => {
  const shop = await openNowhere()
  const late = await challenged(shop)
  const cancelled = await challenged(shop)
  const links = [late, cancelled].map(({ next_action }) => next_action.redirect_to_url)
  const bank = (await visit(links[0])).headers.location as string
  await shop.cancel(cancelled.payment_id)
  match(textOf(await visit(links[1])), /Payment cancelled/)
  await shop.wait('11 hours')
  const page = await visit(bank)
  match(page.text, /This confirmation has expired/)
  const back = page.text.match(/<a href="([^"]+)">Back to the merchant/)?.[1]
  match(textOf(await visit(back!)), /Payment not completed/)
  match(textOf(await visit(links[0])), /Payment not completed/)
})

test('an invalid link shows a page that reveals nothing about any payment', async () => {
  const shop = await openNowhere()
  const { payment_id, next_action } = await challenged(shop)
  const links = [
    next_action.redirect_to_url.slice(0, -1),
    next_action.redirect_to_url.replace(/_1$/, '_7'),
    next_action.redirect_to_url.replace(/\/[^/]*$/, ''),
    `${shop.url}/payments/redirect`,
    `${shop.url}/payments/redirect/${'x'.repeat(600)}/y/z`,
    `${shop.url}/payments/${payment_id}/${shop.merchant_id}/redirect/response/phonypay/guessed`,
    `${shop.url}/payments/${payment_id}/${shop.merchant_id}/redirect`,
  ]
  const pages = await Promise.all(links.map(link => visit(link)))
  for (const page of pages) match(textOf(page, page.status), /This link is not valid/)
  for (const page of pages) ok(page.status >= 400 && page.status < 500 && !page.text.includes('Chairs'))
  equal(new Set(pages.map(page => page.text)).size, 1)
})

test('while the database is unavailable, the page asks the customer to wait and not to pay again', async () => {
  const shop = await openNowhere()
  const back = await answered(await challenged(shop), 'accept')
  databaseIsAway = true
  try {
    const answer = await visit(back)
    match(textOf(answer, 503), /Please wait a moment .*do not need to pay again/)
    ok(answer.headers['retry-after'])
  } finally {
    databaseIsAway = false
  }
  match(textOf(await visit(back)), /Payment complete/)
})

test('the merchant name is escaped and defaults to the merchant id, and amounts have the decimals of their currency', async () => {
  const hostile = await openNowhere({ merchant_name: '<img src=x onerror=alert(1)> "&\' Café' })
  const shown = await visit(await answered(await challenged(hostile), 'accept'))
  ok(textOf(shown).includes('&lt;img src=x onerror=alert(1)&gt; &quot;&amp;&#39; Café'))
  const nameless = await openNowhere({})
  const amounts: [number, string, string][] = [
    [5, 'USD', 'USD\u00a00.05'],
    [1250, 'JPY', 'JPY\u00a01,250'],
    [1_234_567, 'KWD', 'KWD\u00a01,234.567'],
    [100_000, 'HUF', 'HUF\u00a01,000.00'],
  ]
  for (const [amount, currency, price] of amounts) {
    const text = textOf(await visit(await answered(await challenged(nameless, { amount, currency }), 'accept')))
    ok(text.includes(`Merchant ${nameless.merchant_id} Amount ${price} Reference`), text)
  }
})

test('the challenge page of the bank shows the merchant name', async () => {
  const shop = await openNowhere()
  const bank = await visit((await challenged(shop)).next_action.redirect_to_url)
  match((await visit(bank.headers.location as string)).text, /Chairs &amp; Co/)
})

test('a challenge in an iframe ends on a page that posts the next URL to the checkout, if the payment or its profile enables it', async () => {
  const shop = await openShop()
  const back = async (ask: PayAsk) => visit(await answered(await challenged(shop, ask), 'accept'))
  equal((await back({})).status, 302)
  const framed = { is_iframe_redirection_enabled: true }
  const page = await back(framed)
  equal(page.status, 200, page.text)
  const policy = String(page.headers['content-security-policy'])
  match(policy, /script-src 'sha256-[A-Za-z0-9+/]{43}='; frame-ancestors \*$/)
  const [, to, message, origins] = page.text.match(/<a id="on" href="([^"]+)" data-says="([^"]+)" data-to="([^"]+)" target="_top">/)!
  const clear = (html: string) => html.replaceAll('&amp;', '&').replaceAll('&quot;', '"')
  equal(new URL(clear(to!)).searchParams.get('status'), 'succeeded')
  equal(JSON.parse(clear(message!)).openurl_if_required, clear(to!))
  equal(clear(origins!), '["https://shop.example"]', 'nobody but the shop is told')
  match(page.text, /postMessage\(JSON\.parse\(on\.dataset\.says\), origin\)/)

  await shop.profile(framed)
  equal((await back({})).status, 200)
  equal((await back({ is_iframe_redirection_enabled: false })).status, 302)
  await shop.profile({ redirect_to_merchant_with_http_post: true })
  const form = await back({})
  match(form.text, /<form method="post" action="[^"]+" target="_top">/)
  match(String(form.headers['content-security-policy']), /frame-ancestors \*$/)
})

test('the final page in an iframe notifies the shop and the origin that confirmed the payment, and no other origin', async () => {
  const shop = await openShop()
  const notifiedOrigins = async (origin?: string) => {
    const framed = { is_iframe_redirection_enabled: true, card: cards.challenges, authentication_type: 'three_ds' } as const
    const { payment_id, client_secret } = await shop.create(framed)
    const headers = { 'api-key': shop.publishable_key, ...(origin !== undefined && { origin }) }
    const { body } = await http('POST', `${shop.url}/payments/${payment_id}/confirm`, { client_secret }, headers)
    const page = await visit(await answered(body, 'accept'))
    return JSON.parse(page.text.match(/data-to="([^"]+)"/)![1]!.replaceAll('&quot;', '"'))
  }
  const [here, there] = ['https://shop.example', 'https://checkout.example:8443']
  deepEqual(await notifiedOrigins(there), [there, here])
  deepEqual(await notifiedOrigins(here), [here])
  for (const none of [undefined, 'null', 'file://', 'https://a b', '*']) deepEqual(await notifiedOrigins(none), [here], none)
})
