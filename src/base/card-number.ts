import creditCardType from 'credit-card-type'

/**
 * Detects card numbers in fields that must contain none: a name, a header, an address. One number in ten passes the
 * Luhn check by chance, so prefix and length must also be a card network's (docs/design/cards.md).
 */

/** Whether a string of digits, or the part between two positions, passes the Luhn check of ISO/IEC 7812-1. */
export function passesLuhn(digits: string, from = 0, to = digits.length): boolean {
  let sum = 0
  for (let i = 0; i < to - from; i++) {
    const digit = digits.charCodeAt(to - 1 - i) - 48
    const doubled = i % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

const SHORTEST = 14
const LONGEST = 19

/** Below 16 digits, by length. The library knows more, but others are mostly telephone numbers or barcodes. */
const short: Record<number, string> = { 14: 'diners-club', 15: 'american-express' }

const PREFIX = 8

/** The valid prefixes of card numbers by length: the first and the last prefix of each range, of eight digits. */
const ranges = new Map<number, [number, number][]>()
for (const network of Object.values(creditCardType.types)) {
  const { patterns, lengths } = creditCardType.getTypeInfo(network)
  for (const length of lengths) {
    if (length < 16 && short[length] !== network) continue
    const begins = patterns.map((pattern): [number, number] => {
      const [from, to] = typeof pattern === 'number' ? [pattern, pattern] : (pattern as [number, number])
      return [Number(String(from).padEnd(PREFIX, '0')), Number(String(to).padEnd(PREFIX, '9'))]
    })
    ranges.set(length, [...(ranges.get(length) ?? []), ...begins])
  }
}

/** Lengths by the first four digits, one bit each from `SHORTEST` on: rules out nearly all other digits alone. */
const lengthsOf = new Uint8Array(10_000)
for (const [length, begins] of ranges)
  for (const [first, last] of begins)
    for (let four = Math.floor(first / 1e4); four <= Math.floor(last / 1e4); four++)
      if (length >= SHORTEST) lengthsOf[four]! |= 1 << (length - SHORTEST)

const lengthsAt = (digits: string, at: number): number =>
  lengthsOf[
    digits.charCodeAt(at) * 1000 + digits.charCodeAt(at + 1) * 100 + digits.charCodeAt(at + 2) * 10 + digits.charCodeAt(at + 3) - 48 * 1111
  ]!

type Passes = (digits: string, from: number, to: number) => boolean

/** `passes`: the Luhn check of a part of the digits. `lengths`: the bits of the lengths for this prefix. */
function isCardNumber(digits: string, from: number, to: number, passes: Passes = passesLuhn, lengths = lengthsAt(digits, from)): boolean {
  const length = to - from
  if (length < SHORTEST || length > LONGEST || (lengths & (1 << (length - SHORTEST))) === 0) return false
  if (!passes(digits, from, to)) return false
  const prefix = Number(digits.slice(from, from + PREFIX))
  return ranges.get(length)!.some(([first, last]) => first <= prefix && prefix <= last)
}

/**
 * The Luhn check for any part of these digits. For long strings by prefix sums, with the even and with the odd digits
 * doubled: constant time for each check. For short strings that would cost more than it saves.
 */
function luhnOf(digits: string): Passes {
  if (digits.length <= 2 * LONGEST) return passesLuhn
  const sums = [new Uint32Array(digits.length + 1), new Uint32Array(digits.length + 1)] as const
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(i) - 48
    const doubled = digit > 4 ? digit * 2 - 9 : digit * 2
    sums[0][i + 1] = sums[0][i]! + (i % 2 === 0 ? doubled : digit)
    sums[1][i + 1] = sums[1][i]! + (i % 2 === 1 ? doubled : digit)
  }
  // The last digit is not doubled, the digit before it is.
  return (_digits, from, to) => (sums[(to % 2) as 0 | 1][to]! - sums[(to % 2) as 0 | 1][from]!) % 10 === 0
}

/** In groups with blanks, dashes, dots, slashes or underscores; not within a word, such as an id or a digest. */
const NUMBERS = /(?<![0-9A-Za-z])\d{1,19}(?:[\s\u2010-\u2015._/\\-]{1,3}\d{1,19})*(?![0-9A-Za-z])/g
/** The longest group of digits in a grouped card number. Longer groups occur in UUIDs and order numbers. */
const LONGEST_GROUP = 6

type Place = { from: number; to: number }

/** Returns the positions of all card numbers in a text, in the order of the text. */
function placesIn(text: string): Place[] {
  const places: Place[] = []
  for (const { 0: run, index } of text.matchAll(NUMBERS)) {
    if (run.length < SHORTEST) continue
    if (run.length <= LONGEST && /^\d+$/.test(run)) {
      if (isCardNumber(run, 0, run.length)) places.push({ from: index, to: index + run.length })
    } else for (const { from, to } of placesInGroups(run)) places.push({ from: index + from, to: index + to })
  }
  return places
}

function placesInGroups(run: string): Place[] {
  const places: Place[] = []
  const digits = run.replace(/\D+/g, '')
  const passes = luhnOf(digits)
  // The start and end of each group of digits within the run.
  const groups: Place[] = []
  let begun = -1
  for (let at = 0; at <= run.length; at++) {
    const within = at < run.length && isDigit(run.charCodeAt(at))
    if (within && begun < 0) begun = at
    else if (!within && begun >= 0) {
      groups.push({ from: begun, to: at })
      begun = -1
    }
  }
  let from = 0
  for (let first = 0; first < groups.length; first++) {
    let to = from
    const lengths = lengthsAt(digits, from)
    for (let last = first; lengths !== 0 && last < groups.length; last++) {
      const group = groups[last]!
      const length = group.to - group.from
      to += length
      if (to - from > LONGEST || (length > LONGEST_GROUP && last > first)) break
      if (isCardNumber(digits, from, to, passes, lengths)) {
        places.push({ from: groups[first]!.from, to: group.to })
        // The groups of this card number cannot begin another card number.
        for (; first < last; first++) from += groups[first]!.to - groups[first]!.from
        break
      }
      if (length > LONGEST_GROUP) break
    }
    from += groups[first]!.to - groups[first]!.from
  }
  return places
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** Fourteen digits with few separators between them. A text without such digits cannot contain a card number. */
const LIKELY = /(?<![0-9A-Za-z])\d(?:[\s\u2010-\u2015._/\\-]{0,3}\d){13}/

/** Characters beyond ASCII, which can be digits of another script or be hidden between digits. */
const FOREIGN = /[^\0-\x7f]/
/** Fourteen digits of any script, with few or no characters between them. */
const LIKELY_FOREIGN = /\p{N}(?:[^\p{L}\p{N}]{0,6}\p{N}){13}/u

/** With ASCII digits, without invisible characters. Null if ASCII already, or too few digits for a card number. */
function plainly(text: string): string | null {
  if (!FOREIGN.test(text) || !LIKELY_FOREIGN.test(text)) return null
  return text
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Mn}\p{Me}]/gu, '')
    .replace(/(?![0-9])\p{Nd}/gu, digit => String(digitOf(digit.codePointAt(0)!)))
}

