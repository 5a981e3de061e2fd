import { withoutCardNumbers } from '../../base/card-number.ts'
import { type Currency, isCurrency } from '../../base/currencies.ts'
import type { ReportRow, SettlementLine, SettlementType, UnreadLine } from '../line.ts'
import { type Mark, markOf, readExact, readReportAmount, SAMPLED } from './amounts.ts'

export type Read = SettlementLine | UnreadLine

/** The most characters of a line that a message repeats. */
const SHOWN = 200

/** A line that cannot be read. Card numbers are left out. */
export const unread = (at: number, problem: string, fields: readonly string[] = []): UnreadLine => ({
  at,
  problem,
  text: withoutCardNumbers(fields.join(',').slice(0, SHOWN)),
})

/** Titles differ in capitals, blanks and brackets over the years: `Gross Debit (GC)` is `grossdebitgc`. */
export const titleOf = (written: string): string =>
  written
    .toLowerCase()
    .slice(0, SHOWN)
    .replace(/[^\p{L}\p{N}]/gu, '')

/** The names of a column over the years, the present one first. */
export type Titles<Name extends string> = Record<Name, readonly string[]>
/** The place of each column; -1: the report does not have it. */
export type Places<Name extends string> = Record<Name, number>

/** Finds columns by their titles, in any order. */
export function placesOf<Name extends string>(header: readonly string[], titles: Titles<Name>): Places<Name> {
  const known = header.map(titleOf)
  const place = ([name, names]: [string, readonly string[]]) => [
    name,
    names.reduce((at, one) => (at < 0 ? known.indexOf(titleOf(one)) : at), -1),
  ]
  return Object.fromEntries((Object.entries(titles) as [string, readonly string[]][]).map(place)) as Places<Name>
}

/** Says whether a report that begins with these titles has all of these columns. */
export const hasColumns = <Name extends string>(
  header: readonly string[],
  titles: Titles<Name>,
  needed: readonly NoInfer<Name>[],
): boolean => {
  const places = placesOf(header, titles)
  return needed.every(name => places[name] >= 0)
}

/** The rows of a report, of which the first ones may be looked at before they are read. */
export async function sampled(rows: AsyncIterable<ReportRow>): Promise<{ first: ReportRow[]; all: AsyncIterable<ReportRow> }> {
  const iterator = rows[Symbol.asyncIterator]()
  const first: ReportRow[] = []
  while (first.length < SAMPLED) {
    const { done, value } = await iterator.next()
    if (done) break
    first.push(value)
  }
  let at = 0
  // No generator: each would cost every row of a long report some turns of its own.
  const again: AsyncIterator<ReportRow> = {
    next: () => (at < first.length ? Promise.resolve({ done: false, value: first[at++]! }) : iterator.next()),
    return: async () => {
      await iterator.return?.()
      return { done: true, value: undefined }
    },
  }
  return { first, all: { [Symbol.asyncIterator]: () => again } }
}

/** Why a row cannot be read, in words for the merchant. */
export class Problem extends Error {}

/** One row of a report with titles. Its methods throw `Problem`. */
export class TitledRow<Name extends string> {
  readonly at: number
  readonly fields: readonly string[]
  readonly #places: Places<Name>
  readonly #mark: Mark
  constructor({ at, fields }: ReportRow, places: Places<Name>, mark: Mark) {
    this.at = at
    this.fields = fields
    this.#places = places
    this.#mark = mark
  }

