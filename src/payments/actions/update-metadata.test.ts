import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/refused.ts'
import { type Body, cards, http, openShop, type Shop } from '../../../test/shop.ts'

const note = (shop: Shop, { payment_id }: Body, body: Body) => shop.post(`/payments/${payment_id}/update_metadata`, body)

test('metadata sent later is merged with the existing metadata', async () => {
  const shop = await openShop()
  const payment = await shop.pay({ metadata: { order: '1047', shelf: 'A' } })
  const { status, body } = await note(shop, payment, { metadata: { shelf: 'B', parcel: 'JD01' } })
  const metadata = { order: '1047', shelf: 'B', parcel: 'JD01' }
  deepEqual([status, body], [200, { payment_id: payment.payment_id, metadata, status: 'succeeded', feature_metadata: null }])
  const now = await shop.get(payment.payment_id)
  deepEqual([now.metadata, now.amount_received], [metadata, 1250])
  const feature_metadata = { search_tags: ['spring'] }
  deepEqual((await note(shop, payment, { metadata: { a: 1 }, feature_metadata })).body.feature_metadata, feature_metadata)
})

test('metadata of authorized and failed payments can be updated; for an unconfirmed payment it is refused', async () => {
  const shop = await openShop()
  for (const payment of [await shop.hold(), await shop.pay({ card: cards.declines })])
    deepEqual((await note(shop, payment, { metadata: { a: 'b' } })).body.metadata, { a: 'b' })
  for (const payment of [await shop.create(), await shop.create({ payment_method: undefined, payment_method_data: undefined })])
    isRefused(await note(shop, payment, { metadata: { a: 'b' } }), 400, 'IR_16', new RegExp(payment.status))
})

test('updated metadata keeps the limit of 50 entries, and invalid updates are refused', async () => {
  const shop = await openShop()
  const many = (from: number, n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${from + i}`, 'v']))
  const payment = await shop.hold({ metadata: many(0, 40) })
  isRefused(await note(shop, payment, { metadata: many(40, 11) }), 422, 'IR_06', /50/)
  isRefused(await note(shop, payment, { metadata: {} }), 422, 'IR_06', /metadata/)
  isRefused(await note(shop, payment, {}), 400, 'IR_04', /metadata/)
  isRefused(await note(shop, payment, { metadata: { a: 'b' }, amount: 5 }), 400, 'IR_06', /amount/)
  deepEqual((await shop.get(payment.payment_id)).metadata, many(0, 40))
})

test('a publishable key cannot update metadata', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.hold()
  const path = `${shop.url}/payments/${payment_id}/update_metadata`
  isRefused(await http('POST', path, { metadata: { a: 'b' } }, { 'api-key': shop.publishable_key }), 403, 'IR_22')
})
