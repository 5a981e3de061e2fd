import { createReadStream, type ReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { CsvError, parse } from 'csv-parse'
import { Mistake } from '../settings.ts'
import type { Line } from './line.ts'
import type { Kind, Shape } from './shapes.ts'

/** The longest line, in bytes. */
const LONGEST = 1_000_000
/** The largest JSON file, in bytes. JSON is read as a whole. */
const LARGEST_JSON = 256_000_000

/** A file that is being read: its lines, the columns that are not imported, and the number of bytes read. */
export type Reading = { lines: AsyncIterable<Line>; unused: string[]; bytes(): number }

/**
 * Checks the columns of a file. Refuses unknown columns in our own format, repeated columns, and files without a
 * required column. Returns the columns that are not imported.
 */
function checkColumns(shape: Shape, kind: Kind, names: readonly string[]): string[] {
  const known = (name: string) => Object.hasOwn(shape.columns, name) || shape.metadata?.column.test(name) === true
  const others = names.filter(name => !known(name))
  if (others.length > 0 && shape.unused !== 'any other')
    throw new Mistake(`there is no column ${others.join(', ')}; there is ${Object.keys(shape.columns).join(', ')}, metadata.…`)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Mistake(`the column ${twice} is there twice`)
  const lacking = (way: 'of a card' | 'of a token') =>
    Object.entries(shape.columns).filter(
      ([name, { needed, to }]) =>
        (needed === true || needed === way) && !names.includes(name) && (kind === 'cards' || to.some(path => path.startsWith('customer.'))),
    )
  // A file may contain network tokens only.
  const missing = kind === 'cards' && lacking('of a token').length === 0 ? [] : lacking('of a card')
  if (missing.length > 0) throw new Mistake(`the file has no column ${missing.map(([name]) => name).join(', ')}`)
  return others
}

/** Returns the column name of a heading, in lower case. Keys of metadata keep their case. */
const nameOf = (shape: Shape, heading: string): string =>
  shape.metadata?.column.test(heading) && !Object.hasOwn(shape.columns, heading.toLowerCase()) ? heading : heading.toLowerCase()

async function* csvLines(file: ReadStream, shape: Shape, kind: Kind, unused: string[]): AsyncGenerator<Line> {
  const parser = parse({ bom: true, info: true, relax_column_count: true, skip_empty_lines: true, max_record_size: LONGEST })
  file.on('error', error => parser.destroy(error))
  let head: string[] | null = null
  try {
    for await (const { record, info } of file.pipe(parser) as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (head === null) {
        head = record.map(name => nameOf(shape, name.trim()))
        unused.push(...checkColumns(shape, kind, head))
        continue
      }
      const cells = Object.fromEntries(head.map((name, at) => [name, record[at] ?? '']))
      const problem = record.length === head.length ? undefined : `the line has ${record.length} columns, and the header ${head.length}`
      yield { line: info.lines, cells, ...(problem !== undefined && { problem }) }
    }
  } catch (error) {
    // The parser's own error text repeats the content of the line.
    if (error instanceof CsvError)
      throw new Mistake(`line ${(error as { lines?: number }).lines ?? '?'} of the file is no CSV (${error.code})`)
    throw error
  } finally {
    file.destroy()
  }
  if (head === null) throw new Mistake('the file is empty')
}

/** Lists the members of nested objects by their names with dots, as columns are named. */
function flat(value: unknown, before = ''): [string, string][] {
  if (value === null || value === undefined) return []
  if (typeof value !== 'object') return [[before, String(value)]]
  if (Array.isArray(value)) return [[before, JSON.stringify(value)]]
  return Object.entries(value).flatMap(([name, member]) => flat(member, before === '' ? name : `${before}.${name}`))
}

/** Returns the objects of a JSON document: an array, a list of an API (`data`), or one object per line. */
function objectsIn(text: string): unknown[] {
  const read = (part: string, at: number): unknown => {
    try {
      return JSON.parse(part)
    } catch {
      throw new Mistake(`object ${at} of the file is no JSON`)
    }
  }
  try {
    const whole = JSON.parse(text) as unknown
    if (Array.isArray(whole)) return whole
    const { data } = whole as { data?: unknown }
    return Array.isArray(data) ? data : [whole]
  } catch {
    const parts = text.split('\n').filter(part => part.trim() !== '')
    return parts.map((part, at) => read(part, at + 1))
  }
}

async function* jsonLines(path: string, size: number): AsyncGenerator<Line> {
  if (size > LARGEST_JSON) throw new Mistake('the file is too large for JSON: bring it as CSV, or in parts')
  let line = 0
  for (const object of objectsIn(await readFile(path, 'utf8'))) {
    line++
    const isObject = typeof object === 'object' && object !== null && !Array.isArray(object)
    yield { line, cells: Object.fromEntries(flat(object)), ...(!isObject && { problem: 'it is no object' }) }
  }
}

/** Reads a file line by line. `isJson`: the file is a list from the vendor's API. */
export function openReading(path: string, size: number, { shape, kind, isJson }: { shape: Shape; kind: Kind; isJson: boolean }): Reading {
  const unused: string[] = []
  if (isJson) return { lines: jsonLines(path, size), unused, bytes: () => size }
  const file = createReadStream(path)
  return { lines: csvLines(file, shape, kind, unused), unused, bytes: () => file.bytesRead }
}
