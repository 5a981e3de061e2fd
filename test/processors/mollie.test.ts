import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { type MollieRow, mollieOffers } from '../../src/connectors/mollie/offers.ts'
import { isRefused } from '../refused.ts'
import { type Body, http, openShop, type Shop } from '../shop.ts'
import { HIDDEN, paidBy } from '../ways.ts'

/**
 * A merchant with a Mollie account, at the sandbox's imitation of Mollie: each payment method is paid, declined,
 * refunded, and survives a lost answer; holds are captured in parts; mandates are charged; banks charge payments back.
 */

const open = (more: Parameters<typeof openShop>[0] = {}) => openShop({ connector: 'mollie', webhooks: 'on', ...more })

const sealed = Buffer.from(JSON.stringify({ version: 'EC_v1', data: 'sealed' })).toString('base64')
/** The tokens that wallets give to the shop. */
const tokens: Record<string, Body> = {
  apple_pay: { payment_data: sealed },
  google_pay: { tokenization_data: { type: 'PAYMENT_GATEWAY', token: '{"signature":"sealed"}' } },
}

type Row = MollieRow & { type: string }
const rows: readonly Row[] = Object.entries(mollieOffers).map(([type, row]) => ({ type, ...(row as MollieRow) }))
const rowNamed = (type: string): Row => rows.find(row => row.type === type)!

const customer_acceptance = { acceptance_type: 'online', online: { ip_address: '203.0.113.7', user_agent: 'Mozilla/5.0' } }

/** Gives a payment of this payment method type, in a currency and with a payer that Mollie accepts. */
function askOf(type: string, more: Body = {}): Body {
  const { family, ways, currencies = ['EUR'], countries = ['NL'] } = rowNamed(type)
  const currency = (currencies as readonly string[]).includes('EUR') ? 'EUR' : currencies[0]
  return {
    amount: 12_500,
    currency,
    return_url: 'https://shop.example/back',
    billing: {
      address: { first_name: 'Ada', last_name: 'Byron', line1: '1 Way', city: 'Here', zip: '12345', country: countries[0] },
      email: 'ada@shop.example',
    },
    order_details: [{ product_name: 'Chair', quantity: 2, amount: 6250 }],
    ...paidBy(family, Object.keys(ways)[0]!, tokens[type]),
    ...(rowNamed(type).requires?.includes('acceptance') && { customer_acceptance }),
    ...more,
  }
}
/** The members of a payment whose customer agrees to later charges. */
const kept = { customer_id: 'ada', setup_future_usage: 'off_session', customer_acceptance }
/** Gives such a later charge, without the customer. */
const again = (first: Body, more: Body = {}): Body => ({
  amount: 700,
  currency: 'EUR',
  confirm: true,
  customer_id: 'ada',
  off_session: true,
  recurring_details: { type: 'payment_method_id', data: first.payment_method_id },
  ...more,
})

/** Sends the customer through the challenge with this answer, and back. Gives the address of the return. */
async function visit(payment: Body, verdict: 'accept' | 'reject'): Promise<string> {
  const start = await fetch(payment.next_action.redirect_to_url, { redirect: 'manual' })
  const page = start.headers.get('location')!
  match(page, /\/challenge\/auth_/)
  const back = await fetch(`${page}/${verdict}`, { method: 'POST', redirect: 'manual' })
  const home = await fetch(back.headers.get('location')!, { redirect: 'manual' })
  return home.headers.get('location') ?? ''
}

/** Makes a payment that the customer pays; gives the payment afterwards. */
async function paid(shop: Shop, ask: Body): Promise<Body> {
  const begun = await shop.pay(ask)
  await visit(begun, 'accept')
  return shop.get(begun.payment_id)
}
const held = (shop: Shop, more: Body = {}) => paid(shop, askOf('card_redirect', { capture_method: 'manual_multiple', ...more }))

const webhookOf = ({ url, merchant_id, merchant_connector_id }: Shop) => `${url}/webhooks/${merchant_id}/${merchant_connector_id}`
const authorizationOf = async (shop: Shop): Promise<string> =>
  (await shop.processor.operations()).filter(({ type }) => type === 'authorization').at(-1)!.id
const isOpen = ({ status }: Body) => ['requires_customer_action', 'processing'].includes(status)
const sums = async (shop: Shop) => (await shop.processor.charges()).map(({ captured, refunded }) => [captured, refunded])

