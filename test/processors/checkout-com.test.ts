import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { attach, decide, disputed, files, getDispute, kept, stands } from '../disputes.ts'
import { loseAuthorizations, loseCapture, loseRefund, loseRequest } from '../lost-answers.ts'
import { addAccount, keysOf } from '../merchant.ts'
import { ends, payOutBody, recipients } from '../payout-shop.ts'
import { type Body, cards, http, openShop, type PayAsk, type Shop } from '../shop.ts'

/**
 * A merchant with a Checkout.com account, at the sandbox's imitation of Checkout.com: payments are answered with their
 * result, operations on them are only acknowledged.
 */

const open = (more: Parameters<typeof openShop>[0] = {}) => openShop({ connector: 'checkout', webhooks: 'on', ...more })
/**
 * Lets the webhooks that are due arrive, and the polls that they cause. A webhook may arrive before the answer to the
 * operation that it is about: the operation is then polled within a minute.
 */
async function delivered(shop: Shop): Promise<void> {
  await shop.processor.advance(0)
  await shop.wait('1 minute')
}

test('a Checkout.com test card is approved, and the payment shows its network transaction id', async () => {
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

test('a declined payment shows its error code, and nothing is charged', async () => {
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

test('a payment with an invalid API key fails with an account configuration error', async () => {
  const wrong = await open({ sandboxKey: 'sk_test_invalid', webhooks: 'off' })
  const refused = await wrong.pay()
  deepEqual([refused.status, refused.unified_code, refused.error_code], ['failed', 'UE_2000', '401'])
})

async function challenged(shop: Shop, verdict: 'accept' | 'reject', ask: PayAsk = {}) {
  const payment = await shop.pay({ card: cards.challenges, authentication_type: 'three_ds', ...ask })
  deepEqual([payment.status, payment.next_action.type], ['requires_customer_action', 'redirect_to_url'])
  const page = (await http('GET', payment.next_action.redirect_to_url)).headers.location as string
  const back = (await http('POST', `${page}/${verdict}`, '')).headers.location as string
  await http('GET', back)
  return await shop.get(payment.payment_id)
}

test('a payment succeeds if the challenge is passed and fails if not, with or without webhooks', async () => {
  for (const webhooks of ['on', 'off'] as const) {
    const shop = await open({ webhooks })
    const paid = await challenged(shop, 'accept')
    deepEqual([paid.status, paid.amount_received], ['succeeded', 1250], webhooks)
    const failed = await challenged(shop, 'reject')
    deepEqual([failed.status, failed.error_code], ['failed', '20151'], webhooks)
    equal((await shop.processor.charges()).length, 1)
  }
})

test('an authorization is captured in parts, each once Checkout.com confirms it', async () => {
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

test('an incremental authorization is applied once even if its response is lost; a refused one changes nothing', async () => {
  const shop = await open({ webhooks: 'off' })
  const hold = await shop.hold({ request_incremental_authorization: true })
  const raise = (amount: number) => shop.post(`/payments/${hold.payment_id}/incremental_authorization`, { amount })
  equal((await raise(2000)).body.amount_capturable, 2000)
  await shop.processor.fault('increment', 'reset_after')
  await raise(2500)
  await shop.wait('1 minute')
  equal((await shop.get(hold.payment_id)).amount_capturable, 2500)
  await shop.processor.fault('increment', 'decline')
  equal((await raise(3000)).body.amount_capturable, 2500)
  await shop.processor.fault('increment', 'reset_before')
  await raise(3500)
  await shop.wait('10 minutes')
  equal((await raise(4000)).status, 422, 'one is not known yet')
  await shop.wait('2 hours')
  equal((await shop.get(hold.payment_id)).amount_capturable, 2500)
  equal((await shop.capture(hold.payment_id)).body.status, 'processing')
  await shop.wait('1 minute')
  deepEqual([(await shop.get(hold.payment_id)).amount_received, (await shop.processor.charges())[0]!.captured], [2500, 2500])
})

test('captures, voids and refunds without a webhook are found by polling the actions of the payment', async () => {
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

test('a capture, void or refund that Checkout.com acknowledges and then refuses fails, and the authorization stays capturable', async () => {
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

test('a payment whose response is lost is looked up by its reference and charged once; one that never arrived fails', async () => {
  const shop = await open({ webhooks: 'off' })
  await loseAuthorizations(shop)
  await loseRequest(shop, 'it may not be in the list yet')
})

test('a capture or refund whose response is lost moves money once', async () => {
  const shop = await open({ webhooks: 'off' })
  const hold = await loseCapture(shop)
  await loseRefund(shop, hold)
  const [charge] = await shop.processor.charges()
  deepEqual([charge!.captured, charge!.refunded], [800, 300])
})

test('a saved card is charged again without the customer, by its source and its first payment', async () => {
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

test('a card is verified by a payment of amount 0', async () => {
  const shop = await open()
  const verified = await shop.pay({
    amount: 0,
    customer_id: 'ada',
    setup_future_usage: 'off_session',
    customer_acceptance: { acceptance_type: 'online', online: { ip_address: '203.0.113.7', user_agent: 'x' } },
  })
  equal(verified.status, 'succeeded')
})

const sealedBy = {
  apple_pay: (data: string) => ({
    payment_data: Buffer.from(JSON.stringify({ version: 'EC_v1', data, signature: 'x', header: {} })).toString('base64'),
    payment_method: { display_name: 'Visa 4242', network: 'Visa', type: 'debit' },
    transaction_identifier: 'apple-1',
  }),
  google_pay: (signedMessage: string) => ({
    type: 'CARD',
    description: 'Visa 1111',
    info: { card_network: 'VISA', card_details: '1111' },
    tokenization_data: {
      type: 'PAYMENT_GATEWAY',
      token: JSON.stringify({ protocolVersion: 'ECv2', signature: 'x', signedMessage }),
    },
  }),
}
const byWallet = (way: keyof typeof sealedBy, data: string, more: PayAsk = {}): PayAsk => ({
  payment_method: 'wallet',
  payment_method_type: way,
  payment_method_data: { wallet: { [way]: sealedBy[way](data) } },
  ...more,
})

test('Apple Pay and Google Pay payments are charged once, or declined with an error code', async () => {
  const shop = await open()
  for (const way of ['apple_pay', 'google_pay'] as const) {
    const paid = await shop.pay(byWallet(way, 'sealed-data-1234'))
    deepEqual([paid.status, paid.amount_received, paid.payment_method_type], ['succeeded', 1250, way])
    const declined = await shop.pay(byWallet(way, `sealed-${cards.declines}`))
    deepEqual([declined.status, declined.error_code], ['failed', '20005'], way)
  }
  equal((await shop.processor.charges()).length, 2)
})

test('a payment with unreadable wallet data fails, and nothing is sent', async () => {
  const shop = await open()
  const wrong = byWallet('apple_pay', 'x')
  const wallet = { apple_pay: { ...sealedBy.apple_pay('x'), payment_data: 'no json at all' } }
  const failed = await shop.pay({ ...wrong, payment_method_data: { wallet } })
  deepEqual([failed.status, failed.error_code], ['failed', 'payment_method'])
  equal((await shop.processor.operations()).length, 0)
})

test('a wallet authorization is captured in part, and a wallet payment whose response is lost is looked up', async () => {
  const shop = await open()
  const hold = await shop.hold(byWallet('google_pay', 'sealed-data-1234', { capture_method: 'manual_multiple' }))
  equal(hold.status, 'requires_capture')
  await shop.capture(hold.payment_id, 500)
  await delivered(shop)
  equal((await shop.get(hold.payment_id)).amount_received, 500)
  await shop.processor.fault('authorize', 'reset_after')
  const silent = await shop.pay(byWallet('apple_pay', 'sealed-data-1234'))
  equal(silent.status, 'processing')
  await shop.wait('1 minute')
  equal((await shop.get(silent.payment_id)).status, 'succeeded')
  equal((await shop.processor.charges()).length, 2)
})

const ada = { address: { first_name: 'Ada', last_name: 'Byron', country: 'NL' }, email: 'ada@example.com' }
const redirects: readonly [method: string, type: string, way: string, more: PayAsk][] = [
  ['wallet', 'paypal', 'paypal_redirect', { order_details: [{ product_name: 'Chair', quantity: 1, amount: 1250 }] }],
  ['wallet', 'twint', 'twint_redirect', { currency: 'CHF', billing: { ...ada, address: { ...ada.address, country: 'CH' } } }],
  ['bank_redirect', 'ideal', 'ideal', {}],
  ['bank_redirect', 'bancontact_card', 'bancontact_card', { billing: { ...ada, address: { ...ada.address, country: 'BE' } } }],
  ['bank_redirect', 'eps', 'eps', { billing: { ...ada, address: { ...ada.address, country: 'AT' } } }],
  ['bank_redirect', 'przelewy24', 'przelewy24', { currency: 'PLN', billing: { ...ada, address: { ...ada.address, country: 'PL' } } }],
  ['bank_transfer', 'multibanco', 'multibanco_bank_transfer', { billing: { ...ada, address: { ...ada.address, country: 'PT' } } }],
  ['card_redirect', 'knet', 'knet', { currency: 'KWD', billing: { ...ada, address: { ...ada.address, country: 'KW' } } }],
  ['card_redirect', 'benefit', 'benefit', { currency: 'BHD', billing: { ...ada, address: { ...ada.address, country: 'BH' } } }],
]

for (const [payment_method, payment_method_type, way, more] of redirects)
  test(`${payment_method_type}: a payment by redirect succeeds, and fails if its customer rejects it or never comes back`, async () => {
    const shop = await open()
    const ask: PayAsk = {
      ...{ currency: 'EUR', billing: ada, payment_method, payment_method_type, amount: 1250 },
      payment_method_data: { [payment_method]: { [way]: {} } },
      ...more,
    }
    const goes = async () => {
      const { status, body, text } = await shop.tryToPay(ask)
      deepEqual([status, body.status, body.next_action?.type], [200, 'requires_customer_action', 'redirect_to_url'], text)
      const page = (await http('GET', body.next_action.redirect_to_url)).headers.location as string
      return { page, payment_id: body.payment_id as string }
    }
    const paid = await goes()
    await http('GET', (await http('POST', `${paid.page}/accept`, '')).headers.location as string)
    const { status, amount_received } = await shop.get(paid.payment_id)
    deepEqual([status, amount_received], ['succeeded', 1250])
    const { body: refund } = await shop.refund(paid.payment_id, 500)
    await delivered(shop)
    equal((await shop.getRefund(refund.refund_id)).status, 'succeeded')
    const not = await goes()
    await http('GET', (await http('POST', `${not.page}/reject`, '')).headers.location as string)
    equal((await shop.get(not.payment_id)).status, 'failed')
    const gone = await goes()
    await shop.wait('1 day')
    equal((await shop.get(gone.payment_id)).status, 'failed')
    equal((await shop.processor.charges()).length, 1)
  })

test('a payment method in a currency that it does not support is refused, and nothing is sent', async () => {
  const shop = await open()
  const { status, body } = await shop.tryToPay({
    ...{ currency: 'USD', payment_method: 'bank_redirect', payment_method_type: 'ideal' },
    payment_method_data: { bank_redirect: { ideal: {} } },
  })
  deepEqual([status, body.error.code], [400, 'IR_39'])
  equal((await shop.processor.operations()).length, 0)
})

test('a dispute is received, answered with a file and texts, and won, and its amount is returned', async () => {
  const shop = await open()
  const { payment, dispute, dispute_id, remote } = await disputed(shop, { amount: 800 })
  equal(stands(dispute), 'dispute dispute_opened')
  deepEqual(
    [dispute.amount, dispute.connector_dispute_id, dispute.connector_reason, dispute.connector_reason_code],
    ['800', remote.id, 'fraudulent', '10.4'],
  )
  equal(await kept(shop, payment.payment_id), 800)
  equal((await attach(shop, { dispute_id, evidence_type: 'receipt' }, { bytes: files.pdf })).status, 200)
  const submitted = await shop.post('/disputes/evidence', { dispute_id, shipping_carrier: 'DHL', shipping_tracking_number: 'RR12' })
  deepEqual([submitted.status, stands(submitted.body)], [200, 'dispute dispute_challenged'], submitted.text)
  const ledger = (await shop.processor.ledger()) as { disputes: { id: string; evidence: Record<string, string> }[] }
  const { invoice_or_receipt_file, ...texts } = ledger.disputes.find(({ id }) => id === remote.id)!.evidence
  match(invoice_or_receipt_file!, /^file_/)
  deepEqual(texts, { proof_of_delivery_or_service_text: 'shipping carrier: DHL\nshipping tracking number: RR12' })
  await decide(shop, remote, { status: 'won' })
  await delivered(shop)
  equal(stands(await getDispute(shop, dispute_id)), 'dispute dispute_won')
  equal(await kept(shop, payment.payment_id), 0)
})

test('each status that Checkout.com reports for a dispute is applied, and its amount is withheld or returned', async () => {
  const shop = await open()
  for (const [to, stood, keeps] of [
    [{ status: 'lost' }, 'dispute dispute_lost', 1250],
    [{ status: 'expired' }, 'dispute dispute_expired', 1250],
    [{ status: 'cancelled' }, 'dispute dispute_cancelled', 0],
    [{ stage: 'second_chargeback', status: 'under_review' }, 'arbitration dispute_challenged', 1250],
    [{ stage: 'second_chargeback', status: 'won' }, 'arbitration dispute_won', 0],
    [{ stage: 'second_chargeback', status: 'lost' }, 'arbitration dispute_lost', 1250],
  ] as const) {
    const { payment, dispute_id, remote } = await disputed(shop)
    await decide(shop, remote, to)
    await delivered(shop)
    deepEqual([stands(await getDispute(shop, dispute_id)), await kept(shop, payment.payment_id)], [stood, keeps])
  }
})

test('a dispute is accepted or answered once, even if the response is lost', async () => {
  const shop = await open()
  for (const [path, body, stood] of [
    [(id: string) => `/disputes/accept/${id}`, () => ({}), 'dispute dispute_accepted'],
    [
      () => '/disputes/evidence',
      (dispute_id: string) => ({ dispute_id, uncategorized_text: 'It was sent.' }),
      'dispute dispute_challenged',
    ],
  ] as const) {
    const { dispute_id } = await disputed(shop)
    await shop.processor.account({ webhooks: 'hold' })
    await shop.processor.fault('dispute', 'reset_after')
    await shop.post(path(dispute_id), body(dispute_id))
    await shop.wait('5 minutes')
    equal(stands(await getDispute(shop, dispute_id)), stood)
    await shop.processor.account({ webhooks: 'send' })
    await delivered(shop)
    await shop.post(path(dispute_id), body(dispute_id))
    equal(stands(await getDispute(shop, dispute_id, '?force_sync=true')), stood)
  }
})

test('evidence that is too long for Checkout.com is refused, and the dispute can still be answered', async () => {
  const shop = await open()
  const { dispute_id } = await disputed(shop)
  const refused = await shop.post('/disputes/evidence', { dispute_id, uncategorized_text: 'x'.repeat(501) })
  match(refused.text, /500 characters of additional_evidence_text/)
  equal(stands(await getDispute(shop, dispute_id)), 'dispute dispute_opened')
  const answer = await shop.post('/disputes/evidence', { dispute_id, uncategorized_text: 'It was sent.' })
  equal(stands(answer.body), 'dispute dispute_challenged', answer.text)
})

async function openPayer(more: Body = {}) {
  const shop = await openShop({ connector: 'checkout' })
  const account = await addAccount(shop, 'checkout', {
    connector_type: 'payout_processor',
    connector_label: 'payouts',
    connector_account_details: keysOf('checkout', `sandbox_${shop.merchant_id}`),
    connector_webhook_details: { merchant_secret: shop.webhook_secret },
    ...more,
  })
  const webhook_url = `${shop.url}/webhooks/${shop.merchant_id}/${account.merchant_connector_id}`
  await shop.processor.account({ webhook_url, webhook_secret: shop.webhook_secret })
  const payOut = async (to: Body, rest: Body = {}): Promise<Body> => {
    const { status, body, text } = await shop.post('/payouts/create', payOutBody({ to, ...rest }))
    equal(status, 200, text)
    return body
  }
  const statusOf = async ({ payout_id }: Body): Promise<string> => (await shop.call('GET', `/payouts/${payout_id}`)).body.status
  const paid = async () => ((await shop.processor.ledger()) as Body).payouts.map(({ amount, status }: Body) => [amount, status])
  return { ...shop, payOut, statusOf, paid }
}

for (const to of ['card', 'bank'] as const)
  test(`a payout to a ${to} is initiated, and then paid, declined, or returned days later`, async () => {
    const shop = await openPayer()
    const recipient = recipients[to]
    const all: Body[] = []
    for (const end of [ends.approves, ends.declines, ends.approvesLater, ends.declinesLater, ends.returns])
      all.push(await shop.payOut(recipient(end)))
    deepEqual(new Set(all.map(({ status }) => status)), new Set(['initiated']))
    match(all[0]!.connector_transaction_id, /^pay_\w+$/)
    await delivered(shop)
    const stand = () => Promise.all(all.map(shop.statusOf))
    deepEqual(await stand(), ['success', 'failed', 'success', 'failed', 'success'])
    await shop.wait('4 days')
    await delivered(shop)
    deepEqual(await stand(), ['success', 'failed', 'success', 'failed', 'reversed'])
    deepEqual(await shop.paid(), [
      [9900, 'paid'],
      [9900, 'declined'],
      [9900, 'paid'],
      [9900, 'declined'],
      [9900, 'returned'],
    ])
  })

test('a payout whose response is lost is found by its reference, and paid once', async () => {
  const shop = await openPayer()
  await shop.processor.account({ webhooks: 'hold' })
  for (const fault of ['reset_after', '500_after', 'truncate_after'] as const) {
    await shop.processor.fault('payout', fault)
    const lost = await shop.payOut(recipients.card())
    equal(lost.status, 'pending', fault)
    await shop.wait('5 minutes')
    equal(await shop.statusOf(lost), 'success', fault)
  }
  deepEqual(await shop.paid(), Array(3).fill([9900, 'paid']))
})

test('a payout that is not found at Checkout.com stays pending, and is not marked failed', async () => {
  const shop = await openPayer()
  await shop.processor.fault('payout', 'reset_before')
  const lost = await shop.payOut(recipients.bank())
  await shop.wait('1 day')
  equal(await shop.statusOf(lost), 'pending')
  deepEqual(await shop.paid(), [])
})

test('a payout to a card that accepts none, or to a recipient without first and last name, fails, and nothing is paid', async () => {
  const shop = await openPayer()
  const ineligible = await shop.payOut(recipients.card(ends.ineligible))
  deepEqual([ineligible.status, ineligible.error_code], ['failed', 'destination_not_eligible'])
  const { card } = recipients.card()
  const nameless = await shop.payOut({ card: { ...card, card_holder_name: 'Ada' } })
  deepEqual([nameless.status, /first and the last name/.test(nameless.error_message)], ['failed', true])
  deepEqual(await shop.paid(), [])
})

test('a payout account requires currency_account, and a payout to a wallet is refused', async () => {
  const shop = await openPayer()
  const without = await shop.post(`/account/${shop.merchant_id}/connectors`, {
    ...{ connector_type: 'payout_processor', connector_name: 'checkout', connector_label: 'more' },
    connector_account_details: keysOf('checkout', `sandbox_${shop.merchant_id}`),
  })
  deepEqual([without.status, /currency_account/.test(without.text)], [400, true], without.text)
  const wallet = await shop.post('/payouts/create', payOutBody({ to: recipients.wallet() }))
  deepEqual([wallet.status, wallet.body.error?.code], [400, 'IR_39'], wallet.text)
})
