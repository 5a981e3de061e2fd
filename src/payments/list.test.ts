import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.ts'
import { succeed } from '../../test/merchant.ts'
import { isRefused } from '../../test/refused.ts'
import { type Body, cards, http, openShop, type Shop } from '../../test/shop.ts'
import { listedPayments } from './list.ts'

const list = async (shop: Shop, query = ''): Promise<Body[]> => (await succeed(shop.call('GET', `/payments/list${query}`))).data
const search = (shop: Shop, body: Body = {}): Promise<Body> => succeed(shop.post('/payments/list', body))
const ids = (payments: Body[]): string[] => payments.map(({ payment_id }) => payment_id)

/** Opens a shop with payments of many kinds, a second or more between them. */
async function busyShop() {
  const shop = await openShop()
  const asks: Body[] = [
    {},
    { currency: 'EUR', amount: 990 },
    { card: cards.declines, merchant_order_reference_id: 'order-7' },
    { confirm: false, customer_id: 'cus_ida' },
    { capture_method: 'manual', customer_id: 'cus_ida', merchant_order_reference_id: 'order-8' },
    { confirm: false, payment_method: undefined, payment_method_data: undefined, amount: 5000 },
    { authentication_type: 'three_ds', currency: 'EUR' },
    { customer_id: 'cus_per', amount: 990 },
    { merchant_order_reference_id: 'order-7', amount: 70_000 },
  ]
  const made: Body[] = []
  for (const ask of asks) {
    made.push((await shop.tryToPay(ask)).body)
    shop.clock.ahead += 1500
  }
  equal((await shop.cancel(made[3]!.payment_id)).status, 200)
  equal((await shop.refund(made[0]!.payment_id, 300)).status, 200)
  const all = await Promise.all(made.map(({ payment_id }) => shop.get(payment_id)))
  return { shop, all: all.reverse() }
}

test('a payment list shows the payments as they are retrieved, newest first, without delay', async () => {
  const { shop, all } = await busyShop()
  deepEqual(await list(shop), all)
  const found = await search(shop)
  deepEqual([found.count, found.total_count, found.data], [9, 9, all])
  const { payment_id } = await shop.create()
  deepEqual(ids(await list(shop, '?limit=1')), [payment_id])
  await shop.confirm(payment_id)
  deepEqual(ids((await search(shop, { status: ['succeeded'], limit: 1 })).data), [payment_id])
  deepEqual((await search(shop, { status: ['requires_confirmation'] })).data, [])
})

test('cursors page through a list forwards and backwards, without the payment at the cursor', async () => {
  const { shop, all } = await busyShop()
  const [first, second, third] = [all.slice(0, 4), all.slice(4, 8), all.slice(8)]
  deepEqual(await list(shop, '?limit=4'), first)
  deepEqual(await list(shop, `?limit=4&starting_after=${first[3]!.payment_id}`), second)
  deepEqual(await list(shop, `?limit=4&starting_after=${second[3]!.payment_id}`), third)
  deepEqual(await list(shop, `?limit=4&ending_before=${third[0]!.payment_id}`), second)
  deepEqual(await list(shop, `?limit=3&ending_before=${first[2]!.payment_id}`), first.slice(0, 2))
  deepEqual(await list(shop, '?limit=4&offset=4'), second)
  isRefused(await shop.call('GET', `/payments/list?starting_after=pay_${'0'.repeat(26)}`), 404, 'HE_02')
  isRefused(await shop.call('GET', `/payments/list?starting_after=a&ending_before=b`), 400, 'IR_16')
  for (const limit of [0, -1, 101]) isRefused(await shop.call('GET', `/payments/list?limit=${limit}`), 422, 'IR_06', /limit/)
  isRefused(await shop.call('GET', '/payments/list?colour=red'), 400, 'IR_06', /colour/)
})

test('paging skips and repeats no payment while payments are created and confirmed', async () => {
  const shop = await openShop()
  const there: string[] = []
  for (let i = 0; i < 12; i++) there.push((await shop.create()).payment_id)
  // Two payments may be created in one millisecond: then the id determines the order.
  there.sort()
  const seen: string[] = []
  for (let after = ''; ; ) {
    const [page] = await Promise.all([list(shop, `?limit=3${after}`), shop.create(), shop.confirm(there[seen.length % 12]!)])
    seen.push(...ids(page))
    if (page.length === 0) break
    after = `&starting_after=${seen.at(-1)}`
  }
  equal(new Set(seen).size, seen.length)
  deepEqual(seen.filter(id => there.includes(id)).toReversed(), there)
})

