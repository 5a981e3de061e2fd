import { deepEqual, equal, ok } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { cards, http, openShop } from '../shop.ts'
import { phone, visit } from './visit.ts'

/** A challenge in an iframe of a checkout, on the customer's way back. */

/** Opens a shop's page with the checkout in an iframe; the page records the messages of the frame. */
async function openCheckout(framed: () => string): Promise<string> {
  const page = () => `<!doctype html><title>Shop</title><link rel="icon" href="data:,"><iframe src="${framed()}"></iframe>
    <script>window.told = []; addEventListener('message', event => told.push(event.data))</script>`
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(page()))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('after a challenge in an iframe only the checkout that confirmed gets the return URL; a top-level page redirects to it', async () => {
  const shop = await openShop()
  let back = ''
  const [home, other] = [await openCheckout(() => back), await openCheckout(() => back)]
  const { payment_id, client_secret } = await shop.create({
    card: cards.challenges,
    authentication_type: 'three_ds',
    is_iframe_redirection_enabled: true,
    return_url: `${shop.url}/health`,
  })
  const browser = { 'api-key': shop.publishable_key, origin: home }
  const { body: paid } = await http('POST', `${shop.url}/payments/${payment_id}/confirm`, { client_secret }, browser)
  const bank = (await http('GET', paid.next_action.redirect_to_url)).headers.location as string
  back = (await http('POST', `${bank}/accept`, '')).headers.location as string
  const { page } = await visit(home, '/', phone)
  await page.waitForFunction('told.length > 0')
  const [message] = (await page.evaluate('told')) as { openurl_if_required: string }[]
  const to = new URL(message!.openurl_if_required)
  deepEqual([to.pathname, to.searchParams.get('status'), to.searchParams.get('payment_id')], ['/health', 'succeeded', paid.payment_id])
  equal(page.url(), `${home}/`, 'nobody but the checkout goes on')

  const elsewhere = await visit(other, '/', phone)
  await elsewhere.page.frames()[1]!.waitForSelector('#on')
  deepEqual(await elsewhere.page.evaluate('told'), [], 'a page that did not confirm the payment hears nothing')

  const alone = await visit(shop.url, back.slice(shop.url.length), phone)
  await alone.page.waitForURL(/\/health\?/)
  ok(alone.page.url().includes('status=succeeded'))
})
