import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { areTheSame, isRefused } from '../../test/refused.ts'
import { choice, priority, split } from '../../test/routes.ts'
import { type Body, cards, http, openShop } from '../../test/shop.ts'
import { activate, addAccount, attemptsOf, openTwoAccounts } from '../../test/two-accounts.ts'

const make = (shop: { post: (path: string, body: unknown) => Promise<Body>; profile_id: string }, more: Body = {}) =>
  shop.post('/routing', {
    name: 'rules',
    description: 'd',
    profile_id: shop.profile_id,
    algorithm: { type: 'single', data: 'phonypay' },
    ...more,
  })

test('a routing algorithm is created, retrieved, listed, activated and deactivated', async () => {
  const shop = await openTwoAccounts()
  const algorithm = { type: 'single', data: choice(shop.second) }
  const made = (await make(shop, { algorithm })).body
  match(made.id, /^routing_[0-9A-Za-z]{20}$/)
  deepEqual([made.name, made.kind, made.profile_id, made.algorithm_for], ['rules', 'single', shop.profile_id, 'payment'])
  deepEqual((await shop.call('GET', `/routing/${made.id}`)).body.algorithm, algorithm)
  const { id } = (await make(shop, { name: 'later', algorithm: priority(shop.first) })).body
  const listed = async (query = '') => (await shop.call('GET', `/routing${query}`)).body.map((one: Body) => one.id)
  deepEqual(await listed(), [id, made.id], 'the latest first')
  deepEqual([await listed('?limit=1'), await listed(`?offset=1&profile_id=${shop.profile_id}`)], [[id], [made.id]])
  const active = async () => (await shop.call('GET', `/routing/active?profile_id=${shop.profile_id}`)).body.map((one: Body) => one.id)
  deepEqual(await active(), [])
  equal((await shop.pay()).merchant_connector_id, shop.first)
  equal((await shop.post(`/routing/${made.id}/activate`, {})).body.id, made.id)
  deepEqual(await active(), [made.id])
  equal((await shop.pay()).merchant_connector_id, shop.second, 'at once')
  isRefused(await shop.post(`/routing/${made.id}/activate`, {}), 400, 'IR_16', /already active/)
  equal((await shop.post('/routing/deactivate', { profile_id: shop.profile_id })).body.id, made.id)
  isRefused(await shop.post('/routing/deactivate', { profile_id: shop.profile_id }), 400, 'IR_16', /no active routing algorithm/)
  equal((await shop.pay()).merchant_connector_id, shop.first)
})

test('routing keys are listed with their possible values, and a rule with each listed key is accepted', async () => {
  const shop = await openTwoAccounts()
  const { body } = await shop.call('GET', '/routing/keys')
  equal(body.size, body.data.length)
  const named = (name: string): Body => body.data.find((one: Body) => one.name === name)
  deepEqual([named('amount').is, named('amount').values, named('card_bin').expected], ['number', null, '6 digits'])
  deepEqual(named('card_type').values, ['credit', 'debit'])
  const someValue = ({ is, values, expected }: Body) =>
    is === 'number'
      ? 5
      : is === 'metadata'
        ? { key: 'tier', value: 'gold' }
        : (values?.[0] ?? '4'.repeat(Number.parseInt(expected, 10) || 3))
  const condition = body.data.map((one: Body) => ({
    lhs: one.name,
    comparison: 'equal',
    value: { type: one.value_types[0], value: someValue(one) },
  }))
  const rules = [{ name: 'all of them', connectorSelection: priority(shop.second), statements: [{ condition }] }]
  const algorithm = { type: 'advanced', data: { defaultSelection: priority(shop.first), rules, metadata: {} } }
  equal((await make(shop, { algorithm })).status, 200)
  isRefused(await shop.call('GET', '/routing/keys?of=payout'), 400, 'IR_06', /of/)
  isRefused(await http('GET', `${shop.url}/routing/keys`), 401, 'IR_01')
})

test('activating and deactivating an algorithm is recorded in the history of the profile, with the key that did it', async () => {
  const shop = await openTwoAccounts()
  await activate(shop, priority(shop.second))
  await shop.post('/routing/deactivate', { profile_id: shop.profile_id })
  const rows = await shop.query("select type, by from changes where merchant_id = $1 and kind = 'profile_routing' order by version", [
    shop.merchant_id,
  ])
  deepEqual(
    rows.map(({ type, by }) => [type, by.split(' ')[0]]),
    [
      ['activated', 'secret_key'],
      ['deactivated', 'secret_key'],
    ],
  )
})

