import { nextStep } from '../base/retry.ts'
import { between, DAY_MS, HOUR_MS, MINUTE_MS } from '../base/time.ts'
import type { Movement, PaymentReport } from '../connectors/payment-report.ts'
import { Unscreened } from '../connectors/redaction/card-numbers.ts'
import type { Context } from '../context.ts'
import { claimed, scheduledJob } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { int, json, type RowOf, select, table, text, time } from '../database/table.ts'
import { acceptsUpdates, findOperation, type Operation } from '../operations/operation.ts'
import type { Call, JobContext } from '../operations/verb.ts'
import { PAYMENT } from '../payments/payment.ts'
import { askWhole } from './ask.ts'
import { applyReport } from './receive.ts'

/**
 * Payments whose processor is to be asked about the whole of them: it was silent, or an operation under way may explain
 * what it said. Few have a row here. A processor that cannot be asked has its reports compared again instead.
 */
const paymentLooks = table('payment_looks', {
  key: ['merchant_id', 'payment_id'],
  columns: {
    merchant_id: text(),
    payment_id: text(),
    /** The n of the authorization. */
    n: int(),
    connector: text(),
    merchant_connector_id: text(),
    since: time(),
    look_at: time(),
    /** Reports of a processor that cannot be asked: compared again instead. Null: it is asked. */
    reports: json<PaymentReport[]>().orNull(),
  },
})
type PaymentLook = RowOf<typeof paymentLooks>

const dueLooks = claimed(paymentLooks, { when: 'look_at', gives: ['merchant_id', 'payment_id'], asksProcessor: true })

/** When reports are compared again, counted from the last one: it costs no call. Operations are given up by then. */
const COMPARE_AFTER_MS = [
  ...[1, 2, 3, 5, 10, 20].map(minutes => minutes * MINUTE_MS),
  ...[1, 3, 6, 12].map(hours => hours * HOUR_MS),
  ...[1, 2, 3, 5, 7, 8].map(days => days * DAY_MS),
]

/** After the last report: webhooks that were not received are repeated every few hours at least. */
const ALL_IS_TOLD_MS = DAY_MS

/** When the processor is asked, counted from the first reason to ask. */
const LOOK_AFTER_MS = [MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS, 3 * DAY_MS, 7 * DAY_MS]

const begin = statement(
  'begin_payment_look',
  `insert into payment_looks (merchant_id, payment_id, n, connector, merchant_connector_id, since, look_at) values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (merchant_id, payment_id) do update set n = excluded.n, since = excluded.since, look_at = excluded.look_at
   where payment_looks.look_at > excluded.look_at`,
)
/** A report that is received again adds itself: `MOST_REPORTS` bounds it. */
const MOST_REPORTS = 50
const keep = statement(
  'keep_payment_report',
  `insert into payment_looks (merchant_id, payment_id, n, connector, merchant_connector_id, since, look_at, reports)
   values ($1, $2, $3, $4, $5, $6, $7, json_build_array($8::json))
   on conflict (merchant_id, payment_id) do update set n = excluded.n, since = excluded.since, look_at = excluded.look_at,
     reports = case when json_array_length(coalesce(payment_looks.reports, '[]')) < ${MOST_REPORTS}
       then (coalesce(payment_looks.reports, '[]')::jsonb || excluded.reports::jsonb)::json else payment_looks.reports end`,
)
const find = statement('payment_look', select(paymentLooks, 'where merchant_id = $1 and payment_id = $2'))
const again = statement('look_again_at_payment', 'update payment_looks set look_at = $3 where merchant_id = $1 and payment_id = $2')
const forget = statement('forget_payment_look', 'delete from payment_looks where merchant_id = $1 and payment_id = $2 and look_at = $3')

/** Whether the processor has taken back what it confirmed, or is still to confirm. */
export const isTakenBack = ({ verb, state }: Movement): boolean => (verb === 'refund' || verb === 'capture') && state === 'declined'

