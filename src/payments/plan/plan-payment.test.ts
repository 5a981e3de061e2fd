import { deepEqual, equal } from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { isRefused } from '../../../test/refused.ts'
import { type Body, card, cards, http, openPlace, openShop, type Shop } from '../../../test/shop.ts'
import { openTwoAccounts } from '../../../test/two-accounts.ts'

/**
 * A payment that another request changes while its confirm is being written is planned again. The plan that lost has
 * written nothing, and leaves nothing in memory; nor does a plan that could not be written.
 */

/** The work of another request, done just before the next attempt's beginning is written. */
let overtaking: (() => Promise<unknown>) | null = null
let begun = 0
/** What fails while an attempt is written: the vault, before the write; or the connection, with an unknown result. */
let fails: 'vault' | 'connection' | null = null

before(async () => {
  // The service takes the addresses of callers from `x-forwarded-for`.
  await openPlace({ trustedProxies: ['127.0.0.1'] }, context => ({
    ...context,
    async commit(change) {
      if (change.head === 'payments' && ['sent', 'retried', 'created'].includes(change.event.type)) {
        begun++
        const other = overtaking
        overtaking = null
        await other?.()
        if (fails === 'connection') throw new Error('the connection was lost')
      }
      return context.commit(change)
    },
    numbers: {
      ...context.numbers,
      keep: (...record) => (fails === 'vault' ? Promise.reject(new Error('the vault is gone')) : context.numbers.keep(...record)),
    },
  }))
})
beforeEach(() => {
  overtaking = null
  fails = null
})

const customer_id = 'cus_grace'
const accepted = { acceptance_type: 'offline', accepted_at: '2026-01-01T00:00:00.000Z' }
const multiUse = (amount: number): Body => ({
  customer_id,
  setup_future_usage: 'off_session',
  mandate_data: { customer_acceptance: accepted, mandate_type: { multi_use: { amount, currency: 'USD' } } },
})
const bare = { customer_id, payment_method: undefined, payment_method_data: undefined }
const totals = (shop: Shop) => shop.query('select amount::int, charges from mandate_totals where merchant_id = $1', [shop.merchant_id])
const promises = (shop: Shop) => shop.query('select payment_id from payment_follow_ups where merchant_id = $1', [shop.merchant_id])

test('a confirm that loses to a concurrent cancel charges nothing and does not count against the mandate', async () => {
  const shop = await openShop()
  const { mandate_id } = await shop.pay(multiUse(3000))
  const { payment_id } = await shop.create(bare)
  overtaking = () => shop.cancel(payment_id)
  isRefused(await shop.confirm(payment_id, { off_session: true, mandate_id }), 400, 'IR_16', /cancelled/)
  deepEqual(await totals(shop), [{ amount: 0, charges: 0 }])
  deepEqual(await promises(shop), [])
  equal((await shop.processor.charges()).length, 1)
  equal((await shop.pay({ ...bare, off_session: true, mandate_id, amount: 3000 })).status, 'succeeded', 'all of it can be charged')
})

test('a confirm that loses to a concurrent update uses the updated payment, and is counted and sent once', async () => {
  const shop = await openShop()
  const { mandate_id } = await shop.pay(multiUse(5000))
  const { payment_id } = await shop.create({ ...bare, amount: 1000 })
  overtaking = () => shop.post(`/payments/${payment_id}`, { amount: 4000 })
  const paid = await shop.confirm(payment_id, { off_session: true, mandate_id })
  deepEqual([paid.status, paid.body.status, paid.body.amount_received], [200, 'succeeded', 4000], paid.text)
  deepEqual(await totals(shop), [{ amount: 4000, charges: 1 }])
  deepEqual(
    (await shop.processor.charges()).map(({ amount }) => amount),
    [1250, 4000],
  )
})

test('a create that loses to a different one with the same payment_id does not count against the mandate', async () => {
  const shop = await openShop()
  const { mandate_id } = await shop.pay(multiUse(3000))
  const payment_id = `pay_${'7'.repeat(26)}`
  overtaking = () => shop.pay({ payment_id, amount: 700 })
  isRefused(await shop.tryToPay({ ...bare, off_session: true, mandate_id, payment_id }), 400, 'HE_01', /payment/)
  deepEqual(await totals(shop), [{ amount: 0, charges: 0 }])
  deepEqual(await promises(shop), [])
})

/** Opens a shop whose first account did not respond, and is tried by the next payment. */
async function openFirstOnTrial() {
  const shop = await openTwoAccounts()
  const elimination = `/account/${shop.merchant_id}/business_profile/${shop.profile_id}/dynamic_routing/elimination`
  const fragile = { elimination_analyser_config: { bucket_size: 2, bucket_leak_interval_in_secs: 60 } }
  equal((await shop.post(`${elimination}/create?enable=dynamic_connector_selection`, fragile)).status, 200)
  for (let i = 0; i < 2; i++) await shop.pay({ card: cards.hangs })
  await shop.wait('1 minute')
  return shop
}

