import type { Merchant } from '../accounts/merchant.ts'
import { apiKeys } from '../accounts/merchant.ts'
import type { WebhookEndpoint } from '../accounts/webhook-endpoint.ts'
import { statesThat } from '../base/lifecycle.ts'
import { DAY_MS, later } from '../base/time.ts'
import type { Context, Time } from '../context.ts'
import { statement } from '../database/statement.ts'
import { type RowOf, select, type Table } from '../database/table.ts'
import type { Dispute } from '../disputes/dispute.ts'
import { statuses as disputeStatuses } from '../disputes/lifecycle.ts'
import { listedDisputes } from '../disputes/list.ts'
import { listPage } from '../lists/list.ts'
import type { ListedResource } from '../lists/queries.ts'
import { type ListParams, readConditions } from '../lists/read-conditions.ts'
import { type PaymentStatus, statuses } from '../payments/lifecycle.ts'
import { listedPayments } from '../payments/list.ts'
import type { Payment } from '../payments/payment.ts'
import { listedRefunds } from '../refunds/list.ts'
import type { Refund } from '../refunds/refund.ts'
import { findWaiting } from '../users/approvals.ts'

/** Objects that need a person: read from the index of lists, and from memory; never from all payments. */

const HOLD_LAPSES_WITHIN_MS = DAY_MS
const KEY_EXPIRES_WITHIN_MS = 14 * DAY_MS
/** The time before a dispute's due date at which the dispute is urgent. */
const URGENT_WITHIN_MS = 3 * DAY_MS
/** Of each account, the oldest: its holds lapse approximately in the order in which they were made. */
export const MOST_HOLDS = 100

export const attentionKinds = {
  payment_conflicted: 'The processor’s response contradicts the request',
  payment_review: 'A successful capture failed later',
  payment_unresolved: 'The processor has not reported the result within seven days',
  refund_review: 'The processor’s response to a refund contradicts the request, or never arrived',
  approval_waiting: 'A person asked for something that a second person has to approve or reject',
  dispute_due: 'A dispute waits for evidence or to be accepted',
  account_not_answering: 'The connector account does not answer: its circuit breaker is open',
  webhook_endpoint_failing: 'Nothing arrives at a webhook endpoint',
  webhook_endpoint_disabled: 'A webhook endpoint was given up',
  api_key_expiring: 'An API key expires within 14 days, or has expired',
  hold_lapsing: 'An authorized amount is released within 24 hours unless it is captured',
} as const
type AttentionKind = keyof typeof attentionKinds
export const severities = ['high', 'medium', 'low'] as const

/** `due`: the deadline; null: none is known. */
export type Attention = {
  kind: AttentionKind
  severity: (typeof severities)[number]
  object_kind: 'approval' | 'payment' | 'refund' | 'dispute' | 'connector_account' | 'webhook_endpoint' | 'api_key'
  object_id: string
  payment_id: string | null
  profile_id: string | null
  merchant_connector_id: string | null
  amount: number | null
  currency: string | null
  since: Time
  due: Time | null
  code: string | null
  message: string
}

/** Read elsewhere by the caller: open circuit breakers (`telemetry/account-health.ts`) and webhook endpoints. */
export type Known = {
  breakers: readonly { merchant_connector_id: string; since: Time; next_try_at: Time }[]
  endpoints: readonly WebhookEndpoint[]
}

type Reads = Pick<Context, 'query' | 'now' | 'listKinds'>
/** `profiles`: only objects of these; null: all. `withKeys`: with API keys, which belong to no profile. */
type Scope = { merchant: Merchant; profiles: readonly string[] | null; limit: number; withKeys: boolean }

const isAmong = (profiles: Scope['profiles'], profile_id: string): boolean => profiles === null || profiles.includes(profile_id)

const nothing = { payment_id: null, profile_id: null, merchant_connector_id: null, amount: null, currency: null, due: null, code: null }

const listed = <T extends Table>(
  context: Reads,
  of: ListedResource<T>,
  { merchant, profiles, limit }: Scope,
  ask: ListParams,
  towards: 'asc' | 'desc',
) =>
  listPage(
    { context, merchant_id: merchant.merchant_id, of, conditions: readConditions(of, ask, profiles) },
    { on: 'created', towards, limit, offset: 0, after: null },
  ) as Promise<RowOf<T>[]>

