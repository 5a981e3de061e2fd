import { deepEqual, equal, ok } from 'node:assert/strict'
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { compactDecrypt } from 'jose'
import { areTheSame, isRefused } from '../../../test/refused.ts'
import { ADMIN_KEY, type Body, cards, http, openShop } from '../../../test/shop.ts'

const pem = <T extends 'spki' | 'pkcs8'>(type: T) => ({ type, format: 'pem' as const })

test('a retrieved payment equals the response that created it', async () => {
  const shop = await openShop()
  for (const payment of [await shop.pay(), await shop.hold(), await shop.create(), await shop.pay({ card: cards.declines })])
    deepEqual(await shop.get(payment.payment_id), payment)
})

test('metadata is returned as it was sent, in the same order', async () => {
  const shop = await openShop()
  const metadata = { zeta: 1, a: null, order: { b: [], a: '' }, '10': 'ten', alpha: 'last' }
  const { payment_id } = await shop.pay({ metadata })
  equal(JSON.stringify((await shop.get(payment_id)).metadata), JSON.stringify(metadata))
})

test('retrieving does not poll the processor; force_sync does, and finds a charge with a lost response', async () => {
  const shop = await openShop()
  const payment = await shop.pay({ card: cards.chargesAndResets })
  equal(payment.status, 'processing')
  equal((await shop.get(payment.payment_id)).status, 'processing')
  const found = await shop.sync(payment.payment_id)
  deepEqual([found.status, found.amount_received], ['succeeded', 1250])
  equal((await shop.processor.charges()).length, 1)
})

test('force_sync leaves a payment processing while its request may still be in flight', async () => {
  const shop = await openShop()
  const payment = await shop.pay({ card: cards.resets })
  for (let i = 0; i < 3; i++) equal((await shop.sync(payment.payment_id)).status, 'processing')
  await shop.wait('2 minutes')
  deepEqual([(await shop.get(payment.payment_id)).status, (await shop.sync(payment.payment_id)).status], ['failed', 'failed'])
})

test('a failed poll changes nothing', async () => {
  const shop = await openShop()
  const payment = await shop.pay({ card: cards.chargesAndResets })
  for (const fault of ['500_before', 'html_before', 'reset_before', 'truncate_after', 'empty_after']) {
    await shop.processor.fault('lookup', fault)
    equal((await shop.sync(payment.payment_id)).status, 'processing', fault)
  }
  equal((await shop.sync(payment.payment_id)).status, 'succeeded')
})

test('a payment that the processor decides later is updated by force_sync and by scheduled polls', async () => {
  const shop = await openShop()
  const yes = await shop.pay({ card: cards.approvesLater })
  const no = await shop.pay({ card: cards.declinesLater })
  const asked = await shop.pay({ card: cards.approvesLater })
  deepEqual([yes.status, no.status, (await shop.sync(asked.payment_id)).status], ['processing', 'processing', 'processing'])
  await shop.processor.advance(61)
  equal((await shop.sync(asked.payment_id)).status, 'succeeded')
  await shop.wait('2 minutes')
  equal((await shop.get(yes.payment_id)).status, 'succeeded')
  const failed = await shop.get(no.payment_id)
  deepEqual([failed.status, failed.error_code], ['failed', 'card_declined'])
  equal((await shop.processor.charges()).length, 2)
})

test('force_sync of a settled payment neither polls the processor nor changes the payment', async () => {
  const shop = await openShop()
  const payment = await shop.pay()
  await shop.processor.fault('lookup', 'reset_before', { times: 100 })
  deepEqual(await shop.sync(payment.payment_id), payment)
})

test('attempts and captures are included on request', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.hold({ amount: 1000, capture_method: 'manual_multiple' })
  await shop.capture(payment_id, 250)
  const plain = await shop.get(payment_id)
  deepEqual([plain.attempts, plain.captures, plain.refunds], [null, null, null])
  const { attempts, captures } = await shop.get(payment_id, '?expand_attempts=true&expand_captures=true')
  deepEqual(
    attempts.map((one: Body) => [one.attempt_id, one.status, one.amount, one.connector]),
    [[`${payment_id}_1`, 'partial_charged_and_chargeable', 1000, 'phonypay']],
  )
  deepEqual(
    captures.map((one: Body) => [one.capture_id, one.status, one.amount, one.authorized_attempt_id]),
    [[`${payment_id}_1_1`, 'charged', 250, `${payment_id}_1`]],
  )
  const failed = await shop.pay({ card: cards.hasNoMoney })
  const [attempt] = (await shop.get(failed.payment_id, '?expand_attempts=true')).attempts
  deepEqual([attempt.status, attempt.error_code, attempt.why], ['failure', 'insufficient_funds', null])
})

test('the reason why an attempt has no result is in its attempts, the event and the log, but hidden from browsers', async () => {
  const shop = await openShop()
  const { payment_id, client_secret } = await shop.pay({ card: cards.chargesAndAnswersHtml })
  const [attempt] = (await shop.get(payment_id, '?expand_attempts=true')).attempts
  deepEqual([attempt.status, attempt.state, attempt.error_code], ['pending', 'unknown', null])
  equal(attempt.why, 'invalid response (HTTP 200)')
  const query = `?client_secret=${client_secret}&expand_attempts=true`
  const seen = await http('GET', `${shop.url}/payments/${payment_id}${query}`, undefined, { 'api-key': shop.publishable_key })
  deepEqual([seen.status, seen.body.attempts[0].state, seen.body.attempts[0].why], [200, 'unknown', null])
  const { event_id } = (await shop.events(payment_id)).find(({ event_type }) => event_type === 'payment_processing')!
  const event = (await shop.call('GET', `/events/${event_id}`)).body.body
  deepEqual(
    event.content.object.attempts.map((one: Body) => [one.state, one.why]),
    [['unknown', attempt.why]],
  )
  const line = shop.logs.map(line => JSON.parse(line)).find(line => line.words === 'attempt' && line.object_id === payment_id)
  deepEqual([line.state, line.why], ['unknown', attempt.why])
})

