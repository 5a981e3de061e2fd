import type { Currency } from '../base/currencies.ts'
import type { Money } from '../base/money.ts'
import type { Time } from '../context.ts'

/** A processor's knowledge of a payment as a whole: movements of ours and those made at the processor. */

/** The totals that may change at the processor without us. */
export const totals = ['authorized', 'captured', 'refunded', 'voided', 'disputed'] as const
export type Total = (typeof totals)[number]

/**
 * A movement of a payment's money at its processor. `reference`: the processor's id of it. `request_id`: ours, if the
 * processor echoes one. `waiting`: made, and not decided yet. `reason`: in the processor's words. Null: not reported.
 * Of an increment, `amount` is the total that is held from then on; of a void, what was released.
 */
export type Movement = {
  verb: 'capture' | 'refund' | 'void' | 'increment'
  reference: string
  request_id: string | null
  amount: Money
  state: 'done' | 'waiting' | 'declined'
  reason: string | null
  at: Time | null
}

/**
 * Amounts are in the lowest denomination of `currency`. Null: the processor does not say. `reference`: the payment's
 * own, as in the answer to its authorization. `refunded`: without refunds that wait or were declined. `held`: may still
 * be captured. `released`: how the hold, or what was left of it, ended. `movements`: all that the processor lists; a
 * kind that it does not list has only its total. `requests`: our request ids of all captures of ours that are in that
 * total, if the processor tells. `disputes`: their references, for `read_dispute`.
 */
export type PaymentReport = {
  reference: string
  currency: Currency
  authorized: number | null
  captured: number | null
  refunded: number | null
  held: number | null
  released: 'voided' | 'expired' | null
  movements: readonly Movement[]
  requests?: readonly string[]
  disputes: readonly string[]
}

/** `reference`, `request_id`: of the payment's authorization. `began`: by our clock. */
export type PaymentQuestion = { reference: string | null; request_id: string; money: Money; began: Time }

/** `unsupported`: the account's processor does not tell it, and will not be asked again soon. */
export type PaymentRead =
  | { is: 'payment'; report: PaymentReport }
  | { is: 'not_found' }
  | { is: 'unsupported' }
  | { is: 'unknown'; why: string }

/**
 * A question for everything that changed at the processor, in one list for many payments. `since`, `until`: by our
 * clock. `page`: `next` of the answer before; null for the first page.
 */
export type ChangesQuestion = { since: Time; until: Time; page: string | null }

/**
 * The ways in which a processor tells of changes that were made there. `lookup`: brought by `read_payment`. `webhooks`:
 * told by its webhooks. `changes`: listed by `list_changes`, for changes of the last `changes_kept_ms`.
 */
export type Tells = {
  lookup: readonly Total[]
  webhooks: readonly Total[]
  changes?: readonly Total[]
  changes_kept_ms?: number
}
