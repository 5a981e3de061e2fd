import { deepEqual, equal, match, ok } from 'node:assert/strict'
import type { Answer, Body, Shop } from '../shop.ts'
import { chargeOf, during, equalsBooks, moveOutside, moveUnheard, type Way } from './outside.ts'

/** What is moved at a processor's dashboard, before, during and after operations of ours (`outside.ts`). */

/** `several`: whether the processor captures a hold several times. */
export type Setting = { open: () => Promise<Shop>; way: Way; several: boolean }

/** What is told of, by each way. */
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
  'a capture of a part, which releases the rest': async ({ open, way }: Setting) => {
    const shop = await open()
    const hold = await shop.hold()
    await moveOutside(shop, hold, 'capture', { amount: 400, final: true }, way)
    equal((await equalsBooks(shop, hold)).status, 'partially_captured')
  },
  'a capture of a part, before one of ours': async ({ open, way, several }: Setting) => {
    if (!several) return
    const shop = await open()
    const hold = await shop.hold({ capture_method: 'manual_multiple' })
    await moveOutside(shop, hold, 'capture', { amount: 400, final: false }, way)
    equal((await equalsBooks(shop, hold)).status, 'partially_captured_and_capturable')
    equal((await shop.capture(hold.payment_id, 850)).status, 200)
    await shop.wait('2 minutes')
    await equalsBooks(shop, hold)
  },
  'a void of a hold': async ({ open, way }: Setting) => {
    const shop = await open()
    const hold = await shop.hold()
    await moveOutside(shop, hold, 'void', {}, way)
    equal((await equalsBooks(shop, hold)).status, 'cancelled')
    equal((await shop.capture(hold.payment_id)).status, 400)
  },
  'a void of what is left after a capture of ours': async ({ open, way, several }: Setting) => {
    if (!several) return
    const shop = await open()
    const hold = await shop.hold({ capture_method: 'manual_multiple' })
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
      disputes.map(({ amount, dispute_status }: Body) => [amount, dispute_status]),
      [['1250', 'dispute_opened']],
    )
  },
} as const

/** Moves whose webhooks are lost, and that a call of ours finds out. */
export const found = {
  'a refund of ours after a whole one there says what the processor has, and moves nothing': async ({ open }: Setting) => {
    const shop = await open()
    const paid = await shop.pay()
    await moveUnheard(shop, paid, 'refund')
    const answer = await shop.refund(paid.payment_id, 1250)
    await shop.wait('2 minutes')
    notMoved(answer)
    equal((await chargeOf(shop, paid)).refunded, 1250)
    await equalsBooks(shop, paid)
  },
  'a refund of ours of what is left there is made after one of more was refused': async ({ open }: Setting) => {
    const shop = await open()
    const paid = await shop.pay()
    await moveUnheard(shop, paid, 'refund', { amount: 500 })
    await shop.refund(paid.payment_id, 1250)
    await shop.wait('2 minutes')
    await equalsBooks(shop, paid)
    equal((await shop.refund(paid.payment_id, 750)).status, 200)
    await shop.wait('2 minutes')
    equal((await chargeOf(shop, paid)).refunded, 1250)
    await equalsBooks(shop, paid)
  },
  'a cancel of ours after a capture there is refused and says so, and the payment is paid': async ({ open }: Setting) => {
    const shop = await open()
    const hold = await shop.hold()
    await moveUnheard(shop, hold, 'capture')
    const answer = await shop.cancel(hold.payment_id)
    await shop.wait('2 minutes')
    equal((await equalsBooks(shop, hold)).status, 'succeeded')
    equal(answer.status, 400)
    match(answer.body.error.message, /captur/)
  },
  'a capture of ours after a capture there is refused, and taken once': async ({ open }: Setting) => {
    const shop = await open()
    const hold = await shop.hold()
    await moveUnheard(shop, hold, 'capture')
    const answer = await shop.capture(hold.payment_id)
    await shop.wait('2 minutes')
    equal((await equalsBooks(shop, hold)).status, 'succeeded')
    equal(answer.status, 400)
  },
  'a capture of ours after a void there is refused, and the payment is cancelled': async ({ open }: Setting) => {
    const shop = await open()
    const hold = await shop.hold()
    await moveUnheard(shop, hold, 'void')
    const answer = await shop.capture(hold.payment_id)
    await shop.wait('2 minutes')
    equal((await equalsBooks(shop, hold)).status, 'cancelled')
    equal(answer.status, 400)
  },
  'a refund of ours after a dispute that nobody told finds the dispute': async ({ open }: Setting) => {
    const shop = await open()
    const paid = await shop.pay()
    await moveUnheard(shop, paid, 'dispute')
    const answer = await shop.refund(paid.payment_id, 1250)
    await shop.wait('2 minutes')
    notMoved(answer)
    equal((await equalsBooks(shop, paid)).disputes.length, 1)
  },
} as const

