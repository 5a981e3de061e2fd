import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { isRefused } from '../refused.ts'
import { type Body, cards, http, openShop, type PayAsk, type Shop } from '../shop.ts'

/**
 * A merchant with an Adyen account, at the sandbox's imitation of Adyen: no operation can be queried there, and every
 * result but the first approval comes later by webhook, if at all.
 */

let shops = 0
const openAdyenShop = (more: Parameters<typeof openShop>[0] = {}) => openShop({ connector: 'adyen', webhooks: 'on', ...more })
/** Opens a shop whose merchant account may capture a payment several times. */
const openMultiShop = () => openAdyenShop({ sandboxKey: `sandbox_multi_${process.pid}_${shops++}` })

const VISA = '4111111111111111'
const CHALLENGED = '4212345678901237'
const FAILS_CAPTURES = '4000000000000382'

/** Gives a payment by a card with this holder: in Adyen's test environment the name chooses the answer. */
const by = (holder: string): PayAsk => ({
  payment_method_data: {
    card: { card_number: VISA, card_exp_month: '03', card_exp_year: '2030', card_cvc: '737', card_holder_name: holder },
  },
})

/** Opens a shop that receives no webhooks until `flush` is called. */
async function openPatientShop() {
  const shop = await openAdyenShop()
  await shop.processor.account({ webhooks: 'hold' })
  return shop
}
const flush = (shop: Shop) => shop.processor.flushWebhooks()

/** Lets the webhooks that are due arrive. */
const delivered = (shop: Shop) => shop.processor.advance(0)
const eventsOf = async (shop: Shop, id: string): Promise<string[]> =>
  (await shop.events(id)).map((event: Body) => event.event_type).filter(Boolean)

test('Adyen test cards are approved, and the payment shows its network transaction id', async () => {
  const shop = await openAdyenShop()
  for (const card of [VISA, '5454545454545454', '4000020000000000']) {
    const paid = await shop.pay({ card })
    deepEqual([paid.status, paid.amount_received, paid.connector], ['succeeded', 1250, 'adyen'])
    match(paid.connector_transaction_id, /^[A-Z0-9]{16}$/)
    match(paid.network_transaction_id, /^\w{15}$/)
  }
  equal((await shop.pay(by('APPROVED'))).status, 'succeeded')
  await delivered(shop)
  deepEqual(
    (await shop.processor.charges()).map(charge => [charge.captured, charge.status]),
    Array(4).fill([1250, 'captured']),
  )
})

// biome-ignore format: a table reads better in columns
const declined: [holder: string, error_code: string, unified: string, standardised: string | null, issuer: string | null, says: string][] = [
  ['DECLINED',                  '2',  'UE_1000', null,                              '05', 'Refused'],
  ['REFERRAL',                  '3',  'UE_1000', null,                              '05', 'Referral'],
  ['ERROR',                     '4',  'UE_3000', null,                              '96', 'Acquirer Error'],
  ['BLOCK_CARD',                '5',  'UE_1000', 'card_not_supported_restricted',   '05', 'Blocked Card'],
  ['CARD_EXPIRED',              '6',  'UE_1000', 'invalid_expiry_date',             '54', 'Expired Card'],
  ['INVALID_AMOUNT',            '7',  'UE_4000', null,                              '05', 'Invalid Amount'],
  ['NOT_ENOUGH_BALANCE',        '12', 'UE_1000', 'insufficient_funds',              '51', 'Not enough balance'],
  ['INVALID_PIN',               '17', 'UE_1000', 'incorrect_authentication_code',   '05', 'Invalid Pin'],
  ['PIN_TRIES_EXCEEDED',        '18', 'UE_1000', 'velocity_limit_exceeded',         '05', 'Pin tries exceeded'],
  ['FRAUD',                     '20', 'UE_1000', 'suspected_fraud',                 '05', 'FRAUD'],
  ['TRANSACTION_NOT_PERMITTED', '23', 'UE_1000', 'transaction_not_permitted',       '05', 'Transaction Not Permitted'],
  ['CVC_DECLINED',              '24', 'UE_1000', 'invalid_cvv',                     'N7', 'CVC Declined'],
  ['REVOCATION_OF_AUTH',        '26', 'UE_1000', 'authorization_missing_or_revoked', '05', 'Revocation Of Auth'],
  ['DECLINED_NON_GENERIC',      '27', 'UE_1000', 'do_not_honor',                    '05', 'Declined Non Generic'],
  ['WITHDRAWAL_COUNT_EXCEEDED', '29', 'UE_1000', 'velocity_limit_exceeded',         '05', 'Withdrawal count exceeded'],
  ['AVS_DECLINED',              '32', 'UE_1000', 'pm_address_mismatch',             '05', 'AVS Declined'],
  ['UNKNOWN',                   '0',  'UE_1000', null,                              '05', 'Unknown'],
]

