import { deepEqual, equal, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlace, openShop } from '../../test/shop.ts'
import type { Addresses } from './addresses.ts'
import { operationNamed } from './endpoints.ts'
import { HttpExchange } from './http-exchange.ts'
import { claimKey, findMerchant, openObject, prepareCall, prepareContext, relocate } from './operation-steps.ts'
import {
  applyProfileHeader,
  authenticateCaller,
  authorizeCaller,
  checkIds,
  checkShapes,
  identifyCaller,
  readRequest,
} from './request-steps.ts'

/** The steps of a request, each alone: what it reads, what it sets, and what it refuses. */

type Ask = { path?: Record<string, string>; headers?: Record<string, string>; body?: unknown; url?: string }

const nothing = new Error('no such address')
const addresses = { nothingAt: () => nothing } as unknown as Addresses

/** Gives the exchange of a request to an operation, before its first step. */
async function asked(name: string, { path = {}, headers = {}, body, url = '/' }: Ask): Promise<HttpExchange> {
  const { service } = await openPlace()
  const endpoint = operationNamed(name)
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const all = { ...(bytes && { 'content-type': 'application/json' }), ...headers }
  const request = {
    params: path,
    query: {},
    headers: all,
    body: bytes,
    method: endpoint.method,
    url,
    ip: '203.0.113.7',
    id: 'req_1',
    noted: null,
  }
  const parts = { context: service.context, settings: service.settings, adminKey: 'admin_key_of_the_step', watch: { attempt() {} } }
  return new HttpExchange(parts as never, addresses, endpoint, request as never, {} as never)
}

test('an id that holds a card number names nothing, before any key is looked at', async () => {
  const numbered = await asked('retrievePayment', { path: { payment_id: '4242424242424242' } })
  throws(() => checkIds(numbered), nothing)
  equal(checkIds(await asked('retrievePayment', { path: { payment_id: 'pay_1' } })), undefined)
})

test('the key decides the merchant, and the members of the body are noted for the log', async () => {
  const shop = await openShop()
  const exchange = await asked('createRefund', { headers: { 'api-key': shop.api_key }, body: { payment_id: 'pay_1', amount: 100 } })
  await authenticateCaller(exchange)
  equal(exchange.noted.merchant_id, shop.merchant_id)
  await readRequest(exchange)
  deepEqual([exchange.body, exchange.noted.members], [{ payment_id: 'pay_1', amount: 100 }, ['payment_id', 'amount']])
  identifyCaller(exchange)
  equal(exchange.who.is, 'secret')
  checkShapes(exchange)
  equal(authorizeCaller(exchange), undefined, 'a key has no profiles to be limited to')
  prepareContext(exchange)
  equal(exchange.context.by, `secret_key ${'key_id' in exchange.who && exchange.who.key_id}`)
  findMerchant(exchange)
  deepEqual([exchange.merchant?.merchant_id, relocate(exchange), openObject(exchange)], [shop.merchant_id, null, undefined])
})

test('a client_secret in the body counts only where browsers may call', async () => {
  const bearer = { is: 'secret', merchant: {}, key_id: 'k', platform: null } as never
  for (const [name, counts] of [
    ['confirmPayment', true],
    ['capturePayment', false],
  ] as const) {
    const exchange = Object.assign(await asked(name, {}), { bearer, query: {}, body: { client_secret: 'pay_1_secret_2' } })
    identifyCaller(exchange)
    equal('client_secret' in exchange.who, counts, name)
  }
})

test('the header X-Profile-Id stands for the profile_id of a body that may have one, and must not contradict it', async () => {
  const who = { is: 'admin' } as const
  const headers = { 'x-profile-id': 'pro_1' }
  const chosen = Object.assign(await asked('createPayment', { headers }), { who, body: {} as Record<string, unknown> })
  applyProfileHeader(chosen)
  deepEqual(chosen.body, { profile_id: 'pro_1' })
  throws(() => applyProfileHeader(Object.assign(chosen, { body: { profile_id: 'pro_2' } })), /differ/)
  const other = Object.assign(await asked('capturePayment', { headers }), { who, body: {} })
  applyProfileHeader(other)
  deepEqual(other.body, {})
})

test('a customer page of a merchant that has moved is sent on, and a payment of this merchant is refused', async () => {
  const moving = { state: 'moved', address: 'https://new.example' }
  const merchant = { merchant_id: 'm', moving } as never
  const page = await asked('showPaymentLink', { url: '/payment_link/m/pay_1' })
  deepEqual(relocate(Object.assign(page, { merchant })), { redirect: 'https://new.example/payment_link/m/pay_1' })
  const payment = await asked('createPayment', { url: '/payments' })
  throws(() => relocate(Object.assign(payment, { merchant })), /moved to another deployment/)
})

test('an Idempotency-Key is claimed for what moves money, and not for a question by POST', async () => {
  const shop = await openShop()
  const headers = { 'api-key': shop.api_key, 'idempotency-key': 'order-1' }
  const claimed = async (name: string) => {
    const exchange = await asked(name, { headers, body: {}, url: '/any' })
    for (const step of [authenticateCaller, readRequest, identifyCaller, prepareContext, findMerchant, prepareCall, claimKey])
      await step(exchange)
    return exchange.keyed?.key
  }
  deepEqual([await claimed('createRefund'), await claimed('searchRefunds')], ['order-1', undefined])
})
