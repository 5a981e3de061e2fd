import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/refused.ts'
import { type Body, card, cards, http, openShop, type Shop } from '../../../test/shop.ts'

/** Confirms a payment as a browser: with the publishable key and the client_secret. */
const fromBrowser = (shop: Shop, payment: Body, body: Body = {}) =>
  http(
    'POST',
    `${shop.url}/payments/${payment.payment_id}/confirm`,
    { client_secret: payment.client_secret, ...body },
    { 'api-key': shop.publishable_key },
  )

test('a payment created with a card is confirmed without further data', async () => {
  const shop = await openShop()
  const payment = await shop.create({ amount: 4200 })
  const { status, body } = await shop.confirm(payment.payment_id)
  deepEqual([status, body.status, body.amount_received], [200, 'succeeded', 4200])
  const charge = (await shop.processor.charges())[0]!
  deepEqual([charge.captured, charge.reference], [4200, body.reference_id])
  const [operation] = await shop.processor.operations()
  equal(operation.cvc_result, 'M', 'the security code that waited came along')
})

test('a payment created without a card is paid with the card in the confirm', async () => {
  const shop = await openShop()
  const { body: payment } = await shop.post('/payments', { amount: 1250, currency: 'USD', authentication_type: 'no_three_ds' })
  isRefused(await shop.confirm(payment.payment_id), 422, 'IR_06', /A payment token or payment method data/)
  isRefused(await shop.confirm(payment.payment_id, { payment_method: 'card' }), 422, 'IR_06', /A payment token or payment method data/)
  const { body } = await shop.confirm(payment.payment_id, { payment_method: 'card', payment_method_data: card() })
  deepEqual([body.status, body.payment_method_data.card.last4], ['succeeded', '4242'])
})

test('the card in the confirm replaces the one sent at creation', async () => {
  const shop = await openShop()
  const payment = await shop.create({ card: cards.declines })
  const { body } = await shop.confirm(payment.payment_id, { payment_method: 'card', payment_method_data: card() })
  deepEqual([body.status, body.payment_method_data.card.last4], ['succeeded', '4242'])
})

test('a server can change the amount in the confirm, and the confirmed amount is charged', async () => {
  const shop = await openShop()
  const payment = await shop.create({ amount: 1000 })
  const { body } = await shop.confirm(payment.payment_id, { amount: 2000, shipping_cost: 99, currency: 'EUR' })
  deepEqual([body.status, body.amount, body.net_amount, body.amount_received, body.currency], ['succeeded', 2000, 2099, 2099, 'EUR'])
  const [charge] = await shop.processor.charges()
  deepEqual([charge!.captured, charge!.currency], [2099, 'EUR'])
})

test('amount_to_capture in a confirm is checked against the capture method of the payment', async () => {
  const shop = await openShop()
  const manual = await shop.create({ capture_method: 'manual' })
  const held = await shop.confirm(manual.payment_id, { amount_to_capture: 500 })
  deepEqual([held.status, held.body.status], [200, 'requires_capture'])
  const part = await shop.create({ capture_method: 'manual', amount_to_capture: 500 })
  isRefused(await shop.confirm(part.payment_id, { capture_method: 'automatic' }), 400, 'IR_16', /amount_to_capture/)
  const atOnce = await shop.create()
  isRefused(await shop.confirm(atOnce.payment_id, { amount_to_capture: 500 }), 400, 'IR_16', /amount_to_capture/)
  equal((await shop.processor.charges()).length, 1)
})

test('a security code is stored for at most 15 minutes before the confirm, and is deleted once used', async () => {
  const shop = await openShop()
  const waiting = () => shop.query('select * from waiting_cvcs where merchant_id = $1', [shop.merchant_id])
  const soon = await shop.create()
  equal((await waiting()).length, 1)
  await shop.confirm(soon.payment_id)
  equal((await waiting()).length, 0)
  const late = await shop.create()
  await shop.wait('16 minutes')
  equal((await waiting()).length, 0)
  equal((await shop.confirm(late.payment_id)).body.status, 'succeeded', 'a server may confirm later, without the code')
  deepEqual(
    (await shop.processor.operations()).map(operation => operation.cvc_result),
    ['M', 'P'],
  )
  const again = await shop.create()
  await shop.wait('16 minutes')
  await shop.confirm(again.payment_id, { card_cvc: '737' })
  equal((await shop.processor.operations()).at(-1).cvc_result, 'M', 'or with a code sent now')
})

