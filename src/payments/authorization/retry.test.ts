import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openReceiver } from '../../../test/receiver.ts'
import { isRefused } from '../../../test/refused.ts'
import { secondAccount } from '../../../test/retried.ts'
import { type Body, cards, openShop } from '../../../test/shop.ts'

/** A declined payment that is tried again: by the service, within the confirm, and by the merchant afterwards. */

/** Opens a shop with accounts at two processors, and a profile with these settings of retries. */
async function twoProcessors(profile: Body = { is_auto_retries_enabled: true }) {
  const shop = await openShop()
  const second = await secondAccount(shop)
  await shop.profile(profile)
  const attempts = async (id: string) => attemptsIn(await shop.get(id, '?expand_attempts=true'))
  return { shop, second, attempts }
}

const attemptsIn = ({ attempts }: Body) => attempts.map((one: Body) => [one.attempt_id.split('_').at(-1), one.status, one.error_code])

/** Gives the amount that both processors captured, less the amount that they returned. */
const taken = async (...processors: Awaited<ReturnType<typeof twoProcessors>>['second']['processor'][]): Promise<number> =>
  (await Promise.all(processors.map(one => one.charges()))).flat().reduce((sum, charge) => sum + charge.captured - charge.refunded, 0)

test('a soft decline at the first processor is retried at the second, and the merchant gets only the success event', async () => {
  const { shop, second, attempts } = await twoProcessors()
  await shop.processor.fault('authorize', 'decline')
  const payment = await shop.pay()
  deepEqual([payment.status, payment.attempt_count, payment.error_code], ['succeeded', 2, null])
  equal(payment.merchant_connector_id, second.merchant_connector_id)
  deepEqual(await attempts(payment.payment_id), [
    ['1', 'failure', 'card_declined'],
    ['2', 'charged', null],
  ])
  const events = await shop.events(payment.payment_id)
  deepEqual(
    events.map(event => [event.type, event.event_type]),
    [
      ['created', null],
      ['authorize_declined', null],
      ['captured', 'payment_succeeded'],
    ],
  )
  equal(await taken(shop.processor, second.processor), 1250)
  // Later operations go to the processor that has the money.
  equal((await shop.refund(payment.payment_id)).body.status, 'succeeded')
  equal(await taken(shop.processor, second.processor), 0)
})

test('a processor that cannot be reached is skipped', async () => {
  const { shop, second } = await twoProcessors()
  // No server listens at this address.
  const nowhere = JSON.stringify({ metadata: { base_url: 'http://127.0.0.1:9' } })
  await shop.query('update connector_accounts set details = details || $2 where merchant_connector_id = $1', [
    shop.merchant_connector_id,
    nowhere,
  ])
  await shop.profile({})
  const payment = await shop.pay()
  deepEqual([payment.status, payment.attempt_count, payment.merchant_connector_id], ['succeeded', 2, second.merchant_connector_id])
})

for (const connector of ['phonypay', 'stripe', 'adyen'] as const)
  test(`${connector}: a rate-limited request is sent again once with the same id, and charges once`, async () => {
    const shop = await openShop({ connector, webhooks: 'on' })
    await shop.processor.fault('authorize', '429_before')
    const payment = await shop.pay()
    deepEqual([payment.status, payment.attempt_count, payment.error_code], ['succeeded', 1, null])
    const [{ reference_id, state, why }] = (await shop.get(payment.payment_id, '?expand_attempts=true')).attempts
    deepEqual([state, why], ['done', null])
    deepEqual(
      (await shop.processor.charges()).map(charge => [charge.reference, charge.captured]),
      [[reference_id, 1250]],
    )
    await shop.processor.fault('refund', '429_before', { times: 2 })
    const { body: refund } = await shop.refund(payment.payment_id)
    deepEqual([refund.status, refund.error_code], ['failed', 'not_sent'])
    ok(refund.error_message.includes('limiting requests'), refund.error_message)
    const { refund_id, status } = (await shop.refund(payment.payment_id)).body
    // Adyen reports by webhook, which may come before the answer to the merchant or after it.
    ok(status === 'succeeded' || (connector === 'adyen' && status === 'pending'), status)
    await shop.processor.advance(0)
    equal((await shop.getRefund(refund_id)).status, 'succeeded')
  })