  /** Empty if the column is empty, or not there. */
  text(name: Name): string {
    return this.fields[this.#places[name]] ?? ''
  }
  /** Null if it is empty. The first of several columns that is not. */
  id(...names: Name[]): string | null {
    for (const name of names) {
      const text = this.text(name)
      if (text !== '') return text.length > SHOWN ? text.slice(0, SHOWN) : text
    }
    return null
  }
  currency(name: Name): Currency {
    const code = this.text(name).toUpperCase()
    if (!isCurrency(code)) throw new Problem(`${shown(code)} is not a currency`)
    return code
  }
  /** Null if it is empty. */
  amount(name: Name, currency: Currency): number | null {
    const text = this.text(name)
    if (text === '') return null
    const amount = readExact(text, currency, this.#mark)
    if (amount === null) throw new Problem(`${shown(text)} is not an amount in ${currency}`)
    return amount
  }
  /** With what is less than the lowest denomination. Zero if it is empty. */
  fine(name: Name, currency: Currency): { amount: number; rest: number } {
    const text = this.text(name)
    if (text === '') return { amount: 0, rest: 0 }
    const amount = readReportAmount(text, currency, this.#mark)
    if (amount === null) throw new Problem(`${shown(text)} is not an amount in ${currency}`)
    return amount
  }
}

/** A text from a file for a message: short, in quotes, and never a card number. */
export const shown = (text: string): string => (text === '' ? 'an empty value' : `“${withoutCardNumbers(text.slice(0, 40))}”`)

/** Members that most lines have in common. */
export const blank = (at: number, type: SettlementType, currency: Currency): SettlementLine => ({
  at,
  type,
  request_id: null,
  reference: null,
  object_reference: null,
  payment_reference: null,
  batch: null,
  currency,
  gross: 0,
  fee: 0,
  net: 0,
  original: null,
  booked_at: null,
  paid_at: null,
  description: null,
})

/** A line of a type without a gross: its whole amount is a fee. */
export const asFee = (line: SettlementLine): SettlementLine =>
  line.net === line.gross - line.fee ? { ...line, gross: 0, fee: 0 - line.net } : line

/** A kind of report whose first row has its titles, and each other row is one line. */
export type Tabular<Name extends string> = {
  titles: Titles<Name>
  needed: readonly NoInfer<Name>[]
  /** Columns by which the decimal mark is found. */
  amounts: readonly NoInfer<Name>[]
  /** Null: a row without a movement. Throws `Problem`. */
  line(row: TitledRow<Name>): SettlementLine | null
  /** Says after the last row what the report lacks, or what does not add up. */
  end?(): Iterable<Read>
}

/** Reads a report of a kind. What it says of a row is a line, or why there is none. */
export async function* readTable<Name extends string>(
  rows: AsyncIterable<ReportRow>,
  table: Tabular<Name>,
): AsyncGenerator<Read, undefined> {
  const { first, all } = await sampled(rows)
  const header = first[0]
  if (header === undefined) return undefined
  const places = placesOf(header.fields, table.titles)
  const missing = table.needed.filter(name => places[name] < 0).map(name => table.titles[name][0]!)
  if (missing.length > 0) {
    yield unread(header.at, `the report has no column ${missing.join(', ')}`, header.fields)
    return undefined
  }
  const mark = markOf(
    first.slice(1),
    table.amounts.map(name => places[name]),
  )
  let titles = true
  for await (const row of all) {
    if (titles) {
      titles = false
      continue
    }
    const line = attempt(row, () => table.line(new TitledRow(row, places, mark)))
    if (line !== null) yield line
  }
  if (table.end) for (const line of table.end()) yield line
  return undefined
}

/** Reads one row; what is wrong with it becomes an unread line. */
export function attempt(row: ReportRow, read: () => SettlementLine | null): Read | null {
  try {
    const line = read()
    if (line === null || line.net === line.gross - line.fee) return line
    return unread(row.at, `net ${line.net} is not gross ${line.gross} less fee ${line.fee}`, row.fields)
  } catch (error) {
    if (error instanceof Problem) return unread(row.at, error.message, row.fields)
    throw error
  }
}

/** A withheld amount is one type, its release another: the sign decides. */
export const reserved = (amount: number): SettlementType => (amount > 0 ? 'reserve_release' : 'reserve')

/** Of a report whose rows are no lines: each row says why. */
export async function* told(rows: AsyncIterable<ReportRow>, why: (fields: readonly string[], header: readonly string[]) => string) {
  let header: ReportRow | null = null
  for await (const row of rows) {
    if (header === null) header = row
    else yield unread(row.at, why(row.fields, header.fields), row.fields)
  }
}

/** A text to keep: one of a file keeps the piece of the file of which it is. */
export const copied = (text: string): string => Buffer.from(text).toString()

/** Adds up lines by batch and currency, for totals that must agree. */
export class Sums {
  readonly #sums = new Map<string, number>()
  add(key: string, amount: number): void {
    const sum = this.#sums.get(key)
    this.#sums.set(sum === undefined ? copied(key) : key, (sum ?? 0) + amount)
  }
  get(key: string): number {
    return this.#sums.get(key) ?? 0
  }
  has(key: string): boolean {
    return this.#sums.has(key)
  }
  entries(): IterableIterator<[string, number]> {
    return this.#sums.entries()
  }
}
