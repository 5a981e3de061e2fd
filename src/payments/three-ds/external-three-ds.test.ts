import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { apart, begin, checkout, openAuthenticatingShop } from '../../../test/authentication.ts'
import { isRefused } from '../../../test/refused.ts'
import { type Body, card, cards, http, openShop, type Shop } from '../../../test/shop.ts'

/** Gives the payment's members about the customer's authentication. */
const how = ({ external_authentication_details: auth }: Body) => [auth.authentication_flow, auth.status, auth.electronic_commerce_indicator]
const charged = async (shop: Pick<Shop, 'processor'>) => (await shop.processor.charges()).map(({ captured }) => captured)

test('a frictionless authentication needs no challenge, and the payment is charged with its proof', async () => {
  const shop = await openAuthenticatingShop()
  const payment = await begin(shop)
  deepEqual([payment.status, payment.next_action.type, payment.connector], ['requires_customer_action', 'three_ds_invoke', 'phonypay'])
  deepEqual(await shop.processor.operations(), [], 'nobody was asked for money')
  const { data, method, askIssuer, goOn, poll } = checkout(shop, payment)
  deepEqual(
    [data.message_version, data.directory_server_id, data.card_network, data.three_ds_connector],
    ['2.2.0', 'A000000003', 'Visa', 'phonypay'],
  )
  equal((await method()).status, 200)
  const { body } = await askIssuer({ browser_info: { user_agent: 'a browser', language: 'en-GB' } })
  deepEqual(
    [body.trans_status, body.acs_url, body.challenge_request, body.three_ds_requestor_url],
    ['Y', null, null, 'https://shop.example/'],
  )
  equal(await poll(), 'pending')
  const { openurl_if_required } = await goOn()
  match(openurl_if_required, /^https:\/\/shop\.example\/thanks\?.*status=succeeded/)
  equal(await poll(), 'completed')
  const paid = await shop.get(payment.payment_id)
  deepEqual([paid.status, paid.amount_received, paid.next_action, paid.attempt_count], ['succeeded', 1250, null, 1])
  deepEqual([...how(paid), paid.external_3ds_authentication_attempted], ['frictionless', 'success', '05', true])
  match(paid.external_authentication_details.ds_transaction_id, /^[0-9a-f-]{36}$/)
  deepEqual(await charged(shop), [1250])
  equal((await shop.processor.operations()).length, 1, 'no other challenge')
})

test('an accepted challenge authorizes the payment when the customer returns, and it can be captured', async () => {
  const shop = await openAuthenticatingShop()
  const payment = await begin(shop, { card: cards.challenges, capture_method: 'manual' })
  const { askIssuer, challenge, goOn } = checkout(shop, payment)
  const [first, second] = [await askIssuer(), await askIssuer()]
  deepEqual([first.body.trans_status, first.body.challenge_request_key], ['C', 'creq'])
  deepEqual(first.body, second.body, 'asked again, the same')
  const { address, body } = await challenge('accept')
  equal(address, payment.next_action.three_ds_data.three_ds_authorize_url)
  match((await goOn(body)).openurl_if_required, /status=requires_capture/)
  match((await http('GET', address)).text, /status=requires_capture/, 'the page loaded again says the same')
  const held = await shop.get(payment.payment_id)
  deepEqual([held.amount_capturable, ...how(held)], [1250, 'challenge', 'success', '05'])
  equal((await shop.capture(payment.payment_id)).body.status, 'succeeded')
})

test('a rejected challenge fails the payment before any authorization, and another card can be tried', async () => {
  const shop = await openAuthenticatingShop()
  await shop.profile({ is_manual_retry_enabled: true })
  const payment = await begin(shop, { card: cards.challenges })
  const { challenge, goOn } = checkout(shop, payment)
  match((await goOn((await challenge('reject')).body)).openurl_if_required, /status=failed.*manual_retry_allowed=true/)
  const failed = await shop.get(payment.payment_id)
  deepEqual([failed.status, failed.error_code, ...how(failed)], ['failed', 'EXTERNAL_AUTHENTICATION_FAILURE', 'challenge', 'failed', null])
  deepEqual(await shop.processor.operations(), [])
  const again = await shop.confirm(payment.payment_id, { payment_method: 'card', payment_method_data: card(cards.approves) })
  equal(again.body.next_action?.type, 'three_ds_invoke', again.text)
  const second = checkout(shop, again.body)
  await second.askIssuer()
  match((await second.goOn()).openurl_if_required, /status=succeeded/)
  deepEqual(await charged(shop), [1250])
})

