import { deepEqual, equal, match } from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { cards } from '../cards.ts'
import { decide } from '../disputes.ts'
import { agree } from '../long/agree.ts'
import { type Body, http, openShop, type Shop } from '../shop.ts'
import { chargeOf, equalsBooks, hearsLate, moveOutside, moveUnheard } from './outside.ts'

/** Rare courses of money that others move at a processor, each of which once could make the books wrong. */

const processors = ['stripe', 'phonypay', 'checkout', 'paypal', 'bridge', 'adyen'] as const
const open = (connector: string) => openShop({ connector, webhooks: 'on' })
/** An account at which several captures are made of a hold. */
const several = (connector: string) => connector === 'adyen' && { sandboxKey: `sandbox_multi_${randomUUID()}` }
const amountsOf = ({ refunds }: Body) => refunds.map(({ amount, origin }: Body) => [amount, origin])

for (const connector of processors) {
  test(`${connector}: two refunds of one amount made there are two refunds, told at once or apart`, async () => {
    const shop = await open(connector)
    const paid = await shop.pay()
    await moveOutside(shop, paid, 'refund', { amount: 300 })
    await moveOutside(shop, paid, 'refund', { amount: 300 })
    equal((await equalsBooks(shop, paid)).refunds.length, 2)
    await shop.processor.account({ webhooks: 'hold' })
    for (let time = 0; time < 2; time++) await shop.processor.move((await chargeOf(shop, paid)).payment, 'refund', { amount: 300 })
    await shop.processor.account({ webhooks: 'duplicate' })
    await shop.processor.flushWebhooks()
    await shop.wait('10 minutes')
    deepEqual(amountsOf(await equalsBooks(shop, paid)), Array(4).fill([300, 'external']))
  })

  test(`${connector}: a dispute that is won after a refund there gives its amount back, once`, async () => {
    const shop = await open(connector)
    const paid = await shop.pay()
    await moveOutside(shop, paid, 'refund', { amount: 500 })
    const { dispute } = await shop.processor.move((await chargeOf(shop, paid)).payment, 'dispute', { amount: 750 })
    await shop.wait('2 minutes')
    await equalsBooks(shop, paid)
    await decide(shop, dispute, { status: 'won' })
    await shop.wait('2 minutes')
    equal((await equalsBooks(shop, paid)).amount_received, 1250)
    equal((await shop.refund(paid.payment_id, 750)).status, 200)
    await shop.wait('2 minutes')
    await equalsBooks(shop, paid)
  })

  test(`${connector}: a refund of theirs that is sent back, told three times, is taken back once`, async () => {
    const shop = await open(connector)
    const paid = await shop.pay()
    await moveOutside(shop, paid, 'refund', { amount: 500 })
    await moveOutside(shop, paid, 'refund', { amount: 500 })
    await moveOutside(shop, paid, 'refund_failed', {}, 'by the same webhook three times')
    const { refunds } = await equalsBooks(shop, paid)
    deepEqual(refunds.map(({ status }: Body) => status).sort(), ['failed', 'succeeded'])
  })

  test(`${connector}: the webhooks of a refund there that come again after a month change nothing`, async () => {
    const shop = await open(connector)
    const paid = await shop.pay()
    await shop.processor.account({ webhooks: 'hold' })
    await shop.processor.move((await chargeOf(shop, paid)).payment, 'refund', { amount: 500 })
    await shop.sync(paid.payment_id)
    await shop.wait('31 days')
    await shop.processor.account({ webhooks: 'duplicate' })
    await shop.processor.flushWebhooks()
    await shop.wait('10 minutes')
    deepEqual(amountsOf(await equalsBooks(shop, paid)), [[500, 'external']])
  })

  test(`${connector}: a payment with a surcharge is refunded there in part and in whole`, async () => {
    const shop = await open(connector)
    const paid = await shop.pay({ surcharge_details: { surcharge_amount: 100 } })
    await moveOutside(shop, paid, 'refund', { amount: 50 })
    await equalsBooks(shop, paid)
    await moveOutside(shop, paid, 'refund')
    const { state_metadata, net_amount } = await equalsBooks(shop, paid)
    equal(state_metadata.total_refunded_amount, net_amount)
  })

  test(`${connector}: a refund there that is told before the failure of an earlier one made room for it is booked`, async () => {
    const shop = await open(connector)
    const paid = await shop.pay()
    await moveOutside(shop, paid, 'refund', { amount: 800 })
    const { payment } = await chargeOf(shop, paid)
    await shop.processor.move(payment, 'refund_failed', { webhooks: 'hold' })
    await shop.processor.move(payment, 'refund', { amount: 1000 })
    await shop.wait('2 minutes')
    await shop.processor.flushWebhooks()
    await shop.wait('10 minutes')
    const { refunds } = await equalsBooks(shop, paid)
    deepEqual(refunds.map(({ amount, status }: Body) => [amount, status]).sort(), [
      [1000, 'succeeded'],
      [800, 'failed'],
    ])
  })

  test(`${connector}: money that a failed payment should not have taken is returned there after our refund of it had failed`, async () => {
    const shop = await open(connector)
    const payment = await shop.pay({ card: cards.approvesHalf })
    await shop.wait('2 minutes')
    await moveOutside(shop, payment, 'refund_failed')
    const errorOf = async () => (await shop.get(payment.payment_id)).error_code
    deepEqual([(await shop.get(payment.payment_id)).status, await errorOf()], ['failed', 'not_given_back'])
    await moveOutside(shop, payment, 'refund', { amount: 400 })
    equal(await errorOf(), 'not_given_back')
    await moveOutside(shop, payment, 'refund', {}, 'by the same webhook three times')
    const { status, amount_received } = await shop.get(payment.payment_id)
    deepEqual([status, await errorOf(), amount_received], ['failed', 'given_back', null])
    await agree(shop)
  })

  if (connector !== 'adyen')
    test(`${connector}: what others captured of a hold that no payment expects is given back`, async () => {
      const shop = await open(connector)
      await shop.processor.account({ webhooks: 'hold' })
      await shop.processor.fault('authorize', 'reset_after')
      const hold = await shop.hold({ card: cards.approvesHalf, amount: 1000, capture_method: 'manual_multiple' })
      equal(hold.status, 'processing')
      const [charge] = await shop.processor.charges()
      await shop.processor.move(charge!.payment, 'capture', { amount: 39, final: false })
      await shop.processor.account({ webhooks: 'send' })
      await shop.processor.flushWebhooks()
      for (const time of ['2 minutes', '1 hour', '2 days']) await shop.wait(time)
      const [after] = await shop.processor.charges()
      const { status, error_code } = await shop.get(hold.payment_id)
      deepEqual([status, error_code, after!.captured, after!.refunded], ['failed', 'partial_approval', 39, 39])
      await agree(shop)
    })

  test(`${connector}: an hour’s captures and voids told in the wrong order end as the processor’s`, async () => {
    const shop = await openShop({ connector, webhooks: 'on', ...several(connector) })
    const hold = await shop.hold({ capture_method: 'manual_multiple' })
    await shop.wait('1 second')
    const { payment } = await chargeOf(shop, hold)
    await shop.processor.move(payment, 'capture', { amount: 400, final: false, webhooks: 'hold' })
    await shop.processor.move(payment, 'void')
    await shop.wait('2 minutes')
    await shop.processor.flushWebhooks()
    await shop.wait('10 minutes')
    equal((await equalsBooks(shop, hold)).status, 'partially_captured')
  })
}

