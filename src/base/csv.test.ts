import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from './csv.ts'

// biome-ignore format: a table reads better in columns
const cells: [value: unknown, cell: string][] = [
  [null,                    ''],
  [undefined,               ''],
  ['',                      ''],
  [1250,                    '1250'],
  [-5,                      '-5'],
  [true,                    'true'],
  ['chairs',                'chairs'],
  ['a,b',                   '"a,b"'],
  ['say "ah"',              '"say ""ah"""'],
  ['two\nlines',            '"two\nlines"'],
  [{ order: '7' },          '"{""order"":""7""}"'],
  ['=HYPERLINK("x")',       `"'=HYPERLINK(""x"")"`],
  ['+47 12 34',             "'+47 12 34"],
  ['-2+3',                  "'-2+3"],
  ['@SUM(A1)',              "'@SUM(A1)"],
  ['\t=1',                  "'\t=1"],
  ['\r=1',                  `"'\r=1"`],
  ['＝1',                   "'＝1"],
]

test('a cell keeps its value, is quoted where needed, and is never a formula', () => {
  for (const [value, cell] of cells) equal(csvLine([value]), `${cell}\r\n`)
  equal(csvLine(['a', null, 3]), 'a,,3\r\n')
})