const known = new Map<number, number>()
/** Of 0 to 9, in any script: Unicode lists a script's ten digits in a row. There are a few hundred: cached. */
function digitOf(digit: number): number {
  const before = known.get(digit)
  if (before !== undefined) return before
  let zero = digit
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  known.set(digit, (digit - zero) % 10)
  return (digit - zero) % 10
}

/** The ASCII characters that may separate the digits of a card number, the same as in `LIKELY`. */
const between = new Uint8Array(128)
for (const sign of ' \t\n\v\f\r._/\\-') between[sign.charCodeAt(0)] = 1

/** Enough digits with only separators between, or beyond ASCII. Rules out nearly all texts, cheaper than a regex. */
function mayHoldOne(text: string): boolean {
  if (text.length < SHORTEST) return false
  let digits = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code > 0x7f || (isDigit(code) && ++digits === SHORTEST)) return true
    if (!isDigit(code) && between[code] === 0) digits = 0
  }
  return false
}

const holdsPlainly = (text: string): boolean => LIKELY.test(text) && placesIn(text).length > 0

/** Whether a text contains digits of any script that look like a card number, with or without separators. */
export function holdsCardNumber(text: string): boolean {
  if (!mayHoldOne(text)) return false
  if (holdsPlainly(text)) return true
  const plain = plainly(text)
  return plain !== null && holdsPlainly(plain)
}

/** Returns the text with everything that looks like a card number replaced by `[card number]`. */
export function withoutCardNumbers(text: string): string {
  if (!mayHoldOne(text)) return text
  const clean = LIKELY.test(text) ? blanked(text) : text
  const plain = plainly(clean)
  return plain !== null && holdsPlainly(plain) ? blanked(plain) : clean
}

function blanked(text: string): string {
  let clean = ''
  let until = 0
  for (const { from, to } of placesIn(text)) {
    clean += `${text.slice(until, from)}[card number]`
    until = to
  }
  return clean + text.slice(until)
}

/** Fourteen or more digits with few separators between them, also in the middle of a word. */
const DIGITS = /\d(?:[\s\u2010-\u2015._/\\-]{0,3}\d){13,}/g

/** Digits that may be a card number, also within words and longer numbers, to compare with a certain card. */
export function cardNumbersIn(text: string): string[] {
  if (!mayHoldOne(text)) return []
  const found = new Set<string>()
  for (const [run] of (plainly(text) ?? text).matchAll(DIGITS)) {
    const digits = run.replace(/\D+/g, '')
    const passes = luhnOf(digits)
    for (let from = 0; from + SHORTEST <= digits.length; from++) {
      const lengths = lengthsAt(digits, from)
      if (lengths === 0) continue
      for (let to = from + SHORTEST; to <= Math.min(from + LONGEST, digits.length); to++)
        if (isCardNumber(digits, from, to, passes, lengths)) found.add(digits.slice(from, to))
    }
  }
  return [...found]
}
