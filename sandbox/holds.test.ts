import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newReference, openShop, openTestSandbox } from './test-shop.ts'

/** What is done to holds and captures afterwards. */

const { url } = await openTestSandbox()
const shop = openShop(url)
const manual = { capture: 'manual', amount: 1000 }
const act = (payment: string, what: 'increment' | 'extend' | 'reverse', asked: object = {}, key?: string) =>
  shop.call('POST', `/v1/payments/${payment}/${what}`, { reference: newReference(what), ...asked }, key === undefined ? {} : { key })

test('an authorization is incremented to a new total, once per idempotency key, and can be captured in full', async () => {
  const payment = await shop.pay('approved', manual)
  const asked = { reference: newReference('inc'), amount: 1500 }
  const raised = await act(payment.id, 'increment', asked, asked.reference)
  assert.deepEqual([raised.json.type, raised.json.status, raised.json.amount], ['increment', 'approved', 1500])
  assert.deepEqual((await act(payment.id, 'increment', asked, asked.reference)).json, raised.json)
  assert.equal((await shop.get(payment.id)).payment_state.authorized, 1500)
  for (const amount of [1500, 900]) assert.equal((await act(payment.id, 'increment', { amount })).json.error.code, 'not_allowed')
  await shop.fault('increment', 'decline')
  assert.equal((await act(payment.id, 'increment', { amount: 2000 })).json.decline.code, 'increment_declined')
  assert.equal((await shop.capture(payment.id, { amount: 1500 })).json.payment_state.captured, 1500)
  assert.equal((await act(payment.id, 'increment', { amount: 3000 })).status, 422)
})

test('an extended authorization expires a week after the extension', async () => {
  const payment = await shop.pay('approved', manual)
  await shop.advance(6 * 86_400)
  const extended = await act(payment.id, 'extend')
  assert.deepEqual([extended.json.type, extended.json.amount], ['extension', 1000])
  await shop.advance(6 * 86_400)
  assert.equal((await shop.get(payment.id)).payment_state.status, 'authorized')
  await shop.advance(2 * 86_400)
  assert.equal((await shop.get(payment.id)).payment_state.status, 'expired')
  assert.equal((await act(payment.id, 'extend')).json.error.code, 'not_allowed')
})

test('a reversal refunds everything captured and releases the rest; it is refused after a partial refund', async () => {
  const paid = await shop.pay('approved')
  const reversed = await act(paid.id, 'reverse')
  assert.deepEqual([reversed.json.type, reversed.json.amount, reversed.json.payment_state.refunded], ['reversal', 1250, 1250])
  for (const again of [await act(paid.id, 'reverse'), await shop.refund(paid.id, { amount: 1 })])
    assert.equal(again.json.error.code, 'not_allowed')
  const part = await shop.pay('approved', manual)
  assert.equal((await act(part.id, 'reverse')).status, 422, 'nothing was captured')
  await shop.capture(part.id, { amount: 300 })
  assert.deepEqual((await act(part.id, 'reverse')).json.payment_state, {
    status: 'captured',
    authorized: 1000,
    captured: 300,
    refunded: 300,
  })
  assert.equal((await shop.capture(part.id, { amount: 100 })).status, 422)
  const refunded = await shop.pay('approved')
  await shop.refund(refunded.id, { amount: 500 })
  assert.equal((await act(refunded.id, 'reverse')).status, 422)
})

test('up to a fifth more than the authorized amount can be captured when overcapture was requested', async () => {
  const tip = await shop.pay('approved', { ...manual, overcapture: true })
  assert.equal(tip.max_capturable, 1200)
  assert.equal((await shop.capture(tip.id, { amount: 1201, final: true })).status, 422)
  assert.equal((await shop.capture(tip.id, { amount: 1200, final: true })).json.payment_state.captured, 1200)
  const plain = await shop.pay('approved', manual)
  assert.equal((await shop.capture(plain.id, { amount: 1001 })).status, 422)
})
