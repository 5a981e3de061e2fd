import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { addAccount, succeed } from '../merchant.ts'
import { isRefused } from '../refused.ts'
import { ADMIN_KEY, type Body, cards, http, openShop, type Shop } from '../shop.ts'

/**
 * A merchant with a Stripe account, at the sandbox's imitation of Stripe: every test card of Stripe gives its
 * documented result, and the service handles every failure there correctly.
 */

const openStripeShop = (more: Parameters<typeof openShop>[0] = {}) => openShop({ connector: 'stripe', webhooks: 'on', ...more })

const visa = '4242424242424242'

test('a card of each network is approved, and the payment shows its network transaction id', async () => {
  const shop = await openStripeShop()
  for (const card of [visa, '5555555555554444', '378282246310005']) {
    const paid = await shop.pay({ card })
    deepEqual([paid.status, paid.amount_received, paid.connector], ['succeeded', 1250, 'stripe'])
    match(paid.connector_transaction_id, /^pi_/)
    match(paid.network_transaction_id, /^\w{15}$/)
  }
  const charges = await shop.processor.charges()
  deepEqual(
    charges.map(charge => [charge.captured, charge.currency]),
    Array(3).fill([1250, 'USD']),
  )
})

// biome-ignore format: a table reads better in columns
const declined: [card: string, error_code: string, unified: string, issuer: string, says: RegExp][] = [
  ['4000000000000002', 'card_declined',      'UE_1000', '05', /^message - Your card was declined\., decline_code - generic_decline$/],
  ['4000000000009995', 'card_declined',      'UE_1000', '51', /^message - Your card has insufficient funds\., decline_code - insufficient_funds$/],
  ['4000000000009987', 'card_declined',      'UE_1000', '41', /declined.*lost_card/],
  ['4000000000009979', 'card_declined',      'UE_1000', '43', /declined.*stolen_card/],
  ['4000000000000069', 'expired_card',       'UE_1000', '54', /expired/],
  ['4000000000000127', 'incorrect_cvc',      'UE_1000', 'N7', /security code/],
  ['4000000000000119', 'processing_error',   'UE_3000', '96', /processing/],
]

test('a declined card shows the error codes of Stripe and the issuer, and the unified code', async () => {
  const shop = await openStripeShop()
  for (const [card, error_code, unified_code, issuer_error_code, message] of declined) {
    const payment = await shop.pay({ card })
    deepEqual(
      [payment.status, payment.error_code, payment.unified_code, payment.issuer_error_code],
      ['failed', error_code, unified_code, issuer_error_code],
    )
    match(payment.error_message, message)
    match(payment.issuer_error_message, message)
    match(payment.connector_transaction_id, /^pi_/)
  }
  equal((await shop.processor.charges()).length, 0)
})

/** Sends the customer through the challenge with this answer, and back. Gives the payment. */
async function challenge(shop: Shop, card: string, verdict: 'accept' | 'reject'): Promise<Body> {
  const payment = await shop.pay({ card, authentication_type: 'three_ds' })
  equal(payment.status, 'requires_customer_action')
  const start = await fetch(payment.next_action.redirect_to_url, { redirect: 'manual' })
  const page = start.headers.get('location')!
  match(page, /\/challenge\/auth_/)
  const back = await fetch(`${page}/${verdict}`, { method: 'POST', redirect: 'manual' })
  const home = await fetch(back.headers.get('location')!, { redirect: 'manual' })
  ok(home.status < 400, await home.text())
  return shop.get(payment.payment_id)
}

// biome-ignore format: a table reads better in columns
const challenged: [card: string, says: 'accept' | 'reject', status: string, error_code: string | null][] = [
  ['4000002760003184', 'accept', 'succeeded', null],
  ['4000000000003220', 'accept', 'succeeded', null],
  ['4000002500003155', 'accept', 'succeeded', null],
  ['4000000000003220', 'reject', 'failed',    'payment_intent_authentication_failure'],
  ['4000008400001629', 'accept', 'failed',    'card_declined'],
  ['4000008260003178', 'accept', 'failed',    'card_declined'],
]

