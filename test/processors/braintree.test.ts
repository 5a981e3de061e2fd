import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import braintreeSdk from 'braintree'
import { attach, disputed, files, getDispute, kept, stands } from '../disputes.ts'
import { loseAuthorizations, loseCapture, loseRequest } from '../lost-answers.ts'
import { type Body, cards, http, openShop } from '../shop.ts'

/**
 * A merchant with a Braintree account, at the sandbox's imitation of Braintree: a transaction that is not settled is
 * voided, a settled one is refunded, and each settles within a day.
 */

const open = (more: Parameters<typeof openShop>[0] = {}) => openShop({ connector: 'braintree', webhooks: 'on', ...more })
const agreed = {
  customer_id: 'ada',
  setup_future_usage: 'off_session',
  customer_acceptance: { acceptance_type: 'online', online: { ip_address: '203.0.113.7', user_agent: 'x' } },
}

test('a Braintree test card is approved, and the payment shows its network transaction id', async () => {
  const shop = await open()
  const paid = await shop.pay()
  deepEqual([paid.status, paid.amount_received, paid.connector, paid.error_code], ['succeeded', 1250, 'braintree', null])
  match(paid.connector_transaction_id, /^[A-Za-z0-9+/]{20,}$/)
  match(paid.network_transaction_id, /^\w{15}$/)
  deepEqual(
    (await shop.processor.charges()).map(charge => [charge.captured, charge.status]),
    [[1250, 'captured']],
  )
})

test('a payment uses the merchant account of its currency, and fails unsent if there is none', async () => {
  const shop = await open({ metadata: { merchant_accounts: 'USD=shop_usd,JPY=shop_jpy' } })
  const yen = await shop.pay({ amount: 1250, currency: 'JPY' })
  deepEqual([yen.status, yen.amount_received], ['succeeded', 1250])
  deepEqual(
    (await shop.processor.charges()).map(charge => [charge.amount, charge.currency]),
    [[1250, 'JPY']],
  )
  const euro = await shop.pay({ currency: 'EUR' })
  deepEqual([euro.status, euro.error_code], ['failed', 'not_sent'])
  equal((await shop.processor.charges()).length, 1)
})

test('a declined payment shows its error code, and nothing is charged', async () => {
  const shop = await open()
  for (const [ask, error_code] of [
    [{ card: cards.declines }, '2000'],
    [{ card: cards.hasNoMoney }, '2001'],
    [{ card: cards.isLost }, '2012'],
    [{ card: cards.challenges }, '2099'],
    [{ amount: 201_500 }, '2015'],
    [{ amount: 300_000 }, '3000'],
    [{ amount: 500_100 }, 'FRAUD'],
    [{ card: '4242424242424241' }, null],
  ] as const) {
    const { body: payment } = await shop.tryToPay(ask)
    if (error_code === null) equal(payment.error?.code?.startsWith('IR_'), true, 'it is refused before anything is sent')
    else deepEqual([payment.status, payment.error_code], ['failed', error_code], JSON.stringify(ask))
  }
  equal((await shop.processor.charges()).length, 0)
})

test('a manual capture that fails at settlement puts the payment in review', async () => {
  const shop = await open()
  const hold = await shop.hold({ card: '4000000000000382' })
  equal((await shop.capture(hold.payment_id)).body.status, 'succeeded')
  await shop.wait('3 days')
  const after = await shop.get(hold.payment_id)
  deepEqual([after.status, after.error_code], ['review', '4001'])
})

test('a payment with an invalid API key fails with an account configuration error', async () => {
  const wrong = await open({ sandboxKey: 'private_invalid', webhooks: 'off' })
  const refused = await wrong.pay()
  deepEqual([refused.status, refused.unified_code, refused.error_code], ['failed', 'UE_2000', 'AUTHENTICATION'])
})

test('an authorization is captured once, and the uncaptured rest is released', async () => {
  const shop = await open()
  const hold = await shop.hold()
  deepEqual([hold.status, hold.amount_capturable], ['requires_capture', 1250])
  const { body } = await shop.capture(hold.payment_id, 500)
  deepEqual([body.status, body.amount_received, body.amount_capturable], ['partially_captured', 500, 0])
  await shop.wait('2 days')
  const settled = await shop.sync(hold.payment_id)
  deepEqual([settled.status, settled.amount_received], ['partially_captured', 500])
  deepEqual(
    (await shop.processor.charges()).map(charge => [charge.captured, charge.status]),
    [[500, 'captured']],
  )
})

