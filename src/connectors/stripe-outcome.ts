import type { Money } from '../base/money.ts'
import type { DeclineCode, Facts, Outcome } from './connector.ts'
import { uncounted } from './counting.ts'
import { unknown } from './parse-reply.ts'
import * as params from './stripe-params.ts'
import * as wire from './stripe-wire.ts'
import { plainText } from './text.ts'

/**
 * What Stripe's objects and errors mean: an intent for its authorization, for one of its captures, for its void; a
 * refund for itself. Pure.
 */

/** In our unit. What cannot be is nonsense: null. */
const money = (amount: number, { currency }: Pick<wire.Intent, 'currency'>): Money | null => uncounted(wire.counting, amount, currency)

/** What an intent says of its authorization. */
export function authorizedOutcome(intent: wire.Intent): Outcome {
  const { id, status, error, metadata, facts } = intent
  switch (status) {
    case 'requires_action':
      if (intent.redirect_url === null)
        return { ...unknown('the processor requires a customer action that is not supported'), reference: id }
      return { is: 'waiting', reference: id, next_action: { type: 'redirect_to_url', url: intent.redirect_url } }
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
        request_id: metadata[params.REQUEST_ID] ?? null,
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
export function setUpOutcome({ id, status, metadata, redirect_url, error, facts }: wire.Setup, nothing: Money): Outcome {
  switch (status) {
    case 'requires_action':
      if (redirect_url === null) return { ...unknown('the processor requires a customer action that is not supported'), reference: id }
      return { is: 'waiting', reference: id, next_action: { type: 'redirect_to_url', url: redirect_url } }
    case 'processing':
      return { is: 'waiting', reference: id }
    case 'succeeded':
      return { is: 'done', reference: id, request_id: metadata[params.REQUEST_ID] ?? null, amount: nothing, captured: null, facts }
    case 'canceled':
      return declined(id, error ?? canceledEarly, facts)
    case 'requires_payment_method':
      return error ? declined(id, error, facts) : { is: 'not_found', reference: id }
    case 'requires_confirmation':
      return { is: 'not_found', reference: id }
  }
}

/** What an intent says of one of its captures: the amount is what was taken and belongs to no other capture of ours. */
export function capturedOutcome(intent: wire.Intent, request_id: string): Outcome {
  const { metadata, amount_received } = intent
  const own = params.captureName(request_id)
  if (metadata[own] === undefined) return { is: 'not_found' }
  const others = Object.entries(metadata).filter(([name]) => params.isCaptureName(name) && name !== own)
  const taken = amount_received - others.reduce((sum, [, amount]) => sum + Number(amount), 0)
  const reference = intent.charge ?? intent.id
  if (intent.status === 'processing') return { is: 'waiting', reference }
  const amount = taken > 0 ? money(taken, intent) : null
  if (!amount) return unknown('the capture has no amount')
  return { is: 'done', reference, request_id, amount, captured: null, facts: {} }
}

/** What an intent says of one of its increments: the amount is what it holds in all. */
export function incrementedOutcome(intent: wire.Intent, request_id: string): Outcome {
  if (intent.metadata[params.incrementName(request_id)] === undefined) return { is: 'not_found' }
  const amount = money(intent.authorized ?? intent.amount, intent)
  if (!amount) return unknown('invalid amount')
  return { is: 'done', reference: intent.charge ?? intent.id, request_id, amount, captured: null, facts: {} }
}

/** What an intent says of its void, or of a void of the rest beside captures, which leaves its name. */
export function voidedOutcome(intent: wire.Intent, request_id: string): Outcome {
  const released = intent.status === 'succeeded' && intent.metadata[params.releaseName(request_id)] !== undefined
  if (intent.status !== 'canceled' && !released) return { is: 'not_found' }
  const amount = money(intent.authorized ?? intent.amount, intent)
  if (!amount) return unknown('invalid amount')
  return { is: 'done', reference: intent.id, request_id: null, amount, captured: null, facts: {} }
}

export function refundedOutcome(refund: wire.StripeRefund): Outcome {
  const { id, status, metadata, arn, fee } = refund
  if (status === 'pending' || status === 'requires_action') return { is: 'waiting', reference: id }
  if (status !== 'succeeded') {
    const code_said = refund.failure_reason ?? status
    return { is: 'declined', reference: id, code: 'operation_declined', code_said, said: `The refund ${status}: ${code_said}.`, facts: {} }
  }
  const amount = money(refund.amount, refund)
  if (!amount) return unknown('invalid amount')
  return {
    is: 'done',
    reference: id,
    request_id: metadata[params.REQUEST_ID] ?? null,
    amount,
    captured: null,
    facts: { ...(arn !== null && { arn }), ...(fee && { fee }) },
  }
}

export const NOT_THERE = 'reported as existing, but not found'

/**
 * `lapsed` and `not_found` are answers to `sync` only: elsewhere they are a surprise that a later sync has to look
 * into.
 */
export function firstHandOfIntent(outcome: Outcome): Outcome {
  if (outcome.is === 'lapsed') return unknown('approved, but no longer authorized')
  if (outcome.is === 'not_found') return { ...unknown(NOT_THERE), ...(outcome.reference !== undefined && { reference: outcome.reference }) }
  return outcome
}

function declined(reference: string | null, error: wire.StripeError, facts: Facts, code: DeclineCode = wire.declineOf(error)): Outcome {
  const { network_code, network_advice, message } = error
  const said = code === 'configuration' ? `The processor refused the credentials of this connector account: ${message}` : message
  return {
    is: 'declined',
    reference,
    code,
    code_said: error.code_said,
    said: plainText(said),
    ...(network_code !== null && { network_code }),
    ...(network_advice !== null && { network_advice }),
    facts,
  }
}

/** An error: nothing happened, but that an intent may have been made, which has no money. */
export function refusedOutcome({ means, error }: wire.StripeRefusal): Outcome {
  if (means === 'later') return { is: 'not_sent', why: 'the processor asks for a later retry' }
  return declined(error.intent?.id ?? error.setup, error, error.intent?.facts ?? {}, means === 'look' ? wire.declineOf(error) : means)
}

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

const said = (code: DeclineCode, code_said: string, words: string): Outcome => ({
  is: 'declined',
  reference: null,
  code,
  code_said,
  said: words,
  facts: {},
})
export const withoutKey = said('configuration', '', 'The connector account has no api_key.')
export const notCounted = (why: string): Outcome => said('invalid_request', 'amount', why)
export const withoutIntent: Outcome = { is: 'not_sent', why: 'the authorization could not be found at the processor' }
