import { deepEqual, doesNotMatch, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../src/http/endpoints.ts'
import { openapi } from '../tools/openapi/openapi.ts'
import { join, openOwner, signIn, someEmail } from './people.ts'
import { ADMIN_KEY, type Body, cards, http, openPlace, openShop, type Shop } from './shop.ts'

/**
 * The OWASP API Security Top 10 of 2023, with a test each (https://owasp.org/API-Security/editions/2023/en/0x11-t10/).
 * Where a suite of its own tests a risk at every operation, a comment names the suite.
 */

// The service takes the addresses of callers from `x-forwarded-for`.
await openPlace({ trustedProxies: ['127.0.0.1'], securityContact: 'mailto:security@shop.example' })

const keyed = (key: string) => ({ 'api-key': key })
const chargesOf = async (shop: Shop) =>
  (await shop.processor.charges()).map(({ amount, captured, refunded }: Body) => [amount, captured, refunded])

// Tested at every address: foreign.test.ts.
test('API1 Broken object level authorization: a merchant cannot read, capture, cancel or refund a payment of another merchant', async () => {
  const [shop, thief] = [await openShop(), await openShop()]
  const held = await shop.hold()
  const paid = await shop.pay()
  const tries: [string, string, Body?][] = [
    ['GET', `/payments/${paid.payment_id}`],
    ['POST', `/payments/${held.payment_id}/capture`, {}],
    ['POST', `/payments/${held.payment_id}/cancel`, {}],
    ['POST', '/refunds', { payment_id: paid.payment_id, amount: 100 }],
    ['GET', `/payments/${paid.payment_id}?client_secret=${paid.client_secret}`],
  ]
  for (const [method, path, body] of tries) {
    const answer = await thief.call(method, path, body)
    equal(answer.status, 404, `${method} ${path}: ${answer.text}`)
    doesNotMatch(answer.text, new RegExp(`${shop.merchant_id}|1250`))
  }
  deepEqual(await chargesOf(shop), [
    [1250, 0, 0],
    [1250, 1250, 0],
  ])
})

// Sessions, lockout, second factors and resets: src/users. Webhook signatures: src/connectors.
test('API2 Broken authentication: a key that is wrong, revoked, expired or in the URL is refused', async () => {
  const shop = await openShop()
  const made = async (expiration: string): Promise<Body> =>
    (await http('POST', `${shop.url}/api_keys/${shop.merchant_id}`, { name: 'k', expiration }, keyed(ADMIN_KEY))).body
  const revoked = await made('never')
  const expiring = await made(new Date(Date.now() + shop.clock.ahead + 3_600_000).toISOString())
  const read = (key: string) => http('GET', `${shop.url}/payments/list`, undefined, keyed(key))
  for (const key of [revoked.api_key, expiring.api_key]) equal((await read(key)).status, 200)
  const gone = await http('DELETE', `${shop.url}/api_keys/${shop.merchant_id}/${revoked.key_id}`, undefined, keyed(ADMIN_KEY))
  equal(gone.status, 200)
  await shop.wait('2 hours')
  const altered = `${shop.api_key.slice(0, -1)}${shop.api_key.endsWith('a') ? 'b' : 'a'}`
  for (const key of [revoked.api_key, expiring.api_key, altered, '']) equal((await read(key)).status, 401, key)
  equal((await read(shop.publishable_key)).status, 403)
  equal((await http('GET', `${shop.url}/payments/list?api-key=${shop.api_key}&api_key=${shop.api_key}`)).status, 401)
})

test('API2 Broken authentication: password attempts are limited, and the existence of an account is not revealed', async () => {
  const shop = await openShop()
  const email = someEmail('owner')
  await openOwner(shop, email)
  const tries = []
  for (let i = 0; i < 30; i++) tries.push((await signIn(shop, email, `wrong ${i}`)).status)
  ok(tries.includes(429), tries.join(' '))
  const unknownEmail = someEmail('stranger')
  const answerTo = async (who: string) => (await http('POST', `${shop.url}/user/forgot_password`, { email: who })).text
  equal(await answerTo(email), await answerTo(unknownEmail))
})

// The members of each resource that each audience sees: the tables in src/show and their tests.
test('API3 Broken object property level authorization: a request cannot set read-only fields, and a browser cannot read metadata', async () => {
  const shop = await openShop()
  for (const member of [{ status: 'succeeded' }, { amount_received: 1250 }, { merchant_id: 'another' }, { attempt_count: 7 }]) {
    const answer = await shop.tryToPay({ ...member, confirm: false })
    const [[name, value]] = Object.entries(member) as [[string, unknown]]
    if (answer.status === 200) ok(answer.body[name] !== value, `${name} is ${value}: ${answer.text}`)
    else match(answer.text, new RegExp(`\\b${name}\\b|Merchant account does not exist`))
  }
  const made = await shop.create({ metadata: { margin: 'secret_of_the_shop' } })
  const seen = await http(
    'GET',
    `${shop.url}/payments/${made.payment_id}?client_secret=${made.client_secret}`,
    undefined,
    keyed(shop.publishable_key),
  )
  equal(seen.status, 200, seen.text)
  doesNotMatch(seen.text, /secret_of_the_shop/)
  const taken = await http(
    'POST',
    `${shop.url}/payments/${made.payment_id}/confirm`,
    { client_secret: made.client_secret, amount: 1 },
    keyed(shop.publishable_key),
  )
  ok(taken.status >= 400, taken.text)
  equal((await shop.get(made.payment_id)).amount, 1250)
})

// Slow senders, too many connections and deep bodies: http.test.ts and test/long/bad-input.
test('API4 Unrestricted resource consumption: a page, a body and a list that are too large are refused', async () => {
  const shop = await openShop()
  const page = await shop.call('GET', '/payments/list?limit=1000000')
  equal(page.status, 422)
  match(page.text, /limit/)
  const large = await shop.tryToPay({ description: 'x'.repeat(3_000_000) })
  equal(large.status, 400, large.text)
  match(large.text, /larger than 262144 bytes/)
  const deep = await http('POST', `${shop.url}/payments`, `${'{"metadata":'.repeat(50_000)}1${'}'.repeat(50_000)}`, {
    ...keyed(shop.api_key),
    'content-type': 'application/json',
  })
  ok(deep.status >= 400 && deep.status < 500, String(deep.status))
  const many = await shop.tryToPay({ metadata: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`key_${i}`, 'x'])) })
  equal(many.status, 422, many.text.slice(0, 200))
  deepEqual(await shop.processor.charges(), [])
})

