import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { accountAt } from '../../../test/card-ask.ts'
import { notSent, rehearse, replied, silence } from '../../../test/rehearse.ts'
import type { ChangesRead, Conversation } from '../connector.ts'
import type { PaymentRead } from '../payment-report.ts'
import { phonypay } from './connector.ts'

const account = accountAt('http://127.0.0.1:8081', { api_key: 'sandbox_shop' }, {}, 'whsec')
const question = {
  reference: 'auth_1',
  request_id: 'REQ1',
  money: { amount: 1000, currency: 'USD' },
  began: '2026-03-01T10:00:00.000Z',
} as const

const authorization = {
  id: 'auth_1',
  object: 'operation',
  type: 'authorization',
  payment: 'auth_1',
  reference: 'REQ1',
  status: 'approved',
  amount: 1000,
  currency: 'USD',
  decline: null,
  redirect_url: null,
  payment_state: { status: 'partially_captured', authorized: 1000, captured: 600, refunded: 200 },
  created_at: '2026-03-01T10:00:00.000Z',
}
const capture = { ...authorization, id: 'cap_1', type: 'capture', reference: 'REQ2', amount: 600 }
const refund = { ...authorization, id: 'ref_1', type: 'refund', reference: 'dash_1', origin: 'dashboard', reason: 'damaged', amount: 200 }
const declined = {
  ...{ ...refund, id: 'ref_2', status: 'declined', reason: null },
  decline: { code: 'refund_declined', message: '<b>No.</b>', network_code: null, network_advice: null },
}
const payment = {
  id: 'auth_1',
  object: 'payment',
  reference: 'REQ1',
  currency: 'USD',
  status: 'partially_captured',
  ...{ authorized: 1000, captured: 600, refunded: 200, disputed: 0, held: 400, released: null },
  operations: [authorization, capture, refund, declined],
  disputes: ['dsp_1'],
}

const reading = (asked: object, ...replies: Parameters<typeof rehearse>[1]) =>
  rehearse<PaymentRead>(phonypay.read_payment({ ...question, ...asked }, account), replies)

test('a whole payment is one request, and tells totals and all movements, those that nobody here made too', () => {
  const { lines, outcome } = reading({}, replied(200, payment))
  deepEqual(lines, ['GET http://127.0.0.1:8081/v1/payments/auth_1'])
  const usd = (amount: number) => ({ amount, currency: 'USD' })
  const at = '2026-03-01T10:00:00.000Z'
  deepEqual(outcome, {
    is: 'payment',
    report: {
      reference: 'auth_1',
      currency: 'USD',
      ...{ authorized: 1000, captured: 600, refunded: 200, held: 400, released: null, disputes: ['dsp_1'] },
      movements: [
        { verb: 'capture', reference: 'cap_1', request_id: 'REQ2', amount: usd(600), state: 'done', reason: null, at },
        { verb: 'refund', reference: 'ref_1', request_id: 'dash_1', amount: usd(200), state: 'done', reason: 'damaged', at },
        { verb: 'refund', reference: 'ref_2', request_id: 'dash_1', amount: usd(200), state: 'declined', reason: 'No.', at },
      ],
    },
  })
})

test('a payment whose answer was lost is read by our request id', () => {
  const { lines, outcome } = reading({ reference: null }, replied(200, payment))
  deepEqual(lines, ['GET http://127.0.0.1:8081/v1/payments/by-reference/REQ1'])
  equal(outcome.is, 'payment')
  equal(reading({ reference: null }, replied(200, { ...payment, reference: 'REQ9' })).outcome.is, 'unknown')
})

test('an invalid answer about a payment is no answer, and only a documented 404 says that there is none', () => {
  const error = { error: { code: 'not_found', message: 'No such payment', param: null } }
  equal(reading({}, replied(404, error)).outcome.is, 'not_found')
  const of = (operation: object) => ({ ...payment, operations: [authorization, operation] })
  const table: [name: string, status: number, body: unknown][] = [
    ['another payment', 200, { ...payment, id: 'auth_2', operations: [] }],
    ['an amount in text', 200, { ...payment, refunded: '200' }],
    ['less than nothing', 200, { ...payment, captured: -1 }],
    ['no amount', 200, { ...payment, held: undefined }],
    ['no currency of ours', 200, { ...payment, currency: 'XXX' }],
    ['another end of the hold', 200, { ...payment, released: 'gone' }],
    ['an operation of another payment', 200, of({ ...capture, payment: 'auth_2' })],
    ['an operation without an amount', 200, of({ ...capture, amount: null })],
    ['an operation in another state', 200, of({ ...capture, status: 'settled' })],
    ['a dispute without an id', 200, { ...payment, disputes: [{}] }],
    ['a list instead', 200, [payment]],
    ['a page', 200, '<html></html>'],
    ['a 404 page', 404, '<html></html>'],
    ['a refusal', 401, { error: { code: 'unauthorized', message: 'Who?' } }],
  ]
  for (const [name, status, body] of table) equal(reading({}, replied(status, body)).outcome.is, 'unknown', name)
  for (const reply of [silence, notSent]) equal(reading({}, reply).outcome.is, 'unknown')
})

