import { refuse } from '../base/refusal.ts'
import type { DisputeReport } from '../connectors/dispute.ts'
import type { Call } from '../operations/verb.ts'
import { changePayment } from '../payments/rows.ts'
import { planStep } from './change.ts'
import { type Dispute, type DisputeStatusAsk, needDispute } from './dispute.ts'
import { mayGo, type Standing } from './lifecycle.ts'

/**
 * For manually recorded disputes. Refuses (HE_03) one that its processor reports, and a move not in the lifecycles.
 */
export async function updateStatus(call: Call, dispute_id: string, ask: DisputeStatusAsk): Promise<Dispute> {
  const { context, merchant } = call
  const { payment_id } = await needDispute(context, merchant.merchant_id, dispute_id)
  const { plan } = await changePayment(call, payment_id, async payment => {
    const dispute = await needDispute(context, merchant.merchant_id, dispute_id)
    if (!dispute.is_manual)
      refuse('dispute_refused', { problem: 'This dispute is managed by its processor and cannot be updated manually' })
    const to: Standing = { dispute_stage: ask.dispute_stage ?? dispute.dispute_stage, dispute_status: ask.dispute_status }
    if (!mayGo(dispute, to))
      refuse('dispute_refused', {
        problem: `A dispute that is ${dispute.dispute_status} at stage ${dispute.dispute_stage} cannot become ${to.dispute_status} at stage ${to.dispute_stage}`,
      })
    const now = context.now()
    const [last] = dispute.news.slice(-1)
    const report: DisputeReport = { ...last!, stage: to.dispute_stage, status: to.dispute_status, updated: null }
    const reports = dispute.news.some(({ stage, status }) => stage === report.stage && status === report.status)
      ? dispute.news
      : [...dispute.news, report]
    const next: Dispute = { ...dispute, ...to, news: reports, transition_reason: ask.transition_reason ?? null }
    return planStep(context, payment, dispute, next, 'dispute_moved', now)
  })
  return plan.dispute
}
