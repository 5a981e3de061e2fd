import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/refused.ts'
import { openShop } from '../../../test/shop.ts'

const statement = { statement_descriptor_name: 'CHAIRS', statement_descriptor_suffix: 'OSLO' }

test('the statement descriptor is sent to every processor', async () => {
  for (const connector of ['phonypay', 'stripe', 'adyen']) {
    const shop = await openShop({ connector })
    const paid = await shop.pay(statement)
    deepEqual([paid.statement_descriptor_name, paid.statement_descriptor_suffix], ['CHAIRS', 'OSLO'])
    await shop.pay({ ...statement, billing_descriptor: { statement_descriptor: 'TABLES', statement_descriptor_suffix: 'BERGEN' } })
    await shop.pay({ billing_descriptor: { name: 'STOOLS' } })
    await shop.pay()
    deepEqual(
      (await shop.processor.charges()).map(charge => charge.statement_descriptor),
      ['CHAIRS OSLO', 'TABLES BERGEN', 'STOOLS', undefined],
      connector,
    )
  }
})

test('a capture can replace the statement descriptor', async () => {
  for (const connector of ['phonypay', 'stripe']) {
    const shop = await openShop({ connector })
    const hold = await shop.hold(statement)
    const descriptor = { statement_descriptor_prefix: 'CHAIRS', statement_descriptor_suffix: 'PART 1' }
    equal((await shop.post(`/payments/${hold.payment_id}/capture`, descriptor)).body.status, 'succeeded')
    equal((await shop.processor.charges())[0]!.statement_descriptor, 'CHAIRS PART 1', connector)
  }
})

test('a long statement descriptor is shortened for the processor, and one above 255 characters is refused', async () => {
  for (const connector of ['stripe', 'adyen']) {
    const shop = await openShop({ connector })
    await shop.pay({ ...statement, statement_descriptor_suffix: 'OF THE OLD TOWN OF BERGEN <1>' })
    equal((await shop.processor.charges())[0]!.statement_descriptor, 'CHAIRS OF THE OLD TOWN')
  }
  const shop = await openShop()
  isRefused(
    await shop.tryToPay({ ...statement, statement_descriptor_suffix: 'x'.repeat(250) }),
    422,
    'IR_06',
    /statement_descriptor_suffix/,
  )
})
