import { later } from '../../base/time.ts'
import type { RowChange, Time } from '../../context.ts'
import { type RowOf, table, text, time } from '../../database/table.ts'
import type { Payment } from '../payment.ts'

/**
 * When a hold is captured by itself. A row is made with the hold; beginning a capture deletes it in the same change.
 */
export const scheduledCaptures = table('scheduled_captures', {
  money: true,
  pointer: true,
  key: ['merchant_id', 'payment_id'],
  columns: { merchant_id: text(), payment_id: text(), merchant_connector_id: text(), connector: text(), capture_at: time() },
})
export type ScheduledCapture = RowOf<typeof scheduledCaptures>

const AGAIN_MS = 10 * 60_000

/** A capture without a request: at its time, or as the second step of an authorization. */
const isScheduled = ({ capture_method }: Pick<Payment, 'capture_method'>): boolean =>
  capture_method === 'scheduled' || capture_method === 'sequential_automatic'

const rowAt = ({ merchant_id, payment_id, merchant_connector_id, connector }: Payment, capture_at: Time): RowChange => ({
  table: scheduledCaptures.name,
  before: null,
  after: { merchant_id, payment_id, merchant_connector_id: merchant_connector_id ?? '', connector: connector ?? '', capture_at },
})

/** The alarm of a hold that was just made; none for most. */
export const scheduledCapture = (payment: Payment): RowChange[] =>
  isScheduled(payment) && payment.request.capture_on !== undefined
    ? [rowAt(payment, new Date(payment.request.capture_on).toISOString())]
    : []

/** Of a capture that never came to its processor. */
export const scheduledAgain = (payment: Payment, now: Time): { rows?: RowChange[] } =>
  isScheduled(payment) ? { rows: [rowAt(payment, later(now, AGAIN_MS))] } : {}

/** A capture begins: nothing is left to be done by itself. */
export const unscheduled = (payment: Payment): RowChange[] =>
  isScheduled(payment)
    ? [{ table: scheduledCaptures.name, before: { merchant_id: payment.merchant_id, payment_id: payment.payment_id }, after: null }]
    : []
