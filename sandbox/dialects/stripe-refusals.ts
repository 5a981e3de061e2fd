// Stripe's errors of requests and of cards.

import type { DeclineCode } from '../cards.ts'
import type { Decline } from '../records.ts'

export type StripeError = {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error'
  message: string
  code?: string
  decline_code?: string
  param?: string
  network_decline_code?: string
  network_advice_code?: string
  advice_code?: string
  charge?: string
  [more: string]: unknown
}

/** An error of the request. Nothing happened, and nothing is kept under the idempotency key. */
export class StripeRefusal extends Error {
  readonly status: number
  readonly body: { error: StripeError }

  constructor(status: number, error: StripeError) {
    super(error.message)
    this.status = status
    this.body = { error }
  }
}

export const invalid = (code: string, message: string, param?: string): StripeRefusal =>
  new StripeRefusal(400, { type: 'invalid_request_error', code, message, ...(param !== undefined && { param }) })

export const missing = (what: string, id: string): StripeRefusal =>
  new StripeRefusal(404, { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${what}: '${id}'`, param: 'id' })

/**
 * Stripe's errors for the sandbox's decline codes. If the issuer declined, `code` is `card_declined` and
 * `decline_code` is the reason.
 */
const stripeErrors: Record<DeclineCode, { code: string; decline_code?: string; message: string }> = {
  card_declined: { code: 'card_declined', decline_code: 'generic_decline', message: 'Your card was declined.' },
  insufficient_funds: { code: 'card_declined', decline_code: 'insufficient_funds', message: 'Your card has insufficient funds.' },
  lost_card: { code: 'card_declined', decline_code: 'lost_card', message: 'Your card was declined.' },
  stolen_card: { code: 'card_declined', decline_code: 'stolen_card', message: 'Your card was declined.' },
  expired_card: { code: 'expired_card', decline_code: 'expired_card', message: 'Your card has expired.' },
  incorrect_cvc: { code: 'incorrect_cvc', decline_code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
  processing_error: {
    code: 'processing_error',
    decline_code: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
  avs_declined: { code: 'incorrect_zip', decline_code: 'incorrect_zip', message: "Your card's zip code failed validation." },
  authentication_required: {
    code: 'authentication_required',
    decline_code: 'authentication_required',
    message: 'Your card was declined. This transaction requires authentication.',
  },
  authentication_failed: {
    code: 'payment_intent_authentication_failure',
    message: 'The payment method failed authentication. Provide another one to try this PaymentIntent again.',
  },
  authentication_expired: {
    code: 'payment_intent_authentication_failure',
    message: 'The payment method was not authenticated in time. Provide another one to try this PaymentIntent again.',
  },
  payment_declined: { code: 'payment_intent_payment_attempt_failed', message: 'The payment failed.' },
  rejected: {
    code: 'payment_intent_authentication_failure',
    message: 'The customer did not approve the PaymentIntent. Provide another payment method to try this PaymentIntent again.',
  },
  not_paid: { code: 'payment_intent_payment_attempt_expired', message: 'The payment attempt expired before it was completed.' },
  voided: { code: 'payment_intent_unexpected_state', message: 'The PaymentIntent was canceled.' },
  capture_declined: { code: 'card_declined', decline_code: 'generic_decline', message: 'The capture was declined.' },
  capture_failed: { code: 'card_declined', decline_code: 'generic_decline', message: 'The capture was declined.' },
  void_declined: { code: 'payment_intent_unexpected_state', message: 'This PaymentIntent could not be canceled.' },
  increment_declined: { code: 'card_declined', decline_code: 'insufficient_funds', message: 'Your card has insufficient funds.' },
  extension_declined: { code: 'payment_intent_unexpected_state', message: 'The hold could not be extended.' },
  reversal_declined: { code: 'payment_intent_unexpected_state', message: 'The payment could not be reversed.' },
  refund_declined: { code: 'charge_not_refundable', message: 'The refund was declined.' },
  refund_failed: { code: 'charge_not_refundable', message: 'The refund failed.' },
}

/** Stripe's advice_code by the network's two-digit advice code. */
const advice: Record<string, string> = { '01': 'confirm_card_data', '02': 'try_again_later', '03': 'do_not_try_again' }

export function cardError({ code, network_code, network_advice }: Decline): StripeError {
  const { message, ...rest } = stripeErrors[code as DeclineCode]
  return {
    type: rest.decline_code === undefined ? 'invalid_request_error' : 'card_error',
    ...rest,
    message,
    ...(network_code !== null && { network_decline_code: network_code }),
    ...(network_advice !== null && { network_advice_code: network_advice, advice_code: advice[network_advice] ?? 'try_again_later' }),
  }
}
