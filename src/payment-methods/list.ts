import Type from 'typebox'
import { refuse } from '../base/refusal.ts'
import type { CustomerRow } from '../customers/customer.ts'
import { networks } from '../means/networks.ts'
import type { World } from '../world.ts'
import { findMethods, isUsable, type Method } from './method.ts'
import { makeTokens } from './tokens.ts'

const option = Type.Optional

export const methodsQuery = Type.Object({
  client_secret: option(Type.String()),
  accepted_countries: option(Type.Array(Type.String())),
  accepted_currencies: option(Type.Array(Type.String())),
  amount: option(Type.Integer({ minimum: 0 })),
  recurring_enabled: option(Type.Boolean()),
  installment_payment_enabled: option(Type.Boolean()),
  limit: option(Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'How many, default and last used first' })),
  card_networks: option(Type.Array(Type.Enum(networks))),
  card_network: option(Type.Array(Type.Enum(networks), { description: 'The same as card_networks' })),
})
export type MethodsQuery = Type.Static<typeof methodsQuery>

/** A saved payment method in a list, with the token that stands for it in a checkout. */
export type Listed = { method: Method; payment_token: string; isDefault: boolean }

/** What a customer can pay with: the default first, then those used last. Refuses (IR_19) filters that this version does not have. */
export async function listMethods(world: World, customer: CustomerRow, query: MethodsQuery): Promise<Listed[]> {
  for (const member of ['accepted_countries', 'accepted_currencies', 'amount'] as const)
    if (query[member] !== undefined) refuse('not_supported', { words: `${member} is not supported by this version` })
  // None is paid by instalments in this version.
  if (query.installment_payment_enabled) return []
  const wanted = query.card_networks || query.card_network ? [...(query.card_networks ?? []), ...(query.card_network ?? [])] : null
  const { default_payment_method_id } = customer
  const isDefault = ({ payment_method_id }: Method) => payment_method_id === default_payment_method_id
  const found = (await findMethods(world, customer.merchant_id, customer.customer_id))
    .filter(
      method =>
        isUsable(method) &&
        (!query.recurring_enabled || method.recurring?.usage === 'off_session') &&
        (wanted === null || wanted.includes(method.seen?.card_network ?? '')),
    )
    .sort((a, b) => Number(isDefault(b)) - Number(isDefault(a)) || (a.last_used_at < b.last_used_at ? 1 : -1))
    .slice(0, query.limit)
  const tokens = await makeTokens(world, found)
  return found.map((method, i) => ({ method, payment_token: tokens[i]!, isDefault: isDefault(method) }))
}