test('an authorization is voided, or expires if it is not captured', async () => {
  const shop = await open()
  const hold = await shop.hold()
  equal((await shop.cancel(hold.payment_id)).body.status, 'cancelled')
  const other = await shop.hold()
  await shop.wait('8 days')
  equal((await shop.sync(other.payment_id)).status, 'expired')
  equal((await shop.processor.charges()).filter(charge => charge.captured > 0).length, 0)
})

test('an incremental authorization is applied even if its response is lost', async () => {
  const shop = await open()
  const hold = await shop.hold({ request_incremental_authorization: true })
  const raise = (amount: number) => shop.post(`/payments/${hold.payment_id}/incremental_authorization`, { amount })
  equal((await raise(2000)).body.amount_capturable, 2000)
  await shop.processor.fault('increment', 'reset_after')
  await raise(2500)
  await shop.wait('1 minute')
  equal((await shop.get(hold.payment_id)).amount_capturable, 2500)
  await shop.processor.fault('increment', 'decline')
  const refused = (await raise(3000)).body
  deepEqual([refused.amount_capturable, refused.error_code], [2500, '95602'])
  equal((await shop.capture(hold.payment_id)).body.amount_received, 2500)
  equal((await shop.processor.charges())[0]!.captured, 2500)
})

test('an unsettled payment is refunded in full as a void, but not in part; a settled one is refunded in parts', async () => {
  const shop = await open()
  const [first, second] = [await shop.pay(), await shop.pay()]
  const whole = await shop.refund(first.payment_id)
  equal(whole.body.status, 'succeeded')
  const early = await shop.refund(second.payment_id, 500)
  deepEqual([early.body.status, early.body.error_code], ['failed', '91506'])
  await shop.wait('1 day')
  const parts = [await shop.refund(second.payment_id, 500), await shop.refund(second.payment_id, 750)]
  for (const { body, text } of parts) equal(body.status, 'pending', text)
  await shop.wait('2 days')
  for (const { body } of parts) equal((await shop.getRefund(body.refund_id)).status, 'succeeded')
  deepEqual(
    (await shop.processor.charges()).map(({ captured, refunded }) => [captured, refunded]),
    [
      [1250, 1250],
      [1250, 1250],
    ],
  )
  for (const { payment_id } of [first, second]) {
    const { status, amount_received } = await shop.sync(payment_id)
    deepEqual([status, amount_received], ['succeeded', 1250], 'it was paid, and given back')
  }
})

test('a refund that fails after it was accepted is marked failed, by webhook or by poll', async () => {
  for (const webhooks of ['on', 'off'] as const) {
    const shop = await open({ webhooks })
    const paid = await shop.pay({ card: cards.refundsFailLater })
    await shop.wait('1 day')
    const { body } = await shop.refund(paid.payment_id, 500)
    equal(body.status, 'pending')
    await shop.wait('2 minutes')
    const failed = await shop.getRefund(body.refund_id)
    deepEqual([failed.status, failed.error_code], ['failed', '2046'], webhooks)
  }
})

test('a post-capture void voids an unsettled payment and refunds a settled one', async () => {
  const shop = await open()
  const undo = async (payment_id: string) => (await shop.post(`/payments/${payment_id}/cancel_post_capture`, {})).body as Body
  const paid = await shop.pay()
  const undone = await undo(paid.payment_id)
  deepEqual([undone.status, undone.state_metadata.post_capture_void.status], ['cancelled_post_capture', 'succeeded'])
  const late = await shop.pay()
  await shop.wait('2 days')
  await shop.processor.fault('void', 'reset_after')
  await undo(late.payment_id)
  await shop.wait('2 days')
  const found = await shop.get(late.payment_id)
  deepEqual([found.status, found.state_metadata.post_capture_void.status], ['cancelled_post_capture', 'succeeded'])
  deepEqual(
    (await shop.processor.charges()).map(({ captured, refunded }) => [captured, refunded]),
    [
      [1250, 1250],
      [1250, 1250],
    ],
  )
})