for (const [name, number, status, eci] of [
  ['attempted', cards.isAttempted, 'succeeded', '06'],
  ['not authenticated', cards.isNotAuthenticated, 'failed', null],
  ['unavailable', cards.cannotBeAuthenticated, 'failed', null],
  ['rejected by the issuer', cards.isRejectedByIssuer, 'failed', null],
] as const)
  test(`a payment whose authentication is ${name} ends as ${status}`, async () => {
    const shop = await openAuthenticatingShop()
    const { askIssuer, goOn } = checkout(shop, await begin(shop, { card: number }))
    equal((await askIssuer()).body.acs_url, null)
    match((await goOn()).openurl_if_required, new RegExp(`status=${status}`))
    const [last] = (await shop.call('GET', '/payments/list')).body.data
    equal(last.external_authentication_details.electronic_commerce_indicator, eci)
    deepEqual(await charged(shop), status === 'succeeded' ? [1250] : [])
  })

test('a card that is not enrolled is charged in the same call, without an authentication step', async () => {
  const shop = await openAuthenticatingShop()
  const paid = await begin(shop, { card: cards.isNotEnrolled })
  deepEqual([paid.status, paid.external_authentication_details.status], ['succeeded', 'success'])
  deepEqual(await charged(shop), [1250])
})

test('a payment whose customer accepts the challenge and never returns is charged all the same', async () => {
  const shop = await openAuthenticatingShop()
  const payment = await begin(shop, { card: cards.challenges })
  await checkout(shop, payment).challenge('accept')
  equal((await shop.get(payment.payment_id)).status, 'requires_customer_action')
  await shop.wait('10 minutes')
  equal((await shop.get(payment.payment_id)).status, 'succeeded')
  deepEqual(await charged(shop), [1250])
})

test('an abandoned authentication fails the payment when its session expires, with no polls and no stored CVC left', async () => {
  const shop = await openAuthenticatingShop()
  const never = await begin(shop)
  const asked = await begin(shop, { card: cards.challenges })
  await checkout(shop, asked).askIssuer()
  await shop.wait('20 minutes')
  for (const { payment_id } of [never, asked]) {
    const { status, error_code, next_action } = await shop.get(payment_id)
    deepEqual([status, error_code, next_action], ['failed', 'EXTERNAL_AUTHENTICATION_FAILURE', null])
  }
  deepEqual(await shop.query('select 1 from processor_operations where merchant_id = $1 and poll_at is not null', [shop.merchant_id]), [])
  deepEqual(await shop.query('select 1 from waiting_cvcs where merchant_id = $1', [shop.merchant_id]), [], 'no security code waits')
})

test('a challenge accepted after the session has expired does not charge the customer', async () => {
  const shop = await openAuthenticatingShop()
  const payment = await begin(shop, { card: cards.challenges, session_expiry: 300 })
  const { askIssuer, challenge, goOn } = checkout(shop, payment)
  await askIssuer()
  const { body } = await challenge('accept')
  shop.clock.ahead += 301_000
  match((await goOn(body)).openurl_if_required, /status=failed/)
  isRefused(await askIssuer(), 400, 'IR_08')
  deepEqual(await shop.processor.operations(), [])
})

test('repeated and concurrent returns from the challenge result in one charge', async () => {
  const shop = await openAuthenticatingShop()
  const payment = await begin(shop, { card: cards.challenges })
  const { askIssuer, challenge, goOn } = checkout(shop, payment)
  const { body } = await challenge('accept')
  const pages = await Promise.all([goOn(body), goOn(body), goOn()])
  match((await goOn(body)).openurl_if_required, /status=succeeded/)
  equal(pages.length, 3)
  isRefused(await askIssuer(), 400, 'IR_16', /not awaiting 3-D Secure authentication/)
  deepEqual(await charged(shop), [1250])
  equal((await shop.processor.operations()).length, 1)
})

