import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import fastify from 'fastify'
import { Webhook } from 'standardwebhooks'
import { openReceiver } from '../../../test/receiver.ts'
import { openShop } from '../../../test/shop.ts'
import { createClient, eventTypes, idAt, SignatureError, type SwitchyardEvent, webhooks } from '../src/index.ts'
import { realWaits } from '../src/request.ts'

/** Waits of a client that reconnects at once. */
const atOnce = { ...realWaits, sleep: async () => {} }

const SECRET = `whsec_${Buffer.from('a secret of twenty-four by').toString('base64')}`
const OTHER = `whsec_${Buffer.from('another secret, as long as').toString('base64')}`
const BODY = JSON.stringify({
  event_type: 'payment_succeeded',
  content: { type: 'payment_details', object: { payment_id: 'pay_1', city: 'Zürich' } },
})

/** Signed by another library, now or as long ago. `now`: in milliseconds since 1970. */
function signed(secret = SECRET, secondsAgo = 0, body = BODY, now = Date.now()): Record<string, string> {
  const at = new Date(now - secondsAgo * 1000)
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
  }
}

test('a signed webhook is accepted; one that was changed, is too old or was signed with another secret is refused', async () => {
  const event = await webhooks.verify(BODY, signed(), SECRET)
  equal(event.event_type, 'payment_succeeded')
  equal((await webhooks.verify(Buffer.from(BODY), new Headers(signed()), SECRET)).event_type, 'payment_succeeded')
  // A whole second: what is just too new stays so, however long the machine takes.
  const at = Math.floor(Date.now() / 1000) * 1000
  const cases: [string, Record<string, string>, string][] = [
    [BODY.replace('pay_1', 'pay_2'), signed(), SECRET],
    [BODY, signed(OTHER), SECRET],
    [BODY, signed(SECRET, 301, BODY, at), SECRET],
    [BODY, signed(SECRET, -301, BODY, at), SECRET],
    [BODY, { ...signed(), 'webhook-id': 'evt_2' }, SECRET],
    [BODY, { ...signed(), 'webhook-signature': 'v1,AAAA' }, SECRET],
    [BODY, { ...signed(), 'webhook-signature': 'v1,%%%' }, SECRET],
    [BODY, {}, SECRET],
    [BODY, { 'x-webhook-signature-512': 'zz' }, 'hash key'],
    [BODY, { 'x-webhook-signature-512': '' }, 'hash key'],
  ]
  for (const [body, headers, secret] of cases) await rejects(webhooks.verify(body, headers, secret, { now: () => at }), SignatureError)
  await rejects(webhooks.verify(BODY, signed(), ''), TypeError)
  await rejects(webhooks.verify(JSON.parse(BODY), signed(), SECRET), TypeError)
})

test('while a secret rotates, deliveries signed with the old or the new secret are accepted', async () => {
  for (const secret of [SECRET, OTHER])
    equal((await webhooks.verify(BODY, signed(secret), [SECRET, OTHER])).event_type, 'payment_succeeded')
  const [old, fresh] = [OTHER, SECRET].map(secret => signed(secret, 0, BODY, Date.now() - (Date.now() % 1000)))
  const both = { ...fresh, 'webhook-signature': `${old!['webhook-signature']} ${fresh!['webhook-signature']}` }
  equal((await webhooks.verify(BODY, both, SECRET)).event_type, 'payment_succeeded')
})

test('a signature made by sign() is verified by another library', async () => {
  const headers = await webhooks.sign(BODY, SECRET, { id: 'evt_9' })
  deepEqual(new Webhook(SECRET).verify(BODY, headers), JSON.parse(BODY))
})

test('real deliveries are verified with the endpoint’s secret and with the profile’s hash key', async () => {
  const shop = await openShop()
  const receiver = await openReceiver()
  const client = createClient({ apiKey: shop.api_key, baseUrl: shop.url })
  const endpoint = await client.webhookEndpoints.create({ url: receiver.url })
  const [profile] = await client.profiles.list(shop.merchant_id)
  const paid = await shop.pay()
  await shop.wait('1 second')
  const found = receiver.received.find(({ event }) => event.event_type === 'payment_succeeded')!
  const now = () => Number(found.headers['webhook-timestamp']) * 1000
  const event = await webhooks.verify(found.body, found.headers, endpoint.secret!, { now })
  ok(event.event_type === 'payment_succeeded')
  equal(event.content.object.payment_id, paid.payment_id)
  const { 'x-webhook-signature-512': hash } = found.headers
  const only512 = { 'x-webhook-signature-512': hash }
  ok(await webhooks.verify(found.body, only512, profile!.payment_response_hash_key!))
  await rejects(webhooks.verify(found.body, only512, 'another key'), SignatureError)
})

