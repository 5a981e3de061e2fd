import { later } from '../../base/time.ts'
import type { RowChange, Time } from '../../context.ts'
import { type RowOf, table, text, time } from '../../database/table.ts'
import type { Payment } from '../payment.ts'

/** When holds are captured automatically: written with the hold, deleted by the beginning of a capture. */
export const scheduledCaptures = table('scheduled_captures', {
  money: true,
  pointer: true,
  key: ['merchant_id', 'payment_id'],
  columns: { merchant_id: text(), payment_id: text(), merchant_connector_id: text(), connector: text(), capture_at: time() },
})
export type ScheduledCapture = RowOf<typeof scheduledCaptures>

const AGAIN_MS = 10 * 60_000

/** Whether the payment is captured without a request: at a time, or as an authorization's second step. */
const isScheduled = ({ capture_method }: Pick<Payment, 'capture_method'>): boolean =>
  capture_method === 'scheduled' || capture_method === 'sequential_automatic'

const rowAt = ({ merchant_id, payment_id, merchant_connector_id, connector }: Payment, capture_at: Time): RowChange => ({
  table: scheduledCaptures.name,
  before: null,
  after: { merchant_id, payment_id, merchant_connector_id: merchant_connector_id ?? '', connector: connector ?? '', capture_at },
})

/** Returns the job of a hold that was just made; none for most payments. */
export const scheduledCapture = (payment: Payment): RowChange[] =>
  isScheduled(payment) && payment.request.capture_on !== undefined
    ? [rowAt(payment, new Date(payment.request.capture_on).toISOString())]
    : []

/** Returns a new job for a capture that never reached its processor. */
export const scheduledAgain = (payment: Payment, now: Time): { rows?: RowChange[] } =>
  isScheduled(payment) ? { rows: [rowAt(payment, later(now, AGAIN_MS))] } : {}

/** Returns the row that deletes the job when a capture begins. */
export const unscheduled = (payment: Payment): RowChange[] =>
  isScheduled(payment)
    ? [{ table: scheduledCaptures.name, before: { merchant_id: payment.merchant_id, payment_id: payment.payment_id }, after: null }]
    : []
