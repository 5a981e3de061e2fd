import { type ConversationStep, knownCustomer } from '../conversation.ts'
import type { Buyer, Purchase } from '../purchase.ts'

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
