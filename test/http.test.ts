import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { isRefused } from './refused.ts'
import { ADMIN_KEY, type Answer, type Body, card, cards, http, openPlace, openShop, type Shop } from './shop.ts'

const urlOf = async () => (await openPlace()).service.url

test('the health endpoint returns its exact text, and the ready endpoint reports that payments can be taken', async () => {
  const url = await urlOf()
  const health = await http('GET', `${url}/health`)
  deepEqual([health.status, health.text], [200, 'health is good'])
  match(String(health.headers['content-type']), /^text\/plain/)
  const ready = await http('GET', `${url}/health/ready`)
  const { clock_skew_ms, ...rest } = ready.body
  deepEqual([ready.status, rest], [200, { database: true, alarms: true, settings: true, files: true }])
  ok(Number.isInteger(clock_skew_ms))
  isRefused(await http('POST', `${url}/health`), 405, 'IR_03', /GET/)
  isRefused(await http('POST', `${url}/health/ready`), 405, 'IR_03', /GET/)
})

test('the feature matrix of connectors is readable without credentials', async () => {
  const url = await urlOf()
  const { status, body } = await http('GET', `${url}/feature_matrix`)
  deepEqual([status, body.connector_count], [200, body.connectors.length])
  const stripe = body.connectors.find((one: Body) => one.name === 'stripe')
  deepEqual([stripe.display_name, stripe.category, stripe.integration_status], ['Stripe', 'payment_gateway', 'live'])
  const credit = stripe.supported_payment_methods.find((one: Body) => one.payment_method_type === 'credit')
  deepEqual([credit.payment_method, credit.mandates, credit.refunds], ['card', 'supported', 'supported'])
  ok(credit.supported_capture_methods.includes('manual') && credit.supported_card_networks.includes('Visa'))
  deepEqual(stripe.supported_webhook_flows, ['payments', 'refunds', 'disputes', 'payouts'])
  isRefused(await http('POST', `${url}/feature_matrix`), 405, 'IR_03', /GET/)
})

test('an unknown path is a 404, and a method that is not supported is a 405', async () => {
  const url = await urlOf()
  for (const path of ['/payment', '/payments/a/b', '/v1/payments', '/payments/x/capture/y', '/.env', '/payments//capture/x/y/z'])
    isRefused(await http('GET', url + path), 404, 'IR_02')
  isRefused(await http('GET', `${url}/payments`), 405, 'IR_03', /POST/)
  isRefused(await http('PUT', `${url}/payments/pay_1`, {}), 405, 'IR_03', /GET/)
  isRefused(await http('DELETE', `${url}/refunds`), 405, 'IR_03', /POST/)
  isRefused(await http('PATCH', `${url}/accounts`, {}), 405, 'IR_03', /POST/)
  isRefused(await http('GET', `${url}/payments/x/capture`), 405, 'IR_03', /POST/)
  isRefused(await http('POST', `${url}/nowhere`, '{'), 404, 'IR_02')
})

test('a 405 lists the supported methods in Allow, and OPTIONS returns only that list', async () => {
  const url = await urlOf()
  const allowed: [string, string][] = [
    ['/payments', 'POST, OPTIONS'],
    ['/payments/pay_1', 'GET, HEAD, POST, OPTIONS'],
    ['/payments/pay_1/capture', 'POST, OPTIONS'],
    ['/account/shop/connectors', 'POST, GET, HEAD, OPTIONS'],
    ['/health', 'GET, HEAD, OPTIONS'],
    ['/openapi.json', 'GET, HEAD, OPTIONS'],
  ]
  for (const [path, allow] of allowed) {
    const refused = await http('PATCH', url + path, {})
    isRefused(refused, 405, 'IR_03')
    equal(refused.headers.allow, allow, path)
    const asked = await http('OPTIONS', `${url}${path}?a=b`)
    deepEqual([asked.status, asked.text, asked.headers.allow], [204, '', allow])
  }
  isRefused(await http('OPTIONS', `${url}/nowhere`), 404, 'IR_02')
})

