import type { Merchant } from '../../accounts/merchant.ts'
import { disputeStatuses } from '../../connectors/dispute.ts'
import type { Dispute, disputes } from '../../disputes/dispute.ts'
import { disputeFields } from '../../disputes/fields.ts'
import { listedDisputes } from '../../disputes/list.ts'
import { findPayments } from '../../payments/rows.ts'
import { exportedFields } from '../../resources/read.ts'
import { showDispute } from '../../show/dispute.ts'
import type { EndpointCall } from '../endpoint.ts'
import { disputeAnswer } from './disputes-answers.ts'
import { aggregateLists, choiceLists, exportLists, getLists, postLists, type Wire } from './lists.ts'

/** Shows disputes, with members from their payments. */
export async function disputeItems(
  { context, merchant }: Pick<EndpointCall, 'context'> & { merchant: Merchant },
  rows: readonly Dispute[],
) {
  const payments = await findPayments(context, merchant.merchant_id, [...new Set(rows.map(({ payment_id }) => payment_id))])
  const byId = new Map(payments.map(payment => [payment.payment_id, payment]))
  return rows.map(dispute => showDispute(dispute, byId.get(dispute.payment_id)!))
}

const wire: Wire<typeof disputes> = {
  listed: listedDisputes,
  path: 'disputes',
  name: 'Disputes',
  item: disputeAnswer,
  bare: true,
  items: disputeItems,
  offered: { connector: 'connector', currency: 'currency', dispute_status: 'dispute_status', dispute_stage: 'dispute_stage' },
}

/** The operations that list disputes. */
export const disputeLists = [
  ...getLists(wire),
  ...postLists(wire, {
    summary: 'Disputes that await a response',
    value: { start_time: '2026-01-01T00:00:00.000Z', dispute_status: ['dispute_opened'] },
  }),
  ...exportLists(wire, exportedFields(disputeFields), 'payments:read'),
  ...choiceLists(wire, ''),
  ...aggregateLists(wire, disputeStatuses, 'dispute_status'),
]
