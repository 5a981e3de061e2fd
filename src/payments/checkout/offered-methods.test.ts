import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../../test/refused.ts'
import { ADMIN_KEY, type Body, card, http, openShop, type Shop } from '../../../test/shop.ts'
import { bankNames } from '../../instruments/banks.ts'

/**
 * The payment methods that a checkout may offer: from `GET /account/payment_methods`, with a publishable key and the
 * payment's client_secret.
 */

const byBrowser = (shop: Shop, path: string) => http('GET', shop.url + path, undefined, { 'api-key': shop.publishable_key })

/** Sets the payment methods that the shop's one account is enabled for. */
async function enable(shop: Shop, types: Body[] | null): Promise<void> {
  const { status, text } = await http(
    'POST',
    `${shop.url}/account/${shop.merchant_id}/connectors/${shop.merchant_connector_id}`,
    { connector_type: 'payment_processor', payment_methods_enabled: types && [{ payment_method: 'card', payment_method_types: types }] },
    { 'api-key': ADMIN_KEY },
  )
  equal(status, 200, text)
}

async function addAccount(shop: Shop, connector_name: string, types: Body[]): Promise<void> {
  const { status, text } = await http(
    'POST',
    `${shop.url}/account/${shop.merchant_id}/connectors`,
    {
      connector_type: 'payment_processor',
      connector_name,
      connector_label: `${connector_name}_more`,
      connector_account_details: { auth_type: 'HeaderKey', api_key: 'sk_test_more' },
      payment_methods_enabled: [{ payment_method: 'card', payment_method_types: types }],
    },
    { 'api-key': ADMIN_KEY },
  )
  equal(status, 200, text)
}

async function offered(shop: Shop, payment: Body, query = ''): Promise<Body> {
  const { status, body, text } = await byBrowser(shop, `/account/payment_methods?client_secret=${payment.client_secret}${query}`)
  equal(status, 200, text)
  return body
}
const unpaid = (shop: Shop, more: Body = {}) => shop.create({ payment_method: undefined, payment_method_data: undefined, ...more })
const typesIn = (answer: Body): Body[] => answer.payment_methods.flatMap((one: Body) => one.payment_method_types)
const names = (answer: Body): string[] => typesIn(answer).map(one => one.payment_method_type)
const networks = (one: Body | undefined): string[] => (one?.card_networks ?? []).map((its: Body) => its.card_network)

test('the payment method list has cards by network, the required fields, and the data of the payment', async () => {
  const shop = await openShop({ account: { merchant_name: 'Chairs', return_url: 'https://shop.example/back' } })
  const payment = await unpaid(shop, { description: 'A chair', metadata: { order: '7' } })
  const answer = await offered(shop, payment)
  deepEqual(names({ payment_methods: answer.payment_methods.slice(0, 1) }), ['credit', 'debit'])
  const [credit] = typesIn(answer)
  ok(networks(credit).includes('Visa') && networks(credit).includes('AmericanExpress'))
  deepEqual(credit!.card_networks[0], { card_network: 'Visa', surcharge_details: null, eligible_connectors: ['phonypay'] })
  deepEqual(Object.keys(credit!.required_fields), [
    'payment_method_data.card.card_number',
    'payment_method_data.card.card_exp_month',
    'payment_method_data.card.card_exp_year',
    'payment_method_data.card.card_cvc',
  ])
  deepEqual(credit!.required_fields['payment_method_data.card.card_cvc'], {
    required_field: 'payment_method_data.card.card_cvc',
    display_name: 'card_cvc',
    field_type: 'user_card_cvc',
    value: null,
  })
  deepEqual(
    [answer.currency, answer.merchant_name, answer.payment_type, answer.mandate_payment, answer.is_guest_customer, answer.redirect_url],
    ['USD', 'Chairs', 'normal', null, true, 'https://shop.example/back'],
  )
  deepEqual(answer.sdk_next_action, { next_action: 'confirm', should_block_confirm: null })
  const { intent_data } = answer
  deepEqual([intent_data.payment_id, intent_data.description, intent_data.metadata], [payment.payment_id, 'A chair', null])
})

test('fields that the payment already has are not required again', async () => {
  const shop = await openShop()
  deepEqual(typesIn(await offered(shop, await shop.create()))[0]!.required_fields, {})
})

