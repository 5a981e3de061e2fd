import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { type CardName, cards } from './cards.ts'
import { context, newReference, openShop, openTestSandbox, type Shop, type ShopResponse } from './test-shop.ts'

const { url } = await openTestSandbox()

/**
 * What a caller saw: an answer, an end of the connection, or nothing for as long as it had patience: until the
 * sandbox itself says that it keeps the call waiting.
 */
async function saw(
  shop: Shop,
  send: (signal: AbortSignal) => Promise<ShopResponse>,
): Promise<{ answer: ShopResponse | null; silence: 'cut' | 'hung' | null }> {
  const before = await shop.waiting()
  const patience = new AbortController()
  const over = shop.kept(before, patience.signal).then(() => patience.abort())
  try {
    return { answer: await send(patience.signal), silence: null }
  } catch (error) {
    return { answer: null, silence: (error as Error).name === 'AbortError' ? 'hung' : 'cut' }
  } finally {
    patience.abort()
    await over
  }
}

type Seen = { silence?: 'cut' | 'hung'; status?: number; holds?: (answer: ShopResponse) => void }
const seen: [CardName, 'charged' | 'not charged', Seen][] = [
  ['hangs', 'not charged', { silence: 'hung' }],
  ['charges_then_hangs', 'charged', { silence: 'hung' }],
  ['resets', 'not charged', { silence: 'cut' }],
  ['charges_then_resets', 'charged', { silence: 'cut' }],
  ['says_500', 'not charged', { status: 500, holds: response => assert.equal(response.json.error.code, 'internal_error') }],
  ['charges_then_500', 'charged', { status: 500, holds: response => assert.equal(response.json.error.code, 'internal_error') }],
  ['says_html', 'not charged', { status: 503, holds: response => assert.match(response.text, /^<!doctype html>/) }],
  ['charges_then_html', 'charged', { status: 200, holds: response => assert.match(response.text, /^<!doctype html>/) }],
  ['charges_then_truncates', 'charged', { status: 200, holds: response => assert.equal(response.json, undefined) }],
  ['charges_then_drips', 'charged', { silence: 'hung' }],
  ['charges_then_empty', 'charged', { status: 200, holds: response => assert.equal(response.text, '{}') }],
]
for (const [card, money, { silence = null, status, holds }] of seen) {
  test(`the test card ${card}: the shopper is ${money}, also when the request is sent again`, async () => {
    const shop = openShop(url)
    const reference = newReference('pay')
    for (const _ of [1, 2]) {
      const outcome = await saw(shop, signal => shop.send(card, { reference }, { key: 'k', signal }))
      assert.equal(outcome.silence, silence)
      assert.equal(outcome.answer?.status, status)
      if (holds) holds(outcome.answer!)
    }
    assert.equal((await shop.charges()).length, money === 'charged' ? 1 : 0)
    assert.equal((await shop.find(reference)).status, money === 'charged' ? 200 : 404)
    assert.equal((await shop.voidByReference(reference)).status, money === 'charged' ? 422 : 404)
  })
}

test('a slow card is approved after a second', async () => {
  const shop = openShop(url)
  const paying = shop.pay('slow')
  assert.equal(Date.parse((await shop.kept())!.until) - context.now(), 1000)
  context.pass(999)
  assert.deepEqual(await shop.charges(), [])
  context.pass(1)
  assert.equal((await shop.charges()).length, 1)
  assert.equal((await paying).status, 'approved')
  assert.deepEqual(await shop.waiting(), [])
})

test('a hanging response is cut off after a minute, and a dripping one is complete in the end', async () => {
  const shop = openShop(url)
  const hanging = saw(shop, () => shop.send('charges_then_hangs'))
  await shop.kept()
  await shop.advance(59)
  assert.equal((await shop.waiting()).length, 1)
  await shop.advance(1)
  assert.equal((await hanging).silence, 'cut')
  const dripping = shop.send('charges_then_drips')
  const { until } = (await shop.kept())!
  const [, charge] = (await shop.ledger()).operations
  await shop.advance(Math.ceil((Date.parse(until) - Date.parse(charge.created_at)) / 1000))
  assert.deepEqual((await dripping).json, await shop.get(charge.id))
})

test('a test can cut the connection of a waiting request, and the request is still executed at its time', async () => {
  const shop = openShop(url)
  const reference = newReference('pay')
  await shop.fault('authorize', 'latency', { ms: 600_000 })
  const asking = saw(shop, () => shop.send('approved', { reference }, { key: 'k' }))
  const kept = (await shop.kept())!
  assert.deepEqual([kept.call, kept.path, kept.idempotency_key], ['authorize', '/v1/payments', 'k'])
  assert.equal((await openShop(url).hangUp(kept.id)).status, 404)
  assert.equal((await shop.hangUp(kept.id)).status, 200)
  assert.equal((await asking).silence, 'cut')
  assert.deepEqual([await shop.waiting(), await shop.charges()], [[], []])
  await shop.advance(600)
  assert.equal((await shop.charges()).length, 1)
})

test('deleting the ledger of an account also drops its requests in progress', async () => {
  const shop = openShop(url)
  await shop.fault('authorize', 'latency', { ms: 1000 })
  const asking = saw(shop, () => shop.send('approved'))
  await shop.kept()
  await shop.call('DELETE', '/control/ledger')
  assert.equal((await asking).silence, 'cut')
  await shop.advance(10)
  assert.deepEqual(await shop.charges(), [])
})

