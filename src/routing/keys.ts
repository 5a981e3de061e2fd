import { countries } from '../base/countries.ts'
import { currencies } from '../base/currencies.ts'
import { cardDiscoveries } from '../instruments/card.ts'
import { familyNamed } from '../instruments/families.ts'
import { paymentMethodNames, paymentMethodTypes } from '../instruments/methods.ts'
import { networks } from '../instruments/networks.ts'
import type { Value } from './algorithm.ts'
import type { RoutingContext } from './routing-context.ts'

/**
 * The keys that a rule may compare (`lhs`). A `word` is in upper or lower case, a `text` may have a pattern, `type
 * of`: the payment's method type, if it has this method (`wallet equal paypal`).
 */
export type Key =
  | { is: 'number'; member: keyof RoutingContext }
  | { is: 'word'; member: keyof RoutingContext; word: Word; words: readonly string[] }
  | { is: 'text'; member: keyof RoutingContext; pattern?: RegExp; expected: string }
  | { is: 'type of'; method: string; word: Word; words: readonly string[] }
  | { is: 'metadata' }

/** Undefined if there is no such word. */
type Word = (written: string) => string | undefined

/** Finds a word by its spelling in any case, or by another name (`also`). */
function oneOf(values: readonly string[], also: Readonly<Record<string, string>> = {}): Word {
  const all = [...Object.entries(also), ...values.map(one => [one, one] as const)]
  const meant = new Map(all.map(([written, one]) => [written.toLowerCase(), one]))
  return written => meant.get(written.toLowerCase())
}

const word = (member: keyof RoutingContext, values: readonly string[], also?: Record<string, string>): Key => ({
  is: 'word',
  member,
  word: oneOf(values, also),
  words: values,
})

/** English names in the form of the ecosystem's programs: letters only. */
const names = new Intl.DisplayNames(['en'], { type: 'region' })
const letters = (name: string) => name.normalize('NFD').replace(/[^A-Za-z]/g, '')
const countryNames: Record<string, string> = {
  // ISO's short names, for countries that have another name in everyday English.
  ...{ UnitedStatesOfAmerica: 'US', UnitedKingdomOfGreatBritainAndNorthernIreland: 'GB', RussianFederation: 'RU', KoreaRepublic: 'KR' },
  ...{ VietNam: 'VN', IranIslamicRepublic: 'IR', TanzaniaUnitedRepublic: 'TZ', BoliviaPlurinationalState: 'BO', MoldovaRepublic: 'MD' },
  ...{ VenezuelaBolivarianRepublic: 'VE', SyrianArabRepublic: 'SY', TaiwanProvinceOfChina: 'TW', Czechia: 'CZ', BruneiDarussalam: 'BN' },
  ...Object.fromEntries(countries.map(code => [letters(names.of(code) ?? code), code])),
}
const countryWord = oneOf(countries, countryNames)

/** By code or English name. */
export const countryOf: Word = name => countryWord(name) ?? countryWord(letters(name))

const country = (member: keyof RoutingContext): Key => ({ is: 'word', member, word: countryOf, words: countries })

const text = (member: keyof RoutingContext): Key => ({ is: 'text', member, expected: 'text' })
const digits = (member: keyof RoutingContext, length: number): Key => ({
  is: 'text',
  member,
  pattern: new RegExp(`^\\d{${length}}$`),
  expected: `${length} digits`,
})

export const keys: Readonly<Record<string, Key>> = Object.assign(Object.create(null), {
  amount: { is: 'number', member: 'amount' },
  currency: word('currency', Object.keys(currencies)),
  payment_method: word('payment_method', paymentMethodNames),
  payment_method_type: word('payment_method_type', paymentMethodTypes),
  ...Object.fromEntries(
    paymentMethodNames.map(method => {
      const types = familyNamed(method)?.types ?? paymentMethodTypes
      return [method === 'card' ? 'card_type' : method, { is: 'type of', method, word: oneOf(types), words: types }]
    }),
  ),
  card_network: word('card_network', networks),
  card_bin: digits('card_bin', 6),
  extended_card_bin: digits('extended_card_bin', 8),
  card_discovery: word('card_discovery', cardDiscoveries),
  issuer_name: text('issuer_name'),
  issuer_country: country('issuer_country'),
  billing_country: country('billing_country'),
  business_country: country('business_country'),
  business_label: text('business_label'),
  customer_id: text('customer_id'),
  authentication_type: word('authentication_type', ['three_ds', 'no_three_ds']),
  capture_method: word('capture_method', ['automatic', 'manual', 'manual_multiple', 'scheduled', 'sequential_automatic']),
  setup_future_usage: word('setup_future_usage', ['on_session', 'off_session']),
  payment_type: word('payment_type', ['normal', 'new_mandate', 'setup_mandate', 'recurring_mandate', 'installment'], {
    non_mandate: 'normal',
    ppt_mandate: 'recurring_mandate',
  }),
  mandate_type: word('mandate_type', ['single_use', 'multi_use']),
  mandate_acceptance_type: word('mandate_acceptance_type', ['online', 'offline']),
  transaction_initiator: word('transaction_initiator', ['customer', 'merchant']),
  metadata: { is: 'metadata' },
})

export const valueTypes = {
  number: ['number', 'number_array', 'number_comparison_array'],
  word: ['enum_variant', 'enum_variant_array', 'str_value'],
  text: ['str_value', 'enum_variant', 'enum_variant_array'],
  'type of': ['enum_variant', 'enum_variant_array', 'str_value'],
  metadata: ['metadata_variant'],
} as const satisfies Record<Key['is'], readonly Value['type'][]>
