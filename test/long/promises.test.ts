import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, http, openShop, type Shop } from '../shop.ts'
import { agree } from './agree.ts'
import { type Crossing, dyingService } from './dying.ts'

/**
 * The follow-ups of a payment survive the process that took it: its card is saved and its mandate is made, once; the
 * total of a mandate counts the charged amounts.
 */

const saves = {
  customer_id: 'cus_grace',
  setup_future_usage: 'off_session',
  customer_acceptance: { acceptance_type: 'offline' },
  mandate_data: { mandate_type: { multi_use: { amount: 3000, currency: 'USD' } } },
}
const named = (shop: Shop) => `pay_${shop.merchant_id.slice(-12).toUpperCase().padEnd(26, '0')}`
const dies = (shop: Shop, at: Crossing, body: Body) =>
  dyingService(shop, at, url => http('POST', `${url}/payments`, body, { 'api-key': shop.api_key }))
const totals = (shop: Shop) => shop.query('select amount::int, charges from mandate_totals where merchant_id = $1', [shop.merchant_id])
const promises = (shop: Shop) => shop.query('select 1 from payment_follow_ups where merchant_id = $1', [shop.merchant_id])
const charge = (mandate_id: string, more: Body): Body => ({
  customer_id: 'cus_grace',
  off_session: true,
  mandate_id,
  payment_method: undefined,
  payment_method_data: undefined,
  ...more,
})

// The commits before the request, of its outcome, of the customer, of the card, of the mandate.
const saving = [1, 2, 3, 4, 5].flatMap(n => [`commit.${n}.before`, `commit.${n}.after`] as const)
for (const at of [...saving, 'send.1.during', 'send.1.after'] as const)
  test(`a payment that saves its card, service killed at ${at}: the card is saved and the mandate created at most once`, async () => {
    const shop = await openShop()
    const body = shop.payBody({ ...saves, payment_id: named(shop) })
    equal(await dies(shop, at, body), 'died')
    await shop.wait('5 minutes')
    equal((await shop.post('/payments', body)).status, 200)
    await shop.wait('5 minutes')
    await agree(shop)
    const paid = await shop.get(body.payment_id)
    const wasSent = at !== 'commit.1.after'
    deepEqual([paid.status, paid.payment_method_status], wasSent ? ['succeeded', 'active'] : ['failed', 'inactive'])
    const saved = await shop.query('select payment_method_id from payment_methods where merchant_id = $1', [shop.merchant_id])
    deepEqual(saved, wasSent ? [{ payment_method_id: paid.payment_method_id }] : [])
    deepEqual(await totals(shop), wasSent ? [{ amount: 0, charges: 0 }] : [])
    deepEqual(await promises(shop), [])
    if (wasSent) equal((await shop.pay(charge(paid.mandate_id, {}))).status, 'succeeded')
  })

for (const at of ['commit.1.before', 'commit.1.after', 'send.1.during', 'send.1.after', 'commit.2.before', 'commit.2.after'] as const)
  test(`a charge by a mandate, service killed at ${at}: it is made at most once, and the mandate total is what was charged`, async () => {
    const shop = await openShop()
    const { mandate_id } = await shop.pay(saves)
    const body = shop.payBody(charge(mandate_id, { amount: 2000, payment_id: named(shop) }))
    equal(await dies(shop, at, body), 'died')
    await shop.wait('5 minutes')
    equal((await shop.post('/payments', body)).status, 200)
    await shop.wait('5 minutes')
    await agree(shop)
    const wasSent = at !== 'commit.1.after'
    equal((await shop.get(body.payment_id)).status, wasSent ? 'succeeded' : 'failed')
    equal((await shop.processor.charges()).length, wasSent ? 2 : 1)
    deepEqual(await totals(shop), [wasSent ? { amount: 2000, charges: 1 } : { amount: 0, charges: 0 }])
    deepEqual(await promises(shop), [])
  })
