import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { policyOf } from '../../../test/policy.ts'
import { isRefused } from '../../../test/refused.ts'
import { type Answer, type Body, card, cards, http, openShop, type Shop } from '../../../test/shop.ts'

/**
 * Payment links: a payment with a page of its own. The tests of the page in a browser are in
 * `test/browser/payment-link.test.ts`.
 */

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const page = (address: string, headers: Record<string, string> = {}): Promise<Answer> =>
  http('GET', address, undefined, { ...browser, ...headers })

const linked = (shop: Shop, more: Body = {}): Promise<Body> =>
  shop.create({ payment_method: undefined, payment_method_data: undefined, payment_link: true, ...more })

/** Pays as the page does. */
const paid = (shop: Shop, { payment_id, client_secret }: Body, number: string = cards.approves) =>
  http(
    'POST',
    `${shop.url}/payments/${payment_id}/confirm`,
    { client_secret, payment_method: 'card', payment_method_data: card(number) },
    { 'api-key': shop.publishable_key },
  )

test('the page of a payment with a merchant-chosen id opens only with the token of the link', async () => {
  const shop = await openShop()
  const { payment_id, client_secret, payment_link } = await linked(shop, { payment_id: `order_${'7'.repeat(24)}` })
  const [address] = payment_link.link.split('?')
  match(payment_link.link, /\?token=[\w-]{32}$/)
  const opened = await page(payment_link.link)
  deepEqual([opened.status, opened.text.includes(client_secret)], [200, true])
  for (const guess of [address, `${address}?token=`, `${address}?token=${'a'.repeat(32)}`, `${address}?locale=de`]) {
    const { status, text } = await page(guess)
    deepEqual([status, text.includes(payment_id) && text.includes('_secret_')], [404, false], guess)
  }
  const inTime = await linked(shop, { payment_id: `pay_${'0'.repeat(25)}1` })
  match(inTime.payment_link.link, /token=/, 'an id that looks as ours do is not ours')
})

test('a payment with a link returns the URL of its page, and the link is retrieved by its id', async () => {
  const shop = await openShop()
  const payment = await linked(shop, { description: 'Two chairs' })
  const { link, secure_link, payment_link_id } = payment.payment_link
  equal(link, `${shop.url}/payment_link/${shop.merchant_id}/${payment.payment_id}`)
  equal(secure_link, null)
  const path = `/payment_link/${payment_link_id}`
  const answer = await shop.call('GET', path)
  deepEqual(answer.body, {
    payment_link_id,
    merchant_id: shop.merchant_id,
    processor_merchant_id: shop.merchant_id,
    link_to_pay: link,
    amount: 1250,
    created_at: payment.created,
    expiry: payment.expires_on,
    description: 'Two chairs',
    status: 'active',
    currency: 'USD',
    secure_link: null,
  })
  const byBrowser = (secret: string) =>
    http('GET', `${shop.url}${path}?client_secret=${secret}`, undefined, { 'api-key': shop.publishable_key })
  deepEqual((await byBrowser(payment.client_secret)).body, answer.body)
  isRefused(await byBrowser('guess'), 400, 'IR_09')
  equal((await shop.create()).payment_link, null)
  isRefused(await shop.call('GET', `/payment_link/plink_${(await shop.create()).payment_id}`), 404, 'HE_02')
  isRefused(await shop.call('GET', `/payment_link/${payment.payment_id}`), 404, 'HE_02')
  const other = await openShop()
  isRefused(await other.call('GET', path), 404, 'HE_02')
  await shop.wait('16 minutes')
  equal((await shop.call('GET', path)).body.status, 'expired')
})

// biome-ignore format: a table reads better in columns
const refused: [what: string, body: Body, status: number, code: string, words: RegExp][] = [
  ['confirmed at once',           { confirm: true },                                               422, 'IR_06', /payment_link.*confirm/],
  ['a look without a link',       { payment_link: false, payment_link_config: { theme: '#123456' } }, 422, 'IR_06', /payment_link/],
  ['a look that is not there',    { payment_link_config_id: 'winter' },                            400, 'IR_07', /payment_link_config_id/],
  ['no colour',                   { payment_link_config: { theme: 'red;}' } },                     422, 'IR_05', /payment_link_config\.theme/],
  ['a script for a logo',         { payment_link_config: { logo: 'javascript:alert(1)' } },        422, 'IR_05', /payment_link_config\.logo/],
  ['a logo by http',              { payment_link_config: { logo: 'http://shop.example/a.png' } },  422, 'IR_05', /https/],
  ['a logo that ends the policy', { payment_link_config: { logo: 'https://a.example/x;script-src' } }, 422, 'IR_05', /semicolons/],
  ['a picture that is no address', { payment_link_config: { background_image: { url: 'x' } } },    422, 'IR_05', /background_image\.url/],
  ['style of its own',            { payment_link_config: { sdk_ui_rules: { '.a': { color: 'red' } } } }, 400, 'IR_19', /sdk_ui_rules/],
  ['an unknown member',           { payment_link_config: { colour: '#123456' } },                  400, 'IR_06', /payment_link_config\.colour/],
]

