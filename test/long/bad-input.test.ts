import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test, { before, type TestContext } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { endpoints } from '../../src/http/endpoints.ts'
import { ADMIN_KEY, type Body, card, openPlace, openShop, type Shop } from '../shop.ts'
import { at, bodyWith, type Field, fieldsOf, type Hostile, hostileFor, isClosed, isRecord, nameOf, objectsOf, sample } from './hostile.ts'
import { type Door, each, faultOfAnswer, faultOfRefusal, type Heard, judge, openComplaints, openDoor, same, shout } from './knock.ts'

/**
 * Bad input, generated for every field of every body from the schemas themselves, and for everything around the bodies. Whatever is sent is either accepted, kept and shown unchanged,
 * or refused with an entry of the catalogue that names the field. Never a 5xx, never silently altered; what is refused leaves no trace.
 */

const shapeOf = (name: string): TSchema => endpoints.find(endpoint => endpoint.name === name)!.body!

/** Every field with every value that is meant for it. Variations that only the door decides are tried on some fields. */
function attacks(shape: TSchema, thoroughEvery = 6): { field: Field; hostile: Hostile }[] {
  return fieldsOf(shape).flatMap((field, i) =>
    hostileFor(field, i % thoroughEvery === 0 || isRecord(field.schema)).map(hostile => ({ field, hostile })),
  )
}

/** An unknown member of every object: refused by name where the object is closed. */
const strangers = (shape: TSchema): Field[] =>
  objectsOf(shape).map(({ path, schema }) => ({ path: [...path, 'stranger'], schema: {} as TSchema, holder: schema }))

const adminDoor = (shop: Shop): Door => openDoor(shop.url, { 'api-key': ADMIN_KEY })
const doorOf = (shop: Shop): Door => openDoor(shop.url, { 'api-key': shop.api_key })
const rowsOf = async (shop: Shop, table: string): Promise<number> =>
  Number((await shop.query(`select count(*) from ${table} where merchant_id = $1`, [shop.merchant_id]))[0].count)

const newPaymentId = (): string => `pay_${randomBytes(13).toString('hex')}`

// ------------------------------------------------------------------------------------------------ payments

const kinds = ['card_token', 'wallet', 'pay_later', 'bank_redirect', 'bank_debit', 'bank_transfer', 'crypto', 'card_redirect']

/** A good body in which this field makes sense. */
function hostOf(path: readonly string[], confirm: boolean): Body {
  const host: Body = {
    amount: 1250,
    currency: 'USD',
    capture_method: 'manual',
    authentication_type: 'no_three_ds',
    payment_method: 'card',
    payment_method_data: card(),
  }
  if (confirm) {
    delete host.amount
    delete host.currency
  }
  if (path[0] === 'payment_method_data' && kinds.includes(path[1]!)) {
    delete host.payment_method_data
    host.payment_method = path[1] === 'card_token' ? 'card' : path[1]
    if (path[1] !== 'card_token') host.payment_method_type = 'paypal'
  }
  // A new variant stands alone.
  if (nameOf(path) === 'payment_method_data.card') delete host.payment_method_data
  return host
}

/** Where a payment shows what it was asked; null: it is not shown. What is not named here is shown under its own name, if the answer has that. */
const shownAs: Record<string, string | null> = {
  confirm: null,
  connector: null,
  'connector.0': null,
  client_secret: null,
  card_cvc: null,
  payment_link: null,
  payment_method_data: null,
  'payment_method_data.card': null,
  'payment_method_data.card.card_number': null,
  'payment_method_data.card.card_cvc': null,
  'payment_method_data.card.card_exp_month': null,
  'payment_method_data.card.card_exp_year': null,
  'payment_method_data.card.card_issuing_country_code': null,
  'payment_method_data.card.bank_code': null,
  'customer.tax_registration_id': null,
  'customer.document_details': 'customer.customer_document_details',
  customer: null,
  phone_country_code: 'customer.phone_country_code',
  session_expiry: null,
  retry_action: null,
}

/** The path under which the answer shows a field; null if it does not. */
function whereShown(path: readonly string[], answer: Body): string[] | null {
  for (let length = path.length; length > 0; length--) {
    const named = shownAs[nameOf(path.slice(0, length))]
    if (named === null && length === path.length) return null
    if (typeof named === 'string') return [...named.split('.'), ...path.slice(length)]
  }
  if (path[0] === 'payment_method_data' && kinds.includes(path[1]!)) return null
  return Object.hasOwn(answer, path[0]!) ? [...path] : null
}

/** What is shown of these although nothing was asked. */
const hasDefault = [
  'capture_method',
  'authentication_type',
  'profile_id',
  'merchant_id',
  'payment_id',
  'payment_method_data.card.card_network',
]

/** What a payment says of months and years: two digits, four digits. */
function faultOfShown(path: readonly string[], sent: unknown, shown: Body): string | null {
  const name = nameOf(path)
  if (name === 'session_expiry' && sent !== undefined) {
    const seconds = (Date.parse(shown.expires_on) - Date.parse(shown.created)) / 1000
    return seconds === sent ? null : `the session lasts ${seconds} s`
  }
  if (name === 'payment_method_data.card.card_exp_year' && sent !== undefined) {
    const year = shown.payment_method_data.card.card_exp_year
    return Number(year) % 2000 === Number(sent) % 2000 ? null : `is shown as ${year}`
  }
  if (name === 'payment_method_data.card.card_number') {
    const { last4, card_isin } = shown.payment_method_data.card
    const digits = String(sent).replace(/\D/g, '')
    return digits.startsWith(card_isin) && digits.endsWith(last4) ? null : `is shown as ${card_isin} and ${last4}`
  }
  if (name === 'payment_method_data.card.card_exp_month' && sent !== undefined) {
    const month = shown.payment_method_data.card.card_exp_month
    return Number(month) === Number(sent) ? null : `is shown as ${month}`
  }
  if (sent === undefined && hasDefault.includes(name)) return null
  const where = whereShown(path, shown)
  if (!where) return null
  const seen = at(shown, where)
  // A list of one that is empty, or an object all of whose members are absent, is shown as it was kept.
  return same(seen, sent) ? null : `is shown as ${JSON.stringify(seen)?.slice(0, 120)}`
}