test('a capture or refund that the issuer refuses is reported with its error code', async () => {
  const shop = await open()
  const hold = await shop.hold({ card: cards.refusesCaptures })
  const { body } = await shop.capture(hold.payment_id)
  deepEqual([body.amount_received, body.error_code], [null, '4001'])
  const paid = await shop.pay({ card: cards.refusesRefunds })
  await shop.wait('1 day')
  const refund = (await shop.refund(paid.payment_id, 500)).body
  deepEqual([refund.status, refund.error_code], ['failed', '915200'])
})

test('a payment whose response is lost is looked up by its reference and charged once; one that never arrived fails', async () => {
  const shop = await open({ webhooks: 'off' })
  await loseAuthorizations(shop)
  await loseRequest(shop, 'the search may be behind')
})

test('a capture, void or refund whose response is lost moves money once', async () => {
  const shop = await open({ webhooks: 'off' })
  const hold = await loseCapture(shop)
  await shop.processor.fault('void', 'truncate_after')
  const voided = (await shop.refund(hold.payment_id)).body
  await shop.wait('1 minute')
  equal((await shop.getRefund(voided.refund_id)).status, 'succeeded')
  const paid = await shop.pay()
  await shop.wait('1 day')
  await shop.processor.fault('refund', '500_after')
  const { body } = await shop.refund(paid.payment_id, 300)
  await shop.wait('1 minute')
  equal((await shop.getRefund(body.refund_id)).status, 'pending')
  await shop.wait('2 days')
  equal((await shop.getRefund(body.refund_id)).status, 'succeeded')
  const released = await shop.hold()
  await shop.processor.fault('void', 'reset_after')
  await shop.cancel(released.payment_id)
  await shop.wait('1 minute')
  equal((await shop.get(released.payment_id)).status, 'cancelled')
  deepEqual(
    (await shop.processor.charges()).map(({ captured, refunded }) => [captured, refunded]),
    [
      [800, 800],
      [1250, 300],
      [0, 0],
    ],
  )
})

test('a payment whose response has another amount, currency or reference becomes conflicted', async () => {
  const shop = await open()
  for (const card of [cards.echoesAnotherAmount, cards.echoesAnotherCurrency, cards.echoesAnotherReference])
    equal((await shop.pay({ card })).status, 'conflicted', card)
})

test('a payment that is refused by a rate limit is retried, and charged once', async () => {
  const shop = await open()
  await shop.processor.fault('authorize', '429_before')
  const paid = await shop.pay()
  equal(paid.status, 'succeeded', paid.error_message)
  equal((await shop.processor.charges()).length, 1)
})

test('a saved card is charged again without the customer', async () => {
  const shop = await open()
  const first = await shop.pay(agreed)
  equal(first.status, 'succeeded')
  match(first.connector_mandate_id, /^paymentmethod_\w+$/)
  const again = await shop.post('/payments', {
    ...{ amount: 700, currency: 'USD', confirm: true, customer_id: 'ada', off_session: true },
    recurring_details: { type: 'payment_method_id', data: first.payment_method_id },
  })
  deepEqual([again.body.status, again.body.amount_received], ['succeeded', 700])
  deepEqual(
    (await shop.processor.charges()).map(({ by, captured }) => [by, captured]),
    [
      [undefined, 1250],
      ['mandate', 700],
    ],
  )
})

test('a card is charged by the network transaction id of a payment elsewhere', async () => {
  const shop = await open()
  const { body } = await shop.post('/payments', {
    ...{ amount: 700, currency: 'USD', confirm: true, off_session: true, customer_id: 'ada' },
    payment_method: 'card',
    recurring_details: {
      type: 'network_transaction_id_and_card_details',
      data: {
        ...{ card_number: cards.approves, card_exp_month: '12', card_exp_year: '2040' },
        network_transaction_id: '638284745624527',
      },
    },
  })
  deepEqual([body.status, body.amount_received], ['succeeded', 700], JSON.stringify(body.error))
  equal((await shop.processor.charges())[0]!.by, 'network_transaction_id')
})