test('a directory server that does not respond is retried, and the checkout is instructed to poll', async () => {
  const shop = await openAuthenticatingShop()
  await shop.processor.fault('authenticate', 'reset_after')
  const payment = await begin(shop)
  equal(payment.status, 'processing', 'nobody knows yet whether the card is enrolled')
  await shop.wait('10 seconds')
  const found = await shop.get(payment.payment_id)
  equal(found.next_action.type, 'three_ds_invoke')
  const { askIssuer, goOn, poll } = checkout(shop, found)
  await shop.processor.fault('authenticate', 'html_after')
  isRefused(await askIssuer(), 422, 'HE_00', /was not answered/)
  equal((await askIssuer()).body.trans_status, 'Y')
  await shop.processor.fault('lookup', 'reset_before')
  const { poll_status } = await goOn()
  deepEqual([poll_status.delay_in_secs, poll_status.frequency], ['2', '5'])
  match(poll_status.return_url_with_query_params, /^https:\/\/shop\.example\/thanks\?/)
  equal(await poll(), 'pending')
  await shop.wait('1 minute')
  equal(await poll(), 'completed')
  equal((await shop.get(payment.payment_id)).status, 'succeeded')
  deepEqual(await charged(shop), [1250])
})

test('a payment whose directory server never responds fails when its session expires, not after a week', async () => {
  const shop = await openAuthenticatingShop()
  const payment = await begin(shop)
  await shop.processor.fault('lookup', 'reset_before', { times: 50 })
  await shop.wait('16 minutes')
  await shop.wait('1 minute')
  equal((await shop.get(payment.payment_id)).status, 'failed')
})

test('a payment cancelled during its challenge is not charged, even if the customer accepts the challenge', async () => {
  const shop = await openAuthenticatingShop()
  const payment = await begin(shop, { card: cards.challenges })
  const { challenge, goOn } = checkout(shop, payment)
  const { body } = await challenge('accept')
  const { status, next_action } = (await shop.cancel(payment.payment_id)).body
  deepEqual([status, next_action], ['cancelled', null])
  match((await goOn(body)).openurl_if_required, /status=cancelled/)
  await shop.wait('1 day')
  equal((await shop.get(payment.payment_id)).status, 'cancelled')
  deepEqual(await shop.processor.operations(), [])
})

test('an authentication proof is valid for one payment only: the processor declines it for another amount', async () => {
  const shop = await openAuthenticatingShop()
  const card = { number: cards.approves, exp_month: '03', exp_year: '2030' }
  const { id } = await shop.processor.call('POST', '/v1/authentications', { reference: 'elsewhere', amount: 100, currency: 'USD', card })
  const asked = { method: 'U', device: 'BRW', challenge: 'if_needed', notification_url: 'https://shop.example/back' }
  const result = await shop.processor.call('POST', `/v1/authentications/${id}/request`, asked)
  const three_ds_data = {
    transaction_status: 'Y',
    authentication_cryptogram: { cavv: { authentication_cryptogram: result.cavv } },
    ds_trans_id: result.ds_transaction_id,
    version: result.version,
    eci: result.eci,
  }
  // Further members that other clients send are accepted.
  const besides = { exemption_indicator: 'low_value', network_params: { cartes_bancaires: { cavv_algorithm: '0', cb_score: 7 } } }
  const proved = { amount: 100, authentication_type: 'three_ds', three_ds_data: { ...three_ds_data, ...besides } }
  equal((await shop.pay(proved)).status, 'succeeded')
  const other = await shop.pay({ amount: 5000, authentication_type: 'three_ds', three_ds_data })
  deepEqual([other.status, other.error_code], ['failed', 'authentication_failed'])
  deepEqual(await charged(shop), [100])
})

const proof = {
  transaction_status: 'Y',
  authentication_cryptogram: { cavv: { authentication_cryptogram: 'AAABBBCCCDDDEEEFFFGGGHHHIII=' } },
  ds_trans_id: '9b3a4c2e-1f0d-4b6a-8c7e-2d5f6a7b8c9d',
  version: '2.2.0',
  eci: '05',
}

for (const connector of ['phonypay', 'stripe', 'adyen'] as const)
  test(`a payment authenticated elsewhere is charged without a challenge at ${connector}, and its cryptogram is not stored`, async () => {
    const shop = await openShop({ connector })
    const ask = {
      card: connector === 'adyen' ? '4212345678901237' : cards.challenges,
      authentication_type: 'three_ds',
      three_ds_data: proof,
    }
    const paid = await shop.pay(ask)
    deepEqual([paid.status, paid.external_authentication_details.ds_transaction_id], ['succeeded', proof.ds_trans_id])
    const rows = await shop.query(`select string_agg(p::text, '') as all from payments p where merchant_id = $1`, [shop.merchant_id])
    ok(!JSON.stringify(rows).includes('AAABBBCCC'))
  })

