import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { homesAt } from '../../sandbox/homes.ts'
import { alsoCalled, connectors } from '../../src/connectors/all.ts'
import { addAccount } from '../merchant.ts'
import { ADMIN_KEY, http, openShop } from '../shop.ts'

/** Hyperswitch's test processors: seven names of one connector, with the few differences that their users know. */

const names = ['phonypay', ...Object.keys(alsoCalled).filter(name => connectors[name]!.authorize === connectors.phonypay!.authorize)]

test('every connector has a processor in the sandbox, unless it was just generated', () => {
  // A connector that `npm run new:connector` has just made is left out.
  const known = Object.entries(connectors).filter(([, { sources }]) => !sources.documented.startsWith('TODO'))
  for (const [name] of known) equal(name in homesAt('http://sandbox.example'), true, name)
})

for (const connector of names) {
  test(`${connector}: a payment, an authorization, a refund, a decline and a late approval are processed`, async () => {
    const shop = await openShop({ connector, webhooks: 'on' })
    const paid = await shop.pay()
    deepEqual([paid.status, paid.connector], ['succeeded', connector])
    equal((await shop.refund(paid.payment_id, 500)).body.status, 'succeeded')
    const hold = await shop.hold()
    equal((await shop.capture(hold.payment_id, 1000)).body.status, 'partially_captured')
    equal((await shop.cancel((await shop.hold()).payment_id)).body.status, 'cancelled')
    const declined = await shop.pay({ card: '4000000000000002' })
    deepEqual([declined.status, declined.error_code], ['failed', 'card_declined'])
    const later = await shop.pay({ card: '4000000000001976' })
    equal(later.status, 'processing')
    await shop.processor.advance(61)
    equal((await shop.get(later.payment_id)).status, 'succeeded')
  })

  test(`${connector}: a payment whose response is lost is found, and charged once`, async () => {
    const shop = await openShop({ connector })
    const payment = await shop.pay({ card: '4000000000000432' })
    equal(payment.status, 'processing')
    await shop.wait('5 minutes')
    equal((await shop.get(payment.payment_id)).status, 'succeeded')
    equal((await shop.processor.charges()).length, 1)
  })
}

test('stripe_test approves a card that the others decline for insufficient funds, and a retry there succeeds', async () => {
  for (const connector of names) {
    const shop = await openShop({ connector })
    equal((await shop.pay({ card: '4000000000009995' })).status, connector === 'stripe_test' ? 'succeeded' : 'failed', connector)
  }
  const shop = await openShop({ connector: 'fauxpay' })
  await addAccount(shop, 'stripe_test')
  await shop.profile({ is_auto_retries_enabled: true })
  const error = { flow: 'Payment', sub_flow: 'Authorize', code: 'insufficient_funds', message: 'The card has insufficient funds.' }
  const rule = { connector: 'fauxpay', ...error, status: 'Failure', decision: 'retry', step_up_possible: false, clear_pan_possible: false }
  const { status, text } = await http('POST', `${shop.url}/gsm`, rule, { 'api-key': ADMIN_KEY })
  equal(status, 200, text)
  const payment = await shop.pay({ card: '4000000000009995' })
  deepEqual([payment.status, payment.connector, payment.attempt_count], ['succeeded', 'stripe_test', 2])
})
