import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { openReceiver } from '../receiver.ts'
import { seed } from '../sample.ts'
import { openDice } from './dice.ts'
import { judgeArrivals, openLoad } from './load.ts'
import { openStage } from './stage.ts'

/**
 * Two services under load are killed at random, again and again, while a receiver records its webhooks. Afterwards
 * every change has exactly one event, every event has arrived at least once, and the first arrivals of each payment
 * are in their order. `--count` sets the number of kills (500 for a long night), `--rate` the number of payments
 * that begin in a second, `--seed` the times of the kills.
 */

const { COUNT = '12', RATE = '100' } = process.env

test(`${COUNT} kills under load: every change has one event, which is delivered in the order of its payment`, {
  timeout: 600_000 + Number(COUNT) * 30_000,
}, async t => {
  const receiver = await openReceiver()
  const dice = openDice(Number(seed))
  const stage = await openStage({ settings: { WEBHOOK_LOOPBACK: '1', LOG_LEVEL: 'error' } })
  t.after(async () => deepEqual(await stage.close(), []))
  t.diagnostic(`--seed ${seed}`)
  for (const shop of stage.shops) {
    const { status, text } = await shop.call('POST', '/webhook_endpoints', { url: receiver.url })
    ok(status === 200, text)
  }
  const load = openLoad(stage.shops, Number(RATE))
  for (let i = 0; i < Number(COUNT); i++) {
    await pause(dice.between(50, 1500))
    const { process } = stage.services[dice.between(0, 1)]!
    await process.kill()
    if (dice.chance(0.3)) await pause(dice.between(0, 1000))
    await process.start()
  }
  await load.stop()
  const { events, again } = await judgeArrivals(stage, receiver.received)
  t.diagnostic(`${load.begun()} clients, ${events} events, ${receiver.received.length} arrivals, ${again} events more than once`)
  ok(events > Number(COUNT), 'there was load')
  deepEqual(stage.deaths, [], 'nobody died on its own')
})
