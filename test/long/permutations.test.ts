import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlace, type Shop } from '../shop.ts'
import { agree } from './agree.ts'
import { captures, lostDisputes, payouts, refunds, wonDisputes } from './flows.ts'
import { type Answering, type Flow, openGate, orders, play, someOf } from './orders.ts'

/**
 * Sends six webhooks of a processor in each of their 720 orders, each ten times at once, before and after the
 * processor has answered the service: the result is the same, and each webhook is applied once. By default thirty
 * orders of each flow (`--seed` selects them), or as many as `--count` says.
 */

const gate = openGate()
await openPlace({}, gate.wrap)

const AT_ONCE = 24
const some = someOf(orders(6), process.env)

function testFlow<S extends Shop>(flow: Flow<S>): void {
  for (const answering of ['answered', 'not answered'] as const satisfies Answering[])
    test(`${flow.name}, the last request ${answering}: ${some.length} orders of six webhooks have the same result`, async t => {
      const ends = new Map<string, string>()
      for (let i = 0; i < some.length; i += AT_ONCE) {
        const together = some.slice(i, i + AT_ONCE)
        const shop = await flow.open()
        const played = await play(shop, flow, together, answering, gate)
        for (const [n, end] of played.entries()) {
          ends.set(JSON.stringify(end), together[n]!.join(' '))
          equal(end.booked, flow.booked, `each is booked once: ${together[n]!.join(' ')}`)
        }
        await agree(shop)
      }
      t.diagnostic([...ends.keys()].join('\n'))
      deepEqual([...ends.values()].length, 1, [...ends].map(([end, order]) => `${order}: ${end}`).join('\n'))
    })
}

for (const flow of [captures, refunds, lostDisputes, wonDisputes]) testFlow(flow)
testFlow(payouts)
