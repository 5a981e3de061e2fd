import { deepEqual, equal, ok } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { areTheSame, isRefused } from '../../test/refused.ts'
import { type Answer, type Body, cards, http, openShop, type Shop } from '../../test/shop.ts'
import { addAccount } from '../../test/two-accounts.ts'

const addressOf = (shop: Shop): string => `${shop.url}/webhooks/${shop.merchant_id}/${shop.merchant_connector_id}`

/** Gives a webhook of the processor about an operation, as its ledger has it. */
const announcement = (operation: Body): string =>
  JSON.stringify({ id: 'evt_1', type: 'operation.updated', created_at: new Date().toISOString(), operation })

function send(
  shop: Shop,
  body: string,
  signed: { secret?: string; ahead?: number; header?: string } = {},
  method = 'POST',
): Promise<Answer> {
  const t = Math.floor((Date.now() + shop.clock.ahead) / 1000) + (signed.ahead ?? 0)
  const v1 = createHmac('sha256', signed.secret ?? shop.webhook_secret)
    .update(`${t}.${body}`)
    .digest('hex')
  return http(method, addressOf(shop), body || undefined, { 'x-sandbox-signature': signed.header ?? `t=${t},v1=${v1}` })
}

const versionOf = async (shop: Shop, id: string): Promise<number> => (await shop.events(id)).length

test('a payment that the processor decides later is settled by its webhook, before any poll', async () => {
  const shop = await openShop({ webhooks: 'on' })
  const yes = await shop.pay({ card: cards.approvesLater })
  const no = await shop.pay({ card: cards.declinesLater })
  await shop.processor.advance(61)
  deepEqual([(await shop.get(yes.payment_id)).status, (await shop.get(no.payment_id)).status], ['succeeded', 'failed'])
  ok((await shop.processor.ledger()).webhooks.every(webhook => webhook.delivered))
})

test('a webhook that arrives before the response settles the payment, and the lost response changes nothing', async () => {
  const shop = await openShop({ webhooks: 'on' })
  const payment = await shop.pay({ card: cards.chargesAndHangs })
  deepEqual([payment.status, payment.amount_received], ['succeeded', 1250], 'the answer never came, the webhook did')
  const before = await versionOf(shop, payment.payment_id)
  await shop.wait('1 day')
  deepEqual([await versionOf(shop, payment.payment_id), (await shop.processor.charges()).length], [before, 1])
})

test('a webhook may come by PUT, and by GET without a body; an unsigned one and an unknown account are refused', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ card: cards.approvesLater })
  await shop.processor.advance(61)
  const body = announcement((await shop.processor.operations())[0]!)
  equal((await send(shop, '', {}, 'GET')).status, 200)
  equal((await shop.get(payment_id)).status, 'processing')
  equal((await send(shop, body, {}, 'PUT')).status, 200)
  equal((await shop.get(payment_id)).status, 'succeeded')
  for (const method of ['POST', 'PUT', 'GET']) {
    isRefused(await send(shop, method === 'GET' ? '' : body, { header: 't=1,v1=0' }, method), 401, 'WE_01')
    isRefused(await http(method, `${shop.url}/webhooks/${shop.merchant_id}/mca_nobody`), 404, 'WE_04')
  }
})

test('a webhook delivered three times at once is booked once and sends one event', async () => {
  const shop = await openShop({ webhooks: 'on' })
  await shop.processor.account({ webhooks: 'duplicate' })
  const payment = await shop.pay({ card: cards.approvesLater })
  await shop.processor.advance(61)
  const events = await shop.events(payment.payment_id)
  deepEqual(
    events.map((event: Body) => event.event_type),
    [null, 'payment_processing', 'payment_succeeded'],
  )
  const { body: refund } = await shop.refund(payment.payment_id, 500)
  equal(refund.status, 'succeeded')
  await shop.processor.advance(0)
  ok((await shop.processor.ledger()).webhooks.every(webhook => webhook.attempts === 3))
  const paid = await shop.get(payment.payment_id)
  deepEqual([paid.amount_received, paid.state_metadata.total_refunded_amount], [1250, 500])
})

