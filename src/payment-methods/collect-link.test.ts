import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openPayoutShop, type PayoutShop, recipients } from '../../test/payout-shop.ts'
import { policyOf } from '../../test/policy.ts'
import { isRefused } from '../../test/refused.ts'
import { type Answer, type Body, http, openShop, type Shop } from '../../test/shop.ts'

/**
 * Payment method collect links: pages on which customers enter payment methods to save. The tests of the page in a
 * browser are in `test/browser/collect-link.test.ts`.
 */

const customer_id = 'grace'
const path = '/payment_methods/collect'

async function openCustomer(): Promise<PayoutShop> {
  const shop = await openPayoutShop()
  await shop.post('/customers', { customer_id })
  return shop
}
const made = (shop: Shop, more: Body = {}): Promise<Answer> => shop.post(path, { customer_id, ...more })

/** Makes a link; gives it with the secret of its page. */
async function linked(shop: Shop, more: Body = {}): Promise<Body> {
  const { status, body, text } = await made(shop, more)
  equal(status, 200, text)
  return { ...body, ...dataOf(await page(body.link)) }
}
const page = (address: string, language = 'en'): Promise<Answer> =>
  http('GET', address, undefined, { accept: 'text/html', 'accept-language': language })
const dataOf = ({ text }: Answer): Body => JSON.parse(text.match(/id="page">(.*?)<\/script>/)![1]!)
const offers = ({ ways }: Body): string[] => ways.map(({ is, type }: Body) => type ?? is)

/** Submits a payout method as the page does. */
const submit = (shop: Shop, { submits, client_secret }: Body, to: Body = recipients.bank()): Promise<Answer> =>
  http('POST', `${shop.url}/${submits}`, { client_secret, payout_method_data: to }, { 'api-key': shop.publishable_key })

const saved = async (shop: Shop): Promise<Body[]> =>
  (await shop.call('GET', `/customers/${customer_id}/payment_methods`)).body.customer_payment_methods

test('payout details entered on the collect page are saved for the customer once, and receive payouts', async () => {
  const shop = await openCustomer()
  const { body } = await made(shop, { return_url: 'https://shop.example/thanks?from=link', merchant_name: 'Chairs & Co' })
  const { pm_collect_link_id, expiry, ...rest } = body
  match(pm_collect_link_id, /^pm_collect_link_\w{26}$/)
  equal(Date.parse(expiry) - (Date.now() + shop.clock.ahead) > 14 * 60_000, true)
  deepEqual(rest, {
    customer_id,
    link: `${shop.url}${path}/${shop.merchant_id}/${pm_collect_link_id}`,
    return_url: 'https://shop.example/thanks?from=link',
    theme: null,
    logo: null,
    merchant_name: 'Chairs & Co',
    enabled_payment_methods: null,
  })
  const open = await page(body.link)
  match(open.text, /Your details for Chairs &amp; Co/)
  for (const secret of [shop.api_key, shop.webhook_secret]) ok(!open.text.includes(secret))
  const answer = await submit(shop, dataOf(open))
  const { payment_method_id } = answer.body
  deepEqual(answer.body, { pm_collect_link_id, status: 'submitted', payment_method_id, return_url: body.return_url })
  const [method, ...others] = await saved(shop)
  deepEqual([method!.payment_method_id, method!.payment_method, others], [payment_method_id, 'bank_transfer', []])
  match(method!.bank_transfer.iban, /^\*+\d{4}$/)
  const paid = await shop.payOut({
    customer_id,
    payout_method_id: payment_method_id,
    payout_type: undefined,
    payout_method_data: undefined,
  })
  equal(paid.status, 'success')
  const { text } = await page(body.link)
  match(text, /Your details are saved/)
  match(text, new RegExp(`https://shop\\.example/thanks\\?from=link&amp;pm_collect_link_id=${pm_collect_link_id}&amp;status=submitted`))
  ok(!text.includes('<form') && !text.includes('_secret_') && !text.includes(shop.publishable_key), text)
})

