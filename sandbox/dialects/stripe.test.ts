import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import Stripe from 'stripe'
import { context, openShop, openTestSandbox } from '../test-shop.ts'

/**
 * Stripe's dialect as Stripe's own client library finds it: it pays, captures, refunds and reads, and believes what
 * it is sent.
 */

const { url } = await openTestSandbox()

function openClient(more: Partial<Stripe.StripeConfig> = {}, name = randomUUID()) {
  const key = `sk_test_${name}`
  const at = new URL(url)
  const config = { host: at.hostname, port: at.port, protocol: 'http', maxNetworkRetries: 0, telemetry: false, ...more } as const
  // The library knows no base path: it is put before what it asks for.
  const fetched: typeof fetch = (input, init) => fetch(String(input).replace(at.origin, `${at.origin}/stripe`), init)
  const stripe = new Stripe(key, { ...config, httpClient: Stripe.createFetchHttpClient(fetched) })
  return { stripe, key, sandbox: openShop(url, { key }) }
}

const card = { number: '4242424242424242', exp_month: 12, exp_year: 2090, cvc: '123' }
type Client = ReturnType<typeof openClient>['stripe']

async function pay(stripe: Client, number: string, more: Partial<Stripe.PaymentIntentCreateParams> = {}) {
  const method = await stripe.paymentMethods.create({ type: 'card', card: { ...card, number } })
  return stripe.paymentIntents.create({
    amount: 1250,
    currency: 'usd',
    confirm: true,
    payment_method: method.id,
    allowed_payment_method_types: ['card'],
    expand: ['latest_charge'],
    ...more,
  })
}

const refused = async (asked: Promise<unknown>, like: { [name in keyof Stripe.errors.StripeError]?: unknown }) =>
  rejects(asked, (error: Stripe.errors.StripeError) => {
    for (const [name, value] of Object.entries(like)) deepEqual(error[name as 'code'], value, `${name}: ${error.message}`)
    return true
  })

test('a parameter that Stripe does not know is refused at any depth', async () => {
  const { stripe } = openClient()
  for (const [param, more] of Object.entries({
    bogus_member: { bogus_member: true },
    'payment_method_options[card][bogus_member]': { payment_method_options: { card: { bogus_member: 1 } } },
    'payment_method_options[bogus]': { payment_method_options: { bogus: { setup_future_usage: 'none' } } },
    'shipping[address][bogus]': { shipping: { name: 'Ada', address: { line1: '1 Way', bogus: 1 } } },
    'transfer_data[bogus]': { transfer_data: { destination: 'acct_1', bogus: 1 } },
  }))
    await refused(pay(stripe, card.number, more as object), { code: 'parameter_unknown', param })
})

test('the Stripe client library pays, reads the charge, refunds a part and lists the refund', async () => {
  const { stripe, sandbox } = openClient()
  const paid = await pay(stripe, card.number, { metadata: { order: 'A1' } })
  equal(paid.status, 'succeeded')
  equal(paid.amount_received, 1250)
  const charge = paid.latest_charge as Stripe.Charge
  equal(charge.payment_method_details!.card!.last4, '4242')
  equal(charge.payment_method_details!.card!.checks!.cvc_check, 'pass')
  match(charge.payment_method_details!.card!.network_transaction_id!, /^\w{15}$/)
  equal(charge.outcome!.type, 'authorized')
  const refund = await stripe.refunds.create({ payment_intent: paid.id, amount: 250, reason: 'requested_by_customer' })
  deepEqual([refund.status, refund.amount, refund.reason], ['succeeded', 250, 'requested_by_customer'])
  equal((await stripe.refunds.list({ payment_intent: paid.id })).data[0]!.id, refund.id)
  equal(((await stripe.charges.retrieve(charge.id)) as Stripe.Charge).amount_refunded, 250)
  await refused(stripe.refunds.create({ payment_intent: paid.id, amount: 1001 }), { statusCode: 400, param: 'amount', code: undefined })
  deepEqual(
    (await sandbox.charges()).map((one: { captured: number; refunded: number; payment: string }) => [
      one.payment,
      one.captured,
      one.refunded,
    ]),
    [[paid.id, 1250, 250]],
  )
})

