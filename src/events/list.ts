import { refuse } from '../base/refusal.ts'
import { events } from '../database/changes.ts'
import { statement } from '../database/statement.ts'
import { type RowOf, select } from '../database/table.ts'
import { findPayment } from '../payments/rows.ts'
import { findRefund } from '../refunds/refund.ts'
import type { World } from '../world.ts'

const ofPayment = statement(
  'events_of_payment',
  select(events, 'where merchant_id = $1 and payment_id = $2 and version > $3 order by version limit $4'),
)

export const MOST_EVENTS = 100

/**
 * What happened to a payment (or to the payment of a refund), oldest first: every change, with what the columns were before and are after. `sequence` counts those that merchants
 * hear of, `version` all. Refuses (HE_02) an object that is not the merchant's.
 */
export async function listEvents(world: World, merchant_id: string, object_id: string, after_version: number, limit: number) {
  const payment_id =
    (await findPayment(world, merchant_id, object_id))?.payment_id ?? (await findRefund(world, merchant_id, object_id))?.payment_id
  if (payment_id === undefined) refuse('not_found', { what: 'payment or refund' })
  const rows = await world.query<RowOf<typeof events>>(ofPayment, [merchant_id, payment_id, after_version, limit])
  return {
    size: rows.length,
    data: rows.map(row => ({
      event_id: row.event_id,
      merchant_id,
      object_id: row.payment_id,
      event_type: row.announces,
      type: row.type,
      version: row.version,
      sequence: row.sequence,
      was: row.was,
      set: row.set,
      created: row.created,
    })),
  }
}
