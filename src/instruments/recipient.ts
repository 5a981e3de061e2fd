import type { TSchema } from 'typebox'
import type { Recipient, RecipientName } from '../connectors/instrument.ts'
import type { CardFacts, Vault } from '../context.ts'

/**
 * What stands of a recipient in a payout's row in clear. `shown`: as answers show it. `fingerprint`: names the
 * account without giving it away.
 */
export type MaskedRecipient = { is: RecipientName; type: string | null; shown: Readonly<Record<string, unknown>>; fingerprint: string }

/**
 * A payout type of the interface: where money may go. `Sent`: what a request brings of it, under its name in
 * `payout_method_data`.
 */
export type RecipientFamily<R extends Recipient, Sent> = {
  is: R['is']
  shape: TSchema
  /** The interface's names of it where it means payments' methods (routing, `payment_methods_enabled`). */
  payment_method: 'card' | 'bank_transfer' | 'wallet' | 'bank_redirect' | 'passthrough'
  /** Only the merchant's server names it, and it is not saved. */
  byServer?: true
  /** Where numbers like those of cards may stand, by their names in it. */
  sealed: readonly string[]
  /** Refuses what it cannot be, and names the field. `at`: where it stands in the request. */
  read(sent: Sent, at: string, now: string): R
  /** What answers show of it. `known`: what a card's first digits tell. */
  show(recipient: R, sent: Sent, known: CardFacts | null, vault: Pick<Vault, 'fingerprint'>, merchant_id: string): Record<string, unknown>
}

/** All but the last four characters hidden; of what is short, all but the last. */
export const maskedAccount = (text: string): string => {
  const open = text.length >= 8 ? 4 : text.length >= 4 ? 1 : 0
  return '*'.repeat(Math.max(text.length - open, 0)) + text.slice(text.length - open)
}

/** The first letter of an e-mail address, and its domain. */
export const maskedEmail = (email: string): string => {
  const [name = '', domain = ''] = email.split('@')
  return `${name.slice(0, 1)}${'*'.repeat(Math.max(name.length - 1, 1))}@${domain}`
}
