import { csvLine } from '../../../../src/base/csv.ts'

/** Saves lines as a CSV file. Cells that a spreadsheet would take for formulas are escaped. */
export function saveCsv(name: string, lines: readonly (readonly unknown[])[]): void {
  const url = URL.createObjectURL(new Blob(lines.map(csvLine), { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}.csv`
  link.click()
  URL.revokeObjectURL(url)
}