test('a partial capture releases the rest; several captures are possible only if requested and supported by the card', async () => {
  const { stripe } = openClient()
  const hold = await pay(stripe, card.number, { capture_method: 'manual' })
  deepEqual([hold.status, hold.amount_capturable], ['requires_capture', 1250])
  ok((hold.latest_charge as Stripe.Charge).payment_method_details!.card!.capture_before! > context.now() / 1000 + 6 * 86_400)
  await refused(stripe.paymentIntents.capture(hold.id, { amount_to_capture: 500, final_capture: false }), { code: 'parameter_invalid' })
  const taken = await stripe.paymentIntents.capture(hold.id, { amount_to_capture: 500 })
  deepEqual([taken.status, taken.amount_received, taken.amount_capturable], ['succeeded', 500, 0])

  const options = { capture_method: 'manual', payment_method_options: { card: { request_multicapture: 'if_available' } } } as const
  const several = await pay(stripe, card.number, options)
  const first = await stripe.paymentIntents.capture(several.id, {
    amount_to_capture: 500,
    final_capture: false,
    metadata: { first: '500' },
  })
  deepEqual([first.status, first.amount_received, first.amount_capturable, first.metadata.first], ['requires_capture', 500, 750, '500'])
  await refused(stripe.paymentIntents.capture(several.id, { amount_to_capture: 751, final_capture: false }), { code: 'amount_too_large' })
  const second = await stripe.paymentIntents.capture(several.id, { amount_to_capture: 250 })
  deepEqual([second.status, second.amount_received], ['succeeded', 750])
  const discover = await pay(stripe, '6011111111111117', options)
  equal((discover.latest_charge as Stripe.Charge).payment_method_details!.card!.multicapture!.status, 'unavailable')
})

test('a canceled authorization cannot be captured, and an uncaptured one expires after a week', async () => {
  const { stripe, sandbox } = openClient()
  const canceled = await pay(stripe, card.number, { capture_method: 'manual' })
  equal((await stripe.paymentIntents.cancel(canceled.id, { cancellation_reason: 'abandoned' })).status, 'canceled')
  await refused(stripe.paymentIntents.capture(canceled.id), { statusCode: 400, code: 'payment_intent_unexpected_state' })
  const lapsing = await pay(stripe, card.number, { capture_method: 'manual' })
  await sandbox.advance(8 * 86_400)
  const lapsed = await stripe.paymentIntents.retrieve(lapsing.id)
  deepEqual([lapsed.status, lapsed.cancellation_reason], ['canceled', 'automatic'])
})

// biome-ignore format: a table reads better in columns
const declines: [number: string, code: string, decline_code: string | undefined, network: string][] = [
  ['4000000000000002', 'card_declined',    'generic_decline',    '05'],
  ['4000000000009995', 'card_declined',    'insufficient_funds', '51'],
  ['4000000000009987', 'card_declined',    'lost_card',          '41'],
  ['4000000000009979', 'card_declined',    'stolen_card',        '43'],
  ['4000000000000069', 'expired_card',     'expired_card',       '54'],
  ['4000000000000127', 'incorrect_cvc',    'incorrect_cvc',      'N7'],
  ['4000000000000119', 'processing_error', 'processing_error',   '96'],
]

test('a declined test card returns its error codes, and the intent can be confirmed again with another card', async () => {
  const { stripe } = openClient()
  for (const [number, code, decline_code, network_decline_code] of declines) {
    await refused(pay(stripe, number), { statusCode: 402, rawType: 'card_error', code, decline_code, network_decline_code })
    const [intent] = (await stripe.paymentIntents.list({ limit: 1 })).data
    deepEqual([intent!.status, intent!.last_payment_error!.code, intent!.payment_method], ['requires_payment_method', code, null])
    const again = await stripe.paymentIntents.confirm(intent!.id, { payment_method: 'pm_card_visa' })
    deepEqual([again.status, again.last_payment_error], ['succeeded', null])
  }
  await refused(stripe.paymentMethods.create({ type: 'card', card: { ...card, number: '4242424242424241' } }), {
    statusCode: 402,
    code: 'incorrect_number',
  })
})

