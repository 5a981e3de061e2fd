import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { addAccount, keysOf } from '../merchant.ts'
import { ends, payOutBody, recipients } from '../payout-shop.ts'
import { isRefused } from '../refused.ts'
import { type Body, openShop } from '../shop.ts'

/** A merchant who pays out to cards through Adyen. Adyen cannot be queried about a payout: it sends webhooks. */

async function open() {
  const shop = await openShop({ connector: 'adyen' })
  const account = await addAccount(shop, 'adyen', {
    connector_type: 'payout_processor',
    connector_label: 'payouts',
    connector_account_details: keysOf('adyen', `sandbox_${shop.merchant_id}`),
    connector_webhook_details: { merchant_secret: shop.webhook_secret },
  })
  await shop.processor.account({
    webhook_url: `${shop.url}/webhooks/${shop.merchant_id}/${account.merchant_connector_id}`,
    webhook_secret: shop.webhook_secret,
  })
  const payOut = async (end: string): Promise<Body> => {
    const { status, body, text } = await shop.post('/payouts/create', payOutBody({ to: recipients.card(end) }))
    equal(status, 200, text)
    return body
  }
  const statusOf = async ({ payout_id }: Body): Promise<string> => (await shop.call('GET', `/payouts/${payout_id}`)).body.status
  const paid = async () => ((await shop.processor.ledger()) as Body).payouts.map(({ amount, status }: Body) => [amount, status])
  return { ...shop, payOut, statusOf, paid }
}

test('a card payout succeeds or fails, at once or later, and is reversed if the bank returns it days later', async () => {
  const shop = await open()
  const paid = await shop.payOut(ends.approves)
  equal(paid.status, 'success')
  match(paid.connector_transaction_id, /^[A-Z0-9]{16}$/)
  const declined = await shop.payOut(ends.declines)
  deepEqual([declined.status, declined.error_code], ['failed', '2'])
  const [later, refused, returned] = [
    await shop.payOut(ends.approvesLater),
    await shop.payOut(ends.declinesLater),
    await shop.payOut(ends.returns),
  ]
  deepEqual([later.status, refused.status, returned.status], ['initiated', 'initiated', 'success'])
  await shop.wait('4 days')
  await shop.processor.advance(0)
  await shop.service.tick()
  deepEqual([await shop.statusOf(later), await shop.statusOf(refused), await shop.statusOf(returned)], ['success', 'failed', 'reversed'])
})

test('a payout whose response is lost is not sent again; its webhook marks it as paid, once', async () => {
  const shop = await open()
  await shop.processor.account({ webhooks: 'hold' })
  await shop.processor.fault('payout', 'reset_after')
  const lost = await shop.payOut(ends.approves)
  equal(lost.status, 'pending')
  await shop.wait('1 hour')
  equal(await shop.statusOf(lost), 'pending')
  await shop.processor.account({ webhooks: 'duplicate' })
  await shop.processor.flushWebhooks()
  await shop.processor.advance(0)
  equal(await shop.statusOf(lost), 'success')
  deepEqual(await shop.paid(), [[9900, 'paid']])
})

test('a payout to a bank account is refused, and nothing is sent', async () => {
  const shop = await open()
  isRefused(await shop.post('/payouts/create', payOutBody({ to: recipients.bank() })), 400, 'IR_39', /bank/)
  deepEqual(await shop.paid(), [])
})