test('payments are found by the e-mail address that their customers have now, in lists, searches and exports', async () => {
  const shop = await openShop()
  const made: Body[] = []
  const asks = [
    { customer_id: 'cus_ada', email: 'Ada@example.com' },
    { customer_id: 'cus_twin', email: 'ada@example.com' },
    { customer_id: 'cus_eve', email: 'eve@example.com' },
    { email: 'ada@example.com' },
    { customer_id: 'cus_ada', currency: 'EUR' },
  ]
  for (const ask of asks) {
    made.push(await shop.pay(ask))
    shop.clock.ahead += 1500
  }
  const [ada, twin, eve, , euros] = ids(made)
  const found = async (query: string) => ids(await list(shop, `?customer_email=${query}`))
  deepEqual(await found('ADA@example.com'), [euros, twin, ada])
  deepEqual(await found('ada@example.com&currency=EUR'), [euros])
  deepEqual(await found('ada@example.com&customer_id=cus_twin'), [twin])
  deepEqual(await found('ada@example.com&customer_id=cus_eve'), [])
  deepEqual(await found('nobody@example.com'), [])
  const searched = await search(shop, { customer_email: 'ada@example.com', limit: 2 })
  deepEqual([ids(searched.data), searched.total_count], [[euros, twin], 3])
  const file = await shop.call('GET', '/payments/export?columns=payment_id&customer_email=eve@example.com')
  equal(file.text, `payment_id\r\n${eve}\r\n`)

  await succeed(shop.post('/customers/cus_twin', { email: 'new@example.com' }))
  equal((await shop.call('DELETE', '/customers/cus_eve')).status, 200)
  deepEqual(await found('ada@example.com'), [euros, ada])
  deepEqual(await found('new@example.com'), [twin])
  deepEqual(await found('eve@example.com'), [])
})

test('an e-mail filter for an address of over 1,000 customers is refused, and so is a metadata filter, with an alternative', async () => {
  const shop = await openShop()
  await shop.pay({ customer_id: 'cus_1', email: 'shop@example.com' })
  await shop.query(
    `insert into listings select (jsonb_populate_record(l, jsonb_build_object('object_id', 'cus_' || n))).*
      from listings l, generate_series(2, 1001) n where l.merchant_id = $1 and l.object_id = 'cus_1'`,
    [shop.merchant_id],
  )
  await shop.query(
    `insert into customers select (jsonb_populate_record(c, jsonb_build_object('customer_id', 'cus_' || n))).*
      from customers c, generate_series(2, 1001) n where c.merchant_id = $1 and c.customer_id = 'cus_1'`,
    [shop.merchant_id],
  )
  isRefused(await shop.call('GET', '/payments/list?customer_email=shop@example.com'), 422, 'IR_06', /customer_email.*customer_id/)
  for (const asked of ['metadata.order_id=7', 'metadata[order_id]=7', 'metadata=7'])
    isRefused(await shop.call('GET', `/payments/list?${asked}`), 400, 'IR_06', /merchant_order_reference_id/)
  isRefused(await shop.call('GET', '/payments/export?metadata.order_id=7'), 400, 'IR_06', /merchant_order_reference_id/)
  isRefused(await shop.post('/payments/list', { metadata: { order_id: '7' } }), 400, 'IR_06', /merchant_order_reference_id/)
})

test('lists accept time bounds with a dot, with an underscore, and as a time range', async () => {
  const { shop, all } = await busyShop()
  const [from, to] = [all[6]!.created, all[2]!.created]
  deepEqual(await list(shop, `?created=${from}`), [all[6]])
  for (const dot of ['.', '_']) {
    deepEqual(await list(shop, `?created${dot}gte=${from}&created${dot}lte=${to}`), all.slice(2, 7))
    deepEqual(await list(shop, `?created${dot}gt=${from}&created${dot}lt=${to}`), all.slice(3, 6))
  }
  for (const range of [
    { start_time: from, end_time: to },
    { startTime: from, endTime: to },
    { time_range: { start_time: from, end_time: to } },
  ])
    deepEqual((await search(shop, range)).data, all.slice(2, 7))
  isRefused(await shop.call('GET', '/payments/list?created.lt=yesterday'), 422, 'IR_05', /created\.lt/)
  isRefused(await shop.post('/payments/list', { start_time: '9999-12-31T23:59:60Z' }), 422, 'IR_05', /start_time/)
})

