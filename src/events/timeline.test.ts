import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { addAccount, succeed } from '../../test/merchant.ts'
import { openReceiver } from '../../test/receiver.ts'
import { areTheSame, isRefused } from '../../test/refused.ts'
import { secondAccount } from '../../test/retried.ts'
import { type Body, cards, http, openShop, type Shop } from '../../test/shop.ts'
import { timelineKinds } from './timeline.ts'

const timelineOf = async (shop: Shop, payment_id: string): Promise<Body[]> => {
  const { size, data } = await succeed(shop.call('GET', `/payments/${payment_id}/timeline`))
  equal(size, data.length)
  return data
}

const summaryOf = ({ kind, ...line }: Body): string =>
  [kind, line.route ?? line.verb ?? line.event_type ?? line.type, line.state ?? line.status].filter(Boolean).join(' ')

test('the timeline of a payment lists requests, routing, attempts, events, deliveries and ledger postings in order', async () => {
  const receiver = await openReceiver()
  const shop = await openShop({ webhooks: 'on', account: { webhook_details: { webhook_url: receiver.url } } })
  const second = await secondAccount(shop)
  // An account that accepts no cards is passed over, and the routing decision says so.
  const aside = await addAccount(shop, 'phonypay', {
    connector_type: 'payment_processor',
    connector_label: 'no cards',
    payment_methods_enabled: [{ payment_method: 'wallet', payment_method_types: [{ payment_method_type: 'paypal' }] }],
  })
  await shop.profile({ is_auto_retries_enabled: true })
  await shop.processor.fault('authorize', 'decline')
  const { payment_id } = await shop.pay({ capture_method: 'manual', card: cards.refundsLater })
  isRefused(await shop.post(`/payments/${payment_id}/release`, {}), 400, 'IR_16')
  await shop.capture(payment_id)
  const { body: refund } = await shop.refund(payment_id, 500)
  await second.processor.advance(120)
  await shop.wait('2 minutes')
  const lines = await timelineOf(shop, payment_id)

  const withoutDeliveries = lines.filter(({ kind }) => kind !== 'delivery')
  deepEqual(withoutDeliveries.map(summaryOf), [
    'request /payments 200',
    'decision',
    'attempt authorize open',
    'change created',
    'attempt authorize declined',
    'attempt authorize open',
    'change authorize_declined',
    'attempt authorize done',
    'event payment_authorized',
    'request /payments/{payment_id}/release 400',
    'request /payments/{payment_id}/capture 200',
    'operation capture open',
    'change capture_sent',
    'operation capture done',
    'event payment_succeeded',
    'ledger captured',
    'request /refunds 200',
    'operation refund open',
    'change refund_sent',
    'operation refund waiting',
    'change refund_waiting',
    'operation refund done',
    'event refund_succeeded',
    'ledger refund_done',
  ])
  const times = lines.map(({ at }) => at)
  deepEqual(times, times.toSorted())
  equal(new Set(lines.map(line => line.kind)).size >= timelineKinds.length - 1, true)

  const [decision] = lines.filter(({ kind }) => kind === 'decision')
  deepEqual(
    decision!.routing.connectors.map((one: Body) => one.merchant_connector_id),
    [shop.merchant_connector_id, second.merchant_connector_id],
  )
  const [left] = decision!.routing.left_out
  deepEqual([left.merchant_connector_id, left.reason], [aside.merchant_connector_id, 'payment_methods_enabled'])
  ok(left.message.includes('card'), left.message)

  // The id of each line opens the object of the line.
  for (const line of lines) {
    if (line.kind === 'request') equal((await succeed(shop.call('GET', `/logs/${line.id}`))).object_id, payment_id)
    if (line.kind === 'event') equal((await succeed(shop.call('GET', `/events/${line.id}`))).event_type, line.event_type)
    if (line.kind === 'delivery') {
      deepEqual([line.status, line.status_code, line.tries], ['delivered', 200, 1])
      ok(lines.some(({ kind, id }) => kind === 'event' && id === line.event_id))
    }
    if (line.kind === 'ledger') {
      const { data } = await succeed(shop.call('GET', `/ledger/entries?object_id=${payment_id}`))
      deepEqual(data.find((entry: Body) => entry.entry_id === line.id).lines, line.lines)
    }
  }
  const { data: operations } = await succeed(shop.call('GET', `/payments/${payment_id}/operations`))
  deepEqual(
    [...new Set(lines.filter(({ kind }) => kind === 'attempt' || kind === 'operation').map(({ id }) => id))],
    operations.map(({ request_id }: Body) => request_id),
  )
  equal(lines.filter(({ refund_id }) => refund_id === refund.refund_id).length > 0, true)
  equal(lines.filter(({ kind }) => kind === 'delivery').length, lines.filter(({ kind }) => kind === 'event').length)
})

test('the timeline has a line for a processor webhook that changed the payment, and for an event that is not delivered yet', async () => {
  const receiver = await openReceiver()
  receiver.answers({ status: 503 })
  const shop = await openShop({ webhooks: 'on', account: { webhook_details: { webhook_url: receiver.url } } })
  const { payment_id } = (await shop.tryToPay({ card: cards.approvesLater })).body
  const [{ id }] = (await shop.processor.operations()) as [Body]
  await shop.processor.decide(id, 'approved')
  await shop.processor.flushWebhooks()
  const before = await timelineOf(shop, payment_id)
  const webhook = before.find(({ kind }) => kind === 'webhook')
  deepEqual([webhook!.id, webhook!.type], [shop.merchant_connector_id, 'captured'])
  const at = (kind: string) => before.findIndex(one => one.kind === kind && one.version === webhook!.version)
  ok(at('attempt') < at('webhook') && at('webhook') < at('event') && at('event') < at('ledger'))
  await shop.wait('1 second')
  const deliveries = (await timelineOf(shop, payment_id)).filter(({ kind }) => kind === 'delivery')
  // Only the first of an object's events is due; the next one waits behind it.
  deepEqual(deliveries.map(one => [one.status, one.status_code, one.tries]).sort(), [
    ['pending', null, 0],
    ['pending', 503, 1],
  ])
})

test('the timeline of a payment of another merchant is not found, and a publishable key is refused', async () => {
  const shop = await openShop()
  const { payment_id } = await shop.pay()
  const other = await openShop()
  const path = `/payments/${payment_id}/timeline`
  const foreign = await other.call('GET', path)
  isRefused(foreign, 404, 'HE_02')
  areTheSame(foreign, await other.call('GET', '/payments/pay_none/timeline'))
  isRefused(await http('GET', shop.url + path, undefined, { 'api-key': shop.publishable_key }), 403, 'IR_22')
})
