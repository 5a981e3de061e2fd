import { refuse } from '../base/refusal.ts'
import { statuses } from '../payments/lifecycle.ts'
import { statuses as payoutStatuses } from '../payouts/lifecycle.ts'
import { refundStatuses } from '../refunds/lifecycle.ts'
import { type EventClass, type EventType, eventCatalogue } from './catalogue.ts'

/**
 * The statuses by which merchants may choose what they hear of (`webhook_details`): those of which they are told at all
 * (contract 7.1), each by the names that it goes by.
 */

type Told = Readonly<Record<string, { announced: string | null; called?: string }>>

/** The statuses that are announced by events of this class. */
const told = (all: Told, of: EventClass): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    Object.entries(all).flatMap(([status, { announced, called }]) =>
      announced !== null && eventCatalogue[announced as EventType].of === of ? [[status, called ? [status, called] : [status]]] : [],
    ),
  )

/** Each member of `webhook_details` that chooses, and the names of what it may choose, by status. */
const filters = {
  payment_statuses_enabled: told(statuses, 'payments'),
  refund_statuses_enabled: told(refundStatuses, 'refunds'),
  payout_statuses_enabled: told(payoutStatuses, 'payouts'),
}
type Member = keyof typeof filters
type Chosen = { readonly [M in Member]?: readonly string[] | undefined }

const memberOf: Partial<Record<EventClass, Member>> = {
  payments: 'payment_statuses_enabled',
  refunds: 'refund_statuses_enabled',
  payouts: 'payout_statuses_enabled',
}

/** What each of these members may name. */
export const statusesWithEvents = (Object.keys(filters) as Member[]).map(member => ({
  member,
  names: Object.values(filters[member]).flat(),
}))

/** Refuses (IR_06) a status without an event. */
export function checkWebhookDetails(details: Chosen | undefined): void {
  for (const { member, names } of statusesWithEvents)
    for (const [i, status] of (details?.[member] ?? []).entries())
      if (!names.includes(status))
        refuse('unacceptable', { field: `webhook_details.${member}[${i}]`, words: `must be one of ${names.join(', ')}` })
}

/**
 * Is this status chosen, under any of its names? Without a choice, all are sent; so are those of a class without a
 * filter.
 */
export function isChosen(chosen: Chosen, of: EventClass, status: string | null): boolean {
  const member = memberOf[of]
  const wanted = member && chosen[member]
  if (!wanted || status === null) return true
  return (filters[member][status] ?? [status]).some(name => wanted.includes(name))
}
