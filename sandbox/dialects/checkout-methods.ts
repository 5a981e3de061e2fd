// The payment methods of Checkout.com other than cards: the members that each requires, and the shopper's action.

import { type CardName, cards } from '../cards.ts'
import { doneAs } from '../methods.ts'
import type { Course } from '../records.ts'
import type { Body } from '../requests.ts'
import { invalid, need, part, text } from './checkout-read.ts'

/**
 * A payment method. `takes`: members of its source besides the type; those with `!` are required. `items`: the request
 * must contain the items bought.
 */
export type CheckoutMethod = {
  family: string
  way: string
  course: Course
  currencies: readonly string[] | null
  takes?: string
  items?: true
  manual?: true
  settles_ms?: number
}

const redirect = { course: 'redirect' } as const
const euros = { currencies: ['EUR'] } as const

export const checkoutMethods: Readonly<Record<string, CheckoutMethod>> = {
  paypal: { family: 'wallet', way: 'paypal_redirect', ...redirect, currencies: null, takes: 'plan', items: true },
  twint: { family: 'wallet', way: 'twint_redirect', ...redirect, currencies: ['CHF'] },
  ideal: { family: 'bank_redirect', way: 'ideal', ...redirect, ...euros, takes: 'description! language' },
  bancontact: {
    family: 'bank_redirect',
    way: 'bancontact_card',
    ...redirect,
    ...euros,
    takes: 'payment_country! account_holder_name! billing_descriptor language',
  },
  eps: { family: 'bank_redirect', way: 'eps', ...redirect, ...euros, takes: 'purpose account_holder' },
  p24: {
    family: 'bank_redirect',
    way: 'przelewy24',
    ...redirect,
    currencies: ['EUR', 'PLN'],
    takes: 'payment_country! account_holder_name! account_holder_email! billing_descriptor',
  },
  multibanco: {
    family: 'bank_transfer',
    way: 'multibanco_bank_transfer',
    ...redirect,
    ...euros,
    takes: 'payment_country! account_holder_name! billing_descriptor',
  },
  sepa: {
    family: 'bank_debit',
    way: 'sepa_bank_debit',
    course: 'later',
    settles_ms: 5 * 24 * 3_600_000,
    ...euros,
    takes: 'country! account_number! currency! mandate_id mandate_type date_of_signature account_holder',
  },
  knet: { family: 'card_redirect', way: 'knet', ...redirect, currencies: ['KWD'], takes: 'language' },
  benefit: { family: 'card_redirect', way: 'benefit', ...redirect, currencies: ['BHD'] },
}

/** Checks the account holder of a direct debit. All five members of the address are required. */
export function debitedIn(source: Body): void {
  const holder = part(source, 'account_holder', 'type first_name last_name company_name billing_address')
  for (const name of ['first_name', 'last_name', 'company_name']) text(holder, name, 50)
  const address = part(holder, 'billing_address', 'address_line1 address_line2 city zip country')
  const most = { address_line1: 200, address_line2: 10, city: 35, zip: 16, country: 2 }
  for (const [name, length] of Object.entries(most)) need(address, name, length)
  text(source, 'mandate_id', 35)
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(need(source, 'account_number'))) throw invalid('account_number_invalid')
  if (!/^\d{4}-\d\d-\d\d$/.test(text(source, 'date_of_signature') ?? '2000-01-01')) throw invalid('date_of_signature_invalid')
}

/**
 * The wallets whose data are exchanged for a token, with the member whose last digits select the behavior, as those of
 * a test card do.
 */
const wallets = { applepay: ['apple_pay', 'data'], googlepay: ['google_pay', 'signedMessage'] } as const
export type WalletType = keyof typeof wallets
export const isWalletType = (type: unknown): type is WalletType => typeof type === 'string' && Object.hasOwn(wallets, type)

/**
 * Returns the token for a wallet's data. The token contains its behavior, because the public key that requests it has
 * no ledger.
 */
export const tokenOf = (type: WalletType, data: Readonly<Record<string, unknown>>): string =>
  `tok_${type}_${doneAs({ data: String(data[wallets[type][1]] ?? '') })}`

export function walletBehind(token: string): { type: WalletType; card: CardName; method: CheckoutMethod } | null {
  const [, type, card] = /^tok_([a-z]+)_(\w+)$/.exec(token) ?? []
  if (!isWalletType(type) || card === undefined || !Object.hasOwn(cards, card)) return null
  return {
    type,
    card: card as CardName,
    method: { family: 'wallet', way: wallets[type][0], course: 'at once', currencies: null, manual: true },
  }
}
