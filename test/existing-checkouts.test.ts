import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { addAccount } from './merchant.ts'
import { isRefused } from './refused.ts'
import { type Body, card, cards, http, openShop, type Shop } from './shop.ts'

/** What existing checkouts (web, mobile, in a shop's own page) send beside a payment's data, and what they expect. */

const order = (shop: Shop, more: Body = {}): Promise<Body> =>
  shop.create({ payment_method: undefined, payment_method_data: undefined, ...more })
const fromBrowser = (shop: Shop, { payment_id, client_secret }: Body, body: Body, headers: Record<string, string> = {}) =>
  http(
    'POST',
    `${shop.url}/payments/${payment_id}/confirm`,
    { client_secret, payment_method: 'card', ...body },
    { 'api-key': shop.publishable_key, ...headers },
  )
const paid = { payment_method: 'card', payment_method_data: card() }
const acceptance = { acceptance_type: 'offline', accepted_at: '2026-01-01T00:00:00.000Z' }

/** Gives the address to which a customer is sent after an accepted challenge. */
async function afterChallenge(shop: Shop, payment: Body): Promise<string> {
  const bank = await http('GET', payment.next_action.redirect_to_url)
  await http('POST', `${bank.headers.location}/accept`, '', { 'content-type': 'application/x-www-form-urlencoded' })
  const { authorization_request_id } = (
    await shop.query('select authorization_request_id from payments where payment_id = $1', [payment.payment_id])
  )[0] as Body
  const back = `${shop.url}/payments/${payment.payment_id}/${shop.merchant_id}/redirect/response/phonypay/${authorization_request_id}`
  return String((await http('GET', back)).headers.location)
}

test('a customer who pays in an app returns to the URL of the app; unsafe URL schemes are refused', async () => {
  const shop = await openShop()
  const payment = await order(shop, { authentication_type: 'three_ds' })
  const return_url = 'com.example.app.hyperswitch://'
  const sent = await fromBrowser(shop, payment, { ...paid, payment_method_data: card(cards.challenges), return_url })
  equal(sent.body.return_url, return_url, sent.text)
  match(await afterChallenge(shop, sent.body), /^com\.example\.app\.hyperswitch:\/\/\?.*status=succeeded/)
  for (const unsafe of ['javascript:alert(1)', 'javascript://x%0aalert(1)', 'data:text/html,x', 'file:///etc', 'https:/shop.example'])
    isRefused(await shop.tryToPay({ return_url: unsafe }), 422, 'IR_05', /return_url/)
  equal((await shop.pay({ return_url: 'https://shop.example/thanks?name=Müller' })).status, 'succeeded')
})

test('the connector list of a checkout limits wallets only; other payment methods follow the merchant’s routing', async () => {
  const shop = await openShop()
  await addAccount(shop, 'stripe')
  const first = await fromBrowser(shop, await order(shop), { ...paid, connector: ['stripe'] })
  deepEqual([first.body.status, first.body.connector], ['succeeded', 'phonypay'], first.text)
  equal((await fromBrowser(shop, await order(shop), { ...paid, connector: [] })).body.status, 'succeeded')
  const chosen = await order(shop, { connector: ['phonypay'] })
  isRefused(await fromBrowser(shop, chosen, { ...paid, connector: ['stripe'] }), 403, 'IR_22', /connector/)
  const wallet = {
    payment_method: 'wallet',
    payment_method_type: 'paypal',
    payment_method_data: { wallet: { paypal_redirect: {} } },
  }
  isRefused(await fromBrowser(shop, await order(shop), { ...wallet, connector: ['mollie'] }), 400, 'IR_39')
  const there = await fromBrowser(shop, await order(shop), { ...wallet, connector: ['phonypay'] })
  deepEqual([there.body.status, there.body.connector], ['requires_customer_action', 'phonypay'], there.text)
  isRefused(await fromBrowser(shop, await order(shop), { ...wallet, connector: ['nobody'] }), 422, 'IR_06', /connector/)
})

test('the acceptance sent by a checkout does not change the mandate limits that the merchant set', async () => {
  const shop = await openShop()
  const mandate_type = { multi_use: { amount: 3000, currency: 'USD' } }
  const agreeing = { customer_id: 'grace', setup_future_usage: 'off_session', mandate_data: { mandate_type } }
  const payment = await order(shop, agreeing)
  const wider = { multi_use: { amount: 900_000, currency: 'USD' } }
  const sent = await fromBrowser(shop, payment, {
    ...paid,
    customer_acceptance: acceptance,
    mandate_data: { customer_acceptance: acceptance, mandate_type: wider },
  })
  equal(sent.body.status, 'succeeded', sent.text)
  const mandate = await shop.call('GET', `/mandates/${sent.body.mandate_id}`)
  equal(mandate.status, 200, mandate.text)
  const more = {
    customer_id: 'grace',
    off_session: true,
    mandate_id: sent.body.mandate_id,
    payment_method: undefined,
    payment_method_data: undefined,
  }
  isRefused(await shop.tryToPay({ ...more, amount: 3001 }), 400, 'HE_03')
  equal((await shop.pay({ ...more, amount: 500 })).status, 'succeeded')
})