/** Members with a column of their own: the answer shows them, and is compared with what was sent. */
const columns = ['amount', 'currency', 'capture_method', 'authentication_type', 'customer_id', 'payment_id', 'profile_id']

/** Where `asked` must hold a member of the request; null: it is kept elsewhere, or nowhere. */
function keptAs(path: readonly string[]): readonly string[] | null {
  if ([...columns, 'confirm', 'client_secret', 'card_cvc', 'retry_action'].includes(path[0]!)) return null
  if (path[0] !== 'payment_method_data') return path
  return path[1] === 'billing' ? ['payment_method_billing', ...path.slice(2)] : null
}

test('creating a payment: whatever stands in whichever field is kept and shown as it is, or refused by name', async t => {
  const shop = await openShop()
  const knock = doorOf(shop)
  const complaints = openComplaints()
  const shape = shapeOf('createPayment')
  const expected = new Map<string, { field: Field; hostile: Hostile; sent: unknown }>()
  const taken = new Map<string, number>()
  let created = 0
  let confirmed = 0
  const list = [...attacks(shape), ...strangers(shape).map(field => ({ field, hostile: stranger }))]
  await each(list, async ({ field, hostile }) => {
    const heard = await knock('POST', '/payments', bodyWith(shape, hostOf(field.path, false), field.path, hostile.raw))
    if (heard.status === 200) created++
    if (heard.body?.status === 'requires_capture') confirmed++
    const verdict = judge(complaints, field, hostile, heard)
    if (field.path.at(-1) === 'stranger') return judgeStranger(complaints, field, heard)
    taken.set(nameOf(field.path), (taken.get(nameOf(field.path)) ?? 0) + (verdict.is === 'accepted' ? 1 : 0))
    if (verdict.is !== 'accepted') return
    const seen = await knock('GET', `/payments/${heard.body.payment_id}`)
    if (!same(seen.body, heard.body)) complaints.about(field.path, hostile, seen, 'is shown otherwise a moment later')
    const fault = faultOfShown(field.path, verdict.sent, seen.body)
    if (fault) complaints.about(field.path, hostile, heard, fault)
    expected.set(heard.body.payment_id, { field, hostile, sent: verdict.sent })
  })
  const rows = await shop.query('select payment_id, asked from payments where merchant_id = $1', [shop.merchant_id])
  for (const { payment_id, asked } of rows) {
    const one = expected.get(payment_id)
    const where = one && keptAs(one.field.path)
    if (one && where && !same(at(asked, where), one.sent))
      complaints.about(one.field.path, one.hostile, null, `is kept as ${JSON.stringify(at(asked, where))?.slice(0, 120)}`)
  }
  count(t, list.length, created)
  neverTaken(complaints, taken)
  complaints.none()
  equal(rows.length, created, 'a refused payment leaves no row')
  equal(confirmed, 1, 'only `confirm: true` itself confirms')
  equal((await shop.processor.operations()).length, confirmed, 'what was refused never reached the processor')
})

test('confirming a payment: the same, and a confirm that is refused leaves the payment as it was', async t => {
  const shop = await openShop()
  const knock = doorOf(shop)
  const complaints = openComplaints()
  const shape = shapeOf('confirmPayment')
  const target = await shop.create({ capture_method: 'manual' })
  const taken = new Map<string, number>()
  // Nobody is called so: whatever passes all checks ends here (IR_39), before anything is written.
  const nobody = ['nobody']
  const good: { field: Field; hostile: Hostile; sent: unknown }[] = []
  const list = [...attacks(shape, 30), ...strangers(shape).map(field => ({ field, hostile: stranger }))]
  await each(list, async ({ field, hostile }) => {
    const host = { ...hostOf(field.path, true), connector: nobody }
    const { payment_id } = field.path[0] === 'connector' ? await shop.create({ capture_method: 'manual' }) : target
    const heard = await knock('POST', `/payments/${payment_id}/confirm`, bodyWith(shape, host, field.path, hostile.raw))
    if (heard.status === 200 && field.path[0] !== 'connector') complaints.about(field.path, hostile, heard, 'confirmed at nobody')
    if (field.path.at(-1) === 'stranger') return judgeStranger(complaints, field, heard, isNobody)
    const verdict = judge(complaints, field, hostile, heard, answer => answer.status === 200 || isNobody(answer))
    taken.set(nameOf(field.path), (taken.get(nameOf(field.path)) ?? 0) + (verdict.is === 'accepted' ? 1 : 0))
    if (verdict.is === 'accepted') good.push({ field, hostile, sent: verdict.sent })
  })
  neverTaken(complaints, taken)
  deepEqual((await shop.get(target.payment_id)).status, 'requires_confirmation')
  const charged = (await shop.processor.charges()).length

  // Of what was good in each field, the longest few go all the way to the processor.
  const chosen = Object.values(Object.groupBy(good, one => nameOf(one.field.path))).flatMap(ones =>
    ones!.sort((a, b) => String(b.hostile.raw).length - String(a.hostile.raw).length).filter((_, i) => i === 0 || i === 3),
  )
  let confirmed = 0
  await each(chosen, async ({ field, hostile, sent }) => {
    if (
      field.path[0] === 'connector' ||
      (field.path[0] === 'payment_method_data' && field.path[1] !== 'card' && field.path[1] !== 'billing')
    )
      return
    const { payment_id } = await shop.create({ capture_method: 'manual' })
    const body = bodyWith(shape, hostOf(field.path, true), field.path, hostile.raw)
    const heard = await knock('POST', `/payments/${payment_id}/confirm`, body, { 'idempotency-key': payment_id })
    if (heard.status !== 200) {
      if (faultOfRefusal(heard) || !isNobody(heard)) complaints.about(field.path, hostile, heard, 'is refused at last')
      return
    }
    confirmed++
    const seen = (await knock('GET', `/payments/${payment_id}`)).body
    if (!same(seen, heard.body)) complaints.about(field.path, hostile, heard, 'is shown otherwise a moment later')
    const fault = faultOfShown(field.path, sent, seen)
    if (fault && sent !== undefined) complaints.about(field.path, hostile, heard, fault)
    const again = await knock('POST', `/payments/${payment_id}/confirm`, body, { 'idempotency-key': payment_id })
    if (again.text !== heard.text) complaints.about(field.path, hostile, again, 'is answered otherwise under the same key')
  })
  count(t, list.length + chosen.length, confirmed)
  complaints.none()
  const charges = await shop.processor.charges()
  equal(new Set(charges.map(charge => charge.reference)).size, charges.length)
  ok(charges.length - charged <= confirmed, `${charges.length} charges for ${confirmed} confirmed payments`)
})

