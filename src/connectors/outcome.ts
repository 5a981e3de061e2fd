import type { Money } from '../base/money.ts'
import type { Time } from '../context.ts'
import type { AuthenticationFacts, ThreeDsResult } from './authentication.ts'
import type { DisputeReport } from './dispute.ts'
import type { ProcessorAction } from './next-action.ts'

/** Names are the API's. Absent: not reported. */
export type Facts = {
  network_transaction_id?: string
  authorization_code?: string
  eci?: string
  avs_result?: string
  cvc_result?: string
  /** Of the payment method saved for later payments, and of the customer to whom it belongs. */
  connector_mandate_id?: string
  connector_customer_id?: string
  /** Stripe's id of the charge of a payment that is split between accounts. */
  charge_id?: string
  /** Acquirer reference number of a capture or refund. */
  arn?: string
  /** The fee that the merchant pays for a refund, if the processor reports it. */
  fee?: Money
  /** Whether the hold may be raised. Absent if the processor does not say. */
  incremental_authorization?: boolean
  /** Whether the hold lasts longer than usual, as the authorization requested. */
  extended_authorization?: boolean
  /** The maximum total amount to capture, in the currency's lowest denomination, if more than was authorized. */
  most_capturable?: number
  capture_before?: Time
  /** The time at which we learned that the processor had released the hold. */
  lapsed_at?: Time
  /** Whether the payment was cancelled by a void that found nothing to void: a hold that appears later still exists. */
  voided_nothing?: true
  dispute?: DisputeReport
  authentication?: AuthenticationFacts
}

/** One vocabulary for all processors. The processor's own code and message are kept beside it. */
// biome-ignore format: a list reads better in rows
export const declineCodes = [
  'card_declined', 'insufficient_funds', 'lost_card', 'stolen_card', 'expired_card', 'incorrect_cvc',
  'incorrect_number', 'incorrect_pin', 'pin_try_exceeded', 'incorrect_address', 'incorrect_zip', 'do_not_honor',
  'fraudulent', 'restricted_card', 'transaction_not_permitted', 'velocity_exceeded', 'revoked',
  'authentication_required', 'authentication_failed', 'processing_error', 'payment_declined', 'operation_declined',
  'not_supported', 'invalid_request', 'configuration', 'not_allowed', 'recipient_ineligible', 'cancelled',
] as const
export type DeclineCode = (typeof declineCodes)[number]

export type Outcome =
  /**
   * Success. `amount`: approved; `captured`: the part of an authorization that is captured already; both, and
   * `request_id`, as the processor echoed them (null: it was queried by its own reference and echoes none of our ids).
   * `as asked`: to be captured at once, and the processor does not report the amount. `capturable`: what it still
   * holds, if it says.
   */
  | {
      is: 'done'
      reference: string
      request_id: string | null
      amount: Money
      captured: Money | 'as asked' | null
      capturable?: Money
      facts: Facts
      /**
       * Only of a void: the processor held nothing when queried, so no void was sent. It proves no void: it counts as
       * success only for an operation that still waits for one, of a payment that holds nothing either.
       */
      held_nothing?: true
      /** Only of an authentication: the 3-D Secure result to send with the authorization. */
      three_ds_result?: ThreeDsResult
    }
  /**
   * A definitive decline. `processor_code` and `message` are the processor's own code and message, cut to length and
   * free of markup. `after_yes`: the processor states that the decline follows a success (a refund that the bank sent
   * back days later), so a success that is received afterwards is older news.
   */
  | {
      is: 'declined'
      reference: string | null
      code: DeclineCode
      processor_code: string
      message: string
      network_code?: string
      network_advice?: string
      after_yes?: true
      /** Whether an operator set the result, not the processor: a later query of the processor may say otherwise. */
      by_hand?: true
      facts: Facts
    }
  /** Received only, under way, or the customer must act (`next_action`). */
  | { is: 'waiting'; reference: string | null; next_action?: ProcessorAction }
  /** No money can have moved; another processor may be tried. `reference`: learned all the same (an order). */
  | { is: 'not_sent'; why: string; reference?: string }
  /**
   * The processor takes no requests now (a rate limit), and this one certainly had no effect: it is sent once more
   * under the same request id; if that is not taken either, it was not sent (`operations/perform.ts`). `after_ms`: the
   * milliseconds to wait; null: the processor does not say.
   */
  | { is: 'later'; after_ms: number | null; reference?: string }
  /** Money may have moved; only the processor can say. `reference`: the id by which the processor can be queried. */
  | { is: 'unknown'; why: string; reference?: string }
  /**
   * Only from `sync`: the processor does not know this request (yet: see `in_flight_ms`). `reference`: the processor
   * knows the object of that id, which was prepared for the payment (an order), and has not received the request that
   * moves the money. `gone`: the object prepared for the customer to act on no longer exists and was never paid: a
   * decline, even while the operation waits for the customer. `lags_ms`: how far the lookup (a search index) is
   * behind; before that the answer means nothing.
   */
  | { is: 'not_found'; reference?: string; gone?: true; lags_ms?: number }
  /** Only from `sync` and webhooks: an authorization whose hold the processor has released. */
  | { is: 'lapsed'; reference: string }

export type NotNow = Extract<Outcome, { is: 'later' }>

export const NOT_TAKEN = 'the processor limits requests, and did not take this one'

/** Removes `capturable` from an outcome: news that may be old cannot state what a hold still holds. */
export function withoutCapturable(outcome: Outcome): Outcome {
  if (outcome.is !== 'done') return outcome
  const { capturable: _then, ...rest } = outcome
  return rest
}
