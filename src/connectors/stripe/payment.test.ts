import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type Stripe from 'stripe'
import { accountAt } from '../../../test/card-ask.ts'
import { exactly } from '../../../test/exactly.ts'
import { notSent, rehearse, replied, silence } from '../../../test/rehearse.ts'
import type { Reply } from '../../context.ts'
import type { PaymentQuestion, PaymentReport } from '../payment-report.ts'
import { stripe } from './connector.ts'

/** What Stripe says of payments whose money was moved in its dashboard, or by another program. */

const account = accountAt('https://api.stripe.com', { api_key: 'sk_test_1' }, {}, 'whsec_1')
const ask: PaymentQuestion = {
  reference: 'pi_1',
  request_id: 'REQ1',
  money: { amount: 5000, currency: 'USD' },
  began: '2026-03-01T10:00:00.000Z',
}

type Refunded = Pick<Stripe.Refund, 'id' | 'amount' | 'status' | 'balance_transaction' | 'reason' | 'metadata'> & {
  failure_reason?: string
}
const refund = ({ id, ...more }: Partial<Refunded> & { id: string }) => ({
  ...{ id, object: 'refund', amount: 2000, currency: 'usd', charge: 'ch_1', payment_intent: 'pi_1', created: 1772359200 },
  ...{ status: 'succeeded', balance_transaction: `txn_${id}`, reason: null, metadata: {}, ...more },
})
const list = (data: object[], has_more = false) => ({ object: 'list', url: '/', data, has_more })

type Charged = Pick<Stripe.Charge, 'amount_captured' | 'amount_refunded' | 'disputed' | 'captured' | 'metadata' | 'refunded'>
const charge = (more: Partial<Charged> & { refunds?: object } = {}) => ({
  ...{ id: 'ch_1', object: 'charge', amount: 5000, amount_captured: 5000, amount_refunded: 0, captured: true, refunded: false },
  ...{ currency: 'usd', disputed: false, metadata: { request_id: 'REQ1' }, payment_intent: 'pi_1' },
  ...more,
})

type Intended = Pick<Stripe.PaymentIntent, 'status' | 'amount_received' | 'amount_capturable' | 'cancellation_reason'>
const intent = (latest_charge: object | string | null, more: Partial<Intended> = {}) => ({
  ...{ id: 'pi_1', object: 'payment_intent', status: 'succeeded', amount: 5000, amount_capturable: 0, amount_received: 5000 },
  ...{ currency: 'usd', metadata: { request_id: 'REQ1' }, next_action: null, last_payment_error: null, latest_charge },
  ...more,
})

const read = (replies: Reply[], of: PaymentQuestion = ask) => rehearse(stripe.read_payment(of, account), replies)
function reportIn(...bodies: object[]): PaymentReport {
  const { outcome } = read(bodies.map(body => replied(200, body)))
  ok(outcome.is === 'payment', JSON.stringify(outcome))
  return outcome.report
}

test('a payment is read by one request, with the refund that somebody made in the dashboard', () => {
  const refunds = list([refund({ id: 're_2', reason: 'requested_by_customer' })])
  const { requests, outcome } = read([replied(200, intent(charge({ amount_refunded: 2000, refunds })))])
  deepEqual(
    requests.map(({ method, url }) => `${method} ${url}`),
    ['GET https://api.stripe.com/v1/payment_intents/pi_1?expand[]=latest_charge.refunds'],
  )
  deepEqual(outcome, {
    is: 'payment',
    report: {
      reference: 'pi_1',
      currency: 'USD',
      authorized: 5000,
      captured: 5000,
      refunded: 2000,
      held: 0,
      released: null,
      movements: [
        {
          verb: 'refund',
          reference: 're_2',
          request_id: 'REQ1',
          amount: { amount: 2000, currency: 'USD' },
          state: 'done',
          reason: 'requested_by_customer',
          at: '2026-03-01T10:00:00.000Z',
        },
      ],
      requests: [],
      disputes: [],
    },
  })
})