const stranger: Hostile = { name: 'an unknown member', raw: '"x"' }
const isNobody = (heard: Heard): boolean => heard.status === 400 && heard.body?.error?.code === 'IR_39'

/** An unknown member is refused by name in a closed object, and does no harm in an open one. */
function judgeStranger(
  complaints: ReturnType<typeof openComplaints>,
  field: Field,
  heard: Heard,
  isYes = (answer: Heard) => answer.status === 200,
): void {
  const closed = field.holder !== null && isClosed(field.holder)
  if (isYes(heard)) {
    if (closed) complaints.about(field.path, stranger, heard, 'was accepted in a closed object')
    return
  }
  const fault = faultOfRefusal(heard)
  if (fault) complaints.about(field.path, stranger, heard, fault)
  else if (closed && !heard.body.error.message.includes('stranger')) complaints.about(field.path, stranger, heard, 'is not named')
}

/** Whole features of the interface that this version refuses by name. */
const notYet = [
  ...['payment_token', 'mandate_id', 'mandate_data', 'recurring_details', 'split_payments', 'routing', 'merchant_connector_details'],
  ...['payment_link_config', 'ctp_service_details', 'three_ds_data', 'capture_on', 'merchant_connector_details', 'split_refunds'],
  ...['primary_business_details', 'network_tokenization_credentials'],
]
/** Members that are taken only with one particular value, which no table can know. */
const particular = ['merchant_id', 'profile_id', 'payment_id', 'client_secret']

/** A field in which nothing but absence was ever accepted would be a hole in this suite: its good body is not good. */
function neverTaken(complaints: ReturnType<typeof openComplaints>, taken: Map<string, number>): void {
  for (const [name, times] of taken) {
    const known = [...notYet, ...particular].includes(name.split('.')[0]!) || name.startsWith('payment_method_data.card_token')
    if (times === 0 && !known) complaints.list.push(`${name}: nothing was ever accepted`)
  }
}

function count(t: TestContext, requests: number, accepted: number): void {
  t.diagnostic(`${requests} requests, ${accepted} accepted`)
}

test('capturing and cancelling: the same, and what is refused moves no money', async t => {
  const shop = await openShop()
  const knock = doorOf(shop)
  const complaints = openComplaints()
  const captureShape = shapeOf('capturePayment')
  const holds: { payment_id: string; captured: number }[] = []
  const captures = [...attacks(captureShape, 1), ...strangers(captureShape).map(field => ({ field, hostile: stranger }))]
  let captured = 0
  await each(captures, async ({ field, hostile }) => {
    const { payment_id } = holds.pop() ?? (await shop.hold({ amount: 2_000_000_000, capture_method: 'manual_multiple' }))
    const before = await shop.get(payment_id)
    const heard = await knock(
      'POST',
      `/payments/${payment_id}/capture`,
      bodyWith(captureShape, { amount_to_capture: 2 }, field.path, hostile.raw),
    )
    if (field.path.at(-1) === 'stranger') judgeStranger(complaints, field, heard)
    else {
      const verdict = judge(complaints, field, hostile, heard)
      const amount = field.path[0] === 'amount_to_capture' && verdict.is === 'accepted' ? verdict.sent : 2
      const now = await shop.get(payment_id)
      const moved = (now.amount_received ?? 0) - (before.amount_received ?? 0)
      if (moved !== (heard.status === 200 ? amount : 0)) complaints.about(field.path, hostile, heard, `moved ${moved}`)
    }
    if (heard.status === 200) captured++
    holds.push({ payment_id, captured })
  })
  count(t, captures.length, captured)

  const cancelShape = shapeOf('cancelPayment')
  const cancels = [...attacks(cancelShape, 1), ...strangers(cancelShape).map(field => ({ field, hostile: stranger }))]
  const open: string[] = []
  let cancelled = 0
  await each(cancels, async ({ field, hostile }) => {
    const payment_id = open.pop() ?? (await shop.create()).payment_id
    const heard = await knock('POST', `/payments/${payment_id}/cancel`, bodyWith(cancelShape, {}, field.path, hostile.raw))
    if (heard.status !== 200) open.push(payment_id)
    else cancelled++
    if (field.path.at(-1) === 'stranger') return judgeStranger(complaints, field, heard)
    const verdict = judge(complaints, field, hostile, heard)
    const seen = await shop.get(payment_id)
    equal(seen.status, heard.status === 200 ? 'cancelled' : 'requires_confirmation')
    if (verdict.is !== 'accepted' || field.path[0] !== 'cancellation_reason') return
    if (!same(seen.cancellation_reason, verdict.sent))
      complaints.about(field.path, hostile, heard, `is shown as ${seen.cancellation_reason}`)
  })
  count(t, cancels.length, cancelled)
  complaints.none()
  const total = (await shop.processor.charges()).reduce((sum, charge) => sum + charge.captured, 0)
  const [{ received }] = await shop.query('select sum(amount_received) as received from payments where merchant_id = $1', [
    shop.merchant_id,
  ])
  equal(Number(received), total, 'the processor and we agree on what was captured')
})

