import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { openProcessor } from '../../test/processor.ts'
import { isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, http, openPlace, openShop } from '../../test/shop.ts'

/**
 * From an empty deployment to a payment, with the admin key and the calls of existing set-up scripts, with all their
 * members.
 */

const admin = { 'api-key': ADMIN_KEY }
const { service } = await openPlace()
const call = async (method: string, path: string, body?: Body, headers: Record<string, string> = admin): Promise<Body> => {
  const answer = await http(method, service.url + path, body, headers)
  equal(answer.status, 200, `${method} ${path}: ${answer.text}`)
  return answer.body
}

const merchantAsk = (merchant_id: string, organization_id: string): Body => ({
  merchant_id,
  organization_id,
  locker_id: 'm0010',
  merchant_name: 'NewAge Retailer',
  merchant_details: {
    primary_contact_person: 'John Test',
    primary_email: 'john.test@shop.example',
    primary_phone: 'sunt laborum',
    secondary_contact_person: 'John Test2',
    secondary_email: 'john.test2@shop.example',
    secondary_phone: 'cillum do dolor id',
    website: 'www.shop.example',
    about_business: 'Online Retail with a wide selection of organic products for North America',
    address: {
      line1: '1467',
      line2: 'Harrison Street',
      line3: 'Harrison Street',
      city: 'San Fransico',
      state: 'California',
      zip: '94122',
      country: 'US',
    },
  },
  return_url: 'https://shop.example/success',
  webhook_details: {
    webhook_version: '1.0.1',
    webhook_username: 'ekart_retail',
    webhook_password: 'password_ekart@123',
    webhook_url: 'https://shop.example/hooks',
    payment_created_enabled: true,
    payment_succeeded_enabled: true,
    payment_failed_enabled: true,
  },
  sub_merchants_enabled: false,
  routing_algorithm: { type: 'single', data: 'phonypay' },
  payout_routing_algorithm: null,
  parent_merchant_id: null,
  redirect_to_merchant_with_http_post: false,
  metadata: { city: 'NY', unit: '245' },
  primary_business_details: [{ country: 'US', business: 'default' }],
})

const type = (payment_method_type: string, more: Body = {}): Body => ({
  payment_method_type,
  payment_experience: null,
  card_networks: ['AmericanExpress', 'Discover', 'Interac', 'JCB', 'Mastercard', 'Visa', 'DinersClub', 'UnionPay', 'RuPay'],
  accepted_currencies: null,
  accepted_countries: null,
  minimum_amount: -1,
  maximum_amount: 68607706,
  recurring_enabled: true,
  installment_payment_enabled: false,
  ...more,
})

const connectorAsk = (profile_id: string): Body => ({
  connector_type: 'payment_processor',
  connector_name: 'phonypay',
  connector_account_details: { auth_type: 'HeaderKey', api_key: `sandbox_${randomBytes(6).toString('hex')}` },
  test_mode: true,
  disabled: false,
  profile_id,
  business_country: 'US',
  business_label: 'default',
  payment_methods_enabled: [
    {
      payment_method: 'card',
      payment_method_types: [type('credit', { accepted_currencies: { type: 'enable_only', list: ['USD', 'EUR'] } })],
    },
    { payment_method: 'card', payment_method_types: [type('debit', { accepted_countries: { type: 'all_accepted', list: null } })] },
    {
      payment_method: 'pay_later',
      payment_method_types: [{ ...type('klarna'), card_networks: null, payment_experience: 'redirect_to_url' }],
    },
    { payment_method: 'wallet', payment_method_types: null },
    { payment_method: 'bank_redirect', payment_method_types: [{ ...type('ideal'), card_networks: null, recurring_enabled: null }] },
  ],
  metadata: { city: 'NY', unit: '245', endpoint_prefix: 'AD' },
  connector_webhook_details: { merchant_secret: 'MyWebhookSecret' },
  frm_configs: null,
})

