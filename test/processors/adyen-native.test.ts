import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { checkout } from '../authentication.ts'
import { browser_info } from '../browser-info.ts'
import { AT_ONCE, begin, CHALLENGED, FALLS_BACK, FRICTIONLESS, openNativeShop, WITHOUT_METHOD } from '../native.ts'
import { isRefused } from '../refused.ts'
import { type Body, cards, http, openShop, type Shop } from '../shop.ts'

/**
 * Native 3-D Secure at Adyen: the customer is authenticated in the checkout, through the same calls that checkouts
 * make for an authentication account. Each step makes Adyen continue the payment, so each may move the money.
 */

/** Gives the steps that Adyen received, by idempotency key: a step that was sent twice counts once. */
async function stepsOf(shop: Shop, payment_id: string): Promise<string[]> {
  await shop.service.tick()
  const { data: operations } = (await shop.call('GET', `/payments/${payment_id}/operations`)).body
  const path = `/payments/${payment_id}/operations/${operations[0].request_id}/exchanges`
  const { data } = (await shop.call('GET', path)).body as { data: Body[] }
  const steps = data.filter(({ url }) => url.endsWith('/payments/details'))
  return [...new Set(steps.map(({ headers, body }) => `${headers['idempotency-key']} ${Object.keys(body.details)}`))]
}
const charged = async (shop: Pick<Shop, 'processor'>) => (await shop.processor.charges()).map(({ captured }) => captured)

test('frictionless 3-D Secure: the device fingerprint alone charges nothing, the authentication request charges the payment', async () => {
  const shop = await openNativeShop()
  const payment = await begin(shop, FRICTIONLESS)
  const { data, method, askIssuer, goOn, poll } = checkout(shop, payment)
  deepEqual(
    [data.three_ds_connector, data.message_version, data.three_ds_method_details.three_ds_method_key],
    ['adyen', null, 'threeDSMethodData'],
  )
  const methodData = JSON.parse(Buffer.from(data.three_ds_method_details.three_ds_method_data, 'base64url').toString())
  deepEqual(Object.keys(methodData), ['threeDSServerTransID', 'threeDSMethodNotificationURL'])
  equal((await method()).status, 200)
  deepEqual([await poll(), await charged(shop)], ['pending', []])
  const { body } = await askIssuer()
  deepEqual([body.trans_status, body.acs_url, body.three_dsserver_trans_id], ['Y', null, methodData.threeDSServerTransID])
  equal(await poll(), 'completed')
  match((await goOn()).openurl_if_required, /^https:\/\/shop\.example\/thanks\?.*status=succeeded/)
  deepEqual(await charged(shop), [1250])
  isRefused(await askIssuer(), 400, 'IR_16', /not awaiting 3-D Secure authentication/)
})

test('an accepted challenge authorizes the payment once, whether or not the issuer has a hidden 3DS method page', async () => {
  const shop = await openNativeShop()
  for (const number of [CHALLENGED, WITHOUT_METHOD, AT_ONCE]) {
    const payment = await begin(shop, number, { capture_method: 'manual' })
    const { data, askIssuer, challenge, goOn, poll } = checkout(shop, payment)
    equal(data.three_ds_method_details.three_ds_method_data_submission, number === CHALLENGED, number)
    equal(data.message_version, number === AT_ONCE ? '2.2.0' : null)
    const seen = { threeds_method_comp_ind: number === CHALLENGED ? 'Y' : 'U' }
    const [first, second] = [await askIssuer(seen), await askIssuer({ threeds_method_comp_ind: 'N' })]
    deepEqual([first.body.trans_status, first.body.challenge_request_key, first.body.acs_reference_number], ['C', 'creq', 'SANDBOX-ACS-1'])
    deepEqual(first.body, second.body, 'asked again, the same')
    const { address, body } = await challenge('accept')
    equal(address, data.three_ds_authorize_url)
    deepEqual([await poll(), (await shop.get(payment.payment_id)).status], ['pending', 'requires_customer_action'])
    match((await goOn(body)).openurl_if_required, /status=requires_capture/)
    // The same request again, and a request without a body.
    match((await goOn(body)).openurl_if_required, /status=requires_capture/)
    match((await goOn()).openurl_if_required, /status=requires_capture/)
    equal(await poll(), 'completed')
    const held = await shop.get(payment.payment_id)
    deepEqual([held.amount_capturable, held.next_action, held.attempt_count], [1250, null, 1])
    equal(held.external_authentication_details.electronic_commerce_indicator, '05')
  }
  equal((await shop.processor.charges()).length, 3)
})

