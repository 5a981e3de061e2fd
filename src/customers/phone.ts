import { getCountries, getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { refuse } from '../base/refusal.ts'

/** All existing calling codes, without the plus. */
const callingCodes: ReadonlySet<string> = new Set(getCountries().map(country => getCountryCallingCode(country)))

/** The phone number in a request. `phone_country_code` is a calling code (+65, 65) or a country (SG). */
export type Telephone = { phone?: string | undefined; phone_country_code?: string | undefined }

/** Returns the calling code with its plus; null if the value is no calling code or country. */
function callingCode(phone_country_code: string | undefined): string | null {
  if (phone_country_code === undefined) return null
  if (isSupportedCountry(phone_country_code)) return `+${getCountryCallingCode(phone_country_code)}`
  const digits = phone_country_code.replace(/^\+/, '')
  return callingCodes.has(digits) ? `+${digits}` : null
}

/**
 * The form of a number without its calling code: as people write it, and as long as the ITU allows (E.164: 15 digits).
 */
const NATIONAL = /^\(?\d(?:[\s()./-]{0,2}\d){2,14}\)?$/

/**
 * Returns the one spelling of a phone number (E.164, or its bare digits if the country is not known); null if the
 * number is invalid.
 */
export function spellingOf({ phone, phone_country_code }: Telephone): string | null {
  if (phone === undefined) return null
  const code = callingCode(phone_country_code)
  const national = NATIONAL.test(phone)
  if (national && code === null) return phone.replace(/\D/g, '')
  const whole = parsePhoneNumberFromString(national ? `${code}${phone.replace(/\D/g, '')}` : phone)
  return whole ? whole.number : null
}

/**
 * Refuses (IR_05) a value that cannot be a phone number: the calling code must exist, and the number must have the
 * form of a phone number. The numbering plan of its country is not checked, because shops that test send invented
 * numbers.
 */
export function checkPhone(telephone: Telephone): void {
  const { phone, phone_country_code } = telephone
  if (phone_country_code !== undefined && callingCode(phone_country_code) === null)
    refuse('malformed', { field: 'phone_country_code', expected: 'a calling code like +65, or a country like SG' })
  if (phone !== undefined && spellingOf(telephone) === null)
    refuse('malformed', { field: 'phone', expected: 'a telephone number, with its calling code (+65 …) or beside phone_country_code' })
}
