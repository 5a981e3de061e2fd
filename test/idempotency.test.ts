import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../src/http/endpoints.ts'
import { examples } from './examples.ts'
import { openPlatform } from './platform.ts'
import { isRefused } from './refused.ts'
import { ADMIN_KEY, type Answer, type Body, card, cards, http, openPlace, openShop, type Shop } from './shop.ts'

/** One key, one answer: a request that a shop sends twice because it received no answer is carried out once. */

/** Called when an answer is about to be stored. */
let keeping: (() => Promise<void>) | null = null
await openPlace({}, context => ({
  ...context,
  async query(statement, values) {
    if (statement.name === 'keep_answer') await keeping?.()
    return context.query(statement, values)
  },
}))

const key = (name: string) => ({ 'idempotency-key': name })

/** Verifies that the second answer is the first one byte for byte, and is marked as a replay. */
function isReplay(again: Answer, first: Answer): void {
  equal(first.headers['idempotent-replayed'], undefined)
  deepEqual([again.status, again.text, again.headers['idempotent-replayed']], [first.status, first.text, 'true'])
  equal(again.headers['content-type'], first.headers['content-type'])
}

/** Every call that a merchant's server may repeat: its path and a valid body. */
const calls: Record<string, (shop: Shop) => Promise<{ path: string; body: Body }>> = {
  create: async shop => ({ path: '/payments', body: shop.payBody({ confirm: false }) }),
  'create and confirm': async shop => ({ path: '/payments', body: shop.payBody({}) }),
  'create, declined': async shop => ({ path: '/payments', body: shop.payBody({ card: cards.declines }) }),
  'create, unanswered': async shop => ({ path: '/payments', body: shop.payBody({ card: cards.chargesAndResets }) }),
  confirm: async shop => ({
    path: `/payments/${(await shop.create()).payment_id}/confirm`,
    body: { return_url: 'https://shop.example/a' },
  }),
  capture: async shop => ({ path: `/payments/${(await shop.hold()).payment_id}/capture`, body: { amount_to_capture: 500 } }),
  cancel: async shop => ({ path: `/payments/${(await shop.hold()).payment_id}/cancel`, body: { cancellation_reason: 'a' } }),
  refund: async shop => ({ path: '/refunds', body: { payment_id: (await shop.pay()).payment_id, amount: 500 } }),
}

for (const [name, prepare] of Object.entries(calls)) {
  test(`${name}: the same key returns the same response byte for byte, and money moves once`, async () => {
    const shop = await openShop()
    const { path, body } = await prepare(shop)
    const first = await shop.post(path, body, key('k1'))
    equal(first.status, 200, first.text)
    const operations = await shop.processor.operations()
    for (let i = 0; i < 3; i++) isReplay(await shop.post(path, body, key('k1')), first)
    isReplay(await shop.post(path, Object.fromEntries(Object.entries(body).reverse()), key('k1')), first)
    await shop.wait('2 minutes')
    isReplay(await shop.post(path, body, key('k1')), first)
    deepEqual(
      (await shop.processor.operations()).map(operation => [operation.id, operation.sends]),
      operations.map(operation => [operation.id, operation.sends]),
    )
    isRefused(await shop.post(path, { ...body, metadata: { other: 'body' } }, key('k1')), 422, 'IR_06')
    isRefused(await shop.post(`/payments/pay_${'0'.repeat(26)}/cancel`, {}, key('k1')), 422, 'IR_06')
    equal((await shop.processor.operations()).length, operations.length)
  })
}

