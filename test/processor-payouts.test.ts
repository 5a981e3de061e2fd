import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { addAccount, keysOf } from './merchant.ts'
import { ends, payOutBody, recipients } from './payout-shop.ts'
import { type Body, openShop } from './shop.ts'

/** The specification's processors that pay out: the same stories for all, through the front door. `recipient`: what each of them pays out to here. */
const payers: Record<string, (end: string) => Body> = {
  bridge: recipients.card,
  k218pay: recipients.wallet,
}

for (const [connector, recipient] of Object.entries(payers)) {
  const open = async (webhooks: 'on' | 'off') => {
    const shop = await openShop({ connector })
    const account = await addAccount(shop, connector, {
      connector_type: 'payout_processor',
      connector_label: 'payouts',
      connector_account_details: keysOf(connector, `sandbox_${shop.merchant_id}`),
      connector_webhook_details: { merchant_secret: shop.webhook_secret },
    })
    if (webhooks === 'on')
      await shop.processor.account({
        webhook_url: `${shop.url}/webhooks/${shop.merchant_id}/${account.merchant_connector_id}`,
        webhook_secret: shop.webhook_secret,
      })
    const payOut = async (end: string): Promise<Body> => {
      const { status, body, text } = await shop.post('/payouts/create', payOutBody({ to: recipient(end) }))
      equal(status, 200, text)
      return body
    }
    const statusOf = async ({ payout_id }: Body): Promise<string> => (await shop.call('GET', `/payouts/${payout_id}`)).body.status
    const paid = async () => ((await shop.processor.ledger()) as Body).payouts.map(({ amount, status }: Body) => [amount, status])
    return { ...shop, payOut, statusOf, paid }
  }

  test(`${connector}: money is paid out, or refused; silence is not a no`, async () => {
    const shop = await open('off')
    equal((await shop.payOut(ends.approves)).status, 'success')
    equal((await shop.payOut(ends.declines)).status, 'failed')
    await shop.processor.fault('payout', 'reset_after')
    const lost = await shop.payOut(ends.approves)
    equal(lost.status, 'pending')
    await shop.wait('5 minutes')
    equal(await shop.statusOf(lost), 'success')
    deepEqual(
      (await shop.paid()).filter(([, status]: string[]) => status === 'paid'),
      Array(2).fill([9900, 'paid']),
    )
  })

  test(`${connector}: late news: paid after a while, and back after days`, async () => {
    const shop = await open('on')
    const [later, returned] = [await shop.payOut(ends.approvesLater), await shop.payOut(ends.returns)]
    deepEqual([await shop.statusOf(later), returned.status], ['initiated', 'success'])
    await shop.wait('4 days')
    await shop.processor.advance(0)
    deepEqual([await shop.statusOf(later), await shop.statusOf(returned)], ['success', 'reversed'])
  })
}
