import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { cards, http, openShop } from '../../test/shop.ts'
import { paidBy } from '../../test/ways.ts'

test('all_keys_required returns the processor response without secrets to the server only, and it is not stored', async () => {
  const shop = await openShop()
  const paid = await shop.pay({ capture_method: 'manual', all_keys_required: true })
  const response = JSON.parse(paid.whole_connector_response)
  deepEqual([response.id, response.status, response.amount], [paid.connector_transaction_id, 'approved', 1250])
  doesNotMatch(paid.whole_connector_response, /4242424242424242|sandbox_shop|737"/)
  equal((await shop.get(paid.payment_id)).whole_connector_response, null)

  const { body: captured } = await shop.post(`/payments/${paid.payment_id}/capture`, { all_keys_required: true })
  equal(JSON.parse(captured.whole_connector_response).type, 'capture')
  const { body: refund } = await shop.post('/refunds', { payment_id: paid.payment_id, amount: 100, all_keys_required: true })
  equal(JSON.parse(refund.raw_connector_response).type, 'refund')
  const hold = await shop.hold()
  const { body: cancelled } = await shop.post(`/payments/${hold.payment_id}/cancel`, { all_keys_required: true })
  equal(JSON.parse(cancelled.whole_connector_response).type, 'void')
  equal((await shop.hold()).whole_connector_response, null)

  const waiting = await shop.pay({ card: cards.approvesLater })
  const asked = await shop.get(waiting.payment_id, '?all_keys_required=true')
  deepEqual([asked.status, JSON.parse(asked.whole_connector_response).status], ['processing', 'pending'])

  const { payment_id, client_secret } = await shop.create({ all_keys_required: true })
  const confirm = { client_secret, all_keys_required: true }
  const browser = await http('POST', `${shop.url}/payments/${payment_id}/confirm`, confirm, { 'api-key': shop.publishable_key })
  deepEqual([browser.status, browser.body.status, browser.body.whole_connector_response], [200, 'succeeded', null])
  for (const table of ['payments', 'changes', 'processor_operations'])
    doesNotMatch(
      JSON.stringify(await shop.query(`select * from ${table} where merchant_id = $1`, [shop.merchant_id])),
      /all_keys|payment_state/,
    )
})

test('whole_connector_response is null if nothing was sent or no response came', async () => {
  const shop = await openShop()
  equal((await shop.create({ all_keys_required: true })).whole_connector_response, null)
  equal((await shop.pay({ card: cards.resets, all_keys_required: true })).whole_connector_response, null)
})

test('an account number repeated by the processor is removed from whole_connector_response', async () => {
  const shop = await openShop()
  const { whole_connector_response } = await shop.pay({ ...paidBy('bank_debit', 'ach_bank_debit'), all_keys_required: true })
  match(whole_connector_response, /"pending"/)
  doesNotMatch(whole_connector_response, /000123456789/)
})

test('customer statistics are counted on request', async () => {
  const shop = await openShop()
  await shop.pay({ customer_id: 'cus_grace' })
  await shop.pay({ customer_id: 'cus_grace', card: cards.declines })
  await shop.pay({ customer_id: 'cus_ada' })
  const { payment_id, created, customer_statistics } = await shop.create({ customer_id: 'cus_grace' })
  equal(customer_statistics, null)
  const { first_payment_at, ...counted } = (await shop.get(payment_id, '?expand_customer_statistics=true')).customer_statistics
  deepEqual(counted, { payments: 3, succeeded: 1, failed: 1, last_payment_at: created })
  match(first_payment_at, /^2\d{3}-/)
  const guest = await shop.pay()
  equal((await shop.get(guest.payment_id, '?expand_customer_statistics=true')).customer_statistics, null)
})

test('is_stored_credential must not contradict the payment', async () => {
  const shop = await openShop()
  equal((await shop.pay({ is_stored_credential: true })).is_stored_credential, true, 'kept in a vault of the merchant’s own')
  equal((await shop.pay({ is_stored_credential: false })).is_stored_credential, false)
  const agreed = { customer_id: 'cus_grace', setup_future_usage: 'off_session', customer_acceptance: { acceptance_type: 'offline' } }
  const { payment_method_id } = await shop.pay(agreed)
  const again = {
    customer_id: 'cus_grace',
    off_session: true,
    recurring_details: { type: 'payment_method_id', data: payment_method_id },
    payment_method: undefined,
    payment_method_data: undefined,
  }
  equal((await shop.pay({ ...again, is_stored_credential: true })).status, 'succeeded')
  isRefused(await shop.tryToPay({ ...again, is_stored_credential: false }), 422, 'IR_06', /is_stored_credential/)
})

test('refund_uncaptured_amount releases the rest of a single capture, and is refused for several captures', async () => {
  const shop = await openShop()
  const part = { amount_to_capture: 1000, refund_uncaptured_amount: true }
  const hold = await shop.hold()
  const { body } = await shop.post(`/payments/${hold.payment_id}/capture`, part)
  deepEqual([body.status, body.amount_received, body.amount_capturable], ['partially_captured', 1000, 0])
  const several = await shop.hold({ capture_method: 'manual_multiple' })
  isRefused(await shop.post(`/payments/${several.payment_id}/capture`, part), 400, 'IR_19', /refund_uncaptured_amount/)
})

test('eligibility_check returns confirm for an eligible card, and refuses invalid requests', async () => {
  const shop = await openShop()
  const { payment_id, client_secret } = await shop.create()
  const check = (body: object, key = shop.api_key) =>
    http('POST', `${shop.url}/payments/${payment_id}/eligibility_check`, body, { 'api-key': key })
  const { payment_method_data } = shop.payBody()
  const ask = { payment_method_type: 'card', payment_method_data }
  deepEqual((await check(ask)).body, { payment_id, card_networks: null, sdk_next_action: { next_action: 'confirm' } })
  equal((await check({ ...ask, client_secret }, shop.publishable_key)).status, 200)
  isRefused(await check({}), 400, 'IR_04', /payment_method_type/)
  isRefused(await check(ask, 'wrong'), 401, 'IR_01')
  isRefused(await check({ ...ask, client_secret: 'nobodys' }, shop.publishable_key), 400, 'IR_09')
})