test('3-D Secure: the customer is redirected to the challenge and back, and the payment succeeds or fails accordingly', async () => {
  const shop = await openStripeShop()
  for (const [card, verdict, status, error_code] of challenged) {
    const payment = await challenge(shop, card, verdict)
    deepEqual([payment.status, payment.error_code], [status, error_code], `${card} ${verdict}`)
  }
})

test('3-D Secure without a challenge: the payment succeeds without an action of the customer', async () => {
  const shop = await openStripeShop()
  const paid = await shop.pay({ authentication_type: 'three_ds' })
  deepEqual([paid.status, paid.next_action], ['succeeded', null])
})

test('an authorization is captured in part with the rest released, or cancelled', async () => {
  const shop = await openStripeShop()
  const hold = await shop.hold()
  deepEqual([hold.status, hold.amount_capturable], ['requires_capture', 1250])
  const captured = (await shop.capture(hold.payment_id, 500)).body
  deepEqual([captured.status, captured.amount_received, captured.amount_capturable], ['partially_captured', 500, 0])
  const other = await shop.hold()
  equal((await shop.cancel(other.payment_id)).body.status, 'cancelled')
  deepEqual(
    (await shop.processor.charges()).map(charge => [charge.status, charge.captured]),
    [
      ['captured', 500],
      ['voided', 0],
    ],
  )
})

test('an authorization is captured several times if the card supports it; if not, the capture fails and it stays capturable', async () => {
  const shop = await openStripeShop()
  const hold = await shop.hold({ capture_method: 'manual_multiple' })
  deepEqual((await shop.capture(hold.payment_id, 500)).body.status, 'partially_captured_and_capturable')
  deepEqual((await shop.capture(hold.payment_id, 300)).body.status, 'partially_captured_and_capturable')
  const last = (await shop.capture(hold.payment_id, 450)).body
  deepEqual([last.status, last.amount_received], ['succeeded', 1250])
  const discover = await shop.hold({ capture_method: 'manual_multiple', card: '6011111111111117' })
  const refused = (await shop.capture(discover.payment_id, 500)).body
  deepEqual([refused.status, refused.error_code], ['requires_capture', 'parameter_invalid'])
})

test('the result of one of two pending captures is not counted for the other', async () => {
  const shop = await openStripeShop()
  const hold = await shop.hold({ capture_method: 'manual_multiple', card: cards.capturesLater })
  for (const amount of [700, 300]) equal((await shop.capture(hold.payment_id, amount)).status, 200)
  const operations = await shop.processor.operations()
  const captureOf = (of: number) => operations.find(({ type, amount }) => type === 'capture' && amount === of)!.id
  await shop.processor.decide(captureOf(700), 'approved')
  const first = await shop.sync(hold.payment_id)
  deepEqual([first.status, first.amount_received], ['partially_captured_and_processing', 700])
  await shop.processor.decide(captureOf(300), 'approved')
  const { status, amount_received } = await shop.sync(hold.payment_id)
  deepEqual([status, amount_received], ['partially_captured_and_capturable', 1000])
})

test('the rest of an authorization is released alone or with the final capture, even if the response is lost', async () => {
  const shop = await openStripeShop()
  for (const lost of [false, true]) {
    const hold = await shop.hold({ capture_method: 'manual_multiple' })
    await shop.capture(hold.payment_id, 500)
    if (lost) await shop.processor.fault('capture', 'reset_after')
    await shop.post(`/payments/${hold.payment_id}/release`, {})
    if (lost) await shop.wait('5 minutes')
    const { status, amount_received, state_metadata } = await shop.get(hold.payment_id)
    deepEqual([status, amount_received, state_metadata.release.status], ['partially_captured', 500, 'succeeded'])
    equal((await shop.refund(hold.payment_id, 500)).body.status, 'succeeded')
  }
  const hold = await shop.hold({ capture_method: 'manual_multiple' })
  await shop.capture(hold.payment_id, 500)
  const ask = { amount_to_capture: 300, final_capture: true }
  const { body } = await shop.post(`/payments/${hold.payment_id}/capture`, ask)
  deepEqual([body.status, body.amount_received, body.amount_capturable], ['partially_captured', 800, 0])
  for (const { status } of await shop.processor.charges()) equal(status, 'captured')
})

