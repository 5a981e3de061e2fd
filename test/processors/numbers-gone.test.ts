import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { connectors } from '../../src/connectors/all.ts'
import { dispute } from '../disputes.ts'
import { openShop, type Shop } from '../shop.ts'

/**
 * Refunds, captures, voids and disputes of payments whose card number has gone from the vault: at every processor that
 * takes cards, because each has its own ids by which it recognizes a payment.
 */
const withCards = Object.entries(connectors).filter(
  ([, { accepts, authorize }]) => authorize && accepts.methods.includes('card') && accepts.capture.includes('automatic'),
)

/** The processors that report disputes. */
const reportsDisputes = ['phonypay', 'stripe', 'adyen', 'checkout', 'paypal', 'braintree']

const numbersOf = (shop: Shop) => shop.query('select record from vault_records where merchant_id = $1', [shop.merchant_id])

for (const [name, connector] of withCards)
  test(`${name}: a payment is refunded, and one is disputed, after their numbers have gone`, async () => {
    const shop = await openShop({ connector: name, webhooks: 'on' })
    // Created first, so that the numbers are stored until the payments have ended.
    const [one, two] = [await shop.create(), await shop.create()]
    equal((await numbersOf(shop)).length, 2)
    for (const { payment_id } of [one, two]) await shop.confirm(payment_id)
    await shop.wait('2 minutes')
    for (const { payment_id } of [one, two]) equal((await shop.get(payment_id)).status, 'succeeded')
    for (let i = 0; i < 3; i++) await shop.wait('10 hours')
    deepEqual(await numbersOf(shop), [])
    if (reportsDisputes.includes(name)) equal((await dispute(shop, two.payment_id)).dispute.dispute_status, 'dispute_opened')
    if (!connector.refund) return
    const { body } = await shop.refund(one.payment_id, 500)
    match(body.status, /^(succeeded|pending)$/, JSON.stringify(body))
    await shop.wait('2 days')
    equal((await shop.call('GET', `/refunds/${body.refund_id}`)).body.status, 'succeeded')
  })
