import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { request } from 'undici'
import { eventually } from '../eventually.ts'
import { openPayoutShop } from '../payout-shop.ts'
import { type Body, cards } from '../shop.ts'
import { lampShop, openCheckout, order, seriousOf } from './element.ts'

// Dangers in a shop's page that must not occur: an order is paid twice, or the page's scripts find any card data.

test('a customer who is offline keeps the typed card and is not charged, and can pay once back online', async () => {
  const shop = await lampShop()
  const { page, frame, type, pay, result } = await openCheckout(shop, await order(shop))
  await type(cards.approves)
  await page.context().setOffline(true)
  await pay()
  deepEqual([(await result()).error.type, (await result()).error.code], ['connection_error', 'not_sent'])
  equal(await frame.getByLabel('Card number').inputValue(), '4242 4242 4242 4242')
  equal((await shop.processor.operations()).length, 0)
  await page.context().setOffline(false)
  await pay()
  equal((await result(2)).payment.status, 'succeeded')
  equal((await shop.processor.charges()).length, 1)
})

test('a payment whose response is lost is looked up and not charged again; a reload shows it as paid', async () => {
  const shop = await lampShop()
  const payment = await order(shop)
  const { page, frame, type, pay, result } = await openCheckout(shop, payment)
  await page.route('**/confirm', async route => {
    await route.fetch()
    await route.abort()
  })
  await type(cards.approves)
  await pay()
  equal((await result()).payment.status, 'succeeded')
  await page.reload()
  await frame.getByRole('heading', { name: 'Payment complete' }).waitFor()
  const found = (await page.evaluate(`switchyard.retrievePayment('${payment.client_secret}')`)) as Body
  deepEqual([found.payment.status, found.payment.payment_id], ['succeeded', payment.payment_id])
  await pay()
  equal((await result()).error.code, 'not_payable')
  equal((await shop.get(payment.payment_id)).attempt_count, 1)
  equal((await shop.processor.charges()).length, 1)
})

test('a payment open in two tabs is charged once', async () => {
  const shop = await lampShop()
  const payment = await order(shop)
  const [first, second] = [await openCheckout(shop, payment), await openCheckout(shop, payment)]
  for (const one of [first, second]) await one.type(cards.approves)
  await first.pay()
  equal((await first.result()).payment.status, 'succeeded')
  await second.pay()
  equal((await second.result()).payment.status, 'succeeded')
  await second.frame.getByRole('heading', { name: 'Payment complete' }).waitFor()
  equal((await shop.processor.charges()).length, 1)
})

test('an expired session is shown as expired, in an element opened before and in one opened later', async () => {
  const shop = await lampShop()
  const payment = await order(shop)
  const early = await openCheckout(shop, payment)
  await early.type(cards.approves)
  await shop.wait('16 minutes')
  await early.pay()
  deepEqual([(await early.result()).error.type, (await early.result()).error.code], ['session_error', 'session_expired'])
  await early.frame.getByRole('heading', { name: 'The time to pay has expired' }).waitFor()
  const late = await openCheckout(shop, payment)
  await late.frame.getByRole('heading', { name: 'The time to pay has expired' }).waitFor()
  ok((await late.log()).some(([name, { error }]) => name === 'error' && error.code === 'session_expired'))
  equal((await shop.processor.operations()).length, 0)
})

/** A script that records all messages that the shop's page receives; it runs before any script of the page. */
const listens = `
window.heard = []
addEventListener('message', event => { try { heard.push(JSON.stringify(event.data)) } catch {} }, true)`

