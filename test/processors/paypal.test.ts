import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { attach, decide, disputed, files, getDispute, stands } from '../disputes.ts'
import { loseAuthorizations, loseCapture, loseRefund } from '../lost-answers.ts'
import { addAccount, keysOf } from '../merchant.ts'
import { ends, payOutBody, recipients } from '../payout-shop.ts'
import { isRefused } from '../refused.ts'
import { type Body, card, cards, http, openShop, type PayAsk, type Shop } from '../shop.ts'

/**
 * A merchant with a PayPal account, at the sandbox's imitation of PayPal: an order is created first, its customer
 * approves it at PayPal, and only then is it captured or authorized.
 */

const open = (more: Parameters<typeof openShop>[0] = {}) => openShop({ connector: 'paypal', webhooks: 'on', ...more })
const wallet = { payment_method: 'wallet', payment_method_type: 'paypal', payment_method_data: { wallet: { paypal_redirect: {} } } }
const begin = (shop: Shop, more: PayAsk = {}): Promise<Body> => shop.pay({ ...wallet, ...more })

/** Gives the page at PayPal to which a payment sends its customer. */
const pageOf = async (payment: Body): Promise<string> => (await http('GET', payment.next_action.redirect_to_url)).headers.location as string
/** Answers there as the customer, and returns. */
async function visit(payment: Body, verdict: 'accept' | 'reject'): Promise<void> {
  const back = (await http('POST', `${await pageOf(payment)}/${verdict}`, '')).headers.location as string
  await http('GET', back)
}
/** Lets the webhooks that are due arrive, and the polls that they cause. */
const delivered = (shop: Shop) => shop.wait('1 second')
const charged = async (shop: Shop) => (await shop.processor.charges()).map(({ captured, refunded, status }) => [captured, refunded, status])

test('an order that the customer approves at PayPal is captured once, and the payment succeeds', async () => {
  const shop = await open()
  const begun = await begin(shop)
  deepEqual([begun.status, begun.next_action.type, begun.connector], ['requires_customer_action', 'redirect_to_url', 'paypal'])
  match(begun.connector_transaction_id, /^[0-9A-Z]{17}$/)
  await visit(begun, 'accept')
  await delivered(shop)
  const paid = await shop.get(begun.payment_id)
  deepEqual([paid.status, paid.amount_received], ['succeeded', 1250])
  deepEqual(await charged(shop), [[1250, 0, 'captured']])
})

test('an approved order is charged once even if the customer never comes back, also with duplicate webhooks', async () => {
  const shop = await open()
  await shop.processor.account({ webhooks: 'duplicate' })
  const begun = await begin(shop)
  await http('POST', `${await pageOf(begun)}/accept`, '')
  await delivered(shop)
  equal((await shop.get(begun.payment_id)).status, 'succeeded')
  await delivered(shop)
  deepEqual(await charged(shop), [[1250, 0, 'captured']])
})

test('a payment that the customer cancels at PayPal fails; an abandoned one fails once its order has expired', async () => {
  const shop = await open()
  const begun = await begin(shop)
  await visit(begun, 'reject')
  const failed = await shop.get(begun.payment_id)
  deepEqual([failed.status, failed.error_code], ['failed', 'CANCELLED'])
  const left = await begin(shop)
  await shop.wait('2 hours')
  equal((await shop.sync(left.payment_id)).status, 'requires_customer_action')
  await shop.wait('1 day')
  equal((await shop.sync(left.payment_id)).status, 'failed')
  deepEqual(await charged(shop), [])
})

test('a wallet payment that PayPal declines after the approval fails with the error code of PayPal', async () => {
  const shop = await open()
  const begun = await begin(shop)
  await shop.processor.fault('authorize', 'decline')
  await visit(begun, 'accept')
  const failed = await shop.get(begun.payment_id)
  deepEqual([failed.status, failed.error_code], ['failed', 'INSTRUMENT_DECLINED'])
  deepEqual(await charged(shop), [])
})

