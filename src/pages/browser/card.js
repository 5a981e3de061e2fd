// Checks and formats card data while the customer types. Pure functions, which need no page.

/**
 * @typedef {{ network: string, patterns: (number | [number, number])[], lengths: number[], gaps: number[], code:
 * number }} Kind
 */

export const digitsOf = (/** @type {string} */ text) => text.replace(/\D/g, '')

/**
 * Returns the kind of card by the first digits of a number. If several match, the longest pattern decides.
 * @param {string} number
 * @param {readonly Kind[]} kinds
 * @returns {Kind | null}
 */
export function kindOf(number, kinds) {
  let found = null
  let longest = 0
  for (const kind of kinds)
    for (const pattern of kind.patterns) {
      const [from, to] = typeof pattern === 'number' ? [pattern, pattern] : pattern
      const length = String(from).length
      const begins = Number(number.slice(0, length))
      if (number.length >= length && begins >= from && begins <= to && length > longest) [found, longest] = [kind, length]
    }
  return found
}

/** Returns the digits grouped by blanks, as on the card. */
export function grouped(/** @type {string} */ number, /** @type {Kind | null} */ kind) {
  const gaps = kind?.gaps ?? [4, 8, 12]
  return [...number].map((digit, i) => (gaps.includes(i) ? ` ${digit}` : digit)).join('')
}

/** Returns the maximum number of digits of this kind of card. */
export const longest = (/** @type {Kind | null} */ kind) => Math.max(...(kind?.lengths ?? [19]))

/** Whether a number passes the Luhn check (ISO/IEC 7812-1). */
export function passesLuhn(/** @type {string} */ number) {
  let sum = 0
  for (let i = 0; i < number.length; i++) {
    const digit = Number(number[number.length - 1 - i])
    const doubled = i % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/**
 * Returns the name of the error message for a card number; null if the number is valid.
 * @param {string} number
 * @param {readonly Kind[]} kinds
 * @param {readonly string[]} networks that are accepted here
 */
export function numberFault(number, kinds, networks) {
  if (number === '') return 'numberMissing'
  const kind = kindOf(number, kinds)
  if (kind && !networks.includes(kind.network)) return 'networkRefused'
  if (number.length < Math.min(...(kind?.lengths ?? [12]))) return 'numberShort'
  return passesLuhn(number) && (!kind || kind.lengths.includes(number.length)) ? null : 'numberWrong'
}

/** Formats an expiry date while it is typed: a first digit of 2 to 9 becomes a month, and the slash is inserted. */
export function dated(/** @type {string} */ text) {
  let digits = digitsOf(text)
  // A year of four digits, as browsers fill it in.
  if (/^\d\d20\d\d$/.test(digits)) digits = digits.slice(0, 2) + digits.slice(4)
  if (/^[2-9]/.test(digits)) digits = `0${digits}`
  digits = digits.slice(0, 4)
  const month = digits.slice(0, 2)
  return digits.length > 2 ? `${month} / ${digits.slice(2)}` : month + (/^\d\d\s*\/\s*$/.test(text) ? ' / ' : '')
}

/**
 * @param {string} text
 * @param {Date} now
 * @returns {{ month: string, year: string } | 'expiryMissing' | 'expiryWrong' | 'expired'}
 */
export function expiryOf(text, now) {
  const digits = digitsOf(text)
  if (digits === '') return 'expiryMissing'
  const month = Number(digits.slice(0, 2))
  if (digits.length !== 4 || month < 1 || month > 12) return 'expiryWrong'
  const year = 2000 + Number(digits.slice(2))
  if (year * 12 + month < now.getFullYear() * 12 + now.getMonth() + 1) return 'expired'
  if (year > now.getFullYear() + 30) return 'expiryWrong'
  return { month: digits.slice(0, 2), year: String(year) }
}

/** Returns the name of the error message for a security code; null if the code is valid. */
export function codeFault(/** @type {string} */ code, /** @type {Kind | null} */ kind) {
  if (code === '') return 'codeMissing'
  return kind ? (code.length === kind.code ? null : 'codeWrong') : code.length === 3 || code.length === 4 ? null : 'codeWrong'
}
