import { deepEqual, equal, ok } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { openNats } from '../../src/events/nats.ts'
import { openSinking } from '../../src/events/sink.ts'
import { needDebian } from '../debian.ts'
import { type Body, openPlace, openShop } from '../shop.ts'

/**
 * Events in a real NATS JetStream: each exactly once, in the order of its object, also when processes die in between.
 */

const SERVER = process.env.NATS_SERVER || '/usr/sbin/nats-server'
const STREAM = 'switchyard'
const folder = mkdtempSync(join(tmpdir(), 'switchyard-nats-'))
let port = 0
let server: ChildProcess | null = null

const free = (): Promise<number> =>
  new Promise(resolve => {
    const one = createServer().listen(0, '127.0.0.1', () => {
      const { port } = one.address() as { port: number }
      one.close(() => resolve(port))
    })
  })

const dial = () => connect({ servers: `127.0.0.1:${port}`, user: 'ops', pass: 'p@ss:word', reconnect: false, timeout: 2_000 })

async function startServer(): Promise<void> {
  const args = ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder, '--user', 'ops', '--pass', 'p@ss:word']
  server = spawn(SERVER, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  // The server writes to standard error when it accepts connections.
  await new Promise<void>((resolve, reject) => {
    let output = ''
    server!.stderr!.on('data', (bytes: Buffer) => {
      output += bytes
      if (output.includes('Server is ready')) resolve()
    })
    server!.once('exit', () => reject(new Error(`nats-server ended: ${output}`)))
  })
}

async function stopServer(): Promise<void> {
  const gone = new Promise(resolve => server!.once('exit', resolve))
  server!.removeAllListeners('exit')
  server!.once('exit', () => {})
  server!.kill('SIGKILL')
  await Promise.race([gone, new Promise<void>(resolve => server!.once('close', () => resolve()))])
}

before(async () => {
  needDebian(SERVER, 'nats-server', 'NATS_SERVER')
  port = await free()
  await startServer()
  await openPlace({ nats: { url: `nats://ops:${encodeURIComponent('p@ss:word')}@127.0.0.1:${port}`, stream: STREAM } })
})
after(async () => {
  await stopServer()
  rmSync(folder, { recursive: true, force: true })
})

type Kept = { subject: string; id: string; body: Body }

/** Gives all messages of a merchant in the stream, in their order. */
async function kept(merchant_id: string): Promise<Kept[]> {
  const connection = await dial()
  try {
    const streams = (await jetstreamManager(connection)).streams
    const { state } = await streams.info(STREAM)
    const all: Kept[] = []
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
      const message = await streams.getMessage(STREAM, { seq })
      if (message?.subject.startsWith(`${STREAM}.${merchant_id}.`))
        all.push({ subject: message.subject, id: message.header.get('Nats-Msg-Id'), body: message.json() })
    }
    return all
  } finally {
    await connection.close()
  }
}

const typesOf = (all: readonly Kept[], merchant_id: string) => all.map(({ subject }) => subject.slice(`${STREAM}.${merchant_id}.`.length))

test('every event is published to NATS under its merchant and type, once, in the order of its payment', async () => {
  const shop = await openShop()
  const held = await shop.hold()
  await shop.capture(held.payment_id)
  await shop.refund(held.payment_id, 250)
  await shop.service.tick()
  const all = await kept(shop.merchant_id)
  deepEqual(typesOf(all, shop.merchant_id), ['payment.authorized', 'payment.succeeded', 'refund.succeeded'])
  deepEqual(
    all.map(({ body }) => body.sequence),
    [1, 2, 3],
  )
  ok(all.every(({ id, body }) => id === body.event_id && body.merchant_id === shop.merchant_id))
  equal(all[1]!.body.content.object.amount_received, 1250)
  await shop.service.tick()
  equal((await kept(shop.merchant_id)).length, 3)
})

