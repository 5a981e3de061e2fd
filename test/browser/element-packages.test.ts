import { deepEqual, equal } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { type Body, cards } from '../shop.ts'
import { bundle, whyNoBundle } from './bundle.ts'
import { checkoutOn, lampShop, order, seriousOf } from './element.ts'
import { desktop, visit } from './visit.ts'

// What is published for browsers, as a shop builds it in.

const entry = `
import { createElement as h, StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { loadSwitchyard } from '@switchyard/js'
import { PaymentElement, SwitchyardProvider, useElements, useSwitchyard } from '@switchyard/react'

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
createRoot(document.getElementById('app')).render(h(StrictMode, null, h(App)))
`

/** A page with that script in it, built as a shop would. */
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
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('a shop built with React pays, and what was typed outlives a new look', { skip: whyNoBundle }, async () => {
  const home = await built()
  const shop = await lampShop()
  const { client_secret } = await order(shop)
  const query = new URLSearchParams({ key: shop.publishable_key, secret: client_secret, service: shop.url })
  const { page, problems } = await visit(home, `/?${query}`, desktop, { mayAsk: [shop.url] })
  const { frame, type, pay, told } = checkoutOn(page)
  await type(cards.approves)
  await page.locator('#look').click()
  await frame.locator('html[style*="#0b7a4b"]').waitFor()
  equal(await frame.getByLabel('Card number').inputValue(), '4242 4242 4242 4242')
  equal(await page.locator('#payment iframe').count(), 1)
  await pay()
  equal(((await told()) as Body).payment.status, 'succeeded')
  equal((await shop.processor.charges()).length, 1)
  deepEqual(seriousOf(problems), [])
})