test('a payment is confirmed once: further confirms are refused, and there is one charge', async () => {
  const shop = await openShop()
  const payment = await shop.create()
  const answers = await Promise.all([shop.confirm(payment.payment_id), shop.confirm(payment.payment_id), shop.confirm(payment.payment_id)])
  const paid = answers.filter(answer => answer.status === 200)
  equal(paid.length, 1)
  for (const answer of answers) if (answer.status !== 200) isRefused(answer, 400, 'IR_16')
  isRefused(await shop.confirm(payment.payment_id), 400, 'IR_16', /succeeded.*requires_payment_method, requires_confirmation/)
  equal((await shop.processor.charges()).length, 1)
})

test('a failed, cancelled, authorized or processing payment cannot be confirmed', async () => {
  const shop = await openShop()
  const failed = await shop.pay({ card: cards.declines })
  const held = await shop.hold()
  const cancelled = await shop.create()
  await shop.cancel(cancelled.payment_id)
  const silent = await shop.pay({ card: cards.resets })
  const challenged = await shop.pay({ card: cards.challenges, authentication_type: 'three_ds' })
  for (const payment of [failed, held, cancelled, silent, challenged]) {
    const status = (await shop.get(payment.payment_id)).status
    isRefused(
      await shop.confirm(payment.payment_id, { payment_method: 'card', payment_method_data: card() }),
      400,
      'IR_16',
      new RegExp(status),
    )
  }
  equal((await shop.processor.charges()).length, 1, 'the hold')
})

test('a browser confirms with publishable key and client_secret, and does not receive server-only fields', async () => {
  const shop = await openShop()
  const payment = await shop.create({ metadata: { margin: '40 %' } })
  equal(payment.metadata.margin, '40 %')
  const { status, body } = await fromBrowser(shop, payment)
  deepEqual([status, body.status, body.metadata, body.connector_label], [200, 'succeeded', null, null])
})

test('a browser cannot change amount, customer or capture settings in a confirm', async () => {
  const shop = await openShop()
  const payment = await shop.create({ amount: 5000, customer_id: 'cus_1', capture_method: 'manual' })
  const attempts: Body = {
    amount: 1,
    currency: 'JPY',
    capture_method: 'automatic',
    amount_to_capture: 1,
    metadata: { paid: true },
    profile_id: 'pro_x',
    surcharge_details: { surcharge_amount: 1 },
    shipping_cost: 1,
    order_tax_amount: 1,
    enable_partial_authorization: true,
    off_session: true,
    description: 'a gift',
    session_expiry: 7_000_000,
  }
  for (const [member, value] of Object.entries(attempts))
    isRefused(await fromBrowser(shop, payment, { [member]: value }), 403, 'IR_22', new RegExp(member))
  isRefused(await fromBrowser(shop, payment, { customer_id: 'cus_2' }), 401, 'IR_18')
  isRefused(await fromBrowser(shop, payment, { customer: { id: 'cus_2' } }), 401, 'IR_18')
  deepEqual(await shop.processor.operations(), [])
  const { body } = await fromBrowser(shop, payment, { customer_id: 'cus_1' })
  deepEqual([body.status, body.amount_capturable, body.customer_id], ['requires_capture', 5000, 'cus_1'])
})

