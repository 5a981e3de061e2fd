// What Braintree keeps of what a payment was paid with, and whose it is.

import type { Account } from '../books.ts'
import type { Document, Payment } from '../records.ts'

export type Owner = Document & { object: 'braintree_owner'; customer: string }

/** What a payment has left behind, which is charged again by its name. */
export function keptOf({ documents }: Account, { id, store }: Payment): object | null {
  if (!store) return null
  const owner = documents.get(`owner_${id}`) as Owner | undefined
  const name = id.replace('auth_', 'paymentmethod_')
  const customer = owner ? { id: owner.customer, legacyId: owner.customer } : null
  return { __typename: 'PaymentMethod', id: name, legacyId: name, usage: 'MULTI_USE', customer }
}
