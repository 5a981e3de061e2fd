import Type from 'typebox'
import { Secret } from '../base/secret.ts'
import { orNull, withDescription } from '../base/shapes.ts'
import type { Facts } from '../connectors/connector.ts'
import type { Card } from '../connectors/instrument.ts'
import type { CardFacts, Vault } from '../context.ts'
import type { Family } from './family.ts'
import { cardNetworkOf, checkNetwork, chosenOf } from './networks.ts'
import { type CardSent, cardShape, fullYear, readCard } from './read-card.ts'

/** At most the first eight and last four digits are shown and stored in clear (PCI DSS 3.4.1). */
export type MaskedCard = {
  last4: string
  card_isin: string
  card_extended_bin: string | null
  card_network: string | null
  card_type: string | null
  card_issuer: string | null
  card_issuing_country: string | null
  /** Two letters, present only if the imported BIN data has a name for the country as well. */
  card_issuing_country_code?: string
  /** Absent for a card with one network. */
  card_networks?: readonly string[]
  /** The cardholder of a co-badged card chose `card_network`. */
  network_chosen?: true
  card_exp_month: string
  card_exp_year: string
  card_holder_name: string | null
  nick_name: string | null
  fingerprint: string
}

/** No payment uses Click to Pay yet: existing clients may filter by it and get no results. */
export const cardDiscoveries = ['manual', 'saved_card', 'click_to_pay'] as const
export type CardDiscovery = (typeof cardDiscoveries)[number]

const REDACTED = 'Redacted'

const text = Type.String()
const textOrNull = orNull(text)

/** The results of AVS and security code in the ecosystem's words; processors give the networks' letters (`Facts`). */
const word = orNull(Type.Enum(['pass', 'fail', 'unavailable']))
const checksShape = Type.Object(
  { address_line1_check: word, address_postal_code_check: word, cvc_check: word },
  { title: 'PaymentChecks', description: 'null: not checked, because nothing was sent to check' },
)

const seen = Type.Object(
  {
    last4: withDescription(text, 'The last four digits'),
    card_isin: withDescription(text, 'The first six digits'),
    card_exp_month: withDescription(text, '01 to 12'),
    card_exp_year: withDescription(text, 'Two or four digits'),
    card_extended_bin: orNull(
      Type.String({ description: 'The first eight digits, if the business profile has is_extended_card_info_enabled' }),
    ),
    card_network: textOrNull,
    card_type: textOrNull,
    card_issuer: textOrNull,
    card_issuing_country: textOrNull,
    card_holder_name: textOrNull,
    payment_checks: orNull(checksShape),
    authentication_data: orNull(Type.Object({ eci: text })),
    auth_code: textOrNull,
    card_networks: Type.Optional(Type.Array(text, { description: 'Networks of a co-badged card' })),
    nick_name: Type.Optional(text),
  },
  { title: 'CardSeen', description: 'A masked card, without its full number' },
)

export const card: Family<Card, CardSent, MaskedCard> = {
  is: 'card',
  method: 'card',
  types: ['credit', 'debit'],
  needsType: false,
  at: 'payment_method_data.card',
  // Other card data that existing clients send is accepted and ignored.
  shape: Type.Object(cardShape.properties, { title: 'CardBrought' }),
  needs: () => [
    { required_field: 'payment_method_data.card.card_number', display_name: 'card_number', field_type: 'user_card_number' },
    { required_field: 'payment_method_data.card.card_exp_month', display_name: 'card_exp_month', field_type: 'user_card_expiry_month' },
    { required_field: 'payment_method_data.card.card_exp_year', display_name: 'card_exp_year', field_type: 'user_card_expiry_year' },
    { required_field: 'payment_method_data.card.card_cvc', display_name: 'card_cvc', field_type: 'user_card_cvc' },
  ],
  experiences: () => ['redirect_to_url'],
  sealed: ['payment_method_data.card.card_number'],
  fleeting: ['payment_method_data.card.card_cvc', 'payment_method_data.card_token.card_cvc', 'card_cvc'],
  read: (sent, now) => readCard(sent, now),
  bin: ({ number }) => number.reveal().slice(0, 8),
  informed(instrument, { card_network }, known, at) {
    if (at !== undefined) checkNetwork(card_network, known, `${at}.card_network`)
    const network = chosenOf(card_network, known)
    return network === null ? instrument : { ...instrument, network }
  },
  mask,
  forget: seen => ({ ...seen, card_holder_name: seen.card_holder_name && REDACTED, nick_name: seen.nick_name && REDACTED }),
  seal: ({ number, cvc }) => ({ lasting: number.reveal(), waiting: cvc?.reveal() ?? null }),
  open: ({ card_exp_month, card_exp_year, card_holder_name, card_network, network_chosen }, number, cvc) => ({
    is: 'card',
    number: new Secret(number),
    exp_month: Number(card_exp_month),
    exp_year: fullYear(card_exp_year),
    cvc: cvc === null ? null : new Secret(cvc),
    holder: card_holder_name,
    ...(network_chosen && card_network !== null && { network: card_network }),
  }),
  seen,
  show,
}

