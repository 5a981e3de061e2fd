import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { succeed } from '../../test/merchant.ts'
import { openPayoutShop, type PayoutShop, recipients } from '../../test/payout-shop.ts'
import { policyOf } from '../../test/policy.ts'
import { isRefused } from '../../test/refused.ts'
import { type Answer, type Body, http } from '../../test/shop.ts'
import { recipientWays } from '../instruments/recipient-ways.ts'

/**
 * Payout links: a payout with a page of its own. The tests of the page in a browser are in
 * `test/browser/payout-link.test.ts`.
 */

const nothing = { payout_type: undefined, payout_method_data: undefined }
const linked = (shop: PayoutShop, more: Body = {}): Promise<Body> =>
  shop.payOut({ confirm: false, payout_link: true, customer_id: 'grace', ...nothing, ...more })
const tried = (shop: PayoutShop, more: Body): Promise<Answer> =>
  shop.tryToPayOut({ confirm: false, payout_link: true, customer_id: 'grace', ...nothing, ...more })

const page = (address: string, language = 'en'): Promise<Answer> =>
  http('GET', address, undefined, { accept: 'text/html', 'accept-language': language })
const pageOf = ({ payout_link }: Body, language?: string): Promise<Answer> => page(payout_link.link, language)

/** Confirms a payout as the page does. */
const claimed = (shop: PayoutShop, { payout_id, client_secret }: Body, to: Body = recipients.bank()): Promise<Answer> =>
  http('POST', `${shop.url}/payouts/${payout_id}/confirm`, { client_secret, payout_method_data: to }, { 'api-key': shop.publishable_key })

/** Gives the data of a page. */
const dataOf = ({ text }: Answer): Body => JSON.parse(text.match(/id="page">(.*?)<\/script>/)![1]!)
const offered = async (payout: Body): Promise<string[]> => dataOf(await pageOf(payout)).ways.map(({ is, type }: Body) => type ?? is)

test('a payout link page takes the payout method from the recipient, and the payout is sent to it', async () => {
  const shop = await openPayoutShop()
  const payout = await linked(shop, { description: 'Two chairs returned' })
  equal(payout.status, 'requires_payout_method_data')
  deepEqual(payout.payout_link, {
    payout_link_id: `payout_link_${payout.payout_id.slice(-20)}`,
    link: `${shop.url}/payout_link/${shop.merchant_id}/${payout.payout_id}`,
  })
  const open = await pageOf(payout)
  equal(open.status, 200)
  match(open.text, /Two chairs returned/)
  match(open.text, /€99\.00/)
  equal(dataOf(open).client_secret, payout.client_secret)
  for (const secret of [shop.api_key, shop.webhook_secret]) ok(!open.text.includes(secret))
  const { body } = await claimed(shop, payout)
  deepEqual([body.status, body.payout_type], ['success', 'bank'])
  const [paid] = await shop.paidOut()
  equal(paid.amount, 9_900)
  const { text } = await pageOf(payout)
  match(text, /The money was sent/)
  match(text, /\*3000|\*4242/)
  ok(!text.includes('<form') && !text.includes('_secret_') && !text.includes('<script'), text)
  isRefused(await claimed(shop, payout), 400, 'IR_16')
  equal((await shop.paidOut()).length, 1)
})

test('a payout confirmed by the recipient without auto_fulfill waits for the fulfill request of the merchant', async () => {
  const shop = await openPayoutShop()
  const payout = await linked(shop, { auto_fulfill: false })
  equal((await claimed(shop, payout)).body.status, 'requires_fulfillment')
  match((await pageOf(payout)).text, /Details received/)
  equal((await shop.fulfill(payout.payout_id)).body.status, 'success')
})

