import { deepEqual, doesNotMatch, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { mayHoldPersonalData, rightOf } from '../../test/access.ts'
import { disputed, openDisputedShop } from '../../test/disputes.ts'
import { type Browser, join, openOwner, PASSWORD } from '../../test/people.ts'
import { type Body, http, openShop, type Shop } from '../../test/shop.ts'
import { everyWay, paidBy } from '../../test/ways.ts'
import { type AnyFamily, families } from '../instruments/families.ts'
import { type Permission, permissionsOf } from '../users/roles.ts'
import type { Who } from './credentials.ts'
import type { Endpoint } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { shownTo } from './personal-data-mask.ts'

/** A user who may see payments, and not customers' data, reads no customer's name in any answer of any operation. */

const person = {
  name: 'Kanarina Vogelsang',
  email: 'kanarina@canary.example',
  phone: '6505550147',
  line1: 'Canary Lane 1492',
}
const canaries = [...Object.values(person), 'Kanarina', 'Vogelsang', 'Canary Lane']

/** Makes all objects of a customer with these data: a payment, a refund, saved payment methods, events. */
async function openCanaries(): Promise<{ shop: Shop; ids: Body }> {
  const shop = await openShop({ account: { webhook_details: { webhook_url: 'http://127.0.0.1:9/hooks' } } })
  const { name, email, phone, line1 } = person
  const address = { first_name: 'Kanarina', last_name: 'Vogelsang', line1, city: 'Oslo', zip: '0150', country: 'NO' }
  const customer = await shop.post('/customers', { name, email, phone, phone_country_code: '+47', address })
  equal(customer.status, 200, customer.text)
  const { customer_id } = customer.body
  const about = { customer_id, email, name, phone, billing: { address, email, phone: { number: phone, country_code: '+47' } } }
  const payment = await shop.pay({ ...about, shipping: { address } })
  const refund = (await shop.refund(payment.payment_id, 500)).body
  await shop.service.tick()
  const [event] = (await shop.call('GET', '/events')).body.data
  const { request_id } = (await shop.call('GET', `/payments/${payment.payment_id}/operations`)).body.data[0]
  const { profile_id, connector } = payment
  const { merchant_id, merchant_connector_id } = shop
  return {
    shop,
    ids: {
      payment_id: payment.payment_id,
      refund_id: refund.refund_id,
      customer_id,
      event_id: event.event_id,
      request_id,
      profile_id,
      connector,
      merchant_id,
      merchant_connector_id,
    },
  }
}

const reads = (endpoint: Endpoint): boolean => endpoint.method === 'GET' || endpoint.reads === true

async function readsOf(who: Browser, ids: Body): Promise<{ name: string; status: number; text: string }[]> {
  const found: { name: string; status: number; text: string }[] = []
  for (const endpoint of endpoints.filter(one => reads(one) && one.answers !== 'stream' && rightOf(one) !== null)) {
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'none')
    const query =
      endpoint.name === 'searchObjects'
        ? `?q=${person.email}`
        : endpoint.name.startsWith('aggregate')
          ? '?start_time=2020-01-01T00:00:00Z'
          : ''
    const { status, text } = await who.call(endpoint.method, path + query, endpoint.method === 'GET' ? undefined : {})
    found.push({ name: endpoint.name, status, text })
  }
  return found
}

test('developers and viewers see no personal data of a customer in any response, and an owner does', async () => {
  const { shop, ids } = await openCanaries()
  const owner = await openOwner(shop)
  const leaks = (all: { name: string; text: string }[]) =>
    all.filter(({ text }) => canaries.some(one => text.includes(one))).map(({ name }) => name)
  await shop.service.tick()
  ok((await shop.call('GET', `/logs?object_id=${ids.payment_id}`)).body.size > 0, 'the log is written')
  const seen = leaks(await readsOf(owner, ids))
  for (const name of ['retrievePayment', 'listPayments', 'retrieveCustomer', 'listCustomers']) ok(seen.includes(name), `${name}: ${seen}`)
  for (const role of ['developer', 'viewer'] as const) {
    const answers = await readsOf(await join(shop, owner, role), ids)
    deepEqual(leaks(answers), [], role)
    const has = permissionsOf(role, 'test')
    for (const { name, status } of answers) {
      const needed = rightOf(endpoints.find(one => one.name === name)!)!.permission
      equal(status === 403, needed !== null && !has.has(needed as Permission), `${role} ${name} ${status}`)
    }
  }
})

