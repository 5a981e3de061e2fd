import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { accountAt } from '../../../test/card-ask.ts'
import { rehearse, replied, silence } from '../../../test/rehearse.ts'
import type { Time } from '../../context.ts'
import type { Movement, PaymentReport } from '../payment-report.ts'
import { paypal } from './connector.ts'

/**
 * What PayPal says of a payment whose money was moved at PayPal. The bodies follow its documents (Orders v2, Payments
 * v2, Webhooks v1). What is done at PayPal has the custom_id and the invoice_id of the order, and none of its own.
 */

const account = accountAt('https://api-m.paypal.com', { api_key: 'client_secret_1', key1: 'client_id_1' }, {}, '8PT597110X687430LKGECATA')
const usd = (value: string) => ({ currency_code: 'USD', value })
const of = { custom_id: 'REQ1', invoice_id: 'REQ1' }
const ORDER = '5O190127TN364715T'
const [HOLD, TAKEN, BACK] = ['0AW2184448108334S', '3C679366HH908993F', '1JU08902781691411']
const url = (path: string) => `https://api-m.paypal.com${path}`
const up = (path: string) => ({ links: [{ href: url(path), rel: 'up', method: 'GET' }] })
const related = (more: object = {}) => ({ supplementary_data: { related_ids: { order_id: ORDER, ...more } } })
const at = { create_time: '2026-03-02T10:00:00Z', update_time: '2026-03-02T10:00:00Z' }

const hold = { id: HOLD, status: 'CREATED', amount: usd('12.50'), ...of, expiration_time: '2026-03-30T10:00:00Z', ...at }
const taken = { id: TAKEN, status: 'COMPLETED', amount: usd('12.50'), ...of, final_capture: true, ...at }
const refund = { id: BACK, status: 'COMPLETED', amount: usd('5.00'), ...of, ...up(`/v2/payments/captures/${TAKEN}`), ...at }
const order = (intent: string, payments: object) => ({
  ...{ id: ORDER, intent, status: 'COMPLETED' },
  purchase_units: [{ reference_id: 'default', ...of, amount: usd('12.50'), payments }],
})
const question = {
  reference: ORDER,
  request_id: 'REQ1',
  money: { amount: 1250, currency: 'USD' },
  began: '2026-03-01T10:00:00.000Z' as Time,
} as const

const noDisputes = replied(200, { items: [], links: [] })
function reported(body: object, ...disputes: ReturnType<typeof replied>[]): PaymentReport {
  const { outcome } = rehearse(paypal.read_payment(question, account), [replied(200, body), ...disputes])
  ok(outcome.is === 'payment', JSON.stringify(outcome))
  return outcome.report
}
const totals = ({ authorized, captured, refunded, held, released }: PaymentReport) => [authorized, captured, refunded, held, released]
const brief = ({ verb, reference, request_id, amount, state }: Movement) => [verb, reference, request_id, amount.amount, state]

test('an order that was captured at once is one payment: a refund made at PayPal is listed with the id of its order', () => {
  const body = order('CAPTURE', {
    captures: [{ ...taken, status: 'PARTIALLY_REFUNDED' }],
    refunds: [{ ...refund, note_to_payer: 'Defective product' }],
  })
  const { requests, outcome } = rehearse(paypal.read_payment(question, account), [replied(200, body), noDisputes])
  deepEqual(
    requests.map(one => one.url),
    [url(`/v2/checkout/orders/${ORDER}`), url(`/v1/customer/disputes?disputed_transaction_id=${TAKEN}`)],
  )
  deepEqual(outcome, {
    is: 'payment',
    report: {
      ...{ reference: ORDER, currency: 'USD', authorized: 1250, captured: 1250, refunded: 500, held: 0, released: null, disputes: [] },
      movements: [
        {
          ...{ verb: 'refund', reference: BACK, request_id: 'REQ1', amount: { amount: 500, currency: 'USD' } },
          ...{ state: 'done', reason: 'Defective product', at: '2026-03-02T10:00:00.000Z' },
        },
      ],
    },
  })
})

