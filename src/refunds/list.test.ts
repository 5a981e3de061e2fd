import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { succeed } from '../../test/merchant.ts'
import { isRefused } from '../../test/refused.ts'
import { type Body, cards, http, openShop, type Shop } from '../../test/shop.ts'

const start_time = '2020-01-01T00:00:00.000Z'
const search = (shop: Shop, body: Body = {}): Promise<Body> => succeed(shop.post('/refunds/list', { start_time, ...body }))
const ids = (refunds: Body[]): string[] => refunds.map(({ refund_id }) => refund_id)

/** Opens a shop with refunds of every status but one, some time apart; gives them, the latest first. */
async function busyShop() {
  const shop = await openShop()
  const made: Body[] = []
  const refund = async (ask: Body, amounts: number[]) => {
    const payment = await shop.pay(ask)
    for (const amount of amounts) {
      shop.clock.ahead += 1500
      made.push((await shop.refund(payment.payment_id, amount)).body)
    }
    return payment
  }
  const first = await refund({}, [100, 250])
  await refund({ currency: 'EUR' }, [400])
  await refund({ card: cards.refusesRefunds }, [250])
  const last = await refund({ card: cards.refundsLater }, [700])
  const all = await Promise.all(made.map(({ refund_id }) => shop.getRefund(refund_id)))
  deepEqual(
    all.map(({ status }) => status),
    ['succeeded', 'succeeded', 'succeeded', 'failed', 'pending'],
  )
  return { shop, all: all.reverse(), first, last }
}

test('refunds are listed as they are retrieved, newest first, by each filter and by several', async () => {
  const { shop, all, first, last } = await busyShop()
  const found = await search(shop)
  deepEqual([found.count, found.total_count, found.data], [5, 5, all])
  const [pending, failed, euros, second, one] = all
  const finds = async (asked: Body, wanted: (Body | undefined)[]) => deepEqual(ids((await search(shop, asked)).data), ids(wanted as Body[]))
  await finds({ limit: 2, offset: 1 }, [failed, euros])
  await finds({ refund_id: failed!.refund_id }, [failed])
  await finds({ refund_id: failed!.refund_id, refund_status: ['succeeded'] }, [])
  await finds({ payment_id: first.payment_id }, [second, one])
  await finds({ payment_id_in: [first.payment_id, last.payment_id] }, [pending, second, one])
  await finds({ payment_id_in: [first.payment_id], payment_id: last.payment_id }, [])
  await finds({ refund_status: ['pending', 'failed'] }, [pending, failed])
  await finds({ refund_status: ['success'] }, [euros, second, one])
  await finds({ refund_status: ['failure', 'manual_review'] }, [failed])
  await finds({ currency: ['EUR'] }, [euros])
  await finds({ connector: ['phonypay'], merchant_connector_id: [shop.merchant_connector_id], currency: ['USD'] }, [
    pending,
    failed,
    second,
    one,
  ])
  await finds({ connector: ['stripe'] }, [])
  await finds({ profile_id: first.profile_id, refund_type: ['instant'] }, all)
  await finds({ amount_filter: { start_amount: 250, end_amount: 400 } }, [failed, euros, second])
  await finds({ order: { on: 'amount', by: 'asc' } }, [one, second, failed, euros, pending])
  await finds({ order: { on: 'modified', by: 'asc' }, limit: 1 }, [one])
  await finds({ start_time: euros!.created_at, end_time: failed!.created_at }, [failed, euros])
  await finds(
    {
      column_predicates: [
        { column: 'status', operator: 'ne', value: 'succeeded' },
        { column: 'created_at', operator: 'lt', value: pending!.created_at },
      ],
    },
    [failed],
  )
  await finds({ column_predicates: [{ column: 'payment_id', operator: 'in', value: [last.payment_id] }] }, [pending])
})

test('a refund that is decided later moves between the lists of its statuses, and keeps its position in the full list', async () => {
  const { shop, all } = await busyShop()
  await shop.wait('2 minutes')
  deepEqual((await search(shop, { refund_status: ['pending'] })).data, [])
  equal((await search(shop, { refund_status: ['succeeded'] })).data[0].refund_id, all[0]!.refund_id)
  deepEqual(ids((await search(shop)).data), ids(all))
})

