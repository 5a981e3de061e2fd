import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { selfMade } from '../certificate.ts'
import { eventually } from '../eventually.ts'
import { type Body, openShop, type Shop } from '../shop.ts'
import { barriers, heading, isNotWider } from './look.ts'
import { DOMAIN, desktop, phone, visit } from './visit.ts'

// Apple Pay on the page of a payment link, in a browser with a built-in `ApplePaySession`, as Safari has. The stand-in
// for Safari's sheet behaves as Apple documents, and records all calls to it.

/**
 * Gives a script with the browser's own Apple Pay. `does`: the customers' actions, one sheet after the other; `is
 * declined` pays with a token that the sandbox declines.
 */
const safari = (does: ('pays' | 'is declined' | 'goes away')[]) => `
const does = ${JSON.stringify(does)}
window.ApplePaySession = class {
  static STATUS_SUCCESS = 0
  static STATUS_FAILURE = 1
  static supportsVersion = version => version <= 14
  static canMakePayments = () => true
  constructor(version, request) {
    if (!request.countryCode || !request.currencyCode || !request.total || !request.supportedNetworks || !request.merchantCapabilities) throw new TypeError('no request')
    console.log('apple', JSON.stringify({ version, request }))
  }
  begin() {
    if (!navigator.userActivation.isActive) throw new Error('must be the customer’s doing')
    this.does = does.shift()
    setTimeout(() => this.onvalidatemerchant({ validationURL: 'https://apple-pay-gateway.apple.com/paymentservices/startSession' }))
  }
  completeMerchantValidation(session) {
    console.log('apple', JSON.stringify({ session }))
    if (!session.merchantSessionIdentifier || !session.signature || session.domainName !== location.hostname) throw new TypeError('no session')
    if (this.does === 'goes away') return setTimeout(() => this.oncancel({ sessionError: { code: 'unknown' } }))
    const data = this.does === 'is declined' ? 'TOKEN_0002' : 'dG9rZW4gb2YgQXBwbGU='
    setTimeout(() => this.onpaymentauthorized({ payment: {
      token: {
        paymentData: data === 'TOKEN_0002' ? data : { version: 'EC_v1', data, signature: 'c2ln', header: { publicKeyHash: 'aGFzaA==' } },
        paymentMethod: { displayName: 'Visa 4242', network: 'Visa', type: 'debit' },
        transactionIdentifier: data === 'TOKEN_0002' ? data : 'c0ffee',
      },
      billingContact: { givenName: 'Grace', familyName: 'Hopper', addressLines: ['Storgata 1'], locality: 'Oslo', postalCode: '0155', countryCode: 'no' },
    } }))
  }
  completePayment({ status }) { console.log('apple', JSON.stringify({ status })) }
  abort() {
    console.log('apple', JSON.stringify({ aborted: true }))
    setTimeout(() => this.oncancel({}))
  }
}`

const { certificate, key: certificate_keys } = selfMade('merchant.example.chairs')

/** Opens a shop that accepts Apple Pay on pages of this domain. */
async function openAppleShop(initiative_context = DOMAIN): Promise<Shop> {
  const shop = await openShop({ account: { merchant_name: 'Chairs & Co', return_url: 'https://shop.example/thanks' } })
  const session_token_data = {
    merchant_identifier: 'merchant.example.chairs',
    initiative: 'web',
    initiative_context,
    certificate,
    certificate_keys,
  }
  const payment_request_data = { label: 'Chairs & Co', supported_networks: ['visa'], merchant_capabilities: ['supports3DS'] }
  const answer = await shop.post(`/account/${shop.merchant_id}/connectors/${shop.merchant_connector_id}`, {
    connector_type: 'payment_processor',
    connector_wallets_details: {
      apple_pay: { session_token_data: { ...session_token_data, merchant_business_country: 'NO' }, payment_request_data },
    },
  })
  equal(answer.status, 200, answer.text)
  return shop
}

type Prefers = Parameters<typeof visit>[3]
async function open(shop: Shop, has: string, more: Body = {}, size = desktop, prefers: Prefers = {}) {
  const unpaid = { payment_method: undefined, payment_method_data: undefined, amount: 24_900, currency: 'EUR' }
  const { payment_id, payment_link } = await shop.create({ ...unpaid, payment_link: true, ...more })
  const home = shop.url.replace('127.0.0.1', DOMAIN)
  return { payment_id, ...(await visit(home, payment_link.link.slice(shop.url.length), size, { has, ...prefers })) }
}

const apple = (page: Page) => page.getByRole('button', { name: 'Pay with Apple Pay' })

/** Records all further calls to the browser's Apple Pay. */
function recordCalls(page: Page): Body[] {
  const calls: Body[] = []
  page.on('console', message => message.text().startsWith('apple ') && calls.push(JSON.parse(message.text().slice(6))))
  return calls
}

