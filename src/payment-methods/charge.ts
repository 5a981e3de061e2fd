import { refuse } from '../base/refusal.ts'
import { statement } from '../database/statement.ts'
import type { Time, World } from '../world.ts'
import { type Mandate, mandates, mandateTotals, needMandate } from './mandate.ts'

/** Charging by a mandate: what it allows, and how payments are counted against it. */

/** The mandate by which a customer is to be charged. Refuses (HE_02) one that there is not, (IR_16) one of another customer or no longer active, and (HE_03) what it does not allow. */
export async function needChargeable(
  world: Pick<World, 'query' | 'now'>,
  merchant_id: string,
  mandate_id: string,
  asked: { customer_id: string; currency: string | null },
): Promise<Mandate> {
  const mandate = await needMandate(world, merchant_id, mandate_id)
  if (mandate.customer_id !== asked.customer_id) refuse('precondition', { words: 'This mandate is not of this customer' })
  if (mandate.status !== 'active') refuse('precondition', { words: `This mandate is ${mandate.status}: nothing can be charged by it` })
  const { currency, start_date, end_date } = mandate
  const now: Time = world.now()
  if (currency !== null && asked.currency !== null && currency !== asked.currency)
    refuse('mandate_violated', { words: `it is for ${currency}, not ${asked.currency}` })
  if (start_date !== null && now < start_date) refuse('mandate_violated', { words: `it begins at ${start_date}` })
  if (end_date !== null && now > end_date) refuse('mandate_violated', { words: `it ended at ${end_date}` })
  return mandate
}

/**
 * Counts a payment against its mandate, if the limit has room for it, and promises to give that back should the payment fail: one statement, so any number may charge at once. A payment is counted once. The row
 * is locked by the update, and looked at again once another's count is written.
 */
const count = statement(
  'count_against_mandate',
  `with t as (update ${mandateTotals.name} t set amount = t.amount + $4, charges = t.charges + 1
    where t.merchant_id = $1 and t.mandate_id = $2 and t.charges < coalesce(t.most_charges, t.charges + 1) and t.amount + $4 <= coalesce(t.most_amount, t.amount + $4)
      and exists (select from ${mandates.name} m where m.merchant_id = $1 and m.mandate_id = $2 and m.status = 'active')
      and not exists (select from payment_promises p where p.merchant_id = $1 and p.payment_id = $3)
    returning t.mandate_id)
  insert into payment_promises (merchant_id, payment_id, mandate_id, amount, made_at, keep_at) select $1, $3, t.mandate_id, $4, $5::timestamptz, $6::timestamptz from t returning payment_id`,
)
const isCounted = statement(
  'is_counted_against_mandate',
  'select mandate_id from payment_promises where merchant_id = $1 and payment_id = $2',
)

/** What was counted for a payment is given back, once. */
const giveBack = statement(
  'give_back_to_mandate',
  `with p as (delete from payment_promises where merchant_id = $1 and payment_id = $2 and mandate_id is not null returning mandate_id, amount)
  update ${mandateTotals.name} t set amount = t.amount - p.amount, charges = t.charges - 1 from p where t.merchant_id = $1 and t.mandate_id = p.mandate_id`,
)

const UNIQUE_VIOLATION = '23505'

type Payment = { merchant_id: string; payment_id: string; net_amount: number }

/** Counts a payment. `counted`: it was not before. Refuses (HE_03) one for which the limit has no room, with what is under way counted. */
export async function countCharge(
  world: World,
  { mandate_id, type }: Mandate,
  { merchant_id, payment_id, net_amount }: Payment,
  keep_at: Time,
): Promise<'counted' | 'counted before'> {
  try {
    if ((await world.query(count, [merchant_id, mandate_id, payment_id, net_amount, world.now(), keep_at])).length > 0) return 'counted'
  } catch (error) {
    // The same payment was counted at this very moment.
    if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error
  }
  if ((await world.query(isCounted, [merchant_id, payment_id])).length > 0) return 'counted before'
  const words = type === 'single_use' ? 'it is for one charge of at most its amount' : `its amount has no room for ${net_amount} more`
  return refuse('mandate_violated', { words })
}

export const giveBackCharge = async (world: World, { merchant_id, payment_id }: Omit<Payment, 'net_amount'>): Promise<void> =>
  void (await world.query(giveBack, [merchant_id, payment_id]))