test('a declined payment shows the error codes of Adyen and the issuer, and the unified code', async () => {
  const shop = await openAdyenShop()
  for (const [holder, error_code, unified_code, standardised, issuer, message] of declined) {
    const payment = await shop.pay(by(holder))
    deepEqual(
      [payment.status, payment.error_code, payment.error_message, payment.unified_code, payment.issuer_error_code],
      ['failed', error_code, message, unified_code, issuer],
      holder,
    )
    equal(payment.error_details.unified_details.standardised_code, standardised, holder)
    match(payment.connector_transaction_id, /^[A-Z0-9]{16}$/)
  }
  equal((await shop.processor.charges()).length, 0)
})

test('a payment with an invalid API key fails with an account configuration error', async () => {
  const wrong = await openShop({ connector: 'adyen', sandboxKey: 'sk_test_invalid' })
  const refused = await wrong.pay()
  deepEqual([refused.status, refused.unified_code, refused.error_code], ['failed', 'UE_2000', '000'])
})

// --- the challenge

/**
 * Sends the customer through the challenge with this answer. Gives the address to which the customer returns, not yet
 * visited.
 */
async function challenged(shop: Shop, verdict: 'accept' | 'reject', ask: PayAsk = {}) {
  const payment = await shop.pay({ card: CHALLENGED, authentication_type: 'three_ds', ...ask })
  deepEqual([payment.status, payment.next_action.type], ['requires_customer_action', 'redirect_to_url'])
  const start = await http('GET', payment.next_action.redirect_to_url)
  const page = start.headers.location as string
  match(page, /\/challenge\/auth_/)
  const back = new URL((await http('POST', `${page}/${verdict}`, '')).headers.location as string)
  return { payment, back }
}

test('a payment with a challenge succeeds when the customer returns with a redirectResult', async () => {
  const shop = await openAdyenShop({ webhooks: 'off' })
  const { payment, back } = await challenged(shop, 'accept')
  ok(back.searchParams.get('redirectResult'))
  equal((await shop.get(payment.payment_id)).status, 'requires_customer_action', 'nobody has asked yet')
  const home = await http('GET', back.href)
  equal(home.status, 302)
  equal(new URL(home.headers.location as string).searchParams.get('status'), 'succeeded')
  const paid = await shop.get(payment.payment_id)
  deepEqual([paid.status, paid.amount_received, paid.next_action], ['succeeded', 1250, null])
  equal(paid.external_authentication_details.electronic_commerce_indicator, '05')
  ok(paid.connector_transaction_id !== payment.connector_transaction_id, 'Adyen calls it otherwise now')
  equal((await shop.processor.charges())[0]!.payment, paid.connector_transaction_id)
})

test('a challenge result posted as a form is accepted like one in the query', async () => {
  const shop = await openAdyenShop({ webhooks: 'off' })
  for (const [verdict, name, expected] of [
    ['accept', 'redirectResult', 'succeeded'],
    ['accept', 'payload', 'succeeded'],
    ['reject', 'redirectResult', 'failed'],
  ] as const) {
    const { payment, back } = await challenged(shop, verdict)
    const form = new URLSearchParams({ [name]: back.searchParams.get('redirectResult')!, other: 'x' }).toString()
    back.search = ''
    const home = await http('POST', back.href, form, { 'content-type': 'application/x-www-form-urlencoded' })
    equal(home.status, 302, home.text)
    const { status, error_code } = await shop.get(payment.payment_id)
    deepEqual([status, error_code], [expected, verdict === 'reject' ? '11' : null], name)
  }
})

