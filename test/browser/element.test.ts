import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { cards } from '../shop.ts'
import { barriersOf, lampShop, openCheckout, order, seriousOf } from './element.ts'
import { isNotWider, see } from './look.ts'
import { phone } from './visit.ts'

test('a card is paid in the shop’s own page, whose policy names this service twice, and whose button is pressed twice', async () => {
  const shop = await lampShop()
  const payment = await order(shop)
  const { page, frame, type, pay, told, log, problems } = await openCheckout(shop, payment, { twice: '1' })
  await type(cards.approves)
  await see(page, 'element')
  deepEqual(await barriersOf(page), [])
  await pay()
  const { payment: paid } = await told(2)
  deepEqual([paid.status, paid.payment_id, paid.amount], ['succeeded', payment.payment_id, 24_900])
  await frame.getByRole('heading', { name: 'Payment complete' }).waitFor()
  await see(page, 'element-paid')
  equal((await shop.processor.charges()).length, 1)
  const names = (await log()).map(([name]) => name)
  deepEqual([...new Set(names)].filter(name => ['ready', 'change', 'focus', 'error'].includes(name)).toSorted(), [
    'change',
    'focus',
    'ready',
  ])
  deepEqual(seriousOf(problems), [])
})

test('a decline is said in the element and to the shop, and another card pays', async () => {
  const shop = await lampShop()
  const payment = await order(shop)
  const { page, frame, type, pay, told, problems } = await openCheckout(shop, payment, {}, phone)
  await type(cards.hasNoMoney)
  await pay()
  const { error } = await told()
  deepEqual([error.type, error.payment.status], ['payment_error', 'failed'])
  await frame.getByRole('alert').getByText('insufficient funds').waitFor()
  await see(page, 'element-declined')
  deepEqual(await barriersOf(page), [])
  await isNotWider(page, phone.width)
  await type(cards.approves)
  await pay()
  equal((await told(2)).payment.status, 'succeeded')
  equal((await shop.get(payment.payment_id)).attempt_count, 2)
  deepEqual(seriousOf(problems), [])
})

test('what is typed wrong is said at its field, and nothing is sent', async () => {
  const shop = await lampShop()
  const { frame, type, pay, told, problems } = await openCheckout(shop, await order(shop))
  await frame.getByLabel('Card number').waitFor()
  await pay()
  const { error } = await told()
  deepEqual([error.type, error.code, error.message], ['validation_error', 'incomplete', 'Enter the card number'])
  equal(await frame.locator(':focus').getAttribute('name'), 'cardnumber')
  await type('4242424242424241')
  await pay()
  equal((await told(2)).error.message, 'This is not a valid card number')
  equal((await shop.processor.operations()).length, 0)
  deepEqual(seriousOf(problems), [])
})

test('the bank’s challenge is shown over the shop’s page, rejected, tried again, and accepted', async () => {
  const shop = await lampShop()
  const payment = await order(shop, { authentication_type: 'three_ds' })
  const { page, frame, bank, action, type, pay, told, problems, home } = await openCheckout(shop, payment)
  await type(cards.challenges)
  await pay()
  await bank.getByRole('button', { name: /reject/i }).waitFor()
  await see(page, 'element-challenge')
  deepEqual(await barriersOf(page), [])
  equal(await action.locator('#whole').isVisible(), true)
  await bank.getByRole('button', { name: /reject/i }).click()
  equal((await told()).error.type, 'payment_error')
  await frame.getByRole('alert').getByText('The payment was declined').waitFor()
  equal(await page.locator('dialog').count(), 0)
  // What was typed is still there.
  equal(await frame.getByLabel('Card number').inputValue(), '4000 0038 0000 0446')
  await pay()
  await bank.getByRole('button', { name: /accept/i }).click()
  equal((await told(2)).payment.status, 'succeeded')
  equal(page.url().startsWith(home), true)
  deepEqual(seriousOf(problems), [])
})
