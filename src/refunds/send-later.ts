import type { RowChange, Time } from '../context.ts'
import { claimed, scheduledJob } from '../database/due.ts'
import { statement } from '../database/statement.ts'
import { type RowOf, table, text, time } from '../database/table.ts'
import { operationRow } from '../operations/open.ts'
import { findOperation } from '../operations/operation.ts'
import { perform } from '../operations/perform.ts'
import type { Call, JobContext } from '../operations/verb.ts'
import { openOn } from '../payments/authorization/open-authorization.ts'
import { PAYMENT } from '../payments/payment.ts'
import { changePayment, moved } from '../payments/rows.ts'
import { findRefund, type Refund } from './refund.ts'

/**
 * The refunds to send after the answer to the merchant (`refund_type: scheduled`). The change that writes the row
 * reserves the amount; the one that begins the refund deletes the row.
 */
const scheduledRefunds = table('scheduled_refunds', {
  money: true,
  pointer: true,
  key: ['merchant_id', 'refund_id'],
  columns: { merchant_id: text(), refund_id: text(), merchant_connector_id: text(), connector: text(), refund_at: time() },
})
type Scheduled = RowOf<typeof scheduledRefunds>

/** Refunds whose time has come. A claim falls due again if its process died. */
const dueRefunds = claimed(scheduledRefunds, { when: 'refund_at', gives: ['merchant_id', 'refund_id'], asksProcessor: true })

export const scheduledRefund = ({ merchant_id, refund_id, merchant_connector_id, connector }: Refund, refund_at: Time): RowChange => ({
  table: scheduledRefunds.name,
  before: null,
  after: { merchant_id, refund_id, merchant_connector_id, connector, refund_at },
})

const forget = statement('forget_scheduled_refund', 'delete from scheduled_refunds where merchant_id = $1 and refund_id = $2')

/** Sends a refund at its time, under the number reserved for it. Once begun, it is like any other. */
async function refundScheduled(
  { context, services, settings }: JobContext,
  { merchant_id, refund_id }: Pick<Scheduled, 'merchant_id' | 'refund_id'>,
): Promise<void> {
  const [merchant, refund] = await Promise.all([settings.merchant(merchant_id), findRefund(context, merchant_id, refund_id)])
  if (!merchant || !refund) {
    await context.query(forget, [merchant_id, refund_id])
    return
  }
  const call: Call = { context, services, merchant }
  const { payment, plan } = await changePayment(call, refund.payment_id, async before => {
    const begunBefore = await findOperation(context, { merchant_id, kind: PAYMENT, object_id: refund.payment_id }, refund.n)
    if (begunBefore) return { operation: null, change: null }
    const operation = { ...openOn(context, before, { verb: 'refund', amount: refund.amount, refund_id }), n: refund.n }
    const unscheduled = { table: scheduledRefunds.name, before: { merchant_id, refund_id }, after: null }
    const after = { ...before, modified_at: operation.began }
    return { operation, change: moved(context, before, after, 'refund_sent', { rows: [operationRow(operation), unscheduled] }) }
  })
  if (plan.operation) await perform(call, payment, plan.operation, { companionRow: await findRefund(context, merchant_id, refund_id) })
  else await context.query(forget, [merchant_id, refund_id])
}

export const refundJobs = { scheduledRefund: scheduledJob(dueRefunds, refundScheduled) }
