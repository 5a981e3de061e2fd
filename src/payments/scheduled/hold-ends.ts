import { DAY_MS, HOUR_MS, MINUTE_MS, nextStep } from '../../base/retry.ts'
import { connectors } from '../../connectors/all.ts'
import type { Facts } from '../../connectors/connector.ts'
import type { RowChange, Time } from '../../context.ts'
import { type RowOf, table, text, time } from '../../database/table.ts'
import type { Operation } from '../../operations/operation.ts'

/**
 * When the time of a hold is over: its processor is asked then whether it has run out, because not all of them tell. A
 * row is made with the hold, where the processor says how long it lasts and can be asked.
 */
export const holdEnds = table('hold_ends', {
  money: true,
  pointer: true,
  key: ['merchant_id', 'payment_id'],
  columns: { merchant_id: text(), payment_id: text(), merchant_connector_id: text(), connector: text(), ask_at: time() },
})
export type HoldEnd = RowOf<typeof holdEnds>

/** Counted from the end of the hold. What a processor still has after a week it keeps. */
const ASK_AFTER_MS = [5 * MINUTE_MS, 1 * HOUR_MS, 1 * DAY_MS, 7 * DAY_MS]

/** When it is asked next about a hold that lasts until then; null: never again. */
export const askedAboutHold = (capture_before: Time, now: Time): Time | null => nextStep(ASK_AFTER_MS, capture_before, now)

/** The alarm of a hold; none where its end is not known, or cannot be asked about. */
export function holdEnd(
  { merchant_id, object_id, merchant_connector_id, connector }: Operation,
  { capture_before }: Facts,
  now: Time,
): RowChange[] {
  const ask_at = capture_before === undefined || connectors[connector]?.sync === undefined ? null : askedAboutHold(capture_before, now)
  if (ask_at === null) return []
  return [{ table: holdEnds.name, before: null, after: { merchant_id, payment_id: object_id, merchant_connector_id, connector, ask_at } }]
}
