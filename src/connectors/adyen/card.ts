import type { ThreeDsResult } from '../authentication.ts'
import type { AuthorizeRequest } from '../connector.ts'
import { testingHolder } from './purchase.ts'

/** A card as Adyen is told it. */

/** Also one that Adyen keeps, or that the network knows. */
export type AdyenCards = 'card' | 'stored_card' | 'network_transaction_id'

/** Adyen's words for the networks of which a card may have several (docs.adyen.com, co-badged cards). */
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

/** The network's id of the payment in which the holder of a card, or of a network token, agreed. */
export const agreedBy = ({ instrument }: Pick<AuthorizeRequest, 'instrument'>) => ({
  ...('network_transaction_id' in instrument &&
    instrument.network_transaction_id !== undefined && { networkTxReference: instrument.network_transaction_id }),
})

/** That the shopper was authenticated elsewhere: what the directory and the issuer said (the proof says it of both). */
export const mpiData = ({ status, eci, cavv, ds_transaction_id, version }: ThreeDsResult) => ({
  cavv: cavv.reveal(),
  eci,
  dsTransID: ds_transaction_id,
  threeDSVersion: version,
  directoryResponse: status,
  authenticationResponse: status,
})