test('refunds of our own name our request, others that of the payment; those that wait or failed are no money given back', () => {
  const refunds = list([
    refund({ id: 're_4', status: 'failed', failure_reason: 'expired_or_canceled_card' }),
    refund({ id: 're_3', status: 'pending', balance_transaction: null, amount: 500 }),
    refund({ id: 're_2', metadata: { request_id: 'REQ4' }, amount: 300 }),
  ])
  const { refunded, movements } = reportIn(intent(charge({ amount_refunded: 800, refunds })))
  equal(refunded, 300)
  deepEqual(
    movements.map(({ reference, request_id, state, reason }) => [reference, request_id, state, reason]),
    [
      ['re_4', 'REQ1', 'declined', 'expired_or_canceled_card'],
      ['re_3', 'REQ1', 'waiting', null],
      ['re_2', 'REQ4', 'done', null],
    ],
  )
})

test('a capture of a hold in the dashboard is known by its total, and the rest that Stripe lets go is no refund', () => {
  const rest = refund({ id: 're_9', amount: 2000, balance_transaction: null })
  const given = refund({ id: 're_2', amount: 1000 })
  const part = intent(charge({ amount_captured: 3000, amount_refunded: 3000, refunds: list([given, rest]) }), { amount_received: 3000 })
  const { authorized, captured, refunded, held, released, movements } = reportIn(part)
  deepEqual([authorized, captured, refunded, held, released], [5000, 3000, 1000, 0, 'voided'])
  deepEqual(
    movements.map(({ reference }) => reference),
    ['re_2'],
  )
})

test('a hold is open, cancelled by somebody, or let go by Stripe in time; none of this gives money back', () => {
  const held = charge({ captured: false, amount_captured: 0, refunds: list([]) })
  const gone = (reason: 'expired_uncaptured_charge' | null) =>
    charge({
      ...{ captured: false, amount_captured: 0, amount_refunded: 5000, refunded: true },
      refunds: list([refund({ id: 're_9', amount: 5000, balance_transaction: null, reason })]),
    })
  const rows: [object, Partial<PaymentReport>][] = [
    [intent(held, { status: 'requires_capture', amount_received: 0, amount_capturable: 5000 }), { held: 5000, released: null }],
    [intent(gone(null), { status: 'canceled', amount_received: 0, cancellation_reason: 'abandoned' }), { held: 0, released: 'voided' }],
    [intent(gone(null), { status: 'canceled', amount_received: 0, cancellation_reason: 'automatic' }), { held: 0, released: 'expired' }],
    [intent(gone('expired_uncaptured_charge'), { status: 'canceled', amount_received: 0 }), { held: 0, released: 'expired' }],
  ]
  for (const [body, { held, released }] of rows) {
    const report = reportIn(body)
    deepEqual([report.authorized, report.captured, report.refunded], [5000, 0, 0])
    deepEqual([report.held, report.released, report.movements], [held, released, []])
  }
})

test('an intent that no bank has approved reports no authorization', () => {
  const open = intent(null, { status: 'requires_payment_method', amount_received: 0 })
  const { authorized, captured, refunded, held, released } = reportIn(open)
  deepEqual([authorized, captured, refunded, held, released], [null, 0, 0, 0, null])
})

test('a disputed charge has its disputes listed, which takes one request more', () => {
  const disputes = list([{ id: 'dp_2', object: 'dispute' }])
  const { requests, outcome } = read([intent(charge({ disputed: true, refunds: list([]) })), disputes].map(body => replied(200, body)))
  equal(requests[1]!.url, 'https://api.stripe.com/v1/disputes?payment_intent=pi_1&limit=100')
  deepEqual(outcome.is === 'payment' && outcome.report.disputes, ['dp_2'])
})

