import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { accountAt } from '../../../test/card-ask.ts'
import { rehearse, replied } from '../../../test/rehearse.ts'
import type { Time } from '../../context.ts'
import { paypal } from './connector.ts'

/**
 * PayPal's transactions as reports: what its document of Transaction Search says. A search spans 31 days at most,
 * has pages of up to 500, is up to three hours late, and goes back three years.
 */

const account = accountAt('https://api-m.paypal.com', { api_key: 'client_secret_1', key1: 'client_id_1' }, {}, null)

type Listing = { since: Time; until: Time; from?: Time; page?: string | null }
function listed({ since, until, from = since, page = null }: Listing) {
  const { outcome } = rehearse(paypal.list_reports({ since, until, from, page, last: null }, account), [])
  if (outcome.is !== 'reports') throw new Error(JSON.stringify(outcome))
  return outcome
}
const idsOf = (listing: Listing) => listed(listing).reports.map(({ id }) => id)

test('a day is a report once it is three hours over, because a transaction may be listed so late', () => {
  const since = '2026-05-03T15:00:00.000Z'
  deepEqual(idsOf({ since, until: '2026-05-05T02:59:59.000Z' }), ['2026-05-03'])
  const { reports, next, until } = listed({ since, until: '2026-05-05T03:00:00.000Z' })
  deepEqual(
    reports.map(({ name }) => name),
    ['transactions 2026-05-03.json', 'transactions 2026-05-04.json'],
  )
  deepEqual([next, until], [null, '2026-05-05T00:00:00.000Z'])
  deepEqual(idsOf({ since: until!, until: '2026-05-05T23:00:00.000Z' }), [])
})

test('what is asked for at noon is the whole day on which it was asked, and nothing before', () => {
  const from = '2026-05-05T12:00:00.000Z'
  const first = listed({ since: from, until: from })
  deepEqual([first.reports, first.until], [[], '2026-05-05T00:00:00.000Z'])
  deepEqual(idsOf({ since: first.until!, from, until: '2026-05-06T12:00:00.000Z' }), ['2026-05-05'])
})

test('a day is read again after 10 and 31 days, if reports of it are wanted', () => {
  const daily = { since: '2026-05-12T00:00:00.000Z', until: '2026-05-13T12:00:00.000Z' }
  deepEqual(idsOf({ ...daily, from: '2026-03-01T00:00:00.000Z' }), ['2026-05-12', '2026-05-02/10', '2026-04-11/31'])
  deepEqual(idsOf({ ...daily, from: '2026-05-02T18:00:00.000Z' }), ['2026-05-12', '2026-05-02/10'])
  deepEqual(idsOf({ ...daily, from: '2026-05-03T00:00:00.000Z' }), ['2026-05-12'])
  const late = idsOf({ since: '2026-05-01T00:00:00.000Z', until: '2026-05-13T12:00:00.000Z', from: '2026-04-01T00:00:00.000Z' })
  equal(late.includes('2026-04-30/10'), true)
  equal(late.includes('2026-05-01/10'), false, 'a day that is read so late for the first time')
})

test('days are listed page by page, and none that PayPal no longer has', () => {
  const asked = { since: '2020-01-01T00:00:00.000Z', until: '2026-05-13T12:00:00.000Z' }
  const first = listed(asked)
  deepEqual([first.reports[0]!.id, first.reports.length], ['2023-05-15', 30])
  equal(first.next, '2023-06-14T00:00:00.000Z')
  equal(listed({ ...asked, page: first.next }).reports[0]!.id, '2023-06-14')
})

const answer = (more: object = {}) =>
  replied(200, {
    transaction_details: [{ transaction_info: { transaction_id: 'A1' } }],
    last_refreshed_datetime: '2026-05-05T02:59:59+0000',
    ...{ page: 1, total_items: 1, total_pages: 1 },
    ...more,
  })
const fetched = (page: string | null, reply: ReturnType<typeof replied>, id = '2026-05-04') => {
  const { requests, outcome } = rehearse(paypal.fetch_report({ id, page }, account), [reply])
  const query = requests.length === 0 ? null : Object.fromEntries(new URL(requests.at(-1)!.url).searchParams)
  return { query, outcome, url: requests.at(-1)?.url ?? null }
}
const nextOf = ({ outcome }: ReturnType<typeof fetched>) => {
  if (outcome.is !== 'part') throw new Error(JSON.stringify(outcome))
  return outcome.next
}