test('an invalid routing algorithm is refused, and the error names the field or account', async () => {
  const shop = await openTwoAccounts()
  await addAccount(shop, { connector_label: 'off', disabled: true, merchant_connector_id: 'mca_off' }, 'sandbox_off')
  for (const member of ['name', 'description', 'algorithm', 'profile_id'])
    isRefused(await make(shop, { [member]: null }), 400, 'IR_04', new RegExp(member))
  isRefused(await make(shop, { name: 'x'.repeat(65) }), 422, 'IR_06', /name/)
  isRefused(await make(shop, { profile_id: 'pro_x' }), 404, 'HE_02')
  isRefused(await make(shop, { transaction_type: 'payout' }), 422, 'IR_06', /has no account/)
  isRefused(await make(shop, { algorithm: priority() }), 400, 'IR_06', /algorithm.data/)
  isRefused(await make(shop, { algorithm: { type: 'single', data: 'nopay' } }), 422, 'IR_06', /nopay/)
  isRefused(await make(shop, { algorithm: split(['mca_off', 1]) }), 422, 'IR_06', /algorithm.data\[0\].connector: mca_off/)
  isRefused(
    await make(shop, { algorithm: { type: 'single', data: { connector: 'elsewhere', merchant_connector_id: shop.first } } }),
    422,
    'IR_06',
  )
})

test('a routing algorithm of another merchant gets the same 404 as one that does not exist', async () => {
  const [shop, other] = [await openTwoAccounts(), await openTwoAccounts()]
  const { id } = (await make(other)).body
  const missing = `routing_${'0'.repeat(20)}`
  for (const ask of [
    (which: string) => shop.call('GET', `/routing/${which}`),
    (which: string) => shop.post(`/routing/${which}/activate`, {}),
    (which: string) => shop.post('/routing/evaluate', { amount: 1, currency: 'USD', algorithm_id: which }),
    (which: string) => shop.post('/routing/simulate', { start_time: '2026-01-01T00:00:00Z', algorithm_id: which }),
    (which: string) =>
      shop.call(
        'PATCH',
        `/account/${shop.merchant_id}/business_profile/${shop.profile_id}/dynamic_routing/elimination/config/${which}`,
        {},
      ),
  ]) {
    isRefused(await ask(missing), 404, 'HE_02')
    areTheSame(await ask(id), await ask(missing))
  }
  for (const query of [`/routing?profile_id=${other.profile_id}`, `/routing/active?profile_id=${other.profile_id}`])
    isRefused(await shop.call('GET', query), 404, 'HE_02')
  deepEqual((await shop.call('GET', '/routing')).body, [])
})

test('the same request with the same idempotency key creates one algorithm', async () => {
  const shop = await openTwoAccounts()
  const body = { name: 'r', description: 'd', profile_id: shop.profile_id, algorithm: priority(shop.second) }
  const [one, again] = [
    await shop.post('/routing', body, { 'idempotency-key': 'k' }),
    await shop.post('/routing', body, { 'idempotency-key': 'k' }),
  ]
  equal(again.text, one.text)
  equal((await shop.call('GET', '/routing')).body.length, 1)
})

