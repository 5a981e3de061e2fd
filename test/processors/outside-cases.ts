import { deepEqual, equal } from 'node:assert/strict'
import type { Body, Shop } from '../shop.ts'
import { chargeOf, equalsBooks, hearsLate, moveOutside, moveUnheard, notMoved, type Way } from './outside.ts'

/** Movements at a processor's dashboard, before, during and after operations of ours (`outside.ts`). */

/** `several`: whether the processor captures a hold several times. `asks`: whether it can be asked about a payment. */
export type Setting = { open: () => Promise<Shop>; way: Way; several: boolean; asks: boolean }

export const several = { capture_method: 'manual_multiple' } as const

/** The movements of which each way tells. */
export const told = {
  'refunds of a part and of the rest': async ({ open, way }: Setting) => {
    const shop = await open()
    const paid = await shop.pay()
    await moveOutside(shop, paid, 'refund', { amount: 500 }, way)
    await equalsBooks(shop, paid)
    equal((await shop.refund(paid.payment_id, 800)).status, 400)
    await moveOutside(shop, paid, 'refund', {}, way)
    const { refunds } = await equalsBooks(shop, paid)
    deepEqual(
      refunds.map(({ amount, origin }: Body) => [amount, origin]).sort(),
      [
        [500, 'external'],
        [750, 'external'],
      ].sort(),
    )
  },
  'a refund of a part, before one of ours': async ({ open, way }: Setting) => {
    const shop = await open()
    const paid = await shop.pay()
    await moveOutside(shop, paid, 'refund', { amount: 500 }, way)
    equal((await shop.refund(paid.payment_id, 750)).status, 200)
    await shop.wait('2 minutes')
    equal((await equalsBooks(shop, paid)).state_metadata.total_refunded_amount, 1250)
  },
  'a refund after one of ours': async ({ open, way }: Setting) => {
    const shop = await open()
    const paid = await shop.pay()
    await shop.refund(paid.payment_id, 300)
    await shop.wait('2 minutes')
    await moveOutside(shop, paid, 'refund', { amount: 300 }, way)
    const { refunds } = await equalsBooks(shop, paid)
    deepEqual(refunds.map(({ origin }: Body) => origin).sort(), ['external', 'merchant'])
  },
  'a capture of a hold': async ({ open, way }: Setting) => {
    const shop = await open()
    const hold = await shop.hold()
    await moveOutside(shop, hold, 'capture', {}, way)
    equal((await equalsBooks(shop, hold)).status, 'succeeded')
    equal((await shop.cancel(hold.payment_id)).status, 400)
    await shop.refund(hold.payment_id, 1250)
    await shop.wait('2 minutes')
    await equalsBooks(shop, hold)
  },
  'a capture of a hold, and a refund of a part of it': async ({ open, way }: Setting) => {
    const shop = await open()
    const hold = await shop.hold()
    await moveUnheard(shop, hold, 'capture', {}, way)
    await moveOutside(shop, hold, 'refund', { amount: 500 }, way)
    await hearsLate(shop, way)
    const { status, refunds } = await equalsBooks(shop, hold)
    deepEqual([status, refunds.length], ['succeeded', 1])
  },
  'a capture of a part, which releases the rest': async ({ open, way }: Setting) => {
    const shop = await open()
    const hold = await shop.hold()
    await moveOutside(shop, hold, 'capture', { amount: 400, final: true }, way)
    equal((await equalsBooks(shop, hold)).status, 'partially_captured')
  },
  'a capture of a part, before one of ours': async ({ open, way }: Setting) => {
    const shop = await open()
    const hold = await shop.hold(several)
    await moveOutside(shop, hold, 'capture', { amount: 400, final: false }, way)
    equal((await equalsBooks(shop, hold)).status, 'partially_captured_and_capturable')
    equal((await shop.capture(hold.payment_id, 850)).status, 200)
    await shop.wait('2 minutes')
    await equalsBooks(shop, hold)
  },
  'a capture of a part, after one of ours of the same amount': async ({ open, way }: Setting) => {
    const shop = await open()
    const hold = await shop.hold(several)
    await shop.capture(hold.payment_id, 400)
    await shop.wait('2 minutes')
    await moveOutside(shop, hold, 'capture', { amount: 400, final: false }, way)
    const { status, amount_received } = await equalsBooks(shop, hold)
    deepEqual([status, amount_received], ['partially_captured_and_capturable', 800])
  },
  'a void of a hold': async ({ open, way }: Setting) => {
    const shop = await open()
    const hold = await shop.hold()
    await moveOutside(shop, hold, 'void', {}, way)
    equal((await equalsBooks(shop, hold)).status, 'cancelled')
    equal((await shop.capture(hold.payment_id)).status, 400)
    equal((await shop.cancel(hold.payment_id)).status, 400)
    await equalsBooks(shop, hold)
  },
  'a void of what is left after a capture of ours': async ({ open, way }: Setting) => {
    const shop = await open()
    const hold = await shop.hold(several)
    await shop.capture(hold.payment_id, 400)
    await shop.wait('2 minutes')
    await moveOutside(shop, hold, 'void', {}, way)
    equal((await equalsBooks(shop, hold)).status, 'partially_captured')
  },
  'a refund of ours that the bank sends back': async ({ open, way }: Setting) => {
    const shop = await open()
    const paid = await shop.pay()
    await shop.refund(paid.payment_id, 500)
    await shop.wait('2 minutes')
    await moveOutside(shop, paid, 'refund_failed', {}, way)
    equal((await equalsBooks(shop, paid)).refunds[0].status, 'failed')
  },
  'a refund of theirs that the bank sends back': async ({ open, way }: Setting) => {
    const shop = await open()
    const paid = await shop.pay()
    await moveOutside(shop, paid, 'refund', { amount: 500 }, way)
    await moveOutside(shop, paid, 'refund_failed', {}, way)
    equal((await equalsBooks(shop, paid)).refunds[0].status, 'failed')
    await shop.refund(paid.payment_id, 1250)
    await shop.wait('2 minutes')
    equal((await chargeOf(shop, paid)).refunded, 1250)
  },
  'a raised hold': async ({ open, way }: Setting) => {
    const shop = await open()
    const hold = await shop.hold({ request_incremental_authorization: true })
    await moveOutside(shop, hold, 'increment', { amount: 2000 }, way)
    await equalsBooks(shop, hold)
    equal((await shop.capture(hold.payment_id, 2000)).status, 200)
    await shop.wait('2 minutes')
    await equalsBooks(shop, hold)
  },
  'a dispute': async ({ open, way }: Setting) => {
    const shop = await open()
    const paid = await shop.pay()
    await moveOutside(shop, paid, 'dispute', {}, way)
    const { disputes } = await equalsBooks(shop, paid)
    deepEqual(
      disputes.map(({ amount, currency, dispute_status }: Body) => [amount, currency, dispute_status]),
      [['1250', 'USD', 'dispute_opened']],
    )
  },
  'a dispute of what a refund of ours has left': async ({ open, way }: Setting) => {
    const shop = await open()
    const paid = await shop.pay()
    await shop.refund(paid.payment_id, 500)
    await shop.wait('2 minutes')
    await moveOutside(shop, paid, 'dispute', { amount: 750 }, way)
    equal((await equalsBooks(shop, paid)).disputes.length, 1)
    notMoved(await shop.refund(paid.payment_id, 1))
  },
} as const
