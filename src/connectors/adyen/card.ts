import type { ThreeDsResult } from '../authentication.ts'
import type { AuthorizeRequest } from '../connector.ts'
import { testingHolder } from './purchase.ts'

/** Converts a card to Adyen's form. */

/** The kinds of cards that Adyen takes: with a number, saved at Adyen, or with the network's transaction id. */
export type AdyenCards = 'card' | 'stored_card' | 'network_transaction_id'

/** Adyen's names of the networks of which a card may have several (docs.adyen.com, co-badged cards). */
const brands: Record<string, string> = {
  Visa: 'visa',
  Mastercard: 'mc',
  AmericanExpress: 'amex',
  CartesBancaires: 'cartebancaire',
  DinersClub: 'diners',
  Discover: 'discover',
  JCB: 'jcb',
  Maestro: 'maestro',
  UnionPay: 'cup',
  Accel: 'accel',
  Nyce: 'nyce',
  Pulse: 'pulse',
  Star: 'star',
}

export function adyenCard({ instrument, purchase }: AuthorizeRequest<AdyenCards>) {
  if (instrument.is === 'stored_card')
    return { type: 'scheme' as const, storedPaymentMethodId: instrument.reference, ...(instrument.cvc && { cvc: instrument.cvc.reveal() }) }
  const { number, exp_month, exp_year } = instrument
  const brand = instrument.is === 'card' ? brands[instrument.network ?? ''] : undefined
  const holder = testingHolder(purchase) ?? instrument.holder
  return {
    type: 'scheme' as const,
    ...(brand && { brand }),
    number: number.reveal(),
    expiryMonth: String(exp_month).padStart(2, '0'),
    expiryYear: String(exp_year),
    ...(instrument.is === 'card' && instrument.cvc && { cvc: instrument.cvc.reveal() }),
    ...(holder && { holderName: holder }),
  }
}

/**
 * Returns the network's id of the payment in which the holder of a card or a network token agreed to later charges.
 */
export const agreedBy = ({ instrument }: Pick<AuthorizeRequest, 'instrument'>) => ({
  ...('network_transaction_id' in instrument &&
    instrument.network_transaction_id !== undefined && { networkTxReference: instrument.network_transaction_id }),
})

/**
 * Returns the 3-D Secure result of a customer who was authenticated elsewhere, as the answers of the directory and of
 * the issuer (the result has one status for both).
 */
export const mpiData = ({ status, eci, cavv, ds_transaction_id, version }: ThreeDsResult) => ({
  cavv: cavv.reveal(),
  eci,
  dsTransID: ds_transaction_id,
  threeDSVersion: version,
  directoryResponse: status,
  authenticationResponse: status,
})
