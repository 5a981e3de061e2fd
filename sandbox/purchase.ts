// The issuer's check of the billing address. No other part of the purchase data decides anything.

import { type Behaviour, type CardName, cards, type DeclineCode } from './cards.ts'
import type { PurchaseDetails } from './records.ts'

/** The address check results of some postcodes. Every other postcode matches. */
const postcodes: Readonly<Record<string, { avs_result: string; declines?: DeclineCode; outcome: string }>> = {
  '00001': { avs_result: 'N', outcome: 'approved, and `avs_result` is N: neither address nor postcode match' },
  '00002': { avs_result: 'N', declines: 'avs_declined', outcome: 'declined `avs_declined` (`avs_result` N)' },
  '00003': { avs_result: 'U', outcome: 'approved, and `avs_result` is U: the issuer does not check addresses' },
}

const RIGHT = { avs_result: 'Y' } as const

/** Returns the result of the address check; `avs_result` is null if no address was sent. */
export function addressCheck({ purchase, card }: PurchaseDetails & { card: CardName }): {
  avs_result: string | null
  declines?: DeclineCode
} {
  const { zip, line1 } = (purchase?.billing ?? {}) as { zip?: unknown; line1?: unknown }
  if (typeof zip !== 'string' && typeof line1 !== 'string') return { avs_result: null }
  if ((cards[card].does as Behaviour).checks === 'postcode fails') return { avs_result: 'A' }
  return (typeof zip === 'string' && Object.hasOwn(postcodes, zip) && postcodes[zip]) || RIGHT
}

/**
 * Returns the result of the security code check for an approved card: M (match), N (no match), P (no code was sent).
 */
export const codeCheck = ({ card, cvc }: { card: CardName; cvc: unknown }): 'M' | 'N' | 'P' =>
  cvc !== 'sent' ? 'P' : (cards[card].does as Behaviour).checks === 'code fails' ? 'N' : 'M'