test('an invalid payment link or link configuration is refused with the field name', async () => {
  const shop = await openShop()
  for (const [, body, status, code, names] of refused)
    isRefused(await shop.tryToPay({ confirm: false, payment_link: true, ...body }), status, code, names)
  const homeless = await openShop({ account: {} })
  equal((await homeless.tryToPay({ confirm: false, payment_link: true })).status, 200, 'a link needs no return_url')
  const plain = await shop.create()
  isRefused(await shop.confirm(plain.payment_id, { payment_link: true }), 422, 'IR_06', /payment_link/)
  const path = `/account/${shop.merchant_id}/business_profile/${plain.profile_id}`
  const profile = (payment_link_config: Body) => shop.post(path, { payment_link_config })
  isRefused(await profile({ domain_name: 'pay.shop.example' }), 422, 'IR_06', /allowed_domains/)
  isRefused(await profile({ allowed_domains: ['shop.example; script-src *'] }), 422, 'IR_05', /allowed_domains\[0\]/)
  isRefused(await profile({ business_specific_configs: { winter: { theme: 'x' } } }), 422, 'IR_05', /winter\.theme/)
})

test('an update can add a payment link and change its appearance', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.create()
  const made = await shop.post(`/payments/${payment_id}`, { payment_link: true, payment_link_config: { seller_name: 'Chairs of Oslo' } })
  const { link } = made.body.payment_link
  match((await page(link)).text, /Chairs of Oslo/)
  await shop.post(`/payments/${payment_id}`, { payment_link_config: { seller_name: 'Chairs of Bergen' } })
  match((await page(link)).text, /Chairs of Bergen/)
})

