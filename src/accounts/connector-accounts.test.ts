import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { keysOf } from '../../test/merchant.ts'
import { isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, cards, http, newDatabase, openShop, type Shop, testConfig } from '../../test/shop.ts'
import { openReach } from '../connectors/reach.ts'
import { start } from '../service.ts'
import { checkSettings } from './account-settings.ts'

const ask = (more: Body = {}): Body => ({
  connector_type: 'payment_processor',
  connector_name: 'phonypay',
  connector_label: 'second',
  connector_account_details: { auth_type: 'HeaderKey', api_key: 'sandbox_second_account' },
  ...more,
})
const add = (shop: Shop, more: Body = {}) => shop.post(`/account/${shop.merchant_id}/connectors`, ask(more))

test('credentials are stored encrypted, and responses show only their first and last two characters', async () => {
  const shop = await openShop()
  const { status, body, text } = await add(shop, {
    connector_webhook_details: { merchant_secret: 'a_webhook_secret' },
    metadata: { city: 'Ghent' },
  })
  equal(status, 200)
  match(body.merchant_connector_id, /^mca_/)
  deepEqual(body.connector_account_details, { auth_type: 'HeaderKey', api_key: 'sa******************nt' })
  deepEqual(body.connector_webhook_details, { merchant_secret: 'a_************et', additional_secret: null })
  deepEqual([body.status, body.disabled, body.connector_label, body.metadata], ['active', false, 'second', { city: 'Ghent' }])
  ok(!text.includes('sandbox_second_account') && !text.includes('a_webhook_secret'))
  const rows = await shop.query("select encode(sealed, 'escape') as sealed, details from connector_accounts where merchant_id = $1", [
    shop.merchant_id,
  ])
  ok(!JSON.stringify(rows).includes('sandbox_') && !JSON.stringify(rows).includes('a_webhook_secret'))
})

test('short credentials are masked entirely', async () => {
  const shop = await openShop()
  const { body } = await add(shop, { connector_account_details: { auth_type: 'HeaderKey', api_key: 'abcd' } })
  equal(body.connector_account_details.api_key, '****')
})

test('the list of connector accounts omits credentials and metadata, for the merchant and for the admin', async () => {
  const shop = await openShop()
  const added = (await add(shop, { metadata: { city: 'Ghent' } })).body
  const path = `/account/${shop.merchant_id}/connectors`
  const mine = await shop.call('GET', path)
  deepEqual(
    mine.body.map((one: Body) => one.merchant_connector_id),
    [shop.merchant_connector_id, added.merchant_connector_id],
  )
  for (const one of mine.body)
    for (const member of ['connector_account_details', 'connector_webhook_details', 'metadata']) ok(!(member in one), member)
  deepEqual((await http('GET', shop.url + path, undefined, { 'api-key': ADMIN_KEY })).body, mine.body)
})