test('payments and webhooks continue while NATS is down; once it is back it gets every event, in order', async () => {
  const shop = await openShop()
  await shop.pay()
  await shop.service.tick()
  await stopServer()
  const held = await shop.hold()
  await shop.cancel(held.payment_id)
  await shop.service.tick()
  ok(shop.logs.some(line => line.includes('the event sink is unavailable')))
  equal((await shop.query('select 1 from sink_queue where merchant_id = $1', [shop.merchant_id])).length, 2)
  equal((await shop.query('select 1 from outbox where merchant_id = $1', [shop.merchant_id])).length, 0, 'nothing else waits for it')
  await startServer()
  shop.clock.ahead += 6_000
  await shop.service.tick()
  deepEqual(typesOf(await kept(shop.merchant_id), shop.merchant_id), ['payment.succeeded', 'payment.authorized', 'payment.cancelled'])
  equal((await shop.query('select 1 from sink_queue', [])).length, 0)
})

test('an event published just before a crash is published again, and NATS stores it once', async () => {
  const shop = await openShop()
  await shop.pay()
  const { context, settings } = shop.service
  let dies = true
  const mortal = {
    ...context,
    query: ((statement, values) => {
      if (statement.name === 'drop_sunk' && dies) return Promise.reject(new Error('killed'))
      return context.query(statement, values)
    }) as typeof context.query,
  }
  const open = (of: typeof context, holder: string) =>
    openSinking(
      of,
      settings,
      () => shop.url,
      openNats({ url: `nats://ops:p%40ss%3Aword@127.0.0.1:${port}`, stream: STREAM }, context.log),
      holder,
    )
  // The events have left the outbox and are not yet published.
  await context.query(
    {
      name: 'hold_lease',
      text: "insert into sink_leases values ('nats switchyard', 'somebody', '2999-01-01') on conflict (sink) do update set holder = 'somebody', until = '2999-01-01'",
    },
    [],
  )
  await shop.service.tick()
  equal((await kept(shop.merchant_id)).length, 0, 'one process at a time')
  await context.query({ name: 'lapse_lease', text: "update sink_leases set until = '2000-01-01'" }, [])
  const first = open(mortal, 'first')
  await first.sinkNext()
  equal((await kept(shop.merchant_id)).length, 1)
  dies = false
  const [{ spoilt }] = (await shop.query('select count(*)::int as spoilt from sink_queue', [])) as [{ spoilt: number }]
  equal(spoilt, 1)
  await context.query({ name: 'lapse_lease', text: "update sink_leases set until = '2000-01-01'" }, [])
  const second = open(context, 'second')
  equal(await second.sinkNext(), 1)
  await Promise.all([first.close(), second.close()])
  equal((await kept(shop.merchant_id)).length, 1)
  equal((await shop.query('select 1 from sink_queue', [])).length, 0)
})

test('an event that is too large for NATS blocks no other event, and becomes a job that names the reason', async () => {
  const shop = await openShop()
  const { context, settings } = shop.service
  const put: string[] = []
  const real = openNats({ url: `nats://ops:p%40ss%3Aword@127.0.0.1:${port}`, stream: STREAM }, context.log)
  const swelling = {
    ...real,
    put: (events: Parameters<typeof real.put>[0]) => {
      put.push(...events.map(({ subject }) => subject))
      return real.put(events.map(event => (event.subject.includes('authorized') ? { ...event, body: ' '.repeat(2_000_000) } : event)))
    },
  }
  await context.query(
    {
      name: 'hold_lease',
      text: "insert into sink_leases values ('nats switchyard', 'somebody', '2999-01-01') on conflict (sink) do update set holder = 'somebody', until = '2999-01-01'",
    },
    [],
  )
  await shop.hold()
  await shop.pay()
  await shop.service.tick()
  await context.query({ name: 'lapse_lease', text: "update sink_leases set until = '2000-01-01'" }, [])
  const sinking = openSinking(context, settings, () => shop.url, swelling, 'swelling')
  equal(await sinking.sinkNext(), 2)
  deepEqual(typesOf(await kept(shop.merchant_id), shop.merchant_id), ['payment.succeeded'])
  const jobs = await shop.query("select reason from jobs where merchant_id = $1 and kind = 'sink'", [shop.merchant_id])
  equal(jobs.length, 1)
  ok(String(jobs[0]!.reason).includes('max_payload'))
  await sinking.close()
})
