import Type from 'typebox'
import type { ConnectorAccount, Merchant } from '../../accounts/merchant.ts'
import { refuse } from '../../base/refusal.ts'
import { shortText, strictObject, boundedText as textOf } from '../../base/shapes.ts'
import type { Context, Time } from '../../context.ts'
import { forgotten } from '../../database/due.ts'
import { statement } from '../../database/statement.ts'
import { jsonb, select, table, text, time } from '../../database/table.ts'
import { cellParams, type HealthReport, type PastAuthorization } from '../../routing/dynamic/dynamic-routing.ts'
import { processorOf } from '../../routing/eligibility-checks.ts'
import { plainRoutingContext, type RoutingContext } from '../../routing/routing-context.ts'
import { findPayment } from '../rows.ts'
import type { UseCaseCall } from '../services.ts'
import { checkMerchantId } from './payment-info.ts'

/**
 * Payments processed elsewhere: their routing is evaluated here (`evaluate`), and callers report the results, so that
 * success-based routing and elimination count them. What counting needs is stored for a week.
 */

type Outcome = { succeeded: boolean | null; at: Time }

const externalPayments = table('external_payments', {
  key: ['merchant_id', 'payment_id'],
  columns: {
    merchant_id: text(),
    payment_id: text(),
    profile_id: text(),
    /** The parameters that statistics may be grouped by. */
    cell: jsonb<Partial<RoutingContext>>(),
    /** The reported results, by account. */
    outcomes: jsonb<Record<string, Outcome>>(),
    created: time(),
  },
})
const ELSEWHERE_KEPT_MS = 7 * 24 * 3_600_000
/** External payments that no routing decision counts any more. */
export const oldExternalPayments = forgotten(externalPayments, 'created', { after_ms: ELSEWHERE_KEPT_MS })

const insert = statement(
  'note_payment_elsewhere',
  `insert into external_payments (merchant_id, payment_id, profile_id, cell, outcomes, created) values ($1, $2, $3, $4, '{}', $5)
    on conflict (merchant_id, payment_id) do update set profile_id = excluded.profile_id, cell = excluded.cell, created = excluded.created`,
)
const byId = statement('payment_elsewhere', select(externalPayments, 'where merchant_id = $1 and payment_id = $2'))
const record = statement(
  'tell_payment_elsewhere',
  `update external_payments set outcomes = outcomes || jsonb_build_object($3::text, $4::jsonb)
    where merchant_id = $1 and payment_id = $2 and outcomes -> $3 is null returning 1 as told`,
)
const ofProfile = statement(
  'external_payments_of_profile',
  select(
    externalPayments,
    "where merchant_id = $1 and profile_id = $2 and created >= $3 and outcomes <> '{}' order by created desc limit $4",
  ),
)

/** Stores an external payment whose routing is evaluated, if the profile's dynamic routing counts payments. */
export async function noteElsewhere({ context, merchant }: UseCaseCall, routingContext: RoutingContext): Promise<void> {
  const row = merchant.routing.get(routingContext.profile_id)?.row
  const isCounted = [row?.success_based, row?.elimination].some(kind => kind && kind.enabled !== 'none')
  if (!isCounted) return
  const cell = Object.fromEntries(Object.values(cellParams).map(name => [name, routingContext[name]]))
  await context.query(insert, [
    merchant.merchant_id,
    routingContext.payment_id,
    routingContext.profile_id,
    JSON.stringify(cell),
    context.now(),
  ])
}

/** The decision service's statuses: whether the account authorized; null if undecided, or not its decision. */
const statuses = new Map<string, boolean | null>([
  ...`AUTHORIZED CHARGED PARTIAL_CHARGED TO_BE_CHARGED CAPTURE_INITIATED CAPTURE_FAILED VOID_INITIATED VOID_FAILED VOIDED
      VOIDED_POST_CHARGE AUTO_REFUNDED`
    .split(/\s+/)
    .map(status => [status, true] as const),
  ...'AUTHENTICATION_FAILED AUTHORIZATION_FAILED DECLINED FAILURE'.split(' ').map(status => [status, false] as const),
  ...'JUSPAY_DECLINED STARTED PENDING_VBV V_B_V_SUCCESSFUL AUTHORIZING C_O_D_INITIATED NOP PENDING'
    .split(' ')
    .map(status => [status, null] as const),
])

