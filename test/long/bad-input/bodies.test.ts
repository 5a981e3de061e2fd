import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { before, type TestContext } from 'node:test'
import type { TSchema } from 'typebox'
import fc, { seed } from '../../fast-check.ts'
import { errorText } from '../../refused.ts'
import { ADMIN_KEY, type Body, card, openShop, type Shop } from '../../shop.ts'
import { isUnharmed } from './afterwards.ts'
import { clientOf, rowsOf, shapeOf } from './attacks.ts'
import { at } from './fields.ts'
import { full, kinds } from './good-payments.ts'
import { type ApiClient, each, faultOfAnswer, faultOfRefusal, openApiClient, openComplaints, same, shout } from './knock.ts'

/** Bodies that are bad as a whole: cut off, too long, contradictory, or of arbitrary content. */

const rules = {
  type: 'advanced',
  data: {
    defaultSelection: { type: 'volume_split', data: [{ connector: 'phonypay', split: 1 }] },
    rules: [
      {
        name: 'r',
        connectorSelection: { type: 'priority', data: [{ connector: 'phonypay' }] },
        statements: [{ condition: [{ lhs: 'amount', comparison: 'equal', value: { type: 'number', value: 1 } }] }],
      },
    ],
  },
}

/** Gives the endpoints that read JSON, each with an address that exists and a valid body. */
async function posts(shop: Shop): Promise<{ name: string; path: string; key: string; good: Body }[]> {
  const [created, held, paid] = await Promise.all([shop.create(), shop.hold({ capture_method: 'manual_multiple' }), shop.pay()])
  const { merchant_connector_details: _credentials, ...asked } = full()
  const account = {
    connector_type: 'payment_processor',
    connector_name: 'phonypay',
    connector_account_details: { auth_type: 'HeaderKey', api_key: 'sandbox_nobody' },
  }
  return [
    { name: 'createPayment', path: '/payments', key: shop.api_key, good: full() },
    {
      name: 'confirmPayment',
      path: `/payments/${created.payment_id}/confirm`,
      key: shop.api_key,
      good: { ...asked, connector: ['stripe'] },
    },
    { name: 'capturePayment', path: `/payments/${held.payment_id}/capture`, key: shop.api_key, good: { amount_to_capture: 1 } },
    { name: 'cancelPayment', path: `/payments/${created.payment_id}/cancel`, key: shop.api_key, good: { cancellation_reason: 'a' } },
    { name: 'createRefund', path: '/refunds', key: shop.api_key, good: { payment_id: paid.payment_id, amount: 100, metadata: { a: 'b' } } },
    {
      name: 'createMerchantAccount',
      path: '/accounts',
      key: ADMIN_KEY,
      good: { merchant_id: `m_${randomBytes(6).toString('hex')}`, merchant_details: { a: 'b' } },
    },
    {
      name: 'createApiKey',
      path: `/api_keys/${shop.merchant_id}`,
      key: ADMIN_KEY,
      good: { name: 'a', description: 'b', expiration: 'never' },
    },
    { name: 'createConnectorAccount', path: `/account/${shop.merchant_id}/connectors`, key: ADMIN_KEY, good: account },
    {
      name: 'createRouting',
      path: '/routing',
      key: shop.api_key,
      good: { name: 'a', description: 'b', profile_id: paid.profile_id, algorithm: rules },
    },
    { name: 'evaluateRouting', path: '/routing/evaluate', key: shop.api_key, good: { amount: 1, currency: 'USD', algorithm: rules } },
    {
      name: 'simulateRouting',
      path: '/routing/simulate',
      key: shop.api_key,
      good: { start_time: '2026-01-01T00:00:00Z', algorithm: rules },
    },
  ]
}

let all: ReturnType<typeof posts>
let openKey: (key: string) => ApiClient
before(async () => {
  const shop = await openShop()
  all = posts(shop)
  await all
  const clients = new Map<string, ApiClient>()
  openKey = key => {
    let client = clients.get(key)
    if (!client) {
      client = openApiClient(shop.url, { 'api-key': key })
      clients.set(key, client)
    }
    return client
  }
})

