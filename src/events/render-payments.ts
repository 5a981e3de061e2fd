import type { Merchant } from '../accounts/merchant.ts'
import { platformNamed } from '../accounts/platform.ts'
import type { Context } from '../context.ts'
import { rowAt } from '../database/past-row.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { type Dispute, disputes, findDispute } from '../disputes/dispute.ts'
import type { Operation } from '../operations/operation.ts'
import { type Payment, payments } from '../payments/payment.ts'
import { findPayment } from '../payments/rows.ts'
import { findRefund, type Refund, refunds } from '../refunds/refund.ts'
import { showAttempts } from '../show/attempts.ts'
import { showDispute, showDisputeOfPayment } from '../show/dispute.ts'
import { paymentBody } from '../show/payment.ts'
import { showRefund } from '../show/refund.ts'
import { type EventPayload, eventBase, eventRenderer, type RenderScope } from './event-renderer.ts'
import { disputeIn, type HistoryRow, refundChangedBy, refundIn } from './headline.ts'
import { operationsAtVersion } from './operations-at-version.ts'

const refundsOf = statement('refunds_to_announce', select(refunds, 'where merchant_id = $1 and payment_id = any($2) order by n'))
const disputesOf = statement(
  'disputes_to_announce',
  select(disputes, 'where merchant_id = $1 and payment_id = any($2) order by created_at, dispute_id'),
)

type Beside = { refunds: ReadonlyMap<string, Refund[]>; disputes: ReadonlyMap<string, Dispute[]> }

export const paymentEvents = eventRenderer<Payment, Beside>({
  table: payments,
  within: [refunds, disputes],
  async beside({ context, merchant: { merchant_id } }, ids, heads) {
    const [found, refundsNow] = await Promise.all([heads, context.query<Refund>(refundsOf, [merchant_id, ids])])
    const disputed = found.filter(payment => payment.adjustments?.disputes).map(payment => payment.payment_id)
    const disputesNow = disputed.length === 0 ? [] : await context.query<Dispute>(disputesOf, [merchant_id, disputed])
    const byPayment = <T extends { payment_id: string }>(rows: readonly T[]) => Map.groupBy(rows, row => row.payment_id)
    return { refunds: byPayment(refundsNow), disputes: byPayment(disputesNow) }
  },
  async payloadOf(scope, now, all, change, beside) {
    const asked = await operationsAtVersion(scope.context, change)
    const its = { refunds: beside.refunds.get(now.payment_id) ?? [], disputes: beside.disputes.get(now.payment_id) ?? [] }
    return paymentPayload(scope, now, its, asked, all, change)
  },
  listedBy: findWith,
})

/** Finds a payment by its own id, or by the id of one of its refunds or disputes. */
async function findWith(context: Pick<Context, 'query'>, merchant_id: string, id: string): Promise<Payment | undefined> {
  const payment = await findPayment(context, merchant_id, id)
  if (payment) return payment
  const within = (await findRefund(context, merchant_id, id)) ?? (await findDispute(context, merchant_id, id))
  return within && findPayment(context, merchant_id, within.payment_id)
}

function paymentPayload(
  { merchant, publicUrl }: { merchant: Merchant } & Pick<RenderScope, 'publicUrl'>,
  now: Payment,
  { refunds: refundsNow, disputes: disputesNow }: { refunds: readonly Refund[]; disputes: readonly Dispute[] },
  asked: readonly Operation[] | null,
  all: readonly HistoryRow[],
  change: HistoryRow,
): EventPayload {
  const { version } = change
  const payment = rowAt(payments, now, payments, all, version)!
  const its = refundsNow.map(refund => rowAt(refunds, refund, payments, all, version)).filter(refund => refund !== null)
  const platform = payment.request.platform_merchant_id ?? null
  const refund_id = refundIn(change)
  const refund = its.find(one => one.refund_id === refund_id)
  if (refund)
    return {
      ...eventBase(change, refund.profile_id, platformNamed(all.find(one => refundChangedBy(one) === refund_id)!.by)),
      object: showRefund(refund),
      status: refund.status,
    }
  const disputesThen = disputesNow.map(dispute => rowAt(disputes, dispute, payments, all, version)).filter(dispute => dispute !== null)
  const dispute_id = disputeIn(change)
  const dispute = disputesThen.find(one => one.dispute_id === dispute_id)
  if (dispute)
    return { ...eventBase(change, dispute.profile_id, platform), object: showDispute(dispute, payment), status: dispute.dispute_status }
  const body = paymentBody(merchant, payment, { publicUrl, audience: 'server', now: change.created })
  const object = {
    ...body,
    ...(its.length > 0 && { refunds: its.map(showRefund) }),
    ...(disputesThen.length > 0 && { disputes: disputesThen.map(showDisputeOfPayment) }),
    ...(asked && { attempts: showAttempts(merchant, payment, asked) }),
  }
  return { ...eventBase(change, payment.profile_id, platform), object, status: payment.status }
}
