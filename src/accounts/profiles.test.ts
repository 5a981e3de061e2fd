import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, cards, http, openShop, type Shop } from '../../test/shop.ts'

const admin = { 'api-key': ADMIN_KEY }
const pathOf = (shop: Shop, id = ''): string => `/account/${shop.merchant_id}/business_profile${id && `/${id}`}`
const add = (shop: Shop, ask: Body = {}) => shop.post(pathOf(shop), { profile_name: 'outlet', ...ask })
const list = async (shop: Shop): Promise<Body[]> => (await shop.call('GET', pathOf(shop))).body
const deleteProfile = (shop: Shop, id: string) => http('DELETE', shop.url + pathOf(shop, id), undefined, admin)
const account = (shop: Shop, profile_id: string, more: Body = {}) =>
  shop.post(`/account/${shop.merchant_id}/connectors`, {
    connector_type: 'payment_processor',
    connector_name: 'phonypay',
    profile_id,
    connector_account_details: { auth_type: 'HeaderKey', api_key: `sandbox_${shop.merchant_id}` },
    ...more,
  })

test('a profile stores and returns its settings; omitted settings have a default or are null', async () => {
  const shop = await openShop()
  const settings = {
    is_auto_retries_enabled: true,
    max_auto_retries_enabled: 3,
    is_manual_retry_enabled: true,
    payment_link_config: { domain_name: 'pay.shop.example', allowed_domains: ['shop.example'] },
    merchant_business_country: 'NO',
    metadata: { city: 'Oslo', nothing: null },
  }
  const { body } = await add(shop, settings)
  for (const [member, value] of Object.entries(settings)) deepEqual(body[member], value, member)
  deepEqual([body.session_expiry, body.intent_fulfillment_time, body.force_3ds_challenge, body.tax_connector_id], [900, 900, false, null])
  equal(body.return_url, 'https://shop.example/thanks', "the merchant's")
  deepEqual((await shop.call('GET', pathOf(shop, body.profile_id))).body, body)
})

test('an update changes only the given fields, merges webhook_details, and keeps profile names unique', async () => {
  const shop = await openShop()
  const { profile_id } = (await add(shop, { webhook_details: { webhook_url: 'https://a.example/', webhook_version: '1' } })).body
  const update = (ask: Body) => shop.post(pathOf(shop, profile_id), ask)
  const { body } = await update({ profile_name: 'sale', webhook_details: { webhook_url: 'https://b.example/' }, is_l2_l3_enabled: true })
  deepEqual([body.profile_name, body.webhook_details], ['sale', { webhook_url: 'https://b.example/', webhook_version: '1' }])
  deepEqual((await update({})).body.is_l2_l3_enabled, true)
  isRefused(await update({ profile_name: 'default' }), 400, 'IR_38', /default/)
  isRefused(await add(shop, { profile_name: 'sale' }), 400, 'IR_38', /sale/)
  const [one, two] = await Promise.all([add(shop), add(shop)])
  deepEqual([one.status, two.status].sort(), [200, 400], 'of two at once the first')
  equal((await update({ profile_name: 'sale' })).status, 200, 'its own name')
})

// biome-ignore format: a table reads better in columns
const refusals: [ask: Body, status: number, code: string, names: RegExp][] = [
  [{ session_expiry: 59 },                                               422, 'IR_06', /session_expiry/],
  [{ session_expiry: 7_890_001 },                                        422, 'IR_06', /session_expiry/],
  [{ intent_fulfillment_time: 1801 },                                    422, 'IR_06', /intent_fulfillment_time/],
  [{ return_url: 'javascript:alert(1)' },                                422, 'IR_05', /return_url/],
  [{ webhook_details: { webhook_url: 'ftp://shop.example' } },           422, 'IR_05', /webhook_url/],
  [{ webhook_details: { refund_statuses_enabled: ['pending'] } },        422, 'IR_06', /refund_statuses_enabled\[0\]/],
  [{ webhook_details: { webhook_adress: 'x' } },                         400, 'IR_06', /webhook_adress/],
  [{ dispute_polling_interval: 24 },                                     400, 'IR_19', /dispute_polling_interval/],
  [{ payment_link_config: { domain_name: 'x.example' } },                422, 'IR_06', /allowed_domains/],
  [{ outgoing_webhook_custom_http_headers: { 'a b': 'x' } },             422, 'IR_05', /outgoing_webhook_custom_http_headers/],
  [{ outgoing_webhook_custom_http_headers: { a: 'x\r\nb: y' } },         422, 'IR_05', /outgoing_webhook_custom_http_headers/],
  [{ merchant_business_country: 'no' },                                  400, 'IR_06', /NO/],
  [{ metadata: { key: 'x'.repeat(501) } },                               422, 'IR_06', /metadata/],
  [{ routing: 'x' },                                                     400, 'IR_06', /routing/],
]