test('an authorization that expires after a partial capture keeps the captured amount, as a poll shows', async () => {
  const shop = await open()
  const hold = await held(shop)
  await shop.capture(hold.payment_id, 2500)
  await shop.processor.account({ webhooks: 'off' })
  await shop.wait('8 days')
  const over = await shop.sync(hold.payment_id)
  deepEqual([over.status, over.amount_received, over.amount_capturable], ['partially_captured', 2500, 0])
})

test('iDEAL: the customer is redirected to the bank and back, the payment succeeds, and a refund takes days', async () => {
  const shop = await open()
  const begun = await shop.pay(askOf('ideal'))
  deepEqual([begun.status, begun.next_action.type, begun.connector], ['requires_customer_action', 'redirect_to_url', 'mollie'])
  match(await visit(begun, 'accept'), /^https:\/\/shop\.example\/back\?status=succeeded/)
  const done = await shop.get(begun.payment_id)
  deepEqual([done.status, done.amount_received, done.next_action], ['succeeded', 12_500, null])
  match(done.connector_transaction_id, /^tr_/)
  const { body } = await shop.refund(begun.payment_id, 2500)
  deepEqual([body.status, body.amount], ['pending', 2500])
  await shop.wait('2 days')
  equal((await shop.getRefund(body.refund_id)).status, 'succeeded')
  deepEqual(await sums(shop), [[12_500, 2500]])
})

for (const { type, decided } of rows) {
  test(`${type}: a payment is charged once, and refunded in part`, async () => {
    const shop = await open()
    const begun = await shop.pay(askOf(type))
    doesNotMatch(JSON.stringify([begun.payment_method_data, begun.metadata]), HIDDEN)
    equal(isOpen(begun), decided !== 'at once', `${begun.status} ${begun.error_message}`)
    if (begun.next_action) await shop.processor.decide(await authorizationOf(shop), 'approved')
    await shop.wait('3 days')
    const done = await shop.get(begun.payment_id)
    deepEqual([done.status, done.amount_received, done.error_code], ['succeeded', 12_500, null], done.error_message)
    const back = await shop.refund(begun.payment_id, 1000)
    await shop.wait('2 days')
    equal((await shop.getRefund(back.body.refund_id)).status, 'succeeded', back.text)
    deepEqual(await sums(shop), [[12_500, 1000]])
  })

  test(`${type}: a payment whose response is lost is found in the list at Mollie, and is created only once`, async () => {
    const shop = await open({ webhooks: 'off' })
    await shop.processor.fault('authorize', 'reset_after')
    const unheard = await shop.pay(askOf(type))
    deepEqual([unheard.status, unheard.next_action], ['processing', null])
    await shop.wait('2 minutes')
    const found = await shop.get(unheard.payment_id)
    ok(found.status === 'succeeded' || isOpen(found), `${found.status} ${found.error_message}`)
    match(found.connector_transaction_id, /^tr_/)
    equal((await shop.processor.operations()).length, 1)
  })
}

test('a payment that the customer cancels or abandons fails, and nothing is charged', async () => {
  const shop = await open()
  for (const { type, decided } of rows) {
    if (decided === 'at once' || type === 'sepa') continue
    const begun = await shop.pay(askOf(type))
    await shop.processor.decide(await authorizationOf(shop), 'declined')
    const ended = await shop.sync(begun.payment_id)
    deepEqual([ended.status, ended.error_code, ended.next_action], ['failed', 'canceled', null], type)
  }
  const gone = await shop.pay(askOf('ideal'))
  await shop.wait('1 hour')
  const { status, error_code } = await shop.get(gone.payment_id)
  deepEqual([status, error_code], ['failed', 'expired'])
  deepEqual(await shop.processor.charges(), [])
})

test('a failed card payment shows the error code of Mollie and the unified code', async () => {
  const shop = await open()
  for (const [amount, error_code, unified_code] of [
    [100_700, 'insufficient_funds', 'UE_1000'],
    [100_900, 'possible_fraud', 'UE_1000'],
    [101_000, 'authentication_failed', 'UE_1000'],
  ] as const) {
    const failed = await paid(shop, askOf('card_redirect', { amount }))
    deepEqual([failed.status, failed.error_code, failed.unified_code], ['failed', error_code, unified_code], failed.error_message)
  }
  deepEqual(await shop.processor.charges(), [])
})