test('invalid three_ds_data, or three_ds_data without a confirm, is refused with the field name', async () => {
  const shop = await openShop()
  const tryWith = (more: Body, rest: Body = {}) => shop.tryToPay({ three_ds_data: { ...proof, ...more }, ...rest })
  isRefused(await tryWith({ transaction_status: 'N' }), 422, 'IR_06', /three_ds_data\.transaction_status/)
  isRefused(await tryWith({ authentication_cryptogram: undefined }), 400, 'IR_04', /authentication_cryptogram/)
  isRefused(await tryWith({ eci: 'five' }), 422, 'IR_05', /three_ds_data\.eci/)
  isRefused(await tryWith({ version: '1.0.2' }), 422, 'IR_05', /three_ds_data\.version/)
  isRefused(await tryWith({}, { confirm: false }), 422, 'IR_06', /when the payment is confirmed/)
})

test('a request for external authentication is refused if no authentication connector is configured', async () => {
  const shop = await openShop()
  isRefused(await shop.tryToPay(apart), 400, 'IR_16', /authentication_connector_details/)
  const without = await shop.pay({ ...apart, authentication_type: 'no_three_ds' })
  equal(without.status, 'succeeded', 'who asks for none is not asked for one')
})

test('external authentication is refused for a processor that accepts no proof of it', async () => {
  const shop = await openAuthenticatingShop({ connector: 'milkypay' })
  isRefused(await shop.tryToPay(apart), 400, 'IR_39')
})

test('the CVC is stored only until the authorization', async () => {
  const shop = await openAuthenticatingShop()
  const created = await shop.create(apart)
  const { body } = await shop.confirm(created.payment_id)
  equal((await shop.query('select 1 from waiting_cvcs where merchant_id = $1', [shop.merchant_id])).length, 1)
  const { askIssuer, goOn } = checkout(shop, body)
  await askIssuer()
  await goOn()
  const [operation] = await shop.processor.operations()
  equal(operation?.cvc_result, 'M')
  deepEqual(await shop.query('select 1 from waiting_cvcs where merchant_id = $1', [shop.merchant_id]), [])
})

test('invalid authentication URLs and poll ids are refused', async () => {
  const shop = await openAuthenticatingShop()
  const payment = await begin(shop)
  const { three_ds_authorize_url: address } = payment.next_action.three_ds_data
  for (const other of [`${address}0`, address.replace(payment.payment_id, 'pay_another'), address.replace(shop.merchant_id, 'nobody')])
    for (const method of ['GET', 'POST']) isRefused(await http(method, other), 404, 'HE_02')
  // A path segment that does not decode to text names no object.
  const poll = (id: string, headers: Record<string, string>) => http('GET', `${shop.url}/poll/status/${id}`, undefined, headers)
  const browser = { 'api-key': shop.publishable_key }
  equal((await poll('%00', browser)).status, 404)
  for (const id of ['x', `${shop.merchant_id}_x`, '_', 'nobody_x']) isRefused(await poll(id, browser), 404, 'HE_02')
  const { poll_id } = payment.next_action.three_ds_data.poll_config
  equal((await poll(poll_id, { authorization: payment.sdk_authorization })).body.status, 'pending')
  for (const headers of [{}, { 'api-key': shop.api_key }]) isRefused(await poll(poll_id, headers), 401, 'IR_01')
  const other = await openShop()
  isRefused(await poll(poll_id, { 'api-key': other.publishable_key }), 404, 'HE_02')
})

test('force_3ds_challenge of the payment or the profile always results in a challenge', async () => {
  const shop = await openAuthenticatingShop()
  const forced = await shop.pay({ authentication_type: 'three_ds', force_3ds_challenge: true })
  deepEqual(
    [forced.status, forced.next_action.type, forced.force_3ds_challenge_trigger],
    ['requires_customer_action', 'redirect_to_url', true],
  )
  const external = await begin(shop, { force_3ds_challenge: true })
  equal((await checkout(shop, external).askIssuer()).body.trans_status, 'C')
  await shop.profile({ force_3ds_challenge: true })
  equal((await shop.pay({ authentication_type: 'three_ds' })).status, 'requires_customer_action')
  equal((await shop.pay({ authentication_type: 'three_ds', force_3ds_challenge: false })).status, 'succeeded')
  isRefused(await shop.tryToPay({ authentication_type: 'no_three_ds', force_3ds_challenge: true }), 400, 'IR_16', /force_3ds_challenge/)
})

