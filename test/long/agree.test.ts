import { rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { decide, disputed } from '../disputes.ts'
import { openPayoutShop, type PayoutShop } from '../payout-shop.ts'
import { type Body, openShop, type Shop } from '../shop.ts'
import { agree } from './agree.ts'
import type { ClientAnswer } from './clients.ts'

/**
 * Tests of the judge of the deaths and of the storm: it finds every row that does not agree with the processor's
 * ledger.
 */

/** Opens a shop with a payment that is partly refunded, and with a hold. */
async function busyShop() {
  const shop = await openShop()
  const paid = await shop.pay()
  const { body: refund } = await shop.refund(paid.payment_id, 500)
  return { shop, paid, refund, hold: await shop.hold() }
}

/** Changes the shop's rows by SQL, behind the service's back. */
const tamper =
  (statement: string) =>
  ({ merchant_id, query }: Shop): Promise<unknown> =>
    query(`${statement} and merchant_id = $1`, [merchant_id])

const found: [string, (shop: Shop, hold: Body) => Promise<unknown>, RegExp][] = [
  [
    'a payment that failed, and was charged',
    tamper("update payments set status = 'failed' where status = 'succeeded'"),
    /is failed here and captured there/,
  ],
  [
    'a payment that succeeded, and was not captured',
    tamper("update payments set status = 'succeeded' where status = 'requires_capture'"),
    /is succeeded here and authorized there/,
  ],
  ['an amount', tamper("update payments set amount_refunded = 400 where status = 'succeeded'"), /its amounts are .*"amount_refunded":400/],
  [
    'an amount that is still reserved',
    tamper("update payments set amount_refunding = 100 where status = 'succeeded'"),
    /"amount_refunding":100/,
  ],
  [
    'an operation that was made, and is given up here',
    tamper("update processor_operations set state = 'not_received' where verb = 'refund'"),
    /refund 2 of 500 .* is not_received here and approved there/,
  ],
  [
    'an operation that has not ended',
    tamper("update processor_operations set state = 'unknown', poll_at = now() where verb = 'refund'"),
    /has not come to its end/,
  ],
  [
    'a refund that failed, and was given',
    tamper("update refunds set status = 'failed' where status = 'succeeded'"),
    /its refunds say 0, and its row 500/,
  ],
  ['an event that is missing', tamper("delete from changes where kind = 'payment' and version = 2"), /its events are/],
  [
    'an event that tells something else',
    tamper(`update changes set was = '{"amount_refunded":499}' where kind = 'payment' and version = 4`),
    /it begins with .*"amount_refunded":499/,
  ],
  [
    'a payment that nobody has heard of',
    tamper("delete from processor_operations where verb = 'authorize'"),
    /the processor did what nobody has asked for/,
  ],
  ['a refund that no list would find', tamper("delete from listings where object_id like 'ref%'"), /is not listed as what it is/],
  ['a payment in the wrong list', tamper("update listings set kind = 1 where object_id like 'pay%'"), /is not listed as what it is/],
  [
    'a hold that the processor has let go of',
    ({ processor }, hold) => processor.expire(hold.connector_transaction_id),
    /is requires_capture here and expired there/,
  ],
]

for (const [name, happens, expected] of found) {
  test(`the ledger check finds ${name}`, async () => {
    const { shop, hold } = await busyShop()
    await agree(shop)
    await happens(shop, hold)
    await rejects(agree(shop), expected)
  })
}

test('the ledger check finds a response that was never true, one that was withdrawn, and a second response under one key', async () => {
  const { shop, paid, refund, hold } = await busyShop()
  const order = { method: 'POST', path: '/payments', body: {}, key: 'one' } as const
  const received = (yes: Body, more: Partial<ClientAnswer> = {}): ClientAnswer => ({
    order,
    at: 0,
    outcome: '200',
    yes,
    print: 'a',
    ...more,
  })
  await agree(shop, [received(paid), received(paid), received(hold, { order: { ...order, key: 'two' } })])
  await rejects(agree(shop, [received({ ...paid, amount_received: 1249 })]), /it never was so/)
  await rejects(agree(shop, [received({ ...hold, status: 'succeeded' })]), /it never was so/)
  await rejects(agree(shop, [received({ ...paid, payment_id: 'pay_0' })]), /does not exist/)
  await rejects(
    agree(shop, [received({ ...refund, status: 'failed' }, { order: { ...order, path: '/refunds' } })]),
    /the refund is succeeded of 500/,
  )
  await rejects(agree(shop, [received(paid), received(paid, { print: 'b' })]), /two answers/)
})

const unsettled: [string, (shop: PayoutShop) => Promise<unknown>, RegExp][] = [
  [
    'a payout that failed, and was paid',
    tamper("update payouts set status = 'failed' where amount = 9900"),
    /is failed here and paid there/,
  ],
  ['a payout of another amount', tamper('update payouts set amount = 1 where amount = 9900'), /of 1 EUR here and 9900 EUR there/],
  ['a dispute that is lost there', tamper("update disputes set dispute_status = 'dispute_won' where amount = 1250"), /dispute_won here/],
  [
    'a dispute that keeps what the bank does not',
    tamper('update payments set amount_disputed = 1 where amount = 1250'),
    /banks keep 1 of it here and 1250 there/,
  ],
  ['a payout that no list would find', tamper("delete from listings where object_id like 'pyt%'"), /is not listed as what it is/],
]

for (const [name, happens, expected] of unsettled)
  test(`the ledger check finds ${name}`, async () => {
    const shop = await openPayoutShop()
    const webhook_url = `${shop.url}/webhooks/${shop.merchant_id}/${shop.merchant_connector_id}`
    await shop.processor.account({ webhook_url, webhook_secret: shop.webhook_secret })
    await shop.payOut()
    const { remote } = await disputed(shop)
    await decide(shop, remote, { status: 'lost' })
    await agree(shop)
    await happens(shop)
    await rejects(agree(shop), expected)
  })
