import { claimed } from '../../database/due.ts'
import { statement } from '../../database/statement.ts'
import { findOperation } from '../../operations/operation.ts'
import { syncOperation } from '../../operations/sync.ts'
import type { JobContext } from '../../operations/verb.ts'
import { ownerOf } from '../kind.ts'
import type { Payment } from '../payment.ts'
import { findPayment } from '../rows.ts'
import { type AuthorizationExpiry, authorizationExpiries, nextExpiryPoll } from './authorization-expiries.ts'

/** Holds whose time is over. A claim falls due again if its process died. */
export const expiredAuthorizations = claimed(authorizationExpiries, {
  when: 'ask_at',
  gives: ['merchant_id', 'payment_id'],
  asksProcessor: true,
})

const forget = statement('forget_hold_end', 'delete from hold_ends where merchant_id = $1 and payment_id = $2')
const askAgain = statement('ask_about_hold_again', 'update hold_ends set ask_at = $3 where merchant_id = $1 and payment_id = $2')

/**
 * Handles a hold whose time is over: if our books still have a held amount, its processor is polled, now and later,
 * until the hold is gone; it may have been extended, or the processor may be late.
 */
export async function pollExpiredAuthorization(
  { context, services, settings }: JobContext,
  { merchant_id, payment_id }: Pick<AuthorizationExpiry, 'merchant_id' | 'payment_id'>,
): Promise<void> {
  const [merchant, payment] = await Promise.all([settings.merchant(merchant_id), findPayment(context, merchant_id, payment_id)])
  const until = payment?.facts?.capture_before
  const next = merchant && payment && until !== undefined && mayHold(payment) ? nextExpiryPoll(until, context.now()) : null
  // The next time is written before the processor is queried, because the query may fail.
  if (next === null) await context.query(forget, [merchant_id, payment_id])
  else await context.query(askAgain, [merchant_id, payment_id, next])
  if (!merchant || !payment || !mayHold(payment) || until === undefined || until > context.now()) return
  const operation = payment.authorization_n === null ? undefined : await findOperation(context, ownerOf(payment), payment.authorization_n)
  if (operation) await syncOperation({ context, services, merchant }, operation)
}

/** Whether an amount may still be held, or be returned to the hold by a decline of a capture or a void. */
const mayHold = ({ amount_capturable, amount_capturing }: Payment): boolean => amount_capturable + amount_capturing > 0