test('an authorization is captured in parts and the rest released; another is extended and voided', async () => {
  const shop = await open()
  const hold = async (): Promise<Body> => {
    const begun = await begin(shop, { capture_method: 'manual_multiple' })
    await visit(begun, 'accept')
    return shop.get(begun.payment_id)
  }
  const first = await hold()
  deepEqual([first.status, first.amount_capturable], ['requires_capture', 1250])
  const part = (await shop.capture(first.payment_id, 500)).body
  deepEqual([part.status, part.amount_received, part.amount_capturable], ['partially_captured_and_capturable', 500, 750])
  const rest = (await shop.post(`/payments/${first.payment_id}/capture`, { amount_to_capture: 250, final_capture: true })).body
  deepEqual([rest.status, rest.amount_received], ['partially_captured', 750])
  const second = await hold()
  const renewed = await shop.post(`/payments/${second.payment_id}/extend_authorization`, undefined)
  equal(renewed.body.extended_authorization_applied, true, renewed.text)
  equal((await shop.cancel(second.payment_id)).body.status, 'cancelled')
  deepEqual(await charged(shop), [
    [750, 0, 'captured'],
    [0, 0, 'voided'],
  ])
})

test('a payment cancelled while its customer is at PayPal keeps no money from a later approval', async () => {
  const shop = await open()
  const begun = await begin(shop)
  const page = await pageOf(begun)
  const cancelled = (await shop.cancel(begun.payment_id)).body
  equal(cancelled.status, 'cancelled', JSON.stringify(cancelled))
  const back = (await http('POST', `${page}/accept`, '')).headers.location as string
  await http('GET', back)
  await delivered(shop)
  await shop.wait('1 hour')
  equal((await shop.get(begun.payment_id)).status, 'cancelled')
  for (const [captured, refunded] of await charged(shop)) equal(captured, refunded, 'what was taken went back')
})

test('a payment with order lines succeeds, even if the lines do not add up to its amount', async () => {
  const shop = await open()
  const order_details = [{ product_name: 'Chair', quantity: 2, amount: 500 }]
  for (const [amount, shipping_cost] of [
    [1000, undefined],
    [1000, 250],
    [1777, undefined],
  ] as const) {
    const begun = await begin(shop, { amount, order_details, ...(shipping_cost && { shipping_cost }) })
    equal(begun.status, 'requires_customer_action', begun.error_message)
    await visit(begun, 'accept')
    await delivered(shop)
    equal((await shop.get(begun.payment_id)).status, 'succeeded')
  }
  equal((await shop.pay({ amount: 1000, order_details })).status, 'succeeded')
  deepEqual(
    (await charged(shop)).map(([captured]) => captured),
    [1000, 1250, 1777, 1000],
  )
})

test('a card is charged at once, and each cardholder name that the PayPal sandbox declines fails with its error code', async () => {
  const shop = await open()
  const paid = await shop.pay()
  deepEqual([paid.status, paid.amount_received], ['succeeded', 1250])
  match(paid.network_transaction_id, /^\w{15}$/)
  for (const [name, error_code, error] of [
    ['CCREJECT-REFUSED', '0500', 'do_not_honor'],
    ['CCREJECT-IF', '5120', 'insufficient_funds'],
    ['CCREJECT-EC', '5400', 'expired_card'],
    ['CCREJECT-SF', '9500', 'fraudulent'],
  ] as const) {
    const failed = await shop.pay({ payment_method_data: { card: { ...card().card, card_holder_name: name } } })
    deepEqual([failed.status, failed.error_code], ['failed', error_code], error)
  }
  equal((await shop.processor.charges()).length, 1)
})

test('a card payment with 3-D Secure succeeds if the challenge is passed, and fails if not', async () => {
  const shop = await open()
  const challenged = () => shop.pay({ card: cards.challenges, authentication_type: 'three_ds' })
  const good = await challenged()
  equal(good.status, 'requires_customer_action')
  await visit(good, 'accept')
  equal((await shop.get(good.payment_id)).status, 'succeeded')
  const bad = await challenged()
  await visit(bad, 'reject')
  const failed = await shop.get(bad.payment_id)
  deepEqual([failed.status, failed.error_code], ['failed', '3DS'])
  deepEqual(await charged(shop), [[1250, 0, 'captured']])
})

