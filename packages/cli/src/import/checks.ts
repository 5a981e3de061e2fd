/**
 * A check of a cell. Returns the error in words that do not repeat the text, or null. The service checks the value
 * once more.
 */
export type Check = (text: string) => string | null

const matches =
  (form: RegExp, message: string): Check =>
  text =>
    form.test(text) ? null : message

/** Whether the digits pass the Luhn check. */
function passesLuhn(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((all, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1)
    return all + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

export const cardNumber: Check = text => {
  const digits = text.replace(/[\s-]/g, '')
  return /^\d{8,19}$/.test(digits) && passesLuhn(digits) ? null : 'is no card number'
}
export const customerId = matches(/^[A-Za-z0-9_.:@+~|=-]{1,64}$/, 'must be 1 to 64 letters, digits or _ . : @ + ~ | = -')
export const email = matches(/^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/u, 'is no e-mail address')
export const month = matches(/^(0?[1-9]|1[0-2])$/, 'must be 1 to 12')
export const year = matches(/^(\d{2}|2[01]\d{2})$/, 'must have two or four digits')
export const flag = matches(/^(true|false)$/i, 'must be true or false')
export const transactionId: Check = text => {
  if (!/^[A-Za-z0-9]{8,64}$/.test(text)) return 'must be one id of 8 to 64 letters and digits'
  return /^(\d{8,14}|\d{16,19}|3[47]\d{13})$/.test(text) && passesLuhn(text) ? 'looks like a card number' : null
}

/** Whether the month of expiry is over. `now` is in milliseconds since 1970. */
export function isPast(exp_month: string, exp_year: string, now: number): boolean {
  const at = new Date(now)
  const full = exp_year.length === 2 ? 2000 + Number(exp_year) : Number(exp_year)
  return full * 12 + Number(exp_month) < at.getUTCFullYear() * 12 + at.getUTCMonth() + 1
}

/**
 * Returns a text without card numbers. A number of 12 to 19 digits, also in groups, that passes the Luhn check is cut
 * to its last four digits. All output passes through this function, so that a number in a wrong column does not reach
 * a report.
 */
export const withoutNumbers = (text: string): string =>
  text.replace(/(?<![A-Za-z0-9])\d(?:[ -]?\d){11,18}(?![A-Za-z0-9])/g, found => {
    const digits = found.replace(/\D/g, '')
    return passesLuhn(digits) ? `…${digits.slice(-4)}` : found
  })
