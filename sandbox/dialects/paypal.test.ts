import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import {
  CheckoutPaymentIntent,
  Client,
  Environment,
  OrdersCardVerificationMethod,
  OrdersController,
  PaymentsController,
  PaypalPaymentTokenUsageType,
  VaultController,
  VaultTokenRequestType,
} from '@paypal/paypal-server-sdk'
import { openShop, openTestSandbox } from '../test-shop.ts'

/** PayPal's dialect as PayPal's own client library finds it: it pays, captures, voids, renews, refunds and looks up. */

const { url } = await openTestSandbox()
const SECRET = '8PT597110X687430LKGECATA'

type Letter = { headers: Record<string, string | string[] | undefined>; text: string }
const letters: Letter[] = []
const postbox = createServer(async (asked, answer) => {
  let text = ''
  for await (const chunk of asked) text += chunk
  letters.push({ headers: asked.headers, text })
  answer.writeHead(200).end()
})
await new Promise<void>(resolve => postbox.listen(0, '127.0.0.1', resolve))
after(() => postbox.close())

type Asked = { url: string; method: string; headers: Record<string, string>; data?: string }

/** The library speaks to PayPal only: where it goes is ours. */
async function adapter(config: Asked) {
  const body = config.data === undefined ? {} : { body: config.data }
  const headers = Object.fromEntries(Object.entries(config.headers).map(([name, value]) => [name, String(value)]))
  const response = await fetch(config.url.replace('https://api-m.sandbox.paypal.com', `${url}/paypal`), {
    method: config.method,
    headers,
    ...body,
  })
  return {
    data: await response.text(),
    status: response.status,
    statusText: response.statusText,
    headers: Object.fromEntries(response.headers),
    config,
  }
}

function openClient(key = `sandbox_${randomUUID()}`) {
  const client = new Client({
    environment: Environment.Sandbox,
    clientCredentialsAuthCredentials: { oAuthClientId: 'client', oAuthClientSecret: key },
    unstable_httpClientOptions: { adapter },
  })
  return {
    orders: new OrdersController(client),
    payments: new PaymentsController(client),
    vault: new VaultController(client),
    sandbox: openShop(url, { key }),
    key,
  }
}
type Opened = ReturnType<typeof openClient>
const amount = { currencyCode: 'USD', value: '12.50' }
const card = { number: '4242424242424242', expiry: '2090-03', securityCode: '123' }

async function order({ orders }: Opened, intent = CheckoutPaymentIntent.Capture): Promise<string> {
  const { result } = await orders.createOrder({ body: { intent, purchaseUnits: [{ amount, customId: `order-${randomUUID()}` }] } })
  equal(result.status, 'CREATED')
  return result.id!
}
const capture = ({ orders }: Opened, id: string, more: object = {}, paypalRequestId: string = randomUUID()) =>
  orders.captureOrder({ id, paypalRequestId, prefer: 'return=representation', body: { paymentSource: { card: { ...card, ...more } } } })

test('the PayPal client library pays by card, and finds the order; invalid credentials are refused', async () => {
  const opened = openClient()
  const id = await order(opened)
  const paid = (await capture(opened, id)).result
  equal(paid.status, 'COMPLETED')
  const [taken] = paid.purchaseUnits![0]!.payments!.captures!
  deepEqual([taken!.status, taken!.amount], ['COMPLETED', amount])
  const found = (await opened.orders.getOrder({ id })).result
  equal(found.purchaseUnits![0]!.payments!.captures![0]!.id, taken!.id)
  equal((await opened.payments.getCapturedPayment({ captureId: taken!.id! })).result.status, 'COMPLETED')
  await rejects(opened.orders.getOrder({ id: 'UNKNOWN' }), { statusCode: 404 })
  await rejects(openClient('sk_invalid').orders.getOrder({ id }), { statusCode: 401 })
})

test('the same PayPal-Request-Id returns the same payment; another cannot capture the order again', async () => {
  const opened = openClient()
  const id = await order(opened)
  await capture(opened, id, {}, 'key-1')
  equal((await capture(opened, id, {}, 'key-1')).result.id, id)
  await rejects(capture(opened, id, {}, 'key-2'), { statusCode: 422 })
  equal((await opened.sandbox.charges()).length, 1)
})