test('a malformed path is refused with an error of this service, not of the framework', async () => {
  const shop = await openShop()
  for (const path of ['/payments/%', '/payments/%zz', '/payments/%ff%fe', `/payments/${'x'.repeat(3000)}`]) {
    const answer = await shop.call('GET', path)
    ok([400, 404].includes(answer.status), `${path.slice(0, 40)}: ${answer.status} ${answer.text.slice(0, 200)}`)
    ok(['IR_02', 'IR_06', 'HE_02'].includes(answer.body?.error?.code), answer.text)
  }
  for (const path of ['/payments/%00', '/payments/pay_1%00/capture', '/webhooks/%00/x', '/payments/redirect/%00/a/b'])
    isRefused(await shop.call(path.includes('capture') || path.includes('webhooks') ? 'POST' : 'GET', path, undefined), 404, 'IR_02')
  isRefused(await shop.call('GET', '/events?object_id=%00'), 400, 'IR_06', /object_id/)
})

// biome-ignore format: a table reads better in columns
const unreadable: [what: string, body: string | Buffer, headers?: Record<string, string>][] = [
  ['half a body',                '{"amount": 1250, "currency"'],
  ['a trailing comma',           '{"amount": 1250,}'],
  ['no JSON at all',             'amount=1250'],
  ['an array',                   '[{"amount": 1250}]'],
  ['a number',                   '1250'],
  ['null',                       'null'],
  ['NaN',                        '{"amount": NaN}'],
  ['bytes that are no UTF-8',    Buffer.from('{"currency":"U\xffD"}', 'latin1')],
  ['a form',                     'amount=1250', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['JSON that says it is text',  '{}', { 'content-type': 'text/plain' }],
  ['JSON that says nothing',     '{}', { 'content-type': '' }],
  ['half of a surrogate pair',   '{"amount": 1, "currency": "USD", "description": "\\ud800"}'],
  ['U+0000 in a name',           '{"amount": 1, "currency": "USD", "metadata": {"a\\u0000": 1}}'],
  ['__proto__',                  '{"amount": 1, "currency": "USD", "metadata": {"__proto__": {"a": 1}}}'],
  ['too many digits',            '{"amount": 1, "currency": "USD", "metadata": {"a": 0.12345678901234567}}'],
  ['too deep',                   `{"amount": 1, "currency": "USD", "metadata": ${'{"a":'.repeat(30)}1${'}'.repeat(30)}}`],
]

test('a body that cannot be parsed is a 400 with the error fields of both kinds of clients', async () => {
  const shop = await openShop()
  for (const [what, body, headers] of unreadable) {
    const answer = await http('POST', `${shop.url}/payments`, body, { 'api-key': shop.api_key, ...headers })
    equal(answer.status, 400, `${what}: ${answer.text}`)
    isRefused(answer, 400, 'IR_06')
    deepEqual([answer.body.error.type, answer.body.error.error_type], ['invalid_request', 'invalid_request'], what)
    match(String(answer.headers['content-type']), /^application\/json/)
  }
  const charset = await http('POST', `${shop.url}/payments`, '{"amount":1,"currency":"USD"}', {
    'api-key': shop.api_key,
    'content-type': 'application/json; charset=UTF-8',
  })
  equal(charset.status, 200)
})

test('headers that are too large are refused in the shape of every other error', async () => {
  const { url } = (await openPlace()).service
  const { port } = new URL(url)
  const response = await new Promise<string>((resolve, reject) => {
    let text = ''
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(`GET /health HTTP/1.1\r\nhost: a\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`),
    )
    socket.on('data', data => {
      text += data
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
  })
  match(response, /^HTTP\/1\.1 431 /)
  const { error } = JSON.parse(response.slice(response.indexOf('\r\n\r\n')))
  deepEqual([error.type, error.error_type, error.code], ['invalid_request', 'invalid_request', 'IR_06'])
})

test('a path that fits both a fixed word and an id means the word: other methods get a 405 with its methods in Allow', async () => {
  const shop = await openShop()
  for (const path of ['/accounts/list', `/api_keys/${shop.merchant_id}/list`])
    for (const method of ['PATCH', 'DELETE', 'POST']) {
      const answer = await http(method, shop.url + path, method === 'DELETE' ? undefined : {}, { 'api-key': ADMIN_KEY })
      isRefused(answer, 405, 'IR_03', /GET/)
      equal(answer.headers.allow, 'GET, HEAD, OPTIONS', `${method} ${path}`)
    }
})

test('an id of the wrong object type is a 404 that names the type', async () => {
  const shop = await openShop()
  isRefused(await shop.call('GET', `/payments/pyt_${'0'.repeat(26)}`), 404, 'HE_02', /is the id of a payout: send the id of a payment/)
  isRefused(await shop.call('GET', `/refunds/pay_${'0'.repeat(26)}`), 404, 'HE_02', /is the id of a payment: send the id of a refund/)
})

test('a JSON syntax error is reported by line and column, and nothing of the body is quoted', async () => {
  const shop = await openShop()
  const post = (body: string) => http('POST', `${shop.url}/payments`, body, { 'api-key': shop.api_key })
  const places: [body: string, words: RegExp][] = [
    ['{"amount": 1250,}', /there is a mistake at line 1, column 17$/m],
    ['{\n  "amount": 1250,\n  "currency": USD\n}', /there is a mistake at line 3, column 15$/m],
    [`{"note": "${'x'.repeat(300)}", "amount": +1}`, /there is a mistake at line 1, column 324$/m],
    ['{"amount": 1250, "currency": "US', /it ends too early, at line 1, column 33$/m],
    ['{"amount": 1250', /it ends too early, at line 1, column 16$/m],
    ['secret=4242', /there is a mistake at line 1, column 1$/m],
  ]
  for (const [body, pattern] of places) isRefused(await post(body), 400, 'IR_06', pattern)
})

test('a compressed body is refused with 415, and Accept-Encoding names what is accepted', async () => {
  const shop = await openShop()
  const body = gzipSync(JSON.stringify(shop.payBody()))
  for (const encoding of ['gzip', 'deflate', 'br', 'x-own']) {
    const answer = await http('POST', `${shop.url}/payments`, body, { 'api-key': shop.api_key, 'content-encoding': encoding })
    isRefused(answer, 415, 'IR_06', /compressed \(content-encoding\)/)
    equal(answer.headers['accept-encoding'], 'identity')
  }
  equal((await shop.tryToPay({}, { 'content-encoding': 'identity' })).body.status, 'succeeded')
  isRefused(await http('POST', `${shop.url}/payments`, body, { 'content-encoding': 'gzip' }), 401, 'IR_01')
})

test('a number that JSON cannot represent exactly is refused, not rounded', async () => {
  const shop = await openShop()
  const pay = (amount: string) =>
    http('POST', `${shop.url}/payments`, `{"amount": ${amount}, "currency": "USD"}`, { 'api-key': shop.api_key })
  for (const amount of ['9007199254740992', '9007199254740993', '1e300', '-9007199254740993'])
    isRefused(await pay(amount), 400, 'IR_16', /amount/)
  for (const amount of ['12.50', '0.1', '-1']) isRefused(await pay(amount), 400, 'IR_06', /amount/)
  equal((await pay('9007199254740991')).body.amount, 9007199254740991)
  equal((await pay('1.25e3')).body.amount, 1250, 'the same number')
})

test('a body of 256 kB is accepted, and one byte more is refused', async () => {
  const shop = await openShop()
  const body = (size: number) => `{"amount": 1250, "currency": "USD", "frm_metadata": {}${' '.repeat(size - 55)}}`
  equal(body(1000).length, 1000)
  const post = (size: number) => http('POST', `${shop.url}/payments`, body(size), { 'api-key': shop.api_key })
  equal((await post(256 * 1024)).status, 200)
  const large = await post(256 * 1024 + 1)
  isRefused(large, 400, 'IR_06', /262144/)
  equal(large.body.error.error_type, 'invalid_request')
})

test('an empty body counts as an empty request: missing required fields are named', async () => {
  const shop = await openShop()
  const empty = (path: string) => http('POST', shop.url + path, undefined, { 'api-key': shop.api_key })
  isRefused(await empty('/payments'), 400, 'IR_21', /amount, currency/)
  isRefused(await empty('/refunds'), 400, 'IR_06', /payment_id/)
  const { payment_id } = await shop.create({ capture_method: 'manual' })
  equal((await empty(`/payments/${payment_id}/confirm`)).body.status, 'requires_capture')
  equal((await empty(`/payments/${payment_id}/capture`)).body.status, 'succeeded')
  equal((await empty(`/payments/${(await shop.hold()).payment_id}/cancel`)).body.status, 'cancelled')
})

test('empty strings and null count as absent, except in metadata', async () => {
  const shop = await openShop()
  const { status, body, text } = await shop.post('/payments', {
    amount: 1250,
    currency: 'USD',
    customer_id: '',
    description: null,
    payment_method: '',
    payment_method_data: null,
    return_url: '',
    connector: null,
    billing: { address: { city: '', zip: null }, email: '' },
    metadata: { kept: '', also: null },
  })
  equal(status, 200, text)
  deepEqual([body.customer_id, body.description, body.return_url, body.payment_method], [null, null, null, null])
  deepEqual(body.billing, { address: {} })
  deepEqual(body.metadata, { kept: '', also: null })
  isRefused(await shop.post('/payments', { amount: null, currency: 'USD' }), 400, 'IR_04', /amount/)
  isRefused(await shop.post('/payments', { amount: 1, currency: '' }), 400, 'IR_04', /currency/)
  equal((await shop.call('GET', `/payments/${body.payment_id}?force_sync=&client_secret=`)).status, 200)
})

test('a field without a value is present and null, in every state of a payment and a refund', async () => {
  const shop = await openShop()
  const bare = (await shop.post('/payments', { amount: 100, currency: 'USD' })).body
  const paid = await shop.pay({ metadata: { a: 1 }, customer: { id: 'c' }, description: 'd' })
  const failed = await shop.pay({ card: cards.declines })
  const names = Object.keys(bare).sort()
  for (const payment of [paid, failed, await shop.hold(), await shop.get(paid.payment_id)]) deepEqual(Object.keys(payment).sort(), names)
  const good = (await shop.refund(paid.payment_id)).body
  const unlucky = await shop.pay({ card: cards.refusesRefunds })
  const bad = (await shop.refund(unlucky.payment_id)).body
  deepEqual(Object.keys(good).sort(), Object.keys(bad).sort())
  ok(Object.values(bare).includes(null) && Object.values(good).includes(null))
})

// --- browsers

const checkoutHeaders =
  'api-key, authorization, content-type, x-app-id, x-redirect-uri, x-profile-id, x-browser-name, x-browser-version, x-client-platform, x-client-source, x-client-version, x-merchant-domain, x-payment-confirm-source, x-feature'

test('a checkout in a browser gets CORS headers on preflight and on every response, including errors', async () => {
  const shop = await openShop()
  const origin = 'https://shop.example'
  const payment = await shop.create()
  const preflight = await http('OPTIONS', `${shop.url}/payments/${payment.payment_id}/confirm`, undefined, {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': checkoutHeaders,
  })
  equal(Math.floor(preflight.status / 100), 2)
  equal(preflight.headers['access-control-allow-origin'], '*')
  match(String(preflight.headers['access-control-allow-methods']), /POST/)
  const allowed = String(preflight.headers['access-control-allow-headers']).toLowerCase().split(/, ?/)
  for (const name of checkoutHeaders.split(', ')) ok(allowed.includes(name), name)
  equal(preflight.headers['access-control-allow-credentials'], undefined, 'no cookies, ever')
  const answers = [
    await http('GET', `${shop.url}/payments/${payment.payment_id}?client_secret=${payment.client_secret}`, undefined, {
      origin,
      'api-key': shop.publishable_key,
    }),
    await http('GET', `${shop.url}/payments/${payment.payment_id}`, undefined, { origin }),
    await http('GET', `${shop.url}/nowhere`, undefined, { origin }),
    await http('POST', `${shop.url}/payments`, '{', { origin, 'api-key': shop.api_key }),
    await http('POST', `${shop.url}/payments`, 'x'.repeat(300_000), { origin, 'api-key': shop.api_key }),
  ]
  deepEqual(
    answers.map(answer => answer.status),
    [200, 401, 404, 400, 400],
  )
  for (const answer of answers) {
    equal(answer.headers['access-control-allow-origin'], '*', String(answer.status))
    match(String(answer.headers['access-control-expose-headers']), /x-request-id/)
  }
})

test('a response says how long the service took, if the request asks for x-hs-latency', async () => {
  const shop = await openShop()
  const { headers } = await shop.call('GET', '/payments/list', undefined, { 'x-hs-latency': 'true' })
  match(String(headers['x-hs-latency']), /^\d+$/)
  equal((await shop.call('GET', '/payments/list')).headers['x-hs-latency'], undefined)
})

test('every response has a request id, the caller’s own if valid, and forbids caching and MIME sniffing', async () => {
  const shop = await openShop()
  const ask = (headers: Record<string, string>) => shop.call('GET', '/payments/x', undefined, headers)
  equal((await ask({ 'x-request-id': 'order-17:try.2' })).headers['x-request-id'], 'order-17:try.2')
  const made: unknown[] = []
  for (const given of ['', 'two words', '<script>', 'x'.repeat(129)]) {
    const { headers } = await ask({ 'x-request-id': given })
    match(String(headers['x-request-id']), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    deepEqual([headers['cache-control'], headers['x-content-type-options']], ['no-store', 'nosniff'])
    made.push(headers['x-request-id'])
  }
  equal(new Set(made).size, made.length)
  equal((await http('GET', `${shop.url}/nowhere`, undefined, { 'x-request-id': 'a' })).headers['x-request-id'], 'a')
})

test('a response to curl ends with a newline; responses to programs, and stored replays, do not', async () => {
  const shop = await openShop()
  const terminal = { 'user-agent': 'curl/8.14.1', accept: '*/*', 'idempotency-key': 'a' }
  const shown = await shop.tryToPay({}, terminal)
  match(shown.text, /^\{.*\}\n$/)
  equal(Number(shown.headers['content-length']), Buffer.byteLength(shown.text))
  const replayed = await shop.tryToPay({}, terminal)
  equal(replayed.text, shown.text, 'a replay is the same, byte for byte')
  equal((await shop.tryToPay({}, { 'idempotency-key': 'a' })).text, shown.text.slice(0, -1))
  match((await shop.call('GET', '/nowhere', undefined, terminal)).text, /\}\n$/)
  equal((await shop.call('GET', '/health', undefined, terminal)).text, 'health is good')
  for (const headers of [
    { 'user-agent': 'curl/8.14.1', accept: 'application/json' },
    { accept: '*/*' },
    { 'user-agent': 'libcurl', accept: '*/*' },
  ])
    match((await shop.call('GET', '/nowhere', undefined, headers)).text, /\}$/)
})

// --- business profiles

test('X-Profile-Id stands for profile_id in a request that selects a profile, and must always be the merchant’s own', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  const { profile_id } = await shop.pay()
  const otherProfile = (await other.pay()).profile_id
  const header = (id: string) => ({ 'x-profile-id': id })
  equal((await shop.tryToPay({}, header(profile_id))).body.profile_id, profile_id)
  equal((await shop.tryToPay({ profile_id }, header(profile_id))).status, 200)
  equal((await shop.tryToPay({}, header(''))).status, 200)
  isRefused(await shop.tryToPay({ profile_id: otherProfile }, header(profile_id)), 400, 'IR_16', /X-Profile-Id and profile_id/)
  const { payment_id } = await shop.hold()
  for (const strange of [otherProfile, 'pro_nobody']) {
    isRefused(await shop.tryToPay({}, header(strange)), 400, 'IR_16', /X-Profile-Id/)
    isRefused(await shop.call('GET', `/payments/${payment_id}`, undefined, header(strange)), 400, 'IR_16', /X-Profile-Id/)
    isRefused(await shop.post(`/payments/${payment_id}/capture`, {}, header(strange)), 400, 'IR_16', /X-Profile-Id/)
  }
  equal((await shop.post(`/payments/${payment_id}/capture`, {}, header(profile_id))).body.status, 'succeeded')
  const account = {
    connector_type: 'payment_processor',
    connector_name: 'phonypay',
    connector_label: 'two',
    connector_account_details: { auth_type: 'HeaderKey', api_key: 'sandbox_two' },
  }
  const admin = (id: string) =>
    http('POST', `${shop.url}/account/${shop.merchant_id}/connectors`, account, { 'api-key': ADMIN_KEY, ...header(id) })
  isRefused(await admin(otherProfile), 404, 'HE_02', /profile/)
  equal((await admin(profile_id)).body.profile_id, profile_id)
})