test('a confirm that loses to a concurrent cancel does not use up the trial payment of an account that is down', async () => {
  const shop = await openFirstOnTrial()
  const { payment_id } = await shop.create()
  overtaking = () => shop.cancel(payment_id)
  isRefused(await shop.confirm(payment_id), 400, 'IR_16', /cancelled/)
  const trial = await shop.pay()
  deepEqual([trial.status, trial.merchant_connector_id], ['succeeded', shop.first])
})

test('a confirm whose card cannot be encrypted does not use up the trial payment of an account that is down', async () => {
  const shop = await openFirstOnTrial()
  await shop.profile({ is_manual_retry_enabled: true })
  fails = 'vault'
  equal((await shop.tryToPay()).status, 500)
  fails = null
  const trial = await shop.pay()
  deepEqual([trial.status, trial.merchant_connector_id], ['succeeded', shop.first])
})

test('a charge whose card cannot be encrypted does not count against the mandate', async () => {
  const shop = await openShop()
  const { mandate_id } = await shop.pay(multiUse(3000))
  await shop.profile({ is_manual_retry_enabled: true })
  fails = 'vault'
  equal((await shop.tryToPay({ ...bare, off_session: true, mandate_id })).status, 500)
  fails = null
  deepEqual(await totals(shop), [{ amount: 0, charges: 0 }])
  deepEqual(await promises(shop), [])
})

test('a charge that was perhaps written counts against the mandate until it is known that it was not', async () => {
  const shop = await openShop()
  const { mandate_id } = await shop.pay(multiUse(3000))
  fails = 'connection'
  equal((await shop.tryToPay({ ...bare, off_session: true, mandate_id, amount: 3000 })).status, 500)
  fails = null
  deepEqual(await totals(shop), [{ amount: 3000, charges: 1 }])
  isRefused(await shop.tryToPay({ ...bare, off_session: true, mandate_id, amount: 1 }), 400, 'HE_03')
  await shop.wait('2 minutes')
  deepEqual(await totals(shop), [{ amount: 0, charges: 0 }])
})

test('a browser confirm that could not be written leaves no attempt in progress in the card testing guard', async () => {
  const shop = await openShop()
  await shop.profile({ card_testing_guard_config: { card_ip_blocking_status: 'enabled', guest_ip_blocking_status: 'enabled' } })
  const { tries } = shop.service.services
  const { payment_id, client_secret } = await shop.create({ payment_method: undefined, payment_method_data: undefined })
  const headers = { 'api-key': shop.publishable_key, 'x-forwarded-for': '203.0.113.2' }
  const body = { client_secret, payment_method: 'card', payment_method_data: card() }
  let during = 0
  overtaking = async () => (during = tries.size())
  fails = 'connection'
  equal((await http('POST', `${shop.url}/payments/${payment_id}/confirm`, body, headers)).status, 500)
  fails = null
  deepEqual([during > 0, tries.size()], [true, 0])
  equal((await http('POST', `${shop.url}/payments/${payment_id}/confirm`, body, headers)).body.status, 'succeeded')
  equal(tries.size(), 0)
})

test('a browser confirm that loses to a concurrent cancel leaves no attempt in progress in the card testing guard', async () => {
  const shop = await openShop()
  await shop.profile({ card_testing_guard_config: { card_ip_blocking_status: 'enabled', guest_ip_blocking_status: 'enabled' } })
  const { tries } = shop.service.services
  const { payment_id, client_secret } = await shop.create({ payment_method: undefined, payment_method_data: undefined })
  let during = 0
  overtaking = async () => {
    during = tries.size()
    await shop.cancel(payment_id)
  }
  const headers = { 'api-key': shop.publishable_key, 'x-forwarded-for': '203.0.113.1' }
  const body = { client_secret, payment_method: 'card', payment_method_data: card() }
  isRefused(await http('POST', `${shop.url}/payments/${payment_id}/confirm`, body, headers), 400, 'IR_16', /cancelled/)
  equal(during > 0, true)
  equal(tries.size(), 0)
})

test('a confirm that loses to concurrent updates is planned three times and then refused, and can be repeated', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.create({ customer_id })
  const again = async () => {
    overtaking = again
    await shop.post(`/payments/${payment_id}`, { description: `${begun}`, confirm: false })
  }
  overtaking = again
  const before = begun
  isRefused(await shop.confirm(payment_id), 422, 'HE_00')
  overtaking = null
  equal(begun - before, 3)
  deepEqual(await shop.processor.charges(), [])
  equal((await shop.confirm(payment_id)).body.status, 'succeeded')
})

test('a confirm with a saved card obeys allowed_payment_method_types, even without payment_method', async () => {
  const shop = await openShop()
  await shop.pay({ customer_id, setup_future_usage: 'on_session', customer_acceptance: accepted })
  const list = await shop.call('GET', `/customers/${customer_id}/payment_methods`)
  const { payment_token } = list.body.customer_payment_methods[0]
  const only = async (type: string) => (await shop.create({ ...bare, allowed_payment_method_types: [type] })).payment_id
  isRefused(await shop.confirm(await only('ideal'), { payment_token }), 422, 'IR_06', /allowed_payment_method_types/)
  equal((await shop.confirm(await only('credit'), { payment_token })).body.status, 'succeeded')
})
