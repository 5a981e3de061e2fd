import type { Card } from '../instrument.ts'
import { looksLikeEmail, nameIn, shortened } from '../kit/purchase-text.ts'
import type { Place, Purchase } from '../purchase.ts'

/**
 * What Stripe is told of who buys what. What it would refuse (an address for e-mail that is none) is left out: a
 * customer is not turned away for what only describes.
 */

const addressOf = ({ line1, line2, city, state, zip, country }: Place) => ({
  ...(line1 && { line1: shortened(line1, 500) }),
  ...(line2 && { line2: shortened(line2, 500) }),
  ...(city && { city }),
  ...(state && { state }),
  ...(zip && { postal_code: zip }),
  ...(country && { country }),
})

const phoneOf = (phone: string | undefined): string | undefined => (phone !== undefined && phone.length <= 20 ? phone : undefined)

/** Of whom a card is: its holder, and who pays with it. */
export function billingDetails({ holder }: Pick<Card, 'holder'>, purchase: Purchase | undefined) {
  const { billing = {}, buyer = {} } = purchase ?? {}
  const name = holder ?? nameIn(billing) ?? buyer.name
  const email = [billing.email, buyer.email].find(looksLikeEmail)
  const phone = phoneOf(billing.phone ?? buyer.phone)
  const address = addressOf(billing)
  const details = {
    ...(name && { name }),
    ...(email && { email }),
    ...(phone && { phone }),
    ...(Object.keys(address).length > 0 && { address }),
  }
  return Object.keys(details).length > 0 ? { billing_details: details } : {}
}

/** What an intent says of what is bought, and where it goes: only with a recipient's name, which Stripe requires. */
export function ofIntent(purchase: Purchase | undefined) {
  if (!purchase) return {}
  const { description, shipping = {}, buyer = {} } = purchase
  const name = nameIn(shipping) ?? buyer.name
  const address = addressOf(shipping)
  const phone = phoneOf(shipping.phone)
  return {
    ...(description && { description: shortened(description, 1000) }),
    ...(name && Object.keys(address).length > 0 && { shipping: { name, address, ...(phone && { phone }) } }),
  }
}

/** The merchant's own number of the order, where it is found again at Stripe. */
export const orderNote = ({ order_reference }: Purchase = {}) => (order_reference ? { order_reference } : {})
