import type { Merchant } from '../../accounts/merchant.ts'
import { profileSetting } from '../../accounts/profile-settings.ts'
import { after } from '../../base/lifecycle.ts'
import type { PaymentInstrument } from '../../connectors/instrument.ts'
import type { Context } from '../../context.ts'
import { isBlockedByKind } from '../../guard/blocking.ts'
import { isBlocked } from '../../guard/blocklist.ts'
import { failure } from '../../operations/failure.ts'
import type { Operation } from '../../operations/operation.ts'
import { lifecycle } from '../lifecycle.ts'
import { cardOf, type Payment } from '../payment.ts'

/**
 * Is what this is paid with on the merchant's blocklist, or of a kind that its profile does not take? Nothing is
 * asked where neither is turned on.
 */
export function mustNotPay(
  context: Pick<Context, 'query' | 'bins'>,
  merchant: Merchant,
  payment: Payment,
  instrument: PaymentInstrument,
): boolean | Promise<boolean> {
  const card = cardOf(payment)
  const blocking = profileSetting(merchant, payment.profile_id, 'payment_method_blocking')
  const byKind = () => blocking !== undefined && isBlockedByKind(context, blocking, instrument, card)
  if (!merchant.blocklist_guard) return byKind()
  return isBlocked(context, merchant.merchant_id, instrument, card?.fingerprint).then(listed => listed || byKind())
}

type Begun = { payment: Payment; operation: Operation }

/**
 * The beginning of an authorization that is its end: nothing is sent, and the attempt says why. `before`: the payment
 * as it was.
 */
export const blocked = (before: Payment, { payment, operation }: Begun): Begun => ({
  payment: { ...payment, status: after(lifecycle, before.status, 'blocked'), alone: null, last_error: failure.blocked },
  operation: {
    ...operation,
    state: 'not_sent',
    response: { code: failure.blocked.error_code, words: failure.blocked.error_message },
    poll_at: null,
  },
})

/** Was it blocked, rather than sent to a processor? */
export const wasBlocked = ({ status, last_error }: Pick<Payment, 'status' | 'last_error'>): boolean =>
  status === 'failed' && last_error?.error_code === failure.blocked.error_code
