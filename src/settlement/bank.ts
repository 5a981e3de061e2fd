import { DAY_MS, later } from '../base/time.ts'
import type { Context, Reads } from '../context.ts'
import { changeTo } from '../database/change-to.ts'
import { statement } from '../database/statement.ts'
import { select } from '../database/table.ts'
import { digestOf, Ordinals } from './identity.ts'
import type { BankEntry, UnreadLine } from './line.ts'
import { moveFileOn, nothingDue } from './post.ts'
import { readBankStatement } from './readers/bank.ts'
import { derivedId } from './rows.ts'
import {
  bankEntries,
  type SettlementBatch,
  type SettlementCounts,
  type SettlementFile,
  type StoredBankEntry,
  settlementBatches,
} from './tables.ts'

/** Entries that are stored together. */
const CHUNK = 1000
/** The bank has a payout at most so much before and after the day that the processor names. */
const BEFORE_MS = 2 * DAY_MS
const AFTER_MS = 10 * DAY_MS

const store = statement(
  'bank_entries_stored',
  `with new as (insert into bank_entries (merchant_id, entry_id, file_id, currency, amount, booked_at, reference, texts, created)
    select $1, e.entry_id, $2, e.currency, e.amount, e.booked_at, e.reference, e.texts, $3
      from json_to_recordset($4::json) e (entry_id text, currency text, amount bigint, booked_at timestamptz, reference text, texts json)
      where not exists (select from bank_entries b where b.merchant_id = $1 and b.entry_id = e.entry_id)
    on conflict do nothing returning 1)
  select count(*)::int as stored from new`,
)

/** Identifies an entry by the bank's id of it, or else by all that it says and its place among identical ones. */
function entryIdOf(entry: BankEntry, seen: Ordinals): string {
  const { reference, currency, amount, booked_at, texts } = entry
  const identity = digestOf(currency, amount, ...(reference === null ? [booked_at, ...texts] : [reference, 'reference']))
  return derivedId('bnk_', identity, reference === null ? seen.next(identity) : 1)
}

/** Takes a statement of the merchant's bank: known entries change nothing, and payouts that arrived are posted. */
export async function takeBankStatement(
  context: Pick<Context, 'query' | 'commit' | 'now' | 'by' | 'random'>,
  file: SettlementFile,
  bytes: AsyncIterable<Uint8Array>,
): Promise<SettlementFile> {
  const { merchant_id, file_id } = file
  const counts: SettlementCounts = { lines: 0, matched: 0, known: 0, open: 0, unread: 0, causes: {} }
  const seen = new Ordinals()
  const problems: UnreadLine[] = []
  let entries: object[] = []
  const write = async () => {
    const [{ stored }] = (await context.query<{ stored: number }>(store, [
      ...[merchant_id, file_id, context.now(), JSON.stringify(entries)],
    ])) as [{ stored: number }]
    counts.lines += entries.length
    counts.known += entries.length - stored
    entries = []
  }
  for await (const entry of readBankStatement(bytes, (file.columns as object | null) ?? {})) {
    if ('problem' in entry) {
      counts.unread++
      if (problems.length < 50) problems.push(entry)
      continue
    }
    entries.push({ ...entry, entry_id: entryIdOf(entry, seen) })
    if (entries.length === CHUNK) await write()
  }
  if (entries.length > 0) await write()
  counts.matched = await matchBank(context, merchant_id)
  const examples = problems.map(({ at, problem, text }) => ({
    ...({ cause: 'unreadable', at, type: null, reference: null, currency: null, ours: null, theirs: null } as const),
    text: `${problem}: ${text}`,
  }))
  const end = { state: 'done', reader: 'bank_statement', counts, examples, finished_at: context.now(), ...nothingDue } as const
  return moveFileOn(context, file, end, 'done')
}