// Each operation by each role and each kind of key: roles.test.ts, people-grid.test.ts and client-grid.test.ts.
test('API5 Broken function level authorization: a viewer, a merchant key and a publishable key are refused beyond their rights', async () => {
  const shop = await openShop()
  const paid = await shop.pay()
  const owner = await openOwner(shop)
  const viewer = await join(shop, owner, 'viewer')
  equal((await viewer.post('/refunds', { payment_id: paid.payment_id, amount: 100 })).status, 403)
  equal((await viewer.post('/user/invite', { email: someEmail(), role: 'owner' })).status, 403)
  equal((await shop.call('POST', '/accounts', { merchant_id: 'mine_too' })).status, 403)
  equal((await http('POST', `${shop.url}/refunds`, { payment_id: paid.payment_id }, keyed(shop.publishable_key))).status, 403)
  deepEqual(await chargesOf(shop), [[1250, 1250, 0]])
})

// All limits of a business profile: src/guard/card-testing.test.ts.
test('API6 Unrestricted access to sensitive business flows: card testing in a browser is stopped before the processor is called', async () => {
  const shop = await openShop()
  await shop.profile({ card_testing_guard_config: { card_ip_blocking_status: 'enabled', card_ip_blocking_threshold: 3 } })
  const tried = async () => {
    const { payment_id, client_secret } = await shop.create({ payment_method: null, payment_method_data: null })
    const { payment_method_data } = shop.payBody({ card: cards.declines })
    const body = { client_secret, payment_method: 'card', payment_method_data }
    const headers = { ...keyed(shop.publishable_key), 'x-forwarded-for': '203.0.113.66' }
    return (await http('POST', `${shop.url}/payments/${payment_id}/confirm`, body, headers)).status
  }
  const statuses = []
  for (let i = 0; i < 6; i++) statuses.push(await tried())
  ok(
    statuses.slice(3).every(status => status >= 400),
    statuses.join(' '),
  )
  const authorizations = (await shop.processor.operations()).filter(one => one.type === 'authorization')
  equal(authorizations.length, 3)
})

