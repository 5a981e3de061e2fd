import Type from 'typebox'
import { fetchings, type SettlementFetch } from '../../accounts/report-fetches.ts'
import { orNull } from '../../base/shapes.ts'
import { causes } from '../../settlement/causes.ts'
import { canFetch } from '../../settlement/fetching.ts'
import { settlementTypes } from '../../settlement/line.ts'
import {
  differenceStates,
  fileStates,
  modes,
  type SettledAccount,
  type SettlementBatch,
  type SettlementDifference,
  type SettlementFile,
  type StoredBankEntry,
  type StoredLine,
} from '../../settlement/tables.ts'
import { amounts, count, flag, listSchema, minor, schema, text, texts, time, times, wordOf } from '../answer-shapes.ts'

export const cause = wordOf(causes)
export const mode = wordOf(modes)
export const fileState = wordOf(fileStates)
export const differenceState = wordOf(differenceStates)
const type = wordOf(settlementTypes)

const counts = schema('SettlementCounts', {
  lines: Type.Integer({ description: 'Lines of the report' }),
  matched: Type.Integer({ description: 'Lines that were posted now' }),
  known: Type.Integer({ description: 'Lines that were read before, and changed nothing' }),
  open: Type.Integer({ description: 'Differences that were found now' }),
  unread: Type.Integer({ description: 'Lines that could not be read' }),
  causes: Type.Record(Type.String(), count, { description: 'New differences by their cause' }),
})

const example = schema('SettlementExample', {
  cause,
  at: orNull(count),
  ...texts('type reference currency'),
  ...amounts('ours theirs'),
  ...texts('text'),
})

export const fileAnswer = schema('SettlementFile', {
  settlement_file_id: text,
  merchant_connector_id: orNull(text, 'Null for a statement of the merchant’s bank'),
  ...texts('name'),
  mode,
  state: fileState,
  reader: orNull(text, 'The kind of report'),
  size: Type.Integer({ description: 'In bytes, once it was read' }),
  digest: orNull(text, 'SHA-256 of the bytes, once they were read'),
  counts: orNull(counts),
  examples: orNull(Type.Array(example), 'Of a held file: its first differences, none of which is stored'),
  ...texts('problem'),
  by: Type.String({ description: 'Who uploaded it' }),
  created: time,
  ...times('finished_at'),
})

export function showFile(file: SettlementFile) {
  const { file_id, merchant_connector_id, name, mode, state, reader, size, digest, counts, examples, problem, by, created, finished_at } =
    file
  return {
    ...{ settlement_file_id: file_id, merchant_connector_id: merchant_connector_id || null, name, mode, state, reader, size, digest },
    ...{ counts, examples, problem, by, created, finished_at },
  }
}

export const differenceAnswer = schema('SettlementDifference', {
  difference_id: text,
  profile_id: text,
  merchant_connector_id: text,
  cause,
  state: differenceState,
  settlement_file_id: orNull(text),
  line: orNull(count, 'Line of the file'),
  ...texts('type request_id reference payment_reference batch'),
  object_id: orNull(text, 'The payment or payout here that it is about'),
  ours: orNull(minor, 'Amount that is not settled yet here, in `ours_currency`; of a change, the amount that was read first'),
  ...texts('ours_currency'),
  theirs: orNull(minor, 'Amount of the report, before a conversion; of a fee that changed, the fee'),
  ...texts('currency'),
  ...amounts('fee'),
  text: orNull(text, 'What could not be read, and why; or the report’s own word'),
  ...times('booked_at'),
  ...texts('reason resolved_by'),
  ...times('resolved_at'),
  created: time,
})

export function showDifference(difference: SettlementDifference) {
  const { difference_id, profile_id, merchant_connector_id, cause, state, file_id, at, type, request_id, reference } = difference
  const { payment_reference, batch, subject_id, ours, ours_currency, theirs, currency, fee, text, booked_at } = difference
  const { reason, resolved_by, resolved_at, created } = difference
  return {
    ...{
      difference_id,
      profile_id,
      merchant_connector_id,
      cause,
      state,
      settlement_file_id: file_id,
      line: at,
      type,
      request_id,
      reference,
    },
    ...{ payment_reference, batch, object_id: subject_id, ours, ours_currency, theirs, currency, fee, text, booked_at },
    ...{ reason, resolved_by, resolved_at, created },
  }
}

export const batchAnswer = schema('ProcessorPayout', {
  batch_id: text,
  merchant_connector_id: text,
  batch: Type.String({ description: 'The processor’s id of the payout' }),
  currency: text,
  lines: count,
  lines_net: Type.Integer({ description: 'What its lines add up to' }),
  stated: orNull(minor, 'What the processor says that it paid out; null: no report says so'),
  paid_out: Type.Integer({ description: 'What is posted as paid out' }),
  arrived: Type.Integer({ description: 'What of it a statement of the bank has' }),
  ...times('paid_at arrived_at'),
  ...texts('bank_entry_id'),
})

export function showBatch(batch: SettlementBatch) {
  const { batch_id, merchant_connector_id, currency, lines, lines_net, stated, in_transit, banked, paid_at, banked_at, bank_entry_id } =
    batch
  return {
    ...{ batch_id, merchant_connector_id, batch: batch.batch, currency, lines, lines_net, stated },
    ...{ paid_out: in_transit, arrived: banked, paid_at, arrived_at: banked_at, bank_entry_id },
  }
}

