import { deepEqual, equal, ok } from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { connectors } from '../../src/connectors/all.ts'
import { retryAt, secondAccount } from '../retried.ts'
import { ADMIN_KEY, type Answer, type Body, cards, http, openShop, processors, type Shop } from '../shop.ts'
import { agree } from './agree.ts'
import { type Crossing, crossings, dyingService } from './dying.ts'
import { openVariations } from './variations.ts'

/**
 * The service is killed at each crossing of each call that moves money, with the processor approving, declining and
 * staying silent (it did the work, and its answer is lost). Then another process takes over: it must agree with the
 * processor's ledger, nothing may be charged twice, and silence may not fail a payment.
 */

const truths = ['approves', 'declines', 'is silent'] as const

/**
 * How a service that has lost an answer learns the result from each processor. `doubt`: how long "not found" does not
 * prove that an authorization was never received; longer where an authorization can only be searched for. `late`: the
 * same for operations that act on an authorization. `never`: the processor cannot be queried at all; it reports
 * payments by webhook, and operations that act on one are sent to it again, so that one that was never sent happens
 * after all.
 */
const kinds = {
  phonypay: { doubt: '5 minutes', late: '5 minutes', webhooks: 'off' },
  stripe: { doubt: '70 minutes', late: '5 minutes', webhooks: 'off' },
  adyen: { doubt: 'never', late: '5 minutes', webhooks: 'on' },
  paypal: { doubt: '5 minutes', late: '70 minutes', webhooks: 'off' },
} as const

/** Lets the webhooks that are due arrive. */
const delivered = (shop: Shop) => shop.processor.advance(0)

/**
 * The further crossings of a payment at PayPal, where an order is created and noted before the request that moves
 * money.
 */
const ofOrders = ['send.2.during', 'send.2.after', 'commit.3.before', 'commit.3.after'] as const satisfies readonly Crossing[]

/** Whether this crossing of a payment comes before its money could move. */
const nothingPaid = (connector: (typeof processors)[number], at: Crossing): boolean =>
  nothingSent(at) || (connector === 'paypal' && (at.startsWith('send.1') || at.startsWith('commit.2')))

/** Whether this crossing comes before the request could reach the processor. */
const nothingSent = (at: Crossing): boolean => at === 'commit.1.before' || at === 'commit.1.after'

/** Gives the one charge of this shop in the processor's ledger, if there is one. */
const chargeOf = async (shop: Shop) => (await shop.processor.charges())[0]

/** Verifies that everything agrees with the processor's ledger; gives the payment as the shop sees it. */
async function agreed(shop: Shop, payment_id: string): Promise<Body> {
  await agree(shop)
  return shop.get(payment_id)
}

const as =
  (shop: Shop, url: string) =>
  (path: string, body: unknown): Promise<Answer> =>
    http('POST', url + path, body, { 'api-key': shop.api_key })

const variations = openVariations()

