import type { Call } from '../operations/verb.ts'
import { answerDispute } from './answer.ts'
import type { Dispute } from './dispute.ts'
import { dropDraft } from './draft.ts'

/** The customer keeps the money. Refuses (HE_03) a decided dispute, (CE_00) if the processor declines. */
export async function acceptDispute(call: Call, dispute_id: string): Promise<Dispute> {
  const accepted = await answerDispute(call, dispute_id, 'accept_dispute', dispute => dispute)
  await dropDraft(call.context, accepted.merchant_id, dispute_id)
  return accepted
}