test('an account and an API key are created once per idempotency key, and a replay shows the API key again', async () => {
  const shop = await openShop()
  const admin = (path: string, body: Body, name: string) => http('POST', shop.url + path, body, { 'api-key': ADMIN_KEY, ...key(name) })
  const merchant = { merchant_id: `${shop.merchant_id}_twice` }
  const account = await admin('/accounts', merchant, 'admin-1')
  isReplay(await admin('/accounts', merchant, 'admin-1'), account)
  isRefused(await admin('/accounts', merchant, 'admin-3'), 400, 'HE_01')
  const path = `/api_keys/${shop.merchant_id}`
  const ask = { name: 'till', expiration: 'never' }
  const first = await admin(path, ask, 'admin-2')
  isReplay(await admin(path, ask, 'admin-2'), first)
  equal((await shop.query('select count(*)::int as n from api_keys where merchant_id = $1', [shop.merchant_id]))[0].n, 2)
  const rows = await shop.query("select encode(answer, 'escape') as answer from idempotency_keys where key = 'admin-2'")
  equal(rows.length, 1)
  ok(!JSON.stringify(rows).includes(first.body.api_key), 'what is kept is sealed')
  isRefused(await admin(path, { ...ask, name: 'other' }, 'admin-2'), 422, 'IR_06')
})

test('a crash between creating an account or API key and storing the response creates no second one on retry', async () => {
  const shop = await openShop()
  const admin = (path: string, body: Body, name: string) => http('POST', shop.url + path, body, { 'api-key': ADMIN_KEY, ...key(name) })
  const merchant_id = `${shop.merchant_id}_twice`
  const connector = { connector_type: 'payment_processor', connector_name: 'phonypay', connector_label: 'second' }
  const credentials = { connector_account_details: { auth_type: 'HeaderKey', api_key: 'sandbox_second' } }
  const asks: [table: string, path: string, body: Body][] = [
    ['api_keys', `/api_keys/${shop.merchant_id}`, { name: 'till', expiration: 'never' }],
    ['connector_accounts', `/account/${shop.merchant_id}/connectors`, { ...connector, ...credentials }],
    ['merchants', '/accounts', { merchant_id }],
  ]
  for (const [table, path, body] of asks) {
    const count = async () =>
      (await shop.query(`select count(*)::int as n from ${table} where merchant_id in ($1, $2)`, [shop.merchant_id, merchant_id]))[0].n
    const before = await count()
    const name = `${table}-${shop.merchant_id}`
    keeping = () => Promise.reject(new Error('the process dies here'))
    equal((await admin(path, body, name)).status, 500)
    keeping = null
    const again = await admin(path, body, name)
    deepEqual([again.status, again.headers['idempotent-replayed']], [200, 'true'], `${table}: ${again.text}`)
    await shop.wait('31 seconds')
    const later = await admin(path, body, name)
    deepEqual([later.text, later.headers['idempotent-replayed']], [again.text, 'true'])
    equal(await count(), before + 1, table)
    isRefused(await admin(path, { ...body, metadata: {} }, name), table === 'api_keys' ? 400 : 422, 'IR_06')
    if (table === 'api_keys')
      equal(
        (await http('POST', `${shop.url}/payments`, shop.payBody({}), { 'api-key': later.body.api_key })).status,
        200,
        'the key that is shown is the key that was made',
      )
  }
})

test('a refused account creation is refused again on retry, and never returns the account that another key created', async () => {
  const shop = await openShop()
  const merchant_id = `${shop.merchant_id}_taken`
  const make = (name: string) => http('POST', `${shop.url}/accounts`, { merchant_id }, { 'api-key': ADMIN_KEY, ...key(name) })
  const first = await make(`${merchant_id}-1`)
  equal(first.status, 200)
  for (let i = 0; i < 3; i++) isRefused(await make(`${merchant_id}-2`), 400, 'HE_01')
  isReplay(await make(`${merchant_id}-1`), first)
})

