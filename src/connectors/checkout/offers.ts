import { isRecord, isWord, readJson } from '../kit/read.ts'
import { shortened } from '../kit/text.ts'
import { familiesOf, type Offer, sepaCountries } from '../offer.ts'
import type { Place } from '../purchase.ts'
import type { CaptureMode } from '../verbs.ts'

/** checkout.com/docs, payment methods. Klarna has no row: it needs its own script, and new shops do not get it. */

/** Empty where absent. `mandate`: its id, and the time at which the payer accepted it. */
type CheckoutDetails = {
  parts: Readonly<Record<string, string | undefined>>
  payer: { name: string; email: string; place: Place | undefined }
  mandate: { id: string; accepted_at: string | undefined }
}

/** Or the wallet data that is first exchanged for a token. */
export type CheckoutSource = { type: string; [member: string]: string | object }
type Wallet = { wallet: { type: 'applepay' | 'googlepay'; token_data: object } }

export const isWallet = (source: CheckoutSource | Wallet): source is Wallet => typeof source.wallet === 'object'

/** Null if the data does not fit. */
type CheckoutRow = Omit<Offer, 'ways'> & { ways: Readonly<Record<string, (details: CheckoutDetails) => CheckoutSource | Wallet | null>> }

const by = (type: string) => () => ({ type })
const named =
  (type: string, payment_country: string) =>
  ({ payer: { name } }: CheckoutDetails) => ({ type, payment_country, account_holder_name: name })

/** Our API receives the encrypted data in Base64. */
function appleWallet({ parts }: CheckoutDetails): Wallet | null {
  const token_data = readJson(Buffer.from(parts.payment_data ?? '', 'base64').toString())
  return isRecord(token_data) && isWord(token_data.version) ? { wallet: { type: 'applepay', token_data } } : null
}

function googleWallet({ parts }: CheckoutDetails): Wallet | null {
  const token_data = readJson(parts['tokenization_data.token'] ?? '')
  return isRecord(token_data) && isWord(token_data.protocolVersion) ? { wallet: { type: 'googlepay', token_data } } : null
}

/** The mandate's id is our request id (35 characters, as SEPA allows). Its address is required (`requires`). */
function sepaSource({ parts: { iban = '', bank_account_holder_name }, payer: { name, place = {} }, mandate }: CheckoutDetails) {
  const { first_name, last_name, line1, line2, city, zip, country } = place
  const [first = '', ...others] = (bank_account_holder_name ?? name).split(' ')
  const isPayer = bank_account_holder_name === undefined && first_name && last_name
  const account_number = iban.replaceAll(' ', '').toUpperCase()
  return {
    type: 'sepa',
    country: account_number.slice(0, 2),
    account_number,
    currency: 'EUR',
    mandate_id: shortened(mandate.id, 35),
    ...(mandate.accepted_at !== undefined && { date_of_signature: mandate.accepted_at.slice(0, 10) }),
    account_holder: {
      first_name: shortened(isPayer ? first_name : first, 50),
      last_name: shortened(isPayer ? last_name : others.join(' '), 50),
      billing_address: {
        ...(line1 && { address_line1: shortened(line1, 200) }),
        ...(line2 && { address_line2: shortened(line2, 10) }),
        ...(city && { city: shortened(city, 35) }),
        ...(zip && { zip: shortened(zip, 16) }),
        ...(country && { country }),
      },
    },
  }
}

const held: readonly CaptureMode[] = ['automatic', 'manual', 'manual_multiple']
const atBank = { decided: 'by the customer' } as const

export const checkoutOffers = {
  // --- wallets
  paypal: { family: 'wallet', ways: { paypal_redirect: by('paypal') }, requires: ['lines'], ...atBank },
  twint: { family: 'wallet', ways: { twint_redirect: by('twint') }, countries: ['CH'], currencies: ['CHF'], ...atBank },
  apple_pay: { family: 'wallet', ways: { apple_pay: appleWallet }, capture: held, decided: 'at once' },
  google_pay: { family: 'wallet', ways: { google_pay: googleWallet }, capture: held, decided: 'at once' },

  // --- banks
  ideal: { family: 'bank_redirect', ways: { ideal: by('ideal') }, countries: ['NL'], currencies: ['EUR'], ...atBank },
  bancontact_card: {
    family: 'bank_redirect',
    ways: { bancontact_card: named('bancontact', 'BE') },
    countries: ['BE'],
    currencies: ['EUR'],
    requires: ['billing.name'],
    ...atBank,
  },
  eps: { family: 'bank_redirect', ways: { eps: by('eps') }, countries: ['AT'], currencies: ['EUR'], ...atBank },
  przelewy24: {
    family: 'bank_redirect',
    ways: { przelewy24: details => ({ ...named('p24', 'PL')(details), account_holder_email: details.payer.email }) },
    countries: ['PL'],
    currencies: ['EUR', 'PLN'],
    requires: ['billing.name', 'billing.email'],
    ...atBank,
  },

  // --- debits of bank accounts
  sepa: {
    family: 'bank_debit',
    ways: { sepa_bank_debit: sepaSource },
    countries: sepaCountries,
    currencies: ['EUR'],
    requires: ['billing.name', 'billing.address', 'billing.line2', 'acceptance'],
    decided: 'after days',
  },

  // --- bank transfers
  multibanco: {
    family: 'bank_transfer',
    ways: { multibanco_bank_transfer: named('multibanco', 'PT') },
    countries: ['PT'],
    currencies: ['EUR'],
    requires: ['billing.name'],
    ...atBank,
  },

  // --- cards, on a page of their network
  knet: { family: 'card_redirect', ways: { knet: by('knet') }, countries: ['KW'], currencies: ['KWD'], ...atBank },
  benefit: { family: 'card_redirect', ways: { benefit: by('benefit') }, countries: ['BH'], currencies: ['BHD'], ...atBank },
} as const satisfies Readonly<Record<string, CheckoutRow>>

export const offeredByCheckout = familiesOf(checkoutOffers)
export type CheckoutFamily = (typeof offeredByCheckout)[number]

export const checkoutRow = (type: string): CheckoutRow | null =>
  Object.hasOwn(checkoutOffers, type) ? checkoutOffers[type as keyof typeof checkoutOffers] : null
