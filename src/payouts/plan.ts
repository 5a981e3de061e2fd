import type { Merchant } from '../accounts/merchant.ts'
import { after } from '../base/lifecycle.ts'
import { refuse } from '../base/refusal.ts'
import type { Recipient } from '../connectors/instrument.ts'
import type { Change, RowChange, WriteResult } from '../context.ts'
import { payerRows, refuseDeletedCustomer } from '../customers/payer.ts'
import { changeTo } from '../database/change-to.ts'
import { beginOn } from '../operations/begin.ts'
import { openOperation, operationRow } from '../operations/open.ts'
import type { Operation } from '../operations/operation.ts'
import { perform } from '../operations/perform.ts'
import type { Call } from '../operations/verb.ts'
import type { UseCaseCall } from '../payments/services.ts'
import { routedOf } from '../routing/decide.ts'
import { checkAutoFulfill } from '../users/second-person.ts'
import { checkPayable, checkRecipient, checkSaved } from './check.ts'
import { lifecycle } from './lifecycle.ts'
import { checkEnabled, checkLink } from './link.ts'
import { moved, needPayout, ownerOf, type Payout, payouts } from './payout.ts'
import { type ChosenPayoutMethod, findPayoutMethod, recordOf, storedRecipient, withRecipient } from './recipient.ts'
import { route } from './routing.ts'
import type { PayoutCaller, PayoutTerms } from './terms.ts'

/** The plan of a call on a payout: `writePlan` writes its change, `performPlan` sends its operation. */
export type PayoutPlan = {
  /** The change without the row that stores the payout method: that is sealed when the change is written. */
  change: Change & { after: Payout }
  /** The payout method to store; absent: the stored one stays. */
  keeps?: ChosenPayoutMethod | null
  /** The operation to send to a processor, with the payout method if it pays out. */
  operation?: Operation
  recipient?: Recipient
}

/**
 * Plans a create (`before` is null), update or confirm. `wanted`: the payout that the request wants. It reads, refuses
 * and writes nothing, because it may be made again after a conflict.
 */
export async function planPayout(
  call: UseCaseCall,
  before: Payout | null,
  wanted: Payout,
  terms: PayoutTerms,
  caller: PayoutCaller,
  confirm: boolean,
): Promise<PayoutPlan> {
  const { context, merchant, services } = call
  checkSaved(terms, confirm)
  checkLink(wanted, before === null && confirm)
  checkAutoFulfill(call, wanted)
  const isAnothers = before !== null && wanted.customer_id !== before.customer_id
  if (isAnothers) await refuseDeletedCustomer(context, wanted)
  const rows = before === null || isAnothers ? payerRows(context, services.payers, wanted, terms.request) : []
  const keeps = await findPayoutMethod(call, wanted, terms)
  const payout = keeps ? await withRecipient(context, wanted, keeps) : wanted
  if (!confirm) return { change: whatWaits(call, before, payout, rows), keeps }
  if (caller === 'client') checkEnabled(payout)
  checkPayable(payout)
  if (payout.auto_fulfill) return planSending(call, before, payout, rows, keeps)
  if (keeps) await checkRecipient(call, keeps.recipient)
  return { change: changed(call, before, confirmed(merchant, payout), 'confirmed', rows), keeps }
}

/** Plans the sending of a payout, to the payout method of the request or the stored one. */
export async function planSending(
  call: Call,
  before: Payout | null,
  payout: Payout,
  rows: RowChange[] = [],
  keeps: ChosenPayoutMethod | null = null,
): Promise<PayoutPlan> {
  const recipient = keeps?.recipient ?? (await storedRecipient(call.context, payout)) ?? refuse('missing', { field: 'payout_method_data' })
  await checkRecipient(call, recipient)
  const { payout: after, operation } = openPayout(call, payout)
  return { change: changed(call, before, after, 'sent', [...rows, operationRow(operation)]), keeps, operation, recipient }
}

/** Returns the change after which a payout waits for a confirm. A session of 0 seconds has expired already. */
function whatWaits(call: Call, before: Payout | null, payout: Payout, rows: RowChange[]): PayoutPlan['change'] {
  const move = payout.recipient && payout.recipient.is === payout.payout_type ? 'method_given' : 'updated'
  const waiting = { ...payout, status: after(lifecycle, payout.status, move) }
  if (before !== null || payout.expire_at !== payout.created) return changed(call, before, waiting, move, rows)
  return changed(call, null, { ...waiting, status: after(lifecycle, waiting.status, 'session_ended'), expire_at: null }, 'created', rows)
}

function changed({ context }: Call, before: Payout | null, after: Payout, move: string, rows: RowChange[]): PayoutPlan['change'] {
  if (before) return moved(context, before, after, move, { rows })
  const announces = after.status === 'expired' ? 'payout_expired' : null
  return changeTo(context, payouts.name, { before, after }, 'created', { rows, announces })
}

/** `change`: more than the planned one. */
export async function writePlan({ context }: Call, plan: PayoutPlan, change = plan.change): Promise<WriteResult<Payout>> {
  const { before, after, rows } = change
  if (plan.keeps) rows.unshift(await recordOf(context, after, plan.keeps, before?.recipient != null))
  return context.commit(change)
}

/** Sends the written operation, if there is one. Returns the payout as it stands afterwards. */
export const performPlan = async (call: Call, { operation, recipient }: PayoutPlan, written: Payout): Promise<Payout> =>
  operation ? perform(call, written, operation, recipient && { instrument: recipient }) : written

export async function changePayout(
  call: Call,
  payout_id: string,
  plan: (before: Payout) => PayoutPlan | Promise<PayoutPlan>,
): Promise<Payout> {
  const { context, merchant } = call
  const { head, plan: planned } = await beginOn(
    context,
    ownerOf({ ...merchant, payout_id }),
    () => needPayout(context, merchant.merchant_id, payout_id),
    plan,
    planned => writePlan(call, planned),
  )
  return performPlan(call, planned, head)
}

/** Returns a payout that is confirmed and waits for `fulfill`. It shows the account that would pay it out now. */
function confirmed(merchant: Merchant, payout: Payout): Payout {
  const [{ connector_name, merchant_connector_id }] = route(merchant, payout).order
  const status = after(lifecycle, payout.status, 'confirmed')
  return { ...payout, status, connector: connector_name, merchant_connector_id, expire_at: null }
}

/** Returns the columns of a payout whose current operation is this one, just begun. */
export const standingOn = (operation: Operation): Partial<Payout> => ({
  alone: operation.n,
  connector: operation.connector,
  merchant_connector_id: operation.merchant_connector_id,
  connector_transaction_id: null,
  payout_n: operation.n,
  last_error: null,
})

/** Opens the operation that pays a payout out, with the payout during the request, to be committed in one change. */
function openPayout({ context, merchant }: Pick<Call, 'context' | 'merchant'>, payout: Payout): { payout: Payout; operation: Operation } {
  const decision = route(merchant, payout)
  const operation = openOperation(context, payout, decision.order[0], {
    ...ownerOf(payout),
    verb: 'payout',
    purpose: 'merchant',
    acts_on: null,
    amount: payout.amount,
    routing: routedOf(decision),
  })
  return {
    operation,
    payout: {
      ...payout,
      ...standingOn(operation),
      status: after(lifecycle, payout.status, 'sent'),
      operation_count: operation.n,
      modified_at: operation.began,
      expire_at: null,
    },
  }
}
