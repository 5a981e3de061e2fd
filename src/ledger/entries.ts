import Type from 'typebox'
import { refuse } from '../base/refusal.ts'
import { readTime } from '../base/time.ts'
import type { Context, Posting, Time } from '../context.ts'
import { postingLines } from '../database/ledger.ts'
import { statement } from '../database/statement.ts'
import { balanceFilters, ledgerFilters } from './balances.ts'

const option = Type.Optional
const MOST = 100
const usual = 50
const time = (description: string) => option(Type.String({ format: 'date-time', description }))

export const entriesQuery = Type.Object(
  {
    ...ledgerFilters,
    object_id: option(Type.String({ minLength: 1, maxLength: 255, description: 'Object that moved the money, for example a payment_id' })),
    created_after: time('At or after this time'),
    created_before: time('Before this time'),
    limit: option(Type.Integer({ minimum: 1, maximum: MOST, description: `Default ${usual}` })),
    starting_after: option(
      Type.String({ minLength: 1, maxLength: 64, description: 'Entries before this one: the last entry_id of the previous page' }),
    ),
  },
  { additionalProperties: false },
)
export type EntriesAsk = Type.Static<typeof entriesQuery>

/** One balanced entry: what a change put on which accounts. */
export type Entry = {
  entry_id: string
  object_kind: string
  object_id: string
  version: number
  type: string
  request_id: string | null
  profile_id: string
  merchant_connector_id: string | null
  currency: string
  lines: { account: string; debit: number; credit: number }[]
  created: Time
}

type Row = Omit<Entry, 'lines'> & { posted: Posting }

const listed = (whose: string) =>
  `select c.event_id as entry_id, c.kind as object_kind, c.object_id, c.version, c.type, c.posted, c.created from changes c
    where c.merchant_id = $1 and c.posted is not null and ($2::text is null or c.posted -> 'entries' -> $2 is not null) and ($3::text is null or c.posted ->> 'currency' = $3)
      and ($4::text is null or c.posted ->> 'profile_id' = $4) and ($5::text is null or c.posted ->> 'merchant_connector_id' = $5)
      and ($6::timestamptz is null or c.created >= $6) and ($7::timestamptz is null or c.created < $7) and ($8::text is null or c.event_id < $8) ${whose}
    order by c.event_id desc limit $9`

const ofMerchant = statement('ledger_entries', listed(''))
const ofObject = statement('ledger_entries_of_object', listed('and c.object_id = $10'))

/**
 * A merchant's entries, the latest first. Refuses (IR_05) a time that is none, and (IR_06) an entry to start after
 * that is none.
 */
export async function listEntries(context: Pick<Context, 'query'>, merchant_id: string, ask: EntriesAsk): Promise<Entry[]> {
  const { object_id, starting_after = null, limit = usual } = ask
  if (starting_after !== null && !/^evt_[0-9a-f]{32}$/.test(starting_after))
    refuse('unreadable', { field: 'starting_after', words: 'is not a valid entry_id' })
  const timeOf = (name: 'created_after' | 'created_before') => (ask[name] === undefined ? null : readTime(name, ask[name]))
  const values = [merchant_id, ...balanceFilters(ask), timeOf('created_after'), timeOf('created_before'), starting_after, limit]
  const rows = await (object_id === undefined
    ? context.query<Row>(ofMerchant, values)
    : context.query<Row>(ofObject, [...values, object_id]))
  return rows.map(({ posted, ...row }) => ({ ...row, ...shown(posted) }))
}

const shown = (posting: Posting) => {
  const { request_id, profile_id, merchant_connector_id, currency } = posting
  return { request_id, profile_id, merchant_connector_id, currency, lines: postingLines(posting) }
}
