import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { addAccount } from '../../test/merchant.ts'
import { isRefused } from '../../test/refused.ts'
import { type Body, cards, http, openShop, type Shop } from '../../test/shop.ts'

/** A network token of a card; the sandbox declines the one with the number of `cards.declines`. */
const TOKEN = cards.approves
const NETWORK_ID = '016150703802094'

const token = (more: Body = {}) => ({
  network_token_data: { network_token_number: TOKEN, network_token_exp_month: '12', network_token_exp_year: '2040', ...more },
})
const ask = (more: Body = {}) => ({ customer_id: 'cus_grace', network_token: token(), network_transaction_id: NETWORK_ID, ...more })

async function open(connector = 'phonypay') {
  const shop = await openShop({ connector })
  equal((await shop.post('/customers', { customer_id: 'cus_grace' })).status, 200)
  await shop.profile({ is_connector_agnostic_mit_enabled: true })
  return shop
}

async function migrate(shop: Shop, more: Body = {}): Promise<Body> {
  const { status, body, text } = await shop.post('/payment_methods/migrate', ask(more))
  equal(status, 200, text)
  ok(!text.includes(TOKEN))
  return body
}

const offSession = { customer_id: 'cus_grace', off_session: true, payment_method: undefined, payment_method_data: undefined }
const charge = (shop: Shop, data: string, more: Body = {}) =>
  shop.tryToPay({ ...offSession, recurring_details: { type: 'payment_method_id', data }, ...more })
const details = (more: Body = {}) => ({
  type: 'network_transaction_id_and_network_token_details',
  data: { network_token: TOKEN, token_exp_month: '12', token_exp_year: '40', network_transaction_id: NETWORK_ID, ...more },
})
const byDetails = (shop: Shop, data: Body = {}, more: Body = {}) =>
  shop.tryToPay({ ...offSession, recurring_details: details(data), ...more })

for (const connector of ['phonypay', 'adyen'])
  test(`${connector}: a saved network token is charged off-session once, by its network transaction id`, async () => {
    const shop = await open(connector)
    const { payment_method_id, recurring_enabled, payment_method } = await migrate(shop)
    deepEqual([recurring_enabled, payment_method], [true, 'network_token'])
    const { body } = await charge(shop, payment_method_id)
    deepEqual(
      [body.status, body.amount_received, body.payment_method, body.payment_method_type, body.payment_method_id],
      ['succeeded', 1250, 'network_token', 'network_token', payment_method_id],
    )
    ok(!JSON.stringify(body).includes(TOKEN))
    const [charged, ...others] = await shop.processor.charges()
    deepEqual([charged!.by, charged!.captured, others], ['network_transaction_id', 1250, []])
    const refund = await shop.refund(body.payment_id, 500)
    equal(refund.status, 200)
    await shop.wait('5 minutes')
    deepEqual(
      (await shop.processor.charges()).map(one => one.refunded),
      [500],
    )
  })

for (const connector of ['phonypay', 'adyen'])
  test(`${connector}: a network token from the merchant is charged off-session, regardless of the payment_method in the request`, async () => {
    const shop = await open(connector)
    for (const more of [{}, { payment_method: 'card' }, { payment_method: 'network_token', payment_method_type: 'network_token' }]) {
      const { status, body, text } = await byDetails(shop, {}, more)
      equal(status, 200, text)
      deepEqual([body.status, body.payment_method, body.amount_received], ['succeeded', 'network_token', 1250])
      ok(!text.includes(TOKEN))
    }
    deepEqual(
      (await shop.processor.charges()).map(one => one.by),
      ['network_transaction_id', 'network_transaction_id', 'network_transaction_id'],
    )
  })

test('a network token is shown by its last digits and network, and cannot be used at checkout or as the default', async () => {
  const shop = await open()
  const given = { card_network: 'Visa', card_holder_name: 'Grace Hopper', nick_name: 'work', card_issuer: 'First Bank' }
  const { payment_method_id } = await migrate(shop, { network_token: token(given), metadata: { from: 'old vault' } })
  const saved = (await shop.call('GET', `/payment_methods/${payment_method_id}`)).body
  const { network_token: masked, card_network, card_holder_name, nick_name, card_issuer } = saved.payment_method_data.network_token
  deepEqual(
    [masked, card_network, card_holder_name, nick_name, card_issuer],
    [`****${TOKEN.slice(-4)}`, 'Visa', 'Grace Hopper', 'work', 'First Bank'],
  )
  deepEqual([saved.card, saved.metadata], [null, { from: 'old vault' }])
  const listed = (await shop.call('GET', '/customers/cus_grace/payment_methods')).body.customer_payment_methods
  deepEqual(
    listed.map((one: Body) => one.payment_method_id),
    [payment_method_id],
  )
  const { payment_token } = listed[0]
  isRefused(await shop.tryToPay({ customer_id: 'cus_grace', payment_token, payment_method_data: undefined }), 400, 'IR_19', /checkout/)
  const chosen = await shop.post(`/customers/cus_grace/payment_methods/${payment_method_id}/default`, {})
  isRefused(chosen, 400, 'IR_16', /off-session/)
  isRefused(await shop.post(`/payment_methods/${payment_method_id}/update`, { card: { card_exp_month: '06' } }), 400, 'IR_19', /not a card/)
})

