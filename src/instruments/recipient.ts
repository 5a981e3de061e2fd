import type { TSchema } from 'typebox'
import type { Recipient, RecipientName } from '../connectors/instrument.ts'
import type { CardFacts, Vault } from '../context.ts'

/** Stored in clear. `shown`: as answers show it. `fingerprint`: identifies the account without its number. */
export type MaskedRecipient = { is: RecipientName; type: string | null; shown: Readonly<Record<string, unknown>>; fingerprint: string }

/** `Sent`: the recipient under the type's name in `payout_method_data`. */
export type RecipientFamily<R extends Recipient, Sent> = {
  is: R['is']
  shape: TSchema
  /** For routing and `payment_methods_enabled`. */
  payment_method: 'card' | 'bank_transfer' | 'wallet' | 'bank_redirect' | 'passthrough'
  /** Only the merchant's server may send such a recipient, and it is not saved. */
  byServer?: true
  /** May contain numbers like card numbers. */
  sealed: readonly string[]
  read(sent: Sent, at: string, now: string): R
  /** `known`: the BIN data of a card. */
  show(recipient: R, sent: Sent, known: CardFacts | null, vault: Pick<Vault, 'fingerprint'>, merchant_id: string): Record<string, unknown>
}

/** Leaves the last four characters; the last one of four to seven. */
export const maskedAccount = (text: string): string => {
  const open = text.length >= 8 ? 4 : text.length >= 4 ? 1 : 0
  return '*'.repeat(Math.max(text.length - open, 0)) + text.slice(text.length - open)
}

/** Leaves the first letter and the domain. */
export const maskedEmail = (email: string): string => {
  const [name = '', domain = ''] = email.split('@')
  return `${name.slice(0, 1)}${'*'.repeat(Math.max(name.length - 1, 1))}@${domain}`
}
