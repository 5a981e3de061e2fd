import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { formOf } from '../../test/form.ts'
import { openPayoutShop, recipients } from '../../test/payout-shop.ts'
import { areTheSame, isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Answer, type Body, card, cards, http, openShop, type Shop } from '../../test/shop.ts'
import { LARGEST_FORM } from '../http/form.ts'
import { importBins } from '../instruments/bins.ts'

/** The blocklist: cards that may not pay. */

const block = (shop: Shop, type: string, data: string) => shop.post('/blocklist', { type, data })
const unblock = (shop: Shop, type: string, data: string) => shop.call('DELETE', '/blocklist', { type, data })
const toggle = (shop: Shop, on: boolean) => shop.post(`/blocklist/toggle?status=${on}`, undefined)
const list = (shop: Shop, query: string) => shop.call('GET', `/blocklist?${query}`)

/** Opens a shop with an enabled blocklist. */
async function openGuarded(): Promise<Shop> {
  const shop = await openShop()
  deepEqual((await toggle(shop, true)).body, { blocklist_guard_status: 'enabled' })
  return shop
}

const bin = cards.approves.slice(0, 6)

/**
 * Verifies the answer of a blocked payment: an error beside the failed payment, though the HTTP status is that of a
 * success. Gives the payment's id.
 */
function isBlockedAnswer(answer: Answer): string {
  const { error, status, payment_id } = answer.body
  deepEqual([status, payment_id], ['failed', error.payment_id])
  deepEqual([answer.status, error.type, error.code, error.reason], [200, 'blocked', 'HE_03', 'Blocked'], answer.text)
  return error.payment_id
}

test('a payment with a blocked card fails with an error, and is not sent to a processor', async () => {
  const shop = await openGuarded()
  equal((await block(shop, 'card_bin', bin)).status, 200)
  const payment_id = isBlockedAnswer(await shop.tryToPay())
  const payment = await shop.get(payment_id, '?expand_attempts=true')
  deepEqual([payment.status, payment.error_code, payment.merchant_decision], ['failed', 'HE-03', 'Rejected'])
  match(payment.error_message, /blocklist/)
  deepEqual([payment.amount_received, payment.amount_capturable], [null, 0])
  deepEqual(
    payment.attempts.map(({ status, error_code }: Body) => [status, error_code]),
    [['failure', 'HE-03']],
  )
  deepEqual(await shop.processor.operations(), [])
  deepEqual(
    (await shop.events(payment_id)).map(event => [event.type, event.event_type]),
    [['created', 'payment_failed']],
  )
  await shop.wait('1 day')
  deepEqual(await shop.processor.operations(), [])
})

test('a profile blocks cards by country, type, subtype or issuer of their BIN, and optionally cards with an unknown BIN', async () => {
  const shop = await openShop()
  const bins = {
    prefix: '40000566',
    networks: 'Visa',
    card_type: 'DEBIT',
    card_subtype: 'Visa Platinum',
    issuer: 'Bank of Oslo',
    country: 'NO',
    country_name: 'NORWAY',
  }
  await importBins(shop.service.context, [bins], () => {})
  await shop.service.settings.refresh()
  const [known, unknown] = ['4000056655665556', '4000000000000002'] as const
  const lies = { card_issuing_country: 'DE', card_type: 'credit', card_issuer: 'Another Bank' }
  const pay = (number: string) => shop.tryToPay({ payment_method_data: { card: { ...card(number).card, ...lies } } })
  // The ecosystem's sentences (compatibility row 58).
  const unavailable = "We're unable to accept this card, please try another card or a different payment method"
  for (const [config, sentence] of [
    [{ issuing_country: ['SE', 'NO'] }, "Cards issued in your region aren't supported for this transaction, please try a different card"],
    [{ card_types: ['debit'] }, 'Debit cards are not accepted for this transaction, please try a different card'],
    [{ card_subtypes: ['visa_platinum'] }, 'This card is not accepted for this transaction, please try a different card'],
    [{ issuers: ['bank of oslo'] }, "We can't process payments from this bank, please try another card or a different payment method"],
  ] as const) {
    await shop.profile({ payment_method_blocking: { card: config } })
    const answer = await pay(known)
    equal(answer.body.error.message, sentence)
    const payment_id = isBlockedAnswer(answer)
    const { status, error_code, error_message } = await shop.get(payment_id)
    deepEqual([status, error_code, error_message], ['failed', 'HE-03', sentence])
    const open = await shop.create({ payment_method: undefined, payment_method_data: undefined })
    const asked = { payment_method_type: 'card', payment_method_data: { card: card(known).card } }
    const eligibility = await http(
      'POST',
      `${shop.url}/payments/${open.payment_id}/eligibility`,
      { ...asked, client_secret: open.client_secret },
      { 'api-key': shop.publishable_key },
    )
    ok(eligibility.text.includes(sentence), eligibility.text)
    equal((await pay('4242424242424242')).body.status, 'succeeded')
    equal((await pay(unknown)).body.status, 'failed', 'by its processor')
    await shop.profile({ payment_method_blocking: { card: { ...config, block_if_bin_info_unavailable: true } } })
    const refused = await pay(unknown)
    isBlockedAnswer(refused)
    equal(refused.body.error.message, unavailable)
  }
  equal((await shop.processor.operations()).length, 8)
  const path = `/account/${shop.merchant_id}/business_profile`
  const [profile] = (await shop.call('GET', path)).body
  deepEqual(profile.payment_method_blocking, { card: { issuers: ['bank of oslo'], block_if_bin_info_unavailable: true } })
  const update = (payment_method_blocking: Body) => shop.post(`${path}/${profile.profile_id}`, { payment_method_blocking })
  isRefused(await update({ card: { issuing_country: ['XX'] } }), 400, 'IR_06', /issuing_country/)
  isRefused(await update({ card: { colours: ['red'] } }), 400, 'IR_06', /colours/)
})

