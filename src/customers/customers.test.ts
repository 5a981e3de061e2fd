import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { areTheSame, isRefused } from '../../test/refused.ts'
import { type Body, http, openShop, type Shop } from '../../test/shop.ts'
import { customerFields } from './fields.ts'

const grace = {
  name: 'Grace Hopper',
  email: 'Grace.Hopper@example.com',
  phone: '2025550143',
  phone_country_code: '+1',
  description: 'Buys chairs by the dozen',
  tax_registration_id: 'TAX-4711',
  address: { first_name: 'Grace', last_name: 'Hopper', line1: '12 Harbour Street', city: 'Arlington', country: 'US', zip: '22201' },
  metadata: { nickname: 'Amazing' },
}

async function make(shop: Shop, ask: Body = {}): Promise<Body> {
  const { status, body, text } = await shop.post('/customers', ask)
  equal(status, 200, text)
  return body
}

const address = {
  city: null,
  country: null,
  line1: null,
  line2: null,
  line3: null,
  zip: null,
  state: null,
  first_name: null,
  last_name: null,
  origin_zip: null,
}

/** The members of a customer without any data: every member of the table but the generated ones. */
const { customer_id: _id, created_at: _at, ...unsaid } = Object.fromEntries(Object.keys(customerFields).map(name => [name, null]))

test('a customer is returned as created, under a generated id', async () => {
  const shop = await openShop()
  const made = await make(shop, grace)
  match(made.customer_id, /^cus_[A-Za-z0-9]{20}$/)
  const { customer_id, created_at, ...rest } = made
  ok(!Number.isNaN(Date.parse(created_at)))
  deepEqual(rest, { ...unsaid, ...grace, address: { ...address, ...grace.address } })
  deepEqual((await shop.call('GET', `/customers/${customer_id}`)).body, made)
})

test('a customer without data has every member, with null', async () => {
  const shop = await openShop()
  const { customer_id, created_at: _, ...rest } = await make(shop, { customer_id: 'a-1_B', stranger: 'is ignored' })
  equal(customer_id, 'a-1_B')
  ok(Object.values(rest).every(value => value === null))
  ok(Object.keys(rest).length >= 9)
  deepEqual(Object.keys(rest).sort(), Object.keys(unsaid).sort())
})

test('creating an existing customer returns it unchanged', async () => {
  const shop = await openShop()
  const first = await make(shop, { customer_id: 'cus_1', ...grace })
  deepEqual(await make(shop, { customer_id: 'cus_1', name: 'Somebody Else' }), first)
  const together = await Promise.all([1, 2, 3, 4].map(n => make(shop, { customer_id: 'cus_2', name: `Number ${n}` })))
  equal(new Set(together.map(({ name }) => name)).size, 1, 'and of several at once one wins')
  const [{ n }] = (await shop.query('select count(*)::int as n from customers where merchant_id = $1', [shop.merchant_id])) as [
    { n: number },
  ]
  equal(n, 2)
})

test('one Idempotency-Key creates one customer, and repeats return the same id', async () => {
  const shop = await openShop()
  const make = () => shop.post('/customers', grace, { 'idempotency-key': 'first' })
  const first = await make()
  equal((await make()).text, first.text)
  equal((await shop.call('GET', '/customers/list')).body.length, 1)
})