const fiftyfour = { connector_name: 'fiftyfourpay', connector_account_details: keysOf('fiftyfourpay', 'secret') }
// biome-ignore format: a table reads better in columns
const refusals: [what: string, more: Body, status: number, code: string, names?: RegExp][] = [
  ['an unknown connector',          { connector_name: 'nopay' },                                              400, 'IR_06', /connector_name/],
  ['another kind of connector',     { connector_type: 'tax_processor' },                                      422, 'IR_06', /connector_type/],
  ['payouts without an adapter',    { ...fiftyfour, connector_type: 'payout_processor' },                     400, 'IR_04', /metadata.payout_url.*docs.bridge/s],
  ['an adapter that is asked for no payouts', { ...fiftyfour, metadata: { amount_unit: 'major', payout_url: 'https://93.184.216.34' } }, 422, 'IR_06', /payout_url.*payout_processor/],
  ['a unit that an adapter does not count in', { ...fiftyfour, connector_type: 'payout_processor', metadata: { amount_unit: 'major', payout_url: 'https://93.184.216.34' } }, 422, 'IR_06', /amount_unit/],
  ['an adapter inside',             { ...fiftyfour, connector_type: 'payout_processor', metadata: { payout_url: 'http://10.0.0.7' } }, 422, 'IR_05', /payout_url/],
  ['no kind of connector',          { connector_type: 'fax_processor' },                                      400, 'IR_06', /connector_type/],
  ['no kind of credentials',        { connector_account_details: { api_key: 'x' } },                          400, 'IR_04', /auth_type/],
  ['credentials of no kind',        { connector_account_details: { auth_type: 'Key', api_key: 'x' } },        422, 'IR_05', /auth_type/],
  ['credentials to come, in use',   { connector_account_details: { auth_type: 'TemporaryAuth' }, status: 'active' }, 422, 'IR_06', /status/],
  ['a network that there is not',   { payment_methods_enabled: [{ payment_method: 'card', payment_method_types: [{ payment_method_type: 'credit', card_networks: ['visa'] }] }] }, 400, 'IR_06', /Visa/],
  ['a member that is misspelt',     { payment_methods_enabled: [{ payment_method: 'card', payment_method_types: [{ payment_method_type: 'credit', network: [] }] }] }, 400, 'IR_06', /network/],
  ['no credentials',                { connector_account_details: undefined },                                 400, 'IR_04', /connector_account_details/],
  ['credentials of another kind',   { connector_account_details: { auth_type: 'BodyKey', api_key: 'x', key1: 'y' } }, 422, 'IR_06', /HeaderKey/],
  ['an empty key',                  { connector_account_details: { auth_type: 'HeaderKey', api_key: '' } },   422, 'IR_05', /api_key/],
  ['no key',                        { connector_account_details: { auth_type: 'HeaderKey' } },                422, 'IR_05', /api_key/],
  ['a number for a key',            { connector_account_details: { auth_type: 'HeaderKey', api_key: 7 } },    422, 'IR_05', /api_key/],
  ['a profile that is not there',   { profile_id: 'pro_x' },                                                  404, 'HE_02'],
  ['an address that is none',       { metadata: { base_url: 'file:///etc/passwd' } },                         422, 'IR_05', /base_url/],
  ['on and off at once',            { disabled: false, status: 'inactive' },                                  422, 'IR_06', /disabled/],
  ['a member that does not exist',  { secret: 'x' },                                                          400, 'IR_06', /secret/],
]

test('an invalid connector account is refused, and the error names the field', async () => {
  const shop = await openShop()
  for (const [what, more, status, code, names] of refusals) {
    const answer = await add(shop, more)
    equal(answer.body?.error?.code, code, `${what}: ${answer.text}`)
    isRefused(answer, status, code, names)
  }
  equal((await shop.call('GET', `/account/${shop.merchant_id}/connectors`)).body.length, 1)
})

test('a base_url must be public (in live mode https), or one that the deployment has configured', async () => {
  const takes = async (mode: 'test' | 'live', base_url: unknown) => {
    const reach = openReach({ plainly: mode === 'test', own: ['http://10.0.0.8/sandbox'] })
    const checked = checkSettings({ unreachable: reach.unreachable }, { mode, baseUrls: {} }, { connector_name: 'bridge' }, { base_url })
    return checked.then(
      () => true,
      () => false,
    )
  }
  // biome-ignore format: a table reads better in columns
  const addresses: [base_url: unknown, test: boolean, live: boolean][] = [
    [undefined,                              true,  true],
    ['https://api.processor.example/v1',     true,  true],
    ['https://api.processor.example:8443',   true,  true],
    ['http://api.processor.example',         true,  false],
    ['https://api.processor.example:6379',   true,  false],
    ['http://127.0.0.1:8081',                false, false],
    ['https://10.0.0.7',                     false, false],
    ['https://168.63.129.16',                false, false],
    ['https://localhost',                    false, false],
    ['https://metadata.google.internal',     false, false],
    ['https://vault.local/x',                false, false],
    ['https://[::ffff:169.254.169.254]/',    false, false],
    ['https://a:b@api.processor.example',    false, false],
    // The address that the deployment's settings name, and addresses below it.
    ['http://10.0.0.8/sandbox',              true,  true],
    ['http://10.0.0.8/sandbox/stripe',       true,  true],
    ['http://10.0.0.8/sandbox/../admin',     false, false],
    ['http://10.0.0.8/sandbox/%2e%2E/admin', false, false],
    ['http://10.0.0.8/sandboxed',            false, false],
    ['http://10.0.0.8',                      false, false],
    ['https://api.processor.example/?a=b',   false, false],
    ['https://api.processor.example/#x',     false, false],
    [' https://api.processor.example',       false, false],
    ['ftp://api.processor.example',          false, false],
    [['https://api.processor.example'],      false, false],
    [7,                                      false, false],
  ]
  for (const [base_url, test, live] of addresses)
    deepEqual([await takes('test', base_url), await takes('live', base_url)], [test, live], String(base_url))
})