test('a dripping response starts at once, with a content length that it reaches slowly', async () => {
  const first = await new Promise<{ length: number; bytes: string }>((resolve, reject) => {
    const body = JSON.stringify({
      reference: newReference('pay'),
      amount: 100,
      currency: 'USD',
      capture: 'automatic',
      card: { number: cards.charges_then_drips.numbers[0], exp_month: 1, exp_year: 2090 },
      three_ds: 'skip',
    })
    const sent = request(`${url}/v1/payments`, { method: 'POST', headers: { authorization: 'Bearer sandbox_drip' } }, answer => {
      answer.once('data', (bytes: Buffer) => {
        resolve({ length: Number(answer.headers['content-length']), bytes: bytes.toString() })
        answer.destroy()
      })
    })
    sent.once('error', reject).end(body)
  })
  assert.equal(first.bytes, '{')
  assert.ok(first.length > 400)
})

test('a test card without idempotency is charged for every request', async () => {
  const shop = openShop(url)
  const reference = newReference('pay')
  const first = await shop.pay('charges_every_time', { reference }, { key: 'k' })
  const second = await shop.pay('charges_every_time', { reference }, { key: 'k' })
  assert.notEqual(first.id, second.id)
  assert.equal((await shop.charges()).length, 2)
  assert.equal((await shop.find(reference)).json.id, first.id)
})

test('a huge response has eight megabytes, and the payment is charged', async () => {
  const shop = openShop(url)
  const response = await shop.send('charges_then_huge')
  assert.ok(response.text.length > 8_000_000)
  assert.equal(response.json.status, 'approved')
  assert.equal((await shop.charges()).length, 1)
})

const calls = ['capture', 'void', 'refund'] as const
for (const call of calls) {
  test(`a fault injected into a ${call} affects the next request and is then used up`, async () => {
    const shop = openShop(url)
    const payment = await shop.pay('approved', { capture: call === 'refund' ? 'automatic' : 'manual' })
    const asked = call === 'void' ? {} : { amount: 1250 }
    const reference = newReference('op')
    const send = (signal?: AbortSignal) => shop[call](payment.id, { ...asked, reference }, { key: 'k', ...(signal && { signal }) })

    await shop.fault(call, 'reset_before')
    await shop.fault(call, 'hang_before')
    await shop.fault(call, '500_after')
    await shop.fault(call, 'truncate_after')
    assert.equal((await saw(shop, send)).silence, 'cut')
    assert.equal((await saw(shop, send)).silence, 'hung')
    assert.equal((await shop.find(reference)).status, 404)
    assert.equal((await send()).status, 500)
    assert.equal((await shop.find(reference)).json.status, 'approved')
    assert.equal((await send()).json, undefined)
    const last = await send()
    assert.equal(last.headers.get('idempotent-replayed'), 'true')
    const { operations } = await shop.ledger()
    assert.deepEqual([operations.length, operations[1].sends], [2, 5])
  })
}

test('an injected fault happens the requested number of times, overrides the test card, and can be removed', async () => {
  const shop = openShop(url)
  await shop.fault('authorize', 'decline', { times: 2 })
  assert.equal((await shop.pay('charges_then_500')).decline.code, 'card_declined')
  assert.equal((await shop.pay('approved')).decline.code, 'card_declined')
  assert.equal((await shop.pay('approved')).status, 'approved')
  await shop.fault('authorize', 'empty_after', { times: 5 })
  await shop.call('DELETE', '/control/faults')
  assert.equal((await shop.pay('approved')).status, 'approved')
})

test('an injected decline of a capture, void or refund returns its decline code', async () => {
  const shop = openShop(url)
  const hold = await shop.pay('approved', { capture: 'manual' })
  for (const call of calls) await shop.fault(call, 'decline')
  assert.equal((await shop.capture(hold.id, { amount: 1250 })).json.decline.code, 'capture_declined')
  assert.equal((await shop.void(hold.id)).json.decline.code, 'void_declined')
  await shop.capture(hold.id, { amount: 1250 })
  assert.equal((await shop.refund(hold.id, { amount: 1250 })).json.decline.code, 'refund_declined')
})

test('an injected idempotency failure refunds twice', async () => {
  const shop = openShop(url)
  const payment = await shop.pay('approved')
  const reference = newReference('ref')
  await shop.refund(payment.id, { reference, amount: 100 }, { key: 'r' })
  await shop.fault('refund', 'ignore_idempotency')
  await shop.refund(payment.id, { reference, amount: 100 }, { key: 'r' })
  assert.equal((await shop.charges())[0].refunded, 200)
})

test('a lookup can fail or be slow by an injected fault; an unknown fault is refused', async () => {
  const shop = openShop(url)
  const reference = newReference('pay')
  await shop.pay('approved', { reference })
  await shop.fault('lookup', '500_before')
  await shop.fault('lookup', 'html_after')
  await shop.fault('lookup', 'latency', { ms: 2000 })
  assert.equal((await shop.find(reference)).status, 500)
  assert.match((await shop.find(reference)).text, /^<!doctype/)
  const looking = shop.find(reference)
  await shop.kept()
  await shop.advance(1)
  assert.equal((await shop.waiting()).length, 1)
  await shop.advance(1)
  assert.equal((await looking).status, 200)
  assert.equal((await shop.fault('lookup', 'decline')).status, 400)
  assert.equal((await shop.fault('lookup', 'explode')).json.error.param, 'fault')
})

test('closing the sandbox does not wait for hanging requests', async () => {
  const { url, close } = await openTestSandbox()
  const shop = openShop(url)
  const hanging = shop.send('hangs').catch(() => 'cut')
  await shop.kept()
  // Its minute never passes here: if closing waited for it, this would not end.
  await close()
  assert.equal(await hanging, 'cut')
})