test('a payment shows its refunds and the total refunded amount', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 1000 })
  const one = await shop.refund(payment_id, 300)
  const two = await shop.refund(payment_id, 200)
  const payment = await shop.get(payment_id)
  deepEqual(payment.refunds, [one.body, two.body])
  deepEqual([payment.status, payment.amount_received, payment.state_metadata.total_refunded_amount], ['succeeded', 1000, 500])
})

test('a browser can retrieve its own payment, without metadata and refunds', async () => {
  const shop = await openShop()
  const { payment_id, client_secret } = await shop.pay({ amount: 1000, metadata: { note: 'regular' } })
  await shop.refund(payment_id, 300)
  const answer = await http('GET', `${shop.url}/payments/${payment_id}?client_secret=${client_secret}`, undefined, {
    'api-key': shop.publishable_key,
  })
  deepEqual([answer.status, answer.body.status, answer.body.metadata, answer.body.refunds], [200, 'succeeded', null, null])
})

test('a payment of another merchant gets the same response as a missing one', async () => {
  const shop = await openShop()
  const other = await openShop()
  const foreign = await other.pay()
  const missing = await shop.call('GET', `/payments/pay_${'0'.repeat(26)}`)
  isRefused(missing, 404, 'HE_02')
  areTheSame(await shop.call('GET', `/payments/${foreign.payment_id}`), missing)
  areTheSame(await shop.call('GET', `/payments/${foreign.payment_id}?force_sync=true`), missing)
  areTheSame(await shop.call('GET', '/payments/x'), missing)
  areTheSame(await shop.call('GET', `/payments/${'x'.repeat(500)}`), missing)
})

test('an invalid query parameter is refused', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  for (const query of ['force_sync=maybe', 'forcesync=true', 'expand_attempts=1'])
    isRefused(await shop.call('GET', `/payments/${payment_id}?${query}`), 400, 'IR_06', new RegExp(query.split('=')[0]!))
})

test('the card of a payment can be read for a limited time, encrypted with a configured key, and each read is in the audit log', async () => {
  const shop = await openShop()
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: pem('spki'),
    privateKeyEncoding: pem('pkcs8'),
  })
  const look = (id: string, key = shop.api_key) =>
    http('GET', `${shop.url}/payments/${id}/extended_card_info`, undefined, { 'api-key': key })
  const [{ profile_id }] = (await shop.call('GET', `/account/${shop.merchant_id}/business_profile`)).body
  const profile = `${shop.url}/account/${shop.merchant_id}/business_profile/${profile_id}`
  const set = (config: unknown, key = ADMIN_KEY) => http('POST', profile, { extended_card_info_config: config }, { 'api-key': key })
  const before = await shop.pay()
  isRefused(await look(before.payment_id), 404, 'IR_27')
  isRefused(await set({ public_key: publicKey }, shop.api_key), 403, 'IR_22')
  const short = generateKeyPairSync('rsa', {
    modulusLength: 1024,
    publicKeyEncoding: pem('spki'),
    privateKeyEncoding: pem('pkcs8'),
  }).publicKey
  for (const public_key of ['x', privateKey, short]) isRefused(await set({ public_key }), 422, 'IR_06', /public_key/)
  isRefused(await set({ public_key: publicKey, ttl_in_secs: 7201 }), 400, 'IR_16', /ttl_in_secs/)
  equal((await set({ public_key: publicKey, ttl_in_secs: 600 })).status, 200)
  isRefused(await look(before.payment_id), 404, 'IR_27')
  await shop.post(`/account/${shop.merchant_id}/business_profile/${profile_id}/toggle_extended_card_info`, { enabled: true })
  isRefused(await look(before.payment_id), 404, 'IR_27')

  const paid = await shop.pay()
  const { body, text } = await look(paid.payment_id)
  ok(!text.includes(cards.approves))
  const { plaintext, protectedHeader } = await compactDecrypt(body.payload, createPrivateKey(privateKey))
  deepEqual(protectedHeader, { alg: 'RSA-OAEP-256', enc: 'A256GCM' })
  const card = JSON.parse(Buffer.from(plaintext).toString())
  deepEqual([card.card_number, card.card_exp_month, card.card_exp_year, 'card_cvc' in card], [cards.approves, '12', '2040', false])
  const [entry] = (await shop.call('GET', '/audit?object_kind=disclosure&limit=1')).body.data
  deepEqual([entry.type, entry.by.split(' ')[0]], ['card_shown', 'secret_key'])
  const waiting = await shop.create()
  isRefused(await look(waiting.payment_id), 404, 'IR_27')
  const other = await openShop()
  isRefused(await look(paid.payment_id, other.api_key), 404, 'HE_02')
  isRefused(await look(paid.payment_id, shop.publishable_key), 403, 'IR_22')
  await shop.wait('11 minutes')
  isRefused(await look(paid.payment_id), 404, 'IR_27')
})
