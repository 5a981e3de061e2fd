import { refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import { changes } from '../database/changes.ts'
import { statement } from '../database/statement.ts'
import { type RowOf, select } from '../database/table.ts'
import { findDispute } from '../disputes/dispute.ts'
import { PAYMENT, type Payment } from '../payments/payment.ts'
import { findPayment } from '../payments/rows.ts'
import { findPayout, PAYOUT, type Payout } from '../payouts/payout.ts'
import { findRefund } from '../refunds/refund.ts'
import { setBy } from './render.ts'

const ofHead = statement(
  'changes_of_head',
  select(changes, 'where merchant_id = $1 and kind = $5 and object_id = $2 and version > $3 and version <= $4 order by version'),
)

export const MOST_EVENTS = 100

/**
 * What happened to a payment (or to the payment of a refund or dispute), or to a payout, oldest first: every change,
 * with what the columns were before and are after, and who did it. `sequence` counts those that merchants hear of,
 * `version` all. Refuses (HE_02) an object that is not the merchant's.
 */
export async function listEvents(context: Context, merchant_id: string, object_id: string, after_version: number, limit: number) {
  const { kind, id, head } =
    (await headOf(context, merchant_id, object_id)) ?? refuse('not_found', { what: 'payment, refund, dispute or payout' })
  // What a change set follows from the later ones, so that they are all read; there are few.
  const rows = await context.query<RowOf<typeof changes>>(ofHead, [merchant_id, id, after_version, head.version, kind])
  const sets = setBy(head, rows)
  const data = rows.slice(0, limit).map((row, i) => {
    const { rows: _others, ...was } = row.was
    return {
      event_id: row.event_id,
      merchant_id,
      object_id: row.object_id,
      event_type: row.announces,
      type: row.type,
      version: row.version,
      sequence: row.sequence,
      by: row.by,
      was,
      set: sets[i],
      created: row.created,
    }
  })
  return { size: data.length, data }
}

async function headOf(
  context: Context,
  merchant_id: string,
  id: string,
): Promise<{ kind: string; id: string; head: Payment | Payout } | undefined> {
  const payment = await findPayment(context, merchant_id, id)
  if (payment) return { kind: PAYMENT, id, head: payment }
  const refund = await findRefund(context, merchant_id, id)
  const within = refund ?? (await findDispute(context, merchant_id, id))
  if (within) return headOf(context, merchant_id, within.payment_id)
  const payout = await findPayout(context, merchant_id, id)
  return payout && { kind: PAYOUT, id, head: payout }
}