test('a card is verified without a charge, and saved; a declined one fails', async () => {
  const shop = await open()
  const verified = await shop.pay({ amount: 0, ...agreed })
  equal(verified.status, 'succeeded', verified.error_message)
  match(verified.connector_mandate_id, /^paymentmethod_\w+$/)
  const refused = await shop.pay({ amount: 0, ...agreed, card: cards.declines })
  deepEqual([refused.status, refused.error_code], ['failed', '2000'])
})

test('the result of 3-D Secure that was run elsewhere is accepted for a payment and a verification', async () => {
  const shop = await open()
  const proof = {
    ...{ authentication_cryptogram: { cavv: { authentication_cryptogram: 'AgAAAAAAAIR8CQrXcIhbQAAAAAA=' } } },
    ...{ ds_trans_id: 'c4e59ceb-a382-4d6a-bc87-385d591fa09d', eci: '05', transaction_status: 'Y', version: '2.2.0' },
  }
  const paid = await shop.pay({ card: cards.challenges, three_ds_data: proof })
  equal(paid.status, 'succeeded', paid.error_message)
  const verified = await shop.pay({ amount: 0, ...agreed, card: cards.challenges, three_ds_data: proof })
  equal(verified.status, 'succeeded', verified.error_message)
  const exempt = await shop.pay({ amount: 0, ...agreed, psd2_sca_exemption_type: 'low_value' })
  equal(exempt.status, 'failed')
  match(exempt.error_message, /^psd2_sca_exemption_type /)
})

const disputeShop = () => open() as ReturnType<typeof open>

test('a dispute is received, answered with texts and a file, and won', async () => {
  const shop = await disputeShop()
  const { payment, dispute, dispute_id, remote } = await disputed(shop, { amount: 800 })
  equal(stands(dispute), 'dispute dispute_opened')
  deepEqual([dispute.amount, dispute.connector_dispute_id, dispute.connector_reason], ['800', remote.id, 'FRAUD'])
  match(dispute.challenge_required_by, /T23:59:59/)
  equal(await kept(shop, payment.payment_id), 800)
  const file = await attach(shop, { dispute_id, evidence_type: 'receipt' }, { bytes: files.pdf })
  const submitted = await shop.post('/disputes/evidence', {
    ...{ dispute_id, receipt: file.body.file_id, shipping_tracking_number: 'RR12' },
    uncategorized_text: 'winning_evidence',
  })
  equal(submitted.status, 200, submitted.text)
  await shop.wait('1 minute')
  equal(stands(await getDispute(shop, dispute_id)), 'dispute dispute_won')
  equal(await kept(shop, payment.payment_id), 0)
})

test('a dispute is accepted even if the response is lost', async () => {
  const shop = await disputeShop()
  const { dispute_id } = await disputed(shop)
  await shop.processor.fault('dispute', 'reset_after')
  await shop.post(`/disputes/accept/${dispute_id}`, {})
  await shop.wait('5 minutes')
  equal(stands(await getDispute(shop, dispute_id, '?force_sync=true')), 'dispute dispute_accepted')
})

test('webhooks signed by the Braintree library are accepted; forged and duplicate ones change nothing', async () => {
  const shop = await open({ webhooks: 'off' })
  const key = `sandbox_${shop.merchant_id}`
  const { webhookTesting } = new braintreeSdk.BraintreeGateway({
    ...{ environment: braintreeSdk.Environment.Sandbox, merchantId: key, publicKey: key, privateKey: key },
  })
  const paid = await shop.pay()
  const remote = await shop.processor.call('POST', `/control/payments/${paid.connector_transaction_id}/dispute`, {})
  const sample = await webhookTesting.sampleNotification('dispute_opened' as never, remote.id)
  const send = (signature: string, payload: string) =>
    http(
      'POST',
      `${shop.url}/webhooks/${shop.merchant_id}/${shop.merchant_connector_id}`,
      new URLSearchParams({ bt_signature: signature, bt_payload: payload }).toString(),
      { 'content-type': 'application/x-www-form-urlencoded' },
    )
  equal((await send(`${key}|${'0'.repeat(40)}`, sample.bt_payload)).status, 401)
  equal((await shop.get(paid.payment_id)).disputes ?? null, null)
  for (let i = 0; i < 2; i++) equal((await send(sample.bt_signature, sample.bt_payload)).status, 200)
  equal((await shop.get(paid.payment_id)).disputes.length, 1)
})
