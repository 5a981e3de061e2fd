import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { context, openShop, openTestSandbox } from './test-shop.ts'

const { url } = await openTestSandbox()
const webhook_secret = 'whsec_test'

type Received = { signature: string; raw: string; event: { id: string; type: string; operation: Record<string, unknown> } }

/** A merchant's listener: answers each letter with the next of `statuses`, then with 200. */
async function listen(statuses: number[] = []) {
  const received: Received[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  const server = createServer(async (incoming, answer) => {
    let raw = ''
    for await (const chunk of incoming) raw += chunk
    received.push({ signature: String(incoming.headers['x-sandbox-signature']), raw, event: JSON.parse(raw) })
    answer.writeHead(statuses.shift() ?? 200).end()
    for (const { count, resolve } of waiting) if (received.length >= count) resolve()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close().closeAllConnections())
  const { port } = server.address() as { port: number }
  return {
    received,
    webhook_url: `http://127.0.0.1:${port}/hooks`,
    until: (count: number) =>
      received.length >= count ? Promise.resolve() : new Promise<void>(resolve => waiting.push({ count, resolve })),
  }
}

test('a payment sends one webhook, signed over its raw body', async () => {
  const shop = openShop(url)
  const merchant = await listen()
  await shop.settings({ webhook_url: merchant.webhook_url, webhook_secret })
  const payment = await shop.pay('approved')
  await merchant.until(1)
  const [{ signature, raw, event }] = merchant.received as [Received]
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature)!
  assert.equal(v1, createHmac('sha256', webhook_secret).update(`${t}.${raw}`).digest('hex'))
  assert.equal(Number(t), Math.floor(context.now() / 1000))
  assert.deepEqual([event.type, event.operation], ['operation.updated', payment])
  await shop.advance(0)
  const { webhooks } = await shop.ledger()
  assert.deepEqual(webhooks, [{ id: event.id, operation: payment.id, attempts: 1, delivered: true }])
})

test('a pending payment sends its webhook when it is decided, before the clock request returns', async () => {
  const shop = openShop(url)
  const merchant = await listen()
  await shop.settings({ webhook_url: merchant.webhook_url, webhook_secret })
  const payment = await shop.pay('approved_later')
  await shop.advance(60)
  assert.deepEqual(
    merchant.received.map(({ event }) => [event.operation.id, event.operation.status]),
    [[payment.id, 'approved']],
  )
})

test('a delay of a minute that was advanced by 59 seconds ends one second later, without a further request', async () => {
  const shop = openShop(url)
  const merchant = await listen()
  await shop.settings({ webhook_url: merchant.webhook_url, webhook_secret })
  await shop.pay('approved_later')
  await shop.advance(59)
  assert.equal(merchant.received.length, 0)
  context.pass(1000)
  await merchant.until(1)
  assert.equal(merchant.received[0]!.event.operation.status, 'approved')
})

test('captures, refunds, voids and expired authorizations send webhooks too', async () => {
  const shop = openShop(url)
  const merchant = await listen()
  await shop.settings({ webhook_url: merchant.webhook_url, webhook_secret })
  const hold = await shop.pay('approved', { capture: 'manual' })
  await shop.capture(hold.id, { amount: 100 })
  await shop.refund(hold.id, { amount: 100 })
  await shop.void(hold.id)
  const lapsing = await shop.pay('approved', { capture: 'manual' })
  await shop.expire(lapsing.id)
  await shop.advance(0)
  const types = merchant.received.map(({ event }) => event.operation.type).sort()
  assert.deepEqual(types, ['authorization', 'authorization', 'authorization', 'capture', 'refund', 'void'])
})

test('in duplicate mode, one event is sent three times', async () => {
  const shop = openShop(url)
  const merchant = await listen()
  await shop.settings({ webhook_url: merchant.webhook_url, webhook_secret, webhooks: 'duplicate' })
  await shop.pay('approved')
  await shop.advance(0)
  assert.equal(merchant.received.length, 3)
  assert.equal(new Set(merchant.received.map(({ raw }) => raw)).size, 1)
  assert.equal((await shop.ledger()).webhooks[0].attempts, 3)
})

test('held webhooks are sent once each when they are flushed', async () => {
  const shop = openShop(url)
  const merchant = await listen()
  await shop.settings({ webhook_url: merchant.webhook_url, webhook_secret, webhooks: 'hold' })
  await shop.pay('approved')
  await shop.pay('declined')
  await shop.advance(400)
  assert.equal(merchant.received.length, 0)
  assert.equal((await shop.flush()).json.flushed, 2)
  assert.equal(merchant.received.length, 2)
  assert.equal((await shop.flush()).json.flushed, 0)
})

test('a failed webhook is retried after 1, 5, 30 and 300 seconds, then given up', async () => {
  const shop = openShop(url)
  const merchant = await listen([500, 404, 302, 503, 500, 500])
  await shop.settings({ webhook_url: merchant.webhook_url, webhook_secret })
  await shop.pay('approved')
  await shop.advance(0)
  const counts = [merchant.received.length]
  for (const pause of [1, 5, 30, 300, 3000]) {
    await shop.advance(pause)
    counts.push(merchant.received.length)
  }
  assert.deepEqual(counts, [1, 2, 3, 4, 5, 5])
  assert.deepEqual(new Set(merchant.received.map(({ raw }) => raw)).size, 1)
  const [webhook] = (await shop.ledger()).webhooks
  assert.deepEqual([webhook.attempts, webhook.delivered], [5, false])
})

test('a webhook that succeeds at the second attempt is not sent again', async () => {
  const shop = openShop(url)
  const merchant = await listen([500])
  await shop.settings({ webhook_url: merchant.webhook_url, webhook_secret })
  await shop.pay('approved')
  await shop.advance(0)
  for (const _ of [1, 2, 3]) await shop.advance(500)
  assert.equal(merchant.received.length, 2)
  assert.equal((await shop.ledger()).webhooks[0].delivered, true)
})

test('without a webhook URL, or when switched off, no webhook is sent', async () => {
  const shop = openShop(url)
  const merchant = await listen()
  await shop.pay('approved')
  await shop.settings({ webhook_url: merchant.webhook_url, webhook_secret, webhooks: 'off' })
  await shop.pay('approved')
  await shop.settings({ webhooks: 'send' })
  await shop.advance(1000)
  assert.equal(merchant.received.length, 0)
  assert.equal((await shop.settings({ webhook_url: 'ftp://nowhere' })).json.error.param, 'webhook_url')
})

test('retries of a failed webhook continue after a restart', async () => {
  const first = await openTestSandbox()
  const merchant = await listen([500])
  const before = openShop(first.url)
  await before.settings({ webhook_url: merchant.webhook_url, webhook_secret })
  await before.pay('approved')
  await before.advance(0)
  await first.close()
  const second = await openTestSandbox(first.ledgerFile)
  await openShop(second.url, before.account).advance(1)
  assert.equal(merchant.received.length, 2)
})
