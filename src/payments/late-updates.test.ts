import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN_KEY, type Body, card, cards, http, openPlace, openShop, type Shop } from '../../test/shop.ts'
import type { Reply, Request } from '../context.ts'

/** Webhooks and answers that come late, in the wrong order, or while another operation is under way. */

/** While set, this function decides the fate of a request on its way to the processor. */
let onTheWay: ((asked: Request, send: () => Promise<Reply>) => Promise<Reply>) | null = null
await openPlace({}, context => ({
  ...context,
  send: (asked, sender) => onTheWay?.(asked, () => context.send(asked, sender)) ?? context.send(asked, sender),
}))

/** Makes the next request that moves money hang on its way; the returned function lets it arrive. */
function delayed(): () => Promise<unknown> {
  let arrive: () => Promise<unknown> = () => Promise.reject(new Error('nothing was sent'))
  onTheWay = async (asked, send) => {
    if (asked.method !== 'POST') return send()
    onTheWay = null
    arrive = send
    return { is: 'silence', why: 'somewhere in a queue' }
  }
  return () => arrive()
}

const seen = ({ status, amount_capturable, amount_received }: Body) => [status, amount_capturable, amount_received]

/** Gives the operations of the processor, in its own words. */
const deeds = async (shop: Shop): Promise<string[]> =>
  (await shop.processor.operations()).map(operation => `${operation.type} ${operation.status}`)

const moneyOf = async (shop: Shop): Promise<number[]> => {
  const [charge] = await shop.processor.charges()
  return [charge!.captured, charge!.refunded]
}

test('a late webhook of an approval does not change a payment that has been cancelled, and nothing is reversed twice', async () => {
  const shop = await openShop({ webhooks: 'on' })
  await shop.processor.account({ webhooks: 'hold' })
  const payment = await shop.hold({ card: cards.challenges, authentication_type: 'three_ds' })
  await shop.processor.decide(payment.connector_transaction_id, 'approved')
  equal((await shop.cancel(payment.payment_id)).body.status, 'cancelled')
  await shop.processor.flushWebhooks()
  await shop.wait('1 day')
  const { status, error_code } = await shop.get(payment.payment_id)
  deepEqual([status, error_code], ['cancelled', null])
  deepEqual(await deeds(shop), ['authorization approved', 'void approved'])
  deepEqual(
    (await shop.events(payment.payment_id)).filter((event: Body) => event.event_type === 'action_required').length,
    1,
    'the challenge itself',
  )
})

test('a resent capture that the processor has accepted does not fail when the first send ends in a connection timeout', async () => {
  const shop = await openShop({ connector: 'adyen', webhooks: 'on' })
  await shop.processor.account({ webhooks: 'hold' })
  const { payment_id } = await shop.hold()
  const { promise: connecting, resolve: begin } = Promise.withResolvers<(reply: Reply) => void>()
  onTheWay = () => {
    onTheWay = null
    return new Promise(resolve => begin(resolve))
  }
  const first = shop.capture(payment_id, 500)
  const answer = await connecting
  await shop.wait('10 seconds')
  answer({ is: 'not_sent', why: 'connection timeout' })
  deepEqual(seen((await first).body), ['processing', 750, null])
  await shop.processor.flushWebhooks()
  await shop.wait('1 minute')
  deepEqual(seen(await shop.get(payment_id)), ['partially_captured', 0, 500])
  deepEqual(await moneyOf(shop), [500, 0])
})

test('a late webhook about the hold before its incremental authorization does not change the capturable amount', async () => {
  const shop = await openShop({ webhooks: 'on' })
  await shop.processor.account({ webhooks: 'hold' })
  const { payment_id } = await shop.hold({ request_incremental_authorization: true })
  await shop.post(`/payments/${payment_id}/incremental_authorization`, { amount: 1900 })
  await shop.processor.flushWebhooks()
  deepEqual(seen(await shop.get(payment_id)), ['requires_capture', 1900, null])
  const { body } = await shop.capture(payment_id)
  deepEqual(seen(body), ['succeeded', 0, 1900])
})

test('an expiry reported during a capture is remembered: if the capture is declined, the payment expires', async () => {
  const shop = await openShop({ webhooks: 'on' })
  const { payment_id, connector_transaction_id } = await shop.hold({ card: cards.capturesLater })
  const { body: capturing } = await shop.capture(payment_id)
  equal(capturing.status, 'processing')
  await shop.processor.expire(connector_transaction_id)
  await shop.processor.advance(0)
  const capture = (await shop.processor.operations()).find(operation => operation.type === 'capture')
  await shop.processor.decide(capture.id, 'declined')
  await shop.processor.advance(0)
  deepEqual(seen(await shop.get(payment_id)), ['expired', 0, null])
})

test('an expiry reported during one of several captures leaves nothing more to capture', async () => {
  const shop = await openShop({ webhooks: 'on' })
  const { payment_id, connector_transaction_id } = await shop.hold({ card: cards.capturesLater, capture_method: 'manual_multiple' })
  await shop.capture(payment_id, 500)
  await shop.processor.expire(connector_transaction_id)
  await shop.processor.advance(61)
  deepEqual(seen(await shop.get(payment_id)), ['partially_captured', 0, 500])
})