/** Sends a webhook of one item, signed as Adyen signs it. */
async function tellAsAdyen(shop: Shop, item: Body): Promise<void> {
  const fields: Body = { merchantAccountCode: 'ShopECOM', eventDate: '2030-01-01T00:00:00Z', paymentMethod: 'visa', ...item }
  const { pspReference, originalReference, merchantAccountCode, merchantReference, amount, eventCode, success } = fields
  const text = [pspReference, originalReference, merchantAccountCode, merchantReference, amount.value, amount.currency, eventCode, success]
  const hmacSignature = createHmac('sha256', Buffer.from(shop.webhook_secret, 'hex')).update(text.join(':')).digest('base64')
  const letter = { live: 'false', notificationItems: [{ NotificationRequestItem: { ...fields, additionalData: { hmacSignature } } }] }
  const url = `${shop.url}/webhooks/${shop.merchant_id}/${shop.merchant_connector_id}`
  equal((await http('POST', url, JSON.stringify(letter))).status, 200)
}

const referenceOf = async (shop: Shop, { connector_transaction_id }: Body): Promise<string> =>
  (await shop.processor.charges()).find(({ payment }) => payment === connector_transaction_id)!.reference

const refundAt = async (shop: Shop, of: Body, named: Body, more: Body = {}) =>
  tellAsAdyen(shop, {
    eventCode: 'REFUND',
    success: 'true',
    reason: '',
    pspReference: 'THEIRREFUND00001',
    originalReference: of.connector_transaction_id,
    merchantReference: await referenceOf(shop, named),
    amount: { value: 500, currency: 'USD' },
    ...more,
  })

