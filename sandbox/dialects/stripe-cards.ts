// Stripe's test payment methods. Its test cards are in the sandbox's own table (`../cards.ts`).

import { type CardName, cardOf, cards } from '../cards.ts'

/** The ids of payment methods that exist in every Stripe test account, with their card numbers. */
const testMethods: Record<string, string> = {
  pm_card_visa: '4242424242424242',
  pm_card_mastercard: '5555555555554444',
  pm_card_amex: '378282246310005',
  pm_card_chargeDeclined: '4000000000000002',
  pm_card_visa_chargeDeclined: '4000000000000002',
  pm_card_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_visa_chargeDeclinedInsufficientFunds: '4000000000009995',
  pm_card_chargeDeclinedLostCard: '4000000000009987',
  pm_card_chargeDeclinedStolenCard: '4000000000009979',
  pm_card_chargeDeclinedExpiredCard: '4000000000000069',
  pm_card_chargeDeclinedIncorrectCvc: '4000000000000127',
  pm_card_chargeDeclinedProcessingError: '4000000000000119',
  pm_card_threeDSecure2Required: '4000000000003220',
  pm_card_authenticationRequired: '4000002760003184',
  pm_card_createDispute: '4000000000000259',
  pm_card_pendingRefund: '4000000000007726',
  pm_card_refundFail: '4000000000005126',
}

export const testMethodNumber = (id: string): string | null => (Object.hasOwn(testMethods, id) ? testMethods[id]! : null)

/** Returns the parts of a card number that are stored. The number itself is not. */
export function meetCard(number: string): { card: CardName; masked: string; last4: string; brand: string } {
  return {
    card: cardOf(number),
    masked: `${number.slice(0, 6)}${'*'.repeat(number.length - 10)}${number.slice(-4)}`,
    last4: number.slice(-4),
    brand: brandOf(number),
  }
}

function brandOf(number: string): string {
  if (number.startsWith('4')) return 'visa'
  if (/^(5[1-5]|2[2-7])/.test(number)) return 'mastercard'
  if (/^3[47]/.test(number)) return 'amex'
  if (/^(6011|65|64)/.test(number)) return 'discover'
  return /^3[068]/.test(number) ? 'diners' : 'unknown'
}

/** Whether cards of this network can be captured several times, if requested. */
export const takesSeveralCaptures = (brand: string): boolean => brand === 'visa' || brand === 'mastercard' || brand === 'amex'

/**
 * Whether a refund to this card is reported as successful and fails later. (In the sandbox's own language the refund
 * is pending until then.)
 */
export const refundSucceedsFirst = (card: CardName): boolean => {
  const { does } = cards[card] as { does: { later?: { refund?: string } } }
  return does.later?.refund === 'refund_failed'
}
