import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openShop, openTestSandbox } from './test-shop.ts'

const { url } = await openTestSandbox()
const shop = openShop(url)
const return_url = 'https://shop.example/thanks?order=1'

function answer(redirect_url: string, decision: 'accept' | 'reject'): Promise<Response> {
  return fetch(`${redirect_url}/${decision}`, { method: 'POST', body: new URLSearchParams(), redirect: 'manual' })
}

/** What stands on a page, without its marks. */
async function textOf(address: string): Promise<string> {
  const page = await fetch(address)
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  return (await page.text()).replace(/<style>.*<\/style>/s, '').replace(/<[^>]*>/g, ' ')
}

test('a shopper who accepts the challenge is charged and redirected back', async () => {
  const payment = await shop.pay('challenge', { return_url })
  assert.deepEqual([payment.status, payment.payment_state.status, payment.payment_state.authorized], ['challenge', 'challenge', 0])
  const page = await fetch(payment.redirect_url)
  const html = await page.text()
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.match(html, /USD\s12\.50/)
  assert.ok(html.includes(payment.reference))
  assert.equal((await shop.charges()).length, 0)

  const back = await answer(payment.redirect_url, 'accept')
  assert.deepEqual([back.status, back.headers.get('location')], [302, return_url])
  const accepted = await shop.get(payment.id)
  assert.deepEqual([accepted.status, accepted.eci, accepted.redirect_url], ['approved', '05', null])
  assert.equal(accepted.payment_state.captured, 1250)
})

test('a shopper who rejects the challenge is not charged and is redirected back', async () => {
  const payment = await shop.pay('challenge', { return_url })
  assert.equal((await answer(payment.redirect_url, 'reject')).status, 302)
  const rejected = await shop.get(payment.id)
  assert.deepEqual([rejected.status, rejected.decline.code], ['declined', 'authentication_failed'])
})

test('a challenge is answered once; a second answer shows the first decision', async () => {
  const payment = await shop.pay('challenge', { return_url })
  await answer(payment.redirect_url, 'reject')
  const second = await answer(payment.redirect_url, 'accept')
  assert.equal(second.status, 200)
  assert.match(await second.text(), /was rejected/)
  assert.match(await (await fetch(payment.redirect_url)).text(), /was rejected/)
  assert.equal((await shop.get(payment.id)).status, 'declined')
})

test('exactly one of ten simultaneous answers to a challenge counts', async () => {
  const payment = await shop.pay('challenge', { return_url })
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => answer(payment.redirect_url, n % 2 ? 'accept' : 'reject')))
  assert.equal(answers.filter(answer => answer.status === 302).length, 1)
})

test('a voided challenge can no longer be accepted', async () => {
  const payment = await shop.pay('challenge', { return_url })
  assert.equal((await shop.void(payment.id)).json.payment_state.status, 'voided')
  const late = await answer(payment.redirect_url, 'accept')
  assert.equal(late.status, 410)
  const authorization = await shop.get(payment.id)
  assert.deepEqual([authorization.decline.code, authorization.payment_state.status], ['voided', 'voided'])
})

test('a challenge without an answer for ten hours is declined', async () => {
  const shop = openShop(url)
  const payment = await shop.pay('challenge', { return_url })
  await shop.advance(10 * 3600)
  assert.equal((await answer(payment.redirect_url, 'accept')).status, 410)
  assert.equal((await shop.get(payment.id)).decline.code, 'authentication_expired')
})

test('a card that requires authentication is declined when the payment skips 3-D Secure', async () => {
  const payment = await shop.pay('challenge', { three_ds: 'skip' })
  assert.deepEqual([payment.decline.code, payment.decline.network_code], ['authentication_required', '1A'])
})

test('a payment may still be declined by the bank after an accepted challenge', async () => {
  const plain = await shop.pay('challenge_then_declined')
  const poor = await shop.pay('challenge_then_insufficient_funds')
  const page = await answer(plain.redirect_url, 'accept')
  assert.match(await page.text(), /your bank declined it/)
  await answer(poor.redirect_url, 'accept')
  assert.equal((await shop.get(plain.id)).decline.code, 'card_declined')
  assert.equal((await shop.get(poor.id)).decline.code, 'insufficient_funds')
})

test('a challenge URL with a wrong token returns 404 and charges nothing', async () => {
  const payment = await shop.pay('challenge')
  const wrong = payment.redirect_url.replace(/.{4}$/, 'XXXX')
  assert.equal((await fetch(wrong)).status, 404)
  assert.equal((await answer(wrong, 'accept')).status, 404)
  assert.equal((await shop.get(payment.id)).status, 'challenge')
})

test('data from the merchant is escaped on the challenge page', async () => {
  const hostile = 'https://shop.example/?a=1&b=%22&c=\'"><script>alert(1)</script>'
  const payment = await shop.pay('challenge', { return_url: hostile, merchant: '<b>Chairs</b> & "Co"' })
  assert.match(await (await fetch(payment.redirect_url)).text(), /&lt;b&gt;Chairs&lt;\/b&gt; &amp; &quot;Co&quot;/)
  await answer(payment.redirect_url, 'accept')
  const html = await (await fetch(payment.redirect_url)).text()
  assert.ok(!html.includes('<script'))
  assert.match(html, /a=1&amp;b=/)
})

test('the challenge page shows the merchant and amount, before and after the answer; a missing merchant name is left out', async () => {
  const payment = await shop.pay('challenge', { return_url, merchant: 'Café Ångström' })
  assert.match(await textOf(payment.redirect_url), /Merchant\s+Café Ångström\s+Amount\s+USD\s12\.50\s/)
  await answer(payment.redirect_url, 'accept')
  assert.match(await textOf(payment.redirect_url), /was accepted.*Café Ångström/s)
  const nameless = await shop.pay('challenge', { return_url })
  assert.doesNotMatch(await textOf(nameless.redirect_url), /Merchant|undefined|null/)
})

test('a second tab, a reload and the back button all show a page, also after the challenge has expired', async () => {
  const shop = openShop(url)
  const payment = await shop.pay('challenge', { return_url })
  const addresses = ['', '/accept', '/reject'].map(word => payment.redirect_url + word)
  for (const address of addresses) assert.match(await textOf(address), /asks you to confirm this payment/)
  await answer(payment.redirect_url, 'accept')
  for (const address of addresses) assert.match(await textOf(address), /was accepted.*Back to the merchant/s)
  const late = await shop.pay('challenge', { return_url })
  await shop.advance(10 * 3600)
  for (const word of ['', '/accept', '/reject']) assert.match(await textOf(late.redirect_url + word), /has expired.*Back to the merchant/s)
  for (const word of ['/more', '/accept/more']) assert.match(await textOf(payment.redirect_url + word), /no payment at this URL/)
  assert.match(await textOf(`${url}/challenge/`), /no payment at this URL/)
})

test('the amount is shown with the decimals of its currency', async () => {
  const amounts: [number, string, string][] = [
    [5, 'USD', 'USD\u00a00.05'],
    [1250, 'JPY', 'JPY\u00a01,250'],
    [1_234_567, 'KWD', 'KWD\u00a01,234.567'],
    [100_000, 'HUF', 'HUF\u00a01,000.00'],
    [1500, 'IQD', 'IQD\u00a01.500'],
  ]
  for (const [amount, currency, price] of amounts) {
    const { redirect_url } = await shop.pay('challenge', { amount, currency })
    assert.ok((await textOf(redirect_url)).includes(` ${price} `), price)
  }
})
