import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, cards, type Shop } from '../shop.ts'
import { barriersOf, lampShop, openCheckout, order, seriousOf } from './element.ts'
import { isNotWider, see } from './look.ts'
import { desktop, phone } from './visit.ts'

// A customer looks after what they have saved, in the shop's own page.

const saving = { setup_future_usage: 'on_session', customer_acceptance: { acceptance_type: 'offline' } }
const MASTERCARD = '5555555555554444'

const keyOf = async (shop: Shop, customer_id: string): Promise<string> => (await shop.post('/ephemeral_keys', { customer_id })).body.secret

/** A payment by which a card can be added. */
const setup = (shop: Shop, more: Body = {}): Promise<Body> =>
  order(shop, { amount: 0, customer_id: 'grace', setup_future_usage: 'off_session', ...more })

/** The last digits of what the customer has saved, the default first. */
const savedBy = async (shop: Shop, customer_id = 'grace'): Promise<string[]> =>
  (await shop.call('GET', `/customers/${customer_id}/payment_methods`)).body.customer_payment_methods.map(
    (one: Body) => one.card.last4_digits,
  )

/** Opens the shop's page with the element. `setups`: how many cards can be added; null: none. */
async function openMethods(
  shop: Shop,
  { setups = 1, more = {}, asks = {} as Record<string, string>, size = desktop, customer = 'grace' }: Body = {},
) {
  const secrets = []
  for (let i = 0; i < setups; i++) secrets.push((await setup(shop, more)).client_secret)
  const told = { element: 'paymentMethods', customer, ephemeral: asks.ephemeral ?? (await keyOf(shop, 'grace')), ...asks }
  return openCheckout(shop, {}, { ...(setups > 0 && { setups: JSON.stringify(secrets) }), ...told }, size)
}

test('a customer sees what they have saved, adds a card without a charge, sets the default, and deletes', async () => {
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
