// Alone: it has a connector of its own, which services know that start later.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from '../../test/fast-check.ts'
import { keepsNames } from '../../test/named.ts'
import { orderpay } from '../../test/orderpay.ts'
import { openOrderpay } from '../../test/orderpay-server.ts'
import { notSent, rehearse, replied, silence } from '../../test/rehearse.ts'
import { ADMIN_KEY, http, openPlace, openShop, type PayAsk } from '../../test/shop.ts'
import type { Merchant } from '../accounts/merchant.ts'
import { Secret } from '../base/secret.ts'
import type { Outcome } from '../connectors/connector.ts'
import { Unscreened } from '../connectors/redaction/card-numbers.ts'
import type { Context } from '../context.ts'
import { findOperation } from './operation.ts'
import { receiveOutcome } from './sync.ts'

/**
 * The point at which a test stops the service: just before a request leaves or a change is written, selected by
 * `where`.
 */
type AttemptResult = { where: (what: string) => boolean; meets: () => Promise<'go on' | 'died'> }
let stop: AttemptResult | null = null

async function passes(what: string): Promise<'go on' | 'died'> {
  if (!stop?.where(what)) return 'go on'
  const { meets } = stop
  stop = null
  return meets()
}

const withStops = (context: Context): Context => ({
  ...context,
  async send(request, sender) {
    const died = (await passes(`${request.method} ${new URL(request.url).pathname}`)) === 'died'
    return died ? { is: 'silence', why: 'nobody was there any more' } : context.send(request, sender)
  },
  async commit(change) {
    await passes(change.event.type)
    return context.commit(change)
  },
})

const processors: Awaited<ReturnType<typeof openOrderpay>>[] = []
after(() => Promise.all(processors.map(processor => processor.close())))

/** Opens a shop whose payments use orders: at a processor that can be queried only by its own id. */
async function openOrderShop(credentials = { client_id: 'shop', client_secret: 'good' }) {
  await openPlace({}, withStops)
  const shop = await openShop()
  const processor = await openOrderpay()
  processors.push(processor)
  const { status, body } = await http(
    'POST',
    `${shop.url}/account/${shop.merchant_id}/connectors`,
    {
      connector_type: 'payment_processor',
      connector_name: 'orderpay',
      connector_account_details: { auth_type: 'BodyKey', ...credentials },
      metadata: { base_url: processor.url },
    },
    { 'api-key': ADMIN_KEY },
  )
  equal(status, 200, JSON.stringify(body))
  const pay = (ask: PayAsk = {}) => shop.pay({ connector: ['orderpay'], ...ask })
  const row = async (payment_id: string) =>
    (await shop.query('select state, reference from processor_operations where object_id = $1', [payment_id]))[0]
  return { ...shop, pay, row, orderpay: processor, mca: body.merchant_connector_id as string }
}

const PAID = ['POST /orders', 'POST /orders/:id/confirm']

test('an order is created and confirmed, and its reference is stored before the confirm is sent', async () => {
  const shop = await openOrderShop()
  let written: unknown
  stop = {
    where: what => what.endsWith('/confirm'),
    async meets() {
      written = (await shop.query('select state, reference from processor_operations where merchant_id = $1', [shop.merchant_id]))[0]
      return 'go on'
    },
  }
  const payment = await shop.pay()
  deepEqual([payment.status, payment.connector_transaction_id], ['succeeded', 'ord_1'])
  deepEqual(written, { state: 'open', reference: 'ord_1' })
  deepEqual(shop.orderpay.requests(), ['POST /token', ...PAID])
})

test('after a lost response to the confirm the order is polled, and the charge is found', async () => {
  const shop = await openOrderShop()
  shop.orderpay.hangUp('/orders/:id/confirm', 'after')
  const payment = await shop.pay()
  deepEqual([payment.status, payment.connector_transaction_id], ['processing', 'ord_1'])
  deepEqual(await shop.row(payment.payment_id), { state: 'unknown', reference: 'ord_1' })
  await shop.wait('5 seconds')
  deepEqual((await shop.get(payment.payment_id)).status, 'succeeded')
  equal(shop.orderpay.orders().length, 1)
})

test('a payment whose confirm never reached the processor fails once the request can no longer be in flight', async () => {
  const shop = await openOrderShop()
  shop.orderpay.hangUp('/orders/:id/confirm', 'before')
  const { payment_id } = await shop.pay()
  await shop.wait('60 seconds')
  equal((await shop.get(payment_id)).status, 'processing')
  await shop.wait('2 minutes')
  deepEqual([(await shop.get(payment_id)).status, await shop.row(payment_id)], ['failed', { state: 'not_received', reference: 'ord_1' }])
})