test('refunds are made from the captures with enough left; a refund that fails later is marked failed', async () => {
  const shop = await open()
  const hold = await shop.hold({ capture_method: 'manual_multiple' })
  await shop.capture(hold.payment_id, 300)
  await shop.capture(hold.payment_id, 950)
  equal((await shop.refund(hold.payment_id, 800)).body.status, 'succeeded')
  equal((await shop.refund(hold.payment_id, 300)).body.status, 'succeeded')
  equal((await shop.refund(hold.payment_id, 150)).body.status, 'succeeded', 'what is left of the larger one')
  const paid = await shop.pay({ card: cards.refundsFailLater })
  const late = (await shop.refund(paid.payment_id, 500)).body
  equal(late.status, 'pending')
  await shop.wait('2 minutes')
  await delivered(shop)
  equal((await shop.getRefund(late.refund_id)).status, 'failed')
  deepEqual(
    (await charged(shop)).map(([captured, refunded]) => [captured, refunded]),
    [
      [1250, 1250],
      [1250, 0],
    ],
  )
})

test('a payment whose response is lost is found in its order, and is charged once or not at all', async () => {
  const shop = await open({ webhooks: 'off' })
  await loseAuthorizations(shop)
  await shop.processor.fault('authorize', 'reset_before')
  const never = await shop.pay()
  await shop.wait('10 minutes')
  equal((await shop.get(never.payment_id)).status, 'failed')
  await shop.processor.fault('order', '500_after')
  equal((await shop.pay()).status, 'failed', 'without an order nothing can have moved')
  const begun = await begin(shop)
  await shop.processor.fault('authorize', 'reset_after')
  await visit(begun, 'accept')
  await shop.wait('1 minute')
  equal((await shop.get(begun.payment_id)).status, 'succeeded')
  equal((await shop.processor.charges()).length, 6)
})

test('a capture, void or refund whose response is lost moves money once', async () => {
  const shop = await open({ webhooks: 'off' })
  const hold = await loseCapture(shop)
  await loseRefund(shop, hold)
  const other = await shop.hold()
  await shop.processor.fault('void', 'truncate_after')
  await shop.cancel(other.payment_id)
  await shop.wait('1 minute')
  equal((await shop.get(other.payment_id)).status, 'cancelled')
  deepEqual(await charged(shop), [
    [800, 300, 'captured'],
    [0, 0, 'voided'],
  ])
})

/**
 * Does the work of PayPal's button in the browser: sets the wallet as the order's payment source, and approves the
 * order as its customer.
 */
async function approve(shop: Shop, order_id: string): Promise<void> {
  const call = async (path: string, authorization: string, body: string, type: string): Promise<Body> => {
    const headers = { authorization, 'content-type': type }
    return (await fetch(`${shop.processor.url}/paypal${path}`, { method: 'POST', headers, body })).json()
  }
  const client = `Basic ${Buffer.from(`client:sandbox_${shop.merchant_id}`).toString('base64')}`
  const { access_token } = await call('/v1/oauth2/token', client, 'grant_type=client_credentials', 'application/x-www-form-urlencoded')
  const experience_context = { return_url: 'https://shop.example/back', cancel_url: 'https://shop.example/no' }
  const body = JSON.stringify({ payment_source: { paypal: { experience_context } } })
  const order = await call(`/v2/checkout/orders/${order_id}/confirm-payment-source`, `Bearer ${access_token}`, body, 'application/json')
  await http('POST', `${order.links.find(({ rel }: Body) => rel === 'payer-action').href}/accept`, '')
}

test('a PayPal button payment creates an order for the browser, and succeeds once the customer has approved it', async () => {
  const shop = await open()
  const asked = { payment_method: 'wallet', payment_method_type: 'paypal' }
  for (const capture_method of ['automatic', 'manual'] as const) {
    const { payment_id } = await shop.create({ payment_method: undefined, payment_method_data: undefined, capture_method })
    const { body, text } = await shop.post(`/payments/${payment_id}/post_session_tokens`, asked)
    const { order_id } = body.next_action?.next_action_data ?? {}
    match(order_id ?? text, /^[0-9A-Z]{17}$/)
    await approve(shop, order_id)
    const paid = await shop.confirm(payment_id, { ...asked, payment_method_data: { wallet: { paypal_sdk: { token: order_id } } } })
    const status = capture_method === 'manual' ? 'requires_capture' : 'succeeded'
    deepEqual([paid.body.status, paid.body.connector_transaction_id], [status, order_id], paid.text)
  }
  const { payment_id } = await shop.create({ payment_method: undefined, payment_method_data: undefined })
  const { order_id } = (await shop.post(`/payments/${payment_id}/post_session_tokens`, asked)).body.next_action.next_action_data
  const early = (await shop.confirm(payment_id, { ...asked, payment_method_data: { wallet: { paypal_sdk: { token: order_id } } } })).body
  deepEqual([early.status, early.error_code], ['failed', 'CREATED'], 'nobody has approved it')
  deepEqual(await charged(shop), [
    [1250, 0, 'captured'],
    [0, 0, 'authorized'],
  ])
})