test('a forged redirectResult charges nothing, and the true result is still accepted', async () => {
  const shop = await openAdyenShop({ webhooks: 'off' })
  const { payment, back } = await challenged(shop, 'accept')
  for (const lie of ['redirectResult=X6XtfGC3!made+up', 'redirectResult=', 'resultCode=Authorised', `payload=${'x'.repeat(9000)}`]) {
    equal((await http('GET', `${back.origin}${back.pathname}?${lie}`)).status, 302)
    equal((await shop.get(payment.payment_id)).status, 'requires_customer_action', lie.slice(0, 40))
  }
  deepEqual(await shop.processor.charges(), [])
  await http('GET', back.href)
  equal((await shop.get(payment.payment_id)).status, 'succeeded')
  // The same return again, and one with a false result after the true one.
  await http('GET', back.href)
  await http('GET', `${back.origin}${back.pathname}?redirectResult=lie`)
  equal((await shop.get(payment.payment_id)).status, 'succeeded')
  equal((await shop.processor.charges()).length, 1)
})

test('a challenge result is sent again after a failure at Adyen, and the payment is charged once', async () => {
  const shop = await openAdyenShop({ webhooks: 'off' })
  for (const fault of ['reset_before', 'reset_after', '500_before', '500_after', 'html_after', 'empty_after'] as const) {
    const { payment, back } = await challenged(shop, 'accept')
    await shop.processor.fault('authorize', fault)
    await http('GET', back.href)
    equal((await shop.get(payment.payment_id)).status, 'requires_customer_action', fault)
    await shop.wait('1 minute')
    equal((await shop.get(payment.payment_id)).status, 'succeeded', fault)
  }
  equal((await shop.processor.charges()).length, 6)
})

test('a payment with an abandoned challenge fails when Adyen closes the offer; a cancelled one ends at once', async () => {
  const shop = await openAdyenShop()
  const payment = await shop.pay({ card: CHALLENGED, authentication_type: 'three_ds' })
  const other = await shop.pay({ card: CHALLENGED, authentication_type: 'three_ds' })
  await shop.cancel(other.payment_id)
  await delivered(shop)
  equal((await shop.get(other.payment_id)).status, 'cancelled')
  await shop.wait('9 hours')
  equal((await shop.get(payment.payment_id)).status, 'requires_customer_action')
  await shop.wait('1 hour')
  const failed = await shop.get(payment.payment_id)
  deepEqual([failed.status, failed.error_code], ['failed', 'OFFER_CLOSED'])
})

test('a card that requires 3-D Secure is declined if the payment did not request it', async () => {
  const shop = await openAdyenShop()
  const payment = await shop.pay({ card: CHALLENGED })
  deepEqual([payment.status, payment.error_code, payment.error_message], ['failed', '38', 'Authentication required'])
})

// --- operations that Adyen only acknowledges at first

test('a capture is processing until Adyen confirms it by webhook', async () => {
  const shop = await openPatientShop()
  const hold = await shop.hold()
  deepEqual([hold.status, hold.amount_capturable], ['requires_capture', 1250])
  const { body } = await shop.capture(hold.payment_id, 500)
  deepEqual([body.status, body.amount_received], ['processing', null])
  await shop.wait('1 hour')
  equal((await shop.get(hold.payment_id)).status, 'processing')
  await shop.processor.flushWebhooks()
  const captured = await shop.get(hold.payment_id)
  deepEqual([captured.status, captured.amount_received, captured.amount_capturable], ['partially_captured', 500, 0])
  deepEqual(
    (await shop.processor.charges()).map(charge => [charge.captured, charge.status]),
    [[500, 'captured']],
  )
})

test('several captures of one authorization are each confirmed, until the payment succeeds', async () => {
  const shop = await openMultiShop()
  const hold = await shop.hold({ capture_method: 'manual_multiple' })
  for (const amount of [500, 300]) await shop.capture(hold.payment_id, amount)
  await delivered(shop)
  const rest = await shop.get(hold.payment_id)
  deepEqual([rest.status, rest.amount_received, rest.amount_capturable], ['partially_captured_and_capturable', 800, 450])
  await shop.capture(hold.payment_id, 450)
  await delivered(shop)
  equal((await shop.get(hold.payment_id)).status, 'succeeded')
})