test('the fallback order must contain each enabled connector account once, and payments are routed by it', async () => {
  const shop = await openTwoAccounts()
  const order = async () => (await shop.call('GET', '/routing/default')).body.map((one: Body) => one.merchant_connector_id)
  const set = (...ids: string[]) => shop.post('/routing/default', ids.map(choice))
  deepEqual(await order(), [shop.first, shop.second])
  isRefused(await set(shop.first), 400, 'IR_16', /2 enabled connector accounts/)
  isRefused(await set(shop.first, shop.first), 422, 'IR_06', /twice/)
  isRefused(await set(shop.first, 'mca_x'), 422, 'IR_06', /mca_x/)
  isRefused(
    await shop.post('/routing/default', [{ connector: 'phonypay' }, { connector: 'phonypay' }]),
    422,
    'IR_06',
    /merchant_connector_id/,
  )
  isRefused(await shop.post('/routing/default', { connector: 'phonypay' }), 400, 'IR_06', /array/)
  isRefused(await shop.post('/routing', []), 400, 'IR_06', /object/)
  equal((await set(shop.second, shop.first)).status, 200)
  deepEqual(await order(), [shop.second, shop.first])
  equal((await shop.pay()).merchant_connector_id, shop.second)
  const added = (await addAccount(shop, { connector_label: 'third' }, 'sandbox_third')).merchant_connector_id
  deepEqual(await order(), [shop.second, shop.first, added], 'whoever is added follows')
  const all = [added, shop.first, shop.second].map(choice)
  const ofProfile = await shop.post(`/routing/default/profile/${shop.profile_id}`, all)
  deepEqual(ofProfile.body, { profile_id: shop.profile_id, connectors: all })
  deepEqual((await shop.call('GET', '/routing/default/profile')).body, [ofProfile.body])
  isRefused(await shop.post('/routing/default/profile/pro_x', all), 404, 'HE_02')
  for (const path of ['/routing/default', '/routing/default/profile'])
    isRefused(await shop.call('GET', path, undefined, { 'x-profile-id': 'pro_x' }), 400, 'IR_16', /X-Profile-Id/)
})

test('each attempt records its routing decision: algorithm, rule, ranked accounts, and accounts left out with reasons', async () => {
  const shop = await openTwoAccounts()
  const euros = { type: 'enable_only', list: ['EUR'] }
  const enabled = [{ payment_method: 'card', payment_method_types: [{ payment_method_type: 'credit', accepted_currencies: euros }] }]
  const third = (await addAccount(shop, { connector_label: 'euros', payment_methods_enabled: enabled }, 'sandbox_euros'))
    .merchant_connector_id
  const large = { lhs: 'amount', comparison: 'greater_than', value: { type: 'number', value: 5000 } }
  const rules = [{ name: 'large', connectorSelection: priority(third, shop.second), statements: [{ condition: [large] }] }]
  const id = await activate(shop, { type: 'advanced', data: { defaultSelection: priority(shop.first), rules, metadata: {} } })
  const [routed] = await attemptsOf(shop, (await shop.pay({ amount: 6000 })).payment_id)
  const sound = { contract: null, success_rate: null, payments: 0, breaker: 'closed' }
  deepEqual(routed.routing, {
    approach: 'algorithm',
    algorithm_id: id,
    rule: 'large',
    ranked: false,
    explored: false,
    connectors: [
      { ...choice(shop.second), chosen: true, ...sound },
      { ...choice(shop.first), chosen: false, ...sound },
    ],
    left_out: [{ ...choice(third), reason: 'accepted_currencies' }],
  })
  equal((await shop.pay({ amount: 6000, currency: 'EUR' })).merchant_connector_id, third)
  const [small] = await attemptsOf(shop, (await shop.pay({ amount: 100 })).payment_id)
  deepEqual([small.routing.rule, small.routing.connectors[0].merchant_connector_id], [null, shop.first])
})

test('routing in the payment request overrides the active algorithm; unknown accounts are refused, ineligible ones skipped', async () => {
  const shop = await openTwoAccounts()
  const third = (
    await addAccount(shop, { connector_label: 'wallets', payment_methods_enabled: [{ payment_method: 'wallet' }] }, 'sandbox_w')
  ).merchant_connector_id
  await activate(shop, priority(shop.first))
  const paid = await shop.pay({ routing: { type: 'single', data: choice(shop.second) } })
  equal(paid.merchant_connector_id, shop.second)
  equal((await attemptsOf(shop, paid.payment_id))[0].routing.approach, 'request')
  equal((await shop.pay({ routing: { algorithm: priority(third, shop.second) } })).merchant_connector_id, shop.second)
  equal((await shop.pay({ routing: { type: 'single', data: 'phonypay' } })).merchant_connector_id, shop.first)
  isRefused(await shop.tryToPay({ routing: 'phonypay' }), 422, 'IR_06', /routing/)
  isRefused(await shop.tryToPay({ routing: { type: 'single', data: 'nopay' } }), 422, 'IR_06', /nopay/)
  isRefused(await shop.tryToPay({ routing: priority('mca_x') }), 422, 'IR_06', /mca_x/)
  isRefused(await shop.tryToPay({ routing: { type: 'priority', data: [] } }), 422, 'IR_06', /routing.data/)
  const later = await shop.create()
  const confirmed = await shop.confirm(later.payment_id, { routing: priority(shop.second) })
  equal(confirmed.body.merchant_connector_id, shop.second)
  const browser = await shop.create()
  const byBrowser = await http(
    'POST',
    `${shop.url}/payments/${browser.payment_id}/confirm`,
    { client_secret: browser.client_secret, routing: priority(shop.second) },
    { 'api-key': shop.publishable_key },
  )
  isRefused(byBrowser, 403, 'IR_22', /routing/)
})

