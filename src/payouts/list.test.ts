import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { succeed } from '../../test/merchant.ts'
import { ends, openPayoutShop, recipients } from '../../test/payout-shop.ts'
import { isRefused } from '../../test/refused.ts'
import type { Body } from '../../test/shop.ts'

const start_time = '2020-01-01T00:00:00.000Z'
const ids = (payouts: Body[]): string[] => payouts.map(({ payout_id }) => payout_id)

test('payouts are listed as they are retrieved, newest first, by each filter, with cursors and counts', async () => {
  const shop = await openPayoutShop()
  const made: Body[] = []
  for (const ask of [
    { customer_id: 'ada', merchant_order_reference_id: 'w12' },
    { to: recipients.card(ends.declines), currency: 'USD', entity_type: 'Company' },
    { to: recipients.wallet(ends.waits), amount: 500 },
    { confirm: false },
  ]) {
    shop.clock.ahead += 1500
    made.push(await shop.payOut(ask))
  }
  const [draft, waiting, failed, paid] = made.toReversed() as [Body, Body, Body, Body]
  const search = (body: Body = {}): Promise<Body> => succeed(shop.post('/payouts/profile/list', body))
  const found = await search()
  deepEqual([found.size, found.total_count, found.data], [4, 4, [draft, waiting, failed, paid]])
  const finds = async (asked: Body, wanted: Body[]) => deepEqual(ids((await search(asked)).data), ids(wanted), JSON.stringify(asked))
  await finds({ payout_id: paid.payout_id }, [paid])
  await finds({ customer_id: 'ada' }, [paid])
  await finds({ merchant_order_reference_id: 'w12' }, [paid])
  await finds({ currency: 'USD' }, [failed])
  await finds({ currency: ['EUR', 'USD'], status: ['success', 'failed'] }, [failed, paid])
  await finds({ entity_type: 'Company' }, [failed])
  await finds({ payout_method: ['wallet', 'card'] }, [waiting, failed])
  await finds({ connector: ['phonypay'] }, [waiting, failed, paid])
  await finds({ profile_id: paid.profile_id, limit: 2, offset: 1 }, [waiting, failed])
  await finds({ amount_filter: { end_amount: 500 } }, [waiting])
  await finds({ status: ['requires_creation'] }, [])
  await shop.cancelPayout(waiting.payout_id)
  await finds({ status: ['cancelled'] }, [waiting])
  // The specification's own list requires a start time, currencies and the type of recipient.
  const required = { start_time, currency: ['EUR', 'USD'], entity_type: 'Individual' }
  deepEqual(ids((await succeed(shop.post('/payouts/list', required))).data), ids([draft, waiting, paid]))
  deepEqual(ids((await succeed(shop.post('/payouts/list', { ...required, currency: 'USD', entity_type: 'Company' }))).data), ids([failed]))
  const { start_time: _start, ...unsaid } = required
  equal((await succeed(shop.post('/payouts/list', { ...unsaid, time_range: { start_time } }))).size, 3)
  for (const name of Object.keys(required))
    isRefused(await shop.post('/payouts/list', { ...required, [name]: undefined }), 400, 'IR_04', new RegExp(name))
  isRefused(await shop.post('/payouts/list', {}), 400, 'IR_21', /start_time, currency, entity_type/)
  isRefused(await shop.post('/payouts/list', { ...required, payout_id: 'pyt_short' }), 400, 'IR_06', /payout_id/)
  isRefused(await shop.post('/payouts/list', { ...required, payout_id: `pyt_${'0'.repeat(27)}` }), 422, 'IR_06', /payout_id/)
  isRefused(await shop.post('/payouts/list', { ...required, customer_id: 'c'.repeat(65) }), 422, 'IR_06', /customer_id/)
  isRefused(await shop.post('/payouts/list', { ...required, limit: 21 }), 422, 'IR_06', /limit/)
  isRefused(await shop.post('/payouts/list', { ...required, status: ['paid'] }), 400, 'IR_06', /status/)
  const page = (await shop.call('GET', `/payouts/list?starting_after=${waiting.payout_id}&limit=1`)).body
  deepEqual([page.size, ids(page.data), page.total_count], [1, [failed.payout_id], null])
  isRefused(await shop.call('GET', `/payouts/list?starting_after=pyt_${'0'.repeat(26)}`), 404, 'HE_02')
  const query = async (asked: Body, wanted: Body[]) =>
    deepEqual(
      ids((await succeed(shop.call('GET', `/payouts/list?${new URLSearchParams(asked)}`))).data),
      ids(wanted),
      JSON.stringify(asked),
    )
  const [from, to] = [failed.created, waiting.created]
  for (const range of [
    { time_range: JSON.stringify({ start_time: from, end_time: to }) },
    { time_range: `${from},${to}` },
    { 'time_range.start_time': from, 'time_range.end_time': to },
    { 'time_range[start_time]': from, 'time_range[end_time]': to },
  ])
    await query(range, [waiting, failed])
  await query({ time_range: JSON.stringify({ start_time: failed.created }) }, [draft, waiting, failed])
  await query({ time_range: failed.created }, [draft, waiting, failed])
  await query({ time_range: `,${failed.created}` }, [failed, paid])
  const between = { starting_after: draft.payout_id, ending_before: paid.payout_id }
  await query(between, [waiting, failed])
  await query({ ...between, limit: '1' }, [waiting])
  const all = { customer_id: 'ada', ...between, limit: '10', created: paid.created, time_range: `${start_time},${draft.created}` }
  await query(all, [])
  await query({ ...all, ending_before: '' }, [paid])
  for (const time_range of ['{', '[]', '{"from":1}', 'a,b', '1,2,3'])
    isRefused(await shop.call('GET', `/payouts/list?${new URLSearchParams({ time_range })}`), 422, 'IR_05', /time_range/)
  const filters = (await shop.post('/payouts/filter', { start_time })).body
  deepEqual([filters.currency, filters.payout_method, filters.connector], [['EUR', 'USD'], ['bank', 'card', 'wallet'], ['phonypay']])
  const stood = (payout: Body) => payout.attempts.map((attempt: Body) => [attempt.status, attempt.amount, attempt.connector])
  deepEqual(made.map(stood), [[['success', 9_900, 'phonypay']], [['failed', 9_900, 'phonypay']], [['initiated', 500, 'phonypay']], []])
  const { status_with_count } = (await shop.call('GET', `/payouts/aggregate?start_time=${start_time}`)).body
  deepEqual([status_with_count.success, status_with_count.failed, status_with_count.cancelled, status_with_count.pending], [1, 1, 1, 0])
  const file = await shop.call('GET', '/payouts/export?format=jsonl&currency=EUR')
  const lines = file.text.split('\n').filter(Boolean)
  const listed = (await shop.call('GET', '/payouts/list?currency=EUR')).body.data
  deepEqual(
    lines.map(line => JSON.parse(line)),
    listed,
  )
  match((await shop.call('GET', '/payouts/export')).text, /^payout_id,merchant_order_reference_id,status,/)
  isRefused(await shop.call('GET', '/payouts/export?columns=colour'), 400, 'IR_06', /columns/)
  const other = await openPayoutShop()
  equal((await other.call('GET', '/payouts/list')).body.size, 0)
})