function mask(
  vault: Pick<Vault, 'fingerprint'>,
  merchant_id: string,
  card: Card,
  sent: CardSent,
  known: CardFacts | null = null,
): MaskedCard {
  const number = card.number.reveal()
  return {
    last4: number.slice(-4),
    card_isin: number.slice(0, 6),
    // With the first eight and last four digits of a short number visible, too few digits would be hidden.
    card_extended_bin: number.length >= 16 ? number.slice(0, 8) : null,
    // A co-badged card is used on the network that the cardholder chose.
    card_network: namedOf(sent.card_network, known) ?? known?.networks[0] ?? cardNetworkOf(number),
    card_type: sent.card_type ?? known?.card_type ?? null,
    card_issuer: sent.card_issuer ?? known?.issuer ?? null,
    card_issuing_country: sent.card_issuing_country ?? known?.country_name ?? known?.country ?? null,
    ...countryCodeOf(sent, known),
    ...(known && known.networks.length > 1 && { card_networks: known.networks }),
    ...(chosenOf(sent.card_network, known) !== null && { network_chosen: true as const }),
    // The expiry stays as it was sent, because clients compare it.
    card_exp_month: sent.card_exp_month,
    card_exp_year: sent.card_exp_year,
    card_holder_name: card.holder,
    nick_name: sent.nick_name ?? null,
    fingerprint: vault.fingerprint(merchant_id, number),
  }
}

/** As it was sent, else of the BIN data if its country is the one shown. */
function countryCodeOf(sent: CardSent, known: CardFacts | null): Pick<MaskedCard, 'card_issuing_country_code'> {
  const ofBin = sent.card_issuing_country === undefined && known?.country_name ? known.country : null
  const code = sent.card_issuing_country_code ?? ofBin
  return code ? { card_issuing_country_code: code } : {}
}

/** Undefined if it contradicts the BIN data of the number. */
const namedOf = (sent: string | undefined, known: CardFacts | null): string | undefined =>
  sent !== undefined && (!known || known.networks.includes(sent)) ? sent : undefined

/** One literal, because copying all members but the fingerprint takes seven times as long. */
function show(seen: MaskedCard, facts: Facts | null, extended = false): Record<string, unknown> {
  const shown: Record<string, unknown> = {
    last4: seen.last4,
    card_isin: seen.card_isin,
    card_extended_bin: extended ? seen.card_extended_bin : null,
    card_network: seen.card_network,
    card_type: seen.card_type,
    card_issuer: seen.card_issuer,
    card_issuing_country: seen.card_issuing_country,
    card_exp_month: seen.card_exp_month,
    card_exp_year: seen.card_exp_year,
    card_holder_name: seen.card_holder_name,
    payment_checks: showChecks(facts),
    authentication_data: facts?.eci === undefined ? null : { eci: facts.eci },
    auth_code: facts?.authorization_code ?? null,
  }
  // The ecosystem's clients do not know these members, so they are present only if they have a value.
  if (seen.card_networks) shown.card_networks = seen.card_networks
  if (seen.nick_name !== null) shown.nick_name = seen.nick_name
  return shown
}

type Word = 'pass' | 'fail' | 'unavailable'
type Address = readonly [line: Word, postcode: Word]

const bothPass: Address = ['pass', 'pass']
const nothingKnown: Address = ['unavailable', 'unavailable']

/** By the networks' letters, and by Adyen's digits where it has no letter. Any other value is `unavailable`. */
const addresses: Readonly<Record<string, Address>> = {
  ...{ Y: bothPass, X: bothPass, D: bothPass, M: bothPass, F: bothPass, 7: bothPass },
  ...{ A: ['pass', 'fail'], 1: ['pass', 'fail'], B: ['pass', 'unavailable'] },
  ...{ Z: ['fail', 'pass'], W: ['fail', 'pass'], 6: ['fail', 'pass'], P: ['unavailable', 'pass'] },
  ...{ N: ['fail', 'fail'], 2: ['fail', 'fail'] },
}
const codes: Readonly<Record<string, Word>> = { M: 'pass', 1: 'pass', N: 'fail', 2: 'fail' }

function showChecks(facts: Facts | null): Record<string, unknown> | null {
  const { avs_result, cvc_result } = facts ?? {}
  if (!avs_result && !cvc_result) return null
  const [line, postcode] = avs_result ? (addresses[avs_result] ?? nothingKnown) : [null, null]
  return {
    address_line1_check: line,
    address_postal_code_check: postcode,
    cvc_check: cvc_result ? (codes[cvc_result] ?? 'unavailable') : null,
  }
}
