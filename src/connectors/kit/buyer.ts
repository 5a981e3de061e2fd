import type { Conversation } from '../connector.ts'
import { type ConversationStep, callingCustomer, knownCustomer } from '../conversation.ts'
import type { Buyer, Purchase } from '../purchase.ts'
import type { ParsedReply, Refused } from './parse-reply.ts'

/** Who pays, where a request names a stored customer and says no more of them. */

const isSaid = ({ name, email, phone }: Buyer): boolean => name !== undefined || email !== undefined || phone !== undefined

/**
 * What is bought, with its buyer: as the request says them, else as they are stored. `reference`: what the processor
 * calls them at this account. They are asked for only where that is wanted, or the request says nothing of them.
 */
export function* boughtBy(
  purchase: Purchase | undefined,
  wants: 'buyer' | 'reference',
): Generator<ConversationStep, { purchase: Purchase | undefined; reference: string | null }, unknown> {
  const said = purchase?.buyer !== undefined && isSaid(purchase.buyer)
  if (said && wants === 'buyer') return { purchase, reference: null }
  const known = yield* knownCustomer()
  if (known === null) return { purchase, reference: null }
  const { reference, ...buyer } = known
  if (said || !isSaid(buyer)) return { purchase, reference }
  return { purchase: { ...purchase, buyer: { ...purchase?.buyer, ...buyer } }, reference }
}

/**
 * One customer at the processor for each that the merchant keeps: made with what is first kept of them, looked for by
 * later payments (`known`), and made anew where they were deleted there. Two first payments at once may make two: the
 * later one counts.
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
