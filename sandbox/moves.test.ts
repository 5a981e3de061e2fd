import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { newReference, openShop, openTestSandbox, type Shop } from './test-shop.ts'

const { url } = await openTestSandbox()
const manual = { capture: 'manual', amount: 1000 }

const charge = async (shop: Shop) => {
  const [{ status, captured, refunded, amount, disputed = 0 }] = await shop.charges()
  return { status, amount, captured, refunded, disputed }
}

/** A merchant's listener: the operations of the webhooks that arrived. */
async function listen(shop: Shop) {
  const arrived: { type: string; status: string; origin?: string }[] = []
  const server = createServer(async (incoming, answer) => {
    let raw = ''
    for await (const chunk of incoming) raw += chunk
    const { operation, dispute } = JSON.parse(raw)
    arrived.push(operation ? { type: operation.type, status: operation.status, origin: operation.origin } : { type: 'dispute', ...dispute })
    answer.writeHead(200).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close().closeAllConnections())
  const { port } = server.address() as { port: number }
  await shop.settings({ webhook_url: `http://127.0.0.1:${port}/hooks`, webhook_secret: 'whsec' })
  return arrived
}

test('money captured, refunded and taken back at the dashboard is in the payment, under references that nobody sent', async () => {
  const shop = openShop(url)
  const payment = await shop.pay('approved', manual)
  const { operation } = (await shop.move(payment.id, 'capture', { amount: 300 })).json
  assert.deepEqual([operation.type, operation.amount, operation.origin, operation.status], ['capture', 300, 'dashboard', 'approved'])
  assert.match(operation.reference, /^dash_/)
  assert.deepEqual(await charge(shop), { status: 'partially_captured', amount: 1000, captured: 300, refunded: 0, disputed: 0 })
  await shop.move(payment.id, 'capture')
  assert.deepEqual(await charge(shop), { status: 'captured', amount: 1000, captured: 1000, refunded: 0, disputed: 0 })
  await shop.move(payment.reference, 'refund', { amount: 400 })
  assert.equal((await shop.refund(payment.id, { amount: 601 })).status, 422)
  await shop.move(payment.id, 'refund')
  assert.deepEqual(await charge(shop), { status: 'captured', amount: 1000, captured: 1000, refunded: 1000, disputed: 0 })
  const back = (await shop.move(payment.id, 'refund_failed')).json.operation
  assert.deepEqual([back.amount, back.status, back.decline.code], [600, 'declined', 'refund_failed'])
  assert.equal((await charge(shop)).refunded, 400)
  const { operations } = await shop.ledger()
  const sent = operations.filter((one: { sends: number }) => one.sends > 0)
  assert.deepEqual(sent, [operations[0]])
})

test('a refund of the merchant is taken back by its reference', async () => {
  const shop = openShop(url)
  const payment = await shop.pay('approved')
  const first = await shop.refund(payment.id, { amount: 100 })
  await shop.refund(payment.id, { amount: 200 })
  const { operation } = (await shop.move(payment.id, 'refund_failed', { operation: first.json.reference })).json
  assert.deepEqual([operation.id, operation.status, operation.origin], [first.json.id, 'declined', undefined])
  assert.equal((await charge(shop)).refunded, 200)
  assert.equal((await shop.move(payment.id, 'refund_failed', { operation: first.json.id })).status, 422)
  assert.equal((await shop.move(payment.id, 'refund_failed', { operation: 'never_made' })).status, 404)
})

test('a hold is raised and released at the dashboard, and what is left after a capture too', async () => {
  const shop = openShop(url)
  const payment = await shop.pay('approved', manual)
  await shop.move(payment.id, 'increment', { amount: 1500 })
  assert.equal((await charge(shop)).amount, 1500)
  await shop.capture(payment.id, { amount: 500 })
  const { operation } = (await shop.move(payment.id, 'void')).json
  assert.deepEqual([operation.type, operation.amount], ['void', 1000])
  assert.deepEqual(await charge(shop), { status: 'captured', amount: 1500, captured: 500, refunded: 0, disputed: 0 })
  assert.equal((await shop.capture(payment.id, { amount: 1 })).status, 422)
})

test('a final capture of a part releases the rest', async () => {
  const shop = openShop(url)
  const payment = await shop.pay('approved', manual)
  await shop.move(payment.id, 'capture', { amount: 300, final: true })
  assert.deepEqual(await charge(shop), { status: 'captured', amount: 1000, captured: 300, refunded: 0, disputed: 0 })
})

test('the dashboard refuses what the rules of money refuse to a call', async () => {
  const shop = openShop(url)
  const payment = await shop.pay('approved', manual)
  const status = async (move: string, more = {}) => (await shop.move(payment.id, move, more)).status
  assert.equal(await status('capture', { amount: 1001 }), 422)
  assert.equal(await status('refund'), 422)
  assert.equal(await status('dispute'), 422)
  assert.equal(await status('payout_cancelled'), 422)
  assert.equal(await status('increment'), 400)
  assert.equal(await status('steal'), 400)
  assert.equal((await shop.move('auth_unknown_payment', 'void')).status, 404)
  assert.deepEqual(await charge(shop), { status: 'authorized', amount: 1000, captured: 0, refunded: 0, disputed: 0 })
})

test('a dispute takes its amount from what can be refunded', async () => {
  const shop = openShop(url)
  const payment = await shop.pay('approved')
  const { dispute } = (await shop.move(payment.id, 'dispute', { amount: 1000, reason: 'product_not_received' })).json
  assert.deepEqual([dispute.amount, dispute.reason, dispute.status], [1000, 'product_not_received', 'needs_response'])
  assert.equal((await charge(shop)).disputed, 1000)
  assert.equal((await shop.move(payment.id, 'refund')).json.operation.amount, 250)
})

test('a pending payout is cancelled and a paid one returned at the dashboard', async () => {
  const shop = openShop(url)
  const pay = async (account: string) => {
    const to = { type: 'bank', account }
    return (await shop.call('POST', '/v1/payouts', { reference: newReference('pout'), amount: 500, currency: 'EUR', to })).json
  }
  const pending = await pay('DE00 1976')
  assert.equal(pending.status, 'pending')
  const { operation } = (await shop.move(pending.id, 'payout_cancelled')).json
  assert.deepEqual([operation.type, operation.status, operation.decline.code], ['payout', 'declined', 'payout_cancelled'])
  const paid = await pay('DE00 4242')
  assert.equal((await shop.move(paid.id, 'refund')).status, 422)
  await shop.move(paid.reference, 'payout_returned')
  const { payouts } = await shop.ledger()
  assert.deepEqual(payouts.map(({ status }: { status: string }) => status).sort(), ['cancelled', 'returned'])
})

test('webhooks of a move are sent, lost or held, whatever the account is set to', async () => {
  const shop = openShop(url)
  const payment = await shop.pay('approved')
  const arrived = await listen(shop)
  await shop.move(payment.id, 'refund', { amount: 100, webhooks: 'lose' })
  await shop.move(payment.id, 'refund', { amount: 200, webhooks: 'hold' })
  assert.deepEqual(arrived, [])
  await shop.settings({ webhooks: 'hold' })
  await shop.move(payment.id, 'refund', { amount: 300, webhooks: 'send' })
  assert.deepEqual(arrived, [{ type: 'refund', status: 'approved', origin: 'dashboard' }])
  await shop.flush()
  assert.equal(arrived.length, 2)
  const { webhooks } = await shop.ledger()
  assert.deepEqual(
    webhooks.map(({ delivered, lost = false }: { delivered: boolean; lost?: boolean }) => [delivered, lost]),
    [
      [false, true],
      [true, false],
      [true, false],
    ],
  )
})

test('what becomes later of an operation whose webhooks are lost is lost too', async () => {
  const shop = openShop(url)
  const payment = await shop.pay('refund_approved_later')
  const arrived = await listen(shop)
  const { operation } = (await shop.move(payment.id, 'refund', { webhooks: 'lose' })).json
  assert.equal(operation.status, 'pending')
  await shop.advance(60)
  assert.equal((await shop.get(operation.id)).status, 'approved')
  assert.deepEqual(arrived, [])
})

test('in an outage webhooks fail until it ends, and lost ones never come', async () => {
  const shop = openShop(url)
  const payment = await shop.pay('approved')
  const arrived = await listen(shop)
  await shop.settings({ webhooks: 'fail' })
  await shop.move(payment.id, 'refund', { amount: 100 })
  assert.deepEqual((await shop.ledger()).webhooks[0].attempts, 1)
  await shop.settings({ webhooks: 'lose' })
  await shop.refund(payment.id, { amount: 200 })
  await shop.settings({ webhooks: 'send' })
  await shop.advance(400)
  assert.deepEqual(arrived, [{ type: 'refund', status: 'approved', origin: 'dashboard' }])
  assert.deepEqual(
    (await shop.ledger()).webhooks.map(({ lost = false }: { lost?: boolean }) => lost),
    [false, true],
  )
})

test("a person moves a payment's money on its page, and sees why it cannot be moved", async () => {
  const shop = openShop(url)
  const payment = await shop.pay('approved', manual)
  const authorization = `Basic ${Buffer.from(`sandbox_${shop.account}:`).toString('base64')}`
  const page = async (path: string, form?: Record<string, string>, headers: Record<string, string> = { authorization }) => {
    const body = form && { method: 'POST', body: new URLSearchParams(form) }
    const answer = await fetch(`${url}${path}`, { headers, ...body })
    return { status: answer.status, html: await answer.text() }
  }
  assert.equal((await page('/dashboard', undefined, {})).status, 401)
  assert.match((await page('/dashboard')).html, new RegExp(`/dashboard/payments/${payment.id}`))
  const place = `/dashboard/payments/${payment.id}`
  assert.match((await page(place)).html, /<button>Capture<\/button>/)
  assert.match((await page(`${place}/move`, { move: 'capture', amount: '300', webhooks: '' })).html, /role="status">Done: capture/)
  assert.match((await page(`${place}/move`, { move: 'refund', amount: '301' })).html, /role="alert">amount 301 exceeds/)
  assert.equal((await charge(shop)).captured, 300)
  const foreign = { authorization, 'sec-fetch-site': 'cross-site' }
  assert.equal((await page(`${place}/move`, { move: 'void' }, foreign)).status, 400)
  assert.equal((await charge(shop)).status, 'partially_captured')
})

test('a payment is read as a whole, with what was moved at the dashboard', async () => {
  const shop = openShop(url)
  const payment = await shop.pay('approved', manual)
  await shop.capture(payment.id, { amount: 600, reference: `cap_${shop.account}` })
  await shop.move(payment.id, 'refund', { amount: 200, reason: 'damaged' })
  const { dispute } = (await shop.move(payment.id, 'dispute', { amount: 100 })).json
  const { json } = await shop.call('GET', `/v1/payments/${payment.id}`)
  const { operations, ...whole } = json
  assert.deepEqual(whole, {
    id: payment.id,
    object: 'payment',
    reference: payment.reference,
    currency: 'USD',
    status: 'partially_captured',
    ...{ authorized: 1000, captured: 600, refunded: 200, disputed: 100, held: 400, released: null },
    disputes: [dispute.id],
  })
  assert.deepEqual(
    operations.map(({ type, amount, origin, reason }: Record<string, unknown>) => [type, amount, origin, reason]),
    [
      ['authorization', 1000, undefined, undefined],
      ['capture', 600, undefined, undefined],
      ['refund', 200, 'dashboard', 'damaged'],
    ],
  )
  assert.deepEqual((await shop.call('GET', `/v1/payments/by-reference/${payment.reference}`)).json, json)
  await shop.move(payment.id, 'void')
  const { held, released } = (await shop.call('GET', `/fauxpay/v1/payments/${payment.id}`)).json
  assert.deepEqual([held, released], [0, 'voided'])
  assert.equal((await shop.call('GET', '/v1/payments/auth_never_made')).status, 404)
})

test('changes are listed by the time of the last change, page by page, each once', async () => {
  const shop = openShop(url)
  const payments = [await shop.pay('approved'), await shop.pay('declined'), await shop.pay('approved')]
  await shop.advance(60)
  const { now: since } = (await shop.advance(0)).json
  const refunds = []
  for (const amount of [1, 2, 3]) refunds.push((await shop.move(payments[0].id, 'refund', { amount })).json.operation)
  await shop.move(payments[2].id, 'dispute')
  await shop.advance(60)
  const { now: until } = (await shop.advance(0)).json
  const seen: unknown[] = []
  let cursor: string | null = null
  do {
    const query = new URLSearchParams({ since, until, limit: '2', ...(cursor !== null && { cursor }) })
    const { data, next } = (await shop.call('GET', `/v1/changes?${query}`)).json
    assert.ok(data.length <= 2)
    for (const one of data) seen.push(one.operation?.id ?? one.type)
    cursor = next
  } while (cursor !== null)
  assert.deepEqual(seen.toSorted(), [...refunds.map(({ id }) => id), 'dispute.updated'].toSorted())
  const before = (await shop.call('GET', `/v1/changes?since=${since}&until=${since}`)).json
  assert.deepEqual(before, { object: 'list', data: [], next: null })
  assert.equal((await shop.call('GET', '/v1/changes?since=yesterday&until=now')).status, 400)
})

test('a refund that came back is returned to callers, in look-ups too', async () => {
  const shop = openShop(url)
  const payment = await shop.pay('approved')
  const { json } = await shop.refund(payment.id, { amount: 100 })
  await shop.move(payment.id, 'refund_failed')
  assert.equal((await shop.get(json.id)).status, 'returned')
})