test('the rest of an authorization after a partial capture is released by a release request; final_capture is refused', async () => {
  const shop = await openMultiShop()
  const hold = await shop.hold({ capture_method: 'manual_multiple' })
  await shop.capture(hold.payment_id, 500)
  await delivered(shop)
  const last = await shop.post(`/payments/${hold.payment_id}/capture`, { amount_to_capture: 300, final_capture: true })
  isRefused(last, 400, 'IR_19', /release/)
  const asked = await shop.post(`/payments/${hold.payment_id}/release`, {})
  deepEqual([asked.body.status, asked.body.state_metadata.release.status], ['partially_captured_and_capturable', 'pending'])
  await delivered(shop)
  const { status, amount_received, amount_capturable, state_metadata } = await shop.get(hold.payment_id)
  deepEqual([status, amount_received, amount_capturable, state_metadata.release.status], ['partially_captured', 500, 0, 'succeeded'])
})

test('a capture, void or refund that Adyen acknowledges and then refuses fails, and the authorization stays capturable', async () => {
  const shop = await openPatientShop()
  const capture = await shop.hold({ card: cards.refusesCaptures })
  await shop.capture(capture.payment_id)
  const cancel = await shop.hold({ card: cards.refusesVoids })
  await shop.cancel(cancel.payment_id)
  const paid = await shop.pay({ card: cards.refusesRefunds })
  const { body: refund } = await shop.refund(paid.payment_id, 500)
  equal(refund.status, 'pending')
  await flush(shop)
  for (const { payment_id } of [capture, cancel]) {
    const { status, amount_capturable, error_message } = await shop.get(payment_id)
    deepEqual([status, amount_capturable], ['requires_capture', 1250])
    ok(error_message)
  }
  const failed = await shop.getRefund(refund.refund_id)
  deepEqual([failed.status, failed.error_message], ['failed', 'Insufficient balance on payment'])
})

test('the void and the expiry of an authorization are confirmed by webhook', async () => {
  const shop = await openPatientShop()
  const hold = await shop.hold()
  equal((await shop.cancel(hold.payment_id)).body.status, 'processing')
  await flush(shop)
  equal((await shop.get(hold.payment_id)).status, 'cancelled')
  const other = await shop.hold()
  await shop.wait('8 days')
  await flush(shop)
  equal((await shop.get(other.payment_id)).status, 'expired')
})

test('an authorization that expires keeps the amount that was captured or is being captured', async () => {
  const shop = await openMultiShop()
  await shop.processor.account({ webhooks: 'hold' })
  const rest = ({ status, amount_received, amount_capturable }: Body) => [status, amount_received, amount_capturable]
  for (const capture_method of ['manual', 'manual_multiple']) {
    const [notified, untold] = [await shop.hold({ capture_method }), await shop.hold({ capture_method })]
    await shop.capture(notified.payment_id, 500)
    await flush(shop)
    await shop.capture(untold.payment_id, 500)
    await shop.wait('8 days')
    await flush(shop)
    for (const { payment_id } of [notified, untold])
      deepEqual(rest(await shop.get(payment_id)), ['partially_captured', 500, 0], capture_method)
    equal((await shop.refund(notified.payment_id, 500)).status, 200)
  }
})

test('an authorization is incremented or extended once Adyen confirms it; until then a capture is refused', async () => {
  const shop = await openPatientShop()
  const ask = { request_incremental_authorization: true, request_extended_authorization: true }
  const hold = await shop.hold(ask)
  equal(hold.incremental_authorization_allowed, true)
  const path = `/payments/${hold.payment_id}`
  const asked = (await shop.post(`${path}/incremental_authorization`, { amount: 2000 })).body
  deepEqual([asked.status, asked.amount_capturable, asked.incremental_authorizations[0].status], ['requires_capture', 1250, 'processing'])
  isRefused(await shop.capture(hold.payment_id), 422, 'HE_00')
  await flush(shop)
  const raised = await shop.get(hold.payment_id)
  deepEqual([raised.amount, raised.amount_capturable, raised.incremental_authorizations[0].status], [2000, 2000, 'success'])
  equal((await shop.post(`${path}/extend_authorization`, undefined)).body.extended_authorization_applied, false)
  await flush(shop)
  equal((await shop.get(hold.payment_id)).extended_authorization_applied, true)
  const plain = await shop.hold()
  await shop.post(`/payments/${plain.payment_id}/extend_authorization`, undefined)
  await flush(shop)
  equal((await shop.get(plain.payment_id)).extended_authorization_applied, true)
  await shop.processor.fault('increment', 'decline')
  await shop.post(`${path}/incremental_authorization`, { amount: 3000 })
  await flush(shop)
  const refused = await shop.get(hold.payment_id)
  deepEqual([refused.amount_capturable, refused.authorization_count, refused.incremental_authorizations[1].status], [2000, 2, 'failure'])
  equal((await eventsOf(shop, hold.payment_id)).at(-1), 'action_required')
  await shop.capture(hold.payment_id)
  await flush(shop)
  deepEqual([(await shop.get(hold.payment_id)).status, (await shop.processor.charges())[0]!.captured], ['succeeded', 2000])
})