test('a payment rejected twice by a rate limit goes to the next account if retries are enabled, and otherwise fails', async () => {
  const { shop, second, attempts } = await twoProcessors()
  await shop.processor.fault('authorize', '429_before', { times: 2 })
  const payment = await shop.pay()
  deepEqual([payment.status, payment.attempt_count, payment.merchant_connector_id], ['succeeded', 2, second.merchant_connector_id])
  deepEqual(await attempts(payment.payment_id), [
    ['1', 'failure', 'not_sent'],
    ['2', 'charged', null],
  ])
  equal(await taken(shop.processor, second.processor), 1250)
  await shop.profile({ is_auto_retries_enabled: false })
  await shop.processor.fault('authorize', '429_before', { times: 2 })
  const failed = await shop.pay()
  deepEqual([failed.status, failed.error_code, failed.unified_code], ['failed', 'not_sent', 'UE_3000'])
  equal(failed.error_message, 'The processor is limiting requests and did not take this one; no money has moved. Try again later.')
  equal(await taken(shop.processor, second.processor), 1250)
})

test('a lost response is not retried at another processor, and the charge is found', async () => {
  const { shop, second } = await twoProcessors()
  for (const fault of ['reset_after', '500_after', 'hang_after']) {
    await shop.processor.fault('authorize', fault)
    const { payment_id, status, attempt_count } = await shop.pay()
    deepEqual([status, attempt_count], ['processing', 1], fault)
    await shop.wait('5 minutes')
    deepEqual((await shop.get(payment_id)).status, 'succeeded', fault)
  }
  deepEqual(await second.processor.operations(), [])
})

test('a decline is not retried if the profile disables retries or allows none', async () => {
  for (const profile of [{}, { is_auto_retries_enabled: false }, { is_auto_retries_enabled: true, max_auto_retries_enabled: 0 }]) {
    const { shop, second } = await twoProcessors(profile)
    await shop.processor.fault('authorize', 'decline')
    const payment = await shop.pay()
    deepEqual([payment.status, payment.attempt_count], ['failed', 1])
    deepEqual(await second.processor.operations(), [])
  }
})

test('a payment declined at every processor fails once, with the last decline', async () => {
  const { shop, second, attempts } = await twoProcessors({ is_auto_retries_enabled: true, max_auto_retries_enabled: 5 })
  const payment = await shop.pay({ card: cards.declines })
  deepEqual([payment.status, payment.attempt_count, payment.error_code], ['failed', 2, 'card_declined'])
  deepEqual(await attempts(payment.payment_id), [
    ['1', 'failure', 'card_declined'],
    ['2', 'failure', 'card_declined'],
  ])
  deepEqual((await shop.events(payment.payment_id)).map(event => event.event_type).filter(Boolean), ['payment_failed'])
  deepEqual([(await shop.processor.operations()).length, (await second.processor.operations()).length], [1, 1])
})

test('a lost card is not retried at another processor', async () => {
  const { shop, second } = await twoProcessors()
  const payment = await shop.pay({ card: cards.isLost })
  deepEqual([payment.status, payment.attempt_count], ['failed', 1])
  equal(payment.error_details.unified_details.recommended_action, 'do_not_retry')
  const [attempt] = (await shop.get(payment.payment_id, '?expand_attempts=true')).attempts
  deepEqual(attempt.error_details, payment.error_details)
  deepEqual(await second.processor.operations(), [])
})

test('a decline that requires 3-D Secure is retried at the same processor with 3-D Secure', async () => {
  const { shop, second } = await twoProcessors()
  const payment = await shop.pay({ card: cards.challenges })
  deepEqual([payment.status, payment.attempt_count, payment.authentication_type], ['requires_customer_action', 2, 'three_ds'])
  equal(payment.merchant_connector_id, shop.merchant_connector_id)
  ok(payment.next_action.redirect_to_url.endsWith('_2'))
  deepEqual(await second.processor.operations(), [])
})

test('a payment that succeeded at the second processor stays unchanged after a sync and eight days', async () => {
  const { shop } = await twoProcessors()
  await shop.processor.fault('authorize', 'decline')
  const payment = await shop.pay()
  await shop.sync(payment.payment_id)
  await shop.wait('8 days')
  deepEqual(await shop.get(payment.payment_id), payment)
})

