import { refundFields } from '../../refunds/fields.ts'
import { refundStatuses } from '../../refunds/lifecycle.ts'
import { listedRefunds } from '../../refunds/list.ts'
import type { refunds } from '../../refunds/refund.ts'
import { exportedFields } from '../../resources/read.ts'
import { showRefund } from '../../show/refund.ts'
import { aggregateLists, exportLists, filterLists, getLists, postLists, type Wire } from './lists.ts'
import { refundAnswer } from './refunds-answers.ts'

const wire: Wire<typeof refunds> = {
  listed: listedRefunds,
  path: 'refunds',
  name: 'Refunds',
  item: refundAnswer,
  items: (_call, rows) => rows.map(showRefund),
  offered: { connector: 'connector', currency: 'currency', refund_status: 'status' },
}

/** The operations that list refunds. */
export const refundLists = [
  ...getLists(wire),
  ...postLists(wire, {
    summary: 'Refunds of this year',
    value: { start_time: '2026-01-01T00:00:00.000Z', refund_status: ['succeeded'] },
  }),
  ...exportLists(wire, exportedFields(refundFields), 'payments:read'),
  ...filterLists(wire),
  ...aggregateLists(wire, Object.keys(refundStatuses)),
]