test('a post-capture void completes once Adyen confirms it, and a lost response is retried without a second refund', async () => {
  const shop = await openPatientShop()
  const paid = await shop.pay()
  await flush(shop)
  await shop.processor.fault('reverse', 'reset_after')
  const asked = (await shop.post(`/payments/${paid.payment_id}/cancel_post_capture`, {})).body
  deepEqual([asked.status, asked.state_metadata.post_capture_void.status], ['succeeded', 'pending'])
  isRefused(await shop.refund(paid.payment_id, 100), 400, 'IR_16')
  await shop.wait('6 seconds')
  await flush(shop)
  const undone = await shop.get(paid.payment_id)
  deepEqual([undone.status, undone.state_metadata.post_capture_void.status], ['cancelled_post_capture', 'succeeded'])
  const [charge] = await shop.processor.charges()
  deepEqual([charge!.captured, charge!.refunded], [1250, 1250])
})

test('a post-capture void that fails days after its approval is marked failed, and emits action_required', async () => {
  const shop = await openAdyenShop()
  const paid = await shop.pay({ card: cards.refundsFailLater })
  await delivered(shop)
  await shop.post(`/payments/${paid.payment_id}/cancel_post_capture`, {})
  await delivered(shop)
  await shop.wait('2 days')
  const failed = await shop.get(paid.payment_id)
  equal(failed.state_metadata.post_capture_void.status, 'failed')
  equal((await eventsOf(shop, paid.payment_id)).at(-1), 'action_required')
})

test('a refund is pending until Adyen confirms it, with each kind of reason', async () => {
  const shop = await openPatientShop()
  const paid = await shop.pay()
  const asked = []
  for (const reason of ['duplicate', 'Requested by customer', 'one leg was broken', undefined]) {
    const { body } = await shop.refund(paid.payment_id, 200, { reason })
    equal(body.status, 'pending')
    asked.push(body.refund_id)
  }
  await flush(shop)
  for (const id of asked) {
    const refund = await shop.getRefund(id)
    equal(refund.status, 'succeeded')
    match(refund.connector_refund_id, /^[A-Z0-9]{16}$/)
  }
  const [charge] = await shop.processor.charges()
  equal(charge!.refunded, 800)
})

test('a refund that fails days after its approval emits refund_failed, and the payment can be refunded again', async () => {
  const shop = await openAdyenShop()
  const paid = await shop.pay({ card: cards.refundsFailLater })
  const { body } = await shop.refund(paid.payment_id)
  await delivered(shop)
  equal((await shop.getRefund(body.refund_id)).status, 'succeeded')
  equal((await shop.get(paid.payment_id)).state_metadata.total_refunded_amount, 1250)
  await shop.wait('2 days')
  const failed = await shop.getRefund(body.refund_id)
  deepEqual([failed.status, failed.error_code, failed.error_message], ['failed', 'REFUND_FAILED', 'Refund Failed'])
  deepEqual((await eventsOf(shop, paid.payment_id)).slice(-2), ['refund_succeeded', 'refund_failed'])
  equal((await shop.refund(paid.payment_id)).status, 200)
})

test('a capture that fails after its approval puts the payment in review, for manual and automatic capture', async () => {
  const shop = await openAdyenShop()
  const hold = await shop.hold({ card: FAILS_CAPTURES })
  await shop.capture(hold.payment_id)
  await delivered(shop)
  equal((await shop.get(hold.payment_id)).status, 'succeeded')
  await shop.wait('2 days')
  const failed = await shop.get(hold.payment_id)
  deepEqual([failed.status, failed.error_code], ['review', 'CAPTURE_FAILED'])
  const paid = await shop.pay()
  await shop.processor.call('POST', '/control/adyen/notifications', { payment: paid.connector_transaction_id, eventCode: 'CAPTURE_FAILED' })
  equal((await shop.get(paid.payment_id)).status, 'review')
})

// --- webhooks in any order, repeated, or missing

