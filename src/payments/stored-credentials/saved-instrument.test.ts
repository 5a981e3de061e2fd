import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/refused.ts'
import { priority } from '../../../test/routes.ts'
import { type Body, card, cards, http, openShop, type Shop } from '../../../test/shop.ts'
import { activate, openTwoAccounts } from '../../../test/two-accounts.ts'

const MASTERCARD = '5555555555554444'

/** Opens a shop with a customer who has saved these cards. */
async function openCustomer(...numbers: string[]) {
  const shop = await openShop()
  equal((await shop.post('/customers', { customer_id: 'cus_grace' })).status, 200)
  for (const number of numbers) await save(shop, number)
  return shop
}
async function save(shop: Shop, card_number: string): Promise<Body> {
  const ask = { payment_method: 'card', customer_id: 'cus_grace', card: { card_number, card_exp_month: '12', card_exp_year: '2040' } }
  const { status, body, text } = await shop.post('/payment_methods', ask)
  equal(status, 200, text)
  return body
}
const listed = async (shop: Shop): Promise<Body[]> =>
  (await shop.call('GET', '/customers/cus_grace/payment_methods')).body.customer_payment_methods
const tokenOf = async (shop: Shop): Promise<string> => (await listed(shop))[0]!.payment_token
const bare = { customer_id: 'cus_grace', payment_method_data: undefined }

test('a payment with the token of a saved card succeeds, with and without the CVC, and shows the saved payment method', async () => {
  const shop = await openCustomer(cards.approves)
  const [{ payment_token, payment_method_id }] = (await listed(shop)) as [Body]
  for (const more of [{}, { card_cvc: '737' }, { payment_method: undefined }]) {
    const paid = await shop.pay({ ...bare, payment_token, ...more })
    deepEqual(
      [
        paid.status,
        paid.payment_method,
        paid.payment_method_id,
        paid.payment_token,
        paid.card_discovery,
        paid.payment_method_data.card.last4,
      ],
      ['succeeded', 'card', payment_method_id, payment_token, 'saved_card', '4242'],
    )
  }
  equal((await shop.pay()).card_discovery, 'manual')
  equal((await shop.processor.charges()).length, 4)
})

test('a routing rule can use card_discovery: whether the card is a saved one', async () => {
  const shop = await openTwoAccounts()
  equal((await shop.post('/customers', { customer_id: 'cus_grace' })).status, 200)
  await save(shop, cards.approves)
  const isSaved = { lhs: 'card_discovery', comparison: 'equal', value: { type: 'enum_variant', value: 'saved_card' } }
  const rules = [{ name: 'saved', connectorSelection: priority(shop.second), statements: [{ condition: [isSaved] }] }]
  await activate(shop, { type: 'advanced', data: { defaultSelection: priority(shop.first), rules, metadata: {} } })
  equal((await shop.pay({ ...bare, payment_token: await tokenOf(shop) })).merchant_connector_id, shop.second)
  const { payment_id } = await shop.create({ ...bare, payment_method: undefined })
  const confirmed = await shop.confirm(payment_id, { payment_method: 'card', payment_token: await tokenOf(shop) })
  equal(confirmed.body.merchant_connector_id, shop.second, 'where it is chosen with the confirm')
  equal((await shop.pay()).merchant_connector_id, shop.first, 'and a card that is sent is none that was saved')
})

test('a browser pays with the token of a saved card: created by the server, confirmed with the client_secret', async () => {
  const shop = await openCustomer(cards.approves)
  const { payment_id, client_secret } = await shop.create({ ...bare, payment_method: undefined })
  const confirm = { client_secret, payment_method: 'card', payment_token: await tokenOf(shop), card_cvc: '737' }
  const { body } = await http('POST', `${shop.url}/payments/${payment_id}/confirm`, confirm, { 'api-key': shop.publishable_key })
  deepEqual([body.status, body.card_discovery], ['succeeded', 'saved_card'])
})

