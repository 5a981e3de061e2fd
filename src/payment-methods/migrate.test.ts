import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { addAccount } from '../../test/merchant.ts'
import { isRefused } from '../../test/refused.ts'
import { type Body, cards, http, openShop, type Shop } from '../../test/shop.ts'

const card = (more: Body = {}) => ({ card_number: cards.approves, card_exp_month: '12', card_exp_year: '2040', ...more })
const ask = (more: Body = {}) => ({ customer_id: 'cus_grace', card: card(), ...more })
const saves = { customer_id: 'cus_ada', setup_future_usage: 'off_session', customer_acceptance: { acceptance_type: 'offline' } }

async function open() {
  const shop = await openShop()
  equal((await shop.post('/customers', { customer_id: 'cus_grace' })).status, 200)
  const account = (await shop.call('GET', `/account/${shop.merchant_id}/connectors`)).body[0].merchant_connector_id as string
  return { shop, account }
}

async function migrate(shop: Shop, more: Body = {}): Promise<Body> {
  const { status, body, text } = await shop.post('/payment_methods/migrate', ask(more))
  equal(status, 200, text)
  ok(!text.includes(cards.approves))
  return body
}

const charge = (shop: Shop, data: string, more: Body = {}) =>
  shop.tryToPay({
    customer_id: 'cus_grace',
    off_session: true,
    payment_method: undefined,
    payment_method_data: undefined,
    recurring_details: { type: 'payment_method_id', data },
    ...more,
  })
const by = async (shop: Shop) => (await shop.processor.charges()).map(one => one.by)

test('a card migrated with a network transaction id is charged off-session where the profile allows it', async () => {
  const { shop } = await open()
  const first = await shop.pay(saves)
  const { network_transaction_id } = first
  const { payment_method_id, recurring_enabled } = await migrate(shop, { network_transaction_id })
  equal(recurring_enabled, true)
  isRefused(await charge(shop, payment_method_id), 400, 'IR_39')
  await shop.profile({ is_connector_agnostic_mit_enabled: true })
  equal((await charge(shop, payment_method_id)).body.status, 'succeeded')
  deepEqual(await by(shop), [undefined, 'network_transaction_id'])
})

test('a card migrated with a connector mandate id is charged by it at that account, and by network transaction id elsewhere', async () => {
  const { shop, account } = await open()
  const { connector_mandate_id, network_transaction_id } = await shop.pay(saves)
  const { payment_method_id } = await migrate(shop, {
    network_transaction_id,
    connector_mandate_details: { [account]: { connector_mandate_id } },
  })
  equal((await charge(shop, payment_method_id)).body.status, 'succeeded')
  deepEqual(await by(shop), [undefined, 'mandate'])
  await addAccount(shop, 'adyen')
  isRefused(await charge(shop, payment_method_id, { connector: ['adyen'] }), 400, 'IR_39')
  await shop.profile({ is_connector_agnostic_mit_enabled: true })
  equal((await charge(shop, payment_method_id, { connector: ['adyen'] })).body.status, 'succeeded')
})

test('a card migrated without a mandate is saved, but cannot be charged off-session', async () => {
  const { shop } = await open()
  const saved = await migrate(shop)
  equal(saved.recurring_enabled, false)
  isRefused(await charge(shop, saved.payment_method_id), 400, 'IR_16', /off_session/)
})

test('migrating the same card again returns the same payment method, and its mandate is added', async () => {
  const { shop, account } = await open()
  const plain = await migrate(shop)
  const { connector_mandate_id } = await shop.pay(saves)
  const again = await migrate(shop, { connector_mandate_details: { [account]: { connector_mandate_id } } })
  equal(again.payment_method_id, plain.payment_method_id)
  await migrate(shop)
  equal((await charge(shop, plain.payment_method_id)).body.status, 'succeeded')
  equal((await shop.call('GET', '/customers/cus_grace/payment_methods')).body.customer_payment_methods.length, 1)
})

test('a card saved by a payment can still be charged off-session after it is migrated', async () => {
  const { shop } = await open()
  const { payment_method_id, network_transaction_id } = await shop.pay({ ...saves, customer_id: 'cus_grace', tokenization: 'skip_psp' })
  equal((await charge(shop, payment_method_id)).body.status, 'succeeded')
  equal((await migrate(shop, { network_transaction_id })).payment_method_id, payment_method_id)
  equal((await charge(shop, payment_method_id)).body.status, 'succeeded')
  deepEqual(await by(shop), [undefined, 'network_transaction_id', 'network_transaction_id'])
})

test('an invalid card migration is refused with the reason', async () => {
  const { shop, account } = await open()
  const tried = (more: Body) => shop.post('/payment_methods/migrate', ask(more))
  isRefused(await tried({ customer_id: 'cus_none' }), 404, 'HE_02', /customer/i)
  isRefused(await tried({ card: card({ card_number: '4242424242424241' }) }), 400, 'IR_06', /card_number/)
  isRefused(await tried({ card: card({ card_exp_year: '2020' }) }), 400, 'IR_16', /expired/i)
  isRefused(await tried({ card: card({ card_cvc: '123' }) }), 400, 'IR_06', /card_cvc/)
  isRefused(await tried({ network_transaction_id: cards.approves }), 400, 'IR_06', /looks like a card number/)
  isRefused(await tried({ connector_mandate_details: { mca_none: { connector_mandate_id: 'mdt_1' } } }), 404, 'HE_02', /connector/)
  isRefused(await tried({ connector_mandate_details: { [account]: {} } }), 400, 'IR_06', /connector_mandate_id/)
  isRefused(await tried({ payment_method: 'bank_debit' }), 400, 'IR_19', /only cards and network tokens/)
  const customer = await shop.post('/customers', { customer_id: 'cus_gone' })
  equal(customer.status, 200)
  await shop.call('DELETE', '/customers/cus_gone')
  isRefused(await tried({ customer_id: 'cus_gone' }), 400, 'IR_11')
})

test('a browser cannot migrate a card', async () => {
  const { shop } = await open()
  isRefused(await http('POST', `${shop.url}/payment_methods/migrate`, ask(), { 'api-key': shop.publishable_key }), 403, 'IR_22')
  isRefused(await http('POST', `${shop.url}/payment_methods/migrate`, ask(), { 'api-key': 'snd_wrong' }), 401, 'IR_01')
})
