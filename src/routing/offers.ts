import type { ConnectorAccount, Merchant } from '../accounts/merchant.ts'
import { countries } from '../base/countries.ts'
import { type Currency, currencies } from '../base/currencies.ts'
import { connectors } from '../connectors/all.ts'
import { type Offer as ConnectorOffer, offerOf, type Requirement } from '../connectors/offer.ts'
import { type AnyFamily, familyNamed } from '../instruments/families.ts'
import type { PaymentMethod } from '../instruments/methods.ts'
import { networks } from '../instruments/networks.ts'
import type { CheckName } from './eligibility-checks.ts'
import { accountsFor, enabledTypes } from './eligible.ts'
import { accepts, type MethodType } from './enabled-methods.ts'
import { enabledIn } from './known.ts'
import { plainRoutingContext, type RoutingContext } from './routing-context.ts'

/** Found by the same checks as a payment's account, so that no method is offered and then refused. Pure. */

/** A null criterion is unknown or does not apply. */
export type Sought = {
  profile_id: string
  /** Null if there is no payment. */
  routingContext: RoutingContext | null
  /** The method must allow off-session charges later. */
  off_session: boolean
  types: readonly string[] | null
  filters: OfferFilters
}

/** For one of these countries, in one of these currencies, and so on. */
export type OfferFilters = {
  accepted_countries?: readonly string[]
  accepted_currencies?: readonly string[]
  amount?: number
  card_networks?: readonly string[]
  recurring_enabled?: boolean
  installment_payment_enabled?: boolean
}

/** `card_network`: null for methods without networks. */
type Offer = {
  account: ConnectorAccount
  family: AnyFamily
  payment_method_type: string
  card_network: string | null
  config: MethodType | null
  row: ConnectorOffer | null
}

// biome-ignore format: a list reads better in rows
const UNKNOWN: ReadonlySet<CheckName> = new Set([
  'set_up', 'currency', 'payer_country', 'limits', 'required', 'counting', 'accepted_currencies', 'accepted_countries',
  'amount',
])
/** A checkout asks its customer for required data. */
const KNOWN: ReadonlySet<CheckName> = new Set(['required'])

export function offers(merchant: Merchant, sought: Sought): Offer[] {
  const { profile_id, routingContext, types, filters } = sought
  const found: Offer[] = []
  const among = routingContext ? { connectorAccounts: accountsFor(merchant, routingContext) } : merchant
  for (const account of enabledIn(among, profile_id)) {
    const read = (connectors[account.connector_name]?.accepts.methods ?? [])
      .flatMap(name => familyNamed(name) ?? [])
      .filter(({ atCheckout }) => atCheckout !== false)
    for (const family of read) {
      const wanted = family.types.filter(type => types === null || types.includes(type))
      for (const payment_method_type of wanted) {
        for (const card_network of family.method === 'card' ? (filters.card_networks ?? networks) : [null]) {
          const asked = {
            ...(routingContext ?? { ...nothing, profile_id }),
            family: family.is,
            payment_method: family.method,
            payment_method_type,
            card_network,
            card_networks: null,
          }
          const row = offerOf(connectors[account.connector_name]?.accepts, family.is, payment_method_type) ?? null
          const enabled = enabledTypes(account, asked, routingContext ? KNOWN : UNKNOWN).filter(type =>
            passes({ account, family, payment_method_type, card_network, config: type, row }, sought),
          )
          for (const one of enabled) found.push({ account, family, payment_method_type, card_network, config: one, row })
        }
      }
    }
  }
  return found
}

const nothing: RoutingContext = { ...plainRoutingContext, payment_id: '', profile_id: '', amount: 0, currency: 'USD' }

