import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { accountAt } from '../../../test/card-ask.ts'
import { notSent, rehearse, replied, silence } from '../../../test/rehearse.ts'
import type { Reply } from '../../context.ts'
import type { PaymentQuestion, PaymentReport } from '../payment-report.ts'
import { checkout } from './connector.ts'

/** What Checkout.com says of payments whose money was moved in its dashboard. */

const keys = { api_key: 'pk_sbox_1', key1: 'pc_channel', api_secret: 'sk_sbox_1' }
const account = accountAt('https://api.checkout.com', keys, {}, 'signing')
const ask: PaymentQuestion = {
  reference: 'pay_1',
  request_id: 'REQ1',
  money: { amount: 5000, currency: 'USD' },
  began: '2026-03-01T10:00:00.000Z',
}

const balances = (more: object = {}) => ({
  ...{ total_authorized: 5000, total_voided: 0, available_to_void: 0, total_captured: 5000, available_to_capture: 0 },
  ...{ total_refunded: 0, available_to_refund: 5000, ...more },
})
const payment = (status: string, of: object = {}, more: object = {}) => ({
  ...{ id: 'pay_1', amount: 5000, currency: 'USD', approved: true, status, reference: 'REQ1', source: { type: 'card' } },
  ...{ balances: balances(of), ...more },
})
const action = (type: string, id: string, amount: number | undefined, more: object = {}) => ({
  ...{ id, type, amount, approved: true, response_code: '10000', response_summary: 'Approved' },
  ...{ processed_on: '2026-03-01T10:30:00.1234567Z', ...more },
})
const authorization = action('Authorization', 'act_1', 5000, { reference: 'REQ1' })
const captured = action('Capture', 'act_2', 5000, { reference: 'REQ1' })
const nothing = { limit: 250, skip: 0, total_count: 0, data: [] }

const read = (replies: Reply[], of: PaymentQuestion = ask) => rehearse(checkout.read_payment(of, account), replies)
function reportIn(...bodies: object[]): PaymentReport {
  const { outcome } = read(bodies.map(body => replied(200, body)))
  ok(outcome.is === 'payment', JSON.stringify(outcome))
  return outcome.report
}

test('a payment is read with its actions and disputes; a refund made in the dashboard has no reference of its own', () => {
  const refund = action('Refund', 'act_3', 2000)
  const bodies = [payment('Partially Refunded', { total_refunded: 2000 }), [refund, captured, authorization], nothing]
  const { requests, outcome } = read(bodies.map(body => replied(200, body)))
  deepEqual(
    requests.map(({ method, url }) => `${method} ${url.slice(account.base_url.length)}`),
    ['GET /payments/pay_1', 'GET /payments/pay_1/actions', 'GET /disputes?payment_id=pay_1&limit=250'],
  )
  const at = '2026-03-01T10:30:00.123Z'
  deepEqual(outcome, {
    is: 'payment',
    report: {
      ...{ reference: 'pay_1', currency: 'USD', authorized: 5000, captured: 5000, refunded: 2000, held: 0, released: null, disputes: [] },
      movements: [
        {
          ...{ verb: 'capture', reference: 'act_2', request_id: 'REQ1', amount: { amount: 5000, currency: 'USD' } },
          ...{ state: 'done', reason: null, at },
        },
        {
          ...{ verb: 'refund', reference: 'act_3', request_id: 'REQ1', amount: { amount: 2000, currency: 'USD' } },
          ...{ state: 'done', reason: null, at },
        },
      ],
    },
  })
})

test('a hold is read by two requests: open, raised, voided or expired', () => {
  const held = (status: string, of: object, ...actions: object[]) => {
    const report = reportIn(payment(status, { total_captured: 0, available_to_refund: 0, ...of }), [...actions, authorization])
    const { authorized, captured, held, released, movements } = report
    return [authorized, captured, held, released, movements.map(one => `${one.verb} ${one.amount.amount} ${one.state}`).join()]
  }
  deepEqual(held('Authorized', { available_to_capture: 5000 }), [5000, 0, 5000, null, ''])
  const raise = action('Authorization', 'act_5', 500)
  const no = action('Authorization', 'act_6', 100, { approved: false, response_code: '20005', response_summary: 'Do Not Honour' })
  deepEqual(held('Authorized', { total_authorized: 5500, available_to_capture: 5500 }, no, raise), [
    ...[5500, 0, 5500, null],
    'increment 5500 done,increment 5600 declined',
  ])
  const bodies = (status: string) => [payment(status, { total_captured: 0 }), [action('Void', 'act_3', undefined), authorization]]
  const voided = reportIn(...bodies('Voided'))
  deepEqual([voided.released, voided.movements.map(({ verb, reference }) => [verb, reference])], ['voided', [['void', 'act_3']]])
  equal(reportIn(payment('Expired', { total_captured: 0 }), [authorization]).released, 'expired')
})

