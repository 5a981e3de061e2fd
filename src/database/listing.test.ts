import { deepEqual, equal, ok } from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Body, cards, openShop, type Shop } from '../../test/shop.ts'
import { kindOf } from './listed.ts'

const folder = new URL('./migrations/', import.meta.url)
/** The migrations that list what is there already. */
const backfills = readdirSync(folder)
  .sort()
  .map(file => readFileSync(new URL(file, folder), 'utf8'))
  .filter(sql => /perform list_\w+\(p\) from/.test(sql))

const listed = async ({ query, merchant_id }: Shop): Promise<Body[]> => [
  ...(await query('select * from listings where merchant_id = $1 order by object_id', [merchant_id])),
  ...(await query(
    `select * from listing_kinds k where merchant_id = $1 and exists (select from listings l where l.merchant_id = $1 and l.kind = k.kind) order by resource, kind`,
    [merchant_id],
  )),
]

/** Payments, refunds and customers of many kinds, with all that a listing holds. */
async function busyShop(): Promise<Shop> {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ customer_id: 'cus_ida', merchant_order_reference_id: 'order-é "7"' })
  await shop.refund(payment_id, 300)
  await shop.tryToPay({ card: cards.declines, currency: 'EUR' })
  await shop.create({ payment_method: undefined, payment_method_data: undefined })
  await shop.cancel((await shop.hold()).payment_id)
  const customer_acceptance = { acceptance_type: 'offline' }
  await shop.pay({ customer_id: 'cus_ida', setup_future_usage: 'off_session', customer_acceptance })
  const { body } = await shop.call('GET', '/customers/cus_ida/payment_methods')
  const { payment_method_data: _new, ...by } = shop.payBody({ customer_id: 'cus_ida' })
  equal(
    (await shop.post('/payments', { ...by, payment_token: body.customer_payment_methods[0].payment_token, card_cvc: '737' })).status,
    200,
  )
  equal((await shop.post('/customers', { email: 'ida@example.com', phone: '+1 202 555 0143' })).status, 200)
  await shop.post('/customers', { customer_id: 'cus_gone', email: 'gone@example.com' })
  equal((await shop.call('DELETE', '/customers/cus_gone')).status, 200)
  return shop
}

test('what was there before there were lists is listed by the migrations as if it had been written with it, and once', async () => {
  const shop = await busyShop()
  const before = await listed(shop)
  ok(before.length > 10)
  ok(before.some(({ facets }) => facets?.card_discovery === 'saved_card'))
  equal(backfills.length, 4)
  await shop.query('delete from listings where merchant_id = $1', [shop.merchant_id])
  await shop.query('delete from listing_kinds where merchant_id = $1', [shop.merchant_id])
  for (const _twice of [1, 2]) {
    for (const backfill of backfills) await shop.query(backfill)
    deepEqual(await listed(shop), before)
  }
})

test('a payment that lost its listing is listed again by the last of them, and one that is still under way is not', async () => {
  const shop = await busyShop()
  const before = await listed(shop)
  await shop.query(
    `insert into payments select (p).* from (select jsonb_populate_record(p, '{"payment_id": "pay_begun", "version": 1, "status": "processing", "client_secret": "pay_begun_secret"}') as p
      from payments p where merchant_id = $1 limit 1) p`,
    [shop.merchant_id],
  )
  await shop.query("delete from listings where merchant_id = $1 and object_id like 'pay%'", [shop.merchant_id])
  await shop.query(backfills.at(-1)!)
  deepEqual(await listed(shop), before)
})

test('what the release before writes is listed too, wherever it moves', async () => {
  const shop = await busyShop()
  const before = await listed(shop)
  const mine = 'where merchant_id = $1'
  await shop.query(`update payments set modified_at = modified_at ${mine}`, [shop.merchant_id])
  await shop.query(`update refunds set updated_at = updated_at ${mine}`, [shop.merchant_id])
  await shop.query(`update customers set email_digest = email_digest, redacted_at = redacted_at ${mine}`, [shop.merchant_id])
  deepEqual(await listed(shop), before)
  await shop.query(`update payments set status = 'review' ${mine} and status = 'cancelled'`, [shop.merchant_id])
  const { data } = (await shop.post('/payments/list', { status: ['review', 'cancelled'] })).body
  deepEqual(
    data.map((payment: Body) => payment.status),
    ['review'],
  )
  const customers = async () => (await shop.call('GET', '/customers/list')).body.map((one: Body) => one.customer_id).sort()
  const there = await customers()
  await shop.query(
    `insert into customers select merchant_id, 'cus_other', version, personal, null, null, null, null, created_at, modified_at from customers ${mine} limit 1`,
    [shop.merchant_id],
  )
  await shop.query(`update customers set redacted_at = created_at ${mine} and customer_id = $2`, [shop.merchant_id, there[0]])
  // Whatever is sealed is bound to its customer: this one is only looked for among the listings.
  equal((await shop.query(`select from listings ${mine} and object_id = 'cus_other'`, [shop.merchant_id])).length, 1)
  await shop.query(`delete from customers ${mine} and customer_id = 'cus_other'`, [shop.merchant_id])
  await shop.query(`delete from listings ${mine} and object_id = 'cus_other'`, [shop.merchant_id])
  deepEqual(await customers(), there.slice(1))
})

test('a listing says of each object what its row says, however often it moved', async () => {
  const shop = await busyShop()
  const rows = await shop.query(
    `select p.status::text, k.facets, l.kind from payments p join listings l on l.merchant_id = p.merchant_id and l.object_id = p.payment_id and l.created = p.created
       join listing_kinds k on k.merchant_id = l.merchant_id and k.kind = l.kind where p.merchant_id = $1`,
    [shop.merchant_id],
  )
  const [{ n }] = (await shop.query('select count(*)::int as n from payments where merchant_id = $1', [shop.merchant_id])) as [Body]
  equal(rows.length, n)
  for (const { status, facets } of rows) equal(facets.status, status)
})

test('the number of a kind never changes: it is made of its words', () => {
  deepEqual([kindOf('payment'), kindOf('payment\u001fstatus=succeeded')], [71467543977280, 3069900825887695])
})
