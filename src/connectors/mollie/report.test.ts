import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { accountAt } from '../../../test/card-ask.ts'
import { rehearse, replied, silence } from '../../../test/rehearse.ts'
import type { Time } from '../../context.ts'
import type { Movement, PaymentReport } from '../payment-report.ts'
import { mollie } from './connector.ts'

/**
 * What Mollie says of a payment whose money was moved in its dashboard. The bodies follow its documents: what is done
 * there has no metadata of ours.
 */

const account = accountAt('https://api.mollie.com/v2', { api_key: 'test_key' }, {}, 'signing')
const eur = (value: string) => ({ currency: 'EUR', value })
const payment = {
  ...{ resource: 'payment', id: 'tr_1', status: 'paid', amount: eur('12.50'), metadata: { request_id: 'REQ1' } },
  ...{ captureMode: 'automatic', amountRefunded: eur('0.00'), amountRemaining: eur('12.50'), createdAt: '2026-03-01T10:00:00+00:00' },
}
const held = {
  ...payment,
  captureMode: 'manual',
  status: 'authorized',
  authorizedAt: '2026-03-01T10:01:00+00:00',
  amountCaptured: eur('0.00'),
}
const made = { paymentId: 'tr_1', createdAt: '2026-03-02T10:00:00+00:00' }
const refund = { resource: 'refund', id: 're_1', status: 'refunded', amount: eur('5.00'), description: '', metadata: null, ...made }
const capture = { resource: 'capture', id: 'cpt_1', status: 'succeeded', amount: eur('5.00'), metadata: null, ...made }
const chargeback = { resource: 'chargeback', id: 'chb_1', amount: eur('12.50'), reason: null, reversedAt: null, ...made }

const question = {
  reference: 'tr_1',
  request_id: 'REQ1',
  money: { amount: 1250, currency: 'EUR' },
  began: '2026-03-01T10:00:00.000Z' as Time,
} as const

const ask = (...replies: Parameters<typeof rehearse>[1]) => rehearse(mollie.read_payment(question, account), replies)
function reported(body: object, embedded: object = {}): PaymentReport {
  const { outcome } = ask(replied(200, { ...body, _embedded: { captures: [], refunds: [], chargebacks: [], ...embedded } }))
  ok(outcome.is === 'payment', JSON.stringify(outcome))
  return outcome.report
}
const totals = ({ authorized, captured, refunded, held, released }: PaymentReport) => [authorized, captured, refunded, held, released]
const brief = ({ verb, reference, request_id, amount, state, reason }: Movement) => [
  verb,
  reference,
  request_id,
  amount.amount,
  state,
  reason,
]

test('one call brings a payment with its captures, refunds and chargebacks', () => {
  const embedded = {
    refunds: [
      { ...refund, id: 're_2', status: 'pending', metadata: { request_id: 'REQ7' } },
      { ...refund, description: 'damaged' },
      { ...refund, id: 're_3', status: 'canceled' },
    ],
    chargebacks: [chargeback],
  }
  const { requests, outcome } = ask(replied(200, { ...payment, _embedded: { captures: [], ...embedded } }))
  deepEqual(
    requests.map(({ url }) => url),
    ['https://api.mollie.com/v2/payments/tr_1?embed=captures,refunds,chargebacks'],
  )
  ok(outcome.is === 'payment')
  const { report } = outcome
  deepEqual([report.reference, report.currency, report.disputes], ['tr_1', 'EUR', ['tr_1/chb_1']])
  deepEqual(totals(report), [1250, 1250, 500, 0, null], 'a refund that waits is not refunded yet')
  deepEqual(report.movements.map(brief), [
    ['refund', 're_2', 'REQ7', 500, 'waiting', null],
    ['refund', 're_1', null, 500, 'done', 'damaged'],
    ['refund', 're_3', null, 500, 'declined', null],
  ])
  equal(report.movements[1]!.at, '2026-03-02T10:00:00.000Z')
})

test('a hold is captured in the dashboard in part or whole, and its rest held, gone, released or expired', () => {
  const part = reported({ ...held, amountCaptured: eur('5.00') }, { captures: [capture] })
  deepEqual([totals(part), part.movements.map(brief)], [[1250, 500, 0, 750, null], [['capture', 'cpt_1', null, 500, 'done', null]]])
  deepEqual(totals(reported(held)), [1250, 0, 0, 1250, null])
  const gone = reported({ ...held, status: 'paid', amountCaptured: eur('5.00') }, { captures: [capture] })
  deepEqual(totals(gone), [1250, 500, 0, 0, null], 'Mollie does not say how the rest ended')
  deepEqual(totals(reported({ ...held, status: 'canceled' })), [1250, 0, 0, 0, 'voided'])
  deepEqual(totals(reported({ ...held, status: 'expired' })), [1250, 0, 0, 0, 'expired'])
  const waits = reported({ ...held, amountCaptured: eur('5.00') }, { captures: [{ ...capture, status: 'pending' }] })
  deepEqual([totals(waits), waits.movements[0]!.state], [[1250, 0, 0, 1250, null], 'waiting'])
})