// --- the log

test('the log line of a refused request names the field and the reason, without secrets', async () => {
  const shop = await openShop()
  const { logs } = await openPlace()
  const lineOf = async (answer: Promise<Answer>): Promise<Body> => {
    const { headers } = await answer
    return logs.map(line => JSON.parse(line)).find(line => line.req_id === headers['x-request-id'] && line.words === 'answered')
  }
  const missing = await lineOf(shop.post('/payments', { amount: 1 }))
  deepEqual([missing.status, missing.code, missing.field, missing.message], [400, 'IR_04', 'currency', 'Missing required param: currency'])
  const two = await lineOf(shop.post('/payments', {}))
  deepEqual(
    [two.field, two.message, two.why],
    ['amount, currency', 'Missing required params', 'Required parameters are missing: amount, currency'],
  )
  const misspelt = await lineOf(shop.post('/payments', { ammount: 1 }))
  deepEqual([misspelt.field, misspelt.message], ['ammount', 'Json deserialize error: unknown field `ammount`'])
  const misplaced = await lineOf(shop.post('/payments', { [shop.api_key]: 1 }))
  ok(!JSON.stringify(misplaced).includes(shop.api_key.slice(4)), JSON.stringify(misplaced))
  const { client_secret } = await shop.create()
  const lost = await lineOf(shop.call('GET', `/nowhere/${client_secret}`))
  ok(!JSON.stringify(lost).includes(client_secret), JSON.stringify(lost))
  const good = await lineOf(shop.post('/payments', shop.payBody()))
  deepEqual([good.status, 'message' in good, 'code' in good], [200, false, false])
})