/** The meaning of each filter, as a function of retrieved payments. */
const meaning: Record<string, (payment: Body) => unknown> = {
  status: p => p.status,
  currency: p => p.currency,
  connector: p => p.connector,
  payment_method: p => p.payment_method,
  authentication_type: p => p.authentication_type,
  merchant_connector_id: p => p.merchant_connector_id,
  card_network: p => p.payment_method_data?.card?.card_network ?? null,
  card_discovery: p => p.card_discovery,
  profile_id: p => p.profile_id,
  customer_id: p => p.customer_id,
  merchant_order_reference_id: p => p.merchant_order_reference_id,
  payment_id: p => p.payment_id,
}
const single = ['profile_id', 'customer_id', 'merchant_order_reference_id', 'payment_id']
const ordered: Record<string, (payment: Body) => string | number> = {
  created: p => p.created,
  amount: p => p.amount,
  modified: p => p.modified_at,
  attempt_count: p => p.attempt_count,
}

test('any combination of filters, predicates, bounds and order lists exactly the matching payments', async () => {
  const { shop, all } = await busyShop()
  const valuesOf = (name: string) => [...new Set(all.map(meaning[name]!))].filter(value => value !== null) as string[]
  const filter = fc
    .constantFrom(...Object.keys(meaning))
    .chain(name =>
      single.includes(name)
        ? fc.constantFrom(...valuesOf(name)).map((value): Body => ({ [name]: value }))
        : fc.subarray(valuesOf(name), { minLength: 1 }).map((values): Body => ({ [name]: values })),
    )
  const predicate = fc.constantFrom(...Object.keys(meaning)).chain(column =>
    fc.record({
      column: fc.constant(column),
      operator: fc.constantFrom(...(single.includes(column) && column !== 'profile_id' ? ['in'] : ['in', 'not_in'])),
      value: fc.subarray(valuesOf(column), { minLength: 1 }),
    }),
  )
  const bound = fc.record({
    column: fc.constantFrom('amount', 'created'),
    operator: fc.constantFrom('eq', 'lt', 'lte', 'gt', 'gte'),
    at: fc.nat({ max: all.length - 1 }),
  })
  const holds = (p: Body, { column, operator, value }: Body): boolean => {
    const its = column === 'amount' || column === 'created' ? p[column] : meaning[column]!(p)
    if (operator === 'in') return value.includes(its)
    if (operator === 'not_in') return !value.includes(its)
    const signs: Record<string, boolean> = { eq: its === value, lt: its < value, lte: its <= value, gt: its > value, gte: its >= value }
    return signs[operator]!
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(filter, { maxLength: 3 }),
      fc.array(predicate, { maxLength: 2 }),
      fc.array(bound, { maxLength: 2 }),
      fc.constantFrom(...Object.keys(ordered)),
      fc.constantFrom('asc', 'desc'),
      fc.nat({ max: 4 }),
      async (filters, predicates, bounds, on, by, offset) => {
        const asked: Body = Object.assign({}, ...filters)
        const all_ = [...predicates, ...bounds.map(({ column, operator, at }) => ({ column, operator, value: all[at]![column] }))]
        const { data, total_count } = await search(shop, { ...asked, column_predicates: all_, order: { on, by }, offset })
        const sign = by === 'asc' ? 1 : -1
        const compare = (a: Body, b: Body) => {
          const [x, y] = [
            [ordered[on]!(a), a.created],
            [ordered[on]!(b), b.created],
          ]
          return sign * (x[0]! < y[0]! ? -1 : x[0]! > y[0]! ? 1 : x[1] < y[1] ? -1 : 1)
        }
        const wanted = all
          .filter(p => Object.entries(asked).every(([name, values]) => [values].flat().includes(meaning[name]!(p))))
          .filter(p => all_.every(one => holds(p, one)))
          .sort(compare)
        equal(total_count, offset > 0 && wanted.length <= offset ? total_count : wanted.length)
        deepEqual(ids(data), ids(wanted.slice(offset)))
      },
    ),
    { numRuns: 120 },
  )
})