test('a card entered on the collect page is stored only in the vault, and can be used for payments', async () => {
  const shop = await openCustomer()
  const link = await linked(shop)
  const { body, text } = await submit(shop, link, recipients.card())
  ok(!text.includes('4242424242424242'))
  const [method] = await saved(shop)
  deepEqual([method!.payment_method_id, method!.card.last4_digits, method!.card.expiry_year], [body.payment_method_id, '4242', '2040'])
  const { status } = await shop.pay({ customer_id, payment_method_data: undefined, payment_token: method!.payment_token, card_cvc: '123' })
  equal(status, 'succeeded')
  const rows = await shop.query('select row_to_json(l) as row from collect_links l where merchant_id = $1', [shop.merchant_id])
  ok(!JSON.stringify(rows).includes('4242'), JSON.stringify(rows))
  const changes = await shop.query('select row_to_json(c) as row from changes c where merchant_id = $1', [shop.merchant_id])
  ok(!JSON.stringify(changes).includes('424242') && !JSON.stringify(changes).includes(link.client_secret))
})

test('a double submission of the collect page saves one payment method', async () => {
  const shop = await openCustomer()
  const link = await linked(shop)
  const answers = await Promise.all([submit(shop, link), submit(shop, link, recipients.card())])
  deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
  isRefused(answers.find(({ status }) => status === 400)!, 400, 'IR_16', /already been submitted/)
  isRefused(await submit(shop, link, recipients.wallet()), 400, 'IR_16')
  equal((await saved(shop)).length, 1)
})

// biome-ignore format: a table reads better in columns
const refused: [what: string, body: Body, status: number, code: string, words: RegExp][] = [
  ['of nobody',                   { customer_id: undefined },                                  400, 'IR_04', /customer_id/],
  ['of a customer never made',    { customer_id: 'kari' },                                     404, 'HE_02', /Customer/],
  ['no colour',                   { theme: 'red;}' },                                          422, 'IR_05', /theme/],
  ['a script for a logo',         { logo: 'javascript:alert(1)' },                             422, 'IR_05', /logo/],
  ['a script to return to',       { return_url: 'javascript:alert(1)' },                       422, 'IR_05', /return_url/],
  ['an id that is none',          { pm_collect_link_id: 'a b' },                               422, 'IR_05', /pm_collect_link_id/],
  ['a method that is none',       { enabled_payment_methods: [{ payment_method: 'crypto', payment_method_types: [] }] }, 400, 'IR_06', /enabled_payment_methods/],
  ['no method at all',            { enabled_payment_methods: [] },                             400, 'IR_06', /enabled_payment_methods/],
  ['a foreign profile',           { profile_id: 'pro_nobodys' },                               404, 'HE_02', /profile/],
  ['an unknown member',           { colour: '#123456' },                                       400, 'IR_06', /colour/],
]
test('an invalid collect link is refused with the field name', async () => {
  const shop = await openCustomer()
  for (const [, body, status, code, message] of refused) isRefused(await made(shop, body), status, code, message)
})

test('the same collect link id returns the same link, and other parameters are refused', async () => {
  const shop = await openCustomer()
  const named = { pm_collect_link_id: 'link_7', return_url: 'https://shop.example/' }
  const first = (await made(shop, named)).body
  deepEqual((await made(shop, named)).body, first)
  const other = await made(shop, { ...named, return_url: 'https://shop.example/other' })
  isRefused(other, 400, 'HE_01')
  equal(other.body.error.message, 'payment method collect link already exists')
  // An id that can be guessed opens nothing: the link contains a token.
  const [address] = first.link.split('?')
  equal((await page(first.link)).status, 200)
  for (const guess of [address, `${address}?token=x`]) isRefused(await http('GET', guess), 404, 'IR_37')
})