test('one approved order pays one payment: another payment with the same order is declined, and nothing more is charged', async () => {
  const shop = await open()
  const asked = { payment_method: 'wallet', payment_method_type: 'paypal' }
  const create = async () => (await shop.create({ payment_method: undefined, payment_method_data: undefined })).payment_id as string
  const [first, second] = [await create(), await create()]
  const orderOf = async (id: string): Promise<string> =>
    (await shop.post(`/payments/${id}/post_session_tokens`, asked)).body.next_action.next_action_data.order_id
  const order = await orderOf(first)
  await orderOf(second)
  await approve(shop, order)
  const payment_method_data = { wallet: { paypal_sdk: { token: order } } }
  const both = await Promise.all([first, second].map(id => shop.confirm(id, { ...asked, payment_method_data })))
  await shop.wait('5 minutes')
  const after = await Promise.all([first, second].map(id => shop.get(id)))
  deepEqual(
    after.map(({ status, error_code }) => [status, error_code]),
    [
      ['succeeded', null],
      ['failed', 'ORDER_MISMATCH'],
    ],
    both[1]!.text,
  )
  deepEqual(
    (await charged(shop)).filter(charge => charge.at(-1) === 'captured'),
    [[1250, 0, 'captured']],
  )
})

const customer_acceptance = { acceptance_type: 'online', online: { ip_address: '203.0.113.7', user_agent: 'x' } }
const agreeing = { customer_id: 'ada', setup_future_usage: 'off_session', customer_acceptance }
const chargedBy = (payment_method_id: string): Body => ({
  ...{ amount: 700, currency: 'USD', confirm: true, customer_id: 'ada', off_session: true },
  recurring_details: { type: 'payment_method_id', data: payment_method_id },
})

test('a saved wallet and a saved card are charged again without the customer', async () => {
  const shop = await open()
  const begun = await begin(shop, agreeing)
  await visit(begun, 'accept')
  const kept = await shop.get(begun.payment_id)
  equal(kept.status, 'succeeded')
  ok(kept.connector_mandate_id)
  const again = await shop.post('/payments', chargedBy(kept.payment_method_id))
  deepEqual([again.body.status, again.body.amount_received], ['succeeded', 700], again.text)
  const card = await shop.pay({ ...agreeing, customer_id: 'ada' })
  ok(card.connector_mandate_id)
  const second = await shop.post('/payments', chargedBy(card.payment_method_id))
  deepEqual([second.body.status, second.body.amount_received], ['succeeded', 700], second.text)
  deepEqual(
    (await shop.processor.charges()).map(({ by, captured }) => [by, captured]),
    [
      [undefined, 1250],
      ['mandate', 700],
      [undefined, 1250],
      ['mandate', 700],
    ],
  )
})

test('a forged webhook is rejected, and an amount that PayPal cannot express is refused before anything is sent', async () => {
  const shop = await open()
  const at = `${shop.url}/webhooks/${shop.merchant_id}/${shop.merchant_connector_id}`
  const forged = { event_type: 'PAYMENT.CAPTURE.COMPLETED', resource: { id: 'X' } }
  const headers = {
    ...{ 'paypal-auth-algo': 'SHA256withRSA', 'paypal-cert-url': 'https://api.paypal.com/cert', 'paypal-transmission-id': 't1' },
    ...{ 'paypal-transmission-sig': 'c2ln', 'paypal-transmission-time': '2026-03-01T10:00:00Z' },
  }
  isRefused(await http('POST', at, forged, headers), 401, 'WE_01')
  isRefused(await http('POST', at, forged), 401, 'WE_01')
  const uneven = await shop.tryToPay({ amount: 1250, currency: 'HUF' })
  ok(uneven.status >= 400, uneven.text)
  deepEqual(await shop.processor.operations(), [])
})

test('a payment with an invalid API key fails with an account configuration error', async () => {
  const wrong = await open({ sandboxKey: 'sk_test_invalid', webhooks: 'off' })
  const refused = await wrong.pay()
  deepEqual([refused.status, refused.unified_code], ['failed', 'UE_2000'])
})