test('adyen: a refund there whose merchant reference names another payment is of the payment that it refunds', async () => {
  const shop = await open('adyen')
  const [mine, other] = [await shop.pay(), await shop.pay()]
  await refundAt(shop, mine, other)
  deepEqual([(await shop.get(other.payment_id)).refunds, amountsOf(await shop.get(mine.payment_id))], [null, [[500, 'external']]])
})

test('adyen: a refund there in another currency, or of more than was captured, moves nothing and asks for a person', async () => {
  for (const amount of [
    { value: 500, currency: 'EUR' },
    { value: 9999, currency: 'USD' },
  ]) {
    const shop = await open('adyen')
    const paid = await shop.pay()
    await refundAt(shop, paid, paid, { amount })
    // Webhooks come in any order: what explains it may still be told.
    if (amount.currency === 'USD') await shop.wait('2 days')
    const { status, refunds, error_message } = await shop.get(paid.payment_id)
    deepEqual([status, refunds], ['conflicted', null])
    match(error_message, amount.currency === 'EUR' ? /EUR.*USD/ : /99.99 USD.*12.50 USD/)
    const types = (await shop.events(paid.payment_id)).map(({ event_type }) => event_type)
    equal(types.filter(type => type === 'action_required').length, 1)
  }
})

test('adyen: a capture there of more than was authorized asks for a person', async () => {
  const shop = await open('adyen')
  const hold = await shop.hold()
  const amount = { value: 2000, currency: 'USD' }
  await refundAt(shop, hold, hold, { eventCode: 'CAPTURE', amount })
  equal((await shop.get(hold.payment_id)).status, 'requires_capture')
  await shop.wait('2 days')
  const { status, error_message } = await shop.get(hold.payment_id)
  equal(status, 'conflicted')
  match(error_message, /20.00 USD/)
})

test('adyen: money of a payment cancelled after its capture is returned there after our refund of it had failed', async () => {
  const shop = await open('adyen')
  const paid = await shop.pay()
  await shop.post(`/payments/${paid.payment_id}/cancel_post_capture`, {})
  await shop.wait('2 minutes')
  await moveOutside(shop, paid, 'refund_failed')
  equal((await shop.get(paid.payment_id)).error_code, 'not_given_back')
  await moveOutside(shop, paid, 'refund', { amount: 400 })
  equal((await shop.get(paid.payment_id)).error_code, 'not_given_back')
  await moveOutside(shop, paid, 'refund', {}, 'by the same webhook three times')
  const { status, error_code } = await shop.get(paid.payment_id)
  deepEqual([status, error_code], ['cancelled_post_capture', 'given_back'])
  await agree(shop)
})

for (const connector of processors)
  test(`${connector}: money that was not given back after all is returned there, and that is told before our refund’s failure`, async () => {
    const shop = await open(connector)
    const payments = [await shop.pay({ card: cards.approvesHalf })]
    if (connector === 'adyen') {
      const paid = await shop.pay()
      await shop.post(`/payments/${paid.payment_id}/cancel_post_capture`, {})
      payments.push(paid)
    }
    await shop.wait('2 minutes')
    for (const { connector_transaction_id: id } of payments) {
      await shop.processor.move(id, 'refund_failed', { webhooks: 'hold' })
      await shop.processor.move(id, 'refund', { amount: 25 })
    }
    await shop.wait('2 minutes')
    await shop.processor.flushWebhooks()
    await shop.wait('10 minutes')
    for (const { payment_id } of payments) equal((await shop.get(payment_id)).error_code, 'not_given_back')
    await agree(shop)
  })

