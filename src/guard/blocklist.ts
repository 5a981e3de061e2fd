import Type from 'typebox'
import { merchants } from '../accounts/merchant-row.ts'
import { findMerchantRow } from '../accounts/rows.ts'
import { refuse } from '../base/refusal.ts'
import { shortText, strictObject } from '../base/shapes.ts'
import type { PaymentInstrument } from '../connectors/instrument.ts'
import type { Context, Reads } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { statement } from '../database/statement.ts'
import { count, flag, json, type RowOf, select, table, text, time } from '../database/table.ts'

/**
 * The blocklist (contract 6.8): first six or eight digits of cards, and fingerprints; not in memory, as their number
 * is unlimited. Checked only for merchants who have turned the guard on.
 */

const dataKinds = ['payment_method', 'card_bin', 'extended_card_bin'] as const
export type DataKind = (typeof dataKinds)[number]

const blocklistEntries = table('blocklist_entries', {
  kind: 'blocklist_entry',
  key: ['merchant_id', 'entry_id'],
  columns: {
    merchant_id: text(),
    entry_id: text(),
    version: count(1),
    data_kind: text<DataKind>('card_bin').fixed(),
    fingerprint_id: text().fixed(),
    metadata: json<Record<string, string>>().orNull(),
    deleted: flag(),
    created_at: time(),
  },
})
export type BlocklistEntry = RowOf<typeof blocklistEntries>

const types = {
  card_bin: { data_kind: 'card_bin', is: /^\d{6}$/, expected: '6 digits' },
  extended_card_bin: { data_kind: 'extended_card_bin', is: /^\d{8}$/, expected: '8 digits' },
  fingerprint: { data_kind: 'payment_method', is: /^[0-9A-Za-z]{20}$/, expected: 'the 20 letters and digits of a fingerprint' },
} as const satisfies Record<string, { data_kind: DataKind; is: RegExp; expected: string }>
type EntryType = keyof typeof types

const typeNames = Object.keys(types) as EntryType[]

export const entryShape = strictObject({ type: Type.Enum(typeNames), data: shortText })
export type EntryAsk = Type.Static<typeof entryShape>

const MOST_LISTED = 100
export const listQuery = strictObject({
  data_kind: Type.Enum([...dataKinds]),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_LISTED, description: 'Default 10' })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
})

export type BlocklistKey = Pick<BlocklistEntry, 'data_kind' | 'fingerprint_id'>

export const isEntryType = (type: string): type is EntryType => Object.hasOwn(types, type)

/** The expected format; null if the data are valid. */
export const whyMalformed = (type: EntryType, data: string): string | null => (types[type].is.test(data) ? null : types[type].expected)

export const named = (type: EntryType, data: string): BlocklistKey => ({ data_kind: types[type].data_kind, fingerprint_id: data })

/** Unique within the merchant, and readable in histories. */
export const entryIdOf = ({ data_kind, fingerprint_id }: BlocklistKey): string => `${data_kind}_${fingerprint_id}`

function read({ type, data }: EntryAsk): BlocklistKey {
  const expected = whyMalformed(type, data)
  if (expected !== null) refuse('malformed', { field: 'data', expected })
  return named(type, data)
}

const byIds = statement('blocklist_entries_by_id', select(blocklistEntries, 'where merchant_id = $1 and entry_id = any($2::text[])'))
const ofKind = statement(
  'blocklist_entries_of_kind',
  select(
    blocklistEntries,
    'where merchant_id = $1 and data_kind = $2 and not deleted order by created_at desc, entry_id desc limit $3 offset $4',
  ),
)
const counted = statement(
  'blocklist_entries_counted',
  'select count(*)::int as total_count from blocklist_entries where merchant_id = $1 and data_kind = $2 and not deleted',
)
const anyOf = statement(
  'blocklist_has_any',
  'select 1 from blocklist_entries where merchant_id = $1 and entry_id = any($2::text[]) and not deleted limit 1',
)

export const findEntries = (context: Reads, merchant_id: string, ids: readonly string[]): Promise<BlocklistEntry[]> =>
  context.query<BlocklistEntry>(byIds, [merchant_id, ids])

type Show = (entry: BlocklistEntry) => unknown

/** False if a concurrent request changed the entry first. */
export async function write(
  context: Pick<Context, 'commit' | 'by'>,
  before: BlocklistEntry | undefined,
  after: BlocklistEntry,
  answer?: unknown,
): Promise<boolean> {
  const type = after.deleted ? 'deleted' : 'created'
  const more = answer === undefined ? {} : { answer }
  return (await context.commit(changeTo(context, blocklistEntries.name, { before: before ?? null, after }, type, more))).is === 'written'
}

