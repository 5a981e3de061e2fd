import { deepEqual, equal } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { openPayoutShop } from '../payout-shop.ts'
import { type Body, cards } from '../shop.ts'
import { bundle, whyNoBundle } from './bundle.ts'
import { checkoutOn, lampShop, order, seriousOf } from './element.ts'
import { desktop, visit } from './visit.ts'

// The published browser packages, as a shop builds them into its script.

const entry = `
import { createElement as h, StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { loadSwitchyard } from '@switchyard/js'
import { PaymentElement, PaymentMethodsElement, PayoutElement, SwitchyardProvider, useElements, useSwitchyard } from '@switchyard/react'

const said = new URLSearchParams(location.search)
window.told = []
window.ready = 0
const loading = loadSwitchyard(said.get('key'), { baseUrl: said.get('service') })

function Form() {
  const switchyard = useSwitchyard()
  const elements = useElements()
  const submit = async event => {
    event.preventDefault()
    window.told.push(await switchyard.confirmPayment({ elements, redirect: 'if_required' }))
  }
  return h('form', { onSubmit: submit }, h(PaymentElement, { id: 'payment', onReady: () => window.ready++ }), h('button', { id: 'buy' }, 'Pay'))
}
function App() {
  const [accent, setAccent] = useState('#1457d9')
  const options = { clientSecret: said.get('secret'), appearance: { accent } }
  return h(SwitchyardProvider, { switchyard: loading, options },
    h(Form), h('button', { id: 'look', onClick: () => setAccent('#0b7a4b') }, 'Another look'))
}
// What has no order: the cards of a customer, or a payout.
function Other() {
  const [title, setTitle] = useState('Yours')
  const tell = event => window.told.push(event)
  const options = said.has('customer')
    ? { customerId: said.get('customer'), ephemeralKey: said.get('ephemeral'), fetchSetupClientSecret: async () => said.get('setup') }
    : { clientSecret: said.get('secret') }
  return h(SwitchyardProvider, { switchyard: loading, options }, h('h1', null, title), h('button', { id: 'look', onClick: () => setTitle('Again') }, 'Again'),
    said.has('customer') ? h(PaymentMethodsElement, { id: 'payment', onPaymentMethod: tell }) : h(PayoutElement, { id: 'payment', onPayout: tell }))
}
createRoot(document.getElementById('app')).render(h(StrictMode, null, h(said.has('customer') || said.has('payout') ? Other : App)))
`

/** The functions that clean up after the last test; all tests share the page. */
const leaves: (() => void)[] = []
after(() => {
  for (const leave of leaves) leave()
})

/** Builds a page with this script, as a shop would. Gives its address. */
async function built(): Promise<string> {
  const script = await bundle({ 'main.js': entry })
  const server = createServer((request, response) =>
    request.url === '/main.js'
      ? response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
      : response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(
            '<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><div id="app"></div><script type="module" src="/main.js"></script>',
          ),
  )
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  leaves.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

let home: Promise<string> | undefined
const open = async (query: Record<string, string>, service: string) => {
  home ??= built()
  return visit(await home, `/?${new URLSearchParams({ ...query, service })}`, desktop, { mayAsk: [service] })
}

test('a customer pays in a React shop, and typed text survives a change of appearance', { skip: whyNoBundle }, async () => {
  const shop = await lampShop()
  const { client_secret } = await order(shop)
  const { page, problems } = await open({ key: shop.publishable_key, secret: client_secret }, shop.url)
  const { frame, type, pay, result } = checkoutOn(page)
  await type(cards.approves)
  await page.locator('#look').click()
  await frame.locator('html[style*="#0b7a4b"]').waitFor()
  equal(await frame.getByLabel('Card number').inputValue(), '4242 4242 4242 4242')
  equal(await page.locator('#payment iframe').count(), 1)
  await pay()
  equal(((await result()) as Body).payment.status, 'succeeded')
  equal((await shop.processor.charges()).length, 1)
  deepEqual(seriousOf(problems), [])
})

test('in a React shop a customer adds a card, and a recipient chooses how to be paid', { skip: whyNoBundle }, async () => {
  const shop = await openPayoutShop()
  const setup = await order(shop, { amount: 0, customer_id: 'grace', setup_future_usage: 'off_session' })
  const { secret } = (await shop.post('/ephemeral_keys', { customer_id: 'grace' })).body
  const cardsOf = { key: shop.publishable_key, customer: 'grace', ephemeral: secret, setup: setup.client_secret }
  const { page } = await open(cardsOf, shop.url)
  const { frame, type, result } = checkoutOn(page)
  await frame.getByRole('button', { name: 'Add a card' }).click()
  await type(cards.approves)
  // The page renders again, with new functions: the typed text stays.
  await page.locator('#look').click()
  await page.getByRole('heading', { name: 'Again' }).waitFor()
  await frame.getByRole('button', { name: 'Save card' }).click()
  await frame.getByText('Visa ending in 4242').waitFor()
  equal((await result()).action, 'added')

  const payout = await shop.payOut({ confirm: false, customer_id: 'grace' })
  const paid = await open({ key: shop.publishable_key, secret: payout.client_secret, payout: '1' }, shop.url)
  const recipient = checkoutOn(paid.page)
  await recipient.frame.getByRole('button', { name: 'Receive €99.00' }).click()
  await recipient.frame.getByRole('heading', { name: 'The money was sent' }).waitFor()
  equal((await recipient.result()).payout.status, 'success')
  deepEqual(seriousOf(paid.problems), [])
})
