import { deepEqual, equal, match } from 'node:assert/strict'
import { after, test } from 'node:test'
import { isSigned, openShop as openDemoShop } from '../../examples/shop/server.js'
import { cards, openShop } from '../shop.ts'
import { barriersOf, checkoutOn, seriousOf } from './element.ts'
import { isNotWider, see } from './look.ts'
import { desktop, phone, visit } from './visit.ts'

// The shop of `examples/shop`, as opened by `npm run demo`.

const sandbox = process.env.TEST_SANDBOX_URL!

async function openDemo(size = desktop) {
  const shop = await openShop({ account: { merchant_name: 'Northlight Supply' } })
  const demo = await openDemoShop({ switchyard: shop.url, key: shop.api_key, publishableKey: shop.publishable_key })
  after(() => demo.close())
  const visited = await visit(demo.address, '/', size, { mayAsk: [shop.url, sandbox] })
  return { shop, demo, ...visited, ...checkoutOn(visited.page) }
}

test('a customer pays a basket in the shop’s page, and the shop’s server receives the webhooks as they happen', async () => {
  const { shop, page, type, problems } = await openDemo()
  await page.getByRole('button', { name: 'More: Oak chair' }).click()
  await page.getByText('€338.00').first().waitFor()
  await page.getByRole('button', { name: 'Check out' }).click()
  await type(cards.approves)
  await see(page, 'demo-shop')
  deepEqual(await barriersOf(page), [])
  await page.getByRole('button', { name: 'Pay €338.00' }).click()
  await page.getByText('Paid. Thank you!').waitFor()
  await shop.wait('0 seconds')
  await page.getByText('payment_succeeded').waitFor()
  await see(page, 'demo-shop-paid')
  const [charge, ...more] = await shop.processor.charges()
  deepEqual([charge!.amount, more.length], [33_800, 0])
  deepEqual(seriousOf(problems), [])
})

test('after a declined card the customer of the shop pays with another one, on the same page', async () => {
  const { shop, page, type, frame, problems } = await openDemo(phone)
  await page.getByRole('button', { name: 'Check out' }).click()
  for (const number of [cards.declines, cards.hasNoMoney]) {
    await type(number)
    await page.getByRole('button', { name: 'Pay €89.00' }).click()
    await frame
      .getByRole('alert')
      .getByText(number === cards.declines ? 'The payment was declined' : 'insufficient funds')
      .waitFor()
    await page.getByRole('button', { name: 'Pay €89.00', disabled: false }).waitFor()
    equal(await page.locator('#status').innerText(), '', 'the sentence stands in the element, and only there')
  }
  await see(page, 'demo-shop-declined')
  await type(cards.approves)
  await page.getByRole('button', { name: 'Pay €89.00' }).click()
  await page.getByText('Paid. Thank you!').waitFor()
  deepEqual(
    (await shop.processor.charges()).map(({ amount }) => amount),
    [8900],
  )
  deepEqual(seriousOf(problems), [])
})

test('a customer pays a subscription, and is charged for the next month without being present', async () => {
  const { shop, page, type, problems } = await openDemo(phone)
  await page.getByRole('radio', { name: /every month/ }).check()
  await page.getByRole('button', { name: 'Check out' }).click()
  await type(cards.approves)
  await page.getByRole('button', { name: 'Pay €89.00' }).click()
  await page.getByText('Paid. Thank you!').waitFor()
  await shop.wait('0 seconds')
  const [{ payment_id }] = await shop.query('select payment_id from payments where merchant_id = $1', [shop.merchant_id])
  await page.goto(`${new URL(page.url()).origin}/?payment_id=${payment_id}`)
  await page.getByRole('button', { name: 'Charge the next month' }).click()
  await page.getByText('Charged €89.00 for the next month, without you.').waitFor()
  await isNotWider(page, phone.width)
  const charges = await shop.processor.charges()
  deepEqual(
    charges.map(({ amount }) => amount),
    [8900, 8900],
  )
  deepEqual(seriousOf(problems), [])
})

test('a customer of the shop adds a card, pays with it, and deletes it', async () => {
  const { shop, page, frame, problems } = await openDemo()
  const list = page.frameLocator('#cards iframe')
  await page.getByRole('button', { name: 'Show your cards' }).click()
  await list.getByRole('button', { name: 'Add a card' }).click()
  await list.getByText('keeps the card so that you need not type it again').waitFor()
  await list.getByLabel('Card number').pressSequentially(cards.approves)
  await list.getByLabel('Expiry date').fill('12 / 40')
  await list.getByLabel('Security code').fill('737')
  await list.getByRole('button', { name: 'Save card' }).click()
  await list.getByText('Your card is saved.').waitFor()
  equal((await shop.processor.charges()).filter(({ amount }) => amount > 0).length, 0)
  await page.getByRole('button', { name: 'Check out' }).click()
  await frame.getByRole('radio', { name: /Visa ending in 4242/ }).check()
  await frame.getByLabel('Security code').filter({ visible: true }).fill('737')
  await see(page, 'demo-shop-cards')
  deepEqual(await barriersOf(page), [])
  await page.getByRole('button', { name: 'Pay €89.00' }).click()
  await page.getByText('Paid. Thank you!').waitFor()
  await list.getByRole('button', { name: 'Delete' }).click()
  await list.getByRole('button', { name: 'Delete' }).click()
  await list.getByText('You have no saved payment methods.').waitFor()
  deepEqual(
    seriousOf(problems).filter(one => !/status of 404/.test(one)),
    [],
  )
})

test('a customer pays a basket on the hosted page and returns to the shop', async () => {
  const { shop, page, went } = await openDemo()
  await page.getByRole('radio', { name: /page of the payment service/ }).check()
  await page.getByRole('button', { name: 'Check out' }).click()
  await page.waitForURL(/payment_link/)
  await page.getByLabel('Card number').pressSequentially(cards.approves)
  await page.getByLabel('Expiry date').fill('12 / 40')
  await page.getByLabel('Security code').filter({ visible: true }).fill('737')
  await page.locator('#submit').click()
  await page.getByText('Paid. Thank you!').waitFor()
  equal((await shop.processor.charges()).length, 1)
  deepEqual(went, [])
})

test('the shop rejects unsigned webhooks, shows no other customer’s order, and takes no price from the browser', async () => {
  const { shop, demo, page } = await openDemo()
  const hook = { 'webhook-id': 'evt_1', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)), 'webhook-signature': 'v1,AAAA' }
  equal((await fetch(`${demo.address}/webhooks`, { method: 'POST', headers: hook, body: '{}' })).status, 401)
  equal(isSigned(hook, '{}', 'whsec_AAAA'), false)
  const foreign = await shop.create({ payment_method: undefined, payment_method_data: undefined })
  equal((await fetch(`${demo.address}/orders/${foreign.payment_id}`)).status, 404)
  const post = (body: object) =>
    fetch(`${demo.address}/orders`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  const json = { method: 'POST', headers: { 'content-type': 'application/json' } }
  equal((await fetch(`${demo.address}/orders`, { ...json, body: 'lamp' })).status, 400)
  equal((await fetch(`${demo.address}/orders/${foreign.payment_id}/renewal`, { ...json, body: '{}' })).status, 400)
  equal((await post({ items: { lamp: -1 } })).status, 400)
  equal((await post({ items: { lamp: 21 } })).status, 400)
  const order = (await (await post({ items: { coffee: 2 }, amount: 1 })).json()) as { amount: number; client_secret: string }
  equal(order.amount, 3300)
  match(order.client_secret, /_secret_/)
  await page.context().close()
})
