import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { format, inspect } from 'node:util'
import { canonical } from './canonical.ts'
import { currencies, isCurrency } from './currencies.ts'
import { newEventId, newRequestId, newResourceId, randomAlphanumeric } from './id.ts'
import { Refusal, refusalCatalogue, refuse } from './refusal.ts'
import { Secret } from './secret.ts'
import { between, later, millisecondsOf } from './time.ts'

const context = { random: (n: number) => randomBytes(n), now: () => new Date().toISOString() }

test('ids of payments, refunds and payouts have exactly 30 characters and sort by time', () => {
  const early = newResourceId({ ...context, now: () => '2026-01-01T00:00:00.000Z' }, 'pay_')
  const late = newResourceId({ ...context, now: () => '2026-01-01T00:00:00.001Z' }, 'pay_')
  for (const id of [early, late, newResourceId(context, 'ref_'), newResourceId(context, 'pyt_')])
    ok(/^[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26}$/.test(id), id)
  ok(early < late)
})

test('request ids, event ids and secrets have fixed formats, and ten thousand request ids are all different', () => {
  equal(newRequestId(context).length, 26)
  ok(/^evt_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/.test(newEventId(context)), newEventId(context))
  ok(/^[0-9A-Za-z]{20}$/.test(randomAlphanumeric(context, 20)))
  equal(new Set(Array.from({ length: 10_000 }, () => newRequestId(context))).size, 10_000)
})

test('currencies have the decimals of ISO 4217, also where CLDR differs', () => {
  equal(Object.keys(currencies).length, 160)
  // From the list of the ISO 4217 maintenance agency; the third column is the value of Intl where it differs.
  const known = {
    USD: 2,
    EUR: 2,
    JPY: 0,
    KRW: 0,
    ISK: 0,
    BHD: 3,
    KWD: 3,
    TND: 3,
    CLF: 4,
    HUF: 2,
    IDR: 2,
    IQD: 3,
    PKR: 2,
    COP: 2,
    MGA: 2,
    IRR: 2,
    UGX: 0,
    VND: 0,
    XOF: 0,
    CLP: 0,
  } as const
  for (const [code, decimals] of Object.entries(known)) equal(currencies[code as keyof typeof known], decimals, code)
  ok(isCurrency('USD') && !isCurrency('usd') && !isCurrency('XXX') && !isCurrency('constructor'))
})

test('a secret cannot be printed by accident', () => {
  const secret = new Secret('4242424242424242')
  const error = new Error('x', { cause: { secret } })
  for (const text of [
    `${secret}`,
    JSON.stringify({ secret }),
    inspect({ secret }, { depth: 9, showHidden: true }),
    format('%s %o %j', secret, secret, secret),
    inspect(error),
    String([secret]),
  ]) {
    ok(!text.includes('4242'), text)
  }
  equal(secret.reveal(), '4242424242424242')
})

test('every error has a status and a code of two letters and two digits, and its body contains no null', () => {
  for (const [name, entry] of Object.entries(refusalCatalogue)) {
    ok(/^(IR|HE|CE|WE|IE|UR)_\d\d$/.test(entry.code), name)
    // A blocked payment is an error only by its body: Hyperswitch's clients recognize it so.
    ok(name === 'blocked' ? entry.status === 200 : entry.status >= 400 && entry.status < 600, name)
    ok(['invalid_request', 'api', 'connector', 'blocked'].includes(entry.type), name)
  }
  throws(
    () => refuse('missing', { field: 'amount' }),
    (error: Refusal) => {
      const type = 'invalid_request'
      const help = 'Send the parameter named in the message.'
      deepEqual(error.body(), { error: { type, error_type: type, message: 'Missing required param: amount', code: 'IR_04', help } })
      return true
    },
  )
  const { message, help } = new Refusal('no_connector', { why: 'none is enabled' }).body().error
  deepEqual(
    [message, help],
    [
      'No eligible connector was found for the current payment method configuration',
      'No connector account can process this payment: none is enabled. Check the connector accounts: one must be enabled for this profile, payment method, currency and capture method.',
    ],
  )
  const long = new Refusal('unreadable', { field: null, problem: 'x'.repeat(6000) })
  equal(long.message.length, 5001)
})

test('equal bodies have the same canonical text, regardless of the order of their fields', () => {
  equal(canonical({ b: 1, a: { d: [2, { y: 1, x: 2 }], c: null } }), canonical({ a: { c: null, d: [2, { x: 2, y: 1 }] }, b: 1 }))
  ok(canonical({ a: [1, 2] }) !== canonical({ a: [2, 1] }))
})

test('times are added and subtracted correctly across days and years', () => {
  equal(later('2026-12-31T23:59:59.999Z', 1), '2027-01-01T00:00:00.000Z')
  equal(later('2026-12-31T23:59:59.999Z', -86_400_000), '2026-12-30T23:59:59.999Z')
  equal(later('2026-12-31T23:59:59.999Z', 1), '2027-01-01T00:00:00.000Z')
  equal(millisecondsOf('1970-01-01T00:00:01.234Z'), 1234)
  equal(between('2026-11-20T10:00:00.000Z', '2026-11-20T10:00:05.250Z'), 5250)
  equal(between('2026-11-20T10:00:05.250Z', '2026-11-20T10:00:00.000Z'), -5250)
})
