import type { Operation } from '../../operations/operation.ts'
import type { Payment } from '../payment.ts'
import { adjusting, reportedVoid } from './adjust.ts'
import { ifAllowed } from './moves.ts'

/** The release of the rest of a partly captured hold: a void that returns no captured money. Pure. */

/** Whether this void only releases the rest of a hold. */
export const isRelease = ({ adjustments }: Pick<Payment, 'adjustments'>, { n }: Operation): boolean =>
  adjustments?.releases?.some(one => one.n === n) ?? false

export const release = adjusting({
  yes: payment => ({ move: ifAllowed(payment, 'released'), head: { amount_capturable: 0 } }),
  // Valid in every status, because nothing is held any more; but a capture under way must be answered first.
  fits: ({ amount_capturing }) => amount_capturing === 0,
  adjustments: ({ adjustments }, { n }, end, how) => ({
    ...adjustments,
    releases: (adjustments?.releases ?? []).map(one => (one.n === n ? { ...one, ...reportedVoid(end, how) } : one)),
  }),
  // A release moves no money; the processor decides whether a capture is still possible meanwhile.
  afterSevenDays: 'free',
})

/** Whether the rest was released at the merchant's request. A report that the hold is gone is then no news. */
export const restWasReleased = ({ adjustments, amount_received, amount_capturable }: Payment): boolean =>
  amount_received > 0 &&
  amount_capturable === 0 &&
  (adjustments?.final !== undefined || (adjustments?.releases?.some(({ status }) => status === 'succeeded') ?? false))
