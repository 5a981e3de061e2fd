import { equal, ok } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import creditCardType from 'credit-card-type'
import { holdsCardNumber, passesLuhn, withoutCardNumbers } from './card-number.ts'

/** Test numbers that processors publish, one of each length and network. */
const numbers = [
  '4242424242424242',
  '5555555555554444',
  '2223003122003222',
  '378282246310005',
  '6011111111111117',
  '30569309025904',
  '3566002020360505',
  '6200000000000005',
  '6304000000000000',
  '6205500000000000004',
]
const inGroups = (number: string, gap: string): string => number.replace(/(\d{4})(?=\d)/g, `$1${gap}`)

/** Gives the number in spellings that only an attacker uses. */
const hidden = (number: string): string[] => [
  ...['.', '/', '_', '\\', ' / ', '\u200b', '\u2060\ufeff', '\u00ad', '\u034f'].map(gap => inGroups(number, gap)),
  number.split('').join('\u200b'),
  number.split('').join('.'),
  // Digits in fullwidth, Arabic-Indic, Devanagari, mathematical and circled form.
  ...[0xff10, 0x0660, 0x0966, 0x1d7d8].map(zero => number.replace(/\d/g, digit => String.fromCodePoint(zero + Number(digit)))),
  number.replace(/[1-9]/g, digit => String.fromCodePoint(0x245f + Number(digit))).replace(/0/g, '\u24ea'),
]

test('a card number is detected and removed in every spelling, alone or within text', () => {
  for (const number of numbers) {
    for (const written of [
      number,
      inGroups(number, ' '),
      inGroups(number, '-'),
      inGroups(number, ' - '),
      inGroups(number, '\u00a0'),
      ...hidden(number),
    ]) {
      for (const text of [
        written,
        `card ${written}, thanks`,
        `pan:${written}`,
        `a_${written}_b`,
        `"${written}"`,
        `1 chair\n${written}\n12/30 123`,
      ]) {
        ok(holdsCardNumber(text), text)
        ok(!/\p{N}{4}/u.test(withoutCardNumbers(text)), withoutCardNumbers(text))
      }
    }
  }
  equal(withoutCardNumbers('from 4242424242424242 to 4242 4242 4242 4242.'), 'from [card number] to [card number].')
})

test('similar texts are not taken for card numbers: order numbers, phone numbers, barcodes, times, ids', () => {
  const innocent = [
    '4242424242424241', // fails Luhn
    '1000000000000008', // of no network
    '42424242424242424242', // too long
    '4006381333931', // a barcode
    '+6281234567890', // a telephone
    '5901234123457',
    '1719312345678', // a moment
    '2026-06-25 10:11:12.123',
    '2026-06-25T10:11:12.123Z',
    '9007199254740991',
    'pay_01JZ4242424242424242ABCDEF',
    'x4242424242424242',
    '404-1234567-1234567',
    '978-3-16-148410-0',
    '192.168.100.200',
    '1.3.6.1.4.1.311.21.20',
    '10.0.0.1/24, 192.168.100.101/16',
    '٢٠٢٦-١١-٢٣ ١٢:٣٤',
    '注文 1234-5678-9012 は 2026年11月23日',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
  ]
  for (const text of innocent) {
    ok(!holdsCardNumber(text), text)
    equal(withoutCardNumbers(text), text)
  }
})

test('random digests and UUIDs are never taken for card numbers', () => {
  for (let i = 0; i < 20_000; i++) {
    const hex = createHash('sha256').update(String(i)).digest('hex')
    const uuid = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
    for (const text of [hex, uuid]) ok(!holdsCardNumber(text), text)
  }
})

test('fewer than one in twenty random numbers of 16 digits is taken for a card number', () => {
  let taken = 0
  for (let i = 0; i < 10_000; i++) {
    const digits = BigInt(`0x${createHash('sha256').update(String(i)).digest('hex')}`)
      .toString()
      .slice(-16)
    if (holdsCardNumber(digits)) taken++
  }
  ok(taken > 200 && taken < 500, String(taken))
})

test('every card network of the library credit-card-type is recognized', () => {
  for (const network of Object.values(creditCardType.types)) {
    const { patterns, lengths } = creditCardType.getTypeInfo(network)
    const length = Math.max(...lengths)
    const begins = String([patterns[0]].flat()[0]).padEnd(length - 1, '0')
    const number = Array.from('0123456789', digit => begins + digit).find(digits => passesLuhn(digits))!
    ok(holdsCardNumber(number), `${network} ${number}`)
  }
})

test('the scan of a hostile text takes linear time', () => {
  const { charCodeAt, slice } = String.prototype
  const work = (text: string): number => {
    let looks = 0
    const counted = <A extends unknown[], R>(method: (this: string, ...args: A) => R) =>
      function (this: string, ...args: A): R {
        looks++
        return method.apply(this, args)
      }
    String.prototype.charCodeAt = counted(charCodeAt)
    String.prototype.slice = counted(slice) as typeof slice
    try {
      holdsCardNumber(text)
      withoutCardNumbers(text)
    } finally {
      Object.assign(String.prototype, { charCodeAt, slice })
    }
    return looks / text.length
  }
  for (const piece of ['1 ', '4 1 1 1 ', '1---', '123456-', '4111111111111111 ', '\u0661 ', '4111 1111 1111 1111 '])
    ok(work(piece.repeat(5000)) < 8, piece)
})
