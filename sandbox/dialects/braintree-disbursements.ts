// What Braintree disburses: a settled transaction or refund on the day after, and a dispute on the day after its event.
// Fees are billed apart.

import type { Dispute } from '../records.ts'

const DAY_MS = 24 * 3_600_000
export const dayOf = (at: number | string): string => new Date(at).toISOString().slice(0, 10)
const dayAfter = (at: number | string): string => dayOf(new Date(at).getTime() + DAY_MS)

export const disputeStatuses = {
  needs_response: 'OPEN',
  under_review: 'DISPUTED',
  won: 'WON',
  lost: 'LOST',
  accepted: 'ACCEPTED',
  expired: 'EXPIRED',
  cancelled: 'WON',
} as const satisfies Record<Dispute['status'], string>

/** The statuses of a dispute, the latest first. Those that move money have the day on which it is disbursed. */
export function historyOf({ stage, status, created, updated }: Dispute): object[] {
  const opened = {
    ...{ status: 'OPEN', timestamp: new Date(created).toISOString(), effectiveDate: dayOf(created) },
    disbursementDate: stage === 'inquiry' ? null : dayAfter(created),
  }
  if (status === 'needs_response') return [opened]
  const now = {
    ...{ status: disputeStatuses[status], timestamp: new Date(updated).toISOString(), effectiveDate: dayOf(updated) },
    disbursementDate: disputeStatuses[status] === 'WON' && stage !== 'inquiry' ? dayAfter(updated) : null,
  }
  return [now, opened]
}

type Bounds = { greaterThanOrEqualTo?: string; lessThanOrEqualTo?: string }
type Shown = { amount: object; statusHistory: { status: string; timestamp: string }[] }

/** Objects that were disbursed within the bounds of a search, with how they were. */
export function disbursedWithin(now: number, bounds: Bounds, shown: readonly object[]): object[] {
  return (shown as Shown[]).flatMap(one => {
    const settled = one.statusHistory.find(({ status }) => status === 'SETTLED')
    const date = settled && dayAfter(settled.timestamp)
    const isDisbursed = date !== undefined && date <= dayOf(now)
    if (!isDisbursed || date < (bounds.greaterThanOrEqualTo ?? '') || date > (bounds.lessThanOrEqualTo ?? '~')) return []
    return { ...one, disbursementDetails: { date, amount: one.amount, exchangeRate: '1', fundsHeld: false } }
  })
}
