import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, cards, http, openShop, type Shop } from '../../test/shop.ts'
import { prove } from '../ledger/prove.ts'

/**
 * Silence is not a decline: an operation that a processor did not answer neither fails nor succeeds until the
 * processor says so. Each test checks the processor's own books at the end.
 */

type CardName = keyof typeof cards
const hasCharged: CardName[] = [
  'chargesAndHangs',
  'chargesAndResets',
  'chargesAndFails500',
  'chargesAndAnswersHtml',
  'chargesAndTruncates',
  'chargesAndDrips',
  'chargesAndAnswersNothing',
  'chargesAndAnswersHuge',
]
const hasNotCharged: CardName[] = ['hangs', 'resets', 'fails500', 'answersHtml503']

const after = ['hang_after', 'reset_after', '500_after', 'html_after', 'truncate_after', 'drip_after', 'empty_after', 'huge_after']
const before = ['hang_before', 'reset_before', '500_before', 'html_before']

const statusOf = async (shop: Shop, id: string): Promise<string> => (await shop.get(id)).status

test('an authorization without a response is polled: charged once if the processor charged, failed if it did not', async () => {
  const shop = await openShop()
  const pay = (name: CardName, capture_method: string) => shop.pay({ card: cards[name], capture_method })
  const asked = [...hasCharged, ...hasNotCharged].flatMap(name => [
    { name, capture_method: 'automatic' },
    { name, capture_method: 'manual' },
  ])
  const payments = await Promise.all(asked.map(({ name, capture_method }) => pay(name, capture_method)))
  for (const [i, payment] of payments.entries())
    deepEqual([payment.status, payment.error_code, payment.amount_received], ['processing', null, null], asked[i]!.name)
  await shop.wait('6 seconds')
  for (const [i, { payment_id }] of payments.entries()) {
    const { name, capture_method } = asked[i]!
    const known = capture_method === 'manual' ? 'requires_capture' : 'succeeded'
    equal(
      await statusOf(shop, payment_id),
      hasCharged.includes(name) ? known : 'processing',
      `${name}, ${capture_method}: too early for a no`,
    )
  }
  await shop.wait('2 minutes')
  for (const [i, { payment_id }] of payments.entries()) {
    const payment = await shop.get(payment_id)
    if (hasNotCharged.includes(asked[i]!.name)) deepEqual([payment.status, payment.error_code], ['failed', 'not_received'], asked[i]!.name)
    else equal(payment.amount_authorized ?? 1250, 1250)
  }
  const charges = await shop.processor.charges()
  equal(charges.length, hasCharged.length * 2)
  equal(new Set(charges.map(charge => charge.reference)).size, charges.length, 'none twice')
  for (const operation of await shop.processor.operations()) equal(operation.sends, 1, 'nothing that may have charged was sent again')
})

test('a payment at a processor that is slow, or ignores idempotency keys, is charged once', async () => {
  const shop = await openShop()
  await shop.processor.fault('authorize', 'latency', { ms: 10_000 })
  const slow = shop.pay()
  await eventually(async () => (await shop.processor.waiting()).length === 1, 'the processor takes its time')
  await shop.processor.advance(10)
  const patient = [await slow, await shop.pay({ card: cards.ignoresIdempotency })]
  equal(patient[1]!.status, 'succeeded')
  await shop.wait('2 minutes')
  for (const { payment_id } of patient) equal(await statusOf(shop, payment_id), 'succeeded')
  equal((await shop.processor.charges()).length, 2)
})

test('a payment whose authorization has no response yet refuses confirm, capture, cancel and refund', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ card: cards.chargesAndResets, capture_method: 'manual' })
  isRefused(await shop.confirm(payment_id), 400, 'IR_16')
  isRefused(await shop.capture(payment_id), 400, 'IR_14')
  isRefused(await shop.cancel(payment_id), 400, 'IR_16')
  isRefused(await shop.refund(payment_id), 400, 'IR_14')
  equal((await shop.processor.operations()).length, 1)
})

