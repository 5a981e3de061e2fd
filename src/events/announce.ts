import type { Merchant } from '../accounts/merchant.ts'
import { platformNamed, platformOf } from '../accounts/platform.ts'
import type { Settings } from '../accounts/settings.ts'
import { type WebhookEndpoint, type WebhookEndpointState, webhookEndpointStates } from '../accounts/webhook-endpoint.ts'
import type { Context, Row, Statement } from '../context.ts'
import { changes } from '../database/changes.ts'
import { statement } from '../database/statement.ts'
import { type RowOf, select, type Table } from '../database/table.ts'
import { type Dispute, disputes } from '../disputes/dispute.ts'
import { findOperationsOf, type Operation, operations } from '../operations/operation.ts'
import { type Mandate, mandates } from '../payment-methods/mandate.ts'
import { findMethod, type Method } from '../payment-methods/method.ts'
import { PAYMENT, type Payment, payments } from '../payments/payment.ts'
import { PAYOUT, type Payout, payouts } from '../payouts/payout.ts'
import { type Refund, refunds } from '../refunds/refund.ts'
import { showAttempts } from '../show/attempts.ts'
import { showDispute, showDisputeOfPayment } from '../show/dispute.ts'
import { showMandate } from '../show/mandate.ts'
import { paymentBody } from '../show/payment.ts'
import { showPayout } from '../show/payout.ts'
import { showRefund } from '../show/refund.ts'
import { classes, type EventType, eventCatalogue } from './catalogue.ts'
import { disputeIn, type Event, newsOf, refundIn } from './event.ts'
import { operationsThen } from './operations-then.ts'
import { rowAt } from './render.ts'
import { isChosen } from './status-filters.ts'

/**
 * What an event is about: the object as it was when it happened, and what receivers go by. `status`: of a payment or
 * refund. `platform`: that started it for its connected account, and hears of it in its place.
 */
export type EventPayload = Omit<Event, 'type' | 'by' | 'body' | 'is_delivered'> & {
  object: Record<string, unknown>
  status: string | null
  platform: string | null
}

type Change = RowOf<typeof changes>

const paymentsById = statement('payments_to_tell', select(payments, 'where merchant_id = $1 and payment_id = any($2)'))
const mandatesById = statement('mandates_to_tell', select(mandates, 'where merchant_id = $1 and mandate_id = any($2)'))
const refundsOf = statement('refunds_to_tell', select(refunds, 'where merchant_id = $1 and payment_id = any($2) order by n'))
const payoutsById = statement('payouts_to_tell', select(payouts, 'where merchant_id = $1 and payout_id = any($2)'))
const disputesOf = statement(
  'disputes_to_tell',
  select(disputes, 'where merchant_id = $1 and payment_id = any($2) order by created_at, dispute_id'),
)
const statesOf = statement('endpoint_states_to_tell', select(webhookEndpointStates, 'where merchant_id = $1 and endpoint_id = any($2)'))
const historyOf = statement(
  'changes_to_tell',
  select(changes, 'where merchant_id = $1 and kind = $2 and object_id = any($3) order by version'),
)

/** Which change: of what, and which version of it. */
export type Announced = { kind: string; object_id: string; version: number }