test('refunds of ours keep their request ids; one that waits or failed is not in the total', () => {
  const refunds = [
    { ...refund, custom_id: 'REQ7', invoice_id: 'REQ7' },
    { ...refund, id: 'R2', status: 'PENDING' },
    { ...refund, id: 'R3', status: 'FAILED' },
    { ...refund, id: 'R4', status: 'CANCELLED' },
  ]
  const report = reported(order('CAPTURE', { captures: [{ ...taken, status: 'PARTIALLY_REFUNDED' }], refunds }), noDisputes)
  equal(report.refunded, 500)
  deepEqual(report.movements.map(brief), [
    ['refund', BACK, 'REQ7', 500, 'done'],
    ['refund', 'R2', 'REQ1', 500, 'waiting'],
    ['refund', 'R3', 'REQ1', 500, 'declined'],
    ['refund', 'R4', 'REQ1', 500, 'declined'],
  ])
})

test('a hold that was captured at PayPal in part holds the rest; each capture is asked about its disputes', () => {
  const part = { ...taken, amount: usd('5.00'), final_capture: false }
  const captures = [
    { ...part, ...up(`/v2/payments/authorizations/${HOLD}`) },
    { ...part, id: 'C2', invoice_id: 'REQ8', amount: usd('2.50') },
  ]
  const authorizations = [{ ...hold, status: 'PARTIALLY_CAPTURED' }]
  const listed = replied(200, { items: [{ dispute_id: 'PP-D-4012', status: 'OPEN' }] })
  const report = reported(order('AUTHORIZE', { authorizations, captures }), listed, noDisputes)
  deepEqual(totals(report), [1250, 750, 0, 500, null])
  deepEqual(report.disputes, ['PP-D-4012'])
  deepEqual(report.movements.map(brief), [
    ['capture', TAKEN, 'REQ1', 500, 'done'],
    ['capture', 'C2', 'REQ8', 250, 'done'],
  ])
})

test('a hold ends by a void, by its expiry, or by a final capture; a capture that waits took nothing', () => {
  const ended = (authorization: object, ...captures: object[]) =>
    reported(order('AUTHORIZE', { authorizations: [{ ...hold, ...authorization }], captures }), ...captures.map(() => noDisputes))
  const voided = ended({ status: 'VOIDED', update_time: '2026-03-03T10:00:00Z' })
  deepEqual(totals(voided), [1250, 0, 0, 0, 'voided'])
  deepEqual(voided.movements.map(brief), [['void', HOLD, null, 1250, 'done']])
  const expired = ended({ status: 'VOIDED', update_time: '2026-03-30T10:00:00Z' })
  deepEqual([totals(expired), expired.movements], [[1250, 0, 0, 0, 'expired'], []])
  deepEqual(totals(ended({ status: 'CAPTURED' }, { ...taken, amount: usd('5.00') })), [1250, 500, 0, 0, 'voided'])
  deepEqual(totals(ended({ status: 'CAPTURED' }, taken)), [1250, 1250, 0, 0, null])
  const waits = reported(order('AUTHORIZE', { authorizations: [hold], captures: [{ ...taken, status: 'PENDING' }] }))
  deepEqual([totals(waits), waits.movements.map(brief)], [[1250, 0, 0, 1250, null], [['capture', TAKEN, 'REQ1', 1250, 'waiting']]])
  deepEqual(totals(ended({ status: 'DENIED' })), [0, 0, 0, 0, null])
})

test('a capture that says that more went back than is listed leaves the total open', () => {
  const back = (status: string, ...refunds: object[]) =>
    reported(order('CAPTURE', { captures: [{ ...taken, status }], refunds }), noDisputes).refunded
  deepEqual([back('REFUNDED'), back('PARTIALLY_REFUNDED'), back('REFUNDED', refund), back('COMPLETED')], [null, null, null, 0])
  equal(back('REFUNDED', { ...refund, amount: usd('12.50') }), 1250)
})

