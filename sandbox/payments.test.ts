import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newReference, openShop, openTestSandbox } from './test-shop.ts'

const { url } = await openTestSandbox()
const shop = openShop(url)
const manual = { capture: 'manual', amount: 1000 }

test('an approved payment is captured at once and is one charge', async () => {
  const shop = openShop(url)
  const reference = newReference('pay')
  const payment = await shop.pay('approved', { reference })
  assert.equal(payment.status, 'approved')
  assert.equal(payment.payment, payment.id)
  assert.match(payment.network_transaction_id, /^[0-9A-Z]{15}$/)
  assert.match(payment.authorization_code, /^[0-9A-Z]{6}$/)
  assert.deepEqual([payment.eci, payment.avs_result, payment.cvc_result, payment.hold_expires_at], ['07', null, 'M', null])
  assert.deepEqual(payment.payment_state, { status: 'captured', authorized: 1250, captured: 1250, refunded: 0 })
  assert.deepEqual(await shop.charges(), [
    { payment: payment.id, reference, amount: 1250, currency: 'USD', captured: 1250, refunded: 0, status: 'captured' },
  ])
})

test('an authorization is captured in parts until the full amount is captured', async () => {
  const payment = await shop.pay('approved', manual)
  assert.equal(payment.payment_state.status, 'authorized')
  const week = Date.parse(payment.hold_expires_at) - Date.parse(payment.created_at)
  assert.equal(week, 7 * 24 * 3600 * 1000)

  const first = await shop.capture(payment.id, { amount: 300 })
  assert.deepEqual(first.json.payment_state, { status: 'partially_captured', authorized: 1000, captured: 300, refunded: 0 })
  assert.match(first.json.arn, /^\d{23}$/)
  assert.equal((await shop.capture(payment.id, { amount: 701 })).json.error.code, 'not_allowed')
  const second = await shop.capture(payment.id, { amount: 700 })
  assert.deepEqual(second.json.payment_state, { status: 'captured', authorized: 1000, captured: 1000, refunded: 0 })
  assert.equal((await shop.capture(payment.id, { amount: 1 })).status, 422)
})

test('a final capture releases the rest of the authorization', async () => {
  const payment = await shop.pay('approved', manual)
  const capture = await shop.capture(payment.id, { amount: 400, final: true })
  assert.deepEqual(capture.json.payment_state, { status: 'captured', authorized: 1000, captured: 400, refunded: 0 })
  assert.equal(capture.json.hold_expires_at, null)
  assert.equal((await shop.capture(payment.id, { amount: 1 })).status, 422)
  assert.equal((await shop.void(payment.id)).status, 422)
})

test('an authorization can be voided, and then cannot be captured', async () => {
  const payment = await shop.pay('approved', manual)
  const voided = await shop.void(payment.id)
  assert.deepEqual([voided.json.status, voided.json.amount, voided.json.payment_state.status], ['approved', 1000, 'voided'])
  assert.equal((await shop.capture(payment.id, { amount: 1 })).status, 422)
  assert.equal((await shop.void(payment.id)).status, 422)
})

test('a void after a partial capture keeps what was captured and releases the rest', async () => {
  const payment = await shop.pay('approved', manual)
  await shop.capture(payment.id, { amount: 400 })
  const voided = await shop.void(payment.id)
  assert.equal(voided.json.amount, 600)
  assert.deepEqual(voided.json.payment_state, { status: 'captured', authorized: 1000, captured: 400, refunded: 0 })
  assert.equal((await shop.capture(payment.id, { amount: 1 })).status, 422)
  assert.equal((await shop.refund(payment.id, { amount: 400 })).json.status, 'approved')
})

test('an authorization with a lost response can be voided by its reference', async () => {
  const reference = newReference('pay')
  await shop.pay('approved', { ...manual, reference })
  assert.equal((await shop.voidByReference(reference)).json.payment_state.status, 'voided')
  assert.equal((await shop.voidByReference('never_sent')).status, 404)
})

test('refunds never exceed the captured amount', async () => {
  const payment = await shop.pay('approved')
  assert.equal((await shop.refund(payment.id, { amount: 1251 })).status, 422)
  const refund = await shop.refund(payment.id, { amount: 1000, reason: 'too large' })
  assert.deepEqual(refund.json.payment_state, { status: 'captured', authorized: 1250, captured: 1250, refunded: 1000 })
  assert.equal((await shop.refund(payment.id, { amount: 251 })).json.error.code, 'not_allowed')
  assert.equal((await shop.refund(payment.id, { amount: 250 })).json.status, 'approved')
  assert.equal((await shop.refund(payment.id, { amount: 1 })).status, 422)
})

