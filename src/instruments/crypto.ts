import { familyOfWays } from './other.ts'
import { clear, way } from './way.ts'

export const crypto = familyOfWays('crypto', { crypto: way('crypto_currency', { pay_currency: clear(), network: clear() }) })
