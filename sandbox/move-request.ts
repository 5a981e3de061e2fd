import type { DisputeStage, WebhookFate } from './records.ts'

const ofPayments = ['capture', 'void', 'increment', 'refund', 'refund_failed', 'dispute'] as const
export const ofPayouts = ['payout_cancelled', 'payout_returned'] as const
export const moves = [...ofPayments, ...ofPayouts]
export type MoveName = (typeof moves)[number]

/**
 * `amount`: the whole of what is left, if it is absent; of an increment the new total. `final`: a capture that lets
 * the rest of the hold go. `operation`: the refund that is taken back; the last one, if it is absent.
 */
export type MoveRequest = {
  move: MoveName
  amount?: number
  final?: boolean
  reason?: string
  stage?: DisputeStage
  operation?: string
  webhooks?: WebhookFate
}
