import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, openShop, type Shop } from './shop.ts'
import { walk } from './walk.ts'

/**
 * A void that never arrived, of a hold that expires days later: some processors describe both alike, and the service
 * must not conclude that they voided the hold.
 */

const onPage = {
  currency: 'EUR',
  payment_method: 'card_redirect',
  payment_method_type: 'card_redirect',
  payment_method_data: { card_redirect: { card_redirect: {} } },
}

/** The way to make a hold at each processor. The tests then lose the void of the hold. */
const holds: Record<string, (shop: Shop) => Promise<Body>> = {
  phonypay: shop => shop.hold(),
  stripe: shop => shop.hold(),
  checkout: shop => shop.hold(),
  braintree: shop => shop.hold(),
  paypal: shop => shop.hold(),
  mollie: async shop => walk(shop, await shop.hold(onPage), 'accept'),
}

const states = async (shop: Shop): Promise<string[][]> =>
  (await shop.query('select verb, state from processor_operations where merchant_id = $1 order by n', [shop.merchant_id])).map(
    ({ verb, state }) => [verb, state],
  )

for (const [connector, holding] of Object.entries(holds))
  test(`${connector}: an authorization whose void never arrived expires, and is not shown as voided`, async () => {
    const shop = await openShop({ connector, webhooks: 'on' })
    const hold = await holding(shop)
    equal(hold.status, 'requires_capture')
    await shop.processor.fault('void', 'reset_before')
    equal((await shop.cancel(hold.payment_id)).body.status, 'processing')
    await shop.wait('2 hours')
    equal((await shop.get(hold.payment_id)).status, 'requires_capture')
    await shop.wait('1 day')
    await shop.wait('8 days')
    await shop.wait('1 hour')
    const over = await shop.get(hold.payment_id)
    deepEqual([over.status, over.amount_capturable], ['expired', 0])
    deepEqual(await states(shop), [
      ['authorize', 'done'],
      ['void', 'not_received'],
    ])
  })

test('mollie: an authorization whose release was accepted and never carried out ends as expired', async () => {
  const shop = await openShop({ connector: 'mollie', webhooks: 'on' })
  const hold = await holds.mollie!(shop)
  await shop.processor.fault('void', 'decline')
  equal((await shop.cancel(hold.payment_id)).body.status, 'processing')
  for (const time of ['2 hours', '1 day', '8 days', '1 hour']) await shop.wait(time)
  const over = await shop.get(hold.payment_id)
  deepEqual([over.status, over.amount_capturable], ['expired', 0])
  deepEqual(await states(shop), [
    ['authorize', 'done'],
    ['void', 'declined'],
  ])
})

test('mollie: the rest of a partly captured authorization expires if its release never arrived, and is not shown as released', async () => {
  const shop = await openShop({ connector: 'mollie', webhooks: 'on' })
  const hold = await walk(shop, await shop.hold({ ...onPage, capture_method: 'manual_multiple' }), 'accept')
  await shop.capture(hold.payment_id, 300)
  await shop.processor.fault('void', 'reset_before')
  await shop.post(`/payments/${hold.payment_id}/release`, {})
  for (const time of ['2 hours', '1 day', '8 days', '1 day']) await shop.wait(time)
  const over = await shop.get(hold.payment_id)
  deepEqual([over.status, over.amount_received, over.amount_capturable], ['partially_captured', 300, 0])
  deepEqual((await states(shop)).at(-1), ['void', 'not_received'])
})

/**
 * The processors that report the end of a hold in advance. (Checkout.com does not: it reports by webhook that a hold
 * has expired.)
 */
const lasting = Object.entries(holds).filter(([connector]) => connector !== 'checkout')
const authorizationExpiries = async (shop: Shop): Promise<number> =>
  (await shop.query('select from hold_ends where merchant_id = $1', [shop.merchant_id])).length

for (const [connector, holding] of lasting)
  test(`${connector}: an authorization that expires without a webhook is polled shortly afterwards, and is expired`, async () => {
    const shop = await openShop({ connector })
    const hold = await holding(shop)
    equal(hold.status, 'requires_capture')
    const days = (Date.parse((await shop.get(hold.payment_id)).capture_before) - Date.now() - shop.clock.ahead) / 86_400_000
    for (let day = 1; day < days; day++) await shop.wait('1 day')
    equal((await shop.get(hold.payment_id)).status, 'requires_capture')
    await shop.wait('1 day')
    await shop.wait('10 minutes')
    const over = await shop.get(hold.payment_id)
    deepEqual([over.status, over.amount_capturable], ['expired', 0])
    await shop.wait('1 hour')
    equal(await authorizationExpiries(shop), 0)
  })

test('an authorization is polled again if the processor did not answer or it is still open; never once it is captured', async () => {
  const shop = await openShop()
  const [lost, captured, part] = [await shop.hold(), await shop.hold(), await shop.hold({ capture_method: 'manual_multiple' })]
  await shop.capture(captured!.payment_id)
  await shop.capture(part!.payment_id, 500)
  await shop.processor.fault('lookup', '500_before', { times: 4 })
  await shop.wait('7 days')
  await shop.wait('6 minutes')
  deepEqual([(await shop.get(lost!.payment_id)).status, await authorizationExpiries(shop)], ['requires_capture', 2])
  await shop.wait('1 hour')
  const ends = await Promise.all([lost, captured, part].map(one => shop.get(one!.payment_id)))
  deepEqual(
    ends.map(({ status, amount_capturable }) => [status, amount_capturable]),
    [
      ['expired', 0],
      ['succeeded', 0],
      ['partially_captured', 0],
    ],
  )
  await shop.wait('1 day')
  equal(await authorizationExpiries(shop), 0)
})

test('an extended authorization is polled when its new period is over', async () => {
  const shop = await openShop()
  const hold = await shop.hold()
  await shop.wait('5 days')
  equal((await shop.post(`/payments/${hold.payment_id}/extend_authorization`, undefined)).status, 200)
  await shop.wait('3 days')
  equal((await shop.get(hold.payment_id)).status, 'requires_capture')
  await shop.wait('5 days')
  await shop.wait('10 minutes')
  equal((await shop.get(hold.payment_id)).status, 'expired')
})
