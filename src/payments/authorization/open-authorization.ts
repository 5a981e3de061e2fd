import type { ConnectorAccount, Merchant } from '../../accounts/merchant.ts'
import { after } from '../../base/lifecycle.ts'
import { refuse } from '../../base/refusal.ts'
import { connectors } from '../../connectors/all.ts'
import { whyNotCounted } from '../../connectors/counting.ts'
import type { PaymentInstrument } from '../../connectors/instrument.ts'
import type { Context } from '../../context.ts'
import { openOperation, operationRow } from '../../operations/open.ts'
import type { Destination, Operation } from '../../operations/operation.ts'
import type { Call } from '../../operations/verb.ts'
import { type Decision, decide, routedOf } from '../../routing/decide.ts'
import type { HealthMemory } from '../../routing/dynamic/dynamic-routing.ts'
import { accountsFor, lastHurdle, whyNone } from '../../routing/eligible.ts'
import type { RoutingContext } from '../../routing/routing-context.ts'
import { lifecycle } from '../lifecycle.ts'
import { ownerOf, type Payment } from '../payment.ts'
import { routingContextOf } from '../routing/routing-context.ts'
import { changePayment, moved } from '../rows.ts'
import type { UseCaseCall } from '../services.ts'
import { requestOfHolds } from './holds.ts'
import { performOn } from './moved-outside.ts'
import { standingOn } from './retry-target.ts'

/**
 * Returns the payment while its processor is called, and the operation that calls it, for one change. Refuses (IR_39)
 * if no account accepts the payment. `client_network`: of the confirming browser, null for a server. `agreed`: the
 * agreement by which an absent customer is charged.
 */
export function openAuthorization(
  { context, merchant, services }: Pick<UseCaseCall, 'context' | 'merchant' | 'services'>,
  payment: Payment,
  instrument: PaymentInstrument | undefined,
  client_network: string | null = null,
  agreed: RoutingContext['agreed'] = null,
): { payment: Payment; operation: Operation } {
  const decision = route(merchant, payment, instrument, services.health, agreed)
  const [account] = decision.order
  const operation = openOperation(context, payment, account, {
    ...ownerOf(payment),
    verb: 'authorize',
    purpose: 'merchant',
    acts_on: null,
    amount: payment.net_amount,
    client_network,
    routing: routedOf(decision),
  })
  return {
    operation,
    payment: {
      ...payment,
      ...standingOn(operation),
      request: requestOfHolds(merchant, payment),
      status: after(lifecycle, payment.status, payment.status === 'failed' ? 'retried' : 'sent'),
      facts: null,
      operation_count: operation.n,
      modified_at: operation.began,
    },
  }
}

/** A decision with at least one account. */
type Found = Decision & { order: readonly [ConnectorAccount, ...ConnectorAccount[]] }

/** Returns the accounts that can process the payment, in order. Refuses (IR_39, IR_19 for a set-up) if none can. */
export function route(
  merchant: Merchant,
  payment: Payment,
  instrument: PaymentInstrument | undefined,
  health: Pick<HealthMemory, 'look'>,
  agreed: RoutingContext['agreed'] = null,
): Found {
  const routingContext = routingContextOf(payment, instrument, agreed)
  const decision = decide(merchant, routingContext, health.look(merchant, routingContext))
  if (decision.order.length > 0) return decision as Found
  const accounts = accountsFor(merchant, routingContext)
  const why = whyNone(accounts, routingContext)
  if (lastHurdle(accounts, routingContext) === 'set_up')
    refuse('not_supported', { problem: `amount 0 sets up a payment method without charging it: ${why}` })
  return refuse('no_connector', { why })
}

/** Opens a merchant's operation on the payment's authorization (a capture, a void …), at the same processor. */
export const openOn = (
  context: Pick<Context, 'now' | 'random'>,
  payment: Payment,
  operation: Pick<Operation, 'verb' | 'amount'> & { refund_id?: string },
): Operation =>
  openOperation(context, payment, accountOf(payment), {
    ...operation,
    ...ownerOf(payment),
    purpose: 'merchant',
    acts_on: payment.authorization_n,
  })

/**
 * Begins and performs a verb that needs the payment alone, and leaves its status until the processor confirms
 * (`verbs/adjust.ts`). `plan` refuses, or returns the operation's amount and the columns to change beside.
 */
export async function performAlone(
  call: Call,
  payment_id: string,
  verb: 'increment' | 'extend' | 'post_capture_void' | 'void',
  move: string,
  plan: (before: Payment) => { amount: number; columns?: (operation: Operation) => Partial<Payment> },
): Promise<Payment> {
  const { context } = call
  const written = await changePayment(call, payment_id, before => {
    const { amount, columns } = plan(before)
    const operation = openOn(context, before, { verb, amount })
    const { n, began } = operation
    const reserved = { alone: n, operation_count: n, last_error: null, modified_at: began }
    const after: Payment = { ...before, ...reserved, ...columns?.(operation) }
    return { operation, change: moved(context, before, after, move, { rows: [operationRow(operation)] }) }
  })
  return performOn(call, written.payment, written.plan.operation)
}

/** Returns the connector account that has this payment's authorization. */
const accountOf = (payment: Payment): Destination => ({
  connector_name: payment.connector ?? '',
  merchant_connector_id: payment.merchant_connector_id ?? '',
})

/** Refuses (IR_06) an amount that the payment's processor cannot express. */
export function needAmount(payment: Payment, field: string, amount: number): void {
  const connector = payment.connector ?? ''
  const why = whyNotCounted(connectors[connector]?.accepts.counting, { amount, currency: payment.currency })
  if (why !== null) refuse('unacceptable', { field, problem: `${connector}: ${why}` })
}

/** Refuses (IR_20) a verb that the payment's processor does not support. */
export function needVerb(payment: Payment, verb: Exclude<Operation['verb'], 'authorize'>): void {
  const connector = payment.connector ?? ''
  if (!connectors[connector]?.[verb]) refuse('flow_not_supported', { flow: verb, connector })
}
