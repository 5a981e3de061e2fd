import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, cards, type Shop } from '../shop.ts'
import { barriersOf, lampShop, openCheckout, order, seriousOf } from './element.ts'
import { isNotWider, see } from './look.ts'
import { desktop, phone } from './visit.ts'

// A customer manages saved payment methods in the shop's own page.

const saving = { setup_future_usage: 'on_session', customer_acceptance: { acceptance_type: 'offline' } }
const MASTERCARD = '5555555555554444'

const keyOf = async (shop: Shop, customer_id: string): Promise<string> => (await shop.post('/ephemeral_keys', { customer_id })).body.secret

/** Creates a payment with which a card can be added. */
const setup = (shop: Shop, more: Body = {}): Promise<Body> =>
  order(shop, { amount: 0, customer_id: 'grace', setup_future_usage: 'off_session', ...more })

/** Gives the last digits of the customer's saved cards, the default first. */
const savedBy = async (shop: Shop, customer_id = 'grace'): Promise<string[]> =>
  (await shop.call('GET', `/customers/${customer_id}/payment_methods`)).body.customer_payment_methods.map(
    (one: Body) => one.card.last4_digits,
  )

/** Opens the shop's page with the element. `setups`: the number of cards that can be added; null: none. */
async function openMethods(
  shop: Shop,
  { setups = 1, more = {}, asks = {} as Record<string, string>, size = desktop, customer = 'grace' }: Body = {},
) {
  const secrets = []
  for (let i = 0; i < setups; i++) secrets.push((await setup(shop, more)).client_secret)
  const options = { element: 'paymentMethods', customer, ephemeral: asks.ephemeral ?? (await keyOf(shop, 'grace')), ...asks }
  return openCheckout(shop, {}, { ...(setups > 0 && { setups: JSON.stringify(secrets) }), ...options }, size)
}

test('a customer sees their saved methods, adds a card without a charge, sets the default, and deletes one', async () => {
  const shop = await lampShop()
  await shop.pay({ ...saving, customer_id: 'grace', card: cards.approves })
  const charged = (await shop.processor.charges()).length
  const { page, frame, type, log, problems } = await openMethods(shop)
  await frame.getByText('Visa ending in 4242').waitFor()
  await see(page, 'methods')
  deepEqual(await barriersOf(page), [])

  await frame.getByRole('button', { name: 'Add a card' }).click()
  await frame.getByText('you allow Northlight Supply to charge this card').waitFor()
  await type(MASTERCARD)
  await see(page, 'methods-add')
  deepEqual(await barriersOf(page), [])
  await frame.getByRole('button', { name: 'Save card' }).click()
  await frame.getByText('Your card is saved.').waitFor()
  await frame.getByText('Mastercard ending in 4444').waitFor()
  deepEqual(await savedBy(shop), ['4242', '4444'])
  equal((await shop.processor.charges()).filter(({ amount }) => amount > 0).length, charged)
  await see(page, 'methods-two')

  await frame.getByRole('button', { name: 'Make default' }).click()
  await frame.getByText('Your default payment method was changed.').waitFor()
  deepEqual(await savedBy(shop), ['4444', '4242'])

  const visa = frame.getByRole('listitem').filter({ hasText: '4242' })
  await visa.getByRole('button', { name: 'Delete' }).click()
  await see(page, 'methods-delete')
  deepEqual(await barriersOf(page), [])
  await visa.getByRole('button', { name: 'Keep it' }).click()
  await visa.getByRole('button', { name: 'Delete' }).click()
  await visa.getByRole('button', { name: 'Delete' }).click()
  await frame.getByText('The payment method was deleted.').waitFor()
  deepEqual(await savedBy(shop), ['4444'])
  const events = (await log()).filter(([name]) => name === 'paymentMethod').map(([, { action }]) => action)
  deepEqual(events, ['added', 'default', 'deleted'])
  ok((await log()).some(([name]) => name === 'ready') && !(await log()).some(([name]) => name === 'error'))
  deepEqual(seriousOf(problems), [])
})

test('an empty list says so, and a new customer adds their first card', async () => {
  const shop = await lampShop()
  const { page, frame, type, log, problems } = await openMethods(shop, { size: { width: 320, height: 800 } })
  await frame.getByText('You have no saved payment methods.').waitFor()
  await see(page, 'methods-none')
  deepEqual(await barriersOf(page), [])
  await frame.getByRole('button', { name: 'Add a card' }).click()
  await type(cards.approves)
  await isNotWider(page, 320)
  await frame.getByRole('button', { name: 'Save card' }).click()
  await frame.getByText('Visa ending in 4242').waitFor()
  await frame.getByText('Default', { exact: true }).waitFor()
  const [[, { error }]] = (await log()).filter(([name]) => name === 'error') as [[string, Body]]
  deepEqual([error.type, error.code], ['request_error', 'customer_not_found'])
  deepEqual(await savedBy(shop), ['4242'])
  deepEqual(
    problems.filter(one => !/status of 404/.test(one)),
    [],
  )
})

