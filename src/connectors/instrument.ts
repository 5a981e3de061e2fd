import type { Secret } from '../base/secret.ts'

/**
 * A payment method as connectors receive it, one member for each family. A connector lists the families that it takes
 * in `accepts.methods` and receives no others.
 *
 * Cards have a type of their own. All other families are an `Other`: a new family is a name in this file, an entry in
 * `instruments/families.ts` that defines which of its data a request contains, and the connectors that support it.
 */
export type PaymentInstrument = Card | StoredCard | AgreedCard | { [F in OtherFamily]: Other<F> }[OtherFamily]

/** `network`: chosen by the cardholder, if the card belongs to several. */
export type Card = {
  is: 'card'
  number: Secret
  exp_month: number
  exp_year: number
  cvc: Secret | null
  holder: string | null
  network?: string
}

/** `reference`: a mandate or payment method at the processor. `of`: the saved payment method, if it is not a card. */
type StoredCard = { is: 'stored_card'; reference: string; customer: string | null; cvc: Secret | null; of?: Other }

/** The network recognizes the agreement by the id of the first transaction, at any processor. No security code. */
export type AgreedCard = Omit<Card, 'is' | 'cvc' | 'network'> & { is: 'network_transaction_id'; network_transaction_id: string }

// biome-ignore format: a list reads better in rows
export const otherFamilies = [
  'wallet', 'pay_later', 'bank_redirect', 'bank_debit', 'bank_transfer', 'card_redirect', 'crypto', 'upi', 'voucher',
  'gift_card', 'reward', 'real_time_payment', 'open_banking', 'mobile_payment', 'network_token',
] as const
export type OtherFamily = (typeof otherFamilies)[number]

/**
 * A payment method other than a card. `type`: its payment_method_type. `way`: the member of the request that contains
 * its data (`paypal_redirect`, `ideal`). `open`: the data that is not confidential (a bank, a country); `secrets`: all
 * other data (account numbers, tokens, names). Both have the API's member names, with dots for nested members.
 * `network_transaction_id`: the network's id of the payment in which the customer agreed to later charges, for a
 * network token that is charged without its holder; only connectors that take both families receive it.
 */
export type Other<F extends OtherFamily = OtherFamily> = {
  is: F
  type: string
  way: string
  open: Readonly<Record<string, string>>
  secrets: Readonly<Record<string, Secret>>
  network_transaction_id?: string
}

export type FamilyName = PaymentInstrument['is']

/** By payout type of the API (`accepts.recipients`). `type`: the payout_method_type. */
export type Recipient =
  | { is: 'card'; type: string | null; number: Secret; exp_month: number; exp_year: number; holder: string | null }
  /** `account`: IBAN, account number or its substitute (a Pix key). `bank_code`: routing number, sort code, branch. */
  | {
      is: 'bank'
      type: BankScheme
      account: Secret
      bank_code: string | null
      bank_name: string | null
      bic: string | null
      tax_id: string | null
      country: string | null
      holder: string | null
    }
  /** `account`: e-mail address, telephone number or id, or the card number, if the wallet gave one. */
  | {
      is: 'wallet'
      type: WalletName
      account: Secret
      by: 'email' | 'telephone_number' | 'paypal_id' | 'card'
      exp_month: number | null
      exp_year: number | null
      holder: string | null
    }
  | { is: 'bank_redirect'; type: 'interac' | 'open_banking_uk'; account: Secret; holder: string | null }
  /** Known to the processor already. `account`: its id of the payout method; `type`: as the merchant stated it. */
  | { is: 'passthrough'; type: string; account: Secret; customer: string | null; holder: null }
export type BankScheme = 'ach' | 'bacs' | 'sepa_bank_transfer' | 'pix' | 'pix_key' | 'pix_emv' | 'trustly' | 'open_banking'
export type WalletName = 'paypal' | 'venmo' | 'apple_pay' | 'google_pay'

export type RecipientName = Recipient['is']

/** Confidential data that no row stores in clear. */
export type Instrument = PaymentInstrument | Recipient
export type InstrumentOf<F extends FamilyName> = { [Name in FamilyName]: Extract<PaymentInstrument, { is: Name }> }[F]

export const isOther = (instrument: PaymentInstrument): instrument is Extract<PaymentInstrument, { way: string }> => 'way' in instrument
