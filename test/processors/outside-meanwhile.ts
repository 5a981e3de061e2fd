import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Body } from '../shop.ts'
import { chargeOf, during, equalsBooks, moveOutside } from './outside.ts'
import { type Setting, several } from './outside-cases.ts'

/** Moves made while a call of ours is at the processor; the jobs of two minutes run meanwhile. */
const WHILE_ASKED = '120 seconds'

export const meanwhile = {
  'a refund of ours and one there are both made if there is room for both': async ({ open, way }: Setting) => {
    const shop = await open()
    const paid = await shop.pay()
    await during(
      shop,
      'refund',
      () => shop.refund(paid.payment_id, 600),
      () => moveOutside(shop, paid, 'refund', { amount: 550 }, way, WHILE_ASKED),
    )
    equal((await chargeOf(shop, paid)).refunded, 1150)
    await equalsBooks(shop, paid)
  },
  'a refund of ours and one there of the same amount are both made': async ({ open, way }: Setting) => {
    const shop = await open()
    const paid = await shop.pay()
    await during(
      shop,
      'refund',
      () => shop.refund(paid.payment_id, 600),
      () => moveOutside(shop, paid, 'refund', { amount: 600 }, way, WHILE_ASKED),
    )
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
      () => moveOutside(shop, paid, 'refund', {}, way, WHILE_ASKED),
    )
    equal((await chargeOf(shop, paid)).refunded, 1250)
    await equalsBooks(shop, paid)
  },
  'a refund of ours finds a dispute': async ({ open, way }: Setting) => {
    const shop = await open()
    const paid = await shop.pay()
    await during(
      shop,
      'refund',
      () => shop.refund(paid.payment_id, 1250),
      () => moveOutside(shop, paid, 'dispute', {}, way, WHILE_ASKED),
    )
    equal((await equalsBooks(shop, paid)).disputes.length, 1)
  },
  'a capture of ours finds the hold captured there, and is taken once': async ({ open, way }: Setting) => {
    const shop = await open()
    const hold = await shop.hold()
    await during(
      shop,
      'capture',
      () => shop.capture(hold.payment_id),
      () => moveOutside(shop, hold, 'capture', {}, way, WHILE_ASKED),
    )
    equal((await equalsBooks(shop, hold)).status, 'succeeded')
  },
  'a capture of ours finds a part captured there, which has released the rest': async ({ open, way }: Setting) => {
    const shop = await open()
    const hold = await shop.hold()
    await during(
      shop,
      'capture',
      () => shop.capture(hold.payment_id),
      () => moveOutside(shop, hold, 'capture', { amount: 400, final: true }, way, WHILE_ASKED),
    )
    equal((await equalsBooks(shop, hold)).status, 'partially_captured')
  },
  'a capture of a part by us and one there of the same amount are both made': async ({ open, way }: Setting) => {
    const shop = await open()
    const hold = await shop.hold(several)
    await during(
      shop,
      'capture',
      () => shop.capture(hold.payment_id, 400),
      () => moveOutside(shop, hold, 'capture', { amount: 400, final: false }, way, WHILE_ASKED),
    )
    equal((await equalsBooks(shop, hold)).amount_received, 800)
  },
  'a capture of ours finds the hold voided there': async ({ open, way }: Setting) => {
    const shop = await open()
    const hold = await shop.hold()
    await during(
      shop,
      'capture',
      () => shop.capture(hold.payment_id),
      () => moveOutside(shop, hold, 'void', {}, way, WHILE_ASKED),
    )
    equal((await equalsBooks(shop, hold)).status, 'cancelled')
  },
  'a cancel of ours finds the hold captured there': async ({ open, way }: Setting) => {
    const shop = await open()
    const hold = await shop.hold()
    await during(
      shop,
      'void',
      () => shop.cancel(hold.payment_id),
      () => moveOutside(shop, hold, 'capture', {}, way, WHILE_ASKED),
    )
    equal((await equalsBooks(shop, hold)).status, 'succeeded')
  },
  'a cancel of ours finds a part captured there': async ({ open, way }: Setting) => {
    const shop = await open()
    const hold = await shop.hold()
    await during(
      shop,
      'void',
      () => shop.cancel(hold.payment_id),
      () => moveOutside(shop, hold, 'capture', { amount: 400, final: true }, way, WHILE_ASKED),
    )
    equal((await equalsBooks(shop, hold)).status, 'partially_captured')
  },
  'a cancel of ours finds the hold voided there': async ({ open, way }: Setting) => {
    const shop = await open()
    const hold = await shop.hold()
    await during(
      shop,
      'void',
      () => shop.cancel(hold.payment_id),
      () => moveOutside(shop, hold, 'void', {}, way, WHILE_ASKED),
    )
    equal((await equalsBooks(shop, hold)).status, 'cancelled')
  },
  'a refund of ours whose answer is lost is not confused with one there': async ({ open, way }: Setting) => {
    const shop = await open()
    const paid = await shop.pay()
    await shop.processor.fault('refund', 'reset_after')
    await shop.refund(paid.payment_id, 600)
    await moveOutside(shop, paid, 'refund', { amount: 600 }, way, WHILE_ASKED)
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
    await moveOutside(shop, paid, 'refund', { amount: 600 }, way, WHILE_ASKED)
    await shop.wait('1 hour')
    const { refunded } = await chargeOf(shop, paid)
    ok(refunded === 600 || refunded === 1200, `${refunded}`)
    await equalsBooks(shop, paid)
  },
  'a hold whose answer is lost, and of which a part was captured there, is paid': async ({ open, way }: Setting) => {
    const shop = await open()
    await shop.processor.fault('authorize', 'reset_after')
    const hold = await shop.hold()
    await moveOutside(shop, hold, 'capture', { amount: 400, final: true }, way)
    await shop.wait('10 minutes')
    await shop.wait('1 hour')
    equal((await equalsBooks(shop, hold)).status, 'partially_captured')
  },
  'a refund there, of what is disputed before it is told, is a refund': async ({ open, way }: Setting) => {
    const shop = await open()
    const paid = await shop.pay()
    const { payment: id } = await chargeOf(shop, paid)
    await shop.processor.move(id, 'refund', { amount: 500, webhooks: 'hold' })
    await moveOutside(shop, paid, 'dispute', { amount: 1250 }, way)
    await shop.processor.flushWebhooks()
    await shop.wait('10 minutes')
    await shop.wait('1 hour')
    equal((await equalsBooks(shop, paid)).refunds.length, 1)
  },
} as const
