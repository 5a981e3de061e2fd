import type { Money } from '../../base/money.ts'
import type { DeclineCode, Facts, Outcome } from '../connector.ts'
import { uncounted } from '../counting.ts'
import { declinedWith, doneWith, type FailedReply, failedOutcome, refusedMessage, unknown } from '../kit/parse-reply.ts'
import type { NextAction } from '../next-action.ts'
import { captureName, counting, incrementName, isCaptureName, REQUEST_ID, releaseName } from './common.ts'
import { declineOf, type StripeRefusal } from './errors.ts'
import type * as wire from './replies.ts'

const money = (amount: number, { currency }: Pick<wire.Intent, 'currency'>): Money | null => uncounted(counting, amount, currency)

/** An action that cannot be shown to the customer leaves the outcome unknown. */
const asked = (reference: string, next_action: NextAction | null): Outcome =>
  next_action
    ? { is: 'waiting', reference, next_action }
    : { ...unknown('the processor requires a customer action that is not supported'), reference }

export function authorizedOutcome(intent: wire.Intent): Outcome {
  const { id, status, error, metadata, facts } = intent
  switch (status) {
    case 'requires_action':
      return asked(id, intent.next_action)
    case 'processing':
      return { is: 'waiting', reference: id }
    case 'requires_capture':
    case 'succeeded': {
      const amount = money(intent.authorized ?? intent.amount, intent)
      const captured = money(intent.amount_received, intent)
      const capturable = money(intent.amount_capturable, intent)
      if (!amount || !captured || !capturable) return unknown('invalid amount')
      const most = intent.most_capturable === null ? null : money(intent.most_capturable, intent)
      return {
        is: 'done',
        reference: id,
        request_id: metadata[REQUEST_ID] ?? null,
        amount,
        captured: captured.amount > 0 ? captured : null,
        capturable,
        facts: most ? { ...facts, most_capturable: most.amount } : facts,
      }
    }
    case 'canceled':
      // An intent that never had a hold was declined; a hold that existed was released.
      if (error) return declined(id, error, facts)
      return intent.charge === null ? declined(id, canceledEarly, facts) : { is: 'lapsed', reference: id }
    case 'requires_payment_method':
      return error ? declined(id, error, facts) : { is: 'not_found', reference: id }
    case 'requires_confirmation':
      return { is: 'not_found', reference: id }
  }
}

/** Success is an authorization of 0, in the requested currency. */
export function setUpOutcome({ id, status, metadata, next_action, error, facts }: wire.Setup, nothing: Money): Outcome {
  switch (status) {
    case 'requires_action':
      return asked(id, next_action)
    case 'processing':
      return { is: 'waiting', reference: id }
    case 'succeeded':
      return doneWith(id, nothing, { request_id: metadata[REQUEST_ID] ?? null, facts })
    case 'canceled':
      return declined(id, error ?? canceledEarly, facts)
    case 'requires_payment_method':
      return error ? declined(id, error, facts) : { is: 'not_found', reference: id }
    case 'requires_confirmation':
      return { is: 'not_found', reference: id }
  }
}

/** The captures for which all combinations are tried. */
const MOST_TRIED = 12

/** Some of the captures may still be in progress. */
function possibleSums(amounts: readonly number[]): ReadonlySet<number> {
  const sums = new Set([0])
  for (const amount of amounts) for (const sum of [...sums]) sums.add(sum + amount)
  return sums
}

/**
 * Returns the outcome of one of an intent's captures. Each capture has left its amount in the metadata; the intent
 * states only the sum of what was captured. The capture succeeded if the sum cannot be reached without it. If the sum
 * is less than our captures explain, the outcome states the difference between the sum and the other captures; if it is
 * more, others have captured too.
 */
export function capturedOutcome(intent: wire.Intent, request_id: string): Outcome {
  const { metadata, amount_received } = intent
  const own = captureName(request_id)
  if (metadata[own] === undefined) return { is: 'not_found' }
  const reference = intent.charge ?? intent.id
  if (intent.status === 'processing') return { is: 'waiting', reference }
  const asked = Number(metadata[own])
  const others = Object.entries(metadata).flatMap(([name, amount]) => (isCaptureName(name) && name !== own ? [Number(amount)] : []))
  const total = others.reduce((sum, amount) => sum + amount, 0)
  const sums = possibleSums(others.slice(0, MOST_TRIED))
  const underWay = others.length > MOST_TRIED ? amount_received < asked + total : sums.has(amount_received)
  if (underWay) return unknown('the capture, or another one, is under way')
  const taken = sums.has(amount_received - asked) ? asked : Math.min(asked, amount_received - total)
  const amount = taken > 0 ? money(taken, intent) : null
  if (!amount) return unknown('the capture has no amount')
  return doneWith(reference, amount, { request_id })
}

