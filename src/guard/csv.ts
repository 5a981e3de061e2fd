import { holdsCardNumber } from '../base/card-number.ts'
import { type CsvRow, faultsOfLines, NotCsv, readRows } from '../base/read-csv.ts'
import { refuse } from '../base/refusal.ts'
import { type BlocklistKey, isEntryType, named, whyMalformed } from './blocklist.ts'

export type BlocklistLine = BlocklistKey & { metadata: Record<string, string> | null }

export const MOST_MALFORMED_LINES = 100_000
const COLUMNS = ['type', 'data', 'metadata']
const HEADER = 'must begin with the header type,data or type,data,metadata'

/**
 * CSV (RFC 4180) with the header `type,data`, or also `metadata` (`key=value;…`): as a whole or not at all. Names the
 * lines that cannot be read.
 */
export async function readCsv(text: string): Promise<BlocklistLine[]> {
  let columns = 0
  const faults: string[] = []
  const read: BlocklistLine[] = []
  let lines = 0
  try {
    for await (const row of readRows(text)) {
      if (columns === 0) {
        columns = row.fields.length
        const isHeader = columns >= 2 && row.fields.every((name, i) => name.toLowerCase() === COLUMNS[i])
        if (!isHeader) wrong(HEADER)
        continue
      }
      if (++lines > MOST_MALFORMED_LINES) wrong(`may have at most ${MOST_MALFORMED_LINES} lines`)
      const one = readLine(row, columns)
      if (typeof one === 'string') faults.push(`line ${row.at}: ${one}`)
      else read.push(one)
    }
  } catch (error) {
    if (error instanceof NotCsv) wrong(error.message)
    throw error
  }
  if (columns === 0) wrong(HEADER)
  if (lines === 0) wrong('has no lines except its header')
  if (faults.length > 0) wrong(faultsOfLines(faults))
  return read
}

function wrong(message: string): never {
  refuse('unreadable', { field: 'file', problem: message })
}

/** A text is the words of an error. */
function readLine({ fields }: CsvRow, columns: number): BlocklistLine | string {
  if (holdsCardNumber(fields.join(','))) return 'contains what looks like a card number'
  if (fields.length > columns || fields.length < 2) return `must have ${columns} comma-separated fields`
  const [type = '', data = '', metadata = ''] = fields
  const known = type.toLowerCase()
  if (!isEntryType(known)) return 'type must be card_bin, extended_card_bin or fingerprint'
  const expected = whyMalformed(known, data)
  if (expected !== null) return `data must be ${expected}`
  const pairs = metadata === '' ? null : readPairs(metadata)
  if (pairs === undefined) return 'metadata must be key=value pairs separated by ;'
  return { ...named(known, data), metadata: pairs }
}

/** In characters. */
const LONGEST_KEY = 40
const LONGEST_VALUE = 500

function readPairs(text: string): Record<string, string> | undefined {
  const pairs = text.split(';').map(pair => {
    const at = pair.indexOf('=')
    return { key: pair.slice(0, Math.max(at, 0)).trim(), value: pair.slice(at + 1).trim() }
  })
  const isPair = ({ key, value }: { key: string; value: string }) =>
    key !== '' && key.length <= LONGEST_KEY && value.length <= LONGEST_VALUE && !/[\r\n]/.test(value)
  return pairs.every(isPair) ? Object.fromEntries(pairs.map(({ key, value }) => [key, value])) : undefined
}
