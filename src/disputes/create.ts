import { newId } from '../base/id.ts'
import { refuse } from '../base/refusal.ts'
import { readTime } from '../base/time.ts'
import type { DisputeReport } from '../connectors/dispute.ts'
import type { Call } from '../operations/verb.ts'
import { attemptId, type Payment } from '../payments/payment.ts'
import { changePayment } from '../payments/rows.ts'
import { newDispute, planStep } from './change.ts'
import { type CreateDisputeAsk, type Dispute, findDisputeByReference } from './dispute.ts'

/** The `connector_status` of disputes that no processor has reported. */
const BY_HAND = 'recorded'

/**
 * Records a dispute that a merchant learned of elsewhere. It counts like any other; the merchant updates its status
 * (`update-status`) until the processor reports it under the same id. Refuses (IR_16) a payment without a captured
 * amount, and an amount above it; (HE_01) an id that another dispute of this account has.
 */
export async function createDispute(call: Call, ask: CreateDisputeAsk): Promise<Dispute> {
  const { context, merchant } = call
  const by = ask.challenge_required_by === undefined ? null : readTime('challenge_required_by', ask.challenge_required_by)
  const dispute_id = newId(context, 'dp_')
  const { plan } = await changePayment(call, ask.payment_id, async payment => {
    check(payment, ask)
    const now = context.now()
    const reference = ask.connector_dispute_id ?? newId(context, 'dp_')
    const account = { merchant_id: merchant.merchant_id, merchant_connector_id: payment.merchant_connector_id ?? '' }
    if (await findDisputeByReference(context, account, reference)) refuse('duplicate', { what: 'dispute', id: reference })
    const report: DisputeReport = {
      reference,
      stage: ask.dispute_stage ?? 'dispute',
      status: 'dispute_opened',
      said: BY_HAND,
      amount: { amount: ask.amount, currency: payment.currency },
      reason: ask.connector_reason ?? null,
      reason_code: ask.connector_reason_code ?? null,
      respond_by: by,
      created: null,
      updated: null,
    }
    const of = {
      attempt_id: attemptId(payment),
      authorization_n: payment.authorization_n ?? 1,
      connector: payment.connector ?? '',
      merchant_connector_id: account.merchant_connector_id,
      is_manual: true,
    }
    return planStep(context, payment, null, newDispute(payment, dispute_id, report, of, now, ask), 'dispute_recorded', now)
  })
  return plan.dispute
}

function check(payment: Payment, { amount }: CreateDisputeAsk): void {
  if (payment.amount_received === 0) refuse('precondition', { problem: 'This payment cannot be disputed: none of its amount was captured' })
  if (amount > payment.amount_received)
    refuse('precondition', { problem: `amount ${amount} exceeds the captured amount: ${payment.amount_received}` })
}