function byKey<T>(rows: readonly T[], key: (row: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>()
  for (const row of rows) {
    const of = key(row)
    const all = found.get(of)
    if (all) all.push(row)
    else found.set(of, [row])
  }
  return found
}

/**
 * These changes of one merchant as they are told: each with its object as it was after that change, whatever happened
 * since. In the order in which they were asked for; null for one that is no more, or that nobody hears of.
 */
export async function render(
  context: Pick<Context, 'query'>,
  merchant: Merchant,
  publicUrl: string,
  asked: readonly Announced[],
): Promise<(EventPayload | null)[]> {
  const told = new Map<string, EventPayload>()
  const nameOf = ({ kind, object_id, version }: Announced) => `${kind} ${object_id} ${version}`
  const idsOf = (kind: string) => [...new Set(asked.filter(one => one.kind === kind).map(one => one.object_id))]
  const wanted = new Set(asked.map(nameOf))
  const { merchant_id } = merchant

  const ofPayments = idsOf(PAYMENT)
  if (ofPayments.length > 0) {
    // The rows before their history: what moves in between is then taken back as well.
    const [now, refundsNow] = await Promise.all([
      context.query<Payment>(paymentsById, [merchant_id, ofPayments]),
      context.query<Refund>(refundsOf, [merchant_id, ofPayments]),
    ])
    const disputed = now.filter(payment => payment.adjustments?.disputes).map(payment => payment.payment_id)
    const disputesNow = disputed.length === 0 ? [] : await context.query<Dispute>(disputesOf, [merchant_id, disputed])
    const history = byKey(await context.query<Change>(historyOf, [merchant_id, PAYMENT, ofPayments]), change => change.object_id)
    const theirDisputes = byKey(disputesNow, dispute => dispute.payment_id)
    const theirs = byKey(refundsNow, refund => refund.payment_id)
    const isWanted = (change: Change) => change.announces !== null && wanted.has(nameOf(change))
    const asked = await operationsThen(context, merchant_id, [...history.values()].flat().filter(isWanted))
    for (const payment of now) {
      const all = history.get(payment.payment_id) ?? []
      const its = { refunds: theirs.get(payment.payment_id) ?? [], disputes: theirDisputes.get(payment.payment_id) ?? [] }
      for (const change of all.filter(isWanted))
        told.set(nameOf(change), tellPayment(merchant, publicUrl, payment, its, asked(change), all, change))
    }
  }

  /** Those of one kind that are heads by themselves. `beside`: what is read with them, before their history. */
  async function tellEach<H extends Row, B = undefined>(
    { kind, key }: Table,
    byIds: Statement,
    tell: (now: H, all: readonly Change[], change: Change, beside: B) => EventPayload | Promise<EventPayload>,
    beside?: (ids: readonly string[]) => Promise<B>,
  ): Promise<void> {
    const ids = idsOf(kind!)
    if (ids.length === 0) return
    const now = await context.query<H>(byIds, [merchant_id, ids])
    const read = (await beside?.(ids)) as B
    const history = byKey(await context.query<Change>(historyOf, [merchant_id, kind, ids]), change => change.object_id)
    for (const one of now) {
      const all = history.get(String(one[key.at(-1)!])) ?? []
      for (const change of all)
        if (change.announces !== null && wanted.has(nameOf(change))) told.set(nameOf(change), await tell(one, all, change, read))
    }
  }
  await tellEach<WebhookEndpointState>(webhookEndpointStates, statesOf, tellState)
  await tellEach<Mandate>(mandates, mandatesById, async (now, all, change) =>
    tellMandate(
      now,
      await findMethod(context, merchant_id, now.payment_method_id),
      await platformOfMandate(context, merchant, now),
      all,
      change,
    ),
  )
  await tellEach<Payout, Map<string, Operation[]>>(
    payouts,
    payoutsById,
    (now, all, change, asked) => tellPayout(merchant, publicUrl, now, asked.get(now.payout_id) ?? [], all, change),
    ids => findOperationsOf(context, merchant_id, PAYOUT, ids),
  )
  return asked.map(one => told.get(nameOf(one)) ?? null)
}

const tellOf = (change: Change, profile_id: string, platform: string | null): Omit<EventPayload, 'object' | 'status'> => ({
  platform,
  merchant_id: change.merchant_id,
  event_id: change.event_id,
  kind: change.kind,
  head_id: change.object_id,
  version: change.version,
  sequence: change.sequence,
  profile_id,
  ...newsOf(change),
  created: change.created,
})

function tellPayment(
  merchant: Merchant,
  publicUrl: string,
  now: Payment,
  { refunds: refundsNow, disputes: disputesNow }: { refunds: readonly Refund[]; disputes: readonly Dispute[] },
  asked: readonly Operation[] | null,
  all: readonly Change[],
  change: Change,
): EventPayload {
  const { version } = change
  const payment = rowAt(payments, now, payments, all, version)!
  const its = refundsNow.map(refund => rowAt(refunds, refund, payments, all, version)).filter(refund => refund !== null)
  const platform = payment.asked.platform_merchant_id ?? null
  const refund_id = refundIn(change)
  const refund = its.find(one => one.refund_id === refund_id)
  if (refund)
    return {
      ...tellOf(change, refund.profile_id, platformNamed(all.find(one => refundIn(one) === refund_id)!.by)),
      object: showRefund(refund),
      status: refund.status,
    }
  const disputesThen = disputesNow.map(dispute => rowAt(disputes, dispute, payments, all, version)).filter(dispute => dispute !== null)
  const dispute_id = disputeIn(change)
  const dispute = disputesThen.find(one => one.dispute_id === dispute_id)
  if (dispute)
    return { ...tellOf(change, dispute.profile_id, platform), object: showDispute(dispute, payment), status: dispute.dispute_status }
  const body = paymentBody(merchant, payment, { publicUrl, eyes: 'server', now: change.created })
  const object = {
    ...body,
    ...(its.length > 0 && { refunds: its.map(showRefund) }),
    ...(disputesThen.length > 0 && { disputes: disputesThen.map(showDisputeOfPayment) }),
    ...(asked && { attempts: showAttempts(merchant, payment, asked) }),
  }
  return { ...tellOf(change, payment.profile_id, platform), object, status: payment.status }
}

function tellState(now: WebhookEndpointState, all: readonly Change[], change: Change): EventPayload {
  const state = rowAt(webhookEndpointStates, now, webhookEndpointStates, all, change.version)!
  const { endpoint_id, url, failing_since, disabled_at, disabled_reason } = state
  const object = { endpoint_id, url, failing_since, disabled_at, disabled_reason }
  return { ...tellOf(change, state.profile_id, null), object, status: null }
}

function tellPayout(
  merchant: Merchant,
  publicUrl: string,
  now: Payout,
  asked: readonly Operation[],
  all: readonly Change[],
  change: Change,
): EventPayload {
  const payout = rowAt(payouts, now, payouts, all, change.version)!
  const then = asked.map(one => rowAt(operations, one, payouts, all, change.version)).filter(one => one !== null)
  return {
    ...tellOf(change, payout.profile_id, payout.asked.platform_merchant_id ?? null),
    object: showPayout(merchant, payout, { publicUrl, eyes: 'server', operations: then }),
    status: payout.status,
  }
}

/** The platform that started the payment by which a mandate was agreed on. */
async function platformOfMandate(context: Pick<Context, 'query'>, merchant: Merchant, { payment_id }: Mandate): Promise<string | null> {
  if (platformOf(merchant) === null) return null
  const [payment] = await context.query<Payment>(paymentsById, [merchant.merchant_id, [payment_id]])
  return payment?.asked.platform_merchant_id ?? null
}

/** The mandate as it was; its card as it is. */
function tellMandate(
  now: Mandate,
  method: Method | undefined,
  platform: string | null,
  all: readonly Change[],
  change: Change,
): EventPayload {
  const mandate = rowAt(mandates, now, mandates, all, change.version)!
  return { ...tellOf(change, mandate.profile_id, platform), object: showMandate(mandate, method), status: null }
}

/**
 * The body as existing clients read it (contract 7.2). It is written once, and those bytes are signed and sent each
 * time.
 */
export const bodyOf = (told: Omit<EventPayload, 'kind' | 'head_id' | 'version' | 'object_id' | 'status'>): string => {
  const { merchant_id, platform, event_id, event_type, event_class, object, created, sequence } = told
  return JSON.stringify({
    merchant_id: platform ?? merchant_id,
    event_id,
    event_type,
    type: eventCatalogue[event_type].dotted,
    sequence,
    content: { type: classes[event_class], object },
    timestamp: created,
    processor_merchant_id: merchant_id,
  })
}

/** What is written down of an event for those who are to hear of it, and in which line it stands there. */
export const announcementRow = (told: EventPayload) => ({
  event_id: told.event_id,
  line: told.head_id,
  version: told.version,
  body: bodyOf(told),
  created: told.created,
})

/** Is this endpoint called at all? */
export const listens = (endpoint: WebhookEndpoint): boolean => endpoint.enabled && endpoint.state?.disabled_at == null

/**
 * Does an endpoint hear of this? One of its own profile, or of any profile of the platform that started it, which it
 * has not said to be none of its business. That an endpoint is given up is told to the others.
 */
export function wants(
  endpoint: WebhookEndpoint,
  { profile_id, platform, event_type, event_class, object_id, status }: EventPayload,
): boolean {
  const isFor = platform === null ? endpoint.profile_id === profile_id : endpoint.merchant_id === platform
  if (!listens(endpoint) || !isFor) return false
  if (event_class === 'webhooks' && (endpoint.of_profile || object_id === endpoint.endpoint_id)) return false
  // That a person must look is not a matter of a status.
  if (event_type !== 'payout_processing' && !isChosen(endpoint.statuses, event_class, status)) return false
  return takes(endpoint, event_type)
}

/** Has it chosen this type, or none? */
const takes = ({ event_types }: WebhookEndpoint, event_type: EventType): boolean =>
  event_types === null || event_types.includes(event_type) || event_types.includes(eventCatalogue[event_type].dotted)

export type Finds = Pick<Settings, 'merchant' | 'webhookEndpoints' | 'listeners' | 'refresh'>
