import { deepEqual, equal, match } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { bookContradiction } from '../../src/outside/book.ts'
import { findPayment } from '../../src/payments/rows.ts'
import { ends, openPayoutShop, payOutBody, recipients } from '../payout-shop.ts'
import { openShop } from '../shop.ts'
import { builtFirst, signedIn } from './dashboard.ts'
import { barriers, isNotWider, see } from './look.ts'
import { phone } from './visit.ts'

// Money that others moved at the processor, in the dashboard: it says who did it, and what a person can do.

builtFirst()

test('a refund made at the processor says so on its payment, in the timeline, in lists, on its page and in the export', async () => {
  const shop = await openShop()
  const paid = await shop.pay({ currency: 'EUR', amount: 24_900 })
  await shop.processor.move(paid.connector_transaction_id, 'refund', { amount: 2000, reason: 'goodwill' })
  await shop.sync(paid.payment_id)
  await shop.refund(paid.payment_id, 1000)
  const { page, problems } = await signedIn(shop, `/payments/${paid.payment_id}`)
  const note = page.getByRole('region', { name: 'Moved outside' })
  await note.getByText('20.00 EUR refunded at Phonypay, outside').waitFor()
  const money = page.getByRole('region', { name: 'Money', exact: true })
  match(await money.innerText(), /Refunded\s+30\.00 EUR[\s\S]*Left to refund\s+219\.00 EUR/)
  const refunds = page.getByRole('table', { name: 'Refunds of this payment' })
  match(await refunds.getByRole('row', { name: /20\.00 EUR/ }).innerText(), /at Phonypay, outside/)
  match(await refunds.getByRole('row', { name: /10\.00 EUR/ }).innerText(), /here/)
  await page.locator('.timeline').getByText('refund 20.00 EUR at Phonypay, outside').waitFor()
  await page.getByText('refund_succeeded made outside').waitFor()
  deepEqual(await barriers(page), [])
  await see(page, 'outside-refund')
  await page.setViewportSize(phone)
  await isNotWider(page, phone.width)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('link', { name: 'Refunds', exact: true }).first().click()
  const row = page.getByRole('row', { name: /20\.00 EUR/ })
  await row.getByText('at Phonypay, outside').waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /^Export/ }).click()])
  const [head, ...lines] = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n')
  const at = head!.split(',').indexOf('origin')
  deepEqual(lines.map(line => line.split(',')[at]).sort(), ['external', 'merchant'])
  await row.getByRole('link', { name: '20.00 EUR' }).click()
  await page.getByText('Phonypay has said that 20.00 EUR was refunded there. Nobody did it here.').waitFor()
  deepEqual(await barriers(page), [])
  deepEqual(problems, [])
})

test('a hold that was captured at the processor is paid, and its page says who captured it', async () => {
  const shop = await openShop()
  const held = await shop.hold({ currency: 'EUR', amount: 24_900 })
  await shop.processor.move(held.connector_transaction_id, 'capture', { amount: 20_000, final: true })
  await shop.sync(held.payment_id)
  const { page, problems } = await signedIn(shop, `/payments/${held.payment_id}`)
  await page.getByText('200.00 EUR captured at Phonypay, outside').waitFor()
  await page.locator('.timeline').getByText('capture 200.00 EUR at Phonypay, outside').waitFor()
  equal(await page.getByRole('button', { name: 'Capture…' }).count(), 0)
  deepEqual(problems, [])
})

test('where the processor says what nothing explains, both figures stand with what a person can do', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ currency: 'EUR', amount: 24_900 })
  const { context } = shop.service
  const payment = (await findPayment(context, shop.merchant_id, payment_id))!
  await context.commit(bookContradiction(context, payment, { of: 'captured', theirs: 30_000, ours: 24_900 })!)
  const { page, problems } = await signedIn(shop, `/payments/${payment_id}`)
  const note = page.getByRole('region', { name: 'The processor says otherwise' })
  await note.getByText('Phonypay says captured 300.00 EUR, and 249.00 EUR is known here.').waitFor()
  await note.getByText(/put right there what is wrong, and ask again/).waitFor()
  deepEqual(await barriers(page), [])
  await see(page, 'outside-contradicted')
  await note.getByRole('button', { name: 'Ask again' }).click()
  await page.getByRole('dialog').getByText('No money moves.').waitFor()
  deepEqual(problems, [])
})

test('a payout that was cancelled at the processor, and one that came back there, say so', async () => {
  const shop = await openPayoutShop()
  for (const [end, move, says] of [
    [
      ends.approvesLater,
      'payout_cancelled',
      'It was cancelled at Phonypay, outside: 99.00 EUR is not paid to IBAN •••• 1976 of Ada Byron.',
    ],
    [ends.approves, 'payout_returned', '99.00 EUR was paid to IBAN •••• 4242 of Ada Byron, and came back at Phonypay, outside.'],
  ] as const) {
    const { payout_id } = (await shop.post('/payouts/create', payOutBody({ to: recipients.bank(end) }))).body
    await shop.wait('1 second')
    const { payouts } = await shop.processor.ledger()
    await shop.processor.move(payouts.at(-1).payout, move)
    await shop.call('GET', `/payouts/${payout_id}?force_sync=true`)
    const { page, problems } = await signedIn(shop, `/payouts/${payout_id}`)
    await page.getByText(says).waitFor()
    deepEqual(await barriers(page), [])
    deepEqual(problems, [])
  }
})
