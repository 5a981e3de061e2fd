import type { ConnectorAccount, Merchant } from '../accounts/merchant.ts'
import type { Currency } from '../base/currencies.ts'
import { connectors } from '../connectors/all.ts'
import { whyNotCounted } from '../connectors/counting.ts'
import type { FamilyName } from '../connectors/means.ts'

/** What routing may look at. What is null is not known, and stands against no account. */
export type Wish = {
  profile_id: string
  /** Of which family is what is paid with. Null: of none that is read, so nobody takes it. */
  means: FamilyName | null
  payment_method: string | null
  payment_method_type: string | null
  card_network: string | null
  /** The payer's. */
  country: string | null
  capture_method: string
  currency: string
  amount: number
  connector?: readonly string[] | undefined
}

type Accepted = { type: 'enable_only' | 'disable_only' | 'all_accepted'; list?: string[] }
type MethodType = {
  payment_method_type: string
  card_networks?: string[]
  accepted_currencies?: Accepted
  accepted_countries?: Accepted
  minimum_amount?: number
  maximum_amount?: number
}
type Enabled = { payment_method: string; payment_method_types?: MethodType[] }

const accepts = (rule: Accepted | undefined, value: string | null): boolean =>
  !rule || value === null || rule.type === 'all_accepted' || (rule.list ?? []).includes(value) === (rule.type === 'enable_only')

/** Something that one of the account's `payment_methods_enabled` says, or all of them if it says nothing (null). */
type Candidate = { account: ConnectorAccount; type: MethodType | null }

/** What stands between a payment and an account, and what is said of those that get no further. The order is the one in which a merchant would look. */
const hurdles: readonly { passes(candidate: Candidate, wish: Wish): boolean; says(wish: Wish, last: Candidate): string }[] = [
  { passes: ({ account }) => account.connector_type === 'payment_processor', says: () => 'the merchant has none' },
  { passes: ({ account }, wish) => account.profile_id === wish.profile_id, says: wish => `business profile ${wish.profile_id} has none` },
  { passes: ({ account }) => !account.disabled, says: () => 'all of them are disabled' },
  {
    passes: ({ account }, { connector }) => !connector || connector.length === 0 || connector.includes(account.connector_name),
    says: () => 'none is of a connector that the request names (connector)',
  },
  {
    passes: ({ account }, wish) => has(connectors[account.connector_name]?.accepts.methods, wish.means ?? ''),
    says: wish => `no connector of theirs has payment_method ${wish.payment_method}`,
  },
  {
    passes: ({ account }, wish) => has(connectors[account.connector_name]?.accepts.capture, captureOf(wish)),
    says: wish => `no connector of theirs has capture_method ${wish.capture_method}`,
  },
  {
    passes: ({ account }, wish) => whyNot(account, wish) === null,
    says: (wish, { account }) => `no connector of theirs takes this amount (${account.connector_name}: ${whyNot(account, wish)})`,
  },
  {
    passes: ({ type }) => type !== NOT_ENABLED,
    says: wish => `none is enabled for payment_method ${wish.payment_method} (payment_methods_enabled)`,
  },
  {
    passes: ({ type }, wish) => !type || wish.payment_method_type === null || type.payment_method_type === wish.payment_method_type,
    says: wish => `none is enabled for payment_method_type ${wish.payment_method_type}`,
  },
  {
    passes: ({ type }, { card_network }) =>
      !type?.card_networks?.length || card_network === null || type.card_networks.includes(card_network),
    says: wish => `none is enabled for cards of ${wish.card_network} (card_networks)`,
  },
  {
    passes: ({ type }, wish) => accepts(type?.accepted_currencies, wish.currency),
    says: wish => `none is enabled for ${wish.currency} (accepted_currencies)`,
  },
  {
    passes: ({ type }, wish) => accepts(type?.accepted_countries, wish.country),
    says: wish => `none is enabled for payers in ${wish.country} (accepted_countries)`,
  },
  {
    passes: ({ type }, { amount }) => amount >= (type?.minimum_amount ?? 0) && amount <= (type?.maximum_amount ?? Number.MAX_SAFE_INTEGER),
    says: wish => `none is enabled for an amount of ${wish.amount} (minimum_amount, maximum_amount)`,
  },
]

/** Why the account's processor cannot express the amount; null if it can. */
const whyNot = ({ connector_name }: ConnectorAccount, { amount, currency }: Wish): string | null =>
  whyNotCounted(connectors[connector_name]?.accepts.counting, { amount, currency: currency as Currency })

const has = (list: readonly string[] | undefined, word: string): boolean => list?.includes(word) ?? false
const captureOf = (wish: Wish): string => (wish.capture_method === 'sequential_automatic' ? 'automatic' : wish.capture_method)

/** Stands for a list that does not name the method at all. */
const NOT_ENABLED: MethodType = { payment_method_type: '' }

/** What the account is enabled for of this method. No list at all means everything the connector has. */
function typesOf(account: ConnectorAccount, wish: Wish): readonly (MethodType | null)[] {
  const enabled = account.details.payment_methods_enabled as Enabled[] | null | undefined
  if (!enabled) return ANY
  // A method may be named several times: what any of them allows is allowed.
  const methods = enabled.filter(one => one.payment_method === wish.payment_method)
  const types = methods.flatMap<MethodType | null>(method => method.payment_method_types ?? ANY)
  return types.length > 0 ? types : [NOT_ENABLED]
}
const ANY = [null]

/**
 * The connector accounts that could take this payment, best first: in the order in which they were added. `connector` of the request is a filter, not an order. A pure function of its
 * arguments, so that a choice can be explained and replayed.
 */
export const choose = (merchant: Merchant, wish: Wish): ConnectorAccount[] =>
  merchant.connectorAccounts.filter(account =>
    typesOf(account, wish).some(type => {
      const candidate = { account, type }
      return hurdles.every(hurdle => hurdle.passes(candidate, wish))
    }),
  )

/** Why no account takes this payment: the hurdle that none of those who come so far passes. */
export function whyNone(merchant: Merchant, wish: Wish): string {
  let left = merchant.connectorAccounts.flatMap(account => typesOf(account, wish).map(type => ({ account, type })))
  let last = left
  const hurdle = hurdles.find(({ passes }) => {
    last = left
    left = left.filter(candidate => passes(candidate, wish))
    return left.length === 0
  })
  if (!hurdle) throw new Error('an account takes this payment')
  return hurdle.says(wish, last[0]!)
}