test('address fields from a checkout are merged into the address of the payment; an address in another country replaces it', async () => {
  const shop = await openShop()
  const address = { line1: 'Karl Johans gate 1', city: 'Oslo', country: 'NO' }
  const payment = await order(shop, { billing: { address, email: 'kari@shop.example' } })
  const { body } = await fromBrowser(shop, payment, { ...paid, billing: { address: { zip: '0154' }, phone: { number: '22000000' } } })
  deepEqual(
    [body.billing.address.line1, body.billing.address.zip, body.billing.email, body.billing.phone.number],
    ['Karl Johans gate 1', '0154', 'kari@shop.example', '22000000'],
  )
  const unnamed = await order(shop, { billing: { address: { line1: 'Karl Johans gate 1' } } })
  const named = await fromBrowser(shop, unnamed, { ...paid, billing: { address: { country: 'NO' } } })
  deepEqual([named.body.billing.address.line1, named.body.billing.address.country], ['Karl Johans gate 1', 'NO'])
  const moved = await order(shop, { shipping: { address } })
  const abroad = await shop.post(`/payments/${moved.payment_id}`, { shipping: { address: { country: 'DE', city: 'Bonn' } } })
  deepEqual([abroad.body.shipping.address.country, abroad.body.shipping.address.line1 ?? null], ['DE', null])
})

test('an ephemeral key lists and deletes the saved payment methods of its customer, also by paths without a customer id', async () => {
  const shop = await openShop()
  const saving = { setup_future_usage: 'on_session', customer_acceptance: acceptance }
  for (const customer_id of ['ada', 'bob']) await shop.pay({ ...saving, customer_id })
  const { secret } = (await shop.post('/ephemeral_keys', { customer_id: 'ada' })).body
  const call = (method: string, path: string) => http(method, shop.url + path, undefined, { 'api-key': secret })
  const listed = await call('GET', '/customers/payment_methods')
  const [own, ...others] = listed.body.customer_payment_methods
  deepEqual([own.customer_id, others, listed.body.is_guest_customer], ['ada', [], false])
  const [bobs] = (await shop.call('GET', '/customers/bob/payment_methods')).body.customer_payment_methods
  isRefused(await call('DELETE', `/payment_methods/${bobs.payment_method_id}`), 404, 'HE_02')
  equal((await call('DELETE', `/payment_methods/${own.payment_method_id}`)).body.deleted, true)
})

test('a payment with a link that is paid in the merchant’s own checkout returns to the merchant', async () => {
  const shop = await openShop()
  const payment = await order(shop, { payment_link: true, authentication_type: 'three_ds' })
  const challenged = { ...paid, payment_method_data: card(cards.challenges) }
  const inShop = await fromBrowser(shop, payment, challenged, { origin: 'https://shop.example' })
  match(await afterChallenge(shop, inShop.body), /^https:\/\/shop\.example\/thanks\?.*status=succeeded/)
  const other = await order(shop, { payment_link: true, authentication_type: 'three_ds' })
  const onPage = await fromBrowser(shop, other, challenged, { origin: new URL(other.payment_link.link).origin })
  match(await afterChallenge(shop, onPage.body), /\/payment_link\//)
})

test('a checkout reads address, return_url and customer of a payment in one response', async () => {
  const shop = await openShop()
  const billing = { address: { city: 'Oslo', country: 'NO' } }
  const payment = await order(shop, { billing, customer_id: 'ada', return_url: 'https://shop.example/thanks' })
  const path = `/payments/${payment.payment_id}/client?client_secret=${payment.client_secret}`
  const { intent_data } = (await http('GET', shop.url + path, undefined, { 'api-key': shop.publishable_key })).body
  deepEqual(
    [
      intent_data.billing.address.city,
      intent_data.return_url,
      intent_data.customer_id,
      intent_data.request_external_three_ds_authentication,
    ],
    ['Oslo', 'https://shop.example/thanks', 'ada', false],
  )
  ok('installment_options' in intent_data)
})

test('a guest can pay a payment created with setup_future_usage, and nothing is saved', async () => {
  const shop = await openShop()
  const payment = await order(shop, { setup_future_usage: 'off_session' })
  const { body, text } = await fromBrowser(shop, payment, paid)
  deepEqual([body.status, body.payment_method_id], ['succeeded', null], text)
  isRefused(await fromBrowser(shop, await order(shop), { ...paid, setup_future_usage: 'on_session' }), 400, 'IR_16', /guest/)
})

test('a page of any origin may send custom headers', async () => {
  const shop = await openShop()
  const asked = 'api-key,baggage,content-type,sentry-trace,x-of-a-proxy'
  const { headers } = await http('OPTIONS', `${shop.url}/payments`, undefined, {
    origin: 'https://shop.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': asked,
  })
  equal(String(headers['access-control-allow-headers']).replaceAll(' ', ''), asked)
})
