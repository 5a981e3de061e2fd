const FIELD = /\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*(,|$)/y

/**
 * Splits a line of CSV (RFC 4180) into its fields. Returns null if the line is invalid. Fields have no line breaks.
 */
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

/** Returns the lines of a text that are not empty, with their line numbers (from 1). */
export const linesOf = (text: string): { line: string; at: number }[] =>
  text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .map((line, i) => ({ line, at: i + 1 }))
    .filter(({ line }) => line.trim() !== '')

/**
 * Text that a spreadsheet would execute as a formula: `=HYPERLINK(…)` in an order number can send data to a foreign
 * server when the file is opened. A leading apostrophe marks such text as plain.
 */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Writes values as one line of CSV, including its line break. */
export const csvLine = (values: readonly unknown[]): string => `${values.map(cell).join(',')}\r\n`