test('an answer that cannot be trusted reports nothing; disputes that may not be listed are left out', () => {
  const asked = (...replies: Parameters<typeof rehearse>[1]) => rehearse(paypal.read_payment(question, account), replies).outcome.is
  const paid = order('CAPTURE', { captures: [taken] })
  equal(asked(silence), 'unknown')
  equal(asked(replied(500, {})), 'unknown')
  equal(asked(replied(200, { ...paid, id: 'OTHER' })), 'unknown')
  equal(
    asked(replied(200, order('CAPTURE', { captures: [{ ...taken, amount: { currency_code: 'EUR', value: '12.50' } }] })), noDisputes),
    'unknown',
  )
  equal(asked(replied(404, { name: 'RESOURCE_NOT_FOUND', message: 'No.', details: [{ issue: 'INVALID_RESOURCE_ID' }] })), 'not_found')
  deepEqual(reported(paid, replied(403, { name: 'NOT_AUTHORIZED', message: 'No.' })).disputes, [])
  deepEqual(reported(paid, silence).disputes, [])
  const nameless = (more: object) => rehearse(paypal.read_payment({ ...question, ...more }, account), []).outcome.is
  equal(nameless({ reference: null }), 'not_found', 'an order is noted before money moves')
  equal(nameless({ money: { amount: 0, currency: 'USD' } }), 'unknown')
})

const read = (event_type: string, resource: object) => paypal.webhook.read(Buffer.from(JSON.stringify({ event_type, resource })))
/** What an event says of a payment, if no operation of ours is named in it. */
const newsIn = (event_type: string, resource: object) =>
  read(event_type, resource)
    .map(update => (update.is === 'outcome' ? update.otherwise : update))
    .filter(update => update?.is === 'payment')
const unsaid = { authorized: null, captured: null, refunded: null, held: null, released: null, disputes: [] }

test('a refund event names the payment by the custom_id of its order, or by its capture, and tells of one movement', () => {
  const [news] = newsIn('PAYMENT.CAPTURE.REFUNDED', refund)
  deepEqual(news, {
    is: 'payment',
    of: [
      { request_id: 'REQ1', verb: 'authorize' },
      { reference: TAKEN, verb: 'capture' },
    ],
    report: {
      ...{ ...unsaid, reference: TAKEN, currency: 'USD' },
      movements: [
        {
          ...{ verb: 'refund', reference: BACK, request_id: 'REQ1', amount: { amount: 500, currency: 'USD' } },
          ...{ state: 'done', reason: null, at: '2026-03-02T10:00:00.000Z' },
        },
      ],
    },
  })
  equal(newsIn('PAYMENT.REFUND.PENDING', { ...refund, status: 'PENDING' }).length, 1)
  const [own] = read('PAYMENT.CAPTURE.REFUNDED', { ...refund, custom_id: 'REQ7' })
  ok(own?.is === 'outcome' && own.outcome === 'ask')
  deepEqual(own.of[0], { request_id: 'REQ7', verb: 'refund' }, 'a refund of ours is found by its own id, and polled as before')
  const [failed] = read('PAYMENT.REFUND.FAILED', { ...refund, status: 'FAILED', custom_id: 'REQ7' })
  ok(failed?.is === 'outcome' && failed.outcome !== 'ask' && failed.outcome.is === 'declined' && failed.outcome.after_yes)
})

test('a capture event is news only of a hold that somebody else captured', () => {
  const outside = { ...taken, ...up(`/v2/payments/authorizations/${HOLD}`), ...related({ authorization_id: HOLD }) }
  const [news] = newsIn('PAYMENT.CAPTURE.COMPLETED', outside)
  ok(news?.is === 'payment' && news.report !== 'ask')
  deepEqual(news.of, [
    { request_id: 'REQ1', verb: 'authorize' },
    { reference: ORDER, verb: 'authorize' },
  ])
  deepEqual([news.report.reference, news.report.movements.map(brief)], [ORDER, [['capture', TAKEN, 'REQ1', 1250, 'done']]])
  deepEqual(newsIn('PAYMENT.CAPTURE.COMPLETED', { ...outside, invoice_id: 'REQ8' }), [], 'a capture of ours has its own id')
  const atOnce = { ...taken, ...up(`/v2/checkout/orders/${ORDER}`), ...related() }
  deepEqual(newsIn('PAYMENT.CAPTURE.COMPLETED', atOnce), [], 'the capture of an order is the payment itself')
  deepEqual(newsIn('PAYMENT.CAPTURE.PENDING', { ...outside, status: 'PENDING' }), [])
})