test('a profile blocks wallets by the type of the card behind them', async () => {
  const shop = await openShop()
  await shop.profile({ payment_method_blocking: { wallet: { card_types: ['credit'] } } })
  const pay = (type: string) =>
    shop.tryToPay({
      payment_method: 'wallet',
      payment_method_type: 'apple_pay',
      payment_method_data: {
        wallet: {
          apple_pay: {
            payment_data: 'eyJkYXRhIjoieCJ9',
            payment_method: { display_name: 'Visa 4242', network: 'Visa', type },
            transaction_identifier: 'x',
          },
        },
      },
    })
  const refused = await pay('credit')
  isBlockedAnswer(refused)
  equal(refused.body.error.message, 'Credit cards are not accepted for this transaction, please try a different card')
  equal((await pay('debit')).body.status, 'succeeded')
})

test('a blocked card can neither receive a payout nor be saved, even if the payout was confirmed before the block', async () => {
  const shop = await openPayoutShop()
  await toggle(shop, true)
  const to = recipients.card()
  await shop.post('/customers', { customer_id: 'kari' })
  const ask = { to, auto_fulfill: false }
  const waits = await shop.payOut(ask)
  equal(waits.status, 'requires_fulfillment')
  const draft = await shop.payOut({ ...ask, confirm: false })
  await block(shop, 'extended_card_bin', '42424242')
  const save = () => shop.post('/payment_methods', { payment_method: 'card', customer_id: 'kari', card: card().card })
  for (const answer of [
    await shop.tryToPayOut({ to }),
    await shop.tryToPayOut(ask),
    await shop.confirmPayout(draft.payout_id, { auto_fulfill: true }),
    await shop.fulfill(waits.payout_id),
    await save(),
  ])
    isRefused(answer, 400, 'IR_16', /blocklist/)
  deepEqual(await shop.processor.operations(), [])
  equal((await shop.tryToPayOut({ to: recipients.bank() })).body.status, 'success')
  await toggle(shop, false)
  equal((await save()).status, 200)
  equal((await shop.fulfill(waits.payout_id)).body.status, 'success')
})

test('a payment that was created before its card was blocked fails at the confirm, by the server or by a browser', async () => {
  const shop = await openGuarded()
  const [first, second] = [await shop.create(), await shop.create({ payment_method_data: undefined, payment_method: undefined })]
  await block(shop, 'card_bin', bin)
  equal(isBlockedAnswer(await shop.confirm(first.payment_id)), first.payment_id)
  const brought = { client_secret: second.client_secret, payment_method: 'card', payment_method_data: card() }
  const browser = await http('POST', `${shop.url}/payments/${second.payment_id}/confirm`, brought, { 'api-key': shop.publishable_key })
  equal(isBlockedAnswer(browser), second.payment_id)
  for (const { payment_id } of [first, second]) {
    equal((await shop.get(payment_id)).status, 'failed')
    deepEqual((await shop.events(payment_id)).at(-1)?.event_type, 'payment_failed')
    isRefused(await shop.confirm(payment_id), 400, 'IR_16')
  }
  deepEqual(await shop.processor.operations(), [])
})

