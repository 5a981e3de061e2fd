import { failure } from '../../operations/failure.ts'
import { responseOf } from '../../operations/operation-patch.ts'
import type { RequestInput, VerbDefinition } from '../../operations/verb.ts'
import type { PostCaptureVoid } from '../authorization/adjustments.ts'
import { allowedStatuses } from '../lifecycle.ts'
import type { Payment } from '../payment.ts'
import { type Adjusting, adjusting } from './adjust.ts'
import { placed } from './moves.ts'

const statusOf = { success: 'succeeded', failure: 'failed', unresolved: 'pending' } as const satisfies Record<
  string,
  PostCaptureVoid['status']
>

const undo: Adjusting = {
  yes: payment => ({ move: placed(payment, 'post_capture_voided'), head: { amount_capturable: 0 } }),
  no: { cancellation_reason: null },
  fits: ({ status, amount_refunding, amount_refunded }) =>
    allowedStatuses.cancel_post_capture.includes(status) && amount_refunding + amount_refunded === 0,
  adjustments: ({ adjustments }, _operation, end, { failure, reference, now }) => ({
    ...adjustments,
    post_capture_void: {
      status: statusOf[end],
      connector_reference_id: reference,
      description: failure?.error_message ?? null,
      updated_at: now,
    },
  }),
  // Money may have been returned: until the result is known, nothing is refunded.
  afterSevenDays: 'alone',
}

const adjusted = adjusting(undo)

/** The verb that cancels after a capture; the operation's amount is the captured amount. */
export const postCaptureVoidVerb: VerbDefinition<Payment> = {
  buildRequest,
  after: afterPostCaptureVoid,
  onPollingEnded: adjusted.onPollingEnded,
}

function afterPostCaptureVoid(...[payment, operation, outcome, now, companionRow, more]: Parameters<VerbDefinition<Payment>['after']>) {
  if (operation.state !== 'done' || outcome.is !== 'declined') return adjusted.after(payment, operation, outcome, now, companionRow, more)
  // The processor takes its confirmation back: the money is at the processor again.
  const last_error = failure.notGivenBack(operation)
  const adjustments = undo.adjustments(payment, operation, 'failure', { failure: last_error, reference: operation.reference, now })
  const side = { state: 'declined', response: responseOf(outcome, operation), modified_at: now } as const
  return { move: null, head: { last_error, adjustments, ...undo.no }, operation: side, announces: 'action_required' as const }
}

function buildRequest({ connector, account, operation, authorization }: RequestInput<Payment>) {
  const { request_id, amount, currency } = operation
  return connector.post_capture_void?.({ request_id, authorization, money: { amount, currency } }, account) ?? null
}