test('a payment fails if the issuer refuses authentication, the customer rejects the challenge, or the bank declines after it', async () => {
  const shop = await openNativeShop()
  const failed = async (payment: Body, goes: () => Promise<Body>, error_code: string) => {
    match((await goes()).openurl_if_required, /status=failed/)
    const ended = await shop.get(payment.payment_id)
    deepEqual([ended.status, ended.error_code, ended.next_action], ['failed', error_code, null])
  }
  const unknown = await begin(shop, cards.isNotAuthenticated)
  const { askIssuer, goOn } = checkout(shop, unknown)
  deepEqual([(await askIssuer()).body.trans_status, (await shop.get(unknown.payment_id)).status], ['N', 'failed'])
  await failed(unknown, () => goOn(), '11')

  const unwilling = await begin(shop, CHALLENGED)
  const rejects = checkout(shop, unwilling)
  await failed(unwilling, async () => rejects.goOn((await rejects.challenge('reject')).body), '11')

  const poor = await begin(shop, '4000008260003178')
  const accepts = checkout(shop, poor)
  await failed(poor, async () => accepts.goOn((await accepts.challenge('accept')).body), '12')
  deepEqual(await shop.processor.charges(), [])
})

test('forged challenge results charge nothing: unusable ones are ignored, and a false approval fails the payment', async () => {
  const shop = await openNativeShop()
  const other = checkout(shop, await begin(shop, CHALLENGED))
  const foreign = (await other.challenge('accept')).body
  const payment = await begin(shop, CHALLENGED)
  const { askIssuer, challenge, goOn } = checkout(shop, payment)
  const { three_dsserver_trans_id: threeDSServerTransID } = (await askIssuer()).body
  const cres = (value: unknown) => `cres=${Buffer.from(JSON.stringify(value)).toString('base64url')}`
  const strange = [foreign, 'cres=', 'cres=!', cres(null), cres({ threeDSServerTransID }), cres({ threeDSServerTransID, transStatus: 'X' })]
  for (const body of [...strange, 'redirectResult=X6XtfGC3!lie', 'trans_status=Y', 'threeds_method_comp_ind=Y']) {
    ok((await goOn(body)).poll_status, body)
    equal((await shop.get(payment.payment_id)).status, 'requires_customer_action', body)
  }
  // The true answer is still accepted.
  match((await goOn((await challenge('accept')).body)).openurl_if_required, /status=succeeded/)

  const liar = await begin(shop, CHALLENGED)
  const lying = checkout(shop, liar)
  const authenticated = (await lying.askIssuer()).body
  match(
    (await lying.goOn(cres({ threeDSServerTransID: authenticated.three_dsserver_trans_id, transStatus: 'Y' }))).openurl_if_required,
    /status=failed/,
  )
  deepEqual(await charged(shop), [1250])
  const guessed = payment.next_action.three_ds_data.three_ds_authorize_url.replace(/\w+$/, 'guessed')
  isRefused(await http('POST', guessed, foreign, { 'content-type': 'application/x-www-form-urlencoded' }), 404, 'HE_02')
})

test('a lost response to the authentication request is retried, and the payment is charged once', async () => {
  const shop = await openNativeShop()
  const faults = ['reset_before', 'reset_after', '500_before', '500_after', 'html_after', 'empty_after', 'truncate_after'] as const
  for (const fault of faults) {
    const payment = await begin(shop, FRICTIONLESS)
    const { askIssuer, goOn } = checkout(shop, payment)
    await shop.processor.fault('authorize', fault)
    isRefused(await askIssuer(), 422, 'HE_00')
    equal((await shop.get(payment.payment_id)).status, 'requires_customer_action', fault)
    // The checkout sends the step again; if it is closed, the job does.
    if (fault.endsWith('before')) equal((await askIssuer({ threeds_method_comp_ind: 'N' })).body.trans_status, 'Y')
    else await shop.wait('1 minute')
    match((await goOn()).openurl_if_required, /status=succeeded/, fault)
  }
  deepEqual(
    await charged(shop),
    faults.map(() => 1250),
  )
})

test('a lost response to an accepted challenge leaves the payment pending until a job retries it; it is charged once', async () => {
  const shop = await openNativeShop()
  for (const fault of ['reset_before', 'reset_after', '500_after'] as const) {
    const payment = await begin(shop, CHALLENGED)
    const { challenge, askIssuer, goOn, poll } = checkout(shop, payment)
    const { body } = await challenge('accept')
    await shop.processor.fault('authorize', fault)
    deepEqual(Object.keys(await goOn(body)), ['poll_status'], fault)
    equal(await poll(), 'pending')
    if (fault === 'reset_before') {
      await shop.processor.fault('authorize', fault)
      isRefused(await askIssuer(), 422, 'HE_00')
    }
    await shop.wait('1 minute')
    deepEqual([await poll(), (await shop.get(payment.payment_id)).status], ['completed', 'succeeded'], fault)
  }
  deepEqual(await charged(shop), [1250, 1250, 1250])
})

