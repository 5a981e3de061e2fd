import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { disputed, openDisputedShop } from './disputes.ts'
import { openPayoutShop, recipients } from './payout-shop.ts'
import { isRefused } from './refused.ts'
import { type Body, card, cards, http, openShop } from './shop.ts'

/** What existing servers send and read: the specification's fields, without limits of our own. */

test('free text fields accept any length, and phone numbers any format', async () => {
  const shop = await openShop()
  const cancellation_reason = 'The customer changed their mind. '.repeat(40).trim()
  const { payment_id } = await shop.hold()
  const cancelled = await shop.post(`/payments/${payment_id}/cancel`, { cancellation_reason })
  deepEqual([cancelled.body.status, cancelled.body.cancellation_reason], ['cancelled', cancellation_reason])
  const phone = '555-0143 ext. 12'
  const customer = await shop.post('/customers', { customer_id: 'ada', phone, phone_country_code: '+999' })
  deepEqual([customer.body.phone, customer.body.phone_country_code], [phone, '+999'])
  equal((await shop.post('/customers/ada', { customer_id: 'ada', phone: '12' })).body.phone, '12')
  const document_details = { document_type: 'cpf', document_number: '39053344705' }
  deepEqual((await shop.post('/customers/ada', { document_details })).body.document_details, document_details)
})

test('a statement descriptor of 255 characters is accepted, with any characters', async () => {
  const shop = await openShop()
  const named = (name: number, suffix: string) => ({ statement_descriptor_name: 'N'.repeat(name), statement_descriptor_suffix: suffix })
  for (const fits of [named(22, 'S'.repeat(233)), named(22, '🪑'.repeat(200))]) equal((await shop.pay(fits)).status, 'succeeded')
  isRefused(await shop.tryToPay(named(22, 'S'.repeat(234))), 422, 'IR_06', /statement_descriptor_suffix/)
})

test('a payment of 0 can be created with any capture method, and is refused only when it is confirmed', async () => {
  const shop = await openShop()
  for (const more of [{ capture_method: 'manual' }, { shipping_cost: 500 }]) {
    const draft = await shop.create({ amount: 0, ...more })
    isRefused(await shop.confirm(draft.payment_id), 400, 'IR_16', /amount is 0/)
    const { body } = await shop.post(`/payments/${draft.payment_id}`, { amount: 1000, confirm: false })
    equal(body.amount, 1000)
  }
})

test('an authorization can be extended only if it is captured manually', async () => {
  const shop = await openShop()
  const capture_on = new Date(Date.now() + shop.clock.ahead + 3_600_000).toISOString()
  const asked = { request_extended_authorization: true, capture_method: 'scheduled', capture_on }
  isRefused(await shop.tryToPay(asked), 400, 'IR_19', /manual or manual_multiple/)
})

test('a payment list shows the disputes of each payment, as retrieving one payment does', async () => {
  const shop = await openDisputedShop()
  const { payment } = await disputed(shop)
  const alone = await shop.get(payment.payment_id)
  equal(alone.disputes.length, 1)
  for (const list of [await shop.call('GET', '/payments/list'), await shop.post('/payments/list', {})])
    deepEqual(list.body.data[0].disputes, alone.disputes)
})

test('the attempts of a payment show whether a capture or void was initiated, and partial authorizations', async () => {
  const shop = await openShop()
  const statusOf = async (id: string) => (await shop.get(id, '?expand_attempts=true')).attempts[0].status
  const held = await shop.hold()
  await shop.processor.fault('capture', 'reset_before')
  await shop.capture(held.payment_id)
  equal(await statusOf(held.payment_id), 'capture_initiated')
  const released = await shop.hold()
  await shop.processor.fault('void', 'reset_before')
  await shop.cancel(released.payment_id)
  equal(await statusOf(released.payment_id), 'void_initiated')
  const part = await shop.hold({ card: cards.approvesHalf, enable_partial_authorization: true })
  equal(await statusOf(part.payment_id), 'partially_authorized')
  const refused = await shop.pay({ card: cards.declines })
  const [attempt] = (await shop.get(refused.payment_id, '?expand_attempts=true')).attempts
  deepEqual([attempt.status, attempt.unified_code], ['failure', refused.unified_code])
})

