import { canonical } from '../base/canonical.ts'
import { newResourceId } from '../base/id.ts'
import { checkAll, refuse } from '../base/refusal.ts'
import { between } from '../base/time.ts'
import { connectors } from '../connectors/all.ts'
import { offerOf } from '../connectors/offer.ts'
import type { Change, Context } from '../context.ts'
import { createdBefore } from '../operations/insert.ts'
import { begun } from '../operations/open.ts'
import type { Operation } from '../operations/operation.ts'
import { perform } from '../operations/perform.ts'
import type { Call } from '../operations/verb.ts'
import { needAmount, needVerb, openOn } from '../payments/authorization/open-authorization.ts'
import { checkCredentials } from '../payments/authorization/payment-credentials.ts'
import { begin, moved } from '../payments/begin-on-payment.ts'
import { allowedStatuses } from '../payments/lifecycle.ts'
import type { Payment } from '../payments/payment.ts'
import { needSecondPersonToReturn } from '../payments/second-person.ts'
import { checksOfFields, initialRowOf, storedMembers } from '../resources/read.ts'
import { refundFields } from './fields.ts'
import { checkReason } from './reason.ts'
import { findRefund, type Refund, type RefundBody, SMALLEST_REFUND } from './refund.ts'
import { scheduledRefund } from './scheduled.ts'
import { checkSplitBack } from './split.ts'

/** The ecosystem's limit: a payment that already has more than this number of refunds allows no further refund. */
const MOST_REFUNDS = 10
const OLDEST_DAYS = 365

/**
 * Refunds a captured payment, fully or in part. The amount is reserved on the payment's row before the processor is
 * called: refunds, pending ones included, never exceed the captured amount, however many are requested at once.
 *
 * `refund_type: scheduled` answers before the processor is called (`scheduled.ts`); its amount is reserved all the
 * same.
 *
 * A `refund_id` makes the request idempotent: the same body again returns the stored refund, another body is refused
 * (HE_01).
 */
export async function createRefund(call: Call, ask: RefundBody): Promise<Refund> {
  const { context, merchant } = call
  const refund_id = ask.refund_id ?? newResourceId(context, 'ref_')
  const body_digest = context.vault.digest('refund body', canonical(ask))
  const find = (id: string) => findRefund(context, merchant.merchant_id, id)

  const { payment, plan } = await begin(call, ask.payment_id, async (before): Promise<Planned> => {
    const existing = await createdBefore(body_digest, { what: 'refund', id: ask.refund_id }, find)
    if (existing) return { refund: existing, operation: null, change: null }
    checkAll(checksOfFields(refundFields, ask, merchant))
    checkCredentials(merchant, before, ask.merchant_connector_details)
    return planRefund(call, before, ask, refund_id, body_digest)
  })
  // The refund existed before, or is sent later.
  if (!plan.operation) return plan.refund
  await perform(call, payment, plan.operation, { along: plan.refund })
  return (await find(refund_id)) ?? plan.refund
}

type Planned = { refund: Refund; operation: Operation | null; change: (Change & { after: Payment }) | null }

const initialRow = initialRowOf(refundFields)

function planRefund(call: Call, before: Payment, ask: RefundBody, refund_id: string, body_digest: string): Planned {
  const { context } = call
  const amount = checkRefund(context, before, ask)
  needSecondPersonToReturn(call, before, amount)
  const operation = openOn(context, before, { verb: 'refund', amount, refund_id })
  checkReason(operation.connector, ask.reason)
  checkSplitBack(before, amount, ask.split_refunds)
  const isLater = ask.refund_type === 'scheduled'
  const now = operation.began
  const refund: Refund = {
    ...initialRow(storedMembers(refundFields, 'column', ask)),
    merchant_id: before.merchant_id,
    refund_id,
    payment_id: before.payment_id,
    n: operation.n,
    amount,
    currency: before.currency,
    profile_id: before.profile_id,
    connector: operation.connector,
    merchant_connector_id: operation.merchant_connector_id,
    arn: null,
    fee: null,
    last_error: null,
    body_digest,
    created_at: now,
    updated_at: now,
  }
  const after: Payment = {
    ...before,
    amount_refunding: before.amount_refunding + amount,
    refund_count: before.refund_count + 1,
    operation_count: operation.n,
    modified_at: now,
  }
  const rows = [{ table: 'refunds', before: null, after: refund }, isLater ? scheduledRefund(refund, now) : begun(operation)]
  const change = moved(context, before, after, isLater ? 'refund_scheduled' : 'refund_sent', { rows })
  return { refund, operation: isLater ? null : operation, change }
}

