import type { ConnectorAccount, Merchant } from '../accounts/merchant.ts'
import { after } from '../base/lifecycle.ts'
import { refuse } from '../base/refusal.ts'
import { openOperation } from '../operations/open.ts'
import type { Operation } from '../operations/operation.ts'
import type { Call } from '../operations/verb.ts'
import { type Decision, decide, routedOf } from '../routing/decide.ts'
import { whyNone } from '../routing/eligible.ts'
import { lifecycle } from './lifecycle.ts'
import { ownerOf, type Payout } from './payout.ts'
import { payoutRoutingContextOf } from './routing-context.ts'

type Found = Decision & { order: readonly [ConnectorAccount, ...ConnectorAccount[]] }

/** The connector accounts that can pay this payout, in order. Refuses (IR_39) with the reason if there is none. */
export function route(merchant: Merchant, payout: Payout): Found {
  const routingContext = payoutRoutingContextOf(payout)
  const decision = decide(merchant, routingContext, null)
  return decision.order.length > 0
    ? (decision as Found)
    : refuse('no_connector', { why: whyNone(merchant.connectorAccounts, routingContext) })
}

/** Returns a payout that is confirmed and waits for `fulfill`. It shows the account that would pay it out now. */
export function confirmed(merchant: Merchant, payout: Payout): Payout {
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
export function openPayout(
  { context, merchant }: Pick<Call, 'context' | 'merchant'>,
  payout: Payout,
): { payout: Payout; operation: Operation } {
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