test('more refunds than an expanded charge shows are read from their own list, page after page', () => {
  const first = intent(charge({ amount_refunded: 30, refunds: list([refund({ id: 're_3', amount: 10 })], true) }))
  const pages = [
    list([refund({ id: 're_3', amount: 10 }), refund({ id: 're_2', amount: 10 })], true),
    list([refund({ id: 're_1', amount: 10 })]),
  ]
  const { requests, outcome } = read([first, ...pages].map(body => replied(200, body)))
  deepEqual(
    requests.slice(1).map(({ url }) => url.replace('https://api.stripe.com/v1/refunds?', '')),
    ['payment_intent=pi_1&limit=100', 'payment_intent=pi_1&limit=100&starting_after=re_2'],
  )
  ok(outcome.is === 'payment')
  deepEqual([outcome.report.refunded, outcome.report.movements.length], [30, 3])
})

test('a payment without a reference is searched for; what is not found, not answered or not understood is unknown', () => {
  const nameless = { ...ask, reference: null }
  const found = read([replied(200, { object: 'search_result', data: [intent(charge({ refunds: list([]) }))] })], nameless)
  equal(found.outcome.is, 'payment')
  const query = encodeURIComponent('metadata["request_id"]:"REQ1"')
  equal(found.requests[0]!.url, `https://api.stripe.com/v1/payment_intents/search?query=${query}&expand[]=data.latest_charge.refunds`)
  equal(read([replied(200, { object: 'search_result', data: [] })], nameless).outcome.is, 'unknown', 'the search is behind')
  const missing = { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such payment_intent.' } }
  equal(read([replied(404, missing)]).outcome.is, 'not_found')
  const disputed = replied(200, intent(charge({ disputed: true, refunds: list([]) })))
  for (const replies of [[silence], [notSent], [replied(200, {})], [replied(200, intent('ch_1'))], [disputed, silence]])
    equal(read(replies).outcome.is, 'unknown')
  equal(read([], { ...ask, reference: 'seti_1' }).outcome.is, 'unknown')
})

const event = (type: string, object: object, id = 'evt_1') => ({ id, object: 'event', type, created: 1772359200, data: { object } })
const webhook = (type: string, object: object) => stripe.webhook.read(Buffer.from(JSON.stringify(event(type, object))))
const ours = [{ request_id: 'REQ1', verb: 'authorize' }]
const news = (report: Partial<PaymentReport>) => ({
  is: 'payment',
  of: ours,
  report: {
    ...{ reference: 'pi_1', currency: 'USD', authorized: 5000, captured: 5000, refunded: 0, held: null, released: null },
    ...{ movements: [], disputes: [], ...report },
  },
})

test('a refund in the dashboard is told by the charge, whose metadata is that of its intent', () => {
  deepEqual(webhook('charge.refunded', charge({ amount_refunded: 2000 })), [news({ refunded: 2000 })])
  const partly = charge({ amount_captured: 3000, amount_refunded: 2000 })
  deepEqual(webhook('charge.captured', partly), [news({ captured: 3000 })], 'the rest of the hold was let go')
  deepEqual(webhook('charge.refunded', { ...partly, amount_refunded: 3000 }), [news({ captured: 3000, refunded: 1000 })])
  const void_ = charge({ captured: false, amount_captured: 0, amount_refunded: 5000, refunded: true })
  deepEqual(webhook('charge.refunded', void_), [news({ captured: 0, released: 'voided' })])
  deepEqual(webhook('charge.expired', void_), [news({ captured: 0, released: 'expired' })])
  deepEqual(webhook('charge.refunded', charge({ metadata: {} })), [], 'not ours')
  deepEqual(webhook('charge.succeeded', charge()), [], 'told by the intent')
})

test('a refund without our request id is a movement of the intent that it names', () => {
  const [update, ...more] = webhook('refund.failed', refund({ id: 're_2', status: 'failed', failure_reason: 'lost_or_stolen_card' }))
  deepEqual(more, [])
  ok(update?.is === 'payment' && update.report !== 'ask')
  deepEqual(update.of, [
    { reference: 'pi_1', verb: 'authorize' },
    { reference: 're_2', verb: 'refund' },
  ])
  const [movement] = update.report.movements
  deepEqual([movement?.reference, movement?.state, movement?.reason], ['re_2', 'declined', 'lost_or_stolen_card'])
  deepEqual([update.report.captured, update.report.refunded], [null, null])
})

test('the events of an intent tell its totals, and say nothing of refunds', () => {
  const told = (status: Intended['status'], more: Partial<Intended>) =>
    webhook('payment_intent.succeeded', intent('ch_1', { status, ...more })).filter(({ is }) => is === 'payment')
  const unsaid = { refunded: null, requests: [] }
  deepEqual(told('succeeded', {}), [news({ ...unsaid, held: 0 })])
  deepEqual(told('requires_capture', { amount_received: 0, amount_capturable: 5000 }), [news({ ...unsaid, captured: 0, held: 5000 })])
  deepEqual(told('canceled', { amount_received: 0 }), [news({ ...unsaid, captured: 0, held: 0, released: 'voided' })])
  for (const status of ['processing', 'requires_action', 'requires_payment_method'] as const)
    deepEqual(told(status, { amount_received: 0 }), [], 'nothing is approved')
})

test('changes of many payments are listed by one request, the latest totals of each, for the last 30 days', () => {
  const changed = [
    event('charge.refunded', charge({ amount_refunded: 3000 }), 'evt_5'),
    event('charge.refunded', charge({ amount_refunded: 1000 }), 'evt_4'),
    event('charge.dispute.closed', { id: 'dp_1', object: 'dispute' }, 'evt_3'),
    event('charge.dispute.created', { id: 'dp_1', object: 'dispute' }, 'evt_2'),
    event('refund.failed', refund({ id: 're_1', status: 'failed', metadata: { request_id: 'REQ4' } }), 'evt_1'),
    event('payment_intent.canceled', intent('ch_1', { status: 'canceled', amount_received: 0 }), 'evt_0'),
  ]
  const span = { since: '2026-03-01T10:00:00.500Z', until: '2026-03-01T11:00:00.500Z' }
  const { requests, outcome } = rehearse(stripe.list_changes({ ...span, page: null }, account), [replied(200, list(changed, true))])
  const [path, query] = requests[0]!.url.split('?')
  equal(path, 'https://api.stripe.com/v1/events')
  const params = [...new URLSearchParams(query)]
  const types = params.filter(([name]) => /^types\[\d\]$/.test(name)).map(([, type]) => type)
  const ofStripe = exactly<Stripe.EventListParams>()({ types, created: { gte: 1772359200, lte: 1772362801 }, limit: 100 })
  deepEqual(
    params.filter(([name]) => !name.startsWith('types')),
    [
      ['created[gte]', String(ofStripe.created.gte)],
      ['created[lte]', String(ofStripe.created.lte)],
      ['limit', String(ofStripe.limit)],
    ],
  )
  ok(types.length > 0 && types.length <= 20, 'Stripe takes 20 at most')
  ok(outcome.is === 'changes')
  deepEqual(
    outcome.updates.map(update => [update.is, update.is === 'payment' && update.report !== 'ask' && update.report.refunded]),
    [
      ['payment', 3000],
      ['dispute', false],
      ['outcome', false],
    ],
  )
  equal(outcome.next, 'evt_0')
  const second = rehearse(stripe.list_changes({ ...span, page: 'evt_0' }, account), [replied(200, list([]))])
  ok(second.requests[0]!.url.endsWith('&starting_after=evt_0'))
  deepEqual(second.outcome, { is: 'changes', updates: [], next: null })
  for (const reply of [silence, notSent, replied(500, ''), replied(200, {})])
    equal(rehearse(stripe.list_changes({ ...span, page: null }, account), [reply]).outcome.is, 'unknown')
})
