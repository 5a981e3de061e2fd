import fc from '../fast-check.ts'

/** The forms in which a table is saved: by the vendor, by a spreadsheet, by an editor. */
export type Form = { separator: string; end: string; encoding: 'utf8' | 'mark' | 'utf16le' | 'utf16be' | 'latin1'; quotes: boolean }

export const forms = fc.record<Form>({
  separator: fc.constantFrom(',', ';', '\t', '|'),
  end: fc.constantFrom('\n', '\r\n', '\r'),
  encoding: fc.constantFrom('utf8', 'mark', 'utf16le', 'utf16be', 'latin1'),
  quotes: fc.boolean(),
})

/** Gives the bytes of rows in a form. */
export function written(rows: readonly (readonly string[])[], { separator, end, encoding, quotes }: Form): Buffer {
  const field = (text: string) => (quotes || /[",;|\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const text = rows.map(row => row.map(field).join(separator) + end).join('')
  if (encoding === 'utf8') return Buffer.from(text)
  if (encoding === 'mark') return Buffer.from(`\ufeff${text}`)
  if (encoding === 'latin1') return Buffer.from(text, 'latin1')
  const wide = Buffer.from(`\ufeff${text}`, 'utf16le')
  return encoding === 'utf16le' ? wide : wide.swap16()
}