test('payment methods of several connector accounts are merged, and each network lists its eligible connectors', async () => {
  const shop = await openShop()
  await enable(shop, [
    {
      payment_method_type: 'credit',
      card_networks: ['Visa', 'Mastercard'],
      accepted_currencies: { type: 'enable_only', list: ['USD', 'EUR'] },
    },
  ])
  await addAccount(shop, 'stripe', [
    { payment_method_type: 'credit', card_networks: ['Visa', 'JCB'], minimum_amount: 100, maximum_amount: 5000 },
  ])
  const [credit, ...more] = typesIn(await offered(shop, await unpaid(shop)))
  equal(more.length, 0)
  deepEqual(credit!.card_networks.map((one: Body) => [one.card_network, one.eligible_connectors]).sort(), [
    ['JCB', ['stripe']],
    ['Mastercard', ['phonypay']],
    ['Visa', ['phonypay', 'stripe']],
  ])
  deepEqual([credit!.accepted_currencies.type, credit!.minimum_amount], ['all_accepted', null])
  // The amount is too high for the second account, or the currency is one that the first does not accept.
  deepEqual(networks(typesIn(await offered(shop, await unpaid(shop, { amount: 5001 })))[0]), ['Visa', 'Mastercard'])
  deepEqual(networks(typesIn(await offered(shop, await unpaid(shop, { currency: 'GBP' })))[0]), ['Visa', 'JCB'])
  deepEqual((await offered(shop, await unpaid(shop, { currency: 'GBP', amount: 5001 }))).payment_methods, [])
})

test('payment methods excluded by the country or the allowed types of the payment are not offered', async () => {
  const shop = await openShop()
  await enable(shop, [
    { payment_method_type: 'credit', accepted_countries: { type: 'enable_only', list: ['DE'] } },
    { payment_method_type: 'debit', accepted_countries: { type: 'disable_only', list: ['DE'] } },
  ])
  const from = (country: string) => unpaid(shop, { billing: { address: { country } } })
  deepEqual(names(await offered(shop, await from('DE'))), ['credit'])
  deepEqual(names(await offered(shop, await from('FR'))), ['debit'])
  deepEqual(names(await offered(shop, await unpaid(shop))), ['credit', 'debit'])
  deepEqual(names(await offered(shop, await unpaid(shop, { allowed_payment_method_types: ['debit'] }))), ['debit'])
  for (const [country, type, status] of [
    ['DE', 'credit', 'succeeded'],
    ['FR', 'debit', 'succeeded'],
  ]) {
    const paid = await shop.pay({ payment_method_type: type, billing: { address: { country } } })
    equal(paid.status, status)
  }
  isRefused(await shop.tryToPay({ payment_method_type: 'debit', billing: { address: { country: 'DE' } } }), 400, 'IR_39')
})

const filters: [string, string[]][] = [
  ['accepted_countries=DE', ['credit']],
  ['accepted_countries=FR', ['debit']],
  ['accepted_countries=FR&accepted_countries=DE', ['credit', 'debit']],
  ['accepted_currencies=EUR', ['credit', 'debit']],
  ['accepted_currencies=JPY,CHF', ['debit']],
  ['amount=5000', ['credit', 'debit']],
  ['amount=5001', ['credit']],
  ['card_networks=Visa', ['credit', 'debit']],
  ['card_network=JCB', ['debit']],
  ['card_networks=RuPay', []],
  ['recurring_enabled=true', ['credit']],
  ['recurring_enabled=false', ['debit']],
  ['installment_payment_enabled=true', ['debit']],
  ['installment_payment_enabled=true&recurring_enabled=true', []],
]