test('a capture without a response keeps its amount reserved until it is found captured or returned to the hold', async () => {
  const shops = await Promise.all([...after, ...before].map(() => openShop()))
  const faults = [...after, ...before]
  const ids = await Promise.all(
    shops.map(async (shop, i) => {
      const { payment_id } = await shop.hold({ amount: 1000 })
      await shop.processor.fault('capture', faults[i]!)
      const { body } = await shop.capture(payment_id, 600)
      deepEqual([body.status, body.amount_capturable, body.amount_received, body.error_code], ['processing', 400, null, null], faults[i])
      isRefused(await shop.capture(payment_id, 1), 400, 'IR_14')
      isRefused(await shop.cancel(payment_id), 400, 'IR_16')
      return payment_id as string
    }),
  )
  await shops[0]!.wait('6 seconds')
  for (const [i, shop] of shops.entries())
    equal(await statusOf(shop, ids[i]!), after.includes(faults[i]!) ? 'partially_captured' : 'processing', faults[i])
  await shops[0]!.wait('2 minutes')
  for (const [i, shop] of shops.entries()) {
    const payment = await shop.get(ids[i]!)
    const [charge] = await shop.processor.charges()
    if (after.includes(faults[i]!)) deepEqual([payment.status, payment.amount_received, charge!.captured], ['partially_captured', 600, 600])
    else {
      deepEqual(
        [payment.status, payment.amount_capturable, payment.error_code, charge!.captured],
        ['requires_capture', 1000, 'not_received', 0],
      )
      equal((await shop.capture(ids[i]!)).body.status, 'succeeded', 'and can be captured again')
    }
  }
})

test('a payment whose cancel has no response stays processing until the processor reports whether it was voided', async () => {
  const faults = [...after, ...before]
  const shops = await Promise.all(faults.map(() => openShop()))
  const ids = await Promise.all(
    shops.map(async (shop, i) => {
      const { payment_id } = await shop.hold({ amount: 1000 })
      await shop.processor.fault('void', faults[i]!)
      equal((await shop.cancel(payment_id)).body.status, 'processing', faults[i])
      isRefused(await shop.capture(payment_id), 400, 'IR_14')
      isRefused(await shop.cancel(payment_id), 400, 'IR_16')
      return payment_id as string
    }),
  )
  await shops[0]!.wait('2 minutes')
  for (const [i, shop] of shops.entries()) {
    const payment = await shop.get(ids[i]!)
    const [charge] = await shop.processor.charges()
    const expected = after.includes(faults[i]!) ? ['cancelled', 0, 'voided'] : ['requires_capture', 1000, 'authorized']
    deepEqual([payment.status, payment.amount_capturable, charge!.status], expected, faults[i])
  }
})

test('a refund without a response stays pending with its amount reserved, and is counted once if it was made', async () => {
  const faults = [...after, ...before]
  const shops = await Promise.all(faults.map(() => openShop()))
  const refunds = await Promise.all(
    shops.map(async (shop, i) => {
      const { payment_id } = await shop.pay({ amount: 1000 })
      await shop.processor.fault('refund', faults[i]!)
      const { body } = await shop.refund(payment_id, 700)
      deepEqual([body.status, body.error_code], ['pending', null], faults[i])
      isRefused(await shop.refund(payment_id, 301), 400, 'IR_13', /301 exceeds .* 300/)
      return body
    }),
  )
  await shops[0]!.wait('6 seconds')
  for (const [i, shop] of shops.entries())
    equal((await shop.getRefund(refunds[i].refund_id)).status, after.includes(faults[i]!) ? 'succeeded' : 'pending', faults[i])
  await shops[0]!.wait('2 minutes')
  for (const [i, shop] of shops.entries()) {
    const refund = await shop.getRefund(refunds[i].refund_id)
    const [charge] = await shop.processor.charges()
    if (after.includes(faults[i]!)) {
      deepEqual([refund.status, charge!.refunded], ['succeeded', 700], faults[i])
      isRefused(await shop.refund(refund.payment_id, 301), 400, 'IR_13')
    } else {
      deepEqual([refund.status, refund.error_code, charge!.refunded], ['failed', 'not_received', 0], faults[i])
      equal((await shop.refund(refund.payment_id, 1000)).body.status, 'succeeded', 'and can be refunded again')
    }
  }
})

/**
 * Makes a payment, a capture, a cancellation and a refund, each without an answer, at a processor that answers no
 * query either.
 */
async function silentShop(webhooks: 'on' | 'off') {
  const shop = await openShop({ webhooks })
  await shop.processor.account({ webhooks: webhooks === 'on' ? 'hold' : 'off' })
  const captured = await shop.hold({ amount: 1000 })
  const cancelled = await shop.hold({ amount: 1000 })
  const refunded = await shop.pay({ amount: 1000 })
  for (const call of ['capture', 'void', 'refund'] as const) await shop.processor.fault(call, 'reset_after')
  await shop.processor.fault('lookup', '500_before', { times: 10_000 })
  const authorized = await shop.pay({ card: cards.chargesAndResets })
  await shop.capture(captured.payment_id)
  await shop.cancel(cancelled.payment_id)
  const refund = (await shop.refund(refunded.payment_id, 400)).body
  const ids: string[] = [authorized, captured, cancelled].map(payment => payment.payment_id)
  return { shop, ids, refund, refunded: refunded.payment_id as string }
}