test('a payment with an invalid API key fails with an account configuration error', async () => {
  const wrong = await open({ sandboxKey: 'test_invalid', webhooks: 'off' })
  const refused = await wrong.pay(askOf('ideal'))
  deepEqual([refused.status, refused.unified_code, refused.error_code], ['failed', 'UE_2000', '401'])
})

test('a bank transfer shows the IBAN and BIC to pay to', async () => {
  const shop = await open()
  const { status, next_action } = await shop.pay(askOf('sepa_bank_transfer'))
  deepEqual([status, next_action.type], ['requires_customer_action', 'display_bank_transfer_information'])
  const { iban, bic } = next_action.bank_transfer_steps_and_charges_details.sepa_bank_instructions
  deepEqual([iban, bic], ['NL53ABNA0627535577', 'ABNANL2A'])
})

test('an authorization is captured in parts, and the rest is released', async () => {
  const shop = await open()
  const hold = await held(shop)
  deepEqual([hold.status, hold.amount_capturable], ['requires_capture', 12_500])
  await shop.capture(hold.payment_id, 5000)
  await shop.capture(hold.payment_id, 2500)
  const part = await shop.get(hold.payment_id)
  deepEqual([part.status, part.amount_received, part.amount_capturable], ['partially_captured_and_capturable', 7500, 5000])
  isRefused(await shop.post(`/payments/${hold.payment_id}/capture`, { amount_to_capture: 100, final_capture: true }), 400, 'IR_19')
  await shop.post(`/payments/${hold.payment_id}/release`, {})
  await shop.wait('1 minute')
  const done = await shop.get(hold.payment_id)
  deepEqual([done.status, done.amount_received, done.amount_capturable], ['partially_captured', 7500, 0])
  deepEqual(await sums(shop), [[7500, 0]])
})

test('an authorization for a single capture releases the uncaptured rest; a cancel releases all of it', async () => {
  const shop = await open()
  const hold = await held(shop, { capture_method: 'manual' })
  const captured = (await shop.capture(hold.payment_id, 5000)).body
  deepEqual([captured.status, captured.amount_received], ['partially_captured', 5000])
  equal((await shop.processor.operations()).filter(({ type }) => type === 'void').length, 1)
  const other = await held(shop)
  await shop.cancel(other.payment_id)
  await shop.wait('1 minute')
  equal((await shop.get(other.payment_id)).status, 'cancelled')
  deepEqual(
    (await shop.processor.charges()).map(({ captured }) => captured),
    [5000, 0],
  )
})

test('an unpaid bank transfer is cancelled at once; a payment that Mollie cannot cancel stays payable', async () => {
  const shop = await open()
  const transfer = await shop.pay(askOf('sepa_bank_transfer'))
  equal((await shop.cancel(transfer.payment_id)).body.status, 'cancelled')
  const ideal = await shop.pay(askOf('ideal'))
  const { body } = await shop.cancel(ideal.payment_id)
  deepEqual([body.status, body.error_code], ['processing', 'open'])
  await shop.processor.decide(await authorizationOf(shop), 'approved')
  await shop.wait('1 minute')
  equal((await shop.get(ideal.payment_id)).status, 'succeeded')
})

test('a capture, release or refund whose response is lost is done once, and found by polling', async () => {
  const shop = await open({ webhooks: 'off' })
  const hold = await held(shop)
  await shop.processor.fault('capture', 'reset_after')
  await shop.capture(hold.payment_id, 5000)
  await shop.wait('1 minute')
  equal((await shop.get(hold.payment_id)).amount_received, 5000)
  await shop.processor.fault('capture', 'reset_before')
  await shop.capture(hold.payment_id, 1000)
  await shop.wait('2 hours')
  const part = await shop.get(hold.payment_id)
  deepEqual([part.amount_received, part.amount_capturable], [5000, 7500])
  await shop.processor.fault('void', 'reset_after')
  await shop.post(`/payments/${hold.payment_id}/release`, {})
  await shop.wait('2 minutes')
  equal((await shop.get(hold.payment_id)).status, 'partially_captured')
  await shop.processor.fault('refund', '500_after')
  const { body } = await shop.refund(hold.payment_id, 300)
  await shop.wait('3 days')
  equal((await shop.getRefund(body.refund_id)).status, 'succeeded')
  deepEqual(await sums(shop), [[5000, 300]])
})

