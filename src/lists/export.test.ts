import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { listAnew } from '../../test/listed.ts'
import { isRefused } from '../../test/refused.ts'
import { type Body, openShop, type Shop } from '../../test/shop.ts'
import { payments } from '../payments/payment.ts'

const exported = async (
  shop: Shop,
  query: string,
  path = '/payments/export',
): Promise<{ type: string | null; name: string | null; text: string }> => {
  const answer = await fetch(`${shop.url}${path}${query}`, { headers: { 'api-key': shop.api_key } })
  equal(answer.status, 200)
  return { type: answer.headers.get('content-type'), name: answer.headers.get('content-disposition'), text: await answer.text() }
}
const linesOf = (text: string): Body[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line) as Body)

test('an export contains every payment that matches its filters, in full, the latest first', async () => {
  const shop = await openShop()
  const made: Body[] = []
  for (const ask of [{}, { currency: 'EUR' }, { confirm: false }, { currency: 'EUR', amount: 990 }]) {
    made.unshift(await shop.create({ ...ask }))
    shop.clock.ahead += 40 * 86_400_000
  }
  const { type, name, text } = await exported(shop, '?format=jsonl')
  deepEqual([type, name], ['application/jsonl; charset=utf-8', 'attachment; filename="payments.jsonl"'])
  deepEqual(linesOf(text), await Promise.all(made.map(({ payment_id }) => shop.get(payment_id))))
  const euros = linesOf((await exported(shop, '?format=jsonl&currency=EUR&start_amount=1000')).text)
  deepEqual(
    euros.map(({ payment_id }) => payment_id),
    [made[2]!.payment_id],
  )
  const between = linesOf((await exported(shop, `?format=jsonl&created.gte=${made[2]!.created}&created.lte=${made[1]!.created}`)).text)
  deepEqual(
    between.map(({ payment_id }) => payment_id),
    [made[1]!.payment_id, made[2]!.payment_id],
  )
})

test('a CSV export has the requested columns, and escapes spreadsheet formulas', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.create({ description: '=cmd|calc', metadata: { order: '7' } })
  const { type, text } = await exported(shop, '?columns=payment_id,amount,description,metadata,error_code')
  equal(type, 'text/csv; charset=utf-8')
  equal(text, `payment_id,amount,description,metadata,error_code\r\n${payment_id},1250,'=cmd|calc,"{""order"":""7""}",\r\n`)
  match((await exported(shop, '')).text, /^payment_id,status,amount,currency,/)
  equal((await exported(shop, '?status=failed&columns=payment_id')).text, 'payment_id\r\n')
})

test('refunds can be exported, and exports can be limited to a profile', async () => {
  const shop = await openShop()
  const { payment_id, profile_id } = await shop.pay()
  const { body: refund } = await shop.refund(payment_id, 300)
  for (const path of ['/refunds/export', '/refunds/profile/export'])
    deepEqual(linesOf((await exported(shop, '?format=jsonl', path)).text), [refund])
  deepEqual(
    linesOf((await exported(shop, '?format=jsonl', '/payments/profile/export')).text).map(p => p.payment_id),
    [payment_id],
  )
  const other = (await shop.post(`/account/${shop.merchant_id}/business_profile`, { profile_name: 'other' })).body
  const headers = { 'x-profile-id': other.profile_id }
  equal((await shop.call('GET', '/payments/profile/export?columns=payment_id', undefined, headers)).text, 'payment_id\r\n')
  equal(
    (await shop.call('GET', '/payments/export?columns=payment_id', undefined, { 'x-profile-id': profile_id })).text,
    `payment_id\r\n${payment_id}\r\n`,
  )
  for (const path of ['payments', 'refunds', 'disputes', 'payouts'].map(of => `/${of}/profile/export`))
    isRefused(await shop.call('GET', path), 400, 'IR_04', /profile_id/)
})

test('invalid columns, formats and parameters of an export are refused', async () => {
  const shop = await openShop()
  for (const path of ['payments', 'refunds', 'disputes', 'payouts'].map(of => `/${of}/export`)) {
    isRefused(await shop.call('GET', `${path}?columns=colour`), 400, 'IR_06', /columns/)
    isRefused(await shop.call('GET', `${path}?format=xls`), 400, 'IR_06', /format/)
    isRefused(await shop.call('GET', `${path}?limit=5`), 400, 'IR_06', /limit/)
    isRefused(await shop.call('GET', `${path}?start_time=yesterday`), 422, 'IR_05', /start_time/)
  }
})

test('thousands of payments are exported once each, even if many have the same creation time', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.create()
  const columns = (await shop.query(
    `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns where table_name = 'payments' and column_name not in ('payment_id', 'created')`,
  )) as [Body]
  const [{ names }] = columns
  await shop.query(
    `insert into payments (payment_id, created, ${names}) select 'pay_' || lpad(n::text, 26, '0'), timestamptz '2026-03-01' + (n / 1500) * interval '9 days', ${names}
      from payments, generate_series(1, 4000) n where merchant_id = $1 and payment_id = $2`,
    [shop.merchant_id, payment_id],
  )
  await listAnew(shop, payments)
  const all = (await exported(shop, '?columns=payment_id')).text.trim().split('\r\n').slice(1)
  deepEqual([all.length, new Set(all).size], [4001, 4001])
  deepEqual(all.slice(1), all.slice(1).toSorted().reverse())
})
