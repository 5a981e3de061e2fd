import type { changes } from '../database/changes.ts'
import type { RowOf } from '../database/table.ts'
import { disputes } from '../disputes/dispute.ts'
import { refunds } from '../refunds/refund.ts'
import { type EventClass, type EventType, eventCatalogue, isEventType } from './catalogue.ts'

/** A change as histories have it. */
export type HistoryRow = RowOf<typeof changes>

/** What a change tells merchants. `object_id`: what it is about, a refund of that payment for example. */
export type Headline = { event_type: EventType; event_class: EventClass; object_id: string }

/** The refund that a change is about: it moved one, and says so. */
export const refundIn = ({ type, was }: Pick<HistoryRow, 'type' | 'was'>): string | undefined =>
  type.startsWith('refund_')
    ? Object.keys(was.rows ?? {})
        .find(name => name.startsWith(`${refunds.name} `))
        ?.slice(refunds.name.length + 1)
    : undefined

/** The dispute that a change is about, the same way. */
export const disputeIn = ({ announces, was }: Pick<HistoryRow, 'announces' | 'was'>): string | undefined =>
  announces?.startsWith('dispute_')
    ? Object.keys(was.rows ?? {})
        .find(name => name.startsWith(`${disputes.name} `))
        ?.slice(disputes.name.length + 1)
    : undefined

/** What a change announces, and what that is about. */
export function newsOf(change: HistoryRow): Headline {
  const { announces } = change
  if (announces === null || !isEventType(announces)) throw new Error(`${announces} is announced, and is not in the catalogue of events`)
  const event_type = announces as EventType
  return { event_type, event_class: eventCatalogue[event_type].of, object_id: refundIn(change) ?? disputeIn(change) ?? change.object_id }
}