for (const connector of ['phonypay', 'adyen'] as const)
  test(`an SCA exemption granted by ${connector} avoids the challenge; a refused one results in a challenge in the same call`, async () => {
    const shop = await openShop({ connector })
    const ask = { authentication_type: 'three_ds', psd2_sca_exemption_type: 'low_value' }
    const granted = await shop.pay({ ...ask, card: cards.isExempt })
    deepEqual([granted.status, granted.attempt_count], ['succeeded', 1])
    const refused = await shop.pay({ ...ask, card: cards.challenges })
    deepEqual([refused.status, refused.attempt_count], ['requires_customer_action', 2])
    const tooMuch = await shop.pay({ ...ask, card: cards.isExempt, amount: 3001 })
    equal(tooMuch.status, 'requires_customer_action')
    const never = await shop.pay({ ...ask, authentication_type: 'no_three_ds', card: cards.challenges })
    equal(never.status, 'failed', 'who is never to be challenged is not')
    deepEqual(await charged(shop), [1250])
  })

test('contradictory or unsupported authentication options are refused', async () => {
  const shop = await openAuthenticatingShop()
  const ask = { authentication_type: 'three_ds', psd2_sca_exemption_type: 'low_value' }
  isRefused(await shop.tryToPay({ ...ask, force_3ds_challenge: true }), 400, 'IR_16')
  isRefused(await shop.tryToPay({ ...ask, ...apart }), 400, 'IR_19')
  const stripe = await openShop({ connector: 'stripe' })
  isRefused(await stripe.tryToPay(ask), 400, 'IR_39', /psd2_sca_exemption_type/)
})

test('a saved card is authenticated too, in a browser confirm, and a new card is saved once it is paid', async () => {
  const shop = await openAuthenticatingShop()
  const customer_acceptance = { acceptance_type: 'offline' }
  const first = await begin(shop, { customer_id: 'grace', setup_future_usage: 'on_session', customer_acceptance })
  const saving = checkout(shop, first)
  await saving.askIssuer()
  await saving.goOn()
  const [saved] = (await shop.call('GET', '/customers/grace/payment_methods')).body.customer_payment_methods
  const created = await shop.create({ ...apart, customer_id: 'grace', payment_method: undefined, payment_method_data: undefined })
  const { body } = await http(
    'POST',
    `${shop.url}/payments/${created.payment_id}/confirm`,
    { client_secret: created.client_secret, payment_method: 'card', payment_token: saved.payment_token, card_cvc: '737' },
    { 'api-key': shop.publishable_key },
  )
  equal(body.next_action?.type, 'three_ds_invoke', JSON.stringify(body))
  const { askIssuer, goOn } = checkout(shop, body)
  await askIssuer()
  match((await goOn()).openurl_if_required, /status=succeeded/)
  const paid = await shop.get(created.payment_id)
  deepEqual([paid.payment_method_id, paid.card_discovery], [saved.payment_method_id, 'saved_card'])
  deepEqual(await charged(shop), [1250, 1250])
})

test('a card on the blocklist is refused before any authentication', async () => {
  const shop = await openAuthenticatingShop()
  await shop.post('/blocklist/toggle?status=true', {})
  await shop.post('/blocklist', { type: 'card_bin', data: '424242' })
  const answer = await shop.tryToPay(apart)
  equal(answer.body.error?.code, 'HE_03', answer.text)
  deepEqual(await shop.query("select 1 from processor_operations where merchant_id = $1 and verb = 'authenticate'", [shop.merchant_id]), [])
  // Nothing follows the attempt: neither the security code nor the number of its card is stored.
  const stored = `select (select count(*)::int from waiting_cvcs where merchant_id = $1) as codes,
    (select count(*)::int from vault_records where merchant_id = $1) as numbers`
  deepEqual(await shop.query(stored, [shop.merchant_id]), [{ codes: 0, numbers: 0 }])
})

test('a payment without external authentication stores no authentication data and only one processor operation', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ authentication_type: 'three_ds' })
  const [{ request }] = (await shop.query('select request from payments where merchant_id = $1 and payment_id = $2', [
    shop.merchant_id,
    payment_id,
  ])) as [Body]
  equal('authentication' in request, false)
  equal((await shop.query('select 1 from processor_operations where merchant_id = $1', [shop.merchant_id])).length, 1)
})
