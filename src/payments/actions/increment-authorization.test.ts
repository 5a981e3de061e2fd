import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/refused.ts'
import { type Body, cards, http, openShop, type PayAsk, type Shop } from '../../../test/shop.ts'
import { statesOf } from '../../base/lifecycle.ts'
import { allowedStatuses, lifecycle } from '../lifecycle.ts'

const raisable = (shop: Shop, ask: PayAsk = {}): Promise<Body> =>
  shop.hold({ amount: 1000, request_incremental_authorization: true, ...ask })
const raise = (shop: Shop, { payment_id }: Body, amount: number, more: Body = {}) =>
  shop.post(`/payments/${payment_id}/incremental_authorization`, { amount, ...more })
const seen = (payment: Body) => [payment.status, payment.amount, payment.amount_capturable, payment.authorization_count]
const held = async (shop: Shop) => (await shop.processor.charges()).map(({ amount, captured, status }) => [amount, captured, status])

test('an incremental authorization raises the authorized amount, and the capture takes all of it', async () => {
  const shop = await openShop()
  const hold = await raisable(shop, { shipping_cost: 50 })
  deepEqual([hold.incremental_authorization_allowed, hold.incremental_authorizations, hold.authorization_count], [true, null, null])
  const { body } = await raise(shop, hold, 1500, { reason: 'one more night' })
  deepEqual([...seen(body), body.net_amount], ['requires_capture', 1500, 1550, 1, 1550])
  const [{ authorization_id, ...one }] = body.incremental_authorizations
  match(authorization_id, /^auth_[A-Za-z0-9]{20}_1$/)
  const ended = { status: 'success', error_code: null, error_message: null }
  deepEqual(one, { amount: 1500, previously_authorized_amount: 1000, ...ended })
  deepEqual(seen((await raise(shop, hold, 1600)).body), ['requires_capture', 1600, 1650, 2])
  const paid = (await shop.capture(hold.payment_id)).body
  deepEqual([paid.status, paid.amount_received, paid.incremental_authorizations.length], ['succeeded', 1650, 2])
  const [charge] = await shop.processor.charges()
  deepEqual([charge!.captured, charge!.status], [1650, 'captured'])
})

test('a declined increment leaves the authorization unchanged, and its error is returned', async () => {
  const shop = await openShop()
  const hold = await raisable(shop)
  await shop.processor.fault('increment', 'decline')
  const { status, body } = await raise(shop, hold, 1500)
  deepEqual([status, ...seen(body), body.error_code], [200, 'requires_capture', 1000, 1000, 1, 'increment_declined'])
  deepEqual([body.incremental_authorizations[0].status, body.incremental_authorizations[0].error_code], ['failure', 'increment_declined'])
  deepEqual(seen((await raise(shop, hold, 1400)).body), ['requires_capture', 1400, 1400, 2])
  equal((await shop.capture(hold.payment_id)).body.amount_received, 1400)
})

test('an increment with a lost response blocks capture and cancel until its outcome is found', async () => {
  const shop = await openShop()
  for (const [fault, amount] of [
    ['reset_after', 1500],
    ['reset_before', 1000],
  ] as const) {
    const hold = await raisable(shop)
    await shop.processor.fault('increment', fault)
    const { body } = await raise(shop, hold, 1500)
    deepEqual([...seen(body), body.incremental_authorizations[0].status], ['requires_capture', 1000, 1000, 1, 'processing'])
    for (const answer of [await shop.capture(hold.payment_id), await shop.cancel(hold.payment_id), await raise(shop, hold, 1600)])
      isRefused(answer, 422, 'HE_00')
    await shop.wait('2 minutes')
    const known = await shop.get(hold.payment_id)
    deepEqual(seen(known), ['requires_capture', amount, amount, 1])
    equal(known.incremental_authorizations[0].status, amount === 1500 ? 'success' : 'failure')
    equal((await shop.capture(hold.payment_id)).body.amount_received, amount)
  }
  deepEqual((await held(shop)).map(([, captured]) => captured).sort(), [1000, 1500])
})

