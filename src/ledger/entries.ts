import Type from 'typebox'
import { refuse } from '../base/refusal.ts'
import { strictObject } from '../base/shapes.ts'
import { readTime } from '../base/time.ts'
import type { Posting, Reads, Time } from '../context.ts'
import { postingLines } from '../database/ledger.ts'
import { statement } from '../database/statement.ts'
import { balanceFilters, ledgerFilters, type OfProfiles } from './balances.ts'

const option = Type.Optional
const MOST = 100
const usual = 50
const time = (description: string) => option(Type.String({ format: 'date-time', description }))

const cursor = (description: string) => option(Type.String({ minLength: 1, maxLength: 64, description }))

export const entriesQuery = strictObject({
  ...ledgerFilters,
  object_id: option(Type.String({ minLength: 1, maxLength: 255, description: 'Object that moved the money, for example a payment_id' })),
  created_after: time('At or after this time'),
  created_before: time('Before this time'),
  limit: option(Type.Integer({ minimum: 1, maximum: MOST, description: `Default ${usual}` })),
  starting_after: cursor('Entries before this one: the last entry_id of the previous page'),
  ending_before: cursor('Entries just after this one: the first entry_id of the next page'),
})
export type EntriesAsk = Type.Static<typeof entriesQuery>

const { limit: _limit, starting_after: _after, ending_before: _before, ...filters } = entriesQuery.properties
export const exportShape = strictObject(filters)

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

/** `order`: towards older entries (`desc`), or towards newer ones. */
const listed = (condition: string, order: 'desc' | 'asc') =>
  `select c.event_id as entry_id, c.kind as object_kind, c.object_id, c.version, c.type, c.posted, c.created from changes c
    where c.merchant_id = $1 and c.posted is not null and ($2::text is null or c.posted -> 'entries' -> $2 is not null) and ($3::text is null or c.posted ->> 'currency' = $3)
      and ($4::text is null or c.posted ->> 'profile_id' = $4) and ($5::text is null or c.posted ->> 'merchant_connector_id' = $5)
      and ($6::timestamptz is null or c.created >= $6) and ($7::timestamptz is null or c.created < $7) and ($8::text is null or c.event_id ${order === 'desc' ? '<' : '>'} $8)
      and ($9::text is null or c.event_id > $9) and ($11::text[] is null or c.posted ->> 'profile_id' = any($11)) ${condition}
    order by c.event_id ${order} limit $10`

const ofObject = 'and c.object_id = $12'
const statements = {
  desc: {
    merchant: statement('ledger_entries', listed('', 'desc')),
    object: statement('ledger_entries_of_object', listed(ofObject, 'desc')),
  },
  asc: {
    merchant: statement('ledger_entries_up', listed('', 'asc')),
    object: statement('ledger_entries_of_object_up', listed(ofObject, 'asc')),
  },
}

const checked = (field: 'starting_after' | 'ending_before', entry_id: string | null): string | null =>
  entry_id === null || /^evt_[0-9a-f]{32}$/.test(entry_id) ? entry_id : refuse('unreadable', { field, problem: 'is not a valid entry_id' })

/** The latest first. */
export async function listEntries(context: Reads, merchant_id: string, ask: EntriesAsk, profiles: OfProfiles): Promise<Entry[]> {
  const { object_id, limit = usual } = ask
  const after = checked('starting_after', ask.starting_after ?? null)
  const before = checked('ending_before', ask.ending_before ?? null)
  // `ending_before` alone means towards newer entries; together with `starting_after` it is a limit.
  const up = before !== null && after === null
  const timeOf = (name: 'created_after' | 'created_before') => (ask[name] === undefined ? null : readTime(name, ask[name]))
  const times = [timeOf('created_after'), timeOf('created_before')]
  const values = [merchant_id, ...balanceFilters(ask), ...times, ...(up ? [before, null] : [after, before]), limit, profiles]
  const read = statements[up ? 'asc' : 'desc']
  const rows = await (object_id === undefined
    ? context.query<Row>(read.merchant, values)
    : context.query<Row>(read.object, [...values, object_id]))
  const entries = rows.map(({ posted, ...row }) => ({ ...row, ...shown(posted) }))
  return up ? entries.reverse() : entries
}

const AT_ONCE = 1000

/** The latest first; the next part is read on demand. */
export async function* everyEntry(
  context: Reads,
  merchant_id: string,
  ask: Type.Static<typeof exportShape>,
  profiles: OfProfiles,
): AsyncGenerator<Entry[]> {
  for (let starting_after: string | undefined; ; ) {
    const next = { ...ask, ...(starting_after !== undefined && { starting_after }), limit: AT_ONCE }
    const part = await listEntries(context, merchant_id, next, profiles)
    yield part
    if (part.length < AT_ONCE) return
    starting_after = part.at(-1)!.entry_id
  }
}

const shown = (posting: Posting) => {
  const { request_id, profile_id, merchant_connector_id, currency } = posting
  return { request_id, profile_id, merchant_connector_id, currency, lines: postingLines(posting) }
}