test('a payment is read again if money moved between the requests for it and for its actions', () => {
  const taken = action('Capture', 'act_2', 2000, { reference: 'REQ1' })
  const before = payment('Authorized', { total_captured: 0, available_to_capture: 5000, available_to_refund: 0 })
  const now = payment('Partially Captured', { total_captured: 2000, available_to_capture: 0, available_to_refund: 2000 })
  const { captured, held } = reportIn(before, [taken, authorization], now, nothing)
  deepEqual([captured, held], [2000, 0])
})

test('without balances the totals are those of the actions; what the merchant sent and the processor declined moves nothing', () => {
  const own = action('Refund', 'act_3', 700, { reference: 'REQ4' })
  const declined = action('Refund', 'act_4', 100, { approved: false, response_summary: 'Insufficient funds' })
  const report = reportIn(payment('Partially Refunded', {}, { balances: undefined }), [declined, own, captured, authorization], nothing)
  deepEqual([report.captured, report.refunded, report.held], [5000, 700, null])
  deepEqual(
    report.movements.slice(1).map(({ request_id, state, reason }) => [request_id, state, reason]),
    [
      ['REQ4', 'done', null],
      ['REQ1', 'declined', 'Insufficient funds'],
    ],
  )
})

test('disputes are those of the list, and the returns of a debit among its actions', () => {
  const listed = { ...nothing, total_count: 1, data: [{ id: 'dsp_1', status: 'won', payment_id: 'pay_1' }] }
  const back = action('Return', 'act_9', 5000)
  deepEqual(reportIn(payment('Captured'), [back, captured, authorization], listed).disputes, ['dsp_1', 'pay_1/act_9'])
})

test('a payment without a reference is searched for; what is not found, not answered or not understood is unknown', () => {
  const nameless = { ...ask, reference: null }
  const found = read(
    [{ ...nothing, data: [payment('Captured')] }, [captured, authorization], nothing].map(body => replied(200, body)),
    nameless,
  )
  equal(found.outcome.is, 'payment')
  equal(found.requests[0]!.url, 'https://api.checkout.com/payments?limit=10&reference=REQ1')
  equal(read([replied(200, nothing)], nameless).outcome.is, 'unknown', 'the list is behind')
  equal(read([replied(404, '')]).outcome.is, 'not_found')
  const whole = replied(200, payment('Captured'))
  const actions = replied(200, [captured, authorization])
  for (const replies of [
    ...[[silence], [notSent], [replied(200, {})], [replied(200, payment('Captured', {}, { id: 'pay_2' }))]],
    ...[
      [whole, silence],
      [whole, replied(404, '')],
      [whole, actions, silence],
    ],
    [replied(200, payment('Captured', {}, { amount: undefined, currency: undefined })), actions, replied(200, nothing)],
    [whole, replied(200, [action('Refund', 'act_3', undefined), authorization]), replied(200, nothing)],
  ])
    equal(read(replies).outcome.is, 'unknown')
})

test('amounts are counted in the processor’s units', () => {
  const of = { total_authorized: 500_000, total_captured: 500_000, available_to_capture: 0 }
  const clp = payment('Captured', of, { amount: 500_000, currency: 'CLP' })
  const actions = [action('Capture', 'act_2', 500_000), action('Authorization', 'act_1', 500_000)]
  const { captured, movements } = reportIn(clp, actions, nothing)
  deepEqual([captured, movements[0]!.amount], [5000, { amount: 5000, currency: 'CLP' }])
})

const told = (type: string, data: object) => checkout.webhook.read(Buffer.from(JSON.stringify({ id: 'evt_1', type, data })))

test('a webhook about an action that is none of ours tells the balances of its payment', () => {
  const data = { id: 'pay_1', action_id: 'act_3', amount: 2000, currency: 'USD', processed_on: '2026-03-01T10:30:00Z' }
  const [update, ...more] = told('payment_refunded', { ...data, balances: balances({ total_refunded: 2000 }) })
  deepEqual(more, [])
  deepEqual(update, {
    is: 'outcome',
    of: [{ reference: 'act_3', verb: 'refund' }],
    outcome: 'ask',
    otherwise: {
      is: 'payment',
      of: [{ reference: 'pay_1', verb: 'authorize' }],
      report: {
        ...{ reference: 'pay_1', currency: 'USD', authorized: 5000, captured: 5000, refunded: 2000, held: null, released: null },
        movements: [
          {
            ...{ verb: 'refund', reference: 'act_3', request_id: null, amount: { amount: 2000, currency: 'USD' } },
            ...{ state: 'done', reason: null, at: '2026-03-01T10:30:00.000Z' },
          },
        ],
        disputes: [],
      },
    },
  })
  const report = (type: string, more: object = {}) => {
    const [update] = told(type, { ...data, balances: balances(), reference: 'REQ1', ...more })
    const whole = update?.is === 'outcome' ? update.otherwise : undefined
    if (whole?.is !== 'payment') return whole?.is
    const { of, report } = whole
    equal(of.length, 2)
    return report === 'ask' ? 'ask' : report.movements.map(one => `${one.verb} ${one.amount.amount} ${one.state} ${report.released}`).join()
  }
  equal(report('payment_captured'), 'capture 2000 done null')
  equal(report('payment_voided'), 'void 2000 done voided')
  equal(report('payment_void_declined'), 'void 2000 declined null')
  equal(report('payment_refund_declined'), 'refund 2000 declined null')
  equal(report('payment_authorization_incremented'), 'increment 5000 done null')
  equal(report('payment_authorization_incremented', { balances: undefined }), '')
  equal(report('payment_refunded', { currency: undefined }), 'ask')
  equal(report('payment_refunded', { balances: { total_refunded: 'all' } }), 'ask')
})

