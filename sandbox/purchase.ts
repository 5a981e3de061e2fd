// What an issuer makes of the address that a payment says its card is at: of all that is said of who buys what, nothing else decides anything.

import type { DeclineCode } from './cards.ts'
import type { Told } from './records.ts'

/** What the issuer knows of some postcodes; every other is the right one. */
export const postcodes: Readonly<Record<string, { avs_result: string; declines?: DeclineCode; says: string }>> = {
  '00001': { avs_result: 'N', says: 'approved, and `avs_result` is N: neither address nor postcode match' },
  '00002': { avs_result: 'N', declines: 'avs_declined', says: 'declined `avs_declined` (`avs_result` N)' },
  '00003': { avs_result: 'U', says: 'approved, and `avs_result` is U: the issuer does not check addresses' },
}

const RIGHT = { avs_result: 'Y' } as const

/** What comes of looking at the payer's address. */
export function addressCheck({ purchase }: Told): { avs_result: string; declines?: DeclineCode } {
  const billing = purchase?.billing
  const { zip } = (billing ?? {}) as { zip?: unknown }
  return (typeof zip === 'string' && Object.hasOwn(postcodes, zip) && postcodes[zip]) || RIGHT
}
