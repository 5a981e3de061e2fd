import Type from 'typebox'
import { refuse } from '../base/refusal.ts'
import { Secret } from '../base/secret.ts'
import { boundedText, EMAIL, shortText, strictObject } from '../base/shapes.ts'
import type { Recipient, WalletName } from '../connectors/instrument.ts'
import { readIban } from './iban.ts'
import { networks } from './networks.ts'
import { readCard } from './read-card.ts'
import { maskedAccount, maskedEmail, type RecipientFamily } from './recipient.ts'

/** Wallets, and transfers that the recipient accepts at their own bank. */

const PHONE = /^\+?[\d\s().-]{5,25}$/

const ofCard = {
  expiry_month: Type.String(),
  expiry_year: Type.String(),
  card_holder_name: Type.Optional(shortText),
  card_network: Type.Optional(Type.Enum(networks)),
}
const paypal = strictObject({
  email: Type.Optional(shortText),
  telephone_number: Type.Optional(boundedText(64)),
  paypal_id: Type.Optional(boundedText(64)),
})
const venmo = strictObject({ telephone_number: Type.Optional(boundedText(64)) })
const applePay = strictObject({ dpan: Type.String(), ...ofCard })
const googlePay = strictObject({ application_primary_account_number: Type.String(), ...ofCard })

const shapes = { paypal, venmo, apple_pay_decrypt: applePay, google_pay_decrypt: googlePay }
const walletShape = strictObject({
  paypal: Type.Optional(paypal),
  venmo: Type.Optional(venmo),
  apple_pay_decrypt: Type.Optional(applePay),
  google_pay_decrypt: Type.Optional(googlePay),
})
export type WalletSent = Type.Static<typeof walletShape>
export type Wallet = Extract<Recipient, { is: 'wallet' }>

const types: Record<keyof typeof shapes, WalletName> = {
  paypal: 'paypal',
  venmo: 'venmo',
  apple_pay_decrypt: 'apple_pay',
  google_pay_decrypt: 'google_pay',
}

function variantOf<T extends object>(sent: T, at: string, all: readonly string[]): keyof T & string {
  const variants = Object.keys(sent) as (keyof T & string)[]
  if (variants.length === 0) refuse('missing', { field: all.map(name => `${at}.${name}`).join(' or ') })
  if (variants.length > 1)
    refuse('unacceptable', { field: at, problem: `holds ${variants.join(' and ')}; only one payout method is allowed` })
  return variants[0]!
}

function readEmail(email: string, field: string): string {
  return EMAIL.test(email) ? email : refuse('unacceptable', { field, problem: 'is not a valid email address' })
}

function readPhone(phone: string, field: string): string {
  return PHONE.test(phone) ? phone.replace(/[\s().-]/g, '') : refuse('unacceptable', { field, problem: 'is not a valid phone number' })
}

const known = { exp_month: null, exp_year: null, holder: null }

function readWallet(sent: WalletSent, at: string, now: string): Wallet {
  const variant = variantOf(sent, at, Object.keys(shapes))
  const type = types[variant]
  const here = `${at}.${variant}`
  if (variant === 'apple_pay_decrypt' || variant === 'google_pay_decrypt') {
    const { expiry_month, expiry_year, card_holder_name, ...rest } = sent[variant]!
    const name = 'dpan' in rest ? 'dpan' : 'application_primary_account_number'
    const card_number = 'dpan' in rest ? rest.dpan : rest.application_primary_account_number
    const places = { card_number: name, card_exp_month: 'expiry_month', card_exp_year: 'expiry_year' }
    const read = readCard({ card_number, card_exp_month: expiry_month, card_exp_year: expiry_year }, now, here, places, 'unacceptable')
    return {
      is: 'wallet',
      type,
      account: read.number,
      by: 'card',
      exp_month: read.exp_month,
      exp_year: read.exp_year,
      holder: card_holder_name ?? null,
    }
  }
  const { telephone_number, ...more } = sent[variant]! as NonNullable<WalletSent['paypal']>
  const by = more.email !== undefined ? 'email' : more.paypal_id !== undefined ? 'paypal_id' : 'telephone_number'
  const ways = Object.keys(shapes[variant].properties)
    .map(name => `${here}.${name}`)
    .join(' or ')
  const account =
    by === 'email'
      ? readEmail(more.email!, `${here}.email`)
      : by === 'paypal_id'
        ? more.paypal_id!
        : readPhone(telephone_number ?? refuse('missing', { field: ways }), `${here}.telephone_number`)
  return { is: 'wallet', type, account: new Secret(account), by, ...known }
}

export const recipientWallet: RecipientFamily<Wallet, WalletSent> = {
  is: 'wallet',
  shape: walletShape,
  payment_method: 'wallet',
  sealed: [
    'paypal.telephone_number',
    'paypal.paypal_id',
    'venmo.telephone_number',
    'apple_pay_decrypt.dpan',
    'google_pay_decrypt.application_primary_account_number',
  ],
  read: readWallet,
  show({ account, by, exp_month, exp_year }, sent) {
    const variant = variantOf(sent, 'payout_method_data.wallet', Object.keys(shapes))
    const clear = account.reveal()
    if (by === 'card') {
      const { card_holder_name = null, card_network = null } = sent[variant] as NonNullable<WalletSent['apple_pay_decrypt']>
      const expiry = { card_exp_month: String(exp_month).padStart(2, '0'), card_exp_year: String(exp_year) }
      return { [variant]: { last4: clear.slice(-4), ...expiry, card_holder_name, card_network } }
    }
    const shown = by === 'email' ? maskedEmail(clear) : maskedAccount(clear)
    return { [variant]: variant === 'paypal' ? { field_type: by, [by]: shown } : { [by]: shown } }
  },
}

const redirectShape = strictObject({
  interac: Type.Optional(strictObject({ email: shortText })),
  open_banking_uk: Type.Optional(strictObject({ account_holder_name: shortText, iban: boundedText(64) })),
})
export type RedirectSent = Type.Static<typeof redirectShape>
export type Redirect = Extract<Recipient, { is: 'bank_redirect' }>

export const recipientBankRedirect: RecipientFamily<Redirect, RedirectSent> = {
  is: 'bank_redirect',
  shape: redirectShape,
  payment_method: 'bank_redirect',
  sealed: ['open_banking_uk.iban'],
  read(sent, at) {
    const type = variantOf(sent, at, ['interac', 'open_banking_uk'])
    const { interac, open_banking_uk: uk } = sent
    const account = interac ? readEmail(interac.email, `${at}.interac.email`) : readIban(uk!.iban, `${at}.open_banking_uk.iban`)
    return { is: 'bank_redirect', type, account: new Secret(account), holder: uk?.account_holder_name ?? null }
  },
  show({ account, holder, type }) {
    const clear = account.reveal()
    return { [type]: type === 'interac' ? { email: maskedEmail(clear) } : { account_holder_name: holder, iban: maskedAccount(clear) } }
  },
}