test('a day is searched for what moved the balance, in pages of 500', () => {
  const first = fetched(null, answer({ total_pages: 2 }))
  match(first.url!, /^https:\/\/api-m\.paypal\.com\/v1\/reporting\/transactions\?/)
  const span = { start_date: '2026-05-04T00:00:00.000Z', end_date: '2026-05-04T23:59:59.999Z' }
  const asked = { ...span, fields: 'transaction_info', balance_affecting_records_only: 'Y', page_size: '500' }
  deepEqual(first.query, { ...asked, page: '1' })
  const second = fetched(nextOf(first), answer({ page: 2, total_pages: 2 }))
  deepEqual(second.query, { ...asked, page: '2' })
  equal(nextOf(second), null)
  const again = fetched(null, answer(), '2026-05-04/10')
  deepEqual([again.query!.start_date, nextOf(again)], [span.start_date, null])
  equal(nextOf(fetched(null, answer({ transaction_details: [], total_items: 0, total_pages: 0 }))), null)
})

test('a span of more transactions than PayPal lists is halved, and all spans together are the day without an overlap', () => {
  const tooMany = replied(400, { name: 'RESULTSET_TOO_LARGE', message: 'Result set size is greater than the maximum limit.', details: [] })
  const spans: string[][] = []
  let page: string | null = null
  for (let n = 0; n < 20; n++) {
    const asked = fetched(page, answer())
    const { start_date, end_date } = asked.query as { start_date: string; end_date: string }
    const isLong = Date.parse(end_date) - Date.parse(start_date) >= 6 * 3_600_000
    if (!isLong) spans.push([start_date, end_date])
    page = nextOf(isLong ? fetched(page, tooMany) : asked)
    if (page === null) break
  }
  deepEqual(spans, [
    ['2026-05-04T00:00:00.000Z', '2026-05-04T05:59:59.999Z'],
    ['2026-05-04T06:00:00.000Z', '2026-05-04T11:59:59.999Z'],
    ['2026-05-04T12:00:00.000Z', '2026-05-04T17:59:59.999Z'],
    ['2026-05-04T18:00:00.000Z', '2026-05-04T23:59:59.999Z'],
  ])
  const minute = '2026-05-04T00:00:00.000Z/2026-05-04T00:00:59.999Z/1'
  deepEqual(fetched(minute, tooMany).outcome, {
    is: 'unknown',
    why: 'the processor refused it: Result set size is greater than the maximum limit.',
  })
})

test('while PayPal has not taken the whole day in, it is asked again some minutes later', () => {
  const late = fetched(null, answer({ last_refreshed_datetime: '2026-05-04T21:29:59+0000', end_date: '2026-05-04T21:29:59+0000' }))
  deepEqual(late.outcome, { is: 'waiting', for: 'minutes' })
  equal(nextOf(fetched(null, answer({ last_refreshed_datetime: undefined }))), null)
})

test('an app without the permission is told which one it needs; other refusals and answers are shown as they are', () => {
  const details = [{ issue: 'PERMISSION_DENIED', description: 'You do not have permission to access or perform operations.' }]
  const message = 'Authorization failed due to insufficient permissions.'
  for (const body of [
    { name: 'NOT_AUTHORIZED', message, details },
    { name: 'PERMISSION_DENIED', message, details: [] },
  ]) {
    const { outcome } = fetched(null, replied(403, body))
    match(outcome.is === 'unknown' ? outcome.why : '', /“Transaction search”/)
  }
  const notThere = { name: 'INVALID_REQUEST', message: 'Data for the given start date is not available.', details: [], links: [] }
  const { outcome } = fetched(null, replied(400, notThere))
  match(outcome.is === 'unknown' ? outcome.why : '', /start date is not available/)
  for (const body of [{}, { transaction_details: {}, total_pages: 1 }, { transaction_details: [] }])
    equal(fetched(null, replied(200, body)).outcome.is, 'unknown', JSON.stringify(body))
  const { outcome: other } = rehearse(paypal.fetch_report({ id: 'batch_1.csv', page: null }, account), [])
  deepEqual(other, { is: 'gone', why: 'it is no day' })
})