test('a retry of a failed payment with a blocked card fails again, and another card can still pay it', async () => {
  const shop = await openGuarded()
  const [{ profile_id }] = (await shop.call('GET', `/account/${shop.merchant_id}/business_profile`)).body
  await shop.post(`/account/${shop.merchant_id}/business_profile/${profile_id}`, { is_manual_retry_enabled: true })
  const { payment_id } = await shop.pay({ card: cards.declines })
  await block(shop, 'card_bin', bin)
  const by = (number: string) => shop.confirm(payment_id, { payment_method: 'card', payment_method_data: card(number) })
  isBlockedAnswer(await by(cards.approves))
  const payment = await shop.get(payment_id, '?expand_attempts=true')
  deepEqual([payment.status, payment.error_code, payment.attempt_count, payment.attempts.length], ['failed', 'HE-03', 2, 2])
  equal((await by(cards.refundsLater)).body.status, 'succeeded')
  equal((await shop.get(payment_id)).merchant_decision, null)
})

test('a card is blocked by its first six digits, its first eight digits or its fingerprint, until it is unblocked', async () => {
  const shop = await openGuarded()
  const { fingerprint } = await shop.pay()
  const eight = cards.approves.slice(0, 8)
  for (const [type, data] of [
    ['card_bin', bin],
    ['extended_card_bin', eight],
    ['fingerprint', fingerprint],
  ] as const) {
    const made = (await block(shop, type, data)).body
    equal(made.fingerprint_id, data)
    isBlockedAnswer(await shop.tryToPay())
    equal((await shop.pay({ card: cards.refundsLater })).status, 'succeeded', 'other cards pay')
    deepEqual((await unblock(shop, type, data)).body, made)
    equal((await shop.pay()).status, 'succeeded')
  }
})

test('the blocklist applies only while the merchant has enabled it', async () => {
  const shop = await openShop()
  await block(shop, 'card_bin', bin)
  equal((await shop.pay()).status, 'succeeded')
  const isOn = async () => (await shop.call('GET', '/blocklist/toggle')).body
  deepEqual(await isOn(), { blocklist_guard_status: 'disabled' })
  await toggle(shop, true)
  await toggle(shop, true)
  deepEqual(await isOn(), { blocklist_guard_status: 'enabled' })
  isRefused(await shop.call('GET', '/blocklist/toggle?status=true'), 400, 'IR_06', /status/)
  isRefused(await http('GET', `${shop.url}/blocklist/toggle`), 401, 'IR_01')
  isBlockedAnswer(await shop.tryToPay())
  deepEqual((await toggle(shop, false)).body, { blocklist_guard_status: 'disabled' })
  equal((await shop.pay()).status, 'succeeded')
  isRefused(await shop.post('/blocklist/toggle', undefined), 400, 'IR_04', /status/)
  isRefused(await shop.post('/blocklist/toggle?status=perhaps', undefined), 400, 'IR_06', /status/)
})

test('an operator enables the blocklist with its configuration key, and other keys are refused', async () => {
  const shop = await openShop()
  await block(shop, 'card_bin', bin)
  const admin = (method: string, path: string, body?: Body) => http(method, shop.url + path, body, { 'api-key': ADMIN_KEY })
  const key = `guard_blocklist_for_${shop.merchant_id}`
  const at = `/configs/${key}`
  deepEqual((await admin('GET', at)).body, { key, value: 'false' })
  for (const path of ['/configs', '/configs/']) deepEqual((await admin('POST', path, { key, value: 'true' })).body, { key, value: 'true' })
  isBlockedAnswer(await shop.tryToPay())
  deepEqual((await admin('POST', at, { key, value: 'false' })).body, { key, value: 'false' })
  equal((await shop.pay()).status, 'succeeded')
  deepEqual((await admin('PUT', at, { value: 'true' })).body, { key, value: 'true' })
  deepEqual((await admin('DELETE', at)).body, { key, value: 'true' })
  deepEqual((await admin('GET', at)).body, { key, value: 'false' })
  equal((await shop.pay()).status, 'succeeded')
  isRefused(await admin('POST', '/configs', { key: 'colour', value: 'true' }), 400, 'IR_07', /colour/)
  isRefused(await admin('POST', '/configs', { key, value: 'perhaps' }), 400, 'IR_06', /value/)
  isRefused(await admin('POST', at, { key: 'colour', value: 'true' }), 422, 'IR_05', /key/)
  isRefused(await admin('PUT', '/configs/colour', { value: 'true' }), 400, 'IR_07', /colour/)
  for (const method of ['GET', 'DELETE'])
    for (const which of ['colour', 'guard_blocklist_for_nobody']) isRefused(await admin(method, `/configs/${which}`), 404, 'HE_02')
  isRefused(await shop.post('/configs', { key, value: 'true' }), 403, 'IR_22')
})

