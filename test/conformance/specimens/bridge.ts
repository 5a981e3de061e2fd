import type { Specimen } from '../specimen.ts'

export const bridged = {
  request_id: 'REQ1',
  type: 'authorize',
  status: 'approved',
  reference: 'their_1',
  amount: 1250,
  currency: 'USD',
  captured: 0,
  held: 1250,
  hold_until: '2026-03-08T10:00:00Z',
  decline: null,
  action: null,
  network_transaction_id: '123456789012345',
  authorization_code: 'A1B2C3',
  eci: '07',
  avs_result: 'Y',
  cvc_result: 'M',
  arn: null,
}
const bridgeError = (code: string) => ({ error: { code, message: 'No.' } })

export const specimen: Specimen = {
  answers: {
    authorize: bridged,
    capture: { ...bridged, type: 'capture' },
    void: { ...bridged, type: 'void' },
    refund: { ...bridged, type: 'refund' },
    payout: { ...bridged, type: 'payout' },
  },
  errors: [
    [400, bridgeError('invalid_request')],
    [401, bridgeError('unauthorized')],
    [404, bridgeError('not_found')],
    [409, bridgeError('conflict')],
    [422, bridgeError('not_allowed')],
    [422, bridgeError('not_supported')],
    [429, bridgeError('slow_down')],
  ],
}
