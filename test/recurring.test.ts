import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { connectors } from '../src/connectors/all.ts'
import { addAccount } from './merchant.ts'
import { isRefused } from './refused.ts'
import { type Body, cards, http, openShop, processors, type Shop } from './shop.ts'

/** Cards that are saved and charged again, at each processor by its own API, and moved from one to another. */

const accepted = { acceptance_type: 'offline' }
const saves = { customer_id: 'cus_grace', setup_future_usage: 'off_session', customer_acceptance: accepted }
const limits = { amount: 5000, currency: 'USD' }
const repeated = (by: Body): Body => ({
  customer_id: 'cus_grace',
  off_session: true,
  payment_method: undefined,
  payment_method_data: undefined,
  ...by,
})
const byMethod = (data: string): Body => repeated({ recurring_details: { type: 'payment_method_id', data } })
const open = (connector: string) => openShop({ connector, ...(connector === 'phonypay' ? {} : { webhooks: 'on' as const }) })
const by = async (shop: Shop): Promise<unknown[]> => (await shop.processor.charges()).filter(one => one.amount > 0).map(one => one.by)

for (const connector of processors) {
  test(`${connector}: a card saved by a payment is charged again without the customer, by payment method and by mandate`, async () => {
    const shop = await open(connector)
    const first = await shop.pay({ ...saves, mandate_data: { mandate_type: { multi_use: limits } } })
    deepEqual([first.status, first.payment_method_status], ['succeeded', 'active'])
    ok(first.connector_mandate_id, 'the processor keeps the card')
    const again = await shop.pay({ ...byMethod(first.payment_method_id), mit_category: 'recurring' })
    deepEqual([again.status, again.amount_received], ['succeeded', 1250])
    equal((await shop.pay(repeated({ mandate_id: first.mandate_id, amount: 5000 }))).status, 'succeeded')
    deepEqual(await by(shop), [undefined, 'mandate', 'mandate'])
    const onSession = await shop.pay({ ...saves, setup_future_usage: 'on_session', card: '5555555555554444' })
    equal(onSession.payment_method_status, 'active')
    isRefused(await shop.tryToPay(byMethod(onSession.payment_method_id)), 400, 'IR_16', /off_session/)
  })

  if (connectors[connector]!.setUp)
    test(`${connector}: a card is verified and saved without an amount; a declined one is not`, async () => {
      const shop = await open(connector)
      const ask = { ...saves, amount: 0, payment_type: 'setup_mandate' }
      const set = await shop.pay(ask)
      deepEqual([set.status, set.payment_method_status], ['succeeded', 'active'], JSON.stringify(set))
      equal((await shop.pay(byMethod(set.payment_method_id))).status, 'succeeded')
      const refused = await shop.pay({ ...ask, card: cards.declines })
      deepEqual([refused.status, refused.payment_method_status], ['failed', 'inactive'])
      deepEqual(await by(shop), ['mandate'])
    })

  test(`${connector}: an off-session charge whose response is lost is made once`, async () => {
    const shop = await open(connector)
    if (connector === 'adyen') await shop.processor.account({ webhooks: 'hold' })
    const first = await shop.pay(saves)
    await shop.processor.fault('authorize', 'reset_after', { times: connector === 'adyen' ? 2 : 1 })
    const unheard = await shop.pay(byMethod(first.payment_method_id))
    equal(unheard.status, 'processing')
    // Adyen cannot be queried: it sends webhooks.
    if (connector === 'adyen') await shop.processor.flushWebhooks()
    await shop.wait('2 hours')
    equal((await shop.get(unheard.payment_id)).status, 'succeeded')
    equal((await shop.processor.charges()).length, 2)
  })

  test(`${connector}: a card saved after a challenge is charged without one`, async () => {
    const shop = await open(connector)
    const challenged = await shop.pay({ ...saves, card: cards.challenges, authentication_type: 'three_ds' })
    equal(challenged.status, 'requires_customer_action')
    const page = (await http('GET', challenged.next_action.redirect_to_url)).headers.location as string
    await http('GET', (await http('POST', `${page}/accept`, '')).headers.location as string)
    await shop.wait('1 minute')
    const paid = await shop.get(challenged.payment_id)
    deepEqual([paid.status, paid.payment_method_status], ['succeeded', 'active'])
    equal((await shop.pay(byMethod(paid.payment_method_id))).status, 'succeeded')
  })
}

for (const connector of processors.filter(name => connectors[name]!.setUp))
  test(`${connector}: a card is set up after a challenge; a cancelled setup saves nothing`, async () => {
    const shop = await open(connector)
    const ask = { ...saves, amount: 0, payment_type: 'setup_mandate', card: cards.challenges, authentication_type: 'three_ds' }
    const set = await shop.pay(ask)
    deepEqual([set.status, set.payment_method_status], ['requires_customer_action', 'processing'])
    const page = (await http('GET', set.next_action.redirect_to_url)).headers.location as string
    await http('GET', (await http('POST', `${page}/accept`, '')).headers.location as string)
    await shop.wait('1 minute')
    equal((await shop.get(set.payment_id)).payment_method_status, 'active')
    equal((await shop.pay(byMethod(set.payment_method_id))).status, 'succeeded')
    const gone = await shop.pay({ ...ask, customer_id: 'cus_ada' })
    const { body } = await shop.cancel(gone.payment_id)
    await shop.processor.advance(0)
    await shop.wait('1 minute')
    equal((await shop.get(gone.payment_id)).status, 'cancelled', JSON.stringify(body))
    isRefused(await shop.call('GET', '/customers/cus_ada/payment_methods'), 404, 'HE_02')
  })

test('a card that one processor has saved is charged at another by the network_transaction_id', async () => {
  for (const [from, to] of [
    ['phonypay', 'adyen'],
    ['stripe', 'adyen'],
    ['adyen', 'phonypay'],
    ['stripe', 'phonypay'],
  ] as const) {
    const shop = await open(from)
    const first = await shop.pay(saves)
    const other = await addAccount(shop, to)
    isRefused(await shop.tryToPay({ ...byMethod(first.payment_method_id), connector: [to] }), 400, 'IR_39')
    await shop.profile({ is_connector_agnostic_mit_enabled: true })
    const moved = await shop.pay({ ...byMethod(first.payment_method_id), connector: [to] })
    deepEqual([moved.status, moved.merchant_connector_id], ['succeeded', other.merchant_connector_id], `${from} to ${to}`)
    equal((await shop.processor.charges()).length, 1, 'the first was not asked')
  }
})