test('the blocklist of a merchant does not affect other merchants', async () => {
  const [shop, other] = [await openGuarded(), await openGuarded()]
  await block(shop, 'card_bin', bin)
  equal((await other.pay()).status, 'succeeded')
  deepEqual((await list(other, 'data_kind=card_bin')).body, { count: 0, total_count: 0, data: [] })
  isRefused(await unblock(other, 'card_bin', bin), 404, 'IR_37')
})

test('an existing entry, a missing entry and invalid data are refused by name', async () => {
  const shop = await openShop()
  await block(shop, 'card_bin', '400000')
  isRefused(await block(shop, 'card_bin', '400000'), 400, 'IR_16', /400000/)
  isRefused(await unblock(shop, 'card_bin', '400001'), 404, 'IR_37')
  isRefused(await unblock(shop, 'extended_card_bin', '400000'), 422, 'IR_05', /8 digits/)
  for (const wrong of ['40000', '4000000', '40000a']) isRefused(await block(shop, 'card_bin', wrong), 422, 'IR_05', /6 digits/)
  isRefused(await block(shop, 'fingerprint', 'short'), 422, 'IR_05', /fingerprint/)
  isRefused(await block(shop, 'iban', 'x'), 400, 'IR_06', /type/)
  isRefused(await block(shop, 'card_bin', cards.approves), 400, 'IR_06', /card number/)
  isRefused(await shop.post('/blocklist', { type: 'card_bin' }), 400, 'IR_04', /data/)
})

test('the entries of one kind are listed page by page', async () => {
  const shop = await openShop()
  for (const data of ['400000', '400001', '400002']) await block(shop, 'card_bin', data)
  await block(shop, 'extended_card_bin', '40000300')
  await unblock(shop, 'card_bin', '400001')
  const all = (await list(shop, 'data_kind=card_bin')).body
  deepEqual([all.count, all.total_count], [2, 2])
  const [first, second] = all.data
  deepEqual(new Set([first.fingerprint_id, second.fingerprint_id]), new Set(['400000', '400002']))
  deepEqual((await list(shop, 'data_kind=card_bin&limit=1&offset=1')).body, { count: 1, total_count: 2, data: [second] })
  isRefused(await list(shop, 'limit=1'), 400, 'IR_04', /data_kind/)
  isRefused(await list(shop, 'data_kind=card_bin&limit=101'), 400, 'IR_16', /limit/)
})

test('a blocked payment with a repeated Idempotency-Key or payment_id returns the same result again', async () => {
  const shop = await openGuarded()
  await block(shop, 'card_bin', bin)
  const key = { 'idempotency-key': 'order-1' }
  const first = await shop.tryToPay({}, key)
  const again = await shop.tryToPay({}, key)
  isBlockedAnswer(again)
  equal(again.text, first.text)
  equal(again.headers['idempotent-replayed'], 'true')
  const payment_id = `pay_${'B'.repeat(26)}`
  equal(isBlockedAnswer(await shop.tryToPay({ payment_id })), payment_id)
  equal(isBlockedAnswer(await shop.tryToPay({ payment_id })), payment_id)
})

test('the same Idempotency-Key for enabling and disabling the blocklist is refused', async () => {
  const shop = await openShop()
  const key = { 'idempotency-key': 'one' }
  equal((await shop.post('/blocklist/toggle?status=true', undefined, key)).status, 200)
  isRefused(await shop.post('/blocklist/toggle?status=false', undefined, key), 422, 'IR_06')
})

// --- whole files

async function upload(shop: Shop, file: string, headers: Record<string, string> = {}): Promise<Answer> {
  const form = formOf({ file })
  return shop.post('/blocklist/batch', form.body, { ...form.headers, ...headers })
}