test('a set-up script creates an organization, merchant, profile, API key and connector account, and makes payments', async () => {
  const { organization_id, organization_name } = await call('POST', '/organization', {
    organization_name: 'NewAge',
    metadata: { since: '2020' },
  })
  deepEqual([organization_name, (await call('GET', `/organization/${organization_id}`)).metadata], ['NewAge', { since: '2020' }])
  const renamed = await call('PUT', `/organization/${organization_id}`, { organization_name: 'NewAge Group' })
  deepEqual([renamed.organization_name, renamed.metadata], ['NewAge Group', { since: '2020' }])

  const merchant_id = `retailer_${randomBytes(4).toString('hex')}`
  const ask = merchantAsk(merchant_id, organization_id)
  const merchant = await call('POST', '/accounts', ask)
  for (const member of ['merchant_details', 'webhook_details', 'metadata', 'locker_id', 'primary_business_details', 'routing_algorithm'])
    deepEqual(merchant[member], ask[member], member)
  deepEqual(await call('GET', `/accounts/${merchant_id}`), merchant)
  deepEqual(await call('GET', `/accounts/list?organization_id=${organization_id}`), [merchant])

  const [business] = await call('GET', `/account/${merchant_id}/business_profile`)
  deepEqual([business.profile_name, business.profile_id], ['US_default', merchant.default_profile])
  const profile = await call('POST', `/account/${merchant_id}/business_profile`, { profile_name: 'default', session_expiry: 1800 })
  deepEqual(
    [profile.return_url, profile.webhook_details],
    [ask.return_url, ask.webhook_details],
    'what the merchant says of customers and webhooks',
  )
  equal((await call('GET', `/accounts/${merchant_id}`)).default_profile, null, 'of two none is the default')

  const { api_key } = await call('POST', `/api_keys/${merchant_id}`, {
    name: 'API Key 1',
    description: null,
    expiration: '2069-09-23T01:02:03.000Z',
  })
  match(api_key, /^snd_/)
  const account = await call('POST', `/account/${merchant_id}/connectors`, connectorAsk(profile.profile_id), { 'api-key': api_key })
  deepEqual([account.connector_label, account.profile_id, account.status], ['US_default_phonypay', profile.profile_id, 'active'])
  const [credit, , later, wallet] = account.payment_methods_enabled
  deepEqual(credit.payment_method_types[0].accepted_countries, null)
  deepEqual([later.payment_method_types[0].card_networks, wallet.payment_method_types], [null, null])

  const pay = (more: Body) =>
    call(
      'POST',
      '/payments',
      {
        amount: 6540,
        currency: 'USD',
        confirm: true,
        profile_id: profile.profile_id,
        payment_method: 'card',
        payment_method_data: { card: { card_number: '4242424242424242', card_exp_month: '10', card_exp_year: '40', card_cvc: '123' } },
        ...more,
      },
      { 'api-key': api_key },
    )
  for (const payment_method_type of ['credit', 'debit']) {
    const payment = await pay({ payment_method_type })
    deepEqual([payment.status, payment.merchant_connector_id], ['succeeded', account.merchant_connector_id], payment_method_type)
    equal(Date.parse(payment.expires_on) - Date.parse(payment.created), 1_800_000, "the profile's session_expiry")
  }
})

test('a payment of a merchant with several businesses selects its profile by business country and label', async () => {
  const merchant_id = `chain_${randomBytes(4).toString('hex')}`
  const businesses = [
    { country: 'US', business: 'food' },
    { country: 'NO', business: 'food' },
  ]
  const merchant = await call('POST', '/accounts', { merchant_id, primary_business_details: businesses })
  equal(merchant.default_profile, null)
  const { api_key } = await call('POST', `/api_keys/${merchant_id}`, { name: 'k', expiration: 'never' })
  const profiles = await call('GET', `/account/${merchant_id}/business_profile`)
  const accounts: Body[] = []
  for (const { country, business } of businesses) {
    const { profile_id: _none, ...ask } = connectorAsk('')
    accounts.push(await call('POST', `/account/${merchant_id}/connectors`, { ...ask, business_country: country, business_label: business }))
  }
  deepEqual(
    accounts.map(account => [account.connector_label, profiles.find((one: Body) => one.profile_id === account.profile_id)?.profile_name]),
    [
      ['US_food_phonypay', 'US_food'],
      ['NO_food_phonypay', 'NO_food'],
    ],
  )
  const keyed = { 'api-key': api_key }
  const ask = { amount: 100, currency: 'USD' }
  const payment = await call('POST', '/payments', { ...ask, business_country: 'NO', business_label: 'food' }, keyed)
  equal(payment.profile_id, accounts[1]!.profile_id)
  equal((await http('POST', `${service.url}/payments`, ask, keyed)).body.error.code, 'IR_04')
  const elsewhere = { ...ask, business_country: 'SE', business_label: 'food' }
  equal((await http('POST', `${service.url}/payments`, elsewhere, keyed)).body.error.code, 'IR_16')
  await call('POST', `/accounts/${merchant_id}`, { merchant_id, default_profile: accounts[0]!.profile_id })
  equal((await call('POST', '/payments', ask, keyed)).profile_id, accounts[0]!.profile_id)
})

