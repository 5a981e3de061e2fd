import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { type Asks, refusedByStatus } from '../../test/grid.ts'
import { card, openShop } from '../../test/shop.ts'
import { lifecycle, welcomes } from './lifecycle.ts'

/** What a merchant may ask of a payment, in each of its statuses: whatever the table beside the grid does not welcome is refused by the status, and nothing happens. */

const asks: Asks<Exclude<keyof typeof welcomes, 'lapse'>> = {
  update: { path: id => `/payments/${id}`, body: () => ({ description: 'another' }), code: 'IR_16' },
  update_metadata: { path: id => `/payments/${id}/update_metadata`, body: () => ({ metadata: { a: 'b' } }), code: 'IR_16' },
  confirm: {
    path: id => `/payments/${id}/confirm`,
    body: () => ({ payment_method: 'card', payment_method_data: card() }),
    code: 'IR_16',
  },
  capture: { path: id => `/payments/${id}/capture`, body: () => ({ amount_to_capture: 100 }), code: 'IR_14' },
  cancel: { path: id => `/payments/${id}/cancel`, body: () => ({}), code: 'IR_16' },
  cancel_post_capture: { path: id => `/payments/${id}/cancel_post_capture`, body: () => ({}), code: 'IR_16' },
  incremental_authorization: { path: id => `/payments/${id}/incremental_authorization`, body: () => ({ amount: 9000 }), code: 'IR_16' },
  extend_authorization: { path: id => `/payments/${id}/extend_authorization`, body: () => ({}), code: 'IR_16' },
  complete_authorize: { path: id => `/payments/${id}/complete_authorize`, body: () => ({}), code: 'IR_16' },
  session_tokens: { path: () => '/payments/session_tokens', body: id => ({ payment_id: id, wallets: [] }), code: 'IR_16' },
  calculate_tax: {
    path: id => `/payments/${id}/calculate_tax`,
    body: () => ({ shipping: { address: { country: 'NO' } } }),
    code: 'IR_16',
  },
  post_session_tokens: {
    path: id => `/payments/${id}/post_session_tokens`,
    body: () => ({ payment_method: 'wallet', payment_method_type: 'paypal' }),
    code: 'IR_16',
  },
  refund: { path: () => '/refunds', body: id => ({ payment_id: id, amount: 100 }), code: 'IR_14' },
}

test('each operation is refused by each status that does not welcome it', async () => {
  const shop = await openShop()
  const ask = { capture_method: 'manual_multiple', request_incremental_authorization: true, request_extended_authorization: true }
  const { payment_id } = await shop.hold(ask)
  await refusedByStatus(shop, { table: 'payments', key: 'payment_id', id: payment_id, grid: lifecycle, asks, welcomes })
  equal((await shop.processor.operations()).length, 1)
})