test('3-D Secure redirects to a challenge, after which the payment succeeds or fails; a frictionless flow needs no redirect', async () => {
  const { stripe } = openClient()
  const asked = { return_url: 'https://shop.example/back?order=1' }
  for (const [number, decision, status] of [
    ['4000002760003184', 'approved', 'succeeded'],
    ['4000000000003220', 'approved', 'succeeded'],
    ['4000002500003155', 'approved', 'succeeded'],
    ['4000000000003220', 'declined', 'requires_payment_method'],
  ] as const) {
    const challenged = await pay(stripe, number, asked)
    equal(challenged.status, 'requires_action')
    equal(challenged.next_action!.redirect_to_url!.return_url, asked.return_url)
    const page = challenged.next_action!.redirect_to_url!.url!
    const gone = await fetch(`${page}/${decision === 'approved' ? 'accept' : 'reject'}`, { method: 'POST', redirect: 'manual' })
    const back = new URL(gone.headers.get('location')!)
    deepEqual([back.searchParams.get('order'), back.searchParams.get('payment_intent')], ['1', challenged.id])
    const after_ = await stripe.paymentIntents.retrieve(challenged.id, { expand: ['latest_charge'] })
    equal(after_.status, status)
    if (decision === 'declined') equal(after_.last_payment_error!.code, 'payment_intent_authentication_failure')
    else equal((after_.latest_charge as Stripe.Charge).payment_method_details!.card!.three_d_secure!.authentication_flow, 'challenge')
  }
  for (const [number, decline_code] of [
    ['4000008400001629', 'generic_decline'],
    ['4000008260003178', 'insufficient_funds'],
  ] as const) {
    const challenged = await pay(stripe, number, asked)
    await fetch(`${challenged.next_action!.redirect_to_url!.url}/accept`, { method: 'POST', redirect: 'manual' })
    const after_ = await stripe.paymentIntents.retrieve(challenged.id)
    deepEqual([after_.status, after_.last_payment_error!.decline_code], ['requires_payment_method', decline_code])
  }
  const easy = await pay(stripe, card.number, { ...asked, payment_method_options: { card: { request_three_d_secure: 'any' } } })
  const secure = (easy.latest_charge as Stripe.Charge).payment_method_details!.card!.three_d_secure!
  deepEqual([easy.status, secure.authentication_flow, secure.electronic_commerce_indicator], ['succeeded', 'frictionless', '05'])
  await refused(pay(stripe, '4000002760003184', { off_session: true }), { statusCode: 402, code: 'authentication_required' })
})

test('an idempotency key replays its response, and is refused with another body or while its first request is running', async () => {
  const { stripe, sandbox } = openClient()
  const idempotencyKey = randomUUID()
  const params = { amount: 1250, currency: 'usd', confirm: true, payment_method: 'pm_card_visa' }
  const first = await stripe.paymentIntents.create(params, { idempotencyKey })
  const again = await stripe.paymentIntents.create(params, { idempotencyKey })
  equal(again.id, first.id)
  equal((again.lastResponse.headers as unknown as Headers).get('idempotent-replayed'), 'true')
  equal(again.lastResponse.idempotencyKey, idempotencyKey)
  await refused(stripe.paymentIntents.create({ ...params, amount: 1300 }, { idempotencyKey }), {
    statusCode: 400,
    rawType: 'idempotency_error',
  })
  equal((await sandbox.charges()).length, 1)

  const declined = { ...params, payment_method: 'pm_card_chargeDeclined' }
  const key = randomUUID()
  for (let i = 0; i < 2; i++) await refused(stripe.paymentIntents.create(declined, { idempotencyKey: key }), { statusCode: 402 })
  equal((await stripe.paymentIntents.list()).data.length, 2)

  await sandbox.fault('authorize', 'latency', { ms: 5000 })
  const slow = stripe.paymentIntents.create(params, { idempotencyKey: 'slow' })
  await sandbox.kept()
  await refused(stripe.paymentIntents.create(params, { idempotencyKey: 'slow' }), { statusCode: 409, code: 'idempotency_key_in_use' })
  await sandbox.advance(5)
  equal((await slow).status, 'succeeded')

  // A failure of the vendor's own is kept under the key, too; a day later the key is forgotten, and the request is a
  // new one.
  await sandbox.fault('authorize', '500_after')
  for (let i = 0; i < 2; i++) await refused(stripe.paymentIntents.create(params, { idempotencyKey: 'broken' }), { statusCode: 500 })
  const before = (await sandbox.charges()).length
  await sandbox.advance(25 * 3600)
  await stripe.paymentIntents.create(params, { idempotencyKey: 'broken' })
  equal((await sandbox.charges()).length, before + 1)
})