for (const connector of processors) {
  const { doubt, late, webhooks } = kinds[connector]
  /**
   * Whether the operation was never done. An operation that was written is done after all where the job sends it
   * again.
   */
  const neverDone = (at: Crossing): boolean => (doubt === 'never' ? at === 'commit.1.before' : nothingSent(at))
  for (const truth of truths) {
    for (const at of connector === 'paypal' ? [...crossings, ...ofOrders] : crossings) {
      const add = (name: string, story: () => Promise<void>) => variations.add(`${name.split(': ')[1]} at ${at}`, name, story)
      add(`${connector}: create and confirm: killed at ${at} while the processor ${truth}`, async () => {
        const shop = await openShop({ connector, webhooks })
        const payment_id = `pay_${shop.merchant_id.slice(-12).toUpperCase().padEnd(26, '0')}`
        const card = truth === 'approves' ? cards.approves : truth === 'declines' ? cards.declines : cards.chargesAndResets
        const body = shop.payBody({ payment_id, card })
        equal(await dyingService(shop, at, url => as(shop, url)('/payments', body)), 'died')

        if (at === 'commit.1.before') {
          equal((await shop.call('GET', `/payments/${payment_id}`)).status, 404)
          equal((await shop.processor.operations()).length, 0)
        } else {
          // Before the processor was queried, silence does not fail a payment.
          if (at !== (connector === 'paypal' ? 'commit.3.after' : 'commit.2.after') && webhooks === 'off')
            equal((await shop.get(payment_id)).status, 'processing')
          if (doubt === 'never' && nothingSent(at)) {
            // The result is unknown, and the processor cannot be queried: the payment must not fail because of this.
            await shop.wait('6 days')
            equal((await shop.get(payment_id)).status, 'processing')
            await shop.wait('2 days')
            equal((await shop.get(payment_id)).status, 'requires_merchant_action')
            deepEqual(await shop.processor.charges(), [])
            return
          }
          await shop.wait(doubt === 'never' ? '5 minutes' : doubt)
          await delivered(shop)
          const payment = await agreed(shop, payment_id)
          if (nothingPaid(connector, at)) deepEqual([payment.status, payment.error_code], ['failed', 'not_received'])
          else equal(payment.status, truth === 'declines' ? 'failed' : 'succeeded')
        }
        // The merchant, who received no answer, repeats the request with the same payment_id: one payment, one charge.
        const again = await shop.post('/payments', body)
        equal(again.status, 200)
        await shop.wait('5 minutes')
        await delivered(shop)
        const payment = await agreed(shop, payment_id)
        if (at === 'commit.1.before') equal(payment.status, truth === 'declines' ? 'failed' : 'succeeded')
      })

      if (!(crossings as readonly Crossing[]).includes(at)) continue

      add(`${connector}: capture: killed at ${at} while the processor ${truth}`, async () => {
        const shop = await openShop({ connector, webhooks })
        const hold = await shop.hold({ card: truth === 'declines' ? cards.refusesCaptures : cards.approves })
        if (truth === 'is silent') await shop.processor.fault('capture', 'reset_after')
        equal(await dyingService(shop, at, url => as(shop, url)(`/payments/${hold.payment_id}/capture`, {})), 'died')
        if (truth === 'is silent' && nothingSent(at)) await shop.processor.soundAgain()
        await shop.wait(late)
        await delivered(shop)
        const payment = await agreed(shop, hold.payment_id)
        const captured = truth !== 'declines' && !neverDone(at)
        equal(payment.status, captured ? 'succeeded' : 'requires_capture')
        equal(payment.amount_capturable, captured ? 0 : 1250)
        // The hold still lives, so a capture that did not happen can be requested again.
        if (!captured && truth !== 'declines') {
          await shop.capture(hold.payment_id)
          await delivered(shop)
          equal((await agreed(shop, hold.payment_id)).status, 'succeeded')
        }
      })

      add(`${connector}: cancel: killed at ${at} while the processor ${truth}`, async () => {
        const shop = await openShop({ connector, webhooks })
        const hold = await shop.hold({ card: truth === 'declines' ? cards.refusesVoids : cards.approves })
        if (truth === 'is silent') await shop.processor.fault('void', 'reset_after')
        equal(await dyingService(shop, at, url => as(shop, url)(`/payments/${hold.payment_id}/cancel`, {})), 'died')
        if (truth === 'is silent' && nothingSent(at)) await shop.processor.soundAgain()
        await shop.wait(late)
        await delivered(shop)
        const payment = await agreed(shop, hold.payment_id)
        const voided = truth !== 'declines' && !neverDone(at)
        equal(payment.status, voided ? 'cancelled' : 'requires_capture')
        equal((await chargeOf(shop))!.status, voided ? 'voided' : 'authorized')
      })

      add(`${connector}: the second of several captures: killed at ${at} while the processor ${truth}`, async () => {
        // Adyen allows several captures to an account with this sandbox key.
        const shop = await openShop({ connector, webhooks, sandboxKey: `sandbox_multi_${randomUUID()}` })
        const hold = await shop.hold({ capture_method: 'manual_multiple' })
        equal((await shop.capture(hold.payment_id, 400)).status, 200)
        await delivered(shop)
        if (truth !== 'approves') await shop.processor.fault('capture', truth === 'declines' ? 'decline' : 'reset_after')
        equal(
          await dyingService(shop, at, url => as(shop, url)(`/payments/${hold.payment_id}/capture`, { amount_to_capture: 500 })),
          'died',
        )
        if (truth === 'is silent' && nothingSent(at)) await shop.processor.soundAgain()
        await shop.wait(late)
        await delivered(shop)
        const payment = await agreed(shop, hold.payment_id)
        const received = truth !== 'declines' && !neverDone(at) ? 900 : 400
        deepEqual(
          [payment.status, payment.amount_received, payment.amount_capturable],
          ['partially_captured_and_capturable', received, 1250 - received],
        )
        if (nothingSent(at)) await shop.processor.soundAgain()
        // The remaining amount can be captured, once.
        await shop.capture(hold.payment_id, 1250 - received)
        await delivered(shop)
        deepEqual([(await agreed(shop, hold.payment_id)).status, (await chargeOf(shop))!.captured], ['succeeded', 1250])
      })

      for (const how of connectors[connector]!.accepts.finalCaptures === false ? ['release'] : ['release', 'last capture'])
        add(`${connector}: ${how}: killed at ${at} while the processor ${truth}`, async () => {
          const shop = await openShop({ connector, webhooks, sandboxKey: `sandbox_multi_${randomUUID()}` })
          const hold = await shop.hold({ capture_method: 'manual_multiple' })
          equal((await shop.capture(hold.payment_id, 400)).status, 200)
          await delivered(shop)
          const isRelease = how === 'release'
          // Stripe releases the rest by a capture of zero.
          const call = isRelease && connector !== 'stripe' ? 'void' : 'capture'
          if (truth !== 'approves') await shop.processor.fault(call, truth === 'declines' ? 'decline' : 'reset_after')
          const path = `/payments/${hold.payment_id}/${isRelease ? 'release' : 'capture'}`
          const ask = isRelease ? {} : { amount_to_capture: 300, final_capture: true }
          equal(await dyingService(shop, at, url => as(shop, url)(path, ask)), 'died')
          if (truth === 'is silent' && nothingSent(at)) await shop.processor.soundAgain()
          await shop.wait(late)
          await delivered(shop)
          const payment = await agreed(shop, hold.payment_id)
          const done = truth !== 'declines' && !neverDone(at)
          const received = done && !isRelease ? 700 : 400
          deepEqual(
            [payment.status, payment.amount_received, payment.amount_capturable],
            done ? ['partially_captured', received, 0] : ['partially_captured_and_capturable', 400, 850],
          )
          // The captured amount can be refunded, and of an amount that is still held the rest can be captured.
          if (!done) {
            if (nothingSent(at)) await shop.processor.soundAgain()
            await shop.capture(hold.payment_id, 850)
            await delivered(shop)
          }
          await agreed(shop, hold.payment_id)
          equal((await chargeOf(shop))!.captured, done ? received : 1250)
        })

      // PayPal extends holds of wallets only.
      if (connectors[connector]!.extend && connector !== 'paypal')
        add(`${connector}: extend: killed at ${at} while the processor ${truth}`, async () => {
          const shop = await openShop({ connector, webhooks })
          const hold = await shop.hold({ request_extended_authorization: true })
          // Adyen has one call for both a higher amount and a longer hold.
          const call = connector === 'adyen' ? 'increment' : 'extend'
          if (truth !== 'approves') await shop.processor.fault(call, truth === 'declines' ? 'decline' : 'reset_after')
          const extend = (url: string) => as(shop, url)(`/payments/${hold.payment_id}/extend_authorization`, {})
          equal(await dyingService(shop, at, extend), 'died')
          if (truth === 'is silent' && nothingSent(at)) await shop.processor.soundAgain()
          await shop.wait(late)
          await delivered(shop)
          const payment = await agreed(shop, hold.payment_id)
          deepEqual([payment.status, payment.amount_capturable], ['requires_capture', 1250])
          equal(payment.extended_authorization_last_applied_at !== null, truth !== 'declines' && !neverDone(at))
          await shop.capture(hold.payment_id)
          await delivered(shop)
          equal((await agreed(shop, hold.payment_id)).amount_received, 1250)
        })

      if (connectors[connector]!.increment)
        add(`${connector}: increment: killed at ${at} while the processor ${truth}`, async () => {
          const shop = await openShop({ connector, webhooks })
          const hold = await shop.hold({ request_incremental_authorization: true })
          if (truth !== 'approves') await shop.processor.fault('increment', truth === 'declines' ? 'decline' : 'reset_after')
          const raise = (url: string) => as(shop, url)(`/payments/${hold.payment_id}/incremental_authorization`, { amount: 2000 })
          equal(await dyingService(shop, at, raise), 'died')
          if (truth === 'is silent' && nothingSent(at)) await shop.processor.soundAgain()
          await shop.wait(late)
          await delivered(shop)
          const payment = await agreed(shop, hold.payment_id)
          const raised = truth !== 'declines' && !neverDone(at)
          deepEqual([payment.status, payment.amount_capturable], ['requires_capture', raised ? 2000 : 1250])
          equal(payment.authorization_count, at === 'commit.1.before' ? null : 1)
          // The whole amount that is held now can be captured.
          await shop.capture(hold.payment_id)
          await delivered(shop)
          equal((await agreed(shop, hold.payment_id)).amount_received, raised ? 2000 : 1250)
        })

      if (connectors[connector]!.post_capture_void)
        add(`${connector}: cancel after the capture: killed at ${at} while the processor ${truth}`, async () => {
          const shop = await openShop({ connector, webhooks })
          const paid = await shop.pay()
          if (truth !== 'approves') await shop.processor.fault('reverse', truth === 'declines' ? 'decline' : 'reset_after')
          const undo = (url: string) => as(shop, url)(`/payments/${paid.payment_id}/cancel_post_capture`, {})
          equal(await dyingService(shop, at, undo), 'died')
          if (truth === 'is silent' && nothingSent(at)) await shop.processor.soundAgain()
          await shop.wait(late)
          await delivered(shop)
          const payment = await agreed(shop, paid.payment_id)
          const undone = truth !== 'declines' && !neverDone(at)
          equal(payment.status, undone ? 'cancelled_post_capture' : 'succeeded')
          equal((await chargeOf(shop))!.refunded, undone ? 1250 : 0)
          // The money goes back once, by the void or by the refund.
          await shop.refund(paid.payment_id)
          await delivered(shop)
          await agreed(shop, paid.payment_id)
          equal((await chargeOf(shop))!.refunded, 1250)
        })

      add(`${connector}: scheduled capture: killed at ${at} while the processor ${truth}`, async () => {
        const shop = await openShop({ connector, webhooks })
        const capture_on = new Date(Date.now() + shop.clock.ahead + 3_600_000).toISOString()
        const hold = await shop.pay({ capture_on, card: truth === 'declines' ? cards.refusesCaptures : cards.approves })
        equal(hold.status, 'requires_capture')
        if (truth === 'is silent') await shop.processor.fault('capture', 'reset_after')
        shop.clock.ahead += 3_601_000
        await shop.processor.advance(3601)
        equal(await dyingService(shop, at, (_url, tick) => tick()), 'died')
        if (truth === 'is silent' && nothingSent(at)) await shop.processor.soundAgain()
        await shop.wait(late)
        await delivered(shop)
        // A capture that never arrived is requested again.
        await shop.wait('15 minutes')
        await shop.wait('1 minute')
        await delivered(shop)
        const payment = await agreed(shop, hold.payment_id)
        equal(payment.status, truth === 'declines' ? 'requires_capture' : 'succeeded')
        const captures = (await shop.processor.operations()).filter(({ type, status }) => type === 'capture' && status === 'approved')
        equal(captures.length, truth === 'declines' ? 0 : 1)
        deepEqual(await shop.query('select * from scheduled_captures where merchant_id = $1', [shop.merchant_id]), [])
      })

      add(`${connector}: refund: killed at ${at} while the processor ${truth}`, async () => {
        const shop = await openShop({ connector, webhooks })
        const paid = await shop.pay({ card: truth === 'declines' ? cards.refusesRefunds : cards.approves })
        if (truth === 'is silent') await shop.processor.fault('refund', 'reset_after')
        const refund_id = `ref_${shop.merchant_id.slice(-12).toUpperCase().padEnd(26, '0')}`
        const ask = { payment_id: paid.payment_id, refund_id, amount: 700 }
        equal(await dyingService(shop, at, url => as(shop, url)('/refunds', ask)), 'died')
        if (truth === 'is silent' && nothingSent(at)) await shop.processor.soundAgain()
        await shop.wait(late)
        await delivered(shop)
        await agreed(shop, paid.payment_id)
        if (at === 'commit.1.before') equal((await shop.call('GET', `/refunds/${refund_id}`)).status, 404)
        else equal((await shop.getRefund(refund_id)).status, truth === 'declines' || neverDone(at) ? 'failed' : 'succeeded')
        // Repeated with the same id, the request gives the same refund; and never is more refunded than was captured.
        equal((await shop.post('/refunds', ask)).status, 200)
        await shop.refund(paid.payment_id, 700)
        await shop.wait(late)
        await delivered(shop)
        await agreed(shop, paid.payment_id)
        ok((await chargeOf(shop))!.refunded <= 1250)
      })
    }
  }
}