test('captures that Mollie makes by itself are the payment; a payment that was never approved has nothing', () => {
  const atOnce = reported({ ...payment, authorizedAt: held.authorizedAt }, { captures: [{ ...capture, amount: eur('12.50') }] })
  deepEqual([totals(atOnce), atOnce.movements], [[1250, 1250, 0, 0, null], []])
  for (const status of ['open', 'pending', 'failed', 'canceled', 'expired'])
    deepEqual(totals(reported({ ...payment, status })), [0, 0, 0, 0, null], status)
})

test('an answer that cannot be trusted reports nothing', () => {
  equal(ask(silence).outcome.is, 'unknown')
  equal(ask(replied(404, { status: 404, title: 'Not Found', detail: 'No payment exists with token tr_1.' })).outcome.is, 'not_found')
  equal(ask(replied(200, { ...payment, id: 'tr_2' })).outcome.is, 'unknown')
  for (const embedded of [
    { refunds: [{ ...refund, status: 'something new' }] },
    { refunds: 'none' },
    { refunds: [{ ...refund, amount: { value: '5.00', currency: 'USD' } }] },
  ])
    equal(ask(replied(200, { ...payment, _embedded: embedded })).outcome.is, 'unknown', JSON.stringify(embedded))
  const nameless = (more: object) => rehearse(mollie.read_payment({ ...question, ...more }, account), []).outcome.is
  deepEqual([nameless({ reference: null }), nameless({ money: { amount: 0, currency: 'EUR' } })], ['unknown', 'unknown'])
})

const event = (entity: object) => Buffer.from(JSON.stringify({ resource: 'event', id: 'event_1', type: 'x', _embedded: { entity } }))
/** What an event says of a payment, if no operation of ours is named in it. */
const newsIn = (entity: object) =>
  mollie.webhook
    .read(event(entity))
    .map(update => (update.is === 'outcome' ? update.otherwise : update))
    .filter(update => update?.is === 'payment')

test('an event tells of changes that are not ours, and of what became of holds', () => {
  const [news] = newsIn(refund)
  ok(news?.is === 'payment' && news.report !== 'ask')
  deepEqual(news.of, [{ reference: 'tr_1', verb: 'authorize' }])
  deepEqual([news.report.refunded, news.report.movements.map(brief)], [null, [['refund', 're_1', null, 500, 'done', null]]])
  equal(newsIn(capture).length, 1)
  deepEqual(newsIn({ ...refund, metadata: { request_id: 'REQ7' } }), [], 'a refund of ours is polled as before')
  deepEqual(newsIn(payment), [], 'a payment that was captured at once has no such news')
  const released = newsIn({ ...held, status: 'canceled' })[0]
  ok(released?.is === 'payment' && released.report !== 'ask' && released.report.released === 'voided')
  const taken = newsIn({ ...held, status: 'paid', amountCaptured: eur('12.50') })[0]
  ok(taken?.is === 'payment' && taken.report !== 'ask' && taken.report.captured === 1250)
})

const changes = { since: '2026-03-02T00:00:00.000Z' as Time, until: '2026-03-03T00:00:00.000Z' as Time, page: null }
const listed = (name: string, items: object[], from?: string) =>
  replied(200, {
    ...{ count: items.length, _embedded: { [name]: items } },
    _links: {
      next: from === undefined ? null : { href: `https://api.mollie.com/v2/${name}?from=${from}&limit=250`, type: 'application/hal+json' },
    },
  })
const list = (page: string | null, reply: Parameters<typeof rehearse>[1][number]) => {
  const { requests, outcome } = rehearse(mollie.list_changes({ ...changes, page }, account), [reply])
  return { path: requests[0]!.url.replace('https://api.mollie.com/v2', ''), outcome }
}

test('refunds and chargebacks since a time are two lists, each read down to what is older', () => {
  const older = { ...refund, id: 're_0', createdAt: '2026-03-01T10:00:00+00:00' }
  const ours = { ...refund, id: 're_2', metadata: { request_id: 'REQ7' } }
  const first = list(
    null,
    listed('refunds', [refund, ours, { ...ours, id: 're_3', status: 'processing' }, { ...ours, id: 're_4', status: 'failed' }], 're_5'),
  )
  equal(first.path, '/refunds?limit=250&sort=desc')
  ok(first.outcome.is === 'changes')
  equal(first.outcome.next, 'refunds/re_5')
  deepEqual(
    first.outcome.updates.map(one => (one.is === 'outcome' && one.outcome !== 'ask' ? [one.of, one.outcome.is] : one.is)),
    ['payment', [[{ request_id: 'REQ7', verb: 'refund' }], 'done'], [[{ request_id: 'REQ7', verb: 'refund' }], 'declined']],
    'of a refund of ours only what decides it',
  )
  const second = list('refunds/re_5', listed('refunds', [refund, older], 're_9'))
  equal(second.path, '/refunds?limit=250&sort=desc&from=re_5')
  ok(second.outcome.is === 'changes')
  deepEqual([second.outcome.updates.length, second.outcome.next], [1, 'chargebacks'])
  const third = list('chargebacks', listed('chargebacks', [chargeback]))
  equal(third.path, '/chargebacks?limit=250&sort=desc')
  ok(third.outcome.is === 'changes')
  deepEqual([third.outcome.updates.map(({ is }) => is), third.outcome.next], [['dispute'], null])
  equal(list(null, silence).outcome.is, 'unknown')
  equal(rehearse(mollie.list_changes({ ...changes, page: 'orders' }, account), []).outcome.is, 'unknown')
})
