import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/refused.ts'
import { type Body, cards, http, openShop, type Shop } from '../../../test/shop.ts'

const path = ({ payment_id }: Body) => `/payments/${payment_id}/complete_authorize`
const fromBrowser = (shop: Shop, payment: Body, body: Body = {}) =>
  http('POST', shop.url + path(payment), { client_secret: payment.client_secret, ...body }, { 'api-key': shop.publishable_key })
const challenged = (shop: Shop) => shop.pay({ card: cards.challenges, authentication_type: 'three_ds' })

test('complete_authorize returns the outcome of the payment after the challenge', async () => {
  const shop = await openShop()
  for (const [verdict, status] of [
    ['approved', 'succeeded'],
    ['declined', 'failed'],
  ] as const) {
    const payment = await challenged(shop)
    const before = await fromBrowser(shop, payment)
    equal(before.body.status, 'requires_customer_action', 'saying so is not enough')
    const { id } = (await shop.processor.operations()).find((operation: Body) => operation.status === 'challenge')
    await shop.processor.decide(id, verdict)
    const shipping = { address: { city: 'Bergen', country: 'NO' } }
    const { body } = await fromBrowser(shop, payment, { shipping, threeds_method_comp_ind: 'Y' })
    deepEqual([body.status, body.shipping.address.city], [status, 'Bergen'])
  }
  equal((await shop.processor.charges()).length, 1)
})

test('a browser cannot replace the shipping address of a payment, but the server of the merchant can', async () => {
  const shop = await openShop()
  const oslo = { address: { city: 'Oslo', country: 'NO' } }
  const bergen = { address: { city: 'Bergen', country: 'NO' } }
  const payment = await shop.pay({ card: cards.challenges, authentication_type: 'three_ds', shipping: oslo })
  equal((await fromBrowser(shop, payment, { shipping: bergen })).body.shipping.address.city, 'Oslo')
  equal((await shop.post(path(payment), { shipping: bergen })).body.shipping.address.city, 'Bergen', 'the merchant’s server can')
})

test('complete_authorize is refused for an ended payment, and returns an unconfirmed one unchanged', async () => {
  const shop = await openShop()
  for (const payment of [await shop.pay(), await shop.pay({ card: cards.declines })])
    isRefused(await shop.post(path(payment), { shipping: { address: { city: 'Oslo' } } }), 400, 'IR_16', new RegExp(payment.status))
  const created = await shop.create()
  deepEqual((await shop.post(path(created), {})).body, created)
  isRefused(await fromBrowser(shop, { ...created, client_secret: 'x' }), 400, 'IR_09')
  isRefused(await http('POST', shop.url + path(created), {}, { 'api-key': 'unknown' }), 401, 'IR_01')
})
