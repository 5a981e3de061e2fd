import type { Merchant } from '../accounts/merchant.ts'
import { type Asker, type SecondPerson, secondPersonOf } from '../accounts/second-person.ts'
import { Refusal, refuse } from '../base/refusal.ts'
import type { Reads } from '../context.ts'
import { statement } from '../database/statement.ts'

/**
 * Use cases call these checks with the row that they decide on. They throw `NeedsSecondPerson` before anything is
 * written, and the request is stored for approval (`http/approval-requests.ts`).
 */

/** A request as the second user sees it. `total`: the sum of the payment's refunds, including this one. */
export type Asked = {
  subject_kind: 'payment' | 'payout' | 'merchant' | 'settlement_difference'
  subject_id: string
  profile_id: string | null
  currency: string | null
  amount: number | null
  total: number | null
}

type ForWhom = { merchant: Merchant; person?: Asker | undefined }

/** If the request cannot be stored for approval, the caller receives this error. */
export class NeedsSecondPerson extends Refusal {
  readonly asked: Asked
  constructor(asked: Asked) {
    super('forbidden', {
      problem: 'This requires a second person of the merchant (second_person.above)',
      help: 'Ask at the merchant account itself, signed in',
    })
    this.asked = asked
  }
}

/** `others`: the result for a currency without a limit. */
const exceeds = (limits: Readonly<Record<string, number>>, currency: string | null, amount: number | null, others: boolean): boolean => {
  const limit = currency === null ? undefined : limits[currency]
  return limit === undefined ? others : (amount ?? 0) > limit
}

const needsSecondPerson = ({ above }: SecondPerson, { currency, total }: Pick<Asked, 'currency' | 'total'>): boolean =>
  above !== undefined && exceeds(above, currency, total, true)

/** Not for machines, amounts within the limit, approved requests. Refuses (IR_16) an amount changed since approval. */
export function checkSecondPerson({ merchant, person }: ForWhom, asked: Asked): void {
  if (person === undefined || !needsSecondPerson(secondPersonOf(merchant), asked)) return
  const { approved } = person
  if (approved === null) throw new NeedsSecondPerson(asked)
  if (approved.amount !== asked.amount)
    refuse('precondition', { problem: `The approval is for ${approved.amount}, but the amount is now ${asked.amount}` })
}

/** Refuses (IR_22) a refund by the role operator above the limit for one payment. */
export function checkOperatorRefund(
  merchant: Merchant,
  role: string | null | undefined,
  { currency, total }: Pick<Asked, 'currency' | 'total'>,
) {
  const limits = secondPersonOf(merchant).operator_refunds_up_to
  if (role !== 'operator' || limits === undefined || !exceeds(limits, currency, total, false)) return
  refuse('forbidden', {
    problem: `The role operator refunds up to ${limits[currency!]} ${currency} of a payment here (second_person.operator_refunds_up_to)`,
    help: 'Ask an owner or admin of the merchant',
  })
}

/** Refuses (IR_22) a user's payout with auto_fulfill, if sending the payout needs a second user. */
export function checkAutoFulfill({ merchant, person }: ForWhom, payout: { auto_fulfill: boolean; currency: string; amount: number }): void {
  if (person === undefined || !payout.auto_fulfill) return
  const setting = secondPersonOf(merchant)
  const { currency, amount } = payout
  if (setting.maker_may_not_fulfill !== true && !needsSecondPerson(setting, { currency, total: amount })) return
  refuse('forbidden', {
    problem: 'auto_fulfill: true is not possible here: a second person is needed to send this payout (second_person)',
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

/** Refuses (IR_22), if the merchant forbids it, that a user fulfills an own payout, also one made with an own key. */
export async function checkMaker(call: ForWhom & { context: Reads }, payout_id: string): Promise<void> {
  const { context, merchant, person } = call
  if (person === undefined || secondPersonOf(merchant).maker_may_not_fulfill !== true) return
  const name = `user ${person.user_id}`
  const found = await context.query<{ by: string; created_by: string | null }>(makers, [merchant.merchant_id, payout_id, MAKING])
  if (found.some(({ by, created_by }) => by === name || created_by === name))
    refuse('forbidden', { problem: 'You have made this payout: another person has to fulfill it (second_person.maker_may_not_fulfill)' })
}
