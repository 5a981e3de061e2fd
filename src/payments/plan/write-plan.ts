import type { WriteResult } from '../../context.ts'
import { perform } from '../../operations/perform.ts'
import { countCharge, giveBackCharge } from '../../payment-methods/charge.ts'
import { wasBlocked } from '../authorization/blocked.ts'
import type { BrowserTry } from '../authorization/card-testing-tries.ts'
import { firstLook } from '../authorization/follow-ups.ts'
import type { Payment } from '../payment.ts'
import { noteUse } from '../stored-credentials/saved-instrument.ts'
import { rowsOfPaidWith, sendableOf } from './paid-with.ts'
import type { PaymentPlan } from './plan-payment.ts'

/**
 * Writes a plan. Reservations are made here before the write, and returned after a concurrent change of the payment:
 * the browser's try, the charge of a mandate, the trial of an account that was down. `change`: the change to write, if
 * it contains more than the planned one. Refuses (HE_03) a charge above the mandate's limit, and a browser with too
 * many failed tries.
 */
export async function writePlan(
  plan: PaymentPlan,
  change: PaymentPlan['change'] = plan.change,
  browser: BrowserTry | null = null,
): Promise<WriteResult<Payment>> {
  const { call, paid, keeps, terms } = plan
  const { context, services } = call
  const { after } = change
  const operation = plan.operation && !wasBlocked(after) ? plan.operation : null
  if (browser && plan.operation) await browser.enter(after, plan.operation)
  if (keeps !== null) change.rows.unshift(...(await rowsOfPaidWith(call, after, paid, keeps, terms.card_cvc)))
  const mandate = operation && paid.repeated?.mandate
  const counted = mandate ? await countCharge(context, mandate, after, firstLook(context.now())) : null
  const trial = operation !== null && services.health.sent(after.merchant_id, after.profile_id, operation.merchant_connector_id)
  const written = await context.commit(change)
  if (written.is === 'written') return written
  browser?.leave()
  if (trial) services.health.notSent(after.merchant_id, after.profile_id, operation.merchant_connector_id)
  if (counted !== null) await giveBackCharge(context, after, counted)
  return written
}

/**
 * Sends the written operation to its processor, and applies the answer. Returns the payment as it stands afterwards.
 */
export function performPlan({ call, paid, terms, operation }: PaymentPlan, written: Payment): Promise<Payment> {
  if (!operation || wasBlocked(written)) return Promise.resolve(written)
  const performing = perform(call, written, operation, {
    instrument: sendableOf(paid)!,
    threeDsResult: terms.threeDsResult ?? undefined,
  })
  const { saved } = paid
  if (saved === null) return performing
  return performing.then(performed => {
    noteUse(call.services.saved, performed, saved)
    return performed
  })
}
