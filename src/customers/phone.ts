import { getCountries, getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Without the plus. */
const callingCodes: ReadonlySet<string> = new Set(getCountries().map(country => getCountryCallingCode(country)))

/** `phone_country_code` is a calling code (+65, 65) or a country (SG). */
export type Telephone = { phone?: string | undefined; phone_country_code?: string | undefined }

/** With its plus; null if the value is no calling code or country. */
function callingCode(phone_country_code: string | undefined): string | null {
  if (phone_country_code === undefined) return null
  if (isSupportedCountry(phone_country_code)) return `+${getCountryCallingCode(phone_country_code)}`
  const digits = phone_country_code.replace(/^\+/, '')
  return callingCodes.has(digits) ? `+${digits}` : null
}

/** Without its calling code: as people write it, and as long as the ITU allows (E.164: 15 digits). */
const NATIONAL = /^\(?\d(?:[\s()./-]{0,2}\d){2,14}\)?$/

/** E.164, or bare digits if the country is not known; null if the value does not look like a phone number. */
export function spellingOf({ phone, phone_country_code }: Telephone): string | null {
  if (phone === undefined) return null
  const code = callingCode(phone_country_code)
  const national = NATIONAL.test(phone)
  if (national && code === null) return phone.replace(/\D/g, '')
  const whole = parsePhoneNumberFromString(national ? `${code}${phone.replace(/\D/g, '')}` : phone)
  return whole ? whole.number : null
}