test('the filters of the payment method list apply with and without a payment', async () => {
  const shop = await openShop()
  await enable(shop, [
    {
      payment_method_type: 'credit',
      card_networks: ['Visa'],
      recurring_enabled: true,
      accepted_countries: { type: 'enable_only', list: ['DE'] },
      accepted_currencies: { type: 'enable_only', list: ['USD', 'EUR'] },
    },
    {
      payment_method_type: 'debit',
      card_networks: ['Visa', 'JCB'],
      installment_payment_enabled: true,
      accepted_countries: { type: 'disable_only', list: ['DE'] },
      maximum_amount: 5000,
    },
  ])
  const payment = await unpaid(shop)
  for (const [query, wanted] of filters) {
    deepEqual(names(await offered(shop, payment, `&${query}`)), wanted, query)
    const { body } = await shop.call('GET', `/account/payment_methods?${query}`)
    deepEqual(names(body), wanted, `${query}, for a server`)
  }
  const [, debit] = typesIn((await shop.call('GET', '/account/payment_methods')).body)
  deepEqual(
    [debit!.accepted_countries.type, debit!.accepted_countries.list.includes('DE'), debit!.maximum_amount],
    ['enable_only', false, 5000],
  )
  for (const bad of ['amount=-1', 'accepted_countries=XX', 'accepted_currencies=usd', 'card_networks=Plastic', 'recurring_enabled=perhaps'])
    isRefused(await shop.call('GET', `/account/payment_methods?${bad}`), 400, 'IR_06', new RegExp(bad.split('=')[0]!))
})

test('a server gets all payment methods of the profile, or those of the payment with the given client_secret', async () => {
  const shop = await openShop()
  const { status, body } = await shop.call('GET', '/account/payment_methods')
  deepEqual([status, body.currency, body.intent_data, body.payment_type], [200, null, null, null])
  ok(names(body).length > 100)
  await shop.post(`/account/${shop.merchant_id}/connectors/${shop.merchant_connector_id}`, {
    connector_type: 'payment_processor',
    payment_methods_enabled: [
      { payment_method: 'card', payment_method_types: [{ payment_method_type: 'credit' }] },
      { payment_method: 'wallet', payment_method_types: [{ payment_method_type: 'paypal' }, { payment_method_type: 'google_pay' }] },
      { payment_method: 'bank_debit', payment_method_types: [{ payment_method_type: 'sepa' }] },
      { payment_method: 'bank_redirect', payment_method_types: [{ payment_method_type: 'ideal' }] },
    ],
  })
  const every = ['credit', 'paypal', 'google_pay', 'ideal', 'sepa']
  deepEqual(names((await shop.call('GET', '/account/payment_methods')).body).sort(), every.sort())
  const { client_secret } = await unpaid(shop, { allowed_payment_method_types: ['ideal'], currency: 'EUR' })
  const named = await shop.call('GET', `/account/payment_methods?client_secret=${client_secret}`)
  deepEqual([named.body.currency, names(named.body)], ['EUR', ['ideal']])
  isRefused(await shop.call('GET', '/account/payment_methods', undefined, { 'x-profile-id': 'pro_none' }), 400, 'IR_16', /X-Profile-Id/)
})

test('a wrong or expired client_secret gets no payment method list', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const payment = await unpaid(shop)
  const list = (of: Shop, client_secret: string) => byBrowser(of, `/account/payment_methods?client_secret=${client_secret}`)
  isRefused(await list(other, payment.client_secret), 404, 'HE_02')
  isRefused(await list(shop, `${payment.client_secret}x`), 400, 'IR_09')
  isRefused(await list(shop, 'pm_nonsense'), 404, 'HE_02')
  isRefused(await byBrowser(shop, '/account/payment_methods'), 400, 'IR_04', /client_secret/)
  isRefused(await http('GET', `${shop.url}/account/payment_methods`), 401, 'IR_01')
  await shop.wait('16 minutes')
  isRefused(await list(shop, payment.client_secret), 400, 'IR_08')
})

test('the client_secret of a payment method without data lists the types that can be saved', async () => {
  const shop = await openShop()
  await shop.post('/customers', { customer_id: 'cus_grace' })
  const { body: waiting } = await shop.post('/payment_methods', { payment_method: 'card', customer_id: 'cus_grace' })
  const answer = await offered(shop, waiting)
  deepEqual([names(answer), answer.intent_data, answer.currency], [['credit', 'debit'], null, null])
})