test('a new host for credentials or card numbers is refused unless the credentials are sent again', async () => {
  const shop = await openShop()
  const hosts = [
    ['maguapay', 'card_url', 'https://cards.thief.example'],
    ['milkypay', 'checkout_url', 'https://cards.thief.example'],
    ['adyen', 'endpoint_prefix', '1797a841fbb37ca7-Thief'],
    ['stripe', 'base_url', 'https://api.thief.example'],
    ['fiftyfourpay', 'payout_url', 'https://payouts.thief.example', 'https://payouts.chairs.example'],
  ] as const
  for (const [connector_name, name, elsewhere, at] of hosts) {
    const connector_account_details = keysOf(connector_name, 'sandbox_good')
    const here = at === undefined ? {} : { [name]: at }
    const connector_type = at === undefined ? 'payment_processor' : 'payout_processor'
    const { body } = await add(shop, {
      connector_name,
      connector_type,
      connector_label: connector_name,
      connector_account_details,
      metadata: { ...here, note: 'x' },
    })
    const path = `/account/${shop.merchant_id}/connectors/${body.merchant_connector_id}`
    const move = (more: Body) => shop.post(path, { connector_type, ...more })
    isRefused(await move({ metadata: { [name]: elsewhere } }), 422, 'IR_06', new RegExp(name))
    equal((await move({ metadata: { [name]: elsewhere }, connector_account_details })).status, 200, name)
    equal((await move({ metadata: { [name]: elsewhere, note: 'y' } })).status, 200, 'where it is already')
    isRefused(await move({ metadata: { ...here, note: 'y' } }), 422, 'IR_06', new RegExp(name))
    equal((await move({ metadata: { ...here, note: 'y' }, connector_account_details })).status, 200, 'back again')
    equal((await move({ metadata: { ...here, note: 'z' } })).status, 200)
    if (name !== 'endpoint_prefix')
      isRefused(await move({ metadata: { [name]: 'https://169.254.169.254' }, connector_account_details }), 422, 'IR_05', new RegExp(name))
  }
})

