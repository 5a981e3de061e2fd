import { connectors } from '../connectors/all.ts'
import { claimed, scheduledJob } from '../database/due.ts'
import { findOperation } from '../operations/operation.ts'
import { retrieveDispute } from '../operations/unmatched-disputes.ts'
import type { Call, JobContext } from '../operations/verb.ts'
import { ownerOf, type Payment } from '../payments/payment.ts'
import { changePayment } from '../payments/rows.ts'
import { planStep } from './change.ts'
import { type Dispute, disputes, findDispute, findDisputes } from './dispute.ts'
import { isDecided, statuses } from './lifecycle.ts'
import { applyDisputeReport } from './receive.ts'

/** Disputes whose deadline is near or has passed. A claim whose process died falls due again. */
const dueDisputes = claimed(disputes, { when: 'due_at', gives: ['merchant_id', 'dispute_id'], asksProcessor: true })

const CHALLENGE_DUE = 'dispute_challenge_due'

/** Reminds the merchant of a deadline that is near; once it has passed, reads the dispute from the processor. */
async function checkDeadline({ context, services, settings }: JobContext, job: Pick<Dispute, 'merchant_id' | 'dispute_id'>): Promise<void> {
  const [merchant, found] = await Promise.all([settings.merchant(job.merchant_id), findDispute(context, job.merchant_id, job.dispute_id)])
  if (!merchant || !found) return
  const call: Call = { context, services, merchant }
  const isOver = found.challenge_required_by !== null && found.challenge_required_by <= context.now()
  if (isOver) await askAbout(call, found)
  await changePayment(call, found.payment_id, async payment => {
    const dispute = await findDispute(context, job.merchant_id, job.dispute_id)
    const now = context.now()
    if (!dispute || dispute.due_at === null) return { change: null }
    const announces = !isOver && statuses[dispute.dispute_status].traits.includes('awaits answer') ? CHALLENGE_DUE : null
    return planStep(context, payment, dispute, dispute, announces ?? 'dispute_time_over', now, announces)
  })
}

const canBeAsked = ({ is_manual, connector }: Dispute): boolean => !is_manual && connectors[connector]?.read_dispute !== undefined

async function askAbout(call: Call, dispute: Dispute): Promise<void> {
  if (!canBeAsked(dispute)) return
  const { connector: connector_name, merchant_connector_id, connector_dispute_id } = dispute
  const read = await retrieveDispute(call, { connector_name, merchant_connector_id }, connector_dispute_id)
  const operation = await findOperation(call.context, ownerOf(dispute), dispute.authorization_n)
  if (read.is === 'dispute' && operation) await applyDisputeReport(call, operation, read.dispute)
}

/** For `force_sync`. An accepted dispute is read too: the processor may report another result (contract 5.2). */
export async function forceSyncDispute(call: Call, dispute: Dispute): Promise<{ dispute: Dispute; isSilent: boolean }> {
  const isOpen = !isDecided(dispute) || dispute.dispute_status === 'dispute_accepted'
  if (!isOpen || dispute.is_manual) return { dispute, isSilent: false }
  if (!canBeAsked(dispute)) return { dispute, isSilent: true }
  await askAbout(call, dispute)
  return { dispute: (await findDispute(call.context, dispute.merchant_id, dispute.dispute_id)) ?? dispute, isSilent: false }
}

/**
 * Asks about each open dispute of a payment, for its `force_sync`. What a processor says of the whole payment names its
 * disputes: those are asked about there.
 */
export async function askAboutDisputes(call: Call, { merchant_id, payment_id, adjustments }: Payment): Promise<void> {
  if (adjustments?.disputes === undefined) return
  for (const dispute of await findDisputes(call.context, merchant_id, payment_id)) {
    const isNamed = connectors[dispute.connector]?.accepts.tells?.lookup.includes('disputed')
    if (!isNamed) await forceSyncDispute(call, dispute)
  }
}

export const disputeJobs = { challengeDue: scheduledJob(dueDisputes, checkDeadline) }
