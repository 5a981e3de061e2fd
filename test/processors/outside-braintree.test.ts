import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { openShop } from '../shop.ts'
import { chargeOf, equalsBooks, moveUnheard } from './outside.ts'
import { definesOutside } from './outside-tests.ts'
import { outsideTraits } from './outside-traits.ts'

definesOutside('braintree', outsideTraits.braintree!)

test('braintree: a cancel of ours after a capture there gives the money back, of a part too, and nothing is left to explain', async () => {
  for (const move of [{}, { amount: 400 }]) {
    const shop = await openShop({ connector: 'braintree', webhooks: 'on' })
    const hold = await shop.hold()
    await moveUnheard(shop, hold, 'capture', move)
    equal((await shop.cancel(hold.payment_id)).body.status, 'cancelled')
    await shop.wait('2 days')
    equal((await equalsBooks(shop, hold)).status, 'cancelled')
    const { captured, refunded } = await chargeOf(shop, hold)
    deepEqual(captured, refunded)
  }
})
