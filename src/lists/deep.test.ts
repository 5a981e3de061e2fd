import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { listAnew } from '../../test/listed.ts'
import { succeed } from '../../test/merchant.ts'
import { isRefused } from '../../test/refused.ts'
import { type Body, openShop, type Shop } from '../../test/shop.ts'
import { payments } from '../payments/payment.ts'

const anyCurrency = `(array['EUR', 'GBP', 'JPY', 'KWD', 'NOK', 'SEK', 'CHF', 'USD'])[1 + n % 8]`

/**
 * Opens a shop with payments of eight currencies and six statuses, some of the same moment, every nine hours until
 * now; gives them, the latest first. `currency`: the currency of the n-th payment, in SQL.
 */
async function largeShop(many = 3000, currency = anyCurrency): Promise<{ shop: Shop; all: Body[] }> {
  const shop = await openShop()
  const { payment_id } = await shop.create()
  const [{ names }] = (await shop.query(
    `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
      where table_name = 'payments' and column_name not in ('payment_id', 'created', 'currency', 'status', 'amount')`,
  )) as [Body]
  await shop.query(
    `insert into payments (payment_id, created, currency, status, amount, ${names})
      select 'pay_' || lpad(n::text, 26, '0'), date_trunc('hour', now()) - ((${many} - n) / 3) * interval '9 hours', ${currency},
        (array['succeeded', 'failed', 'cancelled', 'expired', 'review', 'conflicted'])[1 + n % 6]::payment_status, 100 + n * 7919 % 5000, ${names}
      from payments, generate_series(1, ${many}) n where merchant_id = $1 and payment_id = $2`,
    [shop.merchant_id, payment_id],
  )
  await listAnew(shop, payments)
  const text = `select payment_id, currency, status::text, amount::int, to_char(created at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created
    from payments where merchant_id = $1 order by created desc, payment_id desc`
  return { shop, all: await shop.query(text, [shop.merchant_id]) }
}

const ids = (payments: Body[]): string[] => payments.map(({ payment_id }) => payment_id)

test('a deep page of a list, with or without filters, has the right payments in both directions', async () => {
  const { shop, all } = await largeShop()
  const cases: [asked: Body, holds: (payment: Body) => boolean][] = [
    [{}, () => true],
    [{ status: ['succeeded', 'failed', 'review'] }, p => ['succeeded', 'failed', 'review'].includes(p.status)],
    [{ currency: ['EUR'] }, p => p.currency === 'EUR'],
    [{ amount_filter: { start_amount: 777, end_amount: 900 } }, p => p.amount >= 777 && p.amount <= 900],
    [{ status: ['failed'], amount_filter: { start_amount: 4000 } }, p => p.status === 'failed' && p.amount >= 4000],
    [
      { time_range: { start_time: all[2500]!.created, end_time: all[900]!.created } },
      p => p.created >= all[2500]!.created && p.created <= all[900]!.created,
    ],
  ]
  for (const [asked, holds] of cases) {
    const wanted = all.filter(holds)
    for (const offset of [0, 5, 40, 990, 1480, 2990, 2_147_483_647]) {
      const found = await succeed(shop.post('/payments/list', { ...asked, limit: 20, offset }))
      deepEqual(ids(found.data), ids(wanted.slice(offset, offset + 20)), JSON.stringify({ ...asked, offset }))
      if (found.data.length > 0) equal(found.total_count, wanted.length)
    }
    const upwards = await succeed(shop.post('/payments/list', { ...asked, limit: 20, offset: 300, order: { by: 'asc' } }))
    deepEqual(ids(upwards.data), ids(wanted.toReversed().slice(300, 320)))
  }
})

test('rare matches are found behind many other payments, in both directions', async () => {
  const rare = ['EUR', 'GBP', 'JPY', 'KWD', 'NOK', 'SEK', 'CHF']
  // Seven of eight payments are in other currencies than USD; of the last 4,000 and the first 1,000, one of twenty is.
  const { shop, all } = await largeShop(10_000, `case when (n > 6000 or n < 1000) and n % 20 <> 0 then 'USD' else ${anyCurrency} end`)
  const wanted = all.filter(p => p.currency !== 'USD')
  const asked = `/payments/list?currency=${rare}&limit=20`
  for (const offset of [0, 300, 900]) {
    const down = await succeed(shop.call('GET', `${asked}&offset=${offset}`))
    deepEqual(ids(down.data), ids(wanted.slice(offset, offset + 20)))
    const up = await succeed(shop.call('GET', `${asked}&offset=${offset}&ending_before=${wanted.at(-1)!.payment_id}`))
    deepEqual(ids(up.data), ids(wanted.slice(-1 - offset - 20, -1 - offset)))
  }
})