test('a browser may repeat the values of the payment, request a challenge, and add order details', async () => {
  const shop = await openShop()
  const metadata = { order: { no: 7 } }
  const asked = {
    amount: 5000,
    capture_method: 'manual',
    customer_id: 'cus_1',
    metadata,
    shipping_cost: 50,
    return_url: 'https://shop.example/',
  }
  const payment = await shop.create(asked)
  const { payment_id, profile_id, merchant_id } = payment
  const nothing = {
    order_tax_amount: 0,
    surcharge_details: { surcharge_amount: 0, tax_amount: 0 },
    request_incremental_authorization: false,
  }
  const repeated = { ...asked, payment_id, merchant_id, profile_id, currency: 'USD', ...nothing }
  isRefused(await fromBrowser(shop, payment, { ...repeated, shipping_cost: 0 }), 403, 'IR_22', /shipping_cost/)
  const order_details = [{ product_name: 'A book', quantity: 1, amount: 5000 }]
  isRefused(await fromBrowser(shop, payment, { ...repeated, amount: 4999 }), 403, 'IR_22', /amount/)
  isRefused(await fromBrowser(shop, payment, { ...repeated, metadata: { order: { no: 8 } } }), 403, 'IR_22', /metadata/)
  isRefused(await fromBrowser(shop, payment, { ...repeated, payment_id: `pay_${'0'.repeat(26)}` }), 422, 'IR_06', /payment_id/)
  const { body } = await fromBrowser(shop, payment, { ...repeated, order_details, authentication_type: 'three_ds' })
  deepEqual(
    [body.status, body.amount_capturable, body.authentication_type, body.order_details[0].product_name, body.customer_id],
    ['requires_capture', 5050, 'three_ds', 'A book', 'cus_1'],
  )
})

test('a browser that sends an outdated amount is refused', async () => {
  const shop = await openShop()
  const payment = await shop.create({ amount: 1000 })
  await shop.post(`/payments/${payment.payment_id}`, { amount: 2000, confirm: false })
  isRefused(await fromBrowser(shop, payment, { amount: 1000 }), 403, 'IR_22', /amount/)
  deepEqual(await shop.processor.operations(), [])
})

test('a session_expiry of 0 refuses browsers at once, while the server can still confirm', async () => {
  const shop = await openShop()
  const payment = await shop.create({ session_expiry: 0 })
  deepEqual(
    [payment.expires_on, payment.enable_partial_authorization, payment.request_extended_authorization],
    [payment.created, false, false],
  )
  isRefused(await fromBrowser(shop, payment), 400, 'IR_08')
  equal((await shop.confirm(payment.payment_id)).body.status, 'succeeded')
})

test('an update or a confirm may name its own merchant, and is refused if it names another', async () => {
  const shop = await openShop()
  const { payment_id, merchant_id } = await shop.create()
  isRefused(await shop.post(`/payments/${payment_id}`, { merchant_id: 'somebody_else' }), 422, 'IR_05', /merchant_id/)
  isRefused(await shop.confirm(payment_id, { merchant_id: 'somebody_else' }), 422, 'IR_05', /merchant_id/)
  equal((await shop.post(`/payments/${payment_id}`, { merchant_id })).status, 200)
  equal((await shop.confirm(payment_id, { merchant_id })).body.status, 'succeeded')
})

test('payment_id and client_secret are accepted with a secret key if they match, and refused if of another payment', async () => {
  const shop = await openShop()
  const [payment, other] = [await shop.create(), await shop.create()]
  const { payment_id, client_secret } = payment
  const changed = await shop.post(`/payments/${payment_id}`, { payment_id, client_secret, amount: 2000, confirm: false })
  deepEqual([changed.status, changed.body.amount, changed.body.amount_capturable], [200, 2000, 2000])
  equal((await shop.get(payment_id, `?client_secret=${client_secret}`)).status, 'requires_confirmation')
  isRefused(await shop.confirm(payment_id, { client_secret: other.client_secret }), 400, 'IR_09')
  isRefused(await shop.confirm(payment_id, { payment_id: other.payment_id }), 422, 'IR_06', /payment_id/)
  isRefused(await shop.post(`/payments/${payment_id}`, { payment_id: other.payment_id }), 422, 'IR_06', /payment_id/)
  const paid = await shop.confirm(payment_id, { payment_id, client_secret, amount: 2000, payment_link_config: { theme: '#ff0000' } })
  deepEqual([paid.status, paid.body.status, paid.body.amount_received], [200, 'succeeded', 2000])
  const late = await shop.post(`/payments/${payment_id}/cancel`, { client_secret, payment_id })
  isRefused(late, 400, 'IR_16')
})

test('a payment that does not exist cannot be confirmed', async () => {
  const shop = await openShop()
  isRefused(await shop.confirm(`pay_${'0'.repeat(26)}`), 404, 'HE_02')
})
