import type { Conversation } from '../connector.ts'
import { type ConversationStep, knownCustomer, notingCustomer } from '../conversation.ts'
import type { Buyer, Purchase } from '../purchase.ts'
import type { ParsedReply, Refused } from './parse-reply.ts'

const hasDetails = ({ name, email, phone }: Buyer): boolean => name !== undefined || email !== undefined || phone !== undefined

/** As the request states the buyer, or else as the customer is stored, who is read only if needed. */
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

/** Created by the first payment that needs it, anew if deleted. Of two concurrent first payments the later counts. */
export function* customerThere<No extends Refused>(
  reference: string | null,
  known: (reference: string) => Conversation<ParsedReply<string, No>>,
  make: () => Conversation<ParsedReply<string, No>>,
  isStored = true,
): Conversation<ParsedReply<string, No>> {
  if (reference !== null) {
    const found = yield* known(reference)
    if (found.is !== 'refused' || found.as !== 'not_found') return found
  }
  const made = yield* make()
  if (made.is === 'answer' && isStored) yield* notingCustomer(made.answer)
  return made
}
