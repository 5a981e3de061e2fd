import { deepEqual, equal } from 'node:assert/strict'
import { before, test } from 'node:test'
import { isRefused } from '../../test/refused.ts'
import { type Answer, type Body, card, cards, http, openPlace, openShop, type PayAsk, type Shop } from '../../test/shop.ts'
import { networkOfAddress } from '../base/network.ts'

/** An attacker who tries cards from a browser is stopped, and no other customer. */

/** The names of all statements, except those that timers run. */
const asked: string[] = []
const BY_THE_CLOCK = ['settings_version', 'write_key_uses', 'use_payment_methods', 'request_logs_write', 'peer_calls_write']

before(async () => {
  // The service takes the addresses of callers from `x-forwarded-for`.
  await openPlace({ trustedProxies: ['127.0.0.1'] }, context => ({
    ...context,
    query(statement, values) {
      if (!BY_THE_CLOCK.includes(statement.name)) asked.push(statement.name)
      return context.query(statement, values)
    },
  }))
})

/** Gives the `i`th of many card numbers with a valid check digit. */
function numbered(i: number): string {
  const body = `400000${String(i).padStart(9, '0')}`
  const sum = [...body].reverse().reduce((sum, digit, at) => {
    const twice = at % 2 === 0 ? Number(digit) * 2 : Number(digit)
    return sum + (twice > 9 ? twice - 9 : twice)
  }, 0)
  return `${body}${(10 - (sum % 10)) % 10}`
}

type TryAsk = { number?: string; from?: string; payment?: Body; of?: PayAsk }

/** Confirms a payment as a shopper's browser: a new payment, unless another is given. */
async function attempt(shop: Shop, { number = cards.declines, from = '203.0.113.1', payment, of = {} }: TryAsk = {}): Promise<Answer> {
  const { payment_id, client_secret } = payment ?? (await shop.create({ ...of, payment_method: undefined, payment_method_data: undefined }))
  const headers = { 'api-key': shop.publishable_key, 'x-forwarded-for': from }
  const body = { client_secret, payment_method: 'card', payment_method_data: card(number) }
  return http('POST', `${shop.url}/payments/${payment_id}/confirm`, body, headers)
}

const statusOf = async (answer: Promise<Answer>): Promise<string> => (await answer).body.status
const isStopped = async (answer: Promise<Answer>) => isRefused(await answer, 400, 'IR_16', /attempts/)

const profileOf = async (shop: Shop): Promise<string> =>
  (await shop.call('GET', `/account/${shop.merchant_id}/business_profile`)).body[0].profile_id

/** Updates the settings of the profile. */
const setProfile = async (shop: Shop, body: Body): Promise<Answer> =>
  shop.post(`/account/${shop.merchant_id}/business_profile/${await profileOf(shop)}`, body)

/** Sets the profile's limits against card testing. */
const say = (shop: Shop, card_testing_guard_config: Body) => setProfile(shop, { card_testing_guard_config })

/** Opens a shop that has enabled the limits by IP address. */
async function openGuarded(): Promise<Shop> {
  const shop = await openShop()
  await say(shop, { card_ip_blocking_status: 'enabled', guest_ip_blocking_status: 'enabled' })
  return shop
}

test('declines from one IP address block no further payment by default', async () => {
  const shop = await openShop()
  await shop.processor.fault('authorize', 'decline', { times: 12 })
  for (let i = 0; i < 12; i++) equal(await statusOf(attempt(shop, { number: numbered(i) })), 'failed')
  for (let i = 0; i < 4; i++) equal(await statusOf(attempt(shop)), 'failed', 'and a card is tried there a fourth time')
  equal(await statusOf(attempt(shop, { number: cards.approves })), 'succeeded')
})

test('loopback addresses have no limits in test mode', async () => {
  const shop = await openGuarded()
  for (const from of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])
    for (let i = 0; i < 4; i++) equal(await statusOf(attempt(shop, { from })), 'failed', from)
  equal(networkOfAddress('::1'), '0:0:0:0::/64')
})

