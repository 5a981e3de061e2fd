import Type, { type TSchema } from 'typebox'
import { refuse } from '../base/refusal.ts'
import { Secret } from '../base/secret.ts'
import type { Recipient, RecipientName } from '../connectors/instrument.ts'
import type { CardFacts, Context, Time } from '../context.ts'
import type { MaskedRecipient, RecipientFamily } from './recipient.ts'
import { recipientBank } from './recipient-bank.ts'
import { recipientCard } from './recipient-card.ts'
import { recipientPassthrough } from './recipient-passthrough.ts'
import { recipientBankRedirect, recipientWallet } from './recipient-wallet.ts'

/**
 * Whereto money is paid out: the payout types of the interface, and what requests, the vault and answers have of
 * them.
 */

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

/** The members of `payout_method_data`. `bank_transfer` is a bank account too, with its scheme said by name. */
const shapes: Record<string, TSchema> = {
  ...Object.fromEntries(Object.values(recipientFamilies).map(({ is, shape }) => [is, shape])),
  bank_transfer: recipientBank.shape,
}
export const recipientShape = Type.Object(Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, Type.Optional(shape)])), {
  additionalProperties: false,
  description: 'Payout method: exactly one of these',
})
type Sent = Readonly<Record<string, unknown>>

/** What a request brings to pay out to, as it came and as it is understood. */
export type RecipientInput = { sent: unknown; recipient: Recipient }

const AT = 'payout_method_data'

/**
 * Reads what a request brings; null if it brings nothing. Refuses, by the names of its fields, what cannot be paid
 * out to.
 */
export function recipientBy(sent: Sent | undefined, now: Time): RecipientInput | null {
  const [name, ...others] = Object.keys(sent ?? {})
  if (name === undefined) return null
  if (others.length > 0)
    refuse('unacceptable', { field: AT, words: `holds ${[name, ...others].join(' and ')}; only one payout method is allowed` })
  const family = recipientFamilies[name === 'bank_transfer' ? 'bank' : (name as RecipientName)]
  return { sent: sent![name], recipient: family.read(sent![name], `${AT}.${name}`, now) }
}

/** What may stand in clear of it, with what is known by a card's first digits. */
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
 * What tells an account from others. A wallet may hold the number of a card, which is saved as another thing; the
 * same number is another account at another bank.
 */
export function accountFingerprint({ vault }: Pick<Context, 'vault'>, merchant_id: string, recipient: Recipient): string {
  const bank = recipient.is === 'bank' ? (recipient.bank_code ?? '') : ''
  return vault.fingerprint(merchant_id, [recipient.is, recipient.type, bank, accountOf(recipient).reveal()].join(' '))
}

/** What the vault keeps of it. */
export const lastingOf = (recipient: Recipient): string =>
  JSON.stringify(
    recipient.is === 'card' ? { ...recipient, number: recipient.number.reveal() } : { ...recipient, account: recipient.account.reveal() },
  )

/** The same again, out of the vault. */
export function recipientFrom(lasting: string): Recipient {
  const clear = JSON.parse(lasting)
  return clear.is === 'card' ? { ...clear, number: new Secret(clear.number) } : { ...clear, account: new Secret(clear.account) }
}

const REDACTED = 'Redacted'
/** Of what answers show these stay when its owner is forgotten: they identify no person. */
const harmless = [
  'card_network',
  'card_type',
  'card_issuer',
  'card_issuing_country',
  'bank_country_code',
  'country_code',
  'field_type',
  'bank_name',
]

/** The same without whose it is. */
export const withoutOwner = (seen: MaskedRecipient): MaskedRecipient => ({ ...seen, fingerprint: REDACTED, shown: nameless(seen.shown) })
const nameless = (shown: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(shown).map(([name, value]) => {
      if (value === null || harmless.includes(name)) return [name, value]
      return [name, typeof value === 'object' ? nameless(value as Record<string, unknown>) : REDACTED]
    }),
  )

/**
 * Where numbers like those of cards may stand in a payout, or in an account that is saved for some, because the vault
 * seals them.
 */
export const recipientPlaces: ReadonlySet<string> = new Set([
  ...Object.values(recipientFamilies).flatMap(({ is, sealed }) => sealed.map(name => `${AT}.${is}.${name}`)),
  ...recipientBank.sealed.flatMap(name => [`${AT}.bank_transfer.${name}`, `bank_transfer.${name}`]),
  // Saved, they stand by themselves.
  ...recipientWallet.sealed.map(name => `wallet.${name}`),
  ...recipientBankRedirect.sealed.map(name => `bank_redirect.${name}`),
])