/** The amount is the total that the intent holds. */
export function incrementedOutcome(intent: wire.Intent, request_id: string): Outcome {
  if (intent.metadata[incrementName(request_id)] === undefined) return { is: 'not_found' }
  const amount = money(intent.authorized ?? intent.amount, intent)
  if (!amount) return unknown('invalid amount')
  return doneWith(intent.charge ?? intent.id, amount, { request_id })
}

/** A release of the rest leaves a member in the metadata. A hold that expired by itself was not voided. */
export function voidedOutcome(intent: wire.Intent, request_id: string): Outcome {
  const released = intent.status === 'succeeded' && intent.metadata[releaseName(request_id)] !== undefined
  if ((intent.status !== 'canceled' || intent.ranOut) && !released) return { is: 'not_found' }
  const amount = money(intent.authorized ?? intent.amount, intent)
  if (!amount) return unknown('invalid amount')
  return doneWith(intent.id, amount)
}

export function refundedOutcome(refund: wire.StripeRefund): Outcome {
  const { id, status, metadata, arn, fee } = refund
  if (status === 'pending' || status === 'requires_action') return { is: 'waiting', reference: id }
  if (status !== 'succeeded') {
    const reason = refund.failure_reason ?? status
    return declinedWith('operation_declined', reason, `The refund ${status}: ${reason}.`, id)
  }
  const amount = money(refund.amount, refund)
  if (!amount) return unknown('invalid amount')
  const facts = { ...(arn !== null && { arn }), ...(fee && { fee }) }
  return doneWith(id, amount, { request_id: metadata[REQUEST_ID] ?? null, facts })
}

/** A transfer has no status: it exists only if it was made, and its platform may have reversed it. */
export function transferredOutcome(transfer: wire.StripeTransfer): Outcome {
  const { id, metadata, reversed } = transfer
  if (reversed) return { ...declinedWith('payment_declined', 'reversed', 'The transfer was reversed.', id), after_yes: true }
  const amount = money(transfer.amount, transfer)
  if (!amount) return unknown('invalid amount')
  return doneWith(id, amount, { request_id: metadata[REQUEST_ID] ?? null })
}

function declined(reference: string | null, error: wire.StripeError, facts: Facts, code: DeclineCode = declineOf(error)): Outcome {
  const { network_code, network_advice, message, processor_code } = error
  return {
    ...declinedWith(code, processor_code, refusedMessage(code, message), reference),
    ...(network_code !== null && { network_code }),
    ...(network_advice !== null && { network_advice }),
    facts,
  }
}

/** Nothing happened, except that an intent may have been created. */
export function failedIntent(failure: FailedReply<StripeRefusal>): Outcome {
  if (failure.is !== 'refused' || failure.as === 'later') return failedOutcome(failure)
  const { as, error } = failure
  const code = as === 'exists' ? declineOf(error) : as === 'not_found' ? 'invalid_request' : as
  return declined(error.intent?.id ?? error.setup, error, error.intent?.facts ?? {}, code)
}

/** Stripe stores its own failures (5xx) under the idempotency key: a repeated request would get the same answer. */
export const wantsLook = (failure: FailedReply<StripeRefusal>): boolean =>
  (failure.is === 'unknown' && failure.status !== undefined && failure.status >= 500) ||
  (failure.is === 'refused' && failure.as === 'exists')

const canceledEarly: wire.StripeError = {
  type: 'invalid_request_error',
  code: 'canceled',
  processor_code: 'canceled',
  message: 'The payment was cancelled at the processor before it was authorized.',
  network_code: null,
  network_advice: null,
  intent: null,
  setup: null,
}

export const notCounted = (why: string): Outcome => declinedWith('invalid_request', 'amount', why)
export const withoutIntent: Outcome = { is: 'not_sent', why: 'the authorization could not be found at the processor' }
