import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { disputed } from '../../test/disputes.ts'
import { openReceiver } from '../../test/receiver.ts'
import { isRefused } from '../../test/refused.ts'
import { ADMIN_KEY, type Body, cards, http, openShop, type Shop } from '../../test/shop.ts'
import { openTwoAccounts } from '../../test/two-accounts.ts'

/** The objects that require a person's action: all of them, and no other. */

const attention = async (shop: Pick<Shop, 'call'>, query = ''): Promise<Body> => {
  const { status, body, text } = await shop.call('GET', `/attention${query}`)
  equal(status, 200, text)
  return body
}
const kindsOf = ({ data }: Body): string[] => data.map((one: Body) => one.kind)

test('a merchant without problems has an empty list', async () => {
  const shop = await openShop()
  await shop.pay()
  await shop.hold()
  await shop.tryToPay({ card: cards.declines })
  deepEqual(await attention(shop), {
    size: 0,
    has_more: false,
    data: [],
    unknown: { operations: 0, amounts: [], since: null, next_ask_at: null },
  })
})

test('a payment for which the processor returned another amount is listed as conflicted, with its details', async () => {
  const shop = await openShop()
  const { body } = await shop.tryToPay({ amount: 5000, card: cards.echoesAnotherAmount })
  const { data } = await attention(shop)
  const { since, message, ...rest } = data[0]
  deepEqual(rest, {
    kind: 'payment_conflicted',
    severity: 'high',
    object_kind: 'payment',
    ...{ object_id: body.payment_id, payment_id: body.payment_id, profile_id: body.profile_id },
    merchant_connector_id: shop.merchant_connector_id,
    ...{ amount: 5000, currency: 'USD', due: null, code: 'IE' },
  })
  match(message, /different amount/)
  ok(since >= body.created)
  equal(data.length, 1)
})

test('a payment without a response is counted as unknown, and not listed at once', async () => {
  const shop = await openShop()
  const { body } = await shop.tryToPay({ amount: 700, card: cards.resets })
  equal(body.status, 'processing')
  const { data, unknown } = await attention(shop)
  deepEqual(data, [])
  deepEqual([unknown.operations, unknown.amounts], [1, [{ currency: 'USD', amount: 700 }]])
  ok(unknown.since <= unknown.next_ask_at)
})

test('an authorization is listed shortly before it expires, until it is captured', async () => {
  const shop = await openShop()
  const hold = await shop.hold({ amount: 3000 })
  deepEqual(kindsOf(await attention(shop)), [])
  const hours = Math.floor((Date.parse(hold.capture_before) - Date.parse(hold.created)) / 3_600_000)
  await shop.wait(`${hours - 12} hours`)
  const other = await shop.hold({ amount: 900 })
  const { data } = await attention(shop)
  deepEqual(
    data.map((one: Body) => [one.kind, one.object_id, one.amount, one.due, one.severity]),
    [['hold_lapsing', hold.payment_id, 3000, hold.capture_before, 'medium']],
  )
  await shop.capture(hold.payment_id)
  deepEqual(kindsOf(await attention(shop)), [])
  ok(other.capture_before > hold.capture_before)
})

test('a dispute is listed with its deadline until it is accepted', async () => {
  const shop = await openShop({ webhooks: 'on' })
  const { payment } = await disputed(shop, { amount: 800 })
  const { data } = await attention(shop)
  equal(data[0].kind, 'dispute_due')
  deepEqual([data[0].payment_id, data[0].amount, data[0].currency], [payment.payment_id, 800, 'USD'])
  ok(data[0].due > data[0].since)
  equal((await shop.post(`/disputes/accept/${data[0].object_id}`, {})).status, 200)
  deepEqual(kindsOf(await attention(shop)), [])
})

test('a webhook endpoint disabled after a response of 410 Gone is listed', async () => {
  const receiver = await openReceiver()
  const shop = await openShop({ account: { webhook_details: { webhook_url: receiver.url } } })
  receiver.answers({ status: 410 })
  await shop.pay()
  await shop.wait('1 minute')
  const { data } = await attention(shop)
  deepEqual(kindsOf({ data }), ['webhook_endpoint_disabled'])
  match(data[0].message, /410 Gone/)
})

test('an API key is listed by name before it expires, and after it has expired', async () => {
  const shop = await openShop()
  const now = Date.now() + shop.clock.ahead
  const make = (name: string, days: number) =>
    http(
      'POST',
      `${shop.url}/api_keys/${shop.merchant_id}`,
      { name, expiration: new Date(now + days * 86_400_000).toISOString() },
      { 'api-key': ADMIN_KEY },
    )
  for (const [name, days] of [
    ['soon', 10],
    ['later', 40],
    ['first', 2],
  ] as const)
    equal((await make(name, days)).status, 200)
  const names = async () => (await attention(shop)).data.map((one: Body) => [one.kind, one.message.split(' ')[3], one.severity])
  deepEqual(await names(), [
    ['api_key_expiring', 'first', 'low'],
    ['api_key_expiring', 'soon', 'low'],
  ])
  await shop.wait('3 days')
  deepEqual(await names(), [
    ['api_key_expiring', 'first', 'high'],
    ['api_key_expiring', 'soon', 'low'],
  ])
})

test('the list respects its limit, can be filtered by profile, and is separate for each merchant', async () => {
  const shop = await openTwoAccounts()
  for (let i = 0; i < 3; i++) await shop.tryToPay({ card: cards.echoesAnotherAmount })
  const some = await attention(shop, '?limit=2')
  deepEqual([some.size, some.has_more], [2, true])
  equal((await attention(shop, `?profile_id=${shop.profile_id}`)).size, 3)
  const { body: profile } = await shop.post(`/account/${shop.merchant_id}/business_profile`, { profile_name: 'other' })
  equal((await attention(shop, `?profile_id=${profile.profile_id}`)).size, 0)
  isRefused(await shop.call('GET', '/attention?profile_id=pro_of_nobody'), 404, 'HE_02', /business profile/)
  isRefused(await shop.call('GET', '/attention?limit=0'), 400, 'IR_06', /limit/)
  isRefused(await http('GET', `${shop.url}/attention`), 401, 'IR_01')
  equal((await attention(await openShop())).size, 0)
})

test('a connector account that does not respond is listed while its circuit breaker is open', async () => {
  const shop = await openTwoAccounts()
  const path = `/account/${shop.merchant_id}/business_profile/${shop.profile_id}/dynamic_routing/elimination/create`
  await shop.post(`${path}?enable=dynamic_connector_selection`, {
    elimination_analyser_config: { bucket_size: 2, bucket_leak_interval_in_secs: 60 },
  })
  for (let i = 0; i < 2; i++) await shop.pay({ card: cards.hangs })
  const { data } = await attention(shop)
  deepEqual(
    data.map((one: Body) => [one.kind, one.object_id, Date.parse(one.due) - Date.parse(one.since)]),
    [['account_not_answering', shop.first, 60_000]],
  )
  await shop.wait('1 minute')
  await shop.pay()
  deepEqual(kindsOf(await attention(shop)), [])
})
