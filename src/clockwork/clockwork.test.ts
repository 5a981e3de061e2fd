import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { cards, openShop, type Shop } from '../../test/shop.ts'
import type { World } from '../world.ts'
import { type Alarm, openClockwork } from './clockwork.ts'

/** The clockwork on the alarms of real payments. What it is to do when one rings is this file's: some hang for as long as a story wants. */

/** So many payments of which nothing was heard, each with its alarm. */
async function unheard(shop: Shop, many: number): Promise<void> {
  const payments = await Promise.all(Array.from({ length: many }, () => shop.pay({ card: cards.chargesAndResets })))
  for (const { status } of payments) equal(status, 'processing')
}

/** Rings hang for this shop until they are let go. */
function hangsFor(slow: Shop) {
  const gate = Promise.withResolvers<void>()
  const rung: Alarm[] = []
  let hanging = 0
  const heard = new Map<string, () => void>()
  return {
    rung: (shop: Shop) => rung.filter(alarm => alarm.merchant_id === shop.merchant_id),
    most: () => hanging,
    heardOf: (shop: Shop) => new Promise<void>(resolve => heard.set(shop.merchant_id, resolve)),
    letGo: gate.resolve,
    async rings(alarm: Alarm): Promise<void> {
      rung.push(alarm)
      heard.get(alarm.merchant_id)?.()
      if (alarm.merchant_id !== slow.merchant_id) return
      hanging++
      await gate.promise
    },
  }
}

/** Waits until so many of its alarms have rung, or the test gives up. */
async function until(rung: () => Alarm[], many: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && rung().length < many) await new Promise(setImmediate)
  equal(rung().length, many)
}

/** The service's world, where waiting takes no time. */
const hurried = (shop: Shop): World => ({ ...shop.service.world, wait: () => new Promise(setImmediate) })

test('alarms of one account that hang do not hold up those of another, and are all answered in the end', { timeout: 60_000 }, async t => {
  const [slow, other] = await Promise.all([openShop(), openShop()])
  await unheard(slow, 205)
  await unheard(other, 1)
  slow.clock.ahead += 10_000
  const { rung, rings, heardOf, letGo, most } = hangsFor(slow)
  const heard = heardOf(other)
  const clockwork = openClockwork(hurried(slow), rings, () => performance.now())
  t.after(() => {
    letGo()
    return clockwork.close()
  })
  clockwork.run()
  await heard
  ok(most() <= 37, `${most()} of the slow account are being asked about`)
  letGo()
  await until(() => rung(slow), 205, t.signal)
  await clockwork.close()
  equal(new Set(rung(slow).map(alarm => alarm.object_id)).size, 205, 'each once')
  equal(rung(other).length, 1)
  await slow.wait('2 minutes')
})

test('an alarm whose turn comes too late, or after closing, is left to ring again', { timeout: 60_000 }, async t => {
  const slow = await openShop()
  await unheard(slow, 50)
  slow.clock.ahead += 10_000
  const late = hangsFor(slow)
  const clockwork = openClockwork(hurried(slow), late.rings, () => performance.now())
  const first = clockwork.tick()
  await until(() => late.rung(slow), 37, t.signal)
  slow.clock.ahead += 40_000
  late.letGo()
  equal(await first, 50)
  equal(late.rung(slow).length, 37, 'the others had waited for 40 s')

  slow.clock.ahead += 30_000
  const again = hangsFor(slow)
  const next = openClockwork(hurried(slow), again.rings, () => performance.now())
  const second = next.tick()
  await until(() => again.rung(slow), 37, t.signal)
  const closed = next.close()
  again.letGo()
  await Promise.all([closed, second])
  equal(again.rung(slow).length, 37, 'nothing new is asked while closing')
})
