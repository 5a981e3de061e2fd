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

test('a reversal whose request was lost is sent again once the first one can no longer be in flight', async () => {
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

test('a reversal whose request is lost twice refunds the money once', async () => {
  const shop = await openShop()
  await shop.processor.fault('refund', 'reset_before', { times: 2 })
  const { payment_id } = await shop.pay({ card: cards.approvesHalf })
  for (let hour = 0; hour < 6; hour++) await shop.wait('1 hour')
  equal((await shop.get(payment_id)).status, 'failed')
  equal((await refundsOf(shop)).length, 1)
})

test('a reversal whose response was lost is found, and is not sent again', async () => {
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

test('concurrent syncs of a lost reversal send it again only once', async () => {
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
