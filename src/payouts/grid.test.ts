import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { type Asks, refusedByStatus } from '../../test/grid.ts'
import { openPayoutShop } from '../../test/payout-shop.ts'
import { allowedStatuses, lifecycle } from './lifecycle.ts'

/** The requests for a payout, in each of its statuses. */
const of = { status: 422, code: 'IR_06' }
const asks: Asks<keyof typeof allowedStatuses> = {
  update: { path: id => `/payouts/${id}`, body: () => ({ metadata: { a: 'b' } }), ...of },
  confirm: { path: id => `/payouts/${id}/confirm`, body: () => ({}), code: 'IR_16' },
  fulfill: { path: id => `/payouts/${id}/fulfill`, body: id => ({ payout_id: id }), ...of },
  cancel: { path: id => `/payouts/${id}/cancel`, body: id => ({ payout_id: id }), ...of },
}

test('each operation on a payout is refused in every status that does not allow it', async () => {
  const shop = await openPayoutShop()
  const { payout_id } = await shop.payOut({ auto_fulfill: false })
  await refusedByStatus(shop, {
    table: 'payouts',
    key: 'payout_id',
    id: payout_id,
    grid: lifecycle,
    asks,
    allowedStatuses: allowedStatuses,
  })
  deepEqual(await shop.paidOut(), [])
})
