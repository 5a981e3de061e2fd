import { type EventClass, type EventType, eventCatalogue, isEventType } from '../base/event-types.ts'
import type { changes } from '../database/changes.ts'
import type { RowOf } from '../database/table.ts'
import { disputes } from '../disputes/dispute.ts'
import { refunds } from '../refunds/refund.ts'

export type HistoryRow = RowOf<typeof changes>

/** The event that a change announces, and its object, for example a refund of the payment. */
export type Headline = { event_type: EventType; event_class: EventClass; object_id: string }

/** Returns the id of the refund row that a `refund_…` change has changed. */
export const refundChangedBy = ({ type, was }: Pick<HistoryRow, 'type' | 'was'>): string | undefined =>
  type.startsWith('refund_')
    ? Object.keys(was.rows ?? {})
        .find(name => name.startsWith(`${refunds.name} `))
        ?.slice(refunds.name.length + 1)
    : undefined

/** A refund that requires manual review is announced as `action_required`, an event about its payment. */
export const refundIn = (change: Pick<HistoryRow, 'announces' | 'type' | 'was'>): string | undefined =>
  change.announces?.startsWith('refund_') ? refundChangedBy(change) : undefined

export const disputeIn = ({ announces, was }: Pick<HistoryRow, 'announces' | 'was'>): string | undefined =>
  announces?.startsWith('dispute_')
    ? Object.keys(was.rows ?? {})
        .find(name => name.startsWith(`${disputes.name} `))
        ?.slice(disputes.name.length + 1)
    : undefined

export function headlineOf(change: HistoryRow): Headline {
  const { announces } = change
  if (announces === null || !isEventType(announces)) throw new Error(`${announces} is announced, and is not in the catalogue of events`)
  const event_type = announces as EventType
  return { event_type, event_class: eventCatalogue[event_type].of, object_id: refundIn(change) ?? disputeIn(change) ?? change.object_id }
}
