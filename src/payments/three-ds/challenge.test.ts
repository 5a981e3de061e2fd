import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { areTheSame, isRefused } from '../../../test/refused.ts'
import { ADMIN_KEY, type Answer, type Body, cards, http, openShop, type PayAsk, type Shop } from '../../../test/shop.ts'

/** Makes a payment that the customer's bank challenges. */
const challenged = (shop: Shop, ask: PayAsk = {}): Promise<Body> =>
  shop.pay({ card: cards.challenges, authentication_type: 'three_ds', ...ask })
const locationOf = (answer: Answer): string => {
  equal(answer.status, 302, answer.text)
  return answer.headers.location as string
}

/**
 * Follows the customer's browser: from our address to the bank's page, and after the answer to the address of the
 * return (not yet visited).
 */
async function customer(payment: Body) {
  const page = locationOf(await http('GET', payment.next_action.redirect_to_url))
  const html = (await http('GET', page)).text
  const answer = async (word: 'accept' | 'reject'): Promise<string> => {
    const action = html.match(new RegExp(`action="([^"]+/${word})"`))?.[1]
    ok(action, html)
    return locationOf(await http('POST', new URL(action, page).href, '', { 'content-type': 'application/x-www-form-urlencoded' }))
  }
  return { page, accept: () => answer('accept'), reject: () => answer('reject') }
}

/** Gives the parameters that the merchant's page receives, if the signature is the merchant's own. */
async function verified(shop: Shop, location: string): Promise<Record<string, string>> {
  const account = await http('GET', `${shop.url}/accounts/${shop.merchant_id}`, undefined, { 'api-key': ADMIN_KEY })
  const { signature, signature_algorithm, ...pairs } = Object.fromEntries(new URL(location).searchParams)
  equal(signature_algorithm, 'HMAC-SHA512')
  const text = Object.keys(pairs)
    .sort()
    .map(name => `${name}=${pairs[name]}`)
    .join('&')
  equal(signature, createHmac('sha512', account.body.payment_response_hash_key).update(text).digest('hex'))
  return pairs
}

test('a challenged payment redirects the customer to the bank, and nothing is charged before that', async () => {
  const shop = await openShop()
  const payment = await challenged(shop)
  equal(payment.status, 'requires_customer_action')
  equal(payment.next_action.type, 'redirect_to_url')
  equal(
    payment.next_action.redirect_to_url,
    `${shop.url}/payments/redirect/${payment.payment_id}/${shop.merchant_id}/${payment.payment_id}_1`,
  )
  deepEqual([payment.amount_received, payment.amount_capturable], [null, payment.net_amount])
  const { page } = await customer(payment)
  ok(page.startsWith(shop.processor.url), 'our address leads to the bank')
  deepEqual(await shop.processor.charges(), [])
})

