import type { Merchant } from '../accounts/merchant.ts'
import type { Time } from '../context.ts'

/** Who opens a page of a merchant's, and when. `nonce`: lets the page's own script run. */
export type Visit = {
  merchant: Merchant
  now: Time
  mode: 'test' | 'live'
  locale: string | undefined
  acceptLanguage: string | undefined
  nonce: string
}
