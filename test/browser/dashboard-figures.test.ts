import { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { card, cards, http, openShop } from '../shop.ts'
import { builtFirst, openTradingShop, signedIn } from './dashboard.ts'
import { order } from './element.ts'

// Figures and times in the dashboard lead to what they count, and say what has ended and why.

builtFirst()

test('the figure of held payments leads to those of its period, as its chip says', async () => {
  const { shop } = await openTradingShop()
  const { page, problems } = await signedIn(shop, '/')
  const figure = page.locator('.five > div').filter({ hasText: 'Held, to be captured' })
  await figure.getByRole('link').click()
  await page
    .getByRole('button', { name: /Created since/ })
    .first()
    .waitFor()
  await page.getByText('18.250').first().waitFor()
  match(page.url(), /status=requires_capture&start_time=/)
  await page.goto(`${shop.url}/dashboard/?range=7d`)
  await figure.getByRole('link').click()
  await page.getByText('last 7 days').first().waitFor()
  await page.getByText('18.250').first().waitFor()
  deepEqual(problems, [])
})

test('a payment that a block ended is said to be blocked, not that its processor was out of reach', async () => {
  const shop = await openShop()
  await shop.profile({ payment_method_blocking: { card: { card_types: ['credit'] } } })
  const { body } = await shop.tryToPay({})
  equal(body.error.code, 'HE_03')
  const { page, problems } = await signedIn(shop, `/payments/${body.error.payment_id}`)
  const why = page.getByRole('region', { name: 'Why it failed' })
  await why.getByText('Blocked by your settings, and sent to no processor: Credit cards are not accepted').waitFor()
  doesNotMatch(await why.innerText(), /never reached|could have taken it/)
  deepEqual(problems, [])
})

test('a merchant ends the session of a failed payment, and its page says that it has ended', async () => {
  const shop = await openShop()
  const { payment_id, client_secret } = await order(shop)
  const confirm = () =>
    http(
      'POST',
      `${shop.url}/payments/${payment_id}/confirm`,
      { client_secret, payment_method: 'card', payment_method_data: card(cards.declines) },
      { 'api-key': shop.publishable_key },
    )
  equal((await confirm()).body.status, 'failed')
  const { page, problems } = await signedIn(shop, `/payments/${payment_id}`)
  const times = page.locator('.details').filter({ hasText: 'Created' })
  await times.getByText('Session ends').waitFor()
  await page.getByRole('button', { name: 'End the session…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End the session' }).click()
  await times.getByText('Session ended').waitFor()
  equal((await confirm()).body.error.code, 'IR_08')
  deepEqual(problems, [])
})
