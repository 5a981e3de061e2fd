import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.ts'
import { decodeText } from './decode-text.ts'
import { CsvSplitter, type Separator, type SplitRow, separatorOf } from './split-csv.ts'

function split(text: string, separator: Separator = ',', piece = text.length || 1): SplitRow[] {
  const splitter = new CsvSplitter(separator)
  const rows: SplitRow[] = []
  for (let at = 0; at < text.length; at += piece) rows.push(...splitter.push(text.slice(at, at + piece)))
  return [...rows, ...splitter.push('', true)]
}
const fieldsOf = (text: string, separator?: Separator) => split(text, separator).map(row => row.fields)

// biome-ignore format: a table reads better in columns
const files: [file: string, fields: string[][]][] = [
  ['a,b\r\nc,d\r\n',                       [['a', 'b'], ['c', 'd']]],
  ['a,b\nc,d',                             [['a', 'b'], ['c', 'd']]],
  ['a,b\rc,d',                             [['a', 'b'], ['c', 'd']]],
  ['a,b\rc,d\ne,f\r\ng,h',                 [['a', 'b'], ['c', 'd'], ['e', 'f'], ['g', 'h']]],
  ['a,b\n\n   \nc,d\n',                    [['a', 'b'], ['c', 'd']]],
  ['bank\n"Bank of\nNowhere"\n',           [['bank'], ['Bank of\nNowhere']]],
  ['a\n"Bank of\r\nNowhere",b',            [['a'], ['Bank of\r\nNowhere', 'b']]],
  ['"  two  blanks  ", "plain" ,"a,b"',    [['  two  blanks  ', 'plain', 'a,b']]],
  ['"say ""ah""",""',                      [['say "ah"', '']]],
  ['say "ah",5" disk\n',                   [['say "ah"', '5" disk']]],
  ['a,b,\n,,\n"",\n',                      [['a', 'b', ''], ['', '', ''], ['', '']]],
  ['a,"b"\r"c",d\r',                       [['a', 'b'], ['c', 'd']]],
]

test('CSV is split as RFC 4180 says, with line ends of all kinds, and the same in pieces of any length', () => {
  for (const [file, fields] of files) {
    deepEqual(fieldsOf(file), fields, JSON.stringify(file))
    for (const piece of [1, 2, 3]) deepEqual(split(file, ',', piece), split(file), `${JSON.stringify(file)} in pieces of ${piece}`)
  }
})

test('a row knows the line on which it begins', () => {
  deepEqual(split('a\n"b\nc"\r\nd\r\re\n').map(({ fields, at }) => [fields[0], at]), [['a', 1], ['b\nc', 2], ['d', 4], ['e', 6]]) // biome-ignore format: a table
})

test('a quote that is never closed costs one line, and what follows it is read', () => {
  deepEqual(
    split('a,b\nc,"d\ne,f\n"g",h\ni,"j"k\nl,m\nn,"o').map(({ fields, at, problem }) => [at, fields.at(-1), problem]),
    [
      [1, 'b', null],
      [2, '"d', 'a quote is never closed'],
      [3, 'f', null],
      [4, 'h', null],
      [5, 'j', 'has text after a quote that was closed'],
      [6, 'm', null],
      [7, '"o', 'a quote is never closed'],
    ],
  )
})

test('a row of many megabytes is one problem, and the next row is read', () => {
  for (const long of ['x'.repeat(3_000_000), `"${'x'.repeat(3_000_000)}`]) {
    const rows = split(`a\n${long}\nb\n`, ',', 65_536)
    deepEqual(rows.map(({ fields, at }) => [at, fields[0]!.slice(0, 1)]), [[1, 'a'], [2, long[0]!], [3, 'b']]) // biome-ignore format: a table
    ok(rows[1]!.problem !== null)
  }
})

test('the separator is found by the first row that it splits', () => {
  for (const separator of [',', ';', '\t', '|'] as const) {
    equal(separatorOf(['a', 'b', 'c'].join(separator)), separator)
    equal(separatorOf(`Statement of May\n${['a', '1,5 | x', 'c'].map(x => `"${x}"`).join(separator)}\n`), separator)
  }
  equal(separatorOf('a;b;c\n1,5;2,5;3,5\n'), ';')
  equal(separatorOf('one column\n1\n'), ',')
})

const quoted = (field: string, separator: string) =>
  field.includes(separator) || /["\r\n]|^\s|\s$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field

test('whatever is written as CSV is read back, with any separator, line end and length of pieces', () => {
  const field = fc.string({ unit: fc.constantFrom('a', '1', ',', ';', '|', '\t', '"', '\n', '\r', ' ', 'é', '.'), maxLength: 6 })
  const table = fc.array(fc.array(field, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(
      table,
      fc.constantFrom<Separator>(',', ';', '\t', '|'),
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.nat(9),
      (rows, separator, end, piece) => {
        const text = rows.map(row => row.map(one => quoted(one, separator)).join(separator) + end).join('')
        const kept = rows.filter(
          row =>
            row
              .map(one => quoted(one, separator))
              .join(separator)
              .trim() !== '',
        )
        deepEqual(
          split(text, separator, piece + 1).map(({ fields, problem }) => ({ fields, problem })),
          kept.map(fields => ({ fields, problem: null })),
        )
      },
    ),
    { numRuns: 500 },
  )
})

async function decoded(bytes: Buffer, piece: number): Promise<{ text: string; encoding: string | undefined }> {
  async function* source() {
    for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
  }
  let [text, encoding]: [string, string | undefined] = ['', undefined]
  for await (const one of decodeText(source())) {
    text += one.text
    encoding = one.encoding
  }
  return { text, encoding }
}

test('the encoding is found, in a short file and in one whose first umlaut is far from its beginning', async () => {
  for (const filler of [0, 65_534, 65_535, 65_536, 200_000]) {
    const text = `${'a'.repeat(filler)}Zürich 12,50 € 東京🏦${'b'.repeat(70_000)}`
    const western = text.replace(/[東京🏦]/gu, '')
    const windows = Buffer.from(western.replaceAll('€', '\x80'), 'latin1')
    for (const piece of [1000, 65_537, 1_000_000]) {
      const is = async (bytes: Buffer, expected: string, encoding: string) => {
        const read = await decoded(bytes, piece)
        ok(read.text === expected && read.encoding === encoding, `${encoding} after ${filler} characters in pieces of ${piece}`)
      }
      await is(Buffer.from(text), text, 'utf-8')
      await is(Buffer.from(`\ufeff${text}`), text, 'utf-8')
      await is(Buffer.from(`\ufeff${text}`, 'utf16le'), text, 'utf-16le')
      await is(Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), text, 'utf-16be')
      await is(windows, western, 'windows-1252')
    }
  }
  deepEqual(await decoded(Buffer.alloc(0), 1), { text: '', encoding: undefined })
})