test('a cardholder name from PayPal’s test list is declined with its response code, and nothing is charged', async () => {
  const opened = openClient()
  for (const [name, code] of [
    ['CCREJECT-REFUSED', '0500'],
    ['CCREJECT-IF', '5120'],
    ['CCREJECT-CVV_F', '00N7'],
  ]) {
    const { result } = await capture(opened, await order(opened), { name })
    const [taken] = result.purchaseUnits![0]!.payments!.captures!
    deepEqual([taken!.status, taken!.processorResponse!.responseCode], ['DECLINED', code])
  }
  equal((await opened.sandbox.charges()).length, 0)
})

test('an authorization is captured in part or voided; a capture cannot be refunded beyond its amount', async () => {
  const opened = openClient()
  const { payments } = opened
  const hold = async () => {
    const id = await order(opened, CheckoutPaymentIntent.Authorize)
    const { result } = await opened.orders.authorizeOrder({ id, prefer: 'return=representation', body: { paymentSource: { card } } })
    return result.purchaseUnits![0]!.payments!.authorizations![0]!.id!
  }
  const authorizationId = await hold()
  const part = { currencyCode: 'USD', value: '5.00' }
  const { result: first } = await payments.captureAuthorizedPayment({ authorizationId, body: { amount: part, finalCapture: false } })
  equal(first.status, 'COMPLETED')
  equal((await payments.getAuthorizedPayment({ authorizationId })).result.status, 'PARTIALLY_CAPTURED')
  await rejects(payments.captureAuthorizedPayment({ authorizationId, body: { amount, finalCapture: true } }), { statusCode: 422 })
  await rejects(payments.reauthorizePayment({ authorizationId, body: { amount } }), { statusCode: 422 }, 'cards are not renewed')
  const refunded = await payments.refundCapturedPayment({ captureId: first.id!, body: { amount: { ...part, value: '4.00' } } })
  equal(refunded.result.status, 'COMPLETED')
  equal((await payments.getRefund({ refundId: refunded.result.id! })).result.amount!.value, '4.00')
  equal((await payments.getCapturedPayment({ captureId: first.id! })).result.status, 'PARTIALLY_REFUNDED')
  await rejects(payments.refundCapturedPayment({ captureId: first.id!, body: { amount: part } }), { statusCode: 422 })
  const other = await hold()
  equal((await payments.voidPayment({ authorizationId: other })).statusCode, 204)
  equal((await payments.getAuthorizedPayment({ authorizationId: other })).result.status, 'VOIDED')
  await rejects(payments.voidPayment({ authorizationId: other }), { statusCode: 422 })
})

test('a card payment with required 3-D Secure moves no money until the cardholder has passed the challenge', async () => {
  const opened = openClient()
  const id = await order(opened)
  const body = {
    paymentSource: {
      card: {
        ...{
          ...card,
          number: '4000002760003184',
          experienceContext: { returnUrl: 'https://shop.example/back', cancelUrl: 'https://shop.example/no' },
        },
        attributes: { verification: { method: OrdersCardVerificationMethod.ScaAlways } },
      },
    },
  }
  const { result } = await opened.orders.confirmOrder({ id, body })
  equal(result.status, 'PAYER_ACTION_REQUIRED')
  await rejects(opened.orders.captureOrder({ id }), { statusCode: 422 })
  const page = result.links!.find(({ rel }) => rel === 'payer-action')!.href
  const back = await fetch(`${page}/accept`, { method: 'POST', redirect: 'manual' })
  equal(new URL(back.headers.get('location')!).searchParams.get('token'), id)
  const found = (await opened.orders.getOrder({ id })).result
  equal(found.paymentSource!.card!.authenticationResult!.liabilityShift, 'POSSIBLE')
  equal((await opened.sandbox.charges()).length, 0)
  equal((await opened.orders.captureOrder({ id })).result.status, 'COMPLETED')
})

