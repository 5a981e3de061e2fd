import { deepEqual, equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { openPlace, openShop } from '../../test/shop.ts'
import { askIfGenuine } from './query-limits.ts'

/** A stranger can send a forged webhook, and PayPal alone knows which are its own: questions to PayPal are limited. */

// The service takes the addresses of callers from `x-forwarded-for`.
let asked = 0
let [underWay, most] = [0, 0]
await openPlace({ trustedProxies: ['127.0.0.1'] }, context => ({
  ...context,
  send(...call) {
    if (!call[0].url.includes('verify-webhook-signature')) return context.send(...call)
    asked++
    most = Math.max(most, ++underWay)
    return context.send(...call).finally(() => underWay--)
  },
}))

const forged = {
  'content-type': 'application/json',
  'paypal-auth-algo': 'SHA256withRSA',
  'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-1',
  'paypal-transmission-id': 'b2384410-f8d2-11ef-9c4b-2f1a3c4d5e6f',
  'paypal-transmission-sig': 'c2lnbmF0dXJl',
}

test('forged webhooks of one address cost PayPal ten questions a minute, those of all addresses thirty, and payments go on', async () => {
  const shop = await openShop({ connector: 'paypal' })
  const to = `${shop.url}/webhooks/${shop.merchant_id}/${shop.merchant_connector_id}`
  const send = async (address: string) => {
    const headers = {
      ...forged,
      'x-forwarded-for': address,
      'paypal-transmission-time': new Date(Date.now() + shop.clock.ahead).toISOString(),
    }
    const { status, headers: given } = await fetch(to, {
      method: 'POST',
      headers,
      body: '{"id":"WH-1","event_type":"PAYMENT.CAPTURE.COMPLETED"}',
    })
    return { status, retryAfter: given.get('retry-after') }
  }
  const answers = []
  for (let i = 0; i < 30; i++) answers.push(await send('203.0.113.9'))
  const refused = answers.filter(({ status }) => status === 503)
  deepEqual([asked, refused.length, refused.every(({ retryAfter }) => retryAfter !== null)], [10, 20, true])
  const other = await send('203.0.113.10')
  equal(other.status === 503, false, 'another address is asked about')
  equal((await shop.pay()).status, 'succeeded')
  const before = asked
  await Promise.all(Array.from({ length: 40 }, (_, i) => send(`198.51.100.${i}`)))
  equal(asked - before <= 19, true, `${asked - before} questions: eleven were asked before in this minute`)
  equal(most <= 4, true, `${most} questions at once`)
  await shop.wait('1 minute')
  equal((await send('203.0.113.9')).status === 503, false)
})

test('an address that has sent a genuine webhook may send a hundred at once; its eleventh forged one in a minute is refused', async () => {
  const service = {}
  const context = { now: () => '2026-11-29T12:00:00.000Z' }
  const known = (question: () => Promise<boolean>) => askIfGenuine(service, context, 'mca_1', '203.0.113.9', question)
  equal(await known(async () => true), true)
  const answer = Promise.withResolvers<boolean>()
  const burst = Array.from({ length: 100 }, () => known(() => answer.promise))
  await rejects(
    known(async () => true),
    /could not be verified/,
    'one more at once',
  )
  answer.resolve(true)
  deepEqual(new Set(await Promise.all(burst)), new Set([true]))
  for (let i = 0; i < 10; i++) equal(await known(async () => false), false)
  await rejects(
    known(async () => true),
    /could not be verified/,
    'after ten forged ones',
  )
})
