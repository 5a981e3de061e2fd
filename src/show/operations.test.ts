import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { succeed } from '../../test/merchant.ts'
import { openPayoutShop } from '../../test/payout-shop.ts'
import { areTheSame, isRefused } from '../../test/refused.ts'
import { type Body, cards, http, openShop, type Shop } from '../../test/shop.ts'

const operationsOf = async (shop: Pick<Shop, 'call'>, path: string): Promise<Body[]> => {
  const { size, data } = await succeed(shop.call('GET', `${path}/operations`))
  equal(size, data.length)
  return data
}

test('each request to a processor is listed with its account, result, caller and times', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.hold({ amount: 1000 })
  await shop.capture(payment_id)
  const { body: refund } = await shop.refund(payment_id, 400)
  await shop.service.tick()
  const [authorize, capture, refunded] = await operationsOf(shop, `/payments/${payment_id}`)
  const { connector_label, connector_name } = await succeed(
    shop.call('GET', `/account/${shop.merchant_id}/connectors/${shop.merchant_connector_id}`),
  )
  deepEqual(
    [authorize, capture, refunded].map(one => [one!.n, one!.verb, one!.amount, one!.currency, one!.state, one!.refund_id, one!.acts_on]),
    [
      [1, 'authorize', 1000, 'USD', 'done', null, null],
      [2, 'capture', 1000, 'USD', 'done', null, 1],
      [3, 'refund', 400, 'USD', 'done', refund.refund_id, 1],
    ],
  )
  for (const one of [authorize!, capture!, refunded!]) {
    deepEqual(
      [one.connector, one.merchant_connector_id, one.connector_label],
      [connector_name, shop.merchant_connector_id, connector_label],
    )
    deepEqual([one.asked, one.ask_at, one.why, one.error_code, one.purpose], [0, null, null, null, 'merchant'])
    ok(one.reference !== null && one.latency_ms >= 0)
    equal(Date.parse(one.heard_at) - Date.parse(one.sent_at), one.latency_ms)
    ok(one.by.startsWith('secret_key '), one.by)
    const { object_id, method } = await succeed(shop.call('GET', `/logs/${one.log_id}`))
    deepEqual([object_id, method], [payment_id, 'POST'])
  }
  deepEqual(
    [authorize!.version, capture!.version, refunded!.version],
    (await shop.events(payment_id)).filter(({ type }) => /sent|created/.test(type)).map(({ version }) => version),
  )
})

test('an operation without a response from the processor is unknown, and shows the time of the next poll', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay({ amount: 1000 })
  await shop.processor.fault('refund', 'hang_after')
  await shop.refund(payment_id, 300)
  const [, silent] = await operationsOf(shop, `/payments/${payment_id}`)
  deepEqual([silent!.verb, silent!.state, silent!.heard_at, silent!.asked], ['refund', 'unknown', null, 0])
  ok(silent!.why.length > 0 && silent!.latency_ms !== null)
  equal(Date.parse(silent!.ask_at) - Date.parse(silent!.sent_at), 5000)
  await shop.wait('2 minutes')
  const [, answered] = await operationsOf(shop, `/payments/${payment_id}`)
  deepEqual([answered!.state, answered!.ask_at, answered!.why, answered!.latency_ms], ['done', null, null, silent!.latency_ms])
  ok(answered!.asked > 0 && Date.parse(answered!.heard_at) > Date.parse(answered!.sent_at) + answered!.latency_ms)
})

test('an attempt shows its account, state and latency, and a declined operation shows the reason', async () => {
  const shop = await openShop()
  const { payment_id } = (await shop.tryToPay({ card: cards.declines })).body
  const [operation] = await operationsOf(shop, `/payments/${payment_id}`)
  const { attempts } = await shop.get(payment_id, '?expand_attempts=true')
  deepEqual(
    [attempts[0].merchant_connector_id, attempts[0].connector_label, attempts[0].state, attempts[0].latency_ms],
    [operation!.merchant_connector_id, operation!.connector_label, 'declined', operation!.latency_ms],
  )
  deepEqual([operation!.state, operation!.error_code, operation!.why], ['declined', attempts[0].error_code, attempts[0].error_message])
})

test('an unconfirmed payment has no operations, and another merchant’s payment gets the same 404 as a missing one', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.create()
  deepEqual(await operationsOf(shop, `/payments/${payment_id}`), [])
  const other = await openShop()
  const path = `/payments/${payment_id}/operations`
  const foreign = await other.call('GET', path)
  isRefused(foreign, 404, 'HE_02')
  areTheSame(foreign, await other.call('GET', '/payments/pay_none/operations'))
  isRefused(await http('GET', shop.url + path, undefined, { 'api-key': shop.publishable_key }), 403, 'IR_22')
})

test('the operations of a payout are listed in the same form, and other merchants cannot read them', async () => {
  const shop = await openPayoutShop()
  const { payout_id } = await shop.payOut()
  const [operation] = await operationsOf(shop, `/payouts/${payout_id}`)
  deepEqual([operation!.verb, operation!.state, operation!.amount, operation!.currency], ['payout', 'done', 9900, 'EUR'])
  ok(operation!.latency_ms >= 0 && operation!.by.startsWith('secret_key '))
  const path = `/payouts/${payout_id}/operations`
  isRefused(await (await openShop()).call('GET', path), 404, 'HE_02')
  isRefused(await http('GET', shop.url + path, undefined, { 'api-key': shop.publishable_key }), 403, 'IR_22')
})
