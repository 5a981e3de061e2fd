import type { EventType } from '../base/event-types.ts'
import { refuse } from '../base/refusal.ts'
import type { Change, Context, Reads, RowChange } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { statement } from '../database/statement.ts'
import { count, int, json, type RowOf, select, table, text, time } from '../database/table.ts'
import type { MaskedRecipient } from '../instruments/recipient.ts'
import type { Failure } from '../operations/failure.ts'
import { listingOf, type RequestMember, tableColumns } from '../resources/read.ts'
import { payoutFields } from './fields.ts'
import type { CreatePayoutBody } from './request-shapes.ts'

/** The kind of payouts in histories and in the keys of operations. */
export const PAYOUT = 'payout'

/** The members of the request without a column, stored as sent. They never contain the payout method. */
export type PayoutParams = Pick<CreatePayoutBody, RequestMember<typeof payoutFields>> & {
  /** The platform that created the payout for its connected account with its own key. */
  platform_merchant_id?: string
}

/** Money that goes from the merchant to a recipient. `amount` is in the lowest denomination of `currency`. */
export const payouts = table('payouts', {
  kind: PAYOUT,
  money: true,
  key: ['merchant_id', 'payout_id'],
  columns: {
    ...tableColumns(payoutFields),
    version: count(1),
    sequence: count(0),
    /** The n of the operation that needs the payout alone: a payout, or a cancel. */
    alone: int().orNull(),
    /** The n of the operation that pays the payout out. */
    payout_n: int().orNull(),
    attempt_count: int(),
    operation_count: int(),
    /** The payout method, masked. */
    recipient: json<MaskedRecipient>().orNull(),
    request: json<PayoutParams>(),
    last_error: json<Failure>().orNull(),
    body_digest: text().orNull().fixed(),
    modified_at: time(),
    expires_on: time(),
    /** The time at which the payout expires by itself; null if it does not, or no longer does. */
    expire_at: time().orNull().unrecorded(),
  },
  listed: listingOf(payoutFields, { resource: PAYOUT, created: 'created', amount: 'amount' }),
})

export type Payout = RowOf<typeof payouts>

const byId = statement('payout_by_id', select(payouts, 'where merchant_id = $1 and payout_id = $2'))

/** A payout of another merchant is treated as unknown, by the same query. */
export const findPayout = async (context: Reads, merchant_id: string, payout_id: string): Promise<Payout | undefined> =>
  (await context.query<Payout>(byId, [merchant_id, payout_id]))[0]

export const ownerOf = ({ merchant_id, payout_id }: Pick<Payout, 'merchant_id' | 'payout_id'>) => ({
  merchant_id,
  kind: PAYOUT,
  object_id: payout_id,
})

export const needPayout = async (context: Reads, merchant_id: string, payout_id: string): Promise<Payout> =>
  (await findPayout(context, merchant_id, payout_id)) ?? refuse('not_found', { what: 'payout' })

export const moved = (
  context: Context,
  before: Payout,
  after: Payout,
  type: string,
  more: { rows?: RowChange[]; announces?: EventType | null } = {},
): Change & { after: Payout } => changeTo(context, payouts.name, { before, after: { ...after, modified_at: context.now() } }, type, more)