test('partial refunds take one of the three reasons that Stripe has, or none; any other is refused before it is sent', async () => {
  const shop = await openStripeShop()
  const paid = await shop.pay()
  for (const reason of ['duplicate', undefined]) {
    const { body } = await shop.refund(paid.payment_id, 400, { reason })
    deepEqual([body.status, body.amount], ['succeeded', 400])
    const there = await shop.processor.call('GET', `/stripe/v1/refunds/${body.connector_refund_id}`)
    equal(there.reason, reason ?? null)
  }
  isRefused(
    await shop.refund(paid.payment_id, 400, { reason: 'one leg was broken' }),
    400,
    'IR_07',
    /reason must be one of duplicate, fraudulent, requested_by_customer for stripe/,
  )
  equal((await shop.processor.charges())[0]!.refunded, 800)
})

test('a refund that fails days after its approval emits refund_failed, and the payment can be refunded again', async () => {
  const shop = await openStripeShop()
  const paid = await shop.pay({ card: '4000000000005126' })
  const { body } = await shop.refund(paid.payment_id)
  equal(body.status, 'succeeded')
  await shop.wait('2 days')
  const failed = await shop.getRefund(body.refund_id)
  deepEqual([failed.status, failed.error_code], ['failed', 'lost_or_stolen_card'])
  const events = (await shop.events(paid.payment_id)).map(event => event.event_type).filter(Boolean)
  deepEqual(events.slice(-2), ['refund_succeeded', 'refund_failed'])
  equal((await shop.refund(paid.payment_id)).status, 200)
})

test('a refund that is decided later is pending until then', async () => {
  const shop = await openStripeShop()
  const paid = await shop.pay({ card: '4000000000007726' })
  const { body } = await shop.refund(paid.payment_id, 700)
  equal(body.status, 'pending')
  await shop.wait('2 minutes')
  equal((await shop.getRefund(body.refund_id)).status, 'succeeded')
})

test('an incremental authorization is applied even if its response is lost; a later extension or post-capture void is refused', async () => {
  const shop = await openStripeShop()
  const hold = await shop.hold({ request_incremental_authorization: true, request_extended_authorization: true })
  deepEqual([hold.incremental_authorization_allowed, hold.extended_authorization_applied], [true, true])
  const raise = (amount: number, id = hold.payment_id) => shop.post(`/payments/${id}/incremental_authorization`, { amount })
  const { body } = await raise(2000)
  deepEqual([body.amount_capturable, body.incremental_authorizations[0].status], [2000, 'success'])
  await shop.processor.fault('increment', 'reset_after')
  equal((await raise(2500)).body.incremental_authorizations[1].status, 'processing')
  await shop.wait('1 minute')
  equal((await shop.get(hold.payment_id)).amount_capturable, 2500)
  await shop.processor.fault('increment', 'decline')
  const refused = (await raise(3000)).body
  deepEqual([refused.amount_capturable, refused.error_code], [2500, 'card_declined'])
  isRefused(await shop.post(`/payments/${hold.payment_id}/extend_authorization`, undefined), 400, 'IR_20', /extend/)
  equal((await shop.capture(hold.payment_id)).body.amount_received, 2500)
  isRefused(await shop.post(`/payments/${hold.payment_id}/cancel_post_capture`, {}), 400, 'IR_20', /post_capture_void/)
  equal((await shop.processor.charges())[0]!.captured, 2500)
  isRefused(await raise(2000, (await shop.hold()).payment_id), 400, 'IR_16')
})

test('an authorization that expires at Stripe is marked expired', async () => {
  const shop = await openStripeShop()
  const hold = await shop.hold()
  await shop.wait('8 days')
  equal((await shop.get(hold.payment_id)).status, 'expired')
})

