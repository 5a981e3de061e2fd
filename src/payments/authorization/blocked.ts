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
 * Whether the instrument is on the merchant's blocklist, or of a kind that the payment's profile blocks. Reads nothing
 * if neither is turned on.
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
 * Returns the payment and the operation of an authorization that ends as it begins, because the instrument is blocked:
 * nothing is sent, and the attempt shows the reason. `before`: the payment as it was.
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

/** Whether the payment was blocked, rather than sent to a processor. */
export const wasBlocked = ({ status, last_error }: Pick<Payment, 'status' | 'last_error'>): boolean =>
  status === 'failed' && last_error?.error_code === failure.blocked.error_code
