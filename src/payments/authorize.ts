import type { ConnectorAccount, Merchant } from '../accounts/merchant.ts'
import { after } from '../base/lifecycle.ts'
import { refuse } from '../base/refusal.ts'
import { connectors } from '../connectors/all.ts'
import type { Means } from '../connectors/means.ts'
import { type Destination, openOperation } from '../operations/open.ts'
import type { Operation } from '../operations/operation.ts'
import { choose, whyNone } from '../routing/choose.ts'
import type { World } from '../world.ts'
import { ownerOf } from './kind.ts'
import { lifecycle } from './lifecycle.ts'
import { cardOf, type Payment } from './payment.ts'

/**
 * The beginning of an authorization: the payment as it will be while the processor is asked, and the operation that asks. Refuses (IR_39) if no connector account takes it.
 * Pure but for the dice and the clock; the caller commits both in one change.
 */
export function openAuthorization(
  world: Pick<World, 'now' | 'random'>,
  merchant: Merchant,
  payment: Payment,
  means: Means | undefined,
): { payment: Payment; operation: Operation } {
  const account = route(merchant, payment, means)
  if (payment.net_amount === 0) refuse('flow_not_supported', { flow: 'zero-amount set-up', connector: account.connector_name })
  const operation = openOperation(world, payment, account, {
    ...ownerOf(payment),
    verb: 'authorize',
    purpose: 'merchant',
    acts_on: null,
    amount: payment.net_amount,
  })
  return {
    operation,
    payment: {
      ...payment,
      status: after(lifecycle, payment.status, 'sent'),
      alone: operation.n,
      connector: account.connector_name,
      merchant_connector_id: account.merchant_connector_id,
      connector_transaction_id: null,
      authorization_n: operation.n,
      authorization_request_id: operation.request_id,
      operation_count: operation.n,
      last_error: null,
      modified_at: operation.began,
    },
  }
}

/** The account that takes this payment by these means. Without any nobody takes it: refuses (IR_39) with the reason. */
export function route(merchant: Merchant, payment: Payment, means: Means | undefined): ConnectorAccount {
  const { asked } = payment
  const wish = {
    profile_id: payment.profile_id,
    capture_method: payment.capture_method,
    currency: payment.currency,
    amount: payment.net_amount,
    means: means?.is ?? null,
    payment_method: asked.payment_method ?? null,
    payment_method_type: asked.payment_method_type ?? null,
    card_network: cardOf(payment)?.card_network ?? null,
    country: asked.payment_method_billing?.address?.country ?? asked.billing?.address?.country ?? null,
    connector: asked.connector,
  }
  return choose(merchant, wish)[0] ?? refuse('no_connector', { why: whyNone(merchant, wish) })
}

/** What a merchant does with an authorization: an operation that acts on the one that the payment stands on, at its processor. */
export const openOn = (
  world: Pick<World, 'now' | 'random'>,
  payment: Payment,
  asked: Pick<Operation, 'verb' | 'amount'> & { refund_id?: string },
): Operation =>
  openOperation(world, payment, accountOf(payment), {
    ...asked,
    ...ownerOf(payment),
    purpose: 'merchant',
    acts_on: payment.authorization_n,
  })

/** The connector account that holds this payment's authorization. */
const accountOf = (payment: Payment): Destination => ({
  connector_name: payment.connector ?? '',
  merchant_connector_id: payment.merchant_connector_id ?? '',
})

/** Refuses (IR_20) a verb that the payment's processor does not have. */
export function needVerb(payment: Payment, verb: 'capture' | 'void' | 'refund'): void {
  const connector = payment.connector ?? ''
  if (!connectors[connector]?.[verb]) refuse('flow_not_supported', { flow: verb, connector })
}