test('exactly five of ten simultaneous refunds of a fifth each are approved', async () => {
  const payment = await shop.pay('approved', { amount: 1000 })
  const refunds = await Promise.all(Array.from({ length: 10 }, () => shop.refund(payment.id, { amount: 200 })))
  assert.equal(refunds.filter(refund => refund.status === 200).length, 5)
})

test('a pending refund reserves its amount until it fails', async () => {
  const payment = await shop.pay('refund_fails_later')
  const refund = await shop.refund(payment.id, { amount: 1000 })
  assert.deepEqual([refund.json.status, refund.json.payment_state.refunded], ['pending', 0])
  assert.equal((await shop.refund(payment.id, { amount: 300 })).status, 422)
  await shop.advance(59)
  assert.equal((await shop.get(refund.json.id)).status, 'pending')
  await shop.advance(1)
  const failed = await shop.get(refund.json.id)
  assert.deepEqual([failed.status, failed.decline.code, failed.payment_state.refunded], ['declined', 'refund_failed', 0])
  assert.equal((await shop.refund(payment.id, { amount: 1250 })).json.status, 'pending')
})

test('a pending refund that is approved after a minute is refunded', async () => {
  const payment = await shop.pay('refund_approved_later')
  const refund = await shop.refund(payment.id, { amount: 1250 })
  await shop.advance(60)
  const approved = await shop.get(refund.json.id)
  assert.deepEqual([approved.status, approved.payment_state.refunded], ['approved', 1250])
  assert.match(approved.arn, /^\d{23}$/)
})

test('a pending payment is approved or declined after a minute', async () => {
  const good = await shop.pay('approved_later')
  const bad = await shop.pay('declined_later')
  assert.deepEqual([good.status, bad.status, good.payment_state.status], ['pending', 'pending', 'pending'])
  await shop.advance(60)
  assert.equal((await shop.get(good.id)).payment_state.captured, 1250)
  assert.equal((await shop.get(bad.id)).decline.code, 'card_declined')
})

test('a pending payment that is voided is never charged', async () => {
  const payment = await shop.pay('approved_later')
  assert.equal((await shop.void(payment.id)).json.payment_state.status, 'voided')
  await shop.advance(120)
  const authorization = await shop.get(payment.id)
  assert.deepEqual([authorization.status, authorization.decline.code], ['declined', 'voided'])
})

test('a pending capture reserves its amount and succeeds after a minute', async () => {
  const payment = await shop.pay('capture_approved_later', manual)
  const capture = await shop.capture(payment.id, { amount: 600, final: true })
  assert.equal(capture.json.status, 'pending')
  assert.equal((await shop.capture(payment.id, { amount: 100 })).status, 422)
  assert.equal((await shop.void(payment.id)).status, 422)
  await shop.advance(60)
  const landed = await shop.get(capture.json.id)
  assert.deepEqual(landed.payment_state, { status: 'captured', authorized: 1000, captured: 600, refunded: 0 })
})

test('test cards decline the capture, the void or the refund, and no money moves', async () => {
  const held = await shop.pay('capture_declined', manual)
  const capture = await shop.capture(held.id, { amount: 1000 })
  assert.deepEqual([capture.json.decline.code, capture.json.payment_state.status], ['capture_declined', 'authorized'])
  const stuck = await shop.pay('void_declined', manual)
  assert.equal((await shop.void(stuck.id)).json.decline.code, 'void_declined')
  assert.equal((await shop.capture(stuck.id, { amount: 1000 })).json.status, 'approved')
  const kept = await shop.pay('refund_declined')
  const refund = await shop.refund(kept.id, { amount: 1250 })
  assert.deepEqual([refund.json.decline.code, refund.json.payment_state.refunded], ['refund_declined', 0])
})

test('an authorization expires after seven days, or when a test expires it', async () => {
  const shop = openShop(url)
  const long = await shop.pay('approved', manual)
  await shop.advance(7 * 24 * 3600)
  const lapsed = await shop.get(long.id)
  assert.deepEqual([lapsed.payment_state.status, lapsed.hold_expires_at], ['expired', null])
  const short = await shop.pay('approved', manual)
  assert.equal((await shop.expire(short.id)).json.payment_state.status, 'expired')
  assert.equal((await shop.capture(short.id, { amount: 1 })).status, 422)
  assert.equal((await shop.expire(short.id)).status, 422)
})

test('a test can decide a pending payment at once, and only once', async () => {
  const payment = await shop.pay('declined_later')
  assert.equal((await shop.decide(payment.id, 'approved')).json.status, 'approved')
  assert.equal((await shop.decide(payment.id, 'declined')).status, 422)
  await shop.advance(60)
  assert.equal((await shop.get(payment.id)).status, 'approved')
})

