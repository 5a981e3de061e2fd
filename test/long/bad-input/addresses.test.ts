import { equal } from 'node:assert/strict'
import test from 'node:test'
import { admits } from '../../../src/http/auth.ts'
import { endpoints } from '../../../src/http/endpoints.ts'
import { examples, queryOf } from '../../examples.ts'
import { formOf } from '../../form.ts'
import { openOwner } from '../../people.ts'
import { errorText } from '../../refused.ts'
import { ADMIN_KEY, type Body, openShop } from '../../shop.ts'
import { isUnharmed } from './afterwards.ts'
import { clientOf, count } from './attacks.ts'
import { each, faultOfAnswer, faultOfRefusal, openComplaints, shout } from './knock.ts'

/**
 * Bad input in the first line of a request: method, path and query. No test here may create merchants called
 * `__proto__`: this text must stay an id of nothing.
 */

/** Path segments that are no id of any object. */
const oddIds = [
  ...[
    '%00',
    'pay_%00',
    '%2e%2e',
    '%2e%2e%2f%2e%2e%2fetc',
    '..%5c..',
    '%252e%252e',
    '%20',
    '+',
    '%0d%0aset-cookie:%20a=b',
    '%7f',
    '%22',
    "'%3b--",
  ],
  ...['null', 'undefined', '__proto__', 'constructor', 'toString', '-1', '0', '1e400', '%F0%9F%91%8D', 'e%CC%81', '%E2%80%AE', '%EF%BF%BF'],
  ...[
    'x'.repeat(30),
    'x'.repeat(64),
    'x'.repeat(512),
    'x'.repeat(513),
    'x'.repeat(4000),
    '%41'.repeat(600),
    '*',
    ':payment_id',
    '{payment_id}',
  ],
]
/** Path segments that do not decode to text. */
const brokenIds = ['%', '%f', '%zz', '%ff', '%c0%80', '%ed%a0%80', '%e2%82', '%u0041']

