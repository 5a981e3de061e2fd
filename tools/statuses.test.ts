import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { families } from '../packages/dashboard/src/parts/status-families.ts'
import { statesOf } from '../src/base/lifecycle.ts'
import { disputeLifecycle } from '../src/disputes/lifecycle.ts'
import { operationStates } from '../src/operations/operation.ts'
import { mandates } from '../src/payment-methods/mandate.ts'
import { lifecycle as paymentLifecycle } from '../src/payments/lifecycle.ts'
import { lifecycle as payoutLifecycle } from '../src/payouts/lifecycle.ts'
import { refundLifecycle } from '../src/refunds/lifecycle.ts'

const shown = {
  payment: statesOf(paymentLifecycle),
  payout: statesOf(payoutLifecycle),
  refund: statesOf(refundLifecycle),
  dispute: statesOf(disputeLifecycle),
  mandate: mandates.columns.status.is.words!,
  operation: operationStates,
}

test('the dashboard knows what each status means for a merchant who waits for money', () => {
  const known = Object.values(families).flatMap(statuses => statuses.split(' '))
  const missing = Object.entries(shown).flatMap(([what, statuses]) =>
    statuses.filter(status => !known.includes(status)).map(status => `${what}: ${status}`),
  )
  deepEqual(
    missing,
    [],
    'the dashboard shows these statuses as under way: add each to its family in packages/dashboard/src/parts/status-families.ts',
  )
  deepEqual(
    known.filter((status, i) => known.indexOf(status) < i),
    [],
    'a status belongs to one family',
  )
})
