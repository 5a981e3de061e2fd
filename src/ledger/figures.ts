import { statesThat } from '../base/lifecycle.ts'
import type { LedgerAccount } from '../database/ledger.ts'
import type { Table } from '../database/table.ts'
import { statuses } from '../payments/lifecycle.ts'
import { payments } from '../payments/payment.ts'
import { statuses as payoutStatuses } from '../payouts/lifecycle.ts'
import { payouts } from '../payouts/payout.ts'

const isOneOf = (statuses: readonly string[]): string => `h.status in (${statuses.map(status => `'${status}'`).join(', ')})`

/**
 * A resource's own figures, which its entries must add up to, by account, in SQL on its row `h`. The rest of each
 * entry is at the processor, or in suspense, about which the resource has no figure.
 */
export const figures: readonly { of: Table; accounts: Partial<Record<LedgerAccount, string>> }[] = [
  {
    of: payments,
    accounts: {
      // A cancel after the capture leaves amount_received as it was (`payments/postings.ts`).
      sales: `case when ${isOneOf(statesThat(statuses, 'undone'))} then 0 else -h.amount_received end`,
      refunds: 'h.amount_refunded',
      disputes: 'h.amount_disputed',
    },
  },
  { of: payouts, accounts: { payouts: `case when ${isOneOf(statesThat(payoutStatuses, 'paid'))} then h.amount else 0 end` } },
]