test('no card data reaches the surrounding page: not its document, storage, history, referrers, messages or console', async () => {
  const shop = await lampShop()
  const { page, type, pay, result } = await openCheckout(shop, await order(shop), {}, undefined, { has: listens })
  const exposed: string[] = []
  page.on('console', message => exposed.push(message.text()))
  page.on('request', one => {
    if (one.frame() === page.mainFrame()) exposed.push(one.url(), JSON.stringify(one.headers()), one.postData() ?? '')
  })
  await type(cards.approves)
  await pay()
  await result()
  exposed.push(
    (await page.evaluate(`JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }, document.cookie,
      location.href, history.state, document.referrer, heard, told, log, performance.getEntries().map(one => one.name)])`)) as string,
  )
  ok(((await page.evaluate('heard.length')) as number) > 3, 'messages came')
  const all = exposed.join('\n')
  for (const canary of ['4242424242424242', '4242 4242', '"737"', '12 / 40']) ok(!all.includes(canary), canary)
})

test('a hostile page cannot read the frame, and its forged messages are ignored', async () => {
  const shop = await lampShop()
  const { page, frame, type, pay, result, log, problems } = await openCheckout(shop, await order(shop))
  await type(cards.approves)
  const outcome = (await page.evaluate(`(() => {
    const frame = document.querySelector('#payment iframe')
    let read = 'nothing'
    try { read = frame.contentWindow.document.body.innerHTML } catch (error) { read = error.name }
    return [read, frame.contentDocument]
  })()`)) as unknown[]
  deepEqual(outcome, ['SecurityError', null])
  // Sends messages of another channel, and messages from a window that is not a frame of our script.
  await page.evaluate(`(() => {
    const frame = document.querySelector('#payment iframe')
    for (const type of ['confirm', 'update', 'init', 'settled'])
      frame.contentWindow.postMessage({ switchyard: 1, channel: 'guessed', type, id: 'x', appearance: { theme: 'dark' } }, '*')
    for (const type of ['hello', 'resize', 'result', 'change'])
      window.postMessage({ switchyard: 1, channel: 'guessed', type, height: 9999, id: 'x', complete: false, value: { type: 'forged' } }, '*')
  })()`)
  await frame.getByLabel('Card number').focus()
  equal(await frame.locator('html').getAttribute('data-scheme'), 'light')
  equal((await shop.processor.operations()).length, 0)
  ok(!(await log()).some(([, event]) => event.value?.type === 'forged'))
  ok(((await page.locator('#payment iframe').boundingBox())!.height as number) < 3000)
  await pay()
  equal((await result()).payment.status, 'succeeded')
  deepEqual(seriousOf(problems), [])
})

test('a page whose content security policy blocks the frame gets an error that names the missing directive', async () => {
  const shop = await lampShop()
  const { page, log } = await openCheckout(shop, await order(shop), { unframed: '1' })
  await eventually(async () => (await log()).length > 0, 'the page is told')
  const [[name, { error }]] = (await log()) as [[string, Body]]
  deepEqual([name, error.code], ['error', 'frame_not_loaded'])
  ok(error.developer_message.includes(`frame-src must allow ${shop.url}`), error.developer_message)
  equal(error.message, 'The payment form could not be loaded. Please reload the page.', 'the customer is told that it is not there')
  equal(page.frames().length, 2)
})

test('invalid appearance settings are ignored and named in an error; valid ones are applied', async () => {
  const shop = await lampShop()
  const payment = await order(shop)
  const looks = {
    accent: '#ffff66',
    onAccent: '#333333',
    radius: '4px',
    fontFamily: 'Georgia, serif',
    colour: 'red',
    fonts: [{ family: 'x', src: 'http://a.example/x.woff2' }],
  }
  const { frame, log } = await openCheckout(shop, payment, { appearance: JSON.stringify(looks) })
  await frame.getByLabel('Card number').waitFor()
  const [, { error }] = (await log()).find(([name]) => name === 'error')!
  equal(error.code, 'appearance_invalid')
  for (const name of ['accent', 'onAccent', 'colour', 'fonts']) ok(error.developer_message.includes(name), name)
  equal(error.message, '', 'nothing is wrong for the customer')
  const style = await frame.locator('html').getAttribute('style')
  ok(style!.includes('--round: 4px') && style!.includes('Georgia') && !style!.includes('ffff66'), style!)
})