test('a checkout gets the saved payment methods of the customer, and none for a guest', async () => {
  const shop = await openShop()
  await shop.post('/customers', { customer_id: 'cus_grace' })
  const { body: saved } = await shop.post('/payment_methods', {
    payment_method: 'card',
    payment_method_type: 'credit',
    customer_id: 'cus_grace',
    ...card(),
  })
  const list = async (payment: Body, query = '') => {
    const answer = await byBrowser(shop, `/customers/payment_methods?client_secret=${payment.client_secret}${query}`)
    equal(answer.status, 200, answer.text)
    return answer.body
  }
  const hers = await unpaid(shop, { customer_id: 'cus_grace' })
  const { customer_payment_methods, is_guest_customer } = await list(hers)
  deepEqual([customer_payment_methods.map((one: Body) => one.payment_method_id), is_guest_customer], [[saved.payment_method_id], false])
  const { payment_token } = customer_payment_methods[0]
  const paid = await http(
    'POST',
    `${shop.url}/payments/${hers.payment_id}/confirm`,
    { client_secret: hers.client_secret, payment_method: 'card', payment_token, card_cvc: '123' },
    { 'api-key': shop.publishable_key },
  )
  equal(paid.body.status, 'succeeded', paid.text)
  deepEqual(await list(await unpaid(shop)), { customer_payment_methods: [], is_guest_customer: true })
  deepEqual(await list(await unpaid(shop, { customer_id: 'cus_unsaid' })), { customer_payment_methods: [], is_guest_customer: false })

  await enable(shop, [
    {
      payment_method_type: 'credit',
      card_networks: ['Visa'],
      accepted_currencies: { type: 'enable_only', list: ['USD'] },
      maximum_amount: 2000,
    },
  ])
  const count = async (query: string) => (await list(hers, query)).customer_payment_methods.length
  deepEqual(
    [
      await count('&accepted_currencies=USD'),
      await count('&accepted_currencies=EUR'),
      await count('&amount=2000'),
      await count('&amount=2001'),
    ],
    [1, 0, 1, 0],
  )
  deepEqual([await count('&card_networks=JCB'), await count('&limit=0'), await count('&accepted_countries=DE')], [0, 0, 1])

  const byServer = async (query: string) => (await shop.call('GET', `/customers/payment_methods${query}`)).body
  deepEqual(await byServer(''), { customer_payment_methods: [], is_guest_customer: null })
  equal((await byServer(`?client_secret=${hers.client_secret}`)).customer_payment_methods[0].payment_method_id, saved.payment_method_id)
  const { payment_id, client_secret } = await unpaid(shop)
  for (const more of [{}, { client_secret }])
    equal((await shop.post('/payments/session_tokens', { payment_id, wallets: [], ...more })).body.client_secret, client_secret)
  const foreign = { payment_id, wallets: [], client_secret: hers.client_secret }
  isRefused(await shop.post('/payments/session_tokens', foreign), 400, 'IR_09')
  const admin = await http('GET', `${shop.url}/customers/payment_methods`, undefined, { 'api-key': ADMIN_KEY })
  isRefused(admin, 401, 'IR_01')
  isRefused(await byBrowser(shop, `/customers/payment_methods?client_secret=${hers.client_secret}&amount=x`), 400, 'IR_06', /amount/)
  isRefused(await http('GET', `${shop.url}/customers/payment_methods?client_secret=${hers.client_secret}`), 401, 'IR_01')
})

test('required fields contain the values that the payment knows already', async () => {
  const shop = await openShop()
  const billing = { email: 'ada@shop.example', address: { first_name: 'Ada', last_name: 'Byron', country: 'DE' } }
  const answer = await offered(shop, await unpaid(shop, { billing, allowed_payment_method_types: ['sepa', 'klarna', 'ach'] }))
  const fields = answer.payment_methods.flatMap((one: Body) =>
    one.payment_method_types.flatMap((type: Body) => Object.values<Body>(type.required_fields)),
  )
  const known = (kind: string) => [...new Set(fields.filter((one: Body) => one.field_type === kind).map((one: Body) => one.value))]
  deepEqual([known('user_email_address'), known('user_iban')], [['ada@shop.example'], [null]])
  for (const value of [...known('user_billing_name'), ...known('user_full_name')]) ok(/Ada|Byron/.test(String(value)), String(value))
})

