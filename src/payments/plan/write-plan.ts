import type { WriteResult } from '../../context.ts'
import { perform } from '../../operations/perform.ts'
import { wasBlocked } from '../authorization/blocked.ts'
import type { Payment } from '../payment.ts'
import { noteUse } from '../stored-credentials/saved-instrument.ts'
import { rowsOfPaidWith, sendableOf } from './paid-with.ts'
import type { PaymentPlan } from './plan-payment.ts'
import type { Reservation } from './reservations.ts'

/**
 * Writes a plan, with its reservations. `change`: if it contains more than the planned one. Refuses (HE_03) a charge
 * above the mandate's limit, and (IR_16) a browser with too many failed tries.
 */
export async function writePlan(plan: PaymentPlan, change: PaymentPlan['change'] = plan.change): Promise<WriteResult<Payment>> {
  const { call, paid, keeps, terms, reservations } = plan
  try {
    for (const one of reservations) await one.take()
    if (keeps !== null) change.rows.unshift(...(await rowsOfPaidWith(call, change.after, paid, keeps, terms.card_cvc)))
  } catch (error) {
    await release(reservations)
    throw error
  }
  let written: WriteResult<Payment>
  try {
    written = await call.context.commit(change)
  } catch (error) {
    // It may have been written: what counts once it is written ends by itself (a follow-up, a pause).
    await release(reservations, 'until over')
    throw error
  }
  if (written.is === 'conflict') await release(reservations)
  return written
}

/** Releases reservations; each of them, also if another one cannot be released. */
const release = (reservations: readonly Reservation[], held?: Reservation['held']): Promise<unknown> =>
  Promise.all(reservations.filter(one => held === undefined || one.held === held).map(one => one.release()))

/** Sends the written operation to its processor, and returns the payment after the answer. */
export async function performPlan({ call, paid, terms, operation, reservations }: PaymentPlan, written: Payment): Promise<Payment> {
  try {
    if (!operation || wasBlocked(written)) return written
    const performed = await perform(call, written, operation, {
      instrument: sendableOf(paid)!,
      threeDsResult: terms.threeDsResult ?? undefined,
    })
    if (paid.saved !== null) noteUse(call.services.saved, performed, paid.saved)
    return performed
  } finally {
    await release(reservations, 'until over')
  }
}