test('page settings of the payment override its named configuration, which overrides the profile', async () => {
  const shop = await openShop({ account: { merchant_name: 'Chairs & Co', return_url: 'https://shop.example/thanks' } })
  const logo = 'https://img.shop.example/logo.png'
  await shop.profile({
    payment_link_config: {
      theme: '#111111',
      seller_name: 'Profile',
      business_specific_configs: { winter: { seller_name: 'Winter', logo } },
    },
  })
  const plain = await page((await linked(shop)).payment_link.link)
  match(plain.text, /<span>Profile<\/span>/)
  match(plain.text, /--button: #111111/)
  const named = { payment_link_config_id: 'winter' }
  const winter = await page((await linked(shop, named)).payment_link.link)
  match(winter.text, /<span>Winter<\/span>/)
  equal(policyOf(winter)['img-src'], `'self' ${logo}`)
  const own = { ...named, payment_link_config: { seller_name: 'Mine', show_merchant_name: true, payment_button_text: 'Buy now' } }
  const mine = await page((await linked(shop, own)).payment_link.link)
  match(mine.text, /<span>Mine<\/span>/)
  match(mine.text, /Buy now/)
  ok(mine.text.includes(`src="${logo}"`))
})

test('the page runs only its own scripts, cannot be framed, and escapes text from the merchant', async () => {
  const shop = await openShop({
    account: { merchant_name: '</script><img src=x onerror=alert(1)>', return_url: 'https://shop.example/thanks' },
  })
  const { payment_link } = await linked(shop, { description: '"><script>alert(1)</script>' })
  const answer = await page(payment_link.link)
  const policy = policyOf(answer)
  match(policy['script-src']!, /^'nonce-[A-Za-z0-9]{24}'$/)
  deepEqual(
    [policy['default-src'], policy['connect-src'], policy['frame-ancestors'], policy['form-action'], policy['base-uri']],
    ["'none'", "'self'", "'none'", "'none'", "'none'"],
  )
  equal(answer.headers['cache-control'], 'no-store')
  equal(answer.headers['x-frame-options'], 'DENY')
  ok(!/<img src=x|<script>alert/.test(answer.text), answer.text)
  const [script] = answer.text.match(/pages\/[0-9a-f]{16}\/pay\.js/)!
  const file = await http('GET', `${shop.url}/${script}`)
  equal(file.headers['content-type'], 'text/javascript; charset=utf-8')
  match(String(file.headers['cache-control']), /immutable/)
  const before = await http('GET', `${shop.url}/pages/0000000000000000/pay.js`)
  deepEqual([before.status, before.headers['cache-control']], [200, 'no-cache'])
  ok(policyOf(await page(payment_link.link))['script-src'] !== policy['script-src'], 'a nonce is used once')
})

test('the secure link exists only if the profile allows domains, and only these may frame it', async () => {
  const shop = await openShop()
  const payment = await linked(shop)
  isRefused(await http('GET', `${shop.url}/payment_link/s/${shop.merchant_id}/${payment.payment_id}`), 404, 'HE_02')
  await shop.profile({ payment_link_config: { domain_name: 'pay.shop.example', allowed_domains: ['shop.example', '*.shop.example'] } })
  const { link, secure_link } = (await shop.get(payment.payment_id)).payment_link
  equal(link, `https://pay.shop.example/payment_link/${shop.merchant_id}/${payment.payment_id}`)
  const answer = await page(secure_link.replace('https://pay.shop.example', shop.url))
  equal(policyOf(answer)['frame-ancestors'], 'https://shop.example https://*.shop.example')
  equal(answer.headers['x-frame-options'], undefined)
})

test('the page is shown in the language of the customer, with amounts formatted for the locale', async () => {
  const shop = await openShop()
  const { payment_link, payment_id } = await linked(shop, { amount: 123_450, currency: 'EUR' })
  const { link } = payment_link
  const spoken = async (address: string, language = '') => {
    const { text } = await page(address, { 'accept-language': language })
    return [text.match(/lang="([^"]+)"/)![1], text.match(/class="amount">([^<]+)</)![1]!.replaceAll(/\s/g, ' ')]
  }
  deepEqual(await spoken(link), ['en', '€1,234.50'])
  deepEqual(await spoken(link, 'de-AT,de;q=0.9,en;q=0.8'), ['de-AT', '€ 1.234,50'])
  deepEqual(await spoken(link, 'nb,fr;q=0.5,en;q=0.2'), ['fr', '1 234,50 €'])
  deepEqual(await spoken(`${link}?locale=de`, 'fr'), ['de', '1.234,50 €'])
  deepEqual(await spoken(`${link}?locale=xx`, 'fr;q=x, en'), ['en', '€1,234.50'])
  const body = { payment_link_config: { locale: 'fr' } }
  equal((await shop.post(`/payments/${payment_id}`, body)).body.payment_link.link, `${link}?locale=fr`)
})

test('a declined payment can be retried on the page until the session expires, regardless of manual retry settings', async () => {
  const shop = await openShop()
  const payment = await linked(shop)
  const first = (await paid(shop, payment, cards.declines)).body
  deepEqual([first.status, first.manual_retry_allowed], ['failed', true])
  await shop.wait('10 minutes')
  match((await page(payment.payment_link.link)).text, /The payment was declined/)
  equal((await paid(shop, payment)).body.status, 'succeeded')
  const plain = await shop.create()
  deepEqual((await paid(shop, plain, cards.declines)).body.manual_retry_allowed, null)
  isRefused(await paid(shop, plain), 400, 'IR_16')
  const late = await linked(shop)
  await paid(shop, late, cards.declines)
  await shop.wait('16 minutes')
  const answer = await page(late.payment_link.link)
  match(answer.text, /Payment not completed/)
  ok(!answer.text.includes('<form'), answer.text)
  isRefused(await shop.confirm(late.payment_id, { payment_method: 'card', payment_method_data: card() }), 400, 'IR_16')
})

test('the page of a paid payment shows success, has a return URL, and contains no payment form or secret', async () => {
  const shop = await openShop()
  const payment = await linked(shop)
  await paid(shop, payment)
  const { text } = await page(payment.payment_link.link)
  match(text, /Payment complete/)
  const back = text.match(/href="(https:\/\/shop\.example\/thanks[^"]*)"/)![1]!.replaceAll('&amp;', '&')
  const { searchParams } = new URL(back)
  deepEqual([searchParams.get('status'), searchParams.get('payment_id')], ['succeeded', payment.payment_id])
  ok(!text.includes('<form') && !text.includes(shop.publishable_key))
  // The page does not contain the secret that opens the payment, except in the address that leads back to the shop.
  ok(!text.replaceAll(/href="[^"]*"/g, '').includes(payment.client_secret))
  deepEqual(
    [...text.matchAll(/<script[^>]* src="[^"]*\/(\w+\.js)"/g)].map(([, name]) => name),
    ['return.js'],
  )
})

test('a customer returns to the shop automatically right after payment, but not after a decline or on a later visit', async () => {
  const shop = await openShop()
  const [made, declined] = [await linked(shop), await linked(shop)]
  const returns = async ({ payment_link }: Body) => (await page(payment_link.link)).text.includes('id="returning"')
  equal(await returns(made), false)
  await paid(shop, made)
  await paid(shop, declined, cards.declines)
  deepEqual([await returns(made), await returns(declined)], [true, false])
  await shop.wait('11 minutes')
  equal(await returns(made), false)
})

test('a payment link shows brand, last digits and expiry of saved cards, and requires the security code', async () => {
  const shop = await openShop()
  await shop.post('/customers', { customer_id: 'ada', name: 'Ada' })
  const card = { card_number: cards.approves, card_exp_month: '12', card_exp_year: '2040', card_holder_name: 'Ada', nick_name: 'Adas' }
  const billing = { address: { line1: '1 Ada Street', country: 'US' } }
  await shop.post('/payment_methods', { payment_method: 'card', customer_id: 'ada', card, billing })
  const payment = await linked(shop, { customer_id: 'ada', setup_future_usage: 'off_session' })
  for (const path of ['/customers/payment_methods', '/customers/ada/payment_methods']) {
    const seen = await http('GET', `${shop.url}${path}?client_secret=${payment.client_secret}`, undefined, {
      'api-key': shop.publishable_key,
    })
    const [{ card: shown, billing, requires_cvv }] = seen.body.customer_payment_methods
    deepEqual(
      [shown.scheme, shown.last4_digits, shown.expiry_year, shown.card_holder_name, shown.nick_name, billing, requires_cvv],
      ['Visa', '4242', '2040', null, null, null, true],
    )
    ok(!/Ada|424242|Street/.test(JSON.stringify(seen.body)), seen.text)
  }
})

test('the page offers saved cards unless the merchant disables them, and excludes payment methods of other countries', async () => {
  const shop = await openShop()
  const pageData = async (more: Body) => {
    const { text } = await page((await linked(shop, more)).payment_link.link)
    return JSON.parse(/id="page"[^>]*>([^<]*)</.exec(text)![1]!.replaceAll('\\u003c', '<')) as Body
  }
  equal((await pageData({ customer_id: 'ada' })).saved, true)
  equal((await pageData({ customer_id: 'ada', payment_link_config: { enabled_saved_payment_method: false } })).saved, false)
  equal((await pageData({})).saved, false)
  const { isElsewhere } = await import(new URL('../../pages/browser/offer.js', import.meta.url).href)
  const elsewhere = async (currency: string, country: string, ways: string[]) => {
    const data = await pageData({ currency, billing: { address: { country } } })
    return ways.map(way => isElsewhere(data, way))
  }
  deepEqual(await elsewhere('PLN', 'PL', ['blik', 'ideal', 'upi_collect', 'paypal']), [false, true, true, false])
  deepEqual(await elsewhere('EUR', 'NL', ['blik', 'ideal', 'sepa', 'multibanco']), [true, false, false, true])
})

test('skip_status_screen redirects a customer who has paid straight to the return URL', async () => {
  const shop = await openShop()
  const payment = await linked(shop, { payment_link_config: { skip_status_screen: true } })
  match((await page(payment.payment_link.link)).text, /<form/)
  await paid(shop, payment)
  const answer = await page(payment.payment_link.link)
  equal(answer.status, 302)
  match(String(answer.headers.location), /^https:\/\/shop\.example\/thanks\?status=succeeded/)
})

test('an expired payment link shows that it has expired, and contains no secret', async () => {
  const shop = await openShop()
  const payment = await linked(shop, { session_expiry: 60 })
  await shop.wait('1 minute')
  const { text, status } = await page(payment.payment_link.link)
  equal(status, 200)
  match(text, /This link has expired/)
  ok(!text.includes('_secret_') && !text.includes(shop.publishable_key), text)
})

test('a customer returns to the page after a challenge, and sees the success or the decline', async () => {
  const shop = await openShop()
  for (const [word, heading] of [
    ['accept', /Payment complete/],
    ['reject', /The payment was declined/],
  ] as const) {
    const payment = await linked(shop, { authentication_type: 'three_ds' })
    const { link } = payment.payment_link
    const { next_action } = (await paid(shop, payment, cards.challenges)).body
    const waiting = await page(link)
    match(waiting.text, /Confirmation needed/)
    ok(waiting.text.includes(next_action.redirect_to_url))
    const bank = await http('GET', next_action.redirect_to_url)
    const back = await http('POST', `${bank.headers.location}/${word}`, '', { 'content-type': 'application/x-www-form-urlencoded' })
    const returned = await page(back.headers.location as string)
    deepEqual([returned.status, returned.headers.location], [302, link])
    match((await page(link)).text, heading)
  }
})

test('an unknown payment link gets a generic page with status 404', async () => {
  const shop = await openShop()
  const plain = await shop.create()
  const { payment_id } = await linked(shop)
  const paths = [
    `${shop.merchant_id}/${plain.payment_id}`,
    `${shop.merchant_id}/${payment_id.slice(0, -1)}`,
    `nobody/${payment_id}`,
    `s/${shop.merchant_id}/${payment_id}`,
  ]
  const pages = await Promise.all(paths.map(path => page(`${shop.url}/payment_link/${path}`)))
  for (const { status, text } of pages) deepEqual([status, /This link is not valid/.test(text)], [404, true])
  equal(new Set(pages.map(({ text }) => text)).size, 1)
})
