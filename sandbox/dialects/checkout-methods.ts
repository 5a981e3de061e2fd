// Ways to pay at Checkout.com that are no card: what each wants to know, and what its shopper must do.

import { type CardName, cards } from '../cards.ts'
import { doneAs } from '../methods.ts'
import type { Course } from '../records.ts'

/**
 * `takes`: members of its source besides its type; those with `!` must be there. `items`: the request must say what is
 * bought.
 */
export type CheckoutMethod = {
  family: string
  way: string
  course: Course
  currencies: readonly string[] | null
  takes?: string
  items?: true
  manual?: true
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
  knet: { family: 'card_redirect', way: 'knet', ...redirect, currencies: ['KWD'], takes: 'language' },
  benefit: { family: 'card_redirect', way: 'benefit', ...redirect, currencies: ['BHD'] },
}

/** Wallets whose data are exchanged for a token, with the member that ends as a test card's number does. */
const wallets = { applepay: ['apple_pay', 'data'], googlepay: ['google_pay', 'signedMessage'] } as const
export type WalletType = keyof typeof wallets
export const isWalletType = (type: unknown): type is WalletType => typeof type === 'string' && Object.hasOwn(wallets, type)

/** The token that stands for what a wallet gave: it says what it does, because the other key has no ledger. */
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