test('two merchants with the same payment id and connector account id see and change only their own objects', async () => {
  const names = ['one', 'two'].map(name => `${name}_${randomBytes(4).toString('hex')}`)
  const merchant_connector_id = 'mca_the_same'
  const payment_id = `same_${'0'.repeat(25)}`
  const shops = await Promise.all(
    names.map(async (merchant_id, i) => {
      const sandboxKey = `sandbox_${merchant_id}`
      const { default_profile } = await call('POST', '/accounts', { merchant_id })
      const { api_key } = await call('POST', `/api_keys/${merchant_id}`, { name: 'the same', expiration: 'never' })
      const path = `/account/${merchant_id}/connectors`
      const details = { auth_type: 'HeaderKey', api_key: sandboxKey }
      const keyed = { 'api-key': api_key }
      await call('POST', path, { ...connectorAsk(default_profile), merchant_connector_id, connector_account_details: details }, keyed)
      const { payment_method_data } = {
        payment_method_data: { card: { card_number: '4242424242424242', card_exp_month: '10', card_exp_year: '40', card_cvc: '123' } },
      }
      const ask = { payment_id, amount: 1000 + i, currency: 'USD', confirm: true, payment_method: 'card', payment_method_data }
      await call('POST', '/payments', ask, keyed)
      return { merchant_id, path, keyed, processor: openProcessor(process.env.TEST_SANDBOX_URL!, sandboxKey) }
    }),
  )
  const [one, two] = shops as [(typeof shops)[0], (typeof shops)[0]]
  for (const [i, { processor, keyed }] of shops.entries()) {
    equal((await processor.charges()).length, 1)
    equal((await call('GET', `/payments/${payment_id}`, undefined, keyed)).amount, 1000 + i)
  }
  await call('DELETE', `${one.path}/${merchant_connector_id}`)
  deepEqual(await call('GET', one.path, undefined, one.keyed), [])
  const [account] = await call('GET', two.path, undefined, two.keyed)
  equal(account.merchant_connector_id, merchant_connector_id)
  ok(!JSON.stringify(account).includes(one.merchant_id))
  equal(
    (await call('POST', '/refunds', { payment_id, amount: 500 }, one.keyed)).status,
    'succeeded',
    'also through the account that was deleted',
  )
  equal((await call('GET', `/payments/${payment_id}`, undefined, two.keyed)).refunds, null)
})

test('a routing_algorithm that could not be one is refused; clients of the ecosystem may name any connector in it', async () => {
  const shop = await openShop()
  const { merchant_id, profile_id } = await shop.pay()
  const good = [
    { type: 'single', data: 'nmi' },
    { type: 'single', data: { connector: 'stripe', merchant_connector_id: 'mca_1' } },
    { type: 'priority', data: ['stripe', { connector: 'adyen' }] },
    { type: 'volume_split', data: [{ connector: 'stripe', split: 70 }] },
    { type: 'advanced', data: { defaultSelection: { type: 'priority', data: [] }, rules: [{ name: 'rule' }], metadata: {} } },
  ]
  const bad = [
    {},
    { type: 'best', data: 'stripe' },
    { type: 'single' },
    { type: 'priority', data: [] },
    { type: 'volume_split', data: [{ split: 1 }] },
  ]
  for (const [address, more] of [
    [`${shop.url}/accounts/${merchant_id}`, { merchant_id }],
    [`${shop.url}/account/${merchant_id}/business_profile/${profile_id}`, {}],
  ] as const) {
    const set = (routing_algorithm: object) => http('POST', address, { ...more, routing_algorithm }, admin)
    for (const algorithm of good) {
      const answer = await set(algorithm)
      deepEqual(answer.body.routing_algorithm, algorithm, answer.text)
    }
    for (const algorithm of bad) isRefused(await set(algorithm), 400, 'IR_07', /routing_algorithm/)
  }
})