test('a limit that stops a payment is logged with the merchant, the payment and the limit', async () => {
  const shop = await openShop()
  await say(shop, { card_ip_blocking_threshold: 1 })
  await attempt(shop)
  const payment = await shop.create({ payment_method: undefined, payment_method_data: undefined })
  await isStopped(attempt(shop, { payment }))
  const logged = shop.logs.map(line => JSON.parse(line)).filter(line => line.limit !== undefined && line.merchant_id === shop.merchant_id)
  deepEqual(
    logged.map(({ level, limit, payment_id, busy }) => ({ level, limit, payment_id, busy })),
    [{ level: 'warn', limit: 'card_ip', payment_id: payment.payment_id, busy: false }],
  )
})

test('a card with three declines from one address is stopped there for an hour; other cards and addresses are not', async () => {
  const shop = await openGuarded()
  for (let i = 0; i < 3; i++) equal(await statusOf(attempt(shop)), 'failed')
  await isStopped(attempt(shop))
  const asked = (await shop.processor.operations()).length
  equal(asked, 3, 'no processor hears of it')
  equal(await statusOf(attempt(shop, { number: cards.approves })), 'succeeded', 'his other card pays')
  equal(await statusOf(attempt(shop, { from: '203.0.113.2' })), 'failed')
  await shop.wait('1 hour')
  equal(await statusOf(attempt(shop)), 'failed')
})

test('a payment that was stopped by a limit can be paid with another card', async () => {
  const shop = await openGuarded()
  for (let i = 0; i < 3; i++) await attempt(shop)
  const payment = await shop.create({ payment_method: undefined, payment_method_data: undefined })
  await isStopped(attempt(shop, { payment }))
  equal((await shop.get(payment.payment_id)).status, 'requires_payment_method')
  equal(await statusOf(attempt(shop, { payment, number: cards.approves })), 'succeeded')
})

test('many cards from one address are stopped after ten declines; other addresses and known customers are not', async () => {
  const shop = await openGuarded()
  await shop.processor.fault('authorize', 'decline', { times: 10 })
  for (let i = 0; i < 10; i++) equal(await statusOf(attempt(shop, { number: numbered(i) })), 'failed')
  for (let i = 10; i < 20; i++) await isStopped(attempt(shop, { number: numbered(i) }))
  equal((await shop.processor.operations()).length, 10)
  equal(await statusOf(attempt(shop, { number: cards.approves, from: '203.0.113.77' })), 'succeeded')
  equal(
    await statusOf(attempt(shop, { number: cards.approves, of: { customer_id: 'kari' } })),
    'succeeded',
    'a customer behind that address',
  )
})

test('one card from many addresses is stopped after ten declines', async () => {
  const shop = await openShop()
  for (let i = 0; i < 10; i++) equal(await statusOf(attempt(shop, { from: `198.51.100.${i}` })), 'failed')
  await isStopped(attempt(shop, { from: '198.51.100.200' }))
  await isStopped(attempt(shop, { from: '2001:db8:1:2::3' }))
  equal(await statusOf(attempt(shop, { from: '198.51.100.200', number: cards.approves })), 'succeeded')
})

test('a customer with five declines is stopped, with any card and from any address', async () => {
  const shop = await openShop()
  const of = { customer_id: 'kari' }
  await shop.processor.fault('authorize', 'decline', { times: 5 })
  for (let i = 0; i < 5; i++) await attempt(shop, { number: numbered(i), from: `198.51.100.${i}`, of })
  await isStopped(attempt(shop, { number: cards.approves, from: '198.51.100.9', of }))
  equal(await statusOf(attempt(shop, { number: cards.approves, from: '198.51.100.9', of: { customer_id: 'ola' } })), 'succeeded')
})