test('a payment created with a saved card can be confirmed with another card instead', async () => {
  const shop = await openCustomer(cards.approves)
  const waiting = await shop.create({ ...bare, payment_token: await tokenOf(shop) })
  deepEqual([waiting.status, waiting.card_discovery], ['requires_confirmation', 'saved_card'])
  const { body } = await shop.confirm(waiting.payment_id, { payment_method: 'card', payment_method_data: card(MASTERCARD) })
  deepEqual([body.status, body.payment_method_id, body.payment_token, body.card_discovery], ['succeeded', null, null, 'manual'])
  equal(body.payment_method_data.card.last4, '4444')
})

test('a token that is unknown, expired, of another customer or of a deleted card is refused with the same error', async () => {
  const shop = await openCustomer(cards.approves)
  await shop.post('/customers', { customer_id: 'cus_ada' })
  const payment_token = await tokenOf(shop)
  const refused = async (ask: Body) => isRefused(await shop.tryToPay({ ...bare, payment_token, ...ask }), 422, 'IR_29', /payment_token/)
  await refused({ payment_token: 'token_of_nobody' })
  await refused({ customer_id: 'cus_ada' })
  await refused({ customer_id: undefined })
  const other = await openShop()
  isRefused(await other.tryToPay({ ...bare, payment_token }), 422, 'IR_29')
  isRefused(await shop.tryToPay({ ...bare, payment_token, payment_method_data: card() }), 422, 'IR_06', /payment_token/)
  isRefused(await shop.confirm((await shop.create({ payment_method_data: undefined })).payment_id, { payment_token }), 422, 'IR_29')
  await shop.wait('16 minutes')
  await refused({})
  const fresh = (await listed(shop))[0]!
  await shop.call('DELETE', `/payment_methods/${fresh.payment_method_id}`)
  await refused({ payment_token: fresh.payment_token })
  deepEqual(await shop.processor.charges(), [])
})

test('an expired saved card is refused until its expiry date is updated', async () => {
  const shop = await openCustomer()
  const { payment_method_id } = await save(shop, cards.approves)
  await shop.query(`update payment_methods set masked = jsonb_set(masked::jsonb, '{card_exp_year}', '"2020"') where merchant_id = $1`, [
    shop.merchant_id,
  ])
  isRefused(await shop.tryToPay({ ...bare, payment_token: await tokenOf(shop) }), 400, 'IR_16', /expired/)
  await shop.post(`/payment_methods/${payment_method_id}/update`, { card: { card_exp_year: '2041' } })
  equal((await shop.pay({ ...bare, payment_token: await tokenOf(shop) })).status, 'succeeded')
})

test('saved cards are listed by last use, after the default card', async () => {
  const shop = await openCustomer(cards.approves)
  for (const number of [MASTERCARD, cards.capturesLater]) {
    await shop.wait('1 second')
    await save(shop, number)
  }
  const last4 = async () => (await listed(shop)).map(one => one.card.last4_digits)
  deepEqual(await last4(), ['4242', '0374', '4444'])
  await shop.wait('1 second')
  const mastercard = (await listed(shop))[2]!
  await shop.pay({ ...bare, payment_token: mastercard.payment_token })
  deepEqual(await last4(), ['4242', '4444', '0374'])
  ok((await listed(shop))[1]!.last_used_at > mastercard.last_used_at)
})

test('a card that a payment saves is in the list as soon as the payment is paid, also if the process that decided it has not saved it yet', async () => {
  const shop = await openShop()
  await shop.post('/customers', { customer_id: 'cus_ada' })
  const { context } = shop.service
  const { query } = context
  // The process that hears of the approval is slow, or dies, before it saves the card.
  context.query = (statement, values) =>
    statement.name === 'follow_up_of_payment' ? Promise.reject(new Error('away')) : query(statement, values)
  const paid = await shop.pay({
    customer_id: 'cus_ada',
    setup_future_usage: 'on_session',
    customer_acceptance: { acceptance_type: 'offline' },
  })
  context.query = query
  equal(paid.status, 'succeeded')
  const listed = (await shop.call('GET', '/customers/cus_ada/payment_methods')).body.customer_payment_methods
  deepEqual(
    listed.map((one: Body) => one.payment_method_id),
    [paid.payment_method_id],
  )
  equal((await shop.query('select 1 from payment_follow_ups where payment_id = $1', [paid.payment_id])).length, 0)
  await shop.wait('2 minutes')
  equal((await shop.call('GET', '/customers/cus_ada/payment_methods')).body.customer_payment_methods.length, 1)
})