// biome-ignore format: a table reads better in columns
const refused: [what: string, body: Body, status: number, code: string, words: RegExp][] = [
  ['confirmed at once',           { confirm: true, payout_method_data: recipients.bank() },             422, 'IR_06', /^cannot confirm a payout while creating a payout link$/],
  ['of nobody',                   { customer_id: undefined },                                           400, 'IR_04', /customer or customer_id when payout_link is true/],
  ['of nothing',                  { amount: 0 },                                                        422, 'IR_06', /amount/],
  ['a look without a page',       { payout_link: false, payout_link_config: { theme: '#123456' } },     422, 'IR_06', /payout_link/],
  ['no colour',                   { payout_link_config: { theme: 'red;}' } },                           422, 'IR_05', /payout_link_config\.theme/],
  ['a script for a logo',         { payout_link_config: { logo: 'javascript:alert(1)' } },              422, 'IR_05', /payout_link_config\.logo/],
  ['a logo by http',              { payout_link_config: { logo: 'http://shop.example/a.png' } },        422, 'IR_05', /https/],
  ['an id that is none',          { payout_link_config: { payout_link_id: 'a b' } },                    422, 'IR_05', /payout_link_id/],
  ['a layout that is none',       { payout_link_config: { form_layout: 'circle' } },                    400, 'IR_06', /form_layout/],
  ['an unknown member',           { payout_link_config: { colour: '#123456' } },                        400, 'IR_06', /payout_link_config\.colour/],
  ['a method that is none',       { payout_link_config: { enabled_payment_methods: [{ payment_method: 'crypto', payment_method_types: [] }] } }, 400, 'IR_06', /enabled_payment_methods/],
  ['a wallet that needs an app',  { payout_link_config: { enabled_payment_methods: [{ payment_method: 'wallet', payment_method_types: ['apple_pay'] }] } }, 400, 'IR_06', /payment_method_types/],
]

for (const [what, body, status, code, names] of refused)
  test(`a payout link is refused: ${what}`, async () => {
    const shop = await openPayoutShop()
    isRefused(await tried(shop, body), status, code, names)
  })

test('a payout link can be neither added nor removed later, but its appearance can be changed', async () => {
  const shop = await openPayoutShop()
  const payout = await linked(shop)
  const path = `/payouts/${payout.payout_id}`
  isRefused(await shop.post(path, { payout_link: false }), 422, 'IR_06', /payout_link/)
  equal((await shop.post(path, { payout_link_config: { merchant_name: 'Chairs of Oslo' } })).status, 200)
  match((await pageOf(payout)).text, /Chairs of Oslo pays you/)
  const plain = await shop.payOut({ confirm: false })
  equal(plain.payout_link, null)
  isRefused(await shop.post(`/payouts/${plain.payout_id}`, { payout_link_config: { theme: '#123456' } }), 422, 'IR_06', /payout_link/)
})

test('a payout link page is not found for another merchant, a payout without a link, or an unknown payout', async () => {
  const [shop, other] = [await openPayoutShop(), await openPayoutShop()]
  const payout = await linked(shop)
  const plain = await shop.payOut({ confirm: false })
  for (const path of [
    `${other.merchant_id}/${payout.payout_id}`,
    `${shop.merchant_id}/${plain.payout_id}`,
    `${shop.merchant_id}/nothing`,
    `nobody/${payout.payout_id}`,
  ]) {
    isRefused(await http('GET', `${shop.url}/payout_link/${path}`), 404, 'HE_02')
    match((await page(`${shop.url}/payout_link/${path}`)).text, /This link is not valid/)
  }
})

test('the page offers the payout methods of the currency and the accounts, or those that the link is limited to', async () => {
  const shop = await openPayoutShop()
  deepEqual(await offered(await linked(shop)), ['card', 'sepa_bank_transfer', 'paypal'])
  deepEqual(await offered(await linked(shop, { currency: 'USD' })), ['card', 'ach', 'paypal', 'venmo'])
  deepEqual(await offered(await linked(shop, { currency: 'GBP' })), ['card', 'bacs', 'paypal', 'open_banking_uk'])
  const only = (...enabled_payment_methods: Body[]) => ({ payout_link_config: { enabled_payment_methods } })
  const banks = only({ payment_method: 'bank_transfer', payment_method_types: ['sepa', 'bacs'] })
  deepEqual(await offered(await linked(shop, banks)), ['bacs', 'sepa_bank_transfer'])
  deepEqual(await offered(await linked(shop, only({ payment_method: 'wallet', payment_method_types: [] }))), ['paypal', 'venmo'])
  const payout = await linked(shop, banks)
  isRefused(await claimed(shop, payout, recipients.card()), 422, 'IR_06', /enabled_payment_methods/)
  isRefused(
    await claimed(shop, payout, { bank: { bank_account_number: '000123456', bank_routing_number: '110000000' } }),
    422,
    'IR_06',
    /ach/,
  )
  equal((await claimed(shop, payout)).body.status, 'success')
  // The merchant's server may send any payout method, and so this one too.
  const byServer = await linked(shop, banks)
  equal((await shop.confirmPayout(byServer.payout_id, { payout_method_data: recipients.card() })).body.status, 'success')
})

