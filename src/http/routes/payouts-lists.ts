import { findOperationsOf } from '../../operations/operation.ts'
import { payoutFields } from '../../payouts/fields.ts'
import { statuses } from '../../payouts/lifecycle.ts'
import { listedPayouts } from '../../payouts/list.ts'
import { PAYOUT, type payouts } from '../../payouts/payout.ts'
import { exportedFields } from '../../resources/read.ts'
import { shapesOf } from '../../show/member.ts'
import { payoutMembers, showPayout } from '../../show/payout.ts'
import { schema } from '../answer-shapes.ts'
import { aggregateLists, exportLists, filterLists, getLists, postLists, type Wire } from './lists.ts'

export const payoutAnswer = schema('Payout', shapesOf(payoutMembers))

const wire: Wire<typeof payouts> = {
  listed: listedPayouts,
  path: 'payouts',
  name: 'Payouts',
  item: payoutAnswer,
  items: async ({ context, services: { publicUrl }, merchant }, rows) => {
    const ids = rows.filter(row => row.operation_count > 0).map(row => row.payout_id)
    const operations = await findOperationsOf(context, merchant.merchant_id, PAYOUT, ids)
    return rows.map(row => showPayout(merchant, row, { publicUrl, audience: 'server', operations: operations.get(row.payout_id) ?? [] }))
  },
  offered: { connector: 'connector', currency: 'currency', status: 'status', payout_method: 'payout_type' },
  sized: true,
}

/** The operations that list payouts. */
export const payoutLists = [
  ...getLists(wire),
  ...postLists(wire, {
    summary: 'Payouts to individuals this year, in euros',
    value: { start_time: '2026-01-01T00:00:00.000Z', currency: ['EUR'], entity_type: 'Individual', status: ['success'] },
  }),
  ...exportLists(wire, exportedFields(payoutFields), 'customers:personal'),
  ...filterLists(wire),
  ...aggregateLists(wire, Object.keys(statuses)),
]
