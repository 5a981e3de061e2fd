import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { begin, checkout, openAuthenticatingShop } from '../authentication.ts'
import { sampleOf } from '../sample.ts'
import { cards, http } from '../shop.ts'
import { agree } from './agree.ts'
import { dyingService } from './dying.ts'

/**
 * The customer is authenticated separately from the processor and comes back. The service is killed at each crossing
 * of the work that follows: the request to the directory, and the authorization, which is opened, sent and settled.
 * Then another process takes over: in every case the customer is charged once or not at all, and a payment that is not
 * charged has failed.
 */
const crossings = {
  'send.1.during': 'succeeded',
  'commit.1.before': 'succeeded',
  // The authorization was opened and never sent: the proof of authentication was only in the memory of the killed
  // process.
  'commit.1.after': 'failed',
  'send.1.after': 'succeeded',
  'commit.2.before': 'succeeded',
  'commit.2.after': 'succeeded',
} as const

for (const at of sampleOf(Object.keys(crossings) as (keyof typeof crossings)[], 3))
  test(`the service is killed at ${at} after the customer returns from the issuer: the payment is charged once or fails`, async () => {
    const shop = await openAuthenticatingShop()
    const { payment_id, next_action, client_secret } = await begin(shop, { card: cards.challenges })
    const { challenge } = checkout(shop, { next_action, client_secret })
    const { address, body } = await challenge('accept')
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    equal(await dyingService(shop, at, url => http('POST', address.replace(shop.url, url), body, headers)), 'died')
    await shop.wait('10 minutes')
    // The customer tries again, in any tab.
    ok((await http('POST', address, body, headers)).status < 400)
    const payment = await shop.get(payment_id)
    equal(payment.status, crossings[at])
    if (payment.status === 'failed') equal(payment.error_code, 'not_received')
    const charges = await shop.processor.charges()
    deepEqual(
      charges.map(({ captured }) => captured),
      payment.status === 'succeeded' ? [1250] : [],
    )
    await agree(shop)
  })