/** Collects Adyen's webhooks as texts (letters), which a test sends to the service in any order. */
async function lettersOf(shop: Shop) {
  const kept: string[] = []
  const postbox = createServer(async (asked, answer) => {
    let text = ''
    for await (const chunk of asked) text += chunk
    kept.push(text)
    answer.writeHead(200).end()
  })
  after(() => postbox.close())
  await new Promise<void>(resolve => postbox.listen(0, '127.0.0.1', resolve))
  const url = `${shop.url}/webhooks/${shop.merchant_id}/${shop.merchant_connector_id}`
  await shop.processor.account({
    webhook_url: `http://127.0.0.1:${(postbox.address() as { port: number }).port}`,
    webhook_secret: shop.webhook_secret,
  })
  const codeOf = (letter: string): string => JSON.parse(letter).notificationItems[0].NotificationRequestItem.eventCode
  return {
    kept,
    codes: () => kept.map(codeOf),
    send: async (letter: string) => equal((await http('POST', url, letter)).status, 200),
    /** Gives the items of all collected webhooks as one webhook. */
    together: () => JSON.stringify({ live: 'false', notificationItems: kept.flatMap(letter => JSON.parse(letter).notificationItems) }),
    refused: async (letter: string) => equal((await http('POST', url, letter)).status, 401),
  }
}

const orders = (letters: string[]): string[][] =>
  letters.length <= 1 ? [letters] : letters.flatMap((first, i) => orders(letters.toSpliced(i, 1)).map(rest => [first, ...rest]))

test('a refund that fails after its approval ends as failed, for any order and repetition of the webhooks', async () => {
  for (const order of [0, 1, 2, 3, 4, 5]) {
    const shop = await openAdyenShop({ webhooks: 'off' })
    const letters = await lettersOf(shop)
    const paid = await shop.pay({ card: cards.refundsFailLater })
    const { body } = await shop.refund(paid.payment_id)
    await shop.processor.advance(61)
    deepEqual(letters.codes(), ['AUTHORISATION', 'REFUND', 'REFUND_FAILED'])
    const chosen = orders(letters.kept)[order]!
    for (const letter of [...chosen, ...chosen]) await letters.send(letter)
    equal((await shop.getRefund(body.refund_id)).status, 'failed', String(order))
    const payment = await shop.get(paid.payment_id)
    deepEqual([payment.status, payment.state_metadata?.total_refunded_amount ?? 0], ['succeeded', 0])
  }
})

test('a capture whose response is lost is counted once, for any order, repetition or batching of its webhooks', async () => {
  for (const order of [0, 1, 2, 3, 4, 5]) {
    const shop = await openAdyenShop({ webhooks: 'off' })
    const letters = await lettersOf(shop)
    const hold = await shop.hold()
    await shop.processor.fault('capture', 'reset_after')
    await shop.capture(hold.payment_id)
    await shop.processor.advance(0)
    deepEqual(letters.codes(), ['AUTHORISATION', 'CAPTURE'])
    const whole = letters.together()
    const [authorisation, capture] = letters.kept
    const chosen = [[authorisation, capture], [capture, authorisation], [capture, capture], [whole], [whole, whole], [capture, whole]][
      order
    ]!
    for (const letter of chosen) await letters.send(letter!)
    const paid = await shop.get(hold.payment_id)
    deepEqual([paid.status, paid.amount_received], ['succeeded', 1250], String(order))
    await shop.wait('1 day')
    equal((await shop.get(hold.payment_id)).status, 'succeeded')
    equal((await shop.processor.charges())[0]!.captured, 1250)
  }
})

test('a webhook with one item that is not correctly signed is rejected as a whole', async () => {
  const shop = await openAdyenShop({ webhooks: 'off' })
  const letters = await lettersOf(shop)
  const hold = await shop.hold()
  await shop.capture(hold.payment_id)
  await shop.processor.advance(0)
  const letter = JSON.parse(letters.together())
  const { NotificationRequestItem: item } = letter.notificationItems[1]
  for (const spoilt of [
    { ...item, success: 'false' },
    { ...item, amount: { ...item.amount, value: 1251 } },
    { ...item, additionalData: {} },
    { ...item, pspReference: 'QFQTPCQ8HXSKGK82' },
  ]) {
    letter.notificationItems[1] = { NotificationRequestItem: spoilt }
    await letters.refused(JSON.stringify(letter))
  }
  await letters.refused('{"live":"false","notificationItems":[]}')
  equal((await shop.get(hold.payment_id)).status, 'processing')
})

