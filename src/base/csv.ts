const FIELD = /\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*(,|$)/y

/** The fields of a line of CSV (RFC 4180); null if it is none. No field of ours has a line's end in it. */
export function fieldsOf(line: string): string[] | null {
  const fields: string[] = []
  FIELD.lastIndex = 0
  for (;;) {
    const found = FIELD.exec(line)
    if (!found) return null
    const [, quoted, plain, end] = found
    fields.push((quoted?.replaceAll('""', '"') ?? plain ?? '').trim())
    if (end === '') return fields
  }
}

/** The lines that are not empty, by their numbers. */
export const linesOf = (text: string): { line: string; at: number }[] =>
  text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .map((line, i) => ({ line, at: i + 1 }))
    .filter(({ line }) => line.trim() !== '')

/**
 * What a spreadsheet would take for a formula (`=HYPERLINK(…)` in an order's number calls home when the file is
 * opened). An apostrophe marks it as text.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** A line of a file that is written, with its end. */
export const csvLine = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`
