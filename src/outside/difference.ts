import type { Movement } from '../connectors/payment-report.ts'
import type { Time } from '../context.ts'

/**
 * A movement that no request of ours asked for. `held`: what the processor holds after it, or, of money that it had
 * refused to return, still keeps; null: it does not say.
 */
export type External = {
  verb: Movement['verb']
  amount: number
  reference: string | null
  state: 'done' | 'waiting'
  reason: string | null
  at: Time | null
  held: number | null
}

/** Figures of the processor and ours that nothing explains, in the lowest denomination of the payment's currency. */
export type Contradiction = { of: 'captured' | 'refunded' | 'currency'; theirs: number | string; ours: number | string }

/**
 * The differences of a report from the payment. `external`: in the order in which they can be booked. `own`:
 * operations of which the processor seems to know another result; null: it lists no movement of it. `waits`: an
 * operation under way may explain a difference. `held`: the processor holds less, and nothing that it lists says why.
 * `lapsed`: the hold expired. `early`: a contradiction, unless news that is still to come explains it.
 */
export type Difference = {
  external: External[]
  own: { n: number; movement: Movement | null }[]
  waits: boolean
  held: number | null
  lapsed: boolean
  contradiction: Contradiction | null
  early: Contradiction | null
}

export const nothing: Difference = { external: [], own: [], waits: false, held: null, lapsed: false, contradiction: null, early: null }

export const isNothing = ({ external, own, waits, held, lapsed, contradiction }: Difference): boolean =>
  external.length + own.length === 0 && !waits && held === null && !lapsed && contradiction === null
