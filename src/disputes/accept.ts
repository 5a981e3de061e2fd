import type { Call } from '../operations/verb.ts'
import { answerDispute } from './answer.ts'
import type { Dispute } from './dispute.ts'
import { dropDraft } from './draft.ts'

/**
 * Gives in: the money that the dispute is about is the customer's. Refuses (HE_03) a dispute that is decided, (CE_00)
 * where the processor says no.
 */
export async function acceptDispute(call: Call, dispute_id: string): Promise<Dispute> {
  const accepted = await answerDispute(call, dispute_id, 'accept_dispute', dispute => dispute)
  await dropDraft(call.context, accepted.merchant_id, dispute_id)
  return accepted
}
