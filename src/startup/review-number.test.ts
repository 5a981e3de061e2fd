import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openPayoutShop, recipients } from '../../test/payout-shop.ts'
import { isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, card, cards, http, openShop } from '../../test/shop.ts'

type Kept = { merchant_id: string; query(text: string, values?: unknown[]): Promise<Body[]> }

/** Gives the names of a merchant's numbers in the vault, without the ids. */
const numbersOf = async (shop: Kept): Promise<string[]> =>
  (
    await shop.query("select split_part(record, ' ', 1) as name from vault_records where merchant_id = $1 order by 1", [shop.merchant_id])
  ).map(({ name }) => name)
const reviewsOf = (shop: Kept) => shop.query('select * from vault_reviews where merchant_id = $1', [shop.merchant_id])

test('the vault has no number of a payment made in one call, and the payment is captured, refunded and shown as before', async () => {
  const shop = await openShop()
  const paid = await shop.pay()
  const held = await shop.hold()
  deepEqual(await numbersOf(shop), [])
  equal((await shop.capture(held.payment_id)).body.status, 'succeeded')
  for (const { payment_id } of [paid, held]) equal((await shop.refund(payment_id)).body.status, 'succeeded')
  const shown = (await shop.get(paid.payment_id)).payment_method_data.card
  deepEqual([shown.last4, shown.card_isin, shown.card_network], ['4242', '424242', 'Visa'])
})

test('the number of a payment that is created first goes hours after its end, and stays while the payment is under way', async () => {
  const shop = await openShop()
  const paid = await shop.create()
  equal((await shop.confirm(paid.payment_id)).body.status, 'succeeded')
  const challenged = await shop.create({ card: cards.challenges, authentication_type: 'three_ds' })
  equal((await shop.confirm(challenged.payment_id)).body.status, 'requires_customer_action')
  deepEqual(await numbersOf(shop), ['card', 'card'])
  await shop.wait('3 hours')
  deepEqual(await numbersOf(shop), ['card', 'card'], 'a merchant may still confirm again for some hours')
  await shop.wait('2 hours')
  await shop.wait('2 hours')
  deepEqual(await shop.query('select record from vault_records where merchant_id = $1', [shop.merchant_id]), [
    { record: `card ${challenged.payment_id}` },
  ])
  equal((await shop.refund(paid.payment_id)).body.status, 'succeeded')
  const { payment_method_data, payment_method } = await shop.get(paid.payment_id)
  deepEqual([payment_method, payment_method_data.card.last4], ['card', '4242'])
  await shop.cancel(challenged.payment_id)
  for (let i = 0; i < 4; i++) await shop.wait('2 hours')
  deepEqual(await numbersOf(shop), [])
  deepEqual(await reviewsOf(shop), [])
  const { events } = (await shop.call('GET', `/payments/${paid.payment_id}/timeline`)).body
  ok(JSON.stringify(events ?? (await shop.call('GET', `/payments/${paid.payment_id}/timeline`)).body).includes('number_deleted'))
})

test('a payment that is never confirmed keeps its number for its session, and then asks for a payment method', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.create({ session_expiry: 86_400 })
  await shop.wait('20 hours')
  deepEqual(await numbersOf(shop), ['card'])
  for (let i = 0; i < 3; i++) await shop.wait('5 hours')
  deepEqual(await numbersOf(shop), [])
  isRefused(await shop.confirm(payment_id), 422, 'IR_06', /payment method data/)
  equal((await shop.confirm(payment_id, { payment_method: 'card', payment_method_data: card() })).body.status, 'succeeded')
  deepEqual(await numbersOf(shop), [])
})

test('another card in a confirm replaces the stored one: the first card is never charged', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.create()
  const declined = await shop.confirm(payment_id, { payment_method: 'card', payment_method_data: card(cards.declines) })
  deepEqual([declined.body.status, declined.body.payment_method_data.card.last4], ['failed', '0002'])
  deepEqual(await numbersOf(shop), [])
})

