import { familyOfWays } from './other.ts'
import { clear, way } from './way.ts'

/** Cryptocurrencies, paid on a page of the processor. */
export const crypto = familyOfWays('crypto', { crypto: way('crypto_currency', { pay_currency: clear(), network: clear() }) })