export const bankEntryAnswer = schema('BankEntry', {
  bank_entry_id: text,
  currency: text,
  amount: minor,
  booked_at: time,
  ...texts('reference'),
  texts: Type.Array(text, { description: 'What the bank repeats of the payment' }),
  batch_id: orNull(text, 'The payout of a processor that arrived with it'),
})

export function showBankEntry({ entry_id, currency, amount, booked_at, reference, texts, batch_id }: StoredBankEntry) {
  return { bank_entry_id: entry_id, currency, amount, booked_at, reference, texts, batch_id }
}

const lineAnswer = schema('SettlementLine', {
  merchant_connector_id: text,
  settlement_file_id: text,
  line: count,
  type,
  posted: Type.Boolean({ description: 'False while it is an open difference' }),
  currency: text,
  gross: minor,
  fee: minor,
  net: minor,
  ...amounts('original_amount'),
  ...texts('original_currency rate request_id reference payment_reference batch'),
  object_id: orNull(text, 'The payment or payout here that it settles'),
  ...times('booked_at paid_at'),
  ...texts('description'),
})

/** The columns of a CSV file of lines. */
export const lineColumns = Object.keys(lineAnswer.properties)
export const differenceColumns = Object.keys(differenceAnswer.properties)

export function showLine(line: StoredLine) {
  const { merchant_connector_id, file_id, at, type, chunk, posted_by, currency, gross, fee, net } = line
  const { original_amount, original_currency, rate, request_id, reference, object_reference, payment_reference } = line
  const { batch, subject_id, booked_at, paid_at, description } = line
  return {
    ...{ merchant_connector_id, settlement_file_id: file_id, line: at, type, posted: chunk > 0 || posted_by !== null },
    ...{ currency, gross, fee, net, original_amount, original_currency, rate, request_id, reference: object_reference ?? reference },
    ...{ payment_reference, batch, object_id: subject_id, booked_at, paid_at, description },
  }
}

const sum = schema('SettledSum', { currency: text, gross: minor, fee: minor, net: minor })
export const settledAnswer = schema('PaymentSettlement', {
  payment_id: text,
  settled: Type.Array(sum, { description: 'By currency: what reports have settled of it, and the fees that processors kept' }),
  lines: Type.Array(lineAnswer),
})

const age = schema('SettlementAge', { from_days: count, movements: count, amount: minor })
const owed = schema('SettlementOwed', {
  currency: text,
  movements: count,
  amount: Type.Integer({ description: 'What the processor owes; below zero: what it is owed' }),
  since: time,
  late_movements: count,
  late_amount: minor,
  ages: Type.Array(age, { description: 'By age in days: each group reaches to the next one' }),
})
export const ageingAnswer = listSchema(
  'SettlementAgeing',
  schema('SettlementAgeingOfAccount', {
    merchant_connector_id: text,
    connector: text,
    usual_days: Type.Integer({ description: 'Days in which the processor usually settles: what is older is late' }),
    as_of: orNull(time, 'When it was counted: now, unless there are very many movements; null: it is being counted for the first time'),
    owed: orNull(Type.Array(owed), 'By currency; null: not known yet'),
  }),
)

export const fetching = wordOf(fetchings)
export const fetchAnswer = schema('SettlementFetch', {
  merchant_connector_id: text,
  connector: text,
  available: Type.Boolean({ description: 'Whether reports of this processor can be fetched; otherwise they are uploaded' }),
  fetch: fetching,
  from: orNull(time, 'Reports that were made before are not fetched'),
  next_at: orNull(time, 'When the processor is asked next'),
  fetched_at: orNull(time, 'When it was last asked without a problem'),
  failures: Type.Integer({ description: 'In a row' }),
  problem: orNull(text, 'Why reports could not be fetched; it is tried again'),
})

export const showFetch = ({ merchant_connector_id, connector_name }: SettledAccount, fetch: SettlementFetch | undefined) => ({
  ...{ merchant_connector_id, connector: connector_name, available: canFetch(connector_name), fetch: fetch?.fetching ?? 'off' },
  ...{ from: fetch?.from_time ?? null, next_at: fetch?.fetch_at ?? null, fetched_at: fetch?.fetched_at ?? null },
  ...{ failures: fetch?.failures ?? 0, problem: fetch?.problem ?? null },
})

const figures = Type.Record(
  Type.String(),
  Type.Object({ lines: count, gross: minor, fee: minor, net: minor, open: Type.Integer({ description: 'Differences that are open' }) }),
  { description: 'By currency' },
)
export const closeAnswer = schema('SettlementClose', {
  merchant_connector_id: text,
  after: orNull(text, 'The day through which the books were closed before'),
  through: text,
  figures,
  closed_by: text,
  created: time,
})
export const periodsAnswer = schema('SettlementPeriods', {
  open: schema('OpenSettlementPeriod', { after: orNull(text), figures }),
  ...{ size: count, data: Type.Array(closeAnswer) },
})

const anything = Type.Object({}, { additionalProperties: true })
export const previewAnswer = schema('SettlementPreview', {
  ...texts('reader title'),
  file: Type.Object({ encoding: text, separator: text }),
  header: Type.Array(text),
  columns: orNull(anything, 'Which title is read as what, of a report that is read by its columns'),
  missing: Type.Array(text, { description: 'Columns that the report lacks' }),
  ...texts('mark dates'),
  lines: Type.Array(anything, { description: 'The first lines as they are read' }),
  problems: Type.Array(anything),
  counts: Type.Object({ lines: count, unread: count, isWhole: flag }, { description: 'Of the first rows' }),
})
