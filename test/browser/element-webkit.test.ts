import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, test } from 'node:test'
import { By, Key, until, type WebDriver } from 'selenium-webdriver'
import { eventually } from '../eventually.ts'
import { sampleOf } from '../sample.ts'
import { type Body, cards, type Shop } from '../shop.ts'
import { lampShop, order, shopAddress } from './element.ts'
import { startWebKit } from './webkit.ts'

// The element in WebKit, Safari's engine: the flows of most customers.

const LONGEST_MS = 120_000

let started: ReturnType<typeof startWebKit> | undefined
after(async () => (await started)?.close())

/** Opens the shop's page with its element, in a browser of its own. */
async function inWebKit(shop: Shop, payment: Body, visits: (visit: Visit) => Promise<void>): Promise<void> {
  started ??= startWebKit()
  const driver = await (await started).open()
  try {
    const { home, path } = await shopAddress(shop, payment)
    await driver.get(home + path)
    await visits(visitOf(driver))
  } finally {
    await driver.quit()
  }
}

type Visit = ReturnType<typeof visitOf>

function visitOf(driver: WebDriver) {
  const find = (css: string) => driver.wait(until.elementLocated(By.css(css)), LONGEST_MS)
  /** Goes from the shop's page into a frame, and from there into a frame within. */
  const within = async (...frames: string[]) => {
    await driver.switchTo().defaultContent()
    for (const css of frames) await driver.switchTo().frame(await find(css))
  }
  const seen = async (css: string) => {
    const there = await find(css)
    await driver.wait(until.elementIsVisible(there), LONGEST_MS)
    return there
  }
  const script = <T>(text: string) => driver.executeScript<T>(text)
  return {
    within,
    seen,
    async type(number: string) {
      await within('#payment iframe')
      for (const [name, text] of [
        ['cardnumber', number],
        ['exp-date', '1240'],
        ['cvc', '737'],
      ] as const) {
        // WebDriver's own sendKeys does not accept a field within a frame as focusable.
        await (await seen(`[name=${name}]`)).click()
        await driver.actions().keyDown(Key.CONTROL).sendKeys('a').keyUp(Key.CONTROL).sendKeys(text).perform()
      }
    },
    async pay() {
      await within()
      await (await seen('#buy')).click()
    },
    /** Gives the answer number `times` to the shop's page, once it has arrived. */
    async result(times = 1): Promise<Body> {
      await within()
      await eventually(async () => (await script<number>('return told.length')) >= times, 'the shop is answered', 120)
      return script<Body>(`return told[${times - 1}]`)
    },
    /** Presses keys, in the element that has the focus. */
    press: (...keys: string[]) =>
      driver
        .actions()
        .sendKeys(...keys)
        .perform(),
    script,
  }
}

const flows: Record<string, () => Promise<void>> = {
  'in WebKit a card payment succeeds in the merchant’s own page, which holds no card data': async () => {
    const shop = await lampShop()
    await inWebKit(shop, await order(shop), async ({ type, pay, result, within, seen, script }) => {
      ok(/AppleWebKit/.test(await script<string>('return navigator.userAgent')))
      await type(cards.approves)
      await pay()
      equal((await result()).payment.status, 'succeeded')
      const kept = await script<string>(
        'return document.documentElement.outerHTML + JSON.stringify([{ ...localStorage }, document.cookie, log])',
      )
      equal(kept.includes(cards.approves), false)
      await within('#payment iframe')
      await seen('.outcome.good')
      equal((await shop.processor.charges()).length, 1)
    })
  },
  'in WebKit a decline is shown, and another card succeeds': async () => {
    const shop = await lampShop()
    const payment = await order(shop)
    await inWebKit(shop, payment, async ({ type, pay, result, within, seen }) => {
      await type(cards.hasNoMoney)
      await pay()
      deepEqual([(await result()).error.type, (await result()).error.payment.status], ['payment_error', 'failed'])
      await within('#payment iframe')
      await seen('#alert .alert')
      await type(cards.approves)
      await pay()
      equal((await result(2)).payment.status, 'succeeded')
      equal((await shop.get(payment.payment_id)).attempt_count, 2)
    })
  },
  'in WebKit the bank’s challenge is shown over the merchant’s page, and accepted': async () => {
    const shop = await lampShop()
    await inWebKit(shop, await order(shop, { authentication_type: 'three_ds' }), async ({ type, pay, result, within, seen }) => {
      await type(cards.challenges)
      await pay()
      await within('dialog iframe', '#bank')
      await (await seen('form[action$=accept] button')).click()
      equal((await result()).payment.status, 'succeeded')
      equal((await shop.processor.charges()).length, 1)
    })
  },
  'in WebKit a customer can pay by keyboard alone': async () => {
    const shop = await lampShop()
    const payment = await order(shop, { allowed_payment_method_types: ['credit', 'debit'] })
    await inWebKit(shop, payment, async ({ result, within, seen, press }) => {
      await within('#payment iframe')
      await seen('[name=cardnumber]')
      await within()
      for (const text of [cards.approves, '1240', '737']) await press(Key.TAB, text)
      await press(Key.ENTER)
      equal((await result()).payment.status, 'succeeded')
    })
  },
}

for (const [name, runs] of sampleOf(Object.entries(flows), 2)) test(name, runs)