test('the answers of every operation are masked unless the names in them are not those of customers', () => {
  for (const { name, tag, ...route } of endpoints) {
    const isMasked = tag.confidential === 'personal data'
    equal(isMasked, mayHoldPersonalData(route), `${name}: change \`confidential\` of its tag, or test/access.ts`)
  }
})

test('the holder of an account or a card is masked, whichever payment method names them', () => {
  const who = { is: 'secret', scopes: new Set(['payments:read']) } as unknown as Who
  const named: string[] = []
  for (const [family, way] of everyWay) {
    const { payment_method_data, payment_method_type } = paidBy(family, way)
    const { read, mask, show }: AnyFamily = families[family]
    const shown = show(
      mask({} as never, 'm', read(payment_method_data[family], '2031-02-03T04:05:06.000Z', payment_method_type), null),
      null,
    )
    if (JSON.stringify(shown).includes('Ada Byron')) named.push(way)
    doesNotMatch(JSON.stringify(shownTo(who, 'personal data').json(shown)), /Ada|Byron/, way)
  }
  ok(named.length > 3, 'others see the name')
})

test('the evidence about a customer is masked for a key that may answer disputes and may not see personal data', async () => {
  const shop = await openDisputedShop()
  const { dispute_id } = await disputed(shop)
  const { name, email, line1 } = person
  const texts = { customer_name: name, customer_email_address: email, customer_purchase_ip: '203.0.113.77', billing_address: line1 }
  const draft = { ...texts, shipping_address: line1, access_activity_log: '203.0.113.77 Kanarina', product_description: 'A chair' }
  const kept = await shop.call('PUT', `/disputes/${dispute_id}/draft`, draft)
  equal(kept.status, 200, kept.text)
  const scopes = ['payments:read', 'disputes:write']
  const owner = await openOwner(shop)
  const { api_key } = (
    await owner.post(`/api_keys/${shop.merchant_id}`, { name: 'disputes', expiration: 'never', scopes, password: PASSWORD })
  ).body
  const seen = await http('GET', `${shop.url}/disputes/${dispute_id}/draft`, undefined, { 'api-key': api_key })
  ok(seen.text.includes('A chair'), seen.text)
  for (const canary of [...canaries, '203.0.113.77']) ok(!seen.text.includes(canary), seen.text)
})

test('the signing key of webhooks is shown in full to users who may change it, and masked to others', async () => {
  const shop = await openShop()
  const owner = await openOwner(shop)
  const account = `/account/${shop.merchant_id}/business_profile`
  const [{ profile_id, payment_response_hash_key: key }] = (await owner.get(account)).body
  ok(key.length > 20 && !key.includes('*'))
  for (const role of ['admin', 'developer', 'operator', 'viewer'] as const) {
    const person = await join(shop, owner, role)
    const answers = await Promise.all([account, `${account}/${profile_id}`, `/accounts/${shop.merchant_id}`].map(path => person.get(path)))
    equal(answers[2]!.status, 200)
    for (const { status, text } of answers) equal(status === 200 && text.includes(key), role === 'admin', `${role} ${text}`)
    if (role === 'developer')
      equal(answers[1]!.body.payment_response_hash_key, `${key.slice(0, 2)}${'*'.repeat(key.length - 4)}${key.slice(-2)}`)
  }
  const scoped = (
    await owner.post(`/api_keys/${shop.merchant_id}`, { name: 'reads', expiration: 'never', scopes: ['profiles:read'], password: PASSWORD })
  ).body.api_key
  ok(!(await http('GET', shop.url + account, undefined, { 'api-key': scoped })).text.includes(key))
})
