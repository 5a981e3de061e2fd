import type { Secret } from '../base/secret.ts'

/**
 * A payment method as connectors receive it, one member for each family. A connector lists the families that it takes
 * in `accepts.methods` and receives no others.
 *
 * Cards have a type of their own. All other families are an `Other`: a new family is a name in this file, an entry in
 * `instruments/families.ts` that defines which of its data a request contains, and the connectors that support it.
 */
export type PaymentInstrument = Card | StoredCard | AgreedCard | { [F in OtherFamily]: Other<F> }[OtherFamily]

/** A card with its number. `network`: the network that the cardholder chose, if the card belongs to several. */
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
 * A card that the processor has saved. `reference`: the processor's id of the card (a mandate, a payment method);
 * `customer`: its id of the customer, if it has one. `of`: the saved payment method, if it is not a card.
 */
type StoredCard = { is: 'stored_card'; reference: string; customer: string | null; cvc: Secret | null; of?: Other }

/**
 * A card whose holder agreed to later charges. The card network recognizes the agreement by the id of the first
 * transaction, made at any processor. There is no security code.
 */
export type AgreedCard = Omit<Card, 'is' | 'cvc' | 'network'> & { is: 'network_transaction_id'; network_transaction_id: string }

/** The families of payment methods besides cards. */
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
  'open_banking',
  'mobile_payment',
  'network_token',
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

/**
 * The recipient of a payout, one member for each payout type of the API. A connector lists the recipients to which it
 * pays out in `accepts.recipients`. `type`: the payout_method_type.
 */
export type Recipient =
  | { is: 'card'; type: string | null; number: Secret; exp_month: number; exp_year: number; holder: string | null }
  /**
   * A bank account. `account`: the IBAN, the account number, or its substitute (a Pix key). `bank_code`: routing
   * number, sort code or branch.
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
   * A wallet. `account`: the id by which the wallet knows the recipient (an e-mail address, a telephone number, an
   * id), or the card number, if the wallet gave one.
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
   * A recipient that the processor knows already. `account`: the processor's id of the payout method; `customer`: its
   * id of the customer to whom that belongs. `type`: the kind of payout method, as the merchant stated it.
   */
  | { is: 'passthrough'; type: string; account: Secret; customer: string | null; holder: null }
export type BankScheme = 'ach' | 'bacs' | 'sepa_bank_transfer' | 'pix' | 'pix_key' | 'pix_emv' | 'trustly' | 'open_banking'
export type WalletName = 'paypal' | 'venmo' | 'apple_pay' | 'google_pay'

export type RecipientName = Recipient['is']

/**
 * The confidential data that an operation may need and no row stores in clear: the payment method, or the recipient of
 * a payout.
 */
export type Instrument = PaymentInstrument | Recipient
/** The payment methods of one or several families. */
export type InstrumentOf<F extends FamilyName> = { [Name in FamilyName]: Extract<PaymentInstrument, { is: Name }> }[F]

export const isOther = (instrument: PaymentInstrument): instrument is Extract<PaymentInstrument, { way: string }> => 'way' in instrument
