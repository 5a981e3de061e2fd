import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { prove } from '../../src/ledger/prove.ts'
import { keysOf } from '../merchant.ts'
import { isRefused } from '../refused.ts'
import { balances, filesOf, letDaysPass, line, take } from '../settlement.ts'
import { type Body, http, openShop, type Shop, type ShopOptions } from '../shop.ts'

/**
 * Settlement reports that are fetched from a processor's API: the sandbox gives them of the money that really moved
 * there. Afterwards each payment is settled, nothing is owed, and fetching again changes nothing.
 */

type At = {
  connector: string
  options?: ShopOptions
  /** Members of a payment, and what the customer does. */
  pay?: Body
  paid?(shop: Shop, begun: Body): Promise<Body>
  /** How long until captures and refunds are decided. */
  slow?: string
  /** How many days later everything is in reports. */
  days?: number
  /** What an account needs besides. */
  prepare?(shop: Shop): Promise<void>
}

const fetchesOf = async (shop: Shop): Promise<Body> => {
  const { data } = (await shop.call('GET', '/reconciliation/fetches')).body
  return data.find((one: Body) => one.merchant_connector_id === shop.merchant_connector_id)
}
const owedTo = async (shop: Shop): Promise<Body[]> => (await shop.call('GET', '/reconciliation/ageing')).body.data[0].owed

async function startFetching({ post, merchant_connector_id }: Shop, more: Body = {}): Promise<Body> {
  const { status, body, text } = await post('/reconciliation/fetches', { merchant_connector_id, fetch: 'daily', ...more })
  equal(status, 202, text)
  return body
}

/** Pays, refunds a part, is disputed in part, and captures a hold: what reports have to say. */
async function busyDay(shop: Shop, { pay = {}, paid = async (_shop, begun) => begun, slow = '1 minute' }: At): Promise<string[]> {
  const ask = { amount: 5000, ...pay }
  const sale = await paid(shop, await shop.pay(ask))
  const refunded = await paid(shop, await shop.pay({ ...ask, amount: 3000 }))
  const disputed = await paid(shop, await shop.pay({ ...ask, amount: 4000 }))
  await shop.wait(slow)
  equal((await shop.refund(refunded.payment_id, 1200)).status, 200)
  await shop.processor.move(disputed.connector_transaction_id, 'dispute', { amount: 1500 })
  await shop.wait(slow)
  await shop.wait('10 minutes')
  for (const { payment_id } of [sale, refunded, disputed]) await shop.sync(payment_id)
  return [sale, refunded, disputed].map(({ payment_id }) => payment_id)
}

const atMollie = {
  payment_method: 'card_redirect',
  payment_method_type: 'card_redirect',
  payment_method_data: { card_redirect: { card_redirect: {} } },
}

/** The customer pays at Mollie's page, and returns. */
async function paidAtMollie(shop: Shop, begun: Body): Promise<Body> {
  const page = (await http('GET', begun.next_action.redirect_to_url)).headers.location as string
  const back = (await http('POST', `${page}/accept`, '')).headers.location as string
  await http('GET', back)
  await shop.wait('1 second')
  return shop.get(begun.payment_id)
}

/** Gives the shop's account its credentials, with more of them. */
async function renewCredentials(shop: Shop, more: Body): Promise<void> {
  const { merchant_id, merchant_connector_id, post } = shop
  const account = (await shop.call('GET', `/account/${merchant_id}/connectors/${merchant_connector_id}`)).body
  const connector_account_details = { ...keysOf(account.connector_name, `sandbox_${merchant_id}`), ...more }
  const { status, text } = await post(`/account/${merchant_id}/connectors/${merchant_connector_id}`, {
    connector_type: 'payment_processor',
    connector_account_details,
  })
  equal(status, 200, text)
}

/** The fetched reports settle everything, once. */
export function definesFetching(at: At): void {
  const { connector, options = {}, prepare, days = 3 } = at
  const open = async () => {
    const shop = await openShop({ connector, webhooks: 'on', ...options })
    await prepare?.(shop)
    return shop
  }

  test(`${connector}: reports are fetched each day: all payments, refunds and disputes are settled, and nothing is owed`, async () => {
    const shop = await open()
    const payments = await busyDay(shop, at)
    equal((await owedTo(shop)).length > 0, true)
    const started = await startFetching(shop)
    deepEqual([started.available, started.fetch, started.problem], [true, 'daily', null])
    await letDaysPass(shop, days)
    const files = await filesOf(shop)
    for (const { state, problem, counts } of files) deepEqual([state, problem, counts.open, counts.unread], ['done', null, 0, 0])
    deepEqual((await fetchesOf(shop)).problem, null)
    deepEqual(await owedTo(shop), [])
    const { processor = 0, suspense = 0, settled = 0 } = await balances(shop)
    deepEqual([processor, suspense, settled], [0, 0, 0])
    for (const [i, gross] of [5000, 1800, 2500].entries())
      equal((await shop.call('GET', `/reconciliation/payments/${payments[i]}`)).body.settled[0].gross, gross)
    deepEqual(await prove(shop.service.context, shop.merchant_id), [])
    const before = await balances(shop)
    await startFetching(shop, { from: '2026-01-01T00:00:00Z' })
    await letDaysPass(shop, 2)
    deepEqual(await balances(shop), before)
    deepEqual((await shop.call('GET', '/reconciliation/differences?state=open')).body.data, [])
  })

  test(`${connector}: a processor that does not answer is shown, asked again, and the report still comes`, async () => {
    const shop = await open()
    await busyDay(shop, at)
    await letDaysPass(shop, 2)
    await shop.processor.fault('lookup', '500_before', { times: 60 })
    await startFetching(shop)
    await shop.wait('1 minute')
    const { problem, failures, next_at } = await fetchesOf(shop)
    match(problem, /./)
    equal(failures > 0 && next_at !== null, true)
    await shop.processor.soundAgain()
    await letDaysPass(shop, days)
    deepEqual(
      (await filesOf(shop)).filter(({ state }) => state !== 'done'),
      [],
    )
    deepEqual((await shop.call('GET', '/reconciliation/differences?state=open')).body.data, [])
    deepEqual([(await fetchesOf(shop)).problem, await owedTo(shop)], [null, []])
  })
}

