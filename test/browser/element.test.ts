import { deepEqual, doesNotMatch, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { openAuthenticatingShop } from '../authentication.ts'
import { CHALLENGED, FRICTIONLESS, openNativeShop } from '../native.ts'
import { type Body, cards } from '../shop.ts'
import { barriersOf, lampShop, openCheckout, order, seriousOf } from './element.ts'
import { isNotWider, see } from './look.ts'
import { phone } from './visit.ts'

const sandbox = process.env.TEST_SANDBOX_URL!

test('a card payment in the merchant’s own page is charged once, even if the button is pressed twice', async () => {
  const shop = await lampShop()
  const payment = await order(shop)
  const { page, frame, type, pay, result, log, problems } = await openCheckout(shop, payment, { twice: '1' })
  await type(cards.approves)
  await see(page, 'element')
  deepEqual(await barriersOf(page), [])
  await pay()
  const { payment: paid } = await result(2)
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

test('a decline is shown in the element and reported to the merchant, and another card succeeds', async () => {
  const shop = await lampShop()
  const payment = await order(shop)
  const { page, frame, type, pay, result, problems } = await openCheckout(shop, payment, {}, phone)
  await type(cards.hasNoMoney)
  await pay()
  const { error } = await result()
  deepEqual([error.type, error.payment.status], ['payment_error', 'failed'])
  await frame.getByRole('alert').getByText('insufficient funds').waitFor()
  await see(page, 'element-declined')
  deepEqual(await barriersOf(page), [])
  await isNotWider(page, phone.width)
  equal((await frame.getByLabel('Card number').inputValue()).replaceAll(' ', ''), cards.hasNoMoney, 'what was typed stays')
  // The same card once more, and then another one.
  await pay()
  equal((await result(2)).error.payment.status, 'failed')
  await type(cards.approves)
  await pay()
  equal((await result(3)).payment.status, 'succeeded')
  equal((await shop.get(payment.payment_id)).attempt_count, 3)
  equal((await shop.processor.charges()).length, 1)
  deepEqual(seriousOf(problems), [])
})

test('a payment whose attempt failed elsewhere is paid in an element that shows it', async () => {
  const shop = await lampShop()
  const { body } = await shop.tryToPay({ amount: 24_900, currency: 'EUR', card: cards.hasNoMoney })
  equal(body.status, 'failed')
  const { frame, type, pay, result, problems } = await openCheckout(shop, body)
  await frame.getByRole('alert').getByText('insufficient funds').waitFor()
  await type(cards.approves)
  await pay()
  equal((await result()).payment.status, 'succeeded')
  equal((await shop.get(body.payment_id)).attempt_count, 2)
  deepEqual(seriousOf(problems), [])
})

test('where the merchant turned further attempts off, the customer is told so in their own words', async () => {
  const shop = await lampShop()
  await shop.profile({ is_manual_retry_enabled: false })
  const payment = await order(shop)
  const { page, frame, type, pay, result, problems } = await openCheckout(shop, payment)
  await type(cards.declines)
  await pay()
  equal((await result()).error.payment.status, 'failed')
  await frame.getByRole('heading', { name: 'Payment not completed' }).waitFor()
  await pay()
  const { error } = await result(2)
  equal(error.code, 'not_payable')
  doesNotMatch(await page.locator('#told').innerText(), /manual_retry|profile|retrieve/)
  equal((await shop.get(payment.payment_id)).attempt_count, 1)
  deepEqual(seriousOf(problems), [])
})

test('an input error is shown at its field, and nothing is sent', async () => {
  const shop = await lampShop()
  const { frame, type, pay, result, problems } = await openCheckout(shop, await order(shop))
  await frame.getByLabel('Card number').waitFor()
  await pay()
  const { error } = await result()
  deepEqual([error.type, error.code, error.message], ['validation_error', 'incomplete', 'Enter the card number'])
  equal(await frame.locator(':focus').getAttribute('name'), 'cardnumber')
  await type('4242424242424241')
  await pay()
  equal((await result(2)).error.message, 'This is not a valid card number')
  equal((await shop.processor.operations()).length, 0)
  deepEqual(seriousOf(problems), [])
})

test('a challenge is shown over the merchant’s page, rejected, retried and accepted', async () => {
  const shop = await lampShop()
  const payment = await order(shop, { authentication_type: 'three_ds' })
  const { page, frame, bank, action, type, pay, result, problems, home } = await openCheckout(shop, payment)
  await type(cards.challenges)
  await pay()
  await bank.getByRole('button', { name: /reject/i }).waitFor()
  await see(page, 'element-challenge')
  deepEqual(await barriersOf(page), [])
  equal(await action.locator('#whole').isVisible(), true)
  await bank.getByRole('button', { name: /reject/i }).click()
  equal((await result()).error.type, 'payment_error')
  await frame.getByRole('alert').getByText('Your bank could not confirm that it is you').waitFor()
  await page.locator('dialog').waitFor({ state: 'detached' })
  // The typed card number is still present.
  equal(await frame.getByLabel('Card number').inputValue(), '4000 0038 0000 0446')
  await pay()
  await bank.getByRole('button', { name: /accept/i }).click()
  equal((await result(2)).payment.status, 'succeeded')
  equal(page.url().startsWith(home), true)
  deepEqual(seriousOf(problems), [])
})

test('a challenge can be opened as a full page, which leads back to the merchant', async () => {
  const shop = await lampShop()
  const payment = await order(shop, { authentication_type: 'three_ds' })
  const { page, action, bank, type, pay, home } = await openCheckout(shop, payment, { back: '/thanks' })
  await type(cards.challenges)
  await pay()
  await bank.getByRole('button', { name: /accept/i }).waitFor()
  await action.locator('#whole').click()
  await page.waitForURL(`${sandbox}/**`)
  await page.getByRole('button', { name: /accept/i }).click()
  await page.waitForURL(`${home}/thanks?**`)
  equal(new URL(page.url()).searchParams.get('status'), 'succeeded')
  equal((await shop.processor.charges()).length, 1)
})

for (const by of ['apart from the processor', 'by the processor'])
  test(`authentication ${by} is frictionless, or shows a challenge over the merchant’s page`, async () => {
    const account = { merchant_name: 'Northlight Supply', return_url: 'https://lamps.example/thanks' }
    const isNative = by === 'by the processor'
    const shop = isNative ? await openNativeShop({ account }) : await openAuthenticatingShop({ account })
    const asked = { authentication_type: 'three_ds', ...(!isNative && { request_external_three_ds_authentication: true }) }
    const easy = await openCheckout(shop, await order(shop, asked))
    await easy.type(isNative ? FRICTIONLESS : cards.approves)
    await easy.pay()
    equal((await easy.result()).payment.status, 'succeeded')
    const hard = await openCheckout(shop, await order(shop, asked), {}, phone)
    await hard.type(isNative ? CHALLENGED : cards.challenges)
    await hard.pay()
    await hard.bank.getByRole('button', { name: 'Accept' }).click()
    equal((await hard.result()).payment.status, 'succeeded')
    deepEqual(seriousOf([...easy.problems, ...hard.problems]), [])
  })

test('a surcharge is shown to the customer, also on the narrowest phone', async () => {
  const shop = await lampShop()
  const payment = await order(shop, { surcharge_details: { surcharge_amount: 150, tax_amount: 10 } })
  const { page, frame, problems } = await openCheckout(shop, payment, { locale: 'de-DE' }, { width: 320, height: 800 })
  await frame.getByText(/Der Betrag enthält einen Aufschlag von 1,60\s€/).waitFor()
  await see(page, 'element-surcharge')
  await isNotWider(page, 320)
  deepEqual(await barriersOf(page), [])
  deepEqual(seriousOf(problems), [])
})

test('a customer pays with a saved card, and saves another one', async () => {
  const shop = await lampShop()
  const saving = { customer_id: 'grace', setup_future_usage: 'on_session', customer_acceptance: { acceptance_type: 'offline' } }
  await shop.pay({ ...saving, card: cards.approves })
  const first = await openCheckout(shop, await order(shop, { customer_id: 'grace' }), {
    dark: '1',
    appearance: '{"theme":"dark","accent":"#7c5cff"}',
  })
  await first.frame.getByRole('radio', { name: /Visa ending in 4242/ }).check()
  await first.frame.getByLabel('Security code').filter({ visible: true }).fill('737')
  await see(first.page, 'element-saved')
  deepEqual(await barriersOf(first.page), [])
  await first.pay()
  equal((await first.result()).payment.status, 'succeeded')
  const second = await openCheckout(shop, await order(shop, { customer_id: 'grace' }))
  await second.frame.getByRole('radio', { name: 'Another card' }).check()
  await second.type('5555555555554444')
  await second.frame.getByLabel('Save this card for next time').check()
  await second.pay()
  equal((await second.result()).payment.status, 'succeeded')
  const { customer_payment_methods } = (await shop.call('GET', '/customers/grace/payment_methods')).body
  deepEqual(customer_payment_methods.map((one: Body) => one.card.last4_digits).toSorted(), ['4242', '4444'])
  deepEqual(seriousOf([...first.problems, ...second.problems]), [])
})

test('a customer can delete a saved card after a confirmation, but only where the merchant allows it', async () => {
  const shop = await lampShop()
  const saving = { customer_id: 'grace', setup_future_usage: 'on_session', customer_acceptance: { acceptance_type: 'offline' } }
  await shop.pay({ ...saving, card: cards.approves })
  const payment = await order(shop, { customer_id: 'grace' })
  const plain = await openCheckout(shop, payment)
  await plain.frame.getByRole('radio', { name: /Visa ending in 4242/ }).waitFor()
  equal(await plain.frame.getByRole('button', { name: 'Delete this card' }).count(), 0)
  const { secret } = (await shop.post('/ephemeral_keys', { customer_id: 'grace' })).body
  const { page, frame, problems } = await openCheckout(shop, payment, { ephemeral: secret }, phone)
  await frame.getByRole('button', { name: 'Delete this card' }).click()
  await frame.getByRole('button', { name: 'Keep it' }).click()
  await frame.getByRole('button', { name: 'Delete this card' }).click()
  await see(page, 'element-delete')
  deepEqual(await barriersOf(page), [])
  await frame.getByRole('button', { name: 'Delete', exact: true }).click()
  await frame.getByLabel('Card number').waitFor()
  equal(await frame.getByRole('radio', { name: /Visa ending/ }).count(), 0)
  const { customer_payment_methods } = (await shop.call('GET', '/customers/grace/payment_methods')).body
  deepEqual(customer_payment_methods, [])
  deepEqual(seriousOf([...plain.problems, ...problems]), [])
})

test('a card is set up for later payments without a charge, and the customer is shown what they agree to', async () => {
  const shop = await lampShop()
  const payment = await order(shop, { amount: 0, customer_id: 'ada', setup_future_usage: 'off_session' })
  const { frame, type, pay, result, problems } = await openCheckout(shop, payment, { element: 'card' })
  await frame.getByText('you allow Northlight Supply to charge this card').waitFor()
  await type(cards.approves)
  await pay()
  equal((await result()).payment.status, 'succeeded')
  const { payment_method_id, amount } = await shop.get(payment.payment_id)
  deepEqual([typeof payment_method_id, amount], ['string', 0])
  deepEqual(seriousOf(problems), [])
})

test('a bank redirect opens as a full page; after the back button the element asks for confirmation, and continues', async () => {
  const shop = await lampShop()
  const payment = await order(shop, { allowed_payment_method_types: ['ideal', 'credit', 'debit'] })
  const { page, frame, pay, home } = await openCheckout(shop, payment, { back: '/thanks' })
  await frame.getByRole('radio', { name: 'iDEAL' }).check()
  for (const select of await frame.locator('.chosen select').all()) await select.selectOption({ index: 1 })
  await pay()
  await page.waitForURL(`${sandbox}/**`)
  await page.goBack()
  await frame.getByRole('heading', { name: 'Confirmation needed' }).waitFor()
  deepEqual(await barriersOf(page), [])
  await frame.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(`${sandbox}/**`)
  await page.getByRole('button', { name: /accept/i }).click()
  await page.waitForURL(`${home}/thanks?**`)
  equal((await shop.get(payment.payment_id)).status, 'succeeded')
})

test('a QR code is shown over the merchant’s page until it is paid, and can be closed and opened again', async () => {
  const shop = await lampShop()
  const payment = await order(shop, {
    billing: { address: { first_name: 'Ada', last_name: 'Byron', country: 'BR' }, email: 'ada@example.com' },
    currency: 'BRL',
    allowed_payment_method_types: ['pix', 'credit'],
  })
  const { page, frame, action, bank, pay, result, problems } = await openCheckout(shop, payment, {}, phone)
  await frame.getByRole('radio', { name: 'Pix' }).check()
  for (const field of await frame.locator('.chosen .panel input').all())
    await field.fill((await field.getAttribute('type')) === 'email' ? 'ada@example.com' : '52998224725')
  await pay()
  await bank.getByRole('heading', { name: 'Scan to pay' }).waitFor()
  await see(page, 'element-code')
  deepEqual(await barriersOf(page), [])
  await action.getByRole('button', { name: 'Close' }).click()
  const { error } = await result()
  deepEqual([error.type, error.code, error.payment.status], ['action_error', 'action_closed', 'requires_customer_action'])
  await frame.getByRole('button', { name: 'Continue' }).click()
  await bank.getByRole('heading', { name: 'Scan to pay' }).waitFor()
  const [operation] = await shop.processor.operations()
  await shop.processor.decide(operation!.id, 'approved')
  await shop.sync(payment.payment_id)
  await frame.getByRole('heading', { name: 'Payment complete' }).waitFor()
  await page.locator('dialog').waitFor({ state: 'detached' })
  deepEqual(seriousOf(problems), [])
})

test('a customer can pay by keyboard alone, and Enter in a field submits the payment', async () => {
  const shop = await lampShop()
  const { page, frame, result, problems } = await openCheckout(
    shop,
    await order(shop, { allowed_payment_method_types: ['credit', 'debit'] }),
  )
  await frame.getByLabel('Card number').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.type(cards.approves)
  await page.keyboard.press('Tab')
  await page.keyboard.type('1240')
  await page.keyboard.press('Tab')
  await page.keyboard.type('737')
  await page.keyboard.press('Enter')
  equal((await result()).payment.status, 'succeeded')
  deepEqual(seriousOf(problems), [])
})
