import type { Merchant } from '../accounts/merchant.ts'
import { merchantDisplayName } from '../accounts/profile-settings.ts'
import { linkConfigOf, waysOf } from '../payouts/link.ts'
import type { Payout } from '../payouts/payout.ts'

/** A payout as its recipient sees it: on its link's page, and in a browser that queries it. */

/** The end of a number, or the beginning of an address; null if the payout has no recipient. */
export function maskedRecipient({ recipient }: Pick<Payout, 'recipient'>): string | null {
  if (recipient === null) return null
  const { last4, ...shown } = recipient.shown
  if (typeof last4 === 'string') return `•••• ${last4}`
  const texts = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : value === null || value === undefined ? [] : Object.values(value).flatMap(texts)
  const inside = Object.values(shown).find(one => typeof one === 'object' && one !== null && 'last4' in one) as
    | { last4: string }
    | undefined
  return inside ? `•••• ${inside.last4}` : (texts(shown).find(text => text.includes('*')) ?? null)
}

/** Used if the recipient enters no other; null: the recipient must enter one. */
export const knownRecipient = (payout: Payout): string | null =>
  payout.recipient && payout.recipient.is === payout.payout_type ? maskedRecipient(payout) : null

export function showForRecipient(merchant: Merchant, payout: Payout) {
  const { payout_id, status, amount, currency, payout_type, expires_on, request } = payout
  return {
    payout_id,
    status,
    amount,
    currency,
    payout_type: payout_type ?? null,
    description: request.description ?? null,
    merchant_name: linkConfigOf(merchant, payout).merchant_name ?? merchantDisplayName(merchant),
    masked_payout_method: maskedRecipient(payout),
    has_payout_method: knownRecipient(payout) !== null,
    expires_on,
    payout_methods_enabled: waysOf(merchant, payout).map(({ is, type, place, fixed, asks, option }) => ({
      payout_type: is,
      payout_method_type: type,
      path: place,
      fixed_fields: fixed,
      required_fields: [...asks],
      optional_fields: [...option],
    })),
  }
}