/** Returns, in words, how the captured amount has been used up. */
function gone({ amount_received, amount_refunded, amount_refunding, amount_disputed }: Payment): string {
  const parts = [
    [amount_refunded, 'are refunded already'],
    [amount_refunding, 'are being refunded'],
    [amount_disputed, 'are disputed by the customer at their bank, and kept back for that'],
  ] as const
  const used = parts.filter(([amount]) => amount > 0).map(([amount, label]) => `${amount} ${label}`)
  return [` of ${amount_received} captured`, ...used].join(', ')
}

/** Returns the amount of a payment that is left to refund: without the money that disputes keep. */
export const leftToRefund = (payment: Payment): number =>
  Math.max(0, payment.amount_received - payment.amount_refunded - payment.amount_refunding - payment.amount_disputed)

/** Returns the amount to refund. Refuses a refund that the payment, its amounts or its processor do not allow. */
export function checkRefund(context: Pick<Context, 'now'>, payment: Payment, ask: Pick<RefundBody, 'amount'>): number {
  const amount = amountToRefund(context, payment, ask)
  needVerb(payment, 'refund')
  needRefundable(payment)
  needAmount(payment, 'amount', amount)
  return amount
}

/** Refuses (IR_20) a payment method that its processor does not refund. */
function needRefundable(payment: Payment): void {
  const connector = payment.connector ?? ''
  const { payment_method, payment_method_type } = payment.request
  const offer = offerOf(connectors[connector]?.accepts, payment_method ?? null, payment_method_type ?? null)
  if (offer?.refunds === false) refuse('flow_not_supported', { flow: `refund of ${payment_method_type}`, connector })
}

/** Returns the amount to refund. Every limit is a comparison of columns of the payment's row. */
function amountToRefund(context: Pick<Context, 'now'>, payment: Payment, ask: Pick<RefundBody, 'amount'>): number {
  if (!allowedStatuses.refund.includes(payment.status))
    refuse('wrong_state', {
      flow: 'refund',
      field: 'status',
      value: payment.status,
      expected: ['succeeded', 'partially_captured'],
      explained: `A payment can be refunded while its status is ${allowedStatuses.refund.join(', ')}`,
    })
  if (payment.alone !== null)
    refuse('precondition', {
      problem: 'This payment cannot be refunded: it is being cancelled after capture (state_metadata.post_capture_void)',
    })
  if (between(payment.created, context.now()) > OLDEST_DAYS * 86_400_000)
    refuse('malformed', { field: 'created_at', expected: `a payment of the last ${OLDEST_DAYS} days` })
  const amount = ask.amount ?? payment.amount_received
  const left = leftToRefund(payment)
  if (amount < SMALLEST_REFUND) {
    const rest = left < SMALLEST_REFUND ? `; the ${left} that are left of this payment cannot be refunded` : ''
    refuse('malformed', { field: 'amount', expected: `at least ${SMALLEST_REFUND}${rest}` })
  }
  if (payment.refund_count > MOST_REFUNDS) refuse('too_many_refunds', { limit: MOST_REFUNDS + 1 })
  if (amount > left) refuse('refund_too_large', { amount, left, of: gone(payment) })
  return amount
}
