import type { Secret } from '../base/secret.ts'

/**
 * What is paid with, as connectors get it: one member for each family. A connector names the families it takes in `accepts.methods`, and no other reaches it.
 *
 * Another family is a member here, an entry in `means/families.ts` that says where a request brings it and how it is read, shown and sealed, and the connectors that speak it. `type`: the interface's
 * payment_method_type.
 */
export type Means =
  | Card
  | StoredCard
  | AgreedCard
  /** What the wallet gave the shop for this payment; without it the customer is sent to the wallet. */
  | { is: 'wallet'; type: string; token: Secret | null }
  /** The customer approves at a bank. `bank`: the one chosen, in the interface's words; without it the processor asks. */
  | { is: 'bank_redirect'; type: string; bank: string | null }
  /** A bank account that is drawn on. `account`: the IBAN, or the number beside `bank_code` (routing number, sort code, BSB). */
  | { is: 'bank_debit'; type: string; account: Secret; bank_code: string | null; holder: string | null }
  /** The customer transfers the money; the processor says where to. */
  | { is: 'bank_transfer'; type: string; bank: string | null }
  /** What the lender gave the shop for this payment; without it the customer is sent to the lender. */
  | { is: 'pay_later'; type: string; token: Secret | null }

/** A card by its number. */
export type Card = { is: 'card'; number: Secret; exp_month: number; exp_year: number; cvc: Secret | null; holder: string | null }

/** A card that the processor keeps: its name for it (a mandate, a payment method), and for the customer, where it has one. */
export type StoredCard = { is: 'stored_card'; reference: string; customer: string | null; cvc: Secret | null }

/** A card whose holder agreed to be charged later: the network knows that by the id of the first transaction, at whichever processor it was. There is no security code. */
export type AgreedCard = Omit<Card, 'is' | 'cvc'> & { is: 'network_transaction_id'; network_transaction_id: string }

export type FamilyName = Means['is']

/** Whereto money is paid out: one member for each of the interface's payout types. A connector names those that it pays out to in `accepts.recipients`. `type`: the interface's payout_method_type. */
export type Recipient =
  | { is: 'card'; type: string | null; number: Secret; exp_month: number; exp_year: number; holder: string | null }
  /** `account`: the IBAN, the number of the account, or what stands for it (a Pix key). `bank_code`: routing number, sort code, branch. */
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
  /** `account`: by what the wallet knows them (an e-mail address, a telephone number, an id); of a wallet that gave the number of a card, that. */
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
export type BankScheme = 'ach' | 'bacs' | 'sepa_bank_transfer' | 'pix' | 'pix_key' | 'pix_emv' | 'trustly' | 'open_banking'
export type WalletName = 'paypal' | 'venmo' | 'apple_pay' | 'google_pay'

export type RecipientName = Recipient['is']

/** What an operation may need that no row keeps in clear: what is paid with, or whereto is paid out. */
export type Brought = Means | Recipient
/** The means of one family, or of several. */
export type MeansOf<F extends FamilyName> = { [Name in FamilyName]: Extract<Means, { is: Name }> }[F]
