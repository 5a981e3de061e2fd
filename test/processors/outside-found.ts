import { equal, match, ok } from 'node:assert/strict'
import type { Answer, Body, Shop } from '../shop.ts'
import { chargeOf, equalsBooks, hearsLate, moveUnheard, notMoved } from './outside.ts'
import { type Setting, several } from './outside-cases.ts'

/** Asserts the books after a call of ours that found what was moved unheard, and again after its late webhooks. */
async function ends({ way, asks }: Setting, shop: Shop, payment: Body): Promise<Body> {
  await shop.wait('2 minutes')
  const now = asks ? await equalsBooks(shop, payment) : payment
  await hearsLate(shop, way)
  return way === 'without a webhook' ? now : equalsBooks(shop, payment)
}

/** Moves of which no webhook arrives before a call of ours finds them out. */
export const found = {
  'a refund of ours after a whole one there says what the processor has, and moves nothing': async (setting: Setting) => {
    const shop = await setting.open()
    const paid = await shop.pay()
    await moveUnheard(shop, paid, 'refund', {}, setting.way)
    const answer = await shop.refund(paid.payment_id, 1250)
    await ends(setting, shop, paid)
    if (setting.asks) notMoved(answer)
    equal((await chargeOf(shop, paid)).refunded, 1250)
  },
  'a refund of ours after one of a part there, of which nothing was known, is made': async (setting: Setting) => {
    const shop = await setting.open()
    const paid = await shop.pay()
    await moveUnheard(shop, paid, 'refund', { amount: 500 }, setting.way)
    equal((await shop.refund(paid.payment_id, 700)).status, 200)
    await shop.wait('2 minutes')
    if (setting.asks) await shop.sync(paid.payment_id)
    await ends(setting, shop, paid)
    equal((await chargeOf(shop, paid)).refunded, 1200)
  },
  'a refund of ours of what is left there is made after one of more was refused': async (setting: Setting) => {
    const shop = await setting.open()
    const paid = await shop.pay()
    await moveUnheard(shop, paid, 'refund', { amount: 500 }, setting.way)
    await shop.refund(paid.payment_id, 1250)
    await ends(setting, shop, paid)
    equal((await shop.refund(paid.payment_id, 750)).status, 200)
    await shop.wait('2 minutes')
    equal((await chargeOf(shop, paid)).refunded, 1250)
    await equalsBooks(shop, paid)
  },
  'a cancel of ours after a capture there is refused and says so, and the payment is paid': async (setting: Setting) => {
    const shop = await setting.open()
    const hold = await shop.hold()
    await moveUnheard(shop, hold, 'capture', {}, setting.way)
    const answer = await shop.cancel(hold.payment_id)
    equal((await ends(setting, shop, hold)).status, 'succeeded')
    if (setting.asks) says(answer, /captur/)
  },
  'a cancel of ours after a capture and a refund there is refused, and both are booked': async (setting: Setting) => {
    const shop = await setting.open()
    const hold = await shop.hold()
    await moveUnheard(shop, hold, 'capture', {}, setting.way)
    await moveUnheard(shop, hold, 'refund', { amount: 500 }, setting.way)
    const answer = await shop.cancel(hold.payment_id)
    equal((await ends(setting, shop, hold)).refunds.length, 1)
    if (setting.asks) says(answer, /captur/)
  },
  'a cancel of ours after a void there leaves a cancelled payment': async (setting: Setting) => {
    const shop = await setting.open()
    const hold = await shop.hold()
    await moveUnheard(shop, hold, 'void', {}, setting.way)
    const answer = await shop.cancel(hold.payment_id)
    equal((await ends(setting, shop, hold)).status, 'cancelled')
    if (setting.asks) ok(answer.status === 400 || answer.body.status === 'cancelled', JSON.stringify(answer.body))
  },
  'a cancel of ours after a capture of a part there keeps what was captured': async (setting: Setting) => {
    const shop = await setting.open()
    const hold = await shop.hold()
    await moveUnheard(shop, hold, 'capture', { amount: 400, final: true }, setting.way)
    const answer = await shop.cancel(hold.payment_id)
    equal((await ends(setting, shop, hold)).status, 'partially_captured')
    if (setting.asks) says(answer, /captur/)
  },
  'a cancel of ours after a capture of a part there, which keeps the rest, keeps what was captured': async (setting: Setting) => {
    const shop = await setting.open()
    const hold = await shop.hold(several)
    await moveUnheard(shop, hold, 'capture', { amount: 400, final: false }, setting.way)
    await shop.cancel(hold.payment_id)
    await shop.sync(hold.payment_id)
    equal((await ends(setting, shop, hold)).amount_received, 400)
  },
  'a capture of ours after a capture there is refused, and taken once': async (setting: Setting) => {
    const shop = await setting.open()
    const hold = await shop.hold()
    await moveUnheard(shop, hold, 'capture', {}, setting.way)
    const answer = await shop.capture(hold.payment_id)
    equal((await ends(setting, shop, hold)).status, 'succeeded')
    if (setting.asks) says(answer, /captur/)
  },
  'a capture of ours after a capture of a part there is refused, and taken once': async (setting: Setting) => {
    const shop = await setting.open()
    const hold = await shop.hold()
    await moveUnheard(shop, hold, 'capture', { amount: 400, final: true }, setting.way)
    const answer = await shop.capture(hold.payment_id)
    equal((await ends(setting, shop, hold)).status, 'partially_captured')
    if (setting.asks) says(answer, /captur/)
  },
  'a capture of ours of the rest is made after one of more than a capture there has left': async (setting: Setting) => {
    const shop = await setting.open()
    const hold = await shop.hold(several)
    await moveUnheard(shop, hold, 'capture', { amount: 400, final: false }, setting.way)
    await shop.capture(hold.payment_id, 1250)
    equal((await ends(setting, shop, hold)).status, 'partially_captured_and_capturable')
    equal((await shop.capture(hold.payment_id, 850)).status, 200)
    await shop.wait('2 minutes')
    equal((await equalsBooks(shop, hold)).amount_received, 1250)
  },
  'a capture of ours after a void there is refused, and the payment is cancelled': async (setting: Setting) => {
    const shop = await setting.open()
    const hold = await shop.hold()
    await moveUnheard(shop, hold, 'void', {}, setting.way)
    const answer = await shop.capture(hold.payment_id)
    equal((await ends(setting, shop, hold)).status, 'cancelled')
    if (setting.asks) equal(answer.status, 400)
  },
  'a refund of ours after a dispute that nobody told finds the dispute': async (setting: Setting) => {
    const shop = await setting.open()
    const paid = await shop.pay()
    await moveUnheard(shop, paid, 'dispute', {}, setting.way)
    const answer = await shop.refund(paid.payment_id, 1250)
    equal((await ends(setting, shop, paid)).disputes.length, 1)
    if (setting.asks) notMoved(answer)
  },
} as const

function says({ status, body }: Answer, what: RegExp): void {
  equal(status, 400, JSON.stringify(body))
  match(body.error.message, what)
}