test('a payment, refund or capture whose response is lost is found, with or without webhooks', async () => {
  for (const webhooks of ['on', 'off'] as const) {
    const shop = await openStripeShop({ webhooks })
    await shop.processor.fault('authorize', 'reset_after')
    const payment = await shop.pay()
    equal(payment.status, 'processing')
    await shop.wait('2 minutes')
    equal((await shop.get(payment.payment_id)).status, 'succeeded', `webhooks ${webhooks}`)

    await shop.processor.fault('refund', '500_after')
    const { body } = await shop.refund(payment.payment_id, 300)
    equal(body.status, 'succeeded', 'it looks at once where a failure says nothing')
    const hold = await shop.hold()
    await shop.processor.fault('capture', 'reset_after')
    await shop.capture(hold.payment_id)
    await shop.wait('2 minutes')
    equal((await shop.get(hold.payment_id)).status, 'succeeded')
    equal((await shop.processor.charges()).length, 2)
  }
})

test('a payment that never arrived is processing until a search would have found it, and then fails', async () => {
  const shop = await openStripeShop()
  await shop.processor.fault('authorize', 'reset_before')
  const payment = await shop.pay()
  await shop.wait('30 minutes')
  equal((await shop.get(payment.payment_id)).status, 'processing')
  await shop.wait('31 minutes')
  await shop.wait('1 hour')
  const failed = await shop.get(payment.payment_id)
  deepEqual([failed.status, failed.error_code], ['failed', 'not_received'])
})

test('an amount that Stripe cannot express is refused for a payment, a capture and a refund', async () => {
  const shop = await openStripeShop()
  isRefused(await shop.tryToPay({ amount: 1255, currency: 'KWD' }), 400, 'IR_39', /1255 KWD .*multiple of 10/)
  isRefused(await shop.tryToPay({ amount: 1000, currency: 'CLF' }), 400, 'IR_39', /CLF/)
  const hold = await shop.hold({ amount: 12_500, currency: 'KWD' })
  isRefused(await shop.capture(hold.payment_id, 1255), 422, 'IR_06', /amount_to_capture.*1255 KWD/)
  await shop.capture(hold.payment_id)
  isRefused(await shop.refund(hold.payment_id, 1255), 422, 'IR_06', /amount.*1255 KWD/)
  for (const [currency, units] of [
    ['ISK', 125_000],
    ['JPY', 1250],
    ['KWD', 1250],
  ] as const) {
    const paid = await shop.pay({ amount: 1250, currency })
    equal(paid.amount_received, 1250)
    equal((await shop.processor.charges()).at(-1)!.captured, units)
    equal((await shop.refund(paid.payment_id, 500)).body.status, 'succeeded')
  }
})

test('a payment is made on the connected account in metadata.stripe_account; an invalid account id is refused', async () => {
  const shop = await openStripeShop({ webhooks: 'off', metadata: { stripe_account: 'acct_seller1' } })
  equal((await shop.pay()).status, 'succeeded')
  equal((await shop.processor.charges()).length, 0, 'not on the platform’s own books')
  const account = {
    connector_type: 'payment_processor',
    connector_name: 'stripe',
    connector_label: 'second',
    connector_account_details: { auth_type: 'HeaderKey', api_key: 'sk_test_1' },
    metadata: { stripe_account: 'the best' },
  }
  const answer = await http('POST', `${shop.url}/account/${shop.merchant_id}/connectors`, account, { 'api-key': ADMIN_KEY })
  isRefused(answer, 422, 'IR_05', /metadata\.stripe_account/)
})

test('a payment with an invalid API key fails with an account configuration error', async () => {
  const shop = await openShop({ connector: 'stripe', sandboxKey: 'sk_test_invalid' })
  const payment = await shop.pay()
  deepEqual([payment.status, payment.unified_code], ['failed', 'UE_2000'])
})

/** Gives the customers of the shop's account at Stripe, the oldest first. */
const customersAt = async ({ processor }: Shop): Promise<Body[]> =>
  (await processor.call('GET', '/stripe/v1/customers?limit=100')).data.toReversed()

const keeping = { setup_future_usage: 'off_session', customer_acceptance: { acceptance_type: 'offline' } }