test('refunding: the same, and what is refused gives nothing back', async t => {
  const shop = await openShop()
  const knock = doorOf(shop)
  const complaints = openComplaints()
  const shape = shapeOf('createRefund')
  const paid: { payment_id: string; refunds: number }[] = []
  const list = [...attacks(shape, 1), ...strangers(shape).map(field => ({ field, hostile: stranger }))]
  let refunded = 0
  await each(list, async ({ field, hostile }) => {
    const from = paid.pop() ?? { payment_id: (await shop.pay({ amount: 5000 })).payment_id, refunds: 0 }
    const heard = await knock('POST', '/refunds', bodyWith(shape, { payment_id: from.payment_id, amount: 100 }, field.path, hostile.raw))
    const whole = field.path[0] === 'amount'
    if (heard.status === 200) refunded++
    if (heard.status !== 200 || (++from.refunds < 10 && !whole)) paid.push(from)
    if (field.path.at(-1) === 'stranger') return judgeStranger(complaints, field, heard)
    const verdict = judge(complaints, field, hostile, heard)
    if (verdict.is !== 'accepted') return
    const seen = (await knock('GET', `/refunds/${heard.body.refund_id}`)).body
    const name = field.path[0]!
    const shown = Object.hasOwn(seen, name) && !(verdict.sent === undefined && ['amount', 'refund_id'].includes(name))
    if (!same(seen, heard.body)) complaints.about(field.path, hostile, heard, 'is shown otherwise a moment later')
    if (shown && !same(at(seen, field.path), verdict.sent)) complaints.about(field.path, hostile, heard, 'is shown otherwise')
  })
  count(t, list.length, refunded)
  complaints.none()
  equal(await rowsOf(shop, 'refunds'), refunded, 'a refused refund leaves no row')
  const total = (await shop.processor.charges()).reduce((sum, charge) => sum + charge.refunded, 0)
  const [{ back }] = await shop.query('select sum(amount_refunded) as back from payments where merchant_id = $1', [shop.merchant_id])
  equal(Number(back), total, 'the processor and we agree on what was given back')
})

// ------------------------------------------------------------------------------------------------ paths

// Before the accounts: afterwards there are merchants called `__proto__`.

/** Pieces of a path that are no id of anything. */
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
/** Not even text. */
const brokenIds = ['%', '%f', '%zz', '%ff', '%c0%80', '%ed%a0%80', '%e2%82', '%u0041']

test('whatever stands for an id in a path is not found, like any other id that does not exist', async t => {
  const shop = await openShop()
  const good = await shop.create()
  const complaints = openComplaints()
  const refund_id = (await shop.refund((await shop.pay()).payment_id, 100)).body.refund_id
  const real: Record<string, string> = {
    payment_id: good.payment_id,
    refund_id,
    merchant_id: shop.merchant_id,
    merchant_connector_id: shop.merchant_connector_id,
    key_id: 'snd_nothing',
    attempt_id: `${good.payment_id}_1`,
    connector: 'phonypay',
  }
  const requests = endpoints.flatMap(endpoint =>
    [...endpoint.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) =>
      [...oddIds, ...brokenIds].map(id => ({
        endpoint,
        name: name!,
        id,
        path: endpoint.path.replace(/\{(\w+)\}/g, (_, other: string) => (other === name ? id : (real[other] ?? other))),
      })),
    ),
  )
  const bodies: Record<string, object> = {
    createApiKey: { name: 'a', expiration: 'never' },
    createConnectorAccount: {
      connector_type: 'payment_processor',
      connector_name: 'phonypay',
      connector_account_details: { auth_type: 'HeaderKey', api_key: 'sandbox_nobody' },
    },
  }
  await each(requests, async ({ endpoint, name, id, path }) => {
    const key = endpoint.takes === 'admin' || endpoint.takes === 'secret or admin' ? ADMIN_KEY : shop.api_key
    const body = endpoint.method === 'POST' ? JSON.stringify(bodies[endpoint.name] ?? {}) : ''
    const request = `${endpoint.method} ${path} HTTP/1.1\r\nhost: a\r\napi-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`
    const heard = await shout(shop.url, request)
    const what = { name: `${endpoint.method} ${endpoint.path} with ${id.slice(0, 40)}` }
    // The connector of a return says nothing: the payment knows its own.
    if (name === 'connector' && (heard.status === 302 || heard.body?.error?.code === 'HE_03')) return
    const fault = faultOfRefusal(heard)
    if (fault) complaints.about([name], what, heard, fault)
    // What is too long to be an id may be refused unread.
    else if (oddIds.includes(id) && heard.status !== 404 && !(decodeURIComponent(id).length > 512 && heard.status === 400))
      complaints.about([name], what, heard, 'is not simply not found')
  })
  count(t, requests.length, 0)
  complaints.none()
})

// ------------------------------------------------------------------------------------------------ accounts

test('creating a merchant: the same', async t => {
  const shop = await openShop()
  const knock = adminDoor(shop)
  const complaints = openComplaints()
  const shape = shapeOf('createMerchantAccount')
  const list = [...attacks(shape, 1), ...strangers(shape).map(field => ({ field, hostile: stranger }))]
  const before = Number((await shop.query('select count(*) from merchants'))[0].count)
  let created = 0
  await each(list, async ({ field, hostile }, i) => {
    const heard = await knock('POST', '/accounts', bodyWith(shape, { merchant_id: `m_${i}` }, field.path, hostile.raw))
    if (heard.status === 200) created++
    if (field.path.at(-1) === 'stranger') return judgeStranger(complaints, field, heard)
    const verdict = judge(complaints, field, hostile, heard)
    if (verdict.is !== 'accepted') return
    const seen = (await knock('GET', `/accounts/${heard.body.merchant_id}`)).body
    if (!same(seen, heard.body)) complaints.about(field.path, hostile, heard, 'is shown otherwise a moment later')
    // Contract 6.2: a publishable key is always ours; what is absent here has a default.
    if (field.path[0] === 'publishable_key' || verdict.sent === undefined) return
    if (!same(at(seen, field.path), verdict.sent))
      complaints.about(field.path, hostile, heard, `is shown as ${JSON.stringify(at(seen, field.path))?.slice(0, 120)}`)
  })
  count(t, list.length, created)
  complaints.none()
  equal(Number((await shop.query('select count(*) from merchants'))[0].count) - before, created, 'a refused merchant leaves no row')
})