test('unknown parameters, versions, keys, paths and objects of other accounts are refused', async () => {
  const { stripe, key } = openClient()
  const other = openClient()
  const paid = await pay(stripe, card.number)
  await refused(stripe.paymentIntents.retrieve('pi_nobody'), { statusCode: 404, code: 'resource_missing' })
  await refused(other.stripe.paymentIntents.retrieve(paid.id), { statusCode: 404 })
  await refused(stripe.paymentIntents.create({ amount: 100, currency: 'usd', bogus: '1' } as never), {
    code: 'parameter_unknown',
    param: 'bogus',
  })
  await refused(stripe.paymentIntents.create({ amount: 1255, currency: 'kwd' }), { param: 'amount' })
  const ask = (path: string, headers: object = {}) =>
    fetch(`${url}/stripe${path}`, { headers: { authorization: `Bearer ${key}`, ...headers } })
  equal((await ask('/v1/nothing')).status, 404)
  equal((await ask('/v1/refunds', { 'stripe-version': 'yesterday' })).status, 400)
  equal((await ask('/v1/refunds', { authorization: 'Bearer sk_invalid' })).status, 401)
  equal((await ask('/v1/refunds', { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` })).status, 200)
})

test('a payment of a connected account is not visible to the platform account', async () => {
  const { stripe } = openClient()
  const on = { stripeAccount: 'acct_seller1' }
  const paid = await stripe.paymentIntents.create({ amount: 900, currency: 'eur', confirm: true, payment_method: 'pm_card_visa' }, on)
  equal((await stripe.paymentIntents.retrieve(paid.id, {}, on)).amount, 900)
  await refused(stripe.paymentIntents.retrieve(paid.id), { statusCode: 404 })
})

test('a refund may succeed and fail later, or be pending and then succeed', async () => {
  const { stripe, sandbox } = openClient()
  for (const [number, first, later] of [
    ['4000000000005126', 'succeeded', 'failed'],
    ['4000000000007726', 'pending', 'succeeded'],
  ] as const) {
    const paid = await pay(stripe, number)
    const refund = await stripe.refunds.create({ payment_intent: paid.id })
    equal(refund.status, first)
    await sandbox.advance(61)
    const now = await stripe.refunds.retrieve(refund.id)
    equal(now.status, later)
    if (later === 'failed') equal(now.failure_reason, 'lost_or_stolen_card')
  }
})

test('a dispute is answered with evidence or closed; a search finds an intent by its metadata after a delay', async () => {
  const { stripe, sandbox } = openClient()
  for (const [evidence, status] of [
    ['winning_evidence', 'won'],
    ['losing_evidence', 'lost'],
    ['it was them', 'under_review'],
  ] as const) {
    const paid = await pay(stripe, '4000000000000259', { metadata: { order: evidence.replaceAll(' ', '_') } })
    equal((paid.latest_charge as Stripe.Charge).disputed, true)
    const [dispute] = (await stripe.disputes.list({ payment_intent: paid.id })).data
    deepEqual([dispute!.status, dispute!.amount, dispute!.reason], ['needs_response', 1250, 'fraudulent'])
    equal((await stripe.disputes.update(dispute!.id, { evidence: { uncategorized_text: evidence } })).status, status)
    if (status === 'under_review') await refused(stripe.disputes.close(dispute!.id), { code: 'dispute_closed' })
  }
  const query = 'metadata["order"]:"winning_evidence"'
  equal((await stripe.paymentIntents.search({ query })).data.length, 0)
  await sandbox.advance(30)
  equal((await stripe.paymentIntents.search({ query })).data.length, 1)
  const paid = await pay(stripe, '4000000000000259')
  const [dispute] = (await stripe.disputes.list({ payment_intent: paid.id })).data
  equal((await stripe.disputes.close(dispute!.id)).status, 'lost')
})

test('a card is saved with a setup intent; a declined card is refused', async () => {
  const { stripe } = openClient()
  const setup = await stripe.setupIntents.create({ payment_method: 'pm_card_visa', confirm: true, usage: 'off_session' })
  equal((await stripe.setupIntents.retrieve(setup.id)).status, 'succeeded')
  await refused(stripe.setupIntents.create({ payment_method: 'pm_card_chargeDeclined', confirm: true }), {
    statusCode: 402,
    code: 'card_declined',
  })
  const later = await stripe.setupIntents.create({})
  equal((await stripe.setupIntents.cancel(later.id)).status, 'canceled')
})

test('a card saved for a customer is charged off-session for that customer only', async () => {
  const { stripe } = openClient()
  const customer = (await stripe.customers.create({ metadata: { customer: 'ada' } })).id
  const kept = await pay(stripe, card.number, { customer, setup_future_usage: 'off_session' })
  deepEqual([kept.customer, kept.setup_future_usage], [customer, 'off_session'])
  const payment_method = kept.payment_method as string
  const off_session = { amount: 700, currency: 'usd', confirm: true, off_session: true, payment_method } as const
  equal((await stripe.paymentIntents.create({ ...off_session, customer })).status, 'succeeded')
  const other = (await stripe.customers.create({})).id
  await refused(stripe.paymentIntents.create({ ...off_session, customer: other }), { statusCode: 400, code: 'resource_missing' })
  await refused(stripe.paymentIntents.create({ ...off_session, customer: 'cus_nobody' }), { statusCode: 404 })
  const setup = await stripe.setupIntents.create({ payment_method: 'pm_card_mastercard', customer, confirm: true })
  deepEqual([setup.status, setup.customer], ['succeeded', customer])
})

test('webhooks pass the signature check of the Stripe library, and have the right event types', async () => {
  const { stripe, sandbox } = openClient()
  const secret = 'whsec_of_the_tests'
  const received: Stripe.Event[] = []
  const ear = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', part => parts.push(part))
    request.on('end', () => {
      const signature = request.headers['stripe-signature'] as string
      received.push(stripe.webhooks.constructEvent(Buffer.concat(parts), signature, secret, undefined, undefined, context.now()))
      response.end()
    })
  })
  await new Promise<void>(resolve => ear.listen(0, '127.0.0.1', resolve))
  after(() => ear.close())
  const { port } = ear.address() as { port: number }
  await sandbox.settings({ webhook_url: `http://127.0.0.1:${port}/`, webhook_secret: secret })
  const hold = await pay(stripe, '4000000000005126', { capture_method: 'manual' })
  await stripe.paymentIntents.capture(hold.id)
  const refund = await stripe.refunds.create({ payment_intent: hold.id, amount: 300 })
  await sandbox.advance(61)
  await pay(stripe, '4000000000000002').catch(() => {})
  await pay(stripe, '4000000000000259')
  const canceled = await pay(stripe, card.number, { capture_method: 'manual' })
  await stripe.paymentIntents.cancel(canceled.id)
  await sandbox.advance(0)
  deepEqual(received.map(event => event.type).sort(), [
    'charge.captured',
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
    'charge.refunded',
    'payment_intent.amount_capturable_updated',
    'payment_intent.amount_capturable_updated',
    'payment_intent.canceled',
    'payment_intent.payment_failed',
    'payment_intent.succeeded',
    'payment_intent.succeeded',
    'refund.failed',
  ])
  const failed = received.find(event => event.type === 'refund.failed')!
  deepEqual([failed.data.object.id, failed.data.object.status], [refund.id, 'failed'])
  equal((await stripe.events.retrieve(failed.id)).type, 'refund.failed')
  equal((await stripe.events.list({ limit: 100 })).data.length, received.length)
})

test('a refund in the dashboard has no metadata of the merchant, and is in the charge, the lists and the events', async () => {
  const { stripe, sandbox } = openClient()
  const paid = await pay(stripe, card.number, { metadata: { order: 'A1' } })
  await stripe.refunds.create({ payment_intent: paid.id, amount: 100, metadata: { order: 'A1-back' } })
  await sandbox.move(paid.id, 'refund', { amount: 250, reason: 'requested_by_customer', webhooks: 'lose' })
  await sandbox.move(paid.id, 'refund', { amount: 900, webhooks: 'lose' })
  const charge = (await stripe.paymentIntents.retrieve(paid.id, { expand: ['latest_charge.refunds'] })).latest_charge as Stripe.Charge
  deepEqual([charge.amount_captured, charge.amount_refunded, charge.refunded, charge.metadata], [1250, 1250, true, { order: 'A1' }])
  deepEqual(
    charge.refunds!.data.map(({ amount, metadata, reason }) => [amount, metadata, reason]),
    [
      [900, {}, null],
      [250, {}, 'requested_by_customer'],
      [100, { order: 'A1-back' }, null],
    ],
  )
  const pages: string[] = []
  for await (const one of stripe.refunds.list({ payment_intent: paid.id, limit: 1 })) pages.push(one.id)
  deepEqual(
    pages,
    charge.refunds!.data.map(({ id }) => id),
  )
  await refused(stripe.refunds.create({ payment_intent: paid.id, amount: 1 }), { code: 'charge_already_refunded' })
  const events = await stripe.events.list({ types: ['charge.refunded'], delivery_success: false })
  const totals = events.data.map(({ data }) => (data.object as Stripe.Charge).amount_refunded)
  deepEqual(totals, [1250, 350], 'an event shows its object as it was')
})

test('what is let go of a hold is a refund that changes no balance, as Stripe writes it', async () => {
  const { stripe, sandbox } = openClient()
  const hold = (more: object = {}) => pay(stripe, card.number, { capture_method: 'manual', ...more })
  const shown = async (id: string) => {
    const { status, latest_charge } = await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge.refunds'] })
    const { amount_captured, amount_refunded, captured, refunded, refunds } = latest_charge as Stripe.Charge
    const listed = refunds!.data.map(({ amount, balance_transaction, reason }) => [amount, balance_transaction, reason])
    return [status, amount_captured, amount_refunded, captured, refunded, listed]
  }
  const [part, void_, late] = [await hold(), await hold(), await hold()]
  deepEqual(await shown(part.id), ['requires_capture', 0, 0, false, false, []])
  await sandbox.move(part.id, 'capture', { amount: 1000 })
  deepEqual(await shown(part.id), ['succeeded', 1000, 250, true, false, [[250, null, null]]])
  await sandbox.move(void_.id, 'void')
  deepEqual(await shown(void_.id), ['canceled', 0, 1250, false, true, [[1250, null, null]]])
  await sandbox.expire(late.id)
  deepEqual(await shown(late.id), ['canceled', 0, 1250, false, true, [[1250, null, 'expired_uncaptured_charge']]])
  const [release] = (await stripe.refunds.list({ payment_intent: void_.id })).data
  equal((await stripe.refunds.retrieve(release!.id)).amount, 1250)
  for (const id of [part.id, void_.id])
    await refused(stripe.paymentIntents.cancel(id), { statusCode: 400, code: 'payment_intent_unexpected_state' })
  await refused(stripe.paymentIntents.capture(void_.id), { code: 'payment_intent_unexpected_state' })
})

test('events are listed by type and time, page after page, for 30 days', async () => {
  const { stripe, sandbox } = openClient()
  const { id } = await pay(stripe, card.number)
  for (let time = 0; time < 3; time++) await sandbox.move(id, 'refund', { amount: 100, webhooks: 'lose' })
  await sandbox.advance(60)
  const since = Math.floor(Date.parse((await sandbox.advance(0)).json.now) / 1000)
  await sandbox.move(id, 'refund', { amount: 300, webhooks: 'lose' })
  const ids: string[] = []
  for await (const event of stripe.events.list({ type: 'charge.*', limit: 2 })) ids.push(event.id)
  equal(new Set(ids).size, 4)
  const late = await stripe.events.list({ types: ['refund.created', 'refund.updated'], created: { gte: since } })
  deepEqual(
    late.data.map(({ type, data }) => [type, (data.object as Stripe.Refund).amount]),
    [['refund.created', 300]],
  )
  await refused(stripe.events.list({ limit: 101 }), { param: 'limit' })
  await sandbox.advance(31 * 24 * 3600)
  equal((await stripe.events.list({})).data.length, 0)
})
