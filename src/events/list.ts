import { refuse } from '../base/refusal.ts'
import { changes } from '../database/changes.ts'
import { statement } from '../database/statement.ts'
import { type RowOf, select } from '../database/table.ts'
import type { Payment } from '../payments/payment.ts'
import { findPayment } from '../payments/rows.ts'
import { findRefund } from '../refunds/refund.ts'
import type { World } from '../world.ts'
import { setBy } from './render.ts'

const ofPayment = statement(
  'changes_of_payment',
  select(changes, "where merchant_id = $1 and kind = 'payment' and object_id = $2 and version > $3 and version <= $4 order by version"),
)

export const MOST_EVENTS = 100

/**
 * What happened to a payment (or to the payment of a refund), oldest first: every change, with what the columns were before and are after, and who did it. `sequence` counts those that merchants
 * hear of, `version` all. Refuses (HE_02) an object that is not the merchant's.
 */
export async function listEvents(world: World, merchant_id: string, object_id: string, after_version: number, limit: number) {
  const payment = (await paymentOf(world, merchant_id, object_id)) ?? refuse('not_found', { what: 'payment or refund' })
  // What a change set follows from the later ones, so that they are all read; payments have few.
  const rows = await world.query<RowOf<typeof changes>>(ofPayment, [merchant_id, payment.payment_id, after_version, payment.version])
  const sets = setBy(payment, rows)
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

async function paymentOf(world: World, merchant_id: string, object_id: string): Promise<Payment | undefined> {
  const payment = await findPayment(world, merchant_id, object_id)
  if (payment) return payment
  const refund = await findRefund(world, merchant_id, object_id)
  return refund && findPayment(world, merchant_id, refund.payment_id)
}