test('making an api key: the same, and a time means the same moment afterwards', async t => {
  const shop = await openShop()
  const knock = adminDoor(shop)
  const complaints = openComplaints()
  const shape = shapeOf('createApiKey')
  const list = [...attacks(shape, 1), ...strangers(shape).map(field => ({ field, hostile: stranger }))]
  let created = 0
  await each(list, async ({ field, hostile }) => {
    const heard = await knock(
      'POST',
      `/api_keys/${shop.merchant_id}`,
      bodyWith(shape, { name: 'a', expiration: 'never' }, field.path, hostile.raw),
    )
    if (heard.status === 200) created++
    if (field.path.at(-1) === 'stranger') return judgeStranger(complaints, field, heard)
    const verdict = judge(complaints, field, hostile, heard)
    if (verdict.is !== 'accepted') return
    const [kept] = await shop.query('select name, description, expires_at from api_keys where key_id = $1', [heard.body.key_id])
    const name = field.path[0]!
    if (name !== 'expiration') {
      if (!same(kept[name], verdict.sent) || !same(heard.body[name], verdict.sent))
        complaints.about(field.path, hostile, heard, `is kept as ${kept[name]}`)
      return
    }
    // Times are kept to the millisecond.
    const moment = verdict.sent === 'never' ? null : Date.parse((verdict.sent as string).replace(/(\.\d{3})\d+/, '$1'))
    const shown = heard.body.expiration === 'never' ? null : Date.parse(heard.body.expiration)
    if (shown !== moment || (kept.expires_at?.getTime() ?? null) !== moment)
      complaints.about(field.path, hostile, heard, `is kept as ${heard.body.expiration}`)
  })
  count(t, list.length, created)
  complaints.none()
  equal(await rowsOf(shop, 'api_keys'), created + 1, 'a refused key leaves no row')
})

test('adding a connector account: the same', async t => {
  const shop = await openShop()
  const knock = adminDoor(shop)
  const complaints = openComplaints()
  const shape = shapeOf('createConnectorAccount')
  const PER_MERCHANT = 20
  const members = ['auth_type', 'api_key', 'stranger'].map(
    (name): Field => ({ path: ['connector_account_details', name], schema: { type: 'string' } as TSchema, holder: null }),
  )
  const baseUrl: Field = { path: ['metadata', 'base_url'], schema: { type: 'string', format: 'uri' } as TSchema, holder: null }
  const list = [
    ...attacks(shape),
    ...[...members, baseUrl].flatMap(field => hostileFor(field, true).map(hostile => ({ field, hostile }))),
    ...strangers(shape).map(field => ({ field, hostile: stranger })),
  ]
  const merchants = new Map<string, Promise<string>>()
  const merchantFor = (field: Field, i: number): Promise<string> => {
    // Labels must differ within a profile.
    const name = field.path[0] === 'connector_label' ? `c_${i}` : `c_x${Math.floor(i / PER_MERCHANT)}`
    if (!merchants.has(name))
      merchants.set(
        name,
        knock('POST', '/accounts', JSON.stringify({ merchant_id: name })).then(() => name),
      )
    return merchants.get(name)!
  }
  const added = new Map<string, { field: Field; hostile: Hostile; sent: unknown; merchant_id: string }>()
  await each(list, async ({ field, hostile }, i) => {
    const merchant_id = await merchantFor(field, i)
    const host = {
      connector_type: 'payment_processor',
      connector_name: 'phonypay',
      connector_account_details: { auth_type: 'HeaderKey', api_key: 'sandbox_nobody' },
      connector_label: `label ${i}`,
      disabled: field.path[0] === 'status',
    }
    const heard = await knock('POST', `/account/${merchant_id}/connectors`, bodyWith(shape, host, field.path, hostile.raw))
    if (field.path.at(-1) === 'stranger' && field.path.length !== 2) return judgeStranger(complaints, field, heard)
    const verdict = judge(complaints, field, hostile, heard)
    if (verdict.is !== 'accepted') return
    added.set(heard.body.merchant_connector_id, { field, hostile, sent: verdict.sent, merchant_id })
    const { path } = field
    if (path[0] === 'connector_account_details' || path[0] === 'connector_webhook_details' || verdict.sent === undefined) return
    if (!same(at(heard.body, path), verdict.sent))
      complaints.about(path, hostile, heard, `is shown as ${JSON.stringify(at(heard.body, path))?.slice(0, 120)}`)
  })
  const listed = new Map<string, Body>()
  await each([...new Set([...added.values()].map(one => one.merchant_id))], async merchant_id => {
    const answer = await knock('GET', `/account/${merchant_id}/connectors`)
    equal(answer.status, 200, answer.text)
    for (const account of answer.body) listed.set(account.merchant_connector_id, account)
  })
  for (const [id, { field, hostile, sent }] of added) {
    const account = listed.get(id)
    if (!account) complaints.about(field.path, hostile, null, 'is not listed')
    else if (sent !== undefined && Object.hasOwn(account, field.path[0]!) && !same(at(account, field.path), sent))
      complaints.about(field.path, hostile, null, 'is listed otherwise')
  }
  count(t, list.length, added.size)
  complaints.none()
})

test('a payment over an account whose settings are hostile is a payment that failed, not a fault of ours', async () => {
  const shop = await openShop()
  const admin = adminDoor(shop)
  const settings: [string, object][] = [
    ['a key with a line end', { connector_account_details: { auth_type: 'HeaderKey', api_key: 'a\r\nx-evil: b' } }],
    ['a key that is no header', { connector_account_details: { auth_type: 'HeaderKey', api_key: 'ключ 👍' } }],
    ['an address that nobody answers', { metadata: { base_url: 'http://127.0.0.1:1' } }],
    ['an address with a name and password', { metadata: { base_url: 'http://a:b@127.0.0.1:1/x' } }],
    ['an address with a question', { metadata: { base_url: 'http://127.0.0.1:1/?a=b#c' } }],
    ['an address with blanks', { metadata: { base_url: ' http://127.0.0.1:1/\r\n' } }],
    ['an address with a path upwards', { metadata: { base_url: 'http://127.0.0.1:1/../../x' } }],
    ['a list of addresses', { metadata: { base_url: ['http://127.0.0.1:1'] } }],
  ]
  const complaints = openComplaints()
  for (const [i, [name, more]] of settings.entries()) {
    const merchant_id = `hostile_settings_${i}`
    await admin('POST', '/accounts', JSON.stringify({ merchant_id }))
    const { api_key } = (await admin('POST', `/api_keys/${merchant_id}`, JSON.stringify({ name: 'a', expiration: 'never' }))).body
    const account = {
      connector_type: 'payment_processor',
      connector_name: 'phonypay',
      connector_account_details: { auth_type: 'HeaderKey', api_key: 'sandbox_nobody' },
      ...more,
    }
    const added = await admin('POST', `/account/${merchant_id}/connectors`, JSON.stringify(account))
    const fault = faultOfAnswer(added)
    if (fault) complaints.about(['settings'], { name }, added, fault)
    if (added.status !== 200) continue
    const paid = await openDoor(shop.url, { 'api-key': api_key })('POST', '/payments', JSON.stringify(shop.payBody({})))
    if (paid.status !== 200 || !['failed', 'processing'].includes(paid.body.status))
      complaints.about(['settings'], { name }, paid, `the payment is ${paid.body?.status}`)
  }
  complaints.none()
})