test('a customer who saves several cards is one customer at Stripe, with the stored name, email and phone', async () => {
  const shop = await openStripeShop()
  const customer_id = 'cus_ada'
  const stored = { name: 'Ada Byron', email: 'ada@shop.example', phone: '9123456789', phone_country_code: '+1' }
  equal((await shop.post('/customers', { customer_id, ...stored })).status, 200)
  for (const card of [visa, '4000000000000002', '5555555555554444']) await shop.pay({ card, customer_id, ...keeping })
  const [first, ...others] = await customersAt(shop)
  deepEqual([others, first.name, first.email, first.phone], [[], stored.name, stored.email, '+19123456789'])
  deepEqual(first.metadata, { customer: `${shop.merchant_id}_${customer_id}` })
  // The second card was declined, and its customer remains at Stripe. The new email is sent together with the next
  // card.
  equal((await shop.post(`/customers/${customer_id}`, { email: 'ada@byron.example' })).status, 200)
  await shop.pay({ customer_id, ...keeping })
  const now = await customersAt(shop)
  deepEqual(
    now.map(({ id, email }) => [id, email]),
    [[first.id, 'ada@byron.example']],
  )
  const methods = (await shop.call('GET', `/customers/${customer_id}/payment_methods`)).body.customer_payment_methods
  ok(methods.length >= 2)
})

test('a card that is saved despite a rate limit is charged once, and its customer is created once at Stripe', async () => {
  const shop = await openShop({ connector: 'stripe' })
  const customer_id = 'cus_ada'
  for (const email of ['ada@shop.example', 'ada@byron.example']) {
    await shop.processor.fault('authorize', '429_before')
    const paid = await shop.pay({ customer_id, email, ...keeping })
    deepEqual([paid.status, paid.attempt_count], ['succeeded', 1])
  }
  equal((await customersAt(shop)).length, 1)
  deepEqual(
    (await shop.processor.charges()).map(({ captured }) => captured),
    [1250, 1250],
  )
  await shop.processor.fault('authorize', '429_before')
  const verified = await shop.pay({ customer_id, amount: 0, ...keeping })
  deepEqual([verified.status, verified.attempt_count], ['succeeded', 1])
})

test('a customer deleted at Stripe is created again; deleting the customer here deletes the stored Stripe id', async () => {
  const shop = await openStripeShop()
  const customer_id = 'cus_ada'
  await shop.pay({ customer_id, email: 'ada@shop.example', ...keeping })
  const [first] = await customersAt(shop)
  await shop.processor.call('DELETE', `/stripe/v1/customers/${first.id}`)
  const paid = await shop.pay({ customer_id, ...keeping })
  equal(paid.status, 'succeeded')
  const [second, ...others] = await customersAt(shop)
  deepEqual([others, second.email, second.id === first.id], [[], 'ada@shop.example', false])
  const known = () => shop.query('select reference from processor_customers where merchant_id = $1', [shop.merchant_id])
  deepEqual(await known(), [{ reference: second.id }])
  equal((await shop.call('DELETE', `/customers/${customer_id}`)).status, 200)
  deepEqual(await known(), [])
})

test('a payment that only names its customer sends the stored email and phone to Stripe and Adyen', async () => {
  const stored = { name: 'Ada Byron', email: 'ada@shop.example', phone: '9123456789', phone_country_code: '+1' }
  for (const connector of ['stripe', 'adyen']) {
    const shop = await openShop({ connector, webhooks: 'on' })
    equal((await shop.post('/customers', { customer_id: 'cus_ada', ...stored })).status, 200)
    equal((await shop.pay({ customer_id: 'cus_ada' })).status, 'succeeded')
    const [{ purchase }] = (await shop.processor.operations()) as Body[]
    if (connector === 'stripe') deepEqual([purchase.billing.email, purchase.billing.phone], [stored.email, '+19123456789'])
    else deepEqual([purchase.shopperEmail, purchase.telephoneNumber], [stored.email, '+19123456789'])
    // Data in the payment request take precedence over the stored customer.
    equal((await shop.pay({ customer_id: 'cus_ada', email: 'gift@shop.example' })).status, 'succeeded')
    const [, { purchase: gift }] = (await shop.processor.operations()) as Body[]
    equal(connector === 'stripe' ? gift.billing.email : gift.shopperEmail, 'gift@shop.example')
  }
})