const refusals: [Body, number, string, RegExp][] = [
  [{ customer_id: 'x'.repeat(65) }, 422, 'IR_06', /customer_id/],
  [{ customer_id: 'a b' }, 422, 'IR_05', /customer_id/],
  [{ customer_id: 'list' }, 400, 'IR_07', /customer_id/],
  [{ customer_id: 7 }, 400, 'IR_06', /customer_id/],
  [{ name: 'x'.repeat(256) }, 422, 'IR_06', /name must be at most 255/],
  [{ email: `${'x'.repeat(250)}@example.com` }, 422, 'IR_06', /email/],
  [{ email: 'nobody' }, 400, 'IR_06', /email/],
  [{ email: 'a@b@c.example' }, 400, 'IR_06', /email/],
  [{ email: 'a@nowhere' }, 400, 'IR_06', /email/],
  [{ phone: '2025550143', phone_country_code: 'x'.repeat(256) }, 422, 'IR_06', /phone_country_code/],
  [{ description: 'x'.repeat(256) }, 422, 'IR_06', /description/],
  [{ tax_registration_id: 'x'.repeat(256) }, 422, 'IR_06', /tax_registration_id/],
  [{ address: { country: 'XX' } }, 400, 'IR_06', /address.country/],
  [{ address: { planet: 'Earth' } }, 400, 'IR_06', /address.planet/],
  [{ address: 'Harbour Street' }, 400, 'IR_06', /address/],
  [{ metadata: { ['k'.repeat(41)]: 'v' } }, 422, 'IR_06', /metadata/],
  [{ metadata: { k: 'v'.repeat(501) } }, 422, 'IR_06', /metadata/],
  [{ metadata: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, 'v'])) }, 422, 'IR_06', /metadata/],
  [{ name: '4242 4242 4242 4242' }, 400, 'IR_06', /name/],
]
test('invalid customer data is refused with the name of the field, at creation and at update', async () => {
  const shop = await openShop()
  await make(shop, { customer_id: 'cus_1' })
  for (const [ask, status, code, names] of refusals) {
    isRefused(await shop.post('/customers', ask), status, code, names)
    if (!('customer_id' in ask)) isRefused(await shop.post('/customers/cus_1', ask), status, code, names)
  }
  equal((await shop.call('GET', '/customers/list')).body.length, 1)
})

const telephones: Body[] = [
  { phone: '2025550143', phone_country_code: '+1' },
  { phone: '(202) 555-0143', phone_country_code: '1' },
  { phone: '+1 202 555 0143' },
  { phone: '202 555 0143', phone_country_code: 'US' },
]
test('customers are found by telephone number in any format, and by e-mail address in upper or lower case', async () => {
  const shop = await openShop()
  await make(shop, { customer_id: 'cus_other', email: 'ada@example.com', phone: '8056594427', phone_country_code: '+91' })
  for (const [i, telephone] of telephones.entries()) await make(shop, { customer_id: `cus_${i}`, ...telephone })
  await make(shop, { customer_id: 'cus_grace', ...grace })
  const found = async (query: string) => (await shop.call('GET', `/customers/list?${query}`)).body.map((one: Body) => one.customer_id)
  const all = ['cus_grace', 'cus_3', 'cus_2', 'cus_1', 'cus_0']
  for (const query of ['phone=%2B12025550143', 'phone=+1 202 555 0143', 'phone=2025550143&phone_country_code=1'])
    deepEqual((await found(query)).sort(), all.toSorted(), query)
  deepEqual(await found('email=GRACE.hopper@example.com'), ['cus_grace'])
  deepEqual(await found('email=grace.hopper@example.com&phone=%2B918056594427'), [])
  deepEqual(await found('customer_id=cus_2'), ['cus_2'])
  deepEqual(await found('email=nobody@example.com'), [])
  deepEqual(await found('phone=%2B12025550143&starting_after=cus_3&limit=2'), ['cus_2', 'cus_1'])
  await shop.pay({ customer_id: 'cus_1', email: 'somebody@example.com', phone: '+12025550143' })
  equal((await found('phone=%2B12025550143')).length, 5, 'who pays and was there already is there once')
  await shop.pay({ customer_id: 'cus_payer', email: 'payer@example.com', phone: '+91 8056594427' })
  deepEqual(await found('email=payer@example.com&phone=%2B918056594427'), ['cus_payer'])
  isRefused(await shop.call('GET', '/customers/list?phone_country_code=US'), 400, 'IR_04', /phone/)
  isRefused(await shop.call('GET', '/customers/list?phone=nobody'), 422, 'IR_05', /phone/)
})

