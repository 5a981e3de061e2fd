import type { Secret } from '../../base/secret.ts'
import { isOther, type PaymentInstrument } from '../instrument.ts'

/** Texts that are shorter (a sort code, an expiry date) stand in many words by chance, and are not looked for. */
const SHORTEST = 6

/** The secrets of an instrument that a reply may repeat. `shortest`: characters that one has at least. */
export function secretsOf(instrument: PaymentInstrument, shortest = SHORTEST): Secret[] {
  if (isOther(instrument)) return Object.values(instrument.secrets).filter(secret => secret.reveal().length >= shortest)
  return instrument.is === 'stored_card' ? [] : [instrument.number]
}