test('a refused request is not stored: a retry with the same idempotency key succeeds once it is possible', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.create({ capture_method: 'manual' })
  const capture = () => shop.post(`/payments/${payment_id}/capture`, {}, key('later'))
  isRefused(await capture(), 400, 'IR_14')
  isRefused(await capture(), 400, 'IR_14')
  await shop.confirm(payment_id)
  const done = await capture()
  equal(done.body.status, 'succeeded')
  isReplay(await capture(), done)
  const { payment_id: sold } = await shop.pay({ amount: 1000 })
  const refund = (amount: number) =>
    shop.refund(sold, amount).then(() => shop.post('/refunds', { payment_id: sold, amount: 800 }, key('refund')))
  isRefused(await refund(300), 400, 'IR_13')
  equal(
    (await shop.query('select count(*)::int as n from idempotency_keys where merchant_id = $1 and status is null', [shop.merchant_id]))[0]
      .n,
    0,
  )
  const bad = shop.payBody({ amount: -1 })
  isRefused(await shop.post('/payments', bad, key('typo')), 400, 'IR_06')
  equal((await shop.post('/payments', shop.payBody({}), key('typo'))).status, 200, 'a body that was mistyped may be mended under its key')
})

test('a second request during the first gets a 409 with Retry-After, and later the same response', async () => {
  const shop = await openShop()
  const body = shop.payBody({})
  await shop.processor.fault('authorize', 'latency', { ms: 14_000 })
  const first = shop.post('/payments', body, key('slow'))
  const early = await untilClaimed(shop, body)
  isRefused(early, 409, 'HE_00')
  equal(early.headers['retry-after'], '1')
  isRefused(await shop.post('/payments', { ...body, amount: 1 }, key('slow')), 422, 'IR_06')
  await shop.processor.advance(14)
  const answered = await first
  isReplay(await shop.post('/payments', body, key('slow')), answered)
  equal((await shop.processor.charges()).length, 1)
})

test('concurrent requests with one idempotency key make one charge, and each gets its response or a 409', async () => {
  const shop = await openShop()
  const body = shop.payBody({})
  const answers = await Promise.all(Array.from({ length: 12 }, () => shop.post('/payments', body, key('burst'))))
  const given = answers.filter(answer => answer.status === 200)
  ok(given.length >= 1)
  for (const answer of answers) if (answer.status !== 200) isRefused(answer, 409, 'HE_00')
  equal(new Set(given.map(answer => answer.text)).size, 1)
  equal((await shop.processor.charges()).length, 1)
  const { payment_id } = await shop.pay({ amount: 1000 })
  const refunds = await Promise.all(Array.from({ length: 8 }, () => shop.post('/refunds', { payment_id, amount: 100 }, key('burst-2'))))
  equal(new Set(refunds.filter(answer => answer.status === 200).map(answer => answer.text)).size, 1)
  equal((await shop.get(payment_id)).state_metadata.total_refunded_amount, 100)
})

test('a retry may have another security code, or none, because it is never stored; the card must be the same', async () => {
  const shop = await openShop()
  const body = shop.payBody({})
  const withCard = (change: Body): Body => ({ ...body, payment_method_data: { card: { ...card().card, ...change } } })
  const first = await shop.post('/payments', body, key('cvc'))
  isReplay(await shop.post('/payments', withCard({ card_cvc: '999' }), key('cvc')), first)
  isReplay(await shop.post('/payments', withCard({ card_cvc: undefined }), key('cvc')), first)
  isRefused(await shop.post('/payments', withCard({ card_number: '4111111111111111' }), key('cvc')), 422, 'IR_06')
  isRefused(await shop.post('/payments', withCard({ card_exp_year: '2041' }), key('cvc')), 422, 'IR_06')
})

test('an idempotency key belongs to one merchant: the same key of another merchant is a different key', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const body = shop.payBody({})
  const mine = await shop.post('/payments', body, key('same'))
  const otherAnswer = await other.post('/payments', body, key('same'))
  deepEqual([mine.status, otherAnswer.status, otherAnswer.headers['idempotent-replayed']], [200, 200, undefined])
  const payment = await shop.create()
  const path = `${shop.url}/payments/${payment.payment_id}/confirm`
  const client = { client_secret: payment.client_secret }
  const confirmed = await http('POST', path, client, { 'api-key': shop.publishable_key, ...key('browser') })
  equal(confirmed.status, 200, confirmed.text)
  isReplay(await http('POST', path, client, { 'api-key': shop.publishable_key, ...key('browser') }), confirmed)
})