test('customers are listed newest first, ten per page by default, with a total count', async () => {
  const shop = await openShop()
  for (let i = 0; i < 12; i++) {
    await make(shop, { customer_id: `cus_${i}` })
    await shop.wait('1 second')
  }
  const list = async (query = '') => (await shop.call('GET', `/customers/list${query}`)).body.map((one: Body) => one.customer_id)
  deepEqual(
    await list(),
    [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map(i => `cus_${i}`),
  )
  deepEqual(await list('?limit=2&offset=10'), ['cus_1', 'cus_0'])
  deepEqual(await list('?limit=0'), [])
  const { body } = await shop.call('GET', '/customers/list_with_count?limit=3')
  deepEqual([body.data.length, body.total_count], [3, 12])
  deepEqual(await list('?limit=3&starting_after=cus_9'), ['cus_8', 'cus_7', 'cus_6'])
  deepEqual(await list('?limit=3&ending_before=cus_5'), ['cus_8', 'cus_7', 'cus_6'])
  const of = async (customer_id: string) => encodeURIComponent((await shop.call('GET', `/customers/${customer_id}`)).body.created_at)
  deepEqual(await list(`?created_at.gt=${await of('cus_3')}&created_at_lte=${await of('cus_5')}`), ['cus_5', 'cus_4'])
  deepEqual(await list(`?start_time=${await of('cus_10')}`), ['cus_11', 'cus_10'])
  equal((await shop.call('DELETE', '/customers/cus_8')).status, 200)
  deepEqual(await list('?limit=2&starting_after=cus_9'), ['cus_7', 'cus_6'], 'who was deleted is in no list')
  deepEqual(await list('?starting_after=cus_8&limit=1'), ['cus_7'], 'and keeps their place')
  deepEqual(await list('?customer_id=cus_8'), [])
  const counted = async (query: string) => (await shop.call('GET', `/customers/list_with_count?${query}`)).body.total_count
  deepEqual(
    await Promise.all(['', 'limit=0', 'starting_after=cus_1', 'limit=1000', 'offset=2147483647'].map(counted)),
    [11, 11, 11, 11, 11],
  )
  isRefused(await shop.call('GET', '/customers/list?starting_after=cus_nobody'), 404, 'HE_02')
  isRefused(await shop.call('GET', '/customers/list?starting_after=cus_1&ending_before=cus_2'), 400, 'IR_16', /together/)
  isRefused(await shop.call('GET', '/customers/list?created_at.lt=yesterday'), 422, 'IR_05', /created_at/)
  isRefused(await shop.call('GET', '/customers/list?limit=1001'), 400, 'IR_16', /limit/)
  isRefused(await shop.call('GET', '/customers/list?limit=-1'), 400, 'IR_06', /limit/)
  isRefused(await shop.call('GET', '/customers/list_with_count?offset=x'), 400, 'IR_06', /offset/)
  deepEqual((await (await openShop()).call('GET', '/customers/list')).body, [], 'and another merchant has none of them')
})

test('an update changes only the fields that it contains, and replaces an address as a whole', async () => {
  const shop = await openShop()
  const before = await make(shop, { customer_id: 'cus_1', ...grace })
  const { body } = await shop.post('/customers/cus_1', { customer_id: 'cus_ignored', name: 'G. Hopper', address: { city: 'New York' } })
  deepEqual(body, { ...before, name: 'G. Hopper', address: { ...address, city: 'New York' } })
  deepEqual((await shop.call('GET', '/customers/cus_1')).body, body)
  await shop.post('/customers/cus_1', { email: 'new@example.com' })
  deepEqual((await shop.call('GET', '/customers/list?email=grace.hopper@example.com')).body, [])
  equal((await shop.call('GET', '/customers/list?email=new@example.com')).body.length, 1)
})

test('a deleted customer leaves no personal data in any table, and payments keep the customer id', async () => {
  const shop = await openShop()
  const { customer_id } = await make(shop, { customer_id: 'cus_grace', ...grace })
  await shop.post('/customers/cus_grace', { name: 'Commodore Hopper' })
  const paid = await shop.pay({ customer_id })
  const answer = await shop.call('DELETE', '/customers/cus_grace')
  deepEqual(
    [answer.status, answer.body],
    [200, { customer_id, customer_deleted: true, address_deleted: true, payment_methods_deleted: true }],
  )
  isRefused(await shop.call('GET', '/customers/cus_grace'), 400, 'IR_11')
  isRefused(await shop.post('/customers/cus_grace', { name: 'Back again' }), 400, 'IR_11')
  isRefused(await shop.call('DELETE', '/customers/cus_grace'), 400, 'IR_11')
  deepEqual((await shop.call('GET', '/customers/list')).body, [])
  equal((await shop.get(paid.payment_id)).customer_id, customer_id)

  const again = await make(shop, { customer_id, ...grace })
  deepEqual(
    [again.name, again.email, again.address.line1, again.address.country, again.metadata],
    ['Redacted', 'Redacted', 'Redacted', 'US', null],
  )
  const personal = [
    grace.name,
    grace.email.toLowerCase(),
    grace.phone,
    grace.description,
    grace.tax_registration_id,
    'Harbour',
    'Amazing',
    'Commodore',
  ]
  const tables = await shop.query(
    `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'merchant_id' group by 1`,
  )
  ok(tables.length > 10)
  for (const { name } of tables as { name: string }[]) {
    const rows = await shop.query(`select t::text as row from ${name} t where merchant_id = $1`, [shop.merchant_id])
    for (const { row } of rows as { row: string }[])
      for (const word of personal) ok(!row.toLowerCase().includes(word.toLowerCase()), `${name}: ${word}`)
  }
})

test('stored responses of a deleted customer are not returned again, and their ephemeral key is invalid', async () => {
  const shop = await openShop()
  const make = (body: Body) => shop.post('/customers', body, { 'idempotency-key': 'first' })
  const { secret } = (await shop.post('/ephemeral_keys', { customer_id: 'cus_grace' })).body
  match((await make({ customer_id: 'cus_grace', ...grace })).text, /Grace/)
  equal((await shop.call('DELETE', '/customers/cus_grace')).status, 200)
  await shop.wait('1 minute')
  ok(!(await make({ customer_id: 'cus_grace', ...grace })).text.includes('Grace'))
  isRefused(await http('GET', `${shop.url}/customers/cus_grace`, undefined, { 'api-key': secret }), 401, 'IR_01')
})

test("a customer's browser reads only its own customer, with an ephemeral key or the client_secret of a payment", async () => {
  const shop = await openShop()
  await make(shop, { customer_id: 'cus_grace', ...grace })
  await make(shop, { customer_id: 'cus_ada' })
  const get = (customer_id: string, key: string, query = '') =>
    http('GET', `${shop.url}/customers/${customer_id}${query}`, undefined, { 'api-key': key })
  const { secret } = (await shop.post('/ephemeral_keys', { customer_id: 'cus_grace' })).body
  equal((await get('cus_grace', secret)).body.name, grace.name)
  isRefused(await get('cus_ada', secret), 404, 'HE_02')

  const { client_secret } = await shop.create({ customer_id: 'cus_grace' })
  const pk = shop.publishable_key
  equal((await get('cus_grace', pk, `?client_secret=${client_secret}`)).body.name, grace.name)
  isRefused(await get('cus_ada', pk, `?client_secret=${client_secret}`), 404, 'HE_02')
  isRefused(await get('cus_grace', pk), 400, 'IR_04', /client_secret/)
  isRefused(
    await get('cus_grace', pk, `?client_secret=${client_secret.replace(/.$/, (last: string) => (last === 'x' ? 'y' : 'x'))}`),
    400,
    'IR_09',
  )
  isRefused(await get('cus_grace', pk, '?client_secret=anything'), 404, 'HE_02')
  equal(
    (await get('cus_grace', shop.api_key, `?client_secret=${client_secret}`)).body.name,
    grace.name,
    'beside a secret key it says nothing more',
  )
  await shop.wait('16 minutes')
  isRefused(await get('cus_grace', pk, `?client_secret=${client_secret}`), 400, 'IR_08')
})

test('customers of another merchant are not found, and other kinds of API key are refused', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  await make(shop, { customer_id: 'cus_grace', ...grace })
  const calls: [string, string, Body?][] = [
    ['GET', '/customers/cus_grace'],
    ['POST', '/customers/cus_grace', { name: 'Mine now' }],
    ['DELETE', '/customers/cus_grace'],
  ]
  for (const [method, path, body] of calls) {
    const foreign = await other.call(method, path, body)
    isRefused(foreign, 404, 'HE_02')
    areTheSame(foreign, await other.call(method, '/customers/cus_nobody', body))
    isRefused(await http(method, shop.url + path, body), 401, 'IR_01')
    if (method !== 'GET') isRefused(await http(method, shop.url + path, body, { 'api-key': shop.publishable_key }), 403, 'IR_22')
  }
  for (const path of ['/customers/list', '/customers/list_with_count']) {
    const foreign = await other.call('GET', `${path}?starting_after=cus_grace`)
    isRefused(foreign, 404, 'HE_02')
    areTheSame(foreign, await other.call('GET', `${path}?starting_after=cus_nobody`))
    isRefused(await http('GET', shop.url + path, undefined, { 'api-key': shop.publishable_key }), 403, 'IR_22')
  }
  isRefused(await http('POST', `${shop.url}/customers`, grace, { 'api-key': shop.publishable_key }), 403, 'IR_22')
  equal((await make(other, { customer_id: 'cus_grace' })).name, null, 'each merchant has ids of its own')
})