test('concurrent authentication requests with different contents, and concurrent challenge results, charge each payment once', async () => {
  const shop = await openNativeShop()
  const payment = await begin(shop, FRICTIONLESS)
  const frictionless = checkout(shop, payment)
  await Promise.all([
    frictionless.askIssuer(),
    frictionless.askIssuer({ threeds_method_comp_ind: 'N' }),
    frictionless.askIssuer({ threeds_method_comp_ind: 'U' }),
  ])
  await shop.wait('1 minute')
  match((await frictionless.goOn()).openurl_if_required, /status=succeeded/)
  const [step, ...others] = await stepsOf(shop, payment.payment_id)
  match(step!, /^\w{26}-\S{20} threeds2\.fingerprint$/)
  deepEqual(others, [], 'one key, however often it was sent')
  const challenged = checkout(shop, await begin(shop, CHALLENGED))
  const { body } = await challenged.challenge('accept')
  await Promise.all([challenged.goOn(body), challenged.goOn(body), challenged.goOn(), challenged.askIssuer()])
  await shop.wait('1 minute')
  match((await challenged.goOn()).openurl_if_required, /status=succeeded/)
  deepEqual(await charged(shop), [1250, 1250])
})

test('a payment whose customer abandons 3-D Secure, before or during the challenge, fails when Adyen closes the offer', async () => {
  const shop = await openNativeShop({ webhooks: 'on' })
  const never = await begin(shop, FRICTIONLESS)
  const left = await begin(shop, CHALLENGED)
  await checkout(shop, left).askIssuer()
  const accepted = await begin(shop, CHALLENGED)
  await checkout(shop, accepted).challenge('accept')
  await shop.wait('9 hours')
  for (const { payment_id } of [never, left, accepted]) equal((await shop.get(payment_id)).status, 'requires_customer_action')
  await shop.wait('1 hour')
  for (const { payment_id } of [never, left, accepted]) {
    const { status, error_code, next_action } = await shop.get(payment_id)
    deepEqual([status, error_code, next_action], ['failed', 'OFFER_CLOSED', null])
  }
  // Adyen's answer is lost, and its webhook arrives.
  const lost = await begin(shop, FRICTIONLESS)
  await shop.processor.fault('authorize', 'reset_after')
  isRefused(await checkout(shop, lost).askIssuer(), 422, 'HE_00')
  await shop.processor.advance(0)
  equal((await shop.get(lost.payment_id)).status, 'succeeded')
  deepEqual(await charged(shop), [1250])
})

test('a payment cancelled during 3-D Secure is not charged, and later results change nothing', async () => {
  const shop = await openNativeShop({ webhooks: 'on' })
  const looked = await begin(shop, FRICTIONLESS)
  const challenged = await begin(shop, CHALLENGED)
  const { body } = await checkout(shop, challenged).challenge('accept')
  for (const { payment_id } of [looked, challenged]) equal((await shop.cancel(payment_id)).status, 200)
  await shop.processor.advance(0)
  isRefused(await checkout(shop, looked).askIssuer(), 400, 'IR_16')
  await checkout(shop, challenged).goOn(body)
  for (const { payment_id } of [looked, challenged]) equal((await shop.get(payment_id)).status, 'cancelled')
  deepEqual(await shop.processor.charges(), [])
})

test('a payment cancelled while the response to its challenge is lost ends with the same status here and at Adyen', async () => {
  for (const [fault, capture_method, ends] of [
    ['reset_before', 'automatic', 'cancelled'],
    ['reset_after', 'manual', 'cancelled'],
    ['reset_after', 'automatic', 'succeeded'],
  ] as const) {
    const shop = await openNativeShop({ webhooks: 'on' })
    await shop.processor.account({ webhooks: 'hold' })
    const payment = await begin(shop, CHALLENGED, { capture_method })
    const { challenge, goOn } = checkout(shop, payment)
    const { body } = await challenge('accept')
    await shop.processor.fault('authorize', fault)
    ok((await goOn(body)).poll_status)
    equal((await shop.cancel(payment.payment_id)).body.status, 'processing')
    await shop.wait('1 minute')
    await shop.processor.flushWebhooks()
    await shop.wait('10 minutes')
    const ended = await shop.get(payment.payment_id)
    const taken = (await shop.processor.charges()).map(({ captured, status }) => [captured, status])
    deepEqual(
      [ended.status, taken],
      [ends, ends === 'succeeded' ? [[1250, 'captured']] : taken.map(() => [0, 'voided'])],
      `${fault} ${capture_method}`,
    )
  }
})

