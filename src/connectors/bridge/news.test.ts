import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { accountAt } from '../../../test/card-ask.ts'
import { notSent, rehearse, replied, silence } from '../../../test/rehearse.ts'
import type { ChangesRead, DisputeRead } from '../connector.ts'
import type { PaymentRead } from '../payment-report.ts'
import { bridge } from './connector.ts'

const account = accountAt('https://adapter.example', { api_key: 'key' }, {}, 'whsec')
const question = {
  reference: 'their_1',
  request_id: 'REQ1',
  money: { amount: 1000, currency: 'USD' },
  began: '2026-03-01T10:00:00.000Z',
} as const
const refund = {
  type: 'refund',
  status: 'approved',
  reference: 'their_9',
  request_id: null,
  amount: 200,
  currency: 'USD',
  reason: '<i>damaged</i>',
  made_at: '2026-03-01T10:00:00Z',
}
const capture = { ...refund, type: 'capture', reference: 'their_2', request_id: 'REQ2', amount: 600, reason: null }
const payment = {
  request_id: 'REQ1',
  reference: 'their_1',
  currency: 'USD',
  ...{ authorized: 1000, captured: 600, refunded: 200, held: 400, released: null },
  movements: [capture, refund],
  disputes: ['their_d'],
}
const dispute = {
  reference: 'their_d',
  request_id: 'REQ1',
  ...{ amount: 600, currency: 'USD', stage: 'dispute', status: 'opened', reason: 'fraudulent', reason_code: '10.4' },
  respond_by: '2026-03-10T10:00:00Z',
}
const about = { protocol: 'bridge', version: 1, name: 'Bank', offers: ['authorize'] }
const error = (code: string) => ({ error: { code, message: 'No.' } })

const reading = (...replies: Parameters<typeof rehearse>[1]) => rehearse<PaymentRead>(bridge.read_payment(question, account), replies)

test('a whole payment is one request by our request id, and what nobody here requested is in it', () => {
  const { lines, outcome } = reading(replied(200, payment))
  deepEqual(lines, ['GET https://adapter.example/v1/payments/REQ1'])
  const at = '2026-03-01T10:00:00.000Z'
  const usd = (amount: number) => ({ amount, currency: 'USD' })
  deepEqual(outcome, {
    is: 'payment',
    report: {
      reference: 'their_1',
      currency: 'USD',
      ...{ authorized: 1000, captured: 600, refunded: 200, held: 400, released: null, disputes: ['their_d'] },
      movements: [
        { verb: 'capture', reference: 'their_2', request_id: 'REQ2', amount: usd(600), state: 'done', reason: null, at },
        { verb: 'refund', reference: 'their_9', request_id: 'their_9', amount: usd(200), state: 'done', reason: 'damaged', at },
      ],
    },
  })
})

test('totals that an adapter does not know are not told', () => {
  const { authorized: _authorized, held: _held, disputes: _disputes, ...rest } = payment
  const { outcome } = reading(replied(200, { ...rest, refunded: null }))
  const report = outcome.is === 'payment' ? outcome.report : null
  deepEqual([report?.authorized, report?.captured, report?.refunded, report?.held, report?.disputes], [null, 600, null, null, []])
})

test('an adapter that reads no payments is said to be unsupported, and one that does not know this one is not', () => {
  const without = reading(replied(404, error('not_found')), replied(200, about))
  deepEqual(without.lines, ['GET https://adapter.example/v1/payments/REQ1', 'GET https://adapter.example/v1'])
  equal(without.outcome.is, 'unsupported')
  equal(reading(replied(422, error('not_supported')), replied(200, about)).outcome.is, 'unsupported')
  equal(reading(replied(404, error('not_found')), replied(200, { ...about, reads: ['payments'] })).outcome.is, 'not_found')
  equal(reading(replied(404, error('not_found')), silence).outcome.is, 'unknown')
})