test('an increment without a result for seven days is unresolved, and the merchant gets an action_required event', async () => {
  const shop = await openShop()
  const hold = await raisable(shop)
  await shop.processor.fault('increment', 'reset_after')
  await shop.processor.fault('lookup', 'reset_before', { times: 1000 })
  await raise(shop, hold, 1500)
  await shop.wait('8 days')
  const known = await shop.get(hold.payment_id)
  deepEqual([known.status, known.amount_capturable, known.incremental_authorizations[0].status], ['requires_capture', 1000, 'unresolved'])
  equal((await shop.events(hold.payment_id)).at(-1)!.event_type, 'action_required')
  await shop.processor.soundAgain()
  equal((await shop.sync(hold.payment_id)).status, 'expired')
})

test('an increment requires an authorization that allows it, and a higher amount', async () => {
  const shop = await openShop()
  const plain = await shop.hold()
  equal(plain.incremental_authorization_allowed, null)
  isRefused(await raise(shop, plain, 2000), 400, 'IR_16', /incremental_authorization_allowed/)
  const hold = await raisable(shop)
  isRefused(await raise(shop, hold, 1000), 400, 'IR_16', /greater than the current amount, 1000/)
  isRefused(await raise(shop, hold, 0), 400, 'IR_06', /amount/)
  isRefused(await shop.post(`/payments/${hold.payment_id}/incremental_authorization`, {}), 400, 'IR_04', /amount/)
  isRefused(await raise(shop, { payment_id: 'pay_nobody' }, 5), 404, 'HE_02')
  const url = `${shop.url}/payments/${hold.payment_id}/incremental_authorization`
  isRefused(await http('POST', url, { amount: 2000 }, { 'api-key': shop.publishable_key }), 403, 'IR_22')
  isRefused(await shop.tryToPay({ request_incremental_authorization: true }), 400, 'IR_19', /request_incremental_authorization/)
  deepEqual(await shop.get(hold.payment_id), hold)
})

test('an increment is allowed only in status requires_capture', async () => {
  const shop = await openShop()
  const others = [
    await shop.create(),
    await shop.pay(),
    await shop.pay({ card: cards.declines }),
    await shop.hold({ card: cards.hangs }),
    (await shop.cancel((await raisable(shop)).payment_id)).body,
  ]
  for (const payment of others) {
    isRefused(await raise(shop, payment, 9000), 400, 'IR_16', new RegExp(`${payment.status}; it must be one of requires_capture`))
    equal(allowedStatuses.incremental_authorization.includes(payment.status), false)
  }
  deepEqual(
    statesOf(lifecycle).filter(status => allowedStatuses.incremental_authorization.includes(status)),
    ['requires_capture'],
  )
})

test('concurrent increments leave the payment with the amount that the processor has authorized', async () => {
  const shop = await openShop()
  const hold = await raisable(shop)
  const answers = await Promise.all([raise(shop, hold, 1500), raise(shop, hold, 1700)])
  const [amount] = (await held(shop))[0]!
  const { amount: ours, amount_capturable } = await shop.get(hold.payment_id)
  deepEqual([ours, amount_capturable], [amount, amount])
  equal(answers.filter(({ status }) => status === 200).length >= 1, true)
})

test('an increment sends a payment_authorized event, and the history has the previous amount', async () => {
  const shop = await openShop()
  const hold = await raisable(shop)
  await raise(shop, hold, 1500)
  const [, , sent, done] = await shop.events(hold.payment_id)
  deepEqual([sent!.type, sent!.event_type, done!.type, done!.event_type], ['increment_sent', null, 'increment_done', 'payment_authorized'])
  deepEqual([done!.was.amount, done!.was.amount_capturable], [1000, 1000])
})
