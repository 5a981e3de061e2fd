import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlace, openShop } from '../../test/shop.ts'
import type { Context } from '../context.ts'

/** A processor's answer that arrives late, when the payment has moved on. */

let held: { isAsked: (path: string) => boolean; arrived: () => void; released: Promise<void> } | null = null

const wrap = (context: Context): Context => ({
  ...context,
  async send(request, sender) {
    const reply = await context.send(request, sender)
    if (held?.isAsked(`${request.method} ${new URL(request.url).pathname}`)) {
      const { arrived, released } = held
      held = null
      arrived()
      await released
    }
    return reply
  },
})

/** Keeps the next answer to such a request until `meanwhile` is done. */
async function keepAnswer<T>(path: RegExp, asked: () => Promise<T>, meanwhile: () => Promise<unknown>): Promise<T> {
  const arrived = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  held = { isAsked: name => path.test(name), arrived: arrived.resolve, released: released.promise }
  const answer = asked()
  await arrived.promise
  await meanwhile()
  released.resolve()
  return answer
}

test('an answer from before a hold was raised, by us or there, does not lower it again', async () => {
  await openPlace({}, wrap)
  for (const who of ['we', 'others'] as const) {
    const shop = await openShop()
    const hold = await shop.hold({ amount: 1250, request_incremental_authorization: true })
    const raise = () =>
      who === 'we'
        ? shop.post(`/payments/${hold.payment_id}/incremental_authorization`, { amount: 2000 })
        : shop.processor.move(hold.connector_transaction_id, 'increment', { amount: 2000 }).then(() => shop.sync(hold.payment_id))
    const late = await keepAnswer(/^GET .*\/payments\//, () => shop.sync(hold.payment_id), raise)
    deepEqual([who, late.amount_capturable], [who, 2000])
    equal((await shop.capture(hold.payment_id, 2000)).body.status, 'succeeded')
  }
})
