import { adyenOffers } from '../../../src/connectors/adyen/offers.ts'
import type { Specimen } from '../specimen.ts'

const adyenError = (status: number, errorCode: string, errorType = 'validation'): [number, object] => [
  status,
  { status, errorCode, message: 'No.', errorType, pspReference: '8516091485743033' },
]
const adyenReceived = { merchantAccount: 'Shop', pspReference: 'QFQTPCQ8HXSKGK82', status: 'received', reference: 'REQ1' }

export const specimen: Specimen = {
  answers: {
    authorize: {
      pspReference: '993617895204576J',
      resultCode: 'Authorised',
      merchantReference: 'REQ1',
      amount: { value: 1250, currency: 'USD' },
      additionalData: { authCode: '044925', cvcResult: '1 Matches', refusalReasonRaw: 'AUTHORISED', eci: '07' },
    },
    payout: { pspReference: '8516091485743033', resultCode: 'Authorised', authCode: '044925' },
    capture: { ...adyenReceived, paymentPspReference: 'auth_1' },
    void: { ...adyenReceived, paymentReference: 'REQ0' },
    refund: { ...adyenReceived, paymentPspReference: 'auth_1' },
    increment: { ...adyenReceived, paymentPspReference: 'auth_1' },
    extend: { ...adyenReceived, paymentPspReference: 'auth_1' },
    post_capture_void: { ...adyenReceived, paymentPspReference: 'auth_1' },
  },
  received: { status: 201, verbs: ['capture', 'void', 'refund', 'increment', 'extend', 'post_capture_void'] },
  names: ['key1'],
  ways: Object.values(adyenOffers).flatMap(({ family, ways }) => Object.keys(ways).map(way => ({ family, way }))),
  errors: [
    adyenError(400, '702'),
    adyenError(401, '000', 'security'),
    adyenError(403, '901', 'security'),
    adyenError(422, '101'),
    adyenError(429, '429'),
  ],
  authorized: (amount, currency) => ({
    pspReference: '993617895204576J',
    resultCode: 'Authorised',
    merchantReference: 'REQ1',
    amount: { value: amount, currency },
  }),
}
