import { nextStep } from '../../base/retry.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/time.ts'
import { connectors } from '../../connectors/all.ts'
import type { Facts } from '../../connectors/connector.ts'
import type { RowChange, Time } from '../../context.ts'
import { claimed } from '../../database/due.ts'
import { statement } from '../../database/statement.ts'
import { type RowOf, table, text, time } from '../../database/table.ts'
import { findOperation, type Operation } from '../../operations/operation.ts'
import { syncOperation } from '../../operations/sync.ts'
import type { JobContext } from '../../operations/verb.ts'
import { ownerOf, type Payment } from '../payment.ts'
import { findPayment } from '../rows.ts'

/** When holds end: their processors are polled then, if they can be, because not all report expired holds. */
const authorizationExpiries = table('hold_ends', {
  money: true,
  pointer: true,
  key: ['merchant_id', 'payment_id'],
  columns: { merchant_id: text(), payment_id: text(), merchant_connector_id: text(), connector: text(), ask_at: time() },
})
type AuthorizationExpiry = RowOf<typeof authorizationExpiries>

/** The delays of the polls, from the end of the hold. A hold that still exists after a week is not polled again. */
const ASK_AFTER_MS = [5 * MINUTE_MS, 1 * HOUR_MS, 1 * DAY_MS, 7 * DAY_MS]

/** Returns when the processor is queried next about a hold that ends at `capture_before`; null if never again. */
const nextExpiryPoll = (capture_before: Time, now: Time): Time | null => nextStep(ASK_AFTER_MS, capture_before, now)

/** Returns the job of a hold; none if its end is unknown, or its processor cannot be queried. */
export function authorizationExpiry(
  { merchant_id, object_id, merchant_connector_id, connector }: Operation,
  { capture_before }: Facts,
  now: Time,
): RowChange[] {
  const ask_at = capture_before === undefined || connectors[connector]?.sync === undefined ? null : nextExpiryPoll(capture_before, now)
  if (ask_at === null) return []
  return [
    {
      table: authorizationExpiries.name,
      before: null,
      after: { merchant_id, payment_id: object_id, merchant_connector_id, connector, ask_at },
    },
  ]
}

/** Holds whose time is over. A claim falls due again if its process died. */
export const expiredAuthorizations = claimed(authorizationExpiries, {
  when: 'ask_at',
  gives: ['merchant_id', 'payment_id'],
  asksProcessor: true,
})

const forget = statement('forget_hold_end', 'delete from hold_ends where merchant_id = $1 and payment_id = $2')
const askAgain = statement('ask_about_hold_again', 'update hold_ends set ask_at = $3 where merchant_id = $1 and payment_id = $2')

/** Polls a hold whose time is over, now and later, until it is gone: it may be extended, or its processor late. */
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