test('the same idempotency key from a browser and from the merchant server is two different keys', async () => {
  const shop = await openShop()
  const { payment_id, client_secret } = await shop.create()
  const path = `/payments/${payment_id}/confirm`
  const browser = () => http('POST', shop.url + path, { client_secret }, { 'api-key': shop.publishable_key, ...key('order-1') })
  const confirmed = await browser()
  equal(confirmed.body.status, 'succeeded')
  isRefused(await shop.post(path, {}, key('order-1')), 400, 'IR_16', /succeeded/)
  equal((await shop.post('/payments', shop.payBody({}), key('order-1'))).status, 200)
  isReplay(await browser(), confirmed)
  const second = await shop.create()
  const other = { client_secret: second.client_secret }
  const later = await http('POST', `${shop.url}/payments/${second.payment_id}/confirm`, other, {
    'api-key': shop.publishable_key,
    ...key('order-1'),
  })
  deepEqual([later.body.status, later.headers['idempotent-replayed']], ['succeeded', undefined], 'nor do two shoppers share one')
})

test('a replay requires valid credentials: a wrong, foreign or expired client_secret gets no stored response', async () => {
  const shop = await openShop()
  const payment = await shop.create()
  const confirm = (client_secret: string, headers = {}) =>
    http(
      'POST',
      `${shop.url}/payments/${payment.payment_id}/confirm`,
      { client_secret },
      { 'api-key': shop.publishable_key, ...headers, ...key('order-1') },
    )
  const confirmed = await confirm(payment.client_secret)
  equal(confirmed.status, 200)
  const token = (secret: string) => ({
    authorization: Buffer.from(`publishable_key=${shop.publishable_key},client_secret=${secret}`).toString('base64'),
  })
  for (const wrong of [`${payment.client_secret}0`, 'x', (await shop.create()).client_secret]) {
    const answer = await confirm(wrong)
    isRefused(answer, 400, 'IR_09')
    ok(!answer.text.includes(payment.client_secret))
    isRefused(await confirm(payment.client_secret, token(wrong)), 400, 'IR_09')
  }
  isReplay(await confirm(payment.client_secret), confirmed)
  await shop.wait('16 minutes')
  isRefused(await confirm(payment.client_secret), 400, 'IR_08')
})

test('the first stored response wins if two requests with one key start nothing new, even if the status changes meanwhile', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ card: cards.refundsLater })
  const refund = { payment_id, amount: 500, refund_id: `ref_${'7'.repeat(26)}` }
  equal((await shop.post('/refunds', refund)).body.status, 'pending')
  const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  keeping = async () => {
    keeping = null
    reached.resolve()
    await goOn.promise
  }
  const slow = shop.post('/refunds', refund, key('again'))
  await reached.promise
  await shop.wait('2 minutes')
  const first = await shop.post('/refunds', refund, key('again'))
  equal(first.body.status, 'succeeded')
  goOn.resolve()
  isReplay(await slow, first)
  isReplay(await shop.post('/refunds', refund, key('again')), first)
})

test('an invalid idempotency key is refused before anything happens', async () => {
  const shop = await openShop()
  for (const name of ['x'.repeat(256), 'with space', 'ümlaut'.normalize('NFC')])
    isRefused(await shop.post('/payments', shop.payBody({}), key(Buffer.from(name).toString('latin1'))), 422, 'IR_05', /Idempotency-Key/)
  deepEqual(await shop.processor.operations(), [])
  equal((await shop.post('/payments', shop.payBody({}), key('x'.repeat(255)))).status, 200)
})

test('an idempotency key under which no money moved is deleted after 90 days, and not before', async () => {
  const shop = await openShop()
  const admin = (name: string) =>
    http(
      'POST',
      `${shop.url}/api_keys/${shop.merchant_id}`,
      { name, expiration: 'never' },
      { 'api-key': ADMIN_KEY, ...key(shop.merchant_id) },
    )
  const first = await admin('till')
  equal(first.status, 200)
  await shop.wait('89 days')
  isReplay(await admin('till'), first)
  await shop.wait('2 days')
  const later = await admin('till')
  deepEqual([later.status, later.headers['idempotent-replayed']], [200, undefined])
})