test('a PayPal wallet is saved without a charge: its approved setup token becomes one payment token, which can pay', async () => {
  const opened = openClient()
  const { vault } = opened
  const experienceContext = { returnUrl: 'https://shop.example/back', cancelUrl: 'https://shop.example/no' }
  const { result: setup } = await vault.createSetupToken({
    paypalRequestId: 'setup-1',
    body: { paymentSource: { paypal: { usageType: PaypalPaymentTokenUsageType.Merchant, experienceContext } } },
  })
  equal(setup.status, 'PAYER_ACTION_REQUIRED')
  const body = { paymentSource: { token: { id: setup.id!, type: VaultTokenRequestType.SetupToken } } }
  await rejects(vault.createPaymentToken({ body }), { statusCode: 422 })
  const page = setup.links!.find(({ rel }) => rel === 'approve')!.href
  equal((await fetch(`${page}/accept`, { method: 'POST', redirect: 'manual' })).status, 302)
  equal((await vault.getSetupToken(setup.id!)).result.status, 'APPROVED')
  const kept = (await vault.createPaymentToken({ paypalRequestId: 'keep-1', body })).result
  equal((await vault.createPaymentToken({ paypalRequestId: 'keep-1', body })).result.id, kept.id)
  await rejects(vault.createPaymentToken({ paypalRequestId: 'keep-2', body }), { statusCode: 422 })
  equal((await vault.getSetupToken(setup.id!)).result.status, 'TOKENIZED')
  const { result: listed } = await vault.listCustomerPaymentTokens({ customerId: kept.customer!.id! })
  deepEqual(
    listed.paymentTokens!.map(({ id }) => id),
    [kept.id],
  )
  await rejects(opened.orders.getOrder({ id: setup.id! }), { statusCode: 404 })
  const id = await order(opened)
  const paid = await opened.orders.captureOrder({ id, body: { paymentSource: { paypal: { vaultId: kept.id! } } } })
  equal(paid.result.status, 'COMPLETED')
})

