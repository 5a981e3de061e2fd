import { nextStep } from '../../base/retry.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/time.ts'
import { connectors } from '../../connectors/all.ts'
import type { Facts } from '../../connectors/connector.ts'
import type { RowChange, Time } from '../../context.ts'
import { type RowOf, table, text, time } from '../../database/table.ts'
import type { Operation } from '../../operations/operation.ts'

/**
 * The times at which holds end: the processor is then polled, because not all processors report expired holds. A row is
 * written with the hold if the processor reports how long it lasts, and can be polled.
 */
export const authorizationExpiries = table('hold_ends', {
  money: true,
  pointer: true,
  key: ['merchant_id', 'payment_id'],
  columns: { merchant_id: text(), payment_id: text(), merchant_connector_id: text(), connector: text(), ask_at: time() },
})
export type AuthorizationExpiry = RowOf<typeof authorizationExpiries>

/** The delays of the polls, from the end of the hold. A hold that still exists after a week is not polled again. */
const ASK_AFTER_MS = [5 * MINUTE_MS, 1 * HOUR_MS, 1 * DAY_MS, 7 * DAY_MS]

/** Returns when the processor is queried next about a hold that ends at `capture_before`; null if never again. */
export const nextExpiryPoll = (capture_before: Time, now: Time): Time | null => nextStep(ASK_AFTER_MS, capture_before, now)

/** Returns the job of a hold; none if its end is unknown, or its processor cannot be queried. */
export function authorizationExpiry(
  { merchant_id, object_id, merchant_connector_id, connector }: Operation,
  { capture_before }: Facts,
  now: Time,
): RowChange[] {
  const ask_at = capture_before === undefined || connectors[connector]?.sync === undefined ? null : nextExpiryPoll(capture_before, now)
  if (ask_at === null) return []
  return [
    {
      table: authorizationExpiries.name,
      before: null,
      after: { merchant_id, payment_id: object_id, merchant_connector_id, connector, ask_at },
    },
  ]
}
