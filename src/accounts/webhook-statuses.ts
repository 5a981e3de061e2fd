import { refuse } from '../base/refusal.ts'

/**
 * The statuses of which merchants are told at all: only of these they may say that they want to hear (contract 7.1).
 * Refunds go by the names of the interface, and by those that existing clients send.
 */
export const statusesWithEvents = {
  payment_statuses_enabled: [
    'succeeded',
    'failed',
    'processing',
    'partially_captured_and_processing',
    'requires_customer_action',
    'requires_merchant_action',
    'conflicted',
    'review',
    'cancelled',
    'cancelled_post_capture',
    'requires_capture',
    'partially_authorized_and_requires_capture',
    'partially_captured',
    'partially_captured_and_capturable',
    'expired',
  ],
  refund_statuses_enabled: ['succeeded', 'failed', 'success', 'failure'],
  payout_statuses_enabled: ['success', 'failed', 'cancelled', 'initiated', 'expired', 'reversed'],
} as const

/** Refuses (IR_06) a status of which nobody is ever told. */
export function checkWebhookDetails(details: { [M in keyof typeof statusesWithEvents]?: readonly string[] } | undefined): void {
  for (const [member, statuses] of Object.entries(statusesWithEvents) as [keyof typeof statusesWithEvents, readonly string[]][])
    for (const [i, status] of (details?.[member] ?? []).entries())
      if (!statuses.includes(status))
        refuse('unacceptable', { field: `webhook_details.${member}[${i}]`, words: `must be one of ${statuses.join(', ')}` })
}
