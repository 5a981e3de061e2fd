import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { areTheSame, isRefused } from '../../test/refused.ts'
import { type Body, cards, http, openShop, type Shop } from '../../test/shop.ts'

const card = (more: Body = {}) => ({
  card_number: cards.approves,
  card_exp_month: '12',
  card_exp_year: '2040',
  card_holder_name: 'Grace Hopper',
  ...more,
})
const MASTERCARD = '5555555555554444'

async function openCustomer() {
  const shop = await openShop()
  equal((await shop.post('/customers', { customer_id: 'cus_grace' })).status, 200)
  return shop
}

const ask = (more: Body = {}) => ({
  payment_method: 'card',
  payment_method_type: 'credit',
  customer_id: 'cus_grace',
  card: card(),
  ...more,
})

async function save(shop: Shop, more: Body = {}): Promise<Body> {
  const { status, body, text } = await shop.post('/payment_methods', ask(more))
  equal(status, 200, text)
  return body
}
const get = (shop: Shop, path: string) => shop.call('GET', path)
const customer = async (shop: Shop): Promise<Body> => (await get(shop, '/customers/cus_grace')).body
const listed = async (shop: Shop, query = ''): Promise<Body[]> =>
  (await get(shop, `/customers/cus_grace/payment_methods${query}`)).body.customer_payment_methods
const byBrowser = (shop: Shop, path: string, body: Body) => http('POST', shop.url + path, body, { 'api-key': shop.publishable_key })

test('a card is saved for a customer, and shown without its number', async () => {
  const shop = await openCustomer()
  const saved = await save(shop, {
    metadata: { from: 'till 3' },
    payment_method_issuer: 'First Bank',
    payment_method_issuer_code: 'jp_hdfc',
  })
  const { payment_method_id, created, last_used_at, client_secret, card: seen, ...rest } = saved
  match(payment_method_id, /^pm_[A-Za-z0-9]{20}$/)
  match(client_secret, /^pm_[A-Za-z0-9]{8}_secret_[A-Za-z0-9]{11}$/)
  deepEqual([client_secret.length, created], [30, last_used_at])
  deepEqual(rest, {
    merchant_id: shop.merchant_id,
    customer_id: 'cus_grace',
    payment_method: 'card',
    payment_method_type: 'credit',
    payment_method_issuer: 'First Bank',
    payment_method_issuer_code: 'jp_hdfc',
    recurring_enabled: false,
    installment_payment_enabled: false,
    payment_experience: ['redirect_to_url'],
    metadata: { from: 'till 3' },
    bank_transfer: null,
    payout_method_data: null,
    payment_method_data: null,
    card_network: 'Visa',
  })
  deepEqual(
    [seen.last4_digits, seen.expiry_month, seen.expiry_year, seen.card_holder_name, seen.scheme, seen.saved_to_locker],
    ['4242', '12', '2040', 'Grace Hopper', 'Visa', true],
  )
  deepEqual((await get(shop, `/payment_methods/${payment_method_id}`)).body, saved)
  equal((await customer(shop)).default_payment_method_id, payment_method_id, 'the first is the default')
})

