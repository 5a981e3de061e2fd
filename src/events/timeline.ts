import type { Merchant } from '../accounts/merchant.ts'
import { later } from '../base/time.ts'
import type { Context, Time } from '../context.ts'
import { postingLines } from '../database/ledger.ts'
import { rowAt } from '../database/past-row.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { type Operation, operations } from '../operations/operation.ts'
import { type Payment, payments } from '../payments/payment.ts'
import { routingContextOf } from '../payments/routing/routing-context.ts'
import { labelOf } from '../show/operations.ts'
import { showRouted } from '../show/routing.ts'
import { type Delivery, type DeliveryAttempt, deliveries, deliveryAttempts } from './delivery.ts'
import { type HistoryRow, headlineOf } from './headline.ts'
import { operationsAndHistory } from './operations-at-version.ts'

/**
 * One line of a timeline. The `kind`s are listed in the order in which they follow from each other within one moment.
 * `id`: the request log, operation, connector account, event or attempt that the line links to. `version`: that of the
 * payment, if the line belongs to one.
 */
export type TimelineLine = { at: Time; kind: (typeof timelineKinds)[number]; id: string; version: number | null; [member: string]: unknown }

export const timelineKinds = ['request', 'decision', 'attempt', 'operation', 'webhook', 'change', 'event', 'ledger', 'delivery'] as const

export type TimelineRequest = {
  log_id: string
  request_id: string
  method: string
  route: string
  status: number
  latency_ms: number
  by: string
  error_code: string | null
  created: Time
  /** The first version of the payment that the request wrote. */
  version: number | null
}

const deliveriesOf = statement('deliveries_of_events', select(deliveries, 'where merchant_id = $1 and event_id = any($2)'))
const triesOf = statement(
  'tries_of_events',
  select(deliveryAttempts, 'where merchant_id = $1 and event_id = any($2) order by created, attempt_id'),
)

/** In order of time: requests, routing, processors' requests and responses, deliveries, movements of money. */
export async function timelineOf(
  context: Pick<Context, 'query'>,
  merchant: Merchant,
  payment: Payment,
  requests: readonly TimelineRequest[],
): Promise<TimelineLine[]> {
  const { merchant_id, payment_id } = payment
  const { now, all } = await operationsAndHistory(context, merchant_id, payment_id)
  const ids = all.filter(({ announces }) => announces !== null).map(({ event_id }) => event_id)
  const [to, tries] = await Promise.all([
    context.query<Delivery>(deliveriesOf, [merchant_id, ids]),
    context.query<DeliveryAttempt>(triesOf, [merchant_id, ids]),
  ])
  const lines = [
    ...requests.map(asked => requestLine(asked, all)),
    ...decisions(merchant, payment, now, all),
    ...now.flatMap(operation => operationLines(merchant, operation, all)),
    ...all.flatMap(change => changeLines(merchant, change)),
    ...deliveryLines(to, tries, all),
  ]
  const place = ({ version, kind }: TimelineLine) => (version ?? 0) * timelineKinds.length + timelineKinds.indexOf(kind)
  return lines.sort((a, b) => (a.at === b.at ? place(a) - place(b) : a.at < b.at ? -1 : 1))
}

/** The log has the time of the response; the request came before its first write. */
function requestLine({ log_id, created, ...asked }: TimelineRequest, all: readonly HistoryRow[]): TimelineLine {
  const came = later(created, -asked.latency_ms)
  const wrote = all.find(({ version }) => version === asked.version)?.created ?? came
  return { at: came < wrote ? came : wrote, kind: 'request', id: log_id, ...asked }
}

/** A retry follows the decision of the attempt before it. */
function decisions(merchant: Merchant, payment: Payment, now: readonly Operation[], all: readonly HistoryRow[]): TimelineLine[] {
  const routingContext = routingContextOf(payment)
  const decided = now.filter(({ verb, routing }) => verb === 'authorize' && routing !== null)
  return decided
    .filter(({ routing }, i) => JSON.stringify(routing) !== JSON.stringify(decided[i - 1]?.routing))
    .map(({ request_id, began, n, attempt, routing }) => ({
      at: began,
      kind: 'decision',
      id: request_id,
      version: firstVersion(n, all),
      attempt,
      routing: showRouted(merchant, routing!, routingContext),
    }))
}