test('an IPv6 /64 network counts as one address, and an IPv4-mapped IPv6 address counts as IPv4', async () => {
  const shop = await openGuarded()
  for (let i = 1; i <= 3; i++) await attempt(shop, { from: `2001:db8::${i}:0:0:1` })
  await isStopped(attempt(shop, { from: '2001:db8:0:0:ffff::' }))
  equal(await statusOf(attempt(shop, { from: '2001:db8:0:1::1' })), 'failed')
  equal(networkOfAddress('::ffff:192.0.2.1'), '192.0.2.1')
  equal(networkOfAddress('192.0.2.1'), '192.0.2.1')
  equal(networkOfAddress('fe80::1%eth0'), 'fe80:0:0:0::/64')
  equal(networkOfAddress('2001:0DB8:0000:0042:8a2e:0370:7334:1'), '2001:db8:0:42::/64')
  equal(networkOfAddress('::1'), '0:0:0:0::/64')
})

test('confirms by the merchant’s server are neither counted nor stopped', async () => {
  const shop = await openGuarded()
  for (let i = 0; i < 12; i++) equal((await shop.pay({ card: cards.declines })).status, 'failed')
  for (let i = 0; i < 12; i++) {
    const { payment_id } = await shop.create({ card: cards.declines })
    equal((await shop.confirm(payment_id)).body.status, 'failed')
  }
  deepEqual(await shop.query('select * from failed_confirms where merchant_id = $1', [shop.merchant_id]), [])
  for (let i = 0; i < 3; i++) await attempt(shop)
  await isStopped(attempt(shop))
  equal((await shop.pay({ card: cards.declines })).status, 'failed')
})

test('a payment by the server makes no database query, and a confirm by a browser makes one for the limits', async () => {
  const shop = await openShop()
  await shop.pay()
  const before = asked.length
  await shop.pay()
  deepEqual(asked.slice(before), [])
  await attempt(shop, { number: cards.approves })
  deepEqual(
    asked.slice(before).filter(name => name.includes('failed') || name.includes('blocklist')),
    ['failed_confirms_counted'],
  )
})

test('only declines count for the limits; approvals and lost responses do not', async () => {
  const shop = await openShop()
  for (let i = 0; i < 4; i++) equal(await statusOf(attempt(shop, { number: cards.approves })), 'succeeded')
  for (let i = 0; i < 4; i++) equal(await statusOf(attempt(shop, { number: cards.resets })), 'processing')
  deepEqual(await shop.query('select * from failed_confirms where merchant_id = $1', [shop.merchant_id]), [])
})

test('a decline that is reported later is counted once', async () => {
  const shop = await openGuarded()
  for (let i = 0; i < 3; i++) equal(await statusOf(attempt(shop, { number: cards.declinesLater })), 'processing')
  await shop.wait('10 minutes')
  await isStopped(attempt(shop, { number: cards.declinesLater }))
  const counted = await shop.query("select count(*)::int from failed_confirms where merchant_id = $1 and counted like '% from %'", [
    shop.merchant_id,
  ])
  deepEqual(counted, [{ count: 6 }], 'by card and address, and by address, each three times')
})

test('a client_secret with five declines is stopped with any card and from any address, and the server can still confirm', async () => {
  const shop = await openShop()
  await setProfile(shop, { is_manual_retry_enabled: true })
  await shop.processor.fault('authorize', 'decline', { times: 5 })
  const payment = await shop.create({ payment_method: undefined, payment_method_data: undefined })
  for (let i = 0; i < 5; i++) equal(await statusOf(attempt(shop, { payment, number: numbered(i), from: `198.51.100.${i}` })), 'failed')
  await isStopped(attempt(shop, { payment, number: cards.approves, from: '198.51.100.9' }))
  equal((await shop.confirm(payment.payment_id, { payment_method: 'card', payment_method_data: card() })).body.status, 'succeeded')
})

test('a confirm that is retried at a second processor counts once, and only if it is declined there too', async () => {
  const shop = await openShop()
  await setProfile(shop, { is_auto_retries_enabled: true })
  const second = { connector_type: 'payment_processor', connector_name: 'phonypay', connector_label: 'second' }
  const details = { auth_type: 'HeaderKey', api_key: `sandbox_${shop.merchant_id}_2` }
  equal((await shop.post(`/account/${shop.merchant_id}/connectors`, { ...second, connector_account_details: details })).status, 200)
  const counted = async () =>
    (await shop.query("select 1 from failed_confirms where merchant_id = $1 and counted like 'payment %'", [shop.merchant_id])).length
  await shop.processor.fault('authorize', 'decline', { times: 1 })
  equal(await statusOf(attempt(shop, { number: cards.approves })), 'succeeded')
  equal(await counted(), 0)
  const failed = (await attempt(shop, { number: cards.declines })).body
  deepEqual([failed.status, failed.attempt_count], ['failed', 2])
  equal(await counted(), 1)
})