test('an invalid profile is refused with the name of the field', async () => {
  const shop = await openShop()
  const [{ profile_id }] = (await list(shop)) as [Body]
  for (const [ask, status, code, names] of refusals) {
    isRefused(await add(shop, ask), status, code, names)
    isRefused(await shop.post(pathOf(shop, profile_id), ask), status, code, names)
  }
  equal((await list(shop)).length, 1)
  isRefused(await shop.call('GET', pathOf(shop, 'pro_x')), 404, 'HE_02')
  isRefused(await deleteProfile(shop, 'pro_x'), 404, 'HE_02')
})

test('custom webhook headers are stored encrypted and shown masked', async () => {
  const shop = await openShop()
  const { body, text } = await add(shop, { outgoing_webhook_custom_http_headers: { authorization: 'Bearer a_secret_of_mine' } })
  deepEqual(body.outgoing_webhook_custom_http_headers, { authorization: 'Be*******************ne' })
  const rows = await shop.query('select details from profiles where merchant_id = $1', [shop.merchant_id])
  ok(!`${text} ${JSON.stringify(rows)}`.includes('a_secret_of_mine'))
})

test('session_expiry of the profile sets when a payment expires', async () => {
  const shop = await openShop()
  const [{ profile_id }] = (await list(shop)) as [Body]
  await shop.post(pathOf(shop, profile_id), { session_expiry: 60, return_url: 'https://outlet.example/back' })
  const payment = await shop.create()
  equal(Date.parse(payment.expires_on) - Date.parse(payment.created), 60_000)
})

test('a second profile leaves no default; the merchant sets one, and the last remaining profile becomes the default', async () => {
  const shop = await openShop()
  const outlet = (await add(shop)).body
  isRefused(await shop.post('/payments', { amount: 100, currency: 'USD' }), 400, 'IR_04', /profile_id/)
  const say = (default_profile: string) => http('POST', `${shop.url}/accounts/${shop.merchant_id}`, { default_profile }, admin)
  isRefused(await say('pro_x'), 404, 'HE_02')
  equal((await say(outlet.profile_id)).body.default_profile, outlet.profile_id)
  equal((await shop.create()).profile_id, outlet.profile_id)
  equal((await deleteProfile(shop, outlet.profile_id)).text, 'true')
  const [left] = (await list(shop)) as [Body]
  equal((await http('GET', `${shop.url}/accounts/${shop.merchant_id}`, undefined, admin)).body.default_profile, left.profile_id)
  equal((await shop.create()).profile_id, left.profile_id)
  isRefused(await say(outlet.profile_id), 404, 'HE_02')
})

test('deleting a profile deletes its connector accounts; its payments can still be captured and refunded', async () => {
  const shop = await openShop()
  const { profile_id } = (await add(shop, { return_url: 'https://outlet.example/back' })).body
  const { merchant_connector_id } = (await account(shop, profile_id)).body
  const hold = await shop.hold({ profile_id })
  const pending = await shop.pay({ profile_id, card: cards.approvesLater })
  equal(pending.status, 'processing')
  isRefused(await deleteProfile(shop, profile_id), 400, 'IR_16', /in progress/)
  await shop.wait('2 minutes')
  equal((await deleteProfile(shop, profile_id)).status, 200)
  isRefused(await shop.tryToPay({ profile_id }), 404, 'HE_02')
  const path = `/account/${shop.merchant_id}/connectors`
  ok(!(await shop.call('GET', path)).text.includes(merchant_connector_id))
  isRefused(await account(shop, profile_id), 404, 'HE_02')
  equal((await shop.capture(hold.payment_id)).body.status, 'succeeded')
  equal((await shop.refund(hold.payment_id)).body.status, 'succeeded')
  equal((await add(shop)).status, 200, 'its name is free again')
})

