import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { statuses } from '../payments/lifecycle.ts'
import { isChosen, statusesWithEvents } from './status-filters.ts'

const names = Object.fromEntries(statusesWithEvents.map(({ member, names }) => [member, names]))

test('merchants can choose each status that has an event, and no other', () => {
  const untold = ['requires_payment_method', 'requires_confirmation']
  deepEqual(
    names.payment_statuses_enabled,
    Object.keys(statuses).filter(status => !untold.includes(status)),
  )
  // The names of the interface, and those that existing clients send.
  deepEqual(names.refund_statuses_enabled, ['succeeded', 'success', 'failed', 'failure'])
  deepEqual(names.payout_statuses_enabled, ['initiated', 'success', 'failed', 'cancelled', 'expired', 'reversed', 'ineligible'])
})

test('a status can be chosen by any of its names, and without a choice all events are sent', () => {
  for (const name of ['succeeded', 'success']) equal(isChosen({ refund_statuses_enabled: [name] }, 'refunds', 'succeeded'), true)
  equal(isChosen({ refund_statuses_enabled: ['failure'] }, 'refunds', 'succeeded'), false)
  equal(isChosen({ refund_statuses_enabled: [] }, 'refunds', 'succeeded'), false)
  equal(isChosen({ refund_statuses_enabled: [] }, 'payments', 'succeeded'), true)
  equal(isChosen({ payment_statuses_enabled: [] }, 'disputes', 'dispute_won'), true)
  equal(isChosen({ payment_statuses_enabled: [] }, 'webhooks', null), true)
})
