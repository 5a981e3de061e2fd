import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/refused.ts'
import { type Body, cards, http, openShop, type Shop } from '../../../test/shop.ts'
import { statesOf } from '../../base/lifecycle.ts'
import { allowedStatuses, lifecycle } from '../lifecycle.ts'

const path = ({ payment_id }: Body) => `/payments/${payment_id}/cancel_post_capture`
const undo = (shop: Shop, payment: Body, body: Body = {}) => shop.post(path(payment), body)
/** Gives the amount that the processor captured, less the amount that it returned. */
const kept = async (shop: Shop) => (await shop.processor.charges()).reduce((sum, { captured, refunded }) => sum + captured - refunded, 0)
const voidStatus = ({ state_metadata }: Body) => state_metadata.post_capture_void.status

test('cancelling a paid payment reverses it in full at the processor', async () => {
  const shop = await openShop()
  const payment = await shop.pay()
  const { status, body } = await undo(shop, payment, { cancellation_reason: 'sold out' })
  deepEqual([status, body.status, voidStatus(body), body.cancellation_reason], [200, 'cancelled_post_capture', 'succeeded', 'sold out'])
  deepEqual([body.refunds, body.amount_capturable, await kept(shop)], [null, 0, 0])
  isRefused(await shop.refund(payment.payment_id), 400, 'IR_14', /cancelled_post_capture/)
  isRefused(await undo(shop, payment), 400, 'IR_16', /cancelled_post_capture/)
  const events = await shop.events(payment.payment_id)
  deepEqual(
    events.slice(-2).map(({ type, event_type }) => [type, event_type]),
    [
      ['post_capture_void_sent', null],
      ['post_capture_voided', 'payment_cancelled_post_capture'],
    ],
  )
})

test('a cancel after a partial capture returns the captured amount and releases the rest', async () => {
  const shop = await openShop()
  const part = await shop.hold()
  await shop.capture(part.payment_id, 500)
  const several = await shop.hold({ capture_method: 'manual_multiple' })
  await shop.capture(several.payment_id, 300)
  for (const payment of [part, several]) equal((await undo(shop, payment)).body.status, 'cancelled_post_capture')
  deepEqual(
    (await shop.processor.charges()).map(({ captured, refunded }) => captured - refunded),
    [0, 0],
  )
  isRefused(await shop.capture(several.payment_id, 100), 400, 'IR_14')
  equal((await shop.get(several.payment_id)).amount_capturable, 0)
})

test('a declined reversal leaves the payment paid, and it can be refunded', async () => {
  const shop = await openShop()
  const payment = await shop.pay()
  await shop.processor.fault('reverse', 'decline')
  const { body } = await undo(shop, payment)
  deepEqual([body.status, voidStatus(body), body.error_code], ['succeeded', 'failed', 'reversal_declined'])
  equal(await kept(shop), 1250)
  equal((await shop.refund(payment.payment_id)).body.status, 'succeeded')
})

test('a reversal with a lost response blocks refunds until its outcome is found', async () => {
  const shop = await openShop()
  for (const [fault, status, end] of [
    ['reset_after', 'cancelled_post_capture', 'succeeded'],
    ['reset_before', 'succeeded', 'failed'],
  ] as const) {
    const payment = await shop.pay()
    await shop.processor.fault('reverse', fault)
    const { body } = await undo(shop, payment)
    deepEqual([body.status, voidStatus(body)], ['succeeded', 'pending'])
    isRefused(await shop.refund(payment.payment_id), 400, 'IR_16', /cancelled after capture/)
    isRefused(await undo(shop, payment), 422, 'HE_00')
    if (fault === 'reset_after') equal((await shop.call('GET', path(payment))).body.status, status)
    await shop.wait('2 minutes')
    const known = await shop.get(payment.payment_id)
    deepEqual([known.status, voidStatus(known)], [status, end])
  }
  equal(await kept(shop), 1250)
})

test('a partly refunded payment cannot be cancelled after capture', async () => {
  const shop = await openShop()
  const payment = await shop.pay()
  await shop.refund(payment.payment_id, 500)
  isRefused(await undo(shop, payment), 400, 'IR_16', /refunded/)
  equal(await kept(shop), 750)
})

test('a cancel after capture requires a captured amount and a secret key', async () => {
  const shop = await openShop()
  const others = [await shop.create(), await shop.hold(), await shop.pay({ card: cards.declines }), await shop.pay({ card: cards.hangs })]
  for (const payment of others) isRefused(await undo(shop, payment), 400, 'IR_16', new RegExp(payment.status))
  const allowed = ['partially_captured_and_capturable', 'succeeded', 'partially_captured']
  deepEqual(
    statesOf(lifecycle).filter(status => allowedStatuses.cancel_post_capture.includes(status)),
    allowed,
  )
  const payment = await shop.pay()
  isRefused(await shop.call('GET', path(payment)), 400, 'IR_16')
  for (const method of ['POST', 'GET'])
    isRefused(await http(method, shop.url + path(payment), undefined, { 'api-key': shop.publishable_key }), 403, 'IR_22')
  isRefused(await undo(shop, { payment_id: 'pay_nobody' }), 404, 'HE_02')
  deepEqual(await shop.get(payment.payment_id), payment)
})

test('a concurrent refund and cancel after capture return the money once', async () => {
  const shop = await openShop()
  const payment = await shop.pay()
  await Promise.all([shop.refund(payment.payment_id), undo(shop, payment)])
  await shop.wait('2 minutes')
  equal(await kept(shop), 0)
})
