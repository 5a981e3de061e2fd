import { deepEqual, equal } from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Body, cards, openShop, type Shop } from '../../test/shop.ts'
import { phonypay } from '../connectors/phonypay/connector.ts'

/**
 * A processor to which nothing may be sent twice: a request that it never received is sent again when the first can no
 * longer be on its way.
 */

const { idempotent_ms } = phonypay.accepts
Object.assign(phonypay.accepts, { idempotent_ms: 0 })
after(() => Object.assign(phonypay.accepts, { idempotent_ms }))

const refundsOf = async (shop: Shop): Promise<Body[]> =>
  (await shop.processor.operations()).filter((operation: Body) => operation.type === 'refund')

test('money to be given back: the request was lost, so it is sent once more, when it can be nowhere', async () => {
  const shop = await openShop()
  await shop.processor.fault('refund', 'reset_before')
  const { payment_id, status } = await shop.pay({ card: cards.approvesHalf })
  equal(status, 'processing')
  await shop.wait('60 seconds')
  deepEqual(await refundsOf(shop), [], 'it might still come')
  await shop.wait('10 minutes')
  deepEqual(
    (await refundsOf(shop)).map(({ status, amount }) => [status, amount]),
    [['approved', 625]],
  )
  equal((await shop.get(payment_id)).status, 'failed')
})

test('it was lost twice: each time it is waited for until it can be nowhere, and the money goes back once', async () => {
  const shop = await openShop()
  await shop.processor.fault('refund', 'reset_before', { times: 2 })
  const { payment_id } = await shop.pay({ card: cards.approvesHalf })
  for (let hour = 0; hour < 6; hour++) await shop.wait('1 hour')
  equal((await shop.get(payment_id)).status, 'failed')
  equal((await refundsOf(shop)).length, 1)
})

test('it was done, and the answer lost: that is found, and nothing is sent again', async () => {
  const shop = await openShop()
  await shop.processor.fault('refund', 'reset_after')
  await shop.processor.fault('lookup', '500_before', { times: 2 })
  const { payment_id } = await shop.pay({ card: cards.approvesHalf })
  for (let hour = 0; hour < 6; hour++) await shop.wait('1 hour')
  equal((await shop.get(payment_id)).status, 'failed')
  deepEqual(
    (await refundsOf(shop)).map(({ sends }) => sends),
    [1],
  )
})

test('two who hear at once that it never came send it once', async () => {
  const shop = await openShop()
  await shop.processor.fault('refund', 'reset_before')
  const { payment_id } = await shop.pay({ card: cards.approvesHalf })
  shop.clock.ahead += 600_000
  await shop.processor.advance(600)
  await Promise.all([shop.sync(payment_id), shop.sync(payment_id), shop.service.tick(), shop.sync(payment_id)])
  deepEqual(
    (await refundsOf(shop)).map(({ sends }) => sends),
    [2],
    'the one that was lost, and one more',
  )
})
