import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { readRows } from './read-csv.ts'

async function fieldsOf(text: string): Promise<string[][]> {
  const all: string[][] = []
  for await (const { fields } of readRows(text)) all.push(fields)
  return all
}

// biome-ignore format: a table reads better in columns
const files: [file: string, fields: string[][]][] = [
  ['a,b\r\nc,d\r\n',                       [['a', 'b'], ['c', 'd']]],
  ['a,b\nc,d',                             [['a', 'b'], ['c', 'd']]],
  ['a,b\rc,d',                             [['a', 'b'], ['c', 'd']]],
  ['\ufeffa,b\n\n   \nc,d\n',              [['a', 'b'], ['c', 'd']]],
  ['bank\n"Bank of\nNowhere"\n',           [['bank'], ['Bank of\nNowhere']]],
  ['a\n"Bank of\r\nNowhere",b',            [['a'], ['Bank of\r\nNowhere', 'b']]],
  ['"  two  blanks  ", plain ,"a,b"',      [['  two  blanks  ', 'plain', 'a,b']]],
  ['"say ""ah""",""',                      [['say "ah"', '']]],
  ['Zürich,東京,🏦',                        [['Zürich', '東京', '🏦']]],
]

test('a file is read as RFC 4180 says, with line breaks and blanks in quotes', async () => {
  for (const [file, fields] of files) deepEqual(await fieldsOf(file), fields, file)
  await rejects(fieldsOf('a,b\n"c,d'), /line 2: is not valid CSV/)
  await rejects(fieldsOf('a,b\nc,"d"e'), /line 2: is not valid CSV/)
})

test('a character across two slices of a long file is read whole', async () => {
  const line = `${'€'.repeat(101)},東京\n`
  const read = await fieldsOf(line.repeat(1000))
  equal(read.length, 1000)
  ok(read.every(([first, second]) => first === '€'.repeat(101) && second === '東京'))
})

test('others have their turn while a long file is read', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  await fieldsOf('card_bin,400000,reason=fraud\n'.repeat(50_000))
  clearInterval(timer)
  ok(turns > 20, `${turns} turns`)
})
