import type { Operation } from '../../operations/operation.ts'
import type { Release } from '../authorization/adjustments.ts'
import type { Payment } from '../payment.ts'
import { adjusting } from './adjust.ts'
import { placed } from './moves.ts'

/**
 * What is still held of a payment that was captured in part is let go: a void, and what its answers mean. It takes
 * nothing back. Pure.
 */

/** Is this void of the rest alone? */
export const isRelease = ({ adjustments }: Pick<Payment, 'adjustments'>, { n }: Operation): boolean =>
  adjustments?.releases?.some(one => one.n === n) ?? false

const statusOf = { success: 'succeeded', failure: 'failed', unresolved: 'pending' } as const satisfies Record<string, Release['status']>

export const release = adjusting({
  yes: payment => ({ move: placed(payment, 'released'), head: { amount_capturable: 0 } }),
  // In every status of the payment: nothing is held any more. Only a capture that is under way must be heard first.
  fits: ({ amount_capturing }) => amount_capturing === 0,
  told: ({ adjustments }, { n }, end, { failure, reference, now }) => ({
    ...adjustments,
    releases: (adjustments?.releases ?? []).map(one =>
      one.n === n
        ? { ...one, status: statusOf[end], connector_reference_id: reference, description: failure?.error_message ?? null, updated_at: now }
        : one,
    ),
  }),
  // No money moves by it: what is captured meanwhile, the processor decides.
  afterSevenDays: 'free',
})

/** Was the rest let go because the merchant asked for it? Then that the hold is gone is no news. */
export const restWasLetGo = ({ adjustments, amount_received, amount_capturable }: Payment): boolean =>
  amount_received > 0 &&
  amount_capturable === 0 &&
  (adjustments?.final !== undefined || (adjustments?.releases?.some(({ status }) => status === 'succeeded') ?? false))
