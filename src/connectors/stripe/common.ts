import type { Currency } from '../../base/currencies.ts'
import type { AuthorizeRequest } from '../connector.ts'
import { type Counting, inProcessorUnits } from '../counting.ts'
import { shortened } from '../kit/text.ts'

/** docs.stripe.com/currencies: all currencies that Stripe takes; ISK and UGX have two decimals that must be 00. */
// biome-ignore format: a table reads better in columns
export const counting: Counting = {
  decimals: { MGA: 0, ISK: 2, UGX: 2 },
  steps: { ISK: 100, UGX: 100, BHD: 10, JOD: 10, KWD: 10, OMR: 10, TND: 10 },
  currencies: [
    'AED', 'AFN', 'ALL', 'AMD', 'ANG', 'AOA', 'ARS', 'AUD', 'AWG', 'AZN', 'BAM', 'BBD', 'BDT', 'BGN', 'BHD', 'BIF', 'BMD', 'BND', 'BOB', 'BRL',
    'BSD', 'BWP', 'BYN', 'BZD', 'CAD', 'CDF', 'CHF', 'CLP', 'CNY', 'COP', 'CRC', 'CVE', 'CZK', 'DJF', 'DKK', 'DOP', 'DZD', 'EGP', 'ETB', 'EUR',
    'FJD', 'FKP', 'GBP', 'GEL', 'GIP', 'GMD', 'GNF', 'GTQ', 'GYD', 'HKD', 'HNL', 'HTG', 'HUF', 'IDR', 'ILS', 'INR', 'ISK', 'JMD', 'JOD', 'JPY',
    'KES', 'KGS', 'KHR', 'KMF', 'KRW', 'KWD', 'KYD', 'KZT', 'LAK', 'LBP', 'LKR', 'LRD', 'LSL', 'MAD', 'MDL', 'MGA', 'MKD', 'MMK', 'MNT', 'MOP',
    'MUR', 'MVR', 'MWK', 'MXN', 'MYR', 'MZN', 'NAD', 'NGN', 'NIO', 'NOK', 'NPR', 'NZD', 'OMR', 'PAB', 'PEN', 'PGK', 'PHP', 'PKR', 'PLN', 'PYG',
    'QAR', 'RON', 'RSD', 'RUB', 'RWF', 'SAR', 'SBD', 'SCR', 'SEK', 'SGD', 'SHP', 'SLE', 'SOS', 'SRD', 'STD', 'SZL', 'THB', 'TJS', 'TND', 'TOP',
    'TRY', 'TTD', 'TWD', 'TZS', 'UAH', 'UGX', 'USD', 'UYU', 'UZS', 'VND', 'VUV', 'WST', 'XAF', 'XCD', 'XOF', 'XPF', 'YER', 'ZAR', 'ZMW',
  ],
}

export const REQUEST_ID = 'request_id'

/** Before a capture's member in the intent's metadata: a capture has no object of its own. */
const CAPTURE = 'capture_'
export const captureName = (request_id: string): string => CAPTURE + request_id
const INCREMENT = 'increment_'
export const incrementName = (request_id: string): string => INCREMENT + request_id
const RELEASE = 'release_'
export const releaseName = (request_id: string): string => RELEASE + request_id
export const isCaptureName = (name: string): boolean => name.startsWith(CAPTURE)
/** Our request ids of the captures that were made. */
export const capturesIn = (metadata: Record<string, string>): string[] =>
  Object.keys(metadata).flatMap(name => (isCaptureName(name) ? [name.slice(CAPTURE.length)] : []))
export const requestsIn = (metadata: Record<string, string>): string[] =>
  Object.keys(metadata).flatMap(name =>
    [CAPTURE, INCREMENT, RELEASE].flatMap(kind => (name.startsWith(kind) ? [name.slice(kind.length)] : [])),
  )

/** Names of 40 characters without brackets, values of 500. Names like our own count captures: they are left out. */
export const noted = (metadata: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metadata)
      .filter(([name]) => /^[^[\]]{1,40}$/.test(name) && !RESERVED.test(name))
      .slice(0, 20)
      .map(([name, value]) => [name, shortened(value, 500)] as const)
      .filter(([, value]) => value !== ''),
  )
const RESERVED = new RegExp(`^(?:${REQUEST_ID}|order_reference|konbini_store|(?:${CAPTURE}|${INCREMENT}|${RELEASE}).*)$`)

/** The money goes on to an account of the platform, less the platform's fee. */
export const shared = (split: AuthorizeRequest['split'], fee: number) =>
  split?.is === 'stripe' && {
    transfer_data: { destination: split.destination },
    ...(fee > 0 && { application_fee_amount: fee }),
    ...(split.on_behalf_of !== null && { on_behalf_of: split.on_behalf_of }),
  }

export const inStripeUnits = (currency: Currency) => (amount: number | undefined) => {
  const value = amount === undefined ? undefined : inProcessorUnits(counting, { amount, currency })
  return typeof value === 'number' ? value : undefined
}

/** At most 22 characters, a letter among them, none of `<>\'"*`. */
export function suffixOf(descriptor: string | null): string | null {
  const plain = (descriptor ?? '')
    .replace(/[^\x20-\x7e]|[<>\\'"*]/g, '')
    .trim()
    .slice(0, 22)
  return /[A-Za-z]/.test(plain) ? plain : null
}