test('the page shows that no payout method is available if no account pays out, and accepts nothing', async () => {
  const shop = await openPayoutShop()
  const nowhere = { connector: ['stripe'] }
  const { text } = await pageOf(await linked(shop, nowhere))
  match(text, /No payout method is available/)
  ok(!text.includes('<script') && !text.includes('_secret_'), text)
})

/** The values that a recipient types, by the name of the field. */
const typed: Record<string, string> = {
  email: 'ada4242@example.com',
  telephone_number: '+1 555 010 4242',
  iban: 'DE89370400440532013000',
  bank_account_number: '00012345',
  bank_routing_number: '110000000',
  bank_sort_code: '10-88-00',
  pix_key: 'ada@example.com',
  emv: '00020126',
  country_code: 'SE',
  account_number: '12345678',
  bank_number: '5000',
  account_holder_name: 'Ada Byron',
  bank_branch: '0001',
}

for (const way of recipientWays.filter(({ is }) => is !== 'card'))
  test(`the page asks for exactly the fields that a payout by ${way.type} requires`, async () => {
    const shop = await openPayoutShop()
    const payment_method = way.is === 'bank' ? 'bank_transfer' : way.is
    const limits = { enabled_payment_methods: [{ payment_method, payment_method_types: [way.type] }] }
    const payout = await linked(shop, { payout_link_config: limits })
    deepEqual(await offered(payout), [way.type])
    const given = Object.fromEntries([...way.asks, ...way.option].map(name => [name, typed[name]]))
    const [family, variant] = way.place.split('.') as [string, string | undefined]
    const members = { ...way.fixed, ...given }
    const { body, text } = await claimed(shop, payout, { [family]: variant ? { [variant]: members } : members })
    equal(body.status, 'success', text)
    for (const name of way.asks) {
      const lacks = { ...members, [name]: null }
      const refused = await claimed(shop, await linked(shop), { [family]: variant ? { [variant]: lacks } : lacks })
      // The parser already reports a member that the schema requires.
      isRefused(refused, 400, refused.body.error.code === 'IR_06' ? 'IR_06' : 'IR_04', new RegExp(name))
    }
  })

test('the page of a payout whose id the merchant chose opens only by the full link with its token', async () => {
  const shop = await openPayoutShop()
  const { payout_link } = await linked(shop, { payout_id: `wages_${'7'.repeat(24)}` })
  const [address] = payout_link.link.split('?')
  equal((await http('GET', payout_link.link)).status, 200)
  for (const guess of [address, `${address}?token=x`]) isRefused(await http('GET', guess), 404, 'HE_02')
})

test('an expired payout link shows this, contains no client_secret, and cannot confirm the payout', async () => {
  const shop = await openPayoutShop()
  const payout = await linked(shop, { session_expiry: 60 })
  await shop.wait('1 minute')
  const { text } = await pageOf(payout)
  match(text, /This link has expired/)
  ok(!text.includes('_secret_') && !text.includes(shop.publishable_key), text)
  isRefused(await claimed(shop, payout), 400, 'IR_08')
  await shop.wait('1 minute')
  equal((await shop.getPayout(payout.payout_id)).status, 'expired')
  deepEqual(await shop.paidOut(), [])
})

