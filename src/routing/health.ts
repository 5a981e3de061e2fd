/** The health of accounts when a payment is routed: an input of the decision, stored with it. */

/**
 * The state of an account's circuit breaker. `closed`: the account is used as usual. `open`: it did not respond and is
 * tried last. `half_open`: it gets one payment, to test whether it responds again.
 */
export type Breaker = 'closed' | 'open' | 'half_open'

/** The progress of an account's contract: the payments it got, the payments that are `due` by now, and the target. */
export type Volume = { payments: number; due: number; target: number }

/**
 * The health of an account. `success_rate`: in percent of the `payments` in its window; null if nothing is measured.
 * `contract`: present only while a contract runs.
 */
export type AccountHealth = { success_rate: number | null; payments: number; breaker: Breaker; contract?: Volume }

/** The health of accounts by `merchant_connector_id`. An account without data is absent. */
export type Health = Readonly<Record<string, AccountHealth>>

export const unknownHealth: AccountHealth = { success_rate: null, payments: 0, breaker: 'closed' }
