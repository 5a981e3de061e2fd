import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { type Asks, refusedByStatus } from '../../test/grid.ts'
import { type Body, card, openShop } from '../../test/shop.ts'
import { allowedStatuses, lifecycle, refusedAs } from './lifecycle.ts'

/**
 * The requests for a payment, in each of its statuses: a request that the table beside the grid does not allow is
 * refused because of the status, and nothing happens.
 */

type Asked = Exclude<keyof typeof allowedStatuses, 'lapse'>
const bodies: Record<Asked, { path(id: string): string; body(id: string): Body }> = {
  update: { path: id => `/payments/${id}`, body: () => ({ description: 'another' }) },
  update_metadata: { path: id => `/payments/${id}/update_metadata`, body: () => ({ metadata: { a: 'b' } }) },
  confirm: {
    path: id => `/payments/${id}/confirm`,
    body: () => ({ payment_method: 'card', payment_method_data: card() }),
  },
  capture: { path: id => `/payments/${id}/capture`, body: () => ({ amount_to_capture: 100 }) },
  cancel: { path: id => `/payments/${id}/cancel`, body: () => ({}) },
  cancel_post_capture: { path: id => `/payments/${id}/cancel_post_capture`, body: () => ({}) },
  release: { path: id => `/payments/${id}/release`, body: () => ({}) },
  incremental_authorization: { path: id => `/payments/${id}/incremental_authorization`, body: () => ({ amount: 9000 }) },
  extend_authorization: { path: id => `/payments/${id}/extend_authorization`, body: () => ({}) },
  expire_session: { path: id => `/payments/${id}/expire_session`, body: () => ({}) },
  complete_authorize: { path: id => `/payments/${id}/complete_authorize`, body: () => ({}) },
  session_tokens: { path: () => '/payments/session_tokens', body: id => ({ payment_id: id, wallets: [] }) },
  eligibility: {
    path: id => `/payments/${id}/eligibility`,
    body: () => ({ payment_method_type: 'card', payment_method_data: card() }),
  },
  calculate_tax: {
    path: id => `/payments/${id}/calculate_tax`,
    body: () => ({ shipping: { address: { country: 'NO' } } }),
  },
  post_session_tokens: {
    path: id => `/payments/${id}/post_session_tokens`,
    body: () => ({ payment_method: 'wallet', payment_method_type: 'paypal' }),
  },
  refund: { path: () => '/refunds', body: id => ({ payment_id: id, amount: 100 }) },
}

const asks = Object.fromEntries(
  Object.entries(bodies).map(([name, ask]) => [name, { ...ask, code: refusedAs(name as Asked) }]),
) as unknown as Asks<Asked>

test('each operation on a payment is refused in every status that does not allow it', async () => {
  const shop = await openShop()
  const ask = { capture_method: 'manual_multiple', request_incremental_authorization: true, request_extended_authorization: true }
  const { payment_id } = await shop.hold(ask)
  await refusedByStatus(shop, {
    table: 'payments',
    key: 'payment_id',
    id: payment_id,
    grid: lifecycle,
    asks,
    allowedStatuses: allowedStatuses,
  })
  equal((await shop.processor.operations()).length, 1)
})
