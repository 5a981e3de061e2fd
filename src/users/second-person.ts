import type { Merchant } from '../accounts/merchant.ts'
import { type Asker, type SecondPerson, secondPersonOf } from '../accounts/second-person.ts'
import { Refusal, refuse } from '../base/refusal.ts'
import type { Context } from '../context.ts'
import { statement } from '../database/statement.ts'

/**
 * Money that one person alone does not move. A story asks here, with the row in hand that it decides on: what needs a
 * second person is thrown out of it before anything is written, and the door keeps the request (`http/held.ts`).
 */

/** What is asked for, as a second person sees it. `total`: what the refunds of the payment come to with it. */
export type Asked = {
  subject_kind: 'payment' | 'payout' | 'merchant'
  subject_id: string
  profile_id: string | null
  currency: string | null
  amount: number | null
  total: number | null
}

type ForWhom = { merchant: Merchant; person?: Asker | undefined }

/** Thrown out of a story: a second person has to agree. Where the door cannot keep the request, it is refused so. */
export class NeedsSecondPerson extends Refusal {
  readonly asked: Asked
  constructor(asked: Asked) {
    super('forbidden', {
      words: 'This requires a second person of the merchant (second_person.above)',
      help: 'Ask at the merchant account itself, signed in',
    })
    this.asked = asked
  }
}

/** More than a limit by currency; where a currency is not named, `others` decides. */
const exceeds = (limits: Readonly<Record<string, number>>, currency: string | null, amount: number | null, others: boolean): boolean => {
  const limit = currency === null ? undefined : limits[currency]
  return limit === undefined ? others : (amount ?? 0) > limit
}

/** Would this need a second person, asked for by a person? */
export const needsSecondPerson = ({ above }: SecondPerson, { currency, total }: Pick<Asked, 'currency' | 'total'>): boolean =>
  above !== undefined && exceeds(above, currency, total, true)

/**
 * Goes on where no second person is needed: a machine asks, the amount is below the limit, or another person has
 * approved of just this. Refuses (IR_16) what changed since.
 */
export function checkSecondPerson({ merchant, person }: ForWhom, asked: Asked): void {
  if (person === undefined || !needsSecondPerson(secondPersonOf(merchant), asked)) return
  const { approved } = person
  if (approved === null) throw new NeedsSecondPerson(asked)
  if (approved.amount !== asked.amount)
    refuse('precondition', { words: `The second person was asked about ${approved.amount}; by now it would be ${asked.amount}` })
}

/** Refuses (IR_22) a refund above what an operator may give back of one payment. */
export function checkOperatorRefund(
  merchant: Merchant,
  role: string | null | undefined,
  { currency, total }: Pick<Asked, 'currency' | 'total'>,
) {
  const limits = secondPersonOf(merchant).operator_refunds_up_to
  if (role !== 'operator' || limits === undefined || !exceeds(limits, currency, total, false)) return
  refuse('forbidden', {
    words: `The role operator refunds up to ${limits[currency!]} ${currency} of a payment here (second_person.operator_refunds_up_to)`,
    help: 'Ask an owner or admin of the merchant',
  })
}

/** Refuses (IR_22) a person to have a payout sent without a fulfill, where that takes two. */
export function checkAutoFulfill({ merchant, person }: ForWhom, payout: { auto_fulfill: boolean; currency: string; amount: number }): void {
  if (person === undefined || !payout.auto_fulfill) return
  const setting = secondPersonOf(merchant)
  const { currency, amount } = payout
  if (setting.maker_may_not_fulfill !== true && !needsSecondPerson(setting, { currency, total: amount })) return
  refuse('forbidden', {
    words: 'auto_fulfill: true is not possible here: a second person is needed to send this payout (second_person)',
    help: 'Send auto_fulfill: false, and have the payout fulfilled',
  })
}

const makers = statement(
  'makers_of_payout',
  `select distinct c.by, k.created_by from changes c
    left join api_keys k on k.merchant_id = c.merchant_id and c.by = 'secret_key ' || k.key_id
    where c.merchant_id = $1 and c.kind = 'payout' and c.object_id = $2 and c.type = any($3)`,
)
const MAKING = ['created', 'updated', 'method_given', 'confirmed']

/** Refuses (IR_22) who made a payout, themselves or by a key of theirs, to fulfill it, where the merchant says so. */
export async function checkMaker(call: ForWhom & { context: Pick<Context, 'query'> }, payout_id: string): Promise<void> {
  const { context, merchant, person } = call
  if (person === undefined || secondPersonOf(merchant).maker_may_not_fulfill !== true) return
  const name = `user ${person.user_id}`
  const found = await context.query<{ by: string; created_by: string | null }>(makers, [merchant.merchant_id, payout_id, MAKING])
  if (found.some(({ by, created_by }) => by === name || created_by === name))
    refuse('forbidden', { words: 'You have made this payout: another person has to fulfill it (second_person.maker_may_not_fulfill)' })
}