test('the Express, Fastify and Next.js handlers accept signed webhooks, answer 400 to others, and 500 if the callback fails', async () => {
  const heard: SwitchyardEvent[] = []
  let fails = false
  const handle = (event: SwitchyardEvent) => {
    if (fails) throw new Error('our database is away')
    heard.push(event)
  }
  const express = webhooks.express(SECRET, handle)
  const plain = createServer((request, response) => {
    void express(request as never, response, () => {
      response.statusCode = 500
      response.end()
    })
  })
  await new Promise<void>(resolve => plain.listen(0, '127.0.0.1', resolve))
  const app = fastify()
  await app.register(webhooks.fastify('/', SECRET, handle) as never)
  await app.listen({ port: 0, host: '127.0.0.1' })
  after(async () => {
    plain.close()
    await app.close()
  })
  const next = webhooks.route(SECRET, handle)
  const over = (port: number) => (init: RequestInit) => fetch(`http://127.0.0.1:${port}/`, init)
  const receivers = [
    over((plain.address() as AddressInfo).port),
    over((app.server.address() as AddressInfo).port),
    async (init: RequestInit) => next(new Request('http://shop.example/', init)).catch(() => new Response(null, { status: 500 })),
  ]
  for (const post of receivers) {
    const send = (headers: Record<string, string>) =>
      post({ method: 'POST', body: BODY, headers: { 'content-type': 'application/json', ...headers } }).then(({ status }) => status)
    fails = false
    equal(await send(signed()), 200)
    equal(await send(signed(OTHER)), 400)
    fails = true
    equal(await send(signed()), 500)
  }
  equal(heard.length, 3)
})

test('an event stream delivers every selected event once and in order, across broken connections', async () => {
  const shop = await openShop()
  const lost: unknown[] = []
  let cut = 0
  /** Every connection breaks after the first event that it tells. */
  const breaking: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init)
    if (!answer.body || cut++ > 4) return answer
    const reader = answer.body.getReader()
    const body = new ReadableStream({
      async pull(controller) {
        const { value, done } = await reader.read()
        if (done) return controller.close()
        controller.enqueue(value)
        if (new TextDecoder().decode(value).includes('id: evt_')) controller.error(new Error('the cable was pulled'))
      },
    })
    return new Response(body, { status: answer.status, headers: answer.headers })
  }
  const client = createClient({ apiKey: shop.api_key, baseUrl: shop.url, fetch: breaking, waits: atOnce })
  const begun = idAt(Date.now() + shop.clock.ahead - 1000)
  const payments = []
  for (let i = 0; i < 4; i++) payments.push((await shop.pay()).payment_id)
  const heard: unknown[] = []
  const stream = client.events.stream({
    after: begun,
    event_types: ['payment.succeeded'],
    onConnection: ({ is }) => is === 'lost' && lost.push(is),
  })
  for await (const { event } of stream) {
    ok(event.event_type === 'payment_succeeded')
    heard.push(event.content.object.payment_id)
    if (heard.length === 2) await shop.hold()
    if (heard.length === 4) payments.push((await shop.pay()).payment_id)
    if (heard.length === 5) break
  }
  deepEqual(heard, payments)
  ok(lost.length > 0)
})

test('a stalled event stream reconnects, and the events sent meanwhile are delivered once', async () => {
  const shop = await openShop()
  let isAsleep = false
  let connections = 0
  /** A connection that was open before the sleep is never heard of again, and does not say so. */
  const sleeping: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init)
    const reader = answer.body!.getReader()
    const own = ++connections
    const body = new ReadableStream({
      async pull(controller) {
        const { value, done } = await reader.read()
        if (isAsleep && own === 1) {
          init!.signal!.throwIfAborted()
          return new Promise((_, reject) => init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason)))
        }
        if (done) return controller.close()
        controller.enqueue(value)
      },
    })
    return new Response(body, { status: answer.status, headers: answer.headers })
  }
  /** A deadline that passes at once for the connection that is asleep, and otherwise never. */
  const deadline = () => {
    const late = new AbortController()
    if (isAsleep && connections === 1) setImmediate(() => late.abort())
    return { signal: late.signal, clear() {} }
  }
  const waits = { ...atOnce, deadline }
  const client = createClient({ apiKey: shop.api_key, baseUrl: shop.url, fetch: sleeping, waits })
  const said: string[] = []
  const payments: string[] = []
  const heard: string[] = []
  const pay = async () => void payments.push((await shop.pay()).payment_id)
  let connected = () => {}
  const isConnected = new Promise<void>(resolve => (connected = resolve))
  const stream = client.events.stream({
    onConnection: ({ is }) => {
      said.push(is)
      connected()
    },
  })
  void isConnected.then(pay)
  for await (const { event } of stream) {
    heard.push((event as { content: { object: { payment_id: string } } }).content.object.payment_id)
    if (heard.length === 1) {
      isAsleep = true
      await pay()
      await pay()
    }
    if (heard.length === 3) await pay()
    if (heard.length === 4) break
  }
  deepEqual(heard, payments)
  deepEqual(said.slice(0, 3), ['connected', 'lost', 'connected'], 'and it says when it is connected and when not')
})

test('an event stream that breaks before its first event resumes from where it started', async () => {
  const shop = await openShop()
  await shop.pay()
  let connections = 0
  const payments: string[] = []
  const breaking: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init)
    if (connections++ > 0) return answer
    const reader = answer.body!.getReader()
    const first = await reader.read()
    await reader.cancel()
    payments.push((await shop.pay()).payment_id)
    const parts = [first.value!]
    const body = new ReadableStream({
      pull: controller => (parts.length > 0 ? controller.enqueue(parts.pop()) : controller.error(new Error('gone'))),
    })
    return new Response(body, { status: answer.status, headers: answer.headers })
  }
  const client = createClient({ apiKey: shop.api_key, baseUrl: shop.url, fetch: breaking, waits: atOnce })
  for await (const { event } of client.events.stream()) {
    equal((event as { content: { object: { payment_id: string } } }).content.object.payment_id, payments[0])
    break
  }
  equal(connections, 2)
})

test('the SDK lists more than 30 event types', () => {
  ok(Object.keys(eventTypes).length > 30)
})