test('a hostile id in a path is answered as not found, like any id that does not exist', async t => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const person = `cookie: ${owner.cookie}\r\nx-csrf-token: ${owner.csrf}`
  const good = await shop.create()
  const complaints = openComplaints()
  const refund_id = (await shop.refund((await shop.pay()).payment_id, 100)).body.refund_id
  const real: Record<string, string> = {
    payment_id: good.payment_id,
    refund_id,
    merchant_id: shop.merchant_id,
    merchant_connector_id: shop.merchant_connector_id,
    key_id: 'snd_nothing',
    profile_id: good.profile_id,
    attempt_id: `${good.payment_id}_1`,
    connector: 'phonypay',
  }
  // Operations of browsers are left out: they need the client secret of the very payment.
  const requests = endpoints
    // `pollStatus` answers an unknown authentication with a status, not with an error.
    .filter(({ auth, name }) => auth.credential !== 'client' && name !== 'pollStatus')
    .flatMap(endpoint =>
      [...endpoint.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) =>
        [...oddIds, ...brokenIds].map(id => ({
          endpoint,
          name: name!,
          id,
          path:
            endpoint.path.replace(/\{(\w+)\}/g, (_, other: string) => (other === name ? id : (real[other] ?? other))) +
            queryOf(endpoint, real),
        })),
      ),
    )
  await each(requests, async ({ endpoint, name, id, path }) => {
    const key = endpoint.auth.credential === 'admin' || endpoint.auth.credential === 'secret or admin' ? ADMIN_KEY : shop.api_key
    const example = endpoint.method === 'GET' ? '' : JSON.stringify(examples[endpoint.name]?.value ?? {})
    const { body, headers } = endpoint.form
      ? formOf({ file: 'x', part: '1' })
      : { body: example, headers: { 'content-type': 'application/json' } }
    const known = admits(endpoint.auth, 'user') && !admits(endpoint.auth, 'secret') ? person : `api-key: ${key}`
    const request = `${endpoint.method} ${path} HTTP/1.1\r\nhost: a\r\n${known}\r\ncontent-type: ${headers['content-type']}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
    const answer = await shout(shop.url, request)
    const what = { name: `${endpoint.method} ${endpoint.path} with ${id.slice(0, 40)}` }
    // The connector in the address of a return is ignored: the payment knows its own.
    if (name === 'connector' && (answer.status === 302 || answer.body?.error?.code === 'HE_03')) return
    const fault = faultOfRefusal(answer)
    if (fault) complaints.about([name], what, answer, fault)
    // A text that is too long for an id may be refused without a look-up. The name of a connector or of a setting is a
    // value as well as an id: an unknown name is refused as a wrong value. A BIN is no id.
    else if (['connector_id', 'key'].includes(name) && answer.body?.error?.code === 'IR_07') return
    else if (name === 'bin' && ['IR_31', 'IR_32'].includes(answer.body?.error?.code)) return
    else if (oddIds.includes(id) && answer.status !== 404 && !(decodeURIComponent(id).length > 512 && answer.status === 400))
      complaints.about([name], what, answer, 'is not simply not found')
  })
  count(t, requests.length, 0)
  complaints.none()
})

test('a hostile value in a query is accepted, or refused by name', async t => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  const refund_id = (await shop.refund(payment_id, 100)).body.refund_id
  const paths: Record<string, string> = {
    retrievePayment: `/payments/${payment_id}`,
    retrieveRefund: `/refunds/${refund_id}`,
    listEvents: `/events`,
    listBlocked: '/blocklist',
    listBlocklistBatches: '/blocklist/batch',
    listAudit: '/audit',
    listRequestLogs: '/logs',
    listWebhookEndpoints: '/webhook_endpoints',
  }
  /** The query parameter that an operation requires in any case. */
  const needs: Record<string, [name: string, value: string]> = {
    listEvents: ['object_id', payment_id],
    listBlocked: ['data_kind', 'card_bin'],
  }
  const values = [
    ...[
      '',
      'true',
      'false',
      'TRUE',
      '1',
      '0',
      '-1',
      '1.5',
      '1e2',
      '+1',
      '01',
      '9007199254740993',
      '99999999999999999999',
      'null',
      'undefined',
      '[]',
      '{}',
    ],
    ...[
      '%00',
      'a%00b',
      '%ff',
      '%',
      '%ed%a0%80',
      '%F0%9F%91%8D',
      'x'.repeat(5000),
      "'%3b--",
      '%0d%0aa:b',
      '2147483647',
      '2147483648',
      '101',
      '100',
    ],
  ]
  const requests: { name: string; parameter: string; query: string; shown: string }[] = []
  for (const name of Object.keys(paths)) {
    const parameters = Object.keys((endpoints.find(endpoint => endpoint.name === name)!.query as Body).properties)
    const [needed, wanted] = needs[name] ?? []
    const always = needed === undefined ? '' : `${needed}=${wanted}`
    for (const parameter of parameters) {
      const others = parameter === needed ? '' : `&${always}`
      for (const value of values) requests.push({ name, parameter, query: `${parameter}=${value}${others}`, shown: value.slice(0, 30) })
      requests.push({ name, parameter, query: `${parameter}=true&${parameter}=false${others}`, shown: 'given twice' })
      requests.push({ name, parameter, query: `${parameter}[]=true${others}`, shown: 'as a list' })
      requests.push({ name, parameter, query: `${parameter}[a]=true${others}`, shown: 'as an object' })
      requests.push({ name, parameter, query: `${parameter}${others}`, shown: 'alone' })
    }
    for (const odd of ['stranger', '__proto__', 'constructor', 'toString', '%00', '%ff', 'a%00b'])
      for (const query of [`${odd}=1`, `${odd}=1&${odd}=2`])
        requests.push({ name, parameter: odd, query: `${query}&${always}`, shown: query })
  }
  const knock = clientOf(shop)
  const complaints = openComplaints()
  await each(requests, async ({ name, parameter, query, shown }) => {
    const answer = await knock('GET', `${paths[name]}?${query}`)
    const what = { name: `${name} ?${parameter} ${shown}` }
    const fault = faultOfAnswer(answer)
    if (fault) return complaints.about([parameter], what, answer, fault)
    if (answer.status === 200) {
      const unknown = ['stranger', '__proto__', 'constructor', 'toString'].includes(parameter) || /given twice|as a/.test(shown)
      if (unknown) complaints.about([parameter], what, null, 'was accepted')
      return
    }
    const plain = parameter.replaceAll('%00', '\0')
    const named = errorText(answer.body.error).includes(plain) || answer.status === 404 || parameter.includes('%')
    if (!named) complaints.about([parameter], what, answer, 'the refusal does not name it')
  })
  count(t, requests.length, 0)
  complaints.none()
})

test('unknown paths are refused, and unknown methods are a 405', async () => {
  const shop = await openShop()
  const complaints = openComplaints()
  const say = (line: string) => shout(shop.url, `${line} HTTP/1.1\r\nhost: a\r\napi-key: ${shop.api_key}\r\nconnection: close\r\n\r\n`)
  for (const path of [
    '/nothing',
    '/payments/',
    '//payments',
    '/payments//',
    '/PAYMENTS',
    '/payments/a/b/c/d/e/f/g',
    '/../payments',
    '/payments;a=b',
    '/%70ayments/%00/x',
    '/x'.repeat(3000),
    '/%00',
    '/%',
    '/payments?%',
  ]) {
    const answer = await say(`GET ${path}`)
    const fault = faultOfRefusal(answer)
    if (fault || ![400, 404, 405].includes(answer.status))
      complaints.about(['path'], { name: path.slice(0, 40) }, answer, fault ?? 'is not refused as unknown')
  }
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/\{\w+\}/g, 'a')
    for (const method of ['PATCH', 'PUT', 'DELETE', 'POST', 'GET', 'TRACE', 'PROPFIND', 'LOCK']) {
      if (endpoints.some(other => other.method === method && new RegExp(`^${other.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)))
        continue
      const answer = await say(`${method} ${path}`)
      const fault = faultOfRefusal(answer)
      if (fault || answer.status !== 405) complaints.about(['method'], { name: `${method} ${path}` }, answer, fault ?? 'is not a 405')
    }
  }
  const nonsense = await say('NONSENSE /payments')
  equal(nonsense.status, 400)
  complaints.none()
})

test('after the hostile input the service takes a payment, has logged no error, and its heap has not grown', isUnharmed)
