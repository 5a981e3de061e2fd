/** What is known of an account when a payment is routed: an input of the decision, and kept with it. */

/**
 * `closed`: taken as usual. `open`: it did not answer, and is tried last. `half_open`: it gets one payment, to see
 * whether it answers again.
 */
export type Breaker = 'closed' | 'open' | 'half_open'

/** What an account has of the payments that were promised to it: so many it got, so many are `due` by now. */
export type Volume = { payments: number; due: number; target: number }

/**
 * `success_rate`: of a hundred, of the `payments` in its window; null where nothing is measured. `contract`: only
 * where one runs.
 */
export type AccountHealth = { success_rate: number | null; payments: number; breaker: Breaker; contract?: Volume }

/** By `merchant_connector_id`. An account of which nothing is known is not there. */
export type Health = Readonly<Record<string, AccountHealth>>

export const unknownHealth: AccountHealth = { success_rate: null, payments: 0, breaker: 'closed' }