test('the profile sets the appearance and the framing of the page, and the payout overrides the appearance', async () => {
  const shop = await openPayoutShop()
  const own = { theme: '#0b7a4b', logo: 'https://shop.example/logo.png', merchant_name: 'Chairs & Co' }
  await shop.profile({ payout_link_config: { ...own, domain_name: 'pay.shop.example', allowed_domains: ['shop.example'] } })
  const payout = await linked(shop, { payout_link_config: { merchant_name: 'Chairs of Oslo', form_layout: 'tabs' } })
  equal(payout.payout_link.link, `https://pay.shop.example/payout_link/${shop.merchant_id}/${payout.payout_id}`)
  const answer = await page(payout.payout_link.link.replace('https://pay.shop.example', shop.url))
  match(answer.text, /--theme: #0b7a4b/)
  match(answer.text, /ways-tabs/)
  match(answer.text, /Chairs of Oslo pays you/)
  const policy = policyOf(answer)
  equal(policy['frame-ancestors'], 'https://shop.example')
  equal(policy['img-src'], "'self' https://shop.example/logo.png")
  equal(policy['connect-src'], "'self'")
  equal(policy['trusted-types'], "'none'")
  const bare = await openPayoutShop()
  const [profile] = (await bare.call('GET', `/account/${bare.merchant_id}/business_profile`)).body
  const path = `/account/${bare.merchant_id}/business_profile/${profile.profile_id}`
  equal(policyOf(await pageOf(await linked(bare)))['frame-ancestors'], "'none'")
  isRefused(await bare.post(path, { payout_link_config: { domain_name: 'pay.shop.example' } }), 422, 'IR_06', /allowed_domains/)
  isRefused(await bare.post(path, { payout_link_config: { theme: 'red;}' } }), 422, 'IR_05', /theme/)
})

test('unvalidated payout link settings that are stored in a profile do not appear in the page', async () => {
  const shop = await openPayoutShop()
  const details = JSON.stringify({ payout_link_config: { theme: '#f;} *{', merchant_name: 'Mallory' } })
  await shop.query('update profiles set details = details || $2::jsonb where merchant_id = $1', [shop.merchant_id, details])
  await shop.profile({ metadata: { read: 'again' } })
  const { text } = await pageOf(await linked(shop))
  ok(!text.includes('#f;}') && !text.includes('Mallory'), text)
})

test('the page is in the language of the recipient', async () => {
  const shop = await openPayoutShop()
  const payout = await linked(shop, { amount: 123_450 })
  match((await pageOf(payout, 'de-AT')).text, /Wohin soll das Geld gehen/)
  match((await page(`${payout.payout_link.link}?locale=fr`, 'de')).text, /Recevoir 1\s234,50\s€/)
})

for (const [end, status, message] of [
  ['0002', 'failed', /The money could not be sent/],
  ['0705', 'ineligible', /The money could not be sent/],
  ['1976', 'initiated', /the payout is in progress/],
  ['0424', 'pending', /the payout is in progress/],
] as const)
  test(`the page of a payout that is ${status} shows this to the recipient, with a link back to the shop`, async () => {
    const shop = await openPayoutShop()
    const payout = await linked(shop, { return_url: 'https://shop.example/thanks?order=7' })
    equal((await claimed(shop, payout, recipients.bank(end))).body.status, status)
    const { text } = await pageOf(payout)
    match(text, message)
    match(text, new RegExp(`https://shop\\.example/thanks\\?order=7&amp;payout_id=${payout.payout_id}&amp;status=${status}`))
  })

test('a payout method that is already known is shown masked, and the recipient only confirms it', async () => {
  const shop = await openPayoutShop()
  const payout = await linked(shop, { payout_method_data: recipients.bank(), payout_type: 'bank' })
  equal(payout.status, 'requires_confirmation')
  match(dataOf(await pageOf(payout)).there, /^\*+\d{4}$/)
  const { payout_id, client_secret } = payout
  const answer = await http('POST', `${shop.url}/payouts/${payout_id}/confirm`, { client_secret }, { 'api-key': shop.publishable_key })
  equal(answer.body.status, 'success', answer.text)
})

test('payment_methods_enabled of a payout account does not limit its payout methods', async () => {
  const shop = await openPayoutShop()
  const all = await offered(await linked(shop))
  for (const payment_methods_enabled of [[], [{ payment_method: 'card' }]]) {
    const path = `/account/${shop.merchant_id}/connectors/${shop.payout_account}`
    await succeed(shop.post(path, { connector_type: 'payout_processor', payment_methods_enabled }))
    deepEqual(await offered(await linked(shop)), all)
    equal((await shop.payOut()).status, 'success')
  }
})

test('a profile sets the appearance of its payout links directly or in ui_config', async () => {
  const shop = await openPayoutShop()
  const brand = { merchant_name: 'Chairs & Co', theme: '#123456', logo: 'https://shop.example/logo.png' }
  await shop.profile({ payout_link_config: { ui_config: { ...brand, theme: '#654321' }, theme: '#123456', form_layout: 'tabs' } })
  const { text } = await pageOf(await linked(shop))
  match(text, /Chairs &amp; Co/)
  match(text, /#123456/)
  match(text, /logo\.png/)
  const path = `/account/${shop.merchant_id}/business_profile`
  const [{ profile_id }] = (await shop.call('GET', path)).body
  const configured = async (ui_config: Body) => shop.post(`${path}/${profile_id}`, { payout_link_config: { ui_config } })
  isRefused(await configured({ theme: 'red;}' }), 422, 'IR_05', /payout_link_config\.ui_config\.theme/)
  isRefused(await configured({ colour: 'red' }), 400, 'IR_06', /ui_config/)
})

test('a browser reads the masked data of its payout by the client_secret, and of no other payout', async () => {
  const [shop, other] = [await openPayoutShop(), await openPayoutShop()]
  const payout = await linked(shop, { description: 'Two chairs returned', metadata: { note: 'ours alone' } })
  const read = (client_secret: string, key = shop.publishable_key, payout_id = payout.payout_id) =>
    http('GET', `${shop.url}/payouts/${payout_id}/client?client_secret=${client_secret}`, undefined, { 'api-key': key })
  const { body, text } = await read(payout.client_secret)
  deepEqual(
    [body.payout_id, body.status, body.amount, body.currency, body.description, body.masked_payout_method, body.has_payout_method],
    [payout.payout_id, 'requires_payout_method_data', 9_900, 'EUR', 'Two chairs returned', null, false],
  )
  deepEqual(
    body.payout_methods_enabled.map((one: Body) => one.payout_method_type ?? one.payout_type),
    await offered(payout),
  )
  const [iban] = body.payout_methods_enabled.filter((one: Body) => one.payout_method_type === 'sepa_bank_transfer')
  deepEqual([iban.path, iban.required_fields, iban.fixed_fields], ['bank', ['iban'], { payout_method_type: 'sepa_bank_transfer' }])
  ok(!text.includes('ours alone') && !text.includes('_secret_'), text)

  equal((await claimed(shop, payout)).body.status, 'success')
  const paid = (await read(payout.client_secret)).body
  deepEqual([paid.status, paid.has_payout_method], ['success', true])
  match(paid.masked_payout_method, /^\*+4242$/)

  isRefused(await read(`${payout.client_secret}x`), 400, 'IR_09')
  isRefused(await read((await linked(shop)).client_secret), 400, 'IR_09')
  isRefused(await read(''), 400, 'IR_04')
  isRefused(await read(payout.client_secret, other.publishable_key), 404, 'HE_02')
  isRefused(await read(payout.client_secret, shop.publishable_key, 'pyt_none'), 404, 'HE_02')
  isRefused(await read(payout.client_secret, shop.api_key), 403, 'IR_22')
  const { secret } = (await shop.post('/ephemeral_keys', { customer_id: 'grace' })).body
  isRefused(await read(payout.client_secret, secret), 403, 'IR_22')
  await shop.wait('16 minutes')
  isRefused(await read(payout.client_secret), 400, 'IR_08')
})
