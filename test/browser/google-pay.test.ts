import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { FrameLocator, Page } from 'playwright-core'
import { eventually } from '../eventually.ts'
import { type Body, cards, openShop, type Shop } from '../shop.ts'
import { barriersOf, openCheckout, order, seriousOf } from './element.ts'
import { GOOGLE, google, openGoogleShop, serving } from './google.ts'
import { barriers, heading, isNotWider, see } from './look.ts'
import { desktop, phone, visit } from './visit.ts'

// Google Pay and PayPal above the form, on the page of a payment link and in a shop's own page.

const sandbox = process.env.TEST_SANDBOX_URL!

/** Opens the page of a payment link. */
async function openLink(shop: Pick<Shop, 'url' | 'create'>, script: string, size = desktop, prefers: Parameters<typeof visit>[3] = {}) {
  const payment = await order(shop, { payment_link: true })
  const visited = await visit(shop.url, payment.payment_link.link.slice(shop.url.length), size, { ...serving(script), ...prefers })
  return { payment, ...visited }
}

const googleIn = (page: Page | FrameLocator) => page.frameLocator('#google-pay').getByRole('button', { name: 'Google Pay' })

const isReady = (log: () => Promise<[string, Body][]>) =>
  eventually(async () => (await log()).some(([name]) => name === 'ready'), 'it is ready')

/** Records all further calls to Google's script. */
function recordCalls(page: Page): Body[] {
  const calls: Body[] = []
  page.on('console', message => message.text().startsWith('google ') && calls.push(JSON.parse(message.text().slice(7))))
  return calls
}

test('Google Pay on a payment link page requests the details of this payment, and its token is charged once', async () => {
  const shop = await openGoogleShop()
  const { payment, page, problems } = await openLink(shop, google(['goes away', 'pays']), phone)
  await googleIn(page).waitFor()
  equal(await page.getByRole('radio', { name: 'Google Pay' }).count(), 0, 'and no customer is led elsewhere for it')
  deepEqual(await barriers(page), [])
  await isNotWider(page, phone.width)
  await see(page, 'google-pay-link')
  const calls = recordCalls(page)
  await googleIn(page).click()
  await eventually(async () => calls.length === 1, 'the sheet was open', 120)
  deepEqual(calls[0]!.request, {
    apiVersion: 2,
    apiVersionMinor: 0,
    merchantInfo: { merchantName: 'Chairs & Co', merchantId: 'BCR2DN4T' },
    allowedPaymentMethods: [
      {
        type: 'CARD',
        parameters: {
          allowedAuthMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
          allowedCardNetworks: ['VISA', 'MASTERCARD'],
          billingAddressRequired: true,
        },
        tokenizationSpecification: {
          type: 'PAYMENT_GATEWAY',
          parameters: { gateway: 'phonypay', gatewayMerchantId: 'chairs', 'phony:version': '1' },
        },
      },
    ],
    transactionInfo: { currencyCode: 'EUR', totalPriceStatus: 'FINAL', totalPrice: '249.00' },
    emailRequired: false,
    shippingAddressRequired: false,
  })
  equal((await shop.get(payment.payment_id)).status, 'requires_payment_method', 'a customer who goes away has not paid')
  await googleIn(page).click()
  await heading(page, 'Payment complete')
  const { status, payment_method_type, payment_method_data, billing } = await shop.get(payment.payment_id)
  deepEqual([status, payment_method_type, billing.address.city, billing.address.first_name], ['succeeded', 'google_pay', 'Oslo', 'Grace'])
  match(JSON.stringify(payment_method_data), /4242/)
  equal((await shop.processor.charges()).length, 1)
  deepEqual(problems, [])
})

test('in the merchant’s page Google’s script runs in a frame of its own; a decline is shown, and another card succeeds', async () => {
  const shop = await openGoogleShop()
  const { payment_id, client_secret } = await order(shop)
  const checkout = await openCheckout(shop, { payment_id, client_secret }, {}, phone, serving(google(['is declined', 'breaks'])))
  const { page, frame, problems, log } = checkout
  await googleIn(frame).click()
  await frame.getByRole('alert').getByText('The payment was declined').waitFor()
  await eventually(
    async () => (await log()).some(([name, event]) => name === 'payment' && event.error?.type === 'payment_error'),
    'the shop hears',
  )
  await googleIn(frame).click()
  await frame.getByRole('alert').getByText('cannot be reached right now').waitFor()
  await see(page, 'google-pay-element')
  deepEqual(await barriersOf(page), [])
  deepEqual(
    page.frames().map(one => [new URL(one.url()).pathname, one.url().startsWith(GOOGLE)]),
    [
      ['/', false],
      ['/sdk/frame', false],
      ['/sdk/google-pay', false],
    ],
  )
  const isForeign = '[...document.scripts].map(one => one.src).some(src => src && !src.startsWith(location.origin))'
  deepEqual(
    await Promise.all(
      page
        .frames()
        .slice(1)
        .map(one => one.evaluate(isForeign)),
    ),
    [false, true],
  )
  await checkout.type(cards.approves)
  await checkout.pay()
  equal((await checkout.result()).payment.status, 'succeeded')
  equal(await frame.locator('.express').count(), 0)
  equal((await shop.get(payment_id)).attempt_count, 2)
  deepEqual(seriousOf(problems), [])
})