test('a customer pays with Apple Pay: the browser receives Apple’s session, and the processor receives the token', async () => {
  const shop = await openAppleShop()
  await shop.profile({ always_collect_billing_details_from_wallet_connector: true })
  const { payment_id, page, problems } = await open(shop, safari(['goes away', 'pays']), {}, phone)
  await apple(page).waitFor()
  equal(await page.getByRole('radio', { name: 'Apple Pay' }).count(), 0, 'and nobody is led elsewhere for it')
  deepEqual(await barriers(page), [])
  await isNotWider(page, phone.width)
  const calls = recordCalls(page)
  await apple(page).click()
  await eventually(async () => calls.length === 2, 'the sheet has Apple’s session', 120)
  await page.getByText('Confirm the payment in Apple Pay.').waitFor({ state: 'hidden' })
  deepEqual(calls[0]!.request, {
    countryCode: 'NO',
    currencyCode: 'EUR',
    total: { label: 'Chairs & Co', type: 'final', amount: '249.00' },
    merchantCapabilities: ['supports3DS'],
    supportedNetworks: ['visa'],
    requiredBillingContactFields: ['postalAddress'],
  })
  equal((await shop.get(payment_id)).status, 'requires_payment_method', 'whoever goes away has not paid')
  await apple(page).click()
  await heading(page, 'Payment complete')
  deepEqual(
    calls.map(one => Object.keys(one)[0]),
    ['version', 'session', 'version', 'session', 'status'],
  )
  equal(calls[4]!.status, 0)
  notEqual(calls[3]!.session.nonce, calls[1]!.session.nonce, 'a session is for one sheet')
  const { status, payment_method_type, payment_method_data, billing } = await shop.get(payment_id)
  deepEqual([status, payment_method_type, billing.address.city, billing.address.country], ['succeeded', 'apple_pay', 'Oslo', 'NO'])
  match(JSON.stringify(payment_method_data), /Visa/)
  equal((await shop.processor.charges()).length, 1)
  deepEqual(problems, [])
})

test('a customer whose Apple Pay payment is declined sees that, and pays by card', async () => {
  const shop = await openAppleShop()
  const { payment_id, page, problems } = await open(shop, safari(['is declined']))
  const calls = recordCalls(page)
  await apple(page).click()
  await page.getByRole('alert').getByText('The payment was declined').waitFor()
  equal(calls.at(-1)!.status, 1)
  await page.getByLabel('Card number').pressSequentially('4242424242424242')
  await page.getByLabel('Expiry date').pressSequentially('1240')
  await page.getByLabel('Security code').pressSequentially('737')
  await page.locator('#submit').click()
  await heading(page, 'Payment complete')
  equal((await shop.get(payment_id)).attempt_count, 2)
  // The browser may log only one problem: session tokens are refused after the decline.
  ok(
    problems.every(one => one.includes('400')),
    String(problems),
  )
})

test('if the response to Apple Pay is lost, the sheet closes, and the payment is retrieved, not made again', async () => {
  const shop = await openAppleShop()
  const { payment_id, page } = await open(shop, safari(['pays']))
  // The confirm reaches the service, and the connection breaks before its answer arrives.
  await page.route('**/confirm', async route => {
    await route.fetch({ url: route.request().url().replace(DOMAIN, '127.0.0.1') })
    await route.abort()
  })
  const calls = recordCalls(page)
  await apple(page).click()
  await heading(page, 'Payment complete')
  deepEqual(Object.keys(calls.at(-1)!), ['aborted'])
  equal((await shop.get(payment_id)).attempt_count, 1)
  equal((await shop.processor.charges()).length, 1)
})

test('if Apple no longer issues a session, the sheet closes, and the card form is still there', async () => {
  const shop = await openAppleShop()
  const { page } = await open(shop, safari(['goes away', 'pays']))
  // The page has the first session by then.
  await apple(page).waitFor()
  await page.route('**/session_tokens', route => route.abort())
  const calls = recordCalls(page)
  await apple(page).click()
  await eventually(async () => calls.length === 2, 'the first sheet has a session', 120)
  await apple(page).waitFor({ state: 'detached' })
  await page.getByLabel('Card number').waitFor()
  equal(await page.locator('#submit').getAttribute('aria-disabled'), 'false')
})

test('Apple Pay is offered if the browser supports it and Apple has verified the domain, in every language and color', async () => {
  const shop = await openAppleShop()
  const german = await open(shop, safari([]), {}, desktop, { locale: 'de-DE', colorScheme: 'dark' })
  await german.page.getByRole('button', { name: 'Mit Apple Pay bezahlen' }).waitFor()
  deepEqual(await barriers(german.page), [])
  const elsewhere = await openAppleShop('shop.chairs.example')
  for (const { page, problems } of [german, await open(shop, ''), await open(elsewhere, safari([]))].slice(1)) {
    await page.getByLabel('Card number').waitFor()
    equal(await page.locator('#apple-pay').count(), 0)
    deepEqual(problems, [])
  }
  deepEqual(german.problems, [])
})
