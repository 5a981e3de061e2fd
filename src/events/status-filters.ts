import type { EventType } from '../base/event-types.ts'
import { type EventClass, eventCatalogue } from '../base/event-types.ts'
import { refuse } from '../base/refusal.ts'
import { statuses } from '../payments/lifecycle.ts'
import { statuses as payoutStatuses } from '../payouts/lifecycle.ts'
import { refundStatuses } from '../refunds/lifecycle.ts'

/** The filters of events (`webhook_details`): the statuses with an event (contract 7.1), by all of their names. */

type StatusTable = Readonly<Record<string, { eventType: EventType | null; called?: string }>>

const announcedStatuses = (all: StatusTable, of: EventClass): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(all).flatMap(([status, { eventType, called }]) =>
      eventType !== null && eventCatalogue[eventType].of === of ? [[status, called ? [status, called] : [status]]] : [],
    ),
  )

/** The filters in `webhook_details`, each with the statuses that it may contain and their names. */
const filters = {
  payment_statuses_enabled: announcedStatuses(statuses, 'payments'),
  refund_statuses_enabled: announcedStatuses(refundStatuses, 'refunds'),
  payout_statuses_enabled: announcedStatuses(payoutStatuses, 'payouts'),
}
type Member = keyof typeof filters
type Chosen = { readonly [M in Member]?: readonly string[] | undefined }

const memberOf: Partial<Record<EventClass, Member>> = {
  payments: 'payment_statuses_enabled',
  refunds: 'refund_statuses_enabled',
  payouts: 'payout_statuses_enabled',
}

/** The names that each filter may contain. */
export const statusesWithEvents = (Object.keys(filters) as Member[]).map(member => ({
  member,
  names: Object.values(filters[member]).flat(),
}))

export function checkWebhookDetails(details: Chosen | undefined): void {
  for (const { member, names } of statusesWithEvents)
    for (const [i, status] of (details?.[member] ?? []).entries())
      if (!names.includes(status))
        refuse('unacceptable', { field: `webhook_details.${member}[${i}]`, problem: `must be one of ${names.join(', ')}` })
}

/** Under any of its names. Without a filter, all statuses are sent, also of a class that has none. */
export function isChosen(chosen: Chosen, of: EventClass, status: string | null): boolean {
  const member = memberOf[of]
  const wanted = member && chosen[member]
  if (!wanted || status === null) return true
  return (filters[member][status] ?? [status]).some(name => wanted.includes(name))
}