test('a payment creates its customer, leaves an existing one unchanged, and is refused for a deleted one', async () => {
  const shop = await openShop()
  const input = {
    customer_id: 'cus_new',
    email: 'new@example.com',
    customer: { name: 'New Here', phone: '2025550143', phone_country_code: '+1' },
  }
  const paid = await shop.pay(input)
  equal(paid.status, 'succeeded')
  const { body } = await shop.call('GET', '/customers/cus_new')
  deepEqual([body.name, body.email, body.phone, body.phone_country_code], ['New Here', 'new@example.com', '2025550143', '+1'])
  await Promise.all([1, 2, 3].map(n => shop.pay({ customer_id: 'cus_new', name: `Number ${n}` })))
  equal((await shop.call('GET', '/customers/cus_new')).body.name, 'New Here')
  await shop.pay({ customer_id: 'cus_bare' })
  isRefused(await shop.call('GET', '/customers/cus_bare'), 404, 'HE_02')
  const later = await shop.create({ email: 'later@example.com' })
  equal((await shop.confirm(later.payment_id, { customer_id: 'cus_later', name: 'Later' })).status, 200)
  equal((await shop.call('GET', '/customers/cus_later')).body.name, 'Later')

  const before = await shop.create({ customer_id: 'cus_new' })
  equal((await shop.call('DELETE', '/customers/cus_new')).status, 200)
  for (const ask of [input, { customer_id: 'cus_new' }, { customer_id: 'cus_new', confirm: false }])
    isRefused(await shop.tryToPay(ask), 400, 'IR_11')
  isRefused(await shop.tryToPay(input, { 'idempotency-key': 'one' }), 400, 'IR_11')
  isRefused(await shop.confirm((await shop.create()).payment_id, { customer_id: 'cus_new' }), 400, 'IR_11')
  equal((await shop.confirm(before.payment_id)).body.status, 'succeeded', 'what was created before goes on')
  equal((await shop.processor.charges()).length, 7)
})

