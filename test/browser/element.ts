import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FrameLocator, Page } from 'playwright-core'
import { closeAfterFile } from '../endings.ts'
import { eventually } from '../eventually.ts'
import { type Body, openShop, type Shop } from '../shop.ts'
import { barriers } from './look.ts'
import { desktop, type Visit, visit } from './visit.ts'

// A shop's page with an element, under a content security policy that allows only the needed parts of this service.

const sandbox = process.env.TEST_SANDBOX_URL!

/** Opens a shop as it is without any setting about retries. */
export const lampShop = () => openShop({ account: { merchant_name: 'Northlight Supply', return_url: 'https://lamps.example/thanks' } })

/** The shop's own script; the address of the page contains its settings. */
const script = `
const said = new URLSearchParams(location.search)
const told = (window.told = [])
const log = (window.log = [])
const switchyard = Switchyard(said.get('key'))
const appearance = JSON.parse(said.get('appearance') ?? '{}')
const setups = JSON.parse(said.get('setups') ?? '[]')
const elements = switchyard.elements({
  clientSecret: said.get('secret') ?? undefined, customerId: said.get('customer') ?? undefined, ephemeralKey: said.get('ephemeral') ?? undefined,
  fetchSetupClientSecret: said.has('setups') ? async () => setups.shift() : undefined, locale: said.get('locale') ?? undefined, appearance,
})
const element = elements.create(said.get('element') ?? 'payment')
for (const name of ['ready', 'change', 'focus', 'blur', 'escape', 'error', 'payment', 'paymentMethod', 'payout'])
  element.on(name, event => log.push([name, event]))
element.mount('#payment')
// These have their own buttons.
document.querySelector('#buy').hidden = ['paymentMethods', 'payout'].includes(element.type)
Object.assign(window, { switchyard, elements, element })
const pay = () => switchyard.confirmPayment({
  elements, redirect: said.get('redirect') ?? 'if_required', returnUrl: said.get('back') ?? undefined,
}).then(result => {
  told.push(result)
  document.querySelector('#told').textContent = result.error ? result.error.message : result.payment.status
})
document.querySelector('#order').addEventListener('submit', event => {
  event.preventDefault()
  pay()
  if (said.has('twice')) pay()
})`

