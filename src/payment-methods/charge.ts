import { refuse } from '../base/refusal.ts'
import type { Context, Time } from '../context.ts'
import { statement } from '../database/statement.ts'
import { type Mandate, mandates, mandateTotals, needMandate } from './mandate.ts'

/** Charging by a mandate: its limits, and how payments are counted against them. */

/** Refuses (HE_02) an unknown, (IR_16) an inactive or foreign mandate, (HE_03) a charge beyond its limits. */
export async function needChargeable(
  context: Pick<Context, 'query' | 'now'>,
  merchant_id: string,
  mandate_id: string,
  asked: { customer_id: string; currency: string | null },
): Promise<Mandate> {
  const mandate = await needMandate(context, merchant_id, mandate_id)
  if (mandate.customer_id !== asked.customer_id) refuse('precondition', { problem: 'This mandate belongs to another customer' })
  if (mandate.status !== 'active')
    refuse('precondition', {
      sentence: 'mandate is not active',
      problem: `This mandate is ${mandate.status} and cannot be charged`,
      help: 'Ask the customer to accept a new mandate with a new payment',
    })
  const { currency, start_date, end_date } = mandate
  const now: Time = context.now()
  if (currency !== null && asked.currency !== null && currency !== asked.currency)
    refuse('mandate_violated', { problem: `it is for ${currency}, not ${asked.currency}`, reason: 'cross currency mandates not supported' })
  if (start_date !== null && now < start_date) refuse('mandate_violated', { problem: `it starts at ${start_date}` })
  if (end_date !== null && now > end_date) refuse('mandate_violated', { problem: `it ended at ${end_date}` })
  return mandate
}

/**
 * Counts a payment once against its mandate, if the limit has room, and records that the amount is to be given back if
 * the payment fails. One statement, so that any number of payments may charge at once: the update locks the row, and
 * checks it again once a concurrent count is written.
 */
const count = statement(
  'count_against_mandate',
  `with t as (update ${mandateTotals.name} t set amount = t.amount + $4, charges = t.charges + 1
    where t.merchant_id = $1 and t.mandate_id = $2 and t.charges < coalesce(t.most_charges, t.charges + 1) and t.amount + $4 <= coalesce(t.most_amount, t.amount + $4)
      and exists (select from ${mandates.name} m where m.merchant_id = $1 and m.mandate_id = $2 and m.status = 'active')
      and not exists (select from payment_follow_ups p where p.merchant_id = $1 and p.payment_id = $3)
    returning t.mandate_id)
  insert into payment_follow_ups (merchant_id, payment_id, mandate_id, amount, attempt, made_at, due_at) select $1, $3, t.mandate_id, $4, $7, $5::timestamptz, $6::timestamptz from t returning due_at`,
)
/**
 * Takes over the count of a payment that is begun again, or concurrently by another process. Then the process that
 * counted it first, or found the payment to be over, no longer gives it back. Only an equal count is taken over: a
 * count for another mandate, or for an earlier amount, would let this mandate be charged above its limit.
 */
const takeOver = statement(
  'take_over_count',
  `update payment_follow_ups set attempt = greatest(attempt, $3), due_at = greatest($4::timestamptz, due_at + interval '1 ms')
    where merchant_id = $1 and payment_id = $2 and mandate_id = $5 and amount = $6 returning payment_id`,
)

/** Gives a payment's count back, once, and only if it is the caller's: with the `due_at` that the caller knows. */
const giveBack = statement(
  'give_back_to_mandate',
  `with p as (delete from payment_follow_ups where merchant_id = $1 and payment_id = $2 and mandate_id is not null and due_at = $3 returning mandate_id, amount)
  update ${mandateTotals.name} t set amount = t.amount - p.amount, charges = t.charges - 1 from p where t.merchant_id = $1 and t.mandate_id = p.mandate_id`,
)

const followUpOf = statement(
  'counted_otherwise',
  'select 1 from payment_follow_ups where merchant_id = $1 and payment_id = $2 and mandate_id is not null',
)

const UNIQUE_VIOLATION = '23505'

type Payment = { merchant_id: string; payment_id: string; net_amount: number; attempt_count: number }

/**
 * Returns the `due_at` with which the caller may give the count back if it does not begin the payment after all; null
 * if the payment was counted before: that count is kept for the caller. Refuses (HE_03) if the limit has no room,
 * including payments under way; (HE_00, to be retried) if the payment has another count, by a process that is beginning
 * it now or died: that count is given back within a minute.
 */
export async function countCharge(context: Context, { mandate_id, type }: Mandate, payment: Payment, due_at: Time): Promise<Time | null> {
  const { merchant_id, payment_id, net_amount, attempt_count } = payment
  try {
    const values = [merchant_id, mandate_id, payment_id, net_amount, context.now(), due_at, attempt_count]
    const [counted] = await context.query<{ due_at: Time }>(count, values)
    if (counted) return counted.due_at
  } catch (error) {
    // The same payment was counted at this very moment.
    if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error
  }
  if ((await context.query(takeOver, [merchant_id, payment_id, attempt_count, due_at, mandate_id, net_amount])).length > 0) return null
  if ((await context.query(followUpOf, [merchant_id, payment_id])).length > 0) refuse('busy')
  const message =
    type === 'single_use' ? 'it permits a single charge of at most its amount' : `charging ${net_amount} more would exceed its amount`
  return refuse('mandate_violated', { problem: message, reason: 'request amount is greater than mandate amount' })
}

/** `due_at`: as known to the caller. If another process has taken the count over since, nothing happens. */
export const giveBackCharge = async (
  context: Context,
  { merchant_id, payment_id }: Pick<Payment, 'merchant_id' | 'payment_id'>,
  due_at: Time,
): Promise<void> => void (await context.query(giveBack, [merchant_id, payment_id, due_at]))
