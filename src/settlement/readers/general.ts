import type { Currency } from '../../base/currencies.ts'
import { type SettlementLine, type SettlementReader, type SettlementType, settlementTypes } from '../line.ts'
import { type Mark, markOf, readMinor } from './amounts.ts'
import { asFee, attempt, blank, type Places, Problem, placesOf, type Read, sampled, shown, TitledRow, type Titles, unread } from './kit.ts'
import { type DateOrder, dateOrderOf, readReportTime } from './times.ts'

/** Meanings of a column, and titles by which it is found if the merchant names none. */
const generalColumns = {
  request_id: ['request_id', 'merchant reference', 'order id'],
  reference: ['reference', 'transaction id', 'id'],
  payment_reference: ['payment_reference', 'payment id', 'original reference'],
  batch: ['batch', 'payout', 'payout id', 'settlement id', 'batch number'],
  type: ['type', 'transaction type', 'category'],
  currency: ['currency', 'settlement currency', 'währung', 'valuta', 'devise'],
  gross: ['gross', 'amount', 'gross amount', 'betrag', 'bedrag', 'montant'],
  debit: ['debit', 'soll', 'débit', 'af'],
  credit: ['credit', 'haben', 'crédit', 'bij'],
  fee: ['fee', 'fees', 'gebühr', 'kosten', 'frais'],
  net: ['net', 'net amount', 'netto'],
  booked_at: ['booked_at', 'date', 'created', 'booking date', 'datum', 'buchungstag'],
  paid_at: ['paid_at', 'payout date', 'settlement date'],
  original_amount: ['original_amount', 'original amount'],
  original_currency: ['original_currency', 'original currency'],
  rate: ['rate', 'exchange rate'],
  description: ['description', 'omschrijving', 'beschreibung', 'verwendungszweck'],
} satisfies Titles<string>
export type GeneralColumn = keyof typeof generalColumns

/** How a merchant says that a report is to be read. What is absent is found in the report. */
export type GeneralForm = {
  /** Titles of columns. If none is named, they are found by their usual titles. */
  columns?: Partial<Record<GeneralColumn, string>>
  /** Of a report without a column of it. */
  currency?: Currency
  amounts?: 'major' | 'minor'
  mark?: Mark
  dates?: DateOrder
  /** Of dates without one: `CET`, `+02:00`. */
  zone?: string
  /** The report's words for types. */
  types?: Readonly<Record<string, SettlementType>>
}

/** Words that mean the same in most reports. */
const words: Readonly<Record<string, SettlementType>> = {
  ...{ charge: 'charge', sale: 'charge', payment: 'charge', capture: 'charge', settled: 'charge', credit: 'charge' },
  ...{ refund: 'refund', refunded: 'refund', reversal: 'refund', dispute: 'chargeback', chargeback: 'chargeback' },
  ...{ fees: 'fee', payout: 'payout', withdrawal: 'payout', 'chargeback reversed': 'chargeback_reversal' },
}

function typeOf(word: string, gross: number, fee: number, types: GeneralForm['types']): SettlementType {
  if (word === '') return gross === 0 && fee !== 0 ? 'fee' : gross < 0 ? 'refund' : 'charge'
  const name = word.toLowerCase()
  if (types && Object.hasOwn(types, word)) return types[word]!
  if (types && Object.hasOwn(types, name)) return types[name]!
  if (Object.hasOwn(settlementTypes, name)) return name as SettlementType
  return Object.hasOwn(words, name) ? words[name]! : 'unknown'
}

/** The names that a merchant gave come first; without any, the usual titles. */
export function titlesOf(columns: GeneralForm['columns']): Titles<GeneralColumn> {
  if (!columns || Object.keys(columns).length === 0) return generalColumns
  return Object.fromEntries(
    Object.keys(generalColumns).map(name => [name, [columns[name as GeneralColumn]].flatMap(title => title ?? [])]),
  ) as unknown as Titles<GeneralColumn>
}

type Found = { mark: Mark; dates: DateOrder }
type GeneralRow = TitledRow<GeneralColumn>

function amountIn(row: GeneralRow, name: GeneralColumn, currency: Currency, form: GeneralForm): number | null {
  if (form.amounts !== 'minor') return row.amount(name, currency)
  const text = row.text(name)
  if (text === '') return null
  const amount = readMinor(text)
  if (amount === null) throw new Problem(`${shown(text)} is not a whole number of the lowest denomination of ${currency}`)
  return amount
}

/** Gross, fee and net, of which one may be missing. Some reports write fees as negative: net says which. */
function amountsOf(row: GeneralRow, currency: Currency, form: GeneralForm): { gross: number; fee: number; net: number } {
  const read = (name: GeneralColumn) => amountIn(row, name, currency, form)
  const [gross, debit, credit, fee, net] = [read('gross'), read('debit'), read('credit'), read('fee'), read('net')]
  const sided = debit === null && credit === null ? null : Math.abs(credit ?? 0) - Math.abs(debit ?? 0)
  const total = gross ?? sided
  if (total === null && net === null) throw new Problem('has no amount')
  const kept = fee ?? (total !== null && net !== null ? total - net : 0)
  const whole = total ?? net! + kept
  const left = net ?? whole - kept
  return left !== whole - kept && left === whole + kept
    ? { gross: whole, fee: 0 - kept, net: left }
    : { gross: whole, fee: kept, net: left }
}