test('a failed payment can be confirmed again by the merchant if the profile enables manual retries', async () => {
  const { shop, attempts } = await twoProcessors({ is_manual_retry_enabled: true })
  const failed = await shop.pay({ card: cards.declines })
  deepEqual([failed.status, failed.manual_retry_allowed], ['failed', true])
  const { payment_method_data } = shop.payBody({})
  const again = (await shop.confirm(failed.payment_id, { payment_method: 'card', payment_method_data, retry_action: 'manual_retry' })).body
  deepEqual([again.status, again.attempt_count, again.error_code, again.manual_retry_allowed], ['succeeded', 2, null, false])
  deepEqual(await attempts(failed.payment_id), [
    ['1', 'failure', 'card_declined'],
    ['2', 'charged', null],
  ])
  isRefused(await shop.confirm(failed.payment_id, { payment_method: 'card', payment_method_data }), 400, 'IR_16')
  equal(await taken(shop.processor), 1250)
})

test('a manual retry is refused if the profile does not enable it, and in the second half of the session', async () => {
  const { shop } = await twoProcessors({})
  const failed = await shop.pay({ card: cards.declines })
  equal(failed.manual_retry_allowed, null)
  const refused = await shop.confirm(failed.payment_id)
  isRefused(refused, 400, 'IR_16', /is_manual_retry_enabled/)
  await shop.profile({ is_manual_retry_enabled: true })
  equal((await shop.get(failed.payment_id)).manual_retry_allowed, true)
  await shop.wait('8 minutes')
  equal((await shop.get(failed.payment_id)).manual_retry_allowed, false)
  isRefused(await shop.confirm(failed.payment_id), 400, 'IR_16', /time/)
})

test('a late charge of the first attempt is refunded and reported, and the payment stays paid by the second', async () => {
  const { shop, attempts } = await twoProcessors({ is_manual_retry_enabled: true })
  const receiver = await openReceiver()
  await shop.profile({ webhook_details: { webhook_url: receiver.url } })
  await shop.processor.fault('authorize', 'latency', { ms: 180_000 })
  const { payment_id } = await shop.pay({ session_expiry: 3600 })
  await shop.wait('2 minutes')
  equal((await shop.get(payment_id)).status, 'failed')
  const { payment_method_data } = shop.payBody({})
  equal((await shop.confirm(payment_id, { payment_method: 'card', payment_method_data })).body.status, 'succeeded')
  await shop.wait('2 hours')
  equal((await shop.get(payment_id)).status, 'succeeded')
  equal(await taken(shop.processor), 1250)
  const both = [
    ['1', 'auto_refunded', null],
    ['2', 'charged', null],
  ]
  deepEqual(await attempts(payment_id), both)
  // The merchant receives neither a second success nor a second failure, because a merchant delivers or cancels only
  // once.
  deepEqual(receiver.types(payment_id), ['payment_processing', 'payment_failed', 'payment_succeeded', 'action_required'])
  const payload = receiver.received.at(-1)!.event.content.object as Body
  deepEqual([payload.status, payload.error_code], ['succeeded', null])
  deepEqual(attemptsIn(payload), both)
  // A later refund does not change the content of an earlier event.
  equal((await shop.refund(payment_id)).body.status, 'succeeded')
  const event_id = (await shop.events(payment_id)).findLast(one => one.event_type === 'action_required')!.event_id
  await shop.post(`/events/${shop.merchant_id}/${event_id}/retry`, {})
  deepEqual(receiver.received.at(-1)!.event.content.object, payload)
})

test('a late authorization of a failed attempt is voided and reported', async () => {
  const { shop, attempts } = await twoProcessors({})
  await shop.processor.fault('authorize', 'latency', { ms: 180_000 })
  const { payment_id } = await shop.hold()
  await shop.wait('2 minutes')
  equal((await shop.get(payment_id)).status, 'failed')
  await shop.wait('2 hours')
  deepEqual(await attempts(payment_id), [['1', 'voided', null]])
  deepEqual((await shop.events(payment_id)).map(event => event.event_type).filter(Boolean), [
    'payment_processing',
    'payment_failed',
    'action_required',
  ])
})