test('operations without a response for seven days do not fail: they require manual action, and amounts stay reserved', async () => {
  const { shop, ids, refund, refunded } = await silentShop('off')
  for (const day of ['1 day', '5 days']) {
    await shop.wait(day)
    for (const id of ids) equal(await statusOf(shop, id), 'processing')
    equal((await shop.getRefund(refund.refund_id)).status, 'pending')
  }
  await shop.wait('2 days')
  for (const id of ids) {
    const payment = await shop.get(id)
    deepEqual([payment.status, payment.error_code, payment.next_action], ['requires_merchant_action', 'unresolved', null])
    equal((await shop.events(id)).at(-1).event_type, 'action_required')
    isRefused(await shop.confirm(id), 400, 'IR_16')
    isRefused(await shop.capture(id), 400, 'IR_14')
    isRefused(await shop.cancel(id), 400, 'IR_16')
  }
  equal((await shop.getRefund(refund.refund_id)).status, 'review')
  equal(await statusOf(shop, refunded), 'succeeded')
  isRefused(await shop.refund(refunded, 601), 400, 'IR_13')
  await shop.wait('30 days')
  for (const id of ids) equal(await statusOf(shop, id), 'requires_merchant_action')
})

test('a webhook after seven days without a response still settles each operation', async () => {
  const { shop, ids, refund } = await silentShop('on')
  await shop.wait('8 days')
  for (const id of ids) equal(await statusOf(shop, id), 'requires_merchant_action')
  await shop.processor.flushWebhooks()
  deepEqual(await Promise.all(ids.map(id => statusOf(shop, id))), ['succeeded', 'succeeded', 'cancelled'])
  equal((await shop.getRefund(refund.refund_id)).status, 'succeeded')
  deepEqual(
    (await shop.processor.charges()).map(charge => [charge.captured, charge.refunded]),
    [
      [1000, 0],
      [0, 0],
      [1000, 400],
      [1250, 0],
    ],
  )
})

test('force_sync after seven days without a response settles each operation', async () => {
  const { shop, ids, refund } = await silentShop('off')
  await shop.wait('8 days')
  equal((await shop.sync(ids[0]!)).status, 'requires_merchant_action', 'still no answer')
  await shop.processor.soundAgain()
  deepEqual(await Promise.all(ids.map(async id => (await shop.sync(id)).status)), ['succeeded', 'succeeded', 'cancelled'])
  await shop.sync(refund.payment_id)
  equal((await shop.getRefund(refund.refund_id)).status, 'succeeded')
})