for (const at of crossings)
  variations.add('scheduled refund', `scheduled refund, service killed at ${at}: it is refunded once, or fails`, async () => {
    const shop = await openShop()
    const paid = await shop.pay()
    const { refund_id, status } = (await shop.refund(paid.payment_id, 700, { refund_type: 'scheduled' })).body
    equal(status, 'pending')
    equal(await dyingService(shop, at, (_url, tick) => tick()), 'died')
    await shop.wait('5 minutes')
    await shop.wait('5 minutes')
    const payment = await agreed(shop, paid.payment_id)
    // A refund that was not begun is begun by the next job; a refund that was begun and never sent is not sent by a
    // job.
    equal((await shop.getRefund(refund_id)).status, at === 'commit.1.after' ? 'failed' : 'succeeded')
    equal((await chargeOf(shop))!.refunded, at === 'commit.1.after' ? 0 : 700)
    equal(payment.refunds.length, 1)
    deepEqual(await shop.query('select * from scheduled_refunds where merchant_id = $1', [shop.merchant_id]), [])
    await shop.refund(paid.payment_id, 700)
    await agreed(shop, paid.payment_id)
    ok((await chargeOf(shop))!.refunded <= 1250)
  })

for (const at of ['commit.1.before', 'commit.1.after'] as const) {
  variations.add(
    'API key',
    `an API key under an Idempotency-Key, service killed at ${at}: a retry shows it, and it is created once`,
    async () => {
      const shop = await openShop()
      const headers = { 'api-key': ADMIN_KEY, 'idempotency-key': `till-of-${shop.merchant_id}` }
      const make = (url: string) => http('POST', `${url}/api_keys/${shop.merchant_id}`, { name: 'till', expiration: 'never' }, headers)
      equal(await dyingService(shop, at, make), 'died')
      const { status, body, text } = await make(shop.url)
      equal(status, 200, text)
      await shop.wait('31 seconds')
      equal((await make(shop.url)).text, text)
      equal((await shop.query("select key_id from api_keys where merchant_id = $1 and name = 'till'", [shop.merchant_id])).length, 1)
      equal((await http('POST', `${shop.url}/payments`, shop.payBody({}), { 'api-key': body.api_key })).status, 200)
    },
  )
}

