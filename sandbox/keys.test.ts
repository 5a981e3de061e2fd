import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newReference, openShop, openTestSandbox, type Shop } from './test-shop.ts'

const { url } = await openTestSandbox()

async function sendsOf(shop: Shop, reference: string): Promise<number[]> {
  const { operations } = await shop.ledger()
  return operations
    .filter((operation: { reference: string }) => operation.reference === reference)
    .map((operation: { sends: number }) => operation.sends)
}

test('a payment sent twice with one idempotency key is charged once and gets the same response', async () => {
  const shop = openShop(url)
  const reference = newReference('pay')
  const first = await shop.send('approved', { reference }, { key: 'k1' })
  const second = await shop.send('approved', { reference }, { key: 'k1' })
  assert.equal(first.headers.get('idempotent-replayed'), null)
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(second.json, first.json)
  assert.equal((await shop.charges()).length, 1)
  assert.deepEqual(await sendsOf(shop, reference), [2])
})

test('an idempotency key reused for another payment is refused', async () => {
  const shop = openShop(url)
  const reference = newReference('pay')
  await shop.pay('approved', { reference }, { key: 'k1' })
  const response = await shop.send('approved', { reference, amount: 99 }, { key: 'k1' })
  assert.deepEqual([response.status, response.json.error.code], [409, 'idempotency_mismatch'])
  const refund = await shop.refund((await shop.find(reference)).json.id, { amount: 1 }, { key: 'k1' })
  assert.equal(refund.json.error.code, 'idempotency_mismatch')
  assert.equal((await shop.charges()).length, 1)
})

test('a reference reused with another idempotency key, or without one, is refused', async () => {
  const shop = openShop(url)
  const reference = newReference('pay')
  await shop.pay('approved', { reference }, { key: 'k1' })
  for (const extra of [{ key: 'k2' }, {}]) {
    const response = await shop.send('approved', { reference }, extra)
    assert.deepEqual([response.status, response.json.error.code], [409, 'duplicate_reference'])
  }
  assert.equal((await shop.charges()).length, 1)
  assert.deepEqual(await sendsOf(shop, reference), [3])
})

test('fifty simultaneous requests with one idempotency key are one charge', async () => {
  const shop = openShop(url)
  const reference = newReference('pay')
  const answers = await Promise.all(Array.from({ length: 50 }, () => shop.send('approved', { reference }, { key: 'k' })))
  assert.equal(new Set(answers.map(answer => answer.json.id)).size, 1)
  assert.equal(answers.filter(answer => answer.headers.get('idempotent-replayed') === 'true').length, 49)
  assert.equal((await shop.charges()).length, 1)
  assert.deepEqual(await sendsOf(shop, reference), [50])
})

test('captures, voids and refunds with one idempotency key are executed once', async () => {
  const shop = openShop(url)
  const hold = await shop.pay('approved', { capture: 'manual' })
  const [capture, refund, voided] = [newReference('cap'), newReference('ref'), newReference('void')]
  for (const _ of [1, 2]) assert.equal((await shop.capture(hold.id, { reference: capture, amount: 500 }, { key: 'c' })).status, 200)
  for (const _ of [1, 2]) assert.equal((await shop.refund(hold.id, { reference: refund, amount: 300 }, { key: 'r' })).status, 200)
  for (const _ of [1, 2]) assert.equal((await shop.void(hold.id, { reference: voided }, { key: 'v' })).status, 200)
  const [charge] = await shop.charges()
  assert.deepEqual([charge.captured, charge.refunded, charge.status], [500, 300, 'captured'])
})

test('a refused void is not stored under its idempotency key, and can be sent again', async () => {
  const shop = openShop(url)
  const hold = await shop.pay('capture_approved_later', { capture: 'manual' })
  const reference = newReference('void')
  const capture = await shop.capture(hold.id, { amount: 100 })
  assert.equal((await shop.void(hold.id, { reference }, { key: 'v' })).status, 422)
  await shop.decide(capture.json.id, 'declined')
  assert.equal((await shop.void(hold.id, { reference }, { key: 'v' })).json.status, 'approved')
})

test('a payment is found by its reference, and an unknown reference is not found', async () => {
  const shop = openShop(url)
  const reference = newReference('pay')
  const payment = await shop.pay('approved', { reference })
  assert.deepEqual((await shop.find(reference)).json, payment)
  const nothing = await shop.find('never_sent')
  assert.deepEqual([nothing.status, nothing.json.error.code], [404, 'not_found'])
})