// --- secrets

/** Card data whose digits appear nowhere else in these tests. */
const CANARY = { pan: '4539578763621486', second: '6011000990139424', cvc: '8361', otherCvc: '7253' }

/** A group of a UUID may consist of four digits too. */
const isAlone = (digits: string) => new RegExp(`(?<![0-9A-Za-z]|[0-9a-f]{4}-)${digits}(?![0-9A-Za-z])`)

/** Sends a card to every operation that accepts one, with and without failures. Gives the answers and the secrets. */
async function walkThrough(shop: Shop): Promise<{ answers: Answer[]; secrets: string[] }> {
  const canary = (number: string, cvc: string): Body => ({ card: { ...card().card, card_number: number, card_cvc: cvc } })
  const body = (more: Body = {}) => ({
    ...shop.payBody({ authentication_type: 'no_three_ds' }),
    payment_method_data: canary(CANARY.pan, CANARY.cvc),
    ...more,
  })
  const payment_id = `canary_${'0'.repeat(23)}`
  const created = await shop.post('/payments', body({ confirm: false }))
  await shop.processor.fault('authorize', 'reset_after')
  const answers = [
    created,
    await shop.post('/payments', body(), { 'idempotency-key': 'canary' }),
    await shop.post('/payments', body(), { 'idempotency-key': 'canary' }),
    await shop.post('/payments', body({ payment_id })),
    await shop.post('/payments', body({ payment_id, amount: 1 })),
    await shop.post(`/payments/${created.body.payment_id}/confirm`, {
      payment_method: 'card',
      payment_method_data: canary(CANARY.second, CANARY.otherCvc),
      card_cvc: CANARY.otherCvc,
    }),
    await shop.post('/payments', body({ amount: 'x' })),
    await shop.post('/payments', body({ payment_method_data: { card: { ...canary(CANARY.pan, CANARY.cvc).card, pin: CANARY.cvc } } })),
    await shop.post('/payments', body({ payment_method_data: canary(`${CANARY.pan.slice(0, -1)}7`, CANARY.cvc) })),
    await shop.post('/payments', body({ payment_method_data: canary(CANARY.pan, `${CANARY.cvc}${CANARY.otherCvc}`) })),
    await shop.post('/payments', JSON.stringify(body()).slice(0, -3)),
    await shop.call('GET', `/payments/${created.body.payment_id}?client_secret=${created.body.client_secret}`, undefined, {
      'api-key': shop.publishable_key,
    }),
    await shop.call('GET', `/nowhere/${CANARY.pan}`),
  ]
  await shop.wait('1 minute')
  const key = (await http('POST', `${shop.url}/api_keys/${shop.merchant_id}`, { name: 'k', expiration: 'never' }, { 'api-key': ADMIN_KEY }))
    .body.api_key
  return {
    answers,
    secrets: [shop.api_key, key, ADMIN_KEY, shop.webhook_secret, `sandbox_${shop.merchant_id}`, created.body.client_secret],
  }
}

