/** A spreadsheet runs such text (`=HYPERLINK(…)` can send data away): a leading apostrophe marks it plain. */
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
