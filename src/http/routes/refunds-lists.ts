import { listedRefunds } from '../../refunds/list.ts'
import { refundStatuses, type refunds } from '../../refunds/refund.ts'
import { showRefund } from '../../show/refund.ts'
import { aggregateLists, exportLists, filterLists, postLists, type Wire } from './lists.ts'
import { refundAnswer } from './refunds-answers.ts'

const wire: Wire<typeof refunds> = {
  listed: listedRefunds,
  path: 'refunds',
  name: 'Refunds',
  item: refundAnswer,
  items: (_call, rows) => rows.map(showRefund),
  offered: { connector: 'connector', currency: 'currency', refund_status: 'status' },
}

/** Refunds in lists. */
export const refundLists = [
  ...postLists(wire, {
    summary: 'What was given back this year',
    value: { start_time: '2026-01-01T00:00:00.000Z', refund_status: ['succeeded'] },
  }),
  ...exportLists(wire, [
    'refund_id',
    'payment_id',
    'status',
    'amount',
    'currency',
    'reason',
    'connector',
    'merchant_connector_id',
    'connector_refund_id',
    'profile_id',
    'error_code',
    'error_message',
    'unified_code',
    'created_at',
    'updated_at',
    'metadata',
  ]),
  ...filterLists(wire),
  ...aggregateLists(wire, Object.keys(refundStatuses)),
]
