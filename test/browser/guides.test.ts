import { deepEqual, equal } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { blocksOf, guideText } from '../../tools/guides.ts'
import { cards, type Shop } from '../shop.ts'
import { bundle, whyNoBundle } from './bundle.ts'
import { lampShop, order, seriousOf } from './element.ts'
import { desktop, visit } from './visit.ts'

// The examples of the guides for browsers (blocks marked `browser`) have the types that they claim, and take a payment
// in a real browser: each in a page of a shop whose server answers at `/order` as the guide says.

const root = join(import.meta.dirname, '../..')
const blocks = blocksOf(guideText('checkout')).filter(({ mark }) => mark === 'browser')
const block = (label: string): string => blocks.find(one => one.label === label)!.text

/** Fills a reader's own address and key into an example. */
const filledIn = (text: string, shop: Shop): string =>
  text.replaceAll('https://pay.example', shop.url).replaceAll('pk_snd_…', shop.publishable_key)

const pageOf = (inside: string): string =>
  `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,"><body>${inside}</body></html>`

/** Opens a shop whose page contains this HTML, and whose server creates the payment. Gives its address. */
async function openHome(shop: Shop, inside: string, script = ''): Promise<string> {
  const server = createServer(async (request, response) => {
    const send = (type: string, text: string) => response.writeHead(200, { 'content-type': type }).end(text)
    if (request.url === '/main.js') return send('text/javascript', script)
    if (request.url!.startsWith('/thanks')) return send('text/html', pageOf('<h1>Thanks</h1>'))
    if (request.url !== '/order') return send('text/html', pageOf(inside))
    const { payment_id, client_secret } = await order(shop)
    send('application/json', JSON.stringify({ paymentId: payment_id, clientSecret: client_secret }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const withScript = '<div id="app"></div><script type="module" src="/main.js"></script>'

/**
 * Types a card into the element and pays; the customer ends at the address that the guide names, and is charged once.
 * Gives this address.
 */
async function paysBy(shop: Shop, home: string, card: string = cards.approves): Promise<string> {
  const { page, problems } = await visit(home, '/', desktop, { mayAsk: [shop.url] })
  const frame = page.frameLocator('iframe').first()
  await frame.getByLabel('Card number').pressSequentially(card)
  await frame.getByLabel('Expiry date').fill('12 / 40')
  await frame.getByLabel('Security code').filter({ visible: true }).fill('737')
  await page.getByRole('button', { name: 'Pay' }).click()
  if (card === cards.approves) await page.waitForURL('**/thanks?payment_id=*')
  else await frame.getByRole('alert').getByText('The payment was declined').waitFor()
  deepEqual(seriousOf(problems), [])
  return page.url()
}

test('the script example of the guide takes a payment, and shows a decline', async () => {
  const shop = await lampShop()
  const home = await openHome(shop, filledIn(block('Script'), shop))
  const { searchParams } = new URL(await paysBy(shop, home))
  equal((await shop.get(searchParams.get('payment_id')!)).status, 'succeeded')
  equal((await shop.processor.charges()).length, 1)
  await paysBy(shop, home, cards.declines)
})

test('the React example of the guide takes a payment, and shows a decline', { skip: whyNoBundle }, async () => {
  const shop = await lampShop()
  const entry = `
    import { createElement } from 'react'
    import { createRoot } from 'react-dom/client'
    import { Checkout } from './checkout.tsx'
    const { clientSecret } = await (await fetch('/order', { method: 'POST' })).json()
    createRoot(document.getElementById('app')).render(createElement(Checkout, { clientSecret }))`
  const home = await openHome(shop, withScript, await bundle({ 'main.js': entry, 'checkout.tsx': filledIn(block('React'), shop) }))
  await paysBy(shop, home)
  equal((await shop.processor.charges()).length, 1)
  await paysBy(shop, home, cards.declines)
})

test('the custom form example of the guide takes a payment', async () => {
  const shop = await lampShop()
  const home = await openHome(shop, withScript, filledIn(block('Browser'), shop))
  const { page, problems } = await visit(home, '/', desktop, { mayAsk: [shop.url] })
  await page.waitForURL('**/thanks?payment_id=*')
  equal((await shop.processor.charges()).length, 1)
  deepEqual(problems, [])
})

test('the browser examples of the guides pass the type checker', { skip: whyNoBundle }, () => {
  const place = join(root, 'packages/.made', `browser-guides-${process.pid}`)
  after(() => rmSync(place, { recursive: true, force: true }))
  mkdirSync(place, { recursive: true })
  const script = /<script type="module">\n([\s\S]*?)<\/script>/.exec(block('Script'))![1]!
  writeFileSync(
    join(place, 'script.ts'),
    `import type { SwitchyardConstructor } from '@switchyard/js'
declare const Switchyard: SwitchyardConstructor
${script.replaceAll(/(document|form)\.querySelector\(/g, '$1.querySelector<HTMLElement>(').replaceAll(/(querySelector<HTMLElement>\('[^']+'\))/g, '$1!')}`,
  )
  writeFileSync(join(place, 'own-form.ts'), `${block('Browser')}\nexport {}\n`)
  writeFileSync(join(place, 'checkout.tsx'), block('React'))
  const compilerOptions = {
    jsx: 'react-jsx',
    noEmit: true,
    paths: { '@switchyard/js': ['../../js/index.d.ts'], '@switchyard/react': ['../../react/index.d.ts'] },
    module: 'esnext',
    moduleResolution: 'bundler',
  }
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ extends: '../../tsconfig.base.json', compilerOptions }))
  const { stdout } = spawnSync(process.execPath, [join(root, 'packages/node_modules/typescript/bin/tsc'), '-p', place], {
    encoding: 'utf8',
  })
  equal(stdout, '')
  deepEqual(
    blocks.map(({ label }) => label),
    ['Script', 'React', 'Browser'],
  )
})