test('a payment that never arrived is processing until it can no longer arrive, and then fails', async () => {
  const shop = await open({ webhooks: 'off' })
  await shop.pay(askOf('ideal'))
  await shop.processor.fault('authorize', 'reset_before')
  const { payment_id } = await shop.pay(askOf('ideal'))
  await shop.wait('50 minutes')
  equal((await shop.get(payment_id)).status, 'processing', 'it may not be in the list yet')
  await shop.wait('2 hours')
  equal((await shop.get(payment_id)).status, 'failed')
  equal((await shop.processor.operations()).length, 1)
})

test('a refund that fails days later is marked failed, with or without webhooks', async () => {
  for (const webhooks of ['on', 'off'] as const) {
    const shop = await open({ webhooks })
    const done = await paid(shop, askOf('ideal', { amount: 102_100 }))
    const { body } = await shop.refund(done.payment_id, 500)
    equal(body.status, 'pending')
    await shop.wait('5 days')
    deepEqual([(await shop.getRefund(body.refund_id)).status, await sums(shop)], ['failed', [[102_100, 0]]], webhooks)
  }
})

test('a first payment by card, PayPal or bank redirect creates a mandate, which is charged later', async () => {
  for (const type of ['card_redirect', 'paypal', 'ideal', 'local_bank_redirect']) {
    const shop = await open()
    const first = await paid(shop, askOf(type, kept))
    equal(first.status, 'succeeded', type)
    match(first.connector_mandate_id, /^mdt_/)
    const charged = (await shop.post('/payments', again(first))).body
    equal(charged.status, rowNamed(type).recurring === 'after days' ? 'processing' : 'succeeded', `${type} ${charged.error_message}`)
    await shop.wait('3 days')
    const done = await shop.get(charged.payment_id)
    deepEqual([done.status, done.amount_received], ['succeeded', 700], type)
    const unheard = await (async () => {
      await shop.processor.fault('authorize', 'reset_after')
      return (await shop.post('/payments', again(first, { amount: 300 }))).body
    })()
    equal(unheard.status, 'processing')
    await shop.wait('3 days')
    equal((await shop.get(unheard.payment_id)).status, 'succeeded')
    deepEqual(
      (await shop.processor.charges()).map(({ captured, by }) => [captured, by]),
      [
        [12_500, undefined],
        [700, 'mandate'],
        [300, 'mandate'],
      ],
      type,
    )
  }
})

test('payment methods saved for the same customer share one customer at Mollie', async () => {
  const shop = await open()
  await paid(shop, askOf('card_redirect', kept))
  await paid(shop, askOf('ideal', kept))
  const [first, second] = await shop.query('select reference from processor_customers where merchant_id = $1', [shop.merchant_id])
  match(first!.reference, /^cst_/)
  equal(second, undefined)
})

test('a card is verified without a charge, and charged later', async () => {
  const shop = await open()
  const verified = await paid(shop, askOf('card_redirect', { ...kept, amount: 0, order_details: undefined }))
  deepEqual([verified.status, verified.error_code], ['succeeded', null])
  equal((await shop.post('/payments', again(verified))).body.status, 'succeeded')
})

test('a debit succeeds days later and is charged again by its mandate; one that the bank refuses fails', async () => {
  const shop = await open()
  const first = await shop.pay(askOf('sepa', kept))
  equal(first.status, 'processing')
  await shop.wait('3 days')
  const done = await shop.get(first.payment_id)
  equal(done.status, 'succeeded')
  const later = (await shop.post('/payments', again(done))).body
  equal(later.status, 'processing', later.error_message)
  await shop.wait('3 days')
  equal((await shop.get(later.payment_id)).status, 'succeeded')
  // The account's ending is that of a card that is declined.
  const { family } = rowNamed('sepa')
  const refused = await shop.pay(askOf('sepa', paidBy(family, 'sepa_bank_debit', { iban: 'AT071904300234570002' })))
  await shop.wait('3 days')
  const { status, error_code } = await shop.get(refused.payment_id)
  deepEqual([status, error_code], ['failed', 'AM04'])
})