async function openPayer() {
  const shop = await openShop({ connector: 'paypal' })
  const account = await addAccount(shop, 'paypal', {
    connector_type: 'payout_processor',
    connector_label: 'payouts',
    connector_account_details: keysOf('paypal', `sandbox_${shop.merchant_id}`),
    connector_webhook_details: { merchant_secret: shop.webhook_secret },
  })
  const webhook_url = `${shop.url}/webhooks/${shop.merchant_id}/${account.merchant_connector_id}`
  await shop.processor.account({ webhook_url, webhook_secret: shop.webhook_secret })
  const payOut = async (end: string): Promise<Body> =>
    (await shop.post('/payouts/create', payOutBody({ to: recipients.wallet(end), auto_fulfill: true }))).body
  const statusOf = async ({ payout_id }: Body): Promise<string> =>
    (await shop.call('GET', `/payouts/${payout_id}?force_sync=true`)).body.status
  const paid = async () => ((await shop.processor.ledger()) as Body).payouts.map(({ amount, status }: Body) => [amount, status])
  return { ...shop, payOut, statusOf, paid }
}

test('a wallet payout succeeds; one to an unregistered recipient is ineligible, and an unclaimed one is cancelled or expires', async () => {
  const shop = await openPayer()
  const paid = await shop.payOut(ends.approves)
  equal(paid.status, 'initiated', JSON.stringify(paid))
  await delivered(shop)
  equal(await shop.statusOf(paid), 'success')
  const unregistered = await shop.payOut(ends.ineligible)
  await delivered(shop)
  equal(await shop.statusOf(unregistered), 'ineligible')
  const unclaimed = await shop.payOut(ends.waits)
  const called = await shop.post(`/payouts/${unclaimed.payout_id}/cancel`, { payout_id: unclaimed.payout_id })
  equal(called.body.status, 'cancelled', called.text)
  const left = await shop.payOut(ends.waits)
  await shop.wait('31 days')
  await delivered(shop)
  equal(await shop.statusOf(left), 'expired')
  deepEqual(await shop.paid(), [
    [9900, 'paid'],
    [9900, 'declined'],
    [9900, 'cancelled'],
    [9900, 'expired'],
  ])
})

test('a payout whose response is lost is not sent again, and is completed by its webhook', async () => {
  const shop = await openPayer()
  await shop.processor.fault('payout', 'reset_after')
  const lost = await shop.payOut(ends.approves)
  equal(lost.status, 'pending')
  await delivered(shop)
  await delivered(shop)
  equal(await shop.statusOf(lost), 'success')
  deepEqual(await shop.paid(), [[9900, 'paid']])
})

test('a dispute is received, contested with evidence, lost, appealed and won; another is accepted', async () => {
  const shop = await open()
  const one = await disputed(shop, { amount: 800 })
  equal(stands(one.dispute), 'dispute dispute_opened')
  deepEqual([one.dispute.amount, one.dispute.connector_dispute_id, one.dispute.connector_reason], ['800', one.remote.id, 'UNAUTHORISED'])
  equal((await attach(shop, { dispute_id: one.dispute_id, evidence_type: 'receipt' }, { bytes: files.pdf })).status, 200)
  const submitted = await shop.post('/disputes/evidence', { dispute_id: one.dispute_id, uncategorized_text: 'It was sent.' })
  equal(submitted.status, 200, submitted.text)
  equal(stands(await getDispute(shop, one.dispute_id)), 'dispute dispute_challenged')
  await decide(shop, one.remote, { status: 'lost' })
  await delivered(shop)
  equal(stands(await getDispute(shop, one.dispute_id)), 'pre_arbitration dispute_opened')
  const appealed = await shop.post('/disputes/evidence', { dispute_id: one.dispute_id, uncategorized_text: 'It was signed for.' })
  equal(appealed.status, 200, appealed.text)
  equal(stands(await getDispute(shop, one.dispute_id)), 'pre_arbitration dispute_challenged')
  await decide(shop, one.remote, { status: 'won' })
  await delivered(shop)
  equal(stands(await getDispute(shop, one.dispute_id)), 'pre_arbitration dispute_won')
  const other = await disputed(shop)
  const accepted = await shop.post(`/disputes/accept/${other.dispute_id}`, {})
  equal(accepted.status, 200, accepted.text)
  await delivered(shop)
  equal(stands(await getDispute(shop, other.dispute_id)), 'dispute dispute_accepted')
})

const settingUp = { ...agreeing, amount: 0 }