const call = async (key: string, path: string, body: object, token?: string) => {
  const authorization = token === undefined ? `Basic ${Buffer.from(`client:${key}`).toString('base64')}` : `Bearer ${token}`
  const response = await fetch(`${url}/paypal${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': token === undefined ? 'application/x-www-form-urlencoded' : 'application/json' },
    body: token === undefined ? 'grant_type=client_credentials' : JSON.stringify(body),
  })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads every answer
  return { status: response.status, body: (await response.json()) as any }
}

test('an unknown or inconsistent field is refused at any depth; an access token expires', async () => {
  const { key, sandbox } = openClient()
  const token = (await call(key, '/v1/oauth2/token', {})).body.access_token
  match(token, /^A21AA/)
  const unit = { amount: { currency_code: 'USD', value: '12.50' } }
  const whole = { intent: 'CAPTURE', purchase_units: [unit] }
  equal((await call(key, '/v2/checkout/orders', whole, token)).status, 201)
  const chair = { name: 'Chair', quantity: '2', unit_amount: { currency_code: 'USD', value: '5.00' } }
  const breakdown = { item_total: { currency_code: 'USD', value: '10.00' }, shipping: { currency_code: 'USD', value: '2.50' } }
  const lined = (value: string) => ({ amount: { currency_code: 'USD', value, breakdown }, items: [chair] })
  const known = await call(key, '/v2/checkout/orders', { ...whole, purchase_units: [lined('12.50')] }, token)
  deepEqual([known.status, known.body.purchase_units[0].items, known.body.purchase_units[0].amount.breakdown], [201, [chair], breakdown])
  for (const body of [
    { ...whole, bogus: 1 },
    { ...whole, purchase_units: [{ ...unit, bogus: 1 }] },
    { ...whole, purchase_units: [{ amount: { ...unit.amount, bogus: 1 } }] },
    { ...whole, payment_source: { card: { bogus: 1 } } },
    { ...whole, purchase_units: [{ amount: { currency_code: 'USD', value: '12.505' } }] },
    { ...whole, purchase_units: [{ amount: { currency_code: 'HUF', value: '12.50' } }] },
    { ...whole, purchase_units: [{ ...unit, items: [chair] }] },
    { ...whole, purchase_units: [{ ...lined('12.50'), items: [{ ...chair, quantity: '3' }] }] },
    { ...whole, purchase_units: [{ ...lined('12.50'), items: [{ ...chair, bogus: 1 }] }] },
    { ...whole, purchase_units: [lined('13.50')] },
  ])
    ok((await call(key, '/v2/checkout/orders', body, token)).status >= 400, JSON.stringify(body))
  await sandbox.advance(10 * 3600)
  equal((await call(key, '/v2/checkout/orders', whole, token)).status, 401)
})

test('webhooks are verified by an API call, which fails when the event or the webhook id differs', async () => {
  const opened = openClient()
  const { port } = postbox.address() as { port: number }
  await opened.sandbox.settings({ webhook_url: `http://127.0.0.1:${port}/`, webhook_secret: SECRET })
  const id = await order(opened)
  await capture(opened, id)
  await opened.sandbox.advance(0)
  const { headers, text } = letters.at(-1)!
  const event = JSON.parse(text)
  deepEqual([event.event_type, event.resource.supplementary_data.related_ids.order_id], ['PAYMENT.CAPTURE.COMPLETED', id])
  const token = (await call(opened.key, '/v1/oauth2/token', {})).body.access_token
  const ask = {
    ...{ auth_algo: headers['paypal-auth-algo'], cert_url: headers['paypal-cert-url'], transmission_id: headers['paypal-transmission-id'] },
    ...{ transmission_sig: headers['paypal-transmission-sig'], transmission_time: headers['paypal-transmission-time'] },
    ...{ webhook_id: SECRET, webhook_event: event },
  }
  const verdict = async (more: object = {}) =>
    (await call(opened.key, '/v1/notifications/verify-webhook-signature', { ...ask, ...more }, token)).body.verification_status
  deepEqual(
    [await verdict(), await verdict({ webhook_id: 'OTHER' }), await verdict({ webhook_event: { ...event, id: 'WH-forged' } })],
    ['SUCCESS', 'FAILURE', 'FAILURE'],
  )
})

/** Calls PayPal without its library, which does not have every call. */
async function ask(key: string, path: string) {
  const token = (await call(key, '/v1/oauth2/token', {})).body.access_token
  const response = await fetch(`${url}/paypal${path}`, { headers: { authorization: `Bearer ${token}` } })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads every answer
  return { status: response.status, body: (await response.json()) as any }
}

async function held(opened: Opened) {
  const id = await order(opened, CheckoutPaymentIntent.Authorize)
  const body = { paymentSource: { card } }
  const { result } = await opened.orders.authorizeOrder({ id, paypalRequestId: randomUUID(), prefer: 'return=representation', body })
  return { id, unit: result.purchaseUnits![0]!, hold: result.purchaseUnits![0]!.payments!.authorizations![0]!.id! }
}

test('money moved in the dashboard is in the order, with the ids of the order and none of its own', async () => {
  const opened = openClient()
  const { sandbox, payments } = opened
  const { id, unit, hold } = await held(opened)
  await sandbox.move(id, 'capture', { amount: 500 })
  await sandbox.move(id, 'refund', { amount: 200, reason: 'Defective product' })
  const { authorizations, captures, refunds } = (await opened.orders.getOrder({ id })).result.purchaseUnits![0]!.payments!
  equal(authorizations![0]!.status, 'PARTIALLY_CAPTURED')
  const [taken, back] = [captures![0]!, refunds![0]!]
  deepEqual([taken.status, taken.amount!.value, taken.customId], ['PARTIALLY_REFUNDED', '5.00', unit.customId])
  match(taken.links!.find(({ rel }) => rel === 'up')!.href, new RegExp(`/authorizations/${hold}$`))
  deepEqual([back.status, back.amount!.value, back.customId, back.noteToPayer], ['COMPLETED', '2.00', unit.customId, 'Defective product'])
  equal(back.sellerPayableBreakdown!.totalRefundedAmount!.value, '2.00')
  await rejects(payments.refundCapturedPayment({ captureId: taken.id!, body: { amount: { ...amount, value: '3.01' } } }), {
    statusCode: 422,
  })
  await sandbox.move(id, 'void')
  equal((await payments.getAuthorizedPayment({ authorizationId: hold })).result.status, 'VOIDED')
  await rejects(payments.captureAuthorizedPayment({ authorizationId: hold, body: { amount } }), { statusCode: 422 })
})

