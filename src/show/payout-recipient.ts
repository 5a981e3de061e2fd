import type { Merchant } from '../accounts/merchant.ts'
import { merchantDisplayName } from '../accounts/profile-settings.ts'
import { linkConfigOf, waysOf } from '../payouts/link.ts'
import type { Payout } from '../payouts/payout.ts'

/** A payout as its recipient sees it: on its link's page, and in a browser that asks for it. */

/** Whereto it goes, as it is masked: the end of a number, the beginning of an address; null if nothing was said. */
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

/** Whereto it goes if its recipient says nothing else, masked; null: they must say it. */
export const knownRecipient = (payout: Payout): string | null =>
  payout.recipient && payout.recipient.is === payout.payout_type ? maskedRecipient(payout) : null

/** All that a recipient's page needs in one answer: the payout, and the ways in which they may be paid. */
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
    payout_methods_enabled: waysOf(merchant, payout).map(({ is, type, place, said, asks, option }) => ({
      payout_type: is,
      payout_method_type: type,
      path: place,
      fixed_fields: said,
      required_fields: [...asks],
      optional_fields: [...option],
    })),
  }
}
