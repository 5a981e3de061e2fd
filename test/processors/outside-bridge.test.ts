import { equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openShop } from '../shop.ts'
import { equalsBooks, moveOutside } from './outside.ts'
import { definesOutside } from './outside-tests.ts'
import { outsideTraits } from './outside-traits.ts'

definesOutside('bridge', outsideTraits.bridge!)

test('bridge: an adapter that tells by notification only is believed, and payments of one that tells nothing stay as they are', async () => {
  const sandboxKey = `sandbox_operations_only_${randomUUID()}`
  const shop = await openShop({ connector: 'bridge', webhooks: 'on', sandboxKey })
  const paid = await shop.pay()
  await moveOutside(shop, paid, 'refund', { amount: 300 }, 'without a webhook')
  equal((await shop.get(paid.payment_id)).refunds, null)
  await moveOutside(shop, paid, 'refund', { amount: 200 }, 'by webhook')
  await equalsBooks(shop, paid)
  equal((await shop.query('select from payment_looks where payment_id = $1', [paid.payment_id])).length, 0)
})
