import { countries } from '../base/countries.ts'
import { refuse } from '../base/refusal.ts'

/** Country, two check digits, 11 to 30 letters and digits; 1 modulo 97 (ISO 13616). Returned without blanks. */
export function readIban(text: string, field: string): string {
  const iban = text.replace(/\s/g, '').toUpperCase()
  const isOne = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban) && countries.includes(iban.slice(0, 2)) && ibanRemainder(iban) === 1
  return isOne ? iban : refuse('unacceptable', { field, problem: 'is not a valid IBAN' })
}

/** Modulo 97, with the first four characters moved to the end and letters as two digits (A is 10). */
export const ibanRemainder = (iban: string): number =>
  [...iban.slice(4), ...iban.slice(0, 4)].reduce((rest, one) => Number(`${rest}${Number.parseInt(one, 36)}`) % 97, 0)

/** Bank, country, location and optionally a branch (ISO 9362). */
export function readBic(text: string, field: string): string {
  const bic = text.replace(/\s/g, '').toUpperCase()
  return /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(bic) ? bic : refuse('unacceptable', { field, problem: 'is not a valid BIC' })
}
