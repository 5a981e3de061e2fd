/** Health is an input of the decision, stored with it. */

/** `open`: the account did not respond and is tried last. `half_open`: it gets one payment, as a test. */
export type Breaker = 'closed' | 'open' | 'half_open'

/** A contract's progress: the payments that the account got, those `due` by now, and the target. */
export type Volume = { payments: number; due: number; target: number }

/** `success_rate`: in percent of the `payments` in its window; null if nothing is measured. */
export type AccountHealth = { success_rate: number | null; payments: number; breaker: Breaker; contract?: Volume }

/** By `merchant_connector_id`. An account without data is absent. */
export type Health = Readonly<Record<string, AccountHealth>>

export const unknownHealth: AccountHealth = { success_rate: null, payments: 0, breaker: 'closed' }