test('a payment whose order creation got no response fails, and nothing was confirmed', async () => {
  const shop = await openOrderShop()
  shop.orderpay.hangUp('/orders', 'after')
  const { payment_id } = await shop.pay()
  await shop.wait('2 minutes')
  deepEqual([(await shop.get(payment_id)).status, await shop.row(payment_id)], ['failed', { state: 'not_received', reference: null }])
  deepEqual(
    shop.orderpay.orders().map(order => order.status),
    ['created'],
  )
})

for (const [when, confirmed, status] of [
  ['before the confirm', false, 'failed'],
  ['after the confirm', true, 'succeeded'],
] as const) {
  test(`when the process crashes ${when}, a poll with the stored reference settles the payment`, async () => {
    const shop = await openOrderShop()
    const { payment_id } = await shop.create({ connector: ['orderpay'] })
    const dying = Promise.withResolvers<void>()
    const buried = Promise.withResolvers<void>()
    // The stop is just before the confirmation leaves, or before the change is written that would have settled its
    // answer.
    stop = {
      where: what => (confirmed ? what === 'captured' : what.endsWith('/confirm')),
      async meets() {
        dying.resolve()
        await buried.promise
        return 'died'
      },
    }
    const dead = shop.confirm(payment_id)
    await dying.promise
    deepEqual(await shop.row(payment_id), { state: 'open', reference: 'ord_1' })
    await shop.wait('2 minutes')
    equal((await shop.get(payment_id)).status, status)
    const settled = await shop.row(payment_id)
    buried.resolve()
    await dead
    deepEqual([(await shop.get(payment_id)).status, await shop.row(payment_id)], [status, settled])
  })
}

test('nothing more is sent for an operation that ends while its reference is being stored', async () => {
  const shop = await openOrderShop()
  const { payment_id } = await shop.create({ connector: ['orderpay'] })
  stop = {
    where: what => what === 'authorize_open',
    async meets() {
      const owner = { merchant_id: shop.merchant_id, kind: 'payment', object_id: payment_id }
      const { context, services } = shop.service
      const call = { context, services, merchant: { merchant_id: shop.merchant_id } as Merchant }
      await receiveOutcome(call, (await findOperation(context, owner, 1))!, new Unscreened<Outcome>({ is: 'not_found' }))
      return 'go on'
    },
  }
  const { body } = await shop.confirm(payment_id)
  equal(body.status, 'failed')
  deepEqual(shop.orderpay.requests(), ['POST /token', 'POST /orders'])
})

test('when the database refuses to store the reference, nothing more is sent, and the reference is stored later', async () => {
  const shop = await openOrderShop()
  let refusals = 0
  const refuse = async () => {
    if (++refusals < 4) stop = { where: what => what === 'authorize_open', meets: refuse }
    throw new Error('refused')
  }
  stop = { where: what => what === 'authorize_open', meets: refuse }
  const payment = await shop.pay()
  equal(refusals, 4)
  deepEqual([payment.status, await shop.row(payment.payment_id)], ['processing', { state: 'unknown', reference: 'ord_1' }])
  deepEqual(shop.orderpay.requests(), ['POST /token', 'POST /orders'])
})

test('an access token is shared by concurrent payments and reused until it expires', async () => {
  const shop = await openOrderShop()
  shop.orderpay.tokensLive(600)
  await Promise.all([shop.pay(), shop.pay(), shop.pay()])
  const count = () => shop.orderpay.requests().filter(what => what === 'POST /token').length
  equal(count(), 1)
  await shop.wait('8 minutes')
  await shop.pay()
  equal(count(), 0)
  await shop.wait('2 minutes')
  await shop.pay()
  equal(count(), 1)
  deepEqual(
    shop.logs.filter(line => line.includes('orderpay_token')),
    [],
  )
})

test('an access token that the processor rejects is renewed once, and nothing is charged twice', async () => {
  const shop = await openOrderShop()
  await shop.pay()
  shop.orderpay.revokeTokens()
  shop.orderpay.requests()
  equal((await shop.pay()).status, 'succeeded')
  deepEqual(shop.orderpay.requests(), ['POST /orders', 'POST /token', ...PAID])
  equal(shop.orderpay.orders().length, 2)
})

test('a payment fails without being sent when the credentials of the account get no access token', async () => {
  const shop = await openOrderShop({ client_id: 'shop', client_secret: 'bad' })
  const payment = await shop.pay()
  deepEqual([payment.status, payment.error_code], ['failed', 'not_sent'])
  deepEqual(shop.orderpay.requests(), ['POST /token'])
})