test('an amount filter finds the payments within its bounds', async () => {
  const { shop, all } = await busyShop()
  const within = async (amount_filter: Body) => (await search(shop, { amount_filter })).data
  deepEqual(
    await within({ start_amount: 990, end_amount: 990 }),
    all.filter(p => p.amount === 990),
  )
  deepEqual(
    await within({ start_amount: 2000 }),
    all.filter(p => p.amount >= 2000),
  )
  deepEqual(
    await within({ end_amount: 1000 }),
    all.filter(p => p.amount <= 1000),
  )
  deepEqual(
    await list(shop, '?start_amount=990&end_amount=990'),
    all.filter(p => p.amount === 990),
  )
})

test('an updated payment is found by its new reference, amount and customer, and not by its old reference', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.create({ merchant_order_reference_id: 'before' })
  await succeed(shop.post(`/payments/${payment_id}`, { amount: 777, merchant_order_reference_id: 'after', customer_id: 'cus_new' }))
  deepEqual(ids((await search(shop, { merchant_order_reference_id: 'before' })).data), [])
  for (const asked of [
    { merchant_order_reference_id: 'after' },
    { amount_filter: { start_amount: 777, end_amount: 777 } },
    { customer_id: 'cus_new' },
  ])
    deepEqual(ids((await search(shop, asked)).data), [payment_id])
})

test('an operator or value that a column does not support is refused with the allowed ones or the field name', async () => {
  const shop = await openShop()
  const refused = async (predicate: Body, names: RegExp) =>
    isRefused(await shop.post('/payments/list', { column_predicates: [predicate] }), 422, 'IR_06', names)
  await refused({ column: 'status', operator: 'gt', value: 'failed' }, /must be one of eq, ne, in, not_in, is_null, is_not_null for status/)
  await refused({ column: 'status', operator: 'eq', value: 'faild' }, /must be one of/)
  await refused({ column: 'status', operator: 'in', value: 'failed' }, /in takes a list/)
  await refused({ column: 'status', operator: 'eq', value: ['failed'] }, /eq takes one value/)
  await refused({ column: 'customer_id', operator: 'ne', value: 'x' }, /must be one of eq, in for customer_id/)
  await refused({ column: 'amount', operator: 'ne', value: 5 }, /must be one of eq, lt, lte, gt, gte for amount/)
  await refused({ column: 'amount', operator: 'eq', value: 'five' }, /must be an amount/)
  isRefused(await shop.post('/payments/list', { column_predicates: [{ column: 'amount', operator: 'eq' }] }), 400, 'IR_04', /value/)
  isRefused(
    await shop.post('/payments/list', { column_predicates: [{ column: 'colour', operator: 'eq', value: 1 }] }),
    400,
    'IR_06',
    /colour|column/,
  )
  isRefused(await shop.post('/payments/list', { limit: 21 }), 422, 'IR_06', /limit/)
  isRefused(await shop.post('/payments/list', { colour: 'red' }), 400, 'IR_06', /colour/)
  await refused({ column: 'connector', operator: 'is_null', value: 'x' }, /is_null takes no value/)
  const { payment_id } = await shop.create()
  const found = async (operator: string) => ids((await search(shop, { column_predicates: [{ column: 'connector', operator }] })).data)
  deepEqual([await found('is_null'), await found('is_not_null')], [[payment_id], []])
})

test('the filter endpoints return the values in use and all possible values, and the aggregate counts payments per status', async () => {
  const { shop, all } = await busyShop()
  const start_time = '2020-01-01T00:00:00.000Z'
  const found = await succeed(shop.post('/payments/filter', { start_time }))
  deepEqual([found.currency, found.connector, found.card_discovery], [['EUR', 'USD'], ['phonypay'], ['manual']])
  deepEqual(found.status, [...new Set(all.map(p => p.status))].sort())
  deepEqual((await succeed(shop.post('/payments/filter', { start_time: '2099-01-01T00:00:00.000Z' }))).status, [])
  const choices = await succeed(shop.call('GET', '/payments/v2/filter'))
  deepEqual(choices.connector, { phonypay: [{ connector_label: 'phonypay_default', merchant_connector_id: shop.merchant_connector_id }] })
  ok(choices.status.includes('expired') && choices.currency.includes('JPY'))
  const { status_with_count: counts } = await succeed(shop.call('GET', `/payments/aggregate?start_time=${start_time}`))
  for (const [status, n] of Object.entries(counts)) equal(n, all.filter(p => p.status === status).length, status)
  ok('expired' in counts)
})