test('a payment can be synced by a POST body, and a BIN can be looked up', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ card: cards.chargesAndResets })
  await shop.wait('6 seconds')
  for (const named of [{ payment_id }, { resource_id: payment_id, force_sync: false }])
    equal((await shop.post('/payments/sync', named)).body.status, 'succeeded')
  isRefused(await shop.post('/payments/sync', {}), 400, 'IR_04', /payment_id/)
  isRefused(await http('POST', `${shop.url}/payments/sync`, { payment_id }, { 'api-key': shop.publishable_key }), 403, 'IR_22')
  const { body } = await shop.call('GET', '/cards/424242')
  deepEqual([body.card_iin, body.card_network], ['424242', 'Visa'])
  isRefused(await shop.call('GET', '/cards/999999'), 400, 'IR_31')
  isRefused(await shop.call('GET', '/cards/4242'), 400, 'IR_32')
  isRefused(await http('GET', `${shop.url}/cards/424242`, undefined, { 'api-key': shop.publishable_key }), 403, 'IR_22')
})

test('a payout accepts its own id and client_secret in an update, and rejects those of another payout', async () => {
  const shop = await openPayoutShop()
  const create = () => shop.payOut({ to: recipients.card(), confirm: false })
  const [payout, other] = [await create(), await create()]
  const { payout_id, client_secret } = payout
  const own = { payout_id, merchant_id: shop.merchant_id, client_secret }
  for (const method of ['POST', 'PUT']) equal((await shop.call(method, `/payouts/${payout_id}`, { ...own, amount: 900 })).body.amount, 900)
  isRefused(await shop.post(`/payouts/${payout_id}`, { client_secret: other.client_secret }), 400, 'IR_09')
  isRefused(await shop.post(`/payouts/${payout_id}`, { payout_id: other.payout_id }), 422, 'IR_05', /payout_id/)
  equal((await shop.post(`/payouts/${payout_id}`, own)).status, 200)
})

test('a refund accepts its own id in an update; mandate metadata is limited; a browser sees no metadata', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  const refund = (await shop.refund(payment_id, 500)).body
  const updated = await shop.post(`/refunds/${refund.refund_id}`, { refund_id: refund.refund_id, reason: 'Returned' })
  equal(updated.body.reason, 'Returned', updated.text)
  isRefused(await shop.post(`/refunds/${refund.refund_id}`, { refund_id: 'ref_0000000000000000000000000A' }), 422, 'IR_05', /refund_id/)
  const metadata = { note: 'x'.repeat(501) }
  const mandate_data = { mandate_type: { multi_use: { amount: 100, currency: 'USD', metadata } } }
  isRefused(await shop.tryToPay({ customer_id: 'ada', setup_future_usage: 'off_session', mandate_data }), 422, 'IR_06', /metadata/)
  const saved = (await shop.post('/payment_methods', { payment_method: 'card', metadata: { margin: '40 %' }, card_network: 'VISA' })).body
  const at = `${shop.url}/payment_methods/${saved.payment_method_id}/save`
  const sent = { client_secret: saved.client_secret, payment_method_data: card() }
  equal((await http('POST', at, sent, { 'api-key': shop.publishable_key })).body.metadata, null)
  deepEqual((await shop.call('GET', `/payment_methods/${saved.payment_method_id}`)).body.metadata, { margin: '40 %' })
  for (const payment_method of ['wallet', 'bank_transfer'])
    equal((await shop.post('/payment_methods', { payment_method, customer_id: saved.customer_id })).status, 200)
})

test('a refund that requires review is announced by an event of its payment', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  await shop.processor.fault('refund', 'reset_before')
  await shop.processor.fault('lookup', '500_before', { times: 10_000 })
  const refund = (await shop.refund(payment_id, 500)).body
  await shop.wait('8 days')
  equal((await shop.getRefund(refund.refund_id)).status, 'review')
  const { event_id } = (await shop.events(payment_id)).at(-1)!
  const event = (await shop.call('GET', `/events/${event_id}`)).body.body
  deepEqual(
    [event.event_type, event.content.type, event.content.object.payment_id, event.content.object.refunds[0].status],
    ['action_required', 'payment_details', payment_id, 'review'],
  )
})

test('the form that returns a customer to the merchant contains the client_secret and no amount', async () => {
  const shop = await openShop()
  await shop.profile({ redirect_to_merchant_with_http_post: true })
  const payment: Body = await shop.pay({ card: cards.challenges, authentication_type: 'three_ds' })
  const bank = await http('GET', payment.next_action.redirect_to_url)
  await http('POST', `${bank.headers.location}/accept`, '', { 'content-type': 'application/x-www-form-urlencoded' })
  const [{ authorization_request_id }] = (await shop.query('select authorization_request_id from payments where payment_id = $1', [
    payment.payment_id,
  ])) as [Body]
  const page = await http(
    'GET',
    `${shop.url}/payments/${payment.payment_id}/${shop.merchant_id}/redirect/response/phonypay/${authorization_request_id}`,
  )
  match(page.text, /name="payment_intent_client_secret"/)
  equal(/name="amount"/.test(page.text), false)
})