test('live mode refuses test connectors, test keys, test settings and addresses, and missing required settings', async t => {
  const [database, folder] = [await newDatabase(), mkdtempSync(join(tmpdir(), 'switchyard-live-'))]
  const config = testConfig(database.url, folder, {
    mode: 'live',
    publicUrl: 'https://pay.example',
    baseUrls: {},
    webhookLoopback: false,
  })
  const log = { info() {}, warn() {}, error() {} }
  const live = await start(config, { log, scheduler: 'by hand' })
  t.after(async () => {
    await live.close()
    await database.drop()
    rmSync(folder, { recursive: true, force: true })
  })
  await rejects(
    start({ ...config, mode: 'test' }, { log, scheduler: 'by hand' }),
    /MODE is test, but this database belongs to a deployment with MODE live/,
  )
  const merchant_id = 'a_live_shop'
  const admin = (path: string, body: Body) => http('POST', live.url + path, body, { 'api-key': ADMIN_KEY })
  match((await admin('/accounts', { merchant_id })).body.publishable_key, /^pk_prd_/)
  const { api_key } = (await admin(`/api_keys/${merchant_id}`, { name: 'first', expiration: 'never' })).body
  match(api_key, /^prod_[0-9A-Za-z]{64}$/)
  for (const key of [api_key, api_key.replace('prod_', 'prd_')])
    equal((await http('GET', `${live.url}/account/${merchant_id}/connectors`, undefined, { 'api-key': key })).status, 200)
  for (const key of [api_key.replace('prod_', 'snd_'), api_key.replace('prod_', 'prd_prod_')])
    isRefused(await http('GET', `${live.url}/account/${merchant_id}/connectors`, undefined, { 'api-key': key }), 401, 'IR_01')
  const make = (connector_name: string, metadata: Body, key = 'real') =>
    admin(`/account/${merchant_id}/connectors`, {
      connector_type: 'payment_processor',
      connector_name,
      connector_label: `${connector_name} ${JSON.stringify(metadata)}`,
      connector_account_details: keysOf(connector_name, key),
      metadata,
    })
  // biome-ignore format: a table reads better in columns
  const refused: [connector: string, metadata: Body, status: number, code: string, names: RegExp, key?: string][] = [
    ['phonypay',     { base_url: 'https://93.184.216.34' },                      422, 'IR_06', /connector_name/],
    ['stripe_test',  { base_url: 'https://93.184.216.34' },                      422, 'IR_06', /connector_name/],
    ['stripe',       {},                                                         422, 'IR_06', /api_key/, 'sk_test_51abc'],
    ['stripe',       {},                                                         422, 'IR_06', /api_key/, 'rk_test_51abc'],
    ['adyen',        { base_url: 'https://checkout-test.adyen.com/v71' },        422, 'IR_06', /base_url/],
    ['adyen',        {},                                                         400, 'IR_04', /endpoint_prefix/],
    ['payadmit',     { base_url: 'https://app-demo.payadmit.com/api/v1' },       422, 'IR_06', /base_url/],
    ['honeycoin',    { base_url: 'https://api-v2.honeycoin.app/api/sandbox/b2b', amount_unit: 'major' }, 422, 'IR_06', /base_url/],
    ['milkypay',     { test_mode: 'true' },                                      422, 'IR_06', /test_mode/],
    ['maguapay',     { account: 'EUR-sandbox' },                                 422, 'IR_06', /account/],
    ['bridge',       {},                                                         400, 'IR_04', /base_url/],
    ['fiftyfourpay', { amount_unit: 'major' },                                   400, 'IR_04', /base_url/],
    ['honeycoin',    {},                                                         400, 'IR_04', /amount_unit/],
    ['fiftyfourpay', { base_url: 'https://93.184.216.34' },                      400, 'IR_04', /amount_unit/],
    ['honeycoin',    { amount_unit: 'cents' },                                   422, 'IR_05', /amount_unit/],
    ['stripe',       { base_url: 'http://93.184.216.34' },                       422, 'IR_05', /base_url/],
    ['stripe',       { base_url: 'https://10.0.0.7' },                           422, 'IR_05', /base_url/],
  ]
  for (const [connector, metadata, status, code, names, key] of refused)
    isRefused(await make(connector, metadata, key), status, code, names)
  for (const [connector, metadata, key] of [
    ['stripe', {}, 'sk_live_51abc'],
    ['adyen', { endpoint_prefix: '1797a841fbb37ca7-Chairs' }],
    ['milkypay', { test_mode: 'false' }],
    ['maguapay', { account: 'EUR-shop' }],
    ['honeycoin', { base_url: 'https://api-v2.honeycoin.app/api/b2b', amount_unit: 'major' }],
  ] as const)
    equal((await make(connector, metadata, key)).status, 200, connector)
  const { merchant_connector_id } = (await make('stripe', { note: 'again' }, 'sk_live_51abc')).body
  const changed = { connector_type: 'payment_processor', connector_account_details: keysOf('stripe', 'sk_test_51abc') }
  isRefused(await admin(`/account/${merchant_id}/connectors/${merchant_connector_id}`, changed), 422, 'IR_06', /api_key/)
})

test('a label or id of a connector account can be taken only once', async () => {
  const shop = await openShop()
  const answers = await Promise.all([add(shop), add(shop)])
  deepEqual(answers.map(answer => answer.status).sort(), [200, 400])
  isRefused(answers.find(answer => answer.status === 400)!, 400, 'HE_01', /second/)
  isRefused(await add(shop, { connector_label: 'third', merchant_connector_id: shop.merchant_connector_id }), 400, 'HE_01')
})

test('a disabled connector account takes no payments', async () => {
  const shop = await openShop()
  const off = (await add(shop, { disabled: true })).body
  deepEqual([off.disabled, off.status], [true, 'active'])
  const inactive = (await add(shop, { connector_label: 'third', status: 'inactive' })).body
  deepEqual([inactive.disabled, inactive.status], [true, 'inactive'])
  equal((await shop.pay()).merchant_connector_id, shop.merchant_connector_id)
})

const one = (shop: Shop, id: string) => `/account/${shop.merchant_id}/connectors/${id}`

