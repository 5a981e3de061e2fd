import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { cardKinds } from '../instruments/networks.ts'

type Card = {
  kindOf(number: string, kinds: typeof cardKinds): { network: string } | null
  grouped(number: string, kind: unknown): string
  numberFault(number: string, kinds: typeof cardKinds, networks: readonly string[]): string | null
  dated(text: string): string
  expiryOf(text: string, now: Date): unknown
  codeFault(code: string, kind: unknown): string | null
}
const card = (await import(new URL('browser/card.js', import.meta.url).href)) as Card

const all = cardKinds.map(({ network }) => network)
const now = new Date('2026-03-15T12:00:00Z')

// biome-ignore format: a table reads better in columns
const numbers: [number: string, network: string | null, shown: string, fault: string | null][] = [
  ['4242424242424242', 'Visa', '4242 4242 4242 4242', null],
  ['5555555555554444', 'Mastercard', '5555 5555 5555 4444', null],
  ['2223003122003222', 'Mastercard', '2223 0031 2200 3222', null],
  ['378282246310005', 'AmericanExpress', '3782 822463 10005', null],
  ['30569309025904', 'DinersClub', '3056 930902 5904', null],
  ['6011111111111117', 'Discover', '6011 1111 1111 1117', null],
  ['3566002020360505', 'JCB', '3566 0020 2036 0505', null],
  ['6200000000000005', 'UnionPay', '6200 0000 0000 0005', null],
  ['4242424242424241', 'Visa', '4242 4242 4242 4241', 'numberWrong'],
  ['42424242', 'Visa', '4242 4242', 'numberShort'],
  ['', null, '', 'numberMissing'],
]

for (const [number, network, shown, fault] of numbers)
  test(`the card form shows network, format and error for ${number || 'nothing typed'}`, () => {
    const kind = card.kindOf(number, cardKinds)
    equal(kind?.network ?? null, network)
    equal(card.grouped(number, kind), shown)
    equal(card.numberFault(number, cardKinds, all), fault)
    if (network && fault === null) equal(card.numberFault(number, cardKinds, []), 'networkRefused')
  })

test('an expiry date is formatted as it is typed or pasted, and validated', () => {
  deepEqual(['1', '12', '124', '1240', '7', '12/40', '12 / 2040', '12/', '9/27'].map(card.dated), [
    '1',
    '12',
    '12 / 4',
    '12 / 40',
    '07',
    '12 / 40',
    '12 / 40',
    '12 / ',
    '09 / 27',
  ])
  deepEqual(card.expiryOf('03 / 26', now), { month: '03', year: '2026' })
  deepEqual(
    ['', '13 / 30', '00 / 30', '12 / 4', '02 / 26', '12 / 99'].map(text => card.expiryOf(text, now)),
    ['expiryMissing', 'expiryWrong', 'expiryWrong', 'expiryWrong', 'expired', 'expiryWrong'],
  )
})

test('a security code must have the length that its card network uses', () => {
  const amex = card.kindOf('378282246310005', cardKinds)
  deepEqual(
    [
      card.codeFault('', null),
      card.codeFault('123', null),
      card.codeFault('123', amex),
      card.codeFault('1234', amex),
      card.codeFault('12', null),
    ],
    ['codeMissing', null, 'codeWrong', null, 'codeWrong'],
  )
})