// ------------------------------------------------------------------------------------------------ around the bodies

test('whatever stands in a query is understood or refused by name', async t => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  const refund_id = (await shop.refund(payment_id, 100)).body.refund_id
  const paths: Record<string, string> = {
    retrievePayment: `/payments/${payment_id}`,
    retrieveRefund: `/refunds/${refund_id}`,
    listEvents: `/events`,
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
    const always = name === 'listEvents' ? `object_id=${payment_id}` : ''
    for (const parameter of parameters) {
      const others = parameter === 'object_id' ? '' : `&${always}`
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
  const knock = doorOf(shop)
  const complaints = openComplaints()
  await each(requests, async ({ name, parameter, query, shown }) => {
    const heard = await knock('GET', `${paths[name]}?${query}`)
    const what = { name: `${name} ?${parameter} ${shown}` }
    const fault = faultOfAnswer(heard)
    if (fault) return complaints.about([parameter], what, heard, fault)
    if (heard.status === 200) {
      const unknown = ['stranger', '__proto__', 'constructor', 'toString'].includes(parameter) || /given twice|as a/.test(shown)
      if (unknown) complaints.about([parameter], what, null, 'was accepted')
      return
    }
    const plain = parameter.replaceAll('%00', '\0')
    const named = heard.body.error.message.includes(plain) || heard.status === 404 || parameter.includes('%')
    if (!named) complaints.about([parameter], what, heard, 'the refusal does not name it')
  })
  count(t, requests.length, 0)
  complaints.none()
})

test('whatever stands in a header is understood or refused', async t => {
  const shop = await openShop()
  const complaints = openComplaints()
  const goodBody = JSON.stringify({ amount: 1250, currency: 'USD' })
  const rows = await rowsOf(shop, 'payments')
  let created = 0
  const send = async (name: string, lines: (string | Buffer)[], allowed: (heard: Heard) => boolean, body: string | Buffer = goodBody) => {
    const head = [
      'POST /payments HTTP/1.1',
      'host: a',
      'connection: close',
      ...(lines.some(line => /^content-length|^transfer-encoding/i.test(String(line)))
        ? []
        : [`content-length: ${Buffer.byteLength(body)}`]),
    ]
    const bytes = Buffer.concat([
      Buffer.from(`${head.join('\r\n')}\r\n`),
      ...lines.flatMap(line => [Buffer.from(line as string), Buffer.from('\r\n')]),
      Buffer.from('\r\n'),
      Buffer.from(body as string),
    ])
    const heard = await shout(shop.url, bytes)
    if (heard.status === 200) created++
    if (!allowed(heard)) complaints.about(['headers'], { name }, heard, 'is answered in a way that was not expected')
  }
  const key = `api-key: ${shop.api_key}`
  const json = 'content-type: application/json'
  const refused = (status: number, code: string) => (heard: Heard) =>
    heard.status === status && heard.body?.error?.code === code && !faultOfRefusal(heard)
  const fine = (heard: Heard) => heard.status === 200
  /** Refused by Node before any of ours sees it. */
  const notHttp = (heard: Heard) => heard.status === 400 || heard.status === 431
  const utf8 = (name: string, text: string) => Buffer.from(`${name}: ${text}`, 'utf8')

  const odd = [
    '',
    ' ',
    'undefined',
    '__proto__',
    'constructor',
    "' or 1=1--",
    '%00',
    'x'.repeat(8000),
    `${shop.api_key} `.repeat(2),
    `${shop.api_key},${shop.api_key}`,
    'pk_',
    'pk_snd_',
    'snd_',
    `${shop.api_key}x`,
  ]
  for (const value of odd) await send(`api-key ${value.slice(0, 30)}`, [`api-key: ${value}`, json], refused(401, 'IR_01'))
  await send('api-key in UTF-8', [utf8('api-key', 'ключ👍'), json], refused(401, 'IR_01'))
  await send('api-key twice', [key, key, json], refused(401, 'IR_01'))
  await send('api-key with U+0000', [`${key}\0`, json], notHttp)
  await send('no api-key', [json], refused(401, 'IR_01'))
  await send('a publishable key', [`api-key: ${shop.publishable_key}`, json], refused(403, 'IR_22'))
  const token = (text: string) => `authorization: ${Buffer.from(text).toString('base64')}`
  const confirm = async (name: string, line: string) => {
    const heard = await shout(shop.url, `GET /payments/${newPaymentId()} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${line}\r\n\r\n`)
    if (heard.status !== 401 || faultOfRefusal(heard)) complaints.about(['authorization'], { name }, heard, 'is not a 401')
  }
  await confirm('a token with U+0000', token('publishable_key=pk_snd_\0,client_secret=a'))
  await confirm('a token of half a character', `authorization: ${Buffer.from([0xff, 0xfe, 0x2c]).toString('base64')}`)
  await confirm(
    'a token with a lone surrogate as bytes',
    `authorization: ${Buffer.concat([Buffer.from('client_secret=a,publishable_key=pk_'), Buffer.from([0xed, 0xa0, 0x80])]).toString('base64')}`,
  )
  await confirm('a token that is none', 'authorization: Bearer ====')
  await confirm('a token with odd names', token('__proto__=pk_a,client_secret=b'))

  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application',
    'json',
    ';',
    'application/',
    'a/b/c',
    'application/jsonx',
    'application/json-patch',
    'application/x-json-nothing',
    'x'.repeat(5000),
    "application/json'--",
  ])
    await send(`content-type ${type.slice(0, 30)}`, [key, `content-type: ${type}`], refused(400, 'IR_06'))
  for (const type of [
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/merge-patch+json',
    'application/json ; a=b',
  ])
    await send(`content-type ${type}`, [key, `content-type: ${type}`], fine)
  await send('no content-type', [key], refused(400, 'IR_06'))
  await send('content-type twice', [key, json, 'content-type: text/plain'], heard => heard.status === 200 || refused(400, 'IR_06')(heard))
  await send(
    'another charset',
    [key, 'content-type: application/json; charset=utf-16le'],
    refused(400, 'IR_06'),
    Buffer.from(goodBody, 'utf16le'),
  )
  await send('another encoding', [key, json, 'content-encoding: gzip'], refused(400, 'IR_06'), Buffer.from([0x1f, 0x8b, 8, 0, 0]))

  for (const value of ['', ' ', 'a b', 'x'.repeat(256), 'ключ', 'a\tb', '👍'])
    await send(`idempotency-key ${value.slice(0, 30)}`, [key, json, utf8('idempotency-key', value)], refused(422, 'IR_05'))
  for (const value of ['x'.repeat(255), '__proto__', 'constructor', "';drop--", '%00', '../..'])
    await send(`idempotency-key ${value.slice(0, 30)}`, [key, json, `idempotency-key: ${value}`], fine)
  await send('idempotency-key twice', [key, json, 'idempotency-key: a1', 'idempotency-key: b1'], refused(422, 'IR_05'))
  await send('idempotency-key twice the same', [key, json, 'idempotency-key: a2', 'idempotency-key: a2'], refused(422, 'IR_05'))

  for (const value of ['', 'x'.repeat(5000), '<script>', 'ключ', '%00', '$'.concat('{jndi:ldap://a}'), '../..'])
    await send(
      `x-request-id ${value.slice(0, 30)}`,
      [key, json, utf8('x-request-id', value)],
      heard => heard.status === 200 && /^[A-Za-z0-9_.:-]{1,128}$/.test(heard.headers['x-request-id'] as string),
    )
  await send('x-request-id twice', [key, json, 'x-request-id: a', 'x-request-id: b'], fine)
  await send('headers of 20 kB', [key, json, `x-a: ${'x'.repeat(20_000)}`], notHttp)
  await send(
    'a thousand headers',
    [key, json, ...Array.from({ length: 1000 }, (_, i) => `x-${i}: a`)],
    heard => heard.status === 200 || notHttp(heard),
  )

  await send('content-length too small', [key, json, 'content-length: 5'], heard => heard.status === 400)
  await send('content-length negative', [key, json, 'content-length: -1'], notHttp)
  await send('content-length no number', [key, json, 'content-length: x'], notHttp)
  await send('content-length twice', [key, json, 'content-length: 5', 'content-length: 6'], notHttp)
  await send('content-length and chunks', [key, json, 'content-length: 5', 'transfer-encoding: chunked'], notHttp)
  await send('a huge content-length', [key, json, 'content-length: 99999999999'], heard => refused(400, 'IR_06')(heard))
  await send('chunks', [key, json, 'transfer-encoding: chunked'], fine, `${goodBody.length.toString(16)}\r\n${goodBody}\r\n0\r\n\r\n`)
  await send(
    'chunks of one byte',
    [key, json, 'transfer-encoding: chunked'],
    fine,
    `${[...goodBody].map(c => `1\r\n${c}\r\n`).join('')}0\r\n\r\n`,
  )
  await send('a chunk that is none', [key, json, 'transfer-encoding: chunked'], notHttp, 'zz\r\n{}\r\n0\r\n\r\n')
  await send('an unknown encoding', [key, json, 'transfer-encoding: rot13'], heard => heard.status >= 400 && heard.status !== 500)
  t.diagnostic(`${created} accepted`)
  complaints.none()
  equal((await rowsOf(shop, 'payments')) - rows, created, 'what is refused leaves no row')
})

