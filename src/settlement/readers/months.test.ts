import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { monthWriters } from '../../../test/settlement/month-writers.ts'
import { monthsSettleOnce } from '../../../test/settlement/months.ts'
import { readers } from './all.ts'

/** Months of each vendor's report through the database: few here, many in `test/long/settlement-months.test.ts`. */

const MONTHS = 1
/** Readers of reports that have no movements, only totals. */
const totals = ['checkout_settlement_breakdown', 'braintree_batch_summary']

test('each report of movements has months that are tried', () => {
  const names = ['general', ...readers.map(({ name }) => name)].filter(name => !totals.includes(name))
  deepEqual(Object.keys(monthWriters).toSorted(), names.toSorted())
})

for (const name of Object.keys(monthWriters))
  test(`${name}: overlapping, repeated, re-sorted, re-encoded and incomplete files of a month end in the same ledger`, () =>
    monthsSettleOnce(name, MONTHS, 20261130))