/** Also a deleted entry that is made again. */
export const newEntry = (
  context: Pick<Context, 'now'>,
  merchant_id: string,
  what: BlocklistKey,
  before: BlocklistEntry | undefined,
  metadata: BlocklistEntry['metadata'] = null,
): BlocklistEntry => ({
  merchant_id,
  entry_id: entryIdOf(what),
  version: before?.version ?? 1,
  ...what,
  metadata,
  deleted: false,
  created_at: context.now(),
})

export async function block(context: Context, merchant_id: string, ask: EntryAsk, show: Show): Promise<unknown> {
  const what = read(ask)
  const [before] = await findEntries(context, merchant_id, [entryIdOf(what)])
  const after = newEntry(context, merchant_id, what, before)
  const answer = show(after)
  const made = (!before || before.deleted) && (await write(context, before, after, answer))
  return made ? answer : refuse('precondition', { problem: `${ask.data} is already on the blocklist` })
}

export async function unblock(context: Context, merchant_id: string, ask: EntryAsk, show: Show): Promise<unknown> {
  const what = read(ask)
  for (;;) {
    const [before] = await findEntries(context, merchant_id, [entryIdOf(what)])
    if (!before || before.deleted) return refuse('unknown', { what: `${ask.type} on the blocklist` })
    const answer = show(before)
    if (await write(context, before, { ...before, deleted: true }, answer)) return answer
  }
}

/** The latest first. `count`: the number of entries on this page. */
export async function listBlocked(context: Context, merchant_id: string, ask: Type.Static<typeof listQuery>, show: Show) {
  const { data_kind, limit = 10, offset = 0 } = ask
  const [entries, [all]] = await Promise.all([
    context.query<BlocklistEntry>(ofKind, [merchant_id, data_kind, limit, offset]),
    context.query<{ total_count: number }>(counted, [merchant_id, data_kind]),
  ])
  return { count: entries.length, total_count: all!.total_count, data: entries.map(show) }
}

const anyOfGuarded = statement(
  'blocklist_guard_has_any',
  `select 1 from blocklist_entries e join merchants m on m.merchant_id = $1 and m.blocklist_guard
    where e.merchant_id = $1 and e.entry_id = any($2::text[]) and not e.deleted limit 1`,
)
const waysToBlock = (number: string, fingerprint: string): string[] => [
  `card_bin_${number.slice(0, 6)}`,
  `extended_card_bin_${number.slice(0, 8)}`,
  `payment_method_${fingerprint}`,
]

/** If the guard is on, a card on the blocklist is neither saved nor used for payouts. */
export async function checkBlocked(context: Pick<Context, 'query' | 'vault'>, merchant_id: string, number: string): Promise<void> {
  const ways = waysToBlock(number, context.vault.fingerprint(merchant_id, number))
  if ((await context.query(anyOfGuarded, [merchant_id, ways])).length > 0)
    refuse('precondition', { problem: 'This card is on the blocklist: it cannot be saved or used for payouts' })
}

/** One indexed read, and none for an instrument that cannot be on the blocklist. */
export async function isBlocked(
  context: Reads,
  merchant_id: string,
  instrument: PaymentInstrument,
  fingerprint: string | undefined,
): Promise<boolean> {
  if (!('number' in instrument) || fingerprint === undefined) return false
  return (await context.query(anyOf, [merchant_id, waysToBlock(instrument.number.reveal(), fingerprint)])).length > 0
}

export const showGuard = (on: boolean) => ({ blocklist_guard_status: on ? ('enabled' as const) : ('disabled' as const) })

/** Every process knows within a second. Writes nothing if the status is unchanged. */
export async function toggleBlocklist(context: Context, merchant_id: string, on: boolean): Promise<{ blocklist_guard_status: string }> {
  const answer = showGuard(on)
  for (;;) {
    const before = (await findMerchantRow(context, merchant_id)) ?? refuse('not_found', { what: 'merchant account' })
    if (before.blocklist_guard === on) return answer
    const after = { ...before, blocklist_guard: on, modified_at: context.now() }
    const type = on ? 'blocklist_enabled' : 'blocklist_disabled'
    const written = await context.commit(changeTo(context, merchants.name, { before, after }, type, { answer }))
    if (written.is === 'written') return answer
  }
}
