import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { disputed, openDisputedShop } from '../../test/disputes.ts'
import { succeed } from '../../test/merchant.ts'
import { isRefused } from '../../test/refused.ts'
import { type Body, cards, http, openShop, type Shop } from '../../test/shop.ts'

const find = async (shop: Shop, q: string, more = ''): Promise<Body[]> =>
  (await succeed(shop.call('GET', `/search?q=${encodeURIComponent(q)}${more}`))).data
const found = async (shop: Shop, q: string): Promise<string[][]> =>
  (await find(shop, q)).map(({ kind, id, matched }) => [kind, id, matched])

test('search finds an object by its id, by the id at the processor, and by the order reference, for its own merchant only', async () => {
  const shop = await openDisputedShop()
  const { payment, dispute_id, dispute, remote: processorDispute } = await disputed(shop)
  const paid = await shop.pay({ merchant_order_reference_id: 'order-77', amount: 1999 })
  const { body: refund } = await shop.refund(paid.payment_id, 300)
  const { connector_transaction_id, created } = await shop.get(paid.payment_id)
  deepEqual(await find(shop, paid.payment_id), [
    {
      kind: 'payment',
      id: paid.payment_id,
      label: 'order-77',
      status: 'succeeded',
      amount: 1999,
      currency: 'USD',
      created,
      matched: 'payment_id',
    },
  ])
  deepEqual(await found(shop, ` ${paid.payment_id}_1 `), [['payment', paid.payment_id, 'attempt_id']])
  deepEqual(await found(shop, refund.refund_id), [['refund', refund.refund_id, 'refund_id']])
  deepEqual(await found(shop, dispute_id), [['dispute', dispute_id, 'dispute_id']])
  deepEqual(await found(shop, shop.merchant_connector_id), [['connector_account', shop.merchant_connector_id, 'merchant_connector_id']])
  deepEqual(await found(shop, connector_transaction_id), [['payment', paid.payment_id, 'connector_transaction_id']])
  deepEqual(await found(shop, refund.connector_refund_id), [['refund', refund.refund_id, 'connector_refund_id']])
  equal(dispute.connector_dispute_id, processorDispute.id)
  deepEqual(await found(shop, processorDispute.id), [['dispute', dispute_id, 'connector_dispute_id']])
  deepEqual(await found(shop, 'order-77'), [['payment', paid.payment_id, 'merchant_order_reference_id']])
  const { data } = await succeed(shop.call('GET', `/events?object_id=${payment.payment_id}`))
  const { event_id } = data.find(({ event_type }: Body) => event_type === 'payment_succeeded')
  deepEqual(await found(shop, event_id), [['event', event_id, 'event_id']])
  deepEqual(await find(shop, 'nothing like it'), [])
  // Another merchant finds none of these objects.
  const other = await openShop()
  for (const q of [
    paid.payment_id,
    refund.refund_id,
    dispute_id,
    connector_transaction_id,
    processorDispute.id,
    'order-77',
    shop.merchant_connector_id,
  ])
    deepEqual(await find(other, q), [])
})

test('search finds a payment by customer email, request id, and last four digits with a date or an amount', async () => {
  const shop = await openShop()
  const { customer_id } = await succeed(shop.post('/customers', { email: 'ida@example.com', name: 'Ida' }))
  const hers = await shop.pay({ customer_id, amount: 1250 })
  shop.clock.ahead += 2000
  const declined = (await shop.tryToPay({ card: cards.declines, amount: 990 })).body
  const mine = await shop.call('GET', `/payments/${hers.payment_id}`, undefined, { 'x-request-id': 'till-9' })
  equal(mine.status, 200)
  await shop.service.tick()
  deepEqual(await found(shop, 'ida@example.com'), [
    ['payment', hers.payment_id, 'email'],
    ['customer', customer_id, 'email'],
  ])
  deepEqual(await found(shop, customer_id), [['customer', customer_id, 'customer_id']])
  ok(!JSON.stringify(await find(shop, 'ida@example.com')).includes('Ida'))
  const day = String(hers.created).slice(0, 10)
  deepEqual(await found(shop, `4242 ${day}`), [['payment', hers.payment_id, 'last4']])
  deepEqual(await found(shop, `${day} 0002`), [['payment', declined.payment_id, 'last4']])
  deepEqual(await found(shop, '4242 12.50'), [['payment', hers.payment_id, 'last4']])
  deepEqual(await found(shop, '4242 1250'), [['payment', hers.payment_id, 'last4']])
  for (const q of ['4242 9.90', '4242 2020-01-01', '4242 2020-99-99', '4242', '4242 4242 4242']) deepEqual(await find(shop, q), [], q)
  const [operation] = await shop.query('select request_id from processor_operations where merchant_id = $1 and object_id = $2', [
    shop.merchant_id,
    hers.payment_id,
  ])
  deepEqual(await found(shop, operation!.request_id), [['payment', hers.payment_id, 'request_id']])
  const [line] = (await shop.call('GET', `/logs?object_id=${declined.payment_id}`)).body.data
  deepEqual(await found(shop, line.request_id), [['request_log', line.log_id, 'request_id']])
  deepEqual(await found(shop, line.log_id), [['request_log', line.log_id, 'log_id']])
  equal((await found(shop, 'till-9')).length, 1)
  equal((await find(shop, 'ida@example.com', '&limit=1')).length, 1)
  isRefused(await shop.call('GET', '/search?q='), 400, 'IR_04', /q/)
  isRefused(await shop.call('GET', '/search'), 400, 'IR_04', /q/)
  isRefused(await shop.call('GET', '/search?q=a&limit=51'), 400, 'IR_16', /limit/)
  isRefused(await http('GET', `${shop.url}/search?q=a`, undefined, { 'api-key': shop.publishable_key }), 403, 'IR_22')
})