test('a response about money is kept for good: a year later the same key returns it', async () => {
  const shop = await openShop()
  const body = shop.payBody({})
  const first = await shop.post('/payments', body, key('old'))
  await shop.wait('366 days')
  isReplay(await shop.post('/payments', body, key('old')), first)
  equal((await shop.processor.charges()).length, 1)
})

/** Gives the second request's answer, once the first has begun. */
async function untilClaimed(shop: Shop, body: Body): Promise<Answer> {
  while ((await shop.query("select 1 from idempotency_keys where merchant_id = $1 and key = 'slow'", [shop.merchant_id])).length === 0);
  return shop.post('/payments', body, key('slow'))
}

test('an idempotency key of a platform is separate for each connected account, and from the account’s own keys', async () => {
  const [shop, platform] = [await openShop(), await openPlatform()]
  const [mine, sister] = [await platform.connect(), await platform.connect()]
  const pay = (connected: string) => platform.post('/payments', shop.payBody({}), connected, key('order-1'))
  const [first, other] = [await pay(mine.merchant_id), await pay(sister.merchant_id)]
  isReplay(await pay(mine.merchant_id), first)
  isReplay(await pay(sister.merchant_id), other)
  const own = await http('POST', `${shop.url}/payments`, shop.payBody({}), { 'api-key': mine.api_key, ...key('order-1') })
  equal(new Set([first, other, own].map(({ body }) => body.payment_id)).size, 3)
  deepEqual(
    [first, other, own].map(({ body }) => body.processor_merchant_id),
    [mine.merchant_id, sister.merchant_id, mine.merchant_id],
  )
})

test('an operation that only reads stores nothing under a key, and answers anew each time', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  const reads: [path: string, body: Body][] = [
    ['/payments/list', {}],
    ['/payments/filter', { start_time: '2026-01-01T00:00:00.000Z' }],
    ['/payments/sync', { payment_id }],
    ['/refunds/list', {}],
    ['/events/profile/list', {}],
    ['/analytics/series', examples.analyticsSeries!.value],
  ]
  for (const [path, body] of reads) {
    const answer = await shop.post(path, body, key('read'))
    deepEqual([answer.status, answer.headers['idempotent-replayed']], [200, undefined], `${path} ${answer.text}`)
  }
  const before = (await shop.post('/payments/list', {}, key('read'))).body.total_count
  await shop.pay()
  equal((await shop.post('/payments/list', {}, key('read'))).body.total_count, before + 1)
  deepEqual(await shop.query("select key from idempotency_keys where merchant_id = $1 and key = 'read'", [shop.merchant_id]), [])
})

test('operations that only read are those that name a search, a filter, a question, a preview or a calculation', () => {
  deepEqual(
    endpoints
      .filter(({ reads }) => reads)
      .map(({ method, name }) => `${method} ${name}`)
      .sort(),
    [
      ...['analyticsBreakdown', 'analyticsSeries', 'evaluateRouting', 'evaluateRule'],
      ...[
        'filterPayments',
        'filterPaymentsOfProfile',
        'filterPayouts',
        'filterPayoutsOfProfile',
        'filterRefunds',
        'filterRefundsOfProfile',
      ],
      ...['previewSettlementFile', 'retrieveGsmRule', 'searchDisputes', 'searchDisputesOfProfile', 'searchEvents', 'searchOwnEvents'],
      'searchPayments',
      ...['searchPaymentsOfProfile', 'searchPayouts', 'searchPayoutsOfProfile', 'searchRefunds', 'searchRefundsOfProfile'],
      ...['simulateRouting', 'syncPayment', 'syncRefund', 'verifyCredentials'],
    ].map(name => `POST ${name}`),
  )
})
