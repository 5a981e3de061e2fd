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