// All ways to write an address, names that change, and redirects: src/connectors/reach.test.ts and send.test.ts.
test('API7 Server side request forgery: a webhook endpoint URL that leads to an internal address is refused', async () => {
  const shop = await openShop()
  for (const url of [
    'http://169.254.169.254/latest/meta-data',
    'https://[::ffff:10.0.0.1]/',
    'https://167772161/',
    'https://metadata.internal/',
    'file:///etc/passwd',
  ]) {
    const answer = await shop.post('/webhook_endpoints', { url })
    equal(answer.status, 422, `${url}: ${answer.text}`)
    match(answer.text, /url/)
  }
})

test('API8 Security misconfiguration: every response forbids MIME sniffing, names no software, and reveals no internals', async () => {
  const shop = await openShop()
  const answers = [
    await shop.call('GET', '/payments/list'),
    await shop.call('GET', '/payments/pay_unknown'),
    await shop.post('/payments', '{'),
    await http('GET', `${shop.url}/dashboard`),
    await http('GET', `${shop.url}/nowhere/at/all`),
  ]
  for (const { headers, text, status } of answers) {
    equal(headers['x-content-type-options'], 'nosniff', `${status}: ${JSON.stringify(headers)}`)
    equal(headers['x-powered-by'], undefined)
    equal(headers.server, undefined)
    doesNotMatch(text, /\bat \S+ \(|node_modules|\.ts:\d+|select .* from /)
  }
  const foreign = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
  const asked = await http('OPTIONS', `${shop.url}/refunds`, undefined, foreign)
  equal(asked.headers['access-control-allow-credentials'], undefined)
  equal((await http('TRACE', `${shop.url}/payments/list`, undefined, keyed(shop.api_key))).status >= 400, true)
})

test('API8 Security misconfiguration: security.txt names the security contact and an expiry date', async () => {
  const { url } = await openShop()
  const { status, text } = await http('GET', `${url}/.well-known/security.txt`)
  equal(status, 200)
  const fields = Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map(line => line.split(/: (.*)/)),
  )
  equal(fields.Contact, 'mailto:security@shop.example')
  equal(fields.Canonical, `${url}/.well-known/security.txt`)
  const days = (Date.parse(fields.Expires) - Date.now()) / 86_400_000
  ok(days > 90 && days < 365, `${days} days`)
})

test('API9 Improper inventory management: every operation is in the OpenAPI document, and other paths are a 404', async () => {
  const shop = await openShop()
  const documented = new Set(
    Object.entries(openapi().paths).flatMap(([path, methods]) => Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`)),
  )
  const hidden = endpoints.filter(({ method, path, answers }) => answers !== 'page' && !documented.has(`${method} ${path}`))
  deepEqual(
    hidden.map(({ method, path }) => `${method} ${path}`),
    [],
  )
  for (const path of [
    '/v1/payments',
    '/v2/payments',
    '/debug',
    '/metrics',
    '/.env',
    '/.git/config',
    '/admin',
    '/actuator/health',
    '/graphql',
  ])
    equal((await shop.call('GET', path)).status, 404, path)
})

// Every connector against hostile replies: test/conformance; the quoted parts of a reply: src/connectors.
test('API10 Unsafe consumption of APIs: a forged processor webhook changes no payment', async () => {
  const shop = await openShop()
  const paid = await shop.pay({ description: '<script>alert(1)</script>', metadata: { note: '"><img src=x onerror=alert(1)>' } })
  equal(paid.status, 'succeeded')
  const event = JSON.stringify({ id: 'evt_forged', type: 'operation.updated', operation: { id: 'op_forged', status: 'succeeded' } })
  const held = await shop.hold()
  const forged = await http('POST', `${shop.url}/webhooks/${shop.merchant_id}/${shop.merchant_connector_id}`, event, {
    'content-type': 'application/json',
    'x-sandbox-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`,
  })
  ok(forged.status >= 400, forged.text)
  equal((await shop.get(held.payment_id)).status, 'requires_capture')
})
