import type { TSchema } from 'typebox'
import type { Recipient, RecipientName } from '../connectors/instrument.ts'
import type { CardFacts, Vault } from '../context.ts'

/**
 * The part of a recipient that is stored in clear in a payout's row. `shown`: the recipient as answers show it.
 * `fingerprint`: identifies the account without revealing its number.
 */
export type MaskedRecipient = { is: RecipientName; type: string | null; shown: Readonly<Record<string, unknown>>; fingerprint: string }

/**
 * A payout type of the API. `Sent`: the recipient as a request contains it, under the type's name in
 * `payout_method_data`.
 */
export type RecipientFamily<R extends Recipient, Sent> = {
  is: R['is']
  shape: TSchema
  /** The corresponding payment method of the API, for routing and `payment_methods_enabled`. */
  payment_method: 'card' | 'bank_transfer' | 'wallet' | 'bank_redirect' | 'passthrough'
  /** Whether only the merchant's server may send such a recipient. Such recipients are not saved. */
  byServer?: true
  /** The members that may contain numbers like card numbers. */
  sealed: readonly string[]
  /**
   * Reads a recipient. Refuses an invalid recipient and names the field. `at`: the path of the recipient in the
   * request.
   */
  read(sent: Sent, at: string, now: string): R
  /** Returns the recipient as answers show it. `known`: the BIN data of a card. */
  show(recipient: R, sent: Sent, known: CardFacts | null, vault: Pick<Vault, 'fingerprint'>, merchant_id: string): Record<string, unknown>
}

/** Masks a text except its last four characters; except its last, if the text has four to seven characters. */
export const maskedAccount = (text: string): string => {
  const open = text.length >= 8 ? 4 : text.length >= 4 ? 1 : 0
  return '*'.repeat(Math.max(text.length - open, 0)) + text.slice(text.length - open)
}

/** Masks an e-mail address except its first letter and its domain. */
export const maskedEmail = (email: string): string => {
  const [name = '', domain = ''] = email.split('@')
  return `${name.slice(0, 1)}${'*'.repeat(Math.max(name.length - 1, 1))}@${domain}`
}
