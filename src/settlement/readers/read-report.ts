import type { Separator } from '../../base/split-csv.ts'
import type { ReportRow, SettlementLine, SettlementReader, UnreadLine } from '../line.ts'
import { reportReaderOf } from './all.ts'
import { columnsFound, foundIn, type GeneralColumn, type GeneralForm, generalReader, missingColumns, titlesOf } from './general.ts'
import { placesOf, type Read, unread } from './kit.ts'
import { type FileForm, RowFile } from './open.ts'

/** `form`: the report is read by its columns, and not as a vendor's. `connector`: of the account, a hint. */
export type ReadOptions = { connector?: string | null; form?: GeneralForm; separator?: Separator }

export type OpenReport = {
  /** Null: the file is empty. */
  reader: SettlementReader | null
  file: FileForm
  lines: AsyncIterable<Read>
}

/** Titles of our own by which a report is read without a form: a guess would post what is no settlement. */
const own = ['request_id', 'reference', 'batch', 'type', 'currency', 'gross', 'fee', 'net', 'booked_at', 'paid_at'] as const

function ownForm(header: readonly string[]): GeneralForm {
  const named = own.filter(name => header.includes(name) || name === 'currency' || name === 'gross')
  return { columns: Object.fromEntries(named.map(name => [name, name])) }
}

const chosen = (header: readonly string[], { connector, form }: ReadOptions): SettlementReader =>
  form ? generalReader(form) : (reportReaderOf(header, connector ?? null) ?? generalReader(ownForm(header)))

/**
 * Opens a report as it arrives: finds its encoding, separator and reader. Each row is a line, an unread line, or moves
 * nothing. It holds no more of the file than its reader needs, and throws only what the source throws.
 */
export async function openReport(source: AsyncIterable<Uint8Array>, options: ReadOptions = {}): Promise<OpenReport> {
  const file = new RowFile(source, options.separator)
  const rows = file.rows()
  const begin = await rows.next()
  if (begin.done) return { reader: null, file: file.form, lines: without(file) }
  const reader = chosen(begin.value.fields, options)
  let isFirst = true
  const all: AsyncIterator<ReportRow> = {
    next() {
      if (!isFirst) return rows.next()
      isFirst = false
      return Promise.resolve(begin)
    },
    return: () => rows.return(undefined),
  }
  async function* lines(): AsyncGenerator<Read> {
    for await (const line of reader.read({ [Symbol.asyncIterator]: () => all })) {
      for (const one of file.takeUnread()) yield one
      yield line
    }
    for (const one of file.takeUnread()) yield one
  }
  return { reader, file: file.form, lines: lines() }
}

async function* without(file: RowFile): AsyncGenerator<Read> {
  const left = file.takeUnread()
  if (left.length === 0) yield unread(1, 'the file is empty')
  yield* left
}

/** Lines and problems that a preview shows. */
const SHOWN = 20
/** Rows of which a preview says how many can be read. */
const LOOKED_AT = 1000

export type Preview = {
  reader: string | null
  title: string | null
  file: FileForm
  header: readonly string[]
  /** Of a report read by its columns: which title is read as what, and which columns are missing. */
  columns: Partial<Record<GeneralColumn, string>> | null
  missing: readonly string[]
  mark: string | null
  dates: string | null
  lines: SettlementLine[]
  problems: UnreadLine[]
  /** Of the first rows: how many are lines, and how many cannot be read. */
  counts: { lines: number; unread: number; isWhole: boolean }
}

/** Reads the beginning of a report, and says how it was understood. */
export async function previewReport(source: AsyncIterable<Uint8Array>, options: ReadOptions = {}): Promise<Preview> {
  const first: ReportRow[] = []
  let isWhole = true
  const file = new RowFile(source, options.separator)
  for await (const row of file.rows()) {
    if (first.push(row) <= LOOKED_AT) continue
    isWhole = false
    break
  }
  const header = first[0]?.fields ?? []
  // Here a guess is welcome: a person sees it, and confirms its columns.
  const fitting = first.length > 0 ? chosen(header, options) : null
  const reader = fitting && !fitting.matches(header) ? generalReader(options.form) : fitting
  const preview: Preview = {
    ...{ reader: reader?.name ?? null, title: reader?.title ?? null, file: file.form, header },
    ...described(first, reader, options.form ?? {}),
    ...{ lines: [], problems: file.takeUnread().slice(0, SHOWN), counts: { lines: 0, unread: 0, isWhole } },
  }
  async function* rows() {
    yield* first
  }
  for await (const line of reader?.read(rows()) ?? []) {
    if ('problem' in line) {
      // The totals of a report that was not read to its end cannot agree.
      if (preview.problems.length < SHOWN) preview.problems.push(line)
      preview.counts.unread++
    } else {
      if (preview.lines.length < SHOWN) preview.lines.push(line)
      preview.counts.lines++
    }
  }
  return preview
}

function described(
  first: readonly ReportRow[],
  reader: SettlementReader | null,
  form: GeneralForm,
): Pick<Preview, 'columns' | 'missing' | 'mark' | 'dates'> {
  if (reader?.name !== 'general') return { columns: null, missing: [], mark: null, dates: null }
  const header = first[0]!.fields
  const places = placesOf(header, titlesOf(form.columns))
  const { mark, dates } = foundIn(first.slice(1), places, form)
  return { columns: columnsFound(header, form), missing: missingColumns(places, form), mark, dates }
}