test('a retry after a decline follows the order of the original routing decision, and both attempts record it', async () => {
  const shop = await openTwoAccounts()
  await shop.profile({ is_auto_retries_enabled: true })
  const third = (await addAccount(shop, { connector_label: 'third' }, `sandbox_${shop.merchant_id}_third`)).merchant_connector_id
  await activate(shop, priority(shop.second, third))
  await shop.secondProcessor.fault('authorize', 'decline')
  const paid = await shop.pay()
  deepEqual([paid.status, paid.merchant_connector_id], ['succeeded', third])
  const attempts = await attemptsOf(shop, paid.payment_id)
  deepEqual(attempts[0].routing, attempts[1].routing)
  deepEqual(
    attempts[1].routing.connectors.map((one: Body) => one.merchant_connector_id),
    [shop.second, third, shop.first],
  )
})

test('captures and refunds go to the account that authorized the payment, even if another algorithm is active by then', async () => {
  const shop = await openTwoAccounts()
  await activate(shop, priority(shop.second))
  const hold = await shop.hold()
  await activate(shop, priority(shop.first))
  equal((await shop.capture(hold.payment_id)).body.status, 'succeeded')
  equal((await shop.refund(hold.payment_id, 200)).body.merchant_connector_id, shop.second)
  deepEqual([(await shop.processor.charges()).length, (await shop.secondProcessor.charges())[0]?.refunded], [0, 200])
})

test('evaluate returns the accounts in routing order, and the reason why each other account was left out', async () => {
  const shop = await openTwoAccounts()
  const enabled = [{ payment_method: 'card', payment_method_types: [{ payment_method_type: 'debit' }] }]
  const third = (await addAccount(shop, { connector_label: 'debit', payment_methods_enabled: enabled }, 'sandbox_d')).merchant_connector_id
  const visa = { lhs: 'card_network', comparison: 'equal', value: { type: 'enum_variant', value: 'Visa' } }
  const rules = [{ name: 'visa', connectorSelection: priority(shop.second), statements: [{ condition: [visa] }] }]
  const algorithm = { type: 'advanced', data: { defaultSelection: priority(shop.first), rules } }
  const ask = { amount: 1250, currency: 'USD', payment_method_type: 'credit' }
  const evaluate = async (more: Body) => (await shop.post('/routing/evaluate', { ...ask, ...more })).body
  const first = (one: Body) => one.connectors[0].merchant_connector_id
  const visaPays = await evaluate({ algorithm, card_network: 'Visa' })
  deepEqual([visaPays.rule, visaPays.algorithm_id, first(visaPays)], ['visa', 'unsaved', shop.second])
  deepEqual(visaPays.left_out, [
    { ...choice(third), reason: 'payment_method_type', message: `${third} is not enabled for payment_method_type credit` },
  ])
  equal(first(await evaluate({ algorithm, card_network: 'Mastercard' })), shop.first)
  equal(first(await evaluate({})), shop.first, 'nothing was activated by that')
  const id = await activate(shop, algorithm)
  deepEqual([(await evaluate({ card_network: 'Visa' })).algorithm_id, first(await evaluate({ card_network: 'Visa' }))], [id, shop.second])
  deepEqual((await evaluate({ payment_method: 'upi', payment_method_type: 'upi_qr', capture_method: 'manual' })).connectors, [])
  isRefused(await shop.post('/routing/evaluate', { amount: 1 }), 400, 'IR_04', /currency/)
  isRefused(await shop.post('/routing/evaluate', { ...ask, at: 'attempt' }), 422, 'IR_06', /at/)
  isRefused(await shop.post('/routing/evaluate', { ...ask, payment_id: 'pay_x' }), 404, 'HE_02')
})