export const feedbackShape = strictObject({
  merchantId: shortText,
  paymentId: textOf(64),
  gateway: Type.String({
    maxLength: 255,
    description: 'connector:account, as gateway_priority_map has it; the connector alone if it has a single account',
  }),
  status: Type.Enum([...statuses.keys()]),
})
export type FeedbackAsk = Type.Static<typeof feedbackShape>

const reportOf = (succeeded: boolean | null): HealthReport => ({ succeeded, answered: succeeded === null ? null : true })

const routingContextIn = (payment_id: string, profile_id: string, cell: Partial<RoutingContext>): RoutingContext => ({
  ...plainRoutingContext,
  amount: 0,
  currency: '',
  ...cell,
  payment_id,
  profile_id,
})

function accountAt(merchant: Merchant, profile_id: string, gateway: string): ConnectorAccount {
  const [connector, id] = gateway.split(':')
  const found = merchant.connectorAccounts.filter(
    one =>
      one.connector_type === processorOf.payment &&
      one.profile_id === profile_id &&
      one.connector_name === connector &&
      (id === undefined || one.merchant_connector_id === id),
  )
  if (found.length === 1) return found[0]!
  const message =
    found.length > 1 ? `has several accounts: ${connector}:…` : `${gateway} is not a connector account of business profile ${profile_id}`
  return refuse('unacceptable', { field: 'gateway', problem: message })
}

/**
 * Records the result of an external payment that was evaluated before, once for each account and only when it is
 * decided. Payments of this service are counted from their processors' answers. Refuses (HE_02) a payment that was not
 * evaluated. `only`: the profile that the caller is limited to, null for all.
 */
export async function recordExternalResult(call: UseCaseCall, ask: FeedbackAsk, only: string | null): Promise<{ message: string }> {
  const { context, merchant, services } = call
  const { merchant_id } = merchant
  checkMerchantId(merchant, ask)
  const [noted] = await context.query<{ profile_id: string; cell: Partial<RoutingContext> }>(byId, [merchant_id, ask.paymentId])
  if (!noted) {
    if (!(await findPayment(context, merchant_id, ask.paymentId))) refuse('not_found', { what: 'payment' })
    return { message: 'Not recorded: payments processed by this service are counted from their processor responses' }
  }
  if (only !== null && only !== noted.profile_id) refuse('not_found', { what: 'payment' })
  const account = accountAt(merchant, noted.profile_id, ask.gateway)
  const succeeded = statuses.get(ask.status) ?? null
  if (succeeded === null) return { message: 'Not counted: this status decides nothing yet' }
  const id = account.merchant_connector_id
  const outcome: Outcome = { succeeded, at: context.now() }
  const updated = await context.query(record, [merchant_id, ask.paymentId, id, JSON.stringify(outcome)])
  if (updated.length === 0) return { message: 'Not counted: it was counted before' }
  services.health.reported(
    merchant_id,
    noted.profile_id,
    id,
    reportOf(succeeded),
    routingContextIn(ask.paymentId, noted.profile_id, noted.cell),
  )
  return { message: 'Success' }
}

/** Returns the reported results of a profile's external payments since a time, as far as they are still stored. */
export async function learnElsewhere(
  context: Pick<Context, 'query'>,
  merchant_id: string,
  profile_id: string,
  since: Time,
  most: number,
): Promise<PastAuthorization[]> {
  const rows = await context.query<{ payment_id: string; cell: Partial<RoutingContext>; outcomes: Record<string, Outcome> }>(ofProfile, [
    merchant_id,
    profile_id,
    since,
    most,
  ])
  return rows.flatMap(({ payment_id, cell, outcomes }) =>
    Object.entries(outcomes).map(([merchant_connector_id, { succeeded, at }]) => ({
      merchant_connector_id,
      routingContext: routingContextIn(payment_id, profile_id, cell),
      report: reportOf(succeeded),
      at,
    })),
  )
}