test('the lists of a profile contain only its payments, and X-Profile-Id narrows every list', async () => {
  const shop = await openShop()
  const one = await shop.create()
  const path = `/account/${shop.merchant_id}/business_profile`
  const other = await succeed(shop.post(path, { profile_name: 'other' }))
  const two = await shop.create({ profile_id: other.profile_id })
  const start_time = '2020-01-01T00:00:00.000Z'
  for (const [profile_id, its] of [
    [one.profile_id, one],
    [other.profile_id, two],
  ]) {
    const headers = { 'x-profile-id': profile_id }
    for (const path of ['/payments/list', '/payments/profile/list']) {
      deepEqual(ids((await succeed(shop.call('GET', path, undefined, headers))).data), [its.payment_id])
      deepEqual(ids((await succeed(shop.post(path, {}, headers))).data), [its.payment_id])
    }
    deepEqual(ids((await search(shop, { profile_id })).data), [its.payment_id])
    const counted = await succeed(shop.call('GET', `/payments/profile/aggregate?start_time=${start_time}`, undefined, headers))
    equal(counted.status_with_count.requires_confirmation, 1)
    deepEqual((await succeed(shop.post('/payments/profile/filter', { start_time }, headers))).currency, ['USD'])
    const { connector } = await succeed(shop.call('GET', '/payments/v2/profile/filter', undefined, headers))
    deepEqual(Object.keys(connector), its === one ? ['phonypay'] : [])
  }
  equal((await list(shop)).length, 2)
  for (const path of [
    '/payments/profile/list',
    '/payments/profile/aggregate?start_time=2020-01-01T00:00:00Z',
    '/payments/v2/profile/filter',
  ])
    isRefused(await shop.call('GET', path), 400, 'IR_04', /profile_id/)
  for (const path of ['/payments/profile/list', '/payments/profile/filter'])
    isRefused(await shop.post(path, path.endsWith('list') ? {} : { start_time }), 400, 'IR_04', /profile_id/)
})

test('lists contain no payments of other merchants, and are refused to browsers', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const { payment_id, customer_id } = await other.create({ customer_id: 'cus_shared', merchant_order_reference_id: 'shared' })
  deepEqual(await list(shop), [])
  for (const asked of [
    { payment_id },
    { customer_id },
    { merchant_order_reference_id: 'shared' },
    { amount_filter: { start_amount: 1250, end_amount: 1250 } },
  ])
    deepEqual(await search(shop, asked), { count: 0, total_count: 0, data: [] })
  isRefused(await shop.call('GET', `/payments/list?starting_after=${payment_id}`), 404, 'HE_02')
  isRefused(await http('GET', `${shop.url}/payments/list`, undefined, { 'api-key': shop.publishable_key }), 403, 'IR_22')
})

test('payments are found by error code, unified code, authorization expiry, payment link and unknown state', async () => {
  const shop = await openShop()
  const other = await openShop()
  const declined: string[] = []
  for (let i = 0; i < 3; i++) {
    declined.unshift((await shop.tryToPay({ card: cards.declines, currency: i === 1 ? 'EUR' : 'USD' })).body.payment_id)
    shop.clock.ahead += 1500
  }
  const poor = (await shop.tryToPay({ card: cards.hasNoMoney })).body
  const { error_code, unified_code } = await shop.get(declined[0]!)
  await other.tryToPay({ card: cards.declines })
  deepEqual(ids(await list(shop, `?error_code=${error_code}`)), declined)
  deepEqual(ids(await list(shop, `?error_code=${error_code}&limit=1&offset=1`)), [declined[1]])
  deepEqual(ids(await list(shop, `?error_code=${error_code}&currency=EUR`)), [declined[1]])
  deepEqual(ids(await list(shop, `?error_code=${error_code}&starting_after=${declined[1]}`)), [declined[2]])
  deepEqual(ids(await list(shop, `?error_code=${error_code}&limit=1&ending_before=${declined[1]}`)), [declined[0]])
  deepEqual(ids(await list(shop, `?error_code=${error_code}&payment_id=${declined[2]}`)), [declined[2]])
  deepEqual(ids(await list(shop, `?error_code=${poor.error_code}`)), [poor.payment_id])
  deepEqual(ids(await list(shop, `?unified_code=${unified_code}`)), [poor.payment_id, ...declined])
  deepEqual(await list(shop, '?error_code=none_such'), [])
  const { text } = await shop.call('GET', `/payments/export?error_code=${error_code}&columns=payment_id`)
  deepEqual(text.trim().split('\r\n').slice(1), declined)

  const held = await shop.pay({ capture_method: 'manual' })
  const { capture_before } = await shop.get(held.payment_id)
  ok(capture_before)
  const before = (time: string) => list(shop, `?capture_before.lte=${encodeURIComponent(time)}`)
  deepEqual(ids(await before(capture_before)), [held.payment_id])
  deepEqual(await before(held.created), [])
  await shop.capture(held.payment_id)
  deepEqual(await before(capture_before), [])

  const linked = await shop.create({ payment_link: true, payment_method: undefined, payment_method_data: undefined })
  deepEqual(ids(await list(shop, '?payment_link=true')), [linked.payment_id])
  equal((await list(shop, '?payment_link=false')).length, 5)

  deepEqual(await list(shop, '?state=unknown'), [])
  const silent = (await shop.tryToPay({ card: cards.hangs })).body
  deepEqual(ids(await list(shop, '?state=unknown')), [silent.payment_id])
  deepEqual(ids((await search(shop, { state: 'unknown' })).data), [silent.payment_id])
  deepEqual(await list(other, '?state=unknown'), [])
  isRefused(await shop.call('GET', '/payments/list?state=open'), 400, 'IR_06', /state/)
  isRefused(await shop.call('GET', '/payments/list?capture_before.lte=soon'), 422, 'IR_05', /capture_before/)
  isRefused(await shop.post('/payments/list', { error_code }), 400, 'IR_06', /error_code/)
})