test('a manual update by an administrator settles each unresolved operation once, and a settled one cannot be changed', async () => {
  const { shop, ids, refund, refunded } = await silentShop('off')
  const [authorized, captured, cancelled] = ids as [string, string, string]
  const rule = (path: string, body: Body, key = ADMIN_KEY) =>
    http('PUT', `${shop.url}${path}/manual-update`, { merchant_id: shop.merchant_id, ...body }, { 'api-key': key })
  const ruleOn = (id: string, body: Body) => rule(`/payments/${id}`, body)
  isRefused(await ruleOn(authorized, { attempt_status: 'charged', connector_transaction_id: 'ch_1' }), 400, 'IR_16')
  equal(await statusOf(shop, authorized), 'processing', 'its answer may still be on its way')
  await shop.wait('8 days')
  isRefused(await rule(`/payments/${captured}`, { attempt_status: 'charged' }, shop.api_key), 403, 'IR_22')
  isRefused(await ruleOn(captured, { attempt_status: 'charged', merchant_id: 'nobody' }), 404, 'HE_02')
  isRefused(await ruleOn(captured, { attempt_status: 'failure' }), 400, 'IR_16', /authorize/)
  isRefused(await ruleOn(captured, { attempt_status: 'charged', attempt_id: `${captured}_7` }), 400, 'IR_16')
  isRefused(await ruleOn(authorized, { attempt_status: 'authorized' }), 400, 'IR_16', /charged/)
  isRefused(await ruleOn(authorized, { attempt_status: 'charged' }), 400, 'IR_04', /connector_transaction_id/)

  const lost = { attempt_status: 'failure', error_code: 'not_there', error_message: 'Not in their books', unified_code: 'UE_3000' }
  const failed = (await ruleOn(authorized, lost)).body
  deepEqual(
    [failed.attempt_status, failed.error_code, failed.error_message, failed.unified_code],
    ['failure', 'not_there', 'Not in their books', 'UE_3000'],
  )
  const paid = (await ruleOn(captured, { attempt_status: 'charged' })).body
  equal(paid.attempt_status, 'charged')
  equal((await ruleOn(cancelled, { attempt_status: 'voided' })).status, 200)
  const made = await rule(`/refunds/${refund.refund_id}`, { status: 'succeeded' })
  deepEqual([made.body.status, made.body.amount], ['succeeded', 400])
  deepEqual(await Promise.all(ids.map(id => statusOf(shop, id))), ['failed', 'succeeded', 'cancelled'])
  deepEqual([(await shop.get(captured)).amount_received, (await shop.get(refunded)).state_metadata.total_refunded_amount], [1000, 400])
  equal((await shop.events(captured)).at(-1).by, 'admin')
  for (const [id, attempt_status] of [
    [authorized, 'charged'],
    [captured, 'capture_failed'],
    [cancelled, 'void_failed'],
  ] as const)
    isRefused(await ruleOn(id, { attempt_status, connector_transaction_id: 'ch_1' }), 400, 'IR_16')
  isRefused(await rule(`/refunds/${refund.refund_id}`, { status: 'failed' }), 400, 'IR_16')
  isRefused(await shop.refund(refunded, 601), 400, 'IR_13')
  deepEqual(await prove(shop.service.context, shop.merchant_id), [], 'the ledger balances')
})

test('force_sync corrects wrong manual updates to failed: a capture and a refund are booked, a charge is refunded', async () => {
  const { shop, ids, refund, refunded } = await silentShop('off')
  const [authorized, captured, cancelled] = ids as [string, string, string]
  const rule = (path: string, body: Body) =>
    http('PUT', `${shop.url}${path}/manual-update`, { merchant_id: shop.merchant_id, ...body }, { 'api-key': ADMIN_KEY })
  await shop.wait('8 days')
  await rule(`/payments/${authorized}`, { attempt_status: 'failure' })
  await rule(`/payments/${captured}`, { attempt_status: 'capture_failed', error_code: 'not_there' })
  await rule(`/refunds/${refund.refund_id}`, { status: 'failed' })
  deepEqual(await Promise.all([authorized, captured].map(id => statusOf(shop, id))), ['failed', 'requires_capture'])
  for (const id of [authorized, captured, refunded]) await shop.sync(id)
  deepEqual(await Promise.all([authorized, captured].map(id => statusOf(shop, id))), ['failed', 'requires_capture'], 'nobody answers')
  await shop.processor.soundAgain()
  for (const id of [authorized, captured, cancelled, refunded]) await shop.sync(id)
  deepEqual(await Promise.all(ids.map(id => statusOf(shop, id))), ['failed', 'succeeded', 'cancelled'])
  equal((await shop.getRefund(refund.refund_id)).status, 'succeeded')
  deepEqual(
    (await shop.processor.charges()).map(charge => [charge.captured, charge.refunded]),
    [
      [1000, 0],
      [0, 0],
      [1000, 400],
      [1250, 1250],
    ],
    'a payment that was told failed is given back',
  )
  deepEqual(await prove(shop.service.context, shop.merchant_id), [], 'the ledger balances')
})

test('a webhook that only triggers a poll corrects a wrong manual update: the charge of the failed payment is refunded', async () => {
  const shop = await openShop({ connector: 'stripe', webhooks: 'on' })
  await shop.processor.account({ webhooks: 'hold' })
  await shop.processor.fault('lookup', '500_before', { times: 10_000 })
  const { payment_id } = await shop.pay({ card: cards.chargesAndResets })
  await shop.wait('8 days')
  const ruled = { merchant_id: shop.merchant_id, attempt_status: 'failure' }
  await http('PUT', `${shop.url}/payments/${payment_id}/manual-update`, ruled, { 'api-key': ADMIN_KEY })
  equal(await statusOf(shop, payment_id), 'failed')
  await shop.processor.soundAgain()
  await shop.processor.flushWebhooks()
  await shop.wait('1 minute')
  deepEqual(
    (await shop.processor.charges()).map(charge => [charge.captured, charge.refunded]),
    [[1250, 1250]],
    'the charge of a payment that has failed is given back',
  )
})

