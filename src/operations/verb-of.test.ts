import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { exampleOf } from '../database/table.ts'
import { operations } from './operation.ts'
import type { AggregateDefinition, AggregateRow, Engine, RequestInput } from './verb.ts'
import { verbOf } from './verb-of.ts'

test('an operation that its object kind does not support sends nothing and leaves the object unchanged', () => {
  const services: Engine = {
    kinds: { payout: { verbs: {}, reversals: {} } as unknown as AggregateDefinition },
    rules: () => undefined,
  }
  const head = { expires_on: '2026-01-01T00:15:00.000Z' } as AggregateRow
  const now = '2026-01-01T00:01:00.000Z'
  for (const purpose of ['merchant', 'reversal'] as const) {
    const operation = exampleOf(operations, { kind: 'payout', verb: 'refund', purpose, state: 'open' })
    const verb = verbOf(services, operation)
    equal(verb.buildRequest({} as RequestInput<AggregateRow>), null)
    const { head: changes, operation: side, move } = verb.after(head, operation, { is: 'not_sent', why: 'cannot' }, now, null)!
    // An operation that returns money is not given up because nothing could be sent: it requires manual review after
    // seven days.
    deepEqual([move, changes, side.state], [null, {}, purpose === 'merchant' ? 'not_sent' : 'unknown'])
    equal(verb.onPollingEnded(head, operation, now, null)!.operation.state, 'unresolved')
  }
})