const style = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 30rem; margin: 2rem auto; padding: 0 1rem }
body.keeps #payment { min-height: 36rem }
body.dark { background: #0e131b; color: #e8edf5 }
#buy[hidden] { display: none }
#buy { width: 100%; min-height: 48px; margin-top: 16px; border: 0; border-radius: 10px; background: #1457d9; color: #fff; font: inherit; font-weight: 600 }`

const page = (service: string, classes: string, title = 'Your order') => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Checkout</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/shop.css"></head><body class="${classes}">
<main><h1>${title}</h1><form id="order"><div id="payment"></div><button id="buy">Pay</button></form><p id="told" role="status"></p></main>
<script src="${service}/sdk/v1.js"></script><script src="/shop.js"></script></body></html>`

const titles: Record<string, string> = { paymentMethods: 'Your account', payout: 'Your refund' }

/** Gives the shop's policy: two directives name this service, and no other part of the policy does. */
const policy = (service: string, framed = service): string =>
  `default-src 'none'; script-src 'self' ${service}; frame-src ${framed}; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'`

let home: Promise<string> | undefined

/**
 * Opens the shop's server: its page, its script, its style, and the page to which customers return. Gives its address.
 */
function openHome(service: string): Promise<string> {
  home ??= new Promise(resolve => {
    const made = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url!, 'http://shop')
      const send = (type: string, text: string, more = {}) => response.writeHead(200, { 'content-type': type, ...more }).end(text)
      if (pathname === '/shop.js') return send('text/javascript', script)
      if (pathname === '/shop.css') return send('text/css', style)
      if (pathname === '/thanks')
        return send('text/html', '<!doctype html><title>Thanks</title><link rel="icon" href="data:,"><h1>Thanks</h1>')
      const classes = ['dark', 'keeps'].filter(name => searchParams.has(name)).join(' ')
      return send('text/html', page(service, classes, titles[searchParams.get('element') ?? '']), {
        'content-security-policy': policy(service, searchParams.has('unframed') ? "'none'" : service),
      })
    })
    closeAfterFile(() => {
      home = undefined
      made.close()
    })
    made.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(made.address() as AddressInfo).port}`))
  })
  return home
}

export type Checkout = Visit & {
  home: string
  frame: FrameLocator
  /** The frame over the page, with the customer's next action, and the bank's page within it. */
  action: FrameLocator
  bank: FrameLocator
  type(number: string): Promise<void>
  pay(): Promise<void>
  /** Gives the answer number `times` to the shop's page, once it has arrived. */
  result(times?: number): Promise<Body>
  /** Gives the events of the element. */
  log(): Promise<[string, Body][]>
}

/** Creates an order that is not paid. */
export const order = (shop: Pick<Shop, 'create'>, more: Body = {}): Promise<Body> =>
  shop.create({ payment_method: undefined, payment_method_data: undefined, amount: 24_900, currency: 'EUR', ...more })

/** Gives the address of the shop's page for a payment or a payout. `asks`: settings of its script. */
export async function shopAddress(shop: Pick<Shop, 'url' | 'publishable_key'>, payment: Body, asks: Record<string, string> = {}) {
  const home = await openHome(shop.url)
  const back: Record<string, string> = asks.back === undefined ? {} : { back: home + asks.back }
  const query = new URLSearchParams({
    key: shop.publishable_key,
    ...(payment.client_secret && { secret: payment.client_secret }),
    ...asks,
    ...back,
  })
  return { home, path: `/?${query}` }
}

/** Opens the shop's page for a payment or a payout. `asks`: settings of its script. */
export async function openCheckout(
  shop: Pick<Shop, 'url' | 'publishable_key'>,
  payment: Body,
  asks: Record<string, string> = {},
  size = desktop,
  prefers: Parameters<typeof visit>[3] = {},
): Promise<Checkout> {
  const { home, path } = await shopAddress(shop, payment, asks)
  const visited = await visit(home, path, size, { ...prefers, mayAsk: [shop.url, sandbox, ...(prefers.mayAsk ?? [])] })
  return { ...visited, home, ...checkoutOn(visited.page) }
}

/**
 * Waits until the page has kept its height for 300 ms: the frame has then reported its height to the page around it.
 */
export const settled = (page: Page) =>
  page.evaluate(`new Promise(done => {
    let since = performance.now()
    let height = 0
    const look = () => {
      const now = document.documentElement.scrollHeight
      if (now !== height) since = performance.now()
      height = now
      if (performance.now() - since > 300) done()
      else requestAnimationFrame(look)
    }
    look()
  })`)

/** Gives the findings of axe-core on the page, in the frame of the element, and in the frame over the page. */
export async function barriersOf(page: Page): Promise<string[]> {
  const frames = page.frames().filter(frame => /\/sdk\/(?:frame|methods|payout|action)/.test(frame.url()))
  const found = []
  const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor')
  // The background behind the frame of an element is that of the page.
  for (const frame of frames.filter(one => !one.url().includes('/sdk/action')))
    await frame.evaluate(`document.body.style.background = '${ground}' === 'rgba(0, 0, 0, 0)' ? '#fff' : '${ground}'`)
  for (const frame of [page.mainFrame(), ...frames]) found.push(...(await barriers(frame)))
  return found
}

/**
 * Leaves out a harmless problem: the last page of a challenge sends its message to each origin that may contain the
 * checkout, and browsers log each origin that does not.
 */
export const seriousOf = (problems: readonly string[]): string[] =>
  problems.filter(one => !/target origin provided \('https:\/\/lamps\.example'\) does not match/.test(one))

/** Gives access to the checkout on a page. */
export function checkoutOn(page: Page) {
  const frame = page.frameLocator('#payment iframe')
  const action = page.frameLocator('dialog iframe')
  return {
    frame,
    action,
    bank: action.frameLocator('#bank'),
    async type(number: string) {
      await frame.getByLabel('Card number').fill('')
      await frame.getByLabel('Card number').pressSequentially(number)
      await frame.getByLabel('Expiry date').fill('12 / 40')
      await frame.getByLabel('Security code').filter({ visible: true }).fill('737')
    },
    pay: () => page.locator('#buy').click(),
    async result(times = 1): Promise<Body> {
      // The page's policy does not allow a waiting function within the page.
      await eventually(async () => ((await page.evaluate('told.length')) as number) >= times, 'the shop is answered', 120)
      return page.evaluate(`told[${times - 1}]`) as Promise<Body>
    },
    log: () => page.evaluate('log') as Promise<[string, Body][]>,
  }
}
