import { decodeText, type Encoding } from '../../base/decode-text.ts'
import { CsvSplitter, type Separator, type SplitRow, separatorOf } from '../../base/split-csv.ts'
import { JsonSplitter } from '../../base/split-json.ts'
import type { ReportRow, UnreadLine } from '../line.ts'
import { unread } from './kit.ts'

export type FileForm = { encoding: Encoding; separator: Separator }

/** Rows that are not CSV and wait until the reader has something to say. More of them are counted only. */
const MOST_HELD = 1000

/** Excel writes the separator into a first line of its own. */
const DIRECTIVE = /^sep=([,;|\t])(?:\r\n|\r|\n)/i

/** A file of documents, as interfaces give them: each is a row of one field. */
const JSON_BEGINS = /^\s*[{[]/

/** A file of rows as it arrives. Rows that are no CSV are not among `rows`, but in `unread`, which its reader takes. */
export class RowFile {
  /** Of what has been read: a later piece can still show that the file is in Windows-1252. */
  form: FileForm = { encoding: 'utf-8', separator: ',' }
  #unread: UnreadLine[] = []
  #more = 0
  readonly #source: AsyncIterable<Uint8Array>
  readonly #separator: Separator | null

  constructor(source: AsyncIterable<Uint8Array>, separator: Separator | null = null) {
    this.#source = source
    this.#separator = separator
  }

  async *rows(): AsyncGenerator<ReportRow, undefined> {
    let splitter: CsvSplitter | JsonSplitter | null = null
    for await (const { text, encoding } of decodeText(this.#source)) {
      let piece = text
      if (splitter === null) {
        if (this.#separator === null && JSON_BEGINS.test(text)) {
          splitter = new JsonSplitter()
          for (const row of this.#sound(splitter.push(text))) yield row
          continue
        }
        const directive = DIRECTIVE.exec(text.slice(0, 8))
        if (directive) piece = text.slice(directive[0].length)
        const separator = this.#separator ?? (directive?.[1] as Separator | undefined) ?? separatorOf(piece)
        this.form = { encoding, separator }
        splitter = new CsvSplitter(separator, directive ? 2 : 1)
      } else this.form.encoding = encoding
      for (const row of this.#sound(splitter.push(piece))) yield row
    }
    if (splitter !== null) for (const row of this.#sound(splitter.push('', true))) yield row
    return undefined
  }

  #sound(rows: readonly SplitRow[]): ReportRow[] {
    const sound: ReportRow[] = []
    for (const { at, fields, problem } of rows) {
      const fault = problem ?? (fields.some(field => field.includes('\0')) ? 'has a NUL character' : null)
      if (fault === null) sound.push({ at, fields: fields.map(field => field.trim()) })
      else if (this.#unread.length < MOST_HELD) this.#unread.push(unread(at, fault, fields))
      else this.#more++
    }
    return sound
  }

  /** Takes the rows that could not be read since the last time. */
  takeUnread(): UnreadLine[] {
    if (this.#unread.length === 0) return this.#unread
    const taken = this.#unread
    if (this.#more > 0) taken.push(unread(taken.at(-1)!.at, `${this.#more} more lines that are not CSV follow`))
    this.#unread = []
    this.#more = 0
    return taken
  }
}
