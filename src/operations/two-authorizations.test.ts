import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { retryAt, secondAccount } from '../../test/retried.ts'
import { type Body, openPlace, openShop, type Shop } from '../../test/shop.ts'
import type { Reply } from '../context.ts'

/**
 * Two authorizations of one payment at two processors, the first of them late: the payment uses the second, and the
 * first is reversed.
 */

/** While set, the next request that moves money is held back here, and never reaches the processor. */
let keep: ((send: () => Promise<Reply>) => void) | null = null
await openPlace({}, context => ({
  ...context,
  async send(asked, sender) {
    if (asked.method !== 'POST' || !keep) return context.send(asked, sender)
    keep(() => context.send(asked, sender))
    keep = null
    return { is: 'silence', why: 'somewhere in a queue' }
  },
}))

/**
 * Makes a payment whose first authorization is still on its way, and whose second, at another processor, was approved.
 */
async function retried(shop: Shop, more: Body = {}) {
  const second = await secondAccount(shop)
  let arrive = () => Promise.reject<Reply>(new Error('nothing was sent'))
  keep = send => {
    arrive = send
  }
  const { payment_id } = await shop.pay(more)
  await shop.wait('5 minutes')
  const payment = await retryAt(shop, payment_id, second.merchant_connector_id)
  return { payment_id, second, arrive: () => arrive(), reference: payment.connector_transaction_id }
}

const charge = (charges: { captured: number; refunded: number; status: string }[]) =>
  charges.map(({ captured, refunded, status }) => `${status} ${captured} ${refunded}`)

test('a late charge at the first processor is refunded; the payment stays paid at the second, which gets later refunds', async () => {
  const shop = await openShop({ webhooks: 'on' })
  const { payment_id, second, arrive, reference } = await retried(shop)
  await arrive()
  await shop.processor.advance(0)
  const payment = await shop.get(payment_id)
  deepEqual([payment.status, payment.connector_transaction_id, payment.error_code], ['succeeded', reference, null])
  deepEqual(
    [charge(await shop.processor.charges()), charge(await second.processor.charges())],
    [['captured 1250 1250'], ['captured 1250 0']],
  )
  equal((await shop.refund(payment_id, 500)).body.status, 'succeeded')
  deepEqual(
    [charge(await shop.processor.charges()), charge(await second.processor.charges())],
    [['captured 1250 1250'], ['captured 1250 500']],
  )
})

test('a late authorization at the first processor is voided, and the capture goes to the second', async () => {
  const shop = await openShop({ webhooks: 'on' })
  const { payment_id, second, arrive } = await retried(shop, { capture_method: 'manual' })
  await arrive()
  await shop.processor.advance(0)
  deepEqual([charge(await shop.processor.charges()), charge(await second.processor.charges())], [['voided 0 0'], ['authorized 0 0']])
  equal((await shop.capture(payment_id)).body.status, 'succeeded')
  deepEqual(charge(await second.processor.charges()), ['captured 1250 0'])
})

test('a late charge that is reported several times at once is refunded once', async () => {
  const shop = await openShop({ webhooks: 'on' })
  await shop.processor.account({ webhooks: 'duplicate' })
  const { payment_id, arrive } = await retried(shop)
  await Promise.all([arrive(), ...Array.from({ length: 5 }, () => shop.sync(payment_id)), shop.service.tick()])
  await shop.wait('2 hours')
  deepEqual(charge(await shop.processor.charges()), ['captured 1250 1250'])
  equal((await shop.processor.operations()).filter(operation => operation.type === 'refund').length, 1)
  equal((await shop.get(payment_id)).status, 'succeeded')
})