for (const connector of processors) {
  const { doubt, webhooks } = kinds[connector]
  variations.add(
    'under load',
    `${connector}: service killed twenty times under load: every payment agrees with the ledger, and none is charged twice`,
    async () => {
      const shop = await openShop({ connector, webhooks })
      const ids = new Map<string, string>()
      for (let round = 0; round < 20; round++) {
        const n = 1 + Math.floor((round * 7) % 11)
        const edge = (['commit', 'send'] as const)[round % 2]!
        const at =
          `${edge}.${n}.${edge === 'commit' ? (round % 3 === 0 ? 'before' : 'after') : round % 3 === 0 ? 'during' : 'after'}` as Crossing
        await dyingService(shop, at, async url => {
          const answers = await Promise.allSettled(
            Array.from({ length: 12 }, (_, i) => {
              const payment_id = `pay_${shop.merchant_id.slice(-12).toUpperCase()}${String(round * 100 + i).padStart(14, '0')}`
              const card = [cards.approves, cards.declines, cards.chargesAndResets][i % 3]!
              ids.set(payment_id, card)
              return as(shop, url)('/payments', shop.payBody({ payment_id, card }))
            }),
          )
          if (answers.some(a => a.status === 'rejected')) throw new Error('it died')
        })
      }
      await shop.wait('10 minutes')
      await shop.wait(doubt === 'never' ? '8 days' : doubt)
      await delivered(shop)
      const { payments } = await agree(shop)
      ok(payments > 0 && payments <= ids.size, `${payments} of ${ids.size} payments`)
      // A client that received no answer repeats its request, and pays once.
      for (const [payment_id, card] of ids) equal((await shop.post('/payments', shop.payBody({ payment_id, card }))).status, 200)
      await shop.wait('10 minutes')
      await shop.wait(doubt === 'never' ? '8 days' : doubt)
      await delivered(shop)
      equal((await agree(shop)).payments, ids.size)
    },
  )
}

