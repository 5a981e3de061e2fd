import type { ConnectorAccount, Merchant } from '../accounts/merchant.ts'
import { newRequestId } from '../base/id.ts'
import { after } from '../base/lifecycle.ts'
import { refuse } from '../base/refusal.ts'
import { connectors } from '../connectors/all.ts'
import { choose, whyNone } from '../routing/choose.ts'
import type { World } from '../world.ts'
import { firstAlarm } from './alarm.ts'
import { lifecycle } from './lifecycle.ts'
import type { Operation, Payment } from './payment.ts'

/**
 * The beginning of an authorization: the payment as it will be while the processor is asked, and the operation that asks. Refuses (IR_39) if no connector account takes it.
 * Pure but for the dice and the clock; the caller commits both in one change.
 */
export function openAuthorization(
  world: Pick<World, 'now' | 'random'>,
  merchant: Merchant,
  payment: Payment,
): { payment: Payment; operation: Operation } {
  const account = route(merchant, payment)
  if (payment.net_amount === 0) refuse('flow_not_supported', { flow: 'zero-amount set-up', connector: account.connector_name })
  const operation = openOperation(world, payment, account, { verb: 'authorize', purpose: 'merchant', amount: payment.net_amount })
  return {
    operation,
    payment: {
      ...payment,
      status: after(lifecycle, payment.status, 'sent'),
      busy: 'authorize',
      connector: account.connector_name,
      merchant_connector_id: account.merchant_connector_id,
      connector_transaction_id: null,
      authorization_request_id: operation.request_id,
      operation_count: operation.n,
      last_error: null,
      modified_at: operation.began,
    },
  }
}

/** The account that takes this payment. Refuses (IR_39) with the reason if none does. */
export function route(merchant: Merchant, payment: Payment): ConnectorAccount {
  const { asked } = payment
  const wish = {
    profile_id: payment.profile_id,
    capture_method: payment.capture_method,
    currency: payment.currency,
    amount: payment.net_amount,
    payment_method: asked.payment_method ?? null,
    payment_method_type: asked.payment_method_type ?? null,
    card_network: payment.card?.card_network ?? null,
    country: asked.payment_method_billing?.address?.country ?? asked.billing?.address?.country ?? null,
    connector: asked.connector,
  }
  return choose(merchant, wish)[0] ?? refuse('no_connector', { why: whyNone(merchant, wish) })
}

/** A new operation of a payment, with the alarm that asks what became of it. */
export function openOperation(
  world: Pick<World, 'now' | 'random'>,
  payment: Payment,
  account: Pick<ConnectorAccount, 'connector_name' | 'merchant_connector_id'>,
  asked: Pick<Operation, 'verb' | 'purpose' | 'amount'> & { refund_id?: string },
): Operation {
  const now = world.now()
  return {
    merchant_id: payment.merchant_id,
    payment_id: payment.payment_id,
    n: payment.operation_count + 1,
    verb: asked.verb,
    purpose: asked.purpose,
    attempt: payment.attempt_count,
    state: 'open',
    amount: asked.amount,
    currency: payment.currency,
    connector: account.connector_name,
    merchant_connector_id: account.merchant_connector_id,
    request_id: newRequestId(world),
    reference: null,
    refund_id: asked.refund_id ?? null,
    said: null,
    began: now,
    modified_at: now,
    ask_at: firstAlarm(now),
  }
}

/** The connector account that holds this payment's authorization. */
export const accountOf = (payment: Payment): Pick<ConnectorAccount, 'connector_name' | 'merchant_connector_id'> => ({
  connector_name: payment.connector ?? '',
  merchant_connector_id: payment.merchant_connector_id ?? '',
})

/** Refuses (IR_20) a verb that the payment's processor does not have. */
export function needVerb(payment: Payment, verb: 'capture' | 'void' | 'refund'): void {
  const connector = payment.connector ?? ''
  if (!connectors[connector]?.[verb]) refuse('flow_not_supported', { flow: verb, connector })
}
