import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { prove } from '../../src/ledger/prove.ts'
import { addAccount, keysOf } from '../merchant.ts'
import { ends, payOutBody, recipients } from '../payout-shop.ts'
import { type Body, openShop } from '../shop.ts'

/**
 * Payouts that are cancelled at the processor, or that a bank returns: told by webhook, asked with `force_sync`, or
 * found by the watch. Status, ledger and event equal the processor's books.
 */

const ways = ['by webhook', 'asked with force_sync', 'found by the watch'] as const
type Way = (typeof ways)[number]

/**
 * `called`: the status of a payout that is cancelled there; most processors know it only as one that failed. `without`:
 * what the processor does not do, with the reason. `heard`: how it tells.
 */
type Payer = {
  recipient?: (end: string) => Body
  metadata?: Body
  called?: 'cancelled' | 'expired'
  without?: Partial<Record<Name, string>>
  heard?: readonly Way[]
}

const cases = {
  'a pending payout that is cancelled there': { end: ends.approvesLater, move: 'payout_cancelled' },
  'a paid payout that comes back': { end: ends.approves, move: 'payout_returned' },
} as const
type Name = keyof typeof cases

const payers: Record<string, Payer> = {
  phonypay: { called: 'cancelled' },
  bridge: { recipient: recipients.card },
  stripe: {
    recipient: end => ({ passthrough: { psp_token: `acct_1Nnlp9GPxmnH${end}`, token_type: 'ach' } }),
    without: { 'a pending payout that is cancelled there': 'a transfer at Stripe is made at once' },
  },
  // Adyen's Payout API has no look-up: a payout that is declined in the Customer Area, or reversed, is told by webhook.
  adyen: { recipient: recipients.card, heard: ['by webhook'] },
  adyenplatform: { called: 'cancelled' },
  checkout: { recipient: recipients.card },
  // An unclaimed item that is cancelled is RETURNED, as one that is not claimed in 30 days.
  paypal: { recipient: recipients.wallet, called: 'expired' },
  k218pay: { recipient: recipients.wallet },
  payadmit: { recipient: recipients.card },
  maguapay: { recipient: recipients.card },
  milkypay: { recipient: recipients.card },
  fiftyfourpay: {},
  honeycoin: {
    recipient: end => ({ wallet: { venmo: { telephone_number: `+25470000${end.slice(-4)}` } } }),
    metadata: { operator: 'mpesa', country: 'KE' },
  },
}

async function openPayer(connector: string, { metadata }: Payer) {
  const shop = await openShop({ connector: connector === 'adyenplatform' ? 'adyen' : connector })
  const account = await addAccount(shop, connector, {
    connector_type: 'payout_processor',
    connector_label: 'payouts',
    ...(metadata && { metadata }),
    connector_account_details: keysOf(connector, `sandbox_${shop.merchant_id}`),
    connector_webhook_details: { merchant_secret: shop.webhook_secret },
  })
  await shop.processor.account({
    webhook_url: `${shop.url}/webhooks/${shop.merchant_id}/${account.merchant_connector_id}`,
    webhook_secret: shop.webhook_secret,
  })
  return shop
}

for (const [connector, payer] of Object.entries(payers))
  for (const [name, { end, move }] of Object.entries(cases))
    for (const way of payer.heard ?? ways)
      test(`${connector}: the books follow ${name}, ${way}`, { skip: payer.without?.[name as Name] ?? false }, async () => {
        const shop = await openPayer(connector, payer)
        const { recipient = recipients.bank, called = 'failed' } = payer
        const isCancelled = move === 'payout_cancelled'
        const status = isCancelled ? called : 'reversed'
        const { body, text } = await shop.post('/payouts/create', payOutBody({ to: recipient(end) }))
        ok(body.payout_id, text)
        // A webhook that arrives before the answer is written leaves the result to the first poll.
        await shop.wait('10 seconds')
        const read = async (query = ''): Promise<Body> => (await shop.call('GET', `/payouts/${body.payout_id}${query}`)).body
        equal((await read()).status, isCancelled ? 'initiated' : 'success')
        const [there] = (await shop.processor.ledger()).payouts
        await shop.processor.move(there.payout, move, { ...(way !== 'by webhook' && { webhooks: 'lose' }) })
        await shop.wait(way === 'found by the watch' ? '2 hours' : '1 second')
        if (way === 'asked with force_sync') await read('?force_sync=true')
        const payout = await read()
        equal(payout.status, status, JSON.stringify(payout))
        // What has expired or come back needs no reason beside its status; the others say what the processor said.
        if (status !== 'expired') ok(payout.error_message, JSON.stringify(payout))
        const balances: Body[] = (await shop.call('GET', '/ledger/balances')).body.data
        deepEqual(
          balances.filter(({ balance }) => balance !== 0),
          [],
        )
        deepEqual(await prove(shop.service.context, shop.merchant_id), [])
        const events: Body[] = await shop.events(body.payout_id)
        equal(events.filter(({ event_type }) => event_type === `payout_${status}`).length, 1)
        await read('?force_sync=true')
        equal((await shop.events(body.payout_id)).length, events.length, 'asked again, nothing is new')
      })
