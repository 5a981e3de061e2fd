import type { ConnectorAccount } from '../accounts/merchant.ts'
import type { Time } from '../context.ts'
import type { CustomerRow } from '../customers/customer.ts'
import type { Dispute } from '../disputes/dispute.ts'
import type { Event } from '../events/event.ts'
import type { Payment } from '../payments/payment.ts'
import type { Payout } from '../payouts/payout.ts'
import type { Refund } from '../refunds/refund.ts'
import type { RequestLogLine } from '../telemetry/request-log.ts'

export const hitKinds = ['payment', 'refund', 'payout', 'dispute', 'customer', 'connector_account', 'event', 'request_log'] as const

/**
 * `label`: never a person's name. `amount`: in the lowest denomination of `currency`. `matched`: the member that equals
 * the search text.
 */
export type Hit = {
  kind: (typeof hitKinds)[number]
  id: string
  label: string | null
  status: string | null
  amount: number | null
  currency: string | null
  created: Time
  matched: string
}

/** `profile_id` null: the object belongs to no profile. */
export type Found = Hit & { profile_id: string | null }

type Money = { status: string; amount: number; currency: string }
const money = ({ status, amount, currency }: Money) => ({ status, amount, currency })
const none = { status: null, amount: null, currency: null } as const

export const hitOf = {
  payment: (row: Payment, matched: string): Found => ({
    kind: 'payment',
    profile_id: row.profile_id,
    id: row.payment_id,
    label: row.request.merchant_order_reference_id ?? row.request.description ?? null,
    ...money(row),
    created: row.created,
    matched,
  }),
  refund: (row: Refund, matched: string): Found => ({
    kind: 'refund',
    profile_id: row.profile_id,
    id: row.refund_id,
    label: row.payment_id,
    ...money(row),
    created: row.created_at,
    matched,
  }),
  payout: (row: Payout, matched: string): Found => ({
    kind: 'payout',
    profile_id: row.profile_id,
    id: row.payout_id,
    label: row.merchant_order_reference_id,
    ...money(row),
    created: row.created,
    matched,
  }),
  dispute: (row: Dispute, matched: string): Found => ({
    kind: 'dispute',
    profile_id: row.profile_id,
    id: row.dispute_id,
    label: row.payment_id,
    ...money({ ...row, status: row.dispute_status }),
    created: row.created_at,
    matched,
  }),
  customer: (row: CustomerRow, matched: string): Found => ({
    kind: 'customer',
    profile_id: null,
    id: row.customer_id,
    label: null,
    ...none,
    created: row.created_at,
    matched,
  }),
  account: (row: ConnectorAccount, matched: string): Found => ({
    kind: 'connector_account',
    profile_id: row.profile_id,
    id: row.merchant_connector_id,
    label: row.connector_label,
    ...none,
    status: row.disabled ? 'disabled' : 'active',
    created: row.created,
    matched,
  }),
  event: (row: Event, matched: string): Found => ({
    kind: 'event',
    profile_id: row.profile_id,
    id: row.event_id,
    label: row.type,
    ...none,
    created: row.created,
    matched,
  }),
  log: (line: RequestLogLine, matched: string): Found => ({
    kind: 'request_log',
    profile_id: null,
    id: line.log_id,
    label: `${line.method} ${line.route}`,
    ...none,
    status: String(line.status),
    created: line.created,
    matched,
  }),
}