test('unknown addresses and methods are refused as such', async () => {
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
    const heard = await say(`GET ${path}`)
    const fault = faultOfRefusal(heard)
    if (fault || ![400, 404, 405].includes(heard.status))
      complaints.about(['path'], { name: path.slice(0, 40) }, heard, fault ?? 'is not refused as unknown')
  }
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/\{\w+\}/g, 'a')
    for (const method of ['PATCH', 'PUT', 'DELETE', 'POST', 'GET', 'TRACE', 'PROPFIND', 'LOCK']) {
      if (endpoints.some(other => other.method === method && new RegExp(`^${other.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)))
        continue
      const heard = await say(`${method} ${path}`)
      const fault = faultOfRefusal(heard)
      if (fault || heard.status !== 405) complaints.about(['method'], { name: `${method} ${path}` }, heard, fault ?? 'is not a 405')
    }
  }
  const nonsense = await say('NONSENSE /payments')
  equal(nonsense.status, 400)
  complaints.none()
})

// ------------------------------------------------------------------------------------------------ whole bodies

/** The endpoints that read JSON, each with an address that exists and a body that is good. */
async function posts(shop: Shop): Promise<{ name: string; path: string; key: string; good: Body }[]> {
  const [created, held, paid] = await Promise.all([shop.create(), shop.hold({ capture_method: 'manual_multiple' }), shop.pay()])
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
      good: { ...full(), connector: ['nobody'] },
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
  ]
}

/** A payment that says everything that can be said. */
function full(): Body {
  const host = hostOf([], false)
  for (const { path, schema } of fieldsOf(shapeOf('createPayment'))) {
    if (
      path.length !== 1 ||
      path[0]! in host ||
      [...notYet, ...particular, 'confirm', 'off_session', 'customer', 'card_cvc', 'enable_overcapture'].includes(path[0]!)
    )
      continue
    host[path[0]!] = path[0] === 'session_expiry' ? 900 : path[0] === 'payment_method_type' ? 'credit' : sample(schema)
  }
  return host
}

test('a body that is cut off, or holds any other bytes, is refused', async t => {
  const shop = await openShop()
  const complaints = openComplaints()
  equal((await shop.post('/payments', full())).status, 200, 'the whole body is good')
  const rows = await rowsOf(shop, 'payments')
  const text = Buffer.from(JSON.stringify({ ...full(), metadata: { e: 'é👍' } }))
  const knock = doorOf(shop)
  const cuts = Array.from({ length: text.length - 1 }, (_, i) => i + 1)
  await each(cuts, async length => {
    const heard = await knock('POST', '/payments', text.subarray(0, length))
    if (heard.status !== 400 || heard.body?.error?.code !== 'IR_06')
      complaints.about([], { name: `cut at ${length}` }, heard, 'is not refused')
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
        const heard = await openKey(key)('POST', path, body)
        if (heard.status !== 400 || heard.body?.error?.code !== 'IR_06')
          complaints.about([], { name: `${name} ${body.toString().slice(0, 20)}` }, heard, 'is not refused')
      }
    },
  )
  t.diagnostic(`${cuts.length + others.length * 8} requests`)
  complaints.none()
  equal((await rowsOf(shop, 'payments')) - rows, 0, 'what is refused leaves no row')
})

let all: ReturnType<typeof posts>
let openKey: (key: string) => Door
before(async () => {
  const shop = await openShop()
  all = posts(shop)
  await all
  const doors = new Map<string, Door>()
  openKey = key => {
    let door = doors.get(key)
    if (!door) {
      door = openDoor(shop.url, { 'api-key': key })
      doors.set(key, door)
    }
    return door
  }
})

test('a body of 256 kB is read, one byte more is refused', async () => {
  const shop = await openShop()
  const knock = doorOf(shop)
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
      const heard = await openKey(key)('POST', path, body)
      equal(heard.status, 400, `${path} ${heard.text}`)
      equal(heard.body.error.code, 'IR_06')
    }
  }
  // Without a length, too: the door counts.
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

test('ten thousand lines of an order, and lists as long as a body may be, are kept whole or refused', async () => {
  const shop = await openShop()
  const knock = doorOf(shop)
  const lists: Record<string, unknown[]> = {
    order_details: Array.from({ length: 5000 }, (_, i) => ({ product_name: `p${i}`, quantity: 1, amount: i })),
    connector: Array.from({ length: 20_000 }, (_, i) => `c${i}`),
    allowed_payment_method_types: new Array(20_000).fill('credit'),
    installment_options: Array.from({ length: 20_000 }, (_, i) => ({ i })),
    payment_channel: new Array(50_000).fill([]),
  }
  for (const [name, value] of Object.entries(lists)) {
    const heard = await knock('POST', '/payments', JSON.stringify({ amount: 1250, currency: 'USD', [name]: value }))
    equal(faultOfAnswer(heard), null, name)
    if (heard.status !== 200) continue
    const [{ asked }] = await shop.query('select asked from payments where payment_id = $1', [heard.body.payment_id])
    deepEqual(asked[name], value)
  }
})

test('the security code is asked for by its own rules wherever it stands, and is kept nowhere', async () => {
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
      const heard = await shop.post(path, path === '/payments' ? { amount: 1250, currency: 'USD', ...body } : body)
      equal(faultOfRefusal(heard), null, `${path} ${heard.text.slice(0, 200)}`)
      ok(heard.body.error.message.includes('card_cvc'), heard.text)
    }
  }
})

test('two ways to pay in one body are refused, whichever they are', async () => {
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
      const heard = await shop.post(path, ask)
      equal(faultOfRefusal(heard), null, `${path} ${a} and ${b} ${heard.text.slice(0, 200)}`)
      ok(heard.body.error.message.includes('payment_method_data'), heard.text)
    }
  })
  deepEqual(await shop.processor.operations(), [])
})

// ------------------------------------------------------------------------------------------------ anything at all

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

/** Knocks with what fast-check thinks of; the answer must be good or a refusal of the catalogue. */
async function holds(t: TestContext, bodies: (good: Body, shape: TSchema) => fc.Arbitrary<unknown>): Promise<void> {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
  t.diagnostic(`SEED=${seed}`)
  await Promise.all(
    (await all).map(({ name, path, key, good }) =>
      fc.assert(
        fc.asyncProperty(bodies(good, shapeOf(name)), async body => {
          const heard = await openKey(key)('POST', path, JSON.stringify(body))
          const fault = faultOfAnswer(heard)
          ok(!fault, `${name}: ${fault} · ${heard.status} ${heard.text.slice(0, 200)}`)
          if (name === 'createPayment' && heard.status === 200) {
            const seen = await openKey(key)('GET', `/payments/${heard.body.payment_id}`)
            ok(same(seen.body, heard.body), 'is shown otherwise a moment later')
          }
        }),
        { numRuns: 150, seed, interruptAfterTimeLimit: 15_000 },
      ),
    ),
  )
}

test('any JSON at all is answered', t => holds(t, () => fc.dictionary(anyText, anyJson, { maxKeys: 6 })))

test('any value in any member is answered', t =>
  holds(t, (_good, shape) => {
    const names = Object.keys((shape as Body).properties)
    return fc.dictionary(fc.constantFrom(...names), anyJson, { maxKeys: 8 })
  }))

test('a good body with anything changed in it is answered', t =>
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

/** The paths of all members, inside as well. */
function placesOf(value: unknown, path: string[] = []): string[][] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inner]) => [[...path, name], ...placesOf(inner, [...path, name])])
}

// ------------------------------------------------------------------------------------------------ afterwards

test('after all that the service answers, complains of nothing, and has not grown', async t => {
  const place = await openPlace()
  const shop = await openShop()
  equal((await shop.pay()).status, 'succeeded')
  const errors = place.logs.filter(line => line.includes('"level":"error"'))
  equal(errors.length, 0, `${errors.length} errors in the log; the first:\n${errors.slice(0, 3).join('\n')}`)
  equal(({} as Body).polluted, undefined, 'nobody touched the prototype of all objects')
  place.logs.length = 0
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
  const heap = Math.round(process.memoryUsage().heapUsed / 2 ** 20)
  t.diagnostic(`${heap} MB of heap`)
  ok(heap < 250, `${heap} MB of heap are still held`)
})
