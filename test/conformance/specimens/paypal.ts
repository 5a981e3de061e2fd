import type { Currency } from '../../../src/base/currencies.ts'
import type { Money } from '../../../src/base/money.ts'
import { amountOf } from '../../../src/connectors/paypal/requests.ts'
import type { Specimen } from '../specimen.ts'

const money: Money = { amount: 1250, currency: 'USD' }
const amount = amountOf(money)
const hold = {
  id: '0VF52814937998046',
  status: 'CREATED',
  amount,
  custom_id: 'REQ1',
  invoice_id: 'REQ1',
  expiration_time: '2026-03-30T10:00:00Z',
  processor_response: { avs_code: 'Y', cvv_code: 'M', response_code: '0000' },
  network_transaction_reference: { id: '489341065491658', network: 'VISA' },
}
const order = (status: string, payments?: object, custom_id = 'REQ1', of = amount) => ({
  id: 'auth_1',
  intent: 'AUTHORIZE',
  status,
  purchase_units: [{ reference_id: 'default', custom_id, amount: of, ...(payments && { payments }) }],
})
const held = order('COMPLETED', { authorizations: [hold] }, 'REQ0')
const taken = { id: '2GG279541U471931P', status: 'COMPLETED', amount, invoice_id: 'REQ1', custom_id: 'REQ0', final_capture: true }
const captured = order('COMPLETED', { authorizations: [{ ...hold, status: 'CAPTURED' }], captures: [taken] }, 'REQ0')
const batch = { payout_batch_id: 'FYXMPQTX4JC9N', batch_status: 'PENDING', sender_batch_header: { sender_batch_id: 'REQ1' } }
const item = {
  payout_item_id: 'DUCD8GC3ZSMPS',
  payout_batch_id: batch.payout_batch_id,
  transaction_status: 'UNCLAIMED',
  payout_item: { recipient_type: 'PHONE', amount: { currency: 'USD', value: '12.50' }, receiver: '1', sender_item_id: 'REQ0' },
}
const error = (name: string, issue: string) => ({
  name,
  message: 'No.',
  debug_id: 'b1d1f06c7246c',
  details: [{ issue, description: 'It is not so.' }],
})

export const specimen: Specimen = {
  before: {
    authorize: [order('CREATED'), order('APPROVED')],
    capture: [held],
    void: [held],
    extend: [held],
    refund: [captured],
    cancel_payout: [{ batch_header: batch, items: [item] }],
  },
  alwaysFirst: true,
  harmless: /\/v2\/checkout\/orders$|\/confirm-payment-source$/,
  amountIn: /\/(?:orders|capture|refund|payouts)$/,
  answers: {
    authorize: order('COMPLETED', { authorizations: [hold] }),
    capture: taken,
    void: { ...hold, status: 'VOIDED' },
    extend: { ...hold, id: '8AA831015G517922L' },
    refund: { id: '1JU08902781691411', status: 'COMPLETED', amount, custom_id: 'REQ1', invoice_id: 'REQ1' },
    payout: { batch_header: batch },
    cancel_payout: { ...item, transaction_status: 'RETURNED' },
  },
  received: { status: 201, verbs: ['payout'] },
  made: ['authorize', 'capture', 'refund', 'extend', 'payout'],
  names: ['key1'],
  keyHeader: 'paypal-request-id',
  ways: [{ family: 'wallet', way: 'paypal_redirect', first: true }],
  errors: [
    [400, error('INVALID_REQUEST', 'INVALID_PARAMETER_SYNTAX')],
    [401, { error: 'invalid_token', error_description: 'Token signature verification failed' }],
    [403, error('NOT_AUTHORIZED', 'PERMISSION_DENIED')],
    [404, error('RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID')],
    [409, error('RESOURCE_CONFLICT', 'PREVIOUS_REQUEST_IN_PROGRESS')],
    [422, error('UNPROCESSABLE_ENTITY', 'INSTRUMENT_DECLINED')],
    [429, error('RATE_LIMIT_REACHED', 'RATE_LIMIT_REACHED')],
  ],
  authorized(amount: number, currency: Currency) {
    const of = amountOf({ amount, currency })
    return order('COMPLETED', { authorizations: [{ ...hold, amount: of }] }, 'REQ1', of)
  },
}
