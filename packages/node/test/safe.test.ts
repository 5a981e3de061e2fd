import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { card, cards, openShop } from '../../../test/shop.ts'
import {
  AuthenticationError,
  ConnectionError,
  createClient,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
  TimeoutError,
} from '../src/index.ts'
import { payThroughFaults } from './charges.ts'
import { type Fault, openFaultyNetwork } from './faulty.ts'

const sale = { amount: 1250, currency: 'EUR', confirm: true, payment_method: 'card', payment_method_data: card() } as const

/** A shop behind a network that does these things one after the other, and then nothing. */
async function behind(...faults: Fault[]) {
  const shop = await openShop()
  const network = await openFaultyNetwork(shop.url, () => faults.shift() ?? null)
  const { options, pauses } = network.clientOf('client', shop.api_key)
  return { shop, network, pauses, client: createClient(options) }
}

test('eighty payments through a faulty network result in exactly eighty charges', async () => {
  await payThroughFaults(await openShop(), 80, 4)
})

test('all attempts of a payment use one Idempotency-Key, and another payment uses another', async () => {
  const { client, network, shop } = await behind('reset after', 'hang after', '503', 'half a body')
  await client.payments.create(sale)
  await client.payments.create(sale)
  equal(network.keys.length, 6)
  equal(new Set(network.keys.slice(0, 5)).size, 1)
  equal(new Set(network.keys).size, 2)
  equal((await shop.processor.charges()).length, 2)
})

test('two requests with the same idempotency key of the merchant are one payment, charged once', async () => {
  const { client, shop } = await behind()
  const [one, two] = [
    await client.payments.create(sale, { idempotencyKey: 'order-1' }),
    await client.payments.create(sale, { idempotencyKey: 'order-1' }),
  ]
  equal(one.payment_id, two.payment_id)
  equal((await shop.processor.charges()).length, 1)
})

test('pauses between retries grow, are jittered, and respect the Retry-After of the service', async () => {
  const { client, pauses } = await behind('reset before', 'reset before', '503', 'reset before')
  await client.payments.create(sale)
  equal(pauses.length, 4)
  ok(pauses[0]! >= 125 && pauses[0]! <= 250, String(pauses[0]))
  ok(pauses[1]! >= 250 && pauses[1]! <= 500, String(pauses[1]))
  ok(pauses[2]! >= 1000 && pauses[2]! <= 1500, String(pauses[2]))
  ok(pauses[3]! >= 1000 && pauses[3]! <= 2000, String(pauses[3]))
})

test('when no response arrives, the error contains the idempotency key for a safe retry', async () => {
  const { client, shop } = await behind('reset after', 'reset after', 'reset after', 'reset after', 'hang after')
  const error = await client.payments.create(sale).then(
    () => null,
    error => error,
  )
  ok(error instanceof TimeoutError && error instanceof ConnectionError)
  ok(/not known whether it was done/.test(error.message), error.message)
  const payment = await client.payments.create(sale, { idempotencyKey: error.idempotencyKey! })
  equal(payment.status, 'succeeded')
  equal((await shop.processor.charges()).length, 1)
})

test('a declined payment is returned without an error, and a refused request is sent once', async () => {
  const { client, network } = await behind()
  const declined = await client.payments.create({ ...sale, payment_method_data: card(cards.declines) })
  equal(declined.status, 'failed')
  ok(declined.error_code)
  const refused = await client.payments.create({ ...sale, amount: -1 }).catch(error => error)
  ok(refused instanceof InvalidRequestError)
  equal(refused.type, 'invalid_request')
  ok(refused.code.startsWith('IR_') && refused.message !== '' && refused.help !== '' && refused.requestId)
  await rejects(client.payments.retrieve('pay_of_another'), NotFoundError)
  equal(network.keys.length, 3)
})

test('a wrong API key throws AuthenticationError, and 429 responses throw RateLimitError after all retries', async () => {
  const { shop, network } = await behind('429', '429', '429')
  const { options } = network.clientOf('other', shop.api_key)
  await rejects(createClient({ ...options, retries: 2 }).payments.list(), RateLimitError)
  await rejects(createClient({ ...options, apiKey: 'snd_wrong' }).payments.list(), AuthenticationError)
})

test('a write without an Idempotency-Key is not retried when it may have been executed', async () => {
  const { client, network } = await behind('reset after')
  await rejects(client.routing.updateElimination('m', 'p', 'a', {} as never), ConnectionError)
  equal(network.keys.length, 1)
})

test('a search has no Idempotency-Key, and is asked again after a fault', async () => {
  const { client, network } = await behind('reset after', '503')
  equal((await client.payments.search({})).count, 0)
  deepEqual(network.keys, [undefined, undefined, undefined])
})

test('an aborted call throws at once and sends no request', async () => {
  const { client, network } = await behind()
  await rejects(client.payments.create(sale, { signal: AbortSignal.abort(new Error('the customer left')) }), /the customer left/)
  equal(network.keys.length, 0)
})

test('a list returns one page when awaited, and all items of all pages when iterated', async () => {
  const { client } = await behind()
  const made: string[] = []
  for (let i = 0; i < 5; i++) made.unshift((await client.payments.create({ amount: 100 + i, currency: 'USD' })).payment_id)
  const page = await client.payments.list({ limit: 2 })
  deepEqual(
    page.data.map(one => one.payment_id),
    made.slice(0, 2),
  )
  const all: string[] = []
  for await (const payment of client.payments.list({ limit: 2 })) all.push(payment.payment_id)
  deepEqual(all, made)
  const history: number[] = []
  await client.payments.cancel(made[0]!)
  for await (const event of client.events.list({ object_id: made[0]!, limit: 1 })) history.push(event.version)
  deepEqual(history, [1, 2])
})

test('an id cannot change the path of a request', async () => {
  const { client } = await behind()
  await rejects(client.payments.retrieve('../accounts/x'), NotFoundError)
  for (const id of ['', '.', '..']) await rejects(async () => client.payments.retrieve(id), TypeError)
})

test('an authorization can be captured in part, refunded and cancelled with the client methods', async () => {
  const { client } = await behind()
  const hold = await client.payments.create({ ...sale, capture_method: 'manual' })
  equal(hold.status, 'requires_capture')
  equal((await client.payments.capture(hold.payment_id, { amount_to_capture: 1000 })).amount_received, 1000)
  equal((await client.refunds.create({ payment_id: hold.payment_id, amount: 300 })).status, 'succeeded')
  const other = await client.payments.create({ ...sale, capture_method: 'manual' })
  equal((await client.payments.cancel(other.payment_id)).status, 'cancelled')
})
