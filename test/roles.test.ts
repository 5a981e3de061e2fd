import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { later } from '../src/base/time.ts'
import { type Config, readConfig } from '../src/config.ts'
import type { Context } from '../src/context.ts'
import { type Running, start } from '../src/service.ts'
import { openReceiver } from './receiver.ts'
import { cards, http, openPlace, openShop, testConfig } from './shop.ts'

/** Starts a process of this role beside the one of this file, on the same database. */
async function beside(role: Config['role'], wrap: (context: Context) => Context = context => context): Promise<Running> {
  const { databaseUrl, clock, service, keyFile } = await openPlace({ role: 'api' })
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-role-'))
  const keys = { mode: 'test', keys: null, command: null, file: keyFile } as const
  const running = await start(testConfig(databaseUrl, folder, { role, keys, publicUrl: service.url }), {
    log: { info() {}, warn() {}, error() {} },
    scheduler: 'by hand',
    wrap: context => wrap({ ...context, now: () => later(context.now(), clock.ahead) }),
  })
  rmSync(folder, { recursive: true })
  return running
}

test('an api process serves requests and leaves due jobs to a worker, which serves only health checks', async t => {
  const [receiver] = [await openReceiver(), await openPlace({ role: 'api' })]
  const [shop, worker] = [await openShop(), await beside('worker')]
  t.after(() => worker.close())
  await shop.profile({ webhook_details: { webhook_url: receiver.url } })
  const payment = await shop.pay({ card: cards.chargesAndResets })
  equal(payment.status, 'processing')
  await shop.wait('1 minute')
  equal((await shop.get(payment.payment_id)).status, 'processing')
  equal(receiver.received.length, 0)
  ok((await worker.tick()) > 0)
  while ((await worker.tick()) > 0);
  equal((await shop.get(payment.payment_id)).status, 'succeeded')
  deepEqual(receiver.types(), ['payment_processing', 'payment_succeeded'])
  equal((await http('GET', `${worker.url}/health`)).text, 'health is good')
  equal((await http('GET', `${worker.url}/health/ready`)).status, 200)
  for (const path of ['/payments', '/docs', '/', '/openapi.json', '/jobs'])
    equal((await http('GET', worker.url + path, undefined, { 'api-key': shop.api_key })).status, 404, path)
})

test('two workers share due jobs and deliveries, and each is done by one of them', async t => {
  const [receiver] = [await openReceiver(), await openPlace({ role: 'api' })]
  const shop = await openShop()
  const workers = [await beside('worker'), await beside('worker')]
  t.after(() => Promise.all(workers.map(one => one.close())))
  await shop.profile({ webhook_details: { webhook_url: receiver.url } })
  await Promise.all(Array.from({ length: 30 }, () => shop.hold().then(held => shop.capture(held.payment_id))))
  const late = await Promise.all(Array.from({ length: 10 }, () => shop.pay({ card: cards.chargesAndResets })))
  const all = 30 * 2 + 10 * 2
  // On a busy machine a delivery may be tried again a minute later.
  for (let minutes = 0; minutes < 5 && receiver.received.length < all; minutes++) {
    await shop.wait(minutes === 0 ? '6 seconds' : '1 minute')
    for (let sent = 1; sent > 0; ) sent = (await Promise.all(workers.map(one => one.tick()))).reduce((a, b) => a + b)
  }
  equal(receiver.received.length, all)
  equal(new Set(receiver.received.map(({ event }) => event.event_id)).size, receiver.received.length)
  for (const { payment_id } of late) equal((await shop.get(payment_id)).status, 'succeeded')
})

test('an unknown ROLE, and a worker without PUBLIC_URL, are refused at startup', () => {
  const env = { DATABASE_URL: 'postgresql://x', KEY_FILE: 'keys.json', ADMIN_API_KEY: 'x'.repeat(16) }
  throws(() => readConfig({ ...env, ROLE: 'both' }), /ROLE must be api or worker or all, not both/)
  throws(() => readConfig({ ...env, ROLE: 'worker' }), /PUBLIC_URL must be set when ROLE is worker/)
  equal(readConfig({ ...env, ROLE: 'worker', PUBLIC_URL: 'https://pay.example' }).role, 'worker')
  equal(readConfig(env).role, 'all')
})

test('a worker suspended during a delivery beyond its lease causes no further delivery when it continues', async t => {
  const [receiver] = [await openReceiver(), await openPlace({ role: 'api' })]
  const shop = await openShop()
  // The process is stopped while the endpoint answers: its write is made when it continues.
  const gate = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  let stopped = true
  const first = await beside('worker', context => ({
    ...context,
    async deliver(request, sender) {
      const reply = await context.deliver(request, sender)
      if (!stopped) return reply
      reached.resolve()
      await gate.promise
      return { is: 'silence', why: 'it was stopped' }
    },
  }))
  const second = await beside('worker')
  t.after(() => Promise.all([first.close(), second.close()]))
  await shop.profile({ webhook_details: { webhook_url: receiver.url } })
  const held = await shop.hold()
  const sleeping = first.tick()
  await reached.promise
  await shop.capture(held.payment_id)
  await shop.wait('5 minutes')
  while ((await second.tick()) > 0);
  deepEqual(receiver.types(), ['payment_authorized', 'payment_authorized', 'payment_succeeded'], 'its lease was over')
  stopped = false
  gate.resolve()
  await sleeping
  for (const worker of [first, second]) while ((await worker.tick()) > 0);
  await shop.wait('1 hour')
  for (const worker of [second, first]) while ((await worker.tick()) > 0);
  equal(receiver.received.length, 3, 'nobody is told anything again')
  const { data } = (await shop.call('GET', '/events')).body
  ok(data.every((event: { is_delivery_successful: boolean }) => event.is_delivery_successful))
})