test('an unknown collect link, or one of another merchant, is not found', async () => {
  const [shop, other] = [await openCustomer(), await openShop()]
  const link = await linked(shop)
  for (const named of [
    `${other.merchant_id}/${link.pm_collect_link_id}`,
    `${shop.merchant_id}/nothing`,
    `nobody/${link.pm_collect_link_id}`,
  ]) {
    const answer = await http('GET', `${shop.url}${path}/${named}`)
    isRefused(answer, 404, 'IR_37')
    equal(answer.body.error.message, 'payment method collect link not found')
    match((await page(`${shop.url}${path}/${named}`)).text, /This link is not valid/)
    isRefused(await submit(shop, { ...link, submits: `payment_methods/collect/${named}` }), 404, 'IR_37')
  }
  isRefused(await submit(other, link), 404, 'IR_37')
  isRefused(await submit(shop, { ...link, client_secret: `${link.client_secret.slice(0, -1)}!` }), 400, 'IR_09')
  isRefused(await http('POST', `${shop.url}${path}`, { customer_id }, { 'api-key': shop.publishable_key }), 403, 'IR_22')
  isRefused(await shop.post(`/${link.submits}`, { client_secret: link.client_secret, payout_method_data: recipients.bank() }), 403, 'IR_22')
  deepEqual(await saved(shop), [])
})

test('the offered payment methods follow from the connector accounts or the limits of the link, and no others are accepted', async () => {
  const shop = await openCustomer()
  const all = offers(await linked(shop))
  for (const one of ['card', 'sepa_bank_transfer', 'ach', 'paypal', 'interac']) ok(all.includes(one), one)
  const bare = await openShop()
  await bare.post('/customers', { customer_id })
  deepEqual(offers(await linked(bare)), ['card'])
  const only = { enabled_payment_methods: [{ payment_method: 'bank_transfer', payment_method_types: ['sepa', 'bacs'] }] }
  const link = await linked(shop, only)
  deepEqual(offers(link), ['bacs', 'sepa_bank_transfer'])
  isRefused(await submit(shop, link, recipients.card()), 422, 'IR_06', /card is not enabled/)
  const ach = { bank: { bank_account_number: '000123456', bank_routing_number: '110000000' } }
  isRefused(await submit(shop, link, ach), 422, 'IR_06', /ach is not enabled/)
  isRefused(await submit(shop, link, { bank: { iban: 'DE00370400440532013000' } }), 422, 'IR_06', /payout_method_data\.bank\.iban/)
  isRefused(await submit(shop, link, {}), 400, 'IR_04', /payout_method_data/)
  deepEqual(await saved(shop), [])
  equal((await submit(shop, link)).status, 200)
})

test('an expired collect link shows that it has expired, contains no secret, and saves nothing', async () => {
  const shop = await openCustomer()
  const link = await linked(shop, { session_expiry: 60, return_url: 'https://shop.example/' })
  await shop.wait('1 minute')
  const { text } = await page(link.link)
  match(text, /This link has expired/)
  match(text, /status=expired/)
  ok(!text.includes('_secret_') && !text.includes(shop.publishable_key), text)
  isRefused(await submit(shop, link), 400, 'IR_08')
  deepEqual(await saved(shop), [])
})

test('a collect link is deleted with its customer', async () => {
  const shop = await openCustomer()
  const link = await linked(shop)
  equal((await shop.call('DELETE', `/customers/${customer_id}`)).status, 200)
  isRefused(await http('GET', link.link), 404, 'IR_37')
  isRefused(await submit(shop, link), 404, 'IR_37')
  isRefused(await made(shop), 400, 'IR_11')
})

test('a collect link overrides the theme of the profile, uses the language of the browser, and restricts external content', async () => {
  const shop = await openCustomer()
  const own = { theme: '#0b7a4b', logo: 'https://shop.example/logo.png', merchant_name: 'Chairs & Co' }
  await shop.profile({ payout_link_config: { ...own, domain_name: 'pay.shop.example', allowed_domains: ['shop.example'] } })
  const { link } = (await made(shop, { merchant_name: 'Chairs of Oslo', theme: '#123456' })).body
  ok(link.startsWith('https://pay.shop.example/payment_methods/collect/'))
  const answer = await page(link.replace('https://pay.shop.example', shop.url), 'de')
  match(answer.text, /--theme: #123456/)
  match(answer.text, /Ihre Angaben für Chairs of Oslo/)
  const policy = policyOf(answer)
  equal(policy['frame-ancestors'], 'https://shop.example')
  equal(policy['img-src'], "'self' https://shop.example/logo.png")
  deepEqual([policy['connect-src'], policy['form-action'], policy['trusted-types']], ["'self'", "'none'", "'none'"])
})
