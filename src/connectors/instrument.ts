import type { Secret } from '../base/secret.ts'

/**
 * What is paid with, as connectors get it: one member for each family. A connector names the families it takes in
 * `accepts.methods`, and no other reaches it.
 *
 * Cards have a shape of their own. Everything else is an `Other`: another family is its name here, an entry in
 * `instruments/families.ts` that says what a request brings of it, and the connectors that speak it.
 */
export type PaymentInstrument = Card | StoredCard | AgreedCard | { [F in OtherFamily]: Other<F> }[OtherFamily]

/** A card by its number. `network`: on which of several it is to be used, if its holder chose one. */
export type Card = {
  is: 'card'
  number: Secret
  exp_month: number
  exp_year: number
  cvc: Secret | null
  holder: string | null
  network?: string
}

/**
 * A card that the processor keeps: its name for it (a mandate, a payment method), and for the customer, where it has
 * one. `of`: what it is instead, where it is no card.
 */
export type StoredCard = { is: 'stored_card'; reference: string; customer: string | null; cvc: Secret | null; of?: Other }

/**
 * A card whose holder agreed to be charged later: the network knows that by the id of the first transaction, at
 * whichever processor it was. There is no security code.
 */
export type AgreedCard = Omit<Card, 'is' | 'cvc' | 'network'> & { is: 'network_transaction_id'; network_transaction_id: string }

/** The families of the interface besides cards. */
export const otherFamilies = [
  'wallet',
  'pay_later',
  'bank_redirect',
  'bank_debit',
  'bank_transfer',
  'card_redirect',
  'crypto',
  'upi',
  'voucher',
  'gift_card',
  'reward',
  'real_time_payment',
  'mobile_payment',
  'network_token',
] as const
export type OtherFamily = (typeof otherFamilies)[number]

/**
 * Anything but a card. `type`: the interface's payment_method_type. `way`: which of the family's ways it is paid in
 * (`paypal_redirect`, `ideal`): what a request names it by. `open`: what is not confidential (a bank, a country);
 * `secrets`: the rest (account numbers, tokens, names). Both by the names of the interface, those within others with
 * dots. `network_transaction_id`: of a network token whose holder is not there, the network's id of the payment in
 * which they agreed; only connectors that take both families get it.
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

/**
 * Whereto money is paid out: one member for each of the interface's payout types. A connector names those that it
 * pays out to in `accepts.recipients`. `type`: the interface's payout_method_type.
 */
export type Recipient =
  | { is: 'card'; type: string | null; number: Secret; exp_month: number; exp_year: number; holder: string | null }
  /**
   * `account`: the IBAN, the number of the account, or what stands for it (a Pix key). `bank_code`: routing number,
   * sort code, branch.
   */
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
  /**
   * `account`: by what the wallet knows them (an e-mail address, a telephone number, an id); of a wallet that gave
   * the number of a card, that.
   */
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
  /**
   * Whom the processor knows already. `account`: what it calls them; `customer`: whose that is there. `type`: how the
   * merchant says they are paid.
   */
  | { is: 'passthrough'; type: string; account: Secret; customer: string | null; holder: null }
export type BankScheme = 'ach' | 'bacs' | 'sepa_bank_transfer' | 'pix' | 'pix_key' | 'pix_emv' | 'trustly' | 'open_banking'
export type WalletName = 'paypal' | 'venmo' | 'apple_pay' | 'google_pay'

export type RecipientName = Recipient['is']

/** What an operation may need that no row keeps in clear: what is paid with, or whereto is paid out. */
export type Instrument = PaymentInstrument | Recipient
/** The means of one family, or of several. */
export type InstrumentOf<F extends FamilyName> = { [Name in FamilyName]: Extract<PaymentInstrument, { is: Name }> }[F]

export const isOther = (instrument: PaymentInstrument): instrument is Extract<PaymentInstrument, { way: string }> => 'way' in instrument
