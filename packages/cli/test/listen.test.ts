import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, createServer as createWire, type Server, type Socket } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { ADMIN_KEY, http, openShop } from '../../../test/shop.ts'
import { type SwitchyardEvent, webhooks } from '../../node/src/index.ts'
import { openTerminal } from './run.ts'

type Received = { headers: IncomingMessage['headers']; body: string; event: SwitchyardEvent; id: string; payment: string }

/** A merchant's server that can be ended and started again at its port. */
async function openReceiver() {
  const received: Received[] = []
  let server: ReturnType<typeof createServer>
  let port = 0
  let status = 200
  let body = ''
  /** What each request waits for before it is answered. */
  let turn = (_payment: string): Promise<void> | void => {}
  const start = async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', chunk => chunks.push(chunk))
      request.on('end', async () => {
        const text = Buffer.concat(chunks).toString()
        const event = JSON.parse(text)
        const payment = event.content.object.payment_id
        received.push({ headers: request.headers, body: text, event, id: String(request.headers['webhook-id']), payment })
        await turn(payment)
        response.writeHead(status).end(body)
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
    says(code: number, words = ''): void {
      status = code
      body = words
    },
    holds(how: typeof turn): void {
      turn = how
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

test('every event is forwarded once and in order for its payment, through restarts of the service, the receiver and the listener', async () => {
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
    ['.jsonl', '.secret'],
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

test('an event is forwarded with valid signatures, and any response status is final', async () => {
  const shop = await openShop()
  const receiver = await openReceiver()
  const terminal = await openTerminal({ SWITCHYARD: shop.url, KEY: shop.api_key })
  const listener = terminal.begin('listen', '--forward-to', receiver.url(), '--events', 'payment_succeeded', '--hash-key', 'hash', '--json')
  await eventually(async () => listener.said.out.includes('"type":"connected"'), 'connected')
  const lines = () =>
    listener.said.out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
  const { secret } = lines().find(({ type }) => type === 'secret')
  receiver.says(500)
  await shop.hold()
  const paid = await shop.pay()
  await eventually(async () => lines().some(({ type }) => type === 'event'), 'an event came')
  const [one, ...others] = receiver.received
  deepEqual(others, [])
  equal(one!.payment, paid.payment_id)
  equal((await webhooks.verify(one!.body, one!.headers, secret)).event_type, 'payment_succeeded')
  equal(one!.headers['x-webhook-signature-512'], createHmac('sha512', 'hash').update(one!.body).digest('hex'))
  const { status, event_id } = lines().find(({ type }) => type === 'event')
  deepEqual([status, event_id], [500, one!.id])
  await listener.stop()
  const again = terminal.begin('listen', '--forward-to', receiver.url(), '--replay', one!.id, '--events', 'payment_succeeded')
  await eventually(async () => again.said.err.includes('Connected to'), 'connected')
  match(again.said.err, new RegExp(`Signing secret: ${secret.replace(/[+/]/g, '.')}`))
  await again.stop()
})

test('a resent event reaches the listener, and its response is listed among the attempts with the listener name and machine', async () => {
  const shop = await openShop()
  const receiver = await openReceiver()
  const terminal = await openTerminal({ SWITCHYARD: shop.url, KEY: shop.api_key })
  const listener = terminal.begin('listen', '--forward-to', receiver.url(), '--name', 'ada', '--header', 'x-tunnel: 7')
  await eventually(async () => listener.said.err.includes('Connected to'), 'connected')
  receiver.says(500, `it broke ${'x'.repeat(5000)}`)
  await shop.pay()
  await eventually(async () => receiver.received.length === 1, 'the event came')
  const { id } = receiver.received[0]!
  equal(receiver.received[0]!.headers['x-tunnel'], '7')
  const attempts = async () => {
    const answer = await shop.call('GET', `/events/${shop.merchant_id}/${id}/attempts`)
    return answer.status === 404 ? [] : answer.body
  }
  await eventually(async () => (await attempts()).length === 1, 'its answer is listed')
  receiver.says(204)
  const resent = await terminal.run('events', 'resend', id, '--json')
  equal(resent.code, 0, resent.err)
  const told = JSON.parse(resent.out)
  deepEqual(
    [told.is_delivery_successful, told.response.status_code, told.listener.name, told.listener.machine],
    [true, 204, 'ada', hostname()],
  )
  const [first, second] = await attempts()
  deepEqual(
    [first.delivery_attempt, first.response.status_code, first.response.body.length, first.listener.name, first.url],
    ['initial_attempt', 500, 4096, 'ada', `http://${receiver.url()}`],
  )
  deepEqual([second.event_id, second.delivery_attempt, second.is_delivery_successful], [told.event_id, 'manual_retry', true])
  deepEqual(
    receiver.received.map(one => [one.id, one.body]),
    [
      [id, receiver.received[0]!.body],
      [id, receiver.received[0]!.body],
    ],
  )
  match(listener.said.out, /\(sent again\) 204/)
  const listed = async () => (await shop.call('GET', '/event_listeners')).body.data
  deepEqual(
    (await listed()).map((one: { name: string }) => one.name),
    ['ada'],
  )
  equal((await listener.stop()).code, 130)
  deepEqual(await listed(), [], 'Ctrl-C ends it at the service too')
})

test('an unreachable receiver is recorded once per event, and an event resent meanwhile fails and is not queued', async () => {
  const shop = await openShop()
  const receiver = await openReceiver()
  const terminal = await openTerminal({ SWITCHYARD: shop.url, KEY: shop.api_key })
  const listener = terminal.begin('listen', '--forward-to', receiver.url())
  await eventually(async () => listener.said.err.includes('Connected to'), 'connected')
  await shop.pay()
  await eventually(async () => receiver.received.length === 1, 'the event came')
  await receiver.stop()
  const told = JSON.parse((await terminal.run('events', 'resend', receiver.received[0]!.id, '--json')).out)
  deepEqual([told.is_delivery_successful, told.response.status_code, told.response.error_message], [false, null, 'ECONNREFUSED'])
  const { payment_id } = await shop.pay()
  await eventually(async () => listener.said.err.includes('The receiver does not answer'), 'away')
  await receiver.start()
  await eventually(async () => receiver.received.length === 2, 'what was waited for came')
  equal(receiver.received[1]!.payment, payment_id)
  await eventually(
    async () => {
      const { body } = await shop.call('GET', `/events/${shop.merchant_id}/${receiver.received[1]!.id}/attempts`)
      return body.length === 2 && body[0].response.error_message === 'ECONNREFUSED' && body[1].response.status_code === 200
    },
    'one attempt without an answer, and one with it',
    30,
  )
  await listener.stop()
})

test('events between two runs of the listener are not missed, even if the first run received none', async () => {
  const shop = await openShop()
  const receiver = await openReceiver()
  const terminal = await openTerminal({ SWITCHYARD: shop.url, KEY: shop.api_key })
  await shop.pay()
  const begin = async (...more: string[]) => {
    const listener = terminal.begin('listen', '--forward-to', receiver.url(), ...more)
    await eventually(async () => listener.said.err.includes('Connected to'), 'connected')
    return listener
  }
  await (await begin()).stop()
  const { payment_id } = await shop.pay()
  const again = await begin()
  await eventually(async () => receiver.received.length > 0, 'it came')
  await again.stop()
  deepEqual(byPayment(receiver.received), { [payment_id]: ['payment_succeeded'] })
  await shop.pay()
  const now = await begin('--replay', 'now')
  const last = await shop.pay()
  await eventually(async () => receiver.received.length > 1, 'what is new came')
  await now.stop()
  deepEqual(Object.keys(byPayment(receiver.received)), [payment_id, last.payment_id])
})

test('events of different objects are forwarded in parallel, and those of one object one by one and in order', async () => {
  const shop = await openShop()
  const receiver = await openReceiver()
  const terminal = await openTerminal({ SWITCHYARD: shop.url, KEY: shop.api_key })
  const OBJECTS = 12
  const told: Record<string, string[]> = {}
  for (let i = 0; i < OBJECTS; i++) {
    const { payment_id } = await shop.hold()
    await shop.capture(payment_id)
    await shop.refund(payment_id, 100)
    told[payment_id] = ['payment_authorized', 'payment_succeeded', 'refund_succeeded']
  }
  const active = new Map<string, number>()
  let mostOfOne = 0
  let open = () => {}
  const allCame = new Promise<void>(resolve => (open = resolve))
  receiver.holds(async payment => {
    active.set(payment, (active.get(payment) ?? 0) + 1)
    mostOfOne = Math.max(mostOfOne, active.get(payment)!)
    // No one is answered before an event of each object is here at once.
    if (active.size === OBJECTS) open()
    await allCame
    active.set(payment, active.get(payment)! - 1)
  })
  const listener = terminal.begin('listen', '--forward-to', receiver.url(), '--replay', '1h')
  await eventually(async () => receiver.received.length === 3 * OBJECTS, 'all have come')
  await listener.stop()
  equal(mostOfOne, 1)
  deepEqual(byPayment(receiver.received), told)
})

test('the signing secret can be printed for scripts, and is the one the listener uses', async () => {
  const shop = await openShop()
  const terminal = await openTerminal({ SWITCHYARD: shop.url, KEY: shop.api_key })
  const { out, code } = await terminal.run('listen', '--print-secret')
  equal(code, 0)
  match(out, /^whsec_[A-Za-z0-9+/]+=*\n$/)
  deepEqual(JSON.parse((await terminal.run('listen', '--print-secret', '--json')).out), { secret: out.trim() })
  const receiver = await openReceiver()
  const listener = terminal.begin('listen', '--forward-to', receiver.url(), '--json')
  await eventually(async () => listener.said.out.includes('"type":"connected"'), 'connected')
  equal(JSON.parse(listener.said.out.split('\n')[0]!).secret, out.trim())
  await listener.stop()
})

test('a key without the permission to replay events can listen, and the listener warns that resent events will not arrive', async () => {
  const shop = await openShop()
  const receiver = await openReceiver()
  const asked = { name: 'reader', expiration: 'never', scopes: ['logs:read'] }
  const { body } = await http('POST', `${shop.url}/api_keys/${shop.merchant_id}`, asked, { 'api-key': ADMIN_KEY })
  const terminal = await openTerminal({ SWITCHYARD: shop.url, KEY: body.api_key })
  const listener = terminal.begin('listen', '--forward-to', receiver.url())
  await eventually(async () => listener.said.err.includes('Connected to'), 'connected')
  match(listener.said.err, /Events that are sent again do not come here \(.*webhooks:replay/)
  await shop.pay()
  await eventually(async () => receiver.received.length === 1, 'the event came')
  equal((await listener.stop()).code, 130)
})

test('the listener exits with an error for a wrong key or invalid options', async () => {
  const shop = await openShop()
  const terminal = await openTerminal({ SWITCHYARD: shop.url, KEY: 'snd_wrong' })
  equal((await terminal.run('listen')).code, 4)
  const mistaken = await openTerminal({ SWITCHYARD: shop.url, KEY: shop.api_key })
  equal((await mistaken.run('listen', '--replay', 'yesterday')).code, 2)
  equal((await mistaken.run('listen', '--secret', 'abc')).code, 2)
  equal((await mistaken.run('listen', '--forward-to', 'localhost:1', '--header', 'nonsense')).code, 2)
  ok((await mistaken.run('listen', '--events', 'nonsense')).code === 1)
})
