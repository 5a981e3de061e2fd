import { csvLine } from '../../../src/base/csv.ts'

/** Saves lines as a file, in which nothing is a formula of a spreadsheet. */
export function saveCsv(name: string, lines: readonly (readonly unknown[])[]): void {
  const url = URL.createObjectURL(new Blob(lines.map(csvLine), { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}.csv`
  link.click()
  URL.revokeObjectURL(url)
}