test('evaluate with at=attempt gives the original routing decision of a payment, even after the algorithm changed', async () => {
  const shop = await openTwoAccounts()
  const old = await activate(shop, split([shop.first, 50], [shop.second, 50]))
  const payments = await Promise.all(Array.from({ length: 12 }, () => shop.pay()))
  await activate(shop, priority(shop.first))
  for (const { payment_id, merchant_connector_id } of payments) {
    const then = (await shop.post('/routing/evaluate', { payment_id, at: 'attempt' })).body
    deepEqual([then.algorithm_id, then.connectors[0].merchant_connector_id], [old, merchant_connector_id])
    deepEqual(then.connectors, then.attempt.connectors)
    const now = (await shop.post('/routing/evaluate', { payment_id })).body
    deepEqual([now.connectors[0].merchant_connector_id, now.attempt.algorithm_id], [shop.first, old])
  }
  equal(new Set(payments.map(one => one.merchant_connector_id)).size, 2, 'the split sent some to either')
  const { payment_id } = await shop.create()
  isRefused(await shop.post('/routing/evaluate', { payment_id, at: 'attempt' }), 400, 'IR_16', /authorized/)
  isRefused(await shop.post('/routing/evaluate', { payment_id, amount: 7 }), 422, 'IR_06', /amount/)
})

test('simulate replays a period: payments per account before and after, payments that move, and success rates per segment', async () => {
  const shop = await openTwoAccounts()
  for (let i = 0; i < 40; i++) await shop.pay({ card: i % 4 === 0 ? cards.declines : cards.approves })
  await shop.pay({ currency: 'EUR', routing: { type: 'single', data: choice(shop.second) } })
  await shop.create()
  const start_time = '2020-01-01T00:00:00Z'
  const { body } = await shop.post('/routing/simulate', { start_time, algorithm: priority(shop.second) })
  deepEqual([body.payments, body.complete, body.algorithm_id], [41, true, 'unsaved'], 'what was never sent is not counted')
  const of = (id: string) => body.connectors.find((one: Body) => one.merchant_connector_id === id)
  deepEqual(of(shop.first), {
    ...choice(shop.first),
    went: { payments: 40, amounts: [{ currency: 'USD', amount: 50_000 }] },
    would_go: { payments: 0, amounts: [] },
  })
  deepEqual(
    of(shop.second).would_go.amounts.toSorted((a: Body, b: Body) => a.amount - b.amount),
    [
      { currency: 'EUR', amount: 1250 },
      { currency: 'USD', amount: 50_000 },
    ],
  )
  deepEqual(body.elsewhere, [
    { from: choice(shop.first), to: choice(shop.second), payments: 40, amounts: [{ currency: 'USD', amount: 50_000 }] },
  ])
  deepEqual(
    body.cells.map((cell: Body) => [cell.card_network, cell.currency, cell.country, cell.connectors]),
    [
      ['Visa', 'USD', null, [{ ...choice(shop.first), payments: 40, succeeded: 30, success_rate: 75 }]],
      ['Visa', 'EUR', null, [{ ...choice(shop.second), payments: 1, succeeded: 1, success_rate: 'unknown' }]],
    ],
  )
  deepEqual(
    body.cells.map((cell: Body) => cell.moved),
    [[{ from: choice(shop.first), to: choice(shop.second), payments: 40 }], []],
    'of each cell it is said how many would go from where to where',
  )
  const nothing = (await shop.post('/routing/simulate', { start_time, end_time: '2020-01-02T00:00:00Z' })).body
  deepEqual([nothing.payments, nothing.connectors, nothing.cells, nothing.earliest], [0, [], [], null])
  isRefused(await shop.post('/routing/simulate', {}), 400, 'IR_04', /start_time/)
  isRefused(await shop.post('/routing/simulate', { start_time: '2026-02-01T00:00:00Z', end_time: '2026-01-01T00:00:00Z' }), 422, 'IR_06')
  isRefused(await shop.post('/routing/simulate', { start_time, algorithm: { type: 'single', data: 'nopay' } }), 422, 'IR_06', /nopay/)
})

test('activating an algorithm does not invalidate the cached settings of other merchants', async () => {
  const [shop, other] = [await openTwoAccounts(), await openShop()]
  await other.pay()
  const before = await shop.service.settings.merchant(other.merchant_id)
  await activate(shop, priority(shop.second))
  equal(await shop.service.settings.merchant(other.merchant_id), before)
})