test('the history of a customer records who changed it, never the data', async () => {
  const shop = await openShop()
  await make(shop, { customer_id: 'cus_grace', ...grace })
  await shop.post('/customers/cus_grace', { email: 'other@example.com' })
  const rows = await shop.query(`select type, by, was from changes where merchant_id = $1 and kind = 'customer' order by version`, [
    shop.merchant_id,
  ])
  deepEqual(
    rows.map(({ type, was }: Body) => [type, Object.keys(was)]),
    [
      ['created', []],
      ['updated', ['modified_at']],
    ],
  )
  match(rows[0]!.by, /^secret_key /)
})

test('an email address can be a customer id everywhere: in payments, paths and tokens; a part of it is not that customer', async () => {
  const shop = await openShop()
  const accepted = { setup_future_usage: 'on_session', customer_acceptance: { acceptance_type: 'offline' } }
  for (const customer_id of ['ada.lovelace+books@shop.example', 'crm:customers:4711', '.hidden~x|y=z']) {
    const path = `/customers/${encodeURIComponent(customer_id)}`
    equal((await make(shop, { customer_id, name: 'Ada' })).customer_id, customer_id)
    equal((await shop.post(path, { name: 'Ada Lovelace' })).body.name, 'Ada Lovelace')
    const paid = await shop.pay({ customer_id, ...accepted })
    const [saved] = (await shop.call('GET', `${path}/payment_methods`)).body.customer_payment_methods
    deepEqual([paid.status, paid.customer_id, saved.payment_method_id], ['succeeded', customer_id, paid.payment_method_id])
    const unpaid = await shop.create({ customer_id })
    const byToken = await http('GET', `${shop.url}/payments/${unpaid.payment_id}`, undefined, { authorization: unpaid.sdk_authorization })
    equal(byToken.body.customer_id, customer_id, byToken.text)
    const key = await shop.post('/ephemeral_keys', { customer_id })
    equal((await http('GET', shop.url + path, undefined, { 'api-key': key.body.secret })).body.customer_id, customer_id, key.text)
    equal((await shop.call('DELETE', path)).body.customer_deleted, true)
  }
  for (const customer_id of ['list', 'list_with_count', 'export', 'payment_methods']) {
    isRefused(await shop.post('/customers', { customer_id }), 400, 'IR_07', /customer_id/)
    isRefused(await shop.tryToPay({ customer_id }), 400, 'IR_07', /customer_id/)
    isRefused(await shop.tryToPay({ customer: { id: customer_id } }), 400, 'IR_07', /customer_id/)
  }
  for (const customer_id of ['a,b', 'a/b', '..', 'x'.repeat(65)]) equal((await shop.tryToPay({ customer_id })).status, 422)
})

