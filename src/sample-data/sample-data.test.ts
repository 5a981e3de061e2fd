import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { openPayoutShop } from '../../test/payout-shop.ts'
import { isRefused } from '../../test/refused.ts'
import { secondAccount } from '../../test/retried.ts'
import { type Body, http, openShop, type Shop } from '../../test/shop.ts'
import { proveCounts } from '../analytics/prove.ts'
import { prove } from '../ledger/prove.ts'
import { takeSampleData } from './job.ts'
import { planOf } from './plan.ts'

/** Sample data: believable, dated in the past, and as correct as all other payments. */

type Asked = Pick<Shop, 'call' | 'post' | 'wait'>

const MOST_LOOKS = 60
const finished = async (shop: Asked, job_id: string): Promise<Body> => {
  for (let i = 0; i < MOST_LOOKS; i++) {
    await shop.wait('1 second')
    const { body } = await shop.call('GET', `/sample_data/${job_id}`)
    if (body.status === 'completed') return body
  }
  throw new Error('the job does not end')
}
const make = async (shop: Asked, ask: Body): Promise<Body> => {
  const { status, body, text } = await shop.post('/sample_data', ask)
  equal(status, 202, text)
  return finished(shop, body.job_id)
}
/** Runs a job with constant dice: its sales and their results follow from the job's id. */
const makeSame = async (shop: Asked & Pick<Shop, 'service' | 'merchant_id'>, ask: { payments: number; days: number }): Promise<Body> => {
  const context = { ...shop.service.context, random: (bytes: number) => Buffer.alloc(bytes, 7) }
  const { job_id } = await takeSampleData(context, 'test', shop.merchant_id, ask)
  return finished(shop, job_id)
}
const proven = async (shop: Pick<Shop, 'service' | 'merchant_id'>) => {
  deepEqual(await prove(shop.service.context, shop.merchant_id), [])
  deepEqual(await proveCounts(shop.service.context, shop.merchant_id), [])
}
const paymentsOf = (shop: Pick<Shop, 'query' | 'merchant_id'>) =>
  shop.query('select * from payments where merchant_id = $1 order by created', [shop.merchant_id])

test('sample payments use the merchant’s accounts, are backdated and marked, and agree with ledger and counters', async () => {
  const shop = await openShop({ webhooks: 'on' })
  const second = await secondAccount(shop)
  const done = await makeSame(shop, { payments: 130, days: 20 })
  deepEqual([done.made, done.refused, done.payments, done.days], [130, 0, 130, 20])
  const rows = await paymentsOf(shop)
  equal(rows.length, 130)
  ok(rows.every(row => row.request.metadata.sample_data === done.job_id))
  const ages = rows.map(row => (Date.parse(done.created_at) - Date.parse(row.created)) / 86_400_000)
  ok(ages.every(age => age > 0 && age <= 20))
  ok(Math.max(...ages) > 15 && Math.min(...ages) < 5, 'they are spread over the days')
  const valuesOf = (of: (row: Body) => string): Set<string> => new Set(rows.map(of))
  for (const status of ['succeeded', 'failed']) ok(valuesOf(row => row.status).has(status), status)
  for (const currency of ['EUR', 'USD', 'JPY', 'KWD']) ok(valuesOf(row => row.currency).has(currency), currency)
  deepEqual(
    valuesOf(row => row.merchant_connector_id),
    new Set([shop.merchant_connector_id, second.merchant_connector_id]),
  )
  ok(
    rows.some(row => row.request.recurring),
    'saved cards are charged',
  )
  const events = await shop.query(`select created from changes where merchant_id = $1 and kind = 'payment' and type = 'created'`, [
    shop.merchant_id,
  ])
  ok(
    events.every(event => event.created < new Date(done.created_at)),
    'so is their history',
  )
  await shop.wait('5 minutes')
  await proven(shop)
  const charged = (await Promise.all([shop.processor, second.processor].map(one => one.charges()))).flat()
  const there = charged.reduce((sum, charge) => sum + charge.captured - charge.refunded, 0)
  const here = (await paymentsOf(shop)).reduce((sum, row) => sum + Number(row.amount_received) - Number(row.amount_refunded), 0)
  equal(there, here, 'the processors have the same')
})

test('the health of accounts counts the calls of sample data when they were made, which is just now', async () => {
  const shop = await openShop()
  await makeSame(shop, { payments: 40, days: 20 })
  const [{ calls }] = await shop.query(
    `select count(*)::int as calls from processor_operations where merchant_id = $1 and verb = 'authorize' and state <> 'open'`,
    [shop.merchant_id],
  )
  for (const window of ['1h', '24h', '7d']) {
    const { data } = (await shop.call('GET', `/account/${shop.merchant_id}/connectors/health?window=${window}`)).body
    equal(data[0].payments, calls, window)
  }
})

test('a second sample data job adds payments, and a restarted job creates no duplicates', async () => {
  const shop = await openShop()
  const first = await makeSame(shop, { payments: 20, days: 3 })
  // Unknown results are resolved after that time.
  await shop.wait('5 minutes')
  const before = await paymentsOf(shop)
  await shop.query(
    `update sample_data_jobs set made = 0, refused = 0, status = 'processing', work_at = created_at where merchant_id = $1 and job_id = $2`,
    [shop.merchant_id, first.job_id],
  )
  const again = await finished(shop, first.job_id)
  equal(again.made, 20)
  equal((await paymentsOf(shop)).length, before.length)
  equal((await shop.processor.charges()).length, before.filter(row => Number(row.amount_authorized) > 0).length)
  await make(shop, { payments: 10, days: 3 })
  equal((await paymentsOf(shop)).length, before.length + 10)
  await proven(shop)
})

test('sample data includes payouts if an account supports payouts', async () => {
  const shop = await openPayoutShop()
  await makeSame(shop, { payments: 120, days: 10 })
  const payouts = await shop.query('select status from payouts where merchant_id = $1', [shop.merchant_id])
  ok(payouts.length > 0)
  ok(payouts.every(({ status }) => status === 'success'))
})

test('the plan of a sample payment is deterministic', () => {
  const job = { job_id: 'sample_1', payments: 100, days: 30, created_at: '2026-03-02T10:00:00.000Z' }
  const plain = (n: number) => JSON.stringify(planOf(job, n))
  for (let n = 0; n < 100; n++) equal(plain(n), plain(n))
  equal(new Set(Array.from({ length: 100 }, (_, n) => planOf(job, n).payment_id)).size, 100)
})

test('sample data is refused in live mode and without an API key, and a job is not visible to other merchants', async () => {
  const shop = await openShop()
  await rejects(takeSampleData(shop.service.context, 'live', shop.merchant_id, {}), /test mode only/)
  isRefused(await http('POST', `${shop.url}/sample_data`, {}), 401, 'IR_01')
  isRefused(await shop.post('/sample_data', { payments: 0 }), 400, 'IR_06', /payments/)
  const { body } = await shop.post('/sample_data', { payments: 1, days: 1 })
  isRefused(await http('GET', `${shop.url}/sample_data/${body.job_id}`), 401, 'IR_01')
  const other = await openShop()
  isRefused(await other.call('GET', `/sample_data/${body.job_id}`), 404, 'HE_02', /sample data/)
  equal((await finished(shop, body.job_id)).made, 1)
})