test('an update changes the given fields, replaces the enabled payment methods, and shows credentials masked', async () => {
  const shop = await openShop()
  const { merchant_connector_id } = (
    await add(shop, { metadata: { city: 'Ghent' }, test_mode: true, connector_webhook_details: { merchant_secret: 'a_webhook_secret' } })
  ).body
  const update = (more: Body) => shop.post(one(shop, merchant_connector_id), { connector_type: 'payment_processor', ...more })
  const enabled = (type: string) => [{ payment_method: 'card', payment_method_types: [{ payment_method_type: type }] }]
  const { body } = await update({ connector_label: 'renamed', payment_methods_enabled: enabled('credit') })
  deepEqual([body.connector_label, body.metadata, body.test_mode], ['renamed', { city: 'Ghent' }, true])
  equal(body.connector_account_details.api_key, 'sa******************nt')
  equal(body.connector_webhook_details.merchant_secret, 'a_************et', 'not named, not lost')
  const rekeyed = (
    await update({
      connector_account_details: { auth_type: 'HeaderKey', api_key: 'sandbox_third' },
      connector_webhook_details: { merchant_secret: 'another_secret', additional_secret: 'and one more' },
      payment_methods_enabled: enabled('debit'),
    })
  ).body
  equal(rekeyed.connector_account_details.api_key, 'sa*********rd')
  deepEqual(rekeyed.connector_webhook_details, { merchant_secret: 'an**********et', additional_secret: 'an********re' })
  deepEqual(
    [rekeyed.payment_methods_enabled.length, rekeyed.payment_methods_enabled[0].payment_method_types[0].payment_method_type],
    [1, 'debit'],
  )
  deepEqual((await shop.call('GET', one(shop, merchant_connector_id))).body, rekeyed)
  isRefused(await update({ connector_label: 'phonypay_default' }), 400, 'HE_01', /phonypay_default/)
  isRefused(await update({ connector_type: undefined }), 400, 'IR_04', /connector_type/)
  isRefused(await update({ connector_name: 'phonypay' }), 400, 'IR_06', /connector_name/)
  isRefused(await update({ connector_type: 'tax_processor' }), 422, 'IR_06', /connector_type/)
  isRefused(await shop.post(one(shop, 'mca_x'), { connector_type: 'payment_processor' }), 404, 'HE_02')
  isRefused(await shop.call('GET', one(shop, 'mca_x')), 404, 'HE_02')
})

test('one of two simultaneous renames to the same label is refused', async () => {
  const shop = await openShop()
  const ids = [(await add(shop)).body, (await add(shop, { connector_label: 'third' })).body].map(body => body.merchant_connector_id)
  for (let i = 0; i < 5; i++) {
    const answers = await Promise.all(
      ids.map(id => shop.post(one(shop, id), { connector_type: 'payment_processor', connector_label: `same ${i}` })),
    )
    deepEqual(answers.map(answer => answer.status).sort(), [200, 400])
  }
})

test('an update without disabled and status enables an active account; temporary credentials keep it inactive', async () => {
  const shop = await openShop()
  const { merchant_connector_id } = (await add(shop, { connector_account_details: { auth_type: 'TemporaryAuth' } })).body
  const update = async (more: Body) => {
    const { body, text } = await shop.post(one(shop, merchant_connector_id), { connector_type: 'payment_processor', ...more })
    return body.status ? [body.status, body.disabled] : text
  }
  const { body } = await shop.call('GET', one(shop, merchant_connector_id))
  deepEqual([body.status, body.disabled, body.connector_account_details], ['inactive', true, { auth_type: 'TemporaryAuth' }])
  match(String(await update({ disabled: false })), /disabled/)
  match(String(await update({ status: 'active' })), /TemporaryAuth/)
  deepEqual(await update({ connector_account_details: { auth_type: 'HeaderKey', api_key: 'sandbox_x' } }), ['active', false])
  deepEqual(await update({ disabled: true }), ['active', true])
  deepEqual(await update({ connector_label: 'x' }), ['active', false])
  deepEqual(await update({ status: 'inactive' }), ['inactive', true])
  deepEqual(await update({ connector_label: 'y' }), ['inactive', true])
  deepEqual(await update({ status: 'active' }), ['active', false])
})

