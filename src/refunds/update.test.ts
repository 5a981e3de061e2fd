import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { listAnew } from '../../test/listed.ts'
import { succeed } from '../../test/merchant.ts'
import { isRefused } from '../../test/refused.ts'
import { cards, openShop } from '../../test/shop.ts'
import { statesOf } from '../base/lifecycle.ts'
import { refundLifecycle } from './lifecycle.ts'
import { refunds } from './refund.ts'

test('a refund update changes the reason or the metadata, and keeps what is not in the request', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  const { body: made } = await shop.refund(payment_id, 300, { reason: 'did not fit', metadata: { parcel: '7' } })
  const path = `/refunds/${made.refund_id}`
  const other = await succeed(shop.post(path, { reason: 'was broken' }))
  deepEqual({ ...other, updated_at: made.updated_at }, { ...made, reason: 'was broken' })
  const noted = await succeed(shop.post(path, { metadata: { shelf: '12' } }))
  deepEqual([noted.reason, noted.metadata], ['was broken', { shelf: '12' }])
  deepEqual(await shop.getRefund(made.refund_id), noted)
  deepEqual(await succeed(shop.post(path, {})).then(({ reason }) => reason), 'was broken')
  const types = (await shop.events(payment_id)).map(({ type }) => type)
  equal(types.filter(type => type === 'refund_updated').length, 3)
})

test('a refund update with other fields, with too long values, or of an unknown refund is refused', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  const { refund_id } = (await shop.refund(payment_id, 300)).body
  isRefused(await shop.post(`/refunds/${refund_id}`, { amount: 400 }), 400, 'IR_06', /amount/)
  isRefused(await shop.post(`/refunds/${refund_id}`, { reason: 'x'.repeat(256) }), 422, 'IR_06', /reason/)
  isRefused(await shop.post(`/refunds/${refund_id}`, { metadata: { ['k'.repeat(41)]: 'v' } }), 422, 'IR_06', /metadata/)
  isRefused(await shop.post(`/refunds/ref_${'0'.repeat(26)}`, { reason: 'x' }), 404, 'HE_02')
  isRefused(await shop.post('/refunds/sync', { refund_id: `ref_${'0'.repeat(26)}` }), 404, 'HE_02')
})

test('updates during a pending refund are not lost, and neither is the result from the processor', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ card: cards.refundsLater })
  const { refund_id } = (await shop.refund(payment_id, 300)).body
  equal((await succeed(shop.post('/refunds/sync', { refund_id }))).status, 'pending')
  const answers = await Promise.all([1, 2, 3].map(i => shop.post(`/refunds/${refund_id}`, { metadata: { i: String(i) } })))
  for (const { status } of answers) equal([200, 422].includes(status), true)
  const whole = await succeed(shop.post('/refunds/sync', { refund_id, all_keys_required: true }))
  ok(whole.raw_connector_response.includes('refund'), whole.raw_connector_response)
  await shop.wait('2 minutes')
  const refund = await succeed(shop.post('/refunds/sync', { refund_id, force_sync: false }))
  deepEqual([refund.status, Object.keys(refund.metadata)], ['succeeded', ['i']])
})

test('each operation on a refund is allowed in every status, and changes no status', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  const { refund_id } = (await shop.refund(payment_id, 300)).body
  for (const status of statesOf(refundLifecycle)) {
    await shop.query('update refunds set status = $3 where merchant_id = $1 and refund_id = $2', [shop.merchant_id, refund_id, status])
    await listAnew(shop, refunds)
    for (const [path, body] of [
      [`/refunds/${refund_id}`, { reason: status }],
      ['/refunds/sync', { refund_id, force_sync: false }],
    ] as const)
      deepEqual(await succeed(shop.post(path, body)).then(found => [found.status, found.reason]), [status, status])
    equal((await shop.getRefund(refund_id)).status, status)
    const { data } = await succeed(shop.post('/refunds/list', { start_time: '2020-01-01T00:00:00Z', refund_status: [status] }))
    equal(data.length, 1)
  }
  equal((await shop.processor.charges())[0]!.refunded, 300)
})

test('a refund is sent to the account of its payment, even if the account has been disabled since', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  const path = `/account/${shop.merchant_id}/connectors/${shop.merchant_connector_id}`
  await succeed(shop.post(path, { connector_type: 'payment_processor', disabled: true }))
  isRefused(await shop.tryToPay(), 400, 'IR_39')
  equal((await shop.refund(payment_id, 300)).body.status, 'succeeded')
})