/** Sends the processor's webhook about an operation to the service at this address. */
function announce(shop: Shop, url: string, operation: Body): Promise<Answer> {
  const body = JSON.stringify({ id: 'evt_1', type: 'operation.updated', created_at: operation.created_at, operation })
  const t = Math.floor((Date.now() + shop.clock.ahead) / 1000)
  const v1 = createHmac('sha256', shop.webhook_secret).update(`${t}.${body}`).digest('hex')
  return http('POST', `${url}/webhooks/${shop.merchant_id}/${shop.merchant_connector_id}`, body, {
    'x-sandbox-signature': `t=${t},v1=${v1}`,
  })
}

for (const at of crossings) {
  variations.add(
    'late charge',
    `a late charge of the first processor after a retry at a second one is refunded once, service killed at ${at}`,
    async () => {
      const shop = await openShop()
      const second = await secondAccount(shop)
      const first = await shop.pay({ card: cards.resets })
      await shop.wait('5 minutes')
      const payment = await retryAt(shop, first.payment_id, second.merchant_connector_id)
      equal(payment.status, 'succeeded')
      await shop.processor.call('POST', '/v1/payments', {
        reference: first.reference_id,
        amount: 1250,
        currency: 'USD',
        capture: 'automatic',
        card: { number: cards.approves, exp_month: 12, exp_year: 2040, cvc: '737' },
        three_ds: 'skip',
      })
      const [late] = await shop.processor.operations()
      const ended = await dyingService(shop, at, url => announce(shop, url, late))
      equal(ended, 'died')
      // Before the webhook was written the service knows nothing of the charge: the poll of the operation that was not
      // received finds it within the hour.
      await shop.wait(at === 'commit.1.before' ? '1 hour' : '5 minutes')
      await shop.wait('5 minutes')
      const deeds = (await shop.processor.operations()).map(operation => `${operation.type} ${operation.status} ${operation.amount}`)
      deepEqual(deeds, ['authorization approved 1250', 'refund approved 1250'])
      const [charge] = await second.processor.charges()
      deepEqual([charge!.captured, charge!.refunded], [1250, 0])
      const now = await shop.get(first.payment_id)
      deepEqual([now.status, now.connector_transaction_id, now.error_code], ['succeeded', payment.connector_transaction_id, null])
      const announced = (await shop.events(first.payment_id)).filter(event => event.event_type === 'action_required')
      equal(announced.length, 1, 'and it is told once')
    },
  )
}

