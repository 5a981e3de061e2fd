import type { Merchant } from '../accounts/merchant.ts'
import type { Time } from '../context.ts'

/** The visit of a browser to a page of a merchant. `nonce`: allows the page's own script to run. */
export type Visit = {
  merchant: Merchant
  now: Time
  mode: 'test' | 'live'
  locale: string | undefined
  acceptLanguage: string | undefined
  nonce: string
}
