import { equal } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { addAccount, keysOf, succeed } from './merchant.ts'
import { type Answer, type Body, openShop } from './shop.ts'

/**
 * Endings of payout methods. A payout method behaves as the card whose number ends in the same four letters or digits
 * (`sandbox/README.md`).
 */
export const ends = {
  approves: '4242',
  declines: '0002',
  approvesLater: '1976',
  declinesLater: '1984',
  ineligible: '0705',
  returns: '0713',
  waits: '0721',
  keeps: '0739',
  resets: '0424',
  paysAndResets: '0432',
  paysAndHangs: '0416',
  paysAndFails500: '0457',
  echoesAnotherAmount: '0614',
} as const

/** A payout method of each payout type, which behaves as its ending says. */
export const recipients = {
  card: (end: string = ends.approves): Body => ({
    card: {
      card_number: end === '4242' ? '4242424242424242' : `400000000000${end}`,
      expiry_month: '12',
      expiry_year: '2040',
      card_holder_name: 'Ada Byron',
    },
  }),
  bank: (end: string = ends.approves): Body => ({ bank: { iban: ibanEnding(end), account_holder_name: 'Ada Byron' } }),
  wallet: (end: string = ends.approves): Body => ({ wallet: { paypal: { email: `ada${end}@example.com` } } }),
  bank_redirect: (end: string = ends.approves): Body => ({ bank_redirect: { interac: { email: `ada${end}@example.com` } } }),
} as const

/** Gives a German IBAN with this ending and valid check digits. */
export function ibanEnding(end: string): string {
  const account = `370400440532${'0'.repeat(6 - end.length)}${end}`
  const rest = [...account, ...'131400'].reduce((sum, digit) => (sum * 10 + Number(digit)) % 97, 0)
  return `DE${String(98 - rest).padStart(2, '0')}${account}`
}

type PayOutAsk = { to?: Body; [member: string]: unknown }

/**
 * Gives the body of a payout that is created, confirmed and fulfilled in one call: 99.00 EUR to a bank account that
 * accepts it, unless the test names another.
 */
export const payOutBody = ({ to = recipients.bank(), ...rest }: PayOutAsk = {}): Body => ({
  amount: 9_900,
  currency: 'EUR',
  confirm: true,
  auto_fulfill: true,
  payout_type: Object.keys(to)[0],
  payout_method_data: to,
  ...rest,
})

export type PayoutShop = Awaited<ReturnType<typeof openPayoutShop>>

/**
 * Opens a shop with a payout account beside its payment account; both are one account at the sandbox. `others`:
 * connectors of further payout accounts.
 */
export async function openPayoutShop({ webhooks = 'off', others = [] }: { webhooks?: 'on' | 'off'; others?: readonly string[] } = {}) {
  const shop = await openShop()
  const connector_account_details = keysOf('phonypay', `sandbox_${shop.merchant_id}`)
  const asPayer = (connector: string): Promise<Body> =>
    addAccount(shop, connector, {
      connector_type: 'payout_processor',
      connector_label: `payouts ${connector}`,
      connector_account_details,
      connector_webhook_details: { merchant_secret: shop.webhook_secret },
    })
  const account = await asPayer('phonypay')
  for (const connector of others) await asPayer(connector)
  if (webhooks === 'on') {
    const webhook_url = `${shop.url}/webhooks/${shop.merchant_id}/${account.merchant_connector_id}`
    await shop.processor.account({ webhook_url, webhook_secret: shop.webhook_secret })
  }
  const act = (what: 'fulfill' | 'cancel') => (payout_id: string) => shop.post(`/payouts/${payout_id}/${what}`, { payout_id })
  return {
    ...shop,
    payout_account: account.merchant_connector_id as string,
    payOut: (ask: PayOutAsk = {}): Promise<Body> => succeed(shop.post('/payouts/create', payOutBody(ask))),
    tryToPayOut: (ask: PayOutAsk = {}, headers?: Record<string, string>): Promise<Answer> =>
      shop.post('/payouts/create', payOutBody(ask), headers),
    getPayout: (id: string, query = ''): Promise<Body> => succeed(shop.call('GET', `/payouts/${id}${query}`)),
    syncPayout: (id: string): Promise<Body> => succeed(shop.call('GET', `/payouts/${id}?force_sync=true`)),
    confirmPayout: (id: string, body: Body = {}): Promise<Answer> => shop.post(`/payouts/${id}/confirm`, body),
    fulfill: act('fulfill'),
    cancelPayout: act('cancel'),
    /** Sends the service a webhook about a payout, true or false, signed as by the processor. */
    async sendPayoutWebhook(operation: Body): Promise<void> {
      const body = JSON.stringify({ id: 'evt_1', type: 'operation.updated', created_at: shop.service.context.now(), operation })
      const t = Math.floor(Date.parse(shop.service.context.now()) / 1000)
      const v1 = createHmac('sha256', shop.webhook_secret).update(`${t}.${body}`).digest('hex')
      const headers = { 'content-type': 'application/json', 'x-sandbox-signature': `t=${t},v1=${v1}` }
      const answer = await fetch(`${shop.url}/webhooks/${shop.merchant_id}/${account.merchant_connector_id}`, {
        method: 'POST',
        headers,
        body,
      })
      equal(answer.status, 200, await answer.text())
    },
    /** Gives the payouts in the processor's own books. */
    paidOut: async (): Promise<Body[]> => ((await shop.processor.ledger()) as Body).payouts,
  }
}