const notMoved = ({ status, body }: Answer): void => ok(status >= 400 || body.status === 'failed', `${status} ${JSON.stringify(body)}`)

/** What is moved there while a call of ours is at the processor. */
export const meanwhile = {
  'a refund of ours and one there are both made if there is room for both': async ({ open, way }: Setting) => {
    const shop = await open()
    const paid = await shop.pay()
    await during(
      shop,
      'refund',
      () => shop.refund(paid.payment_id, 600),
      () => moveOutside(shop, paid, 'refund', { amount: 600 }, way),
    )
    await shop.wait('1 hour')
    equal((await chargeOf(shop, paid)).refunded, 1200)
    await equalsBooks(shop, paid)
  },
  'a refund of ours is not made if one there leaves no room': async ({ open, way }: Setting) => {
    const shop = await open()
    const paid = await shop.pay()
    await during(
      shop,
      'refund',
      () => shop.refund(paid.payment_id, 1250),
      () => moveOutside(shop, paid, 'refund', {}, way),
    )
    await shop.wait('1 hour')
    equal((await chargeOf(shop, paid)).refunded, 1250)
    await equalsBooks(shop, paid)
  },
  'a capture of ours finds the hold captured there, and is taken once': async ({ open, way }: Setting) => {
    const shop = await open()
    const hold = await shop.hold()
    await during(
      shop,
      'capture',
      () => shop.capture(hold.payment_id),
      () => moveOutside(shop, hold, 'capture', {}, way),
    )
    await shop.wait('1 hour')
    equal((await equalsBooks(shop, hold)).status, 'succeeded')
  },
  'a capture of ours finds the hold voided there': async ({ open, way }: Setting) => {
    const shop = await open()
    const hold = await shop.hold()
    await during(
      shop,
      'capture',
      () => shop.capture(hold.payment_id),
      () => moveOutside(shop, hold, 'void', {}, way),
    )
    await shop.wait('1 hour')
    equal((await equalsBooks(shop, hold)).status, 'cancelled')
  },
  'a cancel of ours finds the hold captured there': async ({ open, way }: Setting) => {
    const shop = await open()
    const hold = await shop.hold()
    await during(
      shop,
      'void',
      () => shop.cancel(hold.payment_id),
      () => moveOutside(shop, hold, 'capture', {}, way),
    )
    await shop.wait('1 hour')
    equal((await equalsBooks(shop, hold)).status, 'succeeded')
  },
  'a refund of ours whose answer is lost is not confused with one there': async ({ open, way }: Setting) => {
    const shop = await open()
    const paid = await shop.pay()
    await shop.processor.fault('refund', 'reset_after')
    await shop.refund(paid.payment_id, 600)
    await moveOutside(shop, paid, 'refund', { amount: 600 }, way)
    await shop.wait('1 hour')
    equal((await chargeOf(shop, paid)).refunded, 1200)
    const { refunds } = await equalsBooks(shop, paid)
    deepEqual(refunds.map(({ origin }: Body) => origin).sort(), ['external', 'merchant'])
  },
  'a refund of ours that never arrives is not confused with one there': async ({ open, way }: Setting) => {
    const shop = await open()
    const paid = await shop.pay()
    await shop.processor.fault('refund', 'reset_before')
    await shop.refund(paid.payment_id, 600)
    await moveOutside(shop, paid, 'refund', { amount: 600 }, way)
    await shop.wait('1 hour')
    const { refunded } = await chargeOf(shop, paid)
    ok(refunded === 600 || refunded === 1200, `${refunded}`)
    await equalsBooks(shop, paid)
  },
} as const