test('a payment whose hold expires while the response to a cancel is missing becomes expired', async () => {
  const shop = await openShop({ webhooks: 'on' })
  const { payment_id, connector_transaction_id } = await shop.hold()
  await shop.processor.fault('void', 'hang_before')
  equal((await shop.cancel(payment_id)).body.status, 'processing')
  await shop.processor.expire(connector_transaction_id)
  await shop.processor.advance(0)
  await shop.wait('2 minutes')
  deepEqual(seen(await shop.get(payment_id)), ['expired', 0, null])
})

for (const [fate, ends] of [
  ['let go of the hold, and is heard last', 'cancelled'],
  ['never arrives, and the hold lapses', 'expired'],
] as const) {
  test(`a challenge is accepted while the merchant cancels; the cancel ${fate}: the payment is ${ends}`, async () => {
    const shop = await openShop()
    const payment = await shop.hold({ card: cards.challenges, authentication_type: 'three_ds' })
    await shop.processor.decide(payment.connector_transaction_id, 'approved')
    onTheWay = async (asked, send) => {
      if (asked.method === 'POST' && ends === 'cancelled') await send()
      // Only the query of the authorization uses the processor's own id.
      return asked.method === 'POST' || asked.url.includes('/by-reference/') ? { is: 'silence', why: 'somewhere in a queue' } : send()
    }
    equal((await shop.cancel(payment.payment_id)).body.status, 'processing')
    if (ends === 'expired') await shop.processor.expire(payment.connector_transaction_id)
    equal((await shop.sync(payment.payment_id)).status, 'processing')
    onTheWay = null
    await shop.wait('2 minutes')
    deepEqual(seen(await shop.get(payment.payment_id)), [ends, 0, null])
  })
}

test('a charge made after its payment had failed, with a lost webhook, is found by a poll within an hour and refunded', async () => {
  const shop = await openShop()
  const arrive = delayed()
  const { payment_id } = await shop.pay()
  await shop.wait('5 minutes')
  equal((await shop.get(payment_id)).status, 'failed')
  await arrive()
  await shop.wait('1 hour')
  deepEqual(await moneyOf(shop), [1250, 1250])
  equal((await shop.get(payment_id)).status, 'failed')
})

test('a charge whose payment an operator had declared failed, with a lost webhook, is found by a poll within an hour and refunded', async () => {
  for (const isRetried of [false, true]) {
    const shop = await openShop()
    await shop.profile({ is_manual_retry_enabled: true })
    const arrive = delayed()
    const { payment_id } = await shop.pay({ session_expiry: 86_400 })
    shop.clock.ahead += 4 * 60_000
    const { merchant_id } = shop
    const ruled = { merchant_id, attempt_status: 'failure', error_message: 'The processor does not have it' }
    const admin = { 'api-key': ADMIN_KEY }
    equal((await http('PUT', `${shop.url}/payments/${payment_id}/manual-update`, ruled, admin)).status, 200)
    await arrive()
    if (isRetried) equal((await shop.confirm(payment_id, { payment_method: 'card', payment_method_data: card() })).body.status, 'succeeded')
    await shop.wait('1 hour')
    const charges = await shop.processor.charges()
    deepEqual(
      charges.map(({ captured, refunded }) => captured - refunded),
      isRetried ? [0, 1250] : [0],
    )
    equal((await shop.get(payment_id)).status, isRetried ? 'succeeded' : 'failed')
  }
})

test('a capture made after it had been given up is booked within a day', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.hold()
  const arrive = delayed()
  await shop.capture(payment_id)
  await shop.wait('5 minutes')
  equal((await shop.get(payment_id)).status, 'requires_capture')
  await shop.wait('2 hours')
  await arrive()
  await shop.wait('1 day')
  deepEqual(seen(await shop.get(payment_id)), ['succeeded', 0, 1250])
})

test('a refund made after it had been given up is counted within a week', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  const arrive = delayed()
  const { body: refund } = await shop.refund(payment_id, 500)
  await shop.wait('5 minutes')
  equal((await shop.getRefund(refund.refund_id)).status, 'failed')
  await shop.wait('2 days')
  await arrive()
  await shop.wait('6 days')
  equal((await shop.getRefund(refund.refund_id)).status, 'succeeded')
  equal((await shop.get(payment_id)).state_metadata.total_refunded_amount, 500)
})

test('force_sync polls the processor at once for a refund that had been given up', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  const arrive = delayed()
  const { body: refund } = await shop.refund(payment_id, 500)
  await shop.wait('5 minutes')
  await arrive()
  equal((await shop.getRefund(refund.refund_id, '?force_sync=true')).status, 'succeeded')
})

test('a payment that never reached the processor is polled three more times after it has failed, and then no longer', async () => {
  const shop = await openShop()
  const asksWithin = async (duration: string) => {
    let count = 0
    onTheWay = (asked, send) => {
      // The account's list of changes is no question about a payment.
      if (!asked.url.includes('/changes')) count++
      return send()
    }
    await shop.wait(duration)
    onTheWay = null
    return count
  }
  delayed()
  const { payment_id } = await shop.pay()
  await shop.wait('5 minutes')
  equal((await shop.get(payment_id)).status, 'failed')
  deepEqual(
    [
      await asksWithin('1 hour'),
      await asksWithin('20 hours'),
      await asksWithin('1 day'),
      await asksWithin('6 days'),
      await asksWithin('60 days'),
    ],
    [1, 0, 1, 1, 0],
  )
})