test('a request refused as busy has the processor polled soon, however far away the next poll is', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.hold({ request_extended_authorization: true })
  await shop.processor.fault('extend', 'reset_before')
  await shop.processor.fault('lookup', '500_before', { times: 10_000 })
  await shop.post(`/payments/${payment_id}/extend_authorization`, undefined)
  await shop.wait('40 minutes')
  await shop.processor.soundAgain()
  const pollAt = async (): Promise<Date> => {
    const [row] = await shop.query('select poll_at from processor_operations where object_id = $1 and poll_at is not null', [payment_id])
    return row!.poll_at
  }
  const planned = await pollAt()
  isRefused(await shop.capture(payment_id), 422, 'HE_00')
  const sooner = await pollAt()
  ok(sooner.getTime() < planned.getTime() - 10 * 60_000, `${sooner.toISOString()} instead of ${planned.toISOString()}`)
  await shop.wait('10 seconds')
  isRefused(await shop.capture(payment_id), 422, 'HE_00')
  deepEqual(await pollAt(), sooner, 'a repeated request neither delays the poll nor brings it nearer')
  await shop.wait('90 seconds')
  const { body } = await shop.capture(payment_id)
  deepEqual([body.status, body.extended_authorization_applied], ['succeeded', false])
})

test('a payment that could not be polled for weeks is polled before it is given up', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ card: cards.chargesAndResets })
  await shop.wait('20 days')
  equal(await statusOf(shop, payment_id), 'succeeded')
})

/**
 * A delay of three minutes: longer than the service waits for the answer, and longer than a request may be on its way.
 */
const late = { ms: 180_000 }

/** Lets the processor receive the delayed request. */
async function arrives(shop: Shop): Promise<void> {
  equal((await shop.processor.charges()).length, 0)
  await shop.processor.advance(180)
  equal((await shop.processor.charges()).length, 1)
}

test('a charge that arrives after its payment has failed is refunded or voided, and the payment stays failed', async () => {
  const methods = ['automatic', 'manual']
  const shops = await Promise.all(methods.map(() => openShop({ webhooks: 'on' })))
  const ids = await Promise.all(
    shops.map(async (shop, i) => {
      await shop.processor.account({ webhooks: 'hold' })
      await shop.processor.fault('authorize', 'latency', late)
      const { payment_id, status } = await shop.pay({ capture_method: methods[i] })
      equal(status, 'processing')
      return payment_id as string
    }),
  )
  await shops[0]!.wait('2 minutes')
  for (const [i, shop] of shops.entries()) {
    equal(await statusOf(shop, ids[i]!), 'failed')
    await arrives(shop)
    await shop.processor.flushWebhooks()
  }
  await shops[0]!.wait('1 minute')
  for (const [i, shop] of shops.entries()) {
    const [charge] = await shop.processor.charges()
    if (methods[i] === 'automatic') deepEqual([charge!.captured, charge!.refunded], [1250, 1250])
    else deepEqual([charge!.captured, charge!.status], [0, 'voided'])
    equal(await statusOf(shop, ids[i]!), 'failed')
  }
})

test('the refund of a late charge is repeated after lost responses under one reference, and made once', async () => {
  const shop = await openShop({ webhooks: 'on' })
  await shop.processor.account({ webhooks: 'hold' })
  await shop.processor.fault('authorize', 'latency', late)
  const { payment_id } = await shop.pay()
  await shop.wait('2 minutes')
  await arrives(shop)
  for (const fault of ['reset_before', '500_after', 'reset_after']) await shop.processor.fault('refund', fault)
  await shop.processor.flushWebhooks()
  await shop.wait('10 minutes')
  await shop.wait('1 day')
  const [charge] = await shop.processor.charges()
  deepEqual([charge!.captured, charge!.refunded], [1250, 1250])
  const refunds = (await shop.processor.operations()).filter((operation: Body) => operation.type === 'refund')
  equal(refunds.length, 1)
  ok(refunds[0].sends >= 2)
  equal(await statusOf(shop, payment_id), 'failed')
})

test('a payment that the processor once confirmed does not fail when the processor later does not find it', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ card: cards.approvesLater })
  await shop.sync(payment_id)
  await shop.processor.forget()
  await shop.wait('1 day')
  equal(await statusOf(shop, payment_id), 'processing')
  await shop.wait('7 days')
  equal(await statusOf(shop, payment_id), 'requires_merchant_action')
})
