import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { http, openPlace, openShop } from '../../test/shop.ts'

/** The return address of a payment works without a credential, and polls of a checkout with a client_secret. */

let asked = 0
await openPlace({}, context => ({
  ...context,
  send(...call) {
    if (call[1].purpose === 'ask') asked++
    return context.send(...call)
  },
}))

test('a stranger who opens the return address of a payment again and again costs its processor thirty questions a minute', async () => {
  const shop = await openShop()
  const challenged = { card: '4000000000003220', authentication_type: 'three_ds', return_url: 'https://shop.example/' }
  const { payment_id, client_secret, connector, status } = await shop.pay(challenged)
  equal(status, 'requires_customer_action')
  const opened = `${shop.url}/payments/${payment_id}/${shop.merchant_id}/redirect/response/${connector}`
  const before = asked
  for (let i = 0; i < 50; i++) equal((await http('GET', opened)).status, 302)
  equal(asked - before, 30)
  await shop.sync(payment_id)
  equal(asked - before, 31, 'the merchant itself is not limited')
  const byBrowser = { 'api-key': shop.publishable_key }
  const poll = () => http('GET', `${shop.url}/payments/${payment_id}?force_sync=true&client_secret=${client_secret}`, undefined, byBrowser)
  for (let i = 0; i < 50; i++) equal((await poll()).body.status, status)
  equal(asked - before, 61, 'nor is a checkout by strangers')
  const [operation] = await shop.processor.operations()
  await shop.processor.decide(operation!.id, 'approved')
  await shop.wait('1 minute')
  equal((await poll()).body.status, 'succeeded')
})