test('a truncated body, or a body of any other bytes, is refused', async t => {
  const shop = await openShop()
  const complaints = openComplaints()
  const whole = await shop.post('/payments', full())
  equal(whole.status, 200, `the whole body is good: ${whole.text}`)
  const rows = await rowsOf(shop, 'payments')
  const text = Buffer.from(JSON.stringify({ ...full(), metadata: { e: 'é👍' } }))
  const knock = clientOf(shop)
  const cuts = Array.from({ length: text.length - 1 }, (_, i) => i + 1)
  await each(cuts, async length => {
    const answer = await knock('POST', '/payments', text.subarray(0, length))
    if (answer.status !== 400 || answer.body?.error?.code !== 'IR_06')
      complaints.about([], { name: `cut at ${length}` }, answer, 'is not refused')
  })
  const others = [
    'null',
    'true',
    '1',
    '"a"',
    '[]',
    '[{}]',
    ' ',
    '\n',
    '{',
    '}',
    '{}{}',
    '{},',
    'a=b',
    '<a/>',
    '\ufeff',
    '\0',
    '{"a"}',
    '{a:1}',
    "{'a':1}",
    '[[[[',
    '{"amount":1250,"currency":"USD"}x',
    '//',
    '{"amount":1250,"currency":"USD",}',
  ]
  await each(
    [
      ...others.map(one => Buffer.from(one)),
      randomBytes(100),
      randomBytes(10_000),
      Buffer.alloc(1000),

      Buffer.alloc(200_000, '['),
      Buffer.alloc(250_000, '{"a":'),
    ],
    async body => {
      for (const { name, path, key } of await all) {
        const answer = await openKey(key)('POST', path, body)
        if (answer.status !== 400 || answer.body?.error?.code !== 'IR_06')
          complaints.about([], { name: `${name} ${body.toString().slice(0, 20)}` }, answer, 'is not refused')
      }
    },
  )
  t.diagnostic(`${cuts.length + others.length * 8} requests`)
  complaints.none()
  equal((await rowsOf(shop, 'payments')) - rows, 0, 'what is refused leaves no row')
})

test('a body of 256 kB is accepted, and one byte more is refused', async () => {
  const shop = await openShop()
  const knock = clientOf(shop)
  const LIMIT = 256 * 1024
  const sized = (bytes: number, fill: (room: number) => unknown): Buffer => {
    const base = Buffer.byteLength(JSON.stringify({ amount: 1250, currency: 'USD', feature_metadata: fill(0) }))
    return Buffer.from(JSON.stringify({ amount: 1250, currency: 'USD', feature_metadata: fill(bytes - base) }))
  }
  const fill = (room: number) => ({ a: 'x'.repeat(room) })
  const whole = await knock('POST', '/payments', sized(LIMIT, fill))
  equal(whole.status, 200, whole.text.slice(0, 200))
  equal((await shop.get(whole.body.payment_id)).feature_metadata.a.length, LIMIT - sized(0, () => ({ a: '' })).length)
  const padded = Buffer.concat([Buffer.from('{"amount":1250,"currency":"USD"}'), Buffer.alloc(LIMIT, ' ')])
  equal((await knock('POST', '/payments', padded.subarray(0, LIMIT))).status, 200)
  const { payment_id } = await shop.create()
  for (const { path, key } of await all) {
    for (const body of [sized(LIMIT + 1, fill), padded.subarray(0, LIMIT + 1), Buffer.alloc(LIMIT * 4, 'x')]) {
      const answer = await openKey(key)('POST', path, body)
      equal(answer.status, 400, `${path} ${answer.text}`)
      equal(answer.body.error.code, 'IR_06')
    }
  }
  // The limit holds without a content-length, too: the HTTP layer counts the bytes.
  const chunked = async (bytes: Buffer) => {
    const head = `POST /payments HTTP/1.1\r\nhost: a\r\nconnection: close\r\napi-key: ${shop.api_key}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`
    const half = Math.floor(bytes.length / 2)
    const parts = [bytes.subarray(0, half), bytes.subarray(half)].flatMap(part => [
      Buffer.from(`${part.length.toString(16)}\r\n`),
      part,
      Buffer.from('\r\n'),
    ])
    return shout(shop.url, Buffer.concat([Buffer.from(head), ...parts, Buffer.from('0\r\n\r\n')]))
  }
  equal((await chunked(sized(LIMIT, fill))).status, 200)
  const more = await chunked(sized(LIMIT + 1, fill))
  equal(more.status, 400)
  equal(more.body.error.code, 'IR_06')
  equal((await shop.get(payment_id)).status, 'requires_confirmation')
})

test('very long lists in a payment are stored whole or refused', async () => {
  const shop = await openShop()
  const knock = clientOf(shop)
  const lists: Record<string, unknown[]> = {
    order_details: Array.from({ length: 5000 }, (_, i) => ({ product_name: `p${i}`, quantity: 1, amount: i })),
    connector: Array.from({ length: 20_000 }, (_, i) => `c${i}`),
    allowed_payment_method_types: new Array(20_000).fill('credit'),
    installment_options: Array.from({ length: 20_000 }, (_, i) => ({ i })),
    payment_channel: new Array(50_000).fill([]),
  }
  for (const [name, value] of Object.entries(lists)) {
    const answer = await knock('POST', '/payments', JSON.stringify({ amount: 1250, currency: 'USD', [name]: value }))
    equal(faultOfAnswer(answer), null, name)
    if (answer.status !== 200) continue
    const [{ request }] = await shop.query('select request from payments where payment_id = $1', [answer.body.payment_id])
    deepEqual(request[name], value)
  }
})

