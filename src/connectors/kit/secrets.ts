import type { Secret } from '../../base/secret.ts'
import { isOther, type PaymentInstrument, type Recipient } from '../instrument.ts'

/**
 * The minimum length of a secret that is blanked in a reply. Shorter ones (a sort code, an expiry date) occur in
 * amounts, times and ids by chance.
 */
const SHORTEST = 8
/**
 * The minimum length of a code that is blanked in a processor's messages; shorter texts are no secrets in any message.
 */
const SHORTEST_CODE = 6

/** Returns the secrets of an instrument that a reply may repeat; they are blanked in a reply before it is read. */
export const secretsOf = (instrument: PaymentInstrument): Secret[] =>
  isOther(instrument) ? withLength(instrument.secrets, SHORTEST, Infinity) : instrument.is === 'stored_card' ? [] : [instrument.number]

/**
 * Returns the codes of an instrument: its security code, and other secrets that are too short to be blanked in a whole
 * reply. They are blanked in the processor's messages (`without`).
 */
export function codesOf(instrument: PaymentInstrument): Secret[] {
  if (isOther(instrument)) return withLength(instrument.secrets, SHORTEST_CODE, SHORTEST)
  return 'cvc' in instrument && instrument.cvc ? [instrument.cvc] : []
}

/** Returns the secrets of a recipient: a card number always, an account number if it is long enough. */
export const secretsOfRecipient = (recipient: Recipient): Secret[] =>
  recipient.is === 'card' ? [recipient.number] : recipient.account.reveal().length >= SHORTEST ? [recipient.account] : []

/** Returns the secrets of a recipient that are too short for that: an account number of six digits. */
export const codesOfRecipient = (recipient: Recipient): Secret[] =>
  recipient.is !== 'card' && recipient.account.reveal().length < SHORTEST ? [recipient.account] : []

const withLength = (secrets: Readonly<Record<string, Secret>>, least: number, below: number): Secret[] =>
  Object.values(secrets).filter(secret => secret.reveal().length >= least && secret.reveal().length < below)
