import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, openShop, type Shop } from './shop.ts'
import { walk } from './walk.ts'

/**
 * A void that never arrived, of a hold that runs out days later: processors that say the same of both must not be
 * understood as if they had voided it.
 */

const onPage = {
  currency: 'EUR',
  payment_method: 'card_redirect',
  payment_method_type: 'card_redirect',
  payment_method_data: { card_redirect: { card_redirect: {} } },
}

/** How a hold comes to be, and how its void does not arrive. */
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
  test(`${connector}: a void that never arrived, of a hold that runs out: it has expired, and no void is claimed`, async () => {
    const shop = await openShop({ connector, webhooks: 'on' })
    const hold = await holding(shop)
    equal(hold.status, 'requires_capture')
    await shop.processor.fault('void', 'reset_before')
    equal((await shop.cancel(hold.payment_id)).body.status, 'processing')
    await shop.wait('2 hours')
    equal((await shop.get(hold.payment_id)).status, 'requires_capture')
    await shop.wait('1 day')
    await shop.wait('8 days')
    // That a hold has lapsed is not told by all of them.
    await shop.sync(hold.payment_id)
    await shop.wait('1 hour')
    const over = await shop.get(hold.payment_id)
    deepEqual([over.status, over.amount_capturable], ['expired', 0])
    deepEqual(await states(shop), [
      ['authorize', 'done'],
      ['void', 'not_received'],
    ])
  })

test('mollie: a release that was taken on and never made, of a hold that runs out: it has expired, and nothing waits for it', async () => {
  const shop = await openShop({ connector: 'mollie', webhooks: 'on' })
  const hold = await holds.mollie!(shop)
  await shop.processor.fault('void', 'decline')
  equal((await shop.cancel(hold.payment_id)).body.status, 'processing')
  for (const time of ['2 hours', '1 day', '8 days', '1 hour']) await shop.wait(time)
  await shop.sync(hold.payment_id)
  const over = await shop.get(hold.payment_id)
  deepEqual([over.status, over.amount_capturable], ['expired', 0])
  deepEqual(await states(shop), [
    ['authorize', 'done'],
    ['void', 'declined'],
  ])
})
