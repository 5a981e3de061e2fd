import { deepEqual, equal } from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '../eventually.ts'
import { sampleOf } from '../sample.ts'
import { type Body, cards, type Shop } from '../shop.ts'
import { lampShop, order, shopAddress } from './element.ts'
import { startFirefox } from './firefox.ts'

// The element in Firefox, another browser engine: the flows of most customers.

let started: ReturnType<typeof startFirefox> | undefined
after(async () => (await started)?.close())

const sandbox = process.env.TEST_SANDBOX_URL!

/** Opens the shop's page with its element. */
async function open(shop: Shop, payment: Body) {
  started ??= startFirefox()
  const page = await (await started).open()
  const { home, path } = await shopAddress(shop, payment)
  await page.goto(home + path)
  const frame = await page.frame('/sdk/frame')
  await frame.seen('[name=cardnumber]')
  return {
    page,
    frame,
    async result(times = 1): Promise<Body> {
      await eventually(async () => (await page.evaluate<number>('told.length')) >= times, 'the shop is answered', 120)
      return page.evaluate<Body>(`told[${times - 1}]`)
    },
    async type(number: string) {
      for (const [name, text] of [
        ['cardnumber', number],
        ['exp-date', '1240'],
        ['cvc', '737'],
      ] as const)
        await frame.fill(`[name=${name}]`, text)
    },
  }
}

const [TAB, ENTER] = ['\uE004', '\uE007']

const flows: Record<string, () => Promise<void>> = {
  'in Firefox a customer pays by card in the shop’s page': async () => {
    const shop = await lampShop()
    const { page, frame, type, result } = await open(shop, await order(shop))
    await type(cards.approves)
    await page.click('#buy')
    equal((await result()).payment.status, 'succeeded')
    await frame.seen('.outcome.good')
    equal((await shop.processor.charges()).length, 1)
    deepEqual(await page.errors(), [])
  },
  'in Firefox a decline is shown, and another card succeeds': async () => {
    const shop = await lampShop()
    const payment = await order(shop)
    const { page, frame, type, result } = await open(shop, payment)
    await type(cards.hasNoMoney)
    await page.click('#buy')
    deepEqual([(await result()).error.type, (await result()).error.payment.status], ['payment_error', 'failed'])
    await frame.seen('#alert .alert')
    await type(cards.approves)
    await page.click('#buy')
    equal((await result(2)).payment.status, 'succeeded')
    equal((await shop.get(payment.payment_id)).attempt_count, 2)
  },
  'in Firefox the bank’s challenge is shown over the shop’s page, and accepted': async () => {
    const shop = await lampShop()
    const { page, type, result } = await open(shop, await order(shop, { authentication_type: 'three_ds' }))
    await type(cards.challenges)
    await page.click('#buy')
    await (await page.frame(`${sandbox}/`)).click('form[action$=accept] button')
    equal((await result()).payment.status, 'succeeded')
    equal((await shop.processor.charges()).length, 1)
  },
  'in Firefox the element can be used by keyboard alone': async () => {
    const shop = await lampShop()
    const { page, result } = await open(shop, await order(shop, { allowed_payment_method_types: ['credit', 'debit'] }))
    for (const text of [cards.approves, '1240', '737']) await page.press(TAB + text)
    await page.press(ENTER)
    equal((await result()).payment.status, 'succeeded')
  },
}

for (const [name, runs] of sampleOf(Object.entries(flows), 2)) test(name, runs)
