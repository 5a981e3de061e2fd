import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { type Body, cards, openShop, type Shop } from '../../test/shop.ts'
import { payments } from '../payments/payment.ts'
import { kindOf, listedText, rowKind } from './listing-kinds.ts'
import { exampleOf } from './table.ts'

/** Opens a shop with payments, refunds and customers of many kinds, with all members that a listing has. */
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

test('each payment has one listing with its current status, after any number of changes', async () => {
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

test('the number of a listing kind is a fixed hash of its text', () => {
  deepEqual([kindOf('payment'), kindOf('payment\u001fstatus=succeeded')], [71467543977280, 3069900825887695])
})

test('the cached kind of a row equals the kind of its text, also with a missing value', () => {
  const listing = payments.listed!
  const rows = [{}, { currency: 'EUR' }, { connector: 'phonypay' }, { connector: null }, {}].map(more => exampleOf(payments, more as Body))
  deepEqual(
    rows.map(row => rowKind(listing, row)),
    rows.map(row => kindOf(listedText(listing, row))),
  )
})