for (const at of ['commit.2.before', 'commit.2.after', 'send.2.during', 'send.2.after', 'commit.3.before', 'commit.3.after'] as const) {
  variations.add(
    'sequential capture',
    `sequential capture, service killed at ${at} between authorization and capture: it is captured once`,
    async () => {
      const shop = await openShop()
      const payment_id = `pay_${shop.merchant_id.slice(-12).toUpperCase().padEnd(26, '0')}`
      const body = shop.payBody({ payment_id, capture_method: 'sequential_automatic' })
      equal(await dyingService(shop, at, url => as(shop, url)('/payments', body)), 'died')
      await shop.wait('5 minutes')
      await shop.wait('15 minutes')
      await shop.wait('1 minute')
      equal((await agreed(shop, payment_id)).status, 'succeeded')
      const deeds = (await shop.processor.operations()).map(({ type, status }) => `${type} ${status}`)
      deepEqual(deeds, ['authorization approved', 'capture approved'])
    },
  )
}

for (const at of ['commit.2.before', 'commit.2.after', 'send.2.during', 'send.2.after', 'commit.3.before', 'commit.3.after'] as const) {
  variations.add(
    'retry within the confirm',
    `a payment declined at one processor and retried at a second within the confirm, service killed at ${at}: charged at most once`,
    async () => {
      const shop = await openShop()
      const second = await secondAccount(shop)
      await shop.profile({ is_auto_retries_enabled: true })
      await shop.processor.fault('authorize', 'decline')
      const payment_id = `pay_${shop.merchant_id.slice(-12).toUpperCase().padEnd(26, '0')}`
      equal(await dyingService(shop, at, url => as(shop, url)('/payments', shop.payBody({ payment_id }))), 'died')
      const sent = at !== 'commit.2.before' && at !== 'commit.2.after'
      if (at !== 'commit.3.after') equal((await shop.get(payment_id)).status, 'processing')
      await second.processor.advance(300)
      await shop.wait('5 minutes')
      const payment = await shop.get(payment_id)
      deepEqual([payment.status, payment.attempt_count], [sent ? 'succeeded' : 'failed', at === 'commit.2.before' ? 1 : 2])
      deepEqual(await shop.processor.charges(), [])
      deepEqual(
        (await second.processor.charges()).map(charge => [charge.reference, charge.captured]),
        sent ? [[payment.reference_id, 1250]] : [],
      )
      // A payment that succeeded at the second processor has announced no failure to the merchant.
      const announced = (await shop.events(payment_id)).map(event => event.event_type).filter(Boolean)
      equal(announced.includes('payment_failed'), !sent)
    },
  )
}

variations.run()