test('a wallet is saved without a charge once the customer agrees at PayPal, and is charged later', async () => {
  const shop = await open()
  const begun = await begin(shop, settingUp)
  deepEqual([begun.status, begun.next_action?.type], ['requires_customer_action', 'redirect_to_url'], begun.error_message)
  const back = (await http('POST', `${await pageOf(begun)}/accept`, '')).headers.location as string
  await Promise.all([http('GET', back), http('GET', back)])
  await http('GET', back)
  await delivered(shop)
  const kept = await shop.get(begun.payment_id)
  deepEqual([kept.status, kept.amount_received ?? 0, kept.amount_capturable], ['succeeded', 0, 0], kept.error_message)
  ok(kept.connector_mandate_id)
  const again = await shop.post('/payments', chargedBy(kept.payment_method_id))
  deepEqual([again.body.status, again.body.amount_received], ['succeeded', 700], again.text)
  deepEqual(
    (await charged(shop)).filter(([captured]) => captured !== 0),
    [[700, 0, 'captured']],
  )
})

test('a wallet setup that the customer rejects or abandons, or the merchant cancels, saves nothing', async () => {
  const shop = await open()
  const rejected = await begin(shop, settingUp)
  await visit(rejected, 'reject')
  const failed = await shop.get(rejected.payment_id)
  deepEqual([failed.status, failed.error_code, failed.connector_mandate_id], ['failed', 'CANCELLED', null])
  const off = await begin(shop, settingUp)
  const page = await pageOf(off)
  equal((await shop.cancel(off.payment_id)).body.status, 'cancelled')
  await http('GET', (await http('POST', `${page}/accept`, '')).headers.location as string)
  await shop.wait('2 hours')
  const called = await shop.get(off.payment_id)
  deepEqual([called.status, called.connector_mandate_id], ['cancelled', null])
  const left = await begin(shop, settingUp)
  await shop.wait('1 day')
  equal((await shop.get(left.payment_id)).status, 'requires_customer_action')
  for (let day = 0; day < 4; day++) await shop.wait('1 day')
  equal((await shop.get(left.payment_id)).status, 'failed')
})

test('a card is saved without a charge, with and without 3-D Secure; a declined one is not', async () => {
  const shop = await open()
  const kept = await shop.pay(settingUp)
  deepEqual([kept.status, kept.amount_received ?? 0], ['succeeded', 0], kept.error_message)
  const again = await shop.post('/payments', chargedBy(kept.payment_method_id))
  equal(again.body.status, 'succeeded', again.text)
  equal((await shop.pay({ ...settingUp, card: cards.declines })).status, 'failed')
  const challenged = () => shop.pay({ ...settingUp, card: cards.challenges, authentication_type: 'three_ds' })
  const [good, bad] = [await challenged(), await challenged()]
  await visit(good, 'accept')
  await visit(bad, 'reject')
  const ends = [await shop.get(good.payment_id), await shop.get(bad.payment_id)]
  deepEqual(
    ends.map(({ status, error_code }) => [status, error_code]),
    [
      ['succeeded', null],
      ['failed', 'FAILED'],
    ],
  )
  ok(ends[0]!.connector_mandate_id)
})

test('a wallet or card whose setup response is lost is saved, or the setup fails', async () => {
  const shop = await open({ webhooks: 'off' })
  for (const fault of ['reset_after', '500_after', 'reset_before', '500_before']) {
    const begun = await begin(shop, settingUp)
    await shop.processor.fault('authorize', fault)
    await visit(begun, 'accept')
    await shop.wait('1 minute')
    await shop.wait('5 hours')
    const kept = await shop.get(begun.payment_id)
    deepEqual([kept.status, typeof kept.connector_mandate_id], ['succeeded', 'string'], fault)
    equal((await shop.post('/payments', chargedBy(kept.payment_method_id))).body.status, 'succeeded', fault)
  }
  await shop.processor.fault('order', '500_after')
  equal((await begin(shop, settingUp)).status, 'failed', 'without a setup token nothing can be kept')
  for (const [fault, status] of [
    ['reset_after', 'succeeded'],
    ['reset_before', 'failed'],
  ]) {
    await shop.processor.fault('authorize', fault!)
    const { payment_id } = await shop.pay(settingUp)
    await shop.wait('10 minutes')
    equal((await shop.get(payment_id)).status, status, fault)
  }
})