test('concurrent webhooks, returns, syncs and polls of one approval are booked once, and nothing is refunded', async () => {
  const shop = await openShop({ webhooks: 'on' })
  await shop.processor.account({ webhooks: 'duplicate' })
  const payments = await Promise.all([1, 2, 3, 4].map(() => shop.pay({ card: cards.approvesLater })))
  const challenge = await shop.pay({ card: cards.challenges, authentication_type: 'three_ds' })
  payments.push(challenge)
  const ours = (payment: Body) =>
    `${shop.url}/payments/${payment.payment_id}/${shop.merchant_id}/redirect/response/phonypay/${payment.reference_id}`
  shop.clock.ahead += 61_000
  const accepted = shop.processor.decide(challenge.connector_transaction_id, 'approved')
  const due = shop.processor.advance(61)
  const askers = payments.flatMap(payment => [shop.sync(payment.payment_id), http('GET', ours(payment)), shop.service.tick()])
  await Promise.all([accepted, due, ...askers])
  await Promise.all(payments.flatMap(payment => [shop.sync(payment.payment_id), http('GET', ours(payment)), shop.service.tick()]))
  for (const { payment_id } of payments) {
    equal((await shop.get(payment_id)).status, 'succeeded')
    deepEqual(
      (await shop.events(payment_id)).filter((event: Body) => event.type === 'captured').map((event: Body) => event.event_type),
      ['payment_succeeded'],
    )
  }
  deepEqual(
    (await shop.processor.charges()).map(charge => [charge.captured, charge.refunded]),
    Array(5).fill([1250, 0]),
  )
  deepEqual(
    (await shop.processor.operations()).map(operation => operation.type),
    Array(5).fill('authorization'),
  )
})

test('webhooks of two refunds, each delivered three times at once, count each refund once', async () => {
  const shop = await openShop({ webhooks: 'on' })
  await shop.processor.account({ webhooks: 'duplicate' })
  const { payment_id } = await shop.pay({ card: cards.refundsLater, amount: 1000 })
  await Promise.all([shop.refund(payment_id, 300), shop.refund(payment_id, 300)])
  await shop.processor.advance(61)
  const payment = await shop.get(payment_id)
  deepEqual(
    payment.refunds.map((refund: Body) => refund.status),
    ['succeeded', 'succeeded'],
  )
  equal(payment.state_metadata.total_refunded_amount, 600)
  equal((await shop.refund(payment_id, 400)).body.status, 'pending')
  isRefused(await shop.refund(payment_id, 100), 400, 'IR_13')
})

test('a webhook that arrives days late changes nothing, because polling has already settled the payment', async () => {
  const shop = await openShop({ webhooks: 'on' })
  await shop.processor.account({ webhooks: 'hold' })
  const payment = await shop.pay({ card: cards.approvesLater })
  await shop.wait('2 days')
  equal((await shop.get(payment.payment_id)).status, 'succeeded', 'the alarms found it')
  const before = await versionOf(shop, payment.payment_id)
  await shop.processor.flushWebhooks()
  ok((await shop.processor.ledger()).webhooks.every(webhook => webhook.delivered))
  equal(await versionOf(shop, payment.payment_id), before)
})

test('a late webhook with the status pending does not change a payment that has been approved', async () => {
  const shop = await openShop()
  const payment = await shop.pay({ card: cards.approvesLater })
  const [pending] = await shop.processor.operations()
  await shop.processor.advance(61)
  const [approved] = await shop.processor.operations()
  equal((await send(shop, announcement(approved))).status, 200)
  equal((await shop.get(payment.payment_id)).status, 'succeeded')
  equal((await send(shop, announcement(pending))).status, 200)
  equal((await shop.get(payment.payment_id)).status, 'succeeded')
})

test('captures, voids and refunds are settled by webhooks too', async () => {
  const shop = await openShop({ webhooks: 'on' })
  const held = await shop.hold({ card: cards.capturesLater })
  equal((await shop.capture(held.payment_id)).body.status, 'processing')
  const cancelled = await shop.hold()
  await shop.processor.fault('void', 'reset_after')
  await shop.cancel(cancelled.payment_id)
  const paid = await shop.pay({ card: cards.refundsLater })
  const { body: refund } = await shop.refund(paid.payment_id)
  equal(refund.status, 'pending')
  await shop.processor.advance(61)
  equal((await shop.get(held.payment_id)).status, 'succeeded')
  equal((await shop.get(cancelled.payment_id)).status, 'cancelled')
  equal((await shop.getRefund(refund.refund_id)).status, 'succeeded')
})

test('a webhook that reports a lapsed hold makes the payment expired', async () => {
  const shop = await openShop({ webhooks: 'on' })
  const hold = await shop.hold()
  await shop.processor.expire(hold.connector_transaction_id)
  await shop.processor.advance(0)
  const expired = await shop.get(hold.payment_id)
  deepEqual([expired.status, expired.amount_capturable], ['expired', 0])
})

test('a webhook with a wrong, old, missing or malformed signature is refused and changes nothing', async () => {
  const shop = await openShop()
  const payment = await shop.pay({ card: cards.approvesLater })
  await shop.processor.advance(61)
  const body = announcement((await shop.processor.operations())[0])
  isRefused(await send(shop, body, { secret: 'guessed' }), 401, 'WE_01')
  isRefused(await send(shop, body, { ahead: -301 }), 401, 'WE_01')
  isRefused(await send(shop, body, { ahead: 301 }), 401, 'WE_01')
  for (const header of ['', 't=1', 'v1=00', `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}`, 't=x,v1=y', 'x'.repeat(5000)])
    isRefused(await send(shop, body, { header }), 401, 'WE_01')
  isRefused(await http('POST', addressOf(shop), body), 401, 'WE_01')
  isRefused(await http('POST', addressOf(shop), body, { 'api-key': shop.api_key }), 401, 'WE_01')
  equal((await shop.get(payment.payment_id)).status, 'processing')
  equal((await send(shop, body)).status, 200)
  equal((await shop.get(payment.payment_id)).status, 'succeeded')
})

