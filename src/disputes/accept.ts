import type { Call } from '../operations/verb.ts'
import { answerDispute } from './answer.ts'
import type { Dispute } from './dispute.ts'

/**
 * Gives in: the money that the dispute is about is the customer's. Refuses (HE_03) a dispute that is decided, (CE_00)
 * where the processor says no.
 */
export const acceptDispute = (call: Call, dispute_id: string): Promise<Dispute> =>
  answerDispute(call, dispute_id, 'accept_dispute', dispute => dispute)