const touches = (n: number, { was: { rows } }: HistoryRow): boolean => rows?.[`${operations.name} ${n}`] !== undefined

/** An operation written with the payment has no change of its own. */
const firstVersion = (n: number, all: readonly HistoryRow[]): number | null =>
  (all.find(change => change.was.rows?.[`${operations.name} ${n}`] === null) ?? all[0])?.version ?? null

/** Lines of one change have one time, so a retry never stands before the decline that it follows. */
function operationLines(merchant: Merchant, operation: Operation, all: readonly HistoryRow[]): TimelineLine[] {
  const first = firstVersion(operation.n, all)
  const lines: TimelineLine[] = []
  let state: Operation['state'] | null = null
  for (const change of all) {
    if (change.version !== first && !touches(operation.n, change)) continue
    const then = rowAt(operations, operation, payments, all, change.version)
    if (!then || then.state === state) continue
    state = then.state
    lines.push(operationLine(merchant, then, change))
  }
  return lines
}

function operationLine(merchant: Merchant, then: Operation, { version, by, created: at }: HistoryRow): TimelineLine {
  const { request_id, n, attempt, verb, purpose, state, amount, currency, merchant_connector_id, refund_id, response } = then
  return {
    at,
    kind: verb === 'authorize' ? 'attempt' : 'operation',
    id: request_id,
    version,
    ...{ n, attempt, verb, purpose, state, amount, currency, merchant_connector_id },
    connector_label: labelOf(merchant, merchant_connector_id),
    refund_id,
    error_code: response?.code ?? null,
    why: response?.words ?? response?.why ?? null,
    by,
  }
}

const WEBHOOK = 'webhook '

/** The processor's webhook that caused a change, the event that it announces, and the money that moved. */
function changeLines(merchant: Merchant, change: HistoryRow): TimelineLine[] {
  const { event_id: id, version, type, by, created: at, announces, sequence, posted } = change
  const lines: TimelineLine[] = []
  if (by.startsWith(WEBHOOK)) {
    const merchant_connector_id = by.slice(WEBHOOK.length)
    lines.push({ at, kind: 'webhook', id: merchant_connector_id, version, type, connector_label: labelOf(merchant, merchant_connector_id) })
  }
  if (announces === null) lines.push({ at, kind: 'change', id, version, type, by })
  else {
    const { event_type, object_id } = headlineOf(change)
    lines.push({ at, kind: 'event', id, version, type, event_type, object_id, sequence, by })
  }
  if (posted) {
    const { merchant_connector_id, currency } = posted
    lines.push({ at, kind: 'ledger', id, version, type, merchant_connector_id, currency, lines: postingLines(posted) })
  }
  return lines
}

function deliveryLines(to: readonly Delivery[], tries: readonly DeliveryAttempt[], all: readonly HistoryRow[]): TimelineLine[] {
  const versions = new Map(all.map(({ event_id, version }) => [event_id, version]))
  return to.flatMap(({ event_id, endpoint_id, status, tries: count, created }) => {
    const its = tries.filter(one => one.event_id === event_id && one.endpoint_id === endpoint_id)
    const same = { version: versions.get(event_id) ?? null, event_id, endpoint_id, status, tries: count }
    const waits = { at: created, id: event_id, status_code: null, error: null, latency_ms: null }
    const tried = its.map(one => ({
      at: one.created,
      id: one.attempt_id,
      status_code: one.status_code,
      error: one.error,
      latency_ms: one.latency_ms,
    }))
    return (tried.length > 0 ? tried : [waits]).map(one => ({ kind: 'delivery', ...one, ...same }) as TimelineLine)
  })
}