test('two accounts are isolated, even with the same reference and idempotency key', async () => {
  const [one, other] = [openShop(url), openShop(url)]
  const reference = newReference('pay')
  const first = await one.send('approved', { reference }, { key: 'same' })
  const second = await other.send('approved', { reference }, { key: 'same' })
  assert.equal(second.headers.get('idempotent-replayed'), null)
  assert.notEqual(first.json.id, second.json.id)
  assert.equal((await other.call('GET', `/v1/operations/${first.json.id}`)).status, 404)
  assert.equal((await other.refund(first.json.id, { amount: 1 })).status, 404)
  await one.advance(3600)
  assert.equal((await one.charges()).length, 1)
  assert.equal((await other.charges()).length, 1)
})

test('a deleted account has no charges, and its references can be used again', async () => {
  const shop = openShop(url)
  const reference = newReference('pay')
  await shop.pay('approved', { reference }, { key: 'k' })
  await shop.call('DELETE', '/control/ledger')
  assert.deepEqual(await shop.ledger(), { operations: [], charges: [], payouts: [], disputes: [], webhooks: [] })
  assert.equal((await shop.send('approved', { reference }, { key: 'k' })).headers.get('idempotent-replayed'), null)
})

test('every distinct API key opens an account of its own', async () => {
  const name = newReference('shop')
  const keys = [name, `sandbox_${name}`, `Sandbox_${name}`, `SANDBOX_${name}`, `sandbox_${name}.`, `sandbox_${'x'.repeat(65)}${name}`]
  keys.push(`sandbox_~${name}`, `sandbox_sandbox_${name}`, `sk_test_${name}`, `test key ${name}`, `${name.toUpperCase()}`)
  const reference = newReference('pay')
  for (const key of keys) {
    const shop = openShop(url, { key })
    assert.deepEqual(await shop.charges(), [], key)
    await shop.pay('approved', { reference })
    assert.equal((await shop.charges()).length, 1, key)
  }
  assert.equal((await openShop(url, name).charges()).length, 1)
})

test('an API key that contains the word invalid is refused with 401 for every request', async () => {
  for (const key of ['invalid', 'sk_test_invalid_1', 'sandbox_invalid', 'SK_INVALID']) {
    const shop = openShop(url, { key })
    for (const response of [
      await shop.send('approved'),
      await shop.find('r'),
      await shop.settings({}),
      await shop.call('GET', '/control/ledger'),
    ])
      assert.deepEqual([response.status, response.json.error.code], [401, 'unauthorized'])
  }
})

test('a payment without an API key is refused with 401', async () => {
  for (const authorization of ['', 'Bearer', 'Bearer ', 'sandbox_shop', 'Basic c2FuZGJveDo=']) {
    const answer = await fetch(`${url}/v1/payments`, { method: 'POST', headers: { authorization }, body: '{' })
    assert.equal(answer.status, 401)
    const { error } = (await answer.json()) as { error: { code: string } }
    assert.equal(error.code, 'unauthorized')
  }
})

const refused: [string, object][] = [
  ['reference', { reference: 'with space' }],
  ['amount', { amount: 12.5 }],
  ['amount', { amount: -1 }],
  ['amount', { amount: '100' }],
  ['currency', { currency: 'usd' }],
  ['capture', { capture: 'later' }],
  ['three_ds', { three_ds: undefined }],
  ['return_url', { return_url: 'javascript:alert(1)' }],
  ['merchant', { merchant: '' }],
  ['card', { card: undefined }],
  ['card.exp_month', { card: { number: '4111111111111111', exp_month: 13, exp_year: 2090 } }],
  ['card.cvc', { card: { number: '4111111111111111', exp_month: '03', exp_year: '90', cvc: '12' } }],
]
for (const [param, wrong] of refused) {
  test(`a payment with a wrong ${param} ${JSON.stringify(wrong)} is refused by name`, async () => {
    const response = await shop.send('approved', wrong)
    assert.deepEqual([response.status, response.json.error.code, response.json.error.param], [400, 'invalid_request', param])
  })
}

test('a card is stored and charged by its mandate without the shopper, never with a challenge', async () => {
  const shop = openShop(url)
  const kept = await shop.pay('challenge', { three_ds: 'request', store: 'off_session' })
  assert.equal(kept.mandate, undefined)
  const paid = await shop.pay('approved', { store: 'off_session' })
  assert.equal(paid.mandate, paid.id.replace('auth_', 'mdt_'))
  const merchant = { card: undefined, initiator: 'merchant' }
  const again = await shop.pay('approved', { ...merchant, mandate: paid.mandate, amount: 300 })
  assert.deepEqual([again.status, again.amount, again.cvc_result], ['approved', 300, 'P'])
  const known = await shop.pay('challenge', { initiator: 'merchant', network_transaction_id: 'MCC123456789012', three_ds: 'request' })
  assert.equal(known.status, 'approved')
  assert.deepEqual(
    (await shop.charges()).map((one: { by?: string }) => one.by),
    [undefined, 'mandate', 'network_transaction_id'],
  )
})