test('a chargeback opens a dispute, by signed event or by a webhook with only an id; a reversed one is won', async () => {
  for (const kind of ['event', 'name'] as const) {
    const shop = await open()
    if (kind === 'name') await shop.processor.account({ webhook_url: webhookOf(shop), webhook_secret: null })
    const done = await paid(shop, askOf('card_redirect'))
    const { id } = await shop.processor.call('POST', `/control/payments/${done.connector_transaction_id}/dispute`, {})
    await shop.wait('1 minute')
    const { disputes } = await shop.get(done.payment_id)
    deepEqual(
      disputes.map((one: Body) => [one.dispute_status, one.amount]),
      [['dispute_opened', '12500']],
      kind,
    )
    await shop.processor.call('POST', `/control/disputes/${id}`, { status: 'won' })
    await shop.wait('1 minute')
    const after_ = await shop.get(done.payment_id)
    deepEqual(
      after_.disputes.map((one: Body) => one.dispute_status),
      ['dispute_won'],
      kind,
    )
  }
})

test('a debit that is returned after its approval becomes a lost dispute', async () => {
  const shop = await open()
  const { payment_id } = await shop.pay(askOf('sepa', { amount: 102_200 }))
  await shop.wait('3 days')
  const { status, disputes } = await shop.get(payment_id)
  deepEqual([status, disputes.map((one: Body) => one.dispute_status)], ['succeeded', ['dispute_lost']])
})

test('a webhook with only a payment id makes the service poll; unknown, repeated or forged webhooks change nothing', async () => {
  const shop = await open({ webhooks: 'off' })
  const { payment_id, connector_transaction_id: id } = await shop.pay(askOf('ideal'))
  const sendWebhook = (body: string, headers: Record<string, string> = {}) =>
    http('POST', webhookOf(shop), body, { 'content-type': 'application/x-www-form-urlencoded', ...headers })
  for (const name of [id, id, 'tr_unknown']) equal((await sendWebhook(`id=${name}`)).status, 200)
  equal((await shop.get(payment_id)).status, 'requires_customer_action')
  await shop.processor.decide(await authorizationOf(shop), 'approved')
  await sendWebhook(`id=${id}`)
  await sendWebhook(`id=${id}`)
  await shop.wait('1 second')
  const done = await shop.get(payment_id)
  equal(done.status, 'succeeded')
  ok(!shop.logs.some(line => line.includes('reported a dispute')), 'of what is not ours nothing is asked')
  const event = JSON.stringify({ resource: 'event', type: 'refund.failed', _embedded: { entity: {} } })
  const forged = await sendWebhook(event, { 'content-type': 'application/json', 'x-mollie-signature': `sha256=${'0'.repeat(64)}` })
  ok([400, 401].includes(forged.status), forged.text)
})

test('events that are delivered several times change nothing more', async () => {
  const shop = await open()
  await shop.processor.account({ webhook_url: webhookOf(shop), webhook_secret: shop.webhook_secret, webhooks: 'duplicate' })
  const done = await paid(shop, askOf('ideal'))
  await shop.wait('1 minute')
  const { body } = await shop.refund(done.payment_id, 500)
  await shop.wait('3 days')
  equal((await shop.getRefund(body.refund_id)).status, 'succeeded')
  deepEqual(await sums(shop), [[12_500, 500]])
})

const byComponent = (token: string, more: Body = {}): Body => ({
  ...askOf('card_redirect', more),
  ...paidBy('card_redirect', 'card_component', { token }),
})

test('a card token of the Mollie fields pays at once or after a challenge, can be charged again, and is not shown in the response', async () => {
  const shop = await open()
  const paid = await shop.pay(byComponent('tkn_UqAvArS3gw'))
  deepEqual([paid.status, paid.amount_received, paid.payment_method], ['succeeded', 12_500, 'card_redirect'], paid.error_message)
  doesNotMatch(JSON.stringify(paid), /tkn_/)
  const challenged = await shop.pay(byComponent('tkn_challenged', { capture_method: 'manual' }))
  equal(challenged.status, 'requires_customer_action')
  await visit(challenged, 'accept')
  equal((await shop.get(challenged.payment_id)).status, 'requires_capture')
  const first = await shop.pay(byComponent('tkn_first', kept))
  equal((await shop.post('/payments', again(first))).body.status, 'succeeded')
  await shop.processor.fault('authorize', 'reset_after')
  const lost = await shop.pay(byComponent('tkn_lost'))
  equal(lost.status, 'processing')
  await shop.wait('1 minute')
  equal((await shop.get(lost.payment_id)).status, 'succeeded')
  equal((await shop.pay(byComponent('no token of Mollie'))).status, 'failed')
  equal((await shop.processor.charges()).length, 5)
})
