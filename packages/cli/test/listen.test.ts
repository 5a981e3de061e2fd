import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, createServer as createWire, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { openShop } from '../../../test/shop.ts'
import { type SwitchyardEvent, webhooks } from '../../node/src/index.ts'
import { openTerminal } from './run.ts'

type Received = { headers: IncomingMessage['headers']; body: string; event: SwitchyardEvent; id: string; payment: string }

/** A merchant's server that can be ended and started again at its port. */
async function openReceiver() {
  const received: Received[] = []
  let server: ReturnType<typeof createServer>
  let port = 0
  let status = 200
  const start = async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', chunk => chunks.push(chunk))
      request.on('end', () => {
        const body = Buffer.concat(chunks).toString()
        const event = JSON.parse(body)
        received.push({
          headers: request.headers,
          body,
          event,
          id: String(request.headers['webhook-id']),
          payment: event.content.object.payment_id,
        })
        response.writeHead(status).end()
      })
    })
    await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  }
  const stop = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  await start()
  after(stop)
  return {
    url: () => `127.0.0.1:${port}/hooks`,
    received,
    start,
    stop,
    says(code: number): void {
      status = code
    },
  }
}

/** The way to the service, as a restart of it looks from outside: refused for a while, then there again. */
async function openWire(target: string) {
  const { hostname, port: to } = new URL(target)
  const open = new Set<Socket>()
  let server: Server
  let port = 0
  const up = async () => {
    server = createWire(socket => {
      const other = connect(Number(to), hostname)
      for (const one of [socket, other]) {
        open.add(one)
        one
          .on('error', () => {})
          .on('close', () => {
            socket.destroy()
            other.destroy()
            open.delete(one)
          })
      }
      socket.pipe(other).pipe(socket)
    })
    await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  }
  const down = () =>
    new Promise<void>(resolve => {
      server.close(() => resolve())
      for (const socket of open) socket.destroy()
    })
  await up()
  after(down)
  return { url: `http://127.0.0.1:${port}`, up, down }
}

/** What each payment told, in the order in which it came. */
function byPayment(received: readonly Received[]): Record<string, string[]> {
  const all: Record<string, string[]> = {}
  for (const { payment, event } of received) all[payment] = [...(all[payment] ?? []), event.event_type]
  return all
}

test('through restarts of the service, of the receiver and of the listener, every event comes once, and in the order of its payment', async () => {
  const shop = await openShop()
  const receiver = await openReceiver()
  const wire = await openWire(shop.url)
  const terminal = await openTerminal({ SWITCHYARD: wire.url, KEY: shop.api_key })
  const begin = () => terminal.begin('listen', '--forward-to', receiver.url())
  const says = (listener: ReturnType<typeof begin>, words: string) => eventually(async () => listener.said.err.includes(words), words, 30)
  const told: Record<string, string[]> = {}
  const sell = async () => {
    const hold = await shop.hold()
    await shop.capture(hold.payment_id)
    await shop.refund(hold.payment_id, 100)
    told[hold.payment_id] = ['payment_authorized', 'payment_succeeded', 'refund_succeeded']
  }
  const caughtUp = () => eventually(async () => receiver.received.length >= 3 * Object.keys(told).length, 'all have come', 60)

  let listener = begin()
  await says(listener, 'Connected to')
  await sell()
  await sell()
  await caughtUp()
  await wire.down()
  await says(listener, 'Not connected')
  await sell()
  await wire.up()
  await caughtUp()
  await receiver.stop()
  await sell()
  await sell()
  await says(listener, 'The receiver does not answer')
  await receiver.start()
  await caughtUp()
  await says(listener, 'The receiver answers again')
  equal((await listener.stop()).code, 130)
  const kept = readdirSync(join(terminal.folder, 'config/switchyard/listen'))
  deepEqual(
    kept.map(file => file.replace(/^[0-9a-f]{24}/, '')).toSorted(),
    ['.json', '.secret'],
    'Ctrl-C leaves the cursor and the secret, and nothing else',
  )
  await sell()
  listener = begin()
  await caughtUp()
  await sell()
  await caughtUp()
  await listener.stop()

  deepEqual(byPayment(receiver.received), told)
  equal(new Set(receiver.received.map(({ id }) => id)).size, receiver.received.length)
})

test('an event is signed as a delivery is, with the secret that was printed; any answer is final', async () => {
  const shop = await openShop()
  const receiver = await openReceiver()
  const terminal = await openTerminal({ SWITCHYARD: shop.url, KEY: shop.api_key })
  const listener = terminal.begin('listen', '--forward-to', receiver.url(), '--events', 'payment_succeeded', '--hash-key', 'hash', '--json')
  await eventually(async () => listener.said.out.includes('"type":"connected"'), 'connected', 30)
  const lines = () =>
    listener.said.out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
  const { secret } = lines().find(({ type }) => type === 'secret')
  receiver.says(500)
  await shop.hold()
  const paid = await shop.pay()
  await eventually(async () => lines().some(({ type }) => type === 'event'), 'an event came', 30)
  const [one, ...others] = receiver.received
  deepEqual(others, [])
  equal(one!.payment, paid.payment_id)
  equal((await webhooks.verify(one!.body, one!.headers, secret)).event_type, 'payment_succeeded')
  equal(one!.headers['x-webhook-signature-512'], createHmac('sha512', 'hash').update(one!.body).digest('hex'))
  const { status, event_id } = lines().find(({ type }) => type === 'event')
  deepEqual([status, event_id], [500, one!.id])
  await listener.stop()
  const again = terminal.begin('listen', '--forward-to', receiver.url(), '--replay', one!.id, '--events', 'payment_succeeded')
  await eventually(async () => again.said.err.includes('Connected to'), 'connected', 30)
  match(again.said.err, new RegExp(`Signing secret: ${secret.replace(/[+/]/g, '.')}`))
  await again.stop()
})

test('a wrong key ends it, and says so', async () => {
  const shop = await openShop()
  const terminal = await openTerminal({ SWITCHYARD: shop.url, KEY: 'snd_wrong' })
  equal((await terminal.run('listen')).code, 4)
  const mistaken = await openTerminal({ SWITCHYARD: shop.url, KEY: shop.api_key })
  equal((await mistaken.run('listen', '--replay', 'yesterday')).code, 2)
  equal((await mistaken.run('listen', '--secret', 'abc')).code, 2)
  ok((await mistaken.run('listen', '--events', 'nonsense')).code === 1)
})
