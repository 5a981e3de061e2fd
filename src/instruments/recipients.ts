import Type, { type TSchema } from 'typebox'
import { refuse } from '../base/refusal.ts'
import { Secret } from '../base/secret.ts'
import { boundedText, strictObject } from '../base/shapes.ts'
import type { Recipient, RecipientName } from '../connectors/instrument.ts'
import type { CardFacts, Context, Time } from '../context.ts'
import { type MaskedRecipient, maskedAccount, type RecipientFamily } from './recipient.ts'
import { recipientBank } from './recipient-bank.ts'
import { recipientCard } from './recipient-card.ts'
import { recipientBankRedirect, recipientWallet } from './recipient-wallet.ts'

/**
 * Recipients that the processor has stored (contract 4.11). Only the merchant's server may send such a token, because
 * the service does not check that it belongs to the caller.
 */

const passthroughShape = strictObject({
  psp_token: boundedText(255),
  token_type: boundedText(64),
  psp_customer_id: Type.Optional(boundedText(255)),
})
type PassthroughSent = Type.Static<typeof passthroughShape>
type Passthrough = Extract<Recipient, { is: 'passthrough' }>

const NAME = /^[\w.:-]{1,255}$/

const recipientPassthrough: RecipientFamily<Passthrough, PassthroughSent> = {
  is: 'passthrough',
  shape: passthroughShape,
  payment_method: 'passthrough',
  sealed: [],
  byServer: true,
  read({ psp_token, token_type, psp_customer_id = null }, at) {
    for (const [name, value] of Object.entries({ psp_token, token_type, psp_customer_id }))
      if (value !== null && !NAME.test(value))
        refuse('unacceptable', { field: `${at}.${name}`, problem: 'must contain letters, digits and _ . : - only' })
    return { is: 'passthrough', type: token_type, account: new Secret(psp_token), customer: psp_customer_id, holder: null }
  },
  show: ({ account, type }) => ({ psp_token: maskedAccount(account.reveal()), token_type: type }),
}

// biome-ignore lint/suspicious/noExplicitAny: what a family reads, it has made itself
type AnyRecipientFamily = RecipientFamily<any, any>
export const recipientFamilies: Readonly<Record<RecipientName, AnyRecipientFamily>> = {
  card: recipientCard,
  bank: recipientBank,
  wallet: recipientWallet,
  bank_redirect: recipientBankRedirect,
  passthrough: recipientPassthrough,
}
export const recipientNames = Object.keys(recipientFamilies) as RecipientName[]

/** `bank_transfer` is a bank account too, with its scheme given by name. */
const shapes: Record<string, TSchema> = {
  ...Object.fromEntries(Object.values(recipientFamilies).map(({ is, shape }) => [is, shape])),
  bank_transfer: recipientBank.shape,
}
export const recipientShape = Type.Object(Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, Type.Optional(shape)])), {
  additionalProperties: false,
  description: 'Payout method: exactly one of these',
})
type Sent = Readonly<Record<string, unknown>>

export type RecipientInput = { sent: unknown; recipient: Recipient }

const AT = 'payout_method_data'

/** Null if the request has none. */
export function recipientBy(sent: Sent | undefined, now: Time): RecipientInput | null {
  const [name, ...others] = Object.keys(sent ?? {})
  if (name === undefined) return null
  if (others.length > 0)
    refuse('unacceptable', { field: AT, problem: `holds ${[name, ...others].join(' and ')}; only one payout method is allowed` })
  const family = recipientFamilies[name === 'bank_transfer' ? 'bank' : (name as RecipientName)]
  return { sent: sent![name], recipient: family.read(sent![name], `${AT}.${name}`, now) }
}

/** May be stored in clear. */
export async function maskedRecipientOf(
  { bins, vault }: Pick<Context, 'bins' | 'vault'>,
  merchant_id: string,
  { sent, recipient }: RecipientInput,
): Promise<MaskedRecipient> {
  const known: CardFacts | null = recipient.is === 'card' ? await bins.of(recipient.number.reveal().slice(0, 8)) : null
  const shown = recipientFamilies[recipient.is].show(recipient, sent, known, vault, merchant_id)
  const type = recipient.is === 'card' ? typeOfCard(shown) : recipient.type
  return { is: recipient.is, type, shown, fingerprint: vault.fingerprint(merchant_id, accountOf(recipient).reveal()) }
}

const typeOfCard = ({ card_type }: Record<string, unknown>): string | null =>
  typeof card_type === 'string' && /^(?:credit|debit)$/i.test(card_type) ? card_type.toLowerCase() : null

const accountOf = (recipient: Recipient): Secret => (recipient.is === 'card' ? recipient.number : recipient.account)

/**
 * Covers the kind of recipient, because a wallet may contain a card number that is also saved as a card, and the bank,
 * because two banks may use the same account number.
 */
export function accountFingerprint({ vault }: Pick<Context, 'vault'>, merchant_id: string, recipient: Recipient): string {
  const bank = recipient.is === 'bank' ? (recipient.bank_code ?? '') : ''
  return vault.fingerprint(merchant_id, [recipient.is, recipient.type, bank, accountOf(recipient).reveal()].join(' '))
}

export const lastingOf = (recipient: Recipient): string =>
  JSON.stringify(
    recipient.is === 'card' ? { ...recipient, number: recipient.number.reveal() } : { ...recipient, account: recipient.account.reveal() },
  )

export function recipientFrom(lasting: string): Recipient {
  const clear = JSON.parse(lasting)
  return clear.is === 'card' ? { ...clear, number: new Secret(clear.number) } : { ...clear, account: new Secret(clear.account) }
}

const REDACTED = 'Redacted'
/** These identify no person, so they stay when the owner's data is erased. */
// biome-ignore format: a list reads better in rows
const harmless = [
  'card_network', 'card_type', 'card_issuer', 'card_issuing_country', 'bank_country_code', 'country_code',
  'field_type', 'bank_name',
]

export const withoutOwner = (seen: MaskedRecipient): MaskedRecipient => ({ ...seen, fingerprint: REDACTED, shown: nameless(seen.shown) })
const nameless = (shown: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(shown).map(([name, value]) => {
      if (value === null || harmless.includes(name)) return [name, value]
      return [name, typeof value === 'object' ? nameless(value as Record<string, unknown>) : REDACTED]
    }),
  )

/** Fields of payouts and saved payout methods that may contain numbers like card numbers: the vault encrypts them. */
export const recipientPlaces: ReadonlySet<string> = new Set([
  ...Object.values(recipientFamilies).flatMap(({ is, sealed }) => sealed.map(name => `${AT}.${is}.${name}`)),
  ...recipientBank.sealed.flatMap(name => [`${AT}.bank_transfer.${name}`, `bank_transfer.${name}`, `bank_transfer_data.${name}`]),
  // In requests that save a payout method, these members are at the top level.
  ...recipientWallet.sealed.map(name => `wallet.${name}`),
  ...recipientBankRedirect.sealed.map(name => `bank_redirect.${name}`),
])
