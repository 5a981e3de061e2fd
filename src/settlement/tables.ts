import { bigint, bytes, count, flag, int, json, type RowOf, table, text, time } from '../database/table.ts'
import type { Cause } from './causes.ts'
import type { SettlementType } from './line.ts'

/**
 * The state of a connector account's settlement: the day through which its books are closed, and who reads a report
 * of it now. Reports of one account are read one after the other, so that a movement is never new twice.
 */
export const settlementAccounts = table('settlement_accounts', {
  kind: 'settlement_account',
  key: ['merchant_id', 'merchant_connector_id'],
  columns: {
    merchant_id: text(),
    merchant_connector_id: text(),
    version: count(1),
    /** `YYYY-MM-DD`; null: nothing is closed. */
    closed_through: text().orNull(),
    lease_by: text().orNull().unrecorded(),
    lease_until: time().orNull().unrecorded(),
  },
})
export type SettlementAccount = RowOf<typeof settlementAccounts>

export const fileStates = {
  receiving: 'its bytes are arriving',
  waiting: 'received, and read next',
  posting: 'read, and being posted',
  held: 'read as a whole, with differences: nothing of it was posted',
  done: 'read, and what matched was posted',
  failed: 'could not be read: `problem`',
  discarded: 'not wanted any more; nothing of it was posted',
} as const
export type FileState = keyof typeof fileStates

export const modes = {
  'what matches': 'Posts each line that matches; the others stay open as differences',
  'all or nothing': 'Posts nothing unless every line matches',
} as const
export type Mode = keyof typeof modes

/**
 * `known`: lines that were read before. `matched`: posted now. `open`: differences that were found now. `unread`:
 * lines that could not be read. `causes`: differences by their cause.
 */
export type SettlementCounts = {
  lines: number
  matched: number
  known: number
  open: number
  unread: number
  causes: Partial<Record<Cause, number>>
}

/** The first differences of a file that was held, as none of it is stored. */
export type Example = Pick<SettlementDifference, 'cause' | 'at' | 'type' | 'reference' | 'currency' | 'ours' | 'theirs' | 'text'>

/** A report or a bank statement (`merchant_connector_id` empty) that was uploaded. */
export const settlementFiles = table('settlement_files', {
  kind: 'settlement_file',
  key: ['merchant_id', 'file_id'],
  columns: {
    merchant_id: text(),
    file_id: text(),
    version: count(1),
    profile_id: text().orNull().fixed(),
    merchant_connector_id: text().fixed(),
    name: text().orNull().fixed(),
    mode: text<Mode>('what matches'),
    state: text<FileState>('receiving'),
    reader: text().orNull(),
    /** How a file of columns is to be read; null: the reader is found by itself. */
    columns: json().orNull().fixed(),
    size: bigint(),
    digest: text().orNull(),
    counts: json<SettlementCounts>().orNull(),
    examples: json<readonly Example[]>([]).orNull(),
    problem: text().orNull(),
    by: text().fixed(),
    created: time().fixed(),
    finished_at: time().orNull(),
    work_at: time().orNull().unrecorded(),
  },
})
export type SettlementFile = RowOf<typeof settlementFiles>

export const partRecord = (file_id: string, n: number): string => `settlement file ${file_id} ${n}`

/** The bytes of a file until it was read: compressed, and sealed, as reports have names of customers. */
export const settlementFileParts = table('settlement_file_parts', {
  secret: true,
  key: ['merchant_id', 'file_id', 'n'],
  columns: {
    merchant_id: text(),
    file_id: text(),
    n: int(),
    sealed: bytes(row => partRecord(String(row.file_id), Number(row.n))),
    created: time(),
  },
})

/**
 * A movement of a processor's report, once, however many files have it. `identity` is what it is (`identity.ts`),
 * and `n` tells identical ones apart. It is posted if it has a `chunk` (from 1) of its file, or a `posted_by`: a
 * difference. `subject_id`, `moved`: the movement of ours that it settles. `paid_by`: the other file that gave `batch`.
 */
export const settlementLines = table('settlement_lines', {
  money: true,
  key: ['merchant_id', 'merchant_connector_id', 'identity', 'n'],
  columns: {
    merchant_id: text(),
    merchant_connector_id: text(),
    identity: text(),
    n: int(),
    at: int(),
    chunk: int(),
    gross: bigint(),
    fee: bigint(),
    net: bigint(),
    original_amount: bigint().orNull(),
    booked_at: time().orNull(),
    paid_at: time().orNull(),
    file_id: text(),
    type: text<SettlementType>('charge'),
    currency: text(),
    original_currency: text().orNull(),
    rate: text().orNull(),
    request_id: text().orNull(),
    reference: text().orNull(),
    object_reference: text().orNull(),
    payment_reference: text().orNull(),
    batch: text().orNull(),
    subject_id: text().orNull(),
    moved: text().orNull(),
    posted_by: text().orNull(),
    paid_by: text().orNull(),
    description: text().orNull(),
  },
})
export type StoredLine = RowOf<typeof settlementLines>

/**
 * The postings of a chunk of lines, by day and currency, written with the lines. Its posting
 * (`settlements.settlement_id`) follows; the next reader of a report of the account posts the rest after a crash.
 */
export const settlementChunks = table('settlement_chunks', {
  key: ['merchant_id', 'file_id', 'n', 'day', 'currency'],
  columns: {
    merchant_id: text(),
    file_id: text(),
    n: int(),
    day: text(),
    currency: text(),
    merchant_connector_id: text(),
    settlement_id: text(),
    lines: int(),
    gross: bigint(),
    fee: bigint(),
    net: bigint(),
    entries: json<Record<string, number>>(),
    posted: flag(),
  },
})
export type Chunk = RowOf<typeof settlementChunks>