test('a webhook with only an order reference is verified with the processor, and then the order is polled', async () => {
  const shop = await openOrderShop()
  shop.orderpay.hangUp('/orders/:id/confirm', 'after')
  const { payment_id } = await shop.pay()
  shop.orderpay.soundAgain()
  const deliver = async (event: string) => {
    const answer = await fetch(`${shop.url}/webhooks/${shop.merchant_id}/${shop.mca}`, { method: 'POST', body: event })
    return answer.status
  }
  equal(await deliver('{"order":"ord_1"}'), 401)
  equal(await shop.service.tick(), 0)
  const event = shop.orderpay.announces('ord_1')
  equal(await deliver(event), 200)
  equal(await shop.service.tick(), 1)
  equal((await shop.get(payment_id)).status, 'succeeded')
  // The same event again, and one about an order that belongs to no payment.
  equal(await deliver(event), 200)
  equal(await deliver(shop.orderpay.announces('ord_99')), 200)
  // A processor that does not answer has not verified the event.
  shop.orderpay.hangUp('/verify', 'before')
  equal(await deliver(event), 401)
})

test('when two payments have the same processor reference, a webhook polls both', async () => {
  const shop = await openOrderShop()
  shop.orderpay.hangUp('/orders/:id/confirm', 'after')
  const one = await shop.pay()
  const other = await shop.pay()
  await shop.query(
    `insert into operation_references select merchant_id, merchant_connector_id, 'ord_1', kind, $2, n from operation_references where object_id = $1`,
    [one.payment_id, other.payment_id],
  )
  const event = shop.orderpay.announces('ord_1')
  await fetch(`${shop.url}/webhooks/${shop.merchant_id}/${shop.mca}`, { method: 'POST', body: event })
  equal(await shop.service.tick(), 2)
  deepEqual([(await shop.get(one.payment_id)).status, (await shop.get(other.payment_id)).status], ['succeeded', 'succeeded'])
})

test('references are indexed only for processors whose webhooks contain no other id', async () => {
  const shop = await openOrderShop()
  const { payment_id } = await shop.pay()
  await shop.hold({ connector: ['phonypay'] })
  const names = 'select reference, object_id, n from operation_references where merchant_id = $1'
  deepEqual(await shop.query(names, [shop.merchant_id]), [{ reference: 'ord_1', object_id: payment_id, n: 1 }])
})

test('after seven days without a result the order reference is still stored, and a sync finds the charge', async () => {
  const shop = await openOrderShop()
  shop.orderpay.hangUp('/orders/:id/confirm', 'after')
  shop.orderpay.hangUp('/orders/:id', 'before')
  const { payment_id } = await shop.pay()
  await shop.wait('7 days')
  await shop.wait('1 hour')
  deepEqual(
    [(await shop.get(payment_id)).status, await shop.row(payment_id)],
    ['requires_merchant_action', { state: 'unresolved', reference: 'ord_1' }],
  )
  shop.orderpay.soundAgain()
  equal((await shop.sync(payment_id)).status, 'succeeded')
})

test('a refund at a connector without refunds is refused', async () => {
  const shop = await openOrderShop()
  const { payment_id } = await shop.pay()
  const { status, body } = await shop.refund(payment_id, 100)
  deepEqual([status, body.error.code], [400, 'IR_20'])
})

const account = {
  base_url: 'https://orders.example',
  credentials: { client_id: new Secret('shop'), client_secret: new Secret('good') },
  webhook_secret: null,
  metadata: {},
}
const order = { id: 'ord_1', status: 'created', amount: 1250, currency: 'USD' }
const authorize = () =>
  orderpay.authorize(
    {
      request_id: 'REQ1',
      money: { amount: 1250, currency: 'USD' },
      capture: 'automatic',
      instrument: { is: 'card', number: new Secret('4929123412341234'), exp_month: 12, exp_year: 2040, cvc: null, holder: null },
      three_ds: 'skip',
      return_url: 'https://shop.example',
      merchant_name: 'Shop',
      partial_approval: 'refuse',
      statement_descriptor: null,
      stored_credential: null,
    },
    account,
  )

test('a rehearsed authorization lists where it stores the reference and where it needs an access token', () => {
  const { lines, outcome } = rehearse(authorize(), [replied(200, order), replied(401, {}), replied(200, { ...order, status: 'completed' })])
  deepEqual(lines, [
    'a token',
    'POST https://orders.example/orders',
    { note: 'ord_1' },
    'a token',
    'POST https://orders.example/orders/ord_1/confirm',
    'a token',
    'POST https://orders.example/orders/ord_1/confirm',
  ])
  ok(outcome.is === 'done')
})

test('in a rehearsal a stored reference is kept for any sequence of responses', async () => {
  const bodies = fc.oneof(
    fc.constantFrom(...['created', 'completed', 'declined'].map(status => ({ ...order, status }))),
    fc.string({ maxLength: 20 }),
  )
  const replies = fc.oneof(
    fc.constantFrom(silence, notSent),
    fc.tuple(fc.constantFrom(200, 200, 200, 401, 500), bodies).map(([status, body]) => replied(status, body)),
  )
  await keepsNames(orderpay, authorize, replies)
})