test('an invalid security code is refused with an error that names card_cvc', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.create()
  for (const body of [
    { card_cvc: 'x'.repeat(70_000) },
    { card_cvc: '12' },
    { card_cvc: '12345' },
    { card_cvc: '１２３' },
    { card_cvc: '1e2' },
  ]) {
    for (const path of ['/payments', `/payments/${payment_id}/confirm`]) {
      const answer = await shop.post(path, path === '/payments' ? { amount: 1250, currency: 'USD', ...body } : body)
      equal(faultOfRefusal(answer), null, `${path} ${answer.text.slice(0, 200)}`)
      ok(errorText(answer.body.error).includes('card_cvc'), answer.text)
    }
  }
})

test('two payment methods in one request are refused, in every combination', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.create()
  const all: Body = {
    ...card(),
    ...Object.fromEntries(kinds.map(kind => [kind, kind === 'card_token' ? { card_holder_name: 'a' } : { a: 1 }])),
  }
  const names = Object.keys(all)
  const pairs = names.flatMap((a, i) => names.slice(i + 1).map(b => [a, b] as const))
  await each(pairs, async ([a, b]) => {
    const ask = { amount: 1250, currency: 'USD', confirm: true, payment_method: 'card', payment_method_data: { [a]: all[a], [b]: all[b] } }
    for (const path of ['/payments', `/payments/${payment_id}/confirm`]) {
      const answer = await shop.post(path, ask)
      equal(faultOfRefusal(answer), null, `${path} ${a} and ${b} ${answer.text.slice(0, 200)}`)
      ok(errorText(answer.body.error).includes('payment_method_data'), answer.text)
    }
  })
  deepEqual(await shop.processor.operations(), [])
})

// ---------------------------------------------------------------------------------------------- arbitrary content

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom('__proto__', 'constructor', '\u0000', '\ud800', 'a\u0000', '', ' ', '\u2028'),
)
const anyJson = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, -0, -1, 1, 1.5, 100, 1250, 2 ** 53, 2 ** 53 - 1, 1e21, 1e-7, '', 'USD', 'card'),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    anyText,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(anyText, tie('value'), { maxKeys: 4 }),
  ),
})).value

/** Sends bodies that fast-check makes; each answer must be a success or a refusal of the catalogue. */
async function holds(t: TestContext, bodies: (good: Body, shape: TSchema) => fc.Arbitrary<unknown>): Promise<void> {
  t.diagnostic(`SEED=${seed}`)
  await Promise.all(
    (await all).map(({ name, path, key, good }) =>
      fc.assert(
        fc.asyncProperty(bodies(good, shapeOf(name)), async body => {
          const answer = await openKey(key)('POST', path, JSON.stringify(body))
          const fault = faultOfAnswer(answer)
          ok(!fault, `${name}: ${fault} · ${answer.status} ${answer.text.slice(0, 200)}`)
          if (name === 'createPayment' && answer.status === 200) {
            const seen = await openKey(key)('GET', `/payments/${answer.body.payment_id}`)
            ok(same(seen.body, answer.body), 'is shown otherwise a moment later')
          }
        }),
        { numRuns: 150, interruptAfterTimeLimit: 15_000 },
      ),
    ),
  )
}

test('any JSON object gets a success or a documented error', t => holds(t, () => fc.dictionary(anyText, anyJson, { maxKeys: 6 })))

test('any value in any field gets a success or a documented error', t =>
  holds(t, (_good, shape) => {
    const names = Object.keys((shape as Body).properties)
    return fc.dictionary(fc.constantFrom(...names), anyJson, { maxKeys: 8 })
  }))

test('a valid body with random changes gets a success or a documented error', t =>
  holds(t, good => {
    const places = placesOf(good)
    return fc
      .array(fc.tuple(fc.nat(places.length - 1), fc.constantFrom('replace', 'remove', 'add'), anyText, anyJson), {
        minLength: 1,
        maxLength: 3,
      })
      .map(changes => {
        const body = structuredClone(good)
        for (const [i, how, name, value] of changes) {
          const path = places[i]!
          const holder = at(body, path.slice(0, -1)) as Record<string, unknown> | undefined
          if (holder === null || typeof holder !== 'object') continue
          if (how === 'remove') delete holder[path.at(-1)!]
          else holder[how === 'add' && name !== '__proto__' ? name : path.at(-1)!] = value
        }
        return body
      })
  }))

/** Gives the paths of all members, at any depth. */
function placesOf(value: unknown, path: string[] = []): string[][] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inner]) => [[...path, name], ...placesOf(inner, [...path, name])])
}

test('after the hostile input the service takes a payment, has logged no error, and its heap has not grown', isUnharmed)
