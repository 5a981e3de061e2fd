import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/fast-check.ts'
import { decimalOf } from '../../base/money.ts'
import { type Mark, markOf, readExact, readMinor, readReportAmount } from './amounts.ts'
import { dateOrderOf, readReportTime } from './times.ts'

// biome-ignore format: a table reads better in columns
const written: [text: string, currency: 'EUR' | 'JPY' | 'BHD', mark: Mark, amount: number | null][] = [
  ['12.50',        'EUR', '.',  1_250],
  ['12.5',         'EUR', '.',  1_250],
  ['.11',          'EUR', '.',     11],
  ['12.500',       'EUR', '.',  1_250],
  ['12.505',       'EUR', '.',   null],
  ['1,234.50',     'EUR', '.', 123_450],
  ['1.234,50',     'EUR', ',', 123_450],
  ['1 234,50',     'EUR', ',', 123_450],
  ['1\u00a0234,50', 'EUR', ',', 123_450],
  ["1'234.50",     'EUR', '.', 123_450],
  ['1,00,000.00',  'EUR', '.', 10_000_000],
  ['12,50',        'EUR', '.',   null],
  ['1,234',        'EUR', '.', 123_400],
  ['1.234',        'BHD', '.',  1_234],
  ['(12.50)',      'EUR', '.', -1_250],
  ['12.50-',       'EUR', '.', -1_250],
  ["'-12.50",      'EUR', '.', -1_250],
  ['-0.00',        'EUR', '.',      0],
  ['1250',         'JPY', '.',  1_250],
  ['1250.00',      'JPY', '.',  1_250],
  ['=12.50',       'EUR', '.',   null],
  ['="12.50"',     'EUR', '.',   null],
  ['1e3',          'EUR', '.',   null],
  ['€12.50',       'EUR', '.',   null],
  ['٣',            'EUR', '.',   null],
  ['',             'EUR', '.',   null],
  ['.',            'EUR', '.',   null],
  ['-',            'EUR', '.',   null],
  [`1${'0'.repeat(400)}`, 'EUR', '.', null],
  ['99999999999999.99', 'EUR', '.', null],
  ['90071992547409.91', 'EUR', '.', Number.MAX_SAFE_INTEGER],
]

test('an amount is read exactly as people and spreadsheets write it, or not at all', () => {
  for (const [text, currency, mark, amount] of written) equal(readExact(text, currency, mark), amount, `${text} ${mark}`)
  deepEqual(['12', '-3', '+4', '1.0', '', '1'.repeat(16)].map(readMinor), [12, -3, 4, null, null, null])
})

test('what is less than a cent is kept apart: rounded and rest are the amount', () => {
  deepEqual(readReportAmount('-1.58417', 'EUR'), { amount: -158, rest: -41_700_000 })
  deepEqual(readReportAmount('46.1572835', 'EUR'), { amount: 4_616, rest: -27_165_000 })
  deepEqual(readReportAmount('-0.005', 'EUR'), { amount: -1, rest: 50_000_000 })
  deepEqual(readReportAmount('0.004', 'EUR'), { amount: 0, rest: 40_000_000 })
})

test('every amount that is written in either way is read back', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e12, max: 1e12 }), fc.constantFrom('EUR', 'JPY', 'BHD'), fc.boolean(), (amount, currency, grouped) => {
      const text = decimalOf(amount, currency)
      const [whole = '', fraction] = text.split('.')
      const groups = grouped ? whole.replace(/\B(?=(\d{3})+$)/g, '.') : whole
      equal(readExact(text, currency as 'EUR'), amount)
      equal(readExact(fraction === undefined ? groups : `${groups},${fraction}`, currency as 'EUR', ','), amount)
    }),
  )
})

test('the decimal mark of a file is found by the amounts that show one', () => {
  const mark = (...texts: string[]) => markOf(texts.map((text, at) => ({ at, fields: [text] })), [0]) // biome-ignore format: a table
  deepEqual(
    [mark('1,234', '2,50'), mark('1.234', '2.50'), mark('1.234,50'), mark('1,234.50'), mark('1.234.567')],
    [',', '.', ',', '.', ','],
  )
  deepEqual([mark('1,234'), mark(''), mark('100'), mark('a,b')], ['.', '.', '.', '.'])
})

// biome-ignore format: a table reads better in columns
const times: [text: string, zone: string, order: 'ymd' | 'dmy' | 'mdy', time: string | null][] = [
  ['2026-05-04',                    'UTC',  'ymd', '2026-05-04T00:00:00.000Z'],
  ['2026-05-04 10:11:12',           'CEST', 'ymd', '2026-05-04T08:11:12.000Z'],
  ['2026-05-04T10:11:12.1234567',   'UTC',  'ymd', '2026-05-04T10:11:12.123Z'],
  ['2026-05-04T10:11:12+02:00',     'PST',  'ymd', '2026-05-04T08:11:12.000Z'],
  ['2026/05/04 00:00:30 -0700',     'UTC',  'ymd', '2026-05-04T07:00:30.000Z'],
  ['04.05.2026',                    'UTC',  'dmy', '2026-05-04T00:00:00.000Z'],
  ['05/04/2026 1:02',               'UTC',  'mdy', '2026-05-04T01:02:00.000Z'],
  ['4-5-26',                        'UTC',  'dmy', '2026-05-04T00:00:00.000Z'],
  ['20260504',                      'UTC',  'ymd', '2026-05-04T00:00:00.000Z'],
  ['2026-03-29 01:59:59', 'Europe/Amsterdam', 'ymd', '2026-03-29T00:59:59.000Z'],
  ['2026-03-29 03:00:00', 'Europe/Amsterdam', 'ymd', '2026-03-29T01:00:00.000Z'],
  ['2026-10-25 03:00:00', 'Europe/Amsterdam', 'ymd', '2026-10-25T02:00:00.000Z'],
  ['2026-02-29',                    'UTC',  'ymd', null],
  ['2024-02-29',                    'UTC',  'ymd', '2024-02-29T00:00:00.000Z'],
  ['2026-13-01',                    'UTC',  'ymd', null],
  ['2026-05-04 24:00:00',           'UTC',  'ymd', null],
  ['2026-05-04 10:00:00',           'XYZ',  'ymd', null],
  ['04.05.2026',                    'UTC',  'ymd', null],
  ['yesterday',                     'UTC',  'ymd', null],
]

test('dates of reports are read in their zones and orders, and none that does not exist', () => {
  for (const [text, zone, order, time] of times) equal(readReportTime(text, zone, order), time, `${text} ${zone}`)
  deepEqual([dateOrderOf(['04/05/2026', '13/05/2026']), dateOrderOf(['04/05/2026', '05/13/2026'])], ['dmy', 'mdy'])
  deepEqual([dateOrderOf(['2026-05-04']), dateOrderOf(['', 'x'])], ['ymd', null])
})
