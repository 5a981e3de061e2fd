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