test('wallet and open banking credentials are stored encrypted, and shown masked', async () => {
  const shop = await openShop()
  const { body, text } = await add(shop, {
    connector_wallets_details: {
      apple_pay: {
        payment_request_data: { label: 'Chairs', supported_networks: ['visa'], merchant_capabilities: ['supports3DS'] },
        session_token_data: { merchant_identifier: 'merchant.chairs', initiative: 'ios', certificate_keys: 'a_private_key_of_mine' },
      },
    },
    additional_merchant_data: { open_banking_recipient_data: { wallet_id: 'recipient_of_mine' } },
  })
  equal(body.connector_wallets_details.apple_pay.session_token_data.certificate_keys, 'a_*****************ne')
  deepEqual(body.additional_merchant_data, { open_banking_recipient_data: { wallet_id: 're*************ne' } })
  const rows = await shop.query('select details from connector_accounts where merchant_id = $1', [shop.merchant_id])
  ok(!`${text}${JSON.stringify(rows)}`.includes('_of_mine'))
})

test('credentials can be verified before and after they are stored: valid, invalid or unknown', async () => {
  const shop = await openShop()
  const verify = (ask: Body) => shop.post('/account/connectors/verify', ask)
  const details = (api_key: string) => ({ connector_account_details: { auth_type: 'HeaderKey', api_key } })
  deepEqual((await verify({ connector_name: 'phonypay', ...details('sandbox_good') })).body, {
    connector_name: 'phonypay',
    merchant_connector_id: null,
    verified: true,
    error_code: null,
    error_message: null,
  })
  const no = (await verify({ connector_name: 'phonypay', connector_type: 'payment_processor', ...details('sk_invalid') })).body
  deepEqual([no.verified, no.error_code], [false, 'unauthorized'])
  ok(!JSON.stringify(no).includes('sk_invalid'))
  const { merchant_connector_id } = shop
  equal((await verify({ merchant_connector_id })).body.verified, true)
  equal((await verify({ merchant_connector_id, ...details('sk_invalid') })).body.verified, false)
  const elsewhere = { merchant_connector_id, metadata: { base_url: 'http://127.0.0.1:1' } }
  const nowhere = (await verify({ ...elsewhere, ...details('sandbox_good') })).body
  deepEqual([nowhere.verified, nowhere.error_code], [null, null])
  ok(nowhere.error_message.length > 0)
  equal((await shop.pay()).status, 'succeeded', 'nothing was changed')
  // Stored credentials are sent to no other address than their own.
  isRefused(await verify(elsewhere), 422, 'IR_06', /connector_account_details/)
  const moved = { connector_type: 'payment_processor', metadata: elsewhere.metadata }
  const path = `/account/${shop.merchant_id}/connectors/${merchant_connector_id}`
  isRefused(await shop.post(path, moved), 422, 'IR_06', /connector_account_details/)
  equal((await shop.post(path, { ...moved, ...details('sandbox_good') })).status, 200)
  equal((await shop.post(path, moved)).status, 200, 'where it is already')
  isRefused(await verify({}), 400, 'IR_04', /connector_name/)
  isRefused(await verify({ connector_name: 'phonypay' }), 400, 'IR_04', /connector_account_details/)
  isRefused(await verify({ merchant_connector_id: 'mca_x' }), 404, 'HE_02')
  isRefused(await verify({ connector_name: 'phonypay', connector_type: 'tax_processor', ...details('x') }), 422, 'IR_06', /connector_type/)
  const other = await openShop()
  isRefused(await other.post('/account/connectors/verify', { merchant_connector_id }), 404, 'HE_02')
})

test('Adyen credentials are verified for the API key and the merchant account', async () => {
  const shop = await openShop({ connector: 'adyen' })
  const verify = async (ask: Body) => {
    const { body } = await shop.post('/account/connectors/verify', ask)
    return [body.verified, body.error_code]
  }
  deepEqual(await verify({ merchant_connector_id: shop.merchant_connector_id }), [true, null])
  const keys = (api_key: string, key1: string) =>
    verify({ connector_name: 'adyen', connector_account_details: { auth_type: 'BodyKey', api_key, key1 } })
  deepEqual(await keys('sk_invalid', 'Chairs'), [false, '000'])
  deepEqual(await keys('sandbox_good', 'InvalidChairs'), [false, '901'])
})

test('one request registers the webhook of the account at the processor, and its signed webhooks are accepted', async () => {
  const shop = await openShop()
  const path = `/account/${shop.merchant_id}/webhooks/${shop.merchant_connector_id}`
  const { body } = await shop.post(path, {})
  deepEqual([body.webhook_registration_status, body.event_type, body.error_code], ['Success', 'all_events', null])
  equal(
    (await shop.post(path.replace('/webhooks', '/connectors/webhooks'), { event_type: 'all_events' })).status,
    200,
    'again does no harm',
  )
  const payment = await shop.pay({ card: cards.approvesLater })
  await shop.processor.advance(61)
  equal((await shop.get(payment.payment_id)).status, 'succeeded')
})