test('the webhook signature covers the exact bytes: one more space, or the same JSON reformatted, is refused', async () => {
  const shop = await openShop()
  await shop.pay({ card: cards.approvesLater })
  const body = announcement((await shop.processor.operations())[0])
  const t = Math.floor((Date.now() + shop.clock.ahead) / 1000)
  const header = `t=${t},v1=${createHmac('sha256', shop.webhook_secret).update(`${t}.${body}`).digest('hex')}`
  isRefused(await send(shop, `${body} `, { header }), 401, 'WE_01')
  isRefused(await send(shop, JSON.stringify(JSON.parse(body), null, 1), { header }), 401, 'WE_01')
  equal((await send(shop, body, { header })).status, 200)
  const strange = '{"type":"operation.updated","operation":{"object":"operation","amount":1e3,"currency":"\\u0055SD"}}  \n'
  equal((await send(shop, strange)).status, 200, 'whatever bytes were signed')
})

test('a correctly signed webhook with unknown content is acknowledged and changes nothing', async () => {
  const shop = await openShop()
  const payment = await shop.hold()
  const [operation] = await shop.processor.operations()
  const before = await versionOf(shop, payment.payment_id)
  for (const body of [
    announcement({ ...operation, id: 'auth_x', payment: 'auth_x', reference: 'NOBODY0000000000000000000A' }),
    JSON.stringify({ id: 'evt_2', type: 'account.updated' }),
    announcement({ ...operation, status: 'perhaps' }),
    announcement({ ...operation, type: 'refund' }),
    '[]',
    'null',
    '{',
    '',
    '"\\u0000"',
  ]) {
    const answer = await send(shop, body)
    deepEqual([answer.status, answer.text], [200, ''], body)
  }
  equal(await versionOf(shop, payment.payment_id), before)
})

test('a valid webhook of the account of another merchant about a payment is acknowledged and ignored', async () => {
  const shop = await openShop()
  const thief = await openShop()
  const payment = await shop.pay({ card: cards.approvesLater })
  const [operation] = await shop.processor.operations()
  const approved = {
    ...operation,
    status: 'approved',
    payment_state: { status: 'captured', authorized: 1250, captured: 1250, refunded: 0 },
  }
  equal((await send(thief, announcement(approved))).status, 200)
  equal((await shop.get(payment.payment_id)).status, 'processing')
  isRefused(await send(shop, announcement(approved), { secret: thief.webhook_secret }), 401, 'WE_01')
  equal((await shop.get(payment.payment_id)).status, 'processing')
})

test('a webhook URL with the connector name belongs to its only account, and is not found if there are two accounts', async () => {
  const shop = await openShop()
  const payment = await shop.pay({ card: cards.approvesLater })
  await shop.processor.advance(61)
  const body = announcement((await shop.processor.operations())[0]!)
  const t = Math.floor((Date.now() + shop.clock.ahead) / 1000)
  const signature = (secret: string) => `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`
  const named = (secret = shop.webhook_secret) =>
    http('POST', `${shop.url}/webhooks/${shop.merchant_id}/phonypay`, body, { 'x-sandbox-signature': signature(secret) })
  isRefused(await named('another'), 401, 'WE_01')
  equal((await named()).status, 200)
  equal((await shop.get(payment.payment_id)).status, 'succeeded')
  await addAccount(shop, { connector_label: 'other' }, `sandbox_${shop.merchant_id}_other`)
  isRefused(await named(), 404, 'WE_04')
})

test('a webhook URL with an unknown merchant or account is not found, with the same response for each', async () => {
  const shop = await openShop()
  const other = await openShop()
  const unknown = await http('POST', `${shop.url}/webhooks/nobody/mca_x`, '{}')
  isRefused(unknown, 404, 'WE_04')
  areTheSame(await http('POST', `${shop.url}/webhooks/${shop.merchant_id}/${other.merchant_connector_id}`, '{}'), unknown)
  areTheSame(await http('POST', `${shop.url}/webhooks/${shop.merchant_id}/mca_x`, '{}'), unknown)
})

test('a payment whose charge the processor declines after it was paid goes into review', async () => {
  const shop = await openShop()
  const payment = await shop.pay()
  const [operation] = await shop.processor.operations()
  const decline = { code: 'card_declined', message: 'Reversed by the issuer', network_code: '05', network_advice: null }
  equal((await send(shop, announcement({ ...operation, status: 'declined', decline }))).status, 200)
  const review = await shop.get(payment.payment_id)
  deepEqual([review.status, review.error_code], ['review', 'card_declined'])
  const events = await shop.events(payment.payment_id)
  equal(events.at(-1).event_type, 'action_required')
})