test('a declined automatic capture is told of the payment that its id names', () => {
  const [update] = told('payment_capture_declined', { id: 'pay_1', action_id: 'act_2', reference: 'REQ1' })
  const failed = update?.is === 'outcome' ? update.otherwise : undefined
  ok(failed?.is === 'outcome' && failed.outcome !== 'ask' && failed.outcome.is === 'declined')
  deepEqual([failed.outcome.reference, failed.outcome.after_yes], ['pay_1', true])
  deepEqual(failed.of, [
    { request_id: 'REQ1', verb: 'authorize' },
    { reference: 'pay_1', verb: 'authorize' },
  ])
  deepEqual(told('payment_refunded', { action_id: 'act_2' }), [], 'it names no payment')
})

const listedDispute = (more: object = {}) => ({
  ...{ id: 'dsp_1', category: 'fraudulent', status: 'evidence_required', amount: 2000, currency: 'USD', reason_code: '10.4' },
  ...{ payment_id: 'pay_1', payment_action_id: 'act_2', payment_reference: 'REQ1', payment_method: 'VISA' },
  ...{ received_on: '2026-03-01T10:00:00Z', last_update: '2026-03-02T10:00:00Z', ...more },
})

test('disputes that changed are listed by one request, page after page', () => {
  const span = { since: '2026-03-01T10:00:00.500Z', until: '2026-03-01T11:00:00.500Z' }
  const list = (data: object[], page: string | null = null) =>
    rehearse(checkout.list_changes({ ...span, page }, account), [replied(200, { ...nothing, total_count: 300, data })])
  const resolved = listedDispute({ id: 'dsp_2', status: 'resolved' })
  const { requests, outcome } = list([listedDispute(), resolved, listedDispute({ id: 'dsp_3', status: 'something new' })])
  equal(requests[0]!.url, 'https://api.checkout.com/disputes?from=2026-03-01T10%3A00%3A00.500Z&limit=250&skip=0')
  ok(outcome.is === 'changes')
  deepEqual(outcome.updates, [
    {
      is: 'dispute',
      of: [
        { request_id: 'REQ1', verb: 'authorize' },
        { reference: 'pay_1', verb: 'authorize' },
      ],
      dispute: {
        ...{ reference: 'dsp_1', stage: 'dispute', status: 'dispute_opened', said: 'evidence_required' },
        ...{ amount: { amount: 2000, currency: 'USD' }, reason: 'fraudulent', reason_code: '10.4', respond_by: null },
        ...{ created: '2026-03-01T10:00:00.000Z', updated: '2026-03-02T10:00:00.000Z' },
      },
    },
    { is: 'dispute', dispute: 'ask', reference: 'dsp_2' },
    { is: 'dispute', dispute: 'ask', reference: 'dsp_3' },
  ])
  equal(outcome.next, null)
  const page = list(Array.from({ length: 250 }, () => listedDispute()))
  ok(page.outcome.is === 'changes' && page.outcome.next === '250')
  ok(list([], '250').requests[0]!.url.endsWith('&skip=250'))
  for (const reply of [silence, notSent, replied(500, ''), replied(200, {}), replied(200, { data: [{}] })])
    equal(rehearse(checkout.list_changes({ ...span, page: null }, account), [reply]).outcome.is, 'unknown')
})

test('a declined refund is over, also one that was approved before', () => {
  const [update] = told('payment_refund_declined', {
    id: 'pay_1',
    action_id: 'act_3',
    reference: 'REQ4',
    response_summary: 'Closed account',
  })
  ok(update?.is === 'outcome' && update.outcome !== 'ask' && update.outcome.is === 'declined')
  const { reference, message, after_yes } = update.outcome
  deepEqual([reference, message, after_yes, update.of.length], ['act_3', 'Closed account', true, 2])
})
