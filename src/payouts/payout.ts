import type { Context } from '../context.ts'
import { statement } from '../database/statement.ts'
import { count, int, json, type RowOf, select, table, text, time } from '../database/table.ts'
import type { MaskedRecipient } from '../instruments/recipient.ts'
import type { Failure } from '../operations/failure.ts'
import { listingOf, type SaidParam, tableColumns } from '../resources/read.ts'
import { payoutFields } from './fields.ts'
import type { CreatePayoutBody } from './request-shapes.ts'

/** The word for payouts in histories and in the keys of operations. */
export const PAYOUT = 'payout'

/** What is kept of the request beyond the columns, as it was sent; never whereto is paid out. */
export type PayoutParams = Pick<CreatePayoutBody, SaidParam<typeof payoutFields>> & {
  /** The platform whose key created it for its connected account. */
  platform_merchant_id?: string
}

/**
 * The payouts: money that goes from the merchant to a recipient. `amount` is in the lowest denomination of
 * `currency`.
 */
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
    /** The operation by which it is paid out: its n. */
    payout_n: int().orNull(),
    attempt_count: int(),
    operation_count: int(),
    /** Whereto it goes, as it may stand in clear. */
    recipient: json<MaskedRecipient>().orNull(),
    request: json<PayoutParams>(),
    last_error: json<Failure>().orNull(),
    body_digest: text().orNull().fixed(),
    modified_at: time(),
    expires_on: time(),
    /** When it expires by itself; null: it does not, or not any more. */
    expire_at: time().orNull().unrecorded(),
  },
  listed: listingOf(payoutFields, { resource: PAYOUT, created: 'created', amount: 'amount' }),
})

export type Payout = RowOf<typeof payouts>

const byId = statement('payout_by_id', select(payouts, 'where merchant_id = $1 and payout_id = $2'))

/** The payout, or undefined: a foreign one is as absent as a missing one, by the same query. */
export const findPayout = async (context: Pick<Context, 'query'>, merchant_id: string, payout_id: string): Promise<Payout | undefined> =>
  (await context.query<Payout>(byId, [merchant_id, payout_id]))[0]

/** What an operation of this payout says of its owner. */
export const ownerOf = ({ merchant_id, payout_id }: Pick<Payout, 'merchant_id' | 'payout_id'>) => ({
  merchant_id,
  kind: PAYOUT,
  object_id: payout_id,
})