test('a client that only redirects its customer gets a 3-D Secure page of the service; an error result does not end the payment', async () => {
  const shop = await openNativeShop()
  const stuck = checkout(shop, await begin(shop, AT_ONCE))
  ok((await stuck.goOn('error=e30')).poll_status)
  const payment = await begin(shop, CHALLENGED)
  const { three_ds_authorize_url: address } = payment.next_action.three_ds_data
  const { status, headers } = await http('GET', address)
  equal(status, 302)
  const page = await http('GET', headers.location as string)
  equal(page.status, 200)
  match(page.text, /authenticate\.js/)
  match(page.text, new RegExp(address))
  const { challenge, goOn } = checkout(shop, payment)
  match((await goOn((await challenge('accept')).body)).openurl_if_required, /status=succeeded/)
})

test('a customer whom Adyen redirects to its own page after native 3-D Secure has begun is charged once on return', async () => {
  const shop = await openNativeShop()
  const payment = await begin(shop, FALLS_BACK)
  const { askIssuer, goOn } = checkout(shop, payment)
  equal((await askIssuer()).body.acs_url, null)
  const { redirect_to_url } = (await shop.get(payment.payment_id)).next_action
  deepEqual(await goOn(), { openurl_if_required: redirect_to_url })
  const page = (await http('GET', redirect_to_url)).headers.location as string
  const back = (await http('POST', `${page}/accept`, '')).headers.location as string
  match((await http('GET', back)).headers.location as string, /status=succeeded/)
  match((await goOn()).openurl_if_required, /status=succeeded/)
  deepEqual(await charged(shop), [1250])
})

test('complete_authorize also accepts the result of the device fingerprint', async () => {
  const shop = await openNativeShop()
  const complete = async ({ payment_id, client_secret }: Body) =>
    (
      await http(
        'POST',
        `${shop.url}/payments/${payment_id}/complete_authorize`,
        { client_secret, threeds_method_comp_ind: 'Y' },
        { 'api-key': shop.publishable_key },
      )
    ).body
  equal((await complete(await begin(shop, FRICTIONLESS))).status, 'succeeded')
  const challenged = await complete(await begin(shop, CHALLENGED))
  deepEqual([challenged.status, challenged.next_action.three_ds_data.message_version], ['requires_customer_action', '2.2.0'])
  equal((await checkout(shop, challenged).askIssuer()).body.trans_status, 'C')
})

test('a payment without complete browser_info, or on an account without native_3ds, redirects the customer to a page of Adyen', async () => {
  for (const [metadata, ask] of [
    [{ native_3ds: 'true' }, {}],
    [{ native_3ds: 'true' }, { browser_info: { user_agent: 'Mozilla/5.0' } }],
    [{ native_3ds: 'false' }, { browser_info }],
    [undefined, { browser_info }],
  ] as const) {
    const shop = await openShop({ connector: 'adyen', webhooks: 'off', ...(metadata && { metadata }) })
    const payment = await shop.pay({ card: CHALLENGED, authentication_type: 'three_ds', ...ask })
    equal(payment.next_action.type, 'redirect_to_url')
  }
  const shop = await openNativeShop()
  equal((await shop.pay({ card: FRICTIONLESS, browser_info, authentication_type: 'no_three_ds' })).status, 'succeeded')
})

test('an authentication request from an app, or with a wrong client secret, is refused, and nothing is charged', async () => {
  const shop = await openNativeShop()
  const payment = await begin(shop, FRICTIONLESS)
  const sdk = {
    sdk_app_id: 'a',
    sdk_enc_data: 'b',
    sdk_ephem_pub_key: {},
    sdk_trans_id: 'c',
    sdk_reference_number: 'd',
    sdk_max_timeout: 5,
  }
  isRefused(await checkout(shop, payment).askIssuer({ device_channel: 'APP', sdk_information: sdk }), 400, 'IR_16', /BRW/)
  isRefused(await checkout(shop, { ...payment, client_secret: 'pay_x_secret_y' }).askIssuer(), 400, 'IR_09')
  equal((await shop.get(payment.payment_id)).status, 'requires_customer_action')
  deepEqual(await shop.processor.charges(), [])
})