test('level 2 and 3 data are sent to Stripe only if the business profile enables them', async () => {
  const shop = await openStripeShop()
  const order_details = [{ product_name: 'Chair', quantity: 2, amount: 600, sku: 'CH-1' }]
  const sold = { order_details, order_tax_amount: 50, shipping_cost: 40, merchant_order_reference_id: 'A1' }
  await shop.pay(sold)
  await shop.profile({ is_l2_l3_enabled: true })
  equal((await shop.pay(sold)).status, 'succeeded')
  const [quiet, detailed] = ((await shop.processor.operations()) as Body[]).map(({ purchase }) => purchase?.levels)
  equal(quiet, undefined)
  deepEqual([detailed.tax, detailed.shipping, detailed.order_reference], [{ total_tax_amount: '50' }, { amount: '40' }, 'A1'])
  deepEqual(detailed.line_items[0], { product_name: 'Chair', quantity: '2', unit_cost: '600', product_code: 'CH-1' })
})

test('a network transaction id is charged at a Stripe account with mit_exemption, and refused by name at one without', async () => {
  const absent = (more: Body = {}) => ({
    card: undefined,
    ...{ payment_method: undefined, payment_method_data: undefined, customer_id: 'kari', off_session: true },
    recurring_details: {
      type: 'network_transaction_id_and_card_details',
      data: { card_number: visa, card_exp_month: '12', card_exp_year: '2040', network_transaction_id: '901151114810210' },
    },
    ...more,
  })
  for (const metadata of [undefined, { mit_exemption: 'false' }]) {
    const closed = await openShop({ connector: 'stripe', ...(metadata && { metadata }) })
    isRefused(await closed.tryToPay(absent()), 400, 'IR_39', /network_transaction_id.*mit_exemption/)
    deepEqual(await closed.processor.charges(), [])
  }
  const shop = await openShop({ connector: 'stripe', metadata: { mit_exemption: 'true' } })
  const paid = await shop.pay(absent())
  deepEqual([paid.status, paid.connector, paid.amount_received], ['succeeded', 'stripe', 1250])
  const declined = await shop.pay(
    absent({
      recurring_details: {
        type: 'network_transaction_id_and_card_details',
        data: { card_number: '4000000000000002', card_exp_month: '12', card_exp_year: '2040', network_transaction_id: '901151114810210' },
      },
    }),
  )
  deepEqual([declined.status, declined.error_code], ['failed', 'card_declined'])
  const charges = await shop.processor.charges()
  deepEqual(
    charges.map(({ by, captured }) => [by, captured]),
    [['network_transaction_id', 1250]],
  )
})

test('a card saved elsewhere is charged at a Stripe account with mit_exemption if the profile is connector-agnostic', async () => {
  const shop = await openShop()
  const saved = await shop.pay({
    ...{ customer_id: 'kari', setup_future_usage: 'off_session' },
    customer_acceptance: { acceptance_type: 'online', online: { ip_address: '203.0.113.9', user_agent: 'Mozilla/5.0' } },
  })
  const stripe = await addAccount(shop, 'stripe', { metadata: { mit_exemption: 'true' } })
  await succeed(
    shop.post(`/account/${shop.merchant_id}/connectors/${shop.merchant_connector_id}`, {
      connector_type: 'payment_processor',
      disabled: true,
    }),
  )
  const later = {
    ...{ payment_method: undefined, payment_method_data: undefined, customer_id: 'kari', off_session: true },
    recurring_details: { type: 'payment_method_id', data: saved.payment_method_id },
  }
  isRefused(await shop.tryToPay(later), 400, 'IR_39', /is_connector_agnostic_mit_enabled/)
  await shop.profile({ is_connector_agnostic_mit_enabled: true })
  const moved = await shop.pay(later)
  deepEqual([moved.status, moved.merchant_connector_id], ['succeeded', stripe.merchant_connector_id])
})