function dated(row: GeneralRow, name: GeneralColumn, form: GeneralForm, { dates }: Found) {
  const text = row.text(name)
  if (text === '') return null
  const time = readReportTime(text, form.zone ?? 'UTC', dates)
  if (time === null) throw new Problem(`${shown(text)} is not a date`)
  return time
}

function lineOf(row: GeneralRow, form: GeneralForm, found: Found, hasCurrency: boolean): SettlementLine {
  const currency = hasCurrency ? row.currency('currency') : form.currency
  if (!currency) throw new Problem('has no currency')
  const amounts = amountsOf(row, currency, form)
  const word = row.text('type')
  const type = typeOf(word, amounts.gross, amounts.fee, form.types)
  const [request_id, reference, batch] = [row.id('request_id'), row.id('reference'), row.id('batch')]
  if (request_id === null && reference === null && batch === null) throw new Problem('has neither a request id, a reference nor a batch')
  const line: SettlementLine = {
    ...blank(row.at, type, currency),
    request_id,
    reference,
    object_reference: reference,
    payment_reference: row.id('payment_reference') ?? (type === 'charge' ? reference : null),
    batch: type === 'payout' ? (batch ?? reference) : batch,
    ...amounts,
    original: originalOf(row, currency, amounts.gross, form),
    booked_at: dated(row, 'booked_at', form, found),
    paid_at: dated(row, 'paid_at', form, found),
    description: row.id('description') ?? (type === 'unknown' ? word : null),
  }
  return type === 'fee' ? asFee(line) : line
}

function originalOf(row: GeneralRow, currency: Currency, gross: number, form: GeneralForm): SettlementLine['original'] {
  if (row.text('original_currency') === '' || row.text('original_currency').toUpperCase() === currency) return null
  const before = row.currency('original_currency')
  const amount = Math.abs(amountIn(row, 'original_amount', before, form) ?? 0)
  return amount === 0 ? null : { amount: gross < 0 ? -amount : amount, currency: before, rate: row.id('rate') }
}

/** Columns of the report that cannot be missing, by their usual names; empty if it can be read. */
export function missingColumns(places: Places<GeneralColumn>, form: GeneralForm): string[] {
  const has = (...names: GeneralColumn[]) => names.some(name => places[name] >= 0)
  return [
    ...(has('currency') || form.currency ? [] : ['currency']),
    ...(has('gross', 'net') || (has('debit') && has('credit')) ? [] : ['gross']),
    ...(has('request_id', 'reference') ? [] : ['reference']),
    ...Object.entries(form.columns ?? {}).flatMap(([name, title]) => (places[name as GeneralColumn] < 0 ? [title] : [])),
  ]
}

/** Finds in the first rows: the decimal mark and the order of dates. */
export function foundIn(
  rows: readonly { at: number; fields: readonly string[] }[],
  places: Places<GeneralColumn>,
  form: GeneralForm,
): Found {
  const columns = (['gross', 'debit', 'credit', 'fee', 'net'] as const).map(name => places[name])
  const written = rows.flatMap(({ fields }) => [fields[places.booked_at] ?? '', fields[places.paid_at] ?? ''])
  return { mark: form.mark ?? markOf(rows, columns), dates: form.dates ?? dateOrderOf(written) ?? 'ymd' }
}

async function* read(rows: Parameters<SettlementReader['read']>[0], form: GeneralForm): AsyncGenerator<Read, undefined> {
  const { first, all } = await sampled(rows)
  const header = first[0]
  if (!header) return undefined
  const places = placesOf(header.fields, titlesOf(form.columns))
  const missing = missingColumns(places, form)
  if (missing.length > 0) {
    yield unread(header.at, `the report has no column ${missing.join(', ')}`, header.fields)
    return undefined
  }
  const found = foundIn(first.slice(1), places, form)
  for await (const row of all)
    if (row.at !== header.at) yield attempt(row, () => lineOf(new TitledRow(row, places, found.mark), form, found, places.currency >= 0))!
  return undefined
}

/** Reads any CSV with titles, as a merchant says what its columns are. */
export const generalReader = (form: GeneralForm = {}): SettlementReader => ({
  name: 'general',
  connector: null,
  title: 'Columns as named',
  matches: header => missingColumns(placesOf(header, titlesOf(form.columns)), form).length === 0,
  read: rows => read(rows, form),
})

/** The titles of a report by what their columns are read as. */
export function columnsFound(header: readonly string[], form: GeneralForm): Partial<Record<GeneralColumn, string>> {
  const places = placesOf(header, titlesOf(form.columns))
  const named = (Object.keys(places) as GeneralColumn[]).filter(name => places[name] >= 0)
  return Object.fromEntries(named.map(name => [name, header[places[name]]!]))
}
