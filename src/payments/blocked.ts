import type { Merchant } from '../accounts/merchant.ts'
import { after } from '../base/lifecycle.ts'
import type { Means } from '../connectors/means.ts'
import { isBlocked } from '../guard/blocklist.ts'
import { failure } from '../operations/failure.ts'
import type { Operation } from '../operations/operation.ts'
import type { World } from '../world.ts'
import { lifecycle } from './lifecycle.ts'
import { cardOf, type Payment } from './payment.ts'

/** Is what this is paid with on the merchant's blocklist? Nothing is asked where the merchant has not turned it on. */
export const mustNotPay = async (world: Pick<World, 'query'>, merchant: Merchant, payment: Payment, means: Means): Promise<boolean> =>
  merchant.blocklist_guard && (await isBlocked(world, merchant.merchant_id, means, cardOf(payment)?.fingerprint))

type Begun = { payment: Payment; operation: Operation }

/** The beginning of an authorization that is its end: nothing is sent, and the attempt says why. `before`: the payment as it was. */
export const blocked = (before: Payment, { payment, operation }: Begun): Begun => ({
  payment: { ...payment, status: after(lifecycle, before.status, 'blocked'), alone: null, last_error: failure.blocked },
  operation: {
    ...operation,
    state: 'not_sent',
    said: { code: failure.blocked.error_code, words: failure.blocked.error_message },
    ask_at: null,
  },
})

/** Was it blocked, rather than sent to a processor? */
export const wasBlocked = ({ status, last_error }: Pick<Payment, 'status' | 'last_error'>): boolean =>
  status === 'failed' && last_error?.error_code === failure.blocked.error_code