test('with every filter, the counts by status and the export are of the payments in the list, and of no others', async () => {
  const { shop, all } = await busyShop()
  const linked = await shop.create({ payment_link: true, payment_method: undefined, payment_method_data: undefined })
  const failed = all.find(payment => payment.status === 'failed')!
  const held = all.find(payment => payment.status === 'requires_capture')!
  const { capture_before } = await shop.get(held.payment_id)
  // Each filter of the list, with a value that some of these payments have and others have not.
  const queries: Record<string, string> = {
    ...{ payment_id: held.payment_id, profile_id: held.profile_id, status: 'succeeded,failed', currency: 'EUR', connector: 'phonypay' },
    ...{ merchant_connector_id: shop.merchant_connector_id, payment_method: 'card', payment_method_type: 'credit', card_network: 'Visa' },
    ...{ authentication_type: 'three_ds', card_discovery: 'manual', customer_id: 'cus_ida', state: 'unknown' },
    ...{ customer_email: 'nobody@example.com', merchant_order_reference_id: 'order-7', error_code: failed.error_code },
    ...{ unified_code: failed.unified_code, payment_link: 'true', 'capture_before.lte': capture_before, start_amount: '1000' },
  }
  const filters = Object.keys(listedPayments.filters)
  deepEqual(
    filters.filter(name => queries[name] === undefined),
    [],
    'a new filter belongs into this test',
  )
  const since = '2020-01-01T00:00:00Z'
  for (const [name, value] of Object.entries(queries)) {
    const query = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
    const there = await list(shop, `?limit=100&${query}`)
    const { status_with_count } = await succeed(shop.call('GET', `/payments/aggregate?start_time=${since}&${query}`))
    const expected = Object.fromEntries(
      Object.keys(status_with_count).map(status => [status, there.filter(payment => payment.status === status).length]),
    )
    deepEqual(status_with_count, expected, name)
    const { text } = await shop.call('GET', `/payments/export?format=jsonl&${query}`)
    deepEqual(
      ids(
        text
          .split('\n')
          .filter(Boolean)
          .map(line => JSON.parse(line)),
      ),
      ids(there),
      name,
    )
  }
  const count = async (query: string) =>
    (await succeed(shop.call('GET', `/payments/aggregate?start_time=${since}&${query}`))).status_with_count
  equal((await count('payment_link=true')).requires_payment_method, 1)
  equal((await count(`error_code=${failed.error_code}`)).failed, 1)
  equal((await count('payment_link=true&currency=EUR')).requires_payment_method, 0)
  deepEqual(ids(await list(shop, '?payment_link=true')), [linked.payment_id])
  isRefused(await shop.call('GET', `/payments/aggregate?start_time=${since}&colour=red`), 400, 'IR_06', /colour/)
  isRefused(await shop.call('GET', `/payments/aggregate?start_time=${since}&limit=10`), 400, 'IR_06', /limit/)
})
