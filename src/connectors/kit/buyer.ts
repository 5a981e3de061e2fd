import type { Conversation } from '../connector.ts'
import { type ConversationStep, callingCustomer, knownCustomer } from '../conversation.ts'
import type { Buyer, Purchase } from '../purchase.ts'
import type { ParsedReply, Refused } from './parse-reply.ts'

/** The buyer of a payment whose request names a saved customer without contact data. */

const hasDetails = ({ name, email, phone }: Buyer): boolean => name !== undefined || email !== undefined || phone !== undefined

/**
 * Returns the purchase with its buyer: as the request states it, or else as the customer is stored. `reference`: the
 * processor's id of the customer at this account, null if unknown. The stored customer is read only if the connector
 * wants the reference, or the request says nothing about the buyer.
 */
export function* boughtBy(
  purchase: Purchase | undefined,
  wants: 'buyer' | 'reference',
): Generator<ConversationStep, { purchase: Purchase | undefined; reference: string | null }, unknown> {
  const given = purchase?.buyer !== undefined && hasDetails(purchase.buyer)
  if (given && wants === 'buyer') return { purchase, reference: null }
  const known = yield* knownCustomer()
  if (known === null) return { purchase, reference: null }
  const { reference, ...buyer } = known
  if (given || !hasDetails(buyer)) return { purchase, reference }
  return { purchase: { ...purchase, buyer: { ...purchase?.buyer, ...buyer } }, reference }
}

/**
 * Finds or creates the customer at the processor, one for each customer of the merchant. The customer is created by
 * the first payment that needs it, looked up by later payments (`known`), and created anew if it was deleted at the
 * processor. Two concurrent first payments may create two: the later one counts.
 */
export function* customerThere<No extends Refused>(
  reference: string | null,
  known: (reference: string) => Conversation<ParsedReply<string, No>>,
  make: () => Conversation<ParsedReply<string, No>>,
): Conversation<ParsedReply<string, No>> {
  if (reference !== null) {
    const found = yield* known(reference)
    if (found.is !== 'refused' || found.as !== 'not_found') return found
  }
  const made = yield* make()
  if (made.is === 'answer') yield* callingCustomer(made.answer)
  return made
}
