import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, card, cards, http, openShop, type Shop } from '../../../test/shop.ts'

/** What a shopper chose for a card that was declined, once the shopper pays with another one. */

const accepted = { acceptance_type: 'online', online: { ip_address: '203.0.113.9', user_agent: 'Mozilla/5.0' } }
const months = (number_of_installments: number) => ({ number_of_installments, billing_frequency: 'month' })
const unpaid = { payment_method: undefined, payment_method_data: undefined }

/** Confirms a payment as an element of ours does. */
const pays = async (shop: Shop, { payment_id, client_secret }: Body, number: string, more: Body = {}): Promise<Body> =>
  (
    await http(
      'POST',
      `${shop.url}/payments/${payment_id}/confirm`,
      { client_secret, payment_method: 'card', payment_method_data: card(number), ...more },
      { 'api-key': shop.publishable_key, 'x-next-actions': 'page' },
    )
  ).body

const savedBy = async (shop: Shop, customer_id: string): Promise<string[]> =>
  (
    await shop.query("select masked->>'last4' as last4 from payment_methods where merchant_id = $1 and customer_id = $2", [
      shop.merchant_id,
      customer_id,
    ])
  ).map(({ last4 }) => last4)

test('a shopper who ticks the box for a declined card and not for the next one has saved neither', async () => {
  const shop = await openShop()
  const payment = await shop.create({ ...unpaid, customer_id: 'one_box' })
  equal((await pays(shop, payment, cards.declines, { customer_acceptance: accepted })).status, 'failed')
  const paid = await pays(shop, payment, cards.approves)
  deepEqual([paid.status, paid.setup_future_usage, paid.payment_method_id], ['succeeded', null, null])
  deepEqual(await savedBy(shop, 'one_box'), [])
  const [{ count }] = (await shop.query('select count(*)::int from vault_records where merchant_id = $1', [shop.merchant_id])) as [Body]
  equal(count, 0)
})

test('a shopper who pays with the same card again, now without the box, has not saved it, and the payment names no saved card', async () => {
  const shop = await openShop()
  const payment = await shop.create({ ...unpaid, customer_id: 'same_card' })
  await shop.processor.fault('authorize', 'decline')
  equal((await pays(shop, payment, cards.approves, { customer_acceptance: accepted })).status, 'failed')
  const paid = await pays(shop, payment, cards.approves, { payment_method_data: undefined, card_cvc: '737' })
  deepEqual([paid.status, paid.setup_future_usage, paid.payment_method_id], ['succeeded', null, null])
  deepEqual(await savedBy(shop, 'same_card'), [])
})

test('a shopper who ticks the box again saves the card that paid, and what the merchant has asked for stays', async () => {
  const shop = await openShop()
  const payment = await shop.create({ ...unpaid, customer_id: 'two_boxes', setup_future_usage: 'off_session' })
  await pays(shop, payment, cards.declines, { customer_acceptance: accepted })
  const failed = await pays(shop, payment, cards.declines)
  deepEqual([failed.status, failed.setup_future_usage, failed.payment_method_id], ['failed', 'off_session', null])
  equal((await pays(shop, payment, cards.approves, { customer_acceptance: accepted })).setup_future_usage, 'off_session')
  deepEqual(await savedBy(shop, 'two_boxes'), [cards.approves.slice(-4)])
  // An agreement that the merchant itself has recorded holds for each card.
  const own = await shop.create({ ...unpaid, customer_id: 'merchant', setup_future_usage: 'off_session', customer_acceptance: accepted })
  await pays(shop, own, cards.declines)
  equal((await pays(shop, own, cards.approves)).status, 'succeeded')
  deepEqual(await savedBy(shop, 'merchant'), [cards.approves.slice(-4)])
})

test('installments that were chosen for a declined card are not those of the next one', async () => {
  const shop = await openShop()
  const installment_options = [{ payment_method: 'card', installments: [{ number_of_installments: [3, 6], billing_frequency: 'month' }] }]
  const payment = await shop.create({ ...unpaid, installment_options, currency: 'EUR' })
  equal((await pays(shop, payment, cards.declines, { installment_data: months(6) })).installment_data.number_of_installments, 6)
  const [paid, other] = [await pays(shop, payment, cards.approves), await shop.create({ ...unpaid, installment_options, currency: 'EUR' })]
  deepEqual([paid.status, paid.installment_data], ['succeeded', null])
  // Nor do they stand in the way of a method that knows none.
  await pays(shop, other, cards.declines, { installment_data: months(6) })
  const ideal = { payment_method: 'bank_redirect', payment_method_type: 'ideal', payment_method_data: { bank_redirect: { ideal: {} } } }
  const { status } = await pays(shop, other, cards.approves, ideal)
  ok(status === 'requires_customer_action', status)
})

const klarna = {
  payment_method: 'pay_later',
  payment_method_type: 'klarna',
  payment_experience: 'redirect_to_url',
  payment_method_data: {
    pay_later: { klarna_redirect: { billing_email: 'ada@shop.example', billing_country: 'DE' } },
    billing: { address: { zip: '10115', country: 'DE' } },
  },
}

test('a card that is paid with after another method has neither its type nor its billing details', async () => {
  const shop = await openShop()
  const withKlarna = { ...unpaid, currency: 'EUR', billing: { address: { country: 'DE', zip: '80331' } } }
  const payment = await shop.create(withKlarna)
  equal((await pays(shop, payment, cards.approves, klarna)).status, 'requires_customer_action')
  const [operation] = await shop.processor.operations()
  await shop.processor.decide(operation!.id, 'declined')
  equal((await shop.sync(payment.payment_id)).status, 'failed')
  const paid = await pays(shop, payment, cards.approves)
  const { status, payment_method, payment_method_type, payment_experience } = paid
  deepEqual([status, payment_method, payment_method_type, payment_experience], ['succeeded', 'card', null, null])
  equal(paid.payment_method_data.billing, null)
  // The same holds for a shop that changes the method of a payment before it is confirmed.
  const updated = await shop.create(withKlarna)
  await shop.post(`/payments/${updated.payment_id}`, klarna)
  const changed = (await shop.confirm(updated.payment_id, { payment_method: 'card', payment_method_data: card() })).body
  deepEqual([changed.status, changed.payment_method_type, changed.payment_experience], ['succeeded', null, null])
})