test('the challenge for an added card is shown over the shop’s page; closing it saves nothing, passing it saves the card', async () => {
  const shop = await lampShop()
  const { page, frame, type, action, bank, log, problems } = await openMethods(shop, {
    setups: 3,
    more: { authentication_type: 'three_ds' },
    size: phone,
  })
  await frame.getByRole('button', { name: 'Add a card' }).click()
  await type(cards.challenges)
  await frame.getByRole('button', { name: 'Save card' }).click()
  await bank.getByRole('button', { name: /accept/i }).waitFor()
  await see(page, 'methods-challenge')
  await action.getByRole('button', { name: 'Close' }).click()
  await frame.getByText('The card was not saved, because your bank has not heard from you.').waitFor()
  deepEqual(await barriersOf(page), [])
  await see(page, 'methods-closed')
  // The typed card number is still present, and is confirmed with another payment.
  equal(await frame.getByLabel('Card number').inputValue(), '4000 0038 0000 0446')
  await frame.getByRole('button', { name: 'Save card' }).click()
  await bank.getByRole('button', { name: /reject/i }).click()
  await frame.getByRole('alert').getByText('Your bank could not confirm that it is you').waitFor()
  await page.locator('dialog').waitFor({ state: 'detached' })
  await frame.getByRole('button', { name: 'Save card' }).click()
  await bank.getByRole('button', { name: /accept/i }).click()
  await frame.getByText('Your card is saved.').waitFor()
  deepEqual(await savedBy(shop), ['0446'])
  const errors = (await log()).filter(([name]) => name === 'error').map(([, { error }]) => error.type)
  deepEqual(errors.slice(-2), ['action_error', 'payment_error'])
  equal((await shop.processor.charges()).filter(({ amount }) => amount > 0).length, 0)
  deepEqual(
    seriousOf(problems).filter(one => !/status of 404/.test(one)),
    [],
  )
})

test('a declined card is not saved, and another one is, also if the payment cannot be retried', async () => {
  const shop = await lampShop()
  await shop.profile({ is_manual_retry_enabled: false })
  const { page, frame, type } = await openMethods(shop, { setups: 2 })
  await frame.getByRole('button', { name: 'Add a card' }).click()
  await type(cards.declines)
  await frame.getByRole('button', { name: 'Save card' }).click()
  await frame.getByRole('alert').getByText('The card was declined.').waitFor()
  await see(page, 'methods-declined')
  await type(cards.approves)
  await frame.getByRole('button', { name: 'Save card' }).click()
  await frame.getByText('Visa ending in 4242').waitFor()
  deepEqual(await savedBy(shop), ['4242'])
})

test('a double click saves once, and a lost response is looked up', async () => {
  const shop = await lampShop()
  const { page, frame, type } = await openMethods(shop)
  await frame.getByRole('button', { name: 'Add a card' }).click()
  await type(cards.approves)
  let sent = 0
  await page.route('**/confirm', async route => {
    sent++
    await route.fetch()
    await route.abort()
  })
  await frame.getByRole('button', { name: 'Save card' }).dblclick()
  await frame.getByText('Your card is saved.').waitFor()
  equal(sent, 1)
  deepEqual(await savedBy(shop), ['4242'])
})

test('a card that is slow to verify appears once it is saved, and another open form stays', async () => {
  const shop = await lampShop()
  const { page, frame, type, log } = await openMethods(shop, { setups: 2 })
  await frame.getByRole('button', { name: 'Add a card' }).click()
  await type(cards.approvesLater)
  await frame.getByRole('button', { name: 'Save card' }).click()
  await frame.getByText('Your bank is still checking the card.').waitFor()
  await see(page, 'methods-open')
  await frame.getByRole('button', { name: 'Add a card' }).click()
  await type(MASTERCARD)
  const [open] = await shop.query("select payment_id from payments where merchant_id = $1 and status = 'processing'", [shop.merchant_id])
  await shop.wait('2 minutes')
  await shop.sync(open!.payment_id as string)
  await frame.getByText('Your card is saved.').waitFor()
  deepEqual(await savedBy(shop), ['1976'])
  equal(await frame.getByLabel('Card number').inputValue(), '5555 5555 5555 4444')
  equal((await log()).filter(([name]) => name === 'paymentMethod').length, 1)
})

