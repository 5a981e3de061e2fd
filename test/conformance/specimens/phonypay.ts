import type { Specimen } from '../specimen.ts'

const operation = {
  id: 'auth_1',
  object: 'operation',
  type: 'authorization',
  payment: 'auth_1',
  reference: 'REQ1',
  status: 'approved',
  amount: 1250,
  currency: 'USD',
  decline: null,
  redirect_url: null,
  payment_state: { status: 'authorized', authorized: 1250, captured: 0, refunded: 0 },
  network_transaction_id: '123456789012345',
  authorization_code: 'A1B2C3',
  eci: '07',
  avs_result: 'Y',
  cvc_result: 'M',
  arn: null,
  hold_expires_at: '2026-03-08T10:00:00.000Z',
}
const error = (code: string) => ({ error: { code, message: 'No.', param: null } })

export const specimen: Specimen = {
  answers: {
    authorize: operation,
    capture: { ...operation, id: 'cap_1', type: 'capture' },
    void: { ...operation, id: 'void_1', type: 'void' },
    refund: { ...operation, id: 'ref_1', type: 'refund' },
    increment: { ...operation, id: 'inc_1', type: 'increment' },
    extend: { ...operation, id: 'ext_1', type: 'extension' },
    post_capture_void: {
      ...operation,
      id: 'rev_1',
      type: 'reversal',
      payment_state: { status: 'captured', authorized: 1250, captured: 1250, refunded: 1250 },
    },
    payout: { ...operation, type: 'payout' },
    cancel_payout: { ...operation, id: 'pcan_1', type: 'payout_cancel' },
  },
  errors: [
    [400, error('invalid_request')],
    [401, error('unauthorized')],
    [404, error('not_found')],
    [409, error('duplicate_reference')],
    [422, error('not_allowed')],
    [429, error('slow_down')],
  ],
}
