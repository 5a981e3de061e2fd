import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { type Body, card, openShop } from '../../test/shop.ts'
import { statesOf } from '../base/lifecycle.ts'
import { lifecycle, type PaymentStatus, welcomes } from './lifecycle.ts'

/** What a merchant may ask of a payment, in each of its statuses: whatever the table beside the grid does not welcome is refused by the status, and nothing happens. */

type Asks = Exclude<keyof typeof welcomes, 'lapse'>

/** A body that would do, and the code of the refusal. */
const asks: Record<Asks, { path(id: string): string; body(id: string): Body; code: 'IR_14' | 'IR_16' }> = {
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
  refund: { path: () => '/refunds', body: id => ({ payment_id: id, amount: 100 }), code: 'IR_14' },
}

test('each operation is refused by each status that does not welcome it', async () => {
  const shop = await openShop()
  const ask = { capture_method: 'manual_multiple', request_incremental_authorization: true, request_extended_authorization: true }
  const { payment_id } = await shop.hold(ask)
  const stands = async (status: PaymentStatus) =>
    shop.query('update payments set status = $3 where merchant_id = $1 and payment_id = $2', [shop.merchant_id, payment_id, status])
  const row = () => shop.query('select * from payments where merchant_id = $1 and payment_id = $2', [shop.merchant_id, payment_id])
  let refused = 0
  for (const status of statesOf(lifecycle)) {
    await stands(status)
    const before = await row()
    for (const [name, { path, body, code }] of Object.entries(asks)) {
      if (welcomes[name as Asks].includes(status)) continue
      isRefused(await shop.post(path(payment_id), body(payment_id)), 400, code)
      refused++
    }
    deepEqual(await row(), before, status)
  }
  equal((await shop.processor.operations()).length, 1)
  const welcomed = Object.keys(asks).reduce((sum, name) => sum + new Set(welcomes[name as Asks]).size, 0)
  equal(refused + welcomed, Object.keys(asks).length * statesOf(lifecycle).length, 'no hole')
})