for (const connector of processors)
  test(`${connector}: what others had returned of money that was not given back is sent back too: the whole is kept again`, async () => {
    const shop = await open(connector)
    const payment = await shop.pay({ card: cards.approvesHalf })
    await shop.wait('2 minutes')
    await moveOutside(shop, payment, 'refund_failed')
    await moveOutside(shop, payment, 'refund', { amount: 400 })
    await moveOutside(shop, payment, 'refund', { amount: 25 })
    const named = async () => (await shop.get(payment.payment_id)).error_message
    match(await named(), /has 200 that/)
    await moveOutside(shop, payment, 'refund_failed', {}, 'by the same webhook three times')
    match(await named(), /has 225 that/)
    await moveOutside(shop, payment, 'refund')
    match(await named(), /had 225 that/)
    await moveOutside(shop, payment, 'refund_failed')
    match(await named(), /has 225 that/)
    await agree(shop)
  })

test('adyen: a refund there that is confirmed hours after it had failed has moved no money, and is not announced as if it had', async () => {
  const shop = await open('adyen')
  const paid = await shop.pay()
  const whole = { value: 1250, currency: 'USD' }
  await refundAt(shop, paid, paid, { amount: whole, eventCode: 'REFUND_FAILED', reason: 'Refund Failed' })
  await shop.wait('3 hours')
  await refundAt(shop, paid, paid, { amount: whole })
  for (const time of ['2 minutes', '1 hour', '2 days']) await shop.wait(time)
  await moveOutside(shop, paid, 'refund', { amount: 100 })
  await refundAt(shop, paid, paid, { amount: whole })
  for (const time of ['1 hour', '2 days']) await shop.wait(time)
  const { status, refunds } = await equalsBooks(shop, paid)
  deepEqual([status, refunds.map(({ amount, status }: Body) => [amount, status])], ['succeeded', [[100, 'succeeded']]])
})

// The others do not tell that a hold expired which asks for a person.
for (const connector of ['phonypay', 'bridge', 'adyen'])
  test(`${connector}: a hold that can be neither voided nor refunded and expires leaves nothing at the processor`, async () => {
    const shop = await open(connector)
    await shop.processor.fault('void', 'decline')
    const payment = await shop.hold({ card: cards.approvesHalf })
    await shop.wait('2 minutes')
    equal((await shop.get(payment.payment_id)).error_code, 'not_given_back')
    for (const time of ['8 days', '1 day', '30 days', '1 hour']) await shop.wait(time)
    equal((await shop.get(payment.payment_id)).error_code, 'given_back')
    await agree(shop)
  })

// The others do not say yet that the void never arrived, or are sent it again.
for (const connector of ['stripe', 'phonypay', 'bridge'])
  test(`${connector}: a void there that follows a void of ours that never arrived ends the hold within the day`, async () => {
    const shop = await open(connector)
    const hold = await shop.hold()
    await shop.processor.fault('void', 'reset_before')
    await shop.post(`/payments/${hold.payment_id}/cancel`, {})
    await shop.wait('15 minutes')
    equal((await shop.get(hold.payment_id)).status, 'requires_capture')
    await moveOutside(shop, hold, 'void', {}, 'without a webhook')
    await shop.wait('2 hours')
    equal((await equalsBooks(shop, hold)).status, 'cancelled')
  })

test('adyen: a payment that others refunded while it is cancelled after its capture is no sale, and nothing contradicts', async () => {
  const shop = await open('adyen')
  const paid = await shop.pay()
  await moveUnheard(shop, paid, 'refund', { amount: 1250 }, 'by a webhook that is late')
  await shop.post(`/payments/${paid.payment_id}/cancel_post_capture`, {})
  await shop.wait('2 minutes')
  await hearsLate(shop, 'by a webhook that is late')
  for (const time of ['1 hour', '3 days']) await shop.wait(time)
  const { status, error_code } = await shop.get(paid.payment_id)
  deepEqual([status, error_code], ['cancelled_post_capture', null])
  await agree(shop)
})

test('phonypay: a refund of ours found to be refused because of a dispute and a refund there leaves books that agree', async () => {
  const shop = await open('phonypay')
  const paid = await shop.pay()
  await moveUnheard(shop, paid, 'refund', { amount: 250 })
  await moveUnheard(shop, paid, 'dispute', { amount: 1000 })
  await shop.refund(paid.payment_id, 1250)
  await shop.wait('2 minutes')
  const { refunds, disputes } = await equalsBooks(shop, paid)
  deepEqual([refunds.length, disputes.length], [2, 1])
})
