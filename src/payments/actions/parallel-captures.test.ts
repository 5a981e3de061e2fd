import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, openPlace, openShop, type Shop } from '../../../test/shop.ts'
import type { Request } from '../../context.ts'

/** Captures of one hold that are at the processor at once, and arrive in an order that the test chooses. */

/** While set, requests wait here on their way to the processor. */
let onTheWay: ((asked: Request) => Promise<void>) | null = null
await openPlace({}, context => ({
  ...context,
  async send(asked, sender) {
    await onTheWay?.(asked)
    return context.send(asked, sender)
  },
}))

/** Sends a capture that reaches the processor only when `arrive` is called. */
async function slowCapture(shop: Shop, payment_id: string, amount: number): Promise<{ arrive(): Promise<Answer> }> {
  const [left, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  onTheWay = async () => {
    onTheWay = null
    left.resolve()
    await arrived.promise
  }
  const answer = shop.capture(payment_id, amount)
  await left.promise
  return {
    arrive() {
      arrived.resolve()
      return answer
    },
  }
}

const seen = ({ body }: Answer) => [body.status, body.amount_capturable, body.amount_received]

test('a capture of the remaining amount while another is in progress does not close the authorization', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.hold({ amount: 1250, capture_method: 'manual_multiple' })
  const first = await slowCapture(shop, payment_id, 500)
  deepEqual(seen(await shop.capture(payment_id, 750)), ['partially_captured_and_processing', 0, 750])
  deepEqual(seen(await first.arrive()), ['succeeded', 0, 1250])
  const [charge] = await shop.processor.charges()
  deepEqual([charge!.captured, charge!.status], [1250, 'captured'])
})

test('when one of two concurrent captures is declined, its amount can be captured again', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.hold({ amount: 1250, capture_method: 'manual_multiple' })
  const first = await slowCapture(shop, payment_id, 500)
  equal((await shop.capture(payment_id, 750)).body.amount_received, 750)
  await shop.processor.fault('capture', 'decline')
  deepEqual(seen(await first.arrive()), ['partially_captured_and_capturable', 500, 750])
  deepEqual(seen(await shop.capture(payment_id, 500)), ['succeeded', 0, 1250])
})

test('a sync finds that an authorization was closed at the processor, and nothing more can be captured', async () => {
  const shop = await openShop()
  const { payment_id, connector_transaction_id } = await shop.hold({ amount: 1250, capture_method: 'manual_multiple' })
  await shop.capture(payment_id, 500)
  // The hold is voided by hand, at the processor.
  await shop.processor.call('POST', `/v1/payments/${connector_transaction_id}/void`, { reference: 'by_hand' })
  const synced = await shop.sync(payment_id)
  deepEqual([synced.status, synced.amount_capturable, synced.amount_received], ['partially_captured', 0, 500])
})

test('a sync takes over a part that was captured at the processor', async () => {
  const shop = await openShop()
  const { payment_id, connector_transaction_id } = await shop.hold({ amount: 1250, capture_method: 'manual_multiple' })
  await shop.processor.call('POST', `/v1/payments/${connector_transaction_id}/capture`, { reference: 'by_hand', amount: 1000 })
  const synced = await shop.sync(payment_id)
  deepEqual([synced.status, synced.amount_capturable, synced.amount_received], ['partially_captured_and_capturable', 250, 1000])
})