const waiting = statement(
  'settlement_batches_to_bank',
  select(settlementBatches, 'where merchant_id = $1 and banked <> in_transit and batch_id > $2 order by batch_id limit 500'),
)
const candidates = statement(
  'bank_entries_for_batches',
  select(
    bankEntries,
    'where merchant_id = $1 and batch_id is null and (currency, amount) in (select * from unnest($2::text[], $3::bigint[]))',
  ),
)

/** Whether the bank's words name the payout. */
const names = ({ texts, reference }: StoredBankEntry, { batch, bank_reference }: SettlementBatch): boolean =>
  [batch, bank_reference].some(name => name !== null && name.length > 3 && [...texts, reference ?? ''].some(text => text.includes(name)))

const isInTime = ({ booked_at }: StoredBankEntry, { paid_at }: SettlementBatch): boolean =>
  paid_at !== null && booked_at >= later(paid_at, -BEFORE_MS) && booked_at <= later(paid_at, AFTER_MS)

/**
 * The entry with which a payout arrived: of the same amount, and one that names it, or the only one in time of which
 * no other payout may be meant.
 */
function entryOf(batch: SettlementBatch, entries: readonly StoredBankEntry[], others: readonly SettlementBatch[]): StoredBankEntry | null {
  const left = batch.in_transit - batch.banked
  const same = entries.filter(({ currency, amount }) => currency === batch.currency && amount === left)
  const named = same.find(entry => names(entry, batch))
  if (named) return named
  const unnamed = same.filter(entry => isInTime(entry, batch) && !others.some(other => names(entry, other)))
  const rivals = others.filter(one => one !== batch && one.currency === batch.currency && one.in_transit - one.banked === left)
  return unnamed.length === 1 && !rivals.some(rival => isInTime(unnamed[0]!, rival)) ? unnamed[0]! : null
}

/** Posts payouts that have arrived at the bank. Returns how many. */
async function matchBank(context: Pick<Context, 'query' | 'commit' | 'now' | 'by'>, merchant_id: string): Promise<number> {
  let matched = 0
  for (let after = ''; ; ) {
    const batches = await context.query<SettlementBatch>(waiting, [merchant_id, after])
    if (batches.length === 0) return matched
    const wanted = [batches.map(({ currency }) => currency), batches.map(({ in_transit, banked }) => in_transit - banked)]
    let entries = await context.query<StoredBankEntry>(candidates, [merchant_id, ...wanted])
    for (const before of batches) {
      const entry = entryOf(before, entries, batches)
      if (entry === null) continue
      entries = entries.filter(one => one !== entry)
      const { profile_id, merchant_connector_id, currency, batch_id } = before
      const now = { ...before, banked: before.in_transit, bank_entry_id: entry.entry_id, banked_at: entry.booked_at }
      const posts = {
        request_id: null,
        profile_id,
        merchant_connector_id,
        currency,
        entries: { in_transit: -entry.amount, bank: entry.amount },
      }
      const rows = [{ table: bankEntries.name, before: entry, after: { ...entry, batch_id } }]
      const written = await context.commit(changeTo(context, settlementBatches.name, { before, after: now }, 'banked', { posts, rows }))
      if (written.is === 'written') matched++
    }
    after = batches.at(-1)!.batch_id
  }
}

const listed = statement(
  'bank_entries_listed',
  select(
    bankEntries,
    `where merchant_id = $1 and ($2::boolean is null or (batch_id is not null) = $2)
      and ($3::text is null or (booked_at, entry_id) < (select x.booked_at, x.entry_id from bank_entries x where x.merchant_id = $1 and x.entry_id = $3))
      order by booked_at desc, entry_id desc limit $4`,
  ),
)

export const listBankEntries = (
  context: Reads,
  merchant_id: string,
  ask: { matched: boolean | null; after: string | null; limit: number },
): Promise<StoredBankEntry[]> => context.query<StoredBankEntry>(listed, [merchant_id, ask.matched, ask.after, ask.limit])
