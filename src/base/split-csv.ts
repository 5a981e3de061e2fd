/** A row of a CSV file. `at`: the line on which it begins, from 1. `problem`: why its fields are not certain. */
export type SplitRow = { fields: string[]; at: number; problem: string | null }

const separators = [',', ';', '\t', '|'] as const
export type Separator = (typeof separators)[number]

/** The longest row, in characters: a quote that never ends does not collect the rest of a file. */
const LONGEST_ROW = 262_144
const [QUOTE, CR, LF, BLANK] = [34, 13, 10, 32]

type Quoted = { fields: string[]; next: number; lines: number; problem: string | null }

/**
 * Splits CSV (RFC 4180) as it arrives. Rows end with LF, CR LF or CR, also mixed. Quotes within an unquoted field are
 * text. A row that is not CSV has a problem, and costs no other row: the next one begins with the next line. Empty
 * lines are no rows. Takes linear time, and holds no more than the longest row.
 */
export class CsvSplitter {
  readonly #separator: string
  readonly #code: number
  #rest = ''
  #at: number
  /** Within a row that is too long: it is left out up to its end. */
  #skips = false

  /** `at`: the number of the first line. */
  constructor(separator: Separator, at = 1) {
    this.#separator = separator
    this.#at = at
    this.#code = separator.charCodeAt(0)
  }

  /** Returns the rows that end in `piece`. `last`: nothing follows, so the file's last row ends too. */
  push(piece: string, last = false): SplitRow[] {
    const text = this.#rest + piece
    const rows: SplitRow[] = []
    let from = this.#skips ? this.#skip(text, last) : 0
    // The next ones at or after `from`: each is looked for once.
    let [quote, cr, lf] = [text.indexOf('"', from), text.indexOf('\r', from), text.indexOf('\n', from)]
    while (from < text.length) {
      if (cr !== -1 && cr < from) cr = text.indexOf('\r', from)
      if (lf !== -1 && lf < from) lf = text.indexOf('\n', from)
      if (quote !== -1 && quote < from) quote = text.indexOf('"', from)
      const { end, next } = lineEnd(text, cr, lf, last)
      if (quote !== -1 && (end === -1 || quote < end)) {
        const row = this.#quoted(text, from, last)
        if (row === null && !last && text.length - from <= LONGEST_ROW) break
        from = row === null ? this.#unclosed(text, from, last, rows) : this.#took(row, text, from, last, rows)
      } else if (end === -1) {
        if (text.length - from <= LONGEST_ROW) break
        from = this.#tooLong(text, from, rows)
      } else {
        const line = text.slice(from, end)
        if (line.trim() !== '') rows.push({ fields: line.split(this.#separator), at: this.#at, problem: null })
        this.#at++
        from = next
      }
    }
    this.#rest = text.slice(from)
    return rows
  }

  #took(row: Quoted, text: string, from: number, last: boolean, rows: SplitRow[]): number {
    // A quote that was closed by the quote of a later line was never closed.
    if (row.problem !== null && row.lines > 0) return this.#unclosed(text, from, last, rows)
    rows.push({ fields: row.fields, at: this.#at, problem: row.problem })
    this.#at += row.lines + 1
    return row.next
  }

  #unclosed(text: string, from: number, last: boolean, rows: SplitRow[]): number {
    const { end, next } = lineEnd(text, text.indexOf('\r', from), text.indexOf('\n', from), last)
    if (end === -1) return this.#tooLong(text, from, rows)
    rows.push({ fields: text.slice(from, end).split(this.#separator), at: this.#at, problem: 'a quote is never closed' })
    this.#at++
    return next
  }

  #tooLong(text: string, from: number, rows: SplitRow[]): number {
    const fields = text.slice(from, from + 1000).split(this.#separator)
    rows.push({ fields, at: this.#at, problem: `is longer than ${LONGEST_ROW} characters` })
    this.#skips = true
    return this.#skip(text.slice(from), false) + from
  }

  #skip(text: string, last: boolean): number {
    const { end, next } = lineEnd(text, text.indexOf('\r'), text.indexOf('\n'), last)
    if (end === -1) return text.length
    this.#skips = false
    this.#at++
    return next
  }

  /** Null: the row does not end in `text`. */
  #quoted(text: string, from: number, last: boolean): Quoted | null {
    const row: Quoted = { fields: [], next: from, lines: 0, problem: null }
    for (let p = from; ; p++) {
      let q = p
      while (text.charCodeAt(q) === BLANK) q++
      if (text.charCodeAt(q) === QUOTE) {
        const to = unquoted(text, q + 1, last, row)
        if (to === null) return null
        p = this.#afterQuote(text, to, row)
      } else {
        const to = this.#fieldEnd(text, p)
        row.fields.push(text.slice(p, to))
        p = to
      }
      const code = text.charCodeAt(p)
      if (code === this.#code) {
        if (p + 1 < text.length || !last) continue
        row.fields.push('')
        p++
      }
      if (p >= text.length || (code === CR && p + 1 >= text.length)) {
        row.next = text.length
        return last ? row : null
      }
      row.next = p + (code === CR && text.charCodeAt(p + 1) === LF ? 2 : 1)
      return row
    }
  }

  #afterQuote(text: string, to: number, row: Quoted): number {
    let p = to
    while (text.charCodeAt(p) === BLANK) p++
    const end = this.#fieldEnd(text, p)
    if (end > p) row.problem = 'has text after a quote that was closed'
    return end
  }

  #fieldEnd(text: string, from: number): number {
    let p = from
    for (; p < text.length; p++) {
      const code = text.charCodeAt(p)
      if (code === this.#code || code === LF || code === CR) break
    }
    return p
  }
}

/** `cr`, `lf`: the next ones, or -1. A CR at the end of what has arrived may belong to a CR LF. */
function lineEnd(text: string, cr: number, lf: number, last: boolean): { end: number; next: number } {
  if (cr !== -1 && (lf === -1 || cr < lf)) {
    if (cr === text.length - 1) return last ? { end: cr, next: cr + 1 } : { end: -1, next: -1 }
    return { end: cr, next: cr + 1 === lf ? cr + 2 : cr + 1 }
  }
  if (lf !== -1) return { end: lf, next: lf + 1 }
  return last ? { end: text.length, next: text.length } : { end: -1, next: -1 }
}

/** Reads a quoted field from after its quote into `row`, and returns where it ends. Null: it does not end in `text`. */
function unquoted(text: string, from: number, last: boolean, row: Quoted): number | null {
  let value = ''
  for (let start = from; ; ) {
    const close = text.indexOf('"', start)
    if (close === -1 || (close + 1 === text.length && !last)) return null
    if (text.charCodeAt(close + 1) === QUOTE) {
      value += text.slice(start, close + 1)
      start = close + 2
      continue
    }
    value += text.slice(start, close)
    row.lines += value.match(/\r\n|\n|\r/g)?.length ?? 0
    row.fields.push(value)
    return close + 1
  }
}

/** Rows of a sample that are looked at, if the first ones have one field. */
const SAMPLED = 20

/** Finds the separator by the first row that one of them splits, and more than the others do. */
export function separatorOf(sample: string): Separator {
  const split = separators.map(separator => new CsvSplitter(separator).push(sample, true))
  for (let i = 0; i < SAMPLED; i++) {
    const counts = split.map(rows => rows[i]?.fields.length ?? 0)
    const most = Math.max(...counts)
    if (most > 1) return separators[counts.indexOf(most)]!
  }
  return ','
}