test('what the dashboard has captured, voided or refunded already is refused with PayPal’s issue', async () => {
  const opened = openClient()
  const { sandbox, key } = opened
  const token = (await call(key, '/v1/oauth2/token', {})).body.access_token
  const issueOf = async (path: string, body: object = {}) => (await call(key, path, body, token)).body.details?.[0].issue
  const [first, second] = [await held(opened), await held(opened)]
  await sandbox.move(first.id, 'capture')
  equal(await issueOf(`/v2/payments/authorizations/${first.hold}/capture`), 'AUTHORIZATION_ALREADY_CAPTURED')
  equal(await issueOf(`/v2/payments/authorizations/${first.hold}/void`), 'PREVIOUSLY_CAPTURED')
  await sandbox.move(second.id, 'void')
  equal(await issueOf(`/v2/payments/authorizations/${second.hold}/capture`), 'AUTHORIZATION_VOIDED')
  const [taken] = (await opened.orders.getOrder({ id: first.id })).result.purchaseUnits![0]!.payments!.captures!
  const refund = `/v2/payments/captures/${taken!.id}/refund`
  equal(await issueOf(refund, { amount: { currency_code: 'EUR', value: '1.00' } }), 'REFUND_CAPTURE_CURRENCY_MISMATCH')
  equal(await issueOf(refund, { amount: { currency_code: 'USD', value: '99.00' } }), 'REFUND_AMOUNT_EXCEEDED')
  await sandbox.move(first.id, 'refund')
  equal(await issueOf(refund), 'CAPTURE_FULLY_REFUNDED')
})

test('events are listed for 30 days, delivered or not; the disputes of a capture are found by its id', async () => {
  const opened = openClient()
  const { sandbox, key } = opened
  await sandbox.settings({ webhook_url: `http://127.0.0.1:${(postbox.address() as { port: number }).port}/`, webhook_secret: SECRET })
  const id = await order(opened)
  const paid = (await capture(opened, id)).result.purchaseUnits![0]!.payments!.captures![0]!
  await sandbox.move(id, 'refund', { amount: 200, webhooks: 'lose' })
  await sandbox.move(id, 'dispute', { webhooks: 'lose' })
  const events = '/v1/notifications/webhooks-events'
  const first = (await ask(key, `${events}?page_size=2`)).body
  deepEqual(
    first.events.map(({ event_type }: { event_type: string }) => event_type),
    ['CUSTOMER.DISPUTE.CREATED', 'PAYMENT.CAPTURE.REFUNDED'],
  )
  match(first.events[1].resource.links[1].href, new RegExp(`/captures/${paid.id}$`))
  const next = new URL(first.links.find(({ rel }: { rel: string }) => rel === 'next').href)
  const second = (await ask(key, `${events}${next.search}`)).body
  deepEqual([second.count, second.events[0].event_type, second.links.length], [1, 'PAYMENT.CAPTURE.COMPLETED', 1])
  equal((await ask(key, `${events}?bogus=1`)).status, 400)
  const found = (await ask(key, `/v1/customer/disputes?disputed_transaction_id=${paid.id}`)).body
  deepEqual([found.items.length, found.items[0].disputed_transactions], [1, undefined])
  deepEqual((await ask(key, '/v1/customer/disputes?disputed_transaction_id=OTHER')).body.items, [])
  equal((await ask(key, `${events}?event_type=PAYMENT.CAPTURE.REFUNDED`)).body.count, 1)
  await sandbox.advance(31 * 24 * 3600)
  deepEqual((await ask(key, `${events}?event_type=PAYMENT.CAPTURE.REFUNDED`)).body.events, [])
})
