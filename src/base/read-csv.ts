import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CsvError, parse } from 'csv-parse'
import { parse as parseSync } from 'csv-parse/sync'

/** A row of a CSV file: its fields, and the number of the line on which it ends (from 1). */
export type CsvRow = { fields: string[]; at: number }

/** The file is not CSV. `at`: the number of the line that cannot be read. */
export class NotCsv extends Error {
  readonly at: number
  constructor(at: number) {
    super(`line ${at}: is not valid CSV`)
    this.at = at
  }
}

/** The bytes that are read in one turn of the event loop: some milliseconds, in which no other request is answered. */
const SLICE = 16_384
/** The longest row, in bytes: a quote that never ends does not collect the rest of a file. */
const LONGEST_ROW = 262_144

/** The lines whose faults are listed. */
const MOST_FAULTS = 5

/** Returns the faults of a file's lines as one text: the first ones, and how many more there are. */
export const faultsOfLines = (faults: readonly string[]): string =>
  [...faults.slice(0, MOST_FAULTS), ...(faults.length > MOST_FAULTS ? [`and ${faults.length - MOST_FAULTS} more`] : [])].join('; ')

const form = {
  bom: true,
  info: true,
  trim: true,
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
  skip_empty_lines: true,
  max_record_size: LONGEST_ROW,
}

async function* slicesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE) {
    await nextTurn()
    yield bytes.subarray(at, at + SLICE)
  }
}

/** Reads CSV (RFC 4180) without empty lines and unquoted blanks. Throws `NotCsv`. Lets other requests run. */
export async function* readRows(text: string): AsyncGenerator<CsvRow, undefined> {
  const parser = parse(form)
  const slices = Readable.from(slicesOf(Buffer.from(text)))
  try {
    const rows = slices.pipe(parser) as AsyncIterable<{ record: string[]; info: { lines: number } }>
    for await (const { record, info } of rows) yield { fields: record, at: info.lines }
  } catch (error) {
    throw error instanceof CsvError ? new NotCsv((error as { lines?: number }).lines ?? 1) : error
  } finally {
    slices.destroy()
    parser.destroy()
  }
  return undefined
}

/** One bad line does not cost the others: no row has a line break; a line that is not CSV has null as fields. */
export function readLines(text: string): { fields: string[] | null; at: number }[] {
  const lines = text.split(/\r\n|\n|\r/).map((line, i) => ({ line, at: i + 1 }))
  return lines.flatMap<{ fields: string[] | null; at: number }>(({ line, at }) => {
    try {
      return (parseSync(line, form) as unknown as { record: string[] }[]).map(({ record }) => ({ fields: record, at }))
    } catch (error) {
      if (error instanceof CsvError) return { fields: null, at }
      throw error
    }
  })
}
