import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { getVariableValues, type OperationDefinitionNode, parse, validate } from 'graphql'
import { schema } from '../../../sandbox/dialects/braintree-schema.ts'
import { accountAt } from '../../../test/card-ask.ts'
import { rehearse, replied, silence } from '../../../test/rehearse.ts'
import type { Request } from '../../context.ts'
import type { PaymentQuestion } from '../payment-report.ts'
import { braintree } from './connector.ts'

/** What Braintree says of payments whose money was moved in its Control Panel. */

const account = accountAt('https://payments.sandbox.braintree-api.com', { api_key: 'public', key1: 'shop', api_secret: 'private' })
const ask: PaymentQuestion = {
  reference: 'dHJ4',
  request_id: 'REQ1',
  money: { amount: 5000, currency: 'USD' },
  began: '2026-03-01T10:00:00.000Z',
}
const usd = (value: string) => ({ value, currencyCode: 'USD' })
const step = (status: string, value: string, source = 'API') => ({
  ...{ status, source, timestamp: '2026-03-01T10:00:00.000000Z', amount: usd(value) },
})
const transaction = (status: string, value: string, steps: object[], more: object = {}) => ({
  ...{ __typename: 'Transaction', id: 'dHJ4', orderId: 'REQ1', status, amount: usd(value), statusHistory: steps },
  ...{ paymentMethodSnapshot: null, paymentMethod: null, refunds: [], disputes: [], ...more },
})
const refund = (id: string, orderId: string, status: string, value: string, source: string) => ({
  ...{ __typename: 'Refund', id, orderId, status, amount: usd(value), refundedTransaction: { id: 'dHJ4', orderId: 'REQ1' } },
  statusHistory: [step(status, value, source)],
})
const answer = (data: object) => replied(200, { data, extensions: { requestId: 'a-uuid' } })
const reportIn = (node: object) => {
  const { requests, outcome } = rehearse(braintree.read_payment(ask, account), [answer({ node })])
  equal(requests.length, 1)
  ok(outcome.is === 'payment', JSON.stringify(outcome))
  return outcome.report
}
const sold = [step('SETTLED', '50.00'), step('SUBMITTED_FOR_SETTLEMENT', '50.00'), step('AUTHORIZED', '50.00')]

test('a refund of the Control Panel has the order id of its transaction, and is told from a reversal of ours by its source', () => {
  const refunds = [
    refund('r3', 'REQ1', 'SUBMITTED_FOR_SETTLEMENT', '1.00', 'API'),
    refund('r2', 'REQ1', 'SETTLED', '20.00', 'CONTROL_PANEL'),
    refund('r1', 'REQ4', 'SETTLED', '3.00', 'API'),
  ]
  const report = reportIn(transaction('SETTLED', '50.00', sold, { refunds, disputes: [{ legacyId: 'd1' }] }))
  deepEqual([report.authorized, report.captured, report.refunded, report.held, report.released], [5000, 5000, 2300, 0, null])
  deepEqual(
    report.movements.map(({ verb, reference, request_id, state }) => [verb, reference, request_id, state]),
    [
      ['capture', 'dHJ4', null, 'done'],
      ['refund', 'r3', null, 'waiting'],
      ['refund', 'r2', 'REQ1', 'done'],
      ['refund', 'r1', 'REQ4', 'done'],
    ],
  )
  deepEqual(report.disputes, ['d1'])
})

test('a hold is open, captured in part, voided, or expired; a void of a captured transaction gives it back', () => {
  const held = step('AUTHORIZED', '50.00')
  const taken = step('SUBMITTED_FOR_SETTLEMENT', '30.00', 'CONTROL_PANEL')
  const void_ = step('VOIDED', '50.00', 'CONTROL_PANEL')
  const rows: [object, unknown[]][] = [
    [transaction('AUTHORIZED', '50.00', [held]), [5000, 0, 0, 5000, null]],
    [transaction('SUBMITTED_FOR_SETTLEMENT', '30.00', [taken, held]), [5000, 3000, 0, 0, 'voided']],
    [transaction('VOIDED', '50.00', [void_, held]), [5000, 0, 0, 0, 'voided']],
    [transaction('AUTHORIZATION_EXPIRED', '50.00', [step('AUTHORIZATION_EXPIRED', '50.00'), held]), [5000, 0, 0, 0, 'expired']],
    [transaction('VOIDED', '50.00', [void_, step('SUBMITTED_FOR_SETTLEMENT', '50.00'), held]), [5000, 5000, 5000, 0, null]],
    [transaction('PROCESSOR_DECLINED', '50.00', [step('PROCESSOR_DECLINED', '50.00')]), [null, 0, 0, 0, null]],
  ]
  for (const [node, totals] of rows) {
    const { authorized, captured, refunded, held, released } = reportIn(node)
    deepEqual([authorized, captured, refunded, held, released], totals)
  }
})

/** Gives the variables of a request that fits the vendor's schema. */
function variablesOf({ body }: Request): Record<string, unknown> {
  const { query, variables } = JSON.parse(body!)
  const document = parse(query)
  deepEqual(validate(schema, document), [])
  const { variableDefinitions } = document.definitions[0] as OperationDefinitionNode
  equal(getVariableValues(schema, variableDefinitions ?? [], variables).errors, undefined)
  return variables
}

test('changes are searched by their times in one request, an hour back, and only lists that go on are asked again', () => {
  const span = { since: '2026-03-02T10:00:00.000Z', until: '2026-03-02T11:00:00.000Z' }
  const found = (nodes: object[], endCursor: string | null = null) => ({
    edges: nodes.map(node => ({ node })),
    pageInfo: { hasNextPage: endCursor !== null, endCursor },
  })
  const search = {
    refunds: found([refund('r2', 'REQ1', 'SETTLED', '20.00', 'CONTROL_PANEL')], 'c1'),
    declined: found([]),
    voided: found([transaction('VOIDED', '50.00', [step('VOIDED', '50.00'), step('AUTHORIZED', '50.00')])]),
    disputes: found([]),
  }
  const { requests, outcome } = rehearse(braintree.list_changes({ ...span, page: null }, account), [answer({ search })])
  const { since, until, day, refunds } = variablesOf(requests[0]!)
  deepEqual([since, until, day, refunds], ['2026-03-02T09:00:00.000Z', span.until, '2026-03-02', true])
  ok(outcome.is === 'changes' && outcome.next !== null)
  const of = [
    { request_id: 'REQ1', verb: 'authorize' },
    { reference: 'dHJ4', verb: 'authorize' },
  ]
  deepEqual(
    outcome.updates.map(update => update.is === 'payment' && update.of),
    [of, of],
  )
  const next = rehearse(braintree.list_changes({ ...span, page: outcome.next }, account), [answer({ search: { refunds: found([]) } })])
  const { refundsAfter, voided } = variablesOf(next.requests[0]!)
  deepEqual([refundsAfter, voided], ['c1', false])
  deepEqual(next.outcome, { is: 'changes', updates: [], next: null })
  equal(rehearse(braintree.list_changes({ ...span, page: null }, account), [silence]).outcome.is, 'unknown')
})
