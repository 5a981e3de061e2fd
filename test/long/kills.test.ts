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
 * are in their order. KILLS sets the number of kills (500 for a long night), KILLS_RATE the number of payments that
 * begin in a second, KILLS_SEED the times of the kills.
 */

const { KILLS = '12', KILLS_RATE = '100', KILLS_SEED = seed } = process.env

test(`${KILLS} kills under load: every change has one event, which is delivered in the order of its payment`, {
  timeout: 600_000 + Number(KILLS) * 30_000,
}, async t => {
  const receiver = await openReceiver()
  const dice = openDice(Number(KILLS_SEED))
  const stage = await openStage({ settings: { WEBHOOK_LOOPBACK: '1', LOG_LEVEL: 'error' } })
  t.after(async () => deepEqual(await stage.close(), []))
  t.diagnostic(`KILLS_SEED=${KILLS_SEED}`)
  for (const shop of stage.shops) {
    const { status, text } = await shop.call('POST', '/webhook_endpoints', { url: receiver.url })
    ok(status === 200, text)
  }
  const load = openLoad(stage.shops, Number(KILLS_RATE))
  for (let i = 0; i < Number(KILLS); i++) {
    await pause(dice.between(50, 1500))
    const { process } = stage.services[dice.between(0, 1)]!
    await process.kill()
    if (dice.chance(0.3)) await pause(dice.between(0, 1000))
    await process.start()
  }
  await load.stop()
  const { events, again } = await judgeArrivals(stage, receiver.received)
  t.diagnostic(`${load.begun()} clients, ${events} events, ${receiver.received.length} arrivals, ${again} events more than once`)
  ok(events > Number(KILLS), 'there was load')
  deepEqual(stage.deaths, [], 'nobody died on its own')
})
