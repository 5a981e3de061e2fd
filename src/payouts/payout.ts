import { statesOf } from '../base/lifecycle.ts'
import type { RecipientName } from '../connectors/instrument.ts'
import type { Context } from '../context.ts'
import { statement } from '../database/statement.ts'
import { bigint, count, flag, int, json, type RowOf, select, table, text, time, word } from '../database/table.ts'
import type { SeenRecipient } from '../means/recipient.ts'
import type { Failure } from '../operations/failure.ts'
import type { CreatePayoutBody } from './ask.ts'
import { lifecycle } from './lifecycle.ts'

/** The word for payouts in histories and in the keys of operations. */
export const PAYOUT = 'payout'

/** What is kept of the request beyond the columns, as it was sent; never whereto is paid out. */
export type PayoutParams = Pick<
  CreatePayoutBody,
  | 'connector'
  | 'routing'
  | 'billing'
  | 'customer'
  | 'email'
  | 'name'
  | 'phone'
  | 'phone_country_code'
  | 'return_url'
  | 'business_country'
  | 'business_label'
  | 'description'
  | 'metadata'
  | 'priority'
  | 'session_expiry'
  | 'payout_link'
  | 'payout_link_config'
> & {
  /** The platform whose key created it for its connected account. */
  platform_merchant_id?: string
}

/** The payouts: money that goes from the merchant to somebody. `amount` is in the lowest denomination of `currency`. */
export const payouts = table('payouts', {
  kind: PAYOUT,
  money: true,
  key: ['merchant_id', 'payout_id'],
  columns: {
    merchant_id: text(),
    payout_id: text(),
    version: count(1),
    sequence: count(0),
    status: word('payout_status', statesOf(lifecycle)),
    /** The n of the operation that needs the payout alone: a payout, or a cancel. */
    alone: int().orNull(),
    profile_id: text(),
    connector: text().orNull(),
    merchant_connector_id: text().orNull(),
    connector_transaction_id: text().orNull(),
    /** The operation by which it is paid out: its n. */
    payout_n: int().orNull(),
    customer_id: text().orNull(),
    currency: text(),
    amount: bigint(),
    payout_type: text<RecipientName>('card').orNull(),
    entity_type: text<NonNullable<CreatePayoutBody['entity_type']>>('Individual'),
    merchant_order_reference_id: text().orNull(),
    auto_fulfill: flag(),
    recurring: flag(),
    payout_method_id: text().orNull(),
    attempt_count: int(),
    operation_count: int(),
    client_secret: text().fixed(),
    /** Whereto it goes, as it may stand in clear. */
    recipient: json<SeenRecipient>().orNull(),
    asked: json<PayoutParams>(),
    last_error: json<Failure>().orNull(),
    body_digest: text().orNull().fixed(),
    created: time().fixed(),
    modified_at: time(),
    expires_on: time(),
    /** When it expires by itself; null: it does not, or not any more. */
    expire_at: time().orNull().unrecorded(),
  },
  listed: {
    resource: PAYOUT,
    created: 'created',
    amount: 'amount',
    ids: {
      customer_id: 'column',
      reference: ({ merchant_order_reference_id }: { merchant_order_reference_id: string | null }) => merchant_order_reference_id,
    },
    facets: {
      status: 'column',
      currency: 'column',
      connector: 'column',
      merchant_connector_id: 'column',
      profile_id: 'column',
      payout_type: 'column',
      entity_type: 'column',
    },
  },
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