/** Has the processor asked about the whole payment in a minute, or sooner if that was already due. */
export async function lookLater(context: Pick<Context, 'query' | 'now'>, authorization: Operation): Promise<void> {
  const { merchant_id, object_id, n, connector, merchant_connector_id } = authorization
  const now = context.now()
  await context.query(begin, [merchant_id, object_id, n, connector, merchant_connector_id, now, nextStep(LOOK_AFTER_MS, now, now)])
}

/** Keeps a report that waits for an operation under way, where the processor cannot be asked later. */
export async function compareLater(
  context: Pick<Context, 'query' | 'now'>,
  authorization: Operation,
  report: PaymentReport,
): Promise<void> {
  const { merchant_id, object_id, n, connector, merchant_connector_id } = authorization
  const now = context.now()
  const key = [merchant_id, object_id, n, connector, merchant_connector_id]
  await context.query(keep, [...key, now, nextStep(COMPARE_AFTER_MS, now, now), JSON.stringify(report)])
}

/** Whether reports of a payment are kept. */
export const hasReports = async (context: Pick<Context, 'query'>, { merchant_id, object_id }: Operation): Promise<boolean> =>
  (await context.query<PaymentLook>(find, [merchant_id, object_id])).some(({ reports }) => reports !== null)

/** Asks; a payment whose report still waits for an operation, or whose processor is silent, is asked about again. */
async function look({ context, services, settings }: JobContext, job: Pick<PaymentLook, 'merchant_id' | 'payment_id'>): Promise<void> {
  const key = [job.merchant_id, job.payment_id]
  const [merchant, [found]] = await Promise.all([settings.merchant(job.merchant_id), context.query<PaymentLook>(find, key)])
  if (!found) return
  const owner = { merchant_id: job.merchant_id, kind: PAYMENT, object_id: job.payment_id }
  const authorization = merchant ? await findOperation(context, owner, found.n) : undefined
  const steps = found.reports === null ? LOOK_AFTER_MS : COMPARE_AFTER_MS
  const next = merchant && authorization ? nextStep(steps, found.since, context.now()) : null
  // Written before the processor is asked, because the query may fail; what still waits then sets a sooner time.
  if (next === null) await context.query(forget, [...key, found.look_at])
  else await context.query(again, [...key, next])
  if (!merchant || !authorization) return
  const call = { context, services, merchant }
  const isTold = between(found.since, context.now()) >= ALL_IS_TOLD_MS
  const asked =
    found.reports === null ? await askWhole(call, authorization) : await applyReports(call, authorization, found.reports, isTold)
  if (asked === 'compared' && next !== null) await context.query(forget, [...key, next])
}

/**
 * The same report twice changes nothing, so all are kept until none waits. Webhooks come in any order: what a report
 * waits for, or that it was taken back, may be told by a later one, and the confirmation of what was taken back too.
 */
async function applyReports(
  call: Call,
  authorization: Operation,
  reports: readonly PaymentReport[],
  last: boolean,
): Promise<'compared' | 'waits'> {
  if (acceptsUpdates(authorization)) return 'waits'
  const takenBack = new Set(reports.flatMap(({ movements }) => movements.filter(isTakenBack).map(({ reference }) => reference)))
  let waiting: readonly PaymentReport[] = reports.map(report => ({
    ...report,
    movements: report.movements.map(one => (takenBack.has(one.reference) ? { ...one, state: 'declined' } : one)),
  }))
  for (let before = waiting.length + 1; waiting.length > 0 && waiting.length < before; ) {
    before = waiting.length
    const still: PaymentReport[] = []
    for (const report of waiting) if ((await applyReport(call, authorization, new Unscreened(report))) === 'waits') still.push(report)
    waiting = still
  }
  if (last) for (const report of waiting) await applyReport(call, authorization, new Unscreened(report), { last })
  return waiting.length > 0 || takenBack.size > 0 ? 'waits' : 'compared'
}

export const outsideJobs = { look: scheduledJob(dueLooks, look) }