test('a profile with redirect_to_merchant_with_http_post returns the customer by a form with the same signed result', async () => {
  const shop = await openShop({
    account: { return_url: 'https://shop.example/done?a=%3Cb%3E&c=%22d%22', redirect_to_merchant_with_http_post: true },
  })
  const payment = await challenged(shop)
  const { status, text, headers } = await http('GET', await (await customer(payment)).accept())
  equal(status, 200)
  match(
    String(headers['content-security-policy']),
    /^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'; script-src 'sha256-[^']+'; frame-ancestors 'none'$/,
  )
  const clear = (html: string) => html.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  equal(clear(text.match(/<form method="post" action="([^"]*)">/)![1]!), 'https://shop.example/done?a=%3Cb%3E&c=%22d%22')
  const fields = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(([, name, value]) => [
    clear(name!),
    clear(value!),
  ])
  const pairs = await verified(shop, `https://shop.example/?${new URLSearchParams(fields as [string, string][])}`)
  deepEqual([pairs.status, pairs.payment_id, pairs.a, pairs.c], ['succeeded', payment.payment_id, '<b>', '"d"'])
})

test('a customer who accepts the challenge returns to the shop with the signed result, and the payment succeeds', async () => {
  const shop = await openShop()
  const payment = await challenged(shop, { amount: 4200, return_url: 'https://shop.example/done?cart=7' })
  const back = await (await customer(payment)).accept()
  ok(back.startsWith(`${shop.url}/payments/${payment.payment_id}/${shop.merchant_id}/redirect/response/phonypay/`), back)
  equal((await shop.get(payment.payment_id)).status, 'requires_customer_action', 'nobody has asked yet')
  const shopPage = locationOf(await http('GET', back))
  match(shopPage, /^https:\/\/shop\.example\/done\?cart=7&/)
  const result = await verified(shop, shopPage)
  deepEqual(
    [result.status, result.payment_id, result.amount, result.payment_intent_client_secret],
    ['succeeded', payment.payment_id, '4200', payment.client_secret],
  )
  const paid = await shop.get(payment.payment_id)
  deepEqual([paid.status, paid.amount_received, paid.next_action], ['succeeded', 4200, null])
  equal(paid.external_authentication_details.electronic_commerce_indicator, '05')
  deepEqual(
    (await shop.processor.charges()).map(charge => charge.captured),
    [4200],
  )
})

test('an accepted challenge of a payment with manual capture leaves a hold', async () => {
  const shop = await openShop()
  const payment = await challenged(shop, { capture_method: 'manual' })
  const shopPage = locationOf(await http('GET', await (await customer(payment)).accept()))
  equal((await verified(shop, shopPage)).status, 'requires_capture')
  equal((await shop.capture(payment.payment_id)).body.status, 'succeeded')
})

test('a rejected challenge fails the payment, charges nothing, and returns the status failed to the shop', async () => {
  const shop = await openShop()
  const payment = await challenged(shop)
  const shopPage = locationOf(await http('GET', await (await customer(payment)).reject()))
  match(shopPage, /^https:\/\/shop\.example\/thanks\?/)
  equal((await verified(shop, shopPage)).status, 'failed')
  const failed = await shop.get(payment.payment_id)
  deepEqual([failed.status, failed.error_code, failed.next_action], ['failed', 'authentication_failed', null])
  deepEqual(await shop.processor.charges(), [])
})

test('a payment that the bank declines after an accepted challenge fails', async () => {
  const shop = await openShop()
  const payment = await challenged(shop, { card: '4000008400001629' })
  const shopPage = locationOf(await http('GET', await (await customer(payment)).accept()))
  equal((await verified(shop, shopPage)).status, 'failed')
  equal((await shop.get(payment.payment_id)).error_code, 'card_declined')
})

test('a card that is not enrolled is charged without a challenge; a card that requires one is declined with no_three_ds', async () => {
  const shop = await openShop()
  equal((await shop.pay({ authentication_type: 'three_ds' })).status, 'succeeded')
  const refused = await shop.pay({ card: cards.challenges, authentication_type: 'no_three_ds' })
  deepEqual([refused.status, refused.error_code], ['failed', 'authentication_required'])
})

test('a forged return changes nothing: the processor is polled for the status', async () => {
  const shop = await openShop()
  const payment = await challenged(shop)
  const response = `${shop.url}/payments/${payment.payment_id}/${shop.merchant_id}/redirect/response/phonypay/${payment.reference_id}`
  for (const claim of ['', '?status=succeeded&payment_id=x', '?status=approved&cres=accepted'])
    equal((await verified(shop, locationOf(await http('GET', response + claim)))).status, 'requires_customer_action')
  const posted = await http('POST', response, 'status=approved&authenticated=true', { 'content-type': 'application/x-www-form-urlencoded' })
  equal((await verified(shop, locationOf(posted))).status, 'requires_customer_action')
  equal((await shop.get(payment.payment_id)).status, 'requires_customer_action')
  deepEqual(await shop.processor.charges(), [])
  equal((await verified(shop, locationOf(await http('GET', await (await customer(payment)).accept())))).status, 'succeeded')
})

test('a return that arrives repeatedly, by GET and by POST, results in one charge', async () => {
  const shop = await openShop()
  const payment = await challenged(shop)
  const back = await (await customer(payment)).accept()
  const answers = await Promise.all([
    http('GET', back),
    http('POST', back, '', { 'content-type': 'application/x-www-form-urlencoded' }),
    http('GET', back),
  ])
  for (const answer of answers) equal((await verified(shop, locationOf(answer))).status, 'succeeded')
  equal((await shop.processor.charges()).length, 1)
  for (const method of ['GET', 'POST']) isRefused(await http(method, back.replace(/\w+$/, 'guessed')), 404, 'HE_02')
  const types = (await shop.events(payment.payment_id)).map((event: Body) => event.type)
  equal(types.filter((type: string) => type === 'captured').length, 1)
})

test('a return without a request id polls the processor too, and sends neither client_secret nor amount to the shop', async () => {
  const shop = await openShop()
  const payment = await challenged(shop)
  const back = await (await customer(payment)).accept()
  const address = new URL(locationOf(await http('GET', back.replace(/\/\w+$/, ''))))
  deepEqual([...address.searchParams.keys()].sort(), ['manual_retry_allowed', 'payment_id', 'signature', 'signature_algorithm', 'status'])
  deepEqual([address.searchParams.get('status'), (await shop.get(payment.payment_id)).status], ['succeeded', 'succeeded'])
  const fresh = await shop.create()
  isRefused(await http('GET', `${shop.url}/payments/${fresh.payment_id}/${shop.merchant_id}/redirect/response/phonypay`), 404, 'HE_02')
})

test('invalid redirect and return URLs are all refused with the same 404 response', async () => {
  const shop = await openShop()
  const other = await openShop()
  const { payment_id, reference_id } = await challenged(shop)
  const missing = await http('GET', `${shop.url}/payments/redirect/pay_${'0'.repeat(26)}/${shop.merchant_id}/pay_${'0'.repeat(26)}_1`)
  isRefused(missing, 404, 'HE_02')
  for (const path of [
    `/payments/redirect/${payment_id}/${other.merchant_id}/${payment_id}_1`,
    `/payments/redirect/${payment_id}/nobody/${payment_id}_1`,
    `/payments/redirect/${payment_id}/${shop.merchant_id}/${payment_id}_2`,
    `/payments/${payment_id}/${other.merchant_id}/redirect/response/phonypay/${reference_id}`,
    `/payments/${payment_id}/${shop.merchant_id}/redirect/response/phonypay/${payment_id}_1`,
    `/payments/${payment_id}/${shop.merchant_id}/redirect/response/phonypay/${payment_id}_9`,
    `/payments/${payment_id}/${shop.merchant_id}/redirect/response/adyen`,
    `/payments/${payment_id}/${other.merchant_id}/redirect/response/phonypay`,
  ])
    areTheSame(await http('GET', shop.url + path), missing)
})

test('a challenge URL opened after the payment has ended redirects to the shop, without any payment data', async () => {
  const shop = await openShop()
  const payment = await challenged(shop)
  await http('GET', await (await customer(payment)).accept())
  const again = locationOf(await http('GET', payment.next_action.redirect_to_url))
  equal(again, 'https://shop.example/thanks')
})

test('a payment whose customer accepts the challenge and never returns is found by a poll and succeeds', async () => {
  const shop = await openShop()
  const payment = await challenged(shop)
  await (await customer(payment)).accept()
  await shop.wait('2 minutes')
  const found = await shop.get(payment.payment_id)
  deepEqual([found.status, found.amount_received], ['succeeded', 1250])
  equal((await shop.processor.charges()).length, 1)
})

test('a payment whose customer never answers the challenge fails when the challenge expires', async () => {
  const shop = await openShop()
  const payment = await challenged(shop)
  await shop.wait('9 hours')
  equal((await shop.get(payment.payment_id)).status, 'requires_customer_action', 'they may still answer')
  await shop.wait('5 hours')
  const failed = await shop.get(payment.payment_id)
  deepEqual([failed.status, failed.error_code, failed.next_action], ['failed', 'authentication_expired', null])
  deepEqual(await shop.processor.charges(), [])
})

test('a challenged payment is cancelled at the processor, and the customer can no longer accept the challenge', async () => {
  const shop = await openShop()
  const payment = await challenged(shop)
  const visitor = await customer(payment)
  const { body } = await shop.cancel(payment.payment_id, 'abandoned')
  deepEqual([body.status, body.cancellation_reason, body.next_action], ['cancelled', 'abandoned', null])
  const tooLate = await http('POST', `${visitor.page}/accept`, '', { 'content-type': 'application/x-www-form-urlencoded' })
  equal(tooLate.status, 410)
  await shop.wait('1 day')
  equal((await shop.get(payment.payment_id)).status, 'cancelled')
  deepEqual(await shop.processor.charges(), [])
})

test('a payment accepted just before its cancel was charged, and becomes succeeded instead of cancelled', async () => {
  const shop = await openShop()
  const payment = await challenged(shop)
  await (await customer(payment)).accept()
  const { status, body } = await shop.cancel(payment.payment_id)
  equal(status, 200)
  ok(body.status !== 'cancelled', 'nothing was given back')
  await shop.wait('2 minutes')
  const truth = await shop.get(payment.payment_id)
  deepEqual([truth.status, truth.amount_received], ['succeeded', 1250])
  equal((await shop.refund(payment.payment_id)).body.status, 'succeeded')
})

test('a manual capture payment accepted just before its cancel is voided, and stays cancelled', async () => {
  const shop = await openShop()
  const payment = await challenged(shop, { capture_method: 'manual' })
  const back = await (await customer(payment)).accept()
  equal((await shop.cancel(payment.payment_id)).body.status, 'cancelled')
  equal((await verified(shop, locationOf(await http('GET', back)))).status, 'cancelled')
  await shop.wait('2 minutes')
  equal((await shop.get(payment.payment_id)).status, 'cancelled')
  isRefused(await shop.capture(payment.payment_id), 400, 'IR_14')
  const [charge] = await shop.processor.charges()
  deepEqual([charge!.status, charge!.captured], ['voided', 0])
})

test('a cancel with a lost response is polled: the payment is cancelled, or succeeded if the void never arrived', async () => {
  const shop = await openShop()
  const voided = await challenged(shop)
  await shop.processor.fault('void', 'reset_after')
  equal((await shop.cancel(voided.payment_id)).body.status, 'processing')
  await shop.wait('2 minutes')
  equal((await shop.get(voided.payment_id)).status, 'cancelled')
  const notVoided = await challenged(shop)
  const visitor = await customer(notVoided)
  await shop.processor.fault('void', 'reset_before')
  equal((await shop.cancel(notVoided.payment_id)).body.status, 'processing')
  await visitor.accept()
  await shop.wait('5 minutes')
  const truth = await shop.get(notVoided.payment_id)
  deepEqual([truth.status, truth.amount_received], ['succeeded', 1250], 'the void never arrived, the acceptance did')
  equal((await shop.processor.charges()).length, 1)
})

test('a declined cancel leaves the challenge open: the customer can still accept it, and it can be cancelled again', async () => {
  const shop = await openShop()
  const refused = async () => {
    const payment = await challenged(shop)
    await shop.processor.fault('void', 'decline')
    const { body } = await shop.cancel(payment.payment_id)
    deepEqual([body.status, body.error_code], ['processing', 'void_declined'])
    const open = await shop.sync(payment.payment_id)
    deepEqual([open.status, open.next_action], ['requires_customer_action', payment.next_action])
    return open
  }
  const paid = await refused()
  await (await customer(paid)).accept()
  await shop.wait('2 minutes')
  deepEqual([(await shop.get(paid.payment_id)).status, (await shop.processor.charges()).length], ['succeeded', 1])
  const cancelled = await refused()
  equal((await shop.cancel(cancelled.payment_id)).body.status, 'cancelled')
  equal((await shop.processor.charges()).length, 1)
})

test('a challenge without a return_url shows the customer an error, and the payment still succeeds', async () => {
  const shop = await openShop({ account: {} })
  const payment = await challenged(shop)
  const back = await (await customer(payment)).accept()
  isRefused(await http('GET', back), 404, 'HE_03')
  equal((await shop.get(payment.payment_id)).status, 'succeeded')
})
