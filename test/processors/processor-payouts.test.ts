import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { addAccount, keysOf } from '../merchant.ts'
import { ends, payOutBody, recipients } from '../payout-shop.ts'
import { type Body, openShop } from '../shop.ts'

/**
 * The processors of the specification that pay out: the same tests for all of them, through the HTTP interface.
 * `recipient`: the recipient to whom each of them pays out here.
 */
type Payer = {
  recipient(end: string): Body
  /** The metadata that the merchant sets for the account. */
  metadata?: Body
  /** Whether the processor reports a payout that the bank returns later. */
  comesBack: boolean
  /**
   * The status, for a week, of a payout whose answer was lost: the payout is found, unless it can be queried only by
   * the processor's id.
   */
  lost?: 'pending'
}
const payers: Record<string, Payer> = {
  bridge: { recipient: recipients.card, comesBack: true },
  k218pay: { recipient: recipients.wallet, comesBack: true },
  payadmit: { recipient: recipients.card, comesBack: false },
  maguapay: { recipient: recipients.card, comesBack: false },
  milkypay: { recipient: recipients.card, comesBack: false, lost: 'pending' },
  fiftyfourpay: { recipient: recipients.bank, comesBack: true },
  honeycoin: {
    recipient: end => ({ wallet: { venmo: { telephone_number: `+25470000${end.slice(-4)}` } } }),
    metadata: { operator: 'mpesa', country: 'KE' },
    comesBack: false,
  },
}

for (const [connector, { recipient, metadata, comesBack, lost: unheard = 'success' }] of Object.entries(payers)) {
  const open = async (webhooks: 'on' | 'off') => {
    const shop = await openShop({ connector })
    const account = await addAccount(shop, connector, {
      connector_type: 'payout_processor',
      connector_label: 'payouts',
      ...(metadata && { metadata }),
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

  test(`${connector}: a payout is paid or refused, and one whose response is lost is not paid twice`, async () => {
    const shop = await open('off')
    equal((await shop.payOut(ends.approves)).status, 'success')
    equal((await shop.payOut(ends.declines)).status, 'failed')
    await shop.processor.fault('payout', 'reset_after')
    const lost = await shop.payOut(ends.approves)
    equal(lost.status, 'pending')
    await shop.wait('5 minutes')
    equal(await shop.statusOf(lost), unheard)
    deepEqual(
      (await shop.paid()).filter(([, status]: string[]) => status === 'paid'),
      Array(2).fill([9900, 'paid']),
    )
  })

  test(`${connector}: a pending payout is paid later, and a returned one is reversed days later`, async () => {
    const shop = await open('on')
    const [later, returned] = [await shop.payOut(ends.approvesLater), comesBack ? await shop.payOut(ends.returns) : null]
    deepEqual([await shop.statusOf(later), returned?.status ?? 'success'], ['initiated', 'success'])
    await shop.wait('4 days')
    await shop.processor.advance(0)
    await shop.service.tick()
    deepEqual([await shop.statusOf(later), returned && (await shop.statusOf(returned))], ['success', returned && 'reversed'])
  })
}
