import type { Secret } from '../../base/secret.ts'
import { isOther, type PaymentInstrument, type Recipient } from '../instrument.ts'

/** Texts that are shorter (a sort code, an expiry date) stand in amounts, times and ids by chance. */
const SHORTEST = 8
/** And these are no secret in any words. */
const SHORTEST_CODE = 6

/** The secrets of an instrument that a reply may repeat, and that are blanked in it before it is read. */
export const secretsOf = (instrument: PaymentInstrument): Secret[] =>
  isOther(instrument) ? withLength(instrument.secrets, SHORTEST, Infinity) : instrument.is === 'stored_card' ? [] : [instrument.number]

/**
 * The codes of an instrument: its security code, and other secrets that are too short to be looked for in a whole
 * reply. They are blanked in the processor's words (`without`).
 */
export function codesOf(instrument: PaymentInstrument): Secret[] {
  if (isOther(instrument)) return withLength(instrument.secrets, SHORTEST_CODE, SHORTEST)
  return 'cvc' in instrument && instrument.cvc ? [instrument.cvc] : []
}

/** The same of a recipient: the number of a card always, that of an account if it is long enough. */
export const secretsOfRecipient = (recipient: Recipient): Secret[] =>
  recipient.is === 'card' ? [recipient.number] : recipient.account.reveal().length >= SHORTEST ? [recipient.account] : []

/** And what is too short for that: an account of six digits. */
export const codesOfRecipient = (recipient: Recipient): Secret[] =>
  recipient.is !== 'card' && recipient.account.reveal().length < SHORTEST ? [recipient.account] : []

const withLength = (secrets: Readonly<Record<string, Secret>>, least: number, below: number): Secret[] =>
  Object.values(secrets).filter(secret => secret.reveal().length >= least && secret.reveal().length < below)
