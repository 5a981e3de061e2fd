import type { RowChange, Time } from '../../context.ts'
import { failedTry, type Try } from '../../guard/card-testing.ts'
import type { Operation } from '../../operations/operation.ts'
import { cardOf, type Payment } from '../payment.ts'
import type { StoryCall } from '../services.ts'

/** What is counted of a browser's try to pay this. `network`: from where it came (`base/network.ts`). */
export function tryOf(payment: Payment, network: string): Try {
  const card = cardOf(payment)
  const { payment_id, customer_id } = payment
  return { payment_id, customer_id, network, card: card?.fingerprint ?? null, bin: card?.card_extended_bin ?? card?.card_isin ?? null }
}

/** What a declined authorization adds to the counts: nothing if the merchant's server confirmed it. */
export const failedFrom = (payment: Payment, { n, client_network }: Operation, now: Time): { rows?: RowChange[] } =>
  client_network === null ? {} : { rows: failedTry(payment.merchant_id, n, tryOf(payment, client_network), now) }

/** The try of one request from a browser: entered by each beginning of it, left with it. */
export type BrowserTry = ReturnType<typeof openBrowserTry>

const nobody = () => {}

/** A request from a browser, of which nothing has begun. */
export function openBrowserTry({ context, merchant, services }: Pick<StoryCall, 'context' | 'merchant' | 'services'>) {
  let leave = nobody
  return {
    /** Refuses (IR_16, or HE_00) one that is too many (`guard/card-testing.ts`). What enters must leave. */
    async enter(payment: Payment, { client_network }: Pick<Operation, 'client_network'>): Promise<void> {
      if (client_network !== null) leave = await services.tries.enter(context, merchant, payment.profile_id, tryOf(payment, client_network))
    },
    /** What was begun is over, or another request was first. */
    leave(): void {
      leave()
      leave = nobody
    },
  }
}