const news = (operation: object, more: object = {}) => ({
  type: 'operation.updated',
  payment: { id: 'auth_1', reference: 'REQ1' },
  operation,
  ...more,
})
const read = (body: unknown) => phonypay.webhook.read(Buffer.from(JSON.stringify(body)))

test('a webhook about what a person did at the processor is news of the payment, never an outcome of ours', () => {
  const [update, ...more] = read(news(refund))
  deepEqual(more, [])
  if (update?.is !== 'payment' || update.report === 'ask') throw new Error('no report of the payment')
  deepEqual(update.of, [{ request_id: 'REQ1', verb: 'authorize' }])
  const { movements, ...totals } = update.report
  deepEqual(totals, {
    reference: 'auth_1',
    currency: 'USD',
    ...{ authorized: 1000, captured: 600, refunded: 200, held: 400, released: null, disputes: [] },
  })
  deepEqual(
    movements.map(({ reference, request_id, state }) => [reference, request_id, state]),
    [['ref_1', 'dash_1', 'done']],
  )
})

test('a void at the processor says how the hold ended, and a refund that came back asks for the payment', () => {
  const state = { status: 'captured', authorized: 1000, captured: 600, refunded: 0 }
  const [ended] = read(news({ ...refund, id: 'void_1', type: 'void', amount: 400, payment_state: state }))
  deepEqual(ended?.is === 'payment' && ended.report !== 'ask' && [ended.report.held, ended.report.released], [0, 'voided'])
  const [back] = read(news({ ...declined, status: 'returned' }))
  equal(back?.is === 'payment' && back.report, 'ask')
})

test('our own refund that came back is declined after its success', () => {
  const [update] = read(news({ ...declined, reference: 'REQ3', origin: undefined, status: 'returned' }))
  if (update?.is !== 'outcome' || update.outcome === 'ask' || update.outcome.is !== 'declined') throw new Error('no decline')
  deepEqual([update.of, update.outcome.after_yes], [[{ request_id: 'REQ3' }], true])
})

test('news of a payment that are not named, or are of a payout, are no news', () => {
  for (const more of [{ payment: undefined }, { payment: { id: 'auth_2', reference: 'REQ1' } }, { payment: { id: 'auth_1' } }])
    deepEqual(read(news(refund, more)), [])
  deepEqual(read(news({ ...refund, type: 'payout_cancel' })), [])
})

const listing = (page: string | null, ...replies: Parameters<typeof rehearse>[1]) => {
  const asked = { since: '2026-03-01T10:00:00.000Z', until: '2026-03-02T10:00:00.000Z', page } as const
  return rehearse<ChangesRead>(phonypay.list_changes(asked, account) as Conversation<ChangesRead>, replies)
}

test('a list of changes is read page by page, each entry as its webhook would have told', () => {
  const data = [news({ ...capture, arn: '1' }), news(refund), { type: 'ping' }, news({ ...capture, amount: 'x' })]
  const { lines, outcome } = listing(null, replied(200, { object: 'list', data, next: '2026-03-01T10:00:00.000Z.ref_1' }))
  const span = 'since=2026-03-01T10%3A00%3A00.000Z&until=2026-03-02T10%3A00%3A00.000Z'
  deepEqual(lines, [`GET http://127.0.0.1:8081/v1/changes?${span}`])
  if (outcome.is !== 'changes') throw new Error(outcome.is)
  deepEqual(
    outcome.updates.map(({ is }) => is),
    ['outcome', 'payment'],
  )
  equal(outcome.next, '2026-03-01T10:00:00.000Z.ref_1')
  const last = listing(outcome.next, replied(200, { object: 'list', data: [], next: null }))
  deepEqual(last.lines, [`GET http://127.0.0.1:8081/v1/changes?${span}&cursor=2026-03-01T10%3A00%3A00.000Z.ref_1`])
  deepEqual(last.outcome, { is: 'changes', updates: [], next: null })
})

test('an answer that is no list of changes is unknown, a 404 too', () => {
  const error = { error: { code: 'not_found', message: 'Unrecognized', param: null } }
  for (const reply of [replied(404, error), replied(200, {}), replied(200, { object: 'list', data: [], next: 5 }), silence, notSent])
    equal(listing(null, reply).outcome.is, 'unknown')
})