test('an express element is ready once it knows whether this browser has a wallet', async () => {
  const shop = await openGoogleShop()
  for (const [script, wallets] of [
    [google(['pays']), ['google_pay']],
    [google([], '', false), []],
  ] as const) {
    const { page, frame, log, problems } = await openCheckout(
      shop,
      await order(shop),
      { element: 'express', dark: '1', appearance: '{"theme":"dark"}' },
      desktop,
      serving(script),
    )
    await isReady(log)
    deepEqual((await log()).find(([name]) => name === 'ready')![1].wallets, wallets)
    equal(await frame.locator('#google-pay').count(), wallets.length)
    await see(page, `google-pay-express-${wallets.length}`)
    if (wallets.length > 0) {
      await googleIn(frame).click()
      await frame.getByRole('heading', { name: 'Payment complete' }).waitFor()
      await eventually(
        async () => (await log()).some(([name, event]) => name === 'payment' && event.payment?.status === 'succeeded'),
        'the shop hears',
      )
    }
    deepEqual(seriousOf(problems), [])
  }
  equal((await shop.processor.charges()).length, 1)
})

test('without Google’s script, or without Google Pay on the account, a customer can pay by card', async () => {
  const shop = await openGoogleShop()
  const { page } = await openLink(shop, 'throw new Error("not today")')
  await page.getByLabel('Card number').waitFor()
  await page.locator('.express').waitFor({ state: 'detached' })
  const card = await openCheckout(shop, await order(shop), { element: 'card' }, desktop, serving(google(['pays'])))
  await card.frame.getByLabel('Card number').waitFor()
  deepEqual(
    [await card.frame.locator('#google-pay').count(), card.page.frames().length],
    [0, 2],
    'an element for cards alone asks Google for nothing',
  )
  const unsaid = await openShop()
  const plain = await openLink(unsaid, google(['pays']))
  await plain.page.getByLabel('Card number').waitFor()
  equal(await plain.page.locator('#google-pay').count(), 0, 'nor an account that does not say how it is opened')
  deepEqual([...card.problems, ...plain.problems], [])
})

test('a Google Pay payment whose response is lost is looked up, and not charged again', async () => {
  const shop = await openGoogleShop()
  const { payment, page } = await openLink(shop, google(['pays', 'pays']))
  await page.route('**/confirm', async route => {
    await route.fetch()
    await route.abort()
  })
  await googleIn(page).click()
  await heading(page, 'Payment complete')
  equal((await shop.get(payment.payment_id)).attempt_count, 1)
  equal((await shop.processor.charges()).length, 1)
})

test('Google’s token is sent to Stripe and Adyen as each requires, and is approved or declined', async () => {
  for (const [connector, pays, declines] of [
    ['stripe', '{"id":"tok_visa","object":"token"}', '{"id":"tok_chargeDeclined","object":"token"}'],
    ['adyen', 'TOKEN_OF_GOOGLE', 'TOKEN_OF_0002'],
  ] as const) {
    const shop = await openGoogleShop({ connector })
    for (const token of [declines, pays]) {
      const { payment, page } = await openLink(shop, google(['pays'], token))
      await googleIn(page).click()
      if (token === declines) await page.getByRole('alert').getByText('The payment was declined').waitFor()
      else await heading(page, /Payment complete|being processed/)
      const { status, payment_method_type } = await shop.get(payment.payment_id)
      deepEqual([payment_method_type, status === 'failed'], ['google_pay', token === declines], connector)
    }
  }
})

test('the Google Pay frame answers only our own page, and its content security policy allows only Google', async () => {
  const shop = await openGoogleShop()
  const answer = await fetch(`${shop.url}/sdk/google-pay`)
  const policy = answer.headers.get('content-security-policy')!
  match(policy, /script-src 'nonce-\w+' https:\/\/pay\.google\.com;/)
  match(policy, /frame-src https:\/\/pay\.google\.com;/)
  ok(!/strict-dynamic|unsafe-eval/.test(policy))
  const form = (await fetch(`${shop.url}/sdk/frame`)).headers.get('content-security-policy')!
  ok(!form.includes('google') && form.includes("frame-src 'self'"), form)
  const { page, log } = await openCheckout(shop, await order(shop), { element: 'express' }, desktop, serving(google(['pays'])))
  await isReady(log)
  // The shop's page embeds the frame itself, and sends the message that our form would send.
  const messages = await page.evaluate(`new Promise(done => {
    const heard = []
    addEventListener('message', ({ data }) => heard.push(data))
    const frame = document.createElement('iframe')
    frame.src = ${JSON.stringify(`${shop.url}/sdk/google-pay`)}
    frame.onload = () => {
      frame.contentWindow.postMessage({ google_pay: 'begin', environment: 'TEST', request: {}, radius: 0 }, '*')
      setTimeout(() => done(heard.filter(one => one?.google_pay)), 500)
    }
    document.body.append(frame)
  })`)
  deepEqual(messages, [])
})

test('the PayPal button redirects to PayPal, and leads back to the merchant', async () => {
  const shop = await openGoogleShop({ types: ['paypal'] })
  const payment = await order(shop, { return_url: 'https://shop.example/thanks' })
  const { page, frame, log, problems, went } = await openCheckout(shop, payment, { element: 'express' }, phone)
  const paypal = frame.getByRole('button', { name: 'Pay with PayPal' })
  await paypal.waitFor()
  await isReady(log)
  deepEqual((await log()).find(([name]) => name === 'ready')![1].wallets, ['paypal'])
  deepEqual(await barriersOf(page), [])
  await see(page, 'paypal-express')
  await paypal.click()
  await page.waitForURL(`${sandbox}/**`)
  await page.getByRole('button', { name: /accept/i }).click()
  await eventually(async () => went.some(address => address.startsWith('https://shop.example/thanks?')), 'back at the shop')
  const { status, payment_method_type } = await shop.get(payment.payment_id)
  deepEqual([status, payment_method_type], ['succeeded', 'paypal'])
  equal((await shop.processor.charges()).length, 1)
  deepEqual(seriousOf(problems), [])
})
