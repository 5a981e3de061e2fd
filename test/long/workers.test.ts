import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../eventually.ts'
import { openReceiver } from '../receiver.ts'
import { allDelivered, judgeArrivals, openLoad } from './load.ts'
import { openStage } from './stage.ts'

/** Two processes that answer requests and two workers, all of them real, on one database. */

const RATE = 30

async function openRoles() {
  const receiver = await openReceiver()
  const stage = await openStage({ settings: { WEBHOOK_LOOPBACK: '1', LOG_LEVEL: 'error' }, roles: ['api', 'api', 'worker', 'worker'] })
  for (const shop of stage.shops) {
    const { status, text } = await shop.call('POST', '/webhook_endpoints', { url: receiver.url })
    equal(status, 200, text)
  }
  const [, , first, second] = stage.services.map(({ process }) => process)
  return { receiver, stage, first: first!, second: second! }
}

test('two API processes and two workers under load deliver every event once, in the order of its payment', {
  timeout: 300_000,
}, async t => {
  const { receiver, stage } = await openRoles()
  t.after(async () => deepEqual(await stage.close(), []))
  const load = openLoad(stage.shops, RATE)
  await eventually(async () => receiver.received.length > 200, 'it is told of', 120)
  await load.stop()
  const { events, again } = await judgeArrivals(stage, receiver.received)
  t.diagnostic(`${load.begun()} clients, ${events} events`)
  equal(again, 0, 'nothing is told twice')
  deepEqual(stage.deaths, [])
})

test('a worker that is stopped (SIGSTOP) during deliveries and continues minutes later loses and reorders no event', {
  timeout: 300_000,
}, async t => {
  const { receiver, stage, first, second } = await openRoles()
  t.after(async () => deepEqual(await stage.close(), []))
  // The first worker has claimed all deliveries: the endpoint does not answer it before it is stopped.
  second.freeze()
  const answers = Promise.withResolvers<void>()
  receiver.answers(() => answers.promise.then(() => ({ status: 200 })))
  const load = openLoad(stage.shops, RATE)
  await eventually(async () => receiver.received.length >= 4, 'the first is at work')
  first.freeze()
  const inItsHands = new Set(receiver.received.map(({ event }) => event.event_id))
  second.thaw()
  receiver.answers({ status: 200 })
  answers.resolve()
  // Five minutes pass for all deliveries that are leased and all operations that wait for their job.
  await stage.query("update delivery_lines set due_at = due_at - interval '5 minutes'", [])
  await stage.query("update processor_operations set poll_at = poll_at - interval '5 minutes' where poll_at is not null", [])
  await eventually(async () => receiver.received.length > 150, 'the second tells of what happens', 120)
  await load.stop()
  await allDelivered(stage)
  const before = receiver.received.length
  ok(
    [...inItsHands].every(id => receiver.received.filter(({ event }) => event.event_id === id).length > 1),
    'the second told it, too',
  )
  first.thaw()
  const more = openLoad(stage.shops, RATE)
  await eventually(async () => receiver.received.length > before + 100, 'both are at work', 120)
  await more.stop()
  const { events, again } = await judgeArrivals(stage, receiver.received)
  t.diagnostic(`${events} events, ${inItsHands.size} in the hands of the one that was stopped, ${again} told more than once`)
  deepEqual(stage.deaths, [])
})
