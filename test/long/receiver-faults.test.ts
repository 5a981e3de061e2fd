import { deepEqual, equal, ok } from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { between } from '../../src/base/time.ts'
import { retryPauses } from '../../src/events/webhook-retry-schedule.ts'
import { eventually } from '../eventually.ts'
import { openPatientDeliverer } from '../patient-deliverer.ts'
import { openReceiver, type ReceiverAnswer } from '../receiver.ts'
import { type Body, openPlace, openShop, type Shop } from '../shop.ts'

/**
 * Faults of merchants' endpoints: each over three days of virtual time, beside a healthy endpoint of the same profile.
 * Then all of them at once.
 */

await openPlace()
const trap = await openReceiver('/trap')

/** Opens an endpoint that does something to the connection itself. */
async function openSocket(does: (socket: Socket) => void): Promise<{ url: string; close(): void }> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    does(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  after(close)
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}/hooks`, close }
}

const answering = async (how: ReceiverAnswer): Promise<string> => {
  const receiver = await openReceiver()
  receiver.answers(how)
  return receiver.url
}

/** Gives an address at which no server listens any more. */
async function down(): Promise<string> {
  const { url, close } = await openSocket(() => {})
  close()
  return url
}

const faults: Record<string, () => Promise<string>> = {
  'is down for three days': down,
  'answers 500': () => answering({ status: 500 }),
  'answers 301': () => answering({ status: 301, headers: { location: 'https://shop.example/moved' } }),
  'redirects to this machine': () => answering({ status: 307, headers: { location: trap.url } }),
  'takes the webhook and resets the connection': async () =>
    (await openSocket(socket => socket.once('data', () => socket.resetAndDestroy()))).url,
  'answers no HTTP': async () => (await openSocket(socket => socket.once('data', () => socket.end('220 mail.example ESMTP\r\n')))).url,
  'answers half a head': async () =>
    (await openSocket(socket => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-le')))).url,
  'refuses with a huge answer': () => answering({ status: 503, body: 'x'.repeat(3_000_000) }),
}

const endpointOf = async (shop: Shop, url: string): Promise<string> => (await shop.post('/webhook_endpoints', { url })).body.endpoint_id

for (const [fault, open] of Object.entries(faults))
  test(`an endpoint that ${fault} gets ten attempts on schedule, then a dead letter, and delays no other endpoint`, async () => {
    const shop = await openShop()
    const well = await openReceiver()
    const ill = await endpointOf(shop, await open())
    await endpointOf(shop, well.url)
    const { payment_id } = await shop.pay()
    await shop.wait('0 seconds')
    for (const pause of retryPauses) {
      const { payment_id: another } = await shop.pay()
      await shop.wait(`${Math.ceil((pause * 1.1) / 1000) + 1} seconds`)
      deepEqual(well.types(another), ['payment_succeeded'])
    }
    const attempts = await shop.query(
      'select a.* from delivery_attempts a join deliveries d using (merchant_id, event_id, endpoint_id) where a.endpoint_id = $1 and d.line = $2 order by a.created',
      [ill, payment_id],
    )
    equal(attempts.length, 10)
    for (const [i, pause] of retryPauses.entries()) {
      const waited = between(attempts[i].created.toISOString(), attempts[i + 1].created.toISOString())
      ok(waited >= pause && waited <= pause * 1.1 + 5000, `after try ${i + 1} it was left alone for ${waited} ms, and ${pause} was meant`)
    }
    ok(attempts.every((one: Body) => one.status_code === null || one.status_code >= 300))
    const [delivery] = await shop.query('select status from deliveries where endpoint_id = $1 and line = $2', [ill, payment_id])
    equal(delivery!.status, 'dead')
    equal(trap.received.length, 0, 'nobody is led to where a redirect points')
    const { body: endpoint } = await shop.call('GET', `/webhook_endpoints/${ill}`)
    ok(endpoint.failing_since)
  })

test('an endpoint that answers 410 is disabled at once, and delays no other endpoint', async () => {
  const [shop, well] = [await openShop(), await openReceiver()]
  const ill = await endpointOf(shop, await answering({ status: 410 }))
  await endpointOf(shop, well.url)
  for (let i = 0; i < 3; i++) {
    await shop.pay()
    await shop.wait('1 day')
  }
  equal((await shop.query('select 1 from delivery_attempts where endpoint_id = $1', [ill])).length, 1)
  equal(well.types().filter(type => type === 'payment_succeeded').length, 3)
})

test('a healthy endpoint gets every event while others fail and one does not respond', {
  timeout: 120_000,
}, async t => {
  const place = await openPlace()
  const { openDeliverer } = await import('../../src/events/deliverer.ts')
  const deliverer = openDeliverer(
    place.service.context,
    place.service.settings,
    () => place.service.url,
    () => performance.now(),
  )
  const [well, slow] = [await openReceiver(), await openReceiver()]
  const gate = Promise.withResolvers<void>()
  let isAnswered = false
  slow.answers(() =>
    gate.promise.then(() => {
      isAnswered = true
      return { status: 200 }
    }),
  )
  t.after(async () => {
    gate.resolve()
    await deliverer.close()
  })
  /** Gives the delay of each of `many` payments' webhooks to the healthy endpoint, in milliseconds, sorted. */
  async function delays(shop: Shop, many: number): Promise<number[]> {
    const before = well.received.length
    const paid = new Map<string, number>()
    const arrived = new Map<string, number>()
    well.answers(({ event }) => {
      arrived.set(event.content.object.payment_id as string, performance.now())
      return { status: 200 }
    })
    for (let i = 0; i < many; i += 4) {
      const some = await Promise.all([0, 1, 2, 3].map(() => shop.pay()))
      for (const { payment_id } of some) paid.set(payment_id, performance.now())
    }
    await eventually(async () => well.received.length >= before + many, 'all has arrived')
    return [...paid].map(([id, at]) => Math.max(0, arrived.get(id)! - at)).sort((a, b) => a - b)
  }
  const p99 = (all: readonly number[]) => all[Math.floor(all.length * 0.99) - 1]!
  deliverer.run()
  // The comparison has as many endpoints, all of them healthy, so that the difference is caused by the faults.
  const alone = await openShop()
  for (let i = 0; i <= Object.keys(faults).length; i++) await endpointOf(alone, await answering({ status: 200 }))
  await endpointOf(alone, well.url)
  const usual = p99(await delays(alone, 200))
  const shop = await openShop()
  for (const open of Object.values(faults)) await endpointOf(shop, await open())
  await endpointOf(shop, slow.url)
  await endpointOf(shop, well.url)
  const among = p99(await delays(shop, 200))
  t.diagnostic(
    `p99 of the delay: ${Math.round(usual)} ms among endpoints that are well, ${Math.round(among)} ms among ${Object.keys(faults).length + 1} that are ill`,
  )
  // The delays are printed, not tested: on a busy machine all of them are long. The order holds on any machine:
  // everything has arrived at the healthy endpoint while the slow one, which receives the same events, has not
  // answered its first.
  ok(slow.received.length > 0, 'the slow endpoint was told too')
  equal(isAnswered, false, 'the slow endpoint has answered nothing so far')
})

test('six merchants with fifty endpoints each that never respond do not delay the webhooks of another merchant', {
  timeout: 180_000,
}, async t => {
  const shops = (await Promise.all(Array.from({ length: 7 }, () => openShop()))).sort((a, b) => (a.merchant_id < b.merchant_id ? -1 : 1))
  const [last, ill] = [shops.at(-1)!, shops.slice(0, -1)]
  const well = await openReceiver()
  const silent = new Set<string>()
  for (const shop of ill) {
    for (let i = 0; i < 50; i++) silent.add(await endpointOf(shop, well.url))
    for (let i = 0; i < 4; i++) await shop.pay()
  }
  await endpointOf(last, well.url)
  const deliverer = openPatientDeliverer(last, silent)
  t.after(deliverer.close)
  deliverer.run()
  for (let round = 0; round < 20; round++) {
    const { payment_id } = await last.pay()
    // No time passes meanwhile: it waits for no endpoint that hangs.
    await eventually(async () => well.types(payment_id).length === 1, 'it was told')
    while (deliverer.held.size === 0) await new Promise(setImmediate)
    deliverer.pass(15_000)
  }
})