/** Gives the transferred sizes of the script and of all files of a frame. */
async function weights(page: Page, home: string, shows: () => Promise<void>): Promise<{ loader: number; frame: number }> {
  const asked: string[] = []
  page.on('request', one => void (one.url().startsWith(home) && asked.push(one.url())))
  await page.reload()
  await shows()
  const weigh = async (url: string) => {
    const { body, headers } = await request(url, { headers: { 'accept-encoding': 'gzip' } })
    const bytes = Buffer.from(await body.arrayBuffer())
    return headers['content-encoding'] === 'gzip' ? bytes.length : gzipSync(bytes).length
  }
  const files = [...new Set(asked)].filter(url => /\/(?:pages|sdk)\//.test(url))
  const [loader, ...others] = files.filter(url => url.includes('/sdk/v1'))
  equal(others.length, 0)
  let frame = 0
  for (const url of files.filter(url => url !== loader)) frame += await weigh(url)
  return { loader: await weigh(loader!), frame }
}

test('the script is at most 12 kB and each frame at most 60 kB, compressed', async () => {
  const shop = await openPayoutShop()
  const { secret } = (await shop.post('/ephemeral_keys', { customer_id: 'grace' })).body
  const payout = await shop.payOut({ confirm: false, customer_id: 'grace' })
  const elements = {
    payment: [await order(shop), {}, 'Card number'],
    paymentMethods: [{}, { element: 'paymentMethods', customer: 'grace', ephemeral: secret }, 'You have no saved payment methods.'],
    payout: [payout, { element: 'payout' }, 'The account already on file'],
  } as const
  for (const [name, [object, asks, shown]] of Object.entries(elements)) {
    const { page, frame } = await openCheckout(shop, object, asks)
    const weighed = await weights(page, shop.url, () => frame.getByText(shown).first().waitFor())
    console.log(`${name}: script ${weighed.loader}, frame ${weighed.frame}`)
    ok(weighed.loader <= 12_000, name)
    ok(weighed.frame <= 60_000, `${name} ${weighed.frame}`)
    await page.context().close()
  }
})

test('the frames of the payment methods and payout elements ignore forged messages', async () => {
  const shop = await openPayoutShop()
  const { secret } = (await shop.post('/ephemeral_keys', { customer_id: 'grace' })).body
  const payout = await shop.payOut({ confirm: false, customer_id: 'grace' })
  for (const [object, asks] of [
    [{}, { element: 'paymentMethods', customer: 'grace', ephemeral: secret }],
    [payout, { element: 'payout' }],
  ] as const) {
    const { page, frame, log, problems } = await openCheckout(shop, object, asks)
    await frame.locator('#none, #submit').filter({ visible: true }).first().waitFor()
    await page.evaluate(`(() => {
      const frame = document.querySelector('#payment iframe')
      for (const type of ['setup', 'act', 'update', 'init', 'confirm', 'settled'])
        frame.contentWindow.postMessage({ switchyard: 1, channel: 'guessed', type, client_secret: 'x', appearance: { theme: 'dark' } }, '*')
      for (const type of ['saved', 'payout', 'setup', 'act', 'change'])
        window.postMessage({ switchyard: 1, channel: 'guessed', type, action: 'forged', payout: {}, value: { type: 'forged' } }, '*')
    })()`)
    equal(await frame.locator('html').getAttribute('data-scheme'), 'light')
    ok(!(await log()).some(([name, event]) => ['paymentMethod', 'payout'].includes(name) || event.value?.type === 'forged'))
    equal(await page.locator('dialog').count(), 0)
    deepEqual(
      seriousOf(problems).filter(one => !/status of 404/.test(one)),
      [],
    )
  }
  equal((await shop.paidOut()).length, 0)
})