test('a webhook registration that fails returns the reason', async () => {
  const shop = await openShop()
  for (const path of [`/account/${shop.merchant_id}/webhooks`, `/account/${shop.merchant_id}/connectors/webhooks`]) {
    const register = (id: string, ask: Body = {}) => shop.post(`${path}/${id}`, ask)
    isRefused(await register('mca_x'), 404, 'HE_02')
    isRefused(await register(shop.merchant_connector_id, { event_type: { specific_event: 'refund_succeeded' } }), 400, 'IR_20')
    isRefused(await register(shop.merchant_connector_id, { events: 'all' }), 400, 'IR_06', /events/)
  }
  const silent = (await add(shop)).body.merchant_connector_id
  isRefused(await shop.post(`/account/${shop.merchant_id}/webhooks/${silent}`, {}), 400, 'IR_16', /merchant_secret/)
  const wrong = {
    connector_account_details: { auth_type: 'HeaderKey', api_key: 'sk_invalid' },
    connector_webhook_details: { merchant_secret: 'secret' },
  }
  const { merchant_connector_id } = (await add(shop, { connector_label: 'wrong', ...wrong })).body
  const { body } = await shop.post(`/account/${shop.merchant_id}/webhooks/${merchant_connector_id}`, {})
  deepEqual([body.webhook_registration_status, body.error_code], ['Failure', 'unauthorized'])
})

test('payments are routed to the connector account that is enabled for their amount and currency', async () => {
  const shop = await openShop()
  const name = `${shop.merchant_id}_b`
  const admin = { 'api-key': ADMIN_KEY }
  await http('POST', `${shop.url}/accounts`, { merchant_id: name }, admin)
  const account = (label: string, type: Body) =>
    http(
      'POST',
      `${shop.url}/account/${name}/connectors`,
      ask({
        connector_label: label,
        connector_account_details: { auth_type: 'HeaderKey', api_key: `sandbox_${name}_${label}` },
        payment_methods_enabled: [{ payment_method: 'card', payment_method_types: [{ payment_method_type: 'credit', ...type }] }],
      }),
      admin,
    )
  const small = (await account('small', { maximum_amount: 1000, accepted_currencies: { type: 'disable_only', list: ['EUR'] } })).body
  const large = (await account('large', { minimum_amount: 500 })).body
  const { api_key } = (await http('POST', `${shop.url}/api_keys/${name}`, { name: 'k', expiration: 'never' }, admin)).body
  const pay = async (amount: number, currency: string) => {
    const { body } = await http('POST', `${shop.url}/payments`, shop.payBody({ amount, currency }), { 'api-key': api_key })
    return body.merchant_connector_id ?? body.error.code
  }
  deepEqual(
    [await pay(499, 'USD'), await pay(1000, 'USD'), await pay(1001, 'USD'), await pay(500, 'EUR'), await pay(499, 'EUR')],
    [small.merchant_connector_id, small.merchant_connector_id, large.merchant_connector_id, large.merchant_connector_id, 'IR_39'],
  )
})

test('connector accounts with the same sandbox key share a ledger; with different keys they do not', async () => {
  const key = `sk_test_${randomBytes(8).toString('hex')}`
  const [one, same, other] = await Promise.all([key, key, key.toUpperCase()].map(sandboxKey => openShop({ sandboxKey })))
  for (const shop of [one!, same!, other!]) equal((await shop.pay()).status, 'succeeded')
  deepEqual([(await one!.processor.charges()).length, (await other!.processor.charges()).length], [2, 1])
})

test('a payment with refused connector credentials fails with that error, and nothing is charged', async () => {
  const shop = await openShop({ sandboxKey: 'sk_test_invalid_1' })
  const payment = await shop.pay()
  deepEqual(
    [payment.status, payment.error_code, payment.unified_code, payment.amount_received],
    ['failed', 'unauthorized', 'UE_2000', null],
  )
  match(payment.error_message, /refused the credentials of this connector account/)
  ok(!JSON.stringify(payment).includes('sk_test_invalid_1'))
  equal((await shop.events(payment.payment_id)).at(-1).event_type, 'payment_failed')
})
