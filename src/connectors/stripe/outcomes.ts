import type { Money } from '../../base/money.ts'
import type { DeclineCode, Facts, Outcome } from '../connector.ts'
import { uncounted } from '../counting.ts'
import { declinedWith, type FailedReply, failedOutcome, refusedWords, unknown } from '../kit/parse-reply.ts'
import type { NextAction } from '../next-action.ts'
import { captureName, counting, incrementName, isCaptureName, REQUEST_ID, releaseName } from './common.ts'
import { declineOf, type StripeRefusal } from './errors.ts'
import type * as wire from './replies.ts'

/**
 * What Stripe's objects and errors mean: an intent for its authorization, for one of its captures, for its void; a
 * refund for itself. Pure.
 */

/** In our unit. What cannot be is nonsense: null. */
const money = (amount: number, { currency }: Pick<wire.Intent, 'currency'>): Money | null => uncounted(counting, amount, currency)

/** The customer must do something; what cannot be told to them leaves it unknown. */
const asked = (reference: string, next_action: NextAction | null): Outcome =>
  next_action
    ? { is: 'waiting', reference, next_action }
    : { ...unknown('the processor requires a customer action that is not supported'), reference }

/** What an intent says of its authorization. */
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
      // What never was a hold was refused; what was one is let go of.
      if (error) return declined(id, error, facts)
      return intent.charge === null ? declined(id, canceledEarly, facts) : { is: 'lapsed', reference: id }
    case 'requires_payment_method':
      return error ? declined(id, error, facts) : { is: 'not_found', reference: id }
    case 'requires_confirmation':
      return { is: 'not_found', reference: id }
  }
}

/** What a card says that is verified without an amount: its yes is to nothing, in the currency that was asked. */
export function setUpOutcome({ id, status, metadata, next_action, error, facts }: wire.Setup, nothing: Money): Outcome {
  switch (status) {
    case 'requires_action':
      return asked(id, next_action)
    case 'processing':
      return { is: 'waiting', reference: id }
    case 'succeeded':
      return { is: 'done', reference: id, request_id: metadata[REQUEST_ID] ?? null, amount: nothing, captured: null, facts }
    case 'canceled':
      return declined(id, error ?? canceledEarly, facts)
    case 'requires_payment_method':
      return error ? declined(id, error, facts) : { is: 'not_found', reference: id }
    case 'requires_confirmation':
      return { is: 'not_found', reference: id }
  }
}

/** Of so many captures it is tried which of them are made. */
const MOST_TRIED = 12

/** What those captures may have taken that are made, of several of which some may be under way. */
function possibleSums(amounts: readonly number[]): ReadonlySet<number> {
  const sums = new Set([0])
  for (const amount of amounts) for (const sum of [...sums]) sums.add(sum + amount)
  return sums
}

/**
 * What an intent says of one of its captures. Each has left its amount; what they took stands there as one sum. It is
 * made if the sum is not reached without it. A sum that no captures of ours explain is told as it is: the difference
 * to the others.
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
  const taken = sums.has(amount_received - asked) ? asked : amount_received - total
  const amount = taken > 0 ? money(taken, intent) : null
  if (!amount) return unknown('the capture has no amount')
  return { is: 'done', reference, request_id, amount, captured: null, facts: {} }
}

/** What an intent says of one of its increments: the amount is what it holds in all. */
export function incrementedOutcome(intent: wire.Intent, request_id: string): Outcome {
  if (intent.metadata[incrementName(request_id)] === undefined) return { is: 'not_found' }
  const amount = money(intent.authorized ?? intent.amount, intent)
  if (!amount) return unknown('invalid amount')
  return { is: 'done', reference: intent.charge ?? intent.id, request_id, amount, captured: null, facts: {} }
}

/**
 * What an intent says of its void, or of a void of the rest beside captures, which leaves its name. What ran out by
 * itself was not voided.
 */
export function voidedOutcome(intent: wire.Intent, request_id: string): Outcome {
  const released = intent.status === 'succeeded' && intent.metadata[releaseName(request_id)] !== undefined
  if ((intent.status !== 'canceled' || intent.ranOut) && !released) return { is: 'not_found' }
  const amount = money(intent.authorized ?? intent.amount, intent)
  if (!amount) return unknown('invalid amount')
  return { is: 'done', reference: intent.id, request_id: null, amount, captured: null, facts: {} }
}

export function refundedOutcome(refund: wire.StripeRefund): Outcome {
  const { id, status, metadata, arn, fee } = refund
  if (status === 'pending' || status === 'requires_action') return { is: 'waiting', reference: id }
  if (status !== 'succeeded') {
    const code_said = refund.failure_reason ?? status
    return declinedWith('operation_declined', code_said, `The refund ${status}: ${code_said}.`, id)
  }
  const amount = money(refund.amount, refund)
  if (!amount) return unknown('invalid amount')
  return {
    is: 'done',
    reference: id,
    request_id: metadata[REQUEST_ID] ?? null,
    amount,
    captured: null,
    facts: { ...(arn !== null && { arn }), ...(fee && { fee }) },
  }
}

/** A transfer has no status: what there is of it has been made, and may have been taken back by its platform. */
export function transferredOutcome(transfer: wire.StripeTransfer): Outcome {
  const { id, metadata, reversed } = transfer
  if (reversed) return { ...declinedWith('payment_declined', 'reversed', 'The transfer was reversed.', id), after_yes: true }
  const amount = money(transfer.amount, transfer)
  if (!amount) return unknown('invalid amount')
  return { is: 'done', reference: id, request_id: metadata[REQUEST_ID] ?? null, amount, captured: null, facts: {} }
}

function declined(reference: string | null, error: wire.StripeError, facts: Facts, code: DeclineCode = declineOf(error)): Outcome {
  const { network_code, network_advice, message, code_said } = error
  return {
    ...declinedWith(code, code_said, refusedWords(code, message), reference),
    ...(network_code !== null && { network_code }),
    ...(network_advice !== null && { network_advice }),
    facts,
  }
}

/** A failure of a request that moves money. In an error nothing happened, but that an intent may have been made. */
export function failedIntent(failure: FailedReply<StripeRefusal>): Outcome {
  if (failure.is !== 'refused' || failure.as === 'later') return failedOutcome(failure)
  const { as, error } = failure
  const code = as === 'exists' ? declineOf(error) : as === 'not_found' ? 'invalid_request' : as
  return declined(error.intent?.id ?? error.setup, error, error.intent?.facts ?? {}, code)
}

/** Where only a look can say what there is: a failure of theirs is kept under the key, and would be said again. */
export const wantsLook = (failure: FailedReply<StripeRefusal>): boolean =>
  (failure.is === 'unknown' && failure.status !== undefined && failure.status >= 500) ||
  (failure.is === 'refused' && failure.as === 'exists')

const canceledEarly: wire.StripeError = {
  type: 'invalid_request_error',
  code: 'canceled',
  code_said: 'canceled',
  message: 'The payment was canceled at the processor before it was authorized.',
  network_code: null,
  network_advice: null,
  intent: null,
  setup: null,
}

export const notCounted = (why: string): Outcome => declinedWith('invalid_request', 'amount', why)
export const withoutIntent: Outcome = { is: 'not_sent', why: 'the authorization could not be found at the processor' }
