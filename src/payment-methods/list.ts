import Type from 'typebox'
import type { Merchant } from '../accounts/merchant.ts'
import { currencies } from '../base/currencies.ts'
import { country } from '../base/shapes.ts'
import type { Context } from '../context.ts'
import type { CustomerRow } from '../customers/customer.ts'
import { networks } from '../instruments/networks.ts'
import { type Merged, merge, type OfferFilters, offers } from '../routing/offers.ts'
import { findMethods, isPayable, isUsable, type Method } from './method.ts'
import type { SavedCards } from './saved-cards.ts'
import { makeTokens } from './tokens.ts'

const option = Type.Optional

export const methodsQuery = Type.Object({
  client_secret: option(Type.String()),
  accepted_countries: option(Type.Array(country, { description: 'Payment methods available in one of these countries' })),
  accepted_currencies: option(
    Type.Array(Type.Enum(Object.keys(currencies)), { description: 'Payment methods available in one of these currencies' }),
  ),
  amount: option(Type.Integer({ minimum: 0, description: 'Payment methods that accept this amount' })),
  recurring_enabled: option(Type.Boolean()),
  installment_payment_enabled: option(Type.Boolean()),
  limit: option(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'Maximum number of saved payment methods; the default and the last used come first',
    }),
  ),
  card_networks: option(Type.Array(Type.Enum(networks))),
  card_network: option(Type.Array(Type.Enum(networks), { description: 'Alias of card_networks' })),
})
export type MethodsQuery = Type.Static<typeof methodsQuery>

export type ListedPaymentMethod = { method: Method; payment_token: string; isDefault: boolean }

export function offerFilters({ card_networks, card_network, client_secret: _, limit: __, ...filters }: MethodsQuery): OfferFilters {
  return { ...filters, ...((card_networks || card_network) && { card_networks: [...(card_networks ?? []), ...(card_network ?? [])] }) }
}

/** The default first, then the last used; for a checkout those that can be paid with and that an account accepts. */
export async function listMethods(
  { context, saved }: { context: Context; saved: Pick<SavedCards, 'writeDown'> },
  { merchant, profile_id, viewer }: { merchant: Merchant; profile_id: string | null; viewer: 'server' | 'client' },
  customer: CustomerRow,
  query: MethodsQuery,
): Promise<ListedPaymentMethod[]> {
  // Saved payment methods cannot be paid in installments in this version.
  if (query.installment_payment_enabled) return []
  // The uses that this process has not written yet count as well.
  await saved.writeDown()
  const { card_networks: wanted = null, recurring_enabled: _ofMethods, ...filters } = offerFilters(query)
  const { accepted_countries, accepted_currencies, amount } = filters
  const asks = accepted_countries !== undefined || accepted_currencies !== undefined || amount !== undefined
  const offered =
    asks && profile_id !== null
      ? merge(offers(merchant, { profile_id, routingContext: null, off_session: false, types: null, filters }))
      : null
  // Methods for payouts, and mere records, are not listed in a checkout.
  const isTaken = (method: Method) =>
    !isPayable(method) ? viewer === 'server' && !asks : offered === null || offered.some(one => takes(one, method))
  const { default_payment_method_id } = customer
  const isDefault = ({ payment_method_id }: Method) => payment_method_id === default_payment_method_id
  const found = (await findMethods(context, customer.merchant_id, customer.customer_id))
    .filter(
      method =>
        isUsable(method) &&
        isTaken(method) &&
        (query.recurring_enabled === undefined || query.recurring_enabled === (method.recurring?.usage === 'off_session')) &&
        (wanted === null || wanted.includes(method.masked?.card_network ?? '')),
    )
    .sort((a, b) => Number(isDefault(b)) - Number(isDefault(a)) || (a.last_used_at < b.last_used_at ? 1 : -1))
    .slice(0, query.limit)
  const tokens = await makeTokens(context, found)
  return found.map((method, i) => ({ method, payment_token: tokens[i]!, isDefault: isDefault(method) }))
}

const takes = (one: Merged, { payment_method, payment_method_type, masked }: Method): boolean =>
  one.payment_method === payment_method &&
  (payment_method_type === null || one.payment_method_type === payment_method_type) &&
  (!masked?.card_network || one.networks.some(({ card_network }) => card_network === masked.card_network))
