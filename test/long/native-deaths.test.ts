import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { checkout } from '../authentication.ts'
import { begin, CHALLENGED, FRICTIONLESS, openNativeShop } from '../native.ts'
import { sampleOf } from '../sample.ts'
import { http } from '../shop.ts'
import { agree } from './agree.ts'
import { dyingService } from './dying.ts'

/**
 * The processor authenticates the customer in the checkout, and the service is killed at each crossing of the work
 * that follows a step of the customer: the request to the processor to continue, and the commit of its answer. The
 * step's data was stored before, so another process sends the request again, and the customer is charged once.
 */
const crossings = ['send.1.during', 'send.1.after', 'commit.1.before', 'commit.1.after'] as const
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

for (const at of sampleOf(crossings, 4)) {
  test(`service killed at ${at} after the browser data was collected: the customer is charged once`, async () => {
    const shop = await openNativeShop()
    const { payment_id, next_action, client_secret } = await begin(shop, FRICTIONLESS)
    const path = `/payments/${payment_id}/3ds/authentication`
    const body = { client_secret, device_channel: 'BRW', threeds_method_comp_ind: 'Y' }
    equal(await dyingService(shop, at, url => http('POST', url + path, body, { 'api-key': shop.publishable_key })), 'died')
    await shop.wait('10 minutes')
    const { goOn, askIssuer } = checkout(shop, { next_action, client_secret })
    // The page sends its data once more, with another value; then it continues.
    await askIssuer({ threeds_method_comp_ind: 'N' })
    ok((await goOn()).openurl_if_required)
    equal((await shop.get(payment_id)).status, 'succeeded')
    await isChargedOnce(shop)
  })

  test(`service killed at ${at} after the customer accepted the challenge: the customer is charged once`, async () => {
    const shop = await openNativeShop()
    const { payment_id, next_action, client_secret } = await begin(shop, CHALLENGED)
    const { challenge } = checkout(shop, { next_action, client_secret })
    const { address, body } = await challenge('accept')
    equal(await dyingService(shop, at, url => http('POST', address.replace(shop.url, url), body, FORM)), 'died')
    await shop.wait('10 minutes')
    ok((await http('POST', address, body, FORM)).status < 400)
    equal((await shop.get(payment_id)).status, 'succeeded')
    await isChargedOnce(shop)
  })
}

async function isChargedOnce(shop: Awaited<ReturnType<typeof openNativeShop>>): Promise<void> {
  deepEqual(
    (await shop.processor.charges()).map(({ captured }) => captured),
    [1250],
  )
  await agree(shop)
}
