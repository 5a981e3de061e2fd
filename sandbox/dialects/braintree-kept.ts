// The payment methods that Braintree stores with payments, and their customers.

import type { Account } from '../books.ts'
import type { Document, Payment } from '../records.ts'

export type Owner = Document & { object: 'braintree_owner'; customer: string }

/** Returns the payment method that a payment stored, which can be charged again by its id; null if none is stored. */
export function keptOf({ documents }: Account, { id, store }: Payment): object | null {
  if (!store) return null
  const owner = documents.get(`owner_${id}`) as Owner | undefined
  const name = id.replace('auth_', 'paymentmethod_')
  const customer = owner ? { id: owner.customer, legacyId: owner.customer } : null
  return { __typename: 'PaymentMethod', id: name, legacyId: name, usage: 'MULTI_USE', customer }
}
