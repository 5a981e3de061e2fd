import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { ends, openPayoutShop, recipients } from '../../test/payout-shop.ts'
import { isRefused } from '../../test/refused.ts'
import type { Body } from '../../test/shop.ts'

test('a payout that has not been sent is cancelled without a request to the processor', async () => {
  const shop = await openPayoutShop()
  for (const ask of [{ confirm: false, payout_method_data: undefined }, { confirm: false }, { auto_fulfill: false }]) {
    const { payout_id } = await shop.payOut(ask)
    equal((await shop.cancelPayout(payout_id)).body.status, 'cancelled')
    isRefused(await shop.cancelPayout(payout_id), 422, 'IR_06', /status is cancelled/)
    isRefused(await shop.fulfill(payout_id), 422, 'IR_06')
    isRefused(await shop.confirmPayout(payout_id), 400, 'IR_16')
    isRefused(await shop.post(`/payouts/${payout_id}`, { amount: 1 }), 422, 'IR_06')
  }
  deepEqual(await shop.paidOut(), [])
})

test('a payout in progress is cancelled when the processor approves the cancel', async () => {
  const shop = await openPayoutShop()
  const { payout_id, status } = await shop.payOut({ to: recipients.bank(ends.waits) })
  equal(status, 'initiated')
  equal((await shop.cancelPayout(payout_id)).body.status, 'cancelled')
  await shop.wait('2 minutes')
  deepEqual([(await shop.getPayout(payout_id)).status, (await shop.paidOut())[0]!.status], ['cancelled', 'cancelled'])
  deepEqual((await shop.events(payout_id)).map((event: Body) => event.event_type).filter(Boolean), ['payout_initiated', 'payout_cancelled'])
})

test('a declined cancel leaves the payout in progress', async () => {
  const shop = await openPayoutShop()
  const { payout_id } = await shop.payOut({ to: recipients.bank(ends.keeps) })
  const refused = (await shop.cancelPayout(payout_id)).body
  deepEqual([refused.status, refused.error_code], ['initiated', 'payout_cancel_declined'])
  await shop.wait('2 minutes')
  const paid = await shop.getPayout(payout_id)
  deepEqual([paid.status, paid.error_code], ['success', null])
  isRefused(await shop.cancelPayout(payout_id), 422, 'IR_06')
})

test('a cancel without a response is polled, and the payout is not cancelled before its result is known', async () => {
  const shop = await openPayoutShop()
  for (const [fault, after] of [
    ['reset_after', 'cancelled'],
    ['reset_before', 'initiated'],
  ] as const) {
    const { payout_id } = await shop.payOut({ to: recipients.bank(ends.waits) })
    await shop.processor.fault('cancel_payout', fault)
    equal((await shop.cancelPayout(payout_id)).body.status, 'initiated', fault)
    isRefused(await shop.cancelPayout(payout_id), 422, 'HE_00')
    await shop.wait('3 minutes')
    equal((await shop.getPayout(payout_id)).status, after, fault)
  }
})

test('a cancel or fulfill request must contain the payout_id of its path', async () => {
  const shop = await openPayoutShop()
  const { payout_id } = await shop.payOut({ auto_fulfill: false })
  for (const what of ['cancel', 'fulfill']) {
    isRefused(await shop.post(`/payouts/${payout_id}/${what}`, {}), 400, 'IR_04', /payout_id/)
    isRefused(await shop.post(`/payouts/${payout_id}/${what}`, { payout_id: `pyt_${'0'.repeat(26)}` }), 422, 'IR_05', /payout_id/)
  }
  equal((await shop.getPayout(payout_id)).status, 'requires_fulfillment')
})

test('an unconfirmed payout expires at the end of its session_expiry, and never expires without one', async () => {
  const shop = await openPayoutShop()
  const short = await shop.payOut({ confirm: false, session_expiry: 120 })
  const confirmed = await shop.payOut({ auto_fulfill: false, session_expiry: 120 })
  const unsaid = await shop.payOut({ confirm: false })
  const longer = await shop.payOut({ confirm: false, session_expiry: 120 })
  const atOnce = await shop.payOut({ confirm: false, session_expiry: 0 })
  equal(atOnce.status, 'expired')
  isRefused(await shop.confirmPayout(atOnce.payout_id), 400, 'IR_16', /expired/)
  deepEqual((await shop.events(atOnce.payout_id)).map((event: Body) => event.event_type).filter(Boolean), ['payout_expired'])
  equal((await shop.payOut({ session_expiry: 0 })).status, 'success')
  await shop.post(`/payouts/${longer.payout_id}`, { session_expiry: 600 })
  await shop.wait('3 minutes')
  const status = async ({ payout_id }: Body) => (await shop.getPayout(payout_id)).status
  deepEqual(
    [await status(short), await status(confirmed), await status(unsaid), await status(longer)],
    ['expired', 'requires_fulfillment', 'requires_confirmation', 'requires_confirmation'],
  )
  await shop.wait('8 minutes')
  equal(await status(longer), 'expired')
  equal((await shop.fulfill(confirmed.payout_id)).body.status, 'success')
  deepEqual((await shop.events(short.payout_id)).map((event: Body) => event.event_type).filter(Boolean), ['payout_expired'])
})

test('only the metadata and the reference of a payout in progress can be changed', async () => {
  const shop = await openPayoutShop()
  const { payout_id } = await shop.payOut({ to: recipients.bank(ends.waits) })
  const noted = (await shop.post(`/payouts/${payout_id}`, { metadata: { week: '12' }, merchant_order_reference_id: 'w12' })).body
  deepEqual([noted.status, noted.metadata, noted.merchant_order_reference_id], ['initiated', { week: '12' }, 'w12'])
  isRefused(await shop.post(`/payouts/${payout_id}`, { amount: 1 }), 422, 'IR_06', /amount/)
})