test('customers are exported with the filters of their list, without deleted customers', async () => {
  const shop = await openShop()
  for (const customer of [
    { customer_id: 'ada', name: '=Ada', email: 'ada@shop.example', metadata: { since: '2020' } },
    { customer_id: 'kari', name: 'Kari', phone: '2025550143', phone_country_code: '+1' },
    { customer_id: 'gone' },
  ])
    equal((await shop.post('/customers', customer)).status, 200)
  equal((await shop.call('DELETE', '/customers/gone')).status, 200)
  await shop.wait('1 minute')
  const exported = async (query: string) => {
    const answer = await fetch(`${shop.url}/customers/export${query}`, { headers: { 'api-key': shop.api_key } })
    equal(answer.status, 200)
    return answer.text()
  }
  const csv = 'customer_id,name,metadata\r\nkari,Kari,\r\nada,\'=Ada,"{""since"":""2020""}"\r\n'
  equal(await exported('?columns=customer_id,name,metadata'), csv)
  const lines = (await exported('?format=jsonl&email=ada@shop.example')).trim().split('\n')
  deepEqual(
    lines.map(line => JSON.parse(line)),
    [(await shop.call('GET', '/customers/ada')).body],
  )
  isRefused(await shop.call('GET', '/customers/export?columns=colour'), 400, 'IR_06', /columns/)
  isRefused(await shop.call('GET', '/customers/export?limit=3'), 400, 'IR_06', /limit/)
})

test('a list of customers includes, on request, their saved payment methods and their last payment', async () => {
  const shop = await openShop()
  const customer_id = 'ada'
  equal((await shop.post('/customers', { customer_id })).status, 200)
  const saves = {
    customer_id,
    setup_future_usage: 'off_session',
    customer_acceptance: { acceptance_type: 'online', online: { ip_address: '203.0.113.7', user_agent: 'Mozilla/5.0' } },
  }
  await shop.pay({ ...saves, amount: 1000 })
  const { payment_id, created } = await shop.pay({ ...saves, amount: 2000, currency: 'EUR', card: '5555555555554444' })
  await shop.post('/customers', { customer_id: 'kari' })
  await shop.wait('1 minute')
  const listed = async (query: string): Promise<Body[]> => (await shop.call('GET', `/customers/list_with_count${query}`)).body.data
  const by = Object.fromEntries((await listed('?expand_activity=true')).map(one => [one.customer_id, one.activity]))
  deepEqual(by, {
    ada: { payment_methods: 2, last_payment: { payment_id, status: 'succeeded', amount: 2000, currency: 'EUR', created } },
    kari: { payment_methods: 0, last_payment: null },
  })
  equal((await listed(''))[0]!.activity, undefined)
})
