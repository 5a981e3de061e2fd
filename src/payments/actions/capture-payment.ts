import { after } from '../../base/lifecycle.ts'
import { refuse } from '../../base/refusal.ts'
import { connectors } from '../../connectors/all.ts'
import { operationRow } from '../../operations/open.ts'
import type { Call } from '../../operations/verb.ts'
import { overcapturable } from '../authorization/holds.ts'
import { performOn } from '../authorization/moved-outside.ts'
import { needAmount, needVerb, openOn } from '../authorization/open-authorization.ts'
import { checkCredentials } from '../authorization/payment-credentials.ts'
import { checkAmountNames, checkNamed } from '../check.ts'
import { allowedStatuses, lifecycle } from '../lifecycle.ts'
import { capturesAtOnce, capturesSeveralTimes, type Payment } from '../payment.ts'
import { type CaptureBody, captureShape } from '../request-shapes.ts'
import { changePayment, moved } from '../rows.ts'
import { unscheduled } from '../scheduled/scheduled-captures.ts'

/**
 * Captures a hold: the whole capturable amount, or `amount_to_capture`. `manual` allows one capture (a smaller one
 * releases the rest), `manual_multiple` several, of which the one with `final_capture` releases the rest. The amount is
 * reserved before the processor is called, so concurrent captures never take more than was authorized.
 */
export async function capturePayment(call: Call, payment_id: string, ask: CaptureBody): Promise<Payment> {
  checkAmountNames(ask, captureShape.properties, 'send the amount to capture in amount_to_capture')
  checkNamed(call.merchant, ask)
  const { payment, plan } = await changePayment(call, payment_id, before => {
    checkCredentials(call.merchant, before, ask.merchant_connector_details)
    const amount = checkCapture(before, ask)
    const isFinal = releasesRest(before, ask, amount)
    const operation = openOn(call.context, before, { verb: 'capture', amount })
    const rest = Math.max(before.amount_capturable - amount, 0)
    const after_: Payment = {
      ...before,
      status: after(lifecycle, before.status, 'capture_sent'),
      // An amount captured above the hold counts as authorized from now on; a decline of the capture reverts this.
      amount_authorized: before.amount_authorized + Math.max(amount - before.amount_capturable, 0),
      // Nothing more can be captured of a released amount; a decline of the capture reverts this, too.
      amount_capturable: isFinal ? 0 : rest,
      ...(isFinal && { adjustments: { ...before.adjustments, final: { n: operation.n, rest } } }),
      amount_capturing: before.amount_capturing + amount,
      operation_count: operation.n,
      last_error: null,
      modified_at: operation.began,
    }
    const rows = [operationRow(operation), ...unscheduled(before)]
    return { operation, change: moved(call.context, before, after_, 'capture_sent', { rows }) }
  })
  const { statement_descriptor_prefix, statement_descriptor_suffix } = ask
  const descriptor = [statement_descriptor_prefix, statement_descriptor_suffix].filter(Boolean).join(' ')
  return performOn(call, payment, plan.operation, descriptor === '' ? {} : { statement_descriptor: descriptor })
}

const howToLetGo = 'send final_capture: true with the last capture to release the rest, or call POST /payments/{payment_id}/release'

/**
 * Whether this capture releases the rest of a hold that allows several. Refuses that while another capture is under way
 * (HE_00), or if the processor cannot (IR_19); also `final_capture: false` for a single capture (IR_19).
 */
function releasesRest(payment: Payment, { final_capture }: CaptureBody, amount: number): boolean {
  if (final_capture === undefined || amount >= payment.amount_capturable) return false
  if (!capturesSeveralTimes(payment)) {
    if (!final_capture)
      refuse('not_supported', { problem: `final_capture: false requires capture_method manual_multiple, not ${payment.capture_method}` })
    return false
  }
  if (!final_capture) return false
  if (payment.amount_capturing > 0) refuse('busy')
  const connector = payment.connector ?? ''
  if (connectors[connector]?.accepts.finalCaptures === false)
    refuse('not_supported', {
      problem: `final_capture is not supported: ${connector} cannot release the rest of the hold with a capture; capture first, then POST /payments/{payment_id}/release`,
    })
  return true
}

/** Returns the largest amount that one capture of a payment can take. */
export const mostToCapture = (payment: Payment): number => payment.amount_capturable + overcapturable(payment)

/**
 * Returns the amount to capture. Refuses a status (IR_14), an amount (IR_05, IR_06) or a processor (IR_20) without it.
 */
export function checkCapture(payment: Payment, ask: CaptureBody): number {
  const amount = amountToCapture(payment, ask)
  needVerb(payment, 'capture')
  needAmount(payment, 'amount_to_capture', amount)
  return amount
}

function amountToCapture(payment: Payment, ask: CaptureBody): number {
  // A single capture releases the rest anyway; with several captures, the last one is not known in advance.
  if (ask.refund_uncaptured_amount === true && capturesSeveralTimes(payment) && ask.final_capture !== true)
    refuse('not_supported', { problem: `refund_uncaptured_amount is not supported for capture_method manual_multiple: ${howToLetGo}` })
  if (payment.alone !== null && allowedStatuses.lapse.includes(payment.status)) refuse('busy')
  // Nothing can be captured during an authorize or a void. `processing` with `amount_capturing` means other captures.
  const held = payment.status !== 'processing' || payment.amount_capturing > 0
  if (!allowedStatuses.capture.includes(payment.status) || !held || payment.alone !== null) refuseStatus(payment)
  // A payment captured in two steps (`sequential_automatic`) may still need its second step.
  if (capturesAtOnce(payment) && !(payment.capture_method === 'sequential_automatic' && allowedStatuses.lapse.includes(payment.status))) {
    refuse('wrong_state', {
      flow: 'captured',
      field: 'capture_method',
      value: payment.capture_method,
      expected: ['manual', 'manual_multiple'],
    })
  }
  // Other captures of a hold may be under way only if the hold allows several.
  if (payment.status === 'processing' && !capturesSeveralTimes(payment)) refuseStatus(payment)
  const amount =
    ask.amount_to_capture ??
    (capturesSeveralTimes(payment)
      ? refuse('missing', { field: 'amount_to_capture' })
      : (payment.request.amount_to_capture ?? payment.amount_capturable))
  if (amount <= 0) refuse('malformed', { field: 'amount_to_capture', expected: 'more than 0' })
  const most = mostToCapture(payment)
  if (amount > most)
    refuse('unacceptable', {
      field: 'amount_to_capture',
      sentence: 'amount_to_capture is greater than amount',
      problem: `must not exceed the capturable amount: ${amount} is more than ${most}`,
      help: 'Capture at most `amount_capturable`',
    })
  return amount
}

/** Refuses (IR_14) the payment's status in the ecosystem's words; the help lists all statuses that allow a capture. */
const refuseStatus = (payment: Payment): never =>
  refuse('wrong_state', {
    flow: 'captured',
    field: 'payment.status',
    value: payment.status,
    expected: ['requires_capture', 'partially_captured_and_capturable', 'processing'],
    explained: `A payment can be captured while its status is ${allowedStatuses.capture.join(', ')}; while it is processing, only with capture_method manual_multiple and other captures in progress`,
  })
