import type { Secret } from '../../base/secret.ts'
import { isOther, type Other, type PaymentInstrument, type Recipient } from '../instrument.ts'

/** Shorter secrets (a sort code, an expiry date) occur in amounts, times and ids by chance. */
const SHORTEST = 8
/** Shorter texts are no secrets in any message. */
const SHORTEST_CODE = 6

/** A reply may repeat them; they are blanked before it is read. */
export const secretsOf = (instrument: PaymentInstrument): Secret[] =>
  isOther(instrument) ? withLength(instrument.secrets, SHORTEST, Infinity) : instrument.is === 'stored_card' ? [] : [instrument.number]

/** Codes too short to be blanked in a whole reply: blanked in the processor's messages (`without`). */
export function codesOf(instrument: PaymentInstrument): Secret[] {
  if (isOther(instrument)) return withLength(instrument.secrets, SHORTEST_CODE, SHORTEST)
  return 'cvc' in instrument && instrument.cvc ? [instrument.cvc] : []
}

export const secretsOfRecipient = (recipient: Recipient): Secret[] =>
  recipient.is === 'card' ? [recipient.number] : recipient.account.reveal().length >= SHORTEST ? [recipient.account] : []

/** An account number of six digits. */
export const codesOfRecipient = (recipient: Recipient): Secret[] =>
  recipient.is !== 'card' && recipient.account.reveal().length < SHORTEST ? [recipient.account] : []

/** All data of a payment method, in clear. */
export const dataOf = ({ open, secrets }: Pick<Other, 'open' | 'secrets'>): Record<string, string> => ({
  ...open,
  ...Object.fromEntries(Object.entries(secrets).map(([name, secret]) => [name, secret.reveal()])),
})

const withLength = (secrets: Readonly<Record<string, Secret>>, least: number, below: number): Secret[] =>
  Object.values(secrets).filter(secret => secret.reveal().length >= least && secret.reveal().length < below)
