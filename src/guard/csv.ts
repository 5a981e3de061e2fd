import { holdsCardNumber } from '../base/card-number.ts'
import { fieldsOf, linesOf } from '../base/csv.ts'
import { refuse } from '../base/refusal.ts'
import { type BlocklistKey, isEntryType, named, whyMalformed } from './blocklist.ts'

/** One line of a file for the blocklist. */
export type BlocklistLine = BlocklistKey & { metadata: Record<string, string> | null }

export const MOST_MALFORMED_LINES = 100_000
const COLUMNS = ['type', 'data', 'metadata']
/** The maximum number of unreadable lines whose errors are listed. */
const MOST_ERRORS = 5

/**
 * Reads a file for the blocklist: CSV (RFC 4180) with the header `type,data`, and `metadata` if present (`key=value`
 * pairs, separated by `;`). Accepts the whole file or nothing: refuses (IR_06) with the numbers of the lines that
 * cannot be read.
 */
export function readCsv(text: string): BlocklistLine[] {
  const lines = linesOf(text)
  const header = fieldsOf(lines[0]?.line ?? '')?.map(name => name.toLowerCase()) ?? []
  const right = header.length >= 2 && header.every((name, i) => name === COLUMNS[i])
  if (!right) wrong('must begin with the header type,data or type,data,metadata')
  const rows = lines.slice(1)
  if (rows.length === 0) wrong('has no lines except its header')
  if (rows.length > MOST_MALFORMED_LINES) wrong(`may have at most ${MOST_MALFORMED_LINES} lines, but has ${rows.length}`)
  const faults: string[] = []
  const read = rows.map(({ line, at }) => {
    const one = readLine(line, header.length)
    if (typeof one === 'string') faults.push(`line ${at}: ${one}`)
    return one as BlocklistLine
  })
  if (faults.length > MOST_ERRORS) faults.splice(MOST_ERRORS, faults.length, `and ${faults.length - MOST_ERRORS} more`)
  if (faults.length > 0) wrong(faults.join('; '))
  return read
}

function wrong(message: string): never {
  refuse('unreadable', { field: 'file', problem: message })
}

/** Returns a line of the file, or the words for its error. */
function readLine(line: string, columns: number): BlocklistLine | string {
  const fields = fieldsOf(line)
  if (holdsCardNumber(line)) return 'contains what looks like a card number'
  if (!fields || fields.length > columns || fields.length < 2) return `must have ${columns} comma-separated fields`
  const [type = '', data = '', metadata = ''] = fields
  const known = type.toLowerCase()
  if (!isEntryType(known)) return 'type must be card_bin, extended_card_bin or fingerprint'
  const expected = whyMalformed(known, data)
  if (expected !== null) return `data must be ${expected}`
  const pairs = metadata === '' ? null : readPairs(metadata)
  if (pairs === undefined) return 'metadata must be key=value pairs separated by ;'
  return { ...named(known, data), metadata: pairs }
}

function readPairs(text: string): Record<string, string> | undefined {
  const pairs = text.split(';').map(pair => pair.match(/^\s*([^=\s][^=]{0,39}?)\s*=\s*(.{0,500}?)\s*$/))
  return pairs.every(pair => pair !== null) ? Object.fromEntries(pairs.map(([, key, value]) => [key, value])) : undefined
}
