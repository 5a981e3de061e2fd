import { type Currency, isCurrency } from '../../base/currencies.ts'
import { decodeText } from '../../base/decode-text.ts'
import type { BankEntry, ReportRow, UnreadLine } from '../line.ts'
import { type Mark, markOf } from './amounts.ts'
import { readCamt } from './camt.ts'
import { type Places, Problem, placesOf, sampled, shown, TitledRow, type Titles, unread } from './kit.ts'
import { RowFile } from './open.ts'
import { type DateOrder, dateOrderOf, readReportTime } from './times.ts'

/** Titles of banks' exports in English, German, Dutch and French. */
const titles = {
  booked_at: [
    'booked_at',
    'booking date',
    'date',
    'transaction date',
    'buchungstag',
    'buchungsdatum',
    'datum',
    'boekdatum',
    "date d'opération",
  ],
  amount: ['amount', 'betrag', 'betrag (eur)', 'umsatz', 'bedrag', 'bedrag (eur)', 'montant'],
  side: ['side', 'debit/credit', 'entry type', 'af bij', 'soll/haben'],
  debit: ['debit', 'paid out', 'soll', 'débit', 'af'],
  credit: ['credit', 'paid in', 'haben', 'crédit', 'bij'],
  currency: ['currency', 'währung', 'waehrung', 'munt', 'valuta', 'devise'],
  reference: ['reference', 'transaction id', 'bank reference', 'volgnr', 'id'],
} satisfies Titles<string>
type BankColumn = keyof typeof titles
/** Columns whose text the bank repeats of a payment: all others. */
export type BankForm = {
  columns?: Partial<Record<BankColumn, string>>
  /** Of a statement without a column of it. */
  currency?: Currency
  mark?: Mark
  dates?: DateOrder
}

const debits = new Set(['DEBIT', 'DBIT', 'DR', 'D', 'AF', 'S', 'SOLL', 'PAID OUT'])
const credits = new Set(['CREDIT', 'CRDT', 'CR', 'C', 'BIJ', 'H', 'HABEN', 'PAID IN'])

const titlesOf = (columns: BankForm['columns']): Titles<BankColumn> =>
  !columns || Object.keys(columns).length === 0
    ? titles
    : (Object.fromEntries(Object.keys(titles).map(name => [name, [columns[name as BankColumn]].flatMap(title => title ?? [])])) as never)

const isHeader = (places: Places<BankColumn>): boolean =>
  places.booked_at >= 0 && (places.amount >= 0 || (places.debit >= 0 && places.credit >= 0))

function amountOf(row: TitledRow<BankColumn>, currency: Currency): number {
  const amount = row.amount('amount', currency)
  if (amount === null) {
    const [debit, credit] = [row.amount('debit', currency), row.amount('credit', currency)]
    if (debit === null && credit === null) throw new Problem('has no amount')
    return Math.abs(credit ?? 0) - Math.abs(debit ?? 0)
  }
  const side = row.text('side').toUpperCase()
  if (side === '' || (!debits.has(side) && !credits.has(side))) return amount
  return debits.has(side) ? 0 - Math.abs(amount) : Math.abs(amount)
}

function entryOf(row: ReportRow, places: Places<BankColumn>, mark: Mark, form: BankForm, dates: DateOrder): BankEntry {
  const read = new TitledRow(row, places, mark)
  const code = read.text('currency').toUpperCase()
  const currency = code === '' ? form.currency : isCurrency(code) ? code : null
  if (!currency) throw new Problem(code === '' ? 'has no currency' : `${shown(code)} is not a currency`)
  const booked_at = readReportTime(read.text('booked_at'), 'UTC', dates)
  if (booked_at === null) throw new Problem(`${shown(read.text('booked_at'))} is not a date`)
  const own = new Set<number>([places.booked_at, places.amount, places.side, places.debit, places.credit, places.currency])
  const texts = row.fields.filter((field, i) => field !== '' && !own.has(i)).map(field => Buffer.from(field.slice(0, 500)).toString())
  return { at: row.at, reference: read.id('reference'), currency, amount: amountOf(read, currency), booked_at, texts }
}

/** Reads a bank's CSV. Lines before its titles are passed over: banks write the account and the period there. */
async function* readRows(rows: AsyncIterable<ReportRow>, form: BankForm): AsyncGenerator<BankEntry | UnreadLine, undefined> {
  const { first, all } = await sampled(rows)
  const names = titlesOf(form.columns)
  const header = first.find(row => isHeader(placesOf(row.fields, names)))
  if (!header) {
    yield unread(first[0]?.at ?? 1, 'the statement has no titles of a date and an amount', first[0]?.fields ?? [])
    return undefined
  }
  const places = placesOf(header.fields, names)
  const sample = first.slice(first.indexOf(header) + 1)
  const mark = form.mark ?? markOf(sample, [places.amount, places.debit, places.credit])
  const dates = form.dates ?? dateOrderOf(sample.map(({ fields }) => fields[places.booked_at] ?? '')) ?? 'ymd'
  for await (const row of all) {
    if (row.at <= header.at) continue
    try {
      yield entryOf(row, places, mark, form, dates)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      yield unread(row.at, error.message, row.fields)
    }
  }
  return undefined
}

async function* bytesOf(first: Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

/** Bytes by which XML is told from CSV: a mark, blanks, and the first character of the document. */
const LOOKED_AT = 64

/** Reads a statement of the merchant's bank: camt.053, or CSV with titles. It holds no more of it than one entry. */
export async function* readBankStatement(
  source: AsyncIterable<Uint8Array>,
  form: BankForm = {},
): AsyncGenerator<BankEntry | UnreadLine, undefined> {
  const iterator = source[Symbol.asyncIterator]()
  const first: Uint8Array[] = []
  let length = 0
  while (length < LOOKED_AT) {
    const { done, value } = await iterator.next()
    if (done) break
    first.push(value)
    length += value.byteLength
  }
  const begin = Buffer.concat(first)
    .subarray(0, LOOKED_AT)
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, '')
    .trimStart()
  const bytes = bytesOf(first, iterator)
  if (begin.startsWith('<')) {
    yield* readCamt(decodeText(bytes))
    return undefined
  }
  const file = new RowFile(bytes)
  for await (const entry of readRows(file.rows(), form)) {
    yield* file.takeUnread()
    yield entry
  }
  yield* file.takeUnread()
  return undefined
}