test('a saved card keeps its own number, and the number of the payment that saved it goes', async () => {
  const shop = await openShop()
  const { customer_id } = (await shop.post('/customers', { name: 'Ada' })).body
  const saving = { customer_id, setup_future_usage: 'off_session', customer_acceptance: { acceptance_type: 'offline' } }
  const first = await shop.pay(saving)
  deepEqual(await numbersOf(shop), ['card', 'method'])
  for (let i = 0; i < 3; i++) await shop.wait('3 hours')
  deepEqual(await numbersOf(shop), ['method'])
  const { payment_method_id } = await shop.get(first.payment_id)
  match(payment_method_id, /^pm_/)
  const again = await shop.pay({
    payment_method_data: undefined,
    customer_id,
    off_session: true,
    recurring_details: { type: 'payment_method_id', data: payment_method_id },
  })
  equal(again.status, 'succeeded')
  equal((await shop.refund(again.payment_id)).body.status, 'succeeded')
  deepEqual(await numbersOf(shop), ['method'])
})

test('a merchant whose profile lets its server try again confirms a failed payment without the number, for some hours', async () => {
  const shop = await openShop()
  await shop.profile({ is_manual_retry_enabled: true })
  const failed = await shop.pay({ card: cards.declines, session_expiry: 7 * 86_400 })
  equal(failed.status, 'failed')
  const again = await shop.confirm(failed.payment_id)
  equal(again.body.status, 'failed', again.text)
  deepEqual(await numbersOf(shop), ['card'])
  for (let i = 0; i < 3; i++) await shop.wait('3 hours')
  deepEqual(await numbersOf(shop), [])
  isRefused(await shop.confirm(failed.payment_id), 422, 'IR_06', /payment method data/)
  equal((await shop.confirm(failed.payment_id, { payment_method: 'card', payment_method_data: card() })).body.status, 'succeeded')
})

test('the account number of a payout goes hours after its end, and stays while it waits for its merchant', async () => {
  const shop = await openPayoutShop()
  await shop.payOut({ to: recipients.bank() })
  const waiting = await shop.payOut({ to: recipients.bank(), auto_fulfill: false })
  equal(waiting.status, 'requires_fulfillment')
  deepEqual(await numbersOf(shop), ['recipient', 'recipient'])
  for (let i = 0; i < 3; i++) await shop.wait('3 hours')
  deepEqual(await numbersOf(shop), ['recipient'])
  equal((await shop.fulfill(waiting.payout_id)).body.status, 'success')
  for (let i = 0; i < 3; i++) await shop.wait('3 hours')
  deepEqual(await numbersOf(shop), [])
})

test('after the deletion of a merchant its numbers are gone from the vault, also those of saved cards', async () => {
  const shop = await openShop()
  const { customer_id } = (await shop.post('/customers', { name: 'Ada' })).body
  await shop.pay({ customer_id, setup_future_usage: 'on_session', customer_acceptance: { acceptance_type: 'offline' } })
  await shop.create()
  deepEqual(await numbersOf(shop), ['card', 'card', 'method'])
  equal((await http('DELETE', `${shop.url}/accounts/${shop.merchant_id}`, undefined, { 'api-key': ADMIN_KEY })).status, 200)
  await shop.service.tick()
  deepEqual(await numbersOf(shop), [])
  deepEqual(await shop.query('select 1 from waiting_cvcs where merchant_id = $1', [shop.merchant_id]), [])
})

test('an upgrade finds the numbers that were kept before, and those of deleted merchants', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.create()
  await shop.confirm(payment_id)
  const left = await openShop()
  await left.create()
  await left.query('update merchants set deleted_at = now() where merchant_id = $1', [left.merchant_id])
  await shop.query('delete from vault_reviews where merchant_id = any($1)', [[shop.merchant_id, left.merchant_id]])
  await shop.wait('2 days')
  deepEqual([...(await numbersOf(shop)), ...(await numbersOf(left))], ['card', 'card'], 'without a review, it stays')
  const upgrade = readFileSync(join(import.meta.dirname, '../database/migrations/282.outside.sql'), 'utf8')
  await shop.query(upgrade)
  await shop.query(upgrade)
  await shop.service.tick()
  deepEqual([...(await numbersOf(shop)), ...(await numbersOf(left))], [])
})

test('a confirm at the moment of the review charges the stored card', async () => {
  const shop = await openShop()
  for (let i = 0; i < 8; i++) {
    const { payment_id } = await shop.create()
    await shop.query(
      "update payments set expires_on = expires_on - interval '9 hours', modified_at = modified_at - interval '9 hours' where payment_id = $1",
      [payment_id],
    )
    await shop.query("update vault_reviews set review_at = review_at - interval '9 hours' where merchant_id = $1", [shop.merchant_id])
    const [answer] = await Promise.all([shop.confirm(payment_id), shop.service.tick()])
    ok(answer.status === 422 || answer.body.status === 'succeeded', answer.text)
    await shop.service.tick()
  }
})