test('a payment whose response is lost is sent again at once, and is charged once', async () => {
  for (const fault of ['reset_after', '500_after', 'html_after', 'truncate_after', 'empty_after', 'reset_before', '500_before'] as const) {
    const shop = await openAdyenShop({ webhooks: 'off' })
    await shop.processor.fault('authorize', fault)
    const paid = await shop.pay()
    equal(paid.status, 'succeeded', fault)
    equal((await shop.processor.charges()).length, 1, fault)
  }
})

test('force_sync reports that Adyen cannot be polled, for a payment or refund that only a webhook can complete', async () => {
  const shop = await openAdyenShop()
  await shop.processor.account({ webhooks: 'hold' })
  await shop.processor.fault('authorize', 'reset_after', { times: 2 })
  const payment = await shop.pay()
  equal(payment.status, 'processing')
  await shop.wait('1 day')
  const asked = await shop.call('GET', `/payments/${payment.payment_id}?force_sync=true`)
  deepEqual([asked.body.status, asked.headers['force-sync-unanswered']], ['processing', 'adyen'])
  await shop.processor.flushWebhooks()
  const paid = await shop.call('GET', `/payments/${payment.payment_id}?force_sync=true`)
  deepEqual([paid.body.status, paid.headers['force-sync-unanswered']], ['succeeded', undefined])
  const { body: refund } = await shop.refund(payment.payment_id, 500)
  const unsure = await shop.call('GET', `/refunds/${refund.refund_id}?force_sync=true`)
  deepEqual([unsure.body.status, unsure.headers['force-sync-unanswered']], ['pending', 'adyen'])
})

test('a payment, capture or refund without a result is pending for seven days, then requires manual review, and never fails', async () => {
  const shop = await openAdyenShop({ webhooks: 'off' })
  await shop.processor.fault('authorize', 'reset_after', { times: 2 })
  const silent = await shop.pay()
  const hold = await shop.hold()
  await shop.capture(hold.payment_id)
  const paid = await shop.pay()
  const { body: refund } = await shop.refund(paid.payment_id)
  for (let day = 0; day < 6; day++) await shop.wait('1 day')
  await shop.wait('23 hours')
  for (const { payment_id } of [silent, hold]) equal((await shop.get(payment_id)).status, 'processing')
  equal((await shop.getRefund(refund.refund_id)).status, 'pending')
  await shop.wait('2 hours')
  for (const { payment_id } of [silent, hold]) equal((await shop.get(payment_id)).status, 'requires_merchant_action')
  equal((await shop.getRefund(refund.refund_id)).status, 'review')
})

test('a capture, void and refund whose responses are lost are sent again, and done once', async () => {
  for (const fault of ['reset_before', 'reset_after', '500_before', '500_after', 'hang_after'] as const) {
    const shop = await openAdyenShop()
    for (const call of ['capture', 'void', 'refund'] as const) await shop.processor.fault(call, fault)
    const captured = await shop.hold()
    equal((await shop.capture(captured.payment_id)).status, 200)
    const cancelled = await shop.hold()
    await shop.cancel(cancelled.payment_id)
    const paid = await shop.pay()
    const { body: refund } = await shop.refund(paid.payment_id, 700)
    await shop.wait('1 minute')
    await delivered(shop)
    deepEqual(
      [
        (await shop.get(captured.payment_id)).status,
        (await shop.get(cancelled.payment_id)).status,
        (await shop.getRefund(refund.refund_id)).status,
      ],
      ['succeeded', 'cancelled', 'succeeded'],
      fault,
    )
    deepEqual(
      (await shop.processor.charges()).map(charge => [charge.captured, charge.refunded, charge.status]),
      [
        [1250, 0, 'captured'],
        [0, 0, 'voided'],
        [1250, 700, 'captured'],
      ],
      fault,
    )
  }
})