const kindOfStatus: Partial<Record<PaymentStatus, AttentionKind>> = {
  conflicted: 'payment_conflicted',
  review: 'payment_review',
  requires_merchant_action: 'payment_unresolved',
}

const ofPayment = ({ payment_id, profile_id, merchant_connector_id, currency }: Payment) => ({
  ...nothing,
  object_kind: 'payment' as const,
  object_id: payment_id,
  ...{ payment_id, profile_id, merchant_connector_id, currency },
})

async function unclearPayments(context: Reads, scope: Scope): Promise<Attention[]> {
  const found: Payment[] = await listed(context, listedPayments, scope, { status: Object.keys(kindOfStatus) }, 'desc')
  return found.map(payment => {
    const kind = kindOfStatus[payment.status]!
    const { error_code: code = null, error_message: message = attentionKinds[kind] } = payment.last_error ?? {}
    const { net_amount: amount, modified_at: since } = payment
    return { ...ofPayment(payment), kind, severity: 'high', amount, since, code, message }
  })
}

/** Includes partially captured payments. */
async function lapsingHolds(context: Reads, scope: Scope): Promise<Attention[]> {
  const until = later(context.now(), HOLD_LAPSES_WITHIN_MS)
  const status = statesThat(statuses, 'holds')
  const accounts = scope.merchant.connectorAccounts.filter(one => isAmong(scope.profiles, one.profile_id))
  const holds: Payment[][] = await Promise.all(
    accounts.map(({ merchant_connector_id }) =>
      listed(context, listedPayments, { ...scope, limit: MOST_HOLDS }, { status, merchant_connector_id }, 'asc'),
    ),
  )
  return holds.flat().flatMap(payment => {
    const due = payment.facts?.capture_before
    if (due === undefined || due > until) return []
    const { amount_capturable: amount, created: since } = payment
    const message = attentionKinds.hold_lapsing
    return [{ ...ofPayment(payment), kind: 'hold_lapsing', severity: 'medium', amount, since, due, message }]
  })
}

async function unclearRefunds(context: Reads, scope: Scope): Promise<Attention[]> {
  const found: Refund[] = await listed(context, listedRefunds, scope, { refund_status: ['review'] }, 'desc')
  return found.map(({ refund_id, payment_id, profile_id, merchant_connector_id, amount, currency, updated_at, last_error }) => ({
    kind: 'refund_review',
    severity: 'high',
    object_kind: 'refund',
    object_id: refund_id,
    ...{ payment_id, profile_id, merchant_connector_id, amount, currency, since: updated_at, due: null },
    code: last_error?.error_code ?? null,
    message: last_error?.error_message ?? attentionKinds.refund_review,
  }))
}

async function openDisputes(context: Reads, scope: Scope): Promise<Attention[]> {
  const dispute_status = statesThat(disputeStatuses, 'awaits answer')
  const found: Dispute[] = await listed(context, listedDisputes, scope, { dispute_status }, 'desc')
  const urgent = later(context.now(), URGENT_WITHIN_MS)
  return found.map(dispute => {
    const { dispute_id, payment_id, profile_id, merchant_connector_id, amount, currency, created_at, challenge_required_by: due } = dispute
    return {
      kind: 'dispute_due',
      severity: due !== null && due <= urgent ? 'high' : 'medium',
      object_kind: 'dispute',
      object_id: dispute_id,
      ...{ payment_id, profile_id, merchant_connector_id, amount, currency, since: created_at, due },
      code: dispute.connector_reason_code,
      message: dispute.connector_reason ?? attentionKinds.dispute_due,
    }
  })
}