test('migrating the same network token again updates it; a deleted network token cannot be charged', async () => {
  const shop = await open()
  const first = await migrate(shop)
  const again = await migrate(shop, { network_token: token({ network_token_exp_year: '2041' }), network_transaction_id: '999888777666555' })
  equal(again.payment_method_id, first.payment_method_id)
  equal(again.payment_method_data.network_token.token_exp_year, '2041')
  equal((await charge(shop, first.payment_method_id)).body.status, 'succeeded')
  equal((await shop.call('DELETE', `/payment_methods/${first.payment_method_id}`)).status, 200)
  isRefused(await charge(shop, first.payment_method_id), 404, 'HE_02')
  equal((await shop.processor.charges()).length, 1)
})

test('a network token is sent only to connectors that accept it, and only where the profile allows network transaction ids', async () => {
  const shop = await open()
  const { payment_method_id } = await migrate(shop)
  await addAccount(shop, 'stripe')
  isRefused(await charge(shop, payment_method_id, { connector: ['stripe'] }), 400, 'IR_39', /network_token/)
  isRefused(await byDetails(shop, {}, { connector: ['stripe'] }), 400, 'IR_39', /network_token/)
  await shop.profile({ is_connector_agnostic_mit_enabled: false })
  isRefused(await charge(shop, payment_method_id), 400, 'IR_39', /off-session/)
  deepEqual(await shop.processor.operations(), [])
})

test('a network token declined by the issuer fails the payment, and nothing is charged', async () => {
  const shop = await open()
  const { body } = await byDetails(shop, { network_token: cards.declines })
  deepEqual([body.status, body.amount_received], ['failed', null])
  ok(body.error_code !== null)
})

test('a failed network token payment cannot be confirmed with another payment method', async () => {
  const shop = await open()
  await shop.profile({ is_manual_retry_enabled: true })
  const { body } = await byDetails(shop, { network_token: cards.declines })
  equal(body.status, 'failed')
  const wallet = { payment_method: 'bank_redirect', payment_method_type: 'ideal', payment_method_data: { bank_redirect: { ideal: {} } } }
  const again = await shop.post(`/payments/${body.payment_id}/confirm`, wallet)
  isRefused(again, 422, 'IR_06', /recurring_details/)
  deepEqual(
    (await shop.processor.charges()).filter(one => one.captured > 0),
    [],
  )
})

test('an invalid network token or request is refused with the field name', async () => {
  const shop = await open()
  const account = (await shop.call('GET', `/account/${shop.merchant_id}/connectors`)).body[0].merchant_connector_id as string
  const tried = (more: Body) => shop.post('/payment_methods/migrate', ask(more))
  isRefused(await tried({ network_transaction_id: undefined }), 400, 'IR_04', /network_transaction_id/)
  isRefused(await tried({ network_token: undefined }), 400, 'IR_04', /card/)
  isRefused(await tried({ network_token: undefined, payment_method: 'network_token' }), 400, 'IR_04', /network_token/)
  isRefused(await tried({ network_token: token({ network_token_number: '4242424242424241' }) }), 400, 'IR_06', /network_token_number/)
  isRefused(await tried({ network_token: token({ network_token_exp_year: '2020' }) }), 400, 'IR_16', /network_token_exp_year/)
  const card = { card_number: TOKEN, card_exp_month: '12', card_exp_year: '2040' }
  isRefused(await tried({ card }), 422, 'IR_06', /card and network_token/)
  const connector_mandate_details = { [account]: { connector_mandate_id: 'mdt_1' } }
  isRefused(await tried({ connector_mandate_details }), 422, 'IR_06', /connector_mandate_details/)
  isRefused(await tried({ payment_method_type: 'paypal' }), 422, 'IR_06', /payment_method_type/)
  isRefused(await tried({ customer_id: 'cus_none' }), 404, 'HE_02', /customer/i)
  isRefused(await byDetails(shop, { network_token: '4242' }), 400, 'IR_06', /recurring_details.data.network_token/)
  isRefused(await byDetails(shop, { token_exp_year: '2020' }), 400, 'IR_16', /token_exp_year/)
  isRefused(
    await byDetails(shop, { network_token: undefined, card_number: TOKEN, card_exp_month: '12', card_exp_year: '40' }),
    400,
    'IR_06',
  )
  isRefused(await byDetails(shop, {}, { off_session: undefined }), 400, 'IR_16', /off_session/)
  const wrong = { type: 'network_transaction_id_and_card_details', data: details().data }
  isRefused(await shop.tryToPay({ ...offSession, recurring_details: wrong }), 400, 'IR_04', /card_number/)
  deepEqual(await shop.processor.operations(), [])
})

test('a browser cannot migrate a network token', async () => {
  const shop = await open()
  const key = { 'api-key': shop.publishable_key }
  isRefused(await http('POST', `${shop.url}/payment_methods/migrate`, ask(), key), 403, 'IR_22')
})