test('a blocklist file is accepted at once and processed afterwards', async () => {
  const shop = await openGuarded()
  await block(shop, 'card_bin', '400001')
  const lines = Array.from({ length: 1100 }, (_, i) => `extended_card_bin,${50_000_000 + i},reason=fraud;case=${i}`)
  const taken = await upload(shop, ['type,data,metadata', 'card_bin,400001,', ...lines, `CARD_BIN,"${bin}"`, ''].join('\r\n'))
  equal(taken.status, 202, taken.text)
  const { job_id } = taken.body
  deepEqual(taken.body, { job_id, total_rows: 1102, status: 'initiated' })
  match(job_id, /^blkbatch_[0-9A-Za-z]{20}$/)
  equal((await shop.pay()).status, 'succeeded', 'not yet')
  await shop.wait('1 second')
  const done = (await shop.call('GET', `/blocklist/batch/${job_id}`)).body
  deepEqual([done.status, done.total_rows, done.succeeded_rows, done.failed_rows], ['completed', 1102, 1102, 0])
  equal(done.merchant_id, shop.merchant_id)
  isBlockedAnswer(await shop.tryToPay())
  equal((await list(shop, 'data_kind=extended_card_bin')).body.total_count, 1100)
  const [row] = await shop.query(
    "select metadata from blocklist_entries where merchant_id = $1 and entry_id = 'extended_card_bin_50000007'",
    [shop.merchant_id],
  )
  deepEqual(row?.metadata, { reason: 'fraud', case: '7' })
  const second = (await upload(shop, 'type,data\ncard_bin,400009\n')).body
  const page = (await shop.call('GET', '/blocklist/batch?limit=1')).body
  deepEqual([page.count, page.total_count], [1, 2])
  equal(page.data[0].job_id === second.job_id || page.data[0].job_id === job_id, true)
})

test('a blocklist file whose processing crashed is finished later, and no line is counted twice', async () => {
  const shop = await openShop()
  const lines = Array.from({ length: 700 }, (_, i) => `card_bin,${500_000 + i}`)
  const { job_id } = (await upload(shop, ['type,data', ...lines].join('\n'))).body
  // The rows that the dead process had written before it noted its progress.
  for (const data of ['500000', '500001']) await block(shop, 'card_bin', data)
  await shop.wait('1 second')
  const { status, succeeded_rows, failed_rows } = (await shop.call('GET', `/blocklist/batch/${job_id}`)).body
  deepEqual([status, succeeded_rows, failed_rows], ['completed', 700, 0])
  equal((await list(shop, 'data_kind=card_bin')).body.total_count, 700)
})

test('a blocklist file with invalid lines is refused as a whole, with the line numbers', async () => {
  const shop = await openShop()
  isRefused(
    await upload(shop, 'type,data\ncard_bin,400000\ncard_bin,4000\niban,1\n'),
    400,
    'IR_06',
    /line 3: data must be 6 digits; line 4: type/,
  )
  isRefused(await upload(shop, 'card_bin,400000\n'), 400, 'IR_06', /header/)
  isRefused(await upload(shop, 'type,data\n'), 400, 'IR_06', /no line/)
  isRefused(await upload(shop, `type,data\nfingerprint,${cards.approves}\n`), 400, 'IR_06', /line 2: .*card number/)
  isRefused(await upload(shop, `type,data\n${'card_bin,4\n'.repeat(9)}`), 400, 'IR_06', /and 4 more/)
  isRefused(await upload(shop, 'type,data,metadata\ncard_bin,400000,fraud\n'), 400, 'IR_06', /metadata/)
  isRefused(await upload(shop, 'type,data\ncard_bin,"400000\n'), 400, 'IR_06', /line 2/)
  isRefused(await upload(shop, `type,data\n${'x'.repeat(LARGEST_FORM)}`), 400, 'IR_06', /larger than 5308416 bytes/)
  isRefused(await shop.post('/blocklist/batch', { file: 'x' }), 400, 'IR_04', /multipart/)
  isRefused(await shop.post('/blocklist/batch', 'x', { 'content-type': 'multipart/form-data; boundary=y' }), 400, 'IR_06', /form/)
  const form = formOf({ other: 'x' })
  isRefused(await shop.post('/blocklist/batch', form.body, form.headers), 400, 'IR_06', /other/)
  equal((await list(shop, 'data_kind=card_bin')).body.total_count, 0)
  equal((await shop.call('GET', '/blocklist/batch')).body.total_count, 0)
  isRefused(await shop.call('GET', '/blocklist/batch?limit=101'), 400, 'IR_16', /limit/)
})

test('a blocklist file with a repeated Idempotency-Key is accepted once, and another merchant’s file is not found', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const key = { 'idempotency-key': 'file-1' }
  const first = await upload(shop, 'type,data\ncard_bin,400000\n', key)
  const again = await upload(shop, 'type,data\ncard_bin,400000\n', key)
  deepEqual([again.status, again.text], [202, first.text])
  equal((await shop.call('GET', '/blocklist/batch')).body.total_count, 1)
  const missing = await other.call('GET', '/blocklist/batch/blkbatch_none')
  isRefused(missing, 404, 'IR_37')
  areTheSame(await other.call('GET', `/blocklist/batch/${first.body.job_id}`), missing)
})
