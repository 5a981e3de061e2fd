import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { cards, http, openShop, type PayAsk, type Shop } from './shop.ts'

/**
 * A merchant with a Checkout.com account, at the sandbox's dialect of it: payments are answered, everything that is
 * done to them is only received.
 */

const open = (more: Parameters<typeof openShop>[0] = {}) => openShop({ connector: 'checkout', webhooks: 'on', ...more })
/** What was announced has arrived, and was asked about. */
const delivered = (shop: Shop) => shop.wait('1 second')

test("Checkout.com's test card pays; what the network said of it is shown", async () => {
  const shop = await open()
  const paid = await shop.pay()
  deepEqual([paid.status, paid.amount_received, paid.connector], ['succeeded', 1250, 'checkout'])
  match(paid.connector_transaction_id, /^pay_\w+$/)
  match(paid.network_transaction_id, /^\w{15}$/)
  deepEqual(
    (await shop.processor.charges()).map(charge => [charge.captured, charge.status]),
    [[1250, 'captured']],
  )
})

test('each refusal says why, and charges nothing', async () => {
  const shop = await open()
  for (const [amount, error_code, unified_code] of [
    [1205, '20005', 'UE_1000'],
    [1251, '20051', 'UE_1000'],
    [1254, '30033', 'UE_1000'],
  ] as const) {
    const payment = await shop.pay({ amount })
    deepEqual([payment.status, payment.error_code, payment.unified_code], ['failed', error_code, unified_code])
  }
  equal((await shop.processor.charges()).length, 0)
})

test("a key that opens nothing is the account's fault, and said so; it is not kept as good", async () => {
  const wrong = await open({ sandboxKey: 'sk_test_invalid', webhooks: 'off' })
  const refused = await wrong.pay()
  deepEqual([refused.status, refused.unified_code, refused.error_code], ['failed', 'UE_2000', '401'])
})

async function challenged(shop: Shop, says: 'accept' | 'reject', ask: PayAsk = {}) {
  const payment = await shop.pay({ card: cards.challenges, authentication_type: 'three_ds', ...ask })
  deepEqual([payment.status, payment.next_action.type], ['requires_customer_action', 'redirect_to_url'])
  const page = (await http('GET', payment.next_action.redirect_to_url)).headers.location as string
  const back = (await http('POST', `${page}/${says}`, '')).headers.location as string
  await http('GET', back)
  return await shop.get(payment.payment_id)
}

test('a customer who passes the challenge has paid, also if no webhook comes; one who does not has not', async () => {
  for (const webhooks of ['on', 'off'] as const) {
    const shop = await open({ webhooks })
    const paid = await challenged(shop, 'accept')
    deepEqual([paid.status, paid.amount_received], ['succeeded', 1250], webhooks)
    const failed = await challenged(shop, 'reject')
    deepEqual([failed.status, failed.error_code], ['failed', '20151'], webhooks)
    equal((await shop.processor.charges()).length, 1)
  }
})

test('a hold is captured in parts once Checkout.com says so; the rest is let go', async () => {
  const shop = await open()
  const hold = await shop.hold({ capture_method: 'manual_multiple' })
  deepEqual([hold.status, hold.amount_capturable], ['requires_capture', 1250])
  equal((await shop.capture(hold.payment_id, 500)).body.status, 'processing')
  await delivered(shop)
  const part = await shop.get(hold.payment_id)
  deepEqual([part.status, part.amount_received, part.amount_capturable], ['partially_captured_and_capturable', 500, 750])
  await shop.capture(hold.payment_id, 750)
  await delivered(shop)
  deepEqual([(await shop.get(hold.payment_id)).status, (await shop.processor.charges())[0]!.captured], ['succeeded', 1250])
})