test('payment methods other than cards are offered by type, with payment experience and required fields', async () => {
  const shop = await openShop()
  const answer = await offered(shop, await unpaid(shop))
  const typeOf = (method: string, type: string): Body =>
    answer.payment_methods
      .find((one: Body) => one.payment_method === method)
      .payment_method_types.find((one: Body) => one.payment_method_type === type)
  const experiences = (one: Body) => one.payment_experience.map((its: Body) => its.payment_experience_type)
  deepEqual(experiences(typeOf('wallet', 'paypal')), ['invoke_sdk_client', 'redirect_to_url'])
  deepEqual(experiences(typeOf('real_time_payment', 'fps')), ['display_qr_code'])
  deepEqual(Object.values<Body>(typeOf('bank_debit', 'sepa').required_fields)[0], {
    required_field: 'payment_method_data.bank_debit.sepa_bank_debit.iban',
    display_name: 'iban',
    field_type: 'user_iban',
    value: null,
  })
  deepEqual([typeOf('bank_redirect', 'ideal').card_networks, typeOf('bank_redirect', 'ideal').recurring_enabled], [null, false])
  ok(!answer.payment_methods.some((one: Body) => one.payment_method === 'network_token'), 'shoppers have no network tokens')
  const held = await offered(shop, await unpaid(shop, { capture_method: 'manual' }))
  deepEqual(
    held.payment_methods.map((one: Body) => one.payment_method),
    ['card', 'wallet', 'pay_later', 'card_redirect'],
  )
  const later = await offered(shop, await unpaid(shop, { customer_id: 'cus_1', setup_future_usage: 'off_session' }))
  deepEqual(
    later.payment_methods.map((one: Body) => one.payment_method),
    ['card'],
  )
})

test('wallets collect billing and shipping addresses when the profile always requires them', async () => {
  const shop = await openShop()
  const asks = async () => {
    const answer = await offered(shop, await unpaid(shop))
    return [answer.collect_billing_details_from_wallets, answer.collect_shipping_details_from_wallets]
  }
  deepEqual(await asks(), [false, false])
  await shop.profile({ always_collect_billing_details_from_wallet_connector: true })
  deepEqual(await asks(), [true, false])
  await shop.profile({ collect_shipping_details_from_wallet_connector: true })
  deepEqual(await asks(), [true, true])
})

test('fields and bank lists that processors require are included for each payment method', async () => {
  const shop = await openShop()
  const { payment_methods } = await offered(shop, await unpaid(shop))
  const asks = (method: string, type: string) => {
    const { payment_method_types } = payment_methods.find((one: Body) => one.payment_method === method)
    const { required_fields } = payment_method_types.find((one: Body) => one.payment_method_type === type)
    return Object.fromEntries(Object.values<Body>(required_fields).map(one => [one.required_field, one.field_type]))
  }
  const banks = (method: string, type: string): string[] => {
    const { payment_method_types } = payment_methods.find((one: Body) => one.payment_method === method)
    return payment_method_types.find((one: Body) => one.payment_method_type === type).bank_names.flatMap((one: Body) => one.bank_name)
  }
  deepEqual(asks('bank_redirect', 'blik'), { 'payment_method_data.bank_redirect.blik.blik_code': 'user_blik_code' })
  deepEqual(asks('upi', 'upi_collect'), { 'payment_method_data.upi.upi_collect.vpa_id': 'user_vpa_id' })
  deepEqual(asks('bank_transfer', 'ach'), { 'payment_method_data.billing.email': 'user_email_address' })
  deepEqual(asks('bank_transfer', 'bacs'), {
    'payment_method_data.billing.email': 'user_email_address',
    'payment_method_data.billing.address.first_name': 'user_full_name',
    'payment_method_data.billing.address.last_name': 'user_full_name',
  })
  deepEqual(asks('voucher', 'boleto'), { 'payment_method_data.voucher.boleto.social_security_number': 'user_social_security_number' })
  for (const [country, bank] of [
    ['czech_republic', 'komercni_banka'],
    ['fpx', 'maybank'],
    ['poland', 'm_bank'],
    ['slovakia', 'tatra_pay'],
    ['thailand', 'bangkok_bank'],
  ] as const) {
    const type = `online_banking_${country}`
    const { user_bank_options } = asks('bank_redirect', type)[`payment_method_data.bank_redirect.${type}.issuer`]
    ok(user_bank_options.options.includes(bank), type)
    deepEqual(banks('bank_redirect', type), user_bank_options.options)
    // Each bank that is offered can be paid with.
    for (const issuer of user_bank_options.options) ok(bankNames.includes(issuer), issuer)
  }
  ok(banks('bank_redirect', 'ideal').includes('rabobank') && banks('bank_redirect', 'eps').includes('bank_austria'))
  deepEqual(asks('bank_redirect', 'ideal'), {}, 'the bank may be chosen at iDEAL’s own page as well')
  deepEqual(asks('wallet', 'paypal'), {}, 'who is sent to the wallet’s own page says nothing here')
})
