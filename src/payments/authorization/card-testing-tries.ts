import type { RowChange, Time } from '../../context.ts'
import { failedTry, type Try } from '../../guard/card-testing.ts'
import type { Operation } from '../../operations/operation.ts'
import { cardOf, type Payment } from '../payment.ts'
import type { UseCaseCall } from '../services.ts'

/**
 * Returns the data of a browser's try that is counted against card testing. `network`: the network that the try came
 * from (`base/network.ts`).
 */
export function tryOf(payment: Payment, network: string): Try {
  const card = cardOf(payment)
  const { payment_id, customer_id } = payment
  return { payment_id, customer_id, network, card: card?.fingerprint ?? null, bin: card?.card_extended_bin ?? card?.card_isin ?? null }
}

/** Returns the rows by which a declined authorization is counted: none if the merchant's server confirmed it. */
export const failedFrom = (payment: Payment, { n, client_network }: Operation, now: Time): { rows?: RowChange[] } =>
  client_network === null ? {} : { rows: failedTry(payment.merchant_id, n, tryOf(payment, client_network), now) }

/**
 * The try of one request from a browser: entered whenever the request begins an authorization, left when it is over.
 */
export type BrowserTry = ReturnType<typeof openBrowserTry>

const noop = () => {}

/** Opens the try of a browser's request, before the request has begun an authorization. */
export function openBrowserTry({ context, merchant, services }: Pick<UseCaseCall, 'context' | 'merchant' | 'services'>) {
  let leave = noop
  return {
    /**
     * Enters the try. Refuses (IR_16, or HE_00) a try above a limit (`guard/card-testing.ts`). Each entered try must
     * be left.
     */
    async enter(payment: Payment, { client_network }: Pick<Operation, 'client_network'>): Promise<void> {
      if (client_network !== null) leave = await services.tries.enter(context, merchant, payment.profile_id, tryOf(payment, client_network))
    },
    /** Leaves the try: the authorization is over, or another request began first. */
    leave(): void {
      leave()
      leave = noop
    },
  }
}