test('a payment that would charge the customer, or belongs to another customer, cannot be used to add a card', async () => {
  const shop = await lampShop()
  for (const [more, code] of [
    [{ amount: 100 }, 'setup_not_free'],
    [{ customer_id: undefined }, 'setup_of_another'],
    [{ customer_id: 'ada' }, 'setup_of_another'],
  ] as const) {
    const { frame, log } = await openMethods(shop, { more })
    await frame.getByRole('button', { name: 'Add a card' }).click()
    await frame.getByRole('alert').getByText('The service cannot be reached right now.').waitFor()
    const error = (await log()).findLast(([name]) => name === 'error')
    deepEqual([error?.[1].error.type, error?.[1].error.code], ['integration_error', code])
    equal(await frame.getByLabel('Card number').count(), 0)
  }
  equal((await shop.processor.operations()).length, 0)
})

test('an expired key shows an error, and another customer’s methods are never shown', async () => {
  const shop = await lampShop()
  for (const customer_id of ['grace', 'ada']) await shop.pay({ ...saving, customer_id, card: cards.approves })
  const foreign = await openMethods(shop, { customer: 'ada', setups: 0 })
  await foreign.frame.getByText('You have no saved payment methods.').waitFor()
  equal(await foreign.frame.getByText('4242').count(), 0)
  equal(await foreign.frame.getByRole('button', { name: 'Add a card' }).count(), 0)
  deepEqual((await foreign.log()).find(([name]) => name === 'error')?.[1].error.code, 'customer_not_found')

  const ephemeral = await keyOf(shop, 'grace')
  const early = await openMethods(shop, { asks: { ephemeral } })
  await early.frame.getByText('Visa ending in 4242').waitFor()
  await shop.wait('61 minutes')
  await early.frame.getByRole('button', { name: 'Delete' }).click()
  await early.frame.getByRole('button', { name: 'Delete' }).click()
  await early.frame.getByRole('heading', { name: 'This view has expired' }).waitFor()
  await see(early.page, 'methods-over')
  deepEqual(await barriersOf(early.page), [])
  equal(await early.frame.getByText('4242').count(), 0)
  const late = await openMethods(shop, { asks: { ephemeral } })
  await late.frame.getByRole('heading', { name: 'This view has expired' }).waitFor()
  deepEqual((await late.log()).find(([name]) => name === 'error')?.[1].error.code, 'key_refused')
  deepEqual([await savedBy(shop), await savedBy(shop, 'ada')], [['4242'], ['4242']])
})

test('no data of an added or saved card is in the surrounding page', async () => {
  const shop = await lampShop()
  await shop.pay({ ...saving, customer_id: 'grace', card: cards.approves })
  const { page, frame, type, log } = await openMethods(shop)
  await frame.getByText('Visa ending in 4242').waitFor()
  await frame.getByRole('button', { name: 'Add a card' }).click()
  await type(MASTERCARD)
  await frame.getByLabel('Name on card').fill('Grace Hopper')
  await frame.getByRole('button', { name: 'Save card' }).click()
  await frame.getByText('Your card is saved.').waitFor()
  const held = (await page.evaluate(`JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage },
    document.cookie, history.state, log])`)) as string
  for (const canary of [MASTERCARD, '5555 5555', '"4444"', '"4242"', '"737"', 'Hopper']) ok(!held.includes(canary), canary)
  equal((await log()).filter(([name]) => name === 'paymentMethod').length, 1)
})

for (const [name, asks] of [
  [
    'in German, dark, in the shop’s colour',
    { locale: 'de-DE', dark: '1', appearance: '{"theme":"dark","accent":"#7c5cff","radius":"2px"}' },
  ],
  ['in Arabic, from right to left', { locale: 'ar' }],
] as const)
  test(`the payment methods element passes axe and can be used by keyboard alone: ${name}`, async () => {
    const shop = await lampShop()
    for (const card of [cards.approves, MASTERCARD]) await shop.pay({ ...saving, customer_id: 'grace', card })
    const { page, frame, problems } = await openMethods(shop, { asks, size: phone })
    await frame.getByRole('listitem').nth(1).waitFor()
    await see(page, `methods-${asks.locale}`)
    deepEqual(await barriersOf(page), [])
    await isNotWider(page, phone.width)
    // The first card's button for removal, and then its confirmation.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await frame.getByRole('listitem').nth(1).waitFor({ state: 'detached' })
    equal((await savedBy(shop)).length, 1)
    // The next card has the focus.
    equal(await frame.locator('#methods button:focus').count(), 1)
    deepEqual(seriousOf(problems), [])
  })
