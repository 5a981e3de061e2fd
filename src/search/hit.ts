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

/** `label`: never a person's name. `amount`: in the lowest denomination. `matched`: the member that equals the text. */
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
type Shown = Pick<Found, 'kind' | 'profile_id' | 'id' | 'label' | 'created'>

const found = ({ created, ...shown }: Shown, matched: string, { status, amount, currency }: Partial<Money> = {}): Found => ({
  ...shown,
  ...{ status: status ?? null, amount: amount ?? null, currency: currency ?? null },
  created,
  matched,
})

export const hitOf = {
  payment(row: Payment, matched: string) {
    const { profile_id, payment_id: id, request, created } = row
    const label = request.merchant_order_reference_id ?? request.description ?? null
    return found({ kind: 'payment', profile_id, id, label, created }, matched, row)
  },
  refund: (row: Refund, matched: string) =>
    found({ kind: 'refund', profile_id: row.profile_id, id: row.refund_id, label: row.payment_id, created: row.created_at }, matched, row),
  payout(row: Payout, matched: string) {
    const { profile_id, payout_id: id, merchant_order_reference_id: label, created } = row
    return found({ kind: 'payout', profile_id, id, label, created }, matched, row)
  },
  dispute(row: Dispute, matched: string) {
    const { profile_id, dispute_id: id, payment_id: label, created_at: created, dispute_status: status } = row
    return found({ kind: 'dispute', profile_id, id, label, created }, matched, { ...row, status })
  },
  customer: ({ customer_id: id, created_at: created }: CustomerRow, matched: string) =>
    found({ kind: 'customer', profile_id: null, id, label: null, created }, matched),
  account({ profile_id, merchant_connector_id: id, connector_label: label, created, disabled }: ConnectorAccount, matched: string) {
    return found({ kind: 'connector_account', profile_id, id, label, created }, matched, { status: disabled ? 'disabled' : 'active' })
  },
  event: ({ profile_id, event_id: id, type: label, created }: Event, matched: string) =>
    found({ kind: 'event', profile_id, id, label, created }, matched),
  log({ log_id: id, method, route, status, created }: RequestLogLine, matched: string) {
    return found({ kind: 'request_log', profile_id: null, id, label: `${method} ${route}`, created }, matched, { status: String(status) })
  },
}