/** The part of each payout of the processor that a chunk has. `stated`: what the report itself says was paid out. */
export const settlementBatchParts = table('settlement_batch_parts', {
  key: ['merchant_id', 'merchant_connector_id', 'batch', 'currency', 'file_id', 'n'],
  columns: {
    merchant_id: text(),
    merchant_connector_id: text(),
    batch: text(),
    currency: text(),
    file_id: text(),
    n: int(),
    lines: int(),
    net: bigint(),
    stated: bigint().orNull(),
    paid_at: time().orNull(),
    bank_reference: text().orNull(),
  },
})

/**
 * A payout of the processor to the merchant's bank. `lines_net`: what its lines add up to. `stated`: what the
 * processor says it paid. `in_transit`: what is posted as paid out. `banked`: what of it the bank's statement has.
 */
export const settlementBatches = table('settlement_batches', {
  kind: 'settlement_batch',
  money: true,
  audited: true,
  key: ['merchant_id', 'batch_id'],
  columns: {
    merchant_id: text(),
    batch_id: text(),
    version: count(1),
    profile_id: text().fixed(),
    merchant_connector_id: text().fixed(),
    batch: text().fixed(),
    currency: text().fixed(),
    lines: int(),
    lines_net: bigint(),
    stated: bigint().orNull(),
    in_transit: bigint(),
    banked: bigint(),
    paid_at: time().orNull(),
    bank_reference: text().orNull(),
    bank_entry_id: text().orNull(),
    banked_at: time().orNull(),
    created: time().fixed(),
  },
})
export type SettlementBatch = RowOf<typeof settlementBatches>

/** An entry of a statement of the merchant's bank. `batch_id`: the payout that arrived with it. */
export const bankEntries = table('bank_entries', {
  money: true,
  key: ['merchant_id', 'entry_id'],
  columns: {
    merchant_id: text(),
    entry_id: text(),
    file_id: text().fixed(),
    currency: text().fixed(),
    amount: bigint().fixed(),
    booked_at: time().fixed(),
    reference: text().orNull().fixed(),
    texts: json<readonly string[]>([]).fixed(),
    batch_id: text().orNull(),
    created: time().fixed(),
  },
})
export type StoredBankEntry = RowOf<typeof bankEntries>

/** A difference between ours and theirs, until a person or a later line settles it. */
export const settlementDifferences = table('settlement_differences', {
  kind: 'settlement_difference',
  audited: true,
  money: true,
  key: ['merchant_id', 'difference_id'],
  columns: {
    merchant_id: text(),
    difference_id: text(),
    version: count(1),
    profile_id: text().fixed(),
    merchant_connector_id: text().fixed(),
    cause: text<Cause>('missing_here').fixed(),
    state: text<DifferenceState>('open'),
    file_id: text().orNull().fixed(),
    /** Line of the file. */
    at: int().orNull().fixed(),
    /** Of the stored line that it is about; null: about a movement of ours, a payout, or what could not be read. */
    identity: text().orNull().fixed(),
    n: int().orNull().fixed(),
    type: text().orNull().fixed(),
    request_id: text().orNull().fixed(),
    reference: text().orNull().fixed(),
    payment_reference: text().orNull().fixed(),
    batch: text().orNull().fixed(),
    /** The payment, payout or dispute's payment of ours. */
    subject_id: text().orNull(),
    moved: text().orNull(),
    currency: text().orNull().fixed(),
    ours: bigint().orNull().fixed(),
    ours_currency: text().orNull().fixed(),
    theirs: bigint().orNull().fixed(),
    fee: bigint().orNull().fixed(),
    /** The text that could not be read, and why; the report's own word of an unknown type. */
    text: text().orNull().fixed(),
    booked_at: time().orNull().fixed(),
    reason: text().orNull(),
    resolved_by: text().orNull(),
    resolved_at: time().orNull(),
    /** The day in whose books the resolution is; null: nothing was posted. What was posted, in `currency`. */
    day: text().orNull(),
    posted_gross: bigint().orNull(),
    posted_fee: bigint().orNull(),
    posted_net: bigint().orNull(),
    created: time().fixed(),
    /** When the processor was last asked about it. */
    asked_at: time().orNull().unrecorded(),
  },
})
export type SettlementDifference = RowOf<typeof settlementDifferences>

export const differenceStates = {
  open: 'Waits for a line that settles it, or for a person',
  matched: 'Settled by what came later: a line, or a change of ours',
  accepted: 'A person accepted the processor’s figure',
  linked: 'A person named the payment that the line belongs to',
  written_off: 'A person gave the amount up; two people where the merchant requires it',
} as const
export type DifferenceState = keyof typeof differenceStates

/** Where a processor's references are looked up: filled before reports of an account are read, not by payments. */
table('settlement_references', {
  pointer: true,
  key: ['merchant_id', 'merchant_connector_id', 'reference', 'kind', 'object_id', 'n'],
  columns: { merchant_id: text(), merchant_connector_id: text(), reference: text(), kind: text(), object_id: text(), n: int() },
})

/** When differences are asked about and matched again. Books are checked from `checked_from` to `checked_to`. */
export const settlementLooks = table('settlement_looks', {
  pointer: true,
  key: ['merchant_id', 'merchant_connector_id'],
  columns: {
    merchant_id: text(),
    merchant_connector_id: text(),
    connector: text(),
    look_at: time(),
    checked_from: text().orNull(),
    checked_to: text().orNull(),
  },
})
export type SettlementLook = RowOf<typeof settlementLooks>

export type SettledAccount = { merchant_id: string; merchant_connector_id: string; profile_id: string; connector_name: string }