async function waitingApprovals(context: Reads, { merchant, profiles, limit }: Scope): Promise<Attention[]> {
  const found = await findWaiting(context, merchant.merchant_id, profiles, limit)
  return found.map(({ approval_id, subject_kind, subject_id, profile_id, amount, currency, created, expires_at, operation }) => ({
    ...nothing,
    kind: 'approval_waiting',
    severity: 'medium',
    object_kind: 'approval',
    object_id: approval_id,
    payment_id: subject_kind === 'payment' ? subject_id : null,
    ...{ profile_id, amount, currency, since: created, due: expires_at, code: operation },
    message: attentionKinds.approval_waiting,
  }))
}

function brokenAccounts({ breakers }: Known, { merchant, profiles }: Scope): Attention[] {
  return breakers.flatMap(({ merchant_connector_id, since, next_try_at }) => {
    const account = merchant.connectorAccounts.find(one => one.merchant_connector_id === merchant_connector_id)
    if (!account || !isAmong(profiles, account.profile_id)) return []
    const { profile_id } = account
    const its = { object_kind: 'connector_account', object_id: merchant_connector_id, merchant_connector_id, profile_id } as const
    const message = `${account.connector_label} does not answer`
    return [{ ...nothing, kind: 'account_not_answering', severity: 'high', ...its, since, due: next_try_at, message }]
  })
}

function failingEndpoints({ endpoints }: Known, { profiles }: Scope): Attention[] {
  return endpoints.flatMap(({ endpoint_id, profile_id, url, enabled, state }): Attention[] => {
    if (!enabled || state === null || !isAmong(profiles, profile_id)) return []
    const its = { ...nothing, object_kind: 'webhook_endpoint', object_id: endpoint_id, profile_id } as const
    const { failing_since, disabled_at, disabled_reason } = state
    if (disabled_at !== null) {
      const message = `${url} was disabled: ${disabled_reason}`
      return [{ ...its, kind: 'webhook_endpoint_disabled', severity: 'high', since: disabled_at, message }]
    }
    if (failing_since === null) return []
    return [{ ...its, kind: 'webhook_endpoint_failing', severity: 'medium', since: failing_since, message: `Nothing arrives at ${url}` }]
  })
}

const expiring = statement(
  'api_keys_expiring',
  select(apiKeys, 'where merchant_id = $1 and revoked_at is null and expires_at <= $2 and expires_at >= $3 order by expires_at limit $4'),
)

/** Includes keys that have expired recently: requests with them are refused. */
async function endingKeys(context: Reads, { merchant: { merchant_id }, limit }: Scope): Promise<Attention[]> {
  const now = context.now()
  const values = [merchant_id, later(now, KEY_EXPIRES_WITHIN_MS), later(now, -KEY_EXPIRES_WITHIN_MS), limit]
  const found = await context.query<RowOf<typeof apiKeys>>(expiring, values)
  return found.map(({ key_id, name, prefix, created, expires_at }) => {
    const isOver = expires_at! <= now
    const message = `The API key ${name} (${prefix}…) ${isOver ? 'has expired' : 'expires soon'}`
    const its = { object_kind: 'api_key', object_id: key_id, since: created, due: expires_at } as const
    return { ...nothing, kind: 'api_key_expiring', severity: isOver ? 'high' : 'low', ...its, message }
  })
}

/** The most urgent first, then those due soonest; at most `limit` of each kind. `has_more`: some kind has more. */
export async function findAttention(context: Reads, asked: Scope, known: Known): Promise<{ data: Attention[]; has_more: boolean }> {
  const { limit } = asked
  const scope = { ...asked, limit: limit + 1 }
  const kinds = await Promise.all([
    unclearPayments(context, scope),
    unclearRefunds(context, scope),
    waitingApprovals(context, scope),
    openDisputes(context, scope),
    lapsingHolds(context, scope),
    asked.withKeys ? endingKeys(context, scope) : [],
    brokenAccounts(known, scope),
    failingEndpoints(known, scope),
  ])
  const has_more = kinds.some(found => found.length > limit)
  const rank = (one: Attention): string => `${severities.indexOf(one.severity)} ${one.due ?? '9'} ${one.since} ${one.object_id}`
  const data = kinds.flatMap(found => found.toSorted(byRank).slice(0, limit)).sort(byRank)
  return { data, has_more }

  function byRank(a: Attention, b: Attention): number {
    return rank(a) < rank(b) ? -1 : 1
  }
}