test('a void tells how the hold ended; a reversal has the whole payment read', () => {
  const voided = { ...hold, status: 'VOIDED', ...related() }
  const [news, ...others] = read('PAYMENT.AUTHORIZATION.VOIDED', voided)
  ok(news?.is === 'payment' && news.report !== 'ask' && others.length === 0)
  deepEqual([news.report.released, news.report.held], ['voided', 0])
  const [over] = newsIn('PAYMENT.AUTHORIZATION.VOIDED', { ...voided, update_time: '2026-03-30T10:00:00Z' })
  ok(over?.is === 'payment' && over.report !== 'ask' && over.report.released === 'expired')
  deepEqual(newsIn('PAYMENT.AUTHORIZATION.CREATED', { ...hold, ...related() }), [])
  deepEqual(newsIn('PAYMENT.CAPTURE.REVERSED', { id: 'V1', ...of, ...related({ capture_id: TAKEN }) }), [
    {
      is: 'payment',
      of: [
        { request_id: 'REQ1', verb: 'authorize' },
        { reference: ORDER, verb: 'authorize' },
        { reference: TAKEN, verb: 'capture' },
        { reference: 'V1', verb: 'capture' },
      ],
      report: 'ask',
    },
  ])
})

const changes = { since: '2026-03-01T00:00:00.000Z' as Time, until: '2026-03-02T00:00:00.000Z' as Time, page: null } as const
const event = (event_type: string, resource: object) => ({ id: 'WH-1', event_type, resource_type: 'x', resource })

test('the events since a time are read in pages: those of our own progress are left to polls, the others are as webhooks', () => {
  const events = [
    event('CHECKOUT.ORDER.COMPLETED', { id: ORDER }),
    event('PAYMENT.CAPTURE.COMPLETED', { ...taken, ...related() }),
    event('PAYMENT.CAPTURE.REFUNDED', refund),
    event('PAYMENT.REFUND.FAILED', { ...refund, status: 'FAILED', custom_id: 'REQ7' }),
    event('CUSTOMER.DISPUTE.CREATED', { dispute_id: 'PP-D-1' }),
    event('BILLING.PLAN.CREATED', { id: 'P1' }),
  ]
  const links = [{ href: url('/v1/notifications/webhooks-events?page_size=100&index_id=7'), rel: 'next', method: 'GET' }]
  const first = rehearse(paypal.list_changes(changes, account), [replied(200, { events, count: 6, links })])
  match(first.requests[0]!.url, /\/webhooks-events\?page_size=100&start_time=2026-03-01T00%3A00%3A00\.000Z&end_time=2026-03-02T/)
  ok(first.outcome.is === 'changes')
  deepEqual(
    first.outcome.updates.map(({ is }) => is),
    ['outcome', 'outcome', 'dispute'],
  )
  equal(first.outcome.next, 'page_size=100&index_id=7')
  const last = rehearse(paypal.list_changes({ ...changes, page: first.outcome.next }, account), [replied(200, { events: [], links: [] })])
  equal(last.requests[0]!.url, url('/v1/notifications/webhooks-events?page_size=100&index_id=7'))
  deepEqual(last.outcome, { is: 'changes', updates: [], next: null })
  equal(rehearse(paypal.list_changes(changes, account), [silence]).outcome.is, 'unknown')
  equal(rehearse(paypal.list_changes(changes, account), [replied(200, { events: 'none' })]).outcome.is, 'unknown')
})

test('the refund of an order that a button created is found in the list by the order of its capture', () => {
  const { custom_id: _custom, invoice_id: _invoice, ...nameless } = refund
  const { requests, outcome } = rehearse(paypal.list_changes(changes, account), [
    replied(200, { events: [event('PAYMENT.CAPTURE.REFUNDED', nameless)] }),
    replied(200, { ...taken, ...related() }),
  ])
  equal(requests[1]!.url, url(`/v2/payments/captures/${TAKEN}`))
  ok(outcome.is === 'changes')
  const [update] = outcome.updates
  ok(update?.is === 'outcome' && update.otherwise?.is === 'payment')
  deepEqual(update.otherwise.of[0], { reference: ORDER, verb: 'authorize' })
})
