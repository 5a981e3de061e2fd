import { deepEqual, equal } from 'node:assert/strict'
import { after, test } from 'node:test'
import puppeteer, { type Browser, type Frame, type Page } from 'puppeteer-core'
import { eventually } from '../eventually.ts'
import { sampleOf } from '../sample.ts'
import { type Body, cards, type Shop } from '../shop.ts'
import { lampShop, order, shopAddress } from './element.ts'
import { firefoxPath } from './firefox.ts'

// The element in Firefox, another browser engine: the flows of most customers. Firefox is driven by WebDriver BiDi,
// the one protocol that Debian's Firefox supports.

let launched: Promise<Browser> | undefined
after(async () => (await launched)?.close())

const sandbox = process.env.TEST_SANDBOX_URL!

type Opened = {
  page: Page
  problems: string[]
  frame: Frame
  result(times?: number): Promise<Body>
  type(number: string): Promise<void>
}

/** Opens the shop's page with its element. */
async function open(shop: Shop, payment: Body): Promise<Opened> {
  launched ??= puppeteer.launch({ browser: 'firefox', executablePath: firefoxPath, headless: true })
  const context = await (await launched).createBrowserContext()
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  const problems: string[] = []
  page.on('console', message => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', error => problems.push(String(error)))
  const { home, path } = await shopAddress(shop, payment)
  await page.goto(home + path)
  const frame = await frameAt(page, '/sdk/frame')
  await frame.waitForSelector('[name=cardnumber]', { visible: true })
  return {
    page,
    problems,
    frame,
    async result(times = 1) {
      await eventually(async () => ((await page.evaluate('told.length')) as number) >= times, 'the shop is answered', 120)
      return (await page.evaluate(`told[${times - 1}]`)) as Body
    },
    async type(number) {
      for (const [name, text] of [
        ['cardnumber', number],
        ['exp-date', '1240'],
        ['cvc', '737'],
      ] as const) {
        await frame.$eval(`[name=${name}]`, input => (input as unknown as { select(): void }).select())
        await frame.type(`[name=${name}]`, text)
      }
    },
  }
}

/** Gives a frame anywhere in the page, once it has loaded. */
async function frameAt(page: Page, part: string): Promise<Frame> {
  const found = () => page.frames().find(one => one.url().includes(part))
  await eventually(async () => found() !== undefined, `there is a frame ${part}`, 120)
  return found()!
}

const flows: Record<string, () => Promise<void>> = {
  'in Firefox a customer pays by card in the shop’s page': async () => {
    const shop = await lampShop()
    const { page, frame, type, result, problems } = await open(shop, await order(shop))
    await type(cards.approves)
    await page.click('#buy')
    equal((await result()).payment.status, 'succeeded')
    await frame.waitForSelector('.outcome.good')
    equal((await shop.processor.charges()).length, 1)
    deepEqual(problems, [])
  },
  'in Firefox a decline is shown, and another card succeeds': async () => {
    const shop = await lampShop()
    const payment = await order(shop)
    const { page, frame, type, result } = await open(shop, payment)
    await type(cards.hasNoMoney)
    await page.click('#buy')
    deepEqual([(await result()).error.type, (await result()).error.payment.status], ['payment_error', 'failed'])
    await frame.waitForSelector('#alert .alert')
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
    const bank = await frameAt(page, `${sandbox}/`)
    await (await bank.waitForSelector('form[action$=accept] button'))!.click()
    equal((await result()).payment.status, 'succeeded')
    equal((await shop.processor.charges()).length, 1)
  },
  'in Firefox the element can be used by keyboard alone': async () => {
    const shop = await lampShop()
    const { page, result } = await open(shop, await order(shop, { allowed_payment_method_types: ['credit', 'debit'] }))
    for (const text of [cards.approves, '1240', '737']) {
      await page.keyboard.press('Tab')
      await page.keyboard.type(text)
    }
    await page.keyboard.press('Enter')
    equal((await result()).payment.status, 'succeeded')
  },
}

for (const [name, runs] of sampleOf(Object.entries(flows), 2)) test(name, runs)
