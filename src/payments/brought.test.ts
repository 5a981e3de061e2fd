import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { type Body, cards, http, openShop, type Shop } from '../../test/shop.ts'

/**
 * Results that a checkout submits without a redirect of its customer: a code, and the report that a frame was loaded.
 * Each is approved, declined and unanswered.
 */

const byPhone = {
  payment_method: 'mobile_payment',
  payment_method_type: 'direct_carrier_billing',
  payment_method_data: { mobile_payment: { direct_carrier_billing: { msisdn: '4915112345678', client_uid: 'c-1047' } } },
  return_url: 'https://shop.example/back',
}
const bring = (shop: Shop, { payment_id, client_secret }: Body, more: Body) =>
  http('POST', `${shop.url}/payments/${payment_id}/complete_authorize`, { client_secret, ...more }, { 'api-key': shop.publishable_key })

test('a correct one-time password pays, a wrong one can be entered again, and a rejection fails the payment', async () => {
  const shop = await openShop()
  const asked = await shop.pay(byPhone)
  deepEqual(
    [asked.status, asked.next_action],
    ['requires_customer_action', { type: 'collect_otp', consent_data_required: 'consent_required' }],
  )
  const wrong = (await bring(shop, asked, { otp: '0000' })).body
  deepEqual([wrong.status, wrong.next_action.type], ['requires_customer_action', 'collect_otp'])
  deepEqual(await shop.processor.charges(), [])
  equal((await bring(shop, asked, { otp: '123456' })).body.status, 'succeeded')
  isRefused(await bring(shop, asked, { otp: '123456' }), 400, 'IR_16')

  const unwilling = await shop.pay(byPhone)
  const failed = (await bring(shop, unwilling, { otp: '999999' })).body
  deepEqual([failed.status, failed.error_code, failed.next_action], ['failed', 'rejected', null])
  equal((await shop.processor.charges()).length, 1)
})

test('a one-time password without a response is retried and charges once; a payment without one fails after its time', async () => {
  const shop = await openShop()
  const asked = await shop.pay(byPhone)
  await shop.processor.fault('complete', 'reset_after')
  equal((await bring(shop, asked, { otp: '1234' })).body.status, 'requires_customer_action')
  await shop.wait('5 minutes')
  equal((await shop.get(asked.payment_id)).status, 'succeeded')
  equal((await shop.processor.charges()).length, 1)

  const left = await shop.pay(byPhone)
  await shop.wait('11 hours')
  const over = await shop.get(left.payment_id)
  deepEqual([over.status, over.error_code], ['failed', 'not_paid'])
})

test('a one-time password is accepted only when the payment waits for one, and must have a valid format', async () => {
  const shop = await openShop()
  const other = await shop.pay({ card: cards.challenges, authentication_type: 'three_ds' })
  isRefused(await bring(shop, other, { otp: '1234' }), 400, 'IR_16', /not waiting for a one-time password/)
  isRefused(await bring(shop, await shop.pay(byPhone), { otp: '12 34' }), 422, 'IR_05', /otp/)
})

for (const [card, type] of [
  [cards.collectsDevice, 'invoke_ddc'],
  [cards.collectsInFrame, 'invoke_hidden_iframe'],
] as const) {
  const open = async (shop: Shop): Promise<{ payment: Body; frame: string }> => {
    const payment = await shop.pay({ card, authentication_type: 'three_ds', return_url: 'https://shop.example/back' })
    deepEqual([payment.status, payment.next_action.type], ['requires_customer_action', type])
    const { ddc_data, iframe_data } = payment.next_action
    if (iframe_data) {
      const { method_key, message_version } = iframe_data
      deepEqual([method_key, message_version], ['threeDSMethodData', null])
      match(Buffer.from(iframe_data.three_ds_method_data, 'base64url').toString(), /threeDSServerTransID/)
    } else equal(ddc_data.timeout_ms, 8000)
    return { payment, frame: ddc_data?.iframe_url ?? iframe_data.three_ds_method_url }
  }

  test(`${type}: a browser that loaded the frame pays without a challenge`, async () => {
    const shop = await openShop()
    const { payment, frame } = await open(shop)
    await http('POST', frame)
    equal((await bring(shop, payment, { threeds_method_comp_ind: 'Y' })).body.status, 'succeeded')
  })

  test(`${type}: a browser that did not load the frame is challenged, and the result of the challenge decides`, async () => {
    for (const [decision, status] of [
      ['accept', 'succeeded'],
      ['reject', 'failed'],
    ] as const) {
      const shop = await openShop()
      const { payment } = await open(shop)
      // The checkout reports a loaded frame, and the report is false.
      const challenged = (await bring(shop, payment, { threeds_method_comp_ind: decision === 'accept' ? 'Y' : 'N' })).body
      deepEqual([challenged.status, challenged.next_action.type], ['requires_customer_action', 'redirect_to_url'])
      const page = (await fetch(challenged.next_action.redirect_to_url, { redirect: 'manual' })).headers.get('location')!
      await fetch(`${page}/${decision}`, { method: 'POST', redirect: 'manual' })
      equal((await shop.sync(payment.payment_id)).status, status)
      equal((await shop.processor.charges()).length, decision === 'accept' ? 1 : 0)
    }
  })

  test(`${type}: a payment that the customer does not continue fails without a charge`, async () => {
    const shop = await openShop()
    const { payment } = await open(shop)
    await shop.wait('11 hours')
    const { status, error_code } = await shop.get(payment.payment_id)
    deepEqual([status, error_code], ['failed', 'authentication_expired'])
    deepEqual(await shop.processor.charges(), [])
  })
}
