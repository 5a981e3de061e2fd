import { may } from '../base/lifecycle.ts'
import { refuse } from '../base/refusal.ts'
import type { Recipient } from '../connectors/instrument.ts'
import type { Change } from '../context.ts'
import { begun } from '../operations/open.ts'
import type { Operation } from '../operations/operation.ts'
import { perform } from '../operations/perform.ts'
import type { Call } from '../operations/verb.ts'
import type { UseCaseCall } from '../payments/services.ts'
import { applyTerms } from './apply-terms.ts'
import { begin, moved } from './begin-on-payout.ts'
import { checkPayable, checkRecipient, checkSame, refuseConfirm } from './check.ts'
import { allowedStatuses, lifecycle } from './lifecycle.ts'
import { checkEnabled } from './link.ts'
import type { Payout } from './payout.ts'
import { keptRecipient } from './recipient.ts'
import type { ConfirmPayoutBody } from './request-shapes.ts'
import { confirmed, openPayout } from './send.ts'
import { type PayoutCaller, type PayoutTerms, termsOf } from './terms.ts'

/** The plan of a begin: the change to write, and the operation to send, which is null if nothing is sent yet. */
export type Planned = { change: Change & { after: Payout }; operation: Operation | null; instrument: Recipient | null }

/** Refuses (IR_16) a confirm that the payout's status does not allow. */
export function checkConfirmPayout(payout: Payout): void {
  if (!may(lifecycle, payout.status, 'confirmed')) refuseConfirm(payout, allowedStatuses.confirm)
}

/**
 * Confirms a payout, with the payout method if the request contains one. With `auto_fulfill` the payout is sent at
 * once; otherwise it waits for `fulfill` or for a cancel.
 */
export async function confirmPayout(
  call: UseCaseCall,
  payout_id: string,
  ask: ConfirmPayoutBody,
  caller: PayoutCaller = 'server',
): Promise<Payout> {
  const { context, merchant } = call
  const terms = termsOf(call, ask, caller)
  const { head, plan } = await begin(call, payout_id, async (before): Promise<Planned> => {
    checkSame(before, ask)
    checkConfirmPayout(before)
    if (caller === 'client') checkBrowser(before, terms)
    const { payout, to, rows } = await applyTerms(call, before, terms)
    if (caller === 'client') checkEnabled(payout)
    checkPayable(payout)
    // The vault does not have the payout method of this request yet.
    const input = to?.recipient
    if (input) await checkRecipient(call, input)
    if (!payout.auto_fulfill)
      return { change: moved(context, before, confirmed(merchant, payout), 'confirmed', { rows }), operation: null, instrument: null }
    const instrument = input ?? (await recipientOf(call, payout))
    if (!input) await checkRecipient(call, instrument)
    const begins = openPayout(call, payout)
    const change = moved(context, before, begins.payout, 'sent', { rows: [...rows, begun(begins.operation)] })
    return { change, operation: begins.operation, instrument }
  })
  return paidOut(call, head, plan)
}

/** Returns the payout method of a payout, from the vault. Refuses a payout without one. */
export const recipientOf = async ({ context }: Pick<Call, 'context'>, payout: Payout): Promise<Recipient> =>
  (await keptRecipient(context, payout)) ?? refuse('missing', { field: 'payout_method_data' })

/** Runs the *talk* and *settle* of the operation that was begun, if there is one. */
export const paidOut = (call: Call, payout: Payout, { operation, instrument }: Planned): Payout | Promise<Payout> =>
  operation && instrument ? perform(call, payout, operation, { instrument }) : payout

/** Refuses a browser's `customer_id` that differs from the payout's. */
function checkBrowser(payout: Payout, { columns: { customer_id } }: PayoutTerms): void {
  if (customer_id !== undefined && customer_id !== payout.customer_id)
    refuse('unauthorized', {
      sentence: 'Unauthorised access to update customer',
      problem: 'customer_id cannot be changed with a publishable key',
    })
}