test('an invalid answer about a payment is no answer', () => {
  const of = (movement: object) => ({ ...payment, movements: [movement] })
  const table: [name: string, status: number, body: unknown][] = [
    ['another payment', 200, { ...payment, request_id: 'REQ9' }],
    ['an amount in text', 200, { ...payment, refunded: '200' }],
    ['no currency of ours', 200, { ...payment, currency: 'XXX' }],
    ['no movements', 200, { ...payment, movements: undefined }],
    ['another end of the hold', 200, { ...payment, released: 'gone' }],
    ['a movement in no currency of ours', 200, of({ ...refund, currency: 'XXX' })],
    ['a movement of another kind', 200, of({ ...refund, type: 'gift' })],
    ['a movement without a reference', 200, of({ ...refund, reference: undefined })],
    ['a movement of less than nothing', 200, of({ ...refund, amount: -1 })],
    ['a page', 404, '<html></html>'],
    ['a refusal', 401, error('unauthorized')],
  ]
  for (const [name, status, body] of table) equal(reading(replied(status, body)).outcome.is, 'unknown', name)
  for (const reply of [silence, notSent]) equal(reading(reply).outcome.is, 'unknown')
})

const read = (body: object) => bridge.webhook.read(Buffer.from(JSON.stringify({ version: 1, ...body })))

test('a notification of a payment is news of it, and one of a dispute of that', () => {
  const [news] = read({ payment })
  deepEqual(news?.is === 'payment' && news.report !== 'ask' && [news.of, news.report.refunded], [
    [{ request_id: 'REQ1', verb: 'authorize' }],
    200,
  ])
  deepEqual(read({ dispute }), [
    {
      is: 'dispute',
      of: [{ request_id: 'REQ1', verb: 'authorize' }],
      dispute: {
        reference: 'their_d',
        stage: 'dispute',
        status: 'dispute_opened',
        said: 'opened',
        amount: { amount: 600, currency: 'USD' },
        reason: 'fraudulent',
        reason_code: '10.4',
        respond_by: '2026-03-10T10:00:00.000Z',
        created: null,
        updated: null,
      },
    },
  ])
  for (const body of [
    { payment: {} },
    { dispute: { ...dispute, stage: 'war' } },
    { dispute: { ...dispute, currency: 'XXX' } },
    { gift: {} },
  ])
    deepEqual(read(body), [])
})

test('a dispute is read by its reference', () => {
  const of = (...replies: Parameters<typeof rehearse>[1]) => rehearse<DisputeRead>(bridge.read_dispute('their_d', account), replies)
  const found = of(replied(200, dispute))
  deepEqual(found.lines, ['GET https://adapter.example/v1/disputes/their_d'])
  equal(found.outcome.is, 'dispute')
  equal(of(replied(404, error('not_found'))).outcome.is, 'not_found')
  for (const reply of [replied(200, { ...dispute, reference: 'other' }), replied(200, {}), silence]) equal(of(reply).outcome.is, 'unknown')
})

test('a list of changes is read page by page, and an adapter without one is said to be unsupported', () => {
  const listing = (page: string | null, ...replies: Parameters<typeof rehearse>[1]) => {
    const asked = { since: '2026-03-01T10:00:00.000Z', until: '2026-03-02T10:00:00.000Z', page } as const
    return rehearse<ChangesRead>(bridge.list_changes(asked, account), replies)
  }
  const operation = { request_id: 'REQ3', type: 'refund', status: 'approved', reference: 'their_3', amount: 5, currency: 'USD' }
  const hold = { ...operation, request_id: 'REQ1', type: 'authorize', status: 'released' }
  const entries = [{ operation }, { operation: hold }, { payment }, { dispute }, { gift: {} }, { payment: {} }]
  const { lines, outcome } = listing('c1', replied(200, { changes: entries, next: 'c2' }))
  const span = 'since=2026-03-01T10%3A00%3A00.000Z&until=2026-03-02T10%3A00%3A00.000Z'
  deepEqual(lines, [`GET https://adapter.example/v1/changes?${span}&cursor=c1`])
  if (outcome.is !== 'changes') throw new Error(outcome.is)
  deepEqual(
    outcome.updates.map(update => (update.is === 'payment' && update.report === 'ask' ? 'ask' : update.is)),
    ['outcome', 'ask', 'payment', 'dispute'],
  )
  equal(outcome.next, 'c2')
  equal(listing(null, replied(404, error('not_found'))).outcome.is, 'unsupported')
  for (const reply of [replied(200, {}), replied(500, ''), silence, notSent]) equal(listing(null, reply).outcome.is, 'unknown')
})
