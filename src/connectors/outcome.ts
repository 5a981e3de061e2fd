import type { Money } from '../base/money.ts'
import type { Time } from '../context.ts'
import type { AuthenticationFacts, ThreeDsResult } from './authentication.ts'
import type { DisputeSaid } from './dispute.ts'
import type { SaidAction } from './next-action.ts'

/**
 * The result of a request, as a connector tells it: the outcome of a conversation, its facts, and its reasons for a no.
 */

/** What a processor tells of a payment beyond yes and no. Names are the interface's. Absent means not told. */
export type Facts = {
  network_transaction_id?: string
  authorization_code?: string
  eci?: string
  avs_result?: string
  cvc_result?: string
  /**
   * What the processor calls the card that it keeps for later payments, and, where it has one, the customer whose it
   * is.
   */
  connector_mandate_id?: string
  connector_customer_id?: string
  /** What Stripe calls the charge of a payment that it shares between accounts. */
  charge_id?: string
  /** Acquirer reference number of a capture or refund. */
  arn?: string
  /** What a refund costs the merchant, where the processor says it. */
  fee?: Money
  /** May what is held be raised? Absent where the processor does not say. */
  incremental_authorization?: boolean
  /** Was the hold made to last longer than usual, as was asked with the authorization? */
  extended_authorization?: boolean
  /** How much may be captured of it, in the lowest denomination, where that is more than was authorized. */
  most_capturable?: number
  /** When an uncaptured hold lapses. */
  capture_before?: Time
  /** When we heard that the processor has let go of the hold. */
  lapsed_at?: Time
  /** How a dispute stands that was answered. */
  dispute?: DisputeSaid
  /** How the customer was authenticated, before a processor was asked for money. */
  authentication?: AuthenticationFacts
}

/** Reasons a processor gives for a no, in one vocabulary. What the processor itself said stays beside it. */
export const declineCodes = [
  'card_declined',
  'insufficient_funds',
  'lost_card',
  'stolen_card',
  'expired_card',
  'incorrect_cvc',
  'incorrect_number',
  'incorrect_pin',
  'pin_try_exceeded',
  'incorrect_address',
  'incorrect_zip',
  'do_not_honor',
  'fraudulent',
  'restricted_card',
  'transaction_not_permitted',
  'velocity_exceeded',
  'revoked',
  'authentication_required',
  'authentication_failed',
  'processing_error',
  'payment_declined',
  'operation_declined',
  'not_supported',
  'invalid_request',
  'configuration',
  'not_allowed',
  'recipient_ineligible',
  'cancelled',
] as const
export type DeclineCode = (typeof declineCodes)[number]

export type Outcome =
  /**
   * It happened. `amount` is what was approved; `captured` what is already taken of an authorization; both, and
   * `request_id`, as the processor echoed them (null: it was asked by its own reference, and echoes nothing of ours).
   * `as asked`: the processor takes what was to be taken at once with the authorization, and does not say so.
   * `capturable`: what the processor still holds of an authorization, where it tells.
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
       * Only of a void: nothing was held when the processor was asked, so that nothing was sent to it. That is no proof
       * of a void: it is a yes only for who still waits for one, and of a payment that holds nothing either.
       */
      held_nothing?: true
      /** Only of an authentication: what its authorization is sent with. */
      three_ds_result?: ThreeDsResult
    }
  /**
   * A definitive no. `code_said` and `said` are the processor's own words, cut to length and free of markup.
   * `after_yes`: it says that this comes after a yes (a refund that the bank sent back days later), so a yes that is
   * heard afterwards is older news.
   */
  | {
      is: 'declined'
      reference: string | null
      code: DeclineCode
      code_said: string
      said: string
      network_code?: string
      network_advice?: string
      after_yes?: true
      /** An operator says so, not the processor: who is asked later may say otherwise. */
      by_hand?: true
      facts: Facts
    }
  /**
   * Accepted and not decided: it was only received, the processor works on it, or the customer must act
   * (`next_action`). `reference` is null where the processor gives none yet.
   */
  | { is: 'waiting'; reference: string | null; next_action?: SaidAction }
  /**
   * No money can have moved; another processor may be asked. `reference`: what was learnt all the same (an order that
   * was not confirmed).
   */
  | { is: 'not_sent'; why: string; reference?: string }
  /**
   * The processor takes no requests now (a rate limit), and its contract says that this one did nothing: it is said
   * once more under the same request id. What is not taken twice was not sent (`operations/perform.ts`). `after_ms`:
   * when it may be said again; null: the processor does not say.
   */
  | { is: 'later'; after_ms: number | null; reference?: string }
  /** Money may have moved; only the processor can say. `reference`: what it can be asked by. */
  | { is: 'unknown'; why: string; reference?: string }
  /**
   * Only from `sync`: the processor does not know this request (yet: see `in_flight_ms`). With `reference`: it knows
   * what was prepared by that name (an order), and that the request that moves the money has not come. `gone`: what was
   * prepared for the customer to act on is there no longer, and was never paid: that is a no also while they were
   * waited for. `lags_ms`: it
   * was looked up where things are found so much later than they happen (a search index); the answer is worth nothing
   * before.
   */
  | { is: 'not_found'; reference?: string; gone?: true; lags_ms?: number }
  /** Only from `sync` and webhooks: an authorization whose hold the processor has let go of. */
  | { is: 'lapsed'; reference: string }

export type NotNow = Extract<Outcome, { is: 'later' }>

/** Why a request was not sent that the processor did not take. */
export const NOT_TAKEN = 'the processor limits requests, and did not take this one'

/** The same without what a hold still holds: news that may be old cannot tell it. */
export function withoutCapturable(outcome: Outcome): Outcome {
  if (outcome.is !== 'done') return outcome
  const { capturable: _then, ...rest } = outcome
  return rest
}