test('a cursor in the middle of a large list pages in both directions', async () => {
  const { shop, all } = await largeShop()
  const wanted = all.filter(p => p.status === 'failed' || p.status === 'review')
  const page = async (query: string) => ids((await succeed(shop.call('GET', `/payments/list?status=failed,review&limit=100${query}`))).data)
  deepEqual(await page(`&offset=150&starting_after=${wanted[600]!.payment_id}`), ids(wanted.slice(751, 851)))
  deepEqual(await page(`&offset=150&ending_before=${wanted[600]!.payment_id}`), ids(wanted.slice(350, 450)))
  deepEqual(
    await page(`&start_amount=4000&ending_before=${wanted[900]!.payment_id}`),
    ids(
      wanted
        .slice(0, 900)
        .filter(p => p.amount >= 4000)
        .slice(-100),
    ),
  )
})

test('an amount filter that most payments match pages correctly with offsets, cursors and time ranges', async () => {
  const { shop, all } = await largeShop(14_000)
  const wanted = all.filter(p => p.amount >= 600)
  const page = async (query: string) => ids((await succeed(shop.call('GET', `/payments/list?start_amount=600${query}`))).data)
  for (const [limit, offset] of [
    [1, 0],
    [20, 0],
    [20, 40],
    [100, 100],
    [20, 990],
  ] as const) {
    const some = `&limit=${limit}&offset=${offset}`
    deepEqual(await page(some), ids(wanted.slice(offset, offset + limit)))
    deepEqual(await page(`${some}&starting_after=${wanted[5000]!.payment_id}`), ids(wanted.slice(5001 + offset, 5001 + offset + limit)))
    deepEqual(
      await page(`${some}&ending_before=${wanted[5000]!.payment_id}`),
      ids(wanted.slice(Math.max(0, 5000 - offset - limit), 5000 - offset)),
    )
  }
  deepEqual(await page(`&limit=20&starting_after=${wanted.at(-6)!.payment_id}`), ids(wanted.slice(-5)))
  const within = (from: string, to: string) => `&created.gte=${from}&created.lte=${to}`
  const [from, to] = [all[3005]!.created, all[3000]!.created]
  deepEqual(await page(within(from, to)), ids(wanted.filter(p => p.created >= from && p.created <= to).slice(0, 10)))
  const later = (hours: number) => new Date(Date.parse(from) + hours * 3_600_000).toISOString()
  deepEqual(await page(`&limit=1${within(later(1), later(2))}`), [])
  const { data } = await succeed(
    shop.post('/payments/list', { limit: 20, offset: 60, amount_filter: { start_amount: 600 }, currency: ['EUR'] }),
  )
  deepEqual(ids(data), ids(wanted.filter(p => p.currency === 'EUR').slice(60, 80)))
})

test('an offset that is too deep in a large list is refused in favour of a cursor', async () => {
  const { shop, all } = await largeShop(10_600)
  const page = (ask: Body, offset: number) => shop.post('/payments/list', { limit: 20, ...ask, offset })
  const found = async (ask: Body, offset: number) => ids((await succeed(page(ask, offset))).data)
  deepEqual(await found({}, 2000), ids(all.slice(2000, 2020)))
  isRefused(await page({}, 2001), 422, 'IR_06', /offset can be at most 2000 .* starting_after/)
  isRefused(await shop.call('GET', '/payments/list?offset=2001'), 422, 'IR_06', /offset/)
  const last = ids((await succeed(shop.call('GET', `/payments/list?limit=20&starting_after=${all[9000]!.payment_id}`))).data)
  deepEqual(last, ids(all.slice(9001, 9021)))
  const dollars = all.filter(p => p.currency === 'USD')
  deepEqual(await found({ currency: ['USD'] }, 1300), ids(dollars.slice(1300, 1320)))
  const since = all[9000]!.created
  deepEqual(await found({ start_time: since }, 8990), ids(all.filter(p => p.created >= since).slice(8990, 9010)))
  // With a range of amounts, a page may be half as deep, unless few payments have such an amount.
  isRefused(await page({ amount_filter: { start_amount: 101 } }, 1001), 422, 'IR_06', /offset can be at most 1000/)
  const large = all.filter(p => p.amount >= 600)
  deepEqual(await found({ amount_filter: { start_amount: 600 } }, 4000), ids(large.slice(4000, 4020)))
})
