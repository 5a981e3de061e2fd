import type { SplitRow } from './split-csv.ts'

/** The longest document, in characters: what is not closed does not collect the rest of a file. */
const LONGEST = 16_777_216
const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE, LF] = [34, 92, 91, 93, 123, 125, 10]

/**
 * Splits JSON documents that follow each other in a file, with or without line ends between them. A document is a row
 * of one field, its text; whether it can be parsed is not looked at.
 */
export class JsonSplitter {
  #rest = ''
  #seen = 0
  #depth = 0
  #isText = false
  #isEscaped = false
  #line = 1
  #at = 1

  /** Returns the documents that end in `piece`. `last`: nothing follows. */
  push(piece: string, last = false): SplitRow[] {
    const text = this.#rest + piece
    const rows: SplitRow[] = []
    let from = 0
    for (let i = this.#seen; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code === LF) this.#line++
      if (this.#isText) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (code === BACKSLASH) this.#isEscaped = true
        else if (code === QUOTE) this.#isText = false
      } else if (code === QUOTE) this.#isText = true
      else if (code === OPEN || code === OPEN_LIST) {
        if (this.#depth++ === 0) this.#at = this.#line
      } else if ((code === CLOSE || code === CLOSE_LIST) && --this.#depth <= 0) {
        rows.push(this.#row(text.slice(from, i + 1)))
        from = i + 1
      }
    }
    this.#rest = text.slice(from)
    if (this.#rest.length > LONGEST || last) {
      if (this.#rest.trim() !== '') rows.push(this.#row(this.#rest, last ? 'is not complete' : 'is too long'))
      this.#rest = ''
    }
    this.#seen = this.#rest.length
    return rows
  }

  #row(text: string, problem: string | null = null): SplitRow {
    const row = { fields: [text.trim()], at: this.#at, problem: this.#depth < 0 ? 'is not JSON' : problem }
    this.#depth = 0
    this.#isText = false
    this.#isEscaped = false
    return row
  }
}
