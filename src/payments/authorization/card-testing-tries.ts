import type { RowChange, Time } from '../../context.ts'
import { failedTry, type Try } from '../../guard/card-testing-counters.ts'
import type { Operation } from '../../operations/operation.ts'
import { cardOf, type Payment } from '../payment.ts'

/** Returns a browser's try as card testing counts it. `network`: where the try came from (`base/network.ts`). */
export function tryOf(payment: Payment, network: string): Try {
  const card = cardOf(payment)
  const { payment_id, customer_id } = payment
  return { payment_id, customer_id, network, card: card?.fingerprint ?? null, bin: card?.card_extended_bin ?? card?.card_isin ?? null }
}

/** Returns the rows by which a declined authorization is counted: none if the merchant's server confirmed it. */
export const failedFrom = (payment: Payment, { n, client_network }: Operation, now: Time): { rows?: RowChange[] } =>
  client_network === null ? {} : { rows: failedTry(payment.merchant_id, n, tryOf(payment, client_network), now) }