test('no card number or security code is stored unencrypted in any table', async () => {
  const shop = await openCustomer()
  const { payment_method_id } = await save(shop, { card: card({ card_cvc: '987' }) })
  await shop.post(`/payment_methods/${payment_method_id}/update`, { card: { card_number: MASTERCARD, card_cvc: '986' } })
  const tables = await shop.query(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'merchant_id' group by 1`,
  )
  for (const { name } of tables as { name: string }[]) {
    for (const { row } of await shop.query(`select t::text as row from ${name} t where merchant_id = $1`, [shop.merchant_id])) {
      for (const digits of [cards.approves, MASTERCARD])
        ok(!row.includes(digits) && !row.includes(Buffer.from(digits).toString('hex')), name)
      ok(!/"card_cvc"/.test(row), name)
    }
  }
})

test('saving the same card again, even concurrently, updates the saved payment method', async () => {
  const shop = await openCustomer()
  const first = await save(shop)
  const again = await save(shop, { card: card({ card_number: '4242 4242 4242 4242', card_exp_year: '41', card_holder_name: 'G. Hopper' }) })
  deepEqual([again.payment_method_id, again.card.expiry_year, again.card.card_holder_name], [first.payment_method_id, '2041', 'G. Hopper'])
  const together = await Promise.all([1, 2, 3, 4].map(() => save(shop, { card: card({ card_number: MASTERCARD }) })))
  equal(new Set(together.map(({ payment_method_id }) => payment_method_id)).size, 1)
  equal((await listed(shop)).length, 2)
  await shop.post('/customers', { customer_id: 'cus_ada' })
  const others = await save(shop, { customer_id: 'cus_ada' })
  ok(others.payment_method_id !== first.payment_method_id, 'another customer has one of their own')
})

test('one Idempotency-Key creates one payment method', async () => {
  const shop = await openCustomer()
  const once = () => shop.post('/payment_methods', { payment_method: 'card', customer_id: 'cus_grace' }, { 'idempotency-key': 'one' })
  const first = await once()
  equal((await once()).text, first.text)
})

const refusals: [Body, number, string, RegExp][] = [
  [{ payment_method: undefined }, 400, 'IR_04', /payment_method/],
  [{ customer_id: 'cus_nobody' }, 404, 'HE_02', /customer/],
  [{ payment_method: 'cash' }, 400, 'IR_06', /payment_method/],
  [{ payment_method: 'voucher' }, 400, 'IR_19', /voucher/],
  [{ payment_method: 'bank_debit', payment_method_type: 'ach' }, 422, 'IR_06', /card/],
  [{ payment_method: 'crypto', card: undefined, payment_method_data: { pay_later: {} } }, 422, 'IR_06', /pay_later/],
  [
    { payment_method: 'bank_debit', card: undefined, payment_method_data: { bank_debit: {} } },
    422,
    'IR_06',
    /payment_method_type|bank_debit/,
  ],
  [{ payment_method: 'wallet' }, 422, 'IR_06', /card/],
  [{ payment_method_type: 'paypal' }, 422, 'IR_06', /payment_method_type/],
  [{ wallet: { venmo: { telephone_number: '+15550100' } } }, 422, 'IR_06', /wallet/],
  [{ payment_method_data: { card: card() } }, 422, 'IR_06', /payment_method_data/],
  [{ stranger: 1 }, 400, 'IR_06', /stranger/],
  [{ card: card({ card_number: '4242424242424241' }) }, 400, 'IR_06', /card\.card_number/],
  [{ card: card({ card_exp_month: '13' }) }, 400, 'IR_16', /card\.card_exp_month/],
  [{ card: card({ card_exp_year: 'soon' }) }, 400, 'IR_07', /card\.card_exp_year/],
  [{ card: card({ card_exp_year: '2020' }) }, 400, 'IR_16', /expired/],
  [{ card: card({ card_cvc: '12' }) }, 400, 'IR_16', /card\.card_cvc/],
  [{ card: card({ nick_name: cards.approves }) }, 400, 'IR_06', /nick_name/],
  [{ metadata: { ['k'.repeat(41)]: 1 } }, 422, 'IR_06', /metadata/],
]
test('an invalid payment method is refused with the field name, and nothing is saved', async () => {
  const shop = await openCustomer()
  for (const [more, status, code, names] of refusals) isRefused(await shop.post('/payment_methods', ask(more)), status, code, names)
  deepEqual(await listed(shop), [])
})

test('a payment method created without data can be completed by the browser within 15 minutes', async () => {
  const shop = await openCustomer()
  const made = await save(shop, { card: undefined })
  const path = `/payment_methods/${made.payment_method_id}`
  deepEqual([made.card, await listed(shop), (await customer(shop)).default_payment_method_id], [null, [], null])
  isRefused(await shop.post(`${path}/update`, { card: { card_exp_year: '2041' } }), 400, 'IR_19', /awaiting_data/)
  isRefused(await byBrowser(shop, `${path}/save`, { payment_method_data: { card: card() } }), 400, 'IR_04', /client_secret/)
  isRefused(
    await byBrowser(shop, `${path}/save`, { payment_method_data: { card: card() }, client_secret: `pm_${'x'.repeat(27)}` }),
    400,
    'IR_09',
  )
  isRefused(await byBrowser(shop, `${path}/save`, { client_secret: made.client_secret }), 400, 'IR_04', /payment_method_data/)
  isRefused(await http('POST', `${shop.url}${path}/save`, {}), 401, 'IR_01')
  const input = { payment_method_data: { card: card() }, client_secret: made.client_secret }
  const { body } = await byBrowser(shop, `${path}/save`, input)
  deepEqual([body.payment_method_id, body.card.last4_digits], [made.payment_method_id, '4242'])
  equal((await customer(shop)).default_payment_method_id, made.payment_method_id)
  isRefused(await byBrowser(shop, `${path}/save`, input), 400, 'IR_16', /active/)

  const late = await save(shop, { card: undefined })
  await shop.wait('16 minutes')
  isRefused(
    await byBrowser(shop, `/payment_methods/${late.payment_method_id}/save`, { ...input, client_secret: late.client_secret }),
    400,
    'IR_08',
  )
})

test('the browser of an existing client completes a payment method with the members of its creation', async () => {
  const shop = await openCustomer()
  const made = await save(shop, { card: undefined })
  const { client_secret, customer_id } = made
  const path = `/payment_methods/${made.payment_method_id}/save`
  const ask = { client_secret, customer_id, payment_method: 'card', card: { ...card(), card_network: 'VISA' } }
  isRefused(await byBrowser(shop, path, { ...ask, customer_id: 'another' }), 422, 'IR_06', /customer_id/)
  isRefused(await byBrowser(shop, path, { ...ask, payment_method: 'wallet' }), 422, 'IR_06', /payment_method/)
  const { body } = await byBrowser(shop, path, ask)
  deepEqual([body.payment_method_id, body.card.card_network], [made.payment_method_id, 'Visa'])
})

test('the expiry or number of a saved card is updated under the same id, by server or browser', async () => {
  const shop = await openCustomer()
  const saved = await save(shop)
  const path = `/payment_methods/${saved.payment_method_id}/update`
  const later = (await shop.post(path, { card: { card_exp_month: '6', card_exp_year: '2044', nick_name: 'blue' } })).body
  deepEqual(
    [later.card.expiry_month, later.card.expiry_year, later.card.nick_name, later.card.card_holder_name],
    ['06', '2044', 'blue', 'Grace Hopper'],
  )
  const client_secret = saved.client_secret
  const other = (await byBrowser(shop, path, { card: { card_number: MASTERCARD }, client_secret })).body
  deepEqual([other.payment_method_id, other.card.last4_digits, other.card.card_network], [saved.payment_method_id, '4444', 'Mastercard'])
  ok(other.card.card_fingerprint !== saved.card.card_fingerprint)
  deepEqual(
    (await listed(shop)).map(one => one.card.last4_digits),
    ['4444'],
  )

  isRefused(await shop.post(path, { card: { card_exp_month: '0' } }), 400, 'IR_16', /card_exp_month/)
  isRefused(await shop.post(path, { card: { card_exp_year: '2001' } }), 400, 'IR_16', /expired/)
  isRefused(await shop.post(path, { card: { last4_digits: '1111' } }), 400, 'IR_16', /last4_digits/)
  isRefused(await shop.post(path, { wallet: { token: 'x' } }), 400, 'IR_19', /wallet/)
  equal((await shop.post(path, { client_secret, card: {} })).body.card.last4_digits, '4444')
  isRefused(await shop.post(path, { client_secret: `pm_${'x'.repeat(27)}`, card: {} }), 400, 'IR_09')
  isRefused(await shop.post('/payment_methods/pm_nothing/update', {}), 404, 'HE_02')
  isRefused(await byBrowser(shop, path, { client_secret: `pm_${'x'.repeat(27)}` }), 400, 'IR_09')
  isRefused(await http('POST', shop.url + path, {}), 401, 'IR_01')
})

test('the default payment method is changed by server or customer, on either path', async () => {
  const shop = await openCustomer()
  const first = (await save(shop)).payment_method_id
  const second = (await save(shop, { card: card({ card_number: MASTERCARD }) })).payment_method_id
  deepEqual(
    (await listed(shop)).map(one => [one.payment_method_id, one.default_payment_method_set]),
    [
      [first, true],
      [second, false],
    ],
  )
  const { body } = await shop.post(`/customers/cus_grace/payment_methods/${second}/default`, {})
  deepEqual(body, { default_payment_method_id: second, customer_id: 'cus_grace', payment_method: 'card', payment_method_type: 'credit' })
  deepEqual(
    (await listed(shop)).map(one => one.payment_method_id),
    [second, first],
  )
  const { secret } = (await shop.post('/ephemeral_keys', { customer_id: 'cus_grace' })).body
  equal(
    (await http('POST', `${shop.url}/cus_grace/payment_methods/${first}/default`, {}, { 'api-key': secret })).body
      .default_payment_method_id,
    first,
  )

  await shop.post('/customers', { customer_id: 'cus_ada' })
  for (const path of ['/customers', '']) {
    isRefused(await shop.post(`${path}/cus_grace/payment_methods/${first}/default`, {}), 400, 'IR_16', /already set as default/)
    isRefused(await shop.post(`${path}/cus_ada/payment_methods/${first}/default`, {}), 400, 'IR_16', /belongs to another customer/)
    isRefused(await shop.post(`${path}/cus_grace/payment_methods/pm_nothing/default`, {}), 404, 'HE_02')
    isRefused(await shop.post(`${path}/cus_nobody/payment_methods/${first}/default`, {}), 404, 'HE_02')
    isRefused(
      await http('POST', `${shop.url}${path}/cus_grace/payment_methods/${second}/default`, {}, { 'api-key': shop.publishable_key }),
      403,
      'IR_22',
    )
  }
  const empty = (await save(shop, { card: undefined })).payment_method_id
  isRefused(await shop.post(`/customers/cus_grace/payment_methods/${empty}/default`, {}), 400, 'IR_16', /awaiting_data/)
})

test('a deleted payment method is removed from the vault and is no longer the default', async () => {
  const shop = await openCustomer()
  const { payment_method_id } = await save(shop)
  const path = `/payment_methods/${payment_method_id}`
  isRefused(await http('DELETE', shop.url + path, undefined, { 'api-key': shop.publishable_key }), 403, 'IR_22')
  deepEqual((await shop.call('DELETE', path)).body, { payment_method_id, deleted: true })
  isRefused(await shop.call('DELETE', path), 404, 'HE_02')
  isRefused(await get(shop, path), 404, 'HE_02')
  deepEqual([await listed(shop), (await customer(shop)).default_payment_method_id], [[], null])
  deepEqual(await shop.query('select 1 from vault_records where merchant_id = $1', [shop.merchant_id]), [])
})

test('deleting a customer deletes their payment methods, vault records and tokens', async () => {
  const shop = await openCustomer()
  const { payment_method_id } = await save(shop)
  await save(shop, { card: card({ card_number: MASTERCARD }) })
  await save(shop, { card: undefined })
  await listed(shop)
  equal((await shop.call('DELETE', '/customers/cus_grace')).body.payment_methods_deleted, true)
  isRefused(await get(shop, `/payment_methods/${payment_method_id}`), 404, 'HE_02')
  isRefused(await shop.post('/payment_methods', ask()), 400, 'IR_11')
  for (const table of ['payment_methods', 'vault_records', 'payment_tokens'])
    deepEqual(await shop.query(`select 1 from ${table} where merchant_id = $1`, [shop.merchant_id]), [], table)
})

test('the payment method list has a new token for each entry, filters by network, and is refused for other customers', async () => {
  const shop = await openCustomer()
  await save(shop)
  await save(shop, { card: card({ card_number: MASTERCARD }), billing: { address: { country: 'US' } } })
  const [one, two] = await listed(shop)
  match(one!.payment_token, /^token_[A-Za-z0-9]{20}$/)
  ok(one!.payment_token !== two!.payment_token && one!.payment_token !== (await listed(shop))[0]!.payment_token)
  deepEqual([one!.requires_cvv, one!.recurring_enabled, one!.billing, two!.billing.address.country], [true, false, null, 'US'])
  const networks = async (query: string) => (await listed(shop, query)).map(({ card }) => card.card_network)
  deepEqual(await networks('?card_networks=Mastercard'), ['Mastercard'])
  deepEqual(await networks('?card_network=Visa&card_network=JCB'), ['Visa'])
  deepEqual(await networks('?limit=1'), ['Visa'])
  deepEqual(await networks('?recurring_enabled=true'), [])
  const path = '/customers/cus_grace/payment_methods'
  deepEqual([(await listed(shop, '?amount=100')).length, (await listed(shop, '?accepted_currencies=USD')).length], [2, 2])
  isRefused(await get(shop, `${path}?limit=-1`), 400, 'IR_06', /limit/)
  isRefused(await get(shop, '/customers/cus_nobody/payment_methods'), 404, 'HE_02')
  isRefused(await http('GET', shop.url + path), 401, 'IR_01')

  const { client_secret } = await shop.create({ customer_id: 'cus_grace' })
  const browser = await http('GET', `${shop.url}${path}?client_secret=${client_secret}`, undefined, { 'api-key': shop.publishable_key })
  deepEqual([browser.body.customer_payment_methods.length, browser.body.is_guest_customer], [2, false])
  equal((await get(shop, path)).body.is_guest_customer, null)
  const { secret } = (await shop.post('/ephemeral_keys', { customer_id: 'cus_ada' })).body
  isRefused(await http('GET', shop.url + path, undefined, { 'api-key': secret }), 404, 'HE_02')
  await shop.wait('16 minutes')
  deepEqual(await shop.query('select 1 from payment_tokens where merchant_id = $1', [shop.merchant_id]), [], 'and tokens are forgotten')
})

test('payment methods of another merchant are not found, like missing ones', async () => {
  const [shop, other] = [await openCustomer(), await openCustomer()]
  const { payment_method_id } = await save(shop)
  const calls: [string, string, Body?][] = [
    ['GET', ''],
    ['DELETE', ''],
    ['POST', '/update', { card: { nick_name: 'mine' } }],
    ['POST', '/save', { payment_method_data: { card: card() } }],
  ]
  for (const [method, end, body] of calls) {
    const foreign = await other.call(method, `/payment_methods/${payment_method_id}${end}`, body)
    isRefused(foreign, 404, 'HE_02')
    areTheSame(foreign, await other.call(method, `/payment_methods/pm_nothing${end}`, body))
  }
  isRefused(
    await http('GET', `${shop.url}/payment_methods/${payment_method_id}`, undefined, { 'api-key': shop.publishable_key }),
    403,
    'IR_22',
  )
  isRefused(await http('POST', `${shop.url}/payment_methods`, ask(), { 'api-key': shop.publishable_key }), 403, 'IR_22')
})

test('a card saved without a customer creates one, who can pay with it', async () => {
  const shop = await openShop()
  const { body, status } = await shop.post('/payment_methods', { payment_method: 'card', card: card() })
  equal(status, 200)
  match(body.customer_id, /^cus_/)
  const { customer_payment_methods } = (await shop.call('GET', `/customers/${body.customer_id}/payment_methods`)).body
  deepEqual([customer_payment_methods.length, customer_payment_methods[0].default_payment_method_set], [1, true])
  const { payment_token } = customer_payment_methods[0]
  const paid = await shop.pay({ customer_id: body.customer_id, payment_token, payment_method_data: undefined })
  equal(paid.status, 'succeeded')
  const refused = await shop.post('/payment_methods', { payment_method: 'card', card: card({ card_number: '4242424242424241' }) })
  equal(refused.status, 400)
  equal((await shop.call('GET', '/customers/list')).body.length, 1, 'no customer is made for what is refused')
})

test('a payment method that cannot be charged later is saved as a record: shown masked, deletable, refused for payments', async () => {
  const shop = await openCustomer()
  const save = async (more: Body) => (await shop.post('/payment_methods', { customer_id: 'cus_grace', ...more })).body
  const sepa = await save({
    payment_method: 'bank_debit',
    payment_method_type: 'sepa',
    payment_method_data: { bank_debit: { sepa_bank_debit: { iban: 'DE89370400440532013000', bank_account_holder_name: 'Grace Hopper' } } },
  })
  equal(sepa.payment_method_data.bank_debit.sepa.iban, '****3000')
  for (const [payment_method, payment_method_type] of [
    ['card_redirect', 'knet'],
    ['pay_later', 'klarna'],
    ['bank_redirect', 'ideal'],
    ['crypto', 'crypto_currency'],
  ])
    deepEqual((await save({ payment_method, payment_method_type })).payment_method, payment_method)
  const all = await listed(shop)
  equal(all.length, 5)
  const { client_secret } = await shop.create({ customer_id: 'cus_grace' })
  const checkout = await http('GET', `${shop.url}/customers/payment_methods?client_secret=${client_secret}`, undefined, {
    'api-key': shop.publishable_key,
  })
  deepEqual(checkout.body.customer_payment_methods, [], 'a checkout is not offered what cannot be paid with')
  const { payment_token } = all.find(one => one.payment_method === 'bank_debit')!
  const bare = { customer_id: 'cus_grace', payment_method: undefined, payment_method_data: undefined }
  isRefused(await shop.tryToPay({ ...bare, payment_token }), 400, 'IR_19', /bank_debit/)
  const by = { type: 'payment_method_id', data: sepa.payment_method_id }
  isRefused(await shop.tryToPay({ ...bare, off_session: true, recurring_details: by }), 400, 'IR_19', /bank_debit/)
  isRefused(await shop.post(`/customers/cus_grace/payment_methods/${sepa.payment_method_id}/default`, {}), 400, 'IR_16', /record/)
  const rows = await shop.query('select details::text from payment_methods where merchant_id = $1', [shop.merchant_id])
  ok(!JSON.stringify(rows).includes('DE89370400440532013000'))
  equal((await shop.call('DELETE', `/payment_methods/${sepa.payment_method_id}`)).body.deleted, true)
  equal((await listed(shop)).length, 4)
})

test('a customer can delete their own saved payment methods with an ephemeral key, and no others', async () => {
  const shop = await openShop()
  const saving = { setup_future_usage: 'on_session', customer_acceptance: { acceptance_type: 'offline' } }
  for (const customer_id of ['cus_ada', 'cus_bob']) await shop.pay({ ...saving, customer_id })
  const of = async (customer_id: string): Promise<Body[]> =>
    (await shop.call('GET', `/customers/${customer_id}/payment_methods`)).body.customer_payment_methods
  const [[ada], [bob]] = [await of('cus_ada'), await of('cus_bob')]
  const { secret } = (await shop.post('/ephemeral_keys', { customer_id: 'cus_ada' })).body
  const remove = (customer_id: string, method: Body, key: string) =>
    http('DELETE', `${shop.url}/customers/${customer_id}/payment_methods/${method.payment_method_id}`, undefined, { 'api-key': key })
  isRefused(await remove('cus_ada', bob!, secret), 404, 'HE_02')
  isRefused(await remove('cus_bob', bob!, secret), 404, 'HE_02')
  isRefused(await remove('cus_ada', ada!, shop.publishable_key), 403, 'IR_22')
  deepEqual((await remove('cus_ada', ada!, secret)).body, { payment_method_id: ada!.payment_method_id, deleted: true })
  isRefused(await remove('cus_ada', ada!, secret), 404, 'HE_02')
  deepEqual([(await of('cus_ada')).length, (await of('cus_bob')).length], [0, 1])
  equal((await remove('cus_bob', bob!, shop.api_key)).body.deleted, true)
})