test('card numbers, security codes and keys are never logged', async () => {
  const shop = await openShop()
  const { secrets } = await walkThrough(shop)
  const { logs } = await openPlace()
  ok(logs.length > 10)
  for (const line of logs) {
    for (const secret of [CANARY.pan, CANARY.second, CANARY.pan.slice(0, -1), ...secrets]) ok(!line.includes(secret), line)
    for (const code of [CANARY.cvc, CANARY.otherCvc]) ok(!isAlone(code).test(line), line)
  }
})

test('card numbers and security codes are in no column of any table, and in no response', async () => {
  const shop = await openShop()
  const { answers } = await walkThrough(shop)
  const waiting = await shop.post('/payments', {
    ...shop.payBody({ confirm: false }),
    payment_method_data: { card: { ...card().card, card_number: CANARY.pan, card_cvc: CANARY.cvc } },
  })
  equal(waiting.body.status, 'requires_confirmation')
  for (const { text, status } of [...answers, waiting]) {
    for (const number of [CANARY.pan, CANARY.second]) ok(!text.includes(number), `${status} ${text}`)
    for (const code of [CANARY.cvc, CANARY.otherCvc]) ok(!isAlone(code).test(text), `${status} ${text}`)
  }
  const columns = await shop.query(
    "select table_name, column_name, data_type from information_schema.columns where table_schema = 'public' and data_type in ('text', 'jsonb', 'json', 'bytea', 'character varying', 'ARRAY')",
  )
  ok(columns.length > 50)
  for (const { table_name, column_name, data_type } of columns) {
    const value = data_type === 'bytea' ? `encode("${column_name}", 'escape')` : `"${column_name}"::text`
    const rows = await shop.query(`select ${value} as value from "${table_name}" where "${column_name}" is not null`)
    for (const { value } of rows) {
      const bytes = Buffer.from(value)
      for (const number of [CANARY.pan, CANARY.second])
        for (const form of [
          number,
          Buffer.from(number).toString('base64').slice(0, 20),
          Buffer.from(number).toString('hex'),
          [...number].reverse().join(''),
        ])
          ok(!bytes.includes(form), `${table_name}.${column_name} holds a card number`)
      for (const code of [CANARY.cvc, CANARY.otherCvc])
        ok(!isAlone(code).test(value), `${table_name}.${column_name} holds a security code: ${value.slice(0, 300)}`)
    }
  }
  equal(
    (await shop.query('select count(*)::int as n from waiting_cvcs where merchant_id = $1', [shop.merchant_id]))[0].n,
    1,
    'one waits, sealed',
  )
  await shop.wait('16 minutes')
  equal((await shop.query('select count(*)::int as n from waiting_cvcs'))[0].n, 0)
})

test('an error in a query string is reported as a query error', async () => {
  const shop = await openShop()
  const errorOf = async (query: string) => (await shop.call('GET', `/audit?${query}`)).body.error
  const unknown = await errorOf('limitt=1')
  deepEqual([unknown.code, unknown.message], ['IR_06', 'Query deserialize error: unknown field `limitt`'])
  for (const query of ['limit=many', 'limit=1&limit=2', 'limit=many&limitt=1', 'limit=4242424242424242'])
    match((await errorOf(query)).message, /^Query deserialize error: .*limit/, query)
  equal((await errorOf('limit=many&limitt=1')).errors.length, 2)
  match((await shop.post('/payments/list', { limit: 'many' })).body.error.message, /^Json deserialize error: /)
})
