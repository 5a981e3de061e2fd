import { deepEqual } from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '../eventually.ts'
import type { Received } from '../receiver.ts'
import { cards } from '../shop.ts'
import type { Stage, StormShop } from './stage.ts'

/**
 * Payments under load on a stage of real processes, and the check of the webhooks that a receiver must have received
 * for them.
 */

/** The most journeys that are under way at once. A client that is not answered does not repeat its request. */
const MOST_AT_ONCE = 64

/**
 * Begins payments of all kinds, at this rate, until it is stopped. A client that is not answered does not repeat its
 * request.
 */
export function openLoad(shops: readonly StormShop[], rate: number) {
  let stopped = false
  let underWay = 0
  let begun = 0
  const journeys = [
    async (shop: StormShop) => {
      const { body } = await shop.call('POST', '/payments', shop.payBody({}))
      await shop.call('POST', '/refunds', { payment_id: body.payment_id, amount: 500 })
    },
    async (shop: StormShop) => {
      const { body } = await shop.call('POST', '/payments', shop.payBody({ capture_method: 'manual' }))
      await shop.call('POST', `/payments/${body.payment_id}/capture`, {})
      await shop.call('POST', '/refunds', { payment_id: body.payment_id, amount: 200 })
      await shop.call('POST', '/refunds', { payment_id: body.payment_id, amount: 300 })
    },
    (shop: StormShop) => shop.call('POST', '/payments', shop.payBody({ card: cards.declines })),
    (shop: StormShop) => shop.call('POST', '/payments', shop.payBody({ card: cards.chargesAndResets })),
  ] as const
  const run = (async () => {
    for (; !stopped; await pause(1000 / rate)) {
      if (underWay >= MOST_AT_ONCE) continue
      underWay++
      const n = begun++
      void journeys[n % journeys.length]!(shops[n % shops.length]!)
        .catch(() => {})
        .finally(() => underWay--)
    }
  })()
  return {
    begun: () => begun,
    async stop() {
      stopped = true
      await run
      await eventually(async () => underWay === 0, 'all clients have heard or given up')
    },
  }
}

/**
 * Waits until no event is left to be delivered. Lines that a dead process had claimed are delivered when their lease
 * is over.
 */
export const allDelivered = (stage: Stage): Promise<void> =>
  eventually(
    async () => {
      const [row] = await stage.query('select (select count(*) from outbox)::int + (select count(*) from delivery_lines)::int as n', [])
      return row!.n === 0
    },
    'all is told',
    240,
  )

/**
 * Verifies, once all events are delivered, that every change has exactly one event, that every event has arrived at
 * least once, and that the first arrivals of each payment are in its order. Gives the number of events, and the number
 * of those that arrived more than once.
 */
export async function judgeArrivals(stage: Stage, received: readonly Received[]): Promise<{ events: number; again: number }> {
  await allDelivered(stage)
  const merchants = stage.shops.map(shop => shop.merchant_id)
  const announced = await stage.query(
    `select merchant_id, object_id, event_id, sequence, version from changes where announces is not null and kind = 'payment' and merchant_id = any($1) order by merchant_id, object_id, version`,
    [merchants],
  )
  const gaps = await stage.query(
    `select object_id from changes where kind = 'payment' and merchant_id = any($1) group by merchant_id, object_id
      having count(*) <> max(version) or min(version) <> 1 or count(distinct event_id) <> count(*) or count(sequence) filter (where announces is not null) <> coalesce(max(sequence), 0)`,
    [merchants],
  )
  deepEqual(gaps, [], 'each change has one event, and they are counted without gaps')
  const first = new Map<string, { place: number; times: number }>()
  for (const [place, { event }] of received.entries()) {
    const known = first.get(event.event_id as string)
    if (known) known.times++
    else first.set(event.event_id as string, { place, times: 1 })
  }
  deepEqual(
    announced.filter(one => !first.has(one.event_id)).map(one => one.event_id),
    [],
    'every event has arrived',
  )
  const known = new Set(announced.map(one => one.event_id))
  deepEqual(
    [...first.keys()].filter(id => !known.has(id)),
    [],
    'and nothing else',
  )
  const late = announced.filter((one, i) => {
    const before = announced[i - 1]
    return before?.object_id === one.object_id && first.get(before!.event_id)!.place > first.get(one.event_id)!.place
  })
  deepEqual(late, [], 'none overtook an earlier one of its payment')
  return { events: announced.length, again: [...first.values()].filter(({ times }) => times > 1).length }
}