test('a profile can set its own limits, and disable each of them', async () => {
  const shop = await openShop()
  const config = (await say(shop, { card_ip_blocking_threshold: 1, card_testing_guard_expiry: 60 })).body.card_testing_guard_config
  const { card_ip_blocking_threshold, card_ip_blocking_status, guest_ip_blocking_threshold, guest_ip_blocking_status } = config
  deepEqual([card_ip_blocking_threshold, card_ip_blocking_status], [1, 'enabled'], 'a threshold turns its limit on')
  deepEqual([guest_ip_blocking_threshold, guest_ip_blocking_status], [10, 'disabled'])
  isRefused(await say(shop, { card_ip_blocking_threshold: 0 }), 400, 'IR_06', /card_ip_blocking_threshold/)
  isRefused(await say(shop, { card_testing_guard_expiry: 8 * 86_400 }), 400, 'IR_16', /card_testing_guard_expiry/)
  isRefused(await say(shop, { device_blocking_status: 'enabled' }), 400, 'IR_06', /device_blocking_status/)
  equal(await statusOf(attempt(shop)), 'failed')
  await isStopped(attempt(shop))
  await shop.wait('2 minutes')
  equal(await statusOf(attempt(shop)), 'failed')
  await say(shop, { card_ip_blocking_status: 'disabled', guest_ip_blocking_threshold: 2, card_testing_guard_expiry: 60 })
  equal(await statusOf(attempt(shop)), 'failed')
  await isStopped(attempt(shop, { number: cards.approves }))
  const off = Object.fromEntries(
    ['card_ip', 'guest_user_card', 'customer_id', 'guest_ip', 'client_secret'].map(name => [`${name}_blocking_status`, 'disabled']),
  )
  await say(shop, off)
  for (let i = 0; i < 12; i++) equal(await statusOf(attempt(shop)), 'failed')
  await say(shop, { ...off, card_bin_blocking_status: 'enabled', card_bin_blocking_threshold: 14 })
  await isStopped(attempt(shop, { number: cards.hasNoMoney, from: '198.51.100.1' }))
  equal(await statusOf(attempt(shop, { number: cards.approves, from: '198.51.100.1' })), 'succeeded')
})

test('many concurrent confirms from one address are limited, and a shopper with another address can pay', async () => {
  const shop = await openGuarded()
  const payments = await Promise.all(
    Array.from({ length: 80 }, () => shop.create({ payment_method: undefined, payment_method_data: undefined })),
  )
  await shop.processor.fault('authorize', 'decline', { times: 80 })
  const answers = await Promise.all(payments.map((payment, i) => attempt(shop, { payment, number: numbered(i) })))
  const made = answers.filter(({ status }) => status === 200).length
  equal((await shop.processor.operations()).length, made)
  equal(made <= 50, true, `${made} of 80 were tried`)
  for (const { status, body } of answers.filter(({ status }) => status !== 200))
    equal(['400 IR_16', '422 HE_00'].includes(`${status} ${body.error.code}`), true)
  await isStopped(attempt(shop, { number: numbered(99) }))
  await shop.processor.soundAgain()
  equal(await statusOf(attempt(shop, { number: cards.approves, from: '198.51.100.4' })), 'succeeded')
  equal(shop.service.services.tries.size(), 0, 'what entered has left')
})

test('counted declines are deleted after a week', async () => {
  const shop = await openShop()
  await attempt(shop)
  const count = async () => (await shop.query('select 1 from failed_confirms where merchant_id = $1', [shop.merchant_id])).length
  equal((await count()) > 0, true)
  await shop.wait('8 days')
  equal(await count(), 0)
})
