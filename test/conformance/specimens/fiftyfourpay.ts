import { major } from '../carry.ts'
import type { Specimen } from '../specimen.ts'
import { bridged } from './bridge.ts'

const collection = {
  responseDetails: { responseCode: '00', responseMessage: 'SUCCESSFUL' },
  transactionReference: 'REQ1',
  transactionId: 'their_1',
  transactionAmount: '12.50',
  transactionCurrency: 'USD',
  redirectionRequired: false,
  redirectionUrl: null,
}

export const specimen: Specimen = {
  answers: { authorize: collection, payout: { ...bridged, type: 'payout' } },
  keyed: ['payout'],
  errors: [],
  names: ['key1'],
  unsigned: true,
  authorized: (amount, currency) => ({
    ...collection,
    transactionAmount: String(major(amount, currency)),
    transactionCurrency: currency,
  }),
}