function passes(offer: Offer, { off_session, filters }: Sought): boolean {
  const { config } = offer
  const { accepted_countries, accepted_currencies, amount, recurring_enabled, installment_payment_enabled } = filters
  const some = (rule: Parameters<typeof accepts>[0], wanted: readonly string[] | undefined) =>
    wanted === undefined || wanted.some(one => accepts(rule, one))
  return (
    some(config?.accepted_countries, accepted_countries) &&
    some(config?.accepted_currencies, accepted_currencies) &&
    (amount === undefined || (amount >= (config?.minimum_amount ?? 0) && amount <= (config?.maximum_amount ?? Number.MAX_SAFE_INTEGER))) &&
    (recurring_enabled === undefined || recurring_enabled === recurs(offer)) &&
    (installment_payment_enabled === undefined || installment_payment_enabled === (config?.installment_payment_enabled ?? false)) &&
    !(off_session && (config ? config.recurring_enabled === false : offer.family.method !== 'card' && offer.row?.recurring === undefined))
  )
}

/** An account without a list allows all that its connector supports. */
function recurs({ account: { connector_name }, family, config, row }: Offer): boolean {
  // A method other than a card can be saved only if the connector's data about the type says so.
  if (family.method !== 'card' && row?.recurring === undefined) return false
  if (config) return config.recurring_enabled ?? false
  const { methods } = connectors[connector_name]!.accepts
  return row?.recurring !== undefined || methods.includes('stored_card') || methods.includes('network_transaction_id')
}

/** The lists name each connector once. */
export type Merged = {
  payment_method: PaymentMethod
  payment_method_type: string
  family: AnyFamily
  connectors: string[]
  networks: { card_network: string; connectors: string[] }[]
  experiences: { payment_experience: string; connectors: string[] }[]
  recurring_enabled: boolean
  installment_payment_enabled: boolean
  accepted_currencies: string[]
  accepted_countries: string[]
  minimum_amount: number | null
  maximum_amount: number | null
  /** Required by all of these connectors, beyond the data that the family needs. */
  requires: Requirement[]
}

/** Named by the accounts, else all of the type. */
function experiencesOf(same: readonly Offer[]): Merged['experiences'] {
  const all = same.flatMap(offer =>
    (offer.config?.payment_experience ? [offer.config.payment_experience] : offer.family.experiences(offer.payment_method_type)).map(
      seen => ({ seen, offer }),
    ),
  )
  return [...Map.groupBy(all, ({ seen }) => seen)].map(([payment_experience, its]) => ({
    payment_experience,
    connectors: namesOf(its.map(({ offer }) => offer)),
  }))
}

/** In the order of the table of families. */
export function merge(all: readonly Offer[]): Merged[] {
  const byType = Map.groupBy(all, ({ family, payment_method_type }) => `${family.method} ${payment_method_type}`)
  return [...byType.values()].map(same => {
    const [{ family, payment_method_type }] = same as [Offer]
    const types = same.map(offer => offer.config)
    const bound = (name: 'minimum_amount' | 'maximum_amount', widest: (...of: number[]) => number) =>
      types.every(type => type?.[name] !== undefined) ? widest(...types.map(type => type![name]!)) : null
    const onNetworks = same.filter(({ card_network }) => card_network !== null)
    return {
      payment_method: family.method,
      payment_method_type,
      family,
      connectors: namesOf(same),
      networks: [...Map.groupBy(onNetworks, offer => offer.card_network!)].map(([card_network, its]) => ({
        card_network,
        connectors: namesOf(its),
      })),
      experiences: experiencesOf(same),
      recurring_enabled: same.some(recurs),
      installment_payment_enabled: types.some(type => type?.installment_payment_enabled === true),
      accepted_currencies: (Object.keys(currencies) as Currency[]).filter(one =>
        same.some(({ config, row }) => accepts(config?.accepted_currencies, one) && (row?.currencies?.includes(one) ?? true)),
      ),
      accepted_countries: countries.filter(one =>
        same.some(({ config, row }) => accepts(config?.accepted_countries, one) && (row?.countries?.includes(one) ?? true)),
      ),
      requires: (same[0]!.row?.requires ?? []).filter(one => same.every(({ row }) => row?.requires?.includes(one))),
      minimum_amount: bound('minimum_amount', Math.min),
      maximum_amount: bound('maximum_amount', Math.max),
    }
  })
}

const namesOf = (some: readonly Offer[]): string[] => [...new Set(some.map(({ account }) => account.connector_name))]