test('a refund list needs no start time, limits its length, and refuses unknown filters', async () => {
  const shop = await openShop()
  // Existing clients send no start time: then the list contains all refunds.
  deepEqual(await succeed(shop.post('/refunds/list', {})), { count: 0, total_count: 0, data: [] })
  isRefused(await shop.post('/refunds/list', { start_time, limit: 101 }), 422, 'IR_06', /limit/)
  isRefused(await shop.post('/refunds/list', { start_time, colour: 'red' }), 400, 'IR_06', /colour/)
  isRefused(await shop.post('/refunds/list', { start_time, refund_status: ['won'] }), 400, 'IR_06', /refund_status/)
  deepEqual(await search(shop, { limit: 0 }), { count: 0, total_count: 0, data: [] })
})

test('the refund filter endpoints return values in use and possible values, and counts per status, also by profile', async () => {
  const { shop, all } = await busyShop()
  const headers = { 'x-profile-id': all[0]!.profile_id }
  for (const variant of ['', '/profile']) {
    deepEqual(ids((await succeed(shop.post(`/refunds${variant}/list`, { start_time }, headers))).data), ids(all))
    deepEqual(await succeed(shop.post(`/refunds${variant}/filter`, { start_time }, headers)), {
      connector: ['phonypay'],
      currency: ['EUR', 'USD'],
      refund_status: ['failed', 'pending', 'succeeded'],
    })
    const choices = await succeed(shop.call('GET', `/refunds/v2${variant}/filter`, undefined, headers))
    deepEqual(choices.refund_status, ['pending', 'succeeded', 'failed', 'review'])
    ok(choices.currency.includes('JPY') && 'phonypay' in choices.connector)
    deepEqual(await succeed(shop.call('GET', `/refunds${variant}/aggregate?start_time=${start_time}`, undefined, headers)), {
      status_with_count: { pending: 1, succeeded: 3, failed: 1, review: 0 },
    })
    isRefused(await shop.call('GET', `/refunds${variant}/aggregate`), 400, 'IR_04', /start_time/)
    isRefused(await shop.post(`/refunds${variant}/filter`, {}), 400, 'IR_04', /start_time/)
    deepEqual(ids((await succeed(shop.post(`/refunds${variant}/list`, { limit: 10, offset: 0 }, headers))).data), ids(all))
  }
})

test('lists contain no refunds of other merchants', async () => {
  const { all } = await busyShop()
  const other = await openShop()
  for (const asked of [{}, { refund_id: all[0]!.refund_id }, { payment_id: all[0]!.payment_id }, { payment_id_in: [all[0]!.payment_id] }])
    deepEqual(await search(other, asked), { count: 0, total_count: 0, data: [] })
})

test('refund lists are paged with cursors, forwards and backwards', async () => {
  const { shop, all } = await busyShop()
  const page = async (query: string): Promise<Body> => succeed(shop.call('GET', `/refunds/list?${query}`))
  deepEqual(await page('limit=2'), { size: 2, data: all.slice(0, 2) })
  deepEqual(ids((await page(`limit=2&starting_after=${all[1]!.refund_id}`)).data), ids(all.slice(2, 4)))
  deepEqual(ids((await page(`limit=2&ending_before=${all[4]!.refund_id}`)).data), ids(all.slice(2, 4)))
  deepEqual(ids((await page('refund_status=failed,pending')).data), ids(all.slice(0, 2)))
  deepEqual(ids((await page(`created_at.lte=${encodeURIComponent(all[3]!.created_at)}`)).data), ids(all.slice(3)))
  deepEqual(ids((await succeed(shop.call('GET', '/refunds/profile/list'))).data), ids(all))
  const other = await openShop()
  deepEqual((await succeed(other.call('GET', '/refunds/list'))).data, [])
  isRefused(await other.call('GET', `/refunds/list?starting_after=${all[1]!.refund_id}`), 404, 'HE_02')
  isRefused(await shop.call('GET', '/refunds/list?limit=101'), 422, 'IR_06', /limit/)
  for (const path of ['/refunds/list', '/refunds/profile/list'])
    isRefused(await http('GET', `${shop.url}${path}`, undefined, { 'api-key': shop.publishable_key }), 403, 'IR_22')
})