test('a request with x-profile-id sees only that profile and its connector accounts', async () => {
  const shop = await openShop()
  const [first] = (await list(shop)) as [Body]
  const { profile_id } = (await add(shop)).body
  const mine = (await account(shop, profile_id)).body
  const meaning = { 'x-profile-id': profile_id }
  const seen = async (path: string): Promise<Body[]> =>
    (await shop.call('GET', `/account/${shop.merchant_id}${path}`, undefined, meaning)).body
  for (const path of ['/business_profile', '/profile'])
    deepEqual(
      (await seen(path)).map(one => one.profile_id),
      [profile_id],
    )
  for (const path of ['/connectors', '/profile/connectors'])
    deepEqual(
      (await seen(path)).map(one => one.merchant_connector_id),
      [mine.merchant_connector_id],
    )
  const other = `/account/${shop.merchant_id}/connectors/${shop.merchant_connector_id}`
  isRefused(await shop.call('GET', other, undefined, meaning), 404, 'HE_02')
  isRefused(await shop.post(other, { connector_type: 'payment_processor' }, meaning), 404, 'HE_02')
  isRefused(await shop.call('GET', pathOf(shop, first.profile_id), undefined, meaning), 404, 'HE_02')
  for (const path of ['/business_profile', '/profile', '/connectors', '/profile/connectors'])
    isRefused(await shop.call('GET', `/account/${shop.merchant_id}${path}`, undefined, { 'x-profile-id': 'pro_x' }), 400, 'IR_16')
})

test('toggles of a profile are returned, and shown in the profile', async () => {
  const shop = await openShop()
  const [{ profile_id }] = (await list(shop)) as [Body]
  for (const [path, member] of [
    ['toggle_extended_card_info', 'is_extended_card_info_enabled'],
    ['toggle_connector_agnostic_mit', 'is_connector_agnostic_mit_enabled'],
  ] as const) {
    for (const enabled of [true, false]) {
      deepEqual((await shop.post(`${pathOf(shop, profile_id)}/${path}`, { enabled })).body, { enabled })
      equal((await shop.call('GET', pathOf(shop, profile_id))).body[member], enabled)
    }
    isRefused(await shop.post(`${pathOf(shop, profile_id)}/${path}`, {}), 400, 'IR_04', /enabled/)
    isRefused(await shop.post(`${pathOf(shop, 'pro_x')}/${path}`, { enabled: true }), 404, 'HE_02')
  }
})

test('an update with an Idempotency-Key is executed once', async () => {
  const shop = await openShop()
  const [{ profile_id }] = (await list(shop)) as [Body]
  const key = { 'idempotency-key': 'once' }
  const ask = { profile_name: 'first' }
  const first = await shop.post(pathOf(shop, profile_id), ask, key)
  equal((await shop.post(pathOf(shop, profile_id), { profile_name: 'second' })).status, 200)
  const again = await shop.post(pathOf(shop, profile_id), ask, key)
  deepEqual([again.text, again.headers['idempotent-replayed']], [first.text, 'true'])
  match((await shop.call('GET', pathOf(shop, profile_id))).text, /"second"/)
})

/** Gives the rows of all tables that contain a text. */
async function holding({ query }: Pick<Shop, 'query'>, text: string): Promise<string[]> {
  const tables = await query(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  )
  const found = await Promise.all(
    tables.map(({ name }) => query(`select count(*)::int as rows from "${name}" t where t::text like $1`, [`%${text}%`])),
  )
  return tables.filter((_, i) => found[i]![0]!.rows > 0).map(({ name }) => String(name))
}

test('the payment response hash key is stored in no table in plain text, and is returned by the API', async () => {
  const keys = ['the first key of this shop', 'the second key of this shop', 'the third key of this shop']
  const shop = await openShop({ account: { payment_response_hash_key: keys[0] } })
  const merchant = `/accounts/${shop.merchant_id}`
  const ask = (method: string, path: string, body?: Body) => http(method, shop.url + path, body, admin)
  const read = async (path: string) => (await ask('GET', path)).body.payment_response_hash_key
  const { profile_id, ...made } = (await add(shop)).body
  const profile = pathOf(shop, profile_id)
  deepEqual([made.payment_response_hash_key, await read(profile), await read(merchant)], [keys[0], keys[0], keys[0]], 'it is inherited')
  await ask('POST', profile, { payment_response_hash_key: keys[1] })
  await ask('POST', merchant, { payment_response_hash_key: keys[2] })
  deepEqual([await read(profile), await read(merchant)], [keys[1], keys[2]])
  for (const key of keys) deepEqual(await holding(shop, key), [], key)
  const audit = await ask('GET', `/audit?merchant_id=${shop.merchant_id}&type=updated`)
  const were = audit.body.data.map(({ was }: Body) => was.details.payment_response_hash_key)
  deepEqual(were, ['hidden', 'hidden'])
})