test('captures, voids and refunds whose news never comes are found among the actions of their payment', async () => {
  const shop = await open({ webhooks: 'off' })
  const hold = await shop.hold()
  await shop.capture(hold.payment_id, 500)
  const other = await shop.hold()
  await shop.cancel(other.payment_id)
  await shop.wait('1 minute')
  const captured = await shop.get(hold.payment_id)
  deepEqual([captured.status, captured.amount_received], ['partially_captured', 500])
  equal((await shop.get(other.payment_id)).status, 'cancelled')
  const { body: refund } = await shop.refund(hold.payment_id, 200)
  equal(refund.status, 'pending')
  await shop.wait('1 minute')
  equal((await shop.getRefund(refund.refund_id)).status, 'succeeded')
  equal((await shop.processor.charges())[0]!.refunded, 200)
})

test('what Checkout.com took on and then refused is told: the hold lives, the money is there', async () => {
  const shop = await open()
  const capture = await shop.hold({ card: cards.refusesCaptures })
  await shop.capture(capture.payment_id)
  const cancel = await shop.hold({ card: cards.refusesVoids })
  await shop.cancel(cancel.payment_id)
  const paid = await shop.pay({ card: cards.refusesRefunds })
  const { body: refund } = await shop.refund(paid.payment_id, 500)
  await delivered(shop)
  for (const { payment_id } of [capture, cancel]) {
    const { status, amount_capturable } = await shop.get(payment_id)
    deepEqual([status, amount_capturable], ['requires_capture', 1250])
  }
  equal((await shop.getRefund(refund.refund_id)).status, 'failed')
})

test('an answer that was lost is looked up by our reference: charged once or not at all, and said so', async () => {
  const shop = await open({ webhooks: 'off' })
  for (const fault of ['reset_after', '500_after', 'html_after', 'empty_after', 'truncate_after'] as const) {
    await shop.processor.fault('authorize', fault)
    const payment = await shop.pay()
    equal(payment.status, 'processing', fault)
    await shop.wait('1 minute')
    equal((await shop.get(payment.payment_id)).status, 'succeeded', fault)
  }
  equal((await shop.processor.charges()).length, 5)
  await shop.processor.fault('authorize', 'reset_before')
  const payment = await shop.pay()
  await shop.wait('10 minutes')
  equal((await shop.get(payment.payment_id)).status, 'processing', 'it may not be in the list yet')
  await shop.wait('2 hours')
  equal((await shop.get(payment.payment_id)).status, 'failed')
  equal((await shop.processor.charges()).length, 5)
})

test('a lost answer to a capture or a refund moves money once', async () => {
  const shop = await open({ webhooks: 'off' })
  const hold = await shop.hold()
  await shop.processor.fault('capture', 'reset_after')
  await shop.capture(hold.payment_id, 800)
  await shop.wait('1 minute')
  equal((await shop.get(hold.payment_id)).status, 'partially_captured')
  await shop.processor.fault('refund', '500_after')
  const { body } = await shop.refund(hold.payment_id, 300)
  await shop.wait('1 minute')
  equal((await shop.getRefund(body.refund_id)).status, 'succeeded')
  const [charge] = await shop.processor.charges()
  deepEqual([charge!.captured, charge!.refunded], [800, 300])
})

test('a card is kept, and charged again without its customer by its source and the payment that kept it', async () => {
  const shop = await open()
  const first = await shop.pay({
    customer_id: 'ada',
    setup_future_usage: 'off_session',
    customer_acceptance: { acceptance_type: 'online', online: { ip_address: '203.0.113.7', user_agent: 'x' } },
  })
  equal(first.status, 'succeeded')
  match(first.connector_mandate_id, /^src_\w+\/pay_\w+$/)
  const again = await shop.post('/payments', {
    amount: 700,
    currency: 'USD',
    confirm: true,
    customer_id: 'ada',
    off_session: true,
    recurring_details: { type: 'payment_method_id', data: first.payment_method_id },
  })
  deepEqual([again.body.status, again.body.amount_received], ['succeeded', 700])
})

test('a card is verified without money', async () => {
  const shop = await open()
  const verified = await shop.pay({
    amount: 0,
    customer_id: 'ada',
    setup_future_usage: 'off_session',
    customer_acceptance: { acceptance_type: 'online', online: { ip_address: '203.0.113.7', user_agent: 'x' } },
  })
  equal(verified.status, 'succeeded')
})
