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