definesFetching({ connector: 'phonypay' })
definesFetching({ connector: 'stripe' })
definesFetching({ connector: 'checkout' })
definesFetching({
  connector: 'mollie',
  slow: '2 days',
  pay: {
    payment_method: 'card_redirect',
    payment_method_type: 'card_redirect',
    payment_method_data: { card_redirect: { card_redirect: {} } },
  },
  paid: paidAtMollie,
  prepare: shop => renewCredentials(shop, { organization_token: `access_sandbox_${shop.merchant_id}` }),
})

definesFetching({ connector: 'braintree', slow: '26 hours', days: 5 })

definesFetching({ connector: 'paypal', days: 5 })

const reportUser = (shop: Shop) => ({ report_user: 'report@Company.Sandbox', report_password: `sandbox_${shop.merchant_id}` })

definesFetching({
  connector: 'adyen',
  options: { metadata: { first_settlement_batch: '1' } },
  prepare: shop => renewCredentials(shop, reportUser(shop)),
})

test('adyen: a webhook announces the first report, which is fetched at once, and the next ones by their number', async () => {
  const shop = await openShop({ connector: 'adyen', webhooks: 'on' })
  await renewCredentials(shop, reportUser(shop))
  await startFetching(shop)
  const { connector_transaction_id: payment } = await shop.pay({ amount: 5000 })
  await letDaysPass(shop, 2)
  deepEqual(await filesOf(shop), [])
  const announcement = { payment, eventCode: 'REPORT_AVAILABLE', pspReference: 'settlement_detail_report_batch_1.csv' }
  await shop.processor.call('POST', '/control/adyen/notifications', announcement)
  await shop.wait('1 minute')
  deepEqual(
    (await filesOf(shop)).map(({ name, state }) => [name, state]),
    [['settlement_detail_report_batch_1.csv', 'done']],
  )
  await shop.pay({ amount: 3000 })
  await letDaysPass(shop, 3)
  equal((await filesOf(shop)).length, 2)
  deepEqual(await owedTo(shop), [])
})

test('adyen: a report user that is refused is shown', async () => {
  const shop = await openShop({ connector: 'adyen', webhooks: 'on', metadata: { first_settlement_batch: '1' } })
  await renewCredentials(shop, { ...reportUser(shop), report_user: 'ws@Company.Sandbox' })
  await startFetching(shop)
  await shop.wait('1 minute')
  match((await fetchesOf(shop)).problem, /report user/)
})

test('stripe: an account with manual payouts is fetched its balance changes and payouts', async () => {
  const shop = await openShop({ connector: 'stripe', webhooks: 'on', metadata: { settlement_reports: 'activity' } })
  await busyDay(shop, { connector: 'stripe' })
  await startFetching(shop)
  await letDaysPass(shop, 3)
  deepEqual(await owedTo(shop), [])
  const { processor = 0, settled = 0 } = await balances(shop)
  deepEqual([processor, settled], [0, 0])
})

test('mollie: without a token of the organization nothing is asked, and the account says what it lacks', async () => {
  const shop = await openShop({ connector: 'mollie', webhooks: 'on' })
  await startFetching(shop)
  await shop.wait('1 minute')
  match((await fetchesOf(shop)).problem, /no credential/)
  await renewCredentials(shop, { organization_token: `sandbox_${shop.merchant_id}` })
  await startFetching(shop)
  await shop.wait('1 minute')
  match((await fetchesOf(shop)).problem, /refused.*access token/)
})

test('mollie: a chargeback that a report names without its payment is that of its dispute', async () => {
  const shop = await openShop({ connector: 'mollie', webhooks: 'on' })
  const { payment_id, connector_transaction_id } = await paidAtMollie(shop, await shop.pay({ amount: 5000, ...atMollie }))
  await shop.processor.move(connector_transaction_id, 'dispute', { amount: 1500 })
  await shop.wait('2 minutes')
  await shop.sync(payment_id)
  const [{ id }] = (await shop.processor.ledger()).disputes
  const { counts } = await take(shop, [line({ type: 'chargeback', reference: id, object_reference: id, gross: -1500, currency: 'USD' })])
  deepEqual([counts!.matched, counts!.open], [1, 0])
})

test('a processor without reports to fetch says so, and who only reads cannot have them fetched', async () => {
  const shop = await openShop({ connector: 'milkypay' })
  const { merchant_connector_id } = shop
  isRefused(await shop.post('/reconciliation/fetches', { merchant_connector_id, fetch: 'daily' }), 400, 'IR_16', /upload/)
  deepEqual((await fetchesOf(shop)).available, false)
  isRefused(await shop.post('/reconciliation/fetches', { merchant_connector_id: 'mca_other', fetch: 'daily' }), 404, 'HE_02')
})

test('a fetch that is switched off asks the processor nothing', async () => {
  const shop = await openShop({ connector: 'stripe', webhooks: 'on' })
  await busyDay(shop, { connector: 'stripe' })
  await startFetching(shop)
  await shop.post('/reconciliation/fetches', { merchant_connector_id: shop.merchant_connector_id, fetch: 'off' })
  await letDaysPass(shop, 3)
  deepEqual([(await filesOf(shop)).length, (await fetchesOf(shop)).fetch], [0, 'off'])
})
