import { failure } from '../../operations/failure.ts'
import { responseOf } from '../../operations/operation-patch.ts'
import type { VerbDefinition } from '../../operations/verb.ts'
import { allowedStatuses } from '../lifecycle.ts'
import type { Payment } from '../payment.ts'
import { type Adjusting, adjustingVerb, reportedVoid } from './adjust.ts'
import { ifAllowed } from './moves.ts'

const undo: Adjusting = {
  yes: payment => ({ move: ifAllowed(payment, 'post_capture_voided'), head: { amount_capturable: 0 } }),
  no: { cancellation_reason: null },
  fits: ({ status, amount_refunding, amount_refunded }) =>
    allowedStatuses.cancel_post_capture.includes(status) && amount_refunding + amount_refunded === 0,
  adjustments: ({ adjustments }, _operation, end, how) => ({ ...adjustments, post_capture_void: reportedVoid(end, how) }),
  // Money may have been returned: until the result is known, nothing is refunded.
  afterSevenDays: 'alone',
}

const adjusted = adjustingVerb('post_capture_void', undo)

/** The verb that cancels after a capture; the operation's amount is the captured amount. */
export const postCaptureVoidVerb: VerbDefinition<Payment> = { ...adjusted, after: afterPostCaptureVoid }

function afterPostCaptureVoid(...[payment, operation, outcome, now, companionRow, more]: Parameters<VerbDefinition<Payment>['after']>) {
  if (operation.state !== 'done' || outcome.is !== 'declined') return adjusted.after(payment, operation, outcome, now, companionRow, more)
  // The processor takes its confirmation back: the money is at the processor again.
  const last_error = failure.notGivenBack(operation)
  const adjustments = undo.adjustments(payment, operation, 'failure', { failure: last_error, reference: operation.reference, now })
  const side = { state: 'declined', response: responseOf(outcome, operation), modified_at: now } as const
  return { move: null, head: { last_error, adjustments, ...undo.no }, operation: side, announces: 'action_required' as const }
}