test('a capture whose response is lost stays processing while its retries fail, and is made once', async () => {
  const shop = await openAdyenShop({ webhooks: 'off' })
  const hold = await shop.hold()
  await shop.processor.fault('capture', 'reset_after')
  await shop.capture(hold.payment_id)
  await shop.processor.fault('capture', '500_before', { times: 3 })
  await shop.wait('20 seconds')
  equal((await shop.get(hold.payment_id)).status, 'processing')
  await shop.processor.soundAgain()
  await shop.wait('10 minutes')
  equal((await shop.get(hold.payment_id)).status, 'processing', 'received, and not told yet')
  deepEqual(
    (await shop.processor.operations()).filter((one: Body) => one.type === 'capture').map((one: Body) => one.amount),
    [1250],
  )
})

test('a partial approval is reversed unless the payment enables partial authorization', async () => {
  const shop = await openAdyenShop()
  const { payment_id } = await shop.pay({ card: cards.approvesHalf })
  const half = await shop.pay({ card: cards.approvesHalf, enable_partial_authorization: true })
  deepEqual([half.status, half.amount_received], ['partially_captured', 625])
  const hold = await shop.hold({ card: cards.approvesHalf })
  await delivered(shop)
  deepEqual([(await shop.get(payment_id)).status, (await shop.get(hold.payment_id)).status], ['failed', 'failed'])
  deepEqual(
    (await shop.processor.charges()).map(charge => [charge.captured, charge.refunded, charge.status]),
    [
      [625, 625, 'captured'],
      [625, 0, 'captured'],
      [0, 0, 'voided'],
    ],
  )
})

test('a payment whose approval has another amount, currency or reference becomes conflicted', async () => {
  const shop = await openAdyenShop()
  for (const card of [cards.echoesAnotherAmount, cards.echoesAnotherCurrency, cards.echoesAnotherReference])
    equal((await shop.pay({ card })).status, 'conflicted')
})

test('an amount is sent in the decimals that Adyen uses, and one that Adyen cannot express is refused', async () => {
  const shop = await openAdyenShop()
  for (const [currency, units] of [
    ['ISK', 125_000],
    ['CLP', 125_000],
    ['JPY', 1250],
    ['KWD', 1250],
    ['USD', 1250],
  ] as const) {
    const paid = await shop.pay({ amount: 1250, currency })
    deepEqual([paid.status, paid.amount_received], ['succeeded', 1250], currency)
    equal((await shop.processor.charges()).at(-1)!.captured, units)
    const { body } = await shop.refund(paid.payment_id, 500)
    await delivered(shop)
    equal((await shop.getRefund(body.refund_id)).status, 'succeeded', currency)
  }
  equal((await shop.pay({ amount: 1200, currency: 'IDR' })).status, 'succeeded')
  equal((await shop.processor.charges()).at(-1)!.captured, 12)
  isRefused(await shop.tryToPay({ amount: 1250, currency: 'IDR' }), 400, 'IR_39', /1250 IDR .*multiple of 100/)
  const hold = await shop.hold({ amount: 12_500, currency: 'CVE' })
  isRefused(await shop.capture(hold.payment_id, 1255), 422, 'IR_06', /amount_to_capture.*1255 CVE/)
})

test('dispute webhooks in any order, and repeated, lead to the same dispute, and each is acknowledged', async () => {
  const shop = await openAdyenShop()
  await shop.processor.account({ webhooks: 'duplicate' })
  const codes = ['NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK', 'CHARGEBACK_REVERSED', 'SECOND_CHARGEBACK']
  const orders = codes.flatMap(a =>
    codes.flatMap(b => codes.flatMap(c => codes.filter(d => new Set([a, b, c, d]).size === 4).map(d => [a, b, c, d]))),
  )
  equal(orders.length, 24)
  for (const [i, order] of orders.entries()) {
    const paid = await shop.pay()
    const pspReference = `DISPUTE${String(i).padStart(9, '0')}`
    for (const eventCode of order)
      await shop.processor.call('POST', '/control/adyen/notifications', {
        payment: paid.connector_transaction_id,
        eventCode,
        pspReference,
      })
    const { disputes, state_metadata, status } = await shop.get(paid.payment_id)
    deepEqual(
      disputes.map((dispute: Body) => [
        dispute.dispute_stage,
        dispute.dispute_status,
        dispute.connector_status,
        dispute.connector_dispute_id,
      ]),
      [['pre_arbitration', 'dispute_lost', 'SECOND_CHARGEBACK', pspReference]],
      order.join(),
    )
    deepEqual([state_metadata.total_disputed_amount, status], [1250, 'succeeded'])
  }
  ok((await shop.processor.ledger()).webhooks.every(webhook => webhook.delivered))
})
