import type { ThreeDsResult } from '../authentication.ts'
import type { AuthorizeRequest } from '../connector.ts'
import { testingHolder } from './purchase.ts'

/** The kinds of cards that Adyen takes: with a number, saved at Adyen, or with the network's transaction id. */
export type AdyenCards = 'card' | 'stored_card' | 'network_transaction_id'

/** Adyen's names of the networks of which a card may have several (docs.adyen.com, co-badged cards). */
// biome-ignore format: a table reads better in rows
const brands: Record<string, string> = {
  Visa: 'visa', Mastercard: 'mc', AmericanExpress: 'amex', CartesBancaires: 'cartebancaire', DinersClub: 'diners',
  Discover: 'discover', JCB: 'jcb', Maestro: 'maestro', UnionPay: 'cup', Accel: 'accel', Nyce: 'nyce', Pulse: 'pulse',
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

/** The network's id of the payment in which the holder agreed to later charges. */
export const agreedBy = ({ instrument }: Pick<AuthorizeRequest, 'instrument'>) => ({
  ...('network_transaction_id' in instrument &&
    instrument.network_transaction_id !== undefined && { networkTxReference: instrument.network_transaction_id }),
})

/** The result has one status for the directory and for the issuer. */
export const mpiData = ({ status, eci, cavv, ds_transaction_id, version }: ThreeDsResult) => ({
  cavv: cavv.reveal(),
  eci,
  dsTransID: ds_transaction_id,
  threeDSVersion: version,
  directoryResponse: status,
  authenticationResponse: status,
})
